"""Commands to the whole house: approvals, reports and shifts."""

import pytest

from passline.refusal import Refused
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.house import decide
from passline.tables.verify import decision_faults
from tests.tables.signed_house import SignedHouse
from tests.tables.sitting import AT, FLOOR, OWNER, person

APPROVAL = k.FileApproval(kind="prediction_aid", authority="TGO", reference="T-1", date="2026-01-02")


def test_approvals_are_filed_and_withdrawn_by_the_owner() -> None:
    house = SignedHouse()
    house.do_house(APPROVAL, OWNER)
    assert not house.state.approvals.has("prediction_aid", "TGO", "SGA")
    house.do_house(k.FileApproval(kind="prediction_aid", authority="SGA", reference="S-1", date="2026-01-02"), OWNER)
    assert house.state.approvals.has("prediction_aid", "TGO", "SGA")
    house.do_house(k.WithdrawApproval(kind="prediction_aid", authority="SGA", reference="S-1", reason="expired"), OWNER)
    assert not house.state.approvals.has("prediction_aid", "TGO", "SGA")
    assert not list(decision_faults(house.entries))


@pytest.mark.parametrize(
    ("command", "by", "why"),
    [
        (APPROVAL, FLOOR, "the floorperson may not give"),
        (k.FileApproval(kind="luck", authority="TGO", reference="1", date="2026-01-02"), OWNER, "cannot be approved"),
        (k.FileApproval(kind="prediction_aid", authority="me", reference="1", date="2026-01-02"), OWNER, "not 'me'"),
        (k.FileApproval(kind="prediction_aid", authority="TGO", reference="", date="2026-01-02"), OWNER, "reference"),
        (
            k.FileApproval(kind="prediction_aid", authority="TGO", reference="1", date="soon"),
            OWNER,
            "'soon' is not a day",
        ),
        (
            k.FileApproval(kind="prediction_aid", authority="TGO", reference="1", date="2026-11-16"),
            OWNER,
            "in the future",
        ),
        (
            k.WithdrawApproval(kind="prediction_aid", authority="TGO", reference="9", reason="x"),
            OWNER,
            "no such approval",
        ),
        (k.FileReport(record_class="gossip", text="x"), OWNER, "is not a class of records"),
        (k.FileReport(record_class="security", text=""), OWNER, "a text of 1 to"),
        (k.FileReport(record_class="security", text="x"), person("Ann", "player"), "the player may not give"),
        (k.CloseShift(), person("Dee", "dealer"), "the dealer may not give"),
        (k.CloseShift(), OWNER, "the log is empty"),
    ],
)
def test_the_house_refuses_what_is_not_allowed_or_makes_no_sense(command: k.HouseCommand, by: Actor, why: str) -> None:
    house = SignedHouse()
    verdict = decide(house.state, command, by=by, at=AT, head=None, tables=(), sign=house.key.sign, signed_by="bea")
    assert isinstance(verdict, Refused)
    assert why in str(verdict)


def test_an_approval_is_filed_only_once() -> None:
    house = SignedHouse()
    house.do_house(APPROVAL, OWNER)
    verdict = decide(house.state, APPROVAL, by=OWNER, at=AT, head=None, tables=(), sign=house.key.sign)
    assert "already on file" in str(verdict)
