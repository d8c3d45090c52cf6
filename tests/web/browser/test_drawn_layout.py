"""The layout as a browser draws it: words, odds and spots that can be read, chips in their colours."""

import colorsys
import re
from collections.abc import Callable, Iterator
from math import pi
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from passline.layout.geometry import Layout, layout_of
from passline.rules.rules import Rules
from tests.rules import side_wagers
from tests.web.browser.player import area, seated

pytestmark = pytest.mark.long

Server = Callable[..., str]
SIDE = {"fire": "A", "bonus_craps": "A", "dice_ology": "B", "lucky_shooter": "C"}
# Draws a view with the page's own modules, and reports its texts with their boxes on the screen.
DRAW = """async ([layout, view]) => {
  const { Board } = await import("/static/table/board.js");
  const { useColours, trayChip } = await import("/static/table/chips.js");
  useColours(layout.colours);
  const board = new Board({ view: layout[view], chips: layout.chips, label: "Layout" });
  document.body.replaceChildren(board.element, ...layout.chips.map(trayChip));
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const texts = (node) => [...node.querySelectorAll("text")].filter((one) => one.textContent.trim())
    .map((one) => ({ says: one.textContent, box: box(one) }));
  const circle = (chip, kind) => {
    const one = chip.querySelector(`.${kind}`);
    const number = (name) => Number(one.getAttribute(name) ?? 0);
    const { fill } = getComputedStyle(one);
    return { fill, r: number("r"), width: number("stroke-width"), dash: one.getAttribute("stroke-dasharray") };
  };
  const area = (one) => [one.dataset.key, { box: box(one.querySelector(".ground")), texts: texts(one) }];
  const chip = (one) => Object.fromEntries(["edge", "spots", "top"].map((kind) => [kind, circle(one, kind)]));
  return {
    areas: Object.fromEntries([...board.element.querySelectorAll(".area")].map(area)),
    marks: texts(board.element.querySelector(".marks")),
    frame: box(board.element),
    chips: [...document.querySelectorAll(".tray-chip")].map(chip),
  };
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of a server, on which any layout can be drawn."""
    from tests.web.browser.scripted_server import Script, scripted_server  # noqa: PLC0415 - once for this module

    with scripted_server(Script(data=str(tmp_path_factory.mktemp("data")))) as address:
        context = browser.new_context(viewport={"width": 1000, "height": 800})
        page = context.new_page()
        page.goto(address)
        page.add_style_tag(url="/static/table.css")
        yield page
        context.close()


def _drawn(page: Page, layout: Layout, view: str) -> Any:  # noqa: ANN401 - JSON
    page.set_viewport_size({"width": {"table": 1000, "lying": 600}.get(view, 390), "height": 900})
    return page.evaluate(DRAW, [msgspec.to_builtins(layout), view])


def _is_inside(inner: list[float], outer: list[float]) -> bool:
    slack = 2.5
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


@pytest.mark.parametrize(
    ("name", "side"),
    [
        pytest.param("colorado", {}, marks=pytest.mark.clause("CO-2303-2-nocall")),
        pytest.param("maryland", {}, marks=pytest.mark.clause("MD-2.D.3")),
        pytest.param("maryland", SIDE, marks=pytest.mark.clause("MD-2.D.3")),
    ],
)
def test_no_call_bets_can_be_read_on_every_drawing(page: Page, name: str, side: dict[str, str]) -> None:
    layout = layout_of(Rules.of(name, house={"side_wagers": side, "name": "The Blue Heron"}))
    for view in ("table", "half", "centre"):
        drawn = _drawn(page, layout, view)
        words = {mark["says"]: mark["box"] for mark in drawn["marks"]}
        assert {"NO CALL BETS", "The Blue Heron"} <= words.keys()
        for box in words.values():
            assert _is_inside(box, drawn["frame"])
        left, top, right, bottom = words["NO CALL BETS"]
        assert right - left >= 90
        assert bottom - top >= 10


