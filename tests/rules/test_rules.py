"""Rules compiled from a rulebook and a house, wager by wager: numbers, limits, steps, payouts, charges and odds.

cases/wagers.txt has some houses; below each is a line for every wager that differs from the default house's, or for
every wager where nothing is elected.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from passline.dice import number_text
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import AUTOMATED, Rules, WagerRule
from passline.rules.schema import Composite
from tests.case_files import cases_of
from tests.rules.rulebooks import HARBOUR

CASES = cases_of(Path(__file__).parent / "cases" / "wagers.txt")


def _line(rules: Rules, rule: WagerRule) -> str:
    said = [rule.kind, rule.family, f"{rule.min}-{rule.max}", *_marks(rule)]
    if rule.numbers != {0}:
        said.append("on " + " ".join(map(number_text, sorted(rule.numbers))))
    said += [f"{total} {does} [{clause}]" for total, (does, clause) in rule.first.items()]
    for number, payout in rule.payouts.items():
        said.append(f"{number_text(number)} pays {payout.pays} [{payout.clause}]")
        said += _amounts(rules, rule, number)
    said += [f"{count} {line.result} [{line.clause}]" for count, line in rule.lines.items() if line.payout is None]
    said += [f"{units} {part}" for part, units in (*rule.parts, *rule.breakdown)]
    return "; ".join(said)


def _marks(rule: WagerRule) -> Iterator[str]:
    marks = {
        "not offered": not rule.is_offered,
        "centre": rule.centre,
        "off on the come-out": not rule.works_on_come_out,
        "off calls": rule.off_calls,
        f"called {rule.call}": rule.call,
        f"behind {rule.behind}": rule.behind,
        f"of {rule.units} units": rule.units > 1,
    }
    return (mark for mark, is_so in marks.items() if is_so)


def _amounts(rules: Rules, rule: WagerRule, number: int) -> list[str]:
    """Return the steps of a payout, its charge, and the odds behind 7.00, in words."""
    said = []
    if not isinstance(rule.entry, Composite) and (number in rule.numbers or rule.lines):
        said.append(f"steps {rule.unit(number, rules.chip)}, wins {rules.winnings(rule.payouts[number], 12_00)}")
    if rule.vigorish:
        is_made = "made" if rule.vigorish.is_due_when_made(number) else "won"
        said.append(f"owes {rules.vigorish_on(rule, number, 59_00)} when {is_made} [{rule.vigorish.clause(number)}]")
    if rule.behind:
        said.append(f"{rules.odds_cents_max(rule, number, 7_00)} or {rules.odds_cents_posted(rule, number, 7_00)}")
    return said


def _said(name: str, house: dict[str, object]) -> list[str]:
    rules = Rules.under(rulebook_of(name), house)
    return [_line(rules, rule) for rule in rules.wagers.values()]


def _told(elected: str) -> list[str]:
    name, _, text = elected.partition(" ")
    house = tomllib.loads(f"house = {text}")["house"]
    usual = (
        _said(name, {key: value for key, value in house.items() if key == "game"}) if house.keys() - {"game"} else []
    )
    return [line for line in _said(name, house) if line not in usual]


@pytest.mark.parametrize(("elected", "told"), CASES, ids=[elected for elected, _ in CASES])
def test_every_wager_is_compiled_as_listed(elected: str, told: list[str]) -> None:
    assert _told(elected) == told


def test_rules_apply_their_limits_and_automate_every_house_step_unless_told_otherwise() -> None:
    maryland = rulebook_of("maryland")
    plain = [Rules.of("maryland"), Rules.under(maryland), Rules(maryland, Rules.of("maryland").house)]
    assert [(rules.limits_apply, rules.automate) for rules in plain] == [(True, AUTOMATED)] * 3
    few = frozenset({"call"})
    lifted = [
        Rules.of("maryland", limits_apply=False, automate=few),
        Rules.under(maryland, limits_apply=False, automate=few),
        Rules(maryland, plain[0].house, limits_apply=False, automate=few),
    ]
    assert [(rules.limits_apply, rules.automate) for rules in lifted] == [(False, few)] * 3
    for rules in lifted:
        odds = rules.wagers["pass_odds"]
        assert (rules.odds_cents_max(odds, 6, 5_00), rules.odds_cents_posted(odds, 6, 5_00)) == (None, None)


def test_a_wager_without_vigorish_is_charged_none() -> None:
    """A place wager owes nothing on an amount for which a buy wager is charged."""
    rules = Rules.of("colorado")
    assert rules.vigorish_on(rules.wagers["buy"], 4, 100_00) > 0
    assert rules.vigorish_on(rules.wagers["place_win"], 4, 100_00) == 0


def test_the_limits_of_a_house_file_apply() -> None:
    """Only a tournament lifts them, and a house file cannot say that it plays one."""
    rules = Rules.from_file(Path(__file__).parent / "house_files" / "maryland.toml")
    most = rules.multiples[6] * 5_00
    assert rules.odds_cents_max(rules.wagers["pass_odds"], 6, 5_00) == most > 0
    tournament = Rules(rules.rulebook, rules.house, limits_apply=False)
    assert tournament.odds_cents_max(tournament.wagers["pass_odds"], 6, 5_00) is None


@pytest.mark.parametrize(("name", "game"), [(name, game) for name in REGULATIONS for game in rulebook_of(name).games])
def test_no_two_wagers_of_a_game_have_the_same_display_name(name: str, game: str) -> None:
    names = [rule.display_name(n) for rule in Rules.of(name, game=game).wagers.values() for n in {0, *rule.numbers}]
    assert len(set(names)) == len(names)


def test_a_display_name_is_made_from_the_regulations_name_unless_the_rulebook_has_a_label() -> None:
    maryland, harbour = Rules.of("maryland").wagers, Rules.under(load_rulebook(HARBOUR)).wagers
    shown = [maryland[kind].display_name(on) for kind, on in {"buy": 4, "place_lose": 6, "horn_high": 12}.items()]
    assert shown == ["Buy 4", "Place 6 to Lose", "Horn High 12"]
    assert [harbour["place_win"].display_name(5), harbour["field"].display_name()] == ["Berth 5", "Breakwater"]
