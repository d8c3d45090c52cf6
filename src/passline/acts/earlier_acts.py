"""What acts said under pages that allowed no corrections, kept because pages of a later day may allow them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.figures import RECENT_MAX

_DATE = len("2026-11-15")
_DAYS = 62  # for which they are kept: as long as pages keep most figures at hand


class MovedUnits(Struct, frozen=True):
    """Units that an act has moved."""

    stock: str
    source: str
    target: str
    units: dict[str, int]


class EarlierAct(Struct, frozen=True):
    """What an act said and moved."""

    number: int
    order: int  # among all that took effect
    act: str
    kind: str
    things: tuple[str, ...]
    fields: dict[str, Any]
    at: str  # when it took effect
    occurred: str
    moves: tuple[MovedUnits, ...] = ()


class EarlierActs(Struct, frozen=True):
    """The earlier acts, in the order in which they took effect."""

    days: dict[str, dict[str, EarlierAct]] = {}  # by the date of their entry, and by their numbers
    recent: dict[str, EarlierAct] = {}  # of one date, by their numbers: they come to the others of that date together

    def find(self, number: int) -> EarlierAct | None:
        """Return an earlier act by its number; None: it is not kept."""
        found = (acts[str(number)] for acts in (self.recent, *self.days.values()) if str(number) in acts)
        return next(found, None)

    def values(self) -> Iterator[EarlierAct]:
        """Yield every earlier act."""
        for acts in (*self.days.values(), self.recent):
            yield from acts.values()

    def put(self, act: EarlierAct) -> EarlierActs:
        """Return the earlier acts with one more; those more than two months old are left out."""
        day = act.at[:_DATE]
        if self.recent and next(iter(self.recent.values())).at[:_DATE] == day:
            recent = {**self.recent, str(act.number): act}
            after = EarlierActs(self.days, recent)
            return after if len(recent) < RECENT_MAX else after.in_days()
        days = self.in_days().days
        if day not in days:
            since = str(date.fromisoformat(day) - timedelta(days=_DAYS))
            days = {known: acts for known, acts in days.items() if known >= since}
        return EarlierActs(days, {str(act.number): act})

    def in_days(self) -> EarlierActs:
        """Return the same acts, with the recent ones moved to the other acts of their date."""
        if not self.recent:
            return self
        day = next(iter(self.recent.values())).at[:_DATE]
        return EarlierActs({**self.days, day: {**self.days.get(day, {}), **self.recent}})

    def of_another(self, number: int, thing: str) -> EarlierActs:
        """Return the same acts after a correction says that one of them was done to another thing."""
        days = {
            day: {**acts, str(number): replace(acts[str(number)], things=(thing,))} if str(number) in acts else acts
            for day, acts in self.in_days().days.items()
        }
        return EarlierActs(days)


def says_figures(fields: Mapping[str, Any]) -> bool:
    """Return whether any field is a number or a count by denomination.

    >>> says_figures({"units": {"500": 2}}), says_figures({"reason": "torn", "alone": True})
    (True, False)
    """
    return any(isinstance(value, dict) or type(value) is int for value in fields.values())


def earlier_after(earlier: EarlierActs, order: int, at: str, done: Any, event: Any) -> EarlierActs:  # noqa: ANN401
    """Return the earlier acts after an act took effect: with that act, if it has figures that are not kept at hand.

    `done` is the event that recorded the act, `event` the one by which it took effect.
    """
    if event.corrects is not None or event.is_kept or not (event.moves or says_figures(done.fields)):
        return earlier
    moves = tuple(MovedUnits(move.stock, move.source, move.target, move.units) for move in event.moves)
    said = (done.act, done.kind, done.things, done.fields, at, done.occurred)
    return earlier.put(EarlierAct(done.number, order, *said, moves))
