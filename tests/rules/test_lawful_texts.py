"""Lawful texts are read as they are written: each is dealt, analysed, simulated and verified with no Python."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from passline.dice import OUTCOMES
from passline.exact.par.par import Par, par_of
from passline.game import events as e
from passline.rules.clauses import REGULATIONS
from passline.rules.elections import HouseBreaches, house_digest
from passline.rules.explain.election_form import elected_text, election_fields
from passline.rules.explain.house_template import house_file
from passline.rules.house_reader import house_of
from passline.rules.pages.texts import RulebookFaults, installed_folder, read_toml
from passline.rules.rulebook_reader import rulebook_from
from passline.rules.rules import Rules
from passline.rules.schema import ELECTIONS
from tests.clauses.table import ANN, Play, settled
from tests.rules.lawful import GONE, deal_all, pages_with, regulation

WAGERS, SIDE, CRAPS, ELECTED = (
    read_toml(installed_folder("maryland") / f"{page}.toml") for page in ("wagers", "sidewagers", "craps", "elections")
)
TEN = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
TRUE_ODDS = {2: "6 to 1", 3: "3 to 1", 4: "2 to 1", 5: "3 to 2", 6: "6 to 5"}
NO_BAR = {
    "wagers/dont_come/first_void": GONE,
    "wagers/dont_come/first_win": {"totals": [2, 3, 12], "cite": "LK-4"},
}


def ways(total: int) -> int:
    return sum(roll.total == total for roll in OUTCOMES)


def cost(par: Par) -> Fraction:
    """Return the cents that one wager loses on average."""
    return par.edge * par.wagered * par.stake


def test_dont_come_without_a_bar_is_a_doubt_and_then_a_game() -> None:
    """The text may bar 12 on the line and not behind it: a doubt says so, an answer ends it, and 12 wins."""
    (doubt,) = regulation(NO_BAR).doubts
    assert doubt.startswith("lakeside/wagers.toml: dont_come.first_void: is missing, though dont_pass has it")
    pages = pages_with(NO_BAR, {"wagers/dont_come/not_here": {"first_void": {"cite": "LK-4"}}})
    assert rulebook_from(pages).doubts == ()
    rules = deal_all(pages, wagers=("dont_come",))
    come_out = Fraction(ways(2) + ways(3) + ways(12) - ways(7) - ways(11), 36)
    after = sum(Fraction(ways(n), 36) * Fraction(ways(7) - ways(n), ways(7) + ways(n)) for n in (4, 5, 6, 8, 9, 10))
    assert par_of(rules, kind="dont_come", cents=5_00).edge == -(come_out + after)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"frist_void": {"cite": "LK-4"}}, "dont_come: not_here.frist_void: is not a key of this wager"),
        ({"increase": {"cite": "LK-4"}}, "dont_come: not_here.increase: the wager has it; leave out one of the two"),
    ],
)
def test_an_answer_that_answers_nothing_is_named(answer: dict[str, Any], told: str) -> None:
    with pytest.raises(RulebookFaults) as caught:
        regulation(NO_BAR, {"wagers/dont_come/not_here": answer})
    assert caught.value.faults == (f"lakeside/wagers.toml: {told}",)


def test_one_of_two_wagers_may_have_a_rule_of_increase() -> None:
    pages = pages_with({"wagers/pass/increase": {"until": "never", "cite": "LK-1"}})
    assert [doubt.partition(":")[2].split(":")[0] for doubt in rulebook_from(pages).doubts] == [" come.increase"]
    deal_all(pages, wagers=("pass", "come"))


def test_a_wager_may_be_optional_in_one_game_and_always_in_another() -> None:
    """By `lacks` the game answers for a key of its own entry."""
    always = {key: value for key, value in WAGERS["buy"].items() if key != "offered"}
    pages = pages_with(
        {"mini_craps/wagers": {"buy": always}, "mini_craps/lacks": {"wagers.buy.offered": {"cite": "LK-5"}}}
    )
    assert rulebook_from(pages).doubts == ()
    none = {"buy": "none"}
    assert not deal_all(pages, none).wagers["buy"].is_offered
    assert deal_all(pages, none, game="mini_craps", wagers=("buy",)).wagers["buy"].is_offered


def test_a_side_wager_may_be_in_one_game_only() -> None:
    pages = pages_with({"sidewagers/fire": GONE, "craps/wagers": {"fire": SIDE["fire"]}})
    offered = {"side_wagers": {"fire": "A"}}
    assert deal_all(pages, offered, wagers=("fire",)).wagers["fire"].is_offered
    with pytest.raises(HouseBreaches, match=r"side_wagers\.fire: is not a wager of mini_craps"):
        Rules.under(rulebook_from(pages), offered, game="mini_craps")
    assert "fire" not in deal_all(pages, game="mini_craps").wagers


def crapless(**limit: object) -> dict[str, Any]:
    """A game of ten points as an outsider writes it: odds on every point, no don't side, collections as they are."""
    line = {"first_win": {"totals": [7], "cite": "LK-20"}, "first_lose": {"totals": [], "cite": "LK-21"}}
    pays = [{"numbers": [n, 14 - n], "pays": pays, "cite": "LK-22"} for n, pays in TRUE_ODDS.items()]
    odds = {"numbers": TEN, "pays": pays, "limit": {"on": "stake", "multiple_min": 1, "cite": "LK-23", **limit}}
    own = {kind: WAGERS[kind] | line for kind in ("pass", "come")}
    own |= {kind: WAGERS[kind] | odds for kind in ("pass_odds", "come_odds")}
    absent = ("dont_pass", "dont_come", "dont_pass_odds", "dont_come_odds", "fire", "lucky_shooter")
    shooter = CRAPS["procedures"]["shooter"] | {"line_wagers": ["pass"]}
    clearing = CRAPS["procedures"]["clearing"] | {"wagers": ["come"]}
    game = CRAPS | {
        "points": {"totals": TEN, "cite": "LK-24"},
        "without": {kind: {"cite": "LK-25"} for kind in absent},
        "wagers": own,
        "procedures": CRAPS["procedures"] | {"shooter": shooter, "clearing": clearing},
    }
    return {
        "general/games": ["craps", "mini_craps", "crapless"],
        **{f"crapless/{key}": value for key, value in game.items()},
        "house/odds": {str(n): 2 for n in TEN},
    }