def _payouts(rules: Rules, kind: str, number: int) -> set[str]:
    """Return all that a wager pays, or its parts, as the layout must print it."""
    rule = rules.wagers[kind]
    if rule.parts:
        return {pays for part, _units in rule.parts if part != "high" for pays in _payouts(rules, part, 0)}
    if number in rule.payouts:
        return {str(rule.payouts[number].pays)}
    return {str(payout.pays) for payout in rule.payouts.values()}


@pytest.mark.clause("AZ-III.B.3-c")
def test_AZ_III_B_3_c__the_payout_odds_of_every_wager_stand_on_its_area(page: Page) -> None:
    rules = Rules.of("arizona")
    layout = layout_of(rules)
    for view in ("table", "half", "lying", "centre", "numbers"):
        drawn = _drawn(page, layout, view)
        for one in getattr(layout, view).areas:
            found = drawn["areas"][f"{one.kind}:{one.number}"]
            printed = " ".join(text["says"] for text in found["texts"])
            for pays in _payouts(rules, one.kind, one.number):
                short = pays.removesuffix(" to 1")  # "1 or 2 to 1"
                assert pays in printed or f"{short} or" in printed, (view, one.kind, one.number, pays, printed)
            for text in found["texts"]:
                assert _is_inside(text["box"], found["box"]), (view, one.kind, one.number, text, found["box"])


def _colour(rgb: str) -> str:
    """Return the name of a colour, from what the browser computed."""
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", rgb)[:3])
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    if light > 0.85:
        return "white"
    if light < 0.2 and saturation < 0.2:
        return "black"
    names = {"red": (340, 380), "green": (90, 170), "purple": (255, 300)}
    degrees = hue * 360
    return next(
        (name for name, (low, high) in names.items() if low <= degrees <= high or low <= degrees + 360 <= high), rgb
    )


FINGER = 42  # pixels: 44, less the line around an area
FELTS: dict[str, Callable[[], Rules]] = {
    "ten points": lambda: Rules.of("colorado", game="craps_free_craps"),
    "side wagers": lambda: Rules.of("maryland", house={"side_wagers": SIDE}),
    "machines": side_wagers.rules,
}


@pytest.mark.parametrize("felt", FELTS)
@pytest.mark.whole
def test_every_area_is_a_finger_wide_and_holds_its_words(page: Page, felt: str) -> None:
    layout = layout_of(FELTS[felt]())
    for view in ("table", "half", "lying", "centre", "numbers"):
        areas = _drawn(page, layout, view)["areas"]
        assert [key for key, found in areas.items() if found["box"][2] - found["box"][0] < FINGER] == [], view
        outside = [
            (view, key, text["says"])
            for key, found in areas.items()
            for text in found["texts"]
            if not _is_inside(text["box"], found["box"])
        ]
        assert outside == []


@pytest.mark.clause("AZ-II.R.3.a", "AZ-II.R.3.b", "AZ-II.R.3.c", "AZ-II.R.3.d", "AZ-II.R.3.e")
def test_AZ_II_R_3__a_drawn_chip_is_predominantly_of_its_colour(page: Page) -> None:
    """Of the disc, the spots of its edge cover less than a third; the rest has the colour of its value."""
    layout = layout_of(Rules.of("arizona"))
    assert layout.chips == (100, 500, 2500, 10_000, 50_000)
    for chip, colour in zip(
        _drawn(page, layout, "table")["chips"], ("white", "red", "green", "black", "purple"), strict=True
    ):
        edge, spots, top = chip["edge"], chip["spots"], chip["top"]
        assert (_colour(edge["fill"]), _colour(top["fill"])) == (colour, colour)
        painted, gap = (float(part) for part in spots["dash"].split())
        covered = 2 * pi * spots["r"] * spots["width"] * painted / (painted + gap)
        assert covered / (pi * edge["r"] ** 2) < 1 / 3


