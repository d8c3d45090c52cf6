"""Every change of a log is found and located: flipped bits, rows deleted, moved, repeated, inserted, cut off."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from passline.store.entry import Head, LogRow, Stored, chain_hash
from passline.store.export import row_to_json, write_jsonl
from passline.store.keys import SigningKey
from passline.store.log import LogError
from passline.store.log_source import open_source
from passline.store.sealed import stored_of
from passline.store.sqlite import SqliteLog
from passline.store.verify import Fault, Report, verify_log
from tests.cases import budget
from tests.store.drafts import draft

pytestmark = pytest.mark.long

KEY = SigningKey(bytes(range(32)))
COLUMNS = ("sequence", "stream", "version", "actor", "id", "hand", "body", "hash", "seal")
CELL_FLIPS = budget(200, in_sweep=3000)
LINE_FLIPS = budget(200, in_sweep=2000)
FILE_FLIPS = budget(120, in_sweep=1000)
COMMITS = (1, 1, 3, 1, 5, 2, 1, 1, 4, 1, 1, 1, 2, 1, 6, 1, 1)  # entries per commit
ENTRIES = sum(COMMITS) + 1


class OriginalLog:
    """A log as it was written, and a head of it that was kept elsewhere."""

    def __init__(self, path: Path) -> None:
        self.path = path
        log = SqliteLog(path, KEY, log_id="kept", at="2026-11-15T07:00:00.000000Z")
        lengths = {"table/one": 0, "table/two": 0, "people": 0}
        random = Random("streams")
        for size in COMMITS:
            drafts = []
            for _ in range(size):
                stream = random.choice(list(lengths))
                drafts.append(draft(lengths[stream], stream=stream, hand=lengths[stream] // 4))
                lengths[stream] += 1
            log.append(drafts)
        head = log.head()
        assert head
        self.head: Head = head
        log.close()
        self.file = path.read_bytes()
        with closing(sqlite3.connect(path)) as connection:  # a forger removes what protects the rows
            for name in ("entries_stay", "entries_stay_as_they_are"):
                connection.execute(f"DROP TRIGGER {name}")
            for name in ("entries_by_version", "entries_by_id", "entries_by_hand"):
                connection.execute(f"DROP INDEX {name}")
            connection.execute("PRAGMA journal_mode = DELETE")
        self.rows = rows_in(path)


def rows_in(path: Path) -> list[LogRow]:
    with open_source(str(path)) as source:
        return list(source.rows())


def report_of(path: Path, head: Head | None, *, every_seal: bool = False) -> Report:
    with open_source(str(path)) as source:
        return verify_log(source.rows(), KEY.public, head, every_seal=every_seal)


def is_located(faults: tuple[Fault, ...], *places: int) -> bool:
    """Return whether the first fault is at one of these places, give or take one."""
    return bool(faults) and any(abs(faults[0].sequence - place) <= 1 for place in places)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> OriginalLog:
    return OriginalLog(tmp_path_factory.mktemp("kept") / "log.sqlite")


@pytest.fixture
def database(original: OriginalLog, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A copy to tamper with; the test restores it by itself."""
    path = tmp_path / "log.sqlite"
    shutil.copy(original.path, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        yield connection


def path_of(database: sqlite3.Connection) -> Path:
    return Path(database.execute("PRAGMA database_list").fetchone()[2])


def rewrite(database: sqlite3.Connection, rows: list[tuple[object, ...]]) -> None:
    """Replace all rows."""
    database.execute("BEGIN")
    database.execute("DELETE FROM entries")
    database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database.execute("COMMIT")


def table_rows(database: sqlite3.Connection) -> list[tuple[object, ...]]:
    return database.execute("SELECT * FROM entries ORDER BY sequence").fetchall()


def numbered(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Return the rows numbered without a gap, as a careful forger would."""
    return [(sequence, *row[1:]) for sequence, row in enumerate(rows, start=1)]


def test_an_untouched_log_is_intact(original: OriginalLog) -> None:
    for head in (original.head, None):
        report = report_of(original.path, head, every_seal=True)
        assert report.is_intact
        assert (report.entries, report.seals, report.head) == (ENTRIES, len(COMMITS) + 1 + bool(head), original.head)


def test_every_flipped_bit_in_any_column_of_any_row_is_found_there(
    original: OriginalLog, database: sqlite3.Connection
) -> None:
    random, path, done = Random("cells"), path_of(database), 0
    while done < CELL_FLIPS:
        column, row = random.choice(COLUMNS), random.randint(1, ENTRIES)
        (old,) = database.execute(f"SELECT CAST({column} AS BLOB) FROM entries WHERE sequence = ?", (row,)).fetchone()  # noqa: S608
        if column in {"sequence", "version", "hand"}:
            new: int | bytes = flipped_number(int(old), random.randrange(64))
            if column == "sequence" and 1 <= int(new) <= ENTRIES:
                continue  # the number is taken
        elif old:
            new = flipped(old, random)
        else:
            continue  # no seal to flip
        value = "?" if isinstance(new, int) or column in {"body", "hash", "seal"} else "CAST(? AS TEXT)"
        update = f"UPDATE entries SET {column} = {value} WHERE sequence = ?"  # noqa: S608
        rowid = new if column == "sequence" else row
        database.execute(update, (new, row))
        faults = report_of(path, original.head).faults
        assert is_located(faults, row), (column, row, faults)
        restored = int(old) if isinstance(new, int) else old
        database.execute(update, (restored, rowid))
        done += 1
    assert report_of(path, original.head).is_intact


def flipped(value: bytes, random: Random) -> bytes:
    bit = random.randrange(len(value) * 8)
    changed = bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def flipped_number(value: int, bit: int) -> int:
    """Return a number with one of its 64 bits flipped, including the sign."""
    return int.from_bytes(((value ^ (1 << bit)) & (2**64 - 1)).to_bytes(8), signed=True)


@pytest.mark.parametrize("is_numbered", [False, True], ids=["leaving a gap", "closing the gap"])
def test_every_deletion_is_found_there(
    original: OriginalLog, database: sqlite3.Connection, *, is_numbered: bool
) -> None:
    rows = table_rows(database)
    for first in range(ENTRIES):
        for count in (1, 2, 7):
            left = rows[:first] + rows[first + count :]
            rewrite(database, numbered(left) if is_numbered else left)
            assert is_located(report_of(path_of(database), original.head).faults, first + 1), (first, count)


@pytest.mark.parametrize("is_numbered", [False, True], ids=["content", "with the number"])
def test_every_swap_is_found_there(original: OriginalLog, database: sqlite3.Connection, *, is_numbered: bool) -> None:
    """Two rows change places, completely or without the columns beside their bytes."""
    random, rows = Random("swaps"), table_rows(database)
    pairs = [(one, one + 1) for one in range(ENTRIES - 1)]
    pairs += [(min(pair), max(pair)) for pair in (random.sample(range(ENTRIES), 2) for _ in range(100))]
    for one, other in pairs:
        changed = list(rows)
        changed[one], changed[other] = changed[other], changed[one]
        if not is_numbered:
            changed[one] = (*rows[one][:6], *rows[other][6:])
            changed[other] = (*rows[other][:6], *rows[one][6:])
        rewrite(database, numbered(changed))
        assert is_located(report_of(path_of(database), original.head).faults, one + 1), (one, other)


def test_every_repetition_is_found_there(original: OriginalLog, database: sqlite3.Connection) -> None:
    random, rows = Random("repetitions"), table_rows(database)
    for one in range(ENTRIES):
        for place in (one + 1, random.randint(0, ENTRIES), ENTRIES):
            rewrite(database, numbered([*rows[:place], rows[one], *rows[place:]]))
            assert is_located(report_of(path_of(database), original.head).faults, place + 1), (one, place)


def forged(line: LogRow, *, sequence: int) -> bytes:
    """Return the bytes of a wager that nobody made."""
    body = line.body.replace(b'"cents":10', b'"cents":99').replace(b"Ann-", b"Bob-")
    return body.replace(b'{"sequence":%d,' % stored_of(line).entry.sequence, b'{"sequence":%d,' % sequence)


def rechained(lines: list[LogRow], first: int) -> list[LogRow]:
    """Return rows with new hashes from `first` on but the old seals, as made without the key."""
    done = lines[:first]
    for line in lines[first:]:
        before = done[-1] if done else LogRow(b"", bytes(32), b"")
        done.append(LogRow(line.body, chain_hash(before.hash, before.seal, line.body), line.seal))
    return done


def end_of_commit(lines: list[LogRow], first: int) -> int:
    return next(index for index in range(first, len(lines)) if lines[index].seal) + 1


def test_an_edit_with_new_hashes_is_found_by_the_next_seal(original: OriginalLog, tmp_path: Path) -> None:
    for edited in range(1, ENTRIES):
        lines = list(original.rows)
        lines[edited] = LogRow(forged(lines[edited], sequence=edited + 1), b"", lines[edited].seal)
        lines = rechained(lines, edited)
        write_jsonl(lines, tmp_path / "log.jsonl")
        for head in (None, original.head):
            faults = report_of(tmp_path / "log.jsonl", head).faults
            assert is_located(faults, end_of_commit(lines, edited)), edited
            assert any("has an invalid seal: something after entry" in fault.what for fault in faults)


def test_an_insertion_with_a_valid_hash_is_found_by_its_seal(original: OriginalLog, tmp_path: Path) -> None:
    for place in range(1, ENTRIES + 1):
        for seal in (b"", bytes(64), original.rows[place - 1].seal):
            before = original.rows[place - 1]
            body = forged(original.rows[1], sequence=place + 1)
            new = LogRow(body, chain_hash(before.hash, before.seal, body), seal)
            write_jsonl([*original.rows[:place], new, *original.rows[place:]], tmp_path / "log.jsonl")
            assert is_located(report_of(tmp_path / "log.jsonl", None).faults, place + 1), place


def test_every_flipped_bit_of_the_json_lines_is_found_there(original: OriginalLog, tmp_path: Path) -> None:
    random, path = Random("lines"), tmp_path / "log.jsonl"
    whole = b"".join(map(row_to_json, original.rows))
    for _ in range(LINE_FLIPS):
        place = random.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << random.randrange(8))]) + whole[place + 1 :])
        faults = report_of(path, original.head).faults
        assert is_located(faults, whole[:place].count(b"\n") + 1), (place, faults)


def test_deleted_swapped_and_repeated_json_lines_are_found_there(original: OriginalLog, tmp_path: Path) -> None:
    path, texts = tmp_path / "log.jsonl", [row_to_json(line) for line in original.rows]
    for one in range(ENTRIES):
        for changed in (
            texts[:one] + texts[one + 1 :],
            [*texts[:one], *texts[one : one + 2][::-1], *texts[one + 2 :]] if one < ENTRIES - 1 else texts[:-1],
            [*texts[: one + 1], texts[one], *texts[one + 1 :]],
        ):
            path.write_bytes(b"".join(changed))
            assert is_located(report_of(path, original.head).faults, one + 1), one


def test_every_truncation_is_found_against_a_later_head(original: OriginalLog, database: sqlite3.Connection) -> None:
    rows = table_rows(database)
    heads = [Head(index, line.hash.hex(), line.seal.hex()) for index, line in enumerate(original.rows, start=1)]
    for length in range(ENTRIES):
        rewrite(database, rows[:length])
        for head in heads[length:]:
            faults = report_of(path_of(database), head).faults
            assert is_located(faults, length + 1), (length, head)
        if length and original.rows[length - 1].seal:  # a commit ends there: only a head shows the cut
            assert report_of(path_of(database), heads[length - 1]).is_intact
            assert report_of(path_of(database), None).is_intact


def test_every_truncation_of_the_json_lines_is_found_against_a_later_head(
    original: OriginalLog, tmp_path: Path
) -> None:
    random, path = Random("cuts"), tmp_path / "log.jsonl"
    whole = b"".join(map(row_to_json, original.rows))
    for length in (random.randrange(len(whole)) for _ in range(300)):
        path.write_bytes(whole[:length])
        assert is_located(report_of(path, original.head).faults, whole[:length].count(b"\n") + 1), length


def test_another_history_is_found_against_a_head(original: OriginalLog, tmp_path: Path) -> None:
    """The holder of the key rewrites history: every seal is valid, but a kept head does not match."""
    other = SqliteLog(tmp_path / "other.sqlite", KEY, log_id="kept", at="2026-11-15T07:00:00.000000Z")
    for index in range(ENTRIES):
        other.append([draft(index, actor="Bob")])
    other.close()
    path = tmp_path / "other.sqlite"
    assert report_of(path, None).is_intact
    faults = report_of(path, original.head).faults
    assert [fault.sequence for fault in faults] == [original.head.sequence]
    assert "but the given head has" in faults[0].what


def test_a_key_or_head_of_another_log_is_reported(original: OriginalLog) -> None:
    with open_source(str(original.path)) as source:
        report = verify_log(source.rows(), SigningKey.new().public)
    assert [fault.sequence for fault in report.faults] == [1]  # the seals are by the key that the log holds
    assert "does not hold the given key" in report.faults[0].what
    faults = report_of(original.path, Head(original.head.sequence, original.head.hash, "00" * 64)).faults
    assert "not sealed by this log's key" in faults[0].what


def test_a_flipped_bit_of_the_file_is_found_or_changes_nothing(original: OriginalLog, tmp_path: Path) -> None:
    random, path = Random("file"), tmp_path / "log.sqlite"
    whole = original.file
    untouched: list[Stored] = [stored_of(line) for line in original.rows]
    harmless = 0
    for _ in range(FILE_FLIPS):
        place = random.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << random.randrange(8))]) + whole[place + 1 :])
        try:
            with open_source(str(path)) as source:
                is_found = not verify_log(source.rows(), KEY.public, original.head).is_intact or source.damages()
                lines = [*source.rows()]
        except LogError:
            continue  # refused
        if not is_found:
            assert [stored_of(line) for line in lines] == untouched
            harmless += 1
    assert harmless < FILE_FLIPS  # most pages of so small a file belong to the log
