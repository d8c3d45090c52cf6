"""The meter of a progressive on the felt: large enough to read, inside its area, and as it stands after every roll."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from passline.layout.geometry import layout_of
from passline.tables.approvals import Approvals
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.views.table_view import view_of
from tests.game.progressive import KIND, STAKE
from tests.tables.metered import raised_meter
from tests.tables.sitting import BOB

pytestmark = pytest.mark.long

# Draws a felt with the page's own modules, then two views of its table after each other.
DRAW = """async ([layout, view, before, after]) => {
  const { Board } = await import("/static/table/board.js");
  const { useColours } = await import("/static/table/chips.js");
  useColours(layout.colours);
  const board = new Board({ view: layout[view], chips: layout.chips, label: "Layout" });
  document.body.replaceChildren(board.element);
  document.body.style.background = "#0b5d3b";
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const seen = (table) => {
    board.update({ table, seat: 2 });
    const area = board.groups.get("KIND:0");
    const count = area.querySelector(".count");
    return { says: count?.textContent, box: count && box(count), area: box(area.querySelector(".ground")) };
  };
  return [seen(before), seen(after)];
}""".replace("KIND", KIND)


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


def _view(live: LiveTable) -> Any:  # noqa: ANN401 - as sent
    return msgspec.to_builtins(view_of(live, Approvals(), ""))


@pytest.mark.parametrize(("view", "width"), [("table", 1000), ("centre", 390)])
@pytest.mark.whole
def test_the_meter_can_be_read_and_moves_with_a_roll(page: Page, view: str, width: int) -> None:
    sitting = raised_meter()
    rules = rules_of(sitting.table)
    before = _view(sitting.table)
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(3, 2)
    sitting.roll(3, 2)
    page.set_viewport_size({"width": width, "height": 900})
    layout = msgspec.to_builtins(layout_of(rules))
    drawn = page.evaluate(DRAW, [layout, view, before, _view(sitting.table)])
    assert [shown["says"] for shown in drawn] == ["0  $502", "0  $503"]
    for shown in drawn:
        (left, top, right, bottom), (from_x, from_y, to_x, to_y) = shown["box"], shown["area"]
        assert from_x <= left < right <= to_x
        assert from_y <= top < bottom <= to_y
        assert bottom - top >= 8
    if folder := os.environ.get("PASSLINE_PICTURES"):
        page.screenshot(path=Path(folder) / f"meter-{view}.png")
