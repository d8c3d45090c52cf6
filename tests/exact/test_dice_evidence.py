"""Evidence against dice: fair ones seldom come to the alarm however often one looks, faulty ones do in time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import exp, lgamma, log
from random import Random

import numpy as np
import pytest
from msgspec import json
from numpy.typing import NDArray

from passline.automaton.standing import PAIRS, WEIGHTS
from passline.exact.dice_battery import ANY_STRENGTHS, BEGIN, END, FAIR, LOOKING, SHARES, STEADY
from passline.exact.dice_evidence import DiceEvidence, DiceSequence, alpha_of_each, evidence_of
from passline.exact.dice_faults import FAULTS, DiceFault, chance_found
from tests.cases import budget, one_in
from tests.exact.many_dice import ManySets, measured_information, thrown, thrown_fair

BEHIND_MAX = 6.0  # nats behind a test that knows the fault
LEAST_SHARE = 15 / 52  # of a set's evidence: what a table has beside five dice with numbers, their lot and its shooters
each_fault = pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])


def _rolls(seed: int, number: int) -> list[tuple[int, int]]:
    chance = Random(seed)
    return [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(number)]


def test_a_roll_of_fair_dice_changes_the_evidence_by_nothing_on_average_whatever_came_before() -> None:
    for seed in range(30):
        chance = Random(seed)
        before = [(6, chance.randint(1, 6)) if seed % 3 else (chance.randint(1, 2), 3) for _ in range(seed)]
        sequence, evidence = DiceSequence(), DiceEvidence()
        for first, second in before:
            sequence, said = sequence.after(first, second)
            evidence = evidence.after(said)
        heard = [evidence.after(sequence.after(one, other)[1]).value for one, other in product(range(1, 7), repeat=2)]
        assert sum(heard) / 36 == pytest.approx(evidence.value, rel=1e-11)


def test_no_order_of_the_two_dice_and_no_restart_makes_a_difference() -> None:
    rolls = _rolls(5, 60)
    heard = evidence_of(rolls)
    assert evidence_of([(second, first) for first, second in rolls]) == heard
    sequence, evidence = DiceSequence(), DiceEvidence()
    for first, second in rolls:
        sequence = json.decode(json.encode(sequence), type=DiceSequence)
        sequence, said = sequence.after(first, second)
        evidence = json.decode(json.encode(evidence), type=DiceEvidence).after(said)
    assert evidence == heard
    assert evidence_of(sorted(rolls)).log_value != pytest.approx(heard.log_value), "but the order of rolls does"


def test_what_is_staked_adds_up_to_one_and_each_fault_has_enough_of_it() -> None:
    assert sum(SHARES) == pytest.approx(1)
    assert len(SHARES) == len(STEADY) + len(LOOKING) + len(ANY_STRENGTHS)
    for fault in FAULTS:
        assert -log(fault.share * LEAST_SHARE) <= BEHIND_MAX, fault.name


def _by_hand(rolls: Sequence[tuple[int, int]], kind: str, strength: float) -> float:
    """The likelihood ratio of a fault that looks back, by every way in which the dice could have lain."""
    total = 0.0
    if kind == "held":
        begin = strength / (1 - strength) * END
        for states in product((False, True), repeat=len(rolls)):
            chance = strength if states[0] else 1 - strength
            for was, now in pairwise(states):
                chance *= (1 - END if now else END) if was else (begin if now else 1 - begin)
            for (first, second), is_on in zip(rolls, states, strict=True):
                ways = {(first, second), (second, first)}
                chance *= sum((one == 6) / 6 if is_on else 1 / 36 for one, _ in ways) / (len(ways) / 36)
            total += chance
        return total
    ordered = [sorted({(first, second), (second, first)}) for first, second in rolls]
    for way in product(*ordered):
        chance = 1 / 36
        for (last, _), (then, _) in pairwise(way):
            chance *= (strength * (last == then) + (1 - strength) / 6) / 6
        total += chance
    return total / float(np.prod([len(ways) / 36 for ways in ordered]))


@pytest.mark.parametrize(("kind", "strength"), [("repeat", 0.2), ("repeat", 0.04), ("held", 0.1), ("held", 0.3)])
def test_a_fault_that_looks_back_is_weighed_over_all_ways_in_which_dice_nobody_tells_apart_can_lie(
    kind: str, strength: float
) -> None:
    (place,) = [
        number
        for number, one in enumerate(LOOKING)
        if (one.kind, one.strength, one.which) == (kind, strength, 6 if kind == "held" else 0) and one.way != "both"
    ]
    for rolls in ([(6, 2), (6, 5), (1, 6), (6, 6), (3, 6), (3, 2)], _rolls(8, 7)):
        sequence, ratio = DiceSequence(), 1.0
        for first, second in rolls:
            sequence, said = sequence.after(first, second)
            ratio *= said.factors[len(STEADY) + place]
        assert ratio == pytest.approx(_by_hand(rolls, kind, strength))
    assert len(BEGIN) == sum(one.way == "held" for one in LOOKING)


def test_the_arrays_of_these_tests_are_the_evidence_of_the_program_and_any_fault_of_the_pairs_is_still_seen() -> None:
    many, throws = ManySets(3), thrown(FAULTS[5], np.random.default_rng(3), 3)
    rolls = list[list[tuple[int, int]]]([[], [], []])
    for _ in range(120):
        many.take(places := next(throws))
        for own, place in zip(rolls, places, strict=True):
            own.append((PAIRS[place].first, PAIRS[place].second))
    heard = [evidence_of(own) for own in rolls]
    assert many.value == pytest.approx([one.value for one in heard])
    for one in heard:
        logs = []
        for strength in ANY_STRENGTHS:
            masses = [strength * fair for fair in FAIR]
            logs.append(lgamma(strength) - lgamma(strength + one.rolls))
            logs[-1] += sum(lgamma(mass + seen) - lgamma(mass) for mass, seen in zip(masses, one.counts, strict=True))
            logs[-1] -= sum(seen * log(fair) for seen, fair in zip(one.counts, FAIR, strict=True))
        assert one.log_pairs == pytest.approx(log(sum(map(exp, logs)) / len(logs)))
        assert one.log_value >= one.log_pairs + log(sum(SHARES[-len(ANY_STRENGTHS) :]))


def test_evidence_has_no_end_however_long_faulty_dice_are_thrown() -> None:
    half, whole = evidence_of([(6, 6)] * 400), evidence_of([(6, 6)] * 800)
    assert whole.steps > half.steps >= 1
    assert 800 < half.log_value < whole.log_value < 3_000
    assert whole.value == exp(700)
    _, said = DiceSequence().after(6, 6)
    assert half.after(said).without(said).log_value == pytest.approx(half.log_value)


def _highest(many: ManySets, rolls: int, seed: int) -> NDArray[np.float64]:
    throws, highest = thrown_fair(np.random.default_rng(seed), len(many.value)), many.value
    for _ in range(rolls):
        many.take(next(throws))
        highest = np.maximum(highest, many.value)
    return highest


@pytest.mark.parametrize(
    ("sets", "rolls"), [(400, 250), pytest.param(3_000, 2_400, marks=(pytest.mark.long, pytest.mark.sweep))]
)
def test_fair_dice_alarm_no_more_often_than_alpha_with_a_look_after_every_roll(sets: int, rolls: int) -> None:
    highest = _highest(ManySets(sets), rolls, seed=16)
    for alpha in (0.2, 0.1, 0.05, 0.01):
        alarms = float(np.mean(highest >= 1 / alpha))
        assert alarms <= alpha + 3 * (alpha * (1 - alpha) / sets) ** 0.5


def test_fair_dice_exceed_a_thousand_to_one_in_at_most_20_of_10000_sets() -> None:
    """Each set with a chance of at most 1 in 1,000; of so many sets together 20 is the bound, of fewer its share."""
    sets, at_once = budget(400, in_sweep=10_000), 2_000
    highest = [
        _highest(ManySets(min(at_once, sets - at)), budget(100, in_sweep=500), seed=360 + at)
        for at in range(0, sets, at_once)
    ]
    assert int(sum((values >= 1_000).sum() for values in highest)) <= max(3, 20 * sets // 10_000)


@each_fault
def test_a_fault_is_found_at_most_six_nats_after_a_test_that_knows_it(fault: DiceFault) -> None:
    """Whatever is thrown: on the way to the alarm, with every set of some that have the fault."""
    sets = 40
    many, throws = ManySets(sets), thrown(fault, np.random.default_rng(7), sets)
    assert not np.allclose(many.ratio(fault), 2)
    for _ in range(300):
        many.take(next(throws))
        assert np.all(np.log(many.ratio(fault)) - np.log(many.value * LEAST_SHARE) <= BEHIND_MAX)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "strength", "rolls"),
    one_in(3, [("often, one", 0.42, 2_300), ("often, both", 0.14, 5_000), ("repeat", 0.15, 1_900)]),
)
def test_a_fault_between_the_strengths_of_the_battery_is_found_as_well(kind: str, strength: float, rolls: int) -> None:
    """Where a test that knows it has some 20 nats on average, ours has passed a thousand to one in most sets."""
    sets = 60
    fault = DiceFault("between", "", kind, strength, "one" if kind == "repeat" else "", 0.0, 0.0, 0.0)
    many, throws, highest = ManySets(sets), thrown(fault, np.random.default_rng(2), sets), np.zeros(sets)
    for number in range(rolls):
        many.take(next(throws))
        if number % 10 == 0:
            highest = np.maximum(highest, many.value)
    assert float(np.mean(highest >= 1_000)) >= 0.75


@pytest.mark.long
@pytest.mark.parametrize("fault", one_in(6, FAULTS, others=pytest.mark.whole), ids=[fault.name for fault in FAULTS])
def test_the_information_of_a_fault_is_what_sets_show_that_have_it(fault: DiceFault) -> None:
    sets, rolls = 1_500, 120
    information, spread = measured_information(fault, sets=sets, rolls=rolls, seed=1)
    assert information == pytest.approx(fault.information, abs=4 * (fault.spread / sets / rolls) ** 0.5)
    assert spread == pytest.approx(fault.spread, rel=0.25)


@pytest.mark.long
@pytest.mark.parametrize(("number", "rolls"), one_in(3, [(5, 400), (3, 900), (7, 150)]))
def test_the_chance_that_a_page_tells_is_about_that_of_simulated_sets(number: int, rolls: int) -> None:
    fault, sets, bound = FAULTS[number], 300, 1_000.0
    many, throws, highest = ManySets(sets), thrown(fault, np.random.default_rng(4), sets), np.zeros(sets)
    known = np.zeros(sets)
    for _ in range(rolls):
        many.take(next(throws))
        highest, known = np.maximum(highest, many.value), np.maximum(known, many.ratio(fault))
    told = chance_found(fault, rolls=rolls, bound=bound, share=fault.reach)
    assert float(np.mean(highest >= bound)) == pytest.approx(told, abs=0.1)
    assert float(np.mean(known >= bound)) == pytest.approx(chance_found(fault, rolls=rolls, bound=bound), abs=0.1)


def test_alpha_is_shared_out_over_the_sets() -> None:
    assert alpha_of_each(0.01, 5) == pytest.approx(0.002)
    assert DiceEvidence().exceeds(alpha=0.5) is False
    assert sum(WEIGHTS) == 36
