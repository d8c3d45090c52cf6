"""What the regulations demand of a drawn layout: its words, its areas, where they lie, and the colours of chips."""

import json
import re
from fractions import Fraction
from itertools import pairwise
from math import atan2, hypot

import msgspec
import pytest

from passline.layout.geometry import Layout, View, layout_of
from passline.layout.printed import NumberedSpot
from passline.rules.clauses import clauses_of
from passline.rules.rules import Rules

SIDE = {"fire": "A", "bonus_craps": "A", "dice_ology": "B", "lucky_shooter": "C"}


def _layout(regulation: str, game: str = "", /, **house: object) -> Layout:
    return layout_of(Rules.of(regulation, game=game, house=house))


def _views(layout: Layout) -> tuple[View, ...]:
    return layout.table, layout.half, layout.centre, layout.numbers


@pytest.mark.parametrize(
    ("name", "game"),
    [
        pytest.param("colorado", "craps", marks=pytest.mark.clause("CO-2303-2-nocall")),
        pytest.param("colorado", "craps_free_craps", marks=pytest.mark.clause("CO-2303-2-nocall")),
        pytest.param("maryland", "craps", marks=pytest.mark.clause("MD-2.D.3")),
        pytest.param("maryland", "mini_craps", marks=pytest.mark.clause("MD-2.D.3")),
    ],
)
@pytest.mark.parametrize("side", [False, True])
def test_every_layout_bears_the_words_no_call_bets(name: str, game: str, *, side: bool) -> None:
    offered = {"fire": "A"} if name == "maryland" else {"sharp_shooter": "SS-02"}
    has_side = side and game != "craps_free_craps"
    limits = {"sharp_shooter": {"min": 100, "max": 1000}} if name == "colorado" and has_side else {}
    layout = _layout(name, game, side_wagers=offered if has_side else {}, limits=limits)
    for view in _views(layout):
        (legend,) = [mark for mark in view.marks if mark.kind == "legend"]
        assert legend.says.lower() == "no call bets"
        assert (legend.w >= 150, legend.h >= 20) == (True, True)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("maryland", marks=pytest.mark.clause("MD-2.D.1")),
        pytest.param("arizona", marks=pytest.mark.clause("AZ-III.B.3-a")),
        pytest.param("colorado", marks=pytest.mark.clause("CO-2303-2-logo")),
    ],
)
def test_the_layout_bears_the_name_of_the_house(name: str) -> None:
    for view in _views(_layout(name, name="The Blue Heron")):
        assert [mark.says for mark in view.marks if mark.kind == "name"] == ["The Blue Heron"]


@pytest.mark.parametrize(
    ("name", "side"),
    [
        pytest.param("colorado", {}, marks=pytest.mark.clause("CO-2303-2-areas")),
        pytest.param("maryland", {}, marks=pytest.mark.clause("MD-2.D.2")),
        pytest.param("maryland", SIDE, marks=pytest.mark.clause("MD-2.D.2")),
        pytest.param("arizona", {}, marks=pytest.mark.clause("AZ-III.B.3-b")),
    ],
)
def test_every_offered_wager_has_a_marked_area(name: str, side: dict[str, str]) -> None:
    """Marked by its words, its number or its dice."""
    rules = Rules.of(name, house={"side_wagers": side})
    layout = layout_of(rules)
    for views in ((layout.table,), (layout.half, layout.centre, layout.numbers)):
        areas = {area.kind for view in views for area in view.areas}
        travelling = {kind for view in views for area in view.areas for kind in area.also}
        assert areas | travelling == {kind for kind, rule in rules.wagers.items() if rule.is_offered}
        assert all(area.printed.label and area.w * area.h >= 500 for view in views for area in view.areas)


@pytest.mark.clause("S2-d1.to", "S2-d1.for")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
@pytest.mark.parametrize("payouts", [{}, {"any_seven": "9 to 2", "field 12": "3 to 1", "hop 1-3": "16 to 1"}])
def test_S2_d1_to__odds_on_the_layout_are_worded_with_to(game: str, payouts: dict[str, str]) -> None:
    """S2-d1.to, S2-d1.for: every payout that an area shows is one of its wager's, written with "to" alone."""
    rules = Rules.of("section2", game=game, house={"payouts": payouts, "payouts_uniform": bool(payouts)})
    for view in _views(layout_of(rules)):
        for area in view.areas:
            shown = json.dumps(msgspec.to_builtins(area.printed))
            assert not re.search(r"\d+ (for|à|:|/) ?\d+|\d:\d", shown), shown
            rule = rules.wagers[area.kind]
            parts = [rules.wagers[part] for part, _units in rule.parts if part in rules.wagers] or [rule]
            numbers = {area.number} & {*rule.payouts} or {*rule.payouts}
            lawful = [
                one.pays for part in parts for number, one in part.payouts.items() if rule.parts or number in numbers
            ]
            odds = [tuple(map(int, found)) for found in re.findall(r"(\d+) to (\d+)", shown)]
            assert odds, area.kind
            assert {*odds} <= {(pays.pays, pays.to) for pays in lawful}, area.kind


