"""Ways to tamper with a house, each with how it is found; `./x bench tamper` tries them thousands of times.

To add a kind, add a function to KINDS: it changes a copy of the house in its folder and returns what must find it.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from msgspec import json

from passline.store.anchors.anchors import Anchors, marks_in_anchors
from passline.store.entry import Head, LogRow, chain_hash, entry_of, head_message
from passline.store.export import row_to_json
from passline.store.genesis import HOUSE, KeyRotated, rotation_draft
from passline.store.keys import SigningKey, write_durably
from passline.store.log import LogError
from passline.store.log_source import open_source
from passline.store.sqlite import SqliteLog
from passline.store.upkeep.backup import back_up
from passline.store.upkeep.encrypted_file import FileKey
from passline.store.upkeep.restore import check_backup
from passline.store.verify import verify_log
from tests.store.drafts import draft

KEY, THIEF = SigningKey(bytes(range(32))), SigningKey(bytes(range(1, 33)))
_BACKUP_KEY = FileKey(bytes(32))
_COLUMNS = ("sequence", "stream", "version", "actor", "id", "hand", "body", "hash", "seal")
_TEXTS = frozenset({"stream", "actor", "id"})
_UPDATES = [
    f"UPDATE entries SET {name} = {'CAST(? AS TEXT)' if name in _TEXTS else '?'} WHERE sequence = ?"  # noqa: S608
    for name in _COLUMNS
]
_COMMITS = (1, 1, 3, 1, 5, 2, 1, 1, 4, 1, 1, 1, 2, 1, 6, 1, 1)  # entries per commit
Found = Callable[[], bool]
"""Whether a tampering is found."""


class TamperedHouse:
    """A house as it was, and a copy to tamper with: the log, its export, an anchor and a backup."""

    def __init__(self, folder: Path) -> None:
        self.kept, self.folder = folder / "kept", folder / "copy"
        self.kept.mkdir()
        write_durably(self.kept / "log.key", KEY.hex().encode() + b"\n", replaces=False)
        log = SqliteLog(self.kept / "log.sqlite", KEY, log_id="kept", at="2026-11-15T07:00:00.000000Z")
        lengths, random = {"table/one": 0, "table/two": 0, "people": 0}, Random("streams")
        for size in _COMMITS:
            drafts = []
            for _ in range(size):
                stream = random.choice(list(lengths))
                drafts.append(draft(lengths[stream], stream=stream, hand=lengths[stream] // 4))
                lengths[stream] += 1
            log.append(drafts)
        self.rows = list(log.rows())
        head = log.head()
        assert head
        self.head: Head = head
        anchors = Anchors.at(log, [str(self.kept / "heads")])
        anchors.keep(head)
        anchors.close()
        log.close()
        back_up(self.kept / "backup", _BACKUP_KEY, self.kept)
        with closing(sqlite3.connect(self.kept / "log.sqlite")) as connection:  # what protects the rows is removed
            for name in ("entries_stay", "entries_stay_as_they_are"):
                connection.execute(f"DROP TRIGGER {name}")
            for name in ("entries_by_version", "entries_by_id", "entries_by_hand"):
                connection.execute(f"DROP INDEX {name}")
            connection.execute("PRAGMA journal_mode = DELETE")

    @property
    def database(self) -> Path:
        """The copy's log."""
        return self.folder / "log.sqlite"

    def renew(self) -> None:
        """Make the copy anew."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.kept, self.folder)

    def change(self, *statements: tuple[str, tuple[object, ...]]) -> None:
        """Change the copy's database."""
        with closing(sqlite3.connect(self.database, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            for sql, values in statements:
                connection.execute(sql, values)
            connection.execute("COMMIT")

    def table_rows(self) -> list[tuple[object, ...]]:
        """Return the copy's rows."""
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute("SELECT * FROM entries ORDER BY sequence").fetchall()

    def rewrite(self, rows: list[tuple[object, ...]]) -> None:
        """Replace all rows of the copy."""
        insert = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self.change(("DELETE FROM entries", ()), *((insert, row) for row in rows))

    def export(self, rows: list[LogRow]) -> Path:
        """Write rows as an export instead of the database."""
        path = self.folder / "log.jsonl"
        path.write_bytes(b"".join(map(row_to_json, rows)))
        return path

    def is_found(self, log: Path | None = None, *, with_anchor: bool = True) -> bool:
        """Return whether `passline verify --key --anchor` finds something."""
        try:
            heads = marks_in_anchors([str(self.folder / "heads")], "kept")[0] if with_anchor else ()
            with open_source(str(log or self.database)) as source:
                report = verify_log(source.rows(), KEY.public, also=heads)
                return not report.is_intact or bool(source.damages())
        except LogError:
            return True


def _flipped(value: bytes, random: Random) -> bytes:
    bit, changed = random.randrange(len(value) * 8), bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _chained(rows: list[LogRow], body: bytes, key: SigningKey | None = None) -> LogRow:
    """Return a row that follows others, sealed by a key."""
    hash_ = chain_hash(rows[-1].hash, rows[-1].seal, body)
    return LogRow(body, hash_, key.sign(head_message("kept", len(rows) + 1, hash_)) if key else b"")


def _a_bit_of_a_column(house: TamperedHouse, random: Random) -> Found:
    rows = house.table_rows()
    row, column = random.choice(rows), random.randrange(len(_COLUMNS))
    old = row[column]
    if isinstance(old, int):
        number = int.from_bytes(((old ^ (1 << random.randrange(64))) & (2**64 - 1)).to_bytes(8), signed=True)
        if column == 0 and 1 <= number <= len(rows):
            return _a_bit_of_a_column(house, random)  # the number is taken
        house.change((_UPDATES[column], (number, row[0])))
        return house.is_found
    text = old if isinstance(old, bytes) else str(old).encode()
    if not text:
        return _a_bit_of_a_column(house, random)  # no seal to flip
    house.change((_UPDATES[column], (_flipped(text, random), row[0])))
    return house.is_found


def _deleted_rows(house: TamperedHouse, random: Random) -> Found:
    rows = house.table_rows()
    first = random.randrange(len(rows) - 1)
    left = rows[:first] + rows[first + random.choice((1, 2, 7)) :]
    is_numbered = random.random() < 0.5
    house.rewrite([(number, *row[1:]) for number, row in enumerate(left, start=1)] if is_numbered else left)
    return house.is_found


def _swapped_rows(house: TamperedHouse, random: Random) -> Found:
    rows = house.table_rows()
    one, other = random.sample(range(len(rows)), 2)
    rows[one], rows[other] = rows[other], rows[one]
    house.rewrite([(number, *row[1:]) for number, row in enumerate(rows, start=1)])
    return house.is_found


def _a_repeated_row(house: TamperedHouse, random: Random) -> Found:
    rows = house.table_rows()
    rows.insert(random.randint(0, len(rows)), random.choice(rows))
    house.rewrite([(number, *row[1:]) for number, row in enumerate(rows, start=1)])
    return house.is_found


def _an_edit_with_new_hashes(house: TamperedHouse, random: Random) -> Found:
    """Without the key: every hash after it is right, and no seal."""
    edited = random.randrange(1, len(house.rows))
    rows = house.rows[:edited]
    for index, row in enumerate(house.rows[edited:], start=edited):
        body = row.body.replace(b'"cents":10', b'"cents":99') if index == edited else row.body
        rows.append(LogRow(body, chain_hash(rows[-1].hash, rows[-1].seal, body), row.seal))
    path = house.export(rows)
    return lambda: house.is_found(path, with_anchor=False)


def _an_insertion(house: TamperedHouse, random: Random) -> Found:
    place = random.randrange(1, len(house.rows) + 1)
    before = house.rows[:place]
    body = json.encode(entry_of(draft(90, actor="Bob"), place + 1))
    key = random.choice((None, THIEF))
    path = house.export([*before, _chained(before, body, key), *house.rows[place:]])
    return lambda: house.is_found(path, with_anchor=False)


def _a_bit_of_the_export(house: TamperedHouse, random: Random) -> Found:
    path = house.export(house.rows)
    path.write_bytes(_flipped(path.read_bytes(), random))
    return lambda: house.is_found(path)


def _a_cut_tail(house: TamperedHouse, random: Random) -> Found:
    """At the end of a commit: what is left is intact, and only the anchor tells."""
    ends = [number for number, row in enumerate(house.rows[:-1], start=1) if row.seal]
    house.change(("DELETE FROM entries WHERE sequence > ?", (random.choice(ends),)))
    assert not house.is_found(with_anchor=False)
    return house.is_found


def _a_tail_written_anew_with_the_key(house: TamperedHouse, random: Random) -> Found:
    """By whoever has the key, or put back an older copy and went on: longer or shorter than what was anchored."""
    end = random.choice([number for number, row in enumerate(house.rows[:-1], start=1) if row.seal])
    rows = house.rows[:end]
    version = max(json.decode(row.body)["version"] for row in rows if b'"stream":"house"' in row.body)
    for index in range(random.randint(1, 2 * (len(house.rows) - end))):
        body = json.encode(entry_of(draft(version + index, stream=HOUSE, actor="Bob"), len(rows) + 1))
        rows.append(_chained(rows, body, KEY))
    path = house.export(rows)
    assert not house.is_found(path, with_anchor=False)
    return lambda: house.is_found(path)


def _a_key_of_the_thief_s(house: TamperedHouse, random: Random) -> Found:
    """A rotation that the old key did not sign, and entries sealed by the thief's key after it."""
    rows = list(house.rows)
    theirs = rotation_draft("kept", number=1, old=THIEF, new=SigningKey.new(), expected=1, by="ann", reason="yearly")
    [event] = json.decode(theirs.events, type=list[KeyRotated])
    forged = json.decode(json.encode(event)) | {"old_key": KEY.public.hex(), "new_key": THIEF.public.hex()}
    body = json.encode(entry_of(theirs, len(rows) + 1)).replace(bytes(theirs.events), json.encode([forged]))
    rows.append(_chained(rows, body, THIEF))
    for index in range(random.randint(0, 3)):
        rows.append(_chained(rows, json.encode(entry_of(draft(index, stream="table/new"), len(rows) + 1)), THIEF))
    path = house.export(rows)
    return lambda: house.is_found(path)


def _a_changed_backup(house: TamperedHouse, random: Random) -> Found:
    path = house.folder / "backup"
    whole = path.read_bytes()
    path.write_bytes(_flipped(whole, random) if random.random() < 0.8 else whole[: random.randrange(len(whole))])

    def is_found() -> bool:
        try:
            check_backup(path, _BACKUP_KEY)
        except LogError:
            return True
        return False

    return is_found


KINDS: dict[str, Callable[[TamperedHouse, Random], Found]] = {
    "a bit of a column": _a_bit_of_a_column,
    "deleted rows": _deleted_rows,
    "swapped rows": _swapped_rows,
    "a repeated row": _a_repeated_row,
    "an edit with new hashes": _an_edit_with_new_hashes,
    "an insertion": _an_insertion,
    "a bit of the export": _a_bit_of_the_export,
    "a cut tail, with an anchor": _a_cut_tail,
    "a tail written anew with the key, with an anchor": _a_tail_written_anew_with_the_key,
    "a key of the thief's": _a_key_of_the_thief_s,
    "a changed backup": _a_changed_backup,
}
"""Every kind of tampering by name."""
