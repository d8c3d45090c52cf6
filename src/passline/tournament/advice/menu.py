"""The wagers that a player could make before a roll, in steps that are paid and charged exactly.

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
from passline.game.decide import act
from passline.game.position import Table, find
from passline.game.spots import Spot, least_cents, most_cents, spots, unit_cents, wish_for
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.rules.schema import SideWager
from passline.tables.money.points import POINT_CENTS
from passline.tournament.advice.players import LastRoll
from passline.tournament.advice.situation import PLAYER_SEAT, TournamentEnding

_PLENTY = 10**12


class MenuWager(Struct, frozen=True):
    """A wager that could be made now: one step of it, how many steps at least and at most, and what a step comes to."""

    spot: Spot
    step: int  # cents
    least: int  # steps
    most: int  # steps; money apart
    cost: int  # cents of a step, with the vigorish that is paid beforehand
    gains: tuple[int, ...]  # cents of a step after the roll, for each pair of dice


class MenuArrays(Struct, frozen=True):
    """A menu as the kernel reads it: least, most and cost of each wager, and its gains by pair of dice."""

    bounds: NDArray[np.int64]
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
            bounds = np.array([(wager.least, wager.most, wager.cost) for wager in menu], dtype=np.int64).reshape(-1, 3)
            gains = np.array([wager.gains for wager in menu], dtype=np.int64).reshape(-1, len(PAIRS))
            self._known[key] = menu, MenuArrays(bounds, gains)
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
            found = self._wager(seat, state, table, spot)
            if found is not None:
                yield found

    def _wager(self, seat: StrategySeat, state: SeatState, table: Table, spot: Spot) -> MenuWager | None:
        """Return what one step of a wager does; None where the table refuses even the least of it."""
        rules, rule = self._rules, self._rules.wagers[spot.kind]
        step, most = self._step(spot), self._most(table, spot)
        floor = least_cents(rules, spot) if rules.limits_apply else step
        if rule.vigorish is not None and (rate := rules.vigorish_rate(rule, spot.number)):
            floor = max(floor, ceil(rule.vigorish.on(spot.number).cents_min / rate))
        least = -(-floor // step)
        outcome = act(rules, table, wish_for(spot, least * step, PLAYER_SEAT))
        if isinstance(outcome, Refused) or least * step > most:
            return None
        made = find(outcome[1].position, PLAYER_SEAT, spot.kind, spot.number)
        assert made is not None
        cost = table.money.racks[PLAYER_SEAT - 1] - outcome[1].money.racks[PLAYER_SEAT - 1]
        gains = [cents - cost for cents in self._last.cents_left(seat, state, made)]
        assert all(amount % least == 0 for amount in (cost, *gains)), f"{spot}: whole steps come to a multiple of one"
        return MenuWager(spot, step, least, most // step, cost // least, tuple(gain // least for gain in gains))

    def _most(self, table: Table, spot: Spot) -> int:
        """Return the most cents that the table takes on a spot, whatever the player has."""
        most = self._most_cents or _PLENTY
        return min(most, most_cents(self._rules, table, spot, PLAYER_SEAT)) if self._rules.limits_apply else most

    def _step(self, spot: Spot) -> int:
        """Return the cents whose multiples are paid exactly, and charged exactly where there is vigorish."""
        rules, rule = self._rules, self._rules.wagers[spot.kind]
        step = lcm(self._chip, unit_cents(rules, spot))
        if rule.family != "composite":
            step = lcm(step, rule.unit(0 if rule.family == "line" else spot.number, rules.chip))
        return lcm(step, (Fraction(rules.vigorish_rate(rule, spot.number)) / rules.chip).denominator)
