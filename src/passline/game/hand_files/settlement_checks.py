"""The settlements a hand file expects, and how they differ from those that happened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.game import events as e
from passline.game.hand_files.steps import HandError, Words
from passline.game.wording import seat_name
from passline.money import dollars

__all__ = ["WagerResult", "read_results", "result_differences", "split_clauses", "wager_results"]

_CLAUSES = re.compile(r"\[([^\[\]]*)\]$")
_SETTLES = (e.WagerLost, e.WagerWon, e.WagerReturned, e.WagerMoved)


class WagerResult(Struct, frozen=True):
    """How one wager, or one part of it, is settled: as a line expects or as an event says."""

    seat: int
    owner: str
    kind: str
    number: int | None  # None: the line names none
    part: str
    verb: str
    amount: int
    less: int
    clauses: tuple[str, ...]

    def text(self, names: Mapping[int, str]) -> str:
        """Return the result as an `expect` line."""
        number = f" {number_text(self.number)}" if self.number else ""
        kind = f"{self.kind}/{self.part}" if self.part else self.kind
        amount = str(self.amount) if self.verb == "moves to" else dollars(self.amount)
        less = f" less {dollars(self.less)}" if self.less else ""
        clauses = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        owner = "" if self.owner == "player" else f"{self.owner} "
        return f"{seat_name(self.seat, names)} {owner}{kind}{number} {self.verb} {amount}{less}{clauses}"

    def is_about(self, other: WagerResult) -> bool:
        """Return whether this expected result is about the same wager as `other`."""
        is_number = self.number in {None, other.number}
        mine, others = ((result.seat, result.owner, result.kind, result.part) for result in (self, other))
        return mine == others and is_number

    def is_met_by(self, other: WagerResult) -> bool:
        """Return whether `other` is what this line expects; it may cite more clauses than the line names."""
        same = (self.verb, self.amount, self.less) == (other.verb, other.amount, other.less)
        return same and self.is_about(other) and set(self.clauses) <= set(other.clauses)


def split_clauses(text: str) -> tuple[str, tuple[str, ...]]:
    """Split a line from the clauses in brackets at its end.

    >>> split_clauses("Ann come loses 10.00 [XX-12-a, XX-3]")
    ('Ann come loses 10.00', ('XX-12-a', 'XX-3'))
    """
    match = _CLAUSES.search(text)
    if match is None:
        return text.strip(), ()
    return text[: match.start()].strip(), tuple(match[1].replace(",", " ").split())


def wager_results(happened: Iterable[e.Event]) -> list[WagerResult]:
    """Return the settlements among the events of a step."""
    return [_result(event) for event in happened if isinstance(event, _SETTLES)]


def _result(event: e.WagerLost | e.WagerWon | e.WagerReturned | e.WagerMoved) -> WagerResult:
    match event:
        case e.WagerLost():
            verb, amount, less = "loses", event.cents, 0
        case e.WagerWon():
            verb, amount, less = "wins", event.winnings, event.vigorish
        case e.WagerReturned():
            verb, amount, less = "returned", event.wager.cents, 0
        case _:
            verb, amount, less = "moves to", event.after.number, 0
    wager = event.wager
    part = getattr(event, "part", "")
    clauses = tuple(event.clause.split(", "))
    return WagerResult(wager.seat, wager.owner, wager.kind, wager.number, part, verb, amount, less, clauses)


def read_results(text: str, seats: Mapping[str, int]) -> list[WagerResult]:
    """Parse an `expect` line; `odds` means the odds behind the wager named before it.

    >>> [result.kind for result in read_results("Ann come 6 loses 10.00 [XX-1]; odds returned 20.00", {"Ann": 1})]
    ['come', 'come_odds']
    """
    expected: list[WagerResult] = []
    for item in text.split(";"):
        body, clauses = split_clauses(item.strip())
        words = Words(body, seats)
        before = expected[-1] if expected else None
        if words.is_name() or before is None:
            seat, before = words.seat(), None
        else:
            seat = before.seat
        owner = words.owner()
        kind, _, part = words.kind().partition("/")
        number = words.number() or None
        if kind == "odds":
            if before is None:
                raise HandError("odds need a wager named before them on the line")
            owner, kind, number = before.owner, f"{before.kind}_odds", number or before.number
        verb, amount, less = _verb(words)
        words.end()
        expected.append(WagerResult(seat, owner, kind, number, part, verb, amount, less, clauses))
    return expected


def _verb(words: Words) -> tuple[str, int, int]:
    verb = words.word("wins, loses, returned, moves to or nets")
    if verb == "moves" and words.maybe("to"):
        return "moves to", words.whole("a number"), 0
    if verb not in {"wins", "loses", "returned", "nets"}:
        raise HandError(f"a wager wins, loses, nets, is returned or moves to a number, not {verb!r}")
    amount = words.amount()
    return verb, amount, words.amount() if verb == "wins" and words.maybe("less") else 0


def result_differences(
    expected: list[WagerResult], happened: list[WagerResult]
) -> list[tuple[WagerResult | None, WagerResult | None]]:
    """Return each unmet expectation with what happened instead, and each result that nothing expected."""
    left = list(happened)
    missed: list[WagerResult] = []
    for line in sorted(expected, key=lambda line: line.number is None):
        if line.verb == "nets":
            left, met = _without_net(line, left)
        else:
            met = next((other for other in left if line.is_met_by(other)), None)
            if met is not None:
                left.remove(met)
        if met is None:
            missed.append(line)
    pairs: list[tuple[WagerResult | None, WagerResult | None]] = []
    for line in missed:
        instead = next((other for other in left if line.is_about(other)), None)
        if instead is not None:
            left.remove(instead)
        pairs.append((line, instead))
    return [*pairs, *((None, other) for other in left)]


def _without_net(line: WagerResult, happened: list[WagerResult]) -> tuple[list[WagerResult], WagerResult | None]:
    """Remove all parts of a composite wager if together they net what the line expects; return what is left."""
    parts = [other for other in happened if line.is_about(replace(other, part=""))]
    net = sum(other.amount - other.less if other.verb == "wins" else -other.amount for other in parts)
    clauses = {clause for other in parts for clause in other.clauses}
    if not parts or net != line.amount or not set(line.clauses) <= clauses:
        return happened, None
    return [other for other in happened if other not in parts], line
