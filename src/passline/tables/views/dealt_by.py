"""What `verify` reports of a log: which program and rulebook dealt each part of it, and when the clock jumped."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from msgspec import MsgspecError, Struct

from passline.errors import CrapsError
from passline.rules.pages.amendments import texts_of
from passline.rules.pages.texts import past_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.store.entry import LogRow
from passline.store.sealed import stored_of
from passline.store.timestamps import CLOCK_SECONDS_MAX
from passline.tables.entries import HOUSE_CODEC, is_house
from passline.tables.house_events import ClockJumped, HouseEvent, ServerStarted
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import known_rulebook
from passline.tables.views.wording import house_lines
from passline.version import __version__

_SHOWN = 12  # digits of a digest
_TABLES_SHOWN = 4


class Program(Struct, frozen=True):
    """A program that serves a log: its version, the digest of its source, and the Python that runs it."""

    version: str = ""
    code: str = ""
    python: str = ""

    def __str__(self) -> str:
        code = f" (code {self.code[:_SHOWN]})" if self.code else ""
        return f"passline {self.version}{code}" if self.version else "a program that did not record its version"


@cache
def this_program() -> Program:
    """Return the program that is running; its code's digest is over every file of the package.

    >>> len(this_program().code), len(this_program().version.split(".")[:3])
    (64, 3)
    """
    return Program(__version__, digest_of_package(Path(str(files("passline")))), platform.python_version())


def digest_of_package(root: Path) -> str:
    """Return the digest of every file of a package, whatever its kind, but for hidden ones and caches."""
    digest = sha256()
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.startswith("."))
        for path in (Path(folder, name) for name in sorted(names) if not name.startswith(".")):
            if path.suffix != ".pyc":
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class DealtPart(Struct):
    """Entries of one table that one program wrote under one rulebook."""

    table: str
    first: int  # sequence numbers
    last: int
    entries: int
    program: Program
    regulation: str
    rulebook: str  # its digest
    is_kept: bool  # whether the log keeps that rulebook


class DealtBy:
    """Collects the parts of a log while it is verified."""

    def __init__(self) -> None:
        self.parts: list[DealtPart] = []
        self.foreign: list[str] = []  # what else was run by another text than the installed one, in words
        self._of_other_versions: list[str] = []  # the same, where another version of the program ran it
        self._program = Program()
        self._newest: dict[str, DealtPart] = {}

    @property
    def program(self) -> Program:
        """The program that serves, as far as the log was read."""
        return self._program

    def house(self, events: Iterable[HouseEvent]) -> None:
        """Record which program serves from here on."""
        for event in events:
            if isinstance(event, ServerStarted):
                self._program = Program(event.program, event.code, event.python)

    def table(self, live: LiveTable, first: int, last: int, count: int, *, is_kept: bool) -> None:
        """Record so many entries of a table, dealt under the rulebook that it has after them."""
        part = self._newest.get(live.id)
        if part is None or (part.program, part.rulebook) != (self._program, live.rulebook):
            where = (live.id, first, last, 0, self._program, live.house["rules"], live.rulebook)
            part = self._newest[live.id] = DealtPart(*where, is_kept)
            self.parts.append(part)
        part.last, part.entries, part.is_kept = last, part.entries + count, part.is_kept or is_kept

    def lines(self) -> Iterator[str]:
        """Yield which program and rulebook dealt which entries; tables with the same two share a line."""
        for parts in self._alike():
            first, tables = parts[0], sorted({part.table for part in parts})
            more = f" and {len(tables) - _TABLES_SHOWN} more" if len(tables) > _TABLES_SHOWN else ""
            yield (
                f"{_range(parts)} of {', '.join(tables[:_TABLES_SHOWN])}{more}: dealt by {first.program} "
                f"under {first.regulation} {first.rulebook[:_SHOWN]}"
            )

    def note_foreign(self, text: str) -> None:
        """Record, in words, that something was run by another text than the installed one."""
        (self._of_other_versions if _is_other_version(self._program) else self.foreign).append(text)

    def notes(self) -> Iterator[str]:
        """Yield the differences that come from another version of the program, which are normal after an upgrade."""
        yield from self._of_other_versions
        yield from (said for said, is_grave in self._differences() if not is_grave)

    def warnings(self) -> Iterator[str]:
        """Yield what no upgrade explains: a program or rulebook of this version that differs from the installed one."""
        yield from self.foreign
        yield from (said for said, is_grave in self._differences() if is_grave)

    def _differences(self) -> Iterator[tuple[str, bool]]:
        """Yield where the program or a rulebook that dealt is not the one that is here, and whether that is grave.

        Another version has other code and may have another rulebook; that is grave only where the log keeps no copy.
        """
        here, by_program = this_program(), dict[Program, list[DealtPart]]()
        for part in self.parts:
            by_program.setdefault(part.program, []).append(part)
        for program, parts in by_program.items():
            if program.version and (program.version, program.code) != (here.version, here.code):
                yield f"{_range(parts)} were dealt by {program}; verified by {here}", not _is_other_version(program)
        for parts in self._alike():
            yield from _other_rulebook(parts)

    def _alike(self) -> list[list[DealtPart]]:
        found: dict[tuple[Program, str, str], list[DealtPart]] = {}
        for part in self.parts:
            found.setdefault((part.program, part.regulation, part.rulebook), []).append(part)
        return list(found.values())


def _is_other_version(program: Program) -> bool:
    return program.version not in {"", __version__}


def _other_rulebook(parts: list[DealtPart]) -> Iterator[tuple[str, bool]]:
    first, what = parts[0], _range(parts)
    installed = installed_digest(first.regulation)
    if first.rulebook == installed or first.rulebook in _installed_texts(first.regulation):
        return
    here_is = f"the installed rulebook of {first.regulation} is {installed[:_SHOWN] or 'unreadable'}"
    dealt = f"{here_is}; {what} were dealt"
    if first.is_kept:
        is_grave = not _is_other_version(first.program)
        yield f"{dealt} and are verified under {first.rulebook[:_SHOWN]}, kept in the log", is_grave
    elif first.rulebook in past_pages():
        release = past_pages()[first.rulebook][0]
        yield f"{dealt} and are verified under {first.rulebook[:_SHOWN]}, that of passline {release}", False
    elif known_rulebook(first.rulebook, first.regulation) is not None:
        yield f"{dealt} and are verified under {first.rulebook[:_SHOWN]}, which an upgrade kept in the log", False
    else:
        no_copy = f"{dealt} under {first.rulebook[:_SHOWN]}, of which the log keeps no copy, "
        yield f"{no_copy}and are verified under the installed one", True


def _range(parts: list[DealtPart]) -> str:
    first, last = min(part.first for part in parts), max(part.last for part in parts)
    count = sum(part.entries for part in parts)
    return f"{count:,} {'entry' if count == 1 else 'entries'} from {first} to {last}"


def _installed_texts(name: str) -> frozenset[str]:
    """Return the digests of the texts that an installed rulebook has on its days: of each, the log's part is sound."""
    try:
        texts = texts_of(name)
    except CrapsError:
        return frozenset()
    return frozenset(texts.on(day - before).digest for day in texts.days for before in (timedelta(1), timedelta(0)))


