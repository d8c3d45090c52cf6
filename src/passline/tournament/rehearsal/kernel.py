"""Whole tournaments in numba: `course.hold` is the specification, and both come to the same to the point.

A run that meets a state which nobody has explored yet plays the other tables of its round, so that all states it lacks
are known at once, and stops; it is held again from its beginning when they are explored.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, UNEXPLORED
from passline.kernel_cache import kernel
from passline.money import POINT_CENTS
from passline.simulation.backends.cpu.kernel_dice import DIGITS, REJECTED, WORDS, philox_block
from passline.tournament.rehearsal.draws import DRAWS

Numbers = NDArray[np.int64]
WINNER, POINTS, IS_DECIDED, IS_LAST_ROLL, IS_LEVEL, IS_STOPPED = range(6)
"""The columns of a result; columns after these say of each strategy whether it had somebody in the last round."""
COLUMNS = 6
"""The columns that every result has."""
IN, STRATEGY, STACK, HAS, HAD, SINCE, WAY, LAST, TABLE, GROUP, PLACE, GOES_ON, REBUYS, ADD_ONS = range(14)
"""The fields of an entry: its group is the first entry at its table that plays alike, its place that in the lot,
and the last outcome of the dice that at its table."""
FIELDS = 14
"""How many these are."""
_NOBODY = cast("int", np.int64(-1))
_LOW = np.uint64((1 << 32) - 1)
_HALF = np.uint64(32)
_FACES = np.uint64(OUTCOMES)
_SPAN = np.uint64(OUTCOMES**DIGITS)
_REJECTED = np.uint64(REJECTED)


class PayingCells(NamedTuple):
    """The arrays of `PayingAutomata`."""

    starts: Numbers
    first: Numbers
    face: Numbers
    vigorish: Numbers
    need: Numbers
    next: NDArray[np.int32]
    cash: Numbers
    settled: Numbers
    changes: Numbers


class Rounds(NamedTuple):
    """The rounds of an event; points that may be bought after each, 0 where none may."""

    rolls: Numbers
    seats: Numbers
    advance: Numbers
    wild_cards: Numbers
    carries: Numbers
    rebuy: Numbers
    add_on: Numbers


class Manner(NamedTuple):
    """The rest of what the plan says, as whole numbers; yes is 1."""

    points: int
    are_lost: int
    all_go_on: int
    is_earlier_at_cut: int
    is_earlier_at_end: int
    rebuys_max: int
    add_ons_max: int


class Space(NamedTuple):
    """What a run works in, made once for many."""

    entries: Numbers  # [field, entry]
    order: Numbers
    words: NDArray[np.uint64]  # of the draws: the block, how many of its words are used, then the words
    thrown: NDArray[np.uint8]
    history: Numbers
    wanted: Numbers  # how many states are wanted, then the states
    wanted_ways: Numbers
    result: Numbers
    standings: Numbers  # [round, entry] points after the last run; -1 for who did not play


@kernel()
def _next_word(seed: np.uint64, run: np.uint64, words: NDArray[np.uint64]) -> np.uint64:
    if words[1] == np.uint64(WORDS):
        block = words[0]
        found = philox_block(block, run & _LOW, run >> _HALF, np.uint64(DRAWS), seed & _LOW, seed >> _HALF)  # type: ignore[arg-type]
        for at in range(WORDS):
            words[2 + at] = found[at]
        words[0] = block + np.uint64(1)
        words[1] = np.uint64(0)
    words[1] += np.uint64(1)
    return words[1 + np.int64(words[1])]  # type: ignore[no-any-return]


@kernel()
def _shuffle(order: Numbers, count: int, seed: np.uint64, run: np.uint64, words: NDArray[np.uint64]) -> None:
    """Draw the order of the first `count` numbers."""
    for last in range(count - 1, 0, -1):
        end = np.uint64(last + 1)
        rejected = np.uint64(1 << 32) % end
        scaled = _next_word(seed, run, words) * end
        while scaled & _LOW < rejected:
            scaled = _next_word(seed, run, words) * end
        chosen = np.int64(scaled >> _HALF)
        order[last], order[chosen] = order[chosen], order[last]


@kernel()
def _throw(seed: np.uint64, run: np.uint64, table: int, rolls: int, into: NDArray[np.uint8]) -> None:
    """Write the dice of a table, as outcomes from 0 to 35."""
    done, block = 0, np.uint64(0)
    while done < rolls:
        found = philox_block(block, run & _LOW, run >> _HALF, np.uint64(1 + table), seed & _LOW, seed >> _HALF)  # type: ignore[arg-type]
        block += np.uint64(1)
        for word in found:
            rest = np.uint64(word)
            if (rest * _SPAN) & _LOW < _REJECTED:
                continue
            for _ in range(DIGITS):
                rest = (rest & _LOW) * _FACES
                if done < rolls:
                    into[done] = rest >> _HALF
                    done += 1


@kernel()
def _points_of(cells: PayingCells, state: int, equity: int, are_lost: int) -> int:
    """Return the whole points of a player: the rack, and what is up unless the sheet says that it is lost."""
    cents = equity - cells.face[state] if are_lost else equity + cells.vigorish[state]
    return cents // POINT_CENTS  # type: ignore[no-any-return]


@kernel()
def _play(cells: PayingCells, manner: Manner, rolls: int, entry: int, space: Space) -> None:
    """Play a round at a table for one player; a state that is not explored is wanted, and the player stops there."""
    of, history = space.entries, space.history
    keeps_history = manner.is_earlier_at_cut or manner.is_earlier_at_end
    state = cells.starts[of[STRATEGY, entry]]
    equity = of[STACK, entry] * POINT_CENTS
    history[0] = of[STACK, entry]
    for r in range(rolls):
        way = cells.first[state]
        if way == UNEXPLORED:
            if space.wanted[0] + 1 < len(space.wanted):
                space.wanted[0] += 1
                space.wanted[space.wanted[0]] = state
            of[WAY, entry] = UNEXPLORED
            return
        while equity < cells.need[way]:
            way += 1
        d = np.int64(space.thrown[r])
        if r == rolls - 1:
            of[LAST, entry] = d
            of[HAD, entry] = _points_of(cells, state, equity, manner.are_lost)
            of[WAY, entry] = way
        equity += cells.cash[way, d]
        state = int(cells.next[way, d])
        if keeps_history:
            history[r + 1] = _points_of(cells, state, equity, manner.are_lost)
    has = _points_of(cells, state, equity, manner.are_lost)
    of[HAS, entry] = has
    of[SINCE, entry] = 0
    if keeps_history:
        since = 0
        while history[since] != has:
            since += 1
        of[SINCE, entry] = since


@kernel()
def _deal_table(
    cells: PayingCells, manner: Manner, rolls: int, first: int, tables: int, count: int, space: Space
) -> int:
    """Deal one table of a round; return how many of its players stopped at a state that is not explored.

    `tables` tables are dealt to `count` players who are shuffled in `space.order`. The table with number `first` has
    every `tables`-th of them, from place `first` on. Who has the strategy and the stack of somebody before at the table
    ends as they do, and is not played again.
    """
    of, order, stopped = space.entries, space.order, 0
    for at in range(first, count, tables):
        entry = order[at]
        of[TABLE, entry], of[GROUP, entry] = first, entry
        for before in range(first, at, tables):
            other = order[before]
            if of[STRATEGY, other] == of[STRATEGY, entry] and of[STACK, other] == of[STACK, entry]:
                of[GROUP, entry] = other
                break
        other = of[GROUP, entry]
        if other == entry:
            _play(cells, manner, rolls, entry, space)
        else:
            for field in range(HAS, TABLE):
                of[field, entry] = of[field, other]
        stopped += of[WAY, entry] == UNEXPLORED
    return stopped


@kernel()
def _is_ahead(of: Numbers, entry: int, other: int, is_earlier: int) -> bool:
    """Return whether an entry is ahead of another: by points, then by who had them first, then by the lot."""
    if of[HAS, entry] != of[HAS, other]:
        return bool(of[HAS, entry] > of[HAS, other])
    if is_earlier and of[SINCE, entry] != of[SINCE, other]:
        return bool(of[SINCE, entry] < of[SINCE, other])
    return bool(of[PLACE, entry] < of[PLACE, other])


@kernel()
def _choose(space: Space, count: int, table: int, places: int, manner: Manner) -> None:
    """Let the best at a table go on, or of all who do not yet; where all who are level go on, there may be more."""
    of, order, last = space.entries, space.order, _NOBODY
    for _ in range(places):
        best = _NOBODY
        for at in range(count):
            entry = order[at]
            is_here = table == _NOBODY or table == of[TABLE, entry]
            if of[GOES_ON, entry] or not of[HAS, entry] or not is_here:
                continue
            if best == _NOBODY or _is_ahead(of, entry, best, manner.is_earlier_at_cut):
                best = entry
        if best == _NOBODY:
            return
        of[GOES_ON, best], last = 1, best
    if manner.all_go_on and last != _NOBODY:
        for at in range(count):
            entry = order[at]
            is_here = table == _NOBODY or table == of[TABLE, entry]
            if is_here and of[HAS, entry] == of[HAS, last]:
                of[GOES_ON, entry] = 1


@kernel()
def _cut(rounds: Rounds, manner: Manner, at_round: int, count: int, space: Space) -> int:
    """Find who plays the next round and with which stack; return how many."""
    of, order = space.entries, space.order
    for at in range(count):
        of[GOES_ON, order[at]] = 0
    for table in range(-(-count // rounds.seats[at_round])):
        _choose(space, count, table, rounds.advance[at_round], manner)
    _choose(space, count, _NOBODY, rounds.wild_cards[at_round], manner)
    left = 0
    for at in range(count):
        entry = order[at]
        of[IN, entry] = of[GOES_ON, entry]
        of[STACK, entry] = of[HAS, entry] if rounds.carries[at_round] else manner.points
        if rounds.rebuy[at_round] and not of[HAS, entry] and of[REBUYS, entry] < manner.rebuys_max:
            of[REBUYS, entry] += 1
            of[IN, entry], of[STACK, entry] = 1, rounds.rebuy[at_round]
        if rounds.add_on[at_round] and of[IN, entry]:
            of[STACK, entry] += rounds.add_on[at_round] * (manner.add_ons_max - of[ADD_ONS, entry])
            of[ADD_ONS, entry] = manner.add_ons_max
        left += of[IN, entry]
    return left


@kernel()
def _is_decided(cells: PayingCells, of: Numbers, order: Numbers, count: int, most: int) -> int:
    """Return whether another group would lead, or share the lead, had one wager of the last roll been returned."""
    leaders, second = 0, -1
    for at in range(count):
        entry = order[at]
        if of[GROUP, entry] == entry:
            leaders += of[HAS, entry] == most
            if of[HAS, entry] != most:
                second = max(second, of[HAS, entry])
    for at in range(count):
        entry = order[at]
        if of[GROUP, entry] != entry:
            continue
        way, d = of[WAY, entry], of[LAST, entry]
        for number in range(cells.settled[way, d], cells.settled[way, d + 1]):
            change = cells.changes[number] // POINT_CENTS
            if not change:
                continue
            would = of[HAS, entry] - change
            is_first = of[HAS, entry] == most
            if (is_first and (leaders > 1 or would <= second)) or (not is_first and would >= most):
                return 1
    return 0


@kernel()
def _wants_settlements(cells: PayingCells, space: Space, count: int) -> bool:
    """Return whether it is not known what single wagers of the last roll gained; the ways to act are then wanted."""
    is_wanting = False
    for at in range(count):
        way = space.entries[WAY, space.order[at]]
        if cells.settled[way, 0] == UNEXPLORED:
            is_wanting = True
            if space.wanted_ways[0] + 1 < len(space.wanted_ways):
                space.wanted_ways[0] += 1
                space.wanted_ways[space.wanted_ways[0]] = way
    return is_wanting


@kernel()
def _end(
    cells: PayingCells, manner: Manner, space: Space, count: int, is_last: int
) -> None:  # fmt: skip
    """Write who won, and whether the last roll or one wager of it decided it."""
    of, order, result = space.entries, space.order, space.result
    if _wants_settlements(cells, space, count):
        result[IS_STOPPED] = 1
        return
    best = order[0]
    most_before = of[HAD, best]
    for at in range(count):
        if _is_ahead(of, order[at], best, manner.is_earlier_at_end):
            best = order[at]
        most_before = max(most_before, of[HAD, order[at]])
    most, level = of[HAS, best], 0
    for at in range(count):
        entry = order[at]
        level += of[HAS, entry] == most and of[GROUP, entry] == entry
        if (of[HAD, entry] == most_before) != (of[HAS, entry] == most):
            result[IS_LAST_ROLL] = 1
        if is_last:
            result[COLUMNS + of[STRATEGY, entry]] = 1
    result[WINNER], result[POINTS], result[IS_LEVEL] = of[STRATEGY, best], most, level > 1
    result[IS_DECIDED] = _is_decided(cells, of, order, count, most)


@kernel()
def _begin(cells: PayingCells, manner: Manner, space: Space) -> None:
    of, standings = space.entries, space.standings
    for entry in range(of.shape[1]):
        for field in range(FIELDS):
            of[field, entry] = 0
        for at_round in range(len(standings)):
            standings[at_round, entry] = _NOBODY
        of[IN, entry], of[STRATEGY, entry], of[STACK, entry] = 1, entry % len(cells.starts), manner.points
    space.words[0], space.words[1] = 0, WORDS


@kernel()
def _order_players(space: Space) -> int:
    """Put whoever plays in the order of their entries; return how many do."""
    count = 0
    for entry in range(space.entries.shape[1]):
        if space.entries[IN, entry]:
            space.order[count] = entry
            count += 1
    return count


@kernel()
def _hold(cells: PayingCells, rounds: Rounds, manner: Manner, seed: np.uint64, run: np.uint64, space: Space) -> None:
    """Hold the event once."""
    of, order = space.entries, space.order
    _begin(cells, manner, space)
    dealt = 0
    for at_round in range(len(rounds.rolls)):
        count = _order_players(space)
        _shuffle(order, count, seed, run, space.words)
        tables = -(-count // rounds.seats[at_round])
        stopped = 0
        for table in range(tables):
            _throw(seed, run, dealt + table, rounds.rolls[at_round], space.thrown)
            stopped += _deal_table(cells, manner, rounds.rolls[at_round], table, tables, count, space)
        if stopped:
            space.result[IS_STOPPED] = 1
            return
        dealt += tables
        count = _order_players(space)
        for at in range(count):
            space.standings[at_round, order[at]] = of[HAS, order[at]]
        _shuffle(order, count, seed, run, space.words)
        for at in range(count):
            of[PLACE, order[at]] = at
        is_last = int(at_round == len(rounds.rolls) - 1)
        if is_last or not _cut(rounds, manner, at_round, count, space):
            _end(cells, manner, space, count, is_last)
            return


@kernel(nogil=True)
def hold_runs(
    cells: PayingCells, rounds: Rounds, manner: Manner, seed: np.uint64, first: int, waiting: Numbers, results: Numbers,
    space: Space,
) -> None:  # fmt: skip
    """Hold the runs `first + waiting[i]`, and write what came of each to the row `waiting[i]` of `results`."""
    for number in waiting:
        for column in range(len(space.result)):
            space.result[column] = 0
        _hold(cells, rounds, manner, seed, np.uint64(first + number), space)
        for column in range(len(space.result)):
            results[number, column] = space.result[column]
