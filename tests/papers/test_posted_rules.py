"""The posted rules and the limits card against the engine: every wager, every payment, every limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from passline.dice import OUTCOMES, number_text
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table, Wager, open_table
from passline.game.spots import Spot, least_cents, unit_cents
from passline.money import cents_from
from passline.papers.house_papers import CardRow, card_notes, card_odds, card_rows
from passline.papers.posted_rules import PostedWager, posted_game, posted_procedures, posted_wagers
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.explain.election_form import elections_in_force
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Composite, Line, SideWager

GAMES = [(name, game) for name in REGULATIONS for game in rulebook_of(name).games]
SIDE = {"colorado": {"fire": "FB-1"}, "maryland": {"fire": "A", "bonus_craps": "A", "lucky_shooter": "B"}}
RACK = 1_000_000_00
each_game = pytest.mark.parametrize(("name", "game"), GAMES)


def rules_of(name: str, game: str) -> Rules:
    """Return a house that deals side wagers too, where the regulation has some in this game."""
    is_usual = game == "craps"
    return Rules.of(name, game=game, house={"side_wagers": SIDE.get(name, {})} if is_usual else None)


def posted_by_kind(rules: Rules) -> dict[str, PostedWager]:
    return {wager.kind: wager for wagers in posted_wagers(rules).values() for wager in wagers}


def card_by_kind(rules: Rules) -> dict[str, CardRow]:
    return {row.kind: row for rows in card_rows(rules).values() for row in rows}


@each_game
def test_every_wager_that_the_house_deals_is_posted_and_on_the_card(name: str, game: str) -> None:
    rules = rules_of(name, game)
    offered = [kind for kind, rule in rules.wagers.items() if rule.is_offered]
    assert sorted(posted_by_kind(rules)) == sorted(offered)
    assert sorted(card_by_kind(rules)) == sorted(offered)


@each_game
def test_every_clause_on_the_papers_is_in_the_matrix(name: str, game: str) -> None:
    rules = rules_of(name, game)
    wagers = posted_by_kind(rules).values()
    lines = [line.clauses for line in (*posted_game(rules), *posted_procedures(rules))]
    lines += [line.clauses for line in elections_in_force(rules)]
    cited = {clause for clauses in (*lines, *(wager.clauses for wager in wagers)) for clause in clauses}
    assert cited - set(clauses_of(name)) <= {"practice"}
    assert all(lines)
    assert all(wager.clauses and wager.how and wager.pays and wager.limits for wager in wagers)


def opened(rules: Rules) -> Table:
    """Return a table with one player who has chips."""
    table = open_table(rules, bank=100_000_000_00)
    for command in (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=RACK)):
        done = act(rules, table, command)
        assert not isinstance(done, Refused)
        table = done[1]
    return table


def table_with(table: Table, wagers: tuple[Wager, ...], puck: int) -> Table:
    """Return the table with the dice in the player's hand and some wagers up."""
    up = replace(
        table.position, puck=puck, shooter=1, dice="held", offered_to=0, dice_set=0, layout=tuple(sorted(wagers))
    )
    return Table(up, table.money)


def spots(rules: Rules) -> Iterator[tuple[WagerRule, int]]:
    """Yield every wager that is paid by its own list, with each number that it can be on when it is decided."""
    for rule in rules.wagers.values():
        if rule.is_offered and not isinstance(rule.entry, SideWager | Composite):
            moves = rules.points if isinstance(rule.entry, Line) and rule.entry.moves else frozenset()
            yield from ((rule, number) for number in sorted(rule.numbers | moves))


@each_game
def test_every_payment_on_the_sheet_is_the_engines(name: str, game: str) -> None:
    """Every wager is put up on every number, and every roll is thrown with a point on."""
    rules = rules_of(name, game)
    posted = posted_by_kind(rules)
    seen: dict[str, set[tuple[str, str]]] = {}
    empty = opened(rules)
    for rule, number in spots(rules):
        puck = number if rule.family == "odds" and number in rules.points else 9 if number != 9 else 5
        base = rules.wagers[rule.behind] if rule.behind else None
        cents = 2 * 3 * 5 * 7 * 8 * 9 * 11 * 100
        wagers: tuple[Wager, ...] = (Wager(1, "player", rule.kind, number, cents),)
        if base:
            wagers += (Wager(1, "player", base.kind, 0 if base.kind in {"pass", "dont_pass"} else number, cents),)
        table = table_with(empty, wagers, puck)
        for roll in {roll.pair: roll for roll in OUTCOMES}.values():
            done = act(rules, table, c.RollDice(first=roll.first, second=roll.second))
            assert not isinstance(done, Refused), str(done)
            for event in done[0]:
                if isinstance(event, e.WagerWon) and event.wager.kind == rule.kind:
                    assert event.winnings == event.pays.on(event.cents), "paid exactly"
                    outcomes = {"", number_text(number), str(roll.total), roll.pair}
                    lines = [
                        (pays, on)
                        for pays, on in posted[rule.kind].pays
                        if pays == str(event.pays) and outcomes & set(on.split(", "))
                    ]
                    assert lines, (
                        f"{rule.kind} {number} on {roll.pair} pays {event.pays}, posted {posted[rule.kind].pays}"
                    )
                    seen.setdefault(rule.kind, set()).update(lines)
    told = {rule.kind for rule, _number in spots(rules)}
    assert seen == {kind: set(posted[kind].pays) for kind in told}, "nothing is posted that is never paid"


