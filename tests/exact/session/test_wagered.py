"""What sessions cost and wager, against every path, against pars and against the simulator."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from passline.automaton.arrays import Automaton
from passline.automaton.terms import Terms
from passline.exact.analysis import analyze
from passline.exact.par.par import par_of
from passline.exact.session.float_law import session_law
from passline.exact.session.rational_law import rational_law
from passline.rules.rules import Rules
from passline.simulation.simulation import simulate
from tests.cases import budget
from tests.exact.session.every_path import play
from tests.exact.session.random_sessions import sessions

RULES = Rules.of("maryland")


@settings(max_examples=budget(40, in_sweep=400))
@given(sessions())
def test_action_initial_wagers_and_what_is_up_equal_every_path(session: tuple[Automaton, Terms]) -> None:
    automaton, terms = session
    assert terms.rolls is not None
    exact, law = rational_law(automaton, terms), session_law(automaton, terms)
    wagered = play(automaton, terms, rolls_max=terms.rolls).wagered
    assert [exact.action_cents, exact.initial_cents, exact.up_cents] == wagered
    found = [law.action_cents, law.initial_cents, law.up_cents]
    assert found == [pytest.approx(float(amount)) for amount in wagered]


@pytest.mark.parametrize(("strategy", "kind", "odds"), [("pass", "pass", ""), ("dont_pass", "dont_pass", "")])
def test_with_wagers_played_out_a_session_loses_the_edge_of_its_wager(strategy: str, kind: str, odds: str) -> None:
    """Whoever leaves after any rolls pays the edge of what was wagered: the mean of a sum with a random end."""
    par = par_of(RULES, kind=kind, cents=10_00, odds=odds)
    law = analyze(RULES, strategy, Terms(bankroll_cents=80_00, rolls=30), finish=True).law
    assert law is not None
    assert law.edge_on_initial == pytest.approx(float(par.edge), rel=1e-9)
    assert law.edge_on_action == pytest.approx(float(par.edge_resolved), rel=1e-9)
    assert law.loss_cents_per_hour(100) == pytest.approx(law.loss_cents / law.mean_rolls * 100)


def test_odds_are_action_but_no_initial_wager() -> None:
    terms = Terms(bankroll_cents=1000_00, rolls=30)
    plain, with_odds = (analyze(RULES, name, terms, finish=True).law for name in ("pass", "pass:odds=2"))
    assert plain is not None
    assert with_odds is not None
    assert plain.initial_cents == pytest.approx(with_odds.initial_cents)
    assert with_odds.action_cents > 2 * plain.action_cents
    assert with_odds.edge_on_initial == pytest.approx(7 / 495, rel=1e-9)


def test_parts_without_a_law_have_the_same_means_as_their_product() -> None:
    terms = Terms(bankroll_cents=100_000_00, rolls=20)
    known = analyze(RULES, "pass + field", terms, budget=5).moments
    law = analyze(RULES, "pass + field", terms).law
    assert known is not None
    assert law is not None
    assert [known.action, known.initial, known.up] == [
        *map(pytest.approx, (law.action_cents, law.initial_cents, law.up_cents)),
    ]


def test_the_simulator_wagers_as_much_under_a_loss_limit() -> None:
    terms = Terms(bankroll_cents=100_00, rolls=40, shooter_loss_cents=20_00)
    law = analyze(RULES, "pass", terms, short="ride").law
    results = simulate(RULES, "pass", terms, short="ride", sessions=20_000, seed=3).results
    assert law is not None
    assert results.mean_cents("wagered", 0.99999).holds(float(law.action_cents))
    assert results.edge_on_action(0.99999).holds(float(law.edge_on_action or 0))
    assert results.loss_cents(0.99999).holds(float(Fraction(law.loss_cents)))
