"""Strategies that people have published, each as a file in our own words: they lint, play and simulate."""

from pathlib import Path

import pytest

from passline.automaton.compiler import compile_states
from passline.automaton.lint import lint
from passline.automaton.real_table import RealTable
from passline.automaton.terms import Terms
from passline.dice import Roll
from passline.game.notation import format_wager
from passline.rules.rules import Rules
from passline.simulation.backends.cpu.backend import session_records
from passline.simulation.reference_session import SessionRecord
from passline.simulation.replay import replay
from passline.simulation.simulation import prepare_strategy
from passline.strategy.lookup import strategy_file, strategy_of
from passline.strategy.strategy_file import bind
from passline.strategy.strategy_table import fault_in_play
from tests.cases import one_in

FILES = sorted(Path(__file__).with_name("collection").glob("*.toml"))
HOUSE = {"side_wagers": {"bonus_craps": "A"}, "come_odds_on_come_out": "off"}
RULES = Rules.of("maryland", house=HOUSE)
TERMS = Terms(bankroll_cents=2_000_00, rolls=100)
SEED = 36
SOME = one_in(12, FILES, others=pytest.mark.whole)
STATES_MAX = 3_000  # of those that are compiled here
LARGE = {
    *("bonus_hunter", "hottest_two_of_six", "labouchere", "lock_up_the_risk", "number_on_a_repeat"),
    *("odds_off_the_oldest", "pressed_comes_within"),
}


def test_there_are_sixty_of_them() -> None:
    assert len(FILES) >= 60


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_published_strategy_lints_and_plays(path: Path) -> None:
    file = strategy_file(str(path))
    assert file.name == path.stem
    assert file.description.endswith(".")
    assert len(file.source) > 20
    strategy = bind(file, RULES)
    assert fault_in_play(strategy, RULES) == ""
    found = lint(file, RULES, with_costs=False)
    assert (found.unused, found.never) == ((), ())


@pytest.mark.parametrize("path", one_in(4, SOME, others=pytest.mark.whole), ids=lambda path: path.stem)
def test_a_published_strategy_simulates_as_the_engine_plays_it(path: Path) -> None:
    strategy = strategy_of(str(path), RULES)
    *_, last = replay(RULES, strategy, TERMS, seed=SEED, session=1)
    if path.stem in LARGE:
        assert compile_states(RULES, strategy, states_max=STATES_MAX) == (STATES_MAX, False)
        return
    prepared = prepare_strategy(RULES, strategy, TERMS)
    ((_, rows),) = session_records(prepared.tables, prepared.limits, seed=SEED, first=1, sessions=1)
    played = SessionRecord(*map(int, rows[0]))
    final = prepared.limits.cents(played.final, prepared.tables.unit)
    assert (played.ending, played.rolls, final) == (last.ending, last.rolls, last.equity_cents)


def cases() -> list[tuple[str, ...]]:
    """Read the cases: the strategy, the rolls, and what must be up before the next roll."""
    lines = Path(__file__).with_name("collection.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("name", "rolls", "expected"), cases())
def test_a_published_strategy_has_the_expected_wagers_up(name: str, rolls: str, expected: str) -> None:
    strategy = strategy_of(str(FILES[0].with_name(f"{name}.toml")), RULES)
    table = RealTable(RULES, strategy, bankroll_cents=TERMS.bankroll_cents)
    for pair in rolls.split():
        assert table.acts()
        table.roll(Roll(int(pair[0]), int(pair[-1])))
    table.acts()
    assert "; ".join(format_wager(wager, with_seat=False) for wager in table.sight().mine) == expected
