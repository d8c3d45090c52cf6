"""Watches the installed rulebooks: a table takes new stakes only while its own is installed, and stops when it changes.

A stopped table lets what is up be decided or taken down under its own rulebook, if the log keeps that: never another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from msgspec import Struct

from passline.errors import CrapsError
from passline.game import commands as c
from passline.game.decide import act
from passline.game.spots import removal_of
from passline.refusal import Refusal, Refused
from passline.rules.pages.library import folder_of, regulations
from passline.rules.pages.texts import Pages, RulebookError, read_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Rulebook
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import learn_rulebook, rules_of

# What a stopped table still takes: nothing of it is dealt, and adoption and closing judge for themselves.
_WHILE_STOPPED = frozenset(
    {
        *(k.AdoptRulebook, k.CloseTable, k.FreezeTable, k.ReleaseTable, k.ReportConduct, k.ReportShown, k.OpenTable),
        *(k.ReportIrregularity, k.DirectAction, k.ObserveAction, k.PutInDice, k.CondemnDice),
        *(k.EnterPaper, k.RatePlayer),  # what has happened
        *(k.TakeNonce, k.CompleteRoll, k.CommitDice, k.RenewDice),  # a throw whose wagers are closed is completed
    }
)
# What brings it to rest, under its own rulebook.
_TO_REST = frozenset(
    {
        *(c.RemoveWager, c.ReduceWager, c.CallWager, c.PlaceButton, c.ConfirmWager, c.LeaveSeat, c.StandUp, c.SitDown),
        *(c.DeclineDice, c.SurrenderDice, c.OrderDicePassed, c.DeclineLineWager, c.Fill, c.Credit),
        *(c.CallNoRoll, c.DisputeFaces, c.DecideDispute, c.CallRoll, c.Settle, c.PassDice, k.CorrectRoll),
    }
)
_DEALT = frozenset({c.OfferDice, c.AcceptDice, c.ChooseDice, k.Roll, k.DiceOut, k.KeyDice})  # only with wagers up
_SHOWN = 12  # digits of a digest


class _Seen(Struct, frozen=True):
    """The installed rulebooks as they were read once, by name."""

    pages: dict[str, Pages] = {}
    digests: dict[str, str] = {}
    found: dict[str, Rulebook | str] = {}  # a text says what is wrong


def _seen_now() -> _Seen:
    seen = _Seen({}, {}, {})
    for name in regulations():
        try:
            pages = read_pages(folder_of(name))
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
    >>> watch.rulebook("maryland").digest == rulebook_of("maryland").digest
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

    def why_stopped(self, live: LiveTable) -> str:
        """Return why a table is stopped, and what to do; nothing if its own rulebook is installed, or it is closed."""
        name = live.house["rules"]
        if live.status == "closed" or self.digests.get(name) == live.rulebook == rules_of(live).rulebook.digest:
            return ""
        now = f"{self.digests[name][:_SHOWN]} is installed" if name in self.digests else "none can be read"
        fault = self._seen.found.get(name)
        problem = f" ({fault})" if isinstance(fault, str) else ""
        stopped = f"the table is stopped: its {name} rulebook is {live.rulebook[:_SHOWN]}, but {now}{problem}"
        if self._is_dealt_under_its_own(live):
            return (
                f"{stopped}; no new stake is taken: play out or take down the wagers that are up, under the table's "
                "own rulebook, which the log keeps; then put its own files back, or have the owner adopt the "
                "installed ones with adopt-rulebook"
            )
        return (
            f"{stopped}, and the log does not keep the table's own, so not even the wagers that are up can be played "
            f"out; install the version of Passline that served this table before: its {name} rulebook has the digest "
            f"{live.rulebook}; with nothing up, the owner can also adopt the installed files with adopt-rulebook"
        )

    def _is_dealt_under_its_own(self, live: LiveTable) -> bool:
        """Return whether the rules that judge a table are those of its own rulebook, and the log keeps that."""
        return live.rulebook in self._kept() and rules_of(live).rulebook.digest == live.rulebook

    def _brings_to_rest(self, live: LiveTable, command: TableCommand) -> bool:
        """Return whether a command to a stopped table decides or takes down what is up, under the table's own rules."""
        if not self._is_dealt_under_its_own(live):
            return False
        kind, position = type(command), live.game.position
        if kind in _DEALT:
            return bool(position.layout) or position.dice == "air"
        return kind in _TO_REST or (isinstance(command, c.MakeWager) and _is_needed(live, command))

    def unadopted_rulebook(self, name: str, tables: Collection[LiveTable]) -> Refused | None:
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

    def refusal_of(self, live: LiveTable | None, command: TableCommand) -> Refused | None:
        """Refuse what would be dealt under a rulebook other than the table's own, or under one that nobody kept."""
        name = ""
        if live is None or live.status == "closed":
            name = str(command.house.get("rules", "")) if isinstance(command, k.OpenTable) else ""
        elif isinstance(command, k.AdoptRulebook):
            name = live.house["rules"]
        elif type(command) in _WHILE_STOPPED:
            pass
        elif (why := self.why_stopped(live)) and not self._brings_to_rest(live, command):
            return Refused((Refusal("house", why),))
        if name and self.unkept(name) is not None:
            why = f"the rulebook {self.digests[name][:_SHOWN]} of {name} is not in the log yet; ask again in a moment"
            return Refused((Refusal("house", why),))
        return None


def _is_needed(live: LiveTable, command: c.MakeWager) -> bool:
    """Return whether a wager is the line wager without which the dice could not be thrown for what must stay up."""
    rules, game = rules_of(live), live.game
    position, lines = game.position, rules.procedures.shooter.line_wagers
    if position.phase != "come_out" or command.seat != position.shooter or command.wager not in lines:
        return False
    if command.owner != "player" or any(
        wager.seat == command.seat and wager.kind in lines for wager in position.layout
    ):
        return False
    return any(isinstance(act(rules, game, removal_of(wager)), Refused) for wager in position.layout)
