"""Strategies that read their money, compiled with guards: every session is that of the engine, to the cent."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline import Rules, Terms, analyze, strategy_of
from passline.automaton.arrays import Short
from passline.automaton.exploration import TooManyStates
from passline.automaton.guarded import compile_guarded, guarded_network
from passline.automaton.traced_money import Untraceable
from passline.errors import CrapsError
from passline.exact.session.float_law import session_law
from passline.simulation.backends.cpu.backend import play_sessions
from passline.simulation.backends.cpu.engine import record_of
from passline.simulation.dealt_tables import DealtTables
from passline.simulation.kernel_tables import Tables, limits_of, tables_of
from passline.simulation.reference_session import SessionRecord
from passline.simulation.simulation import is_dealt, is_growing, prepare_strategy
from tests.cases import budget, one_in
from tests.simulation.backends import host_kernel
from tests.simulation.session_cases import cpu_records, reference_records

RULES = Rules.of("maryland")
COLLECTION = Path(__file__).parents[1] / "strategy" / "collection"
HEAD = """
name = "mine"
description = "A test."
source = "A test."
"""
LINE = """
[[wish]]
make = "pass"
when = "{when}"
cents = "{cents}"

[[wish]]
make = "pass_odds"
when = "net > -$60"
cents = "$20"
"""
REMEMBERS = """
[memory]
low = { max = 3, next = "0 if net >= $30 else min(low + (net < -$20), 3)" }

[[wish]]
make = "place_win"
on = [6, 8]
when = "point_on and rack >= $40"
cents = "$6 * [3, 2, 1, 1][low]"

