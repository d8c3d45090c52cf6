"""The contract of every log store: memory, SQLite and PostgreSQL behave alike."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.store.entry import Draft
from passline.store.log import Appended, Conflict, GivenUp, Known, Secret, SignedSnapshot, Snapshot, TooLate
from passline.store.sealed import Log
from passline.store.verify import verify_log
from tests.cases import one_in
from tests.store.conftest import Place
from tests.store.drafts import TABLE, draft
from tests.store.racer import race

ROOT = Path(__file__).resolve().parents[2]
NOON, ONE, TWO = (f"2026-11-15T{hour}:00:00.000000Z" for hour in (12, 13, 14))
WRITERS = 4


def names(log: Log) -> list[str]:
    """Return the ids in the log after its first entry."""
    return [stored.entry.id for stored in log.read(after=1)]


def is_intact(log: Log) -> bool:
    report = verify_log(log.rows(), log.public_key, log.head(), every_seal=True)
    assert not report.faults
    return report.is_intact


def test_the_first_entry_holds_the_logs_id_and_key(place: Place) -> None:
    log = place.open()
    (first,) = log.read()
    assert (first.entry.stream, first.entry.actor, first.entry.role) == ("house", "passline", "owner")
    assert log.log_id in bytes(first.entry.events).decode()
    assert log.public_key.hex() in bytes(first.entry.events).decode()
    assert log.streams() == {"house": 1}
    assert is_intact(log)


def test_appended_entries_are_there_after_reopening(place: Place) -> None:
    log = place.open()
    (done,) = log.append([draft(0)])
    assert isinstance(done, Appended)
    assert done.head == log.head()
    assert done.stored.seal.hex() == done.head.seal
    again = place.open()
    assert (again.log_id, again.head()) == (log.log_id, done.head)
    assert list(again.read(after=1)) == [done.stored]
    assert is_intact(again)


def test_the_same_id_twice_acts_once(place: Place) -> None:
    log = place.open()
    (first,) = log.append([draft(0)])
    log.append([draft(1)])
    (again,) = log.append([draft(0)])
    (changed,) = log.append([draft(2, name="Ann-0")])
    head = log.head()
    assert isinstance(first, Appended)
    assert head
    assert again == changed == Known(first.stored, head)
    assert names(log) == ["Ann-0", "Ann-1"]


def test_actors_and_streams_have_separate_ids(place: Place) -> None:
    log = place.open()
    results = log.append([draft(0, name="1"), draft(1, name="1", actor="Bob"), draft(0, name="1", stream="table/two")])
    assert [type(one) for one in results] == [Appended, Appended, Appended]


def test_the_same_id_twice_in_one_commit_acts_once(place: Place) -> None:
    log = place.open()
    first, second = log.append([draft(0, name="1"), draft(1, name="1")])
    assert isinstance(first, Appended)
    assert second == Known(first.stored, first.head)
    assert names(log) == ["1"]


def test_a_draft_for_another_version_conflicts(place: Place) -> None:
    log = place.open()
    log.append([draft(0), draft(1)])
    assert log.append([draft(1, name="late")]) == [Conflict(TABLE, 2)]
    assert log.append([draft(3, name="early")]) == [Conflict(TABLE, 2)]
    assert log.append([draft(1, name="other", stream="table/new")]) == [Conflict("table/new", 0)]
    assert names(log) == ["Ann-0", "Ann-1"]


def test_a_draft_dated_long_before_another_streams_entry_is_decided_again(place: Place) -> None:
    """Two servers decide at once: a late one may be some moments behind, not more, and only where it wants order."""
    log, other = place.open(), place.open()

    def at(time: str, stream: str, *, in_order: bool = True, expected: int = 0) -> Draft:
        plain = draft(expected, stream=stream, name=f"{time} {in_order}")
        return replace(plain, at=f"2030-01-01T{time}.000000Z", in_order=in_order)

    (first,) = log.append([at("08:00:10", "table/a")])
    assert isinstance(first, Appended)
    late, near, free = other.append(
        [at("08:00:07", "table/b"), at("08:00:09", "table/c"), at("08:00:07", "table/d", in_order=False)]
    )
    assert late == TooLate("table/b", 0, "2030-01-01T08:00:10.000000Z")
    assert (type(near), type(free)) == (Appended, Appended)
    again, known = log.append([at("08:00:10", "table/b"), at("08:00:09", "table/c")])
    assert (type(again), type(known)) == (Appended, Known), "what is in the log is never late"
    for time, stream in (("08:00:08", "table/e"), ("08:00:06", "table/f")):
        (found,) = other.append([at(time, stream)])
    assert isinstance(found, TooLate), "by the newest of all, however many came since"
    (alone,) = log.append([at("07:59:00", "table/g")])
    assert isinstance(alone, Appended), "a clock that is a minute behind is wrong: verify warns of the entry"


def test_a_commit_writes_what_it_can_and_seals_its_last_entry(place: Place) -> None:
    log = place.open()
    log.append([draft(0)])
    results = log.append(
        [
            draft(1, name="a"),
            draft(1, name="b"),  # conflicts with a
            draft(2, name="c"),  # decided on top of b
            draft(0, name="d", stream="table/two"),
            draft(0, name="Ann-0"),  # known
        ]
    )
    assert [type(one) for one in results] == [Appended, Conflict, Conflict, Appended, Known]
    assert results[1] == results[2] == Conflict(TABLE, 2)
    done = [one for one in results if not isinstance(one, Conflict)]
    assert {one.head for one in done} == {log.head()}
    assert [bool(stored.seal) for stored in log.read(after=2)] == [False, True]
    assert names(log) == ["Ann-0", "a", "d"]
    assert is_intact(log)


def test_what_was_called_not_done_is_never_written_by_whichever_process(place: Place) -> None:
    """It was on its way when somebody asked about it, who may have sent it again with another id since."""
    log, asked = place.open(), place.open()
    log.append([draft(0)])
    assert asked.find_decided(TABLE, "Ann", "Ann-0", gives_up=True) is not None
    assert asked.find_decided(TABLE, "Ann", "new") is None
    assert asked.find_decided(TABLE, "Ann", "late", gives_up=True) is None
    results = log.append(
        [
            draft(1, name="late"),
            draft(2, name="on top"),
            draft(0, name="Ann-0"),
            draft(0, name="late", stream="table/two"),
            draft(1, name="late", stream="table/two", actor="Bob"),
        ]
    )
    assert [type(one) for one in results] == [GivenUp, Conflict, Known, Appended, Appended]
    assert isinstance(log.append([draft(1, name="late")])[0], GivenUp)
    assert isinstance(log.append([draft(1, name="new")])[0], Appended)
    assert is_intact(log)


def test_a_draft_on_top_of_a_known_one_conflicts(place: Place) -> None:
    """It was decided as if the known draft had acted twice."""
    log = place.open()
    log.append([draft(0), draft(1)])
    assert [type(one) for one in log.append([draft(2, name="Ann-0"), draft(3), draft(2)])] == [
        Known,
        Conflict,
        Conflict,
    ]
    assert [type(one) for one in log.append([draft(0), draft(1)])] == [Known, Known]  # a whole commit repeated


def test_an_empty_commit_writes_nothing(place: Place) -> None:
    log = place.open()
    before = log.head()
    assert log.append([]) == []
    assert log.head() == before


@pytest.mark.parametrize("name", ["", "a\0b", "a\nb", "x" * 201, "\ud800"])
def test_a_name_that_some_store_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(CrapsError, match="1 to 200 printable characters"):
        draft(0, actor=name)


@pytest.mark.parametrize("name", ["Zoë Müller", "玩家", "👍", "a'b\"c%s", "x" * 200])
def test_any_other_name_is_stored(place: Place, name: str) -> None:
    log = place.open()
    log.append([draft(0, stream=name, actor=name, name=name)])
    stored = log.find(name, name, name)
    assert stored
    assert stored.entry.actor == name
    assert log.streams()[name] == 1
    assert is_intact(log)


def test_reading_by_sequence_stream_and_hand(place: Place) -> None:
    log = place.open()
    drafts: list[Draft] = []
    for index in range(1500):  # more than a page
        drafts += [draft(index, hand=index // 10), draft(index, stream="table/two", actor="Bob")]
    log.append(drafts)
    assert [stored.entry.sequence for stored in log.read()] == list(range(1, 3002))
    assert [stored.entry.sequence for stored in log.read(after=10, until=13)] == [11, 12, 13]
    assert [stored.entry.version for stored in log.read_stream(TABLE)] == list(range(1, 1501))
    assert [stored.entry.version for stored in log.read_stream(TABLE, after=1498)] == [1499, 1500]
    assert [stored.entry.version for stored in log.read_stream(TABLE, hand=7)] == list(range(71, 81))
    assert list(log.read_stream("table/three")) == []
    assert log.streams() == {"house": 1, TABLE: 1500, "table/two": 1500}
    found = log.find("table/two", "Bob", "Bob-700")
    assert found
    assert (found.entry.sequence, log.find(TABLE, "Bob", "Bob-700")) == (1403, None)


def test_racing_threads_all_append_everything(place: Place) -> None:
    log, other = place.open(), place.open()
    with ThreadPoolExecutor(WRITERS) as threads:
        found = list(threads.map(lambda index: race((log, other)[index % 2], f"Ann {index}", 25), range(WRITERS)))
    assert sorted(sequence for one in found for sequence in one) == list(range(2, 102))
    assert log.streams()[TABLE] == 100
    assert is_intact(log)


@pytest.mark.parametrize("place", one_in(2, ["sqlite", "postgres"], others=pytest.mark.whole), indirect=True)
def test_racing_processes_all_append_everything_even_to_a_new_log(place: Place) -> None:
    arguments = [sys.executable, str(ROOT / "tests" / "store" / "racer.py"), str(place.data), place.database]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    racers = [
        subprocess.Popen([*arguments, f"Ann {index}", "40"], env=environment, stdout=subprocess.PIPE)
        for index in range(WRITERS)
    ]
    found = [racer.communicate()[0].split() for racer in racers]
    assert [racer.returncode for racer in racers] == [0] * WRITERS
    assert sorted(int(sequence) for one in found for sequence in one) == list(range(2, 40 * WRITERS + 2))
    log = place.open()
    assert log.streams() == {"house": 1, TABLE: 40 * WRITERS}
    assert is_intact(log)


def test_wait_for_returns_when_another_writer_appends(place: Place) -> None:
    log, other = place.open(), place.open()
    assert log.wait_for(0, timeout=0)
    assert not log.wait_for(1, timeout=0)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(log.wait_for, 1, 60)
        other.append([draft(0)])
        assert waiting.result()


def test_only_one_of_several_takers_gets_a_secret(place: Place) -> None:
    log, other = place.open(), place.open()
    for round_ in range(10):
        log.vault.put(Secret("invitation", str(round_), b"owner", TWO))
        start = Barrier(WRITERS)

        def take(index: int, key: str = str(round_), start: Barrier = start) -> Secret | None:
            start.wait()
            return (log, other)[index % 2].vault.take("invitation", key, now=ONE)

        with ThreadPoolExecutor(WRITERS) as threads:
            taken = [one for one in threads.map(take, range(WRITERS)) if one]
        assert taken == [Secret("invitation", str(round_), b"owner", TWO)]


def test_secrets_are_stored_replaced_and_deleted(place: Place) -> None:
    log = place.open()
    log.vault.put(Secret("password", "Ann", b"old"))
    log.vault.put(Secret("password", "Ann", b"new"))
    log.vault.put(Secret("session", "Ann", b"\0\xff", ONE))
    assert place.open().vault.get("password", "Ann", now=TWO) == Secret("password", "Ann", b"new")
    assert log.vault.get("session", "Ann", now=NOON) == Secret("session", "Ann", b"\0\xff", ONE)
    assert log.vault.get("session", "Ann", now=ONE) is None  # expired at this very moment
    log.vault.put(Secret("session", "Bob", b"\x01"))
    kept = {"Ann": Secret("session", "Ann", b"\0\xff", ONE), "Bob": Secret("session", "Bob", b"\x01")}
    assert log.vault.get_all("session", ("Ann", "Bob", "Cat"), now=NOON) == kept
    assert log.vault.get_all("session", ("Ann", "Bob"), now=ONE).keys() == {"Bob"}
    assert log.vault.get_all("session", (), now=NOON) == {}
    assert log.vault.take("session", "Ann", now=ONE) is None
    assert log.vault.get("session", "Ann", now=NOON) is None  # deleted by take
    log.vault.forget("password", "Ann")
    log.vault.forget("password", "Bob")
    assert log.vault.get("password", "Ann", now=NOON) is None


def test_counters_count_until_they_expire(place: Place) -> None:
    log, other = place.open(), place.open()
    assert [log.vault.count("log-in", "Ann", now=NOON, expires=ONE) for _ in range(3)] == [1, 2, 3]
    assert other.vault.count("log-in", "Ann", now=NOON, expires=TWO) == 4  # the first expiry stays
    assert log.vault.count("log-in", "Bob", now=NOON, expires=ONE) == 1
    assert log.vault.count("log-in", "Ann", now=ONE, expires=TWO) == 1


def test_concurrent_counts_are_all_counted(place: Place) -> None:
    log, other = place.open(), place.open()

    def count(index: int) -> int:
        return (log, other)[index % 2].vault.count("log-in", "Ann", now=NOON, expires=ONE)

    with ThreadPoolExecutor(WRITERS) as threads:
        assert sorted(threads.map(count, range(40))) == list(range(1, 41))


def snapshot_of(log: Log, state: bytes) -> Snapshot:
    *_, last = log.read_stream(TABLE)
    return Snapshot(TABLE, last.entry.version, last.entry.sequence, last.hash, state)


def test_the_newest_snapshot_of_a_stream_is_kept(place: Place) -> None:
    log = place.open()
    assert log.snapshot(TABLE) is None
    log.append([draft(0)])
    log.save_snapshot(snapshot_of(log, b"one"))
    log.append([draft(1)])
    newest = snapshot_of(log, b"two")
    log.save_snapshot(newest)
    assert place.open().snapshot(TABLE) == newest
    assert log.snapshot("table/two") is None


def test_a_tampered_snapshot_is_ignored(place: Place) -> None:
    log = place.open()
    log.append([draft(0), draft(1)])
    true = snapshot_of(log, b"rack 100")
    log.save_snapshot(true)
    kept = log._read_snapshot(TABLE)
    assert kept is not None
    for changed in (
        Snapshot(TABLE, true.version, true.sequence, true.hash, b"rack 900"),
        Snapshot(TABLE, true.version - 1, true.sequence, true.hash, true.state),
        Snapshot(TABLE, true.version, true.sequence - 1, true.hash, true.state),
        Snapshot(TABLE, true.version, true.sequence, bytes(32), true.state),
    ):
        log._write_snapshot(SignedSnapshot(changed, kept.signature))
        assert log.snapshot(TABLE) is None
    log.save_snapshot(Snapshot(TABLE, 2, 3, bytes(32), b"of another history"))  # validly signed
    assert log.snapshot(TABLE) is None
    log.save_snapshot(true)
    assert log.snapshot(TABLE) == true
