"""The soft count of a drop box: everything in it is counted by three, by people of the team, and once for each drop."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from passline.acts.calendar.facility import Facility
from passline.acts.state import thing_key
from passline.bookkeeping.win import table_results
from passline.office.trial import TrialOffice
from passline.office.views.day_report import day_tables, office_day

_PEOPLE = {
    "olga": "owner", "cy": "cashier", "acc": "accountant", "flo": "floorperson", "fay": "floorperson",
    "ned": "counter", "nia": "counter", "nat": "counter",
}  # fmt: skip
_FOUND: Mapping[str, Any] = {"cash": {"10000": 5}, "chips": {"500": 2}, "tickets": 7_50, "coupons": 10_00}
_TEAM = ("ned", "nia")


@pytest.fixture
def office() -> TrialOffice:
    """An office whose table T1 was dropped: D1 is to be counted, D2 is on the table."""
    trial = TrialOffice("practice", Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    trial.go_to("2026-03-02", "14:00")
    trial.do("olga", "register_table", "T1", area="main floor")
    for box in ("D1", "D2", "D3"):
        trial.do("olga", "enter_drop_box", box)
    trial.do("flo", "attach_drop_box", "T1", drop_box="D1")
    _drop(trial, "D1", "D2")
    return trial


def _drop(office: TrialOffice, box: str, following: str) -> str:
    return office.do(
        "ned", "drop_table", "T1", shift="day", dropped=box, drop_box=following, signs="viewer", signed_by="flo"
    )


def _count(office: TrialOffice, box: str, found: Mapping[str, Any] = _FOUND) -> str:
    """Count a box three times; return what came of the last signature."""
    office.do("ned", "count_box", box, team=[*_TEAM], **found)
    office.sign("nia", "second", **found)
    return office.sign("cy", "cage", **found)


def _state(office: TrialOffice, box: str) -> str:
    return office.state.things[thing_key("drop_box", box)].state


@pytest.mark.parametrize("field", ["cash", "chips", "tickets", "coupons"])
@pytest.mark.parametrize("part", ["second", "cage"])
def test_everything_in_a_box_is_counted_again(office: TrialOffice, part: str, field: str) -> None:
    office.do("ned", "count_box", "D1", team=[*_TEAM], **_FOUND)
    if part == "cage":
        office.sign("nia", "second", **_FOUND)
    other = {**_FOUND, field: 1 if isinstance(_FOUND[field], int) else {"500": 1}}
    assert "the two counts differ" in office.sign("nia" if part == "second" else "cy", part, **other)
    assert not office.state.pending
    assert _state(office, "D1") == "dropped"


def test_what_a_count_does_not_name_it_has_not_found(office: TrialOffice) -> None:
    """No tickets and tickets of nothing are the same; some are not."""
    office.do("ned", "count_box", "D1", team=[*_TEAM], cash={"10000": 5}, tickets=0)
    office.sign("nia", "second", cash={"10000": 5})
    assert "differ" not in office.sign("cy", "cage", cash={"10000": 5}, coupons=0)
    assert _state(office, "D1") == "ready"


def test_who_counts_again_sees_nothing_of_the_first_count(office: TrialOffice) -> None:
    office.do("ned", "count_box", "D1", team=[*_TEAM], **_FOUND)
    assert [{*one.fields} & {*_FOUND} for one in office.today.sign] == [set(), set()]


def test_a_box_is_counted_by_people_of_the_team(office: TrialOffice) -> None:
    said = office.do("ned", "count_box", "D1", team=["nia", "nat"], **_FOUND)
    assert said == "refused: team: Ned does this and is not among them: the count team [practice]"
    office.do("ned", "count_box", "D1", team=[*_TEAM], **_FOUND)
    said = office.sign("nat", "second", **_FOUND)
    assert said == "refused: who of the team counts again: Nat is not among them: the count team [practice]"
    assert "signed" in office.sign("nia", "second", **_FOUND)


def test_a_box_that_is_counted_on_its_table_stays_there(office: TrialOffice) -> None:
    """The count is recorded as the breach that it is; the box is dropped and counted later as any other."""
    said = office.do("ned", "count_box", "D2", team=[*_TEAM], **_FOUND)
    assert "drop box D2 is on table; it must be dropped" in said
    office.sign("nia", "second", **_FOUND)
    office.sign("cy", "cage", **_FOUND)
    assert _state(office, "D2") == "on_table"
    assert table_results(office.events, office.facility)[0].drop == 0
    day = office_day(office.rules, office.state, date(2026, 3, 2), office.events)
    (boxes,) = [table for table in day_tables(day) if table.title == "Soft counts"]
    assert [row[-1] for row in boxes.rows] == [f"done, act {office.state.acts}, counted, of no drop"]
    assert "refused" not in _drop(office, "D2", "D3")
    assert "differ" not in _count(office, "D2")
    assert _state(office, "D2") == "ready"


def _correct(office: TrialOffice, box: str, found: Mapping[str, Any]) -> str:
    """Correct the last count of a box, which is the last act; return what came of the last signature."""
    last = office.state.acts
    said = office.do("ned", "correct_count", box, corrects=last, reason="a chip under the notes", **found)
    office.sign("nia", "second", **found)
    return said if "refused" in said else office.sign("cy", "cage", **found)


@pytest.mark.parametrize("chips", [{}, {"500": 1}, {"500": 3, "100": 4}])
def test_a_corrected_count_leaves_in_the_cage_what_was_in_the_box(office: TrialOffice, chips: dict[str, int]) -> None:
    _count(office, "D1")
    assert office.state.stocks["chips"]["cage"] == _FOUND["chips"]
    for found in (chips, {"2500": 1}):
        assert "a corrected count" in _correct(office, "D1", {"cash": {"10000": 5}, "chips": found})
        assert office.state.stocks["chips"]["cage"] == found


def test_the_count_of_a_box_that_is_out_of_use_is_corrected(office: TrialOffice) -> None:
    _count(office, "D1")
    counted = office.state.acts
    office.do("cy", "scrap_drop_box", "D1")
    found: dict[str, Any] = {"cash": {"10000": 6}}
    office.do("ned", "correct_count", "D1", corrects=counted, reason="stuck together", **found)
    office.sign("nia", "second", **found)
    assert "a corrected count" in office.sign("cy", "cage", **found)
    assert _state(office, "D1") == "scrapped"
    assert table_results(office.events, office.facility)[0].drop == 600_00
    assert "nothing more is done to it" in office.do("ned", "count_box", "D1", team=[*_TEAM], **found)
