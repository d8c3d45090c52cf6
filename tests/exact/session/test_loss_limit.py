"""Sessions with a loss limit per shooter, against the enumeration of every path."""

from collections import defaultdict
from fractions import Fraction

import pytest

from passline.automaton.arrays import HAND, LINE, Automaton
from passline.automaton.terms import SessionError, Terms
from passline.exact.session.float_law import session_law
from tests.cases import one_in
from tests.exact.automata import Column, automaton, coin


def walker() -> Automaton:
    """A wager of 3, or of 1 for a player who is short of 3; every sixth outcome ends the hand.

    State 2 is state 1 when nothing new can be made: only the 2 already up are at risk.
    """

    def large(d: int) -> Column:
        return (3, 1, LINE) if d < 15 else (-3, 0, LINE | (HAND if d % 6 == 0 else 0))

    def second(d: int) -> Column:
        return (4, 0, LINE) if d < 12 else (-4, 3, LINE | (HAND if d % 6 == 0 else 0))

    def riding(d: int) -> Column:
        return (2, 0, LINE) if d < 12 else (-2, 0, LINE | (HAND if d % 6 == 0 else 0))

    def small(d: int) -> Column:
        return (1, 0, LINE) if d < 18 else (-1, 0, LINE | (HAND if d % 6 == 0 else 0))

    columns = {0: large, 1: second, 2: riding, 3: small}
    return automaton(columns, outlay=[3, 4, 2, 1], short=[3, 2, -1, -1], policy="reduce")


def play(machine: Automaton, terms: Terms, limit: int) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """Enumerate (state, equity, equity at the hand's start, sits out); return the law of final cents, ruin, goal."""
    mass = {(0, terms.bankroll_cents // machine.unit, terms.bankroll_cents // machine.unit, False): Fraction(1)}
    law: defaultdict[int, Fraction] = defaultdict(Fraction)
    ruin = goal = Fraction(0)
    for n in range((terms.rolls or 0) + 1):
        after: defaultdict[tuple[int, int, int, bool], Fraction] = defaultdict(Fraction)
        for (state, equity, began, sits), chance in mass.items():
            cents = equity * machine.unit
            if terms.goal_cents is not None and cents >= terms.goal_cents:
                goal += chance
                law[cents] += chance
                continue
            if n == terms.rolls or (
                terms.stop_loss_cents is not None and cents <= terms.bankroll_cents - terms.stop_loss_cents
            ):
                law[cents] += chance
                continue
            acting, is_out = state, sits
            while not is_out and equity - machine.outlay[acting] < max(0, began - limit):
                if machine.short[acting] < 0:
                    is_out = True
                else:
                    acting = int(machine.short[acting])
            if is_out and not sits and equity < machine.outlay[acting]:
                ruin += chance
                law[cents] += chance
                continue
            for d in range(36):
                to, cash = int(machine.next[acting, d]), 0 if is_out else int(machine.cash[acting, d])
                if machine.mark[acting, d] & HAND:
                    key = (0 if is_out else to, equity + cash, equity + cash, False)
                else:
                    key = (to, equity + cash, began, is_out)
                after[key] += chance / 36
        mass = after
    return dict(law), ruin, goal


@pytest.mark.parametrize("limit", one_in(3, [3, 1, 2, 100, 4, 6]))
@pytest.mark.parametrize(("goal", "stop"), [(None, None), (15_00, None), (None, 4_00)])
def test_a_session_with_a_loss_limit_agrees_with_every_path(limit: int, goal: int | None, stop: int | None) -> None:
    terms = Terms(bankroll_cents=8_00, rolls=7, goal_cents=goal, shooter_loss_cents=limit * 100, stop_loss_cents=stop)
    law = session_law(walker(), terms)
    truth, ruin, reached = play(walker(), terms, limit)
    found = dict(zip(law.equity_cents, map(Fraction, law.chances), strict=True))
    assert found.keys() == truth.keys()
    assert max(abs(found[x] - truth[x]) for x in truth) <= Fraction(law.error)
    assert abs(Fraction(law.ruin) - ruin) <= Fraction(law.error)
    assert abs(Fraction(law.goal) - reached) <= Fraction(law.error)
    assert law.error < 1e-12


def test_a_loss_limit_that_is_never_reached_changes_nothing() -> None:
    terms = Terms(bankroll_cents=20_00, rolls=60)
    limited = session_law(walker(), Terms(bankroll_cents=20_00, rolls=60, shooter_loss_cents=1_000_00))
    plain = session_law(walker(), terms)
    found, truth = (dict(zip(law.equity_cents, law.chances, strict=True)) for law in (limited, plain))
    assert all(abs(found.get(x, 0.0) - p) <= limited.error + plain.error for x, p in truth.items())
    assert limited.ruin_by_roll == pytest.approx(plain.ruin_by_roll, abs=limited.error + plain.error)


def test_loss_limits_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(SessionError, match='needs the policy "ride" or "reduce"'):
        session_law(coin(), Terms(bankroll_cents=9_00, rolls=5, shooter_loss_cents=3_00))
    with pytest.raises(SessionError, match="limited by rolls alone"):
        session_law(walker(), Terms(bankroll_cents=9_00, hands=5, shooter_loss_cents=3_00))
    for stop in ({"trailing_stop_cents": 2_00}, {"line_wins": 2}, {"line_losses": 2}):
        terms = Terms(bankroll_cents=9_00, rolls=5, shooter_loss_cents=3_00, **stop)
        with pytest.raises(SessionError, match="no law with a trailing stop or a streak"):
            session_law(walker(), terms)
    with pytest.raises(SessionError, match=r"of 0\.99 is below the first outlay of 1\.00"):
        session_law(walker(), Terms(bankroll_cents=9_00, rolls=5, shooter_loss_cents=99))
