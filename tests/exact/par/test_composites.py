"""Composite wagers with hops and hardways: one roll decides hops, hardways are booked as wagers of their own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline.dice import OUTCOMES
from passline.exact.par.lines import Offered
from passline.exact.par.par import ParCache, par_of
from passline.exact.par.sheet import sheet
from passline.rules.explain.payouts import full_pays, short_pays
from passline.rules.pages.texts import RulebookFaults, read_toml
from passline.rules.rules import Rules
from tests.cli.play.player import Player
from tests.rules.rulebooks import MARYLAND, load_with

WAGERS = read_toml(MARYLAND / "wagers.toml")
TERMS: dict[str, Any] = {
    "family": "composite",
    "centre": True,
    "make": {"when": "any", "cite": "MD-3.A.19"},
    "lose": {"cite": "MD-3.A.19.c"},
}
TWINS = {"hop:2-2": 1, "hop:5-5": 1, "hop:3-4": 1, "any_craps": 2}
HARD = {"hardway:4": 1, "hardway:6": 1, "hardway:8": 1, "hardway:10": 1}


def _wager(units: dict[str, int], totals: list[int], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - TOML
    win = {"totals": totals, "cite": "MD-3.A.19.b"}
    return {**TERMS, "name": "Twins Bet", "win": win, "parts": {"units": units, "cite": "MD-5.C"}, **more}


def _rules(entry: dict[str, Any]) -> Rules:
    return Rules.under(load_with(MARYLAND, "wagers.toml", {"twins": entry}))


@pytest.fixture(scope="module")
def hops() -> Rules:
    return _rules(_wager(TWINS, [2, 3, 4, 7, 10, 12]))


@pytest.fixture(scope="module")
def hard() -> Rules:
    booked = {"when": "always", "units": HARD, "cite": "MD-5.C"}
    return _rules(_wager(HARD, [4, 6, 8, 10], breakdown=booked))


def test_par_of_hops_is_what_all_rolls_come_to(hops: Rules) -> None:
    pays = {"2-2": 30, "5-5": 30, "3-4": 15}
    won = [
        sum(pays[pair] if roll.pair == pair else -1 for pair in pays) + 2 * (7 if roll.total in {2, 3, 12} else -1)
        for roll in OUTCOMES
    ]
    assert par_of(hops, kind="twins", cents=5_00).edge == -Fraction(sum(won), len(OUTCOMES) * sum(TWINS.values()))


def test_a_par_sheet_has_it_with_the_clauses_of_its_parts(hops: Rules) -> None:
    [line] = sheet(hops, wager="twins").lines
    assert line.par.stake == sum(TWINS.values()) * hops.chip
    craps = {payout.clause for payout in hops.wagers["any_craps"].payouts_on(0)}
    assert set(line.clauses) == {"MD-5.A.29", "MD-5.A.32", "MD-5.A.41", *craps}


def test_what_a_part_on_dice_pays_is_solved_anew(hops: Rules) -> None:
    """A kept par of the wager is not taken for that of one whose parts pay otherwise."""
    pays = [{**line, "pays": "29 to 1"} if line["pays"] == "30 to 1" else line for line in WAGERS["hop"]["pays"]]
    added = {"twins": _wager(TWINS, [2, 3, 4, 7, 10, 12]), "hop": {**WAGERS["hop"], "pays": pays}}
    other = Rules.under(load_with(MARYLAND, "wagers.toml", added))
    cache = ParCache()
    edges = [cache.par(Offered(rules=rules, kind="twins", number=0), 5_00).edge for rules in (hops, other)]
    assert edges[1] - edges[0] == Fraction(2, 5 * len(OUTCOMES))


def test_hops_are_paid_part_by_part(hops: Rules) -> None:
    player = Player(hops, ["2-2", "1-3"])
    said = player.say("pass 10; twins 5", "roll")
    assert "Your Twins (Hop 2-2) wins 30.00 (1.00 at 30 to 1)" in said
    assert "Hop 5-5 1.00 + Hop 3-4 1.00 + Any Craps 2.00" in said
    said = player.say("twins 5", "roll")
    assert "MD-3.A.19.c" in said, "the easy way loses, though its total is one that can win"
    assert "Twins" in said
    assert "MD-3.A.19.b" not in said


def test_what_its_parts_pay_is_printed(hops: Rules) -> None:
    rule = hops.wagers["twins"]
    assert short_pays(hops, rule) == "Hop 2-2 30 to 1, Hop 5-5 30 to 1, Hop 3-4 15 to 1, Any Craps 7 to 1"
    assert full_pays(hops, rule) == "by part 30 to 1 (2-2, 5-5), 15 to 1 (3-4), 7 to 1 (2, 3, 12)"


def test_par_of_hardways_is_that_of_its_parts(hard: Rules) -> None:
    """Each is one of its ways against the other ways of its number and those of a 7; they are of one size."""
    edges = []
    for number, pays in ((4, 7), (6, 9), (8, 9), (10, 7)):
        others = sum(roll.total in {number, 7} for roll in OUTCOMES) - 1
        edges.append(Fraction(others - pays, others + 1))
    assert par_of(hard, kind="twins", cents=20_00).edge == sum(edges) / len(edges) == Fraction(10, 99)


def test_hardways_are_booked_as_wagers_of_their_own(hard: Rules) -> None:
    player = Player(hard, ["2-4", "3-3"])
    player.say("pass 10", "twins 20")
    up = {(wager.kind, wager.number, wager.cents) for wager in player.state.table.position.layout}
    assert up == {("pass", 0, 10_00), *(("hardway", number, 5_00) for number in (4, 6, 8, 10))}
    assert hard.least_taken(hard.wagers["twins"], 0) == 4 * hard.least_taken(hard.wagers["hardway"], 6)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (_wager({"hop:2-2": 1, "hop": 1}, [4]), "parts: hop is not on one of its numbers, such as hop:"),
        (_wager({"hop:2-2": 1, "any_craps:4": 1}, [2, 3, 4, 12]), "parts: any_craps:4 is not on one of its numbers"),
        (_wager({"hop:2-2": 1, "hip:2-2": 1}, [4]), "parts: hip:2-2 is not a wager of this rulebook"),
        (_wager(HARD, [4, 6, 8, 10]), "parts: hardway:4 is not decided by one roll; write breakdown.when"),
        (_wager({"hop:2-2": 1, "hop:5-5": 1}, [4]), r"win: totals are \[4\], but its parts win on \[4, 10\]"),
    ],
)
def test_a_part_that_cannot_be_is_a_fault(entry: dict[str, Any], fault: str) -> None:
    with pytest.raises(RulebookFaults, match=fault):
        _rules(entry)
