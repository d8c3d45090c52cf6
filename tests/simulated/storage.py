"""The disk of a simulated house and the database on it: slow, full, failing, torn by power cuts.

All processes of a house share one file. What its pages hold is on `tests.store.disk.Disk`, below SQLite itself; this
module is what SQLite's libraries and the kernel have between them: who writes, who waits, what each process has open.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Literal

import apsw

from tests.simulated.world import Machine, Strand, World
from tests.store.disk import Disk, FileSystem, PowerCut, Rows, StoredFile, guarded

FILE = Path("log.sqlite")
_COMMIT_SECONDS = 0.000_2, 0.003  # that a commit takes on an idle disk
_READ_SECONDS = 0.000_05, 0.000_5
Trouble = Literal["", "full", "failed write", "failed sync", "killed in a write", "power cut"]
"""What the disk does at its next write or sync."""
_ALTERS = ("INSERT", "DELETE", "UPDATE", "CREATE")


class TroubledDisk(Disk):
    """A disk that does something at the operation with this number."""

    def __init__(self, files: dict[str, StoredFile] | None = None) -> None:
        super().__init__()
        self.files = files or {}
        self.trouble: Trouble = ""
        self.at = 0
        self.is_shared = False  # other processes have the database open too
        self.met: Trouble = ""  # what happened in this statement

    def act(self, what: Literal["write", "sync", "delete"]) -> None:
        """Count an operation, or have the trouble happen in its place."""
        if self.is_cut:
            raise PowerCut
        self.done += 1
        if not self.trouble or self.done < self.at:
            return
        match self.trouble:
            case "full" if what == "write":
                self.met = "full"
                raise apsw.FullError("database or disk is full")
            case "failed write" if what == "write":
                self._meet("failed write")
                raise apsw.IOError("disk I/O error")
            case "failed sync" if what == "sync":
                self._meet("failed sync")
                raise apsw.IOError("disk I/O error")
            case "killed in a write" if self.is_shared:
                # What it wrote is not in the others' index of the write-ahead log: nobody reads it.
                self._meet("killed in a write")
                raise apsw.IOError("killed")
            case "killed in a write" | "power cut":
                self._meet(self.trouble)
                self.is_cut = True

    def _meet(self, trouble: Trouble) -> None:
        self.met, self.trouble = trouble, ""

    def after_cut(self, random: Random) -> TroubledDisk:
        """Return what is left after a power cut."""
        found = {name: file.survivor(random) for name, file in self.files.items()}
        return TroubledDisk({name: _platter(content) for name, content in found.items() if content is not None})

    def after_kill(self) -> TroubledDisk:
        """Return the disk as it is after a process was killed: the system keeps what was written and not synced."""
        self.is_cut = True
        return TroubledDisk(dict(self.files))

    def settle(self) -> None:
        """Have everything durable that was written so far."""
        for file in self.files.values():
            file.sync()
        self.sync_folder()


def _platter(content: bytes) -> StoredFile:
    file = StoredFile()
    file.now, file.durable, file.is_listed = bytearray(content), bytearray(content), True
    return file


class Database:
    """The one database of a house, whichever processes have it open."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.disk = TroubledDisk()
        self.chance = world.chance("the disk")
        self.stall = 0.0  # seconds that commits take more
        self.loses_answer = False  # of the next commit, which is made
        self.kills_after = False  # the next commit, before anybody is told of it
        self.killed: Callable[[Machine], None] = lambda machine: machine.kill()  # told whose write was broken off
        self.cut: Callable[[], None] = lambda: None  # told that the power is gone
        self.owner: OpenDatabase | None = None  # of the transaction that is open
        self.owner_strand: object = None
        self.readers: list[Strand] = []  # that wait for its end
        self.groups: list[OpenDatabase] = []  # of every process that has it open
        self.commits = 0
        self._by = dict[OpenDatabase, int]()  # commits of each that writes
        self._engines: list[tuple[FileSystem, apsw.Connection]] = []  # kept open: closing one would write
        self._pragmas: dict[str, None] = {}
        self._open()

    def _open(self) -> None:
        name = f"simulated-{id(self)}-{len(self._engines)}"
        system = FileSystem(name, self.disk)
        self.engine = apsw.Connection(str(FILE), vfs=name)
        self._engines.append((system, self.engine))
        self.engine.execute("PRAGMA locking_mode = EXCLUSIVE")
        for pragma in self._pragmas:
            self.engine.execute(pragma).fetchall()
        self.end_transaction()

    def close(self) -> None:
        """Let go of everything; nothing is written."""
        self.disk.is_cut = True
        for system, engine in self._engines:
            with suppress(apsw.Error, PowerCut):
                engine.close()
            system.unregister()

    def reopen(self, disk: TroubledDisk, *, forgets: bool) -> None:
        """Go on with what is left of the disk; SQLite recovers it as it would at the first opening."""
        self.disk.is_cut = True
        self.disk = disk
        if forgets:
            self._pragmas.clear()
        self._open()

    def cut_power(self) -> None:
        """Lose what was not synced, in part and out of order; every process has ended."""
        self.reopen(self.disk.after_cut(self.chance), forgets=True)

    def connector(self, machine: Machine) -> Callable[[Path], OpenDatabase]:
        """Return what opens the database for one log of a process: first the connection that writes."""
        group = OpenDatabase(self, machine)
        self.groups = [*(other for other in self.groups if not other.machine.is_dead), group]
        machine.at_end(lambda: self._leave(group))
        return lambda _path: group

    def _leave(self, group: OpenDatabase) -> None:
        """Undo what a killed process had begun to write."""
        if self.owner is group:
            if not self.disk.is_cut and self.engine.in_transaction:
                guarded(lambda: self.engine.execute("ROLLBACK"))
            self.end_transaction()

    def run(self, sql: str, parameters: Sequence[Any], by: OpenDatabase) -> Rows:
        """Run one statement below which the disk may be in trouble."""
        self.disk.met = ""
        others = (other.machine for other in self.groups if other.machine is not by.machine)
        self.disk.is_shared = any(not machine.is_dead for machine in others)
        try:
            return Rows(guarded(lambda: self.engine.execute(sql, tuple(parameters)).fetchall()))
        finally:
            self._after(self.disk.met, by)
            by.machine.live()

    def _after(self, met: Trouble, by: OpenDatabase) -> None:
        """Do what follows from what the disk met in a statement."""
        if met:
            self.world.faults[met] += 1
            self.world.note(met)
        if met == "power cut":
            self.cut()
        elif met == "killed in a write":
            if not self.disk.is_shared:
                self.reopen(self.disk.after_kill(), forgets=False)
            self.killed(by.machine)
        elif self.owner is by and not self.engine.in_transaction:
            self.end_transaction()

    def end_transaction(self) -> None:
        """Let readers go on after a transaction."""
        self.owner = self.owner_strand = None
        readers, self.readers = self.readers, []
        for reader in readers:
            self.world.wake(reader)

    def note_commit(self, by: OpenDatabase) -> None:
        self.commits += 1
        self._by[by] = self._by.get(by, 0) + 1

    def changes_of_others(self, by: OpenDatabase) -> int:
        """Return SQLite's `data_version` for a connection: another one after another connection's commit."""
        return self.commits - self._by.get(by, 0)

    def keep_pragma(self, sql: str) -> None:
        if "=" in sql:
            self._pragmas[sql] = None


