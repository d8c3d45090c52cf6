"""Par sheets: known values, a second method for every family, and what is left out, shared and flagged."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from passline.errors import CrapsError
from passline.exact.par.favourable import Stakes, favourable_stakes
from passline.exact.par.lines import Offered, offered_by_house, permitted, smallest_exact_stake
from passline.exact.par.par import par_of
from passline.exact.par.sheet import Line, Sheet, SheetError, sheet
from passline.exact.par.solver import Solver, treatment
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_model import wagers_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import OddsWager
from passline.strategy.strategy_table import UnlawfulWish
from tests.exact import oracles

ROUNDING = {"unpayable": "round_up"}


@cache
def whole(regulation: str) -> Sheet:
    return sheet(regulation)


def lines(regulation: str, wager: str, *, number: str | None = None, game: str = "craps") -> dict[str | None, Line]:
    found = [line for line in whole(regulation).lines if (line.game, line.wager, line.number) == (game, wager, number)]
    return {line.option: line for line in found}


def answer(line: Line, regulation: str) -> oracles.Answer:
    """The line by a second method."""
    number, pays, option = line.number, line.pays, line.option
    match line.wager:
        case "pass" | "dont_pass" | "come" | "dont_come":
            return oracles.line(line.wager, pays, option, game=line.game, regulation=regulation)
        case "place_win" | "place_lose" | "buy" | "lay" | "put" | "big":
            return oracles.number(line.wager, int(number or 0), pays, option)
        case "hardway":
            return oracles.hardway(int(number or 0), pays)
        case "c_and_e" | "horn" | "horn_high" | "whirl":
            return oracles.composite(line.wager, number, pays)
        case "fire":
            return oracles.fire(pays, regulation=regulation)
        case "sharp_shooter":
            return oracles.sharp_shooter(pays)
        case "front_line_winner":
            return oracles.front_line_winner(pays)
        case "small" | "tall" | "all" | "little_ones" | "big_ones" | "boom_or_bust":
            return oracles.collection(line.wager, pays)
        case "lucky_shooter":
            return oracles.lucky_shooter(pays, (option or "").partition(", ")[2])
        case _:
            return oracles.one_roll(line.wager, number, pays)


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_second_method_agrees_on_every_line(regulation: str) -> None:
    for line in whole(regulation).lines:
        other, par = answer(line, regulation), line.par
        about = (line.game, line.wager, line.number, line.option)
        expected = (other.share(1), other.share(-1), 1 - other.share(1) - other.share(-1), other.rolls)
        assert (par.win, par.lose, par.push, par.rolls) == expected, about
        assert par.wagered == other.wagered, about
        assert par.edge == -other.mean / other.wagered, about
        assert par.edge_on_outlay == -other.mean / other.outlay, about
        assert par.edge_resolved == -other.mean / (other.wagered - par.push), about  # what pushes has no odds yet
        assert par.edge_per_roll == par.edge / par.rolls, about
        if not (line.wager in {"come", "put"} and "; odds" in line.pays):  # whose odds may be off on a come-out roll
            assert par.variance == other.variance, about


KNOWN = [
    ("section2", "pass", None, None, Fraction(7, 495)),
    ("section2", "dont_pass", None, None, Fraction(3, 220)),
    ("section2", "come", None, None, Fraction(7, 495)),
    ("section2", "dont_come", None, None, Fraction(3, 220)),
    ("section2", "pass", None, "odds 2x", Fraction(1, 165)),
    ("section2", "place_win", "6", None, Fraction(1, 66)),
    ("section2", "place_win", "5", None, Fraction(1, 25)),
    ("section2", "place_win", "4", None, Fraction(1, 15)),
    ("section2", "place_lose", "6", None, Fraction(1, 55)),
    ("section2", "hardway", "8", None, Fraction(1, 11)),
    ("section2", "hardway", "4", None, Fraction(1, 9)),
    ("section2", "field", None, None, Fraction(1, 18)),
    ("section2", "any_seven", None, None, Fraction(1, 6)),
    ("section2", "any_craps", None, None, Fraction(1, 9)),
    ("section2", "horn", None, None, Fraction(1, 8)),
    ("section2", "whirl", None, None, Fraction(2, 15)),
    ("maryland", "any_seven", None, "26 to 5", Fraction(-1, 30)),
    ("maryland", "buy", "4", "5% of wager when made", Fraction(1, 20)),
    ("maryland", "buy", "4", "5% of wager when won", Fraction(1, 60)),
    ("colorado", "lay", "4", "5% of potential win when made", Fraction(1, 40)),
    ("colorado", "put", "6", None, Fraction(1, 11)),
    ("colorado", "put", "4", "odds 3x", Fraction(1, 12)),
    ("colorado", "big", "8", None, Fraction(1, 11)),
]


@pytest.mark.parametrize(("regulation", "wager", "number", "option", "edge"), KNOWN)
def test_known_edges(regulation: str, wager: str, number: str | None, option: str | None, edge: Fraction) -> None:
    assert lines(regulation, wager, number=number)[option].par.edge == edge


def test_known_side_wagers() -> None:
    fire = lines("maryland", "fire")
    assert f"{float(fire['A'].par.edge):.4%} {float(fire['B'].par.edge):.4%}" == "20.7628% 23.8869%"
    assert f"{float(lines('maryland', 'small')['A'].par.edge):.4%}" == "7.7613%"
    assert lines("maryland", "fire")["A"].par.rolls == Fraction(1671, 196), "the mean hand"
    assert lines("section2", "buy", number="4")["5% of wager when made"].par.edge_on_outlay == Fraction(1, 21)


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_every_wager_of_a_rulebook_has_its_line(regulation: str) -> None:
    rulebook = rulebook_of(regulation)
    for name, game in rulebook.games.items():
        entries = wagers_of(rulebook, game)
        expected = {kind for kind, entry in entries.items() if not isinstance(entry, OddsWager)}
        assert {line.wager for line in whole(regulation).lines if line.game == name} == expected
        behind = {entry.behind for entry in entries.values() if isinstance(entry, OddsWager)}
        for wager in behind:
            mine = [line for line in whole(regulation).lines if (line.game, line.wager) == (name, wager)]
            assert any("; odds" in line.pays for line in mine)
        for kind, entry in entries.items():
            options = {line.option for line in whole(regulation).lines if (line.game, line.wager) == (name, kind)}
            for table in getattr(entry, "tables", ()):
                assert table in options


def test_lines_that_two_regulations_treat_alike_agree() -> None:
    compared = 0
    for one in REGULATIONS:
        for other in REGULATIONS[REGULATIONS.index(one) + 1 :]:
            theirs = {
                (line.wager, line.number, line.option, line.pays, line.par.stake): line.par
                for line in whole(other).lines
                if line.game != "craps_free_craps"
            }
            for line in whole(one).lines:
                key = (line.wager, line.number, line.option, line.pays, line.par.stake)
                if line.game == "craps_free_craps" or key not in theirs:
                    continue
                if "odds" in (line.option or "") and line.wager != "pass":  # how they are limited and work differs
                    continue
                assert line.par == theirs[key], (one, other, key)
                compared += 1
    assert compared > 200


def test_both_games_of_a_regulation_are_figured_once() -> None:
    solver = Solver()
    kinds = ("pass", "place_win", "fire")
    for game in ("craps", "mini_craps"):
        for one in offered_by_house(Rules.of("maryland", game=game, house={"side_wagers": {"fire": "A"}})):
            if one.kind in kinds and not one.odds:
                stake = smallest_exact_stake(one)
                assert stake
                shared = solver.par(one, stake)
                assert shared == par_of(one.rules, kind=one.kind, number=one.number, cents=stake)
    assert solver.solved == 1 + 6 + 1


def test_what_is_treated_differently_is_figured_apart() -> None:
    place = [one for one in permitted("colorado", "craps") if one.kind == "place_win"]
    assert len({treatment(one) for one in place}) == len(place)
    rounding = Rules.of("colorado", house=ROUNDING)
    plain, rounded = (Offered(rules=rules, kind="place_win", number=6) for rules in (place[0].rules, rounding))
    assert treatment(plain) != treatment(rounded)
    tables = [one for one in permitted("maryland", "craps") if one.kind in {"all", "boom_or_bust"}]
    assert [one.option for one in tables] == ["A", "B", "A", "B"]
    assert len({treatment(one) for one in tables}) == 2, "they need the same totals and pay the same"


def test_a_house_that_gives_the_edge_away_is_flagged() -> None:
    seven = lines("maryland", "any_seven")
    assert seven[None].par.favours == "house"
    assert not seven[None].is_flagged
    given = seven["26 to 5"]
    assert (given.par.favours, given.is_flagged) == ("player", True)
    house = sheet(Rules.of("maryland", house={"payouts": {"any_seven": "26 to 5"}}), wager="any_seven").lines
    assert [line.par.edge for line in house] == [Fraction(-1, 30)]


def favourable(rules: Rules, kind: str, number: int = 0, option: str | None = None) -> list[str]:
    solver = Solver()
    offers = [one for one in offered_by_house(rules) if (one.kind, one.number) == (kind, number)]
    one = next(one for one in offers if option is None or one.option == option)
    stake = smallest_exact_stake(one)
    assert stake
    return [str(some) for some in favourable_stakes(one, solver.par(one, stake), solver.par)]


def test_colorado_with_rounding_has_stakes_that_cost_nothing() -> None:
    rules = Rules.of("colorado", house=ROUNDING)
    assert par_of(rules, kind="place_win", number=6, cents=5_00).edge == 0
    assert favourable(rules, "place_win", 6)[0] == "5.00"
    assert favourable(rules, "buy", 4) == ["5.00-19.00"]
    assert par_of(rules, kind="buy", number=4, cents=19_00).edge == 0
    assert par_of(rules, kind="buy", number=4, cents=20_00).edge == Fraction(1, 20)
    assert favourable(rules, "hardway", 6) == []


def test_without_rounding_only_vigorish_is_rounded() -> None:
    rules = Rules.of("colorado")
    assert favourable(rules, "place_win", 6) == []
    assert favourable(rules, "buy", 5) == ["6.00-18.00 by 2.00"]
    large = Rules.of("colorado", house={"wager_cents_min": 2000})
    assert favourable(large, "buy", 4) == []


@pytest.mark.parametrize(
    ("house", "kind", "number", "odds"),
    [
        (ROUNDING, "place_win", 6, ""),
        (ROUNDING, "place_lose", 4, ""),
        (ROUNDING, "buy", 5, ""),
        (ROUNDING, "lay", 9, ""),
        ({}, "lay", 9, ""),
        (ROUNDING, "dont_pass", 0, "dont_pass_odds"),
        (ROUNDING, "horn", 0, ""),
        (ROUNDING, "whirl", 0, ""),
        (ROUNDING, "field", 0, ""),
    ],
)
def test_no_favourable_stake_is_missed(house: dict[str, str], kind: str, number: int, odds: str) -> None:
    """Every stake up to the maximum, compiled: the bound and what is not compiled for it leave nothing out."""
    rules = Rules.of("colorado", house={**house, "wager_cents_max": 60_00})
    one = Offered(rules=rules, kind=kind, number=number, odds=odds)
    solver = Solver()
    stake = smallest_exact_stake(one)
    assert stake
    found = favourable_stakes(one, solver.par(one, stake), solver.par)
    claimed = {cents for some in found for cents in range(some.first, (some.last or 0) + 1, some.step)}
    free = set()
    for cents in range(rules.wagers[kind].min, rules.wagers[kind].max + 1, rules.chip):
        try:
            edge = solver.par(one, cents).edge
        except UnlawfulWish:
            continue
        if edge <= 0 and not (odds and cents > 20_00):  # where the cap on odds binds
            free.add(cents)
    assert claimed == free


def test_stakes_print_compactly() -> None:
    assert str(Stakes(10_00, 50_00, 10_00)) == "10.00-50.00 by 10.00"


def test_a_stake_of_ones_own() -> None:
    rules = Rules.of("colorado", house=ROUNDING)
    place = sheet(rules, wager="place_win", number="6", stake=7_00).lines[0]
    assert (place.par.stake, place.par.favours) == (7_00, "player")
    permitted_ = sheet("colorado", game="craps", wager="place_win", number="6", stake=5_00).lines[0]
    assert (permitted_.option, permitted_.par.favours) == ("rounded up", "nobody")
    both = {line.option: line.par for line in sheet("colorado", game="craps", wager="pass", stake=7_00).lines}
    assert both["odds 3x"].favours == "house"
    assert both["odds 3x, rounded up"].favours == "player"
    assert "rounded up" not in both, "even money is never rounded"


def test_a_stake_that_is_refused_names_the_clause() -> None:
    with pytest.raises(SheetError, match=r"^place_win 6 for 7.00: 7.00 at 7 to 6 cannot be paid .*\[MD-5.A\]$"):
        sheet("maryland", game="craps", wager="place_win", number="6", stake=7_00)
    with pytest.raises(CrapsError, match=r"\[MD-3.B.1"):
        sheet("maryland", game="craps", wager="pass", stake=1_00)


def test_a_stake_that_some_lines_refuse_leaves_them_out_with_a_note() -> None:
    place = sheet("maryland", game="craps", wager="place_win", stake=5_00)
    assert [line.number for line in place.lines] == ["4", "5", "9", "10"]
    assert len(place.notes) == 2
    assert place.notes[0].startswith("left out: place_win 6 for 5.00: ")
    assert all("[MD-" in note for note in place.notes)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"wager": "plaice"}, r"no wager 'plaice' here; choose pass, dont_pass, .*whirl"),
        ({"wager": "place_win", "number": "7"}, "place_win is not made on 7; choose 4, 5, 6, 8, 9, 10"),
        ({"wager": "pass", "number": "6"}, "pass is not made on 6; it has no number"),
        ({"number": "6"}, "number 6 of which wager"),
        ({"wager": "place_win", "number": "x"}, "'x' is no number"),
        ({"game": "mini_craps"}, "arizona deals craps, not mini_craps"),
    ],
)
def test_what_is_not_there_is_an_error_that_lists_what_is(asked: dict[str, str], message: str) -> None:
    with pytest.raises(CrapsError, match=message):
        sheet("arizona", **asked)  # type: ignore[arg-type]


def test_a_house_deals_one_game() -> None:
    with pytest.raises(SheetError, match="deals craps, not mini_craps"):
        sheet(Rules.of("maryland"), game="mini_craps")
    with pytest.raises(CrapsError, match="there is no rulebook 'nevada'"):
        sheet("nevada")


def test_progress_is_told() -> None:
    told: list[tuple[int, int, str]] = []
    sheet("arizona", wager="hardway", progress=lambda *one: told.append(one))
    assert told == [(n, 4, f"hardway {number}") for n, number in enumerate((4, 6, 8, 10))] + [(4, 4, "")]
