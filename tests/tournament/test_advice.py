"""Tournament advice equals brute force through the engine, and says what it cannot take."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from passline.cli.main import main
from passline.errors import CrapsError
from passline.tournament.advice.advise import Advice, Choice, advise
from passline.tournament.advice.situation import read_situation, rules_of_situation, situation_of
from tests.cases import budget
from tests.source import FILES, SRC, imports_of
from tests.tournament.brute_advice import BruteForce

RIVALS = (
    "field:unit=5000", "pass:unit=5000", "dont_pass:unit=10000", "six_eight:unit=6000", "iron_cross:unit=5000",
    "any_seven:unit=5000", "buy_4_10:unit=4000", "horn:unit=4000", "come:unit=5000", "lay_4_10:unit=4000",
)  # fmt: skip
MENU = (
    "field", "any_seven", "any_craps", "place_win 6", "place_win 8", "come", "pass", "hardway 8", "dont_pass",
    "c_and_e", "place_win 5", "buy 4", "lay 10", "horn",
)  # fmt: skip
UP = {0: ("place_win 6 60", "hardway 4 50"), 6: ("pass 100", "place_win 8 60", "come 5 50", "dont_pass 50")}

ENDING = """
rules = "colorado"
rolls = 1
chip = 20
wagers = ["any_seven"]

[me]
points = 880

