"""The law of the difference of two strategies on the same dice, against every sequence of dice and against play."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from passline import Rules, Terms, analyze
from passline.dice_weights import dice_named
from passline.exact.paired import PairedLaw, analyze_against
from passline.simulation.kernel_tables import compiled_tables
from passline.simulation.paired import simulate_against
from passline.simulation.reference_session import play_session
from passline.simulation.simulation import prepare_strategy
from tests.cases import budget, one_in

MARYLAND = Rules.of("maryland")
STRATEGIES = ("pass", "dont_pass", "molly", "iron_cross", "pass:odds=2", "field", "hardways")
PAIRS = list(combinations(STRATEGIES, 2))[:20]


@pytest.mark.whole
@pytest.mark.parametrize("name", one_in(2, ["biased:1=16,2=17,3=18,4=15,5=17,6=16", "fair"], others=pytest.mark.whole))
def test_fractions_are_those_of_every_sequence_of_dice(name: str) -> None:
    terms, dice = Terms(bankroll_cents=500_00, rolls=3), dice_named(name)
    found = analyze_against(MARYLAND, "molly", "dont_pass", terms, exact=True, dice=dice)
    ready = [prepare_strategy(MARYLAND, played, terms) for played in ("molly", "dont_pass")]
    expected: Counter[int] = Counter()
    for outcomes in product(range(36), repeat=3):
        finals = []
        for prepared in ready:
            played = play_session(compiled_tables(prepared.tables, ""), prepared.limits, outcomes)
            finals.append(prepared.limits.cents(played.final, prepared.tables.unit))
        ways = 1
        for outcome in outcomes:
            ways *= dice.weights[outcome]
        expected[finals[0] - finals[1]] += ways
    total = expected.total()
    assert found.law is not None
    assert dict(zip(found.law.equity_cents, found.law.chances, strict=True)) == {
        cents: Fraction(ways, total) for cents, ways in sorted(expected.items())
    }
    assert found.mean_cents == found.law.mean_cents == Fraction(sum(c * n for c, n in expected.items()), total)
    assert found.ahead == Fraction(sum(ways for cents, ways in expected.items() if cents > 0), total)
    assert found.ties == Fraction(expected[0], total)
    assert found.ahead + found.behind + found.ties == 1  # type: ignore[operator]
    assert found.error == 0


@pytest.mark.parametrize(("first", "second"), one_in(10, PAIRS))
def test_paired_play_is_within_four_errors_of_the_law(first: str, second: str) -> None:
    terms, sessions = Terms(bankroll_cents=20_000_00, rolls=40), budget(20_000, in_sweep=200_000)
    law = analyze_against(MARYLAND, first, second, terms)
    assert law.law is not None, law.why
    assert float(law.mean_cents) == pytest.approx(float(law.law.mean_cents), abs=1e-4)
    played = simulate_against(MARYLAND, first, second, terms, sessions=sessions, seed=36)
    error = law.law.deviation_cents / sessions**0.5
    assert abs(played.mean_cents().value - float(law.mean_cents)) < 4 * error
    assert played.error_cents == pytest.approx(error, rel=0.1)
    for count, chance in ((played.ahead, law.ahead), (played.ties, law.ties)):
        assert chance is not None
        share = float(chance)
        assert abs(count / sessions - share) < 4 * (share * (1 - share) / sessions) ** 0.5 + 1e-9


def test_sessions_of_hands_and_streaks_have_a_law_too() -> None:
    for terms in (Terms(bankroll_cents=9_000_00, hands=2, rolls=60), Terms(bankroll_cents=9_000_00, decisions=3)):
        law = analyze_against(MARYLAND, "pass", "field", terms)
        played = simulate_against(MARYLAND, "pass", "field", terms, sessions=4_000, seed=3)
        assert law.ahead is not None
        assert abs(played.ahead / 4_000 - float(law.ahead)) < 4 * (0.25 / 4_000) ** 0.5


def why(first: str, second: str, terms: Terms) -> PairedLaw:
    return analyze_against(MARYLAND, first, second, terms, budget=100)


def test_where_there_is_no_law_it_says_why_and_the_mean_stays_exact() -> None:
    short = Terms(bankroll_cents=60_00, rolls=60)
    found = why("pass", "field", short)
    assert found.law is None
    assert found.ahead is None
    assert "is short of money before the end with a chance of" in found.why
    assert "passline simulate" in found.why
    means = [analyze(MARYLAND, played, short).law for played in ("pass", "field")]
    assert means[0] is not None
    assert means[1] is not None
    assert found.mean_cents == means[0].mean_cents - means[1].mean_cents
    stopped = why("pass", "field", Terms(bankroll_cents=900_00, rolls=20, goal_cents=950_00))
    assert "stop by money" in stopped.why
    large = why("molly", "iron_cross", Terms(bankroll_cents=9_000_00, rolls=20))
    assert "states" in large.why
