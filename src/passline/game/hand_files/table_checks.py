"""The checks of a table after a step of a hand file; each returns what its line expects and what is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from passline.game import events as e
from passline.game.hand_files.settlement_checks import split_clauses
from passline.game.hand_files.steps import HandError, Words
from passline.game.hand_files.wagers_up import count_text, list_wagers, read_wagers
from passline.game.markers import markers_after
from passline.game.notation import format_position, parse_table
from passline.game.position import Table, find
from passline.game.wording import seat_name
from passline.money import dollars
from passline.rules.rules import Rules

__all__ = ["TABLE_CHECKS", "AfterStep"]


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
    return f"counts {count}", "no such wager" if wager is None else f"counts {count_text(after.rules, wager)}"


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
    return f"layout {name} {list_wagers(wanted)}", f"layout {name} {list_wagers(up)}"


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
