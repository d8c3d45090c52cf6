"""The checks of a hand file: its settlements and its table after a step, and the wagers that it puts up or lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.game import events as e
from passline.game.hand_files.steps import HandError, Words
from passline.game.judges.amounts import unpayable_refusals
from passline.game.judges.proposed_wager import unknown_wager
from passline.game.markers import markers_after
from passline.game.notation import format_position, format_wager, parse_table, parse_wager
from passline.game.position import Table, Wager, find
from passline.game.wagers import count_of
from passline.game.wording import seat_name
from passline.money import dollars
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Collection, Hand, SideWager

_PROGRESS_PAIR = (0, 1)


def read_wagers(listed: str, *, seat: int, puck: int) -> list[Wager]:
    """Parse one player's wagers, separated by commas; `odds` are behind the wager before them.

    >>> [wager.kind for wager in read_wagers("come 6 10.00, odds 20.00", seat=1, puck=0)]
    ['come', 'come_odds']
    """
    wagers: list[Wager] = []
    for text in listed.split(", "):
        body = text.strip()
        first, _, more = body.partition(" ")
        if first == "odds":
            if not wagers:
                raise HandError("odds need a wager named before them on the line")
            crew = "crew " if wagers[-1].owner == "crew" else ""
            body = f"{crew}{wagers[-1].kind}_odds {wagers[-1].number or puck} {more}"
        wagers.append(parse_wager(body, seat=seat))
    return wagers


def _count_text(rules: Rules, wager: Wager) -> str:
    """Return how far a side wager has counted as text; `nothing` for other wagers."""
    rule = rules.wagers[wager.kind]
    if isinstance(rule.entry, Hand):
        return str(count_of(rule, wager.progress))
    if rule.machine is not None:
        return str(rule.machine.marker_count(wager.progress))
    if not isinstance(rule.entry, SideWager):
        return "nothing"
    return str(wager.progress[-1].bit_count() if wager.progress else 0)


def _list_wagers(wagers: list[Wager]) -> str:
    """Return one player's wagers as a line lists them."""
    return ", ".join(format_wager(wager, with_seat=False) for wager in wagers) or "nothing"


def refuse_unfit(rules: Rules, wager: Wager) -> None:
    """Raise HandError for a wager that no roll could settle: an unknown kind, a wrong number or an unpayable amount."""
    rule = rules.wagers.get(wager.kind)
    if rule is None:
        raise HandError(unknown_wager(rules, wager.kind).why)
    numbers = rule.numbers | rules.points if getattr(rule.entry, "moves", None) else rule.numbers
    if isinstance(rule.entry, SideWager):
        _refuse_unfit_progress(rules, rule, wager)
    elif wager.progress:
        raise HandError(f"{format_wager(wager, with_seat=False)}: only a side wager has progress")
    elif wager.number not in numbers:
        raise HandError(f"{format_wager(wager, with_seat=False)}: {rule.display_name()} cannot be on that number")
    if unpayable_refusals(rules, rule, wager):
        raise HandError(f"{format_wager(wager, with_seat=False)}: that amount cannot be paid exactly")


def _refuse_unfit_progress(rules: Rules, rule: WagerRule, wager: Wager) -> None:
    """Raise HandError for a side wager that is not offered, or with progress it cannot have while it is up."""
    shown = format_wager(wager, with_seat=False)
    if not rule.lines:
        raise HandError(f"{shown}: this house does not offer {rule.display_name(wager.number)}")
    entry, progress = rule.entry, wager.progress
    if isinstance(entry, Collection):
        is_fit = not progress or (len(progress) == 1 and _is_within(progress[0], entry.needs.totals))
    elif rule.machine is not None:
        is_fit = rule.machine.may_be(progress)
    elif len(progress) != len(_PROGRESS_PAIR):
        is_fit = not progress
    elif isinstance(entry, Hand):
        counts = range(max(rule.lines) + (entry.full is None))
        bits = entry.counts != "distinct_points" or not progress[1] & ~_bits(rules.points)
        is_fit = progress[0] in _PROGRESS_PAIR and bits and count_of(rule, progress) in counts
    else:
        hits = progress[1] & ~_bits(rules.points) == 0 if progress[0] in rules.points else progress == (0, 0)
        is_fit = hits and progress[1].bit_count() in rule.lines
    if not is_fit:
        raise HandError(f"{shown}: no {rule.display_name()} wager that is up has such progress")


