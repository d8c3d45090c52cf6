"""Houses are read from TOML, completed from the defaults and checked; the file to start from reads back."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from passline.rules.clauses import REGULATIONS
from passline.rules.elections import Breach, HouseBreaches, WagerLimit
from passline.rules.explain.house_template import house_file
from passline.rules.house_check import payout_lines
from passline.rules.house_file import read_house
from passline.rules.house_reader import house_of
from passline.rules.pages.texts import RulebookError
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import ELECTIONS, Run, SideWager, cites_of, clause_text
from tests.clauses.table import breaches_of

GAMES = [(name, game) for name in REGULATIONS for game in rulebook_of(name).games]
each_game = pytest.mark.parametrize(("name", "game"), GAMES, ids=[f"{name}-{game}" for name, game in GAMES])


def breaches(name: str, **house: object) -> list[tuple[str, set[str]]]:
    """Return the key of every breach, with its clauses."""
    found = house_of(rulebook_of(name), house)[1]
    return [(breach.key, set(breach.clause.split(", "))) for breach in found]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def side_wagers(rules: Rules) -> set[str]:
    """Return the elections of the side wagers a game may have."""
    return {rule.entry.offered for rule in rules.wagers.values() if isinstance(rule.entry, SideWager)}


def elected(rules: Rules) -> dict[str, object]:
    """Return the pay table and the reading in force for every side wager."""
    return {kind: (rule.lines, rule.reading) for kind, rule in rules.wagers.items()}


@each_game
def test_the_default_house_is_lawful(name: str, game: str) -> None:
    house, found = house_of(rulebook_of(name), {"game": game})
    assert found == ()
    assert house is not None
    assert (house.rules, house.game) == (name, game)


@each_game
def test_the_file_to_start_from_reads_back_to_the_same_house(name: str, game: str, tmp_path: Path) -> None:
    rules = Rules.of(name, game=game)
    path = written(tmp_path / "house.toml", house_file(rules))
    house, found, rulebook = read_house(path)
    assert (found, rulebook.name) == ((), name)
    assert house is not None
    assert Rules(rulebook, house).house.side_wagers.keys() == side_wagers(rules)
    assert msgspec.structs.replace(house, side_wagers={}, readings={}) == rules.house
    assert elected(Rules(rulebook, house)) == elected(rules)
    assert all(len(line) <= 100 for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#"))


@each_game
def test_the_file_to_start_from_shows_the_bounds_of_every_election(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    lines = house_file(rules).splitlines()
    keys = {*ELECTIONS, *side_wagers(rules)}
    for key, election in rules.rulebook.elections.items():
        if key not in keys:
            assert not [line for line in lines if line.startswith(f"{key} = ")]
            continue
        at = next(index for index, line in enumerate(lines) if line.startswith(f"{key} = "))
        comments: list[str] = []
        while lines[at - 1].startswith("#"):
            at -= 1
            comments.insert(0, lines[at].removeprefix("# "))
        bounds = " ".join(comments)
        assert [one for one in cites_of(election.cite) if one not in bounds] == [], key
        for bound in (election.min, election.max, *(election.subset_of or ())):
            assert bound is None or str(bound) in bounds, key
        assert all(msgspec.json.encode(choice).decode() in bounds for choice in election.choices), key


def test_the_file_of_a_house_with_side_wagers_reads_back_with_its_pay_tables_and_reading(tmp_path: Path) -> None:
    chosen = {"side_wagers": {"fire": "B", "lucky_shooter": "D"}, "readings": {"lucky_shooter": "repeats_neutral"}}
    rules = Rules.of("maryland", house=chosen)
    text = house_file(rules)
    again = Rules.from_file(written(tmp_path / "house.toml", text))
    assert elected(again) == elected(rules)
    assert again.house.side_wagers == {"fire": "B", "bonus_craps": "none", "dice_ology": "none", "lucky_shooter": "D"}
    assert again.house.readings == {"lucky_shooter": "repeats_neutral"}
    entry = rules.wagers["lucky_shooter"].entry
    assert isinstance(entry, Run)
    for name, reading in entry.readings.items():
        assert f'# "{name}": {reading.reading}'[:100].rsplit(" ", 1)[0] in text, name


def test_a_house_elects_existing_side_wagers_tables_and_readings_only() -> None:
    fire = set(cites_of(rulebook_of("maryland").elections["fire"].cite))
    assert breaches("maryland", side_wagers={"fire": "B"}, readings={"lucky_shooter": "strict"}) == []
    assert breaches("maryland", side_wagers={"fire": "C"}) == [("side_wagers.fire", fire)]
    assert breaches("maryland", side_wagers={"buy": "offered"}) == [("side_wagers.buy", {"MD-3.A"})]
    assert breaches("maryland", side_wagers={"sharp_shooter": "SS-01"}) == [("side_wagers.sharp_shooter", {"MD-3.A"})]
    assert breaches("maryland", readings={"lucky_shooter": "lax"}) == [("readings.lucky_shooter", {"MD-3.A"})]
    assert breaches("maryland", readings={"fire": "strict"}) == [("readings.fire", {"MD-3.A"})]


def test_a_key_left_out_has_the_default_houses_value() -> None:
    house, found = house_of(rulebook_of("colorado"), {"name": "The Lode", "wager_cents_min": 300})
    assert found == ()
    assert house is not None
    assert (house.name, house.wager_cents_min, house.wager_cents_max) == ("The Lode", 300, 10000)
    assert house.limits == {"centre": WagerLimit(100, 10000), "buy": WagerLimit(2000), "lay": WagerLimit(4000)}


def test_every_breach_is_listed_at_once() -> None:
    """Unknown, unreadable and unlawful keys do not hide one another."""
    found = breaches(
        "maryland",
        colour="red",
        dice_set="five",
        wager_cents_min=0,
        whirl_area=1,
        hardways_on_come_out="on",
        odds=dict.fromkeys(("4", "5", "6", "8", "9"), 3),
        payouts={"field 12": "3 to 1", "big": "1 to 1", "any_seven": "26 for 5"},
        seats=0,
    )
    assert found[:3] == [("colour", {"MD-3.A"}), ("whirl_area", {"MD-3.A.21.b"}), ("dice_set", {"MD-7.A", "MD-10.C"})]
    assert [key for key, _ in found[3:]] == [
        *("wager_cents_min", "hardways_on_come_out", "odds"),
        *("payouts.field 12", "payouts.big", "payouts.any_seven", "seats", "seat_left_of_stickperson"),
    ]


@pytest.mark.parametrize(
    ("house", "key"),
    [
        ({"wager_cents_min": 500_100}, "wager_cents_min"),
        ({"wager_cents_min": 550}, "wager_cents_min"),
        ({"smallest_chip_cents": 0}, "smallest_chip_cents"),
        ({"limits": {"pass": {"min": 0, "max": 100}}}, "limits.pass"),
        ({"limits": {"pass": {"min": 200, "max": 100}}}, "limits.pass"),
        ({"limits": {"put": {"min": 100, "max": 200}}}, "limits.put"),
        ({"limits": {"pass": {"max": 100}}}, "limits.pass.min"),
        ({"limits": {"pass": {"min": 100, "max": 0}}}, "limits.pass"),
        ({"limits": {"pass": {"min": 1000000}}}, "limits.pass"),
        ({"game": "street_craps"}, "game"),
        ({"game": "mini_craps", "seats": 10}, "seats"),
        ({"seats": 41}, "seats"),
        ({"seats": 0}, "seats"),
        ({"dice_set": 21}, "dice_set"),
        ({"limits": {"pass": {"min": 150, "max": 300}}}, "limits.pass"),
        ({"seats": 5, "seat_left_of_stickperson": 6}, "seat_left_of_stickperson"),
        ({"procedures": {}}, "procedures"),
        ({"dice_set": 4}, "dice_set"),
        ({"rules": "colorado"}, "rules"),
        ({"wager_cents_min": 5.5}, "wager_cents_min"),
        ({"stickperson": False}, "stickperson"),
        ({"payouts": {"hop 1-2": "15 to 1"}}, "payouts.hop 1-2"),
        ({"payouts": {"horn": "3 to 1"}}, "payouts.horn"),
        ({"payouts": {"pass": "2 to 1"}}, "payouts.pass"),
    ],
)
def test_a_breach_names_its_key_and_a_clause(house: dict[str, Any], key: str) -> None:
    found = breaches("maryland", **house)
    assert [one for one, _ in found if one == key] == [key]
    assert all(clause.startswith("MD-") for _, clauses in found for clause in clauses)


@pytest.mark.parametrize(
    "house",
    [
        {"wager_cents_min": 500_000},
        {"smallest_chip_cents": 50, "wager_cents_min": 550},
        {"limits": {"pass": {"min": 100, "max": 150}}},
        {"smallest_chip_cents": 500},
        {"dice_set": 20},
        {"game": "mini_craps", "seats": 9},
        {"seats": 40},
        {"seats": 6, "seat_left_of_stickperson": 6},
        {"game": "mini_craps", "stickperson": False},
    ],
)
def test_the_same_keys_at_their_bounds_are_lawful(house: dict[str, Any]) -> None:
    assert breaches("maryland", **house) == []


@pytest.mark.parametrize(
    ("name", "most", "clauses"),
    [
        ("section2", 10_000, {"S2-f2.limit", "S2-f4.limit"}),
        ("arizona", 10_000, {"AZ-III.J.2-b", "AZ-III.J.4-b"}),
        ("maryland", 10_000, {"MD-6.B.max", "MD-6.D.max"}),
    ],
)
def test_an_amount_may_not_undercut_single_odds(name: str, most: int, clauses: set[str]) -> None:
    """Single odds on 4 by winnings are twice the original wager, so a table of 50 must allow 100."""
    table = {"wager_cents_max": most // 2}
    assert breaches(name, **table, odds_cents_max=most) == []
    assert breaches(name, **table, odds_cents_max=0) == []
    under = breaches(name, **table, odds_cents_max=most - 1)
    assert {key for key, _ in under} == {"odds_cents_max"}
    assert clauses <= {clause for _, cited in under for clause in cited}


def test_a_house_that_must_supply_procedures_must_give_them_the_right_shape() -> None:
    default = rulebook_of("arizona").default_house["procedures"]
    assert breaches("arizona", procedures=None)[0][0] == "procedures"
    for spoiled in (
        {**default, "songs": {}},
        {**default, "dispute": {"by": ["umpire"], "cite": "AZ-II.G.2.d.iv"}},
        {**default, "dispute": {"by": ["dealer"], "cite": "AZ-0"}},
        {**default, "shooter": {**default["shooter"], "line_wagers": ["field"]}},
        {**default, "dice": {**default["dice"], "chosen": 3}},
    ):
        assert [key for key, _ in breaches("arizona", procedures=spoiled)] == ["procedures"]
    assert breaches("arizona", procedures={**default, "dice": {**default["dice"], "set_min": 6}})[0][0] == "dice_set"


def test_every_step_needs_somebody_who_may_take_it() -> None:
    """A table without a stickperson cannot deal a step that only a stickperson, or nobody, may take."""
    default = rulebook_of("arizona").default_house["procedures"]
    throw = default["throw"]
    alone = {**default, "throw": {**throw, "passed_by": {**throw["passed_by"], "by": ["stickperson"]}}}
    assert breaches("arizona", procedures=alone) == []
    nobody = {**default, "dispute": {**default["dispute"], "by": []}}
    (breach,) = house_of(rulebook_of("arizona"), {"procedures": nobody})[1]
    assert (breach.key, breach.problem) == ("procedures", "nobody is named to decide a dispute")
    (breach,) = house_of(rulebook_of("maryland"), {"stickperson": False})[1]
    assert breach.key == "stickperson"
    assert breach.problem.startswith("craps needs a stickperson: nobody else may offer the dice, call the roll")


def test_a_default_minimum_is_rounded_up_to_the_elected_chip() -> None:
    house, breaches_ = house_of(rulebook_of("maryland"), {"smallest_chip_cents": 500})
    assert breaches_ == ()
    assert house is not None
    assert {limit.min % 500 for limit in house.limits.values()} == {0}
    odd = breaches("maryland", smallest_chip_cents=500, limits={"field": {"min": 600, "max": 1000}})
    assert [key for key, _clauses in odd] == ["limits.field"]


def test_rules_of_an_unlawful_house_raise_its_breaches() -> None:
    with pytest.raises(
        HouseBreaches, match=r"maryland: wager_cents_min: 0 is below the minimum, 1 \[MD-3\.B\.1\]"
    ) as caught:
        Rules.of("maryland", house={"wager_cents_min": 0})
    assert caught.value.breaches == (Breach("MD-3.B.1", "wager_cents_min", "0 is below the minimum, 1"),)


def test_a_house_file_names_its_regulation_and_game(tmp_path: Path) -> None:
    path = written(tmp_path / "house.toml", 'rules = "section2"\ngame = "mini_craps"\nwager_cents_min = 1000\n')
    rules = Rules.from_file(path)
    assert (rules.rulebook.name, rules.house.game, rules.house.wager_cents_min) == ("section2", "mini_craps", 1000)
    with pytest.raises(RulebookError, match="the house deals mini_craps, not craps"):
        Rules.from_file(path, game="craps")
    with pytest.raises(RulebookError, match="a house names its regulation"):
        read_house(written(tmp_path / "none.toml", "seats = 3\n"))
    with pytest.raises(RulebookError, match="there is no rulebook 'nevada'"):
        read_house(written(tmp_path / "other.toml", 'rules = "nevada"\n'))


def test_payouts_are_named_by_wager_number_total_or_pair() -> None:
    maryland = rulebook_of("maryland")
    assert [line.pays for line in payout_lines(maryland, "place_win 6")] == ["7 to 6"]
    assert [line.pays for line in payout_lines(maryland, "hop 4-5")] == ["15 to 1"]
    assert [line.pays for line in payout_lines(maryland, "six_seven_eight 3-3")] == ["2 to 1"]
    assert [line.pays for line in payout_lines(maryland, "field")] == ["1 to 1", "2 to 1"]
    assert payout_lines(maryland, "field 7") == payout_lines(maryland, "horn") == payout_lines(maryland, "no") == ()


def test_the_file_to_start_from_is_plain_toml() -> None:
    data = tomllib.loads(
        house_file(Rules.of("arizona", house={"payouts_posted": True, "no_roll_callers": ["stickperson"]}))
    )
    assert (data["payouts_posted"], data["no_roll_callers"], data["odds"]["10"]) == (True, ["stickperson"], 3)
    assert data["procedures"]["dice"]["set_min"] == 5


@pytest.mark.parametrize(
    "key", ["pass_vigorish", "field_vigorish_basis_points", "place_fee", "pass_commission", "pass_tax"]
)
def test_a_charge_on_another_wager_is_refused_by_the_rule_about_charges(key: str) -> None:
    """A vigorish, fee or commission breaks the rule about charges; any other unknown key breaks the closed list."""
    general = rulebook_of("maryland").general
    rule = general.closed_list if key == "pass_tax" else general.vigorish_only
    (breach,) = breaches_of("maryland", {key: 5})
    assert (breach.clause, breach.key) == (clause_text(rule.cite), key)


def test_a_limit_without_a_maximum_only_raises_the_minimum() -> None:
    limits = {"pass": {"min": 10_00}, "field": {"min": 1_00}, "come": {"min": 1_00, "max": 2_00}}
    for least, most in ((5_00, 50_00), (20_00, 30_00)):
        rules = Rules.of("maryland", house={"wager_cents_min": least, "wager_cents_max": most, "limits": limits})
        in_force = {kind: (rules.wagers[kind].min, rules.wagers[kind].max) for kind in ("pass", "field", "come", "buy")}
        table = (least, most)
        assert in_force == {"pass": (max(10_00, least), most), "field": table, "come": (1_00, 2_00), "buy": table}


@pytest.mark.clause(
    "CO-2307-1-vig", "CO-2307-2-vig", "MD-5.G.3.a", "AZ-III.G-2", "AZ-III.H-2", "S2-e1.vig", "S2-e2.vig"
)
@pytest.mark.parametrize("name", REGULATIONS)
@pytest.mark.parametrize(
    "elected",
    [
        {},
        {"smallest_chip_cents": 25},
        {"smallest_chip_cents": 500, "wager_cents_max": 500_00},
        {"buy_vigorish_basis_points": 300, "lay_vigorish_basis_points": 450},
        {"wager_cents_min": 60_00},
    ],
)
def test_vigorish_on_the_default_minimums_is_a_chip_and_never_above_the_rate(
    name: str, elected: dict[str, int]
) -> None:
    """On the number with the least charge; a chip less is free there, unless the table's minimum is higher."""
    rules = Rules.of(name, house=elected)
    for kind in ("buy", "lay"):
        rule = rules.wagers[kind]
        assert rule.vigorish is not None
        charges = {number: rules.vigorish_on(rule, number, rule.min) for number in rule.numbers}
        assert min(charges.values()) >= rules.chip
        assert max(charges.values()) * 10_000 <= rule.vigorish.basis_points * rule.min
        below = [rules.vigorish_on(rule, number, rule.min - rules.chip) for number in rule.numbers]
        assert rule.min == rules.house.wager_cents_min or min(below) == 0


def test_a_house_with_a_maximum_below_a_default_minimum_has_the_tables_limits() -> None:
    for most in (20_00, 19_00):
        buy = Rules.of("maryland", house={"wager_cents_max": most}).wagers["buy"]
        assert (buy.min, buy.max) == ((20_00 if most == 20_00 else 5_00), most)
