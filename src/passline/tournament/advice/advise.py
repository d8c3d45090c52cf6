"""The exact chance of a place for each candidate wager before one of the last rolls of a tournament's round.

Candidates are one or two wagers, at the amounts where a rank can change on the next roll, and no wager at all. Rivals
follow strategies that read no standings. With three rolls left one's own second roll follows a strategy; one's own last
roll is the best of its candidates for the place that is asked about. What was up before stays up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from passline.automaton.paying import face_of, vigorish_held
from passline.automaton.seat import SeatActs, SeatState, StrategySeat
from passline.automaton.standing import PAIRS, WEIGHTS
from passline.errors import CrapsError
from passline.game.decide import act
from passline.game.position import Wager, wagers_of_seat
from passline.game.spots import Spot, wish_for
from passline.money import POINT_CENTS
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.strategy.interface import Seen, Simple, Strategy, Wish
from passline.strategy.lookup import strategy_of
from passline.tournament.advice.kernel import COST, FIXED, SPOT, WHOLE, best_last, list_candidates, worth_of_all
from passline.tournament.advice.menu import MenuArrays, Menus, MenuWager
from passline.tournament.advice.players import Holding, LastRoll, PlannedPlayer, after_acts
from passline.tournament.advice.situation import (
    PLAYER_SEAT,
    ROLLS_MAX,
    TournamentEnding,
    rules_of_situation,
    spot_in,
    wagers_up,
)

CANDIDATES_MAX = 2_000_000
"""The most candidates of a last roll."""
PATHS_MAX = 2_000_000
"""The most candidates times pairs of dice before the last roll."""
TWO_WAGERS_KEPT = 100
"""How many candidates of two wagers an answer has: the best."""
_NOTHING = (-1, 0, -1, 0)
_OUTCOMES = 36
_Joint = tuple[Holding, ...]
Progress = Callable[[int, int], None]
"""Called with how many positions before the last roll are solved, and how many there are."""


class Choice(Struct, frozen=True):
    """A candidate: its wagers with their points, and the chance of each place, or a better one."""

    wagers: tuple[tuple[Spot, int], ...]
    chances: tuple[Fraction, ...]


class Advice(Struct, frozen=True):
    """The candidates, best first: all of one wager, and the best of two; and how many were looked at."""

    places: tuple[int, ...]
    choices: tuple[Choice, ...]
    one_wager: int  # how many candidates of one wager
    two_wagers: int
    are_two_last: bool  # whether one's own last roll was looked at with two wagers too
    positions: int  # before the last roll; 0 where it is the next


def advise(situation: TournamentEnding, *, progress: Progress | None = None) -> Advice:
    """Return the chance of each candidate.

    >>> from passline.tournament.advice.situation import situation_of
    >>> me, bob = {"points": 880}, {"name": "Bob", "points": 1000, "strategy": "field:unit=10000"}
    >>> file = {"rules": "colorado", "rolls": 1, "me": me, "rivals": [bob], "wagers": ["any_seven"], "chip": 20}
    >>> [(choice.wagers[0][1] if choice.wagers else 0, choice.chances) for choice in advise(situation_of(file)).choices]
    [(20, (Fraction(1, 6),)), (880, (Fraction(1, 6),)), (0, (Fraction(0, 1),))]
    """
    return _Adviser(situation).advise(progress or (lambda _done, _all: None))


def _idle(_seen: Seen) -> tuple[Wish, ...]:
    return ()


class _Adviser:
    """One situation, and what was worked out of it."""

    def __init__(self, situation: TournamentEnding) -> None:
        self.situation, self.rules = situation, rules_of_situation(situation)
        rules = self.rules
        if situation.puck and situation.puck not in rules.points:
            raise CrapsError(
                f"puck: {situation.puck} is not a point: write 0 where it is OFF, or one of {sorted(rules.points)}"
            )
        allowed = [spot_in(rules, text, "wagers") for text in situation.wagers]
        plays = (
            _strategy(rules, situation.me.strategy)
            if situation.me.strategy
            else Simple("you", shoots=False, wish=_idle)
        )
        self.me = StrategySeat(rules, plays)
        self.my_plan = PlannedPlayer(self.me)
        self.rivals = [
            PlannedPlayer(StrategySeat(rules, _strategy(rules, rival.strategy))) for rival in situation.rivals
        ]
        self.holding = self._opening(self.me, situation.me.points, wagers_up(rules, situation.me, situation.puck))
        self.joint: _Joint = tuple(
            self._opening(player.seat, rival.points, wagers_up(rules, rival, situation.puck))
            for player, rival in zip(self.rivals, situation.rivals, strict=True)
        )
        self.is_last = situation.rolls == 1
        self.are_two = self.is_last if situation.two_wagers is None else situation.two_wagers
        are_lost = situation.undecided == "lost"
        self.last = LastRoll(rules, are_lost=are_lost)
        self.last_menus = Menus(rules, situation, allowed, are_lost=are_lost)
        self.menus = self.last_menus if self.is_last else Menus(rules, situation, allowed, are_lost=False)
        self._joint_after: dict[_Joint, tuple[_Joint, ...]] = {}
        self._rival_points: dict[_Joint, NDArray[np.int64]] = {}
        self.weights = np.array(WEIGHTS, dtype=np.int64)

    def _opening(self, seat: StrategySeat, points: int, up: tuple[Wager, ...]) -> Holding:
        state = SeatState(self.situation.puck, seat.start.closed, up, seat.strategy.start)
        return Holding(state, points * POINT_CENTS)

    def advise(self, progress: Progress) -> Advice:
        menu, arrays = self.menus.of_state(self.me, self.holding.state)
        have = self._have(self.holding, LastRoll(self.rules, are_lost=self.is_last and self.last_menus.are_lost))
        rivals = self._points_after(self.joint, are_lost=self.is_last and self.last_menus.are_lost)
        candidates = self._candidates(have, arrays, rivals)
        if self.is_last:
            worths, positions = self._of_last(have, arrays, rivals, candidates), 0
        else:
            worths, positions = self._of_earlier(menu, candidates, progress)
        whole = _OUTCOMES ** (self.situation.rolls - 1) * WHOLE
        choices = [
            Choice(tuple(_wagers_of(menu, candidates[at].tolist())), tuple(Fraction(row[at], whole) for row in worths))
            for at in self._best_first(worths, candidates)
        ]
        ones = int((candidates[:, 2] < 0).sum()) - 1
        return Advice(
            places=self.situation.places,
            choices=tuple(choices),
            one_wager=ones,
            two_wagers=len(candidates) - ones - 1,
            are_two_last=self.are_two,
            positions=positions,
        )

    @staticmethod
    def _best_first(worths: list[list[int]], candidates: NDArray[np.int64]) -> list[int]:
        """Return the candidates in order: all of at most one wager, and the best of two."""
        order = sorted(range(len(candidates)), key=lambda at: ([-row[at] for row in worths], candidates[at, 2] >= 0))
        twos = [at for at in order if candidates[at, 2] >= 0][:TWO_WAGERS_KEPT]
        kept = {*twos}
        return [at for at in order if candidates[at, 2] < 0 or at in kept]

    def _candidates(self, have: NDArray[np.int64], menu: MenuArrays, rivals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return nothing, each wager at each amount, and two of them: rows of wager, steps, wager, steps."""
        room = np.empty((len(menu.gains) * (2 + 2 * menu.gains.shape[1] * rivals.shape[1]) + 1, 2), dtype=np.int64)
        count = list_candidates(have, self.holding.rack, menu.bounds, menu.base, menu.gains, rivals, room)
        ones = room[:count]
        rows = [np.array([_NOTHING], dtype=np.int64), np.column_stack([ones, np.tile([-1, 0], (count, 1))])]
        if self.are_two:
            if count * count // 2 > CANDIDATES_MAX:
                raise CrapsError(f"{count:,} candidates of one wager are too many pairs: name fewer in `wagers`")
            first, second = np.triu_indices(count, k=1)
            cost = menu.bounds[ones[:, 0], FIXED] + ones[:, 1] * menu.bounds[ones[:, 0], COST]
            spots = menu.bounds[ones[:, 0], SPOT]
            is_fit = (spots[first] != spots[second]) & (cost[first] + cost[second] <= self.holding.rack)
            rows.append(np.column_stack([ones[first[is_fit]], ones[second[is_fit]]]))
        return np.concatenate(rows).astype(np.int64)

    def _of_last(
        self, have: NDArray[np.int64], menu: MenuArrays, rivals: NDArray[np.int64], candidates: NDArray[np.int64]
    ) -> list[list[int]]:
        results = np.zeros(len(candidates), dtype=np.int64)
        found = []
        for place in self.situation.places:
            worth_of_all(
                have, candidates, menu.base, menu.gains, rivals, self.weights, place, self._are_shared, results
            )
            found.append(results.tolist())
        return found

    @property
    def _are_shared(self) -> int:
        return int(self.situation.ties == "shared")

    def _of_earlier(
        self, menu: list[MenuWager], candidates: NDArray[np.int64], progress: Progress
    ) -> tuple[list[list[int]], int]:
        """Return the chances of candidates before a roll that is not the last, and how many positions are before it."""
        pairs = len(PAIRS) ** (self.situation.rolls - 1)
        if len(candidates) * pairs > PATHS_MAX:
            raise CrapsError(
                f"{len(candidates):,} candidates times {pairs} pairs of dice are too many: name fewer in `wagers`"
            )
        positions: dict[tuple[_Joint, Holding], int] = {}
        paths = [self._paths(tuple(_wagers_of(menu, candidate)), positions) for candidate in candidates.tolist()]
        found = []
        for place in self.situation.places:
            values = self._values(list(positions), place, progress)
            found.append([sum(weight * values[at] for at, weight in path.items()) for path in paths])
        return found, len(positions)

    def _paths(
        self, wagers: tuple[tuple[Spot, int], ...], positions: dict[tuple[_Joint, Holding], int]
    ) -> dict[int, int]:
        """Return the positions before the last roll that a candidate leads to, each with its weight."""
        found: dict[int, int] = defaultdict(int)
        mine = self._after_wagers(wagers)
        for pair, joint in enumerate(self._after_joint(self.joint)):
            if self.situation.rolls < ROLLS_MAX:
                found[positions.setdefault((joint, mine[pair]), len(positions))] += WEIGHTS[pair]
                continue
            next_mine = self.my_plan.after_roll(mine[pair])
            for later, next_joint in enumerate(self._after_joint(joint)):
                key = (next_joint, next_mine[later])
                found[positions.setdefault(key, len(positions))] += WEIGHTS[pair] * WEIGHTS[later]
        return found

    def _after_wagers(self, wagers: tuple[tuple[Spot, int], ...]) -> tuple[Holding, ...]:
        """Return what I have after each pair of dice with these wagers besides what is up."""
        state = self.holding.state
        table = self.me.table_in(state)
        for spot, points in wagers:
            outcome = act(self.rules, table, wish_for(spot, points * POINT_CENTS, PLAYER_SEAT))
            assert not isinstance(outcome, Refused), outcome
            table = outcome[1]
        mine = wagers_of_seat(table.position, PLAYER_SEAT)
        paid = vigorish_held(mine) - vigorish_held(state.mine)
        return after_acts(self.me, self.holding, SeatActs(table, paid, 0, len(wagers), mine))

    def _after_joint(self, joint: _Joint) -> tuple[_Joint, ...]:
        """Return what the rivals have after each pair of dice."""
        found = self._joint_after.get(joint)
        if found is None:
            after = [player.after_roll(holding) for player, holding in zip(self.rivals, joint, strict=True)]
            found = self._joint_after[joint] = tuple(zip(*after, strict=True))
        return found

    def _points_after(self, joint: _Joint, *, are_lost: bool) -> NDArray[np.int64]:
        """Return the points of each rival after each pair of dice."""
        return np.array(
            [[_points_of(holding, are_lost=are_lost) for holding in after] for after in self._after_joint(joint)],
            dtype=np.int64,
        )

    def _have(self, holding: Holding, last: LastRoll) -> NDArray[np.int64]:
        """Return the cents that I have after each pair of dice without a new wager."""
        left = [last.cents_left(self.me, holding.state, wager) for wager in holding.state.mine]
        return np.array([holding.rack + sum(cents) for cents in zip(*left, strict=True)] or [holding.rack] * len(PAIRS))

    def _values(self, positions: Sequence[tuple[_Joint, Holding]], place: int, progress: Progress) -> list[int]:
        """Return the best chance of a place in each position before the last roll."""
        joints: dict[_Joint, int] = {}
        groups: dict[int, tuple[MenuArrays, list[int]]] = {}
        for at, (joint, mine) in enumerate(positions):
            joints.setdefault(joint, len(joints))
            _, menu = self.last_menus.of_state(self.me, mine.state)
            groups.setdefault(id(menu), (menu, []))[1].append(at)
        rivals = np.array([self._points_after(joint, are_lost=self.last_menus.are_lost) for joint in joints])
        values, done = [0] * len(positions), 0
        for menu, numbers in groups.values():
            for some in _batches(numbers):
                holdings = [positions[at][1] for at in some]
                results = np.zeros(len(some), dtype=np.int64)
                best_last(
                    np.array([self._have(holding, self.last) for holding in holdings], dtype=np.int64),
                    np.array([holding.rack for holding in holdings], dtype=np.int64),
                    rivals,
                    np.array([joints[positions[at][0]] for at in some], dtype=np.int64),
                    menu.bounds, menu.base, menu.gains, self.weights, place, self._are_shared, int(self.are_two),
                    results,
                )  # fmt: skip
                for at, value in zip(some, results.tolist(), strict=True):
                    values[at] = value
                done += len(some)
                progress(done, len(positions))
        return values


_BATCH = 500


def _batches(numbers: list[int]) -> Iterator[list[int]]:
    yield from (numbers[first : first + _BATCH] for first in range(0, len(numbers), _BATCH))


def _strategy(rules: Rules, name: str) -> Strategy:
    strategy = strategy_of(name, rules)
    if words := sorted(strategy.reads_money):
        raise CrapsError(f"{strategy.name} reads {', '.join(words)}: name a strategy that reads no money")
    return strategy


def _points_of(holding: Holding, *, are_lost: bool) -> int:
    mine = holding.state.mine
    return (holding.rack + (0 if are_lost else face_of(mine) + vigorish_held(mine))) // POINT_CENTS


def _wagers_of(menu: list[MenuWager], candidate: Sequence[int]) -> Iterator[tuple[Spot, int]]:
    """Yield the wagers of a candidate with their points."""
    for at in (0, 2):
        if candidate[at] >= 0:
            wager = menu[candidate[at]]
            yield wager.spot, wager.points(candidate[at + 1])