def test_crapless_odds_are_on_every_point_of_the_game() -> None:
    """The collections are not repeated for the ten points; each game posts the points it has."""
    pages = pages_with(crapless(multiple_max=10))
    side = {"side_wagers": {"bonus_craps": "A"}}
    rules = deal_all(pages, side, game="crapless", wagers=("pass", "small"))
    assert rules.wagers["all"].is_offered
    assert list(rules.odds_posted()) == [str(n) for n in TEN]
    assert list(deal_all(pages).odds_posted()) == ["4", "5", "6", "8", "9", "10"]
    flat = Fraction(6, 36) + sum(Fraction(ways(n), 36) * Fraction(ways(n) - 6, ways(n) + 6) for n in TEN)
    assert par_of(rules, kind="pass", cents=30_00).edge == -flat
    assert cost(par_of(rules, kind="pass", cents=30_00, odds="pass_odds")) == -flat * 30_00, "odds cost nothing"


def test_a_table_deals_odds_on_two() -> None:
    play = Play(Rules.under(regulation(crapless(multiple_max=10)), game="crapless")).shoots()
    play.make(ANN, "pass", 10_00)
    play.roll("1-1")
    play.make(ANN, "pass_odds", 20_00, 2)
    won = [event for event in settled(play.roll("1-1"), ANN) if isinstance(event, e.WagerWon)]
    assert sorted(event.winnings for event in won) == [10_00, 120_00]


def test_a_house_needs_a_multiple_for_each_point_of_its_game_and_for_no_other() -> None:
    rulebook = regulation(crapless(multiple_max=10))
    six = {str(n): 2 for n in (4, 5, 6, 8, 9, 10)}
    assert house_of(rulebook, {"odds": six})[1] == ()
    for odds, game in ((six, "crapless"), ({**six, "7": 2}, "craps")):
        (breach,) = house_of(rulebook, {"odds": odds, "game": game})[1]
        assert breach.key == "odds"
    much = {str(n): 11 if n == 2 else 2 for n in TEN}
    told = [(breach.key, breach.problem) for breach in house_of(rulebook, {"odds": much, "game": "crapless"})[1]]
    assert told == [("odds.2", f"{kind} may not be above 10x") for kind in ("pass_odds", "come_odds")]


HALF = {str(n): "2.5" for n in (4, 5, 6, 8, 9, 10)}