def _bits(totals: Iterable[int]) -> int:
    return sum(1 << total for total in totals)


def _is_within(bits: int, totals: tuple[int, ...]) -> bool:
    return not bits & ~_bits(totals) and bits != _bits(totals)


_CLAUSES = re.compile(r"\[([^\[\]]*)\]$")
_SETTLES = (e.WagerLost, e.WagerWon, e.MeterPaid, e.WagerReturned, e.WagerMoved)
_FROM_METER = "takes from the meter"


class _WagerResult(Struct, frozen=True):
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

    def is_about(self, other: _WagerResult) -> bool:
        """Return whether this expected result is about the same wager as `other`."""
        is_number = self.number in {None, other.number}
        mine, others = ((result.seat, result.owner, result.kind, result.part) for result in (self, other))
        return mine == others and is_number

    def is_met_by(self, other: _WagerResult) -> bool:
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


def wager_results(happened: Iterable[e.Event]) -> list[_WagerResult]:
    """Return the settlements among the events of a step."""
    return [_result(event) for event in happened if isinstance(event, _SETTLES)]


def _result(event: e.WagerLost | e.WagerWon | e.MeterPaid | e.WagerReturned | e.WagerMoved) -> _WagerResult:
    match event:
        case e.WagerLost():
            verb, amount, less = "loses", event.cents, 0
        case e.WagerWon():
            verb, amount, less = "wins", event.winnings, event.vigorish
        case e.MeterPaid():
            verb, amount, less = _FROM_METER, event.cents, 0
        case e.WagerReturned():
            verb, amount, less = "returned", event.wager.cents, 0
        case _:
            verb, amount, less = "moves to", event.after.number, 0
    wager = event.wager
    part = getattr(event, "part", "")
    clauses = tuple(event.clause.split(", "))
    return _WagerResult(wager.seat, wager.owner, wager.kind, wager.number, part, verb, amount, less, clauses)


def read_results(text: str, seats: Mapping[str, int]) -> list[_WagerResult]:
    """Parse an `expect` line; `odds` means the odds behind the wager named before it.

    >>> [result.kind for result in read_results("Ann come 6 loses 10.00 [XX-1]; odds returned 20.00", {"Ann": 1})]
    ['come', 'come_odds']
    """
    expected: list[_WagerResult] = []
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
        expected.append(_WagerResult(seat, owner, kind, number, part, verb, amount, less, clauses))
    return expected


def _verb(words: Words) -> tuple[str, int, int]:
    verb = words.word("wins, loses, returned, moves to, takes from the meter or nets")
    if verb == "moves" and words.maybe("to"):
        return "moves to", words.whole("a number"), 0
    if verb == "takes" and all(words.maybe(word) for word in _FROM_METER.split()[1:]):
        return _FROM_METER, words.amount(), 0
    if verb not in {"wins", "loses", "returned", "nets"}:
        raise HandError(
            f"a wager wins, loses, nets, takes from the meter, is returned or moves to a number, not {verb!r}"
        )
    amount = words.amount()
    return verb, amount, words.amount() if verb == "wins" and words.maybe("less") else 0


def result_differences(
    expected: list[_WagerResult], happened: list[_WagerResult]
) -> list[tuple[_WagerResult | None, _WagerResult | None]]:
    """Return each unmet expectation with what happened instead, and each result that nothing expected."""
    left = list(happened)
    missed: list[_WagerResult] = []
    for line in sorted(expected, key=lambda line: line.number is None):
        if line.verb == "nets":
            left, met = _without_net(line, left)
        else:
            met = next((other for other in left if line.is_met_by(other)), None)
            if met is not None:
                left.remove(met)
        if met is None:
            missed.append(line)
    pairs: list[tuple[_WagerResult | None, _WagerResult | None]] = []
    for line in missed:
        instead = next((other for other in left if line.is_about(other)), None)
        if instead is not None:
            left.remove(instead)
        pairs.append((line, instead))
    return [*pairs, *((None, other) for other in left)]


def _without_net(line: _WagerResult, happened: list[_WagerResult]) -> tuple[list[_WagerResult], _WagerResult | None]:
    """Remove all parts of a composite wager if together they net what the line expects; return what is left."""
    parts = [other for other in happened if line.is_about(replace(other, part=""))]
    paid = {"wins", _FROM_METER}
    net = sum(other.amount - other.less if other.verb in paid else -other.amount for other in parts)
    clauses = {clause for other in parts for clause in other.clauses}
    if not parts or net != line.amount or not set(line.clauses) <= clauses:
        return happened, None
    return [other for other in happened if other not in parts], line


