"""A tournament rehearsed before it is held: named strategies play it many times, and what comes of it is counted.

Every table is dealt by the real engine, so each run takes about a tenth of a second for a tournament of ten tables: the
kernels of `simulation` keep no points of several players on the same dice. Players of one strategy with the same chips
at the same table do the same, so one seat plays for all of them. Nobody reads the standings or buys chips again. Wagers
that are still up count as returned unless the sheet says that they are lost, and ties are parted by lot.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from passline.errors import CrapsError
from passline.game.events import MeterPaid, WagerLost, WagerWon
from passline.game.position import open_table
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of
from passline.strategy.strategy_table import StrategyTable
from passline.tables.money.points import POINT_CENTS
from passline.tournament.plan.figures import RoundSize, round_sizes
from passline.tournament.plan.schema import Event, Plan, Round

DECIDED = (
    "if one of the wagers that the last roll settled had been returned instead, another strategy would have won, or "
    "shared the first place (players who wager alike count as one)"
)
"""What it means that a final is decided by one wager."""
_THROW_SECONDS = 15  # a throw, its settlement, and the dice back to the shooter
_ROLLS_PER_HOUR = 100.0  # where the sheet gives no time for wagering
_SHOOTER_CENTS = 1_000_000_000_00
_STALLS_MAX = 100  # throws in a row that nobody would make
_Group = tuple[int, int]  # a strategy by its number, and its chips in points


class RehearsedRound(Struct, frozen=True):
    """A round as it is expected: its players and tables, its rolls, and how long it takes."""

    name: str
    players: int
    tables: int
    rolls: int
    minutes: float


class Rehearsal(Struct):
    """What came of many runs of one event."""

    event: str
    strategies: tuple[str, ...]
    entries: tuple[int, ...]  # by strategy
    pace: float  # rolls an hour
    rounds: tuple[RehearsedRound, ...]
    runs: int = 0
    winning_points: list[int] = []
    decided: int = 0  # runs whose final was decided by one wager of the last roll
    last_roll: int = 0  # runs in which the leader changed on the last roll
    wins: list[int] = []  # by strategy
    finalists: list[int] = []  # by strategy: runs in which it had somebody in the final

    @property
    def minutes(self) -> float:
        """All rounds together, one after the other."""
        return sum(played.minutes for played in self.rounds)

    def points_at(self, share: float) -> int:
        """Return the winner's points that this share of the runs stays at or below."""
        ordered = sorted(self.winning_points)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def rolls_per_hour(plan: Plan) -> float:
    """Return the pace that follows from the sheet: the time for wagering, and a quarter of a minute for the throw.

    >>> from passline.tournament.plan.reader import example_plan
    >>> rolls_per_hour(example_plan("colorado"))
    60.0
    """
    seconds = plan.sheet.wagering_seconds
    return 3600 / (seconds + _THROW_SECONDS) if seconds else _ROLLS_PER_HOUR


def rehearse(
    plan: Plan,
    rules: Rules,
    strategies: Sequence[str],
    *,
    event: Event,
    entries: int,
    runs: int,
    seed: int,
    pace: float,
    done: Callable[[int], None] | None = None,
) -> Rehearsal:
    """Hold an event so many times; Ctrl-C ends it with the runs that are over.

    A run depends on the seed and its own number only, so that more runs begin with the same ones.
    """
    if not strategies:
        raise CrapsError("name at least one strategy")
    if not 2 <= entries <= event.entries_max:  # noqa: PLR2004 - a round needs two players
        raise CrapsError(f"{entries} entries: {event.name} takes 2 to {event.entries_max}")
    players = [strategy_of(strategy, rules) for strategy in strategies]
    sizes = round_sizes(event, entries)
    if short := [size.name for size in sizes if not size.players]:
        raise CrapsError(f"{', '.join(short)}: nobody comes so far; see advance and wild_cards of the rounds before")
    counted = Counter(number % len(players) for number in range(entries))
    result = Rehearsal(
        event=event.name,
        strategies=tuple(strategies),
        entries=tuple(counted[index] for index in range(len(players))),
        pace=pace,
        rounds=tuple(_expectation(planned, size, pace) for planned, size in zip(event.rounds, sizes, strict=True)),
        wins=[0] * len(players),
        finalists=[0] * len(players),
    )
    hall = _Hall(plan, rules, players, event, pace)
    try:
        for run in range(runs):
            _count(result, hall.hold(entries, random.Random(f"{seed}/{run}")))  # noqa: S311 - a simulation's
            if done is not None:
                done(run + 1)
    except KeyboardInterrupt:
        if not result.runs:
            raise
    return result


def _expectation(planned: Round, size: RoundSize, pace: float) -> RehearsedRound:
    rolls = _rolls(planned, pace)
    return RehearsedRound(planned.name, size.players, size.tables, rolls, planned.minutes or rolls * 60 / pace)


def _rolls(planned: Round, pace: float) -> int:
    return planned.rolls or max(1, round(planned.minutes * pace / 60))


class _Final(Struct):
    """The end of a run: who won with what, and whether its last roll or one wager of it decided that."""

    winner: int  # strategies by their numbers
    points: int
    finalists: list[int]
    is_decided: bool
    is_last_roll: bool


class _Dealt(Struct):
    """A table after its last roll: the points of each group of players, before that roll too, and what it settled."""

    points: dict[_Group, int]
    before: dict[_Group, int]
    wagers: list[tuple[_Group, int]]  # what one wager gained or lost on the last roll, in points


