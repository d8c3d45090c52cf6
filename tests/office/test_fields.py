"""What may be written into the fields of an act, and who may do it after whom."""

from __future__ import annotations

from typing import Any

import pytest

from passline.acts.calendar.facility import Facility
from passline.acts.rules import office_of
from passline.money import CENTS_MAX
from passline.office.trial import TrialOffice

_PEOPLE = {
    "olga": "owner", "cy": "cashier", "acc": "accountant", "dan": "dealer", "dora": "dealer", "bob": "boxperson",
    "flo": "floorperson", "fay": "floorperson", "ned": "counter", "nia": "counter",
}  # fmt: skip


@pytest.fixture
def office() -> TrialOffice:
    """An office with two tables."""
    trial = TrialOffice("practice", Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    trial.go_to("2026-03-02", "09:00")
    for table in ("T1", "T2"):
        trial.do("olga", "register_table", table, area="main floor")
    return trial


@pytest.mark.parametrize(("cents", "is_kept"), [(CENTS_MAX, True), (CENTS_MAX + 1, False), (10**30, False)])
def test_an_amount_is_no_slip_of_the_finger(office: TrialOffice, cents: int, is_kept: bool) -> None:  # noqa: FBT001
    office.do("olga", "enter_drop_box", "D1")
    said = office.do("ned", "count_box", "D1", cash={"10000": 1}, tickets=cents, team=["ned", "nia"])
    assert ("tickets: must be at most" in said) is not is_kept
    assert bool(office.state.pending) is is_kept


def test_who_signed_a_step_of_a_slip_does_none_of_the_next() -> None:
    office = TrialOffice(office_of("section2", "nigc"), Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    office.go_to("2026-03-02", "09:00")
    office.do("olga", "register_table", "T1", area="main floor")
    office.do("olga", "specify_chip", "500", colour="red")
    office.do("bob", "request_credit", table="T1", units={"500": 1})
    parts = ["to the cage", "kept at the table", "locked away for accounting"]
    office.do("dan", "prepare_credit", "C-000001", parts=parts, signs="supervisor", signed_by="flo")
    assert "had this slip in hand before (make up a credit at the table)" in office.do(
        "flo", "carry_credit", "C-000001"
    )
    assert "refused" not in office.do("fay", "carry_credit", "C-000001")


def test_tips_come_to_no_less_than_the_chips_among_them(office: TrialOffice) -> None:
    office.do("olga", "enter_tip_box", "B1")
    office.do("flo", "attach_tip_box", "T1", tip_box="B1")
    office.do("dan", "collect_tips", "T1", collected="B1", signs="witness", signed_by="dora")
    counted: dict[str, Any] = {"boxes": ["B1"], "chips": {"500": 4}}
    said = office.do("cy", "count_tips", total=19_99, **counted)
    assert said == "refused: total: 19.99 is less than the chips, 20.00 [practice]"
    assert "refused" not in office.do("cy", "count_tips", total=20_00, **counted)


def test_the_tip_box_of_another_table_is_taken_with_an_incident(office: TrialOffice) -> None:
    office.do("olga", "enter_tip_box", "B2")
    office.do("flo", "attach_tip_box", "T2", tip_box="B2")
    said = office.do("dan", "collect_tips", "T1", collected="B2", signs="witness", signed_by="dora")
    assert "Incident I-1: tip box B2: that box is on another table" in said
