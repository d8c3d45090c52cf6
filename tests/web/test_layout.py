"""The layout: every wager that the rules in force offer has its one place on the grid, with its odds printed there."""

from __future__ import annotations

from itertools import combinations

import msgspec
import pytest

from passline.dice import number_text
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Line
from passline.web.layout.geometry import Area, Layout, View, layout_of

REGULATIONS = ("maryland", "colorado", "arizona", "section2")
GAMES = [(name, game) for name in REGULATIONS for game in rulebook_of(name).games]
SIDE = {
    "maryland": {"fire": "A", "bonus_craps": "A", "dice_ology": "B", "lucky_shooter": "C"},
    "colorado": {"fire": "FB-1", "sharp_shooter": "SS-02", "front_line_winner": "7"},
}
LIMITS = {
    "colorado": {kind: {"min": 100, "max": 1000} for kind in (*SIDE["colorado"], "centre")},
}


def _with_side_wagers(name: str) -> Rules:
    house = {"side_wagers": SIDE[name], **({"limits": LIMITS[name]} if name in LIMITS else {})}
    return Rules.of(name, house=house)


ALL = [
    *(pytest.param(Rules.of(name, game=game), id=f"{name} {game}") for name, game in GAMES),
    *(pytest.param(_with_side_wagers(name), id=f"{name} with side wagers") for name in SIDE),
]


def _areas(view: View) -> dict[tuple[str, int], Area]:
    return {(area.kind, area.number): area for area in view.areas}


def _rect(area: Area) -> tuple[int, int, int, int]:
    return area.x, area.y, area.w, area.h


def _wagers_placed(views: list[View]) -> set[tuple[str, int]]:
    """Every wager that can be made somewhere in these pictures; odds behind the line are made at the puck."""
    placed = set()
    for view in views:
        for area in view.areas:
            if area.printed.picks:
                placed |= {(area.kind, pick.number) for pick in area.printed.picks}
            else:
                placed.add((area.kind, area.number))
    return placed


def _wagers_offered(rules: Rules) -> set[tuple[str, int]]:
    at_the_puck = {"pass_odds", "dont_pass_odds"}
    return {
        (kind, 0 if kind in at_the_puck else number)
        for kind, rule in rules.wagers.items()
        if rule.is_offered
        for number in rule.numbers
    }


@pytest.mark.parametrize("rules", ALL)
def test_every_wager_offered_has_a_place_and_no_other_has(rules: Rules) -> None:
    layout = layout_of(rules)
    travelled = {("come", number) for number in rules.points}  # where a come wager has no odds it lies there itself
    for views in ([layout.table], [layout.half, layout.centre, layout.numbers]):
        assert _wagers_placed(views) - travelled == _wagers_offered(rules)


@pytest.mark.parametrize("rules", ALL)
def test_a_come_wager_has_a_place_on_every_point(rules: Rules) -> None:
    layout = layout_of(rules)
    for view in (layout.table, layout.half):
        for kind in ("come", "dont_come"):
            lying = {area.number for area in view.areas if kind in area.also}
            assert lying == (rules.points if kind in rules.wagers else set())


@pytest.mark.parametrize("rules", ALL)
def test_no_two_areas_overlap_and_all_are_on_the_grid(rules: Rules) -> None:
    layout = layout_of(rules)
    assert (layout.table.width, layout.table.height) == (1000, 520)
    for view in (layout.table, layout.half, layout.centre, layout.numbers):
        for area in view.areas:
            assert area.w > 0
            assert area.h > 0
            assert 0 <= area.x <= area.x + area.w <= view.width
            assert 0 <= area.y <= area.y + area.h <= view.height
        for one, other in combinations(view.areas, 2):
            is_beside = one.x + one.w <= other.x or other.x + other.w <= one.x
            is_above = one.y + one.h <= other.y or other.y + other.h <= one.y
            assert is_beside or is_above, f"{one.kind} {one.number} over {other.kind} {other.number}"


@pytest.mark.parametrize("rules", ALL)
def test_a_finger_hits_every_area_of_a_phone(rules: Rules) -> None:
    """390 pixels leave 374 for the picture, so that a unit is a pixel."""
    layout = layout_of(rules)
    for view in (layout.half, layout.centre, layout.numbers):
        assert view.width == 372
        assert all(area.w >= 44 and area.h >= 44 for area in view.areas)


TABLE = {
    ("dont_come", 0): (70, 30, 80, 150),
    ("come", 0): (70, 180, 590, 90),
    ("field", 0): (130, 270, 530, 90),
    ("dont_pass", 0): (130, 360, 530, 45),
    ("pass", 0): (70, 405, 590, 55),
    ("pass_odds", 0): (70, 460, 590, 30),
    ("any_seven", 0): (690, 30, 280, 40),
    ("hardway", 6): (690, 70, 140, 70),
    ("hardway", 10): (830, 70, 140, 70),
    ("hardway", 8): (690, 140, 140, 70),
    ("hardway", 4): (830, 140, 140, 70),
    ("any_craps", 0): (690, 320, 280, 40),
    ("hop", 0): (690, 360, 280, 50),
}


@pytest.mark.parametrize("rules", ALL)
def test_areas_lie_where_the_table_has_them(rules: Rules) -> None:
    areas = _areas(layout_of(rules).table)
    for key, rect in TABLE.items():
        if rules.wagers.get(key[0]):
            assert _rect(areas[key]) == rect
    for kind in ("craps_3", "craps_2", "craps_12", "eleven", "horn", "whirl"):
        x, y, w, h = _rect(areas[kind, 0])
        assert 690 <= x <= x + w <= 970
        assert 210 <= y <= y + h <= 320
    circles = areas["c_and_e", 0]
    assert circles.x < 674 < circles.x + circles.w


