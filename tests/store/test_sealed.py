"""A program never seals what somebody without the key did to its open log."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import psycopg
import pytest

from passline.store.entry import chain_hash
from passline.store.keys import SigningKey
from passline.store.log import Appended, LogChanged, LogError
from passline.store.memory import MemoryLog
from passline.store.verify import verify_log
from tests.store.conftest import Place
from tests.store.drafts import draft

ENTRIES = 6
Row = tuple[int, bytes, bytes, bytes]  # sequence, body, hash, seal


class Thief:
    """Somebody with full access to the database but without the key."""

    def __init__(self, place: Place) -> None:
        self._place, self._entries = place, "passline.entries" if place.database else "entries"

    def do(self, *statements: tuple[str, Sequence[Any]]) -> None:
        """Change the database in one transaction, without its triggers."""
        if self._place.database:
            with psycopg.connect(self._place.database) as server:
                server.execute("SET session_replication_role = replica")
                for sql, values in statements:
                    server.execute(sql.replace("?", "%s").replace("entries", self._entries).encode(), values)
        else:
            with closing(sqlite3.connect(self._place.data / "log.sqlite", isolation_level=None)) as file:
                for name in ("entries_stay", "entries_stay_as_they_are"):
                    file.execute(f"DROP TRIGGER IF EXISTS {name}")
                file.execute("BEGIN IMMEDIATE")
                for sql, values in statements:
                    file.execute(sql, values)
                file.execute("COMMIT")

    def rows(self) -> list[Row]:
        sql = f"SELECT sequence, body, hash, seal FROM {self._entries} ORDER BY sequence"  # noqa: S608
        if self._place.database:
            with psycopg.connect(self._place.database) as server:
                return list(server.execute(sql.encode()).fetchall())
        with closing(sqlite3.connect(self._place.data / "log.sqlite")) as file:
            return list(file.execute(sql).fetchall())

    def rechain(self, edited: int, *, is_blank: bool) -> None:
        """Change one entry and hash everything from it again; keep the seals, or blank them as inside a commit."""
        rows = self.rows()
        (_, _, before, before_seal), changes = rows[edited - 2], []
        for sequence, old, _hash, old_seal in rows[edited - 1 :]:
            body = old.replace(b'"cents":10', b'"cents":99') if sequence == edited else old
            before, before_seal = chain_hash(before, before_seal, body), b"" if is_blank else old_seal
            changes.append(
                (
                    "UPDATE entries SET body = ?, hash = ?, seal = ? WHERE sequence = ?",
                    (body, before, before_seal, sequence),
                )
            )
        self.do(*changes)

    def cut(self, after: int) -> None:
        self.do(("DELETE FROM entries WHERE sequence > ?", (after,)))


@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
class TestAnOpenLog:
    """A log that has been written to and stays open."""

    @pytest.mark.parametrize("is_blank", [False, True], ids=["seals kept", "seals blanked"])
    @pytest.mark.parametrize("edited", [2, ENTRIES])
    def test_a_rewritten_log_is_not_sealed(self, place: Place, edited: int, *, is_blank: bool) -> None:
        log, thief = place.open(), Thief(place)
        for index in range(ENTRIES - 1):
            log.append([draft(index)])
        head = log.head()
        assert head
        thief.rechain(edited, is_blank=is_blank)
        forged = thief.rows()
        message = f"entry {ENTRIES} .*passline verify --head {head.sequence}:{head.hash}:{head.seal} on it"
        for _ in range(2):  # nor the second time
            with pytest.raises(LogChanged, match=message):
                log.append([draft(ENTRIES - 1)])
            with pytest.raises(LogChanged, match=message):
                log.check()
        assert thief.rows() == forged
        assert not verify_log(log.rows(), log.public_key, head).is_intact

    def test_a_foreign_entry_is_not_sealed(self, place: Place) -> None:
        log, thief = place.open(), Thief(place)
        log.append([draft(0)])
        sequence, body, before, seal = thief.rows()[-1]
        body = body.replace(b'"sequence":2', b'"sequence":3').replace(b'"version":1', b'"version":2')
        for seals in (b"", seal):
            sql = "INSERT INTO entries VALUES (?, 'table/one', 2, 'Ann', 'x', 0, ?, ?, ?)"
            thief.do((sql, (sequence + 1, body, chain_hash(before, seal, body), seals)))
            with pytest.raises(LogChanged, match=r"entry 3 .*without the log's key"):
                log.append([draft(2)])
            thief.cut(sequence)
        assert isinstance(log.append([draft(1)])[0], Appended)

    def test_a_cut_log_refuses_entries_until_it_is_restored(self, place: Place) -> None:
        log, other, thief = place.open(), place.open(), Thief(place)
        for index in range(ENTRIES - 1):
            log.append([draft(index)])
        log.check()
        (last,) = log.rows(after=ENTRIES - 1)
        thief.cut(ENTRIES - 1)
        with pytest.raises(LogChanged, match=f"entry {ENTRIES} .*cut before acknowledged entry {ENTRIES}"):
            log.append([draft(ENTRIES - 1)])
        with pytest.raises(LogChanged, match="cut before"):
            log.check()
        assert last.columns
        _, stream, version, actor, name, hand = last.columns
        columns = (ENTRIES, stream.decode(), version, actor.decode(), name.decode(), hand)
        sql = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        thief.do((sql, (*columns, last.body, last.hash, last.seal)))
        assert isinstance(log.append([draft(ENTRIES - 1)])[0], Appended)
        assert isinstance(other.append([draft(ENTRIES)])[0], Appended)  # which had read only the first entry
        assert isinstance(log.append([draft(ENTRIES + 1)])[0], Appended)
        assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact

    def test_a_log_continued_after_a_cut_is_refused(self, place: Place) -> None:
        """Another program with the key continues a cut log; the one that knew the cut entries refuses it."""
        log, thief = place.open(), Thief(place)
        for index in range(3):
            log.append([draft(index)])
        thief.cut(3)
        other = place.open()
        for index in range(2, 5):
            other.append([draft(index, actor="Bob")])
        with pytest.raises(LogError, match="at or before acknowledged entry 4"):
            log.append([draft(5)])


def test_a_log_without_its_start_is_not_continued(place: Place) -> None:
    if place.kind == "memory":
        pytest.skip("nobody else can change it")
    log = place.open()
    log.append([draft(0)])
    Thief(place).do(("DELETE FROM entries WHERE sequence = ?", (1,)))
    for act in (lambda: log.append([draft(1)]), log.check):
        with pytest.raises(LogChanged, match="at entry 1"):
            act()
    with pytest.raises(LogError, match="the first entry does not hold the log's id and key"):
        place.open()


def test_a_log_whose_copy_has_nothing_more_stays_as_it_is(place: Place) -> None:
    """In SQLite that was an IndexError."""
    with closing(place.open()) as log:
        log.append([draft(0)])
        log.copy_from(log)
        assert log.sequence == 2
        assert isinstance(log.append([draft(1)])[0], Appended)


def test_a_log_takes_over_what_its_copy_has_and_nothing_from_another() -> None:
    key = SigningKey(bytes(32))
    log, copy = (MemoryLog(key, log_id="a-log", at="2026-11-15T08:00:00.000000Z") for _ in range(2))
    copy.append([draft(0)])
    log.copy_from(copy)
    assert [one.hash for one in log.rows()] == [one.hash for one in copy.rows()]
    assert log.sequence == 2
    log.append([draft(1)])
    assert not verify_log(log.rows(), key.public).faults
    for other in (MemoryLog(key), MemoryLog(), copy):  # another log, another key, one that has less
        with pytest.raises(LogError, match="does not continue entry 3"):
            log.copy_from(other)