[[wish]]
make = "field"
when = "abs(net) < $90 and net // $25 % 2 == 1"
cents = "min(max(equity // 20 // 500 * 500, $5), $15)"
"""


def mine(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return str(path)


def guarded(text: str, terms: Terms, short: Short) -> Tables:
    found = guarded_network(RULES, strategy_of(text, RULES), terms, states_max=20_000, short=short)
    assert found is not None
    return tables_of(found)


def compare_with_the_engine(text: str, terms: Terms, short: Short, sessions: int) -> list[SessionRecord]:
    """Hold the sessions of the arrays and of the kernel against those that the engine deals."""
    tables = guarded(text, terms, short)
    limits = limits_of(tables, terms)
    dealt = DealtTables(RULES, strategy_of(text, RULES), terms, short)
    found = []
    for played in cpu_records(tables, limits, seed=36, first=0, count=sessions):
        amounts = [amount * tables.unit for amount in played[2:]]
        found.append(SessionRecord(*played[:2], *(a + limits.left_over for a in amounts[:2]), *amounts[2:]))
    assert found == [record_of(dealt, 36, session) for session in range(sessions)]
    assert cpu_records(tables, limits, seed=36, first=0, count=sessions) == reference_records(
        tables, limits, seed=36, first=0, count=sessions
    )
    return found


@pytest.mark.parametrize(
    ("text", "terms", "short"),
    one_in(
        9,
        [
            ("remembers", Terms(bankroll_cents=120_00, rolls=60), "reduce"),
            ("net < $50 and net >= -$50", Terms(bankroll_cents=150_00, rolls=60), "stop"),
            ("equity != bankroll + $10", Terms(bankroll_cents=155_00, rolls=60, stop_loss_cents=60_00), "ride"),
            ("last_stand", Terms(bankroll_cents=120_00, rolls=80, goal_cents=200_00), "reduce"),
            ("walk_at_a_third", Terms(bankroll_cents=200_00, hands=8), "stop"),
            ("remembers", Terms(bankroll_cents=125_00, rolls=60, trailing_stop_cents=80_00), "stop"),
            ("rack in [$90, $100, $110] or net > 0", Terms(bankroll_cents=120_00, decisions=20), "reduce"),
        ],
        others=pytest.mark.whole,
    ),
)
def test_a_strategy_with_guards_plays_as_the_engine_deals(
    tmp_path: Path, text: str, terms: Terms, short: Short
) -> None:
    if text == "remembers":
        text = mine(tmp_path, REMEMBERS)
    elif (COLLECTION / f"{text}.toml").exists():
        text = str(COLLECTION / f"{text}.toml")
    else:
        text = mine(tmp_path, LINE.format(when=text, cents="$10 if net < $20 else $20"))
    compare_with_the_engine(text, terms, short, budget(12, in_sweep=60))


@pytest.mark.sweep
@pytest.mark.skipif(not host_kernel.COMPILER, reason="needs g++ to compile the kernels for the host")
@pytest.mark.parametrize("terms", [Terms(bankroll_cents=120_00, rolls=80), Terms(bankroll_cents=120_00, hands=9)])
def test_the_gpu_plays_guards_too(tmp_path: Path, terms: Terms) -> None:
    tables = guarded(mine(tmp_path, REMEMBERS), terms, "reduce")
    limits = limits_of(tables, terms)
    truth = reference_records(tables, limits, seed=3, first=0, count=60)
    _, rows, _ = host_kernel.play(tables, limits, seed=3, first=0, sessions=60)
    assert rows.tolist() == [list(played) for played in truth]


@pytest.mark.parametrize("cents", [29_99, 30_00, 30_01])
def test_a_guard_holds_to_the_cent(tmp_path: Path, cents: int) -> None:
    """Whoever wins $10 three times is $30 ahead: 29.99 and 30.00 are then reached, 30.01 is not."""
    text = mine(tmp_path, LINE.format(when=f"net < {cents}", cents="$10"))
    records = compare_with_the_engine(text, Terms(bankroll_cents=200_00, rolls=40), "stop", 20)
    ends = {record.final - 200_00 for record in records}
    assert 30_00 in ends or cents > 30_00
    tables = guarded(text, Terms(bankroll_cents=200_00, rolls=40), "stop")
    guard = sorted({int(outlay) * tables.unit for outlay in tables.outlay} - set(range(200_01)))
    assert guard == [230_00 if cents <= 30_00 else 232_00]


@pytest.mark.whole
def test_the_law_is_that_of_the_sessions(tmp_path: Path) -> None:
    terms = Terms(bankroll_cents=120_00, rolls=40)
    text = mine(tmp_path, REMEMBERS)
    law = analyze(RULES, text, terms, short="reduce").law
    ready = prepare_strategy(RULES, text, terms, short="reduce")
    assert isinstance(ready.tables, Tables)
    results = play_sessions(ready.tables, ready.limits, seed=1, sessions=20_000)
    assert law is not None
    assert results.chance(0, 0.9999).holds(float(law.ruin))
    assert results.mean_cents("final", 0.9999).holds(float(law.mean_cents))
    assert results.mean_cents("wagered", 0.9999).holds(float(law.action_cents))


@pytest.mark.whole
def test_what_is_up_is_no_guard(tmp_path: Path) -> None:
    """A guard that always holds changes neither the law nor the average wager."""
    automata = []
    for when in ("1", "net > -$1000"):
        strategy = strategy_of(mine(tmp_path, LINE.format(when=when, cents="$10").replace("net > -$60", when)), RULES)
        automata.append(compile_guarded(RULES, strategy, bankroll_cents=5000_00, states_max=1000))
    terms = Terms(bankroll_cents=5000_00, rolls=30)
    laws = [session_law(automaton, terms) for automaton in automata]
    assert laws[0].up_cents == pytest.approx(laws[1].up_cents)
    assert automata[1].outlay.max() * automata[1].unit > 4000_00 > automata[1].up.max() * automata[1].unit


def test_what_has_no_few_ranges_is_left_to_the_engine(tmp_path: Path) -> None:
    terms = Terms(bankroll_cents=200_00, rolls=20)
    every_cent = strategy_of(mine(tmp_path, LINE.format(when="net % 7 == 3", cents="$10")), RULES)
    with pytest.raises(Untraceable, match="tells more than 128 ranges"):
        compile_guarded(RULES, every_cent, bankroll_cents=200_00, states_max=1000)
    assert guarded_network(RULES, every_cent, terms, states_max=1000) is None
    with pytest.raises(TooManyStates):
        compile_guarded(RULES, strategy_of("molly", RULES), bankroll_cents=200_00, states_max=10)
    short_of_it = strategy_of(mine(tmp_path, LINE.format(when="net > -$190", cents="$20")), RULES)
    with pytest.raises(Untraceable, match=r"from an equity of 10\.01 on it wagers 20\.00"):
        compile_guarded(RULES, short_of_it, bankroll_cents=200_00, states_max=1000)
    for when in ("peak < $50", "shooter_net > -$30"):
        text = mine(tmp_path, LINE.format(when=when, cents="$10"))
        assert isinstance(prepare_strategy(RULES, text, terms).tables, DealtTables)
        with pytest.raises(CrapsError, match="it has no finite automaton"):
            analyze(RULES, text, terms)


def test_a_memory_of_money_that_outgrows_its_max_for_an_equity_nobody_has_is_dealt(tmp_path: Path) -> None:
    """Half of what was won is locked up: whoever asked from the largest equity down found a memory above its max."""
    locked = '[memory]\nlocked = { max = 10_000_000, next = "max(locked, net // 2)" }\n'
    text = mine(tmp_path, locked + LINE.format(when="net >= locked or net < 0", cents="$10"))
    terms = Terms(bankroll_cents=200_00, rolls=60)
    assert guarded_network(RULES, strategy_of(text, RULES), terms, states_max=1_000) is None
    ready = prepare_strategy(RULES, text, terms)
    assert isinstance(ready.tables, DealtTables)
    assert record_of(ready.tables, 36, 0).wagered


@pytest.mark.whole
def test_a_few_sessions_are_dealt_rather_than_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The most states are those of `analyze`, but for few sessions fewer than take as long to find as these to deal."""
    monkeypatch.setenv("PASSLINE_CACHE", str(tmp_path / "cache"))  # where none is kept from an earlier run
    text = mine(tmp_path, LINE.format(when="net < $100 and rack > $50", cents="$20 if net > 0 else $10"))
    terms = Terms(bankroll_cents=200_00, rolls=30)
    ready = [prepare_strategy(RULES, text, terms, compiled_max=5, sessions=many) for many in (1, 1_000)]
    assert [is_dealt(prepared) for prepared in ready] == [True, False]
    large = [prepare_strategy(RULES, "half_press", terms, compiled_max=5, sessions=many) for many in (1, 1_000)]
    assert [is_growing(prepared) for prepared in large] == [False, False], "its parts are small enough"
    counted = '[memory]\nrolls = { max = 900, next = "0 if loser_7 else min(rolls + 1, 900)" }\n'
    whole = mine(tmp_path, counted + '[[wish]]\nmake = "pass"\nwhen = "rolls < 900"\ncents = "$10"\n')
    ready = [prepare_strategy(RULES, whole, terms, sessions=many) for many in (1, 10_000)]
    assert [is_growing(prepared) for prepared in ready] == [True, False]
