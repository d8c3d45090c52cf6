"""Two ways to merge states: `minimise` (equal for each outcome) and `lump` (equal in distribution).

A minimised automaton gives the same money for the same dice, so it can replay and simulate. A lumped one gives the same
probabilities only: 4 and 10 merge, and column d no longer means outcome d, only that one of the 36 does this. It is
smaller, and for `exact` alone. Both refine a partition: states begin in one class if their own numbers are equal, and
are split until states of one class lead to the same classes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import EVEN, Automaton


def minimise(automaton: Automaton) -> Automaton:
    """Merge states that no sequence of outcomes can tell apart; the same dice give the same money.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> molly = compile_strategy(rules, strategy_of("molly:odds=2", rules))
    >>> len(molly), len(minimise(molly)), len(lump(molly))
    (400, 118, 37)
    """
    arrows = _codes(automaton.cash, automaton.mark, automaton.action, automaton.initial)
    return _merge_states(automaton, _refine_classes(automaton, arrows, is_lumped=False))


def lump(automaton: Automaton, *, marks: int = 0xFF, with_action: bool = False) -> Automaton:
    """Merge states from which money has the same probabilities; columns of fair dice no longer stand for outcomes.

    Only the bits in `marks` are kept, and the amounts that ended only `with_action`.
    """
    plain = replace(
        automaton,
        mark=automaton.mark & np.uint8(marks),
        action=automaton.action if with_action else np.zeros_like(automaton.action),
        initial=automaton.initial if with_action else np.zeros_like(automaton.action),
    )
    merged = _merge_states(plain, lumped_classes(plain))
    return _sorted_columns(merged) if automaton.weights == EVEN else merged


def lumped_classes(automaton: Automaton) -> NDArray[np.int64]:
    """Return the state of the lumped automaton that each state becomes, with every mark and amount kept apart.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> lumped_classes(compile_strategy(rules, strategy_of("pass", rules))).tolist()  # 4 and 10 are one state
    [0, 1, 2, 3, 3, 2, 1]
    """
    codes = _codes(automaton.cash, automaton.mark, automaton.action, automaton.initial)
    return _refine_classes(automaton, codes, is_lumped=True)


def _codes(*arrays: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return a number for each cell, equal where all the arrays have equal values."""
    code = np.zeros(arrays[0].shape, dtype=np.int64)
    for array in arrays:
        values, index = np.unique(array, return_inverse=True)
        code = code * len(values) + index.reshape(array.shape)
    return np.unique(code, return_inverse=True)[1].reshape(arrays[0].shape)


def _refine_classes(automaton: Automaton, arrows: NDArray[np.int64], *, is_lumped: bool) -> NDArray[np.int64]:
    """Return the class of each state; classes are numbered in the order of their first states."""
    classes = _classes(np.stack([automaton.outlay, automaton.up, automaton.short < 0], axis=1))
    count = int(classes.max()) + 1
    while True:
        leads = arrows * count + classes[automaton.next]
        if is_lumped:
            leads = _laws_of(leads, automaton.weights)
        short = np.where(automaton.short < 0, -1, classes[automaton.short])
        classes = _classes(np.column_stack([classes, short, leads]))
        if int(classes.max()) + 1 == count:
            return classes
        count = int(classes.max()) + 1


def _laws_of(leads: NDArray[np.int64], weights: tuple[int, ...]) -> NDArray[np.int64]:
    """Return rows that are equal where the values have the same probabilities, whatever columns they stand in.

    >>> rows = _laws_of(np.array([[7, 7, 8], [8, 9, 7]]), (1, 2, 3))
    >>> rows.tolist()  # the values in order, each with the weights of those up to it; filled up
    [[7, 8, -1, 3, 6, 0], [7, 8, 9, 3, 4, 6]]
    """
    order = np.argsort(leads, axis=1, kind="stable")
    leads = np.take_along_axis(leads, order, axis=1)
    if weights == EVEN:
        return leads
    up_to = np.cumsum(np.array(weights)[order], axis=1)
    is_last = np.ones(leads.shape, dtype=bool)
    is_last[:, :-1] = leads[:, :-1] != leads[:, 1:]
    front = np.argsort(~is_last, axis=1, kind="stable")
    cells = (np.where(is_last, leads, -1), np.where(is_last, up_to, 0))
    return np.concatenate([np.take_along_axis(cell, front, axis=1) for cell in cells], axis=1)


def _classes(rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return a number for each row, equal for equal rows, in the order of first occurrence."""
    packed = np.ascontiguousarray(rows, dtype=np.int64)
    numbers: dict[bytes, int] = {}
    return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in packed], dtype=np.int64)


def _merge_states(automaton: Automaton, classes: NDArray[np.int64]) -> Automaton:
    """Return the automaton of the classes, each represented by its first state."""
    _, first, sizes = np.unique(classes, return_index=True, return_counts=True)
    labels = (
        automaton.labels[state] + (f" (and {size - 1} like it)" if size > 1 else "")
        for state, size in zip(first, sizes, strict=True)
    )
    return replace(
        automaton,
        next=classes[automaton.next[first]].astype(np.int32),
        cash=automaton.cash[first],
        outlay=automaton.outlay[first],
        up=automaton.up[first],
        short=np.where(automaton.short[first] < 0, -1, classes[automaton.short[first]]).astype(np.int32),
        mark=automaton.mark[first],
        action=automaton.action[first],
        initial=automaton.initial[first],
        labels=tuple(labels),
    )


def _sorted_columns(automaton: Automaton) -> Automaton:
    """Sort each state's columns, so that states with equal probabilities have equal rows."""
    codes = _codes(automaton.next, automaton.cash, automaton.mark, automaton.action, automaton.initial)
    order = np.argsort(codes, axis=1, kind="stable")
    return replace(
        automaton,
        next=np.take_along_axis(automaton.next, order, axis=1),
        cash=np.take_along_axis(automaton.cash, order, axis=1),
        mark=np.take_along_axis(automaton.mark, order, axis=1),
        action=np.take_along_axis(automaton.action, order, axis=1),
        initial=np.take_along_axis(automaton.initial, order, axis=1),
    )
