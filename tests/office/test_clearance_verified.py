"""What `verify` says of a table that opened by a clearance which is used up, late, or for another house."""

import pytest
from msgspec import json

from passline.office.verify import OfficeCheck
from passline.rules.elections import house_digest
from passline.rules.rules import Rules
from passline.store.entry import Entry
from passline.store.timestamps import later
from passline.tables.events import TableOpened
from passline.tables.verify import LogCheck
from tests.tables.sitting import AT, Sitting

RULES = Rules.of("maryland")
OTHER = Rules.of("maryland", house={"wager_cents_min": 10_00})


def _check() -> OfficeCheck:
    check = OfficeCheck(LogCheck())
    check._cleared["maryland", "craps-1", 1] = AT, house_digest(RULES.house)
    return check


def _opening(rules: Rules, at: str, clearance: int = 1) -> tuple[Entry, tuple[TableOpened]]:
    entry = Sitting().entries[0].entry
    opened = TableOpened(
        table="craps-1",
        name="Craps 1",
        house=json.decode(json.encode(rules.house)),
        dice="electronic",
        automate=(),
        buy_in="dealer",
        is_demo=False,
        rulebook="",
        clearance=clearance,
    )
    return json.decode(json.encode({**json.decode(json.encode(entry)), "at": at}), type=Entry), (opened,)


def test_a_clearance_opens_one_table_once() -> None:
    check = _check()
    assert not list(check.table_faults(*_opening(RULES, later(AT, 1))))
    assert ["which is not there" in one for one in check.table_faults(*_opening(RULES, later(AT, 2)))] == [True]


@pytest.mark.parametrize(
    ("rules", "seconds", "clearance", "said"),
    [
        (OTHER, 1, 1, "another house"),
        (RULES, 1, 2, "which is not there"),
        (RULES, 3600, 1, "which is not there"),
        (RULES, -1, 1, "which is not there"),
    ],
)
def test_another_house_another_number_and_another_time_are_found(
    rules: Rules, seconds: int, clearance: int, said: str
) -> None:
    (fault,) = _check().table_faults(*_opening(rules, later(AT, seconds), clearance))
    assert said in fault
