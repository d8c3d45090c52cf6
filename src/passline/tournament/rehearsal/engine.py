"""Deals the tables of a rehearsal by the engine itself, for whatever the kernels cannot take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from passline.dice import Roll
from passline.game.events import MeterPaid, WagerLost, WagerWon
from passline.game.position import open_table
from passline.money import POINT_CENTS
from passline.strategy.interface import Seen, Simple, Want, Wish
from passline.strategy.strategy_table import StrategyTable
from passline.tournament.rehearsal.course import Group, GroupEnd, Setting

_SHOOTER_CENTS = 10**11


class EngineTables:
    """Tables by what is played at them: they remember what the strategies wish, so that the next run is quicker.

    At the first seat somebody of the house throws the dice and always has a line wager. Where more groups play than a
    table has other seats, further tables are dealt with the same dice, since no player's wagers touch another's.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._tables: dict[tuple[int, ...], StrategyTable] = {}
        self._others = len(open_table(setting.rules).position.seats) - 1
        line = setting.rules.procedures.shooter.line_wagers[0]
        wish = Want(line, 0, setting.rules.wagers[line].min)

        def wishes(seen: Seen) -> tuple[Wish, ...]:
            return () if seen.puck else (wish,)

        self._house = Simple("somebody of the house", shoots=True, wish=wishes)

    def deal(self, groups: Sequence[Group], dice: Iterator[Roll], rolls: int) -> dict[Group, GroupEnd]:
        """Deal a table."""
        thrown = [(roll.first, roll.second) for roll in islice(dice, rolls)]
        ends: dict[Group, GroupEnd] = {}
        for first in range(0, len(groups), self._others):
            ends |= self._deal(groups[first : first + self._others], thrown)
        return ends

    def _deal(self, groups: Sequence[Group], thrown: list[tuple[int, int]]) -> dict[Group, GroupEnd]:
        key = tuple(strategy for strategy, _ in groups)
        table = self._tables.get(key)
        if table is None:
            seated = [self._setting.strategies[strategy] for strategy in key]
            table = self._tables[key] = StrategyTable(self._setting.rules, [self._house, *seated], shooter=1)
        table.open([_SHOOTER_CENTS, *(points * POINT_CENTS for _, points in groups)])
        history = [[points for _, points in groups]]
        is_earlier = "earlier_lead" in {self._setting.at_cut, self._setting.at_end}
        last = len(thrown) - 1
        for number, dice in enumerate(thrown):
            table.play([dice])
            if is_earlier or number >= last - 1:
                history.append(self._points(table, len(groups)))
        changes: list[list[int]] = [[] for _ in groups]
        for seat, cents in _settlements(table):
            if seat > 1:
                changes[seat - 2].append(cents // POINT_CENTS)
        return {
            group: GroupEnd(
                points=history[-1][at],
                before=history[-2][at],
                since=next(roll for roll, points in enumerate(history) if points[at] == history[-1][at]),
                changes=tuple(changes[at]),
            )
            for at, group in enumerate(groups)
        }

    def _points(self, table: StrategyTable, groups: int) -> list[int]:
        """Return what each group has, with what is up unless the sheet says that it is lost."""
        cents = list(table.table.money.racks)
        if not self._setting.are_lost:
            for wager in table.table.position.layout:
                cents[wager.seat - 1] += wager.cents + wager.vigorish
        return [cents[at + 1] // POINT_CENTS for at in range(groups)]


def _settlements(table: StrategyTable) -> Iterator[tuple[int, int]]:
    """Yield each wager that the last roll settled: its seat, and the cents that it gained or lost."""
    for event in table.happened:
        if isinstance(event, WagerWon):
            yield event.wager.seat, event.winnings - event.vigorish
        elif isinstance(event, MeterPaid):
            yield event.wager.seat, event.cents
        elif isinstance(event, WagerLost):
            yield event.wager.seat, -event.cents
