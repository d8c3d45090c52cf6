"""The example of Las Vegas: the edges that players read elsewhere come out of its pages, and its hands are dealt."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from passline.exact.par.par import par_of
from passline.game.hand_files.runner import run_hand
from passline.rules.pages.library import FOLDERS
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from tests.cases import one_in
from tests.source import ROOT

SHELF = ROOT / "examples" / "rulebooks"
STAKE = 120_00  # which every one of them pays exactly
PUBLISHED = {
    "craps": {
        "pass": "1.414", "dont_pass": "1.364", "come": "1.414", "dont_come": "1.364", "place_win 4": "6.667",
        "place_win 5": "4.000", "place_win 6": "1.515", "buy 4": "1.667", "lay 4": "1.667", "hardway 4": "11.111",
        "hardway 6": "9.091", "field": "5.556", "any_seven": "16.667", "any_craps": "11.111", "craps_2": "13.889",
        "craps_3": "11.111", "horn": "12.500", "world": "13.333", "hop 1-1": "13.889", "hop 1-2": "11.111",
        "small": "7.76", "all": "7.46",
    },
    "crapless": {
        "pass": "5.382", "place_win 2": "7.143", "place_win 3": "6.250", "buy 2": "0.714", "buy 3": "1.250",
        "field": "5.556",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def las_vegas() -> Rulebook:
    return load_rulebook(SHELF / "las_vegas")


def _edge(rules: Rules, wager: str, odds: str = "", *, places: int = 3) -> str:
    kind, _, number = wager.partition(" ")
    code = 100 + int(number.replace("-", "")) if "-" in number else int(number or 0)
    cents = STAKE if wager != "world" else 5 * STAKE
    return f"{float(100 * par_of(rules, kind=kind, number=code, cents=cents, odds=odds).edge):.{places}f}"


@pytest.mark.parametrize("game", one_in(2, PUBLISHED, others=pytest.mark.whole))
def test_the_published_edges_come_out(las_vegas: Rulebook, game: str) -> None:
    rules = Rules.under(las_vegas, game=game)
    published = PUBLISHED[game]
    places = {wager: len(edge.partition(".")[2]) for wager, edge in published.items()}
    assert {wager: _edge(rules, wager, places=places[wager]) for wager in published} == published


def test_odds_of_three_four_five_lower_the_edge_as_published(las_vegas: Rulebook) -> None:
    rules = Rules.under(las_vegas)
    assert _edge(rules, "pass", odds="pass_odds") == "0.374"
    assert _edge(rules, "dont_pass", odds="dont_pass_odds") == "0.273"


def test_a_house_may_pay_triple_on_twelve_and_charge_when_a_wager_is_made(las_vegas: Rulebook) -> None:
    house = {"payouts": {"field 12": "3 to 1"}, "elections": {"commission_when": "made"}}
    rules = Rules.under(las_vegas, house)
    assert _edge(rules, "field") == "2.778"
    assert par_of(rules, kind="buy", number=4, cents=STAKE).edge_on_outlay == Fraction(1, 21)


def test_nothing_in_it_is_in_doubt(las_vegas: Rulebook) -> None:
    assert las_vegas.doubts == ()


@pytest.mark.parametrize("hand", sorted((SHELF / "hands").glob("*.hand")), ids=lambda path: path.stem)
def test_its_hands_are_dealt_as_written(hand: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDERS, str(SHELF))
    assert rulebook_of("las_vegas").doubts == ()
    assert run_hand(hand).differences == ()