[[rivals]]
name = "Bob"
points = 1000
strategy = "field:unit=10000"
"""


def random_ending(chance: random.Random, rolls: int, rules: str = "colorado") -> dict[str, Any]:
    """Make a situation whose chips are so coarse that every amount can be tried."""
    puck = chance.choice((0, 6))
    chip = chance.choice((20, 25, 50))

    def player(name: str) -> dict[str, Any]:
        up = {"up": [chance.choice(UP[puck])]} if chance.random() < 0.4 else {}
        return {"name": name, "points": chip * chance.randint(1, 10), "strategy": chance.choice(RIVALS), **up}

    me = {**player("me"), "points": chip * chance.randint(2, 12 if rolls == 1 else 6)}
    rivals = [player(f"rival {number}") for number in range(chance.randint(1, 4 if rolls == 1 else 2))]
    return {
        "rules": rules,
        "rolls": rolls,
        "puck": puck,
        "me": me,
        "rivals": rivals,
        "chip": chip,
        "undecided": chance.choice(("returned", "lost")),
        "ties": chance.choice(("roll_off", "shared")),
        "places": [chance.randint(1, len(rivals))],
        "wagers": chance.sample(MENU if rules == "colorado" else MENU[:9], 3 if rolls == 1 else 2),
    }


def wagers_of(choice: Choice) -> tuple[tuple[str, int, int], ...]:
    """Return the wagers of a choice as brute force takes them."""
    return tuple((spot.kind, spot.number, points) for spot, points in choice.wagers)


def check_ending(data: dict[str, Any], chance: random.Random) -> Advice:
    """Hold the advice against brute force: every chance on the last roll, some before it, and the best there is."""
    situation = situation_of(data)
    found = advise(situation)
    brute = BruteForce(situation, rules_of_situation(situation))
    place = situation.places[0]
    tried = found.choices if situation.rolls == 1 else (found.choices[0], chance.choice(found.choices))
    for choice in tried:
        assert choice.chances == (brute.chance(wagers_of(choice), place),), choice
    if situation.rolls == 1:  # no other amount does better
        best = max(brute.chance(wagers, place) or Fraction(0) for wagers in brute.all_wagers(brute.table))
        assert best == max(choice.chances[0] for choice in found.choices if len(choice.wagers) <= 1)
    return found


@pytest.mark.whole
def test_advice_equals_brute_force() -> None:
    seen: list[Advice] = []
    for number in range(budget(8, in_sweep=200)):
        chance = random.Random(f"37/{number}")
        rolls = 3 if number % 20 == 7 else 2 if number % 4 == 1 else 1
        seen.append(check_ending(random_ending(chance, rolls), chance))
    assert any(advice.two_wagers for advice in seen)
    assert any(advice.positions for advice in seen)
    assert any(0 < advice.choices[0].chances[0] < 1 for advice in seen)


@pytest.mark.whole
def test_it_does_where_the_table_has_limits() -> None:
    """Arizona's tournaments keep them, and Maryland's rules have no tournaments: its tables deal as ever."""
    chance = random.Random(3)
    for rules in ("arizona", "maryland"):
        for _ in range(budget(2, in_sweep=20)):
            ending = random_ending(chance, 1, rules)
            for player in (ending["me"], *ending["rivals"]):
                player["strategy"] = chance.choice(("field:unit=5000", "pass:unit=5000", "six_eight:unit=6000"))
            check_ending(ending, chance)


@pytest.mark.whole
def test_the_second_of_three_rolls_follows_the_strategy_and_a_rival_without_chips_sits_still() -> None:
    ending = {
        "rules": "colorado",
        "rolls": 3,
        "me": {"points": 100, "strategy": "field:unit=5000"},
        "rivals": [{"name": "Bob", "points": 0, "strategy": "pass"}, {"name": "Cy", "points": 150, "strategy": "pass"}],
        "chip": 50,
        "wagers": ["any_seven"],
        "places": [2],
    }
    found = check_ending(ending, random.Random(1))
    assert found.positions > 1
    assert found.choices[0].chances[0] > Fraction(1, 2)


def test_two_wagers_on_the_last_of_two_rolls_are_the_best_two_of_a_last_roll() -> None:
    """Without a wager now, my chance is that of the last roll alone, from what the first leaves: the field settles."""
    ending = {"rules": "colorado", "chip": 50, "wagers": ["any_seven", "any_craps", "field"], "two_wagers": True}

    def rivals(ann: int, bob: int) -> list[dict[str, Any]]:
        return [
            {"name": "Ann", "points": ann, "strategy": "field:unit=10000"},
            {"name": "Bob", "points": bob, "strategy": "any_seven:unit=10000"},
        ]

    found = advise(situation_of({**ending, "rolls": 2, "me": {"points": 600}, "rivals": rivals(800, 700)}))
    assert found.are_two_last
    expected = Fraction(0)
    for total in range(2, 13):
        field = 200 if total in {2, 12} else 100 if total in {3, 4, 9, 10, 11} else -100
        after = rivals(800 + field, 700 + (400 if total == 7 else -100))
        puck = total if total in {4, 5, 6, 8, 9, 10} else 0
        last = advise(situation_of({**ending, "rolls": 1, "puck": puck, "me": {"points": 600}, "rivals": after}))
        assert last.two_wagers
        expected += Fraction(6 - abs(7 - total), 36) * last.choices[0].chances[0]
    nothing = next(choice for choice in found.choices if not choice.wagers)
    assert nothing.chances == (expected,)
    assert found.two_wagers


def test_all_wagers_are_looked_at_if_none_is_named_and_both_places_are_answered() -> None:
    rival = {"name": "Bob", "points": 2500, "strategy": "pass:unit=10000", "up": ["pass 100"]}
    other = {"name": "Cy", "points": 1900, "strategy": "field:unit=20000"}
    ending = {
        "rules": "colorado",
        "rolls": 1,
        "puck": 6,
        "me": {"points": 2000},
        "rivals": [rival, other],
        "places": [1, 2],
    }
    found = advise(situation_of({**ending, "two_wagers": False}))
    kinds = {spot.kind for choice in found.choices for spot, _ in choice.wagers}
    assert {"field", "place_win", "hardway", "any_seven", "come", "lay"} <= kinds
    assert "dont_pass" not in kinds, "which is made before a point"
    assert all(first <= second for first, second in (choice.chances for choice in found.choices))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"rolls": 4}, "advice is for the last 3 rolls"),
        ({"puck": 7}, "7 is not a point"),
        ({"puck": 3}, "3 is not a point"),
        ({"rivals": [{"name": "Bob", "points": 5, "strategy": "field"}] * 5}, "rivals: 5: name 1 to 4"),
        ({"rivals": [{"name": "Bob", "points": 5}]}, "Bob without a strategy"),
        ({"rivals": [{"name": "Bob", "points": 5, "strategy": "fild"}]}, "did you mean field"),
        ({"places": [2]}, "ask about places from 1 to 1"),
        ({"rolls": 3}, "you play a strategy in between"),
        ({"wagers": ["fielt"]}, "offers no wager 'fielt'"),
        ({"wagers": ["place_win"]}, "its numbers are 4, 5, 6, 8, 9, 10"),
        ({"wagers": ["place_win six"]}, "is not a number"),
        ({"me": {"points": 5, "up": ["field"]}}, "write a wager and its points"),
        ({"me": {"points": 5, "up": ["field 5", "field 10"]}}, "a wager comes twice"),
        ({"me": {"points": 5, "up": ["pass 5"]}}, "the puck is OFF"),
        ({"me": {"points": 5, "up": ["come 5"]}}, "its numbers are 4, 5, 6, 8, 9, 10"),
        ({"rules": "atlantis"}, "atlantis"),
    ],
)
def test_what_a_file_has_wrong_is_said(changes: dict[str, Any], why: str) -> None:
    ending = {
        "rules": "colorado",
        "rolls": 1,
        "me": {"points": 100},
        "rivals": [{"name": "Bob", "points": 90, "strategy": "field"}],
    }
    with pytest.raises(CrapsError, match=re.escape(why)):
        advise(situation_of({**ending, **changes}))


def test_the_command_shows_and_writes_the_candidates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ending.toml"
    file.write_text(ENDING, encoding="utf-8")
    assert main(["tournament", "advise", str(file), "--lines", "1"]) == 0
    shown = capsys.readouterr().out
    assert "the last roll, puck OFF; you have 880 points" in shown
    assert "        16.6667%  any_seven 20\n" in shown
    assert main(["tournament", "advise", str(file), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    best = written["candidates"][0]
    assert best == {"wagers": [{"wager": "any_seven", "number": "", "points": 20}], "chances": ["1/6"]}
    assert [Fraction(one["chances"][0]) for one in written["candidates"]] == [
        choice.chances[0] for choice in advise(read_situation(file)).choices
    ]


def test_no_server_offers_it() -> None:
    """AZ-II.N.2 bans advice at the tables: nothing below the pages and the HTTP API imports it."""
    wrong = [
        path
        for part in ("web", "client", "tables", "streams")
        for path in FILES
        if path.is_relative_to(SRC / "passline" / part)
        for name, _line in imports_of(path)
        if name.startswith("passline.tournament.advice")
    ]
    assert not wrong
