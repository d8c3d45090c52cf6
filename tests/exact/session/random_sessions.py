"""Random automata, and terms to play them on."""

import numpy as np
from hypothesis import strategies as st

from passline.automaton.arrays import Automaton, Short
from passline.automaton.terms import Terms


@st.composite
def automata(draw: st.DrawFn) -> Automaton:
    """Random arrays: a few states, small amounts, and chains of `short` that end."""
    size = draw(st.integers(1, 4))
    seed = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.integers(1, 6))  # few kinds of outcome, so that arcs are merged
    kind = seed.integers(0, kinds, (size, 36))
    outlay = np.array(draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)), dtype=np.int64)
    short = [draw(st.integers(-1, state - 1)) for state in range(size)]  # to a lower state, so there is no cycle
    policy: Short = draw(st.sampled_from(["stop", "ride", "reduce"]))
    cash = seed.integers(-3, 4, (size, kinds))
    return Automaton(
        next=np.take_along_axis(seed.integers(0, size, (size, kinds)), kind, axis=1).astype(np.int32),
        cash=np.take_along_axis(cash, kind, axis=1),
        outlay=outlay,
        short=np.array(short, dtype=np.int32),
        mark=np.take_along_axis(seed.choice([0, 1, 2, 3, 8, 9, 11], (size, kinds)), kind, axis=1).astype(np.uint8),
        action=np.take_along_axis(seed.integers(0, 4, (size, kinds)), kind, axis=1),
        initial=np.take_along_axis(seed.integers(0, 4, (size, kinds)), kind, axis=1),
        unit=draw(st.sampled_from([1, 100, 250])),
        labels=tuple(map(str, range(size))),
        policy=policy,
    )


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Automaton, Terms]:
    machine = draw(automata())
    units = draw(st.integers(4, 12))
    limit = draw(st.sampled_from(["rolls", "decisions", "hands"]))
    goal = draw(st.none() | st.integers(0, 10))
    bankroll = units * machine.unit + draw(st.integers(0, machine.unit - 1))
    rolls = draw(st.integers(1, 6))
    goal_cents = None if goal is None else bankroll + goal * machine.unit // 2
    count = draw(st.integers(1, 3))
    more = {} if limit == "rolls" else {limit: count}
    return machine, Terms(
        bankroll_cents=bankroll, rolls=rolls, goal_cents=goal_cents, **more, **draw(_stops(machine.unit))
    )


@st.composite
def _stops(draw: st.DrawFn, unit: int) -> dict[str, int]:
    """In half of the sessions some of the stops."""
    amounts, counts = st.integers(1, 7 * unit), st.integers(1, 3)
    kinds = {"stop_loss_cents": amounts, "trailing_stop_cents": amounts, "line_wins": counts, "line_losses": counts}
    chosen = draw(st.sets(st.sampled_from(sorted(kinds)))) if draw(st.booleans()) else set()
    return {name: draw(kinds[name]) for name in sorted(chosen)}
