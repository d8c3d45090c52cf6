"""The wagers that a player could make before a roll, in steps that are paid exactly.

In whole steps what a wager comes to is a multiple of what one step does, so that a kernel can look for the amounts at
which a rank changes. Not on the menu are spots where the player has a wager up, which stays as it is; wagers that are
booked as others, which are on it; and side wagers, which the next roll seldom decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, lcm

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from passline.automaton.seat import SeatState, StrategySeat
from passline.automaton.standing import PAIRS
from passline.game.commands import MakeWager
from passline.game.decide import act
from passline.game.position import Table, find
from passline.game.spots import Spot, least_cents, most_cents, spots, unit_cents, wish_for
from passline.money import POINT_CENTS
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.rules.schema import SideWager
from passline.tournament.advice.kernel import BOUNDS
from passline.tournament.advice.players import LastRoll
from passline.tournament.advice.situation import PLAYER_SEAT, TournamentEnding

_PLENTY = 10**12


class MenuWager(Struct, frozen=True):
    """A wager that could be made now, at `start` and any number of steps: what it costs, and what it comes to.

    Where vigorish is rounded down, a spot has an entry for each amount below the step in which it is not.
    """

    spot: Spot
    start: int  # cents
    step: int  # cents
    least: int  # steps
    most: int  # steps; money apart
    fixed: int  # cents without a step, with the vigorish that is paid beforehand
    cost: int  # cents of each step
    base: tuple[int, ...]  # cents gained after the roll without a step, for each pair of dice
    gains: tuple[int, ...]  # cents gained by each step

    def points(self, steps: int) -> int:
        """Return the points of so many steps."""
        return (self.start + self.step * steps) // POINT_CENTS


class MenuArrays(Struct, frozen=True):
    """A menu as the kernel reads it: the bounds of each entry, and its gains by pair of dice."""

    bounds: NDArray[np.int64]
    base: NDArray[np.int64]
    gains: NDArray[np.int64]


class Menus:
    """The wagers of a table, by the puck and by what the player has up."""

    def __init__(self, rules: Rules, situation: TournamentEnding, allowed: Sequence[Spot], *, are_lost: bool) -> None:
        self.are_lost = are_lost
        self._rules, self._allowed = rules, frozenset(allowed)
        self._chip = lcm(rules.chip, situation.chip * POINT_CENTS)
        self._most_cents = situation.wager_points_max * POINT_CENTS
        self._last = LastRoll(rules, are_lost=are_lost)
        self._known: dict[object, tuple[list[MenuWager], MenuArrays]] = {}

    def of_state(self, seat: StrategySeat, state: SeatState) -> tuple[list[MenuWager], MenuArrays]:
        """Return the menu in a state."""
        up = tuple((wager.kind, wager.number, wager.cents if self._is_limited else 0) for wager in state.mine)
        key = (state.puck, state.closed, up)
        if key not in self._known:
            menu = list(self._wagers(seat, state))
            numbers = {spot: number for number, spot in enumerate(dict.fromkeys(wager.spot for wager in menu))}
            bounds = [(wager.least, wager.most, wager.cost, wager.fixed, numbers[wager.spot]) for wager in menu]
            arrays = MenuArrays(
                np.array(bounds, dtype=np.int64).reshape(-1, BOUNDS),
                np.array([wager.base for wager in menu], dtype=np.int64).reshape(-1, len(PAIRS)),
                np.array([wager.gains for wager in menu], dtype=np.int64).reshape(-1, len(PAIRS)),
            )
            self._known[key] = menu, arrays
        return self._known[key]

    @property
    def _is_limited(self) -> bool:
        return self._rules.limits_apply or bool(self._most_cents)

    def _wagers(self, seat: StrategySeat, state: SeatState) -> Iterator[MenuWager]:
        table = seat.table_in(state)
        for spot in spots(self._rules, table, PLAYER_SEAT):
            rule = self._rules.wagers[spot.kind]
            is_up = find(table.position, PLAYER_SEAT, spot.kind, spot.number) is not None
            is_rounded = rule.family == "composite" and self._rules.house.unpayable == "round_up"
            is_left_out = bool(rule.breakdown) or is_rounded or isinstance(rule.entry, SideWager)
            if is_up or is_left_out or (self._allowed and spot not in self._allowed):
                continue
            yield from self._entries(seat, state, table, spot)

    def _entries(self, seat: StrategySeat, state: SeatState, table: Table, spot: Spot) -> Iterator[MenuWager]:
        """Yield the entries of a spot; none where the table refuses even the least of it."""
        rules, rule = self._rules, self._rules.wagers[spot.kind]
        chips, most = self._step(spot), self._most(table, spot)
        rate = Fraction(rules.vigorish_rate(rule, spot.number))
        step = lcm(chips, (rate / rules.chip).denominator)
        floor = least_cents(rules, spot) if rules.limits_apply else chips
        if rule.vigorish is not None and rate:
            floor = max(floor, ceil(rule.vigorish.on(spot.number).cents_min / rate))
        for start in range(chips, step + 1, chips) if step > chips else (0,):
            least = max(0, -((start - floor) // step))
            if start + least * step > most:
                continue
            first = self._outlay_and_gains(seat, state, table, wish_for(spot, start + least * step, PLAYER_SEAT))
            if first is None:
                return
            second = [first[0] + 1, *first[1:]]  # of a step that is never taken
            if start + (least + 1) * step <= most:
                wish = wish_for(spot, start + (least + 1) * step, PLAYER_SEAT)
                second = self._outlay_and_gains(seat, state, table, wish) or second
            per_step = [after - before for before, after in zip(first, second, strict=True)]
            without = [amount - least * each for amount, each in zip(first, per_step, strict=True)]
            yield MenuWager(
                spot, start, step, least, (most - start) // step, without[0], per_step[0], tuple(without[1:]),
                tuple(per_step[1:]),
            )  # fmt: skip

    def _outlay_and_gains(
        self, seat: StrategySeat, state: SeatState, table: Table, wish: MakeWager
    ) -> list[int] | None:
        """Return what a wager costs, then what it gains after each pair of dice; None where the table refuses it."""
        outcome = act(self._rules, table, wish)
        if isinstance(outcome, Refused):
            return None
        made = find(outcome[1].position, PLAYER_SEAT, wish.wager, wish.number)
        assert made is not None
        cost = table.money.racks[PLAYER_SEAT - 1] - outcome[1].money.racks[PLAYER_SEAT - 1]
        return [cost, *(cents - cost for cents in self._last.cents_left(seat, state, made))]

    def _most(self, table: Table, spot: Spot) -> int:
        """Return the most cents that the table takes on a spot, whatever the player has."""
        most = self._most_cents or _PLENTY
        return min(most, most_cents(self._rules, table, spot, PLAYER_SEAT)) if self._rules.limits_apply else most

    def _step(self, spot: Spot) -> int:
        """Return the cents whose multiples are paid exactly."""
        rules, rule = self._rules, self._rules.wagers[spot.kind]
        step = lcm(self._chip, unit_cents(rules, spot))
        if rule.family != "composite":
            step = lcm(step, rule.unit(0 if rule.family == "line" else spot.number, rules.chip))
        return step
