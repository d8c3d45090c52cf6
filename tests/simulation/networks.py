"""Hypothesis strategies for networks and terms: random automata, not of any game, whose parts share their marks."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from passline.automaton.arrays import WON, Automaton, Short
from passline.automaton.network import Network
from passline.automaton.terms import Terms


@st.composite
def networks(draw: st.DrawFn, *, parts_max: int = 2) -> Network:
    """One part with any policy, or several with "stop". The marks depend on the outcome alone, as at a table."""
    count = draw(st.integers(1, parts_max))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    policy: Short = draw(st.sampled_from(["stop", "ride", "reduce"])) if count == 1 else "stop"
    marks = chance.integers(0, 4, 36) if draw(st.booleans()) else np.where(chance.random(36) < 0.1, 3, 0)
    marks += np.where(chance.random(36) < 0.5, WON, 0)
    unit = draw(st.sampled_from([1, 100, 250]))
    parts = [_part(draw, chance, policy, marks, unit * draw(st.integers(1, 3))) for _ in range(count)]
    return Network(tuple(f"part {index}" for index in range(count)), tuple(parts))


def _part(
    draw: st.DrawFn,
    chance: np.random.Generator,
    policy: Short,
    marks: np.ndarray[tuple[int], np.dtype[np.int64]],
    unit: int,
) -> Automaton:
    size = draw(st.integers(1, 5))
    shape = (size, 36)
    amount = draw(st.sampled_from([1, 3, 40, 5000]))  # the largest do not fit into packed entries
    short = [draw(st.integers(-1, state - 1)) if policy != "stop" else -1 for state in range(size)]
    return Automaton(
        next=chance.integers(0, size, shape).astype(np.int32),
        cash=chance.integers(-amount, amount + 1, shape),
        outlay=chance.integers(0, amount + 1, size),
        short=np.array(short, dtype=np.int32),
        mark=np.broadcast_to(marks, shape).astype(np.uint8),
        action=chance.integers(0, amount + 1, shape),
        unit=unit,
        labels=tuple(map(str, range(size))),
        policy=policy,
    )


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Network, Terms]:
    network = draw(networks())
    part = network.parts[0]
    most = sum(int(one.outlay.max()) * one.unit for one in network.parts)
    bankroll = most + draw(st.integers(0, 60)) * part.unit + draw(st.integers(0, part.unit - 1))
    limit = draw(st.sampled_from(["rolls", "rolls", "decisions", "hands"]))
    rolls = draw(st.sampled_from([1, 7, 19, 20, 21, 40, 63, 200]))
    more = {} if limit == "rolls" else {limit: draw(st.integers(1, 12))}
    goal = draw(st.none() | st.integers(0, 30))
    loss = None
    if part.policy != "stop" and draw(st.booleans()):
        loss = max(1, int(part.outlay[0])) * part.unit + draw(st.integers(0, 20)) * part.unit
    terms = Terms(
        bankroll_cents=bankroll,
        rolls=rolls,
        goal_cents=None if goal is None else bankroll + goal * part.unit // 2,
        shooter_loss_cents=loss,
        **more,
        **draw(_stops(part.unit)),
    )
    return network, terms


@st.composite
def _stops(draw: st.DrawFn, unit: int) -> dict[str, int]:
    """In half of the sessions some of the stops."""
    amounts, counts = st.integers(1, 60 * unit), st.integers(1, 6)
    kinds = {"stop_loss_cents": amounts, "trailing_stop_cents": amounts, "line_wins": counts, "line_losses": counts}
    chosen = draw(st.sets(st.sampled_from(sorted(kinds)))) if draw(st.booleans()) else set()
    return {name: draw(kinds[name]) for name in sorted(chosen)}
