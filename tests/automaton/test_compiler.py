"""Compiling and minimising: the states, their labels and arrays, policies without money, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from passline import Rules
from passline.automaton.arrays import HAND, IDLE, LINE, WON, Automaton
from passline.automaton.compiler import compile_strategy
from passline.automaton.exploration import TooManyStates
from passline.automaton.minimise import lump, minimise
from passline.strategy.lookup import strategy_of
from passline.strategy.strategy_table import UnlawfulWish

MARYLAND = Rules.of("maryland")


def automaton_of(text: str, **options: object) -> Automaton:
    return compile_strategy(MARYLAND, strategy_of(text, MARYLAND), **options)  # type: ignore[arg-type]


def walked(automaton: Automaton, dice: list[int]) -> list[tuple[int, int, int]]:
    """Return cash, action and marks of each roll from state 0, in units."""
    state, seen = 0, []
    for d in dice:
        seen.append((automaton.cash[state, d], automaton.action[state, d], int(automaton.mark[state, d])))
        state = automaton.next[state, d]
    return [(int(cash), int(action), mark) for cash, action, mark in seen]


def test_three_point_molly_has_the_number_of_states_in_the_documents() -> None:
    molly = automaton_of("molly:odds=2")
    assert (len(molly), len(minimise(molly)), len(lump(molly)), len(lump(molly, marks=0))) == (400, 118, 37, 17)


def test_pass_with_odds_is_paid_as_at_the_table() -> None:
    automaton = automaton_of("pass:unit=1000,odds=2")
    eleven, four, easy_four, seven = 6 * 4 + 5, 6 * 1 + 1, 2, 5
    dollars = 100 // np.gcd(automaton.unit, 100)
    found = walked(automaton, [eleven, four, easy_four, four, seven, four, seven])
    assert automaton.unit % dollars == 0
    cents = [(cash * automaton.unit, action * automaton.unit, mark) for cash, action, mark in found]
    assert cents == [
        (10_00, 10_00, LINE | WON),
        (0, 0, 0),
        (10_00 + 40_00, 30_00, LINE | WON),
        (0, 0, 0),
        (-30_00, 30_00, LINE | HAND),
        (0, 0, 0),
        (-30_00, 30_00, LINE | HAND),
    ]


def test_a_place_wager_is_idle_on_the_come_out_roll_after_its_point() -> None:
    automaton = automaton_of("six_eight")
    labels = dict(zip(automaton.labels, automaton.mark, strict=True))
    is_idle = {label: bool(mark[0] & IDLE) for label, mark in labels.items() if "place_win" in label}
    assert {label.partition(" | ")[0]: idle for label, idle in is_idle.items()}["puck OFF"]
    assert not any(idle for label, idle in is_idle.items() if label.startswith("puck ON"))


def test_vigorish_paid_in_acting_is_in_the_cash_and_outlay_of_that_state() -> None:
    automaton = automaton_of("buy_4_10:unit=2000")
    acting = next(s for s, label in enumerate(automaton.labels) if label.startswith("puck ON 6") and "buy" not in label)
    assert automaton.outlay[acting] * automaton.unit == 2 * (20_00 + 1_00)
    harmless = 6 * 2 + 2  # 3-3: the six decides neither
    assert automaton.cash[acting, harmless] * automaton.unit == -2_00


@pytest.mark.parametrize("policy", ["stop", "ride", "reduce"])
def test_each_short_state_needs_less_equity_until_the_chain_ends(policy: str) -> None:
    automaton = automaton_of("molly:odds=2", short=policy)
    if policy == "stop":
        assert (automaton.short == -1).all()
        return
    for state in range(len(automaton)):
        outlays, here = [int(automaton.outlay[state])], int(automaton.short[state])
        while here >= 0:
            outlays.append(int(automaton.outlay[here]))
            here = int(automaton.short[here])
        assert outlays == sorted(set(outlays), reverse=True)
        assert policy == "reduce" or len(outlays) <= 2


def test_ride_makes_nothing_new_and_reduce_drops_the_last_wish_first() -> None:
    riding, reducing = (automaton_of("molly:odds=2", short=policy) for policy in ("ride", "reduce"))
    for automaton, left in ((riding, 10_00), (reducing, 30_00)):
        state = automaton.labels.index("puck ON 6 | up pass 10.00")
        assert automaton.outlay[state] * automaton.unit == 10_00 + 20_00 + 10_00
        assert automaton.outlay[automaton.short[state]] * automaton.unit == left
        assert automaton.short[0] == -1  # nothing is up and no wish is left to drop


def test_too_many_states_are_an_error_that_shows_their_growth() -> None:
    with pytest.raises(TooManyStates, match=r"molly has more than 100 states: after 0 to 2 rolls 1, 7, 100 are"):
        automaton_of("molly", states_max=100)


def test_progress_is_reported_and_ends_with_every_state() -> None:
    reported: list[tuple[int, int]] = []
    automaton = automaton_of("molly", progress=lambda done, known: reported.append((done, known)))
    assert reported[0] == (0, 1)
    assert reported[-1] == (len(automaton), len(automaton))
    assert reported == sorted(reported)


def test_an_unlawful_wish_fails_the_compile_with_its_clause() -> None:
    with pytest.raises(UnlawfulWish, match=r"1\.00 is under the minimum, 5\.00 \[MD-3\.B\.1\]"):
        automaton_of("pass:unit=100")


@pytest.mark.parametrize("text", ["molly", "iron_cross", "martingale", "paroli", "hardways"])
def test_a_labelled_automaton_gives_the_same_money_for_the_same_dice(text: str) -> None:
    whole = automaton_of(text)
    small = minimise(whole)
    dice = np.random.default_rng(7).integers(0, 36, 500).tolist()
    assert len(small) <= len(whole)
    assert walked(small, dice) == walked(whole, dice)


def test_a_label_describes_a_state() -> None:
    small = minimise(automaton_of("martingale"))
    assert small.label(0).startswith("puck OFF | memory (0,)")
    assert any("like it" in label for label in minimise(automaton_of("molly")).labels)


def test_a_long_growth_is_shortened_in_the_message() -> None:
    message = str(TooManyStates("mine", 10, list(range(100, 200))))
    assert "after 0 to 99 rolls 100, 101, 102, 103, 104, ... 195, 196, 197, 198, 199 are reached" in message
