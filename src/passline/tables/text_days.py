"""Checks in a log that tables were dealt under texts that were in force, and took no stakes after they had ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from msgspec import Struct

from passline.game import commands as c
from passline.game.decide import act
from passline.game.spots import removal_of
from passline.refusal import Refused
from passline.rules.pages.amendments import amendments_in, is_brought_by_day, not_in_force
from passline.rules.pages.texts import Pages
from passline.store.timestamps import later
from passline.tables import events as t
from passline.tables.events import TableEvent
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of

_ZONES = (-12, 14)  # the hours of the last and the first place where a day begins
_BRINGS_TEXT = frozenset({t.TableOpened, t.RulebookAdopted})
_LAG_SECONDS = 10  # a command that is judged before midnight is written a little after it

DayOf = Callable[[str, str], date | None]
"""The calendar day of the house for a regulation at a moment; None where nobody has said where the house is."""


def texts_brought(events: Sequence[TableEvent]) -> list[str]:
    """Return the digests of the rulebooks that some events put a table under; most events change none."""
    own = [event for event in events if type(event) in _BRINGS_TEXT]
    digests = [event.rulebook if isinstance(event, t.TableOpened) else event.digest for event in own]  # type: ignore[union-attr]
    return [digest for digest in digests if digest]


def is_needed_line_wager(live: LiveTable, command: c.MakeWager) -> bool:
    """Return whether a wager is the line wager that the shooter needs to throw for wagers that must stay up."""
    rules, game = rules_of(live), live.game
    position, lines = game.position, rules.procedures.shooter.line_wagers
    if position.phase != "come_out" or command.seat != position.shooter or command.wager not in lines:
        return False
    if command.owner != "player" or any(
        wager.seat == command.seat and wager.kind in lines for wager in position.layout
    ):
        return False
    return any(isinstance(act(rules, game, removal_of(wager)), Refused) for wager in position.layout)


class _Over(Struct, frozen=True):
    """Days on which a text is not in force, and why."""

    first: date
    until: date | None  # not itself; None: for good
    why: str

    def has(self, day: date) -> bool:
        """Return whether a day is one of them."""
        return self.first <= day and (self.until is None or day < self.until)


class TextDays:
    """The texts that a log keeps, as far as it was read, and the days on which each is not in force."""

    def __init__(self, day_of: DayOf) -> None:
        self._day_of = day_of
        self._pages: dict[str, Pages] = {}  # by digest
        self._over: dict[str, list[_Over]] = {}  # by digest

    def keep(self, pages: Pages) -> None:
        """Note a text that the log keeps from now on."""
        self._pages[pages.digest] = pages
        for amendment in amendments_in(pages):
            if (ends := amendment.head.ends) is not None:
                self._end(pages, _Over(ends, None, f"{amendment.head.instrument} has lapsed on {ends}"))
        for other in self._pages.values():
            if other.name == pages.name and is_brought_by_day(other, pages):
                self._overtake(other, pages)
                self._overtake(pages, other)

    def _overtake(self, older: Pages, newer: Pages) -> None:
        """Note when the amendments of another text of the same files put it in the place of this one."""
        known = {amendment.file for amendment in amendments_in(older)}
        for amendment in amendments_in(newer):
            head = amendment.head
            if amendment.file not in known:
                why = f"{head.instrument} is in force from {head.begins} on"
                self._end(older, _Over(head.begins, head.ends, why))

    def _end(self, pages: Pages, over: _Over) -> None:
        self._over.setdefault(pages.digest, []).append(over)

    def faults_of_text(self, digest: str, before: str, at: str, *, is_by_house: bool) -> Iterator[str]:
        """Yield a fault if a table comes under a text that is not in force, or that only an owner may adopt."""
        if (pages := self._pages.get(digest)) is None:
            return
        if why := not_in_force(pages, *_days_anywhere(at)):
            yield f"the table comes under the rulebook {digest}: {why}"
        old = self._pages.get(before)
        if is_by_house and (old is None or not is_brought_by_day(old, pages)):
            yield "the house adopted by itself a text that no day brings: that takes an owner, and a signature"

    def may_end(self, digest: str) -> bool:
        """Return whether a text stops being in force on some day."""
        return digest in self._over

    def faults_of_stake(self, live: LiveTable, command: object, at: str) -> Iterator[str]:
        """Yield a fault if a stake is taken under a text that is not in force any more."""
        if not isinstance(command, c.MakeWager) or not self.may_end(live.rulebook):
            return
        moment = later(at, -_LAG_SECONDS)
        today = self._day_of(str(live.house["rules"]), moment) or _days_anywhere(moment)[0]
        over = next((over for over in self._over[live.rulebook] if over.has(today)), None)
        if over is not None and not is_needed_line_wager(live, command):
            yield f"a stake is taken on {today} under a text that is not in force: {over.why}"


def _days_anywhere(at: str) -> tuple[date, date]:
    """Return the first and the last day that it is somewhere at a moment, for a log that does not say where it is."""
    first, last = (date.fromisoformat(later(at, hours * 60 * 60)[: len("2026-11-15")]) for hours in _ZONES)
    return first, last