def _edge(view: View) -> list[NumberedSpot]:
    return [spot for spot in view.spots if spot.is_at_edge]


@pytest.mark.clause("MD-2.D.4.b.perimeter")
@pytest.mark.parametrize(("game", "seats"), [("craps", 16), ("craps", 11), ("mini_craps", 9)])
def test_MD_2_D_4_b_perimeter__a_fire_area_for_each_position_is_at_the_edge(game: str, seats: int) -> None:
    layout = _layout("maryland", game, side_wagers=SIDE, seats=seats)
    for view in (layout.table, layout.half):
        spots = _edge(view)
        assert [spot.number for spot in spots] == list(range(1, seats + 1))
        for spot in spots:  # outside every area, and the whole layout on one side of it
            beyond = [
                all(area.x >= spot.x + spot.radius for area in view.areas),
                all(area.x + area.w <= spot.x - spot.radius for area in view.areas),
                all(area.y >= spot.y + spot.radius for area in view.areas),
                all(area.y + area.h <= spot.y - spot.radius for area in view.areas),
            ]
            assert any(beyond), spot
        for one, other in pairwise(spots):
            assert hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius


@pytest.mark.clause("MD-2.D.4.b.perimeter", "MD-2.D.4.d", "MD-11.A.1")
@pytest.mark.parametrize("seats", [20, 17, 16, 1])
def test_MD_11_A_1__every_position_has_its_closest_fire_area_at_the_edge_and_before_the_boxperson(seats: int) -> None:
    """MD-11.A.1: also where a table has more positions than the areas that MD-2.D.4.a allows."""
    layout = _layout("maryland", side_wagers=SIDE, seats=seats)
    areas = min(seats, int(clauses_of("maryland")["MD-2.D.4.a"].values["max_fire_areas"]))
    for view, at_edge in ((layout.table, True), (layout.half, True), (layout.table, False), (layout.centre, False)):
        spots = [spot for spot in view.spots if spot.is_at_edge is at_edge]
        assert [spot.number for spot in spots] == list(range(1, areas + 1))
        assert [seat for spot in spots for seat in spot.seats] == list(range(1, seats + 1))  # each once, clockwise
        for spot in spots:
            for seat in spot.seats:
                at = Fraction(seat - 1, max(seats - 1, 1))
                away = [abs(at - Fraction(number, max(areas - 1, 1))) for number in range(areas)]
                assert away[spot.number - 1] == min(away)


@pytest.mark.clause("MD-2.D.4.b.number")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
def test_MD_2_D_4_b_number__fire_areas_run_clockwise_from_the_left_of_the_boxperson_or_dealer(game: str) -> None:
    """Seen from above with the boxperson at the top, who looks down the page: the left hand is on the right."""
    view = _layout("maryland", game, side_wagers=SIDE).table
    (seat,) = [mark for mark in view.marks if mark.kind == "seat"]
    assert seat.says == ("Boxperson" if game == "craps" else "Dealer")
    first, second, *_rest = spots = _edge(view)
    assert seat.x + seat.w <= first.x - first.radius
    assert seat.y <= first.y <= seat.y + seat.h
    assert all(hypot(first.x - seat.x, first.y - seat.y) <= hypot(one.x - seat.x, one.y - seat.y) for one in spots[:-3])
    x, y = 500, view.height // 2
    turned = [atan2(spot.y - y, spot.x - x) for spot in spots]  # grows clockwise, since y grows downwards
    falls = sum(after < before for before, after in pairwise(turned))
    assert falls <= 1
    assert second.x > first.x


