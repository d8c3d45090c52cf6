"""Heads outside the database: a log that was cut, put back or forked is found, and nothing is dealt on it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic

import psycopg
import pytest
from msgspec import json

from passline.store.anchors.anchors import Anchors, anchor_at, marks_in_anchors
from passline.store.anchors.places import FileAnchor, PrintedAnchor
from passline.store.data_folder import open_log
from passline.store.entry import Head, chain_hash, entry_of
from passline.store.keys import SigningKey
from passline.store.log import LogError
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.upkeep.rotation import rotate_key
from passline.store.verify import verify_log
from tests.postgres import PostgresServer
from tests.store.anchors.heads import head_of, mark
from tests.store.anchors.webhook import webhook
from tests.store.drafts import draft
from tests.waiting import wait_until

pytestmark = pytest.mark.long


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let anchors look at the log often: what a test waits for is found at a look."""
    monkeypatch.setattr("passline.store.anchors.anchors._LOOK_SECONDS", 0.05)


def grown(data: Path, *, entries: int) -> Log:
    log = open_log(data)
    version = log.streams().get("table/one", 0)
    for index in range(version, version + entries):
        log.append([draft(index)])
    return log


@contextmanager
def anchored(log: Log, *places: str) -> Iterator[Anchors]:
    anchors = Anchors.at(log, places)
    try:
        yield anchors
    finally:
        anchors.close()


def test_what_is_kept_can_be_read_back_by_another_process(where: str, tmp_path: Path) -> None:
    log = grown(tmp_path / "house", entries=3)
    with anchored(log, where) as anchors:
        assert anchors.newest() is None
        assert anchors.check_start() == [f"anchor {anchor_at(where).name} holds no head of this log yet; it begins now"]
        first = head_of(log)
        anchors.keep(first)
        log.append([draft(3)])
        anchors.keep(head_of(log))
        anchors.keep(first)  # late: the later one vouches for it
    with anchored(log, where) as again:
        assert again.newest() == head_of(log)
        assert again.check_start() == []
    assert "secret" not in anchor_at(where).name
    log.close()


def test_a_log_that_was_cut_is_refused_naming_both_heads(where: str, tmp_path: Path) -> None:
    """The attack: an older copy of the database is put back, whole commits shorter. Its seals are valid."""
    log = grown(tmp_path / "house", entries=3)
    log.close()
    shutil.copytree(tmp_path / "house", tmp_path / "older")
    log = grown(tmp_path / "house", entries=2)
    newest = head_of(log)
    with anchored(log, where) as anchors:
        anchors.keep(newest)
    log.close()
    older = open_log(tmp_path / "older")
    assert verify_log(older.rows(), older.public_key).is_intact  # which is why an anchor is needed
    with anchored(older, where) as anchors:
        with pytest.raises(LogError) as refused:
            anchors.check_start()
        for part in (f"4:{head_of(older).hash}", f"6:{newest.hash}", "cut or replaced by an older copy", "restore"):
            assert part in str(refused.value)
    heads = marks_in_anchors([where], older.log_id)[0]
    faults = verify_log(older.rows(), older.public_key, also=heads).faults
    assert [fault.sequence for fault in faults] == [5]
    older.close()


def test_a_log_that_grew_differently_is_refused(where: str, tmp_path: Path) -> None:
    """The holder of the key cut the log and went on: it is longer than the anchor's head, and different."""
    grown(tmp_path / "house", entries=2).close()
    shutil.copytree(tmp_path / "house", tmp_path / "other")
    log = grown(tmp_path / "house", entries=1)
    with anchored(log, where) as anchors:
        anchors.keep(head_of(log))
    log.close()
    other = open_log(tmp_path / "other")
    for index in range(4):
        other.append([draft(2 + index, actor="Bob")])
    with anchored(other, where) as anchors, pytest.raises(LogError, match="is not the one that was anchored"):
        anchors.check_start()
    other.close()


def test_a_running_server_behind_its_anchor_deals_nothing(where: str, tmp_path: Path) -> None:
    log = grown(tmp_path / "house", entries=2)
    shutil.copytree(tmp_path / "house", tmp_path / "stale")
    stale = open_log(tmp_path / "stale")
    running = Anchors(stale, [anchor_at(where)], pace=0.02)
    running.start()
    running.follow(head_of(stale))
    wait_until(lambda: running.newest() == head_of(stale))
    assert running.check_behind() == ""
    log.append([draft(2)])  # another server goes on, with the database that this one has lost
    with anchored(log, where) as anchors:
        anchors.keep(head_of(log))
    running.follow(head_of(stale))
    wait_until(lambda: bool(running.check_behind()))
    assert "it ends at 3:" in running.check_behind()
    stale.append([draft(2, actor="Bob")])  # nor does it vouch for what it writes now
    with pytest.raises(LogError, match="anchor"):
        running.keep(head_of(stale))
    assert running.newest() == head_of(log)
    running.close()
    log.close()
    stale.close()


