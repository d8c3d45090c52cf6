"""Strategies and terms that every backend must play alike, and their sessions by the specification and by the CPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from passline import Rules
from passline.automaton.arrays import ENDINGS, OUTCOMES, Short
from passline.automaton.network import network
from passline.automaton.terms import Terms
from passline.dice_sources import seeded_rolls
from passline.simulation.backends.cpu.backend import session_records
from passline.simulation.kernel_tables import Tables, limits_of, tables_of
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.reference_session import ReferenceSession, SessionRecord, play_session
from passline.simulation.replay import replay
from passline.strategy.lookup import strategy_of

SIDES = {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"}
MARYLAND = Rules.of("maryland", house={"side_wagers": SIDES})
SEED = 0x1234567890ABCDEF
CASES = [
    ("pass", Terms(bankroll_cents=100_00, rolls=200), "stop"),
    ("molly", Terms(bankroll_cents=300_00, rolls=200, goal_cents=500_00), "stop"),
    ("molly", Terms(bankroll_cents=300_00, rolls=150), "reduce"),
    ("iron_cross", Terms(bankroll_cents=200_00, rolls=77), "ride"),
    ("dolly", Terms(bankroll_cents=200_00, decisions=30), "stop"),
    ("hammerlock", Terms(bankroll_cents=400_00, hands=6, goal_cents=600_00), "stop"),
    ("press_collect", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=80_00), "ride"),
    ("molly", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=60_00), "reduce"),
    ("field", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=20_00), "ride"),
    ("molly", Terms(bankroll_cents=300_00, rolls=200, stop_loss_cents=90_00), "stop"),
    ("molly", Terms(bankroll_cents=300_00, rolls=200, goal_cents=500_00, trailing_stop_cents=120_00), "reduce"),
    (
        "iron_cross",
        Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=80_00, stop_loss_cents=150_00, line_losses=3),
        "ride",
    ),
    ("pass + fire + bonus_craps", Terms(bankroll_cents=300_00, rolls=200, stop_loss_cents=60_00), "stop"),
    ("dolly", Terms(bankroll_cents=300_00, hands=9, line_wins=3, trailing_stop_cents=75_00), "stop"),
    ("buy_4_10 + lay_4_10 + hardways + any_seven + hop", Terms(bankroll_cents=500_00, rolls=200), "stop"),
    ("pass + fire + bonus_craps + lucky_shooter", Terms(bankroll_cents=500_00, rolls=200), "stop"),
    ("dont_come + place_lose + field + come", Terms(bankroll_cents=500_00, rolls=200), "stop"),
]


class SessionStep(NamedTuple):
    """A session before it acts: its equity, and the state of each part after following `short`."""

    rolls: int
    states: tuple[int, ...]
    equity: int
    sits_out: bool
    ending: int | None


def session_steps(tables: Tables, limits: SessionLimits, outcomes: Iterable[int]) -> Iterator[SessionStep]:
    """Yield a session on these dice before each roll; the last step says how it ended."""
    session = ReferenceSession(tables, limits)
    dice = iter(outcomes)
    while True:
        ending = session.settle()
        states = tuple((row - int(start)) // OUTCOMES for row, start in zip(session.rows, tables.starts, strict=True))
        yield SessionStep(session.rolls, states, session.equity, session.sits_out, ending)
        if ending is not None:
            return
        session.roll(next(dice))


def dice(seed: int, session: int) -> Iterator[int]:
    """Yield the outcomes, from 0 to 35, of a session of a seed."""
    return ((roll.first - 1) * 6 + roll.second - 1 for roll in seeded_rolls(seed, session=session))


def reference_records(
    tables: Tables, limits: SessionLimits, *, seed: int, first: int, count: int
) -> list[SessionRecord]:
    """Play sessions by the specification in plain Python."""
    return [play_session(tables, limits, dice(seed, first + index)) for index in range(count)]


def cpu_records(tables: Tables, limits: SessionLimits, *, seed: int, first: int, count: int) -> list[SessionRecord]:
    """Play sessions by the CPU kernel."""
    return [
        SessionRecord(*map(int, row))
        for _, rows in session_records(tables, limits, seed=seed, first=first, sessions=count)
        for row in rows
    ]


def compare_with_replays(rules: Rules, text: str, terms: Terms, short: Short, sessions: range) -> None:
    """Hold sessions of the arrays and of the CPU kernel against the engine, before every roll and to the cent."""
    strategy = strategy_of(text, rules)
    tables = tables_of(network(rules, strategy, short=short))
    limits = limits_of(tables, terms)
    kernel = cpu_records(tables, limits, seed=SEED, first=sessions.start, count=len(sessions))
    for session, row in zip(sessions, kernel, strict=True):
        walked = session_steps(tables, limits, dice(SEED, session))
        steps = list(replay(rules, strategy, terms, seed=SEED, session=session, short=short))
        replayed = [(step.rolls, step.equity_cents, step.sits_out, step.ending) for step in steps]
        assert replayed == [(m.rolls, limits.cents(m.equity, tables.unit), m.sits_out, m.ending) for m in walked]
        assert row == play_session(tables, limits, dice(SEED, session))
        assert row.wagered * tables.unit == steps[-1].wagered_cents
        assert ENDINGS[row.ending] == ENDINGS[steps[-1].ending or 0]