@pytest.mark.clause("MD-2.D.4.c", "MD-2.D.4.d")
def test_MD_2_D_4_c__fire_wagers_are_brought_to_numbered_spots_in_front_of_the_boxperson() -> None:
    """MD-2.D.4.c: a separate area, apart from the edge; MD-2.D.4.d: before the boxperson, with the same numbers."""
    layout = _layout("maryland", side_wagers=SIDE)
    for view in (layout.table, layout.centre):
        (fire,) = [area for area in view.areas if area.kind == "fire"]
        inside = [spot for spot in view.spots if not spot.is_at_edge]
        assert [spot.number for spot in inside] == [spot.number for spot in _edge(layout.table)]
        for spot in inside:
            assert spot.kind == "fire"
            assert fire.x <= spot.x - spot.radius <= spot.x + spot.radius <= fire.x + fire.w
            assert fire.y <= spot.y - spot.radius <= spot.y + spot.radius <= fire.y + fire.h
    _is_in_front(layout, "fire")


def _is_in_front(layout: Layout, kind: str) -> None:
    """Check that nothing but other wagers in front of the boxperson lies between the boxperson and an area."""
    (seat,) = [mark for mark in layout.table.marks if mark.kind == "seat"]
    in_front = {"fire", "small", "all", "tall", "little_ones", "boom_or_bust", "big_ones"}
    for view in (layout.table, layout.centre):
        (area,) = [one for one in view.areas if one.kind == kind]
        above = [one for one in view.areas if one.y < area.y and one.x < area.x + area.w and area.x < one.x + one.w]
        assert {one.kind for one in above} <= in_front
    (area,) = [one for one in layout.table.areas if one.kind == kind]
    assert seat.y + seat.h <= area.y
    assert seat.x <= area.x <= 970


@pytest.mark.parametrize(
    ("kind", "totals"),
    [
        pytest.param("small", (2, 3, 4, 5, 6), marks=pytest.mark.clause("MD-2.D.5.a.i", "MD-2.D.5.b")),
        pytest.param("all", (2, 3, 4, 5, 6, 8, 9, 10, 11, 12), marks=pytest.mark.clause("MD-2.D.5.a.ii", "MD-2.D.5.b")),
        pytest.param("tall", (8, 9, 10, 11, 12), marks=pytest.mark.clause("MD-2.D.5.a.iii", "MD-2.D.5.b")),
        pytest.param("little_ones", (2, 3, 4, 5, 6), marks=pytest.mark.clause("MD-2.D.6.a.i", "MD-2.D.6.b")),
        pytest.param("big_ones", (8, 9, 10, 11, 12), marks=pytest.mark.clause("MD-2.D.6.a.ii", "MD-2.D.6.b")),
        pytest.param(
            "boom_or_bust", (2, 3, 4, 5, 6, 8, 9, 10, 11, 12), marks=pytest.mark.clause("MD-2.D.6.a.iii", "MD-2.D.6.b")
        ),
    ],
)
def test_a_collection_lies_in_front_of_the_boxperson_with_a_spot_for_each_marker(
    kind: str, totals: tuple[int, ...]
) -> None:
    for side in (SIDE, {"bonus_craps": "A"} if kind in {"small", "all", "tall"} else {"dice_ology": "A"}):
        layout = _layout("maryland", side_wagers=side)
        _is_in_front(layout, kind)
        (area,) = [area for area in layout.table.areas if area.kind == kind]
        assert area.printed.lamps == totals
        assert not [spot for view in _views(layout) for spot in view.spots if spot.kind == kind], (
            "it is not at the edge"
        )
        assert area.h >= 50, "lower areas have no room for the spots"


@pytest.mark.parametrize(
    ("cents", "colour"),
    [
        pytest.param(100, "white", marks=pytest.mark.clause("AZ-II.R.3.a")),
        pytest.param(500, "red", marks=pytest.mark.clause("AZ-II.R.3.b")),
        pytest.param(2500, "green", marks=pytest.mark.clause("AZ-II.R.3.c")),
        pytest.param(10_000, "black", marks=pytest.mark.clause("AZ-II.R.3.d")),
        pytest.param(50_000, "purple", marks=pytest.mark.clause("AZ-II.R.3.e")),
    ],
)
def test_a_chip_has_the_colour_of_its_value(cents: int, colour: str) -> None:
    layout = _layout("arizona")
    assert layout.colours[str(cents)] == colour
    assert set(layout.colours) >= {str(cents) for cents in layout.chips}


def test_without_a_rule_there_is_nothing_on_the_layout_but_its_areas() -> None:
    layout = _layout("section2")
    assert [(view.marks, view.spots) for view in _views(layout)] == [((), ())] * 4
    assert set(layout.colours) == {"100", "250", "500", "2500", "10000", "50000"}
