"""A log as lines of JSON, read by plain loops: nothing of the program that wrote it does arithmetic here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from json import loads
from typing import Any, NamedTuple

from passline.store.entry import LogRow

JSON = dict[str, Any]


class RawEvent(NamedTuple):
    """An event with what its entry says of it."""

    at: str
    sequence: int
    stream: str
    event: JSON

    @property
    def kind(self) -> str:
        return str(self.event["event"]).partition("/")[0]


class RawAct(NamedTuple):
    """An act of an office that took effect."""

    at: str
    number: int
    name: str
    things: tuple[str, ...]
    fields: JSON
    by: str


def cents(units: JSON | int | None) -> int:
    """What chips or notes by denomination come to; an amount is one already."""
    if isinstance(units, dict):
        return sum(int(unit) * count for unit, count in units.items())
    return units or 0


class RawLog:
    """All events of a log in order."""

    def __init__(self, rows: Iterable[LogRow]) -> None:
        self.events: list[RawEvent] = []
        for row in rows:
            entry = loads(row.body)
            place = (entry["at"], entry["sequence"], entry["stream"])
            self.events += (RawEvent(*place, event) for event in entry["events"])

    def of(self, kind: str, since: str = "", until: str = "~") -> list[RawEvent]:
        """Events of a kind in a time, such as since "2026-12"."""
        return [event for event in self.events if event.kind == kind and since <= event.at < until]

    def acts(self, *names: str, since: str = "", until: str = "~") -> list[RawAct]:
        """Acts of these names that were signed by everybody, as they were recorded."""
        signed = {event.event["number"] for event in self.of("act-completed")}
        return [
            RawAct(at, done["number"], done["act"], tuple(done["things"]), done["fields"], done["by"])
            for at, _, _, done in self.of("act-done", since, until)
            if done["number"] in signed and done["act"] in names
        ]

    def moved(self, stock: str) -> Counter[str]:
        """What lies at each place of a stock, in cents, after all movements."""
        places = Counter[str]()
        for _, _, _, event in (*self.of("act-completed"), *self.of("comp-earned")):
            moves = [event["move"]] if "move" in event else event.get("moves", ())
            for move in moves:
                if move["stock"] == stock:
                    places[move["target"]] += cents(move["units"])
                    places[move["source"]] -= cents(move["units"])
        return places

    def decided(self, since: str = "", until: str = "~") -> Iterator[int]:
        """What the house won with each wager that was decided, in cents."""
        yield from (event.event["cents"] for event in self.of("wager-lost", since, until))
        yield from (-event.event["winnings"] for event in self.of("wager-won", since, until))

    def handle(self, since: str = "", until: str = "~") -> int:
        """The wagers that were decided."""
        decided = (*self.of("wager-lost", since, until), *self.of("wager-won", since, until))
        return sum(event.event["cents"] for event in decided)