@pytest.mark.clause("MD-2.D.4.c")
def test_a_fire_wager_lies_at_its_position_until_the_first_roll_and_then_before_the_boxperson(
    browser: Browser, server: Server
) -> None:
    house = {"rules": "maryland", "side_wagers": {"fire": "A"}}
    page = seated(browser, server(house=house, dice=("2-4",)))
    page.keyboard.press("1")
    own = page.locator('.spot.at-edge[data-number="1"]')
    expect(own).to_have_class(re.compile(r"\bown\b"))
    own.click()
    chip = page.locator(".chips .stack.own").first
    expect(chip).to_be_visible()
    _lies_on(chip, own)
    page.keyboard.press("2")
    area(page, "pass").click()
    page.get_by_role("button", name="Take the dice").click()
    page.locator("#roll").click()
    expect(page.locator("#call")).to_have_text("Six, easy six, mark the point")
    _lies_on(page.locator(".chips .stack.own").first, page.locator('.spot:not(.at-edge)[data-number="1"]'))


@pytest.mark.parametrize(
    ("name", "side", "expected"),
    [
        ("section2", {}, ["MINIMUM $5", "MAXIMUM $5,000"]),
        ("maryland", {}, ["MINIMUM $5   MAXIMUM $5,000"]),
        ("maryland", {"fire": "A"}, []),
    ],
)
def test_the_limits_are_drawn_where_the_layout_has_room_for_them(
    page: Page, name: str, side: dict[str, str], expected: list[str]
) -> None:
    layout = layout_of(Rules.of(name, house={"side_wagers": side}))
    table = {"wagers": [], "limits": {"min": 500, "max": 500_000}, "seats": [], "markers": [], "puck": 0}
    found = page.evaluate(
        """async ([layout, table]) => {
          const { Board } = await import("/static/table/board.js");
          const board = new Board({ view: layout.table, chips: layout.chips, label: "Layout" });
          board.update({ table, seat: 0 });
          return [...board.element.querySelectorAll(".print-limits text")].map((one) => one.textContent);
        }""",
        [msgspec.to_builtins(layout), table],
    )
    assert found == expected


@pytest.mark.clause("MD-2.D.4.b.perimeter", "MD-2.D.4.d")
@pytest.mark.parametrize("dice", ["with the shooter", "air"])
def test_the_fire_wager_of_every_seat_lies_where_it_can_be_seen(page: Page, dice: str) -> None:
    """At a table of twenty with sixteen areas, as Maryland's default house is."""
    rules = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
    assert rules.house.seats == 20
    layout = layout_of(rules)
    wager = {"owner": "player", "kind": "fire", "number": 0, "cents": 500, "progress": [], "working": "", "pending": []}
    table = {
        "wagers": [{**wager, "seat": seat} for seat in range(1, 21)],
        "limits": {"min": 500, "max": 500_000},
        "seats": [],
        "markers": [],
        "puck": 0,
        "dice_are": dice,
    }
    found = page.evaluate(
        """async ([layout, table]) => {
          const { Board } = await import("/static/table/board.js");
          const board = new Board({ view: layout.table, chips: layout.chips, label: "Layout" });
          document.body.replaceChildren(board.element);
          board.update({ table, seat: 18 });
          const circle = (one) => ["cx", "cy"].map((name) => Number(one.querySelector(".edge").getAttribute(name)));
          return {
            stacks: [...board.element.querySelectorAll(".chips .stack")].map(circle),
            own: board.element.querySelectorAll(".chips .stack.own").length,
            spots: [...board.element.querySelectorAll(".spot.own")].map((one) => Number(one.dataset.number)),
          };
        }""",
        [msgspec.to_builtins(layout), table],
    )
    assert len({tuple(place) for place in found["stacks"]}) == len(found["stacks"]) == 20
    assert found["own"] == 1
    assert found["spots"] == [spot.number for spot in layout.table.spots if 18 in spot.seats and spot.is_at_edge]


def _lies_on(chip: Any, spot: Any) -> None:  # noqa: ANN401 - locators
    (x, y), (left, top) = _middle(chip), _middle(spot)
    assert abs(x - left) < 3
    assert abs(y - top) < 3


def _middle(one: Any) -> tuple[float, float]:  # noqa: ANN401 - a locator
    """Where something lies; it may just be drawn again, and is nowhere at that moment."""
    circle = one.locator("circle").first
    box = None
    for _ in range(100):
        if box := circle.bounding_box():
            break
        one.page.wait_for_timeout(20)
    assert box, "it is not drawn"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
