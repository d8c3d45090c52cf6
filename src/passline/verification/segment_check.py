"""Verifies the archived segments of a log at once, on all processors, each from what is known at the end of the last.

What a segment ends with must be, byte by byte, what the next one begins with, and the first begins with nothing: so all
of them together prove what reading the log in one piece proves. Where anything is otherwise, `NotInParts` says why, and
the log is read in one piece, which finds what is wrong and where.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO, Self

from msgspec import Struct

from passline.errors import CrapsError
from passline.office.views.authority import UNSIGNED
from passline.side_processes import cores_here
from passline.store.archived.database_log import DatabaseLog
from passline.store.archived.sealed_state import write_state
from passline.store.entry import Head, LogRow
from passline.store.export import row_to_json
from passline.store.log import LogError
from passline.store.log_place import LogPlace
from passline.store.named_segments import Segment
from passline.store.once import OnceInPart, is_once
from passline.store.verify import Fault, Report
from passline.streams.image import ImageError
from passline.tables.house_events import SERVER_STARTED
from passline.tables.views.dealt_by import this_program
from passline.verification.reading import KEEPS_RULES, LogReading, learn_rules

Told = Callable[[int], None]
"""Is called with how many more entries were checked."""
OTHER_ROWS = "others.rows"
"""The file, in the folder of `verify_parts`, of the rows that are not play at tables."""
_OF_TABLE = b'"stream":"table/'
_HEAD_BYTES = 64  # of an entry: its sequence and the beginning of its stream
_COLLECTED_AFTER = 50_000  # objects more; what is read is rarely a circle, and a process ends with its segments


class NotInParts(CrapsError):
    """Why a log is not verified by segments but in one piece."""


class LogInParts(Struct, frozen=True):
    """A log that was verified by segments: all that is known at its end."""

    reading: LogReading
    report: Report
    owed: list[str]
    faults: list[Fault]  # of decisions
    damages: list[str]  # of files


class _Task(Struct, frozen=True):
    """A segment to be checked by a process."""

    place: LogPlace
    segment: Segment
    before: Segment | None
    rules: tuple[bytes, ...]  # the entries of the whole log that keep rulebooks
    heads: tuple[Head, ...]
    key: bytes | None
    folder: Path  # for what it finds

    @property
    def keys_file(self) -> Path:
        """The file of what may come once."""
        return self.folder / f"{self.segment.number:06}.keys"

    @property
    def rows_file(self) -> Path:
        """The file of rows that are not play at tables."""
        return self.folder / f"{self.segment.number:06}.rows"


class _Checked(Struct, frozen=True):
    """What came of a segment."""

    entries: int
    faults: list[Fault]
    why_not: str = ""  # a reason to read the log in one piece


def seal_states(
    place: LogPlace, log: DatabaseLog, segments: Sequence[Segment], told: Told = lambda _count: None
) -> int:
    """Check the segments that have no state of this program yet, and seal what is known after each; return how many.

    Raise NotInParts at a segment that has a fault: its state and those after it are not sealed.
    """
    sealed = 0
    for segment in segments:
        try:
            if place.read_state(segment).program != this_program().code:
                break
        except (FileNotFoundError, LogError):
            break
        sealed += 1
    if sealed == len(segments):
        return 0
    reading = _reading_after(place, segments[sealed - 1] if sealed else None)
    learn_rules(_rules_in(place.rows(segments[sealed].first - 1)))
    for segment in segments[sealed:]:
        reading.read(place.segment_rows(segment), told, is_hashed=segment.first > 1)
        if reading.chain.has_faults or reading.faults:
            raise NotInParts(f"{segment.name} has faults, so that no state is sealed after it: run passline verify")
        write_state(log.archived.files, log, segment, reading.image(), this_program().code)
    return len(segments) - sealed


def verify_parts(
    place: LogPlace,
    segments: Sequence[Segment],
    folder: Path,
    *,
    key: bytes | None = None,
    heads: tuple[Head, ...] = (),
    processes: int = 0,
    told: Told = lambda _count: None,
) -> LogInParts:
    """Verify a log by its archived segments, on all processors (or so many), with files in a folder.

    Raise NotInParts where it must be read in one piece.
    """
    segments, keys = _segments_with_states(place, segments)
    reading = _reading_after(place, segments[-1], heads, key)
    rules = (*reading.rules, *_rules_in(place.rows(segments[-1].last)))
    tasks = [
        _Task(place, segment, before, rules, heads, key, folder)
        for before, segment in zip((None, *segments), segments, strict=False)
    ]
    learn_rules(rules)
    with _Pool(processes or cores_here()) as pool:
        pool.begin(tasks)
        others = folder / "tail.rows"
        with others.open("wb") as file:
            reading.read(place.rows(segments[-1].last), told, note=partial(_note_other, file))
        damages = place.damages(segments[-1].number)
        checked = pool.results(told)
    if why := next((each.why_not for each in checked if each.why_not), ""):
        raise NotInParts(why)
    if not keys <= reading.chain.keys:
        raise NotInParts("a state is sealed with another key than the log's")
    assert isinstance(reading.once, OnceInPart)
    reading.once.write(folder / "tail.keys")
    if not is_once([*(task.keys_file for task in tasks), folder / "tail.keys"]):
        raise NotInParts("an id or a key of the dice may have come twice")
    faults = [fault for each in checked for fault in each.faults] + reading.faults
    report, owed = reading.finish()
    if not report.is_intact:
        raise NotInParts("the log has faults")
    _join([*(task.rows_file for task in tasks), others], folder / OTHER_ROWS)
    return LogInParts(reading, report, owed, faults, damages)


def _segments_with_states(place: LogPlace, segments: Sequence[Segment]) -> tuple[list[Segment], set[bytes]]:
    """Return the first segments that have states of this program, and the keys that sealed those."""
    found, keys = list[Segment](), set[bytes]()
    for segment in segments:
        if not place.has_file(segment):
            raise NotInParts(f"the file of {segment.name} is missing")
        try:
            state = place.read_state(segment)
        except FileNotFoundError:
            break
        except LogError as error:
            raise NotInParts(str(error)) from error
        if state.program != this_program().code:
            break
        found.append(segment)
        keys.add(bytes.fromhex(state.key))
    if not found:
        raise NotInParts("no archived segment has a sealed state of this program: passline archive makes them")
    return found, keys


def _reading_after(
    place: LogPlace, segment: Segment | None, heads: tuple[Head, ...] = (), key: bytes | None = None
) -> LogReading:
    """Return a reading that goes on after a segment; None: from the log's beginning."""
    before = segment.last if segment else 0

    def look_up(sequence: int) -> bytes:
        row = place.row_at(sequence)
        return row.hash if row else b""

    reading = LogReading(heads, key, once=OnceInPart(), before=before, look_up=look_up)
    if segment is not None:
        try:
            reading.resume(place.read_state(segment).read_image())
        except (FileNotFoundError, ImageError, LogError) as error:
            raise NotInParts(f"the state after {segment.name} cannot be used: {error}") from error
    return reading


