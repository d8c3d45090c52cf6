"""Strategies that read their money are dealt by the engine: the same dice, records and statistics as by the kernels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from passline import Rules, Terms, simulate
from passline.automaton.arrays import Short
from passline.automaton.terms import SessionError
from passline.cli.main import app
from passline.simulation.backends.cpu.backend import paths_of, play_sessions, session_records
from passline.simulation.backends.gpu.backend import play_range
from passline.simulation.dealt_tables import DealtTables
from passline.simulation.paired import simulate_against
from passline.simulation.simulation import PreparedStrategy, prepare_strategy
from tests.cases import one_in

RULES = Rules.of("maryland")
SESSIONS = 12
LINE = """
name = "line"
description = "Pass with odds{after}."
source = "A test."

[[wish]]
make = "pass"
when = "{when}"
cents = "$10"

[[wish]]
make = "pass_odds"
when = "{when}"
cents = "$20"
"""


def line(folder: Path, when: str) -> str:
    path = folder / f"line_{len(list(folder.iterdir()))}.toml"
    path.write_text(LINE.format(when=when, after=" while it reads"), encoding="utf-8")
    return str(path)


def both(folder: Path, terms: Terms, short: Short) -> list[PreparedStrategy]:
    """Return one strategy twice: compiled, and reading money for nothing."""
    return [prepare_strategy(RULES, line(folder, when), terms, short=short) for when in ("1", "peak >= 0")]


@pytest.mark.whole
def test_dealt_strategies_are_compared_session_by_session(tmp_path: Path) -> None:
    terms = Terms(bankroll_cents=100_00, rolls=20)
    compiled, dealt = (line(tmp_path, when) for when in ("1", "peak >= 0"))
    same = simulate_against(RULES, compiled, dealt, terms, sessions=20, seed=3, cores=1)
    assert (same.ties, same.mean_cents().value) == (20, 0)
    found = [simulate_against(RULES, one, "field", terms, sessions=20, seed=3, cores=1) for one in (compiled, dealt)]
    assert (found[0].ahead, found[0].differences) == (found[1].ahead, found[1].differences)
    assert found[0].ahead


@pytest.mark.parametrize(
    ("short", "terms"),
    one_in(
        2,
        [
            ("stop", Terms(bankroll_cents=150_00, rolls=60, goal_cents=250_00, trailing_stop_cents=120_00)),
            ("ride", Terms(bankroll_cents=125_00, rolls=60, shooter_loss_cents=50_00)),
            ("reduce", Terms(bankroll_cents=65_00, hands=4, stop_loss_cents=50_00)),
            ("stop", Terms(bankroll_cents=155_00, decisions=12, line_losses=3)),
        ],
    ),
)
def test_a_session_that_the_engine_deals_is_that_of_the_kernel(tmp_path: Path, short: Short, terms: Terms) -> None:
    compiled, dealt = both(tmp_path, terms, short)
    assert isinstance(dealt.tables, DealtTables)
    ((_, expected),) = session_records(compiled.tables, compiled.limits, seed=5, sessions=SESSIONS)
    played = np.concatenate(
        [rows for _, rows in session_records(dealt.tables, dealt.limits, seed=5, sessions=SESSIONS)]
    )
    expected[:, 2:] *= compiled.tables.unit
    expected[:, 2:4] += compiled.limits.left_over
    assert played.tolist() == expected.tolist()
    rolls = 20
    paths = paths_of(compiled.tables, compiled.limits, seed=5, sessions=3, rolls=rolls) * compiled.tables.unit
    shown = paths_of(dealt.tables, dealt.limits, seed=5, sessions=3, rolls=rolls)
    assert (shown == paths + compiled.limits.left_over).all()


def test_two_processes_have_the_results_of_one(tmp_path: Path) -> None:
    dealt = prepare_strategy(RULES, line(tmp_path, "net < $50 and peak >= 0"), Terms(bankroll_cents=150_00, rolls=40))
    alone, together = (
        play_sessions(dealt.tables, dealt.limits, seed=3, first=7, sessions=SESSIONS, cores=cores) for cores in (1, 2)
    )
    assert alone == together
    assert alone.sessions == SESSIONS
    assert alone.sums["final"].total % 100 == 0


def test_whoever_stops_above_an_amount_ends_no_higher_than_one_win_above_it(tmp_path: Path) -> None:
    terms = Terms(bankroll_cents=300_00, rolls=200)
    found = simulate(RULES, line(tmp_path, "net < $30 and peak >= 0"), terms, sessions=20, seed=3, cores=1).results
    assert found.quantile_cents(1) < 300_00 + 30_00 + 50_00 + 16
    assert min(found.endings[0], found.endings[2]) > 0, "some are ruined first"


def test_money_that_does_not_pay_for_the_first_wagers_is_refused(tmp_path: Path) -> None:
    strategy = line(tmp_path, "net < $50 and peak >= 0")
    with pytest.raises(SessionError, match=r"a bankroll of 9\.00 does not pay for the first wagers of line"):
        prepare_strategy(RULES, strategy, Terms(bankroll_cents=9_00, rolls=5))
    with pytest.raises(SessionError, match=r"a bankroll of 10\.50 cannot be dealt in chips of 1\.00: bring 10\.00"):
        prepare_strategy(RULES, strategy, Terms(bankroll_cents=10_50, rolls=5))
    terms = Terms(bankroll_cents=90_00, rolls=5, shooter_loss_cents=9_99)
    with pytest.raises(SessionError, match=r"a loss limit per shooter of 9\.99 does not pay"):
        prepare_strategy(RULES, strategy, terms, short="ride")
    with pytest.raises(SessionError, match='needs the policy "ride" or "reduce"'):
        prepare_strategy(RULES, strategy, terms)
    dealt = prepare_strategy(RULES, strategy, Terms(bankroll_cents=10_00, rolls=5))
    with pytest.raises(SessionError, match="line reads its money: it is played on the CPU, not on a GPU"):
        play_range(dealt.tables, dealt.limits, 1, range(3))


def test_the_command_says_that_the_engine_deals_it(tmp_path: Path) -> None:
    asked = [
        "simulate",
        line(tmp_path, "net < $50 and peak >= 0"),
        "--rules",
        "maryland",
        "--rolls",
        "20",
        "--sessions",
        "30",
    ]
    shown = CliRunner().invoke(app, [*asked, "--cores", "1"])
    assert shown.exit_code == 0, shown.output
    assert "line reads net, peak: the engine deals its sessions, about " in shown.stderr
    assert "dealt by the engine" in shown.stdout
    assert "30 sessions from 500.00" in shown.stdout
