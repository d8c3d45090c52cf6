"""A rehearsal by kernels equals the one through the engine: the same points of everybody in every round."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from passline.strategy.lookup import strategy_of
from passline.tournament.plan.check import dealt_rules
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import AddOn, Plan, Rebuy, Round
from passline.tournament.rehearsal.course import HeldRun, Setting, hold, setting_of
from passline.tournament.rehearsal.engine import EngineTables
from passline.tournament.rehearsal.fast import FastRehearsal
from passline.tournament.rules import tournament_of
from tests.cases import budget

STRATEGIES = (
    "pass_345:unit=10000", "dont_pass_345:unit=10000", "field:unit=50000", "field:unit=20000", "iron_cross:unit=5000",
    "buy_4_10:unit=10000", "lay_4_10:unit=10000", "six_eight:unit=12000", "molly:unit=10000", "martingale:unit=5000",
    "any_seven:unit=30000", "come:unit=25000", "five_count:unit=10000", "power_press:unit=6000", "hardways:unit=10000",
)  # fmt: skip
WAYS = ("by_lot", "roll_off", "earlier_lead", "all_go_on")


def random_setting(chance: random.Random) -> Setting:
    """Make an event of one to three rounds, with stacks so small that many players are broke on the way."""
    plan = random_plan(chance)
    event = plan.events[0]
    rules = dealt_rules(tournament_of(plan.rules), plan)
    assert rules is not None
    named = chance.sample(STRATEGIES, chance.randint(1, 4))
    return setting_of(
        plan,
        event,
        rules,
        tuple(strategy_of(name, rules) for name in named),
        rolls=tuple(planned.rolls for planned in event.rounds),
        entries=chance.randint(2, 40),
        seed=chance.randrange(1 << 64),
        are_chips_bought=chance.random() < 0.5,
    )


def random_plan(chance: random.Random) -> Plan:
    """Make a plan whose first event has random rounds and ways to part who is level."""
    plan = example_plan("colorado")
    rounds = [
        Round(
            name=f"Round {number}",
            rolls=chance.choice((1, 2, 5, 20, 40)),
            seats=chance.randint(2, 20),
            advance=chance.randint(0, 5),
            wild_cards=chance.randint(0, 4),
            carries_points=chance.random() < 0.5,
        )
        for number in range(chance.randint(1, 3))
    ]
    names = tuple(planned.name for planned in rounds if chance.random() < 0.7)
    event = replace(
        plan.events[0],
        rounds=tuple(rounds),
        points=chance.choice((150, 500, 2500)),
        rebuy=chance.choice((None, Rebuy(cents=0, points=chance.randint(50, 900), most=2, rounds=names))),
        add_on=chance.choice((None, AddOn(cents=0, points=chance.randint(50, 900), most=2, rounds=names))),
    )
    sheet = replace(
        plan.sheet,
        ties=chance.choice(("shared", "roll_off", "earlier_lead")),
        cut_ties=chance.choice(WAYS),
        undecided_wagers=chance.choice(("returned", "lost")),
    )
    return replace(plan, events=(event,), sheet=sheet)


@pytest.mark.whole
def test_both_ways_have_the_same_points_in_every_round() -> None:
    chance = random.Random(18)
    seen: list[HeldRun] = []
    for _ in range(budget(12, in_sweep=300)):
        setting = random_setting(chance)
        deal = EngineTables(setting).deal
        by_engine = [hold(setting, deal, run) for run in range(4)]
        assert list(FastRehearsal(setting).hold(4)) == by_engine
        seen += by_engine
    assert {held.is_decided for held in seen} == {held.is_level for held in seen} == {True, False}
    assert {held.is_last_roll for held in seen} == {True, False}
    assert any(0 in held.rounds[-1].values() for held in seen), "somebody lost all"
    assert any(not held.finalists for held in seen), "and once nobody came to the last round"


@pytest.mark.whole
def test_groups_that_fill_no_table_are_dealt_at_several_with_the_same_dice() -> None:
    plan = example_plan("colorado")
    rounds = (
        Round(name="First", rolls=30, seats=20, advance=20, carries_points=True),
        Round(name="Final", rolls=5, seats=20),
    )
    plan = replace(plan, events=(replace(plan.events[0], rounds=rounds),))
    rules = dealt_rules(tournament_of("colorado"), plan)
    assert rules is not None
    names = [f"field:unit={points}00" for points in range(10, 200, 10)]
    players = tuple(strategy_of(name, rules) for name in names)
    setting = setting_of(
        plan, plan.events[0], rules, players, rolls=(30, 5), entries=20, seed=1, are_chips_bought=False
    )
    by_engine = hold(setting, EngineTables(setting).deal, 0)
    assert len({*by_engine.rounds[1].values()}) > 16  # a table of the plan's house seats 16
    assert list(FastRehearsal(setting).hold(1)) == [by_engine]


@pytest.mark.slow
@pytest.mark.whole
def test_ten_thousand_tournaments_of_forty_entries_are_held_in_seconds() -> None:
    """The kernels hold them in about one; the engine would need some minutes."""
    import time  # noqa: PLC0415 - of this test alone

    plan = example_plan("colorado")
    rules = dealt_rules(tournament_of("colorado"), plan)
    assert rules is not None
    players = tuple(strategy_of(name, rules) for name in STRATEGIES[:4])
    setting = setting_of(
        plan, plan.events[0], rules, players, rolls=(60, 60, 50), entries=40, seed=1, are_chips_bought=True
    )
    fast = FastRehearsal(setting)
    fast.results(range(10))
    began = time.process_time()
    assert sum(len(fast.results(batch)) for batch in fast.batches(10_000)) == 10_000
    assert time.process_time() - began < 60
