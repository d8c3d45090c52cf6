"""The layout: every wager that the rules offer has one place on the grid, with its odds printed there."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from passline.dice import number_text
from passline.layout.geometry import Layout, LayoutArea, View, layout_of
from passline.layout.printed import Marking
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Line
from tests.rules import side_wagers
from tests.rules.rulebooks import HARBOUR
from tests.rules.unlisted import KINDS, SPOTS, harbour_with

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
FINGER = 44
LEFT, WIDE = 704, 266  # the centre


def _areas(view: View) -> dict[tuple[str, int], LayoutArea]:
    return {(area.kind, area.number): area for area in view.areas}


def _rect(area: LayoutArea) -> tuple[int, int, int, int]:
    return area.x, area.y, area.w, area.h


def _wagers_placed(views: list[View]) -> set[tuple[str, int]]:
    """Return every wager that can be made in these views; odds behind the line have the number 0."""
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
def test_exactly_the_offered_wagers_have_a_place(rules: Rules) -> None:
    layout = layout_of(rules)
    travelled = {("come", number) for number in rules.points}  # where a come wager has no odds it lies there itself
    for views in ([layout.table], _phone(layout)):
        assert _wagers_placed(views) - travelled == _wagers_offered(rules)


@pytest.mark.parametrize("rules", ALL)
def test_a_come_wager_has_a_place_on_every_point(rules: Rules) -> None:
    layout = layout_of(rules)
    for view in (layout.table, layout.half, layout.lying):
        for kind in ("come", "dont_come"):
            lying = {area.number for area in view.areas if kind in area.also}
            assert lying == (rules.points if kind in rules.wagers else set())


@pytest.mark.parametrize("rules", ALL)
def test_no_two_areas_overlap_and_all_are_on_the_grid(rules: Rules) -> None:
    layout = layout_of(rules)
    has_side_wagers = any(area.printed.lamps for area in layout.table.areas)
    assert layout.table.width == 1000
    assert (layout.table.height == 520) is not has_side_wagers
    _check_grid(layout)


def _check_grid(layout: Layout) -> None:
    for view in (layout.table, layout.half, layout.lying, layout.centre, layout.numbers):
        drawn: list[LayoutArea | Marking] = [*view.areas, *view.marks]
        for one in drawn:
            assert one.w > 0
            assert one.h > 0
            assert 0 <= one.x <= one.x + one.w <= view.width
            assert 0 <= one.y <= one.y + one.h <= view.height
        for one, other in combinations(drawn, 2):
            is_beside = one.x + one.w <= other.x or other.x + other.w <= one.x
            is_above = one.y + one.h <= other.y or other.y + other.h <= one.y
            assert is_beside or is_above, f"{one} over {other}"


@pytest.mark.parametrize("rules", ALL)
def test_a_finger_hits_every_area(rules: Rules) -> None:
    """A phone of 390 pixels leaves 374 for the picture, so a unit is nearly a pixel; on a table areas may be lower."""
    layout = layout_of(rules)
    assert min(area.w for area in layout.table.areas) >= FINGER
    for view in (layout.half, layout.lying, layout.centre, layout.numbers):
        assert view.width == (560 if view is layout.lying else 372)
        assert all(area.w >= FINGER and area.h >= FINGER for area in view.areas)


def test_wagers_that_no_layout_lists_share_rows(tmp_path: Path) -> None:
    listed = layout_of(harbour_with(tmp_path / "as it is", ""))
    layout = layout_of(harbour_with(tmp_path / "with more"))
    _check_grid(layout)
    for views, before, rows in (([layout.table], [listed.table], 3), (_phone(layout), _phone(listed), 5)):
        assert _wagers_placed(views) - _wagers_placed(before) == SPOTS
        added = [area for view in views for area in view.areas if area.kind in KINDS]
        assert all(area.w >= FINGER and area.h >= FINGER for area in added)
        assert len({area.y for area in added}) == rows
    assert layout.table.areas[: len(listed.table.areas)] == listed.table.areas
    assert layout.table.height == 520 + 3 * 48
    areas = _areas(layout.table)
    assert areas["over_7", 0].y == areas["buoys", 0].y
    assert areas["anchors", 0].printed.label == "TWIN ANCHORS"
    assert areas["anchors", 0].printed.pays == "14 to 1"
    assert areas["lighthouse", 6].printed.label == "LIGHTHOUSE 6"
    assert areas["ebb", 9].printed.name == "Ebb 9"


def test_many_side_wagers_share_rows_too() -> None:
    """Twenty-three of them have no room in the centre. Boxes without a place wager say their number themselves."""
    machines = side_wagers.rules()
    layout = layout_of(machines)
    areas = _areas(layout.table)
    assert len({areas[kind, 0].y for kind, rule in machines.wagers.items() if rule.lines}) == 4
    assert {areas["come", number].printed.label for number in (4, 10)} == {"COME 4", "COME 10"}
    assert areas["come", 4].h == 150


def test_a_listed_wager_on_a_further_number_has_a_place_too(tmp_path: Path) -> None:
    text = (HARBOUR / "wagers.toml").read_text(encoding="utf-8")
    big = (
        text[text.index("[place_win]") : text.index("[field]")]
        .replace("place_win", "big")
        .replace("Berth Bet", "Mooring Bet")
    )
    layout = layout_of(harbour_with(tmp_path, "\n" + big))
    _check_grid(layout)
    for views in ([layout.table], _phone(layout)):
        assert {spot for spot in _wagers_placed(views) if spot[0] == "big"} == {("big", n) for n in (5, 6, 8, 9)}


def _phone(layout: Layout) -> list[View]:
    return [layout.half, layout.centre, layout.numbers]


TABLE = {
    ("dont_come", 0): (70, 30, 62, 150),
    ("come", 0): (70, 180, 590, 90),
    ("field", 0): (130, 270, 530, 90),
    ("dont_pass", 0): (130, 360, 530, 45),
    ("pass", 0): (70, 405, 590, 55),
    ("pass_odds", 0): (70, 460, 590, 30),
    ("any_seven", 0): (LEFT, 30, WIDE, 40),
    ("hardway", 6): (LEFT, 70, 133, 70),
    ("hardway", 10): (LEFT + 133, 70, 133, 70),
    ("hardway", 8): (LEFT, 140, 133, 70),
    ("hardway", 4): (LEFT + 133, 140, 133, 70),
    ("any_craps", 0): (LEFT, 320, WIDE, 40),
    ("hop", 0): (LEFT, 360, WIDE, 50),
}


@pytest.mark.parametrize("rules", ALL)
def test_areas_lie_where_a_real_table_has_them(rules: Rules) -> None:
    """The centre begins below the wagers that must lie in front of the boxperson."""
    areas = _areas(layout_of(rules).table)
    down = areas["any_seven", 0].y - 30
    assert (down > 0) is (
        "fire" in rules.wagers and rules.rulebook.name == "maryland" and rules.wagers["fire"].is_offered
    )
    for key, (x, y, w, h) in TABLE.items():
        if rules.wagers.get(key[0]):
            assert _rect(areas[key]) == (x, y + (down if x >= LEFT else 0), w, h)
    for kind in ("craps_3", "craps_2", "craps_12", "eleven", "horn", "whirl"):
        x, y, w, h = _rect(areas[kind, 0])
        assert LEFT <= x <= x + w <= 970
        assert 210 <= y - down <= y - down + h <= 320
    circles = areas["c_and_e", 0]
    assert circles.x < 674 < circles.x + circles.w


@pytest.mark.parametrize("name", [name for name, game in GAMES if game == "craps"])
def test_the_boxes_of_the_six_points(name: str) -> None:
    """Top to bottom: don't come and lay, come and buy, the number with its place wager. The box has no gaps."""
    rules = Rules.of(name)
    areas = _areas(layout_of(rules).table)
    for index, number in enumerate((4, 5, 6, 8, 9, 10)):
        box = [area for area in areas.values() if area.number == number and 30 <= area.y < 180 and area.x < 660]
        assert min(area.x for area in box) == 132 + 88 * index
        assert max(area.x + area.w for area in box) == 132 + 88 * (index + 1)
        assert sum(area.w * area.h for area in box) == 88 * 150
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
        (704, 102, 88, 50),
        (792, 102, 89, 50),
        (881, 102, 89, 50),
    ]
    assert _rect(areas["fire", 0]) == (704, 30, 266, 72)
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


def test_the_elected_payouts_are_printed() -> None:
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
def test_no_two_areas_have_the_same_name(rules: Rules) -> None:
    """Screen readers read these names."""
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


def test_a_layout_survives_json() -> None:
    layout = layout_of(Rules.of("maryland"))
    assert msgspec.json.decode(msgspec.json.encode(layout), type=Layout) == layout


@pytest.mark.parametrize("name", ["arizona", "colorado", "maryland", "section2"])
@pytest.mark.parametrize("side", [{}, {"fire": "A"}])
def test_the_limits_stand_where_no_area_and_no_word_is(name: str, side: dict[str, str]) -> None:
    offered = side if name == "maryland" else {}
    view = layout_of(Rules.of(name, house={"side_wagers": offered})).table
    assert (view.posted is None) == bool(offered)  # then the centre reaches down to the edge
    if view.posted is not None:
        half = 8 * view.posted.size
        boxes: list[LayoutArea | Marking] = [*view.areas, *view.marks]
        for box in boxes:
            beside = box.x + box.w <= view.posted.x - half or box.x >= view.posted.x + half
            apart = [y - view.posted.size >= box.y + box.h or y <= box.y + box.h // 2 for y in view.posted.lines]
            assert beside or all(apart), box