class AfterStep(Struct):
    """What a check sees after a step: the table, all events so far, and the players' seats."""

    rules: Rules
    table: Table
    log: list[e.Event]
    seats: Mapping[str, int]

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        return seat_name(seat, {seat: name for name, seat in self.seats.items()})


_Check = Callable[[AfterStep, str], tuple[str, str]]


def _money(name: str) -> _Check:
    def check(after: AfterStep, rest: str) -> tuple[str, str]:
        words = Words(rest, after.seats)
        seat, cents = words.seat(), words.amount()
        words.end()
        held = getattr(after.table.money, f"{name}s")[seat - 1]
        who = after.name(seat)
        return f"{name} {who} {dollars(cents)}", f"{name} {who} {dollars(held)}"

    return check


def _tips(after: AfterStep, rest: str) -> tuple[str, str]:
    words = Words(rest, after.seats)
    cents = words.amount()
    words.end()
    return f"tips {dollars(cents)}", f"tips {dollars(after.table.money.tip_box)}"


def _counts(after: AfterStep, rest: str) -> tuple[str, str]:
    """Compare what a player's side wager has counted; the number tells several of a kind apart."""
    words = Words(rest, after.seats)
    seat, owner, kind, count = words.seat(), words.owner(), words.kind(), words.whole("a count")
    number, count = (count, words.whole("a count")) if words else (0, count)
    words.end()
    wager = find(after.table.position, seat, kind, number, owner)
    return f"counts {count}", "no such wager" if wager is None else f"counts {_count_text(after.rules, wager)}"


def _marker(after: AfterStep, rest: str) -> tuple[str, str]:
    """Compare the marker of a side wager and its clauses."""
    body, clauses = split_clauses(rest)
    words = Words(body, after.seats)
    kind, count = words.kind(), words.whole("a count")
    words.end()
    marker = markers_after(after.rules, after.log, after.table.position.layout).get(kind)
    if marker is None:
        raise HandError(f"this house offers no side wager {kind!r}")
    is_met = marker.count == count and set(clauses) <= set(marker.clause.split(", "))
    return f"marker {rest}", f"marker {rest}" if is_met else f"marker {kind} {marker.count} [{marker.clause}]"


def _puck(after: AfterStep, rest: str) -> tuple[str, str]:
    puck = after.table.position.puck
    return f"puck {rest}", f"puck ON {puck}" if puck else "puck OFF"


def _shooter(after: AfterStep, rest: str) -> tuple[str, str]:
    if rest != "nobody":
        Words(rest, after.seats).seat()
    shooter = after.table.position.shooter
    names = {seat: name for name, seat in after.seats.items()}
    return f"shooter {rest}", f"shooter {names.get(shooter, 'nobody')}"


def _dice(after: AfterStep, rest: str) -> tuple[str, str]:
    position = after.table.position
    where = position.dice
    if where == "offered":
        return f"dice {rest}", f"dice offered {after.name(position.offered_to)}"
    got = f"dice {where} {'-'.join(map(str, position.faces))}" if any(position.faces) else f"dice {where}"
    return f"dice {rest}", got


def _layout(after: AfterStep, rest: str) -> tuple[str, str]:
    name, _, listed = rest.partition(" ")
    seat = Words(name, after.seats).seat()
    position = after.table.position
    wanted = [] if listed == "nothing" else sorted(read_wagers(listed, seat=seat, puck=position.puck))
    up = [wager for wager in position.layout if wager.seat == seat]
    return f"layout {name} {_list_wagers(wanted)}", f"layout {name} {_list_wagers(up)}"


def _position(after: AfterStep, rest: str) -> tuple[str, str]:
    return format_position(parse_table(rest).position), format_position(after.table.position)


TABLE_CHECKS: dict[str, _Check] = {
    "rack": _money("rack"),
    "coupon": _money("coupon"),
    "tips": _tips,
    "counts": _counts,
    "marker": _marker,
    "puck": _puck,
    "shooter": _shooter,
    "dice": _dice,
    "layout": _layout,
    "position": _position,
}
"""The checks by the first word of their line."""