@pytest.mark.parametrize("name", [name for name, game in GAMES if game == "craps"])
def test_the_boxes_of_the_six_points(name: str) -> None:
    """Top to bottom: don't come and lay, come and buy, the number with its place wager; nothing lies beside the box."""
    rules = Rules.of(name)
    areas = _areas(layout_of(rules).table)
    for index, number in enumerate((4, 5, 6, 8, 9, 10)):
        box = [area for area in areas.values() if area.number == number and 30 <= area.y < 180 and area.x < 660]
        assert min(area.x for area in box) == 150 + 85 * index
        assert max(area.x + area.w for area in box) == 150 + 85 * (index + 1)
        assert sum(area.w * area.h for area in box) == 85 * 150
        order = [areas[kind, number].y for kind in ("dont_come_odds", "lay", "come_odds", "buy", "place_win")]
        assert order == sorted(order)


def test_craps_free_craps_has_boxes_for_its_further_points() -> None:
    rules = Rules.of("colorado", game="craps_free_craps")
    areas = _areas(layout_of(rules).table)
    boxes = [areas["place_win", number] for number in sorted(rules.points)]
    assert [box.printed.label for box in boxes] == ["2", "3", "4", "5", "SIX", "8", "NINE", "10", "11", "12"]
    assert [box.x for box in boxes] == [70 + 59 * index for index in range(10)]
    assert not any(kind.startswith("dont") for kind, _number in areas)


def test_big_6_and_8_are_there_only_where_the_rules_have_them() -> None:
    areas = _areas(layout_of(Rules.of("colorado")).table)
    assert (_rect(areas["big", 6]), _rect(areas["big", 8])) == ((70, 270, 60, 45), (70, 315, 60, 45))
    assert ("big", 6) not in _areas(layout_of(Rules.of("maryland")).table)


def test_side_wagers_are_there_only_where_the_house_elected_them() -> None:
    areas = _areas(layout_of(Rules.of("maryland", house={"side_wagers": {"bonus_craps": "A", "fire": "B"}})).table)
    assert [_rect(areas[kind, 0]) for kind in ("small", "all", "tall")] == [
        (690, 410, 93, 50),
        (783, 410, 94, 50),
        (877, 410, 93, 50),
    ]
    assert _rect(areas["fire", 0]) == (690, 460, 280, 30)
    assert areas["small", 0].printed.lamps == (2, 3, 4, 5, 6)
    assert areas["fire", 0].printed.lamps == (4, 5, 6, 8, 9, 10)
    assert not any(area.printed.lamps for area in layout_of(Rules.of("maryland")).table.areas)


@pytest.mark.parametrize("rules", ALL)
def test_printed_odds_are_those_in_force(rules: Rules) -> None:
    for area in layout_of(rules).table.areas:
        rule = rules.wagers[area.kind]
        if area.number and area.number in rule.payouts:
            assert area.printed.pays == str(rule.payouts[area.number].pays)
            assert area.printed.notes == (area.printed.pays,)


def test_what_a_house_elects_is_what_is_printed() -> None:
    rules = Rules.of("colorado", house={"payouts": {"field 12": "3 to 1"}, "payouts_uniform": True})
    field = _areas(layout_of(rules).table)["field", 0].printed
    assert {mark.text: mark.note for mark in field.marks} == {
        **dict.fromkeys(("3", "4", "9", "10", "11"), ""),
        "2": "2 to 1",
        "12": "3 to 1",
    }


@pytest.mark.parametrize("rules", ALL)
def test_the_bar_and_its_dice_come_from_the_rules(rules: Rules) -> None:
    areas = _areas(layout_of(rules).table)
    for kind in ("dont_pass", "dont_come"):
        if kind in rules.wagers:
            entry = rules.wagers[kind].entry
            assert isinstance(entry, Line)
            assert entry.first_void
            void = entry.first_void.totals
            assert areas[kind, 0].printed.notes == (f"BAR {'/'.join(map(str, void))}",)
            assert [sum(pair) for pair in areas[kind, 0].printed.dice] == [void[0]]


@pytest.mark.parametrize("rules", ALL)
def test_names_tell_areas_apart(rules: Rules) -> None:
    """Whoever cannot see the layout hears no name twice."""
    names = [area.printed.name for area in layout_of(rules).table.areas]
    assert len(set(names)) == len(names)
    assert {"Place 6", "Pass Line", "Hard 8"} <= set(names)


def test_hops_name_their_dice() -> None:
    hop = _areas(layout_of(Rules.of("maryland")).table)["hop", 0].printed
    assert hop.notes == ("easy 15 to 1", "hard 30 to 1")
    assert all(pick.name == f"Hop {number_text(pick.number)}" for pick in hop.picks)
    assert next(pick for pick in hop.picks if pick.number == 144).pays == "30 to 1"


@pytest.mark.parametrize(
    ("name", "chip", "chips"),
    [
        ("maryland", 100, (100, 500, 2500, 10000, 50000)),
        ("maryland", 50, (100, 250, 500, 2500, 10000, 50000)),
        ("arizona", 100, (100, 500, 2500, 10000, 50000)),
        ("maryland", 500, (500, 2500, 10000, 50000)),
    ],
)
def test_the_tray_has_the_chips_that_can_be_played(name: str, chip: int, chips: tuple[int, ...]) -> None:
    rules = Rules.of(name, house={"smallest_chip_cents": chip})
    assert layout_of(rules).chips == chips


def test_a_layout_goes_over_the_wire() -> None:
    layout = layout_of(Rules.of("maryland"))
    assert msgspec.json.decode(msgspec.json.encode(layout), type=Layout) == layout
