"""A house that gives credit: a patron with 2,000.00 of it, a tray to draw on, and a marker."""

from __future__ import annotations

from typing import Any

from passline.office.trial import TrialOffice
from tests.office.cage_story import opened_cage

MARKER_PARTS = ["original", "issue slip into the drop box", "payment slip"]


def open_house() -> TrialOffice:
    """A table with 5,000.00 in its tray, a patron, and credit of 2,000.00 for them."""
    office = opened_cage("credit")
    office.do("cora", "enter_patron", "P1", name="Ann")
    office.do("flo", "request_fill", table="craps-1", units={"2500": 200})
    office.do("cy", "prepare_fill", "F-000001")
    office.do("sam", "carry_fill", "F-000001")
    office.do("dan", "accept_fill", "F-000001")
    office.do("dan", "count_opener", "craps-1", chips={"2500": 200}, shift="day")
    office.sign("bob", "second", chips={"2500": 200})
    asked: dict[str, Any] = {
        "patron": "P1",
        "asked": 3_000_00,
        "identified": True,
        "bank": "good, 2026-02-27",
        "signed": True,
    }
    office.do("cal", "apply_for_credit", **asked)
    office.do("acc", "approve_credit", "CR-000001", limit=2_000_00, signs="second", signed_by="cora")
    return office


def draw_marker(office: TrialOffice, chips: int, **more: Any) -> str:  # noqa: ANN401
    """Have chips given for a marker, with everybody who signs it."""
    said: dict[str, Any] = {"table": "craps-1", "credit": "CR-000001", "patron": "P1", "units": {"2500": chips}}
    answer = office.do("flo", "issue_marker", **{**said, "signed": True, "parts": MARKER_PARTS, **more})
    if answer.startswith("refused"):
        return answer
    office.sign("dan", "dealer")
    return office.sign("cal", "second")