class OpenDatabase:
    """What one log of a process has of the database: a connection that writes, and those that read."""

    def __init__(self, database: Database, machine: Machine) -> None:
        self._database, self.machine = database, machine

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Run a statement, in its turn and its time."""
        database, word = self._database, sql.split(None, 1)[0].upper()
        self.machine.live()
        if sql == "PRAGMA data_version":
            return Rows([(database.changes_of_others(self),)])
        if word == "BEGIN":
            return self._begin(sql)
        self._await_turn(word)
        if word == "COMMIT":
            return self._commit(sql)
        if word == "PRAGMA":
            database.keep_pragma(sql)
        rows = database.run(sql, parameters, self)
        self.machine.live()
        return rows

    def close(self) -> None:
        """Close nothing: the database is the house's."""

    def _begin(self, sql: str) -> Rows:
        database = self._database
        if database.owner is not None:
            is_own = database.owner is self
            raise sqlite3.OperationalError(
                "cannot start a transaction within a transaction" if is_own else "database is locked"
            )
        rows = database.run(sql, (), self)
        database.owner, database.owner_strand = self, database.world.current
        return rows

    def _await_turn(self, word: str) -> None:
        """Have readers wait for a transaction: they read what was committed, on the one connection that there is."""
        database, world = self._database, self._database.world
        is_its_own = database.owner is self and (
            word in {"COMMIT", "ROLLBACK", *_ALTERS} or world.current is database.owner_strand
        )
        if is_its_own:
            return
        if word == "SELECT":
            world.sleep(database.chance.uniform(*_READ_SECONDS))
        while database.owner is not None:
            assert world.current is not None
            database.readers.append(world.current)
            world.wait(None)
        self.machine.live()

    def _commit(self, sql: str) -> Rows:
        database, world = self._database, self._database.world
        world.sleep(database.chance.uniform(*_COMMIT_SECONDS) + database.stall)
        self.machine.live()
        rows = database.run(sql, (), self)
        database.note_commit(self)
        world.note("commit")
        self.machine.live()
        if database.kills_after:
            database.kills_after = False
            world.faults["killed after a commit"] += 1
            database.killed(self.machine)
            self.machine.live()
        world.sleep(database.chance.uniform(*_COMMIT_SECONDS))
        if database.loses_answer:
            database.loses_answer = False
            world.faults["answer of a commit lost"] += 1
            raise sqlite3.OperationalError("disk I/O error: the answer of the commit was lost")
        return rows
