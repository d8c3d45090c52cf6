"""Random histories in a sealed log: `verify` accepts each, and finds one changed byte where it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import Raw, json
from msgspec.structs import replace

from passline.acts.rules import office_of
from passline.office.verify import house_faults
from passline.store.entry import Head, Stored
from passline.store.keys import SigningKey
from passline.store.log_source import open_source
from passline.store.memory import MemoryLog
from passline.store.sqlite import SqliteLog
from passline.store.verify import Fault, verify_log
from tests.cases import budget, one_in
from tests.office.random_acts import random_history

OFFICES = ("practice", "arizona", "colorado", "maryland", "section2")
KEY = SigningKey(bytes(range(32)))
BEGUN = "2025-12-30T00:00:00.000000Z"
COLUMNS = ("sequence", "stream", "version", "actor", "id", "hand", "body", "hash", "seal")
NUMBERS = {"sequence", "version", "hand"}
BLOBS = {"body", "hash", "seal"}
_ACTS, _LONG = 400, 2_000


def _sealed(office: str, seed: int, acts: int) -> MemoryLog:
    log = MemoryLog(KEY, log_id="an-office", at=BEGUN)
    random_history(office_of(office), Random(seed), acts).write(log)
    return log


def _is_accepted(log: MemoryLog) -> None:
    report = verify_log(log.rows(), KEY.public, log.head())
    assert report.is_intact, report.faults[:3]
    assert list(house_faults(log.read())) == []


@settings(max_examples=budget(1, in_sweep=3), deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("office", one_in(5, OFFICES, others=pytest.mark.whole))
def test_verify_accepts_every_history(office: str, seed: int) -> None:
    _is_accepted(_sealed(office, seed, _ACTS))


@pytest.mark.whole
@settings(max_examples=budget(1, in_sweep=4), deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(
    "office", [pytest.param(name, marks=[] if name == "arizona" else [pytest.mark.sweep]) for name in OFFICES]
)
def test_verify_accepts_long_histories(office: str, seed: int) -> None:
    _is_accepted(_sealed(office, seed, _LONG))


class _Database:
    """A log in a file whose rows nothing protects, as for somebody who owns the machine but not the key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        log = SqliteLog(path, KEY, log_id="an-office", at=BEGUN)
        random_history(office_of("arizona"), Random(20261116), 150).write(log)
        head = log.head()
        assert head
        self.head: Head = head
        log.close()
        self._connection = sqlite3.connect(path, isolation_level=None)
        for name in ("entries_stay", "entries_stay_as_they_are"):
            self._connection.execute(f"DROP TRIGGER {name}")
        for name in ("entries_by_version", "entries_by_id", "entries_by_hand"):
            self._connection.execute(f"DROP INDEX {name}")
        self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.execute("PRAGMA synchronous = OFF")

    def close(self) -> None:
        self._connection.close()

    def cell(self, column: str, row: int) -> bytes:
        query = f"SELECT CAST({column} AS BLOB) FROM entries WHERE sequence = ?"  # noqa: S608 - a column's name
        found: bytes = self._connection.execute(query, (row,)).fetchone()[0]
        return found

    def put(self, column: str, row: int, value: bytes) -> None:
        given: object = int(value) if column in NUMBERS else value
        place = "?" if column in NUMBERS | BLOBS else "CAST(? AS TEXT)"
        update = f"UPDATE entries SET {column} = {place} WHERE sequence = ?"  # noqa: S608 - a column's name
        self._connection.execute(update, (given, row))

    def faults(self) -> tuple[Fault, ...]:
        with open_source(str(self.path)) as source:
            return verify_log(source.rows(), KEY.public, self.head).faults


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Database]:
    with closing(_Database(tmp_path_factory.mktemp("office") / "log.sqlite")) as made:
        yield made


@settings(
    max_examples=budget(40, in_sweep=250), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_one_changed_byte_in_any_column_of_any_row_is_located(database: _Database, data: st.DataObject) -> None:
    row, column = data.draw(st.integers(1, database.head.sequence)), data.draw(st.sampled_from(COLUMNS))
    old = database.cell(column, row)
    assume(old)  # inside a commit there is no seal
    place = data.draw(st.integers(0, len(old) - 1))
    if column in NUMBERS:
        byte = data.draw(st.sampled_from([one for one in b"0123456789" if one != old[place]]))
    else:
        byte = data.draw(st.sampled_from([one for one in range(256) if one != old[place]]))
    new = old[:place] + bytes([byte]) + old[place + 1 :]
    taken = column == "sequence" and 1 <= int(new) <= database.head.sequence
    assume(not taken and not (column in NUMBERS and int(new) == int(old)))
    database.put(column, row, new)
    faults = database.faults()
    database.put(column, int(new) if column == "sequence" else row, old)
    assert faults, (column, row, place)
    assert abs(faults[0].sequence - row) <= 1, (column, row, place, faults[0])
    assert not database.faults()


@pytest.fixture(scope="module")
def entries() -> list[Stored]:
    """A history of which somebody has the key: whatever is changed is chained and sealed anew."""
    return list(_sealed("arizona", 14, 120).read())


@settings(max_examples=budget(25, in_sweep=60), deadline=None)
@given(data=st.data())
def test_a_forger_with_the_key_cannot_change_what_came_of_a_command(entries: list[Stored], data: st.DataObject) -> None:
    of_office = [number for number, stored in enumerate(entries) if stored.entry.stream.startswith("office/")]
    place = data.draw(st.sampled_from(of_office))
    entry = entries[place].entry
    events = json.decode(entry.events)
    leaves = list(_leaves(events))
    holder, key = data.draw(st.sampled_from(leaves))
    holder[key] = _other(holder[key])
    forged = replace(entries[place], entry=replace(entry, events=Raw(json.encode(events))))
    faults = list(house_faults([*entries[:place], forged, *entries[place + 1 :]]))
    assert faults
    assert faults[0].sequence == entry.sequence


def test_a_forged_setting_up_of_the_office_is_a_fault_whatever_of_it_is_changed(entries: list[Stored]) -> None:
    """All of it: whatever a later entry of the office works with, such as a country without a calendar."""
    place = next(number for number, stored in enumerate(entries) if b'"facility"' in bytes(stored.entry.events))
    entry = entries[place].entry
    for number in range(len(list(_leaves(json.decode(entry.events))))):
        events = json.decode(entry.events)
        holder, key = list(_leaves(events))[number]
        holder[key] = _other(holder[key])
        forged = replace(entries[place], entry=replace(entry, events=Raw(json.encode(events))))
        faults = list(house_faults([*entries[:place], forged, *entries[place + 1 :]]))
        assert faults, (key, holder[key])
        assert faults[0].sequence == entry.sequence, (key, holder[key])


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401 - JSON
    """Yield every figure, text and flag with what holds it."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        if isinstance(value[key], dict | list):
            yield from _leaves(value[key])
        else:
            yield value, key


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value[:-1] + ("x" if not value.endswith("x") else "y")
        case _:
            return "x"
