"""The lines of a sheet: none is missing."""

from fractions import Fraction

import pytest

from passline.dice import OUTCOMES
from passline.exact.par.sheet import SheetError, sheet
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Composite, OddsWager, wagers_of
from tests.exact.par.sheets import LONG, lines, sheet_of, whole

pytestmark = pytest.mark.long


each_regulation = pytest.mark.parametrize(
    "regulation", [pytest.param(name, marks=LONG.get(name, ())) for name in REGULATIONS]
)


@each_regulation
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


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_an_option_of_a_part_is_an_option_of_the_whole(regulation: str) -> None:
    rulebook = rulebook_of(regulation)
    for name, game in rulebook.games.items():
        entries = wagers_of(rulebook, game)
        for kind, entry in entries.items():
            for part in entry.parts.units if isinstance(entry, Composite) else ():
                for option in filter(None, (line.or_pays for line in getattr(entries.get(part), "pays", ()))):
                    assert f"{part.replace('_', ' ')} {option}" in lines(regulation, kind, game=name)


@pytest.mark.parametrize("game", ["craps", "mini_craps"])
@pytest.mark.clause("MD-5.A.23.b", "MD-5.E")
def test_a_whirl_has_a_line_for_each_payout_of_its_any_seven(game: str) -> None:
    nets = {2: 30 - 4, 12: 30 - 4, 3: 15 - 4, 11: 15 - 4}  # of five units; any other total loses all five
    whirl = lines("maryland", "whirl", game=game)
    for option, seven in ((None, Fraction(4)), ("any seven 26 to 5", Fraction(26, 5))):
        mean = sum((nets | {7: seven - 4}).get(roll.total, Fraction(-5)) for roll in OUTCOMES) / 36
        assert whirl[option].par.edge == -mean / 5
    assert whirl["any seven 26 to 5"].par.stake == 25_00, "a fifth must be payable at 26 to 5"
    assert "MD-5.A.23.b" in whirl["any seven 26 to 5"].clauses
    assert list(whirl) == [None, "any seven 26 to 5"]
    elected = Rules.of("maryland", house={"game": game, "payouts": {"any_seven": "26 to 5"}})
    assert [line.option for line in sheet(elected, wager="whirl").lines] == ["any seven 26 to 5"]


@pytest.mark.clause("CO-2308-1-cap", "CO-2308-2-cap", "CO-2308-3-cap", "CO-2308-4-cap")
def test_odds_that_only_fit_below_the_default_minimum_are_listed_there() -> None:
    for wager, option, stake, cap in (
        ("pass", "odds 20x", 5_00, ""),
        ("pass", "odds 50x", 1_00, "CO-2308-1-cap"),
        ("pass", "odds 100x", 1_00, "CO-2308-1-cap"),
        ("dont_pass", "odds 10x", 6_00, ""),
        ("dont_pass", "odds 20x", 3_00, "CO-2308-2-cap"),
        ("come", "odds 100x", 1_00, "CO-2308-3-cap"),
        ("dont_come", "odds 20x", 3_00, "CO-2308-4-cap"),
    ):
        line = lines("colorado", wager)[option]
        assert line.par.stake == stake
        flat, multiple = lines("colorado", wager)[None].par, int(option[5:-1])
        assert line.par.edge == flat.edge / (1 + multiple * Fraction(24, 36)), "24 of 36 rolls set a point"
        said = [
            note for note in sheet_of("colorado", wager).notes if note.startswith(f"{wager}, {option}: shown below")
        ]
        assert len(said) == bool(cap)
        assert all(cap in note for note in said)


@each_regulation
def test_no_line_is_left_out_without_a_word(regulation: str) -> None:
    multiples = ("1x", "2x", "3-4-5x", "3x", "5x", "10x", "20x", "50x", "100x")
    left_out = [note for note in whole(regulation).notes if note.startswith("left out: ")]
    kinds = {line.wager for line in whole(regulation).lines if "; odds" in line.pays}
    for kind in kinds:
        listed = {line.option for line in whole(regulation).lines if line.wager == kind}
        for odds in (f"odds {multiple}" for multiple in multiples):
            why = [note for note in left_out if note.startswith(f"left out: {kind}, {odds}: odds behind ")]
            assert (odds in listed) == (not why)
    assert bool(left_out) == (regulation == "colorado"), "only there a cap in money is below a multiple"


def test_a_house_whose_odds_never_fit_under_the_cap_is_told_so() -> None:
    odds = dict.fromkeys(("4", "5", "6", "8", "9", "10"), 50)
    rules = Rules.of("colorado", house={"odds": odds})
    made = sheet(rules, wager="pass")
    assert [line.option for line in made.lines] == [None]
    (note,) = made.notes
    assert note == (
        "left out: pass, odds 50x: odds behind 5.00, the least that 1.00 chips pay exactly, are 250.00: above 100.00 "
        "[CO-2308-1-cap, CO-2308-1-house]"
    )
    dear = sheet("colorado", game="craps", wager="pass", stake=30_00)
    assert "odds 5x" not in {line.option for line in dear.lines}
    assert any(
        note.startswith("left out: pass, odds 5x: odds behind 30.00 are 150.00: above 100.00") for note in dear.notes
    )
    small = Rules.of("maryland", house={"limits": {"place_win": {"min": 100, "max": 400}}})
    with pytest.raises(SheetError, match=r"^place_win: no stake up to 4.00 is paid exactly \[MD-3.B.2"):
        sheet(small, wager="place_win", number="6")
