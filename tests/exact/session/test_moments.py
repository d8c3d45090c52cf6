"""Mean and deviation of separate parts, against the law of their product."""

from __future__ import annotations

import pytest

from passline import Rules
from passline.automaton.minimise import lump
from passline.automaton.network import network
from passline.automaton.terms import Terms
from passline.exact.session.float_law import session_law
from passline.exact.session.moments import moments
from passline.strategy.lookup import strategy_of

MARYLAND = Rules.of("maryland", house={"side_wagers": {"fire": "A", "bonus_craps": "A"}})
PLENTY = 100_000_00  # nobody is ever short


@pytest.mark.parametrize(
    ("text", "parts"),
    [("pass", 1), ("six_eight + any_seven", 2), ("pass + fire", 2), ("field + hardways + small", 3)],
)
def test_mean_and_deviation_are_those_of_the_law(text: str, parts: int) -> None:
    strategy = strategy_of(text, MARYLAND)
    apart = network(MARYLAND, strategy, budget=1)
    whole = network(MARYLAND, strategy, budget=50_000).whole
    assert len(apart.parts) == parts
    assert whole is not None
    found = moments(apart, 60)
    law = session_law(lump(whole, marks=0), Terms(bankroll_cents=PLENTY, rolls=60))
    assert law.ruin == 0
    assert found.mean == pytest.approx(law.mean_cents - PLENTY, abs=1e-4)
    assert found.sd == pytest.approx(law.deviation_cents, rel=1e-7)
    assert 0 < found.error < 1
