"""Actual less expected win: exactly zero on average over all outcomes of short hands, and near it over long ones.

Houses offer all that their regulation lets them, and among them make every choice that it gives them. Random players
make every wager, with coupons and for the crew, call them on and off and take them down, also while the dice are in the
air; the crew keys in wrong faces and puts them right. What must have been on the layout, and what must have been done,
is read off the rules of each house.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from random import Random

import pytest

from passline.automaton.standing import PAIRS, WEIGHTS
from passline.bookkeeping.accrual_sums import Accrual
from passline.dice import OUTCOMES, roll_of
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.live import LiveTable
from tests.cases import one_in
from tests.game.random_houses import GAMES, elected_houses
from tests.office.accounts.random_layouts import RandomLayouts, all_of, table_of

REGULATIONS = tuple(dict.fromkeys(regulation for regulation, _game in GAMES))
MILLION = 1_000_000
ACTS = 3
COME_TO_NUMBERS = ((3, 3), (2, 3), (4, 4))
LAYOUTS = 6
HAND_MAX = 40
SIGMAS = 4
Moments = tuple[Fraction, Fraction, Fraction]
NONE: Moments = (Fraction(0), Fraction(0), Fraction(0))


def _moments(play: RandomLayouts, live: LiveTable, rolls: int, *, acts_first: int = ACTS) -> Moments:
    """The mean of the luck over all outcomes of so many rolls, its mean square, and the mean of the stated variance."""
    if not rolls:
        return NONE
    live, acts = play.acts(live, acts_first)
    if (ready := play.ready(live)) is None:
        return NONE  # nobody throws the dice, whatever came up before
    live = ready[0]
    _check_acts(acts + ready[1])
    mean = square = stated = Fraction(0)
    for weight, pair in zip(WEIGHTS, PAIRS, strict=True):
        after, accrual = play.rolled(live, pair)
        luck = accrual.luck
        beyond = _moments(play, after, rolls - 1)
        mean += weight * (luck + beyond[0])
        square += weight * (luck**2 + 2 * luck * beyond[0] + beyond[1])
        stated += weight * (accrual.variance + beyond[2])
    return mean / len(OUTCOMES), square / len(OUTCOMES), stated / len(OUTCOMES)


def _check_acts(accrual: Accrual) -> None:
    assert not any((accrual.luck, accrual.variance, accrual.rolls)), "there is no luck without dice"


def _check_all_outcomes(play: RandomLayouts, live: LiveTable, rolls: int, *, acts_first: int = ACTS) -> None:
    mean, square, stated = _moments(play, live, rolls, acts_first=acts_first)
    assert stated > 0
    assert mean == 0
    assert square == stated


def _check_short_hands(regulation: str, game: str, turn: int) -> set[str]:
    """Check one house: two rolls from a come-out roll, one with come wagers on numbers, and one that clears those.

    Return what was never reached.
    """
    house = elected_houses(rulebook_of(regulation), game)[turn]
    is_automated = not turn % 2
    live = table_of(house, is_automated=is_automated)
    play = RandomLayouts(live, Random(f"{regulation} {game} {turn}"))
    come_out, *_, with_numbers, cleared = _layouts(play, live)
    _check_all_outcomes(play, come_out, 2)
    _check_all_outcomes(play, with_numbers, 1)
    _check_all_outcomes(play, cleared, 1, acts_first=0)  # a line wager would end it
    return all_of(play.rules, is_automated=is_automated) - play.reached


def _layouts(play: RandomLayouts, live: LiveTable) -> list[LiveTable]:
    """Tables that hold all there is: before a come-out roll, with more and more come wagers, and in a clearing."""
    found = []
    for faces in (*COME_TO_NUMBERS, COME_TO_NUMBERS[0]):  # at last the point is made
        live, acts = play.seeded(live)
        _check_acts(acts)
        found.append(live)
        live = play.keyed(_ready(play, live), roll_of(*faces))
    cleared = play.clearing(live)
    assert cleared is not None
    return [*found, cleared]


def _ready(play: RandomLayouts, live: LiveTable) -> LiveTable:
    ready = play.ready(live)
    assert ready is not None
    return ready[0]


@pytest.mark.parametrize("regulation", one_in(4, REGULATIONS))
@pytest.mark.whole
def test_luck_has_mean_zero_and_the_stated_variance_over_all_outcomes_of_short_hands(regulation: str) -> None:
    turn = REGULATIONS.index(regulation) % 2  # the crew does its steps by hand at every other house
    assert _check_short_hands(regulation, "craps", turn) == set()


@pytest.mark.sweep
@pytest.mark.parametrize(("regulation", "game"), GAMES)
def test_every_house_has_mean_zero_and_the_stated_variance_over_all_outcomes(regulation: str, game: str) -> None:
    missed = set.intersection(
        *(
            _check_short_hands(regulation, game, turn)
            for turn in range(len(elected_houses(rulebook_of(regulation), game)))
        )
    )
    assert missed == set()


# --- Long hands -------------------------------------------------------------------------------------------------------


def _simulated(play: RandomLayouts, start: LiveTable, rolls: int) -> Accrual:
    """What random players bring over so many rolls of hands that begin at one of many layouts."""
    layouts = [one for _ in range(LAYOUTS) for one in _layouts(play, start)]
    total = Accrual()
    while total.rolls < rolls:
        live = play.random.choice(layouts)
        live, acts = (live, Accrual()) if live.game.position.is_clearing else play.acts(live, ACTS)
        if (ready := play.ready(live)) is None:
            continue  # nobody shoots
        _check_acts(acts + ready[1])
        live, first = play.rolled(ready[0], play.random.choice(OUTCOMES))
        live, others = play.many(live, HAND_MAX)
        total = total + acts + ready[1] + first + others
    return total


def _check_long_hands(regulation: str, rolls: int) -> None:
    """Check hands of all houses of a regulation that have so many rolls together, and print their deviations."""
    all_houses = [
        (game, turn, house)
        for one, game in GAMES
        if one == regulation
        for turn, house in enumerate(elected_houses(rulebook_of(regulation), game))
    ]
    total = Accrual()
    for game, turn, house in all_houses:
        is_automated = not turn % 2
        live = table_of(house, is_automated=is_automated)
        play = RandomLayouts(live, Random(f"{regulation} {game} {turn}"))
        own = _simulated(play, live, -(-rolls // len(all_houses)))
        assert all_of(play.rules, is_automated=is_automated) <= play.reached
        assert own.deviations is not None
        assert abs(own.deviations) < SIGMAS
        sys.stdout.write(f"{regulation} {game} {turn}: {own.rolls:,} rolls, {own.deviations:+.2f}\n")
        total += own
    assert total.deviations is not None
    assert abs(total.deviations) < SIGMAS
    assert total.theoretical > 0
    sys.stdout.write(f"{regulation}: {total.rolls:,} rolls, {total.deviations:+.2f}\n")


@pytest.mark.sweep
@pytest.mark.parametrize("regulation", REGULATIONS)
def test_luck_stays_within_four_standard_deviations_over_a_million_rolls(regulation: str) -> None:
    _check_long_hands(regulation, MILLION // len(REGULATIONS))
