"""Progressives: decided wagers raise a meter of the table, lines of the pay table pay from it, and it starts again."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from typing import Any

import pytest

from passline.bookkeeping.accrual import accrual_of
from passline.exact.par.par import break_even_meter, par_of
from passline.exact.par.sheet import sheet
from passline.game import commands as c
from passline.game import events as e
from passline.game.progressives import meters_of
from passline.game.wording import format_event
from passline.rules.meters import at_meters
from passline.rules.pages.texts import RulebookFaults
from passline.rules.rules import Rules
from passline.rules.schema import METER_UNIT
from passline.tables.entries import TABLE_CODEC
from passline.tables.rules_in_force import learn_rulebook
from passline.tables.verify import decision_faults
from tests.clauses.table import ANN, BOB, Play
from tests.game.progressive import ADDED, BASE, CHANCES, HOUSE, KIND, LISTED_ONLY, RATE, STAKE, WAGER
from tests.rules.lawful import NAME, deal_all, pages_with, regulation
from tests.source import ROOT
from tests.tables.changed_rulebook import new_process
from tests.tables.sitting import ANN as PLAYER
from tests.tables.sitting import LABORATORY, Sitting


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules.under(regulation(ADDED), HOUSE)


def _meter(play: Play) -> Fraction:
    return Fraction(dict(play.table.meters)[KIND], METER_UNIT)


def test_a_decided_wager_raises_the_meter_and_one_that_stands_does_not(rules: Rules) -> None:
    play = Play(rules).shoots()
    play.make(ANN, KIND, STAKE)
    play.make(BOB, KIND, STAKE)
    play.roll("2-2")
    assert play.table.meters == ()
    raised = [event for event in play.roll("1-2") if isinstance(event, e.MeterRaised)]
    added = 2 * STAKE * Fraction(RATE, 10_000)
    assert [(event.kind, Fraction(event.by, METER_UNIT), event.clause) for event in raised] == [(KIND, added, "LK-64")]
    assert _meter(play) == BASE + added


def test_a_hit_takes_the_whole_meter_which_starts_again_at_its_base(rules: Rules) -> None:
    play = Play(rules).shoots()
    play.make(ANN, KIND, STAKE)
    before = play.rack(ANN)
    play.roll("6-6")
    play.shoots()
    happened = play.roll("6-6")
    (paid,) = [event for event in happened if isinstance(event, e.MeterPaid)]
    assert (paid.wager.seat, paid.cents, paid.clause) == (ANN, BASE + 1_00, "LK-66")
    assert play.rack(ANN) == before + STAKE + BASE + 1_00
    assert _meter(play) == BASE
    assert [event.clause for event in happened if isinstance(event, e.MeterRaised)] == ["LK-64", "LK-65"]
    assert "501.00 from the meter" in format_event(paid, rules)


def test_winners_on_one_roll_divide_a_share_and_odd_cents_stay(rules: Rules) -> None:
    play = Play(rules).shoots()
    for seat in (1, ANN, BOB):
        play.make(seat, KIND, STAKE)
    play.roll("6-6")
    play.shoots()
    paid = [event for event in play.roll("6-6") if isinstance(event, e.MeterPaid)]
    each = (BASE + 3_00) // 3 // 1_00 * 1_00
    assert [(event.wager.seat, event.cents) for event in paid] == [(seat, each) for seat in (1, ANN, BOB)]
    assert _meter(play) == BASE, "two dollars stayed on it, and the house filled it up to its base"


def test_a_lesser_line_takes_its_share_and_is_paid_as_listed(rules: Rules) -> None:
    play = Play(rules).shoots()
    play.make(ANN, KIND, STAKE)
    play.roll("6-6")
    play.shoots()
    happened = play.roll("3-2")
    (won,) = [event for event in happened if isinstance(event, e.WagerWon)]
    (paid,) = [event for event in happened if isinstance(event, e.MeterPaid)]
    assert (won.winnings, won.share, paid.cents) == (4 * STAKE, 1_000, 50_00)
    assert _meter(play) == BASE


def test_play_with_it_keeps_every_chip_and_its_log_verifies() -> None:
    deal_all(pages_with(ADDED), HOUSE, wagers=(KIND,))


@pytest.mark.parametrize("meter", [0, BASE, 2_000_00])
def test_the_edge_at_a_meter_is_that_by_hand(rules: Rules, meter: int) -> None:
    par = par_of(at_meters(rules, {KIND: meter}), kind=KIND, cents=STAKE)
    won = CHANCES[2] * meter + CHANCES[1] * (4 * STAKE + Fraction(meter, 10))
    assert par.edge * STAKE == STAKE * (1 - CHANCES[1] - CHANCES[2]) - won


def test_the_sheet_has_the_meter_from_which_the_house_has_no_edge(rules: Rules) -> None:
    even = break_even_meter(rules, KIND, STAKE)
    lost = STAKE * (1 - CHANCES[1] - CHANCES[2]) - CHANCES[1] * 4 * STAKE
    assert even == lost / (CHANCES[2] + CHANCES[1] / 10)
    (line,) = sheet(rules, wager=KIND).lines
    assert (line.even_meter, line.par) == (even, par_of(at_meters(rules), kind=KIND, cents=STAKE))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"progressive": None}, "tables.A: pays from a meter, but the wager has none; write progressive"),
        ({"amount": WAGER["amount"] | {"max": 10_00}}, "amount: of a progressive min and max are given and equal"),
        ({"progressive": WAGER["progressive"] | {"basis_points": 0}}, "so that nothing is ever added to the meter"),
        ({"tables": {"A": LISTED_ONLY}}, "no line pays from the meter"),
    ],
)
def test_a_mistake_about_a_meter_is_named(change: dict[str, Any], told: str) -> None:
    wager = {key: value for key, value in (WAGER | change).items() if value is not None}
    with pytest.raises(RulebookFaults) as caught:
        regulation({**ADDED, "sidewagers/beacon": wager})
    assert any(told in fault for fault in caught.value.faults), caught.value.faults
    assert all(fault.startswith("lakeside/sidewagers.toml: beacon: ") for fault in caught.value.faults)


def test_a_wager_that_goes_back_adds_nothing(rules: Rules) -> None:
    play = Play(rules).shoots()
    play.make(ANN, "pass", 10_00)
    play.make(ANN, "place_win", 6_00, 6)
    play.do(c.RemoveWager(seat=ANN, wager="place_win", number=6))
    assert play.table.meters == ()


def test_a_live_table_pays_from_its_meter_and_its_log_verifies_from_the_text_it_kept() -> None:
    pages = pages_with(ADDED)
    sitting = Sitting(NAME, house=HOUSE, approvals=LABORATORY, rulebooks=lambda _name: learn_rulebook(pages))
    sitting.sit(PLAYER, 1, 100_00)
    sitting.wager(PLAYER, "pass", 15_00)
    sitting.wager(PLAYER, KIND, STAKE)
    sitting.shoot(PLAYER)
    sitting.roll(6, 6)
    sitting.wager(PLAYER, "pass", 15_00)
    before = sitting.table
    sitting.roll(6, 6)
    events = TABLE_CODEC.events(sitting.entries[-1].entry)
    won = accrual_of(before, sitting.table, events).won
    assert won == sitting.table.game.money.bank - before.game.money.bank == 15_00 - BASE - 1_00
    rules = Rules.under(regulation(ADDED), HOUSE)
    assert meters_of(rules, sitting.table.game) == {KIND: BASE}
    new_process()
    learn_rulebook(pages, is_kept=True)
    assert list(decision_faults(sitting.entries)) == []


def test_the_guide_shows_a_meter_that_loads() -> None:
    guide = (ROOT / "docs" / "guides" / "adding-a-regulation.md").read_text(encoding="utf-8")
    shown = next(block for block in re.findall(r"```toml\n(.*?)```", guide, flags=re.DOTALL) if "progressive" in block)
    added = {f"sidewagers/{kind}": entry for kind, entry in tomllib.loads(shown).items()}
    rules = Rules.under(regulation(ADDED | added), HOUSE)
    even = break_even_meter(rules, "jackpot", STAKE)
    assert even == STAKE * (7**3 - 1), "it comes once in 343 times"
