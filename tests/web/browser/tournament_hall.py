"""The house in which tournaments are held in a browser: its people, a small evening, and how a page is looked at."""

import json
from typing import Any
from uuid import uuid4

from msgspec import to_builtins
from msgspec.structs import replace
from playwright.sync_api import Page

from passline.tournament.plan.reader import example_plan
from tests.web.browser.axe import violations
from tests.web.browser.visitors import Staff

SCANNED = (
    "plan_breaches",
    "plan_guided",
    "desk",
    "floor_seats",
    "floor_counts",
    "board_playing",
    "ranks",
    "money",
    "agreement",
)
STEPS = ("button", "call", "choose", "confirm", "offer", "pass", "settle")
SMALL = """() => [...document.querySelectorAll("button, select, input, summary, main a.button")]
  .filter((one) => one.offsetParent && getComputedStyle(one).visibility === "visible" && !one.closest(".top"))
  .map((one) => (["checkbox", "radio"].includes(one.type) ? one.labels[0] : one))
  .filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 120))"""


def evening(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - of a plan
    """The plan of an evening with one final of two rolls, whose two best share the pool."""
    plan = example_plan("colorado")
    main = plan.events[0]
    first = main.places[0].prize
    places = tuple(
        replace(main.places[number], prize=replace(first, voucher="", basis_points=share))
        for number, share in enumerate((7000, 3000))
    )
    final = replace(main.rounds[-1], rolls=2, seats=4, is_initial=True)
    main = replace(
        main, last_day=main.first_day, rebuy=None, reentries_max=0, entries_max=4, rounds=(final,), places=places
    )
    plan = replace(
        plan, id="evening", name="Winter Craps Evening", pools="one", dice="electronic", automate=STEPS,
        events=(main,), **changes,
        sheet=replace(plan.sheet, ties="roll_off", final_round="the most points win", conclusion="the best wins"),
    )  # fmt: skip
    data: dict[str, Any] = to_builtins(plan)
    return data


class Hall(Staff):
    """A house with a director, a cashier, a crew and two players."""

    def sends(self, name: str, path: str, /, **command: Any) -> None:  # noqa: ANN401 - any command
        self.client(name).post(path, {"id": uuid4().hex, "command": command})

    def reads(self, name: str, path: str) -> dict[str, Any]:
        data: dict[str, Any] = self.client(name).get(path)
        return data


def looked(page: Page, name: str) -> None:
    """Look at a page: axe finds nothing, it does not scroll sideways, and every target is large enough to tap."""
    found = violations(page, is_repeat=name not in SCANNED)
    assert not found, json.dumps([[one["id"], [node["html"] for node in one["nodes"]]] for one in found], indent=1)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "the page scrolls sideways"
    assert name == "table" or not page.evaluate(SMALL)
