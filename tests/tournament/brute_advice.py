"""Tournament advice by brute force, written apart: one table of the engine, all 36 outcomes of each roll.

Everybody sits at one table, with somebody of the house at seat 1 who throws. The last roll tries every amount of every
wager that the situation names, in whole chips, and lets the engine refuse what it refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from passline.game import commands as c
from passline.game.decide import act
from passline.game.position import Money, Table, Wager, open_table
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.strategy.interface import Seen, Strategy, commands_of
from passline.strategy.lookup import strategy_of
from passline.tournament.advice.situation import SeatedPlayer, TournamentEnding

_HOUSE, _ME = 1, 2
_CHIPS = 10**10
_POINT = 100
_Wagers = tuple[tuple[str, int, int], ...]  # a kind, a number and points each


class BruteForce:
    """One situation, dealt by the engine."""

    def __init__(self, situation: TournamentEnding, rules: Rules) -> None:
        self.situation, self.rules = situation, rules
        players = [situation.me, *situation.rivals]
        self.strategies: list[Strategy | None] = [
            strategy_of(player.strategy, rules) if player.strategy else None for player in players
        ]
        assert all(strategy is None or strategy.start is None for strategy in self.strategies), "none remembers"
        self.table = self._table(players)
        self._known: dict[object, Fraction] = {}

    def _table(self, players: list[SeatedPlayer]) -> Table:
        table = open_table(self.rules)
        for seat in range(_HOUSE, len(players) + 2):
            table = self._must(table, c.TakeSeat(seat=seat))
            table = self._must(table, c.BuyIn(seat=seat, cents=_CHIPS))
        table = self._must(table, c.AcceptDice(seat=_HOUSE))
        layout = []
        racks = list(table.money.racks)
        for seat, player in enumerate(players, start=_ME):
            racks[seat - 1] = player.points * _POINT
            for text in player.up:
                kind, *number, points = text.split()
                layout.append(Wager(seat, "player", kind, int(number[0]) if number else 0, int(points) * _POINT))
        if self.situation.puck:
            layout.append(Wager(_HOUSE, "player", "pass", 0, 10_00))
        position = replace(table.position, puck=self.situation.puck, layout=tuple(sorted(layout)))
        return Table(position, Money(racks=tuple(racks), bank=table.money.bank, coupons=table.money.coupons))

    def _must(self, table: Table, command: c.Command) -> Table:
        outcome = act(self.rules, table, command)
        assert not isinstance(outcome, Refused), outcome
        return outcome[1]

    def chance(self, wagers: _Wagers, place: int) -> Fraction | None:
        """Return the chance of a place with these wagers now; None if the table refuses them."""
        table = self._with(self._offered(self.table), wagers)
        return None if table is None else self._after(self._rivals_act(table), self.situation.rolls, place)

    def _after(self, table: Table, rolls: int, place: int) -> Fraction:
        """Return the chance once everybody has acted, before the dice."""
        total = Fraction(0)
        for first in range(1, 7):
            for second in range(1, 7):
                rolled = self._must(table, c.RollDice(first=first, second=second))
                total += self._worth(rolled, place) if rolls == 1 else self._before(rolled, rolls - 1, place)
        return total / 36

    def _before(self, table: Table, rolls: int, place: int) -> Fraction:
        """Return the chance before anybody acts; on the last roll I take the best of all amounts."""
        table = self._offered(table)
        key = (table.position.puck, table.position.layout, table.money.racks, rolls, place)
        if key not in self._known:
            if rolls > 1:
                acted = self._rivals_act(self._acts(table, _ME))
                self._known[key] = self._after(acted, rolls, place)
            else:
                best = Fraction(0)
                for wagers in self.all_wagers(table):
                    mine = self._with(table, wagers)
                    if mine is not None:
                        best = max(best, self._after(self._rivals_act(mine), 1, place))
                self._known[key] = best
        return self._known[key]

    def all_wagers(self, table: Table) -> Iterator[_Wagers]:
        """Yield nothing, and every amount in whole chips of each wager that I do not have up yet."""
        yield ()
        step = self.situation.chip
        most = table.money.racks[_ME - 1] // _POINT
        up = {(wager.kind, wager.number) for wager in table.position.layout if wager.seat == _ME}
        for text in self.situation.wagers:
            kind, _, number = text.partition(" ")
            at = int(number or 0)
            if (kind, at) not in up:
                amounts = range(step, most + 1, step)
                yield from (((kind, at, points),) for points in amounts if self._is_charged_by_rate(kind, at, points))

    def _is_charged_by_rate(self, kind: str, number: int, points: int) -> bool:
        """Whether the vigorish is its rate, rounded down, and not the least that is charged."""
        rule, cents = self.rules.wagers[kind], points * _POINT
        if rule.vigorish is None:
            return True
        return cents * self.rules.vigorish_rate(rule, number) >= rule.vigorish.on(number).cents_min

    def _offered(self, table: Table) -> Table:
        """Bring the dice back to the house, which has a line wager."""
        while table.position.dice == "offered":
            seat = table.position.offered_to
            table = self._must(table, c.AcceptDice(seat=seat) if seat == _HOUSE else c.DeclineDice(seat=seat))
        has_line = any(wager.seat == _HOUSE for wager in table.position.layout)
        if not table.position.puck and not has_line:
            table = self._must(table, c.MakeWager(seat=_HOUSE, wager="pass", number=0, cents=10_00))
        return table

    def _rivals_act(self, table: Table) -> Table:
        for seat in range(_ME + 1, _ME + len(self.strategies)):
            table = self._acts(table, seat)
        return table

    def _acts(self, table: Table, seat: int) -> Table:
        strategy = self.strategies[seat - _ME]
        assert strategy is not None
        mine = tuple(wager for wager in table.position.layout if wager.seat == seat)
        seen = Seen(table.position.puck, is_clearing=False, mine=mine, closed=table.position.closed)
        for _wish, command in commands_of(self.rules, seat, seen, strategy.wishes(seen, None)):
            outcome = act(self.rules, table, command)
            if not isinstance(outcome, Refused):
                table = outcome[1]
        return table

    def _with(self, table: Table, wagers: _Wagers) -> Table | None:
        for kind, number, points in wagers:
            outcome = act(self.rules, table, c.MakeWager(seat=_ME, wager=kind, number=number, cents=points * _POINT))
            if isinstance(outcome, Refused):
                return None
            table = outcome[1]
        return table

    def _worth(self, table: Table, place: int) -> Fraction:
        cents = list(table.money.racks)
        if self.situation.undecided == "returned":
            for wager in table.position.layout:
                cents[wager.seat - 1] += wager.cents + wager.vigorish
        points = [amount // _POINT for amount in cents]
        mine, rivals = points[_ME - 1], points[_ME : _ME + len(self.situation.rivals)]
        left = place - sum(rival > mine for rival in rivals)
        level = sum(rival == mine for rival in rivals)
        if left <= 0:
            return Fraction(0)
        return Fraction(1) if self.situation.ties == "shared" else min(Fraction(1), Fraction(left, level + 1))
