"""Watches the installed rulebooks: a table is dealt only while its own is installed, and stops when a file changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from msgspec import Struct

from passline.errors import CrapsError
from passline.game.refusal import Refusal, Refused
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_pages import Pages, RulebookError, installed_folder, read_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import learn_rulebook, rules_of

__all__ = ["RulebookWatch"]

# What a stopped table still takes: nothing of it is dealt, and adoption and closing judge for themselves.
_WHILE_STOPPED = (
    *(k.AdoptRulebook, k.CloseTable, k.FreezeTable, k.ReleaseTable, k.ReportConduct, k.ReportShown, k.OpenTable),
    *(k.TakeNonce, k.CompleteRoll, k.CommitDice, k.RenewDice),  # a throw whose wagers are closed is always completed
)
_SHOWN = 12  # digits of a digest


class _Seen(Struct, frozen=True):
    """The installed rulebooks as they were read once, by name."""

    pages: dict[str, Pages] = {}
    digests: dict[str, str] = {}
    found: dict[str, Rulebook | str] = {}  # a text says what is wrong


def _seen_now() -> _Seen:
    seen = _Seen({}, {}, {})
    for name in REGULATIONS:
        try:
            pages = read_pages(installed_folder(name))
            seen.pages[name], seen.digests[name] = pages, pages.digest
            seen.found[name] = learn_rulebook(pages)
        except CrapsError as error:
            seen.found[name] = str(error)
    return seen


class RulebookWatch:
    """The rulebooks as their files are now. `kept` returns the digests of those that the log keeps.

    >>> from asyncio import run
    >>> watch = RulebookWatch()
    >>> run(watch.look()), run(watch.look())  # whether a file changed
    (True, False)
    >>> watch.rulebook("maryland") is rulebook_of("maryland")
    True
    """

    def __init__(self, kept: Callable[[], Collection[str]] = frozenset) -> None:
        self._kept = kept
        self._seen = _Seen()

    async def look(self) -> bool:
        """Read every rulebook's files; return whether anything changed. No command is decided halfway through."""
        before, self._seen = self._seen, await asyncio.to_thread(_seen_now)
        return before.digests != self._seen.digests or before.found.keys() != self._seen.found.keys()

    @property
    def digests(self) -> dict[str, str]:
        """The digest of each installed rulebook, by name."""
        return self._seen.digests

    def rulebook(self, name: str) -> Rulebook:
        """Return the installed rulebook of a name; raise RulebookError if there is none, or it is unsound."""
        found = self._seen.found.get(name) or rulebook_of(name)
        if isinstance(found, str):
            raise RulebookError(found)
        return found

    def unkept(self, name: str) -> Pages | None:
        """Return the pages of an installed, sound rulebook that the log does not keep yet."""
        is_sound = isinstance(self._seen.found.get(name), Rulebook)
        return self._seen.pages[name] if is_sound and self.digests[name] not in self._kept() else None

    def stopped(self, live: LiveTable) -> str:
        """Return why a table is stopped, and what to do; nothing if its own rulebook is installed, or it is closed."""
        name = live.house["rules"]
        if live.status == "closed" or self.digests.get(name) == live.rulebook == rules_of(live).rulebook.digest:
            return ""
        now = f"{self.digests[name][:_SHOWN]} is installed" if name in self.digests else "none can be read"
        fault = self._seen.found.get(name)
        problem = f" ({fault})" if isinstance(fault, str) else ""
        return (
            f"the table is stopped: its {name} rulebook is {live.rulebook[:_SHOWN]}, but {now}{problem}; "
            "put its own files back, or have the owner adopt the installed ones with adopt-rulebook"
        )

    def unadopted(self, name: str, tables: Collection[LiveTable]) -> Refused | None:
        """Refuse to open a table if every open one of its regulation has another rulebook: nobody has adopted this."""
        others = {live.rulebook: live for live in tables if live.house["rules"] == name}
        if not others or self.digests.get(name, "") in {"", *others}:
            return None
        other = next(iter(others.values()))
        why = (
            f"the installed rulebook of {name} is {self.digests[name][:_SHOWN]}, but {other.name} is dealt under "
            f"{other.rulebook[:_SHOWN]}: put those files back, or have the owner adopt the installed ones there first"
        )
        return Refused((Refusal("house", why),))

    def refused(self, live: LiveTable | None, command: TableCommand) -> Refused | None:
        """Refuse what would be dealt under a rulebook other than the table's own, or under one that nobody kept."""
        name = ""
        if live is None or live.status == "closed":
            name = str(command.house.get("rules", "")) if isinstance(command, k.OpenTable) else ""
        elif isinstance(command, k.AdoptRulebook):
            name = live.house["rules"]
        elif type(command) not in _WHILE_STOPPED and (why := self.stopped(live)):
            return Refused((Refusal("house", why),))
        if name and self.unkept(name) is not None:
            why = f"the rulebook {self.digests[name][:_SHOWN]} of {name} is not in the log yet; ask again in a moment"
            return Refused((Refusal("house", why),))
        return None