@pytest.mark.usefixtures("eager")
def test_following_writes_only_the_newest_head_and_never_blocks(tmp_path: Path) -> None:
    log = MemoryLog()
    path = tmp_path / "heads.jsonl"
    anchors = Anchors(log, [FileAnchor(path)], pace=0.3)
    anchors.start()
    begun = monotonic()
    for index in range(200):
        log.append([draft(index)])
        anchors.follow(head_of(log))
    assert monotonic() - begun < 2
    wait_until(lambda: anchors.newest() == head_of(log))
    assert len(path.read_bytes().splitlines()) <= 5
    log.append([draft(200)])
    anchors.close()  # keeps the last one
    assert FileAnchor(path).newest(log.log_id).head == head_of(log)  # type: ignore[union-attr]


def test_an_anchor_that_does_not_answer_is_a_fault_and_recovers() -> None:
    log = MemoryLog()
    with webhook() as kept:
        anchors = Anchors(log, [anchor_at(kept.url)], pace=0.02)
        kept.status = 500
        with pytest.raises(LogError, match="answered 500 to a head: it must answer 2xx"):
            anchors.keep(head_of(log))
        anchors.start()
        anchors.follow(head_of(log))
        wait_until(lambda: "500" in anchors.fault)
        kept.status = 204
        anchors.follow(head_of(log))
        wait_until(lambda: not anchors.fault)
        assert kept.marks[-1].head == head_of(log)
        assert anchors.check_behind() == ""
        anchors.close()
    with pytest.raises(LogError, match="is its server running"):
        Anchors(log, [anchor_at(kept.url)]).check_start()  # whoever cuts a log may cut the line too


