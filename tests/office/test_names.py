"""What things of an office are called: tables as live ones are, chips by their value; a wrong name is put right."""

from __future__ import annotations

from typing import Any

import pytest

from passline.acts.calendar.facility import Facility
from passline.acts.judges.subjects import thing_name_fault
from passline.acts.rules import office_of
from passline.acts.views.opening_path import opening_path
from passline.office.trial import TrialOffice
from passline.rules.clauses import REGULATIONS
from passline.tables.live import table_id

_HALL = Facility(name="Mesa Hall", zone="America/Phoenix", subdivision="AZ", areas=("pit-1",))
_STAFF = {"olga": "owner", "flo": "floorperson", "bob": "boxperson"}
_MEASURES = {"length": 144, "number_on": "accessory"}  # which some offices ask for


def _office(name: str) -> TrialOffice:
    return TrialOffice(name, _HALL, _STAFF)


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_table_bears_a_name_under_which_a_live_one_opens(regulation: str) -> None:
    table = office_of(regulation).pages.things["table"]
    for name in ("Craps-1", "craps_1", "craps--1", "T1", "craps-1-", "$5"):
        assert f"such as {table_id(name)}" in thing_name_fault(table, name), name
    assert thing_name_fault(table, "craps-1") == ""


@pytest.mark.parametrize("name", ["5-dollars", "$5", "0", "0500", "5.00", "red"])
def test_a_chip_is_entered_by_its_value_alone(name: str) -> None:
    office = _office("section2")
    assert "write it as money, such as $5" in office.do("olga", "specify_chip", name, colour="red")
    assert office.state.of_kind("chip") == []
    office.do("olga", "specify_chip", "500", colour="red")
    assert [chip.id for chip in office.state.of_kind("chip")] == ["500"]


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_table_under_a_wrong_name_leaves_the_register_as_it_came(regulation: str) -> None:
    """The way to the first table follows: it begins anew, and the right name is no double of the wrong one."""
    office = _office(regulation)
    asked = office.rules.pages.acts["register_table"].fields
    fields: dict[str, Any] = {key: value for key, value in _MEASURES.items() if key in asked}
    entered = office.do("olga", "register_table", "Craps-1", area="pit-1", **fields)
    assert "refused" not in entered, entered
    path = opening_path(office.scene, [*office.people.values()])
    assert path is not None
    assert path.table == "Craps-1"
    assert "withdrawn" in office.do("olga", "withdraw_table", "Craps-1", reason="a wrong name")
    path = opening_path(office.scene, [*office.people.values()])
    assert path is not None
    assert (path.table, path.steps[0].act) == ("", "register_table")
    assert not office.today.tables
    assert "refused" not in office.do("olga", "register_table", "craps-1", area="pit-1", **fields)
    assert [table.table for table in office.today.tables] == ["craps-1"]


def test_a_name_that_was_withdrawn_stays_what_it_was() -> None:
    office = _office("arizona")
    office.do("olga", "register_table", "craps-1", area="pit-1")
    office.do("olga", "withdraw_table", "craps-1", reason="a wrong name")
    assert "nothing more is done to it" in office.do("olga", "withdraw_table", "craps-1", reason="again")
    said = office.do("olga", "register_table", "craps-1", area="pit-1")
    assert "table craps-1 was withdrawn: its name is not used again" in said


def test_a_table_that_is_in_use_is_not_withdrawn() -> None:
    office = _office("section2")
    office.do("olga", "register_table", "craps-1", area="pit-1")
    office.do("olga", "enter_drop_box", "D1")
    office.do("flo", "attach_drop_box", "craps-1", drop_box="D1")
    office.do("flo", "count_opener", "craps-1", chips={"500": 20}, shift="day")
    office.sign("bob", "second", chips={"500": 20})
    said = office.do("olga", "withdraw_table", "craps-1", reason="a wrong name")
    for wrong in ("its drop box is still on it", "there are chips in its tray", "its inventory was counted"):
        assert wrong in said
