"""What is refused is in the sealed log, added up and bounded, and no name that nobody has."""

from collections.abc import Sequence

import pytest

from passline.people import commands as c
from passline.people.accounts import STREAM
from passline.people.course import PEOPLE
from passline.people.desk import FrontDesk
from passline.people.events import Incident, IncidentsCounted
from passline.store.entry import Draft
from passline.store.log import CommitInDoubt, Conflict, LogError
from passline.streams.writer import InDoubt, LogDown
from passline.tables.verify import decision_faults
from tests.people.house import PASSWORD, PIN, QUICK, WRONG, House
from tests.store.machine import Machine


def counted(house: House) -> list[IncidentsCounted]:
    events = (event for stored in house.log.read_stream(STREAM) for event in PEOPLE.events(stored.entry))
    return [event for event in events if isinstance(event, IncidentsCounted)]


def test_refused_log_ins_signatures_and_acts_are_added_up_in_the_log() -> None:
    house = House()
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    for _ in range(8):
        house.desk.log_in(name="olga", password=WRONG, address="192.0.2.7")
    house.desk.sign_off(name="Olga", pin="0000", may_sign=lambda _one: True, requester=dan, address="192.0.2.8")
    house.desk.do(c.CreateAccount(account="x", name="Max", roles=("owner",)), by=dan, address="192.0.2.8")
    house.desk.invite(by=dan, roles=("owner",), address="192.0.2.8")
    house.desk.record_incidents()
    assert counted(house) == [], "not before a minute has passed"
    house.clock.move(60)
    house.desk.record_incidents()
    (told,) = counted(house)
    assert told.incidents == (
        Incident("create-account", dan, "192.0.2.8", 1),
        Incident("invite", dan, "192.0.2.8", 1),
        Incident("log-in", owner, "192.0.2.7", 5),
        Incident("log-in-wait", owner, "192.0.2.7", 3),
        Incident("sign-off", owner, "192.0.2.8", 1),
    )
    house.clock.move(600)
    house.desk.record_incidents()
    assert len(counted(house)) == 1, "nothing new, no entry"
    assert [*decision_faults(house.log.read())] == []


def test_a_name_that_nobody_has_is_never_stored(house: House) -> None:
    """People type their password into the field of the name."""
    house.owner()
    house.desk.log_in(name="my secret password 77", password=PASSWORD, address="192.0.2.7")
    house.desk.sign_off(name="another secret 88", pin=PIN, may_sign=lambda _one: True, requester="x")
    house.desk.record_incidents(at_once=True)
    text = b"".join(stored.body for stored in house.log.read())
    assert b"my secret" not in text
    assert b"another secret" not in text
    assert Incident("log-in", "", "192.0.2.7", 1) in counted(house)[0].incidents


def test_a_flood_makes_one_entry_a_minute_of_bounded_length() -> None:
    """Attack: ten thousand wrong log-ins from a thousand addresses, to fill the log."""
    house = House()
    owner = house.owner().session.account.id
    before = house.log.streams()[STREAM]
    for number in range(10_000):
        house.desk.note("log-in", owner, f"2001:db8::{number % 1000:x}")
        if number % 100 == 0:
            house.desk.record_incidents()
    house.clock.move(60)
    house.desk.record_incidents()
    assert house.log.streams()[STREAM] - before == 1
    (told,) = counted(house)
    assert len(told.incidents) == c.INCIDENTS_MAX
    assert sum(one.count for one in told.incidents) + told.others == 10_000


def test_incidents_survive_a_log_that_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    owner = house.owner().session.account.id
    house.desk.note("log-in", owner, "a")

    def down(_drafts: object) -> None:
        raise LogError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(house.log, "append", down)
        with pytest.raises(LogError):
            house.desk.record_incidents(at_once=True)
    house.desk.record_incidents(at_once=True)
    assert counted(house)[0].incidents == (Incident("log-in", owner, "a", 1),)


def test_a_commit_in_doubt_counts_no_incident_twice_and_none_never(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: provoke a lost answer at the right moment, and what was tried is not in the log."""
    monkeypatch.setattr("passline.streams.writer._SETTLE_SECONDS", ())
    house = House()
    owner = house.owner().session.account.id
    real = house.log.append
    for is_written in (False, True):
        house.desk.note("log-in", owner, "a")

        def lost(drafts: Sequence[Draft], *, is_written: bool = is_written) -> None:
            if is_written:
                real(drafts)
            raise CommitInDoubt("the answer was lost")

        with monkeypatch.context() as broken:
            broken.setattr(house.log, "append", lost)
            with pytest.raises(InDoubt):
                house.desk.record_incidents(at_once=True)
        house.desk.note("log-in", owner, "b")
        house.desk.record_incidents(at_once=True)
    tried = [one for told in counted(house) for one in told.incidents]
    assert sorted((one.address, one.count) for one in tried) == [("a", 1), ("a", 1), ("b", 1), ("b", 1)]


def test_incidents_are_recorded_also_while_the_clock_is_wrong() -> None:
    """The attack: set the clock of the server wrong, then try passwords; nothing else is recorded then."""
    house, machine = House(), Machine()
    owner = house.owner().session.account.id
    clock = machine.clock()
    desk = FrontDesk(house.log, clock, hasher=QUICK)
    machine.passes(10, jump=-3600)
    desk.note("log-in", owner, "a")
    clock()
    assert clock.fault
    desk.record_incidents(at_once=True)
    assert counted(house)[0].incidents == (Incident("log-in", owner, "a", 1),)


def test_incidents_that_are_refused_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: write to the stream all the time, so that the house never gets its turn."""
    house = House()
    owner = house.owner().session.account.id
    house.desk.note("log-in", owner, "a")
    with monkeypatch.context() as busy:
        busy.setattr(house.log, "append", lambda drafts: [Conflict(drafts[0].stream, 9)])
        with pytest.raises(LogDown, match="too many others are writing"):
            house.desk.record_incidents(at_once=True)
    house.desk.record_incidents(at_once=True)
    assert counted(house)[0].incidents == (Incident("log-in", owner, "a", 1),)
