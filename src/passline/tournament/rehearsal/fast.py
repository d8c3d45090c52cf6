"""Drives the kernels of a rehearsal: runs are held in batches, and states are explored as runs reach them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from passline.automaton.paying import STATES_MAX, PayingAutomata
from passline.tournament.plan.schema import AddOn, Rebuy, Round
from passline.tournament.rehearsal.course import HeldRun, Setting
from passline.tournament.rehearsal.figures import Rehearsal
from passline.tournament.rehearsal.kernel import (
    COLUMNS,
    FIELDS,
    IS_DECIDED,
    IS_LAST_ROLL,
    IS_LEVEL,
    IS_STOPPED,
    POINTS,
    WINNER,
    Manner,
    PayingCells,
    Rounds,
    Space,
    hold_runs,
)

_BATCH_PLAYERS = 20_000  # entries of the runs of a batch: some hundredths of a second
_WANTED_MAX = 4096
_FIRST_STATES = 512
_SEED = np.uint64


class FastRehearsal:
    """An event held by the kernels.

    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> from passline.tournament.plan.reader import example_plan
    >>> from passline.tournament.rehearsal.course import setting_of
    >>> plan, rules = example_plan("colorado"), Rules.of("colorado")
    >>> players, rest = (strategy_of("pass", rules),), {"entries": 2, "seed": 1, "are_chips_bought": False}
    >>> setting = setting_of(plan, plan.events[1], rules, players, rolls=(5,), **rest)
    >>> next(FastRehearsal(setting).hold(1)).rounds
    ({0: 4990, 1: 4990},)
    """

    def __init__(self, setting: Setting, *, states_max: int = STATES_MAX) -> None:
        self._setting = setting
        self._rounds, self._manner = _rounds_of(setting), _manner_of(setting)
        self._automata = PayingAutomata(setting.rules, setting.strategies, states_max=states_max)
        self._automata.explore_first(_FIRST_STATES)
        rolls, entries = max(setting.rolls), setting.entries
        self._space = Space(
            entries=np.zeros((FIELDS, entries), dtype=np.int64),
            order=np.zeros(entries, dtype=np.int64),
            words=np.zeros(6, dtype=np.uint64),
            thrown=np.zeros(rolls, dtype=np.uint8),
            history=np.zeros(rolls + 1, dtype=np.int64),
            wanted=np.zeros(_WANTED_MAX, dtype=np.int64),
            wanted_ways=np.zeros(_WANTED_MAX, dtype=np.int64),
            result=np.zeros(COLUMNS + len(setting.strategies), dtype=np.int64),
            standings=np.zeros((len(setting.rolls), entries), dtype=np.int64),
        )

    def batches(self, runs: int) -> Iterator[range]:
        """Yield the numbers of the runs of each batch; the first ones are small, so that progress shows at once."""
        most, size, first = max(1, _BATCH_PLAYERS // self._setting.entries), 1, 0
        while first < runs:
            size = min(2 * size, most)
            yield range(first, min(first + size, runs))
            first += size

    def hold(self, runs: int) -> Iterator[HeldRun]:
        """Yield what came of each run, with the standings of every round: one run at a time, for comparison."""
        for run in range(runs):
            (result,) = self.results(range(run, run + 1)).tolist()
            standings = [
                {entry: points for entry, points in enumerate(row) if points >= 0}
                for row in self._space.standings.tolist()
            ]
            yield HeldRun(
                winner=result[WINNER],
                points=result[POINTS],
                is_decided=bool(result[IS_DECIDED]),
                is_last_roll=bool(result[IS_LAST_ROLL]),
                is_level=bool(result[IS_LEVEL]),
                finalists=tuple(at for at, was_in in enumerate(result[COLUMNS:]) if was_in),
                rounds=tuple(row for row in standings if row),
            )

    def results(self, runs: range) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """Return what came of these runs, in the columns of the kernel; explore what they reach."""
        results = np.zeros((len(runs), COLUMNS + len(self._setting.strategies)), dtype=np.int64)
        waiting = np.arange(len(runs))
        while len(waiting):
            wanted, wanted_ways = self._space.wanted, self._space.wanted_ways
            wanted[0] = wanted_ways[0] = 0
            hold_runs(
                self._cells(), self._rounds, self._manner, _SEED(self._setting.seed), runs.start, waiting, results,
                self._space,
            )  # fmt: skip
            waiting = waiting[results[waiting, IS_STOPPED] == 1]
            self._automata.explore(np.unique(wanted[1 : wanted[0] + 1]).tolist())
            self._automata.explore_settlements(np.unique(wanted_ways[1 : wanted_ways[0] + 1]).tolist())
        return results

    def _cells(self) -> PayingCells:
        found = self._automata
        return PayingCells(
            np.array(found.starts, dtype=np.int64), found.first, found.face, found.vigorish, found.need, found.next,
            found.cash, found.settled, found.changes,
        )  # fmt: skip


def add_results(found: Rehearsal, results: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
    """Count runs into what a rehearsal finds out."""
    found.runs += len(results)
    found.winning_points += results[:, POINTS].tolist()
    found.decided += int(results[:, IS_DECIDED].sum())
    found.last_roll += int(results[:, IS_LAST_ROLL].sum())
    found.level += int(results[:, IS_LEVEL].sum())
    wins = np.bincount(results[:, WINNER], minlength=len(found.wins))
    finalists = results[:, COLUMNS:].sum(axis=0)
    found.wins = [held + int(won) for held, won in zip(found.wins, wins, strict=True)]
    found.finalists = [held + int(more) for held, more in zip(found.finalists, finalists, strict=True)]


def _rounds_of(setting: Setting) -> Rounds:
    rounds = setting.event.rounds

    def points_on_sale(offer: Rebuy | AddOn | None, planned: Round) -> int:
        is_sold = setting.are_chips_bought and offer is not None and planned.name in offer.rounds
        return offer.points if is_sold and offer is not None else 0

    columns = (
        setting.rolls,
        [planned.seats for planned in rounds],
        [planned.advance for planned in rounds],
        [planned.wild_cards for planned in rounds],
        [planned.carries_points for planned in rounds],
        [points_on_sale(setting.event.rebuy, planned) for planned in rounds],
        [points_on_sale(setting.event.add_on, planned) for planned in rounds],
    )
    return Rounds(*(np.array(column, dtype=np.int64) for column in columns))


def _manner_of(setting: Setting) -> Manner:
    rebuy, add_on = setting.event.rebuy, setting.event.add_on
    return Manner(
        points=setting.event.points,
        are_lost=int(setting.are_lost),
        all_go_on=int(setting.at_cut == "all_go_on"),
        is_earlier_at_cut=int(setting.at_cut == "earlier_lead"),
        is_earlier_at_end=int(setting.at_end == "earlier_lead"),
        rebuys_max=rebuy.most if rebuy else 0,
        add_ons_max=add_on.most if add_on else 0,
    )