def amount_on(printed: str, number: int) -> int:
    """Return an amount of the card on a number: the one that names it, or else the first."""
    first, *others = printed.split("; ")
    named = [one.partition(" on ") for one in others]
    found = next((cents for cents, _, on in named if number_text(number) in on.split(", ")), first)
    return cents_from(found.replace(",", ""))


def range_on(posted: str, number: int) -> list[int]:
    """Return the two amounts of a wager's posted limits on a number."""
    ranges = [one.partition(" on ") for one in posted.split("; ")]
    found = next(amounts for amounts, _, on in ranges if not on or number_text(number) in on.split(", "))
    return [cents_from(one.replace(",", "")) for one in found.split(" to ")]


HOUSES = [
    *((name, game, {"side_wagers": SIDE.get(name, {})} if game == "craps" else {}) for name, game in GAMES),
    ("maryland", "craps", {"horn_high_area": False, "whirl_area": False}),
    ("section2", "craps", {"horn_high_area": False, "limits": {"centre": {"min": 500}}}),
    ("colorado", "craps", {"unpayable": "round_up"}),
]


@pytest.mark.parametrize(("name", "game", "elected"), HOUSES)
def test_the_least_and_the_most_on_the_papers_are_taken_and_no_less_and_no_more(
    name: str, game: str, elected: dict[str, Any]
) -> None:
    """Every wager but odds, on every number: as the card and the posted rules print it, by what the engine takes."""
    rules = Rules.of(name, game=game, house=elected)
    posted, empty = posted_by_kind(rules), opened(rules)
    rows = card_by_kind(rules)
    tried, alone = 0, set()
    offered = [rule for rule in rules.wagers.values() if rule.is_offered and not rule.behind]
    for rule, number in [(one, number) for one in offered for number in sorted(one.numbers)]:
        table = table_with(empty, (), 0 if rule.entry.make.when != "point" else 9)

        def makes(cents: int, kind: str = rule.kind, number: int = number, table: Table = table) -> bool:
            made = c.MakeWager(seat=1, wager=kind, number=number, cents=cents)
            return not isinstance(act(rules, table, made), Refused)

        least, most = amount_on(rows[rule.kind].least, number), amount_on(rows[rule.kind].most, number)
        assert range_on(posted[rule.kind].limits, number) == [least, most]
        if isinstance(rule.entry, SideWager) and not makes(least):
            alone.add(rule.kind)
            continue  # needs what is not on this table, such as a line wager
        said = f"{rule.kind} {number}, {least} to {most}"
        assert makes(least), said
        assert not any(makes(cents) for cents in range(rules.chip, least, rules.chip)), f"less than {said}"
        assert makes(most), said
        unit = unit_cents(rules, Spot(rule.kind, number))
        assert not any(makes(cents) for cents in range(most + rules.chip, most + 2 * unit, rules.chip)), f"over {said}"
        tried += 1
    assert tried > 10
    assert alone <= {"fire", "bonus_craps", "lucky_shooter"}


@each_game
def test_odds_on_the_card_are_the_multiples_that_the_engine_takes(name: str, game: str) -> None:
    rules = rules_of(name, game)
    on_card = {point: int(times.removesuffix("x")) for times, on in card_odds(rules) for point in on.split(", ")}
    assert on_card == dict(rules.house.odds)
    for rule in rules.wagers.values():
        if rule.behind and rule.entry.limit.on == "stake" and not rule.entry.limit.cents_max:  # type: ignore[union-attr]
            for point in rule.numbers & rules.points:
                cents = rules.odds_cents(rule, point, rules.chip * 100)
                assert cents == on_card[number_text(point)] * rules.chip * 100


def test_the_house_may_round_up_and_then_the_least_is_the_posted_minimum() -> None:
    rules = Rules.of("colorado", house={"unpayable": "round_up"})
    assert least_cents(rules, Spot("place_win", 6)) == rules.house.wager_cents_min
    assert "paid up to the next whole chip" in " ".join(card_notes(rules))


def test_a_wager_that_no_amount_fits_is_printed_so() -> None:
    rules = Rules.of("maryland", house={"limits": {"centre": {"min": 100, "max": 200}}})
    row = card_by_kind(rules)["horn"]
    assert (row.least, row.most) == ("none", "none")
    assert posted_by_kind(rules)["horn"].limits == "no amount, since none from $1 to $2 fits its steps"


@pytest.mark.parametrize(
    ("kind", "printed"),
    [("pass_odds", "3-4-5x up to $100,000"), ("dont_pass_odds", "3-4-5x to win, with up to $100,000 at stake")],
)
def test_an_amount_that_bounds_odds_is_of_the_stake(kind: str, printed: str) -> None:
    rules = Rules.of("arizona")
    row = card_by_kind(rules)[kind]
    assert row.most == printed
    base = 1_000_000_00  # so large that only the amount binds, whatever the odds win
    for number in rules.points:
        assert rules.odds_cents_max(rules.wagers[kind], number, base) == 100_000_00
