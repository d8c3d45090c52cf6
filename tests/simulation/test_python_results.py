"""Results as researchers take them: pickles, arrays, Arrow where it is installed, HTML, and clear refusals."""

import pickle
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from passline.automaton.compiler import compile_strategy
from passline.automaton.terms import SessionError, Terms
from passline.errors import CrapsError
from passline.exact.analysis import Analysis, analyze
from passline.exact.chain.hand_law import hand_length
from passline.rules.rules import Rules
from passline.simulation.simulation import Simulation, simulate
from passline.strategy.interface import Seen
from passline.strategy.lookup import strategy_of

RULES = Rules.of("maryland", house={"wager_cents_min": 10_00})
TERMS = Terms(bankroll_cents=100_00, rolls=8, goal_cents=150_00)


@pytest.fixture(scope="module")
def solved() -> Analysis:
    return analyze(RULES, "pass", TERMS)


@pytest.fixture(scope="module")
def played() -> Simulation:
    return simulate(RULES, "pass", TERMS, sessions=500, seed=4)


@pytest.mark.parametrize("name", ["molly", "martingale", "pass:odds=2", "pass + field"])
def test_a_strategy_comes_out_of_a_pickle_as_it_went_in(name: str) -> None:
    rules = Rules.of("maryland")
    strategy = strategy_of(name, rules)
    again = pickle.loads(pickle.dumps(strategy))  # noqa: S301 - our own
    assert (again.name, again.version, again.start) == (strategy.name, strategy.version, strategy.start)
    assert again.wishes(Seen(0, False, ()), again.start) == strategy.wishes(Seen(0, False, ()), strategy.start)  # noqa: FBT003


def test_rules_laws_and_results_come_out_of_a_pickle(solved: Analysis, played: Simulation) -> None:
    rules = pickle.loads(pickle.dumps(RULES))  # noqa: S301
    assert rules.house == RULES.house
    assert analyze(rules, "pass", TERMS) == solved == pickle.loads(pickle.dumps(solved))  # noqa: S301
    assert pickle.loads(pickle.dumps(played)).results == played.results  # noqa: S301
    length = hand_length(compile_strategy(RULES, strategy_of("pass", RULES)))
    assert pickle.loads(pickle.dumps(length)).at_least(9) == length.at_least(9)  # noqa: S301


def test_results_are_columns_of_equal_length(solved: Analysis, played: Simulation) -> None:
    assert solved.law is not None
    columns = solved.law.columns()
    assert columns["chance"].sum() == pytest.approx(1)
    assert (columns["equity_cents"] * columns["chance"]).sum() == pytest.approx(solved.law.mean_cents)
    counts = played.results.columns()
    assert counts["sessions"].sum() == 500
    assert (counts["ruin"] + counts["goal"] + counts["limit"] == counts["sessions"]).all()
    assert np.average(counts["equity_cents"], weights=counts["sessions"]) == played.results.mean_cents().value


def test_an_arrow_table_needs_pyarrow_and_says_so(solved: Analysis, played: Simulation) -> None:
    assert solved.law is not None
    for result in (solved.law, played.results):
        if find_spec("pyarrow"):
            assert result.to_arrow().column_names == list(result.columns())
        else:
            with pytest.raises(CrapsError, match="pip install pyarrow, or take the numpy arrays"):
                result.to_arrow()


def test_notebooks_show_tables(solved: Analysis, played: Simulation) -> None:
    for shown in (solved._repr_html_(), played._repr_html_()):
        assert shown.startswith("<table><caption>pass: ")
        assert "<th>expected loss</th>" in shown
    parts = analyze(RULES, "pass + field:unit=1000", Terms(bankroll_cents=100_00, rolls=8), budget=5)
    assert "<th>why no law</th>" in parts._repr_html_()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"bankroll_cents": -5}, "bankroll_cents=-5: an amount is a whole number of cents"),
        ({"bankroll_cents": 10.5}, "bankroll_cents=10.5: an amount is a whole number of cents"),
        ({"goal_cents": 1e4}, "goal_cents=10000.0"),
        ({"rolls": 2.5}, "2.5 rolls: a session has a whole number of them"),
        ({"rolls": 0}, "0 rolls: a session has a whole number of them, at least one"),
    ],
)
def test_terms_are_checked_at_once(more: dict[str, int], why: str) -> None:
    with pytest.raises(SessionError, match=why):
        Terms(**{"bankroll_cents": 100_00, "rolls": 9, **more})


def test_a_number_of_sessions_is_whole() -> None:
    with pytest.raises(SessionError, match=r"sessions=10000.0: a whole number \(int\) .* such as 10000"):
        simulate(RULES, "pass", TERMS, sessions=1e4)  # type: ignore[arg-type]
    with pytest.raises(CrapsError, match="'maryland' is not Rules"):
        simulate("maryland", "pass", TERMS)  # type: ignore[arg-type]


def test_everything_is_imported_that_the_installed_extras_have() -> None:
    script = (
        "import sys; sys.modules['numpy'] = None; from passline import *; print(Rules.of('maryland').chip); analyze"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert done.stdout.strip() == str(Rules.of("maryland").chip), done.stderr
    assert "NameError" in done.stderr
