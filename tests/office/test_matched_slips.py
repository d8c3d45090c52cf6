"""Slips in the count room: what is scanned is held against the log; one missing or unknown opens an incident."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import json

from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.acts.events import ActDone
from passline.acts.state import KnownThing
from passline.acts.views.blind import state_seen_by
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from tests.office.logged_day import LoggedDay, codes_of

_BEGINS = """\
office practice
facility zone="America/Denver" subdivision="CO" areas=["pit-1"]
people olga=owner cy=cashier acc=accountant dan=dealer flo=floorperson fay=floorperson ned=counter nia=counter
at 2026-03-02 09:00
olga register_table T1 {area = "pit-1"}
olga register_table T2 {area = "pit-1"}
olga enter_drop_box D1
olga enter_drop_box D2
flo attach_drop_box T1 {drop_box = "D1"}
cy receive_chips {units = {500 = 1000}, delivery = "note 1"} signed by acc as witness
cy issue_chips {units = {500 = 1000}} signed by acc as witness
"""
_FORGED = "no form of the log: PASSLINE:7:ABABABABABABA"
_DROP = 'ned drop_table T1 {shift = "day", dropped = "D1", drop_box = "D2"} signed by flo as viewer'


class _House(LoggedDay):
    """A house with a fill at T1 (F-000001), a credit there (C-000001), and a fill at T2 (F-000002), and D1 dropped."""

    def __init__(self) -> None:
        super().__init__(MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z"))
        for line in _BEGINS.splitlines():
            self.does(line)
            if line.startswith("office "):
                self.keep()
        self._fill("T1", 1)
        self.does('flo request_credit {table = "T1", units = {500 = 10}}')
        for who, act in (("dan", "prepare"), ("fay", "carry"), ("cy", "accept")):
            self.does(f"{who} {act}_credit C-000001")
        self._fill("T2", 2)
        self.does(_DROP)

    def _fill(self, table: str, number: int) -> None:
        self.does(f'flo request_fill {{table = "{table}", units = {{500 = 100}}}}')
        for who, act in (("cy", "prepare"), ("fay", "carry"), ("dan", "accept")):
            self.does(f"{who} {act}_fill F-{number:06}")

    def does(self, line: str) -> list[str]:
        found = list(self.do(line))
        assert not any(result.startswith("refused") for result in found), (line, found)
        return found

    def scans(self, *numbers: str, typed: str = "") -> list[str]:
        """What comes of matching these slips, by their codes; others as they are."""
        known = {"F-000001", "F-000002", "C-000001"}
        codes = [*codes_of(self.log, "practice", (number for number in numbers if number in known))]
        codes += (number for number in numbers if number not in known)
        fields = f"found = {json.encode(codes).decode()}" + (f', typed = ["{typed}"]' if typed else "")
        return self.does(f"ned match_slips D1 {{{fields}}} signed by nia as second")

    @property
    def box(self) -> KnownThing:
        known = self.state.thing("drop_box", "D1")
        assert known is not None
        return known


@pytest.fixture
def house() -> _House:
    """A house whose box waits in the count room."""
    return _House()


_COUNT = 'ned count_box D1 {cash = {2000 = 1}, team = ["ned", "nia"]}'


def test_the_log_says_which_slips_are_in_a_box_and_nobody_ticks_it(house: _House) -> None:
    assert house.box.facts["slips"] == ["F-000001", "C-000001"]
    assert house.scans("F-000001", "C-000001") == []
    assert house.box.facts["slips"] == []
    assert house.does(_COUNT) == ["waits second, cage"]


def test_a_box_whose_slips_were_not_matched_is_counted_with_an_incident(house: _House) -> None:
    found = house.does(_COUNT)
    assert found[0] == "incident practice: drop box D1: slips that belong in it were not matched (F-000001, C-000001)"


@pytest.mark.parametrize(
    ("scanned", "said"),
    [
        (("F-000001",), "a slip of the table is not in its box: counted 0 of C-000001; on record 1 of C-000001"),
        (
            ("F-000001", "C-000001", "F-000002"),
            "a slip in the box is of no fill or credit of its table: counted 1 of F-000002; on record 0 of F-000002",
        ),
        (
            ("F-000001", "C-000001", "F-000001"),
            "a slip in the box is of no fill or credit of its table: counted 2 of F-000001; on record 1 of F-000001",
        ),
        (
            ("F-000001", "C-000001", "PASSLINE:7:" + "AB" * 32 + ":F-000003"),
            f"a slip in the box is of no fill or credit of its table: counted 1 of {_FORGED}; on record 0 of {_FORGED}",
        ),
    ],
    ids=["missing", "another table's", "twice", "forged"],
)
def test_a_slip_that_is_missing_or_unknown_opens_an_incident(
    house: _House, scanned: tuple[str, ...], said: str
) -> None:
    assert house.scans(*scanned) == [f"incident practice: {said}"]


def test_the_number_of_a_slip_is_not_its_code(house: _House) -> None:
    found = house.does('ned match_slips D1 {found = ["F-000001", "C-000001"]} signed by nia as second')
    assert [line.partition(":")[0] for line in found] == ["incident practice"] * 2


def test_the_code_of_one_slip_does_not_stand_for_another(house: _House) -> None:
    (code,) = codes_of(house.log, "practice", ["F-000002"])
    forged = code.replace("F-000002", "C-000001")
    assert any("is not in its box: counted 0 of C-000001" in line for line in house.scans("F-000001", forged))


def test_a_slip_that_no_scanner_reads_is_typed_and_said_to_be(house: _House) -> None:
    (said,) = house.scans("F-000001", typed="C-000001")
    assert said.startswith("incident practice: the number of a slip was typed, and its code not read: counted 1 of C-")
    done = _last_done(house.log)
    assert done.fields == {"found": ["F-000001"], "typed": ["C-000001"]}


def test_whoever_matches_slips_is_not_shown_which_are_expected(house: _House) -> None:
    def facts(name: str) -> dict[str, object]:
        return state_seen_by(house.scene(), house.people[name]).things["drop_box/D1"].facts

    assert "slips" not in facts("ned")
    assert facts("olga")["slips"] == ["F-000001", "C-000001"]


def _last_done(log: Log) -> ActDone:
    def found() -> Iterator[ActDone]:
        for stored in log.read_stream(OFFICE_STREAM + "practice"):
            yield from (event for event in OFFICE_CODEC.events(stored.entry) if isinstance(event, ActDone))

    return [*found()][-1]


def test_a_slip_is_in_no_box_that_has_left_its_table() -> None:
    """A box dropped and not replaced, then counted and scrapped: the next fill is not entered on its list."""
    house = _House()
    house.does('ned drop_table T1 {shift = "day", dropped = "D2", no_box = true} signed by flo as viewer')
    house.does('ned count_box D2 {cash = {2000 = 1}, team = ["ned", "nia"]}')
    house.does("sign by nia as second {cash = {2000 = 1}}")
    house.does("sign by cy as cage {cash = {2000 = 1}}")
    house.does("olga scrap_drop_box D2")
    before = house.state.things["drop_box/D2"]
    house.does('flo request_fill {table = "T1", units = {500 = 100}}')
    house.does("cy prepare_fill F-000003")
    house.does("fay carry_fill F-000003")
    said = house.does("dan accept_fill F-000003")
    assert said == ["incident practice: its table has no drop box, in which its slip would be: F-000003"]
    assert house.state.things["drop_box/D2"] == before, "what has ended is not changed any more"


def test_a_slip_is_not_in_the_box_of_another_table() -> None:
    """A box taken from one table by mistake and put on another: that one's slips are in it, and no others."""
    house = _House()
    house.does("olga enter_drop_box D3")
    house.does('flo attach_drop_box T2 {drop_box = "D3"}')
    said = house.does('ned drop_table T1 {shift = "day", dropped = "D3", no_box = true} signed by flo as viewer')
    assert any("that box is on another table" in line for line in said)
    house.does('flo request_fill {table = "T2", units = {500 = 100}}')
    for who, act in (("cy", "prepare"), ("fay", "carry")):
        house.does(f"{who} {act}_fill F-000003")
    assert "its table has no drop box" in house.does("dan accept_fill F-000003")[-1]
    assert "F-000003" not in (house.state.things["drop_box/D3"].facts.get("slips") or ())
