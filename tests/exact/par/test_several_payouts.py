"""Line wagers with several payouts: by the total that wins, on the first roll or when the point is made."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline.dice import OUTCOMES
from passline.exact.par.par import par_of
from passline.rules.explain.payouts import full_pays, short_pays
from passline.rules.pages.texts import RulebookFaults, read_toml
from passline.rules.rules import Rules
from tests.cli.play.player import Player
from tests.rules.generated.returns import SEVEN, WAYS, ratio
from tests.rules.rulebooks import HARBOUR, load_with

WAGERS = read_toml(HARBOUR / "wagers.toml")
PAYS = {11: "2 to 1", 5: "3 to 2", 9: "3 to 2"}
POINTS = (5, 6, 8, 9)


def _line(*pays: dict[str, Any]) -> Rules:
    lines = [{"cite": "HB-26", **line} for line in pays]
    return Rules.under(load_with(HARBOUR, "wagers.toml", {"pass": {**WAGERS["pass"], "pays": lines}}))


@pytest.fixture
def rules() -> Rules:
    return _line({"totals": [11], "pays": "2 to 1"}, {"totals": [5, 9], "pays": "3 to 2"}, {"pays": "1 to 1"})


def test_par_is_what_all_rolls_come_to(rules: Rules) -> None:
    """By hand: every first roll, and of each point its ways against those of a 7."""
    won = lost = Fraction(0)
    for total in (roll.total for roll in OUTCOMES):
        share, pays = Fraction(1, len(OUTCOMES)), ratio(PAYS.get(total, "1 to 1"))
        if total in POINTS:
            made = Fraction(WAYS[total], WAYS[total] + WAYS[SEVEN])
            won, lost = won + share * made * pays, lost + share * (1 - made)
        elif total in {SEVEN, 11}:
            won += share * pays
        else:
            lost += share
    assert par_of(rules, kind="pass", cents=10_00).edge == lost - won


def test_each_total_is_paid_as_it_says(rules: Rules) -> None:
    player = Player(rules, ["5-6", "3-2", "4-1", "3-3", "4-2", "3-4"])
    told = [player.say("pass 10", "roll"), player.say("pass 10", "roll", "roll"), player.say("pass 10", "roll", "roll")]
    told.append(player.say("pass 10", "roll"))
    for said, pays in zip(told, ("2 to 1", "3 to 2", "1 to 1", "1 to 1"), strict=True):
        assert f"(10.00 at {pays}) [HB-" in said


def test_it_is_printed_with_what_each_is_paid_on(rules: Rules) -> None:
    rule = rules.wagers["pass"]
    assert full_pays(rules, rule) == "3 to 2 (5, 9), 2 to 1 (11), 1 to 1 (all others)"
    assert short_pays(rules, rule) == "up to 2 to 1"
    assert rules.step_taken(rule, 0) == 1_00, "3 to 2 is paid in chips of 0.50"


@pytest.mark.parametrize(
    ("pays", "fault"),
    [
        ([{"totals": [5, 9], "pays": "3 to 2"}], "pays: a line wager needs one payout, or one for some totals each"),
        ([{"totals": [4], "pays": "3 to 2"}, {"pays": "1 to 1"}], r"pays: \[4\] do not win"),
        ([{"pays": "1 to 1"}, {"pays": "1 to 1"}], "pays: a line wager needs one payout"),
        (
            [{"totals": [5], "pays": "2 to 1"}, {"totals": [5], "pays": "1 to 1"}, {"pays": "1 to 1"}],
            "needs one payout",
        ),
        ([{"numbers": [5], "pays": "2 to 1"}, {"pays": "1 to 1"}], r"pays\[0\].numbers: must be left out"),
        ([], "pays: a line wager needs one payout"),
    ],
)
def test_a_total_without_exactly_one_payout_is_a_fault(pays: list[dict[str, Any]], fault: str) -> None:
    with pytest.raises(RulebookFaults, match=fault):
        _line(*pays)
