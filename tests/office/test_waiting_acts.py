"""Acts that wait to be signed: what is new against them by then is recorded, and no day is closed before they are."""

from __future__ import annotations

from typing import Any

import pytest

from passline.acts.calendar.facility import Facility
from passline.office.trial import TrialOffice

_PEOPLE = {
    "olga": "owner", "cora": "compliance", "cy": "cashier", "acc": "accountant", "dan": "dealer", "bob": "boxperson",
    "flo": "floorperson", "fay": "floorperson", "ned": "counter", "nia": "counter",
}  # fmt: skip


@pytest.fixture
def office() -> TrialOffice:
    """An office with a table whose box D1 is on it, and chips in its cage."""
    trial = TrialOffice("practice", Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    trial.go_to("2026-03-02", "09:00")
    trial.do("olga", "register_table", "T1", area="main floor")
    for box in ("D1", "D2", "D3"):
        trial.do("olga", "enter_drop_box", box)
    trial.do("flo", "attach_drop_box", "T1", drop_box="D1")
    trial.do("cy", "receive_chips", units={"500": 100}, delivery="note", signs="witness", signed_by="acc")
    trial.do("cy", "issue_chips", units={"500": 100}, signs="witness", signed_by="acc")
    return trial


def _drop(office: TrialOffice, box: str, following: str, *, is_signed: bool = True) -> str:
    signed: dict[str, Any] = {"signs": "viewer", "signed_by": "flo"} if is_signed else {}
    return office.do("ned", "drop_table", "T1", shift="day", dropped=box, drop_box=following, **signed)


def test_what_became_wrong_before_the_last_signature_opens_an_incident(office: TrialOffice) -> None:
    _drop(office, "D1", "D2")
    found: dict[str, Any] = {"cash": {"10000": 1}, "chips": {"500": 2}}
    office.do("ned", "count_box", "D1", team=["ned", "nia"], **found)
    office.sign("nia", "second", **found)
    office.sign("cy", "cage", **found)
    office.do("ned", "correct_count", "D1", corrects=office.state.acts, reason="they are notes", cash={"10000": 1})
    office.sign("nia", "second", cash={"10000": 1})
    incidents = office.state.incidents
    office.do("cy", "sell_chips", units={"500": 102})
    said = office.sign("cy", "cage", cash={"10000": 1})
    assert "cage has 0 of 500 cents, not 2" in said
    assert office.state.stocks["chips"]["unexplained"] == {"500": -2}, "the cage never has less than nothing"
    assert "a corrected count" in said
    assert office.state.incidents == incidents + 2


def test_what_was_wrong_at_first_opens_one_incident(office: TrialOffice) -> None:
    assert "Incident I-1: drop box D1 is on table" in office.do(
        "ned", "count_box", "D1", team=["ned", "nia"], cash={"10000": 1}
    )
    office.sign("nia", "second", cash={"10000": 1})
    office.sign("cy", "cage", cash={"10000": 1})
    assert office.state.incidents == 1


@pytest.mark.parametrize("act", ["count_opener", "drop_table"])
def test_a_day_is_not_closed_while_a_count_or_drop_of_it_waits(office: TrialOffice, act: str) -> None:
    if act == "drop_table":
        _drop(office, "D1", "D2", is_signed=False)
    else:
        office.do("dan", act, "T1", chips={"500": 10}, shift="day")
    waits = f"act {office.state.acts} of T1, 2026-03-02 day, waits to be signed"
    office.go_to("2026-03-03", "09:00")
    assert "refused" not in office.do("acc", "close_gaming_day", "2026-03-01"), "it is of the day after"
    assert waits in office.do("acc", "close_gaming_day", "2026-03-02")


def test_no_chips_go_into_the_tray_or_out_of_it_between_the_two_counts(office: TrialOffice) -> None:
    """One of the two would be of another tray, and a fill be lost by the table."""
    for kind in ("fill", "credit", "credit"):
        office.do("flo", f"request_{kind}", table="T1", units={"500": 1})
    office.do("cy", "prepare_fill", "F-000001")
    office.do("fay", "carry_fill", "F-000001")
    office.do("dan", "prepare_credit", "C-000001")
    office.do("dan", "count_opener", "T1", chips={"500": 10}, shift="day")

    def tries() -> list[str]:
        return [
            office.do("bob", "accept_fill", "F-000001"),
            office.do("bob", "prepare_credit", "C-000002"),
            office.do("flo", "return_credit", "C-000001", reason="too few", signs="witness", signed_by="dan"),
        ]

    assert ["table T1: its inventory is being counted" in said for said in tries()] == [True] * 3
    office.sign("bob", "second", chips={"500": 10})
    assert ["refused" in said for said in tries()] == [False] * 3