def test_a_house_may_allow_two_and_a_half_times_odds() -> None:
    rules = deal_all(pages_with(), {"odds": HALF}, wagers=("pass",))
    assert rules.odds_cents_max(rules.wagers["pass_odds"], 4, 10_00) == 25_00
    assert "2.5x" in elected_text(next(field for field in election_fields(rules) if field.key == "odds"))
    assert cost(par_of(rules, kind="pass", cents=20_00, odds="pass_odds")) == Fraction(7, 495) * 20_00


@pytest.mark.parametrize("wrong", ["3", "2.50", "5/2", "x", "-1.5"])
def test_a_multiple_that_is_none_is_a_breach(wrong: str) -> None:
    breaches = house_of(regulation(), {"odds": HALF | {"4": wrong}})[1]
    assert {(breach.key, breach.problem) for breach in breaches} == {
        ("odds.4", f'{wrong!r} is not a multiple, such as 3 or "2.5"')
    }


BY_NUMBER = {"4": 3, "5": 4, "6": 5, "8": 5, "9": 4, "10": 3}


def test_a_regulation_may_bound_odds_by_number() -> None:
    """3-4-5x: what a text allows on 6 it does not on 4."""
    behind = ("pass_odds", "come_odds")
    pages = pages_with({f"wagers/{kind}/limit/multiple_max": BY_NUMBER for kind in behind})
    rules = deal_all(pages, {"odds": BY_NUMBER}, wagers=("pass",))
    assert "3x on 4, 10" in house_file(rules)
    keys = {breach.key for breach in house_of(rules.rulebook, {"odds": dict.fromkeys(BY_NUMBER, 5)})[1]}
    assert keys == {"odds.4", "odds.5", "odds.9", "odds.10"}
    with pytest.raises(
        RulebookFaults, match=r"pass_odds: limit\.multiple_max: has 4, 5 by number; the wager is on 4, 5, 6"
    ):
        regulation({"wagers/pass_odds/limit/multiple_max": {"4": 3, "5": 4}})


def test_odds_may_be_left_to_the_house() -> None:
    """A text without bounds of odds is in doubt until it says by which clause."""
    kinds = ("pass_odds", "come_odds", "dont_pass_odds", "dont_come_odds")
    limit = {f"wagers/{kind}/limit": {"on": WAGERS[kind]["limit"]["on"], "cite": "LK-9"} for kind in kinds}
    doubts = regulation(limit).doubts
    assert sorted(doubt.split(": ")[1] for doubt in doubts) == sorted(f"{kind}.limit.multiple_max" for kind in kinds)
    answer = {f"{path.removesuffix('limit')}not_here": {"limit.multiple_max": {"cite": "LK-9"}} for path in limit}
    assert regulation(limit, answer).doubts == ()
    rules = deal_all(pages_with(limit, answer), {"odds": dict.fromkeys(BY_NUMBER, 300)}, wagers=("field",))
    assert rules.odds_cents_max(rules.wagers["pass_odds"], 4, 10_00) == 3_000_00


# Elections.

UNNAMED = (
    *("front_line_before_first_roll", "front_line_tips", "front_line_tips_whole_dollars", "front_line_tip_cents_max"),
    *("tip_position", "tip_wagers", "tokens", "variations", "payouts_approved", "hardways_on_come_out"),
)
UNMOVED = ("payouts_uniform", "payouts_posted", "six_seven_eight")  # likewise, in Maryland


def test_a_rulebook_leaves_out_the_elections_that_nothing_makes_matter() -> None:
    """The house is then the same to the byte: what is left out holds as if one choice were given."""
    pages = pages_with({f"elections/{key}": GONE for key in UNNAMED}, {"house/front_line_tip_cents_max": GONE})
    rules, usual = deal_all(pages), Rules.under(regulation())
    assert house_digest(rules.house) == house_digest(usual.house)
    assert not {field.key for field in election_fields(rules)} & {*UNNAMED}
    (breach,) = house_of(rules.rulebook, {"tip_wagers": True})[1]
    assert (breach.key, breach.problem) == (
        "tip_wagers",
        "this regulation leaves no such choice to a house; leave it out",
    )


@pytest.mark.parametrize("key", sorted(set(ELECTIONS) - set(UNNAMED)))
def test_an_election_that_matters_cannot_be_left_out_unseen(key: str) -> None:
    """It is named, or nothing changes but the choice itself."""
    change = {f"elections/{key}": GONE}
    if key not in UNMOVED:
        with pytest.raises(RulebookFaults, match=key):
            regulation(change)
        return
    left_out, usual = Rules.under(regulation(change)), Rules.under(regulation())
    assert [rule.is_offered for rule in left_out.wagers.values()] == [rule.is_offered for rule in usual.wagers.values()]
    assert house_digest(left_out.house) == house_digest(usual.house) or key == "six_seven_eight"  # named by no wager


