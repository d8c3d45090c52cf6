"""The elections of a house as a form: each is there, with its bounds and clauses, and its file reads back exactly."""

import tomllib
from hashlib import sha256

import pytest

from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.elections import House
from passline.rules.explain.election_form import election_fields
from passline.rules.explain.house_template import house_file
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.web.uploads.checks import checked_form

GAMES = [(name, game) for name in REGULATIONS for game in rulebook_of(name).general.games]
each_game = pytest.mark.parametrize(("name", "game"), GAMES)


@each_game
def test_every_election_of_every_game_has_a_field_with_bounds_and_clauses_in_force(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    fields = election_fields(rules)
    keys = {one.key.partition(".")[0] for one in fields}
    missing = {*House.__struct_fields__} - keys - {"rules", "game", "elections"}  # of which the four have none
    empty = {"procedures"} if rules.house.procedures is None else set()
    side_wagers = any(one.key.startswith("side_wagers.") for one in fields)
    assert missing == empty | (set() if side_wagers else {"side_wagers"}) | ({"readings"} - keys)
    assert len({one.key for one in fields}) == len(fields)
    for one in fields:
        assert one.label, one.key
        assert one.bounds, one.key
        assert one.clauses, one.key
        assert set(one.clauses) <= {*clauses_of(name), "practice"}, one.key
        if one.kind == "choice":
            assert one.value in [option.value for option in one.options], one.key


@each_game
def test_a_house_file_that_is_read_in_comes_out_the_same_to_the_byte(name: str, game: str) -> None:
    text = house_file(Rules.of(name, game=game))
    read = checked_form(rulebook_of(name), tomllib.loads(text))
    assert read["breaches"] == ()
    assert read["toml"] == text
    assert read["sha256"] == sha256(text.encode()).hexdigest()
    again = checked_form(rulebook_of(name), read["house"])
    assert again["toml"] == text


def test_every_breach_comes_back_with_its_key_and_clause() -> None:
    data = {
        "rules": "maryland",
        "dice_set": 1,
        "odds": {"4": 0, "5": 4, "6": 5, "8": 5, "9": 4, "10": 3},
        "buy": "maybe",
    }
    checked = checked_form(rulebook_of("maryland"), data)
    assert {one.key for one in checked["breaches"]} == {"dice_set", "odds.4", "buy"}
    assert all(one.clause.startswith("MD-") for one in checked["breaches"])
    assert (checked["toml"], checked["sha256"]) == ("", "")


def test_payouts_are_offered_with_what_the_list_pays() -> None:
    (payouts,) = [one for one in election_fields(Rules.of("colorado")) if one.key == "payouts"]
    listed = {one.value: one.note for one in payouts.options}
    assert listed["field 12"] == "2 to 1"
    assert listed["place_win 6"] == "7 to 6"
    for key in listed:
        higher = {"rules": "colorado", "payouts": {key: "200 to 1"}, "payouts_uniform": True}
        breaches = checked_form(rulebook_of("colorado"), higher)["breaches"]
        assert all(one.problem != "is not a payout of this regulation" for one in breaches), key