class _Hall:
    """Deals whole events. Tables are kept for the next run, since they remember what the strategies wish."""

    def __init__(self, plan: Plan, rules: Rules, strategies: Sequence[Strategy], event: Event, pace: float) -> None:
        self._rules, self._strategies, self._event, self._pace = rules, strategies, event, pace
        self._are_lost = plan.sheet.undecided_wagers == "lost"
        self._tables: dict[tuple[int, ...], StrategyTable] = {}
        self._seats = len(open_table(rules).position.seats)

    def hold(self, entries: int, chance: random.Random) -> _Final:
        players = [(number % len(self._strategies), self._event.points) for number in range(entries)]
        last = self._event.rounds[-1]
        for planned in self._event.rounds:
            seats = _draw_tables(players, planned.seats, chance)
            dealt = [self._deal(table, _rolls(planned, self._pace), chance) for table in seats]
            if planned is last:
                return _final(seats, dealt, chance)
            through = _through(planned, seats, dealt, chance)
            players = through if planned.carries_points else [(index, self._event.points) for index, _ in through]
        raise AssertionError("an event has rounds")

    def _deal(self, players: list[_Group], rolls: int, chance: random.Random) -> _Dealt:
        """Deal a table; besides its players there is a shooter of the house, so that somebody always throws."""
        groups = sorted(set(players))
        key = tuple(index for index, _ in groups)
        table = self._tables.get(key)
        if table is None:
            seated = [self._strategies[index] for index in key]
            house = [strategy_of("pass", self._rules)] if len(seated) < self._seats else []
            table = self._tables[key] = StrategyTable(self._rules, [*seated, *house])
        stacks = [points * POINT_CENTS for _, points in groups]
        table.open([*stacks, _SHOOTER_CENTS][: len(table.strategies)])
        for _ in range(rolls - 1):
            _throw(table, chance)
        before = self._points(table, groups)
        _throw(table, chance)
        settled = [
            (groups[seat - 1], cents // POINT_CENTS) for seat, cents in _settlements(table) if seat <= len(groups)
        ]
        return _Dealt(self._points(table, groups), before, settled)

    def _points(self, table: StrategyTable, groups: list[_Group]) -> dict[_Group, int]:
        """Return what each group has, with what is up unless the sheet says that it is lost."""
        cents = list(table.table.money.racks)
        if not self._are_lost:
            for wager in table.table.position.layout:
                cents[wager.seat - 1] += wager.cents + wager.vigorish
        return {group: cents[at] // POINT_CENTS for at, group in enumerate(groups)}


def _throw(table: StrategyTable, chance: random.Random) -> None:
    """Have the dice thrown once: by the next player if one cannot pay for a line wager."""
    rolls = table.rolls
    for _ in range(_STALLS_MAX):
        table.play([(chance.randint(1, 6), chance.randint(1, 6))])
        if table.rolls != rolls:
            return
    raise CrapsError("nobody at a table would throw the dice")


def _settlements(table: StrategyTable) -> Iterator[tuple[int, int]]:
    """Yield each wager that the last roll settled: its seat, and the cents that it gained or lost."""
    for event in table.happened:
        if isinstance(event, WagerWon):
            yield event.wager.seat, event.winnings - event.vigorish
        elif isinstance(event, MeterPaid):
            yield event.wager.seat, event.cents
        elif isinstance(event, WagerLost):
            yield event.wager.seat, -event.cents


def _draw_tables(players: list[_Group], seats: int, chance: random.Random) -> list[list[_Group]]:
    """Draw players to as few tables as seat them, as evenly as it goes."""
    chance.shuffle(players)
    tables = -(-len(players) // seats)
    return [players[number::tables] for number in range(tables)]


def _through(planned: Round, seats: list[list[_Group]], dealt: list[_Dealt], chance: random.Random) -> list[_Group]:
    """Return who goes on, with their points: the best of each table, and the best of the others; nobody without any."""
    through: list[_Group] = []
    left: list[tuple[int, float, int]] = []
    for players, table in zip(seats, dealt, strict=True):
        ranked = sorted(((table.points[group], chance.random(), group[0]) for group in players), reverse=True)
        in_play = [place for place in ranked if place[0]]
        through += ((index, points) for points, _, index in in_play[: planned.advance])
        left += in_play[planned.advance :]
    through += ((index, points) for points, _, index in sorted(left, reverse=True)[: planned.wild_cards])
    return through


def _final(seats: list[list[_Group]], dealt: list[_Dealt], chance: random.Random) -> _Final:
    """Return who won, and whether the last roll or one wager of it decided it; who wagers alike counts as one."""
    points = {(number, group): has for number, table in enumerate(dealt) for group, has in table.points.items()}
    before = {(number, group): had for number, table in enumerate(dealt) for group, had in table.before.items()}
    first = _leaders(points)
    players = [(number, group) for number, some in enumerate(seats) for group in some]
    winner = chance.choice([player for player in players if player in first])
    is_decided = any(
        _leaders({**points, (number, group): points[number, group] - change}) != first
        for number, table in enumerate(dealt)
        for group, change in table.wagers
        if change
    )
    return _Final(
        winner=winner[1][0],
        points=points[winner],
        finalists=[group[0] for _, group in players],
        is_decided=is_decided,
        is_last_roll=_leaders(before) != first,
    )


def _leaders(points: dict[tuple[int, _Group], int]) -> set[tuple[int, _Group]]:
    most = max(points.values())
    return {player for player, has in points.items() if has == most}


def _count(result: Rehearsal, final: _Final) -> None:
    result.runs += 1
    result.winning_points.append(final.points)
    result.decided += final.is_decided
    result.last_roll += final.is_last_roll
    result.wins[final.winner] += 1
    for index in set(final.finalists):
        result.finalists[index] += 1