OVER = {
    "family": "one_roll", "name": "Over 7", "centre": True, "make": {"when": "any", "cite": "LK-30"},
    "win": {"totals": [8, 9, 10, 11, 12], "cite": "LK-30"}, "lose": {"cite": "LK-30"}, "offered": "over_under",
    "pays": [{"totals": [8, 9, 10, 11, 12], "pays": "1 to 1", "cite": "LK-30"}],
}  # fmt: skip
OWN = {
    "wagers/over_seven": OVER,
    "elections/over_under": {"label": "Over and under 7", "choices": ["none", "offered"], "cite": "LK-31"},
    "wagers/place_win/come_out": {"works": False, "call": "on", "elect": "place_on_come_out", "cite": "LK-32"},
    "elections/place_on_come_out": {"label": "Place on the come-out roll", "choices": ["off", "on"], "cite": "LK-33"},
    "elections/place_vigorish": {
        "label": "Vigorish of a place wager", "min": 0, "max": 500, "default": 400, "unit": "basis_points",
        "cite": "LK-34",
    },
    "elections/place_vigorish_when": {"choices": ["made", "won"], "cite": "LK-35"},
    "elections/place_vigorish_least": {"choices": [0, 100], "unit": "cents", "cite": "LK-36"},
    "wagers/place_win/vigorish": [
        {
            "numbers": [4, 10], "basis_points": "place_vigorish", "when": "place_vigorish_when",
            "basis": "wager", "cents_min": "place_vigorish_least", "cite": "LK-37",
        },
        {"numbers": [5, 9], "basis_points": 200, "when": "won", "basis": "potential_win", "cite": "LK-38"},
    ],
    "house/smallest_chip_cents": 25,
}  # fmt: skip
RATE = {"basis_points": 5, "basis": "wager", "when": "made", "cite": "LK-1"}
ELECTS = {"over_under": "offered", "place_on_come_out": "on", "place_vigorish_least": 100}