def note_others(rows: Iterable[LogRow], file: BinaryIO) -> Iterator[LogRow]:
    """Yield rows, and write those that are not play at tables into a file."""
    for row in rows:
        if not row.fault:
            _note_other(file, row)
        yield row


def _note_other(file: BinaryIO, row: LogRow) -> None:
    """Write a row into a file, unless it is play at a table."""
    if _OF_TABLE not in row.body[:_HEAD_BYTES] or UNSIGNED in row.body or SERVER_STARTED in row.body:
        file.write(row_to_json(row))


def _rules_in(rows: Iterable[LogRow]) -> tuple[bytes, ...]:
    return tuple(row.body for row in rows if any(mark in row.body for mark in KEEPS_RULES))


def _join(parts: Sequence[Path], whole: Path) -> None:
    with whole.open("wb") as file:
        for part in parts:
            file.write(part.read_bytes())


def _check_segment(task: _Task) -> _Checked:
    """Check a segment from what is known before it; what is known after it must be what its state has."""
    learn_rules(task.rules)
    segment = task.segment
    try:
        reading = _reading_after(task.place, task.before, task.heads, task.key)
        with task.rows_file.open("wb") as file:
            rows = task.place.segment_rows(segment)
            reading.read(rows, note=partial(_note_other, file), is_hashed=segment.first > 1)
        image = task.place.read_state(segment).read_image()
    except (FileNotFoundError, LogError, NotInParts) as error:
        return _Checked(0, [], str(error))
    if reading.chain.has_faults:
        return _Checked(0, [], f"{segment.name} has faults")
    assert isinstance(reading.once, OnceInPart)
    if damages := task.place.segment_damages(segment, reading.once.ids):
        return _Checked(0, [], damages[0])
    if reading.image() != image:
        return _Checked(0, [], f"the entries of {segment.name} do not lead to the state that is sealed after it")
    reading.once.write(task.keys_file)
    return _Checked(segment.last - segment.first + 1, reading.faults)


class _Pool:
    """Processes that check segments; with one, it is done here, one after another."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._executor: ProcessPoolExecutor | None = None
        self._tasks: Sequence[_Task] = ()
        self._futures: list[Future[_Checked]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)

    def begin(self, tasks: Sequence[_Task]) -> None:
        """Begin to check segments."""
        self._tasks = tasks
        if self._processes > 1:
            context = get_context("spawn")
            self._executor = ProcessPoolExecutor(self._processes, context, initializer=_prepare_process)
            self._futures = [self._executor.submit(_check_segment, task) for task in tasks]

    def results(self, told: Told) -> list[_Checked]:
        """Return what came of each segment, in their order; stop at the first that cannot be checked by itself."""
        if self._executor is None:
            found = []
            for task in self._tasks:
                found.append(_check_segment(task))
                told(found[-1].entries)
                if found[-1].why_not:
                    break
            return found
        try:
            for future in as_completed(self._futures):
                told(future.result().entries)
                if future.result().why_not:
                    return [future.result()]
        except BrokenExecutor as error:
            raise NotInParts(f"a process that checked a segment ended: {error}") from error
        return [future.result() for future in self._futures]


def _prepare_process() -> None:
    """Let Ctrl-C end a process at once, since whoever began it tells, and its collector leave alone what is loaded."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER)
