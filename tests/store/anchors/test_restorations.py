"""Restorations: what an anchor is told of one must stand in the log, or nothing is dealt and `verify` tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.cli.main import main
from passline.store.anchors.anchors import Anchors, anchor_at, marks_in_anchors
from passline.store.anchors.restorations import unrecorded_restorations
from passline.store.data_folder import open_log
from passline.store.genesis import LogRestored, restoring_draft
from passline.store.log import Log, LogError
from passline.store.memory import MemoryLog
from passline.store.verify import verify_log
from tests.store.anchors.heads import head_of, mark
from tests.store.drafts import draft


def _record(log: Log, lost: str, *also_lost: str) -> None:
    """Record a restoration that gave up a head."""
    head, (sequence, hash_) = head_of(log), lost.split(":")
    event = LogRestored(
        sequence=head.sequence,
        hash=head.hash,
        seal=head.seal,
        backed_up="2026-11-15T08:00:00.000000Z",
        lost_sequence=int(sequence),
        lost_hash=hash_,
        lost_seal="",
        by="root",
        reason="the disk died",
        also_lost=also_lost,
    )
    log.append([restoring_draft(event, expected=log.streams()["house"])])


def test_a_restoration_gives_up_the_longer_head_and_only_that_one(where: str) -> None:
    anchor, log = anchor_at(where), MemoryLog()
    for sequence in (3, 9):
        anchor.keep(mark(sequence, log_id=log.log_id))
    anchors = Anchors(log, [anchor])
    with pytest.raises(LogError, match="it ends at 1:"):
        anchors.check_start()
    _record(log, mark(9).name)
    recorded = head_of(log)
    log.append([draft(0)])  # what a restoration does besides
    anchors.restored(recorded, head_of(log))
    assert anchors.newest() == head_of(log)
    assert anchors.check_start() == []
    log.append([draft(1)])
    anchors.keep(head_of(log))
    anchor.keep(mark(2, log_id=log.log_id, hash_=recorded.hash, lost=mark(9).name))  # told again, after a cut
    assert anchors.newest() == head_of(log), "which takes back nothing that was kept since"
    anchors.close()


def test_a_restoration_that_only_the_anchor_was_told_of_is_found(where: str) -> None:
    """The attack: cut the log, then use the server's right to write to the anchor to declare a restoration."""
    anchor, log = anchor_at(where), MemoryLog()
    anchor.keep(mark(9, log_id=log.log_id))
    anchors = Anchors(log, [anchor])
    anchors.restored(head_of(log), head_of(log))
    with pytest.raises(LogError, match=r"head 9:0+9 was given up, but no entry of the log records this restoration"):
        anchors.check_start()
    assert "records this restoration" in anchors._look(), "a running server deals nothing either"
    heads, declared = marks_in_anchors([where], log.log_id)
    assert verify_log(log.rows(), log.public_key, also=heads).is_intact, "which is why it must be compared"
    assert unrecorded_restorations(declared, verify_log(log.rows()).restorations) == declared
    anchors.close()


def test_verify_tells_of_a_restoration_that_only_the_anchor_was_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, heads = open_log(tmp_path / "house"), tmp_path / "heads"
    anchor_at(str(heads)).keep(mark(9, log_id=log.log_id))
    Anchors(log, [anchor_at(str(heads))]).restored(head_of(log), head_of(log))
    log.close()
    assert main(["verify", str(tmp_path / "house" / "log.sqlite"), "--anchor", str(heads)]) == 1
    printed = capsys.readouterr().out
    assert "no entry of the log records this restoration: the log was cut" in printed
    assert "NOT INTACT: 1 fault" in printed


def test_a_restoration_done_twice_or_told_to_two_anchors_is_recorded_once() -> None:
    log = MemoryLog()
    interrupted = mark(5, log_id=log.log_id, lost=mark(9).name)
    _record(log, interrupted.name, mark(4).name)
    again = mark(2, log_id=log.log_id, hash_=head_of(log).hash, lost=interrupted.name)
    behind = mark(2, log_id=log.log_id, hash_=head_of(log).hash, lost=mark(4).name)  # in an anchor that had less
    recorded = verify_log(log.rows()).restorations
    assert unrecorded_restorations([interrupted, again, behind], recorded) == []
    log.append([draft(0)])
    cut = mark(3, log_id=log.log_id, hash_=head_of(log).hash, lost=mark(4).name)  # no entry excuses a cut after it
    other = mark(2, log_id=log.log_id, hash_=again.hash, lost=mark(7).name)  # nor another head than it gives up
    assert unrecorded_restorations([interrupted, again, cut, other], recorded) == [cut, other]
    odd = mark(2, log_id=log.log_id, lost="x:y")
    assert unrecorded_restorations([odd], recorded) == [odd]