def test_a_rulebook_declares_elections_of_its_own() -> None:
    """An optional over, place on at the come-out, vigorish by number, at a rate and with a floor, on another wager."""
    pages = pages_with(OWN)
    rules = deal_all(pages, {"elections": ELECTS}, wagers=("over_seven", "place_win"))
    usual = deal_all(pages, wagers=("place_win",))
    assert (usual.wagers["over_seven"].is_offered, rules.wagers["over_seven"].is_offered) == (False, True)
    place = rules.wagers["place_win"]
    assert (usual.wagers["place_win"].works_on_come_out, place.works_on_come_out) == (False, True)
    assert [rules.vigorish_on(place, number, 30_00) for number in (4, 5, 6)] == [1_20 // 25 * 25, 75, 0]
    assert [rules.vigorish_on(place, number, 5_00) for number in (4, 5, 6)] == [100, 0, 0]
    assert usual.vigorish_on(usual.wagers["place_win"], 4, 5_00) == 0
    assert place.vigorish is not None
    assert [place.vigorish.is_due_when_made(number) for number in (4, 5)] == [True, False]
    assert place.vigorish.clause(4) == "LK-37, LK-34, LK-36, LK-35"
    fields = {field.label: elected_text(field) for field in election_fields(rules)}
    assert fields["Over and under 7"] == "offered"
    assert fields["Vigorish of a place wager"] == "4 %"


def test_what_a_house_elects_is_charged_and_analysed() -> None:
    """The edge of a place wager with a floor: below it the charge is the floor, above it the rate."""
    rules = Rules.under(regulation(OWN), {"elections": ELECTS})
    win, lose = Fraction(1, 3), Fraction(2, 3)
    for cents, charge in ((5_00, 1_00), (50_00, 2_00)):
        expected = lose * cents + charge - win * Fraction(9, 5) * cents
        assert cost(par_of(rules, kind="place_win", number=4, cents=cents)) == expected
    five = Fraction(3, 5) * 50_00 - Fraction(2, 5) * (Fraction(7, 5) * 50_00 - 1_25)
    assert cost(par_of(rules, kind="place_win", number=5, cents=50_00)) == five


def test_a_table_charges_the_floor_and_gives_it_back() -> None:
    play = Play(Rules.under(regulation(OWN), {"elections": ELECTS}))
    (made,) = (event for event in play.make(ANN, "place_win", 5_00, 4) if isinstance(event, e.WagerMade))
    assert made.after.vigorish == 1_00
    assert "LK-36" in made.clause


@pytest.mark.parametrize(
    ("elected", "told"),
    [
        ({"over_under": "maybe"}, "elections.over_under: 'maybe' is not one of 'none', 'offered'"),
        ({"place_vigorish": 501}, "elections.place_vigorish: 501 is above the maximum, 500"),
        ({"place_vigorish": "5"}, "elections.place_vigorish: '5' must be a whole number"),
        ({"over_undr": "none"}, "elections.over_undr: is not an election of this regulation; did you mean over_under?"),
        (
            {"buy": "none"},
            "elections.buy: is not an election of this regulation; it stands beside this table, not in it",
        ),
    ],
)
def test_an_election_out_of_its_bounds_is_a_breach(elected: dict[str, Any], told: str) -> None:
    (breach,) = house_of(regulation(OWN), {"elections": elected})[1]
    assert f"{breach.key}: {breach.problem}" == told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"elections/over_undr": OWN["elections/over_under"]},
            "over_undr: no entry of the rulebook names this election",
        ),
        ({"elections/setlement": ELECTED["settlement"], "elections/settlement": GONE}, "did you mean settlement?"),
        ({"elections/place_vigorish/default": GONE}, "place_vigorish: default: is missing; say what holds"),
        ({"elections/place_vigorish/default": 600}, "place_vigorish: default: 600 is outside its own bounds"),
        ({"elections/place_vigorish/unit": GONE}, "place_vigorish: unit: is missing; say of what it is a number"),
        (
            {"elections/place_vigorish/unit": "cents"},
            "vigorish[0].basis_points: place_vigorish is not an election that",
        ),
        ({"elections/over_under/unit": "cents"}, "over_under: unit: is for numbers; leave it out"),
        ({"elections/over_under/choices": ["none", 3]}, "over_under: choices: must all be words"),
        ({"elections/place_vigorish_least/choices": [0, -2]}, "place_vigorish_least: choices: -2 must be from 0 to"),
        (
            {"elections/over_under/choices": ["none", "flotsam"]},
            "offered: over_under is not an election that can be none",
        ),
        ({"elections/over_under/choices": ["offered"]}, "offered: over_under is not an election that can be none"),
        ({"elections/place_on_come_out/choices": ["off", "no"]}, "place_on_come_out is not an election of on or off"),
        ({"elections/buy/label": "Buy"}, "buy: label, unit, default: are for elections that a rulebook declares"),
        ({"wagers/place_win/vigorish": []}, "place_win: vigorish: is empty"),
        ({"wagers/place_win/vigorish": [{**RATE, "numbers": [3]}]}, "the wager is not on 3"),
        ({"wagers/place_win/vigorish": [RATE] * 2}, "have more than one charge"),
        (
            {"wagers/place_win/vigorish": [{**RATE, "when": "lost"}]},
            "lost is not made or won",
        ),
    ],
)
def test_a_mistake_in_an_election_of_its_own_is_named(change: dict[str, Any], told: str) -> None:
    with pytest.raises(RulebookFaults) as caught:
        regulation(OWN, change)
    assert any(told in fault for fault in caught.value.faults), caught.value.faults
    assert all(fault.startswith("lakeside/") for fault in caught.value.faults)


def test_houses_of_the_four_are_logged_as_before() -> None:
    """What a house says beyond them is not written where a rulebook declares nothing."""
    for name in REGULATIONS:
        house = Rules.of(name).house
        assert b'"elections"' not in json.encode(house)
        assert "[elections]" not in house_file(Rules.of(name))


def test_the_guide_shows_elections_and_vigorish_that_load() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "adding-a-regulation.md").read_text(encoding="utf-8")
    elections, vigorish = re.findall(r"```toml\n(.*?)```", guide, flags=re.DOTALL)[:2]
    declared = {f"elections/{key}": entry for key, entry in tomllib.loads(elections).items()}
    charged = {"wagers/place_win/vigorish": tomllib.loads(vigorish)["vigorish"], "wagers/over_seven": OVER}
    rules = Rules.under(regulation(declared, charged), {"elections": {"over_under": "offered"}})
    assert rules.wagers["over_seven"].is_offered
    assert [rules.vigorish_on(rules.wagers["place_win"], number, 100_00) for number in (4, 5, 6)] == [4_00, 2_00, 0]
