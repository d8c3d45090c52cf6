"""All anchors of a server: what they hold is compared with the log, and new heads follow."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic

from msgspec.structs import replace

from passline.store.address import ANY_DATABASE, is_database, is_server
from passline.store.anchors.marks import (
    Anchor,
    Mark,
    MissingFromLog,
    head_named,
    unrecorded_restorations,
    unrecorded_words,
)
from passline.store.anchors.places import FileAnchor, PostgresAnchor, PrintedAnchor, WebhookAnchor
from passline.store.data_folder import MARK_FILE, anchors_of, note_anchor
from passline.store.entry import Head
from passline.store.genesis import HOUSE, LogRestored, event_in
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.store.timestamps import utc_now

BEHIND = "the log is behind its anchor, so nothing is dealt; the server's own log says what to do"
"""What everybody may read; `check_behind` names places."""
_log = logging.getLogger(__name__)
_PACE_SECONDS = 1.0  # between two heads that nobody waits for
_LOOK_SECONDS = 5.0  # between two looks at the log and the anchors when nothing happens
_PRINT, _FILE = "print:", "file:"


def anchor_at(where: str) -> Anchor:
    """Return the anchor at a place: a file, a database, a webhook, or print: with a device or without.

    >>> anchor_at("ftp://example.org")
    Traceback (most recent call last):
    passline.store.log.LogError: --anchor ftp://example.org: must be a file, postgresql://..., https://... or print:
    """
    if is_database(where):
        return PostgresAnchor(where)
    if is_server(where):
        return WebhookAnchor(where)
    if where.startswith(_PRINT):
        device = where.removeprefix(_PRINT)
        return PrintedAnchor(Path(device) if device else None)
    if not where or "://" in where:
        raise LogError(f"--anchor {where}: must be a file, {ANY_DATABASE}, https://... or print:")
    return FileAnchor(Path(where.removeprefix(_FILE)))


def marks_in_anchors(places: Iterable[str], log_id: str) -> tuple[list[Head], list[list[Mark]]]:
    """Return the newest head of a log in each of some places, and the marks of restorations of each, in their order.

    Raise LogError where there is no head.
    """
    heads, declared = list[Head](), list[list[Mark]]()
    for where in places:
        anchor = anchor_at(where)
        try:
            mark = anchor.newest(log_id)
            declared.append(anchor.restoration_marks(log_id))
        finally:
            anchor.close()
        if mark is None:
            raise LogError(f"anchor {anchor.name}: holds no head of log {log_id}: is it the anchor of this log?")
        heads.append(mark.head)
    return heads, declared


class Anchors:
    """The anchors of one log, usable by several threads. Without any, every method does nothing.

    >>> anchors = Anchors()
    >>> anchors.follow(Head(1, "", "")), anchors.newest(), anchors.check_behind()
    (None, None, '')
    """

    def __init__(
        self,
        log: Log | None = None,
        places: Sequence[Anchor] = (),
        *,
        data: Path | None = None,
        pace: float = _PACE_SECONDS,
    ) -> None:
        self._log, self._places, self._pace = log, tuple(places), pace
        self._data = data  # the folder that remembers which anchors have held a head, if any
        self.fault = ""  # why an anchor did not take the newest head; for /health
        self._behind = ""
        self._believed = list[list[Mark]]()  # restorations that the log records, by place
        self._newest: Head | None = None  # the newest head of the log that is to be kept
        self._kept = dict.fromkeys(self._places, (0, -1e9))  # by place: its newest sequence, and when
        self._locks = {place: Lock() for place in self._places}
        self._is_wanted, self._is_closed = Event(), Event()
        self._thread: Thread | None = None

    @classmethod
    def at(cls, log: Log, places: Iterable[str], data: Path | None = None) -> Anchors:
        """Return the anchors at some places; see `anchor_at`. The data folder remembers which have held a head."""
        return cls(log, [anchor_at(where) for where in places], data=data)

    def __bool__(self) -> bool:
        """Return whether there is any anchor."""
        return bool(self._places)

    def keep(self, head: Head) -> None:
        """Keep a head in every anchor, durably; raise LogError if one does not take it.

        Heads of several callers go together: a later head vouches for an earlier one. A head that the log's key did
        not seal, or that does not continue what this process wrote or verified, is refused: an anchor never forgets.
        """
        if self._behind:
            raise LogError(self._behind)
        self._check_own(head)
        faults = []
        for place in self._places:
            try:
                self._keep_at(place, head)
            except LogError as error:
                faults.append(str(error))
        if faults:
            self._keep_failures(faults)
            raise LogError(self.fault)

    def follow(self, _head: Head) -> None:
        """Have the newest head kept soon, in the background: there is a new one."""
        if self._places:
            self._is_wanted.set()

    def newest(self) -> Head | None:
        """Return the newest head of this log in any anchor that can be read; raise LogError if one does not answer."""
        marks = (place.newest(self._log_id) for place in self._readable)
        return max((mark.head for mark in marks if mark), key=lambda head: head.sequence, default=None)

    def check_behind(self) -> str:
        """Return why nothing may be dealt: the log is behind an anchor or different; empty if all is well.

        It is cheap: the anchors are read in the background every few seconds.
        """
        return self._behind

    def check_start(self) -> list[str]:
        """Raise LogError if the log is behind an anchor, or different, or if that cannot be told.

        An anchor that has held a head and holds none now was emptied or replaced, so it cannot tell. Return what the
        operator should know, such as an anchor that is new.
        """
        notes, held = [], anchors_of(self._data) if self._data else frozenset[str]()
        for place in self._places:
            if not place.is_readable:
                continue
            mark = place.newest(self._log_id)
            if mark is None and place.name in held:
                raise LogError(self._emptied_words(place))
            if mark is None:
                others = place.log_ids() if isinstance(place, FileAnchor) else set()
                other = f", only of {', '.join(sorted(others))}" if others else ""
                notes.append(f"anchor {place.name} holds no head of this log yet{other}; it begins now")
            elif why := self._why_behind(place, mark):
                raise LogError(why)
            elif self._data:
                note_anchor(self._data, place.name)
        if why := self._why_unrecorded():
            raise LogError(why)
        return notes

    def given_up(self) -> MissingFromLog:
        """Return what the anchors hold and the log does not have, as a restoration gives it up.

        These are heads, and restorations that were cut short after an anchor was told, or whose log is no longer used.
        """
        recorded = self._restorations_on_record()
        heads, restorations = dict[str, Head](), dict[tuple[str, str], Mark]()
        for place in self._readable:
            untold = unrecorded_restorations(place.restoration_marks(self._log_id), recorded)
            restorations |= {(mark.name, mark.lost): mark for mark in untold}
            newest = place.newest(self._log_id)
            held = [head_named(mark.lost) for mark in untold] + [mark.head for mark in (*untold, newest) if mark]
            heads |= {f"{head.sequence}:{head.hash}": head for head in held if head and not self._has(head)}
        longest_first = sorted(heads.values(), key=lambda head: (-head.sequence, head.hash))
        return MissingFromLog(tuple(longest_first), tuple(restorations.values()))

    def tell_restoration(self, record: LogRestored, recorded: Head, head: Head) -> None:
        """Tell every anchor of a restoration: the log records it at the head `recorded`, and ends at `head` now.

        The process may die between any two marks: whatever an anchor was told by then, the next restoration gives up.
        """
        given_up = {place: self._given_up_at(place, record) for place in self._places}  # all, before any is told
        for place, lost in given_up.items():
            if lost:
                place.keep(replace(self._mark(recorded), lost=lost))
            place.keep(self._mark(head))
            newest = place.newest(self._log_id) if place.is_readable else None
            if newest is not None and newest.name != self._mark(head).name:
                raise LogError(self._still_written(place, newest.name))

    def _given_up_at(self, place: Anchor, record: LogRestored) -> str:
        """Return the head that an anchor is told is given up, if any: what it holds and the log does not have."""
        if not place.is_readable:
            return next(iter(record.given_up), "")
        newest = place.newest(self._log_id)
        untold = unrecorded_restorations(place.restoration_marks(self._log_id), self._restorations_on_record())
        lost = newest.name if newest and not self._has(newest.head) else untold[-1].lost if untold else ""
        if lost and lost not in record.accounted_heads:
            raise LogError(self._still_written(place, lost))
        return lost

    @staticmethod
    def _still_written(place: Anchor, name: str) -> str:
        return (
            f"anchor {place.name} was told of {name} while the log was being restored: a server of the old house still "
            "runs, or another restoration; stop it for good, then restore again"
        )

    def start(self) -> None:
        """Begin to follow the log in the background."""
        if self._places and self._thread is None:
            self._thread = Thread(target=self._run, name="passline-anchors", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Keep the newest head, then stop."""
        self._is_closed.set()
        self._is_wanted.set()
        if self._thread is not None:
            self._thread.join()
            self._follow_once(is_last=True)
        for place in self._places:
            place.close()

    @property
    def status(self) -> str:
        """How the anchors are, in a word that names no place: none, kept or failing."""
        return ("failing" if self.fault else "kept") if self._places else "none"

    def notes_on(self, data: Path) -> list[str]:
        """Return which files are on the same volume as the log, where they are little help."""
        return [
            f"anchor {place.name} is on the same volume as {data}: whoever can change one can change the other"
            for place in self._places
            if isinstance(place, FileAnchor) and place.path.parent.stat().st_dev == data.stat().st_dev
        ]

    @property
    def _log_id(self) -> str:
        assert self._log is not None, "anchors need a log"
        return self._log.log_id

    def _check_own(self, head: Head) -> None:
        """Raise LogError unless a head is the log's own."""
        if self._places and self._log is not None and not self._log.is_own(head):
            raise LogError(
                f"the head {head.sequence}:{head.hash} is not sealed by the log's key, so it is not anchored: "
                "something else writes to the log's database; run passline verify on the log"
            )

    def _want(self, head: Head) -> Head:
        newest = self._newest
        if newest is None or head.sequence > newest.sequence:
            self._newest = newest = head
        return newest

    def _keep_at(self, place: Anchor, head: Head) -> None:
        self._want(head)
        with self._locks[place]:
            if self._kept[place][0] < head.sequence:
                newest = self._want(head)  # perhaps a later one, of somebody who waits too
                place.keep(self._mark(newest))
                if self._data and place.is_readable and not self._kept[place][0]:
                    note_anchor(self._data, place.name)
                self._kept[place] = newest.sequence, monotonic()

    def _mark(self, head: Head) -> Mark:
        return Mark(self._log_id, head.sequence, head.hash, head.seal, utc_now())

    @property
    def _readable(self) -> list[Anchor]:
        return [place for place in self._places if place.is_readable]

    def _has(self, head: Head) -> bool:
        """Return whether the log has a head."""
        assert self._log is not None
        last = self._log.head()
        if last is None or not 1 <= head.sequence <= last.sequence:
            return False
        row = next(self._log.rows(after=head.sequence - 1, until=head.sequence), None)
        return row is not None and row.hash.hex() == head.hash

    def _restorations_on_record(self) -> list[tuple[Head, LogRestored]]:
        """Return the restorations that the log records, each with the head at its entry."""
        assert self._log is not None
        return [
            (Head(stored.entry.sequence, stored.hash.hex(), ""), found)
            for stored in self._log.read_stream(HOUSE)
            if (found := event_in(stored.entry, LogRestored)) is not None
        ]

    def _why_behind(self, place: Anchor, mark: Mark) -> str:
        """Return in words why the log does not contain a head, or an empty string."""
        assert self._log is not None
        head = self._log.head() or Head(0, "", "")
        held = f"anchor {place.name} holds {mark.name}, kept at {mark.at}"
        remedy = (
            "find out what happened to the database; put the right one back, or restore the newest backup with "
            "passline restore --anchor, which records what is lost; nothing is dealt until then"
        )
        if head.sequence < mark.sequence:
            return (
                f"the log was cut or replaced by an older copy: it ends at {head.sequence}:{head.hash}, but {held}: "
                f"{remedy}"
            )
        row = next(self._log.rows(after=mark.sequence - 1, until=mark.sequence), None)
        if row is None or row.hash.hex() != mark.hash:
            found = row.hash.hex() if row else "nothing"
            return f"the log is not the one that was anchored: it has {mark.sequence}:{found}, but {held}: {remedy}"
        return ""

    def _run(self) -> None:
        while not self._is_closed.is_set():
            self._is_wanted.wait(_LOOK_SECONDS)
            self._is_wanted.clear()
            self._follow_once()
            self._is_closed.wait(self._pace)

    def _follow_once(self, *, is_last: bool = False) -> None:
        """Keep the newest head where its time has come, and compare the anchors with the log."""
        assert self._log is not None
        faults = []
        try:
            behind = self._look()
            if behind and behind != self._behind:
                _log.error("the log is behind its anchor: %s", behind)
            self._behind = behind
            head = self._log.head()  # also what other processes and the people's stream wrote
            if head is not None and not self._behind:
                self._check_own(head)
        except LogError as error:
            faults.append(str(error))
            head = None
        if head is not None and not self._behind:  # a wrong log must not be vouched for
            for place in self._places:
                if is_last or monotonic() - self._kept[place][1] >= place.pace:
                    try:
                        self._keep_at(place, head)
                    except LogError as error:
                        faults.append(str(error))
        self._keep_failures(faults)

    def _keep_failures(self, faults: list[str]) -> None:
        """Keep why anchors failed, if they did, and log it once."""
        fault = "; ".join(faults)
        if fault and fault != self.fault:
            _log.error("a head was not anchored: %s", fault)
        self.fault = fault

    def _look(self) -> str:
        """Compare what the anchors hold with the log."""
        for place in self._places:
            if place.is_readable:
                mark = place.newest(self._log_id)
                is_emptied = mark is None and self._kept[place][0] > 0
                if why := self._emptied_words(place) if is_emptied else self._why_behind(place, mark) if mark else "":
                    return why
        return self._why_unrecorded()

    def _why_unrecorded(self) -> str:
        """Return in words why a restoration that an anchor was told of is not believed, or an empty string."""
        declared = [place.restoration_marks(self._log_id) for place in self._readable]
        if declared == self._believed or not any(declared):
            return ""
        recorded = self._restorations_on_record()
        if unrecorded := [mark for marks in declared for mark in unrecorded_restorations(marks, recorded)]:
            return (
                f"entry {unrecorded[0].sequence} {unrecorded_words(unrecorded[0])}: find out by whom; put the right "
                "log back, or restore the newest backup with passline restore --anchor, which records what is lost; "
                "nothing is dealt until then"
            )
        self._believed = declared
        return ""

    def _emptied_words(self, place: Anchor) -> str:
        mark_file = self._data / MARK_FILE if self._data else MARK_FILE
        return (
            f"anchor {place.name} has held heads of this log and holds none now: it was emptied or replaced. Put it "
            "back; if it is lost, stop the server, run passline verify with a head from elsewhere (another anchor, a "
            f"printed line), then remove the anchor's name from {mark_file} to begin it anew"
        )