def installed_digest(name: str) -> str:
    """Return the digest of the rulebook that is installed under a name; empty if there is none, or it is unsound."""
    try:
        return rulebook_of(name).digest
    except CrapsError:
        return ""


_TAG = b'"clock-jumped/'  # most entries are not decoded at all


class RecordedJump(Struct, frozen=True):
    """A jump of the server's clock that is on record, in words."""

    sequence: int
    what: str
    milliseconds: int  # negative: it was set back

    @property
    def stopped_play(self) -> bool:
        """Whether the clock was then so far from the time of the house that nothing could be dealt."""
        return abs(self.milliseconds) > CLOCK_SECONDS_MAX * 1000


def jump_lines(jumps: Sequence[RecordedJump]) -> Iterator[str]:
    """Yield what is worth knowing of jumps: each that stopped play, and of the others together how many there were.

    The time of the house goes on steadily through a small one, such as a machine makes that sleeps or is moved.
    """
    small = [jump for jump in jumps if not jump.stopped_play]
    yield from (f"entry {jump.sequence}: {jump.what}" for jump in jumps if jump.stopped_play or len(small) == 1)
    if len(small) > 1:
        most = max(abs(jump.milliseconds) for jump in small) / 1000
        where = f"between entries {small[0].sequence} and {small[-1].sequence}"
        yield f"the server's clock was corrected {len(small)} times {where}, by {most:.1f} s at most; play went on"


def clock_jumps(rows: Iterable[LogRow]) -> list[RecordedJump]:
    """Return each jump with its entry, in words. The rows must be those of an intact log."""
    found = []
    for row in rows:
        if _TAG not in row.body or not is_house(entry := stored_of(row).entry):
            continue
        try:
            events = [event for event in HOUSE_CODEC.events(entry) if isinstance(event, ClockJumped)]
        except MsgspecError:  # a report may quote the tag
            continue
        told = zip(events, house_lines(events), strict=True)
        found += [RecordedJump(entry.sequence, line, event.milliseconds) for event, line in told]
    return found
