"""Watches the installed rulebooks: a table takes new stakes only while its own is in force, and stops when it changes.

A rulebook changes with its files, or at the house's midnight when an amendment begins or lapses. At a stopped table the
wagers that are up are decided or taken down under its own rulebook, if the log keeps that, and never under another.
The owner adopts new files; what the calendar brings, the house adopts by itself as soon as nothing is up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from datetime import date, timedelta
from typing import Any

from msgspec import Struct

from passline.errors import CrapsError
from passline.game import commands as c
from passline.refusal import Refusal, Refused
from passline.rules.coming_texts import ComingText, coming_texts
from passline.rules.house_reader import house_of
from passline.rules.pages.amendments import read_texts
from passline.rules.pages.day import day_in_force
from passline.rules.pages.library import folder_of, regulations
from passline.rules.pages.texts import Pages, RulebookError
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Rulebook
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import learn_rulebook, rules_of
from passline.tables.text_days import is_needed_line_wager

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
_DAY = timedelta(days=1)


class _Text(Struct, frozen=True):
    """One text of a rulebook, and what it says; a string says what is wrong with it."""

    begins: date
    pages: Pages
    digest: str
    found: Rulebook | str


class _Seen(Struct, frozen=True):
    """The files of one rulebook as they were read once: the text of that day, and those of later days."""

    texts: tuple[_Text, ...] = ()
    earlier: frozenset[str] = frozenset()  # digests of the texts that the same files had on earlier days
    fault: str = ""  # with the files themselves

    def on(self, day_of: Callable[[str], date]) -> _Text | None:
        """Return the text in force; the day is asked for only where it matters."""
        if len(self.texts) < _SEVERAL:
            return self.texts[0] if self.texts else None
        day = day_of(self.texts[0].pages.name)
        return next((text for text in reversed(self.texts) if text.begins <= day), self.texts[0])

    def overtakes(self, digest: str, now: _Text) -> bool:
        """Return whether a text is one that these files had on a day before."""
        older = (text.digest for text in self.texts if text.begins < now.begins)
        return digest != now.digest and (digest in self.earlier or digest in older)


_SEVERAL = 2


def _seen_now(day_of: Callable[[str], date]) -> dict[str, _Seen]:
    seen: dict[str, _Seen] = {}
    for name in regulations():
        try:
            texts, today = read_texts(folder_of(name)), day_of(name)
            pages = [(today, texts.on(today)), *texts.after(today)]
            earlier = frozenset(texts.on(day - _DAY).digest for day in texts.days if day <= today)
        except CrapsError as error:
            seen[name] = _Seen(fault=str(error))
        else:
            seen[name] = _Seen(tuple(_text_from(*text) for text in pages), earlier)
    return seen


def _text_from(begins: date, pages: Pages) -> _Text:
    try:
        return _Text(begins, pages, pages.digest, learn_rulebook(pages))
    except CrapsError as error:
        return _Text(begins, pages, pages.digest, str(error))


class RulebookWatch:
    """The rulebooks as their files are now. `kept` returns the digests of those that the log keeps.

    `day_of` tells the calendar day of the house for a regulation.

    >>> from asyncio import run
    >>> watch = RulebookWatch()
    >>> run(watch.look()), run(watch.look())  # whether a file changed
    (True, False)
    >>> watch.rulebook("maryland").digest == rulebook_of("maryland").digest
    True
    """

    def __init__(
        self,
        kept: Callable[[], Collection[str]] = frozenset,
        day_of: Callable[[str], date] = day_in_force,
    ) -> None:
        self._kept = kept
        self._day_of = day_of
        self._seen: dict[str, _Seen] = {}
        self._digests: dict[str, str] = {}  # at the last look

    async def look(self) -> bool:
        """Read every rulebook's files; return whether anything changed. No command is decided halfway through."""
        known, before = self._seen.keys(), self._digests
        self._seen = await asyncio.to_thread(_seen_now, self._day_of)
        self._digests = self.digests
        return before != self._digests or known != self._seen.keys()

    def _now(self, name: str) -> _Text | None:
        """Return the text of a rulebook that is in force; None if its files cannot be read."""
        return seen.on(self._day_of) if (seen := self._seen.get(name)) else None

    @property
    def digests(self) -> dict[str, str]:
        """The digest of each installed rulebook's text in force, by name."""
        return {name: text.digest for name in self._seen if (text := self._now(name))}

    def digest(self, name: str) -> str:
        """Return the digest of the text in force of a rulebook; empty if there is none."""
        return text.digest if (text := self._now(name)) else ""

    def rulebook(self, name: str) -> Rulebook:
        """Return the installed rulebook of a name; raise RulebookError if there is none, or it is unsound."""
        text = self._now(name)
        found = text.found if text else self._seen[name].fault if name in self._seen else rulebook_of(name)
        if isinstance(found, str):
            raise RulebookError(found)
        return found

    def pages_to_keep(self, name: str) -> Pages | None:
        """Return the pages of an installed, sound rulebook that the log does not keep yet."""
        text = self._now(name)
        is_unkept = text is not None and isinstance(text.found, Rulebook) and text.digest not in self._kept()
        return text.pages if text and is_unkept else None

    def newer_text(self, live: LiveTable) -> Rulebook | None:
        """Return the text that the calendar has put in the place of a table's own; None if it has not."""
        text, seen = self._now(live.house["rules"]), self._seen.get(live.house["rules"])
        is_overtaken = live.status != "closed" and seen and text and seen.overtakes(live.rulebook, text)
        return text.found if is_overtaken and text and isinstance(text.found, Rulebook) else None

    def texts_to_come(self, name: str, house: Mapping[str, Any]) -> tuple[ComingText, ...]:
        """Return what later texts of a rulebook mean for a house, but for those that are unsound."""
        text, seen = self._now(name), self._seen.get(name)
        if seen is None or text is None or not isinstance(text.found, Rulebook):
            return ()
        today = self._day_of(name) if len(seen.texts) >= _SEVERAL else text.begins
        sound = [(each.begins, each.found) for each in seen.texts if isinstance(each.found, Rulebook)]
        return tuple(coming_texts(text.found, [each for each in sound if each[0] > today], house))

    def why_stopped(self, live: LiveTable) -> str:
        """Return why a table is stopped, and what to do; nothing if its own rulebook is installed, or it is closed."""
        name = live.house["rules"]
        text = self._now(name)
        if live.status == "closed" or (text and text.digest == live.rulebook == rules_of(live).rulebook.digest):
            return ""
        if self._is_dealt_under_its_own(live) and (newer := self.newer_text(live)):
            return _why_overtaken(live, newer)
        now = f"{text.digest[:_SHOWN]} is installed" if text else "none can be read"
        fault = text.found if text else self._seen[name].fault if name in self._seen else None
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
        return kind in _TO_REST or (isinstance(command, c.MakeWager) and is_needed_line_wager(live, command))

    def unadopted_rulebook(self, name: str, tables: Collection[LiveTable]) -> Refused | None:
        """Refuse to open a table if every open one of its regulation has another rulebook: nobody has adopted this."""
        others = {live.rulebook: live for live in tables if live.house["rules"] == name and not self.newer_text(live)}
        if not others or (digest := self.digest(name)) in {"", *others}:
            return None
        other = next(iter(others.values()))
        why = (
            f"the installed rulebook of {name} is {digest[:_SHOWN]}, but {other.name} is dealt under "
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
        if name and self.pages_to_keep(name) is not None:
            why = f"the rulebook {self.digest(name)[:_SHOWN]} of {name} is not in the log yet; ask again in a moment"
            return Refused((Refusal("house", why),))
        return None


def _why_overtaken(live: LiveTable, newer: Rulebook) -> str:
    """Return why a table waits for the text of a new day, and what the house must change if that forbids it."""
    name, by = newer.name, "; ".join(map(str, newer.amendments)) or f"its text {newer.digest[:_SHOWN]}"
    why = f"the table is stopped: the text of {name} has changed ({by}), and no new stake is taken under the one before"
    _house, breaches = house_of(newer, live.house)
    if breaches:
        told = "; ".join(map(str, breaches))
        return f"{why}; this house breaches it: {told}: close the table, and open it with a house that does not"
    if live.game.position.layout:
        return f"{why}: the wagers that are up are played out or taken down as they were made; then it goes on"
    return f"{why}: it goes on in a moment"
