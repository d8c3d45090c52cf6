"""Wagers put up for a test: two players with different amounts, in the phase a clause is about."""

from __future__ import annotations

from functools import cache

from passline.dice import OUTCOMES, Roll
from passline.game import events as e
from passline.rules.rules import Rules
from tests.clauses.matrix import LINE, ODDS, listed_pays, unit_of, units_in
from tests.clauses.table import ANN, BOB, Play, Settled, settled

WAYS = {"4": "1-3", "5": "1-4", "6": "2-4", "8": "2-6", "9": "3-6", "10": "4-6"}  # each number, easy
BASES = {ANN: 10_00, BOB: 20_00}  # the wagers that odds stand behind
_PLAYERS = (ANN, BOB)


def amounts(rules: Rules, kind: str, number: str = "") -> dict[int, int]:
    """Return the least amount the house takes and can pay, and a larger one (charged vigorish if a buy or lay)."""
    rule, regulation = rules.wagers[kind], rules.rulebook.name
    units = units_in(regulation, kind)
    unit = units * rules.chip if units > 1 else unit_of(listed_pays(regulation, kind, number), rules.chip)
    least = max(1, -(-rule.min // unit) if kind not in ODDS else 1) * unit
    return {ANN: least, BOB: -(-40_00 // unit) * unit if rule.vigorish else least + 2 * unit}


@cache
def _opened(rules: Rules, phase: str, puck: str) -> Play:
    play = Play(rules).shoots()
    if phase == "on":
        play.roll(WAYS[puck])
    return play


def laid_out(rules: Rules, kind: str, number: str, phase: str, cents: dict[int, int]) -> Play:
    """Put a wager up for Ann and Bob.

    `come_out`: a come-out roll is next. `on`: the puck is ON, at another number, and the wager is new (or, for odds,
    has its base wager). `point`: the wager is on its number, set by a roll.
    """
    puck = "8" if number == "6" else "6"
    if kind in {"pass", "dont_pass"}:
        play = _opened(rules, "come_out", "").fork()
        _make(play, kind, "", cents)
        if phase == "point":
            play.roll(WAYS[number])
        return play
    if kind in {"pass_odds", "dont_pass_odds"}:
        play = laid_out(rules, kind.removesuffix("_odds"), number, "point", BASES)
        _make(play, kind, number, cents)
        return play
    behind = kind.removesuffix("_odds")
    is_come = behind in LINE
    play = _opened(rules, "come_out" if phase == "come_out" and not is_come else "on", puck).fork()
    _make(play, behind, "" if is_come else number, BASES if kind in ODDS else cents)
    if is_come and (phase != "on" or kind in ODDS):
        play.roll(WAYS[number])
    if kind in ODDS:
        _make(play, kind, number, cents)
    if is_come and phase == "come_out":
        play.roll(WAYS[puck])
        play.shoots()
    return play


def _make(play: Play, kind: str, number: str, cents: dict[int, int]) -> None:
    for seat in _PLAYERS:
        play.make(seat, kind, cents[seat], number)


def did(found: list[Settled]) -> str:
    """Return what a roll did to one wager; a composite wager won if any of its parts did."""
    if not found:
        return "stayed"
    words = {e.WagerWon: "won", e.WagerLost: "lost", e.WagerReturned: "returned", e.WagerMoved: "moved"}
    told = {words[type(event)] for event in found}
    return "won" if "won" in told else told.pop()


def outcomes(play: Play, kind: str) -> dict[Roll, dict[int, list[Settled]]]:
    """Return what each of the 36 rolls does to the wager, by player; check that the racks agree."""
    found: dict[Roll, dict[int, list[Settled]]] = {}
    for roll in OUTCOMES:
        after = play.fork()
        happened = after.roll(roll)
        found[roll] = {seat: settled(happened, seat, kind) for seat in _PLAYERS}
        for seat in _PLAYERS:
            assert after.rack(seat) - play.rack(seat) == sum(_received(event) for event in settled(happened, seat))
    return found


def _received(event: Settled) -> int:
    if isinstance(event, e.WagerWon):
        return event.cents + event.winnings - event.vigorish
    return event.wager.cents if isinstance(event, e.WagerReturned) else 0
