"""Small automata made by hand, without the engine, to check the exact mathematics with."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

import numpy as np

from passline.automaton.arrays import HAND, LINE, WON, Automaton, Short
from passline.dice import OUTCOMES
from passline.exact.chain.chains import Chain, follow, visits

Column = tuple[int, int, int]  # cash, next, mark
POINTS = (4, 5, 6, 8, 9, 10)


def automaton(
    columns: Mapping[int, Callable[[int], Column]],
    *,
    outlay: list[int],
    short: list[int] | None = None,
    unit: int = 100,
    policy: Short = "stop",
) -> Automaton:
    """Build arrays from one function per state, which maps the index of an outcome to (cash, next, mark)."""
    cells = np.array([[columns[state](d) for d in range(36)] for state in range(len(columns))], dtype=np.int64)
    return Automaton(
        next=cells[:, :, 1].astype(np.int32),
        cash=cells[:, :, 0].copy(),
        outlay=np.array(outlay, dtype=np.int64),
        short=np.array(short or [-1] * len(columns), dtype=np.int32),
        mark=cells[:, :, 2].astype(np.uint8),
        action=abs(cells[:, :, 0]),
        unit=unit,
        labels=tuple(f"state {state}" for state in columns),
        policy=policy,
    )


def coin(wins: int = 18, *, win: int = 1, lose: int = 1, outlay: int = 1, unit: int = 100) -> Automaton:
    """A wager decided on every roll, won by the first `wins` of the 36 outcomes; every sixth outcome ends a hand."""

    def column(d: int) -> Column:
        return (win if d < wins else -lose), 0, LINE | (HAND if d % 6 == 0 else 0)

    return automaton({0: column}, outlay=[outlay], unit=unit)


def pass_line(*, odds: int = 0, unit: int = 100) -> Automaton:
    """A pass wager of one unit or, with odds, of 10 units and odds of `odds` times 10 on every point.

    State 0 is the come-out roll; state 1 + i has the point POINTS[i].
    """
    pays = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
    flat = 10 if odds else 1

    def come_out(d: int) -> Column:
        total = OUTCOMES[d].total
        if total in {7, 11}:
            return flat, 0, LINE | WON
        if total in {2, 3, 12}:
            return -flat, 0, LINE
        return 0, 1 + POINTS.index(total), 0

    def with_point(point: int) -> Callable[[int], Column]:
        def column(d: int) -> Column:
            total = OUTCOMES[d].total
            up, to = pays[point]
            if total == point:
                return flat + 10 * odds * up // to, 0, LINE | WON
            if total == 7:
                return -flat - 10 * odds, 0, LINE | HAND
            return 0, 1 + POINTS.index(point), 0

        return column

    columns = {0: come_out} | {1 + i: with_point(point) for i, point in enumerate(POINTS)}
    return automaton(columns, outlay=[flat] + [flat + 10 * odds] * 6, unit=unit)


def mean_steps(
    chain: Chain, start: int, ends: Collection[int], counted: Callable[[int], bool] = lambda _state: True
) -> Fraction:
    """Return the mean number of rolls, from states that are `counted`, until an end is reached."""
    return sum((mean for state, mean in visits(chain, start, ends).items() if counted(state)), Fraction(0))


def total_law(chain: Chain, ends: Collection[int]) -> dict[int, Fraction]:
    """Return the law of the total cash until an end is reached, in order of the totals."""
    law: dict[int, Fraction] = {}
    for _state, total, share in follow(chain, ends)[1]:
        law[total] = law.get(total, Fraction(0)) + share
    return dict(sorted(law.items()))
