"""One run of a rehearsed event in plain Python: the specification that the kernels equal.

In each round players are drawn to as few tables as seat them, tables are dealt, and those who are level for a last
place are parted as the rule sheet says: by the lot, which also stands for a roll-off, or by who had these points first
in this round (and by lot where that is the same roll). Nobody without points goes on. If the plan's chips are bought
again, everybody buys what the plan allows as soon as it does: a re-buy who has lost all, add-ons who goes on. If nobody
goes on, the event ends there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from passline.dice import Roll
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy
from passline.tournament.plan.schema import Event, Plan, Round
from passline.tournament.rehearsal.draws import Draws, table_dice
from passline.tournament.results.ranking import Standing, entries_by_lot, entries_through

Group = tuple[int, int]
"""Players who do the same at a table: their strategy by its number, and the points that they begin with."""


class Setting(Struct, frozen=True):
    """What is the same in all runs."""

    event: Event
    rules: Rules
    strategies: tuple[Strategy, ...]  # players take them in turn
    rolls: tuple[int, ...]  # of each round
    entries: int
    seed: int
    are_lost: bool  # wagers that are undecided at the end of a round
    at_cut: str  # how those who are level for a last place are parted
    at_end: str  # how those who are level for the first place are
    are_chips_bought: bool


class GroupEnd(Struct, frozen=True):
    """What a group has after the last roll of its table."""

    points: int
    before: int  # before the last roll
    since: int  # after how many rolls of the round it first had these points
    changes: tuple[int, ...]  # what each wager gained or lost that the last roll settled, in points


class HeldRun(Struct, frozen=True):
    """What came of a run. Strategies and entries are numbers from 0."""

    winner: int  # the strategy
    points: int
    is_decided: bool  # by one wager of the last roll
    is_last_roll: bool  # whether the lead changed on it
    is_level: bool  # whether several had the most points; who wagers alike counts as one
    finalists: tuple[int, ...]  # the strategies with somebody in the last round
    rounds: tuple[dict[int, int], ...]  # the points of everybody who played it


Deal = Callable[[Sequence[Group], Iterator[Roll], int], dict[Group, GroupEnd]]
"""Deals a table with these groups, these dice and so many rolls."""


class _Played(Struct, frozen=True):
    """A player after a round."""

    table: int
    group: Group
    end: GroupEnd


def setting_of(
    plan: Plan, event: Event, rules: Rules, strategies: tuple[Strategy, ...], *, rolls: tuple[int, ...],
    entries: int, seed: int, are_chips_bought: bool,
) -> Setting:  # fmt: skip
    """Return what the plan and its rule sheet say for all runs."""
    return Setting(
        event=event,
        rules=rules,
        strategies=strategies,
        rolls=rolls,
        entries=entries,
        seed=seed,
        are_lost=plan.sheet.undecided_wagers == "lost",
        at_cut=plan.sheet.way_at_cut,
        at_end=plan.sheet.ties,
        are_chips_bought=are_chips_bought,
    )


def hold(setting: Setting, deal: Deal, run: int) -> HeldRun:
    """Hold the event once."""
    event, draws, tables = setting.event, Draws(setting.seed, run), 0
    stacks = dict.fromkeys(range(setting.entries), event.points)
    bought: Counter[tuple[str, int]] = Counter()
    rounds: list[dict[int, int]] = []
    for planned, rolls in zip(event.rounds, setting.rolls, strict=True):
        played: dict[int, _Played] = {}
        for number, seated in enumerate(_draw_tables(stacks, planned.seats, draws)):
            group_of = {entry: (entry % len(setting.strategies), stacks[entry]) for entry in seated}
            dealt = deal(sorted(set(group_of.values())), table_dice(setting.seed, run, tables + number), rolls)
            played |= {entry: _Played(number, group, dealt[group]) for entry, group in group_of.items()}
        tables += len({player.table for player in played.values()})
        lot = draws.order(sorted(stacks))
        rounds.append({entry: played[entry].end.points for entry in sorted(played)})
        is_last = planned is event.rounds[-1]
        after = {} if is_last else _next_stacks(setting, planned, played, lot, bought)
        if not after:
            return _end(setting, played, lot, rounds, is_last=is_last)
        stacks = after
    raise AssertionError("an event has rounds")


def _draw_tables(stacks: dict[int, int], seats: int, draws: Draws) -> list[list[int]]:
    """Draw players to as few tables as seat them, as evenly as it goes."""
    order = draws.order(sorted(stacks))
    tables = -(-len(order) // seats)
    return [order[number::tables] for number in range(tables)]


def _next_stacks(
    setting: Setting, planned: Round, played: dict[int, _Played], lot: list[int], bought: Counter[tuple[str, int]]
) -> dict[int, int]:
    """Return who plays the next round, with the points that each begins it with."""
    event, is_earlier = setting.event, setting.at_cut == "earlier_lead"
    tables: dict[str, list[Standing]] = {}
    for entry, player in sorted(played.items()):
        standing = Standing(entry, 1, player.end.points, player.end.since if is_earlier else 0)
        tables.setdefault(str(player.table), []).append(standing)
    if setting.at_cut == "all_go_on":
        sure, tied = entries_through(tables, of_each=planned.advance, wild_cards=planned.wild_cards)
        through = (*sure, *tied)
    else:
        through, _ = entries_by_lot(tables, of_each=planned.advance, wild_cards=planned.wild_cards, order=lot)
    stacks = {entry: played[entry].end.points if planned.carries_points else event.points for entry in through}
    if not setting.are_chips_bought:
        return stacks
    rebuy, add_on = event.rebuy, event.add_on
    if rebuy and planned.name in rebuy.rounds:
        for entry, player in played.items():
            if not player.end.points and bought["rebuy", entry] < rebuy.most:
                bought["rebuy", entry] += 1
                stacks[entry] = rebuy.points
    if add_on and planned.name in add_on.rounds:
        for entry in stacks:
            stacks[entry] += add_on.points * (add_on.most - bought["add_on", entry])
            bought["add_on", entry] = add_on.most
    return stacks


def _end(
    setting: Setting, played: dict[int, _Played], lot: list[int], rounds: list[dict[int, int]], *, is_last: bool
) -> HeldRun:
    """Return who won, and whether the last roll or one wager of it decided it; who wagers alike counts as one."""
    ends = {(player.table, player.group): player.end for player in played.values()}
    points = {group: end.points for group, end in ends.items()}
    first = _leaders(points)
    level = [entry for entry, player in played.items() if (player.table, player.group) in first]
    is_earlier = setting.at_end == "earlier_lead"
    winner = min(level, key=lambda entry: (played[entry].end.since if is_earlier else 0, lot.index(entry)))
    is_decided = any(
        _leaders({**points, group: points[group] - change}) != first
        for group, end in ends.items()
        for change in end.changes
        if change
    )
    return HeldRun(
        winner=played[winner].group[0],
        points=played[winner].end.points,
        is_decided=is_decided,
        is_last_roll=_leaders({group: end.before for group, end in ends.items()}) != first,
        is_level=len(first) > 1,
        finalists=tuple(sorted({player.group[0] for player in played.values()})) if is_last else (),
        rounds=tuple(rounds),
    )


def _leaders(points: dict[tuple[int, Group], int]) -> set[tuple[int, Group]]:
    most = max(points.values())
    return {group for group, has in points.items() if has == most}
