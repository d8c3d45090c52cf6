"""The exact value of wagers that stand on a layout, and how far one roll can move it.

The value of a wager is what its player gains from here on average, beyond its face, if it stays up until it is decided.
It comes from the engine's own settlement of every roll, at the very cents that lie there, so breakage is in it. The
values of a layout add up, and the change of a roll (what is paid and taken, and the new values) has mean zero:

>>> from passline.game.position import Wager
>>> values = StandingValues(Rules.of("maryland"))
>>> values.value(Wager(1, "player", "pass", 0, 10_00))
Fraction(-1400, 99)
>>> values.value(Wager(1, "player", "pass_odds", 6, 10_00), puck=6)
Fraction(0, 1)
>>> stakes = (Wager(1, "player", "pass", 0, 10_00), Wager(2, "player", "field", 0, 5_00))
>>> sum(Fraction(WEIGHTS[pair], 36) * change for pair, change in enumerate(values.changes(stakes)))
Fraction(0, 1)
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import Roll, roll_of
from passline.exact.chain.systems import Equation, solve
from passline.game import events as e
from passline.game.position import Position, Wager
from passline.game.settlement import settlement
from passline.rules.memo import Memo
from passline.rules.rules import Rules

__all__ = ["PAIRS", "WEIGHTS", "StandingValues"]

PAIRS: tuple[Roll, ...] = tuple(roll_of(first, second) for first in range(1, 7) for second in range(first, 7))
"""The 21 pairs of dice, without their order."""
WEIGHTS: tuple[int, ...] = tuple(1 if pair.first == pair.second else 2 for pair in PAIRS)
"""In how many of 36 ways each comes."""
_OUTCOMES = 36
_SEVEN = 7
_DECIDED = (e.WagerWon, e.WagerLost, e.WagerReturned)


class _Standing(Struct, frozen=True, gc=False, cache_hash=True):
    """A wager and the point that it stands at."""

    puck: int
    is_clearing: bool
    wager: Wager


class _Known(Struct, frozen=True, gc=False):
    """The value of a standing wager, and what each pair of dice adds to it and its player's chips."""

    value: Fraction
    changes: tuple[Fraction, ...]


_KNOWN: Memo[_Standing, _Known] = Memo()


class StandingValues:
    """Values of standing wagers under rules, each solved once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._points = frozenset(rules.points)
        self._known = rules.remembered(_KNOWN)

    def value(self, wager: Wager, *, puck: int = 0, is_clearing: bool = False) -> Fraction:
        """Return what the player gains from a wager on average, in cents; a loss is below zero."""
        return self._solved(_standing(wager, puck, is_clearing=is_clearing)).value

    def layout_value(self, position: Position) -> Fraction:
        """Return the sum of the values of all wagers on a layout; of those that are not confirmed, nothing."""
        return sum((self._solved(one).value for one in _layout(position)), Fraction(0))

    def changes(self, wagers: Iterable[Wager], *, puck: int = 0, is_clearing: bool = False) -> tuple[Fraction, ...]:
        """Return what each of the 21 pairs adds to the chips and values of some wagers together."""
        return _added(self._solved(_standing(one, puck, is_clearing=is_clearing)).changes for one in wagers)

    def variance(self, position: Position) -> Fraction:
        """Return the variance of the next roll over the whole layout, in cents squared."""
        changes = _added(self._solved(one).changes for one in _layout(position))
        return (
            sum((weight * change**2 for weight, change in zip(WEIGHTS, changes, strict=True)), Fraction(0)) / _OUTCOMES
        )

    def _solved(self, standing: _Standing) -> _Known:
        known = self._known.get(standing)
        return known if known is not None else self._solve(standing)

    def _solve(self, start: _Standing) -> _Known:
        """Solve all states that a wager can come to, as far as they are not known."""
        rolled: dict[_Standing, list[tuple[int, _Standing | None]]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state in rolled or state in self._known:
                continue
            rolled[state] = [self._rolled(state, pair) for pair in PAIRS]
            waiting += (after for _gain, after in rolled[state] if after is not None)
        equations = {state: self._equation(results) for state, results in rolled.items()}
        values = solve(equations, scale=_OUTCOMES)
        for state, results in rolled.items():
            changes = tuple(
                gain + (self._after(after, values) if after is not None else 0) - values[state]
                for gain, after in results
            )
            self._known[state] = _Known(values[state], changes)
        return self._known[start]

    def _after(self, state: _Standing, values: dict[_Standing, Fraction]) -> Fraction:
        return values[state] if state in values else self._known[state].value

    def _equation(self, results: list[tuple[int, _Standing | None]]) -> Equation[_Standing]:
        """Return the equation of a state: the mean gain of a roll, and the states that it leads to."""
        constant, weights = Fraction(0), dict[_Standing, int]()
        for weight, (gain, after) in zip(WEIGHTS, results, strict=True):
            constant += Fraction(weight * gain, _OUTCOMES)
            if after is None:
                continue
            if after in self._known:
                constant += Fraction(weight, _OUTCOMES) * self._known[after].value
            else:
                weights[after] = weights.get(after, 0) + weight
        return constant, weights

    def _rolled(self, state: _Standing, pair: Roll) -> tuple[int, _Standing | None]:
        """Return what a pair of dice pays a wager, less what it takes, and where it leaves it; None: decided."""
        position = Position(puck=state.puck, is_clearing=state.is_clearing, layout=(state.wager,))
        gain, left = 0, state.wager
        is_up = True
        for event in settlement(self._rules, position, pair):
            if isinstance(event, _DECIDED):
                gain += _gain(event)
                after = getattr(event, "after", None)
                is_up, left = after is not None, after or left
            elif (after := getattr(event, "after", None)) is not None:
                left = after
        if not is_up:
            return gain, None
        puck, is_clearing = self._next(state, pair)
        return gain, _Standing(puck, is_clearing, left)

    def _next(self, state: _Standing, pair: Roll) -> tuple[int, bool]:
        """Return the point after a roll; a clearing goes on until its wagers are decided."""
        total = pair.total
        if state.is_clearing:
            return 0, total != _SEVEN
        if not state.puck:
            return (total, False) if total in self._points else (0, False)
        return (0, False) if total in {state.puck, _SEVEN} else (state.puck, False)


def _standing(wager: Wager, puck: int, *, is_clearing: bool) -> _Standing:
    """Return the state of a wager: whose it is makes no difference."""
    return _Standing(puck, is_clearing, replace(wager, seat=1, owner="player", late=False))


def _layout(position: Position) -> list[_Standing]:
    return [
        _standing(wager, position.puck, is_clearing=position.is_clearing)
        for wager in position.layout
        if not wager.pending
    ]


def _added(changes: Iterable[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    total = [Fraction(0)] * len(PAIRS)
    for one in changes:
        total = [so_far + more for so_far, more in zip(total, one, strict=True)]
    return tuple(total)


def _gain(event: e.WagerWon | e.WagerLost | e.WagerReturned) -> int:
    """Return what a decision adds to the player's chips and wagers together."""
    if isinstance(event, e.WagerWon):
        return event.winnings - event.vigorish
    if isinstance(event, e.WagerLost):
        return -event.cents
    return event.wager.vigorish
