"""What differs between two houses: precisely the elections that were changed, and what comes of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from passline.errors import CrapsError
from passline.exact.par.lines import offered_by_house, smallest_exact_stake
from passline.exact.par.par import par_of
from passline.exact.par.sheet import edge_changes
from passline.papers.differences import house_differences
from passline.rules.clauses import REGULATIONS
from passline.rules.elections import House, HouseBreaches, house_digest
from passline.rules.rules import Rules
from passline.rules.schema import SideWager, cites_of

DEFAULT = {name: Rules.of(name) for name in REGULATIONS}


def variants(rules: Rules) -> Iterator[dict[str, Any]]:
    """Yield a change of each election that a house may make: another choice, another number, another pay table."""
    for key, election in rules.rulebook.elections.items():
        if key not in House.__struct_fields__:
            yield from ({"side_wagers": {key: table}} for table in election.choices if table != "none")
            continue
        value = getattr(rules.house, key)
        if election.choices:
            yield from ({key: one} for one in election.choices if one != value)
        elif election.subset_of:
            yield {key: (int(election.subset_of[0]) if election.subset_of[0].isdigit() else election.subset_of[0],)}
        elif isinstance(value, int):
            yield from ({key: one} for one in (value + 100, value - 100))
    yield {"odds": dict.fromkeys(rules.house.odds, 1)}
    yield {"limits": {"field": {"min": 1000, "max": 5000}}}
    yield {"seats": 12}


@pytest.mark.sweep
@pytest.mark.parametrize("name", REGULATIONS)
def test_a_house_that_differs_in_an_election_differs_in_precisely_that(name: str) -> None:
    before, tried = DEFAULT[name], 0
    for elected in variants(before):
        try:
            after = Rules.of(name, house=elected)
        except HouseBreaches:
            continue  # not alone, or not at all
        found = house_differences(before, after)
        changed = {key for key in House.__struct_fields__ if getattr(before.house, key) != getattr(after.house, key)}
        assert {one.key.partition(".")[0] for one in found.elections} == changed, elected
        for one in found.elections:
            assert one.before != one.after
            election = after.rulebook.elections.get(one.key.rpartition(".")[2])
            if election and one.key not in {"odds_cents_max", "seats"}:
                assert set(cites_of(election.cite)) >= {c for c in one.clauses if "," not in c and " to " not in c}
        back = house_differences(after, before)
        assert [(one.key, one.after, one.before) for one in back.elections] == [
            (one.key, one.before, one.after) for one in found.elections
        ]
        assert (len(back.player), len(back.dealer)) == (len(found.player), len(found.dealer))
        tried += 1
    assert tried > 5


@pytest.mark.parametrize(
    "elected", [{"wager_cents_min": 10_00}, {"limit_notice_minutes": 60}, {"horn_high_area": False}]
)
def test_one_election_that_differs_is_named_alone(elected: dict[str, Any]) -> None:
    """The sweep above tries every election; these are one of each sort."""
    found = house_differences(DEFAULT["maryland"], Rules.of("maryland", house=elected))
    assert [one.key for one in found.elections] == list(elected)
    assert found.is_dealt_alike == ("limit_notice_minutes" in elected)


@pytest.mark.parametrize("name", REGULATIONS)
def test_a_house_beside_itself_changes_nothing(name: str) -> None:
    found = house_differences(DEFAULT[name], Rules.of(name))
    assert (found.elections, found.player, found.dealer, found.is_dealt_alike) == ((), (), (), True)


def test_what_is_paid_otherwise_is_told_to_both() -> None:
    before = DEFAULT["maryland"]
    found = house_differences(before, Rules.of("maryland", house={"payouts": {"any_seven": "26 to 5"}}))
    assert "Any Seven Bet on 7 pays 26 to 5; before, it paid 4 to 1. [MD-5.A.23.a, b]" in map(str, found.player)
    assert "Pay Any Seven Bet on 7 at 26 to 5, no longer at 4 to 1. [MD-5.A.23.a, b]" in map(str, found.dealer)


def test_a_wager_that_comes_or_goes_is_named_with_its_odds() -> None:
    plain, fire = DEFAULT["maryland"], Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
    (comes,) = house_differences(plain, fire).player
    assert comes.says == "Fire Bet is offered: $1 to $5, paid 24 to 1 on 4; 249 to 1 on 5; 999 to 1 on 6"
    (goes,) = house_differences(fire, plain).player
    assert goes.says == "Fire Bet is no longer offered"


def test_what_only_the_crew_does_otherwise_is_not_told_to_a_player() -> None:
    centre, horn = {"min": 1_00, "max": 1_000_00}, {"min": 1_00, "max": 800_00}
    limits = {"centre": centre, "horn": horn}  # so a whirl is at most the same, booked in parts or not
    before = Rules.of("maryland", house={"limits": limits})
    found = house_differences(before, Rules.of("maryland", house={"limits": limits, "whirl_area": False}))
    assert found.player == ()
    assert [one.says.partition(":")[0] for one in found.dealer] == ["Whirl Bet, booked as"]


def test_a_wager_that_is_booked_as_others_has_their_limits() -> None:
    found = house_differences(DEFAULT["maryland"], Rules.of("maryland", house={"whirl_area": False}))
    assert [limit.says for limit in found.limits] == ["Whirl Bet: $5 to $1,250; before, $5 to $1,000"]


def test_a_limit_is_said_once() -> None:
    """Neither again as an election, nor to a player and once more to a dealer."""
    limits = {"field": {"min": 10_00, "max": 50_00}}
    elected = {"wager_cents_min": 10_00, "limits": limits, "odds": dict.fromkeys(DEFAULT["maryland"].house.odds, 2)}
    found = house_differences(DEFAULT["maryland"], Rules.of("maryland", house=elected))
    said = [*map(str, found.limits), *map(str, found.other_elections), *map(str, found.player), *map(str, found.dealer)]
    assert sum("Field Bet: $10 to $50; before, $5 to $5,000" in line for line in said) == 1
    assert sum("up to 2x" in line for line in said if "supplemental" in line and "Don't" not in line) == 1
    assert not [line for line in said if line not in {*map(str, found.limits)}]
    assert {change.key for change in found.elections} >= {"wager_cents_min", "odds"}, "the list itself is whole"


def test_houses_of_two_regulations_are_sent_to_the_rulebooks() -> None:
    with pytest.raises(CrapsError, match="two regulations are compared by passline rulebook diff"):
        house_differences(DEFAULT["maryland"], DEFAULT["colorado"])


def test_house_rules_that_differ_are_told_entry_by_entry() -> None:
    before = DEFAULT["arizona"]
    kept = msgspec.json.decode(msgspec.json.encode(before.house.procedures))
    kept["throw"]["rethrow"]["reading"] = "House rule, of the day shift too."
    after = Rules.of("arizona", house={"procedures": kept})
    assert house_digest(before.house) != house_digest(after.house)
    found = house_differences(before, after)
    assert [(one.key, one.before, one.after) for one in found.elections] == [
        ("procedures.throw.rethrow.reading", "House rule", "House rule, of the day shift too")
    ]


def test_a_side_wager_that_is_named_as_not_offered_is_no_difference() -> None:
    named = Rules.of("maryland", house={"side_wagers": {"fire": "none"}})
    assert house_differences(DEFAULT["maryland"], named).elections == ()


@pytest.mark.sweep
@pytest.mark.parametrize(
    "elected",
    [
        {"payouts": {"any_seven": "26 to 5"}},
        {"buy_vigorish_when": "won", "lay_vigorish_when": "won"},
        {"lay": "in_lieu"},
    ],
)
def test_edges_are_those_of_the_par_sheets_before_and_after(elected: dict[str, Any]) -> None:
    rules = DEFAULT["maryland"], Rules.of("maryland", house=elected)
    expected: dict[tuple[str, int, str], list[object]] = {}
    for place, one in enumerate(rules):
        for line in offered_by_house(one):
            if not line.odds and not isinstance(one.wagers[line.kind].entry, SideWager):
                stake = smallest_exact_stake(line)
                assert stake
                key = one.wagers[line.kind].display_name(), line.number, line.odds
                pair = expected.setdefault(key, [None, None])
                pair[place] = par_of(one, kind=line.kind, number=line.number, cents=stake).edge
    found = {
        (change.wager, int(number or 0)): [change.before.edge, change.after.edge]
        for change in edge_changes(*rules)
        for number in change.numbers or ("",)
    }
    assert found == {(name, number): pair for (name, number, _), pair in expected.items() if pair[0] != pair[1]}
    assert msgspec.json.encode(edge_changes(rules[0], rules[0])) == b"[]"
