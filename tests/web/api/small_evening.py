"""The plan of a small evening, and a command over HTTP, as the tests of tournaments send them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from msgspec import to_builtins
from msgspec.structs import replace

from passline.tournament.plan.reader import example_plan
from tests.web.server import Browser

MAIN = "Main event"
STEPS = ("button", "call", "choose", "confirm", "offer", "pass", "settle")


def small_plan() -> dict[str, Any]:
    """The plan of an evening with one final of two rolls, whose winner takes it all."""
    plan = example_plan("colorado")
    main = plan.events[0]
    first = main.places[0]
    final = replace(main.rounds[-1], rolls=2, seats=4, is_initial=True)
    main = replace(
        main,
        last_day=main.first_day,
        rebuy=None,
        reentries_max=0,
        entries_max=4,
        rounds=(final,),
        places=(replace(first, prize=replace(first.prize, voucher="", basis_points=10_000)),),
    )
    plan = replace(
        plan, id="evening", pools="one", dice="electronic", automate=STEPS, events=(main,), splits=False,
        sheet=replace(plan.sheet, ties="shared", final_round="the most points win", conclusion="the best one wins"),
    )  # fmt: skip
    data: dict[str, Any] = to_builtins(plan)
    return data


def sent(page: Browser, path: str, /, **command: Any) -> tuple[int, Any]:  # noqa: ANN401 - any command
    """Send a command; return the status and the answer."""
    answer = page.post(path, {"id": uuid4().hex, "command": command})
    return answer.status_code, answer.json()
