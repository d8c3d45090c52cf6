"""The drawing of the layout: every wager has its area, nothing overlaps, and what is measured is to scale."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from passline.errors import CrapsError
from passline.papers.layout_drawing import LayoutDrawing, ends_of, feet_and_inches, layout_drawing, usual_feet
from passline.rules.clauses import REGULATIONS
from passline.rules.explain.paper_head import head_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules

GAMES = [(name, game) for name in REGULATIONS for game in rulebook_of(name).games]
SVG = "{http://www.w3.org/2000/svg}"
SIDE = {"side_wagers": {"fire": "A", "bonus_craps": "A"}}


def drawn(rules: Rules, feet: Fraction | None = None) -> LayoutDrawing:
    return layout_drawing(rules, head_of(rules, version="1"), feet=feet)


def rects(drawing: LayoutDrawing) -> list[tuple[float, float, float, float]]:
    """Return the felt and the areas; dice and the scale are drawn with other lines."""
    found = ET.fromstring(drawing.svg).iter(f"{SVG}rect")  # noqa: S314 - our own
    wide = [one for one in found if float(one.attrib["stroke-width"]) > 1]
    return [tuple(float(one.attrib[key]) for key in ("x", "y", "width", "height")) for one in wide]  # type: ignore[misc]


@pytest.mark.parametrize(("name", "game"), GAMES)
def test_every_wager_that_the_house_deals_has_an_area(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    drawing = drawn(rules)
    offered = {kind for kind, rule in rules.wagers.items() if rule.is_offered}
    by_kind = {one.kind: one for one in drawing.areas}
    assert set(by_kind) == offered
    assert {kind for kind, one in by_kind.items() if one.count != (one.count // ends_of(rules)) * ends_of(rules)} <= {
        kind for kind in offered if rules.wagers[kind].centre or kind in {"any_seven", "hop", "six_seven_eight"}
    }, "what lies at an end lies at both"


@pytest.mark.parametrize("house", [None, SIDE])
def test_areas_are_inside_the_felt_and_do_not_overlap(house: dict[str, dict[str, str]] | None) -> None:
    felt, *areas = rects(drawn(Rules.of("maryland", house=house)))
    for x, y, w, h in areas:
        assert felt[0] <= x
        assert felt[1] <= y
        assert x + w <= felt[0] + felt[2]
        assert y + h <= felt[1] + felt[3]
    for place, (x, y, w, h) in enumerate(areas):
        for other in areas[place + 1 :]:
            assert x + w <= other[0] or other[0] + other[2] <= x or y + h <= other[1] or other[1] + other[3] <= y


@pytest.mark.parametrize("feet", [Fraction(8), Fraction(12), Fraction(29, 2)])
def test_the_felt_is_as_long_on_paper_as_the_scale_says(feet: Fraction) -> None:
    drawing = drawn(Rules.of("maryland"), feet)
    root = ET.fromstring(drawing.svg)  # noqa: S314
    units = float(root.attrib["viewBox"].split()[2])
    inches = float(root.attrib["width"].removesuffix("in"))
    scale = int(drawing.scale.removeprefix("1:").partition(",")[0])
    assert rects(drawing)[0][2] / units * inches * scale == pytest.approx(float(feet * 12), abs=0.01)
    assert feet_and_inches(feet * 12) in [one.text for one in root.iter(f"{SVG}text")]


def test_numbers_read_from_left_to_right_at_both_ends() -> None:
    root = ET.fromstring(drawn(Rules.of("maryland")).svg)  # noqa: S314
    boxes = ["4", "5", "SIX", "8", "NINE", "10"]
    found = [one for one in root.iter(f"{SVG}text") if one.text in boxes]
    large = [one for one in found if float(one.attrib["font-size"]) >= 20 and float(one.attrib["y"]) < 180]
    assert [one.text for one in sorted(large, key=lambda one: float(one.attrib["x"]))] == boxes * 2


def test_a_table_where_players_sit_has_one_end() -> None:
    seated = Rules.of("section2", game="mini_craps")
    assert (ends_of(seated), usual_feet(seated)) == (1, 7)
    assert {one.kind: one.count for one in drawn(seated).areas}["pass"] == 1
    assert {one.kind: one.count for one in drawn(Rules.of("section2")).areas}["pass"] == 2


@pytest.mark.parametrize("feet", [Fraction(3), Fraction(21)])
def test_a_felt_that_no_table_has_is_refused(feet: Fraction) -> None:
    with pytest.raises(CrapsError, match="choose a length from 4 to 20"):
        drawn(Rules.of("maryland"), feet)


def test_positions_round_the_edge_are_numbered_clockwise_from_the_boxpersons_left() -> None:
    root = ET.fromstring(drawn(Rules.of("maryland", house=SIDE)).svg)  # noqa: S314
    felt = rects(drawn(Rules.of("maryland", house=SIDE)))[0]
    numbers = [int(one.text or 0) for one in root.iter(f"{SVG}text") if re.fullmatch(r"1[3-6]", one.text or "")]
    assert sorted(numbers) == [13, 13, 14, 14, 15, 15, 16, 16], "at the edge, and in front of the boxperson"
    assert felt[2] > felt[3]
