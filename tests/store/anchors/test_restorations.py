"""Restorations: what an anchor is told of one must stand in the log, or nothing is dealt and `verify` tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.cli.main import main
from passline.store.anchors.anchors import Anchors, anchor_at, marks_in_anchors
from passline.store.anchors.marks import Mark, unrecorded_restorations
from passline.store.data_folder import open_log
from passline.store.genesis import LogRestored, ReplacedRestoration, restoring_draft
from passline.store.keys import SigningKey
from passline.store.log import LogError
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.verify import verify_log
from tests.store.anchors.heads import head_of, mark
from tests.store.drafts import draft


def _record(log: Log, lost: str, *also_lost: str, replaced: tuple[Mark, ...] = ()) -> LogRestored:
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
        replaced=tuple(ReplacedRestoration(one.name, one.lost, one.at) for one in replaced),
    )
    log.append([restoring_draft(event, expected=log.streams()["house"])])
    return event


def _restore(log: Log, *places: str) -> None:
    """Do what a restoration does to a log and to its anchors."""
    anchors = Anchors.at(log, places)
    given_up = anchors.given_up()
    heads = [f"{head.sequence}:{head.hash}" for head in given_up.heads]
    record = _record(log, *(heads or ["0:"]), replaced=given_up.restorations)
    recorded = head_of(log)
    log.append([draft(log.streams().get("table/one", 0))])  # what a restoration does besides
    anchors.tell_restoration(record, recorded, head_of(log))
    anchors.close()


def _log(entries: int = 0) -> MemoryLog:
    """Return a log that is the same each time."""
    log = MemoryLog(SigningKey(bytes(32)), log_id="a-log", at="2026-11-15T08:00:00.000000Z")
    for version in range(entries):
        log.append([draft(version)])
    return log


def _copy_of(log: MemoryLog, until: int) -> MemoryLog:
    """Return a copy of a log up to an entry: a backup of then, or what is left once somebody cut it."""
    copy = _log()
    copy.insert([*log.read(after=1, until=until)])
    return copy


def _why_not(log: Log, where: str) -> str:
    """Return why a server does not start on a log with this anchor; empty if it does."""
    anchors = Anchors.at(log, [where])
    try:
        anchors.check_start()
    except LogError as error:
        return str(error)
    finally:
        anchors.close()
    return ""


def _faults(log: Log, where: str) -> list[str]:
    """Return what `verify --anchor` finds."""
    heads, [declared] = marks_in_anchors([where], log.log_id)
    report = verify_log(log.rows(), log.public_key, also=heads)
    return [one.what for one in report.faults] + [
        mark.name for mark in unrecorded_restorations(declared, report.restorations)
    ]


def test_a_restoration_gives_up_the_longer_head_and_only_that_one(where: str) -> None:
    anchor, log = anchor_at(where), MemoryLog()
    for sequence in (3, 9):
        anchor.keep(mark(sequence, log_id=log.log_id))
    anchors = Anchors(log, [anchor])
    with pytest.raises(LogError, match="it ends at 1:"):
        anchors.check_start()
    record = _record(log, mark(9).name)
    recorded = head_of(log)
    log.append([draft(0)])  # what a restoration does besides
    anchors.tell_restoration(record, recorded, head_of(log))
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
    anchor.keep(replace(_mark(log), lost=mark(9).name))
    with pytest.raises(LogError, match=r"head 9:0+9 was given up, but no entry of the log records this restoration"):
        anchors.check_start()
    assert "records this restoration" in anchors._look(), "a running server deals nothing either"
    heads, [declared] = marks_in_anchors([where], log.log_id)
    assert verify_log(log.rows(), log.public_key, also=heads).is_intact, "which is why it must be compared"
    assert unrecorded_restorations(declared, verify_log(log.rows()).restorations) == declared
    anchors.close()


def test_verify_tells_of_a_restoration_that_only_the_anchor_was_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, heads = open_log(tmp_path / "house"), tmp_path / "heads"
    anchor_at(str(heads)).keep(mark(9, log_id=log.log_id))
    anchor_at(str(heads)).keep(replace(_mark(log), lost=mark(9).name))
    log.close()
    assert main(["verify", str(tmp_path / "house" / "log.sqlite"), "--anchor", str(heads)]) == 1
    printed = capsys.readouterr().out
    assert "no entry of the log records this restoration: the log was cut" in printed
    assert "NOT INTACT: 1 fault" in printed


def _mark(log: Log) -> Mark:
    head = head_of(log)
    return Mark(log.log_id, head.sequence, head.hash, head.seal, "2026-11-15T08:00:00.000000Z")


def test_a_restoration_done_twice_or_told_to_two_anchors_is_recorded_once() -> None:
    log = MemoryLog()
    interrupted = mark(5, log_id=log.log_id, lost=mark(9).name)
    _record(log, interrupted.name, mark(4).name)
    again = mark(2, log_id=log.log_id, hash_=head_of(log).hash, lost=interrupted.name)
    behind = mark(2, log_id=log.log_id, hash_=head_of(log).hash, lost=mark(4).name)  # in an anchor that had less
    recorded = verify_log(log.rows()).restorations
    assert unrecorded_restorations([interrupted, again], recorded) == [], "as programs recorded it before 2026-11"
    assert unrecorded_restorations([behind], recorded) == []
    assert unrecorded_restorations([again, interrupted], recorded) == [interrupted], "told after it, it is a lie"
    log.append([draft(0)])
    cut = mark(3, log_id=log.log_id, hash_=head_of(log).hash, lost=mark(4).name)  # no entry excuses a cut after it
    other = mark(2, log_id=log.log_id, hash_=again.hash, lost=mark(7).name)  # nor another head than it gives up
    assert unrecorded_restorations([interrupted, again, cut, other], recorded) == [cut, other]
    odd = mark(2, log_id=log.log_id, lost="x:y")
    assert unrecorded_restorations([odd], recorded) == [odd]


def test_a_backup_may_be_restored_any_number_of_times(where: str) -> None:
    """Each time the anchor had been told more, and each time the log says what was lost at the first."""
    whole = _log(8)
    anchors = Anchors.at(whole, [where])
    anchors.keep(head_of(whole))
    anchors.close()
    for _ in range(4):
        log = _copy_of(whole, 4)
        _restore(log, where)
        assert _faults(log, where) == []
        assert _why_not(log, where) == ""
        [(_, record)] = verify_log(log.rows()).restorations
        assert record.sequence == 4
        if not where.startswith("http"):  # a webhook tells only what it holds now
            assert record.lost_sequence == 9
    newer = _copy_of(whole, 7)
    _restore(newer, where)
    assert _faults(newer, where) == []
    assert _faults(log, where) != [], "of two houses with one log one is right"


def test_a_restoration_that_told_only_one_of_two_anchors_is_done_again(tmp_path: Path) -> None:
    """Each anchor is told what it held itself, and the log answers for all of it."""
    first, second = (str(tmp_path / name) for name in ("first", "second"))
    whole = _log(8)
    for where, until in ((first, 9), (second, 6)):
        anchor_at(where).keep(_mark(_copy_of(whole, until)))
    _restore(_copy_of(whole, 4), first)  # and died
    log = _copy_of(whole, 5)
    _restore(log, first, second)
    assert [_faults(log, where) for where in (first, second)] == [[], []]
    assert [_why_not(log, where) for where in (first, second)] == ["", ""]
    [(_, record)] = verify_log(log.rows()).restorations
    told = [anchor_at(where).restoration_marks("a-log")[-1].lost for where in (first, second)]
    assert told[1] == _mark(_copy_of(whole, 6)).name
    assert {*told, _mark(whole).name} <= set(record.given_up)


def test_a_log_is_not_cut_by_telling_of_a_restoration_that_was_replaced(where: str) -> None:
    """The attack: tell an anchor again of a restoration that the log answers for, then of the head to cut it to."""
    whole = _log(8)
    anchor = anchor_at(where)
    anchor.keep(_mark(whole))
    interrupted, log = _copy_of(whole, 4), _copy_of(whole, 4)
    _restore(interrupted, where)
    _restore(log, where)
    [(entry, record)] = verify_log(log.rows()).restorations
    recorded = mark(entry.sequence, hash_=entry.hash)
    for version in range(4, 9):
        log.append([draft(version)])
    anchor.keep(_mark(log))
    cut = _copy_of(log, 8)
    told = [
        *anchor.restoration_marks("a-log"),
        *(replace(recorded, lost=lost) for lost in sorted(record.accounted_heads)),
    ]
    assert told
    for one in told:
        anchor.keep(one)
        anchor.keep(_mark(cut))
        assert _faults(cut, where) != [], one
        assert re.search(r"cut or replaced by an older copy|no entry of the log records", _why_not(cut, where))
    anchor.close()


def test_a_house_whose_anchor_was_lied_to_is_served_again_once_it_is_restored(where: str) -> None:
    """The remedy that is advised must end the trouble, whatever the anchor was told, and leave it on record."""
    whole = _log(8)
    anchor = anchor_at(where)
    for lie in (
        _mark(whole),
        replace(_mark(_copy_of(whole, 4)), lost=_mark(whole).name),
        mark(6, lost=_mark(_copy_of(whole, 3)).name),
        replace(_mark(_copy_of(whole, 3)), lost=_mark(_copy_of(whole, 2)).name),
        mark(7, lost="x:y"),
        mark(2**62, lost="-1:00"),
    ):
        anchor.keep(lie)
        log = _copy_of(whole, 7)
        assert _why_not(log, where)
        _restore(log, where)
        assert _faults(log, where) == []
        assert _why_not(log, where) == ""
        [(_, record)] = verify_log(log.rows()).restorations
        assert not lie.lost or lie.lost in {one.lost for one in record.replaced}
    anchor.close()


def test_an_old_house_that_still_writes_is_noticed_before_the_anchor_is_told(where: str) -> None:
    whole, log = _log(8), _log(2)
    anchor = anchor_at(where)
    anchor.keep(_mark(_copy_of(whole, 6)))
    anchors = Anchors.at(log, [where])
    heads = [f"{head.sequence}:{head.hash}" for head in anchors.given_up().heads]
    record = _record(log, *heads)
    anchor.keep(_mark(whole))
    with pytest.raises(LogError, match="a server of the old house still runs"):
        anchors.tell_restoration(record, head_of(log), head_of(log))
    assert anchor.newest("a-log") == _mark(whole)
    anchors.close()
    anchor.close()
