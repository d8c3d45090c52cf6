"""What an upgrade finds in a log: who wrote it, which tables it has, and where the rulebook of each is."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passline.rules.pages.texts import Pages, past_pages
from passline.store.entry import LogRow
from passline.store.sealed import stored_of
from passline.tables.entries import HOUSE_CODEC, is_house, is_table, table_entry
from passline.tables.house_events import RulebookKept, ServerStarted
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import known_rulebook
from passline.tables.views.dealt_by import installed_digest

_SHOWN = 12  # digits of a digest


class OldRulebook(Struct, frozen=True):
    """A rulebook under which tables of a log were dealt, and where its text is."""

    name: str
    digest: str
    is_installed: bool
    is_kept: bool  # in the log
    pages: Pages | None  # its text, where this program or a folder has it
    release: str = ""  # of this program that had it

    @property
    def is_known(self) -> bool:
        """Whether entries are verified under this very text."""
        return self.is_installed or self.is_kept or self.pages is not None

    def __str__(self) -> str:
        title = f"{self.name} {self.digest[:_SHOWN]}"
        if self.is_installed:
            return f"{title}: as it is installed"
        of = f", that of passline {self.release}" if self.release else ""
        return f"{title}{of}: {'kept in the log' if self.is_kept else 'NOT kept in the log'}"


class LogSurvey(Struct, frozen=True):
    """A survey of a log before this version serves it: its programs, tables and rulebooks."""

    entries: int
    programs: tuple[str, ...]  # versions, in their order; none: it was written before servers recorded theirs
    tables: dict[str, LiveTable]
    rulebooks: tuple[OldRulebook, ...]

    @property
    def to_keep(self) -> tuple[Pages, ...]:
        """The rulebooks that the log does not keep, and that an upgrade can keep in it."""
        return tuple(book.pages for book in self.rulebooks if book.pages is not None and not book.is_kept)

    @property
    def unknown(self) -> tuple[OldRulebook, ...]:
        """The rulebooks whose text is nowhere."""
        return tuple(book for book in self.rulebooks if not book.is_known)


def survey_log(rows: Iterable[LogRow], found: Iterable[Pages] = ()) -> LogSurvey:
    """Read a whole log; `found` are rulebooks that lie elsewhere, such as in the checkout of the old version."""
    entries, programs, kept = 0, dict[str, None](), set[str]()
    tables, dealt = dict[str, LiveTable](), dict[str, str]()
    for row in rows:
        entry = stored_of(row).entry
        entries += 1
        if is_house(entry):
            for event in HOUSE_CODEC.events(entry):
                programs |= {event.program: None} if isinstance(event, ServerStarted) else {}
                kept |= {event.digest} if isinstance(event, RulebookKept) else set()
        elif is_table(entry):
            live = tables[entry.stream] = table_entry(tables.get(entry.stream), entry).after
            dealt[live.rulebook] = live.house["rules"]
    elsewhere = {pages.digest: pages for pages in found}
    books = tuple(_rulebook(name, digest, kept, elsewhere) for digest, name in dealt.items())
    return LogSurvey(entries, tuple(programs), {live.id: live for live in tables.values()}, books)


def _rulebook(name: str, digest: str, kept: set[str], elsewhere: dict[str, Pages]) -> OldRulebook:
    release, pages = past_pages().get(digest, ("", elsewhere.get(digest)))
    is_installed = installed_digest(name) == digest
    is_kept = digest in kept and known_rulebook(digest, name) is not None
    return OldRulebook(name, digest, is_installed, is_kept, pages, release)
