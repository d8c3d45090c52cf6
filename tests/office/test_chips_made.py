"""No more chips come back than were made: if they do, it is on record and somebody looks into it."""

from __future__ import annotations

import pytest

from passline.acts.calendar.facility import Facility
from passline.office.trial import TrialOffice

_PEOPLE = {"olga": "owner", "cy": "cashier", "acc": "accountant"}


@pytest.fixture
def office() -> TrialOffice:
    """An office that has sold 30 of the 40 chips it had made, and has 10 in the reserve."""
    trial = TrialOffice("practice", Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    trial.go_to("2026-03-02", "09:00")
    trial.do("cy", "receive_chips", units={"500": 40}, delivery="note", signs="witness", signed_by="acc")
    trial.do("cy", "issue_chips", units={"500": 30}, signs="witness", signed_by="acc")
    trial.do("cy", "sell_chips", units={"500": 30})
    return trial


def test_all_chips_may_come_back(office: TrialOffice) -> None:
    assert "Incident" not in office.do("cy", "redeem_chips", units={"500": 30})


@pytest.mark.parametrize("units", [{"500": 31}, {"2500": 1}])
def test_more_chips_than_were_made_are_redeemed_with_an_incident(office: TrialOffice, units: dict[str, int]) -> None:
    said = office.do("cy", "redeem_chips", units=units)
    assert "Incident I-1: " in said
    assert "were made or found: chips" in said
    assert office.state.stocks["chips"]["cage"] == units, "it has happened, and is recorded"


def test_chips_that_a_count_has_found_may_go_out_and_come_back(office: TrialOffice) -> None:
    """A house had chips before it had this office: its first count of the cage finds them."""
    found = {"2500": 8}
    office.do("cy", "count_cage", units=found)
    office.sign("acc", "second", units=found)
    office.do("cy", "sell_chips", units=found)
    assert "Incident" not in office.do("cy", "redeem_chips", units=found)


def test_a_house_that_has_no_chips_on_record_is_not_asked_where_they_come_from() -> None:
    office = TrialOffice("practice", Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    assert "Incident" not in office.do("cy", "redeem_chips", units={"500": 1})