def test_heads_of_many_callers_are_kept_together(tmp_path: Path) -> None:
    log = MemoryLog()
    path = tmp_path / "heads.jsonl"
    anchors = Anchors(log, [FileAnchor(path)])
    failed: list[int] = []

    def keep(head: Head) -> None:
        anchors.keep(head)
        newest = FileAnchor(path).newest(log.log_id)
        if newest is None or newest.sequence < head.sequence:
            failed.append(head.sequence)

    heads = []
    for index in range(50):
        log.append([draft(index)])
        heads.append(head_of(log))
    threads = [Thread(target=keep, args=(head,)) for head in heads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert 1 <= len(path.read_bytes().splitlines()) <= 50
    anchors.close()


def test_a_file_survives_cut_lines_and_is_compacted(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    anchor, other = FileAnchor(path, size_max=4000), FileAnchor(path, size_max=4000)
    anchor.keep(mark(1, log_id="another"))
    anchor.keep(mark(500))
    anchor.keep(mark(3, lost=mark(500).name))
    for sequence in range(4, 60):
        (anchor if sequence % 2 else other).keep(mark(sequence))
        if sequence % 10 == 0:
            with path.open("ab") as file:
                file.write(b'{"log_id":"a-log","sequence":9')  # the power was cut
        assert FileAnchor(path).newest("a-log") == mark(sequence)
    assert path.stat().st_size < 4500
    assert FileAnchor(path).newest("another") == mark(1, log_id="another")
    assert path.stat().st_mode & 0o077 == 0


def test_a_head_that_was_given_up_stays_given_up(tmp_path: Path) -> None:
    """Two restorations, then compaction: the head that the first one gave up must not come back."""
    path = tmp_path / "heads.jsonl"
    anchor = FileAnchor(path)
    for one in (mark(500), mark(10, lost=mark(500).name), mark(400), mark(5, lost=mark(400).name), mark(7)):
        anchor.keep(one)
    for _ in range(2):
        anchor._compact()
        assert FileAnchor(path).newest("a-log") == mark(7)
    assert len(path.read_bytes().splitlines()) == 3, "every restoration, and the newest"


def test_every_kind_of_anchor_counts_the_marks_since_the_last_restoration(where: str) -> None:
    anchor = anchor_at(where)
    kept = (mark(5), mark(9), mark(4, lost="8:another"), mark(3), mark(6))  # also one that names a head unknown here
    for number, one in enumerate(kept):
        anchor.keep(one)
        assert anchor.newest("a-log") == kept[(0, 1, 2, 2, 4)[number]]
    anchor.close()


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "heads.jsonl"
    anchor = FileAnchor(path)
    for sequence in range(1, 9):
        anchor.keep(mark(sequence))
    real = os.write
    with monkeypatch.context() as full, suppress(LogError, OSError):
        full.setattr(os, "write", lambda file, text: real(file, text[:20]))
        anchor._compact()
    assert FileAnchor(path).newest("a-log") == mark(8)


def bogus_tip(path: Path, sequence: int, seal: bytes) -> None:
    """Insert an entry as somebody with the database can, well chained but without the log's key."""
    with closing(sqlite3.connect(path)) as file, file:
        hash_, before = file.execute("SELECT hash, seal FROM entries ORDER BY sequence DESC LIMIT 1").fetchone()
        body = json.encode(entry_of(draft(sequence - 2, actor="Eve"), sequence))
        file.execute(
            "INSERT INTO entries (sequence, stream, version, actor, id, hand, body, hash, seal) "
            "VALUES (?, 'table/one', ?, 'Eve', 'e1', 0, ?, ?, ?)",
            (sequence, sequence - 1, body, chain_hash(hash_, before, body), seal),
        )


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("seal", [b"\1" * 64, SigningKey.new().sign(b"theirs"), b""], ids=["noise", "thief", "none"])
def test_a_head_without_the_log_s_seal_is_never_vouched_for(tmp_path: Path, seal: bytes) -> None:
    """The attack: insert a tip for some seconds. Once anchored, the house would be behind its anchor for good."""
    log = grown(tmp_path / "house", entries=3)
    anchors = Anchors(log, [FileAnchor(tmp_path / "heads")], pace=0.02)
    anchors.start()
    before = head_of(log)
    wait_until(lambda: anchors.newest() == before)
    bogus_tip(tmp_path / "house" / "log.sqlite", before.sequence + 1, seal)
    bogus = head_of(log)
    assert bogus.sequence == before.sequence + 1
    anchors.follow(bogus)
    with pytest.raises(LogError, match=r"changed or cut by something else at entry 5|is not sealed by the log's key"):
        anchors.keep(bogus)
    wait_until(lambda: "something else" in anchors.fault)
    assert anchors.newest() == before
    with closing(sqlite3.connect(tmp_path / "house" / "log.sqlite")) as file, file:
        file.execute("DROP TRIGGER entries_stay")
        file.execute("DELETE FROM entries WHERE sequence = 5")
    log.append([draft(3)])
    anchors.follow(head_of(log))
    wait_until(lambda: anchors.newest() == head_of(log) and not anchors.fault)
    assert anchors.check_behind() == ""
    anchors.close()
    log.close()


def test_what_another_server_wrote_is_vouched_for_once_it_is_verified(tmp_path: Path) -> None:
    log, other = grown(tmp_path / "house", entries=1), grown(tmp_path / "house", entries=1)
    with anchored(log, str(tmp_path / "heads")) as anchors:
        anchors.keep(head_of(other))
        assert anchors.newest() == head_of(other)
        with pytest.raises(LogError, match="is not sealed by the log's key"):
            anchors.keep(Head(2, "ff" * 32, head_of(other).seal))
        with pytest.raises(LogError, match="is not sealed by the log's key"):
            anchors.keep(Head(9, "not hex", "nor this"))
    log.close()
    other.close()


def test_a_log_that_ends_with_the_rotation_of_its_key_is_vouched_for(tmp_path: Path) -> None:
    """That entry is the last one that the old key seals."""
    grown(tmp_path / "house", entries=1).close()
    rotate_key(tmp_path / "house", by="ann", reason="yearly")
    log = open_log(tmp_path / "house")
    with anchored(log, str(tmp_path / "heads")) as anchors:
        anchors.keep(head_of(log))
        assert anchors.newest() == head_of(log)
    log.close()


def test_a_damaged_or_vanished_file_is_never_taken_for_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "volume" / "heads.jsonl"
    with pytest.raises(LogError, match="mount its volume"):
        FileAnchor(path).newest("a-log")
    path.parent.mkdir()
    anchor = FileAnchor(path)
    anchor.keep(mark(1))
    anchor.keep(mark(2))
    path.write_bytes(b"x" + path.read_bytes()[1:])
    with pytest.raises(LogError, match="line 1 is not a head"):
        anchor.newest("a-log")
    path.unlink()
    for _ in range(2):
        with pytest.raises(LogError, match="mount its volume"):
            anchor.keep(mark(3))
    with pytest.raises(LogError, match="mount its volume"):
        anchor.newest("a-log")


def test_of_two_heads_at_one_entry_the_first_counts(where: str) -> None:
    anchor = anchor_at(where)
    for one in (mark(5), mark(5, hash_="ff" * 32)):
        anchor.keep(one)
    assert anchor.newest("a-log") == mark(5)
    anchor.close()


def test_rows_of_a_postgres_anchor_cannot_be_changed(postgres: PostgresServer) -> None:
    url = postgres.database()
    anchor = anchor_at(url)
    anchor.keep(mark(5))
    for sql in ("DELETE FROM", "TRUNCATE", "UPDATE"):
        with psycopg.connect(url) as connection, pytest.raises(psycopg.Error, match="an anchor only grows"):
            connection.execute(f"{sql} passline_anchor.heads {'SET sequence = 1' * (sql == 'UPDATE')}".encode())
    with psycopg.connect(url, autocommit=True) as connection:  # a connection that broke is replaced
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'passline anchor'"
        )
    anchor.keep(mark(6))
    assert anchor.newest("a-log") == mark(6)
    anchor.close()


def test_a_printed_head_can_be_verified_against_but_not_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printer = tmp_path / "lp0"
    for anchor in (PrintedAnchor(printer), anchor_at("print:")):
        anchor.keep(mark(7, lost="9:ff"))
        with pytest.raises(LogError, match="give it with --head"):
            anchor.newest("a-log")
    line = f"passline head {mark(7).name}:{'00' * 64} of log a-log at {mark(7).at} restored, giving up 9:ff\n"
    assert printer.read_text() == capsys.readouterr().out == line
    with pytest.raises(LogError, match="see to the printer"):
        PrintedAnchor(tmp_path / "gone" / "lp0").keep(mark(7))


def test_an_anchor_that_is_suddenly_empty_is_refused(tmp_path: Path) -> None:
    """The attack: put an older copy of the log back, delete the anchor's file, and restart the server."""
    data, path = tmp_path / "house", tmp_path / "heads"
    log = grown(data, entries=2)
    first = Anchors.at(log, [str(path)], data)
    assert len(first.check_start()) == 1, "a new one is only told of"
    assert len(Anchors.at(log, [str(path)], data).check_start()) == 1, "until it has held a head"
    first.keep(head_of(log))
    first.close()
    path.unlink()
    for _ in range(2):
        again = Anchors.at(log, [str(path), str(tmp_path / "another")], data)
        with pytest.raises(LogError, match=r"has held heads .* holds none now.*house\.json to begin it anew"):
            again.check_start()
        again.close()
    assert json.decode((data / "house.json").read_bytes()) == {"log_id": log.log_id, "anchors": [str(path)]}
    log.close()
    log = open_log(data)  # which keeps the names
    (data / "house.json").write_bytes(json.encode({"log_id": log.log_id}))  # by the operator, who has verified it
    with anchored(log, str(path)) as anchors:
        assert "it begins now" in anchors.check_start()[0]
    log.close()


def test_a_running_server_whose_anchor_was_emptied_deals_nothing() -> None:
    log = MemoryLog()
    with webhook() as kept:
        anchors = Anchors(log, [anchor_at(kept.url)], pace=0.02)
        anchors.start()
        anchors.follow(head_of(log))
        wait_until(lambda: bool(kept.marks))
        kept.marks.clear()
        anchors.follow(head_of(log))
        wait_until(lambda: "holds none now" in anchors.check_behind())
        log.append([draft(0)])
        with pytest.raises(LogError, match="holds none now"):
            anchors.keep(head_of(log))
        anchors.close()
    assert kept.marks == []


def test_an_anchor_of_an_older_version_is_remembered_at_the_start(tmp_path: Path) -> None:
    data, path = tmp_path / "house", tmp_path / "heads"
    log = grown(data, entries=2)
    with anchored(log, str(path)) as anchors:
        anchors.keep(head_of(log))
    assert Anchors.at(log, [str(path)], data).check_start() == []
    path.write_bytes(b"")
    with pytest.raises(LogError, match="holds none now"):
        Anchors.at(log, [str(path)], data).check_start()
    log.close()


def test_anchors_of_another_log_are_not_mistaken_for_this_one_s(where: str, tmp_path: Path) -> None:
    anchor = anchor_at(where)
    anchor.keep(mark(9, log_id="another"))
    anchor.close()
    log = grown(tmp_path / "house", entries=1)
    with anchored(log, where) as anchors:
        [note] = anchors.check_start()
        assert "holds no head of this log yet" in note
    with pytest.raises(LogError, match="is it the anchor of this log"):
        marks_in_anchors([where], log.log_id)
    log.close()


def test_a_cut_of_the_file_itself_is_found(tmp_path: Path) -> None:
    """Every cut at the end of a commit, made with SQL, against an anchor's file."""
    log = grown(tmp_path / "house", entries=20)
    with anchored(log, str(tmp_path / "heads")) as anchors:
        anchors.keep(head_of(log))
    log.close()
    for length in range(20, 0, -1):
        with closing(sqlite3.connect(tmp_path / "house" / "log.sqlite", isolation_level=None)) as file:
            file.execute("DROP TRIGGER IF EXISTS entries_stay")
            file.execute("DELETE FROM entries WHERE sequence > ?", (length,))
        log = open_log(tmp_path / "house")
        with anchored(log, str(tmp_path / "heads")) as anchors, pytest.raises(LogError, match=f"ends at {length}:"):
            anchors.check_start()
        log.close()
