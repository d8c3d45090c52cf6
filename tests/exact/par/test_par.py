"""Par against known values, and against a second method for every line of every regulation."""

from fractions import Fraction

import pytest

from passline.exact.par.sheet import SheetLine
from passline.rules.clauses import REGULATIONS
from tests.cases import one_in
from tests.exact.par import oracles
from tests.exact.par.sheets import LONG, lines, whole

pytestmark = pytest.mark.long


def answer(line: SheetLine, regulation: str) -> oracles.Answer:
    """Solve a line by the second method."""
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


@pytest.mark.parametrize("regulation", [pytest.param(name, marks=LONG.get(name, ())) for name in REGULATIONS])
def test_a_second_method_agrees_on_every_line(regulation: str) -> None:
    for line in whole(regulation).lines:
        other, par = answer(line, regulation), line.par
        about = (line.game, line.wager, line.number, line.option)
        expected = (other.share(1), other.share(-1), 1 - other.share(1) - other.share(-1), other.rolls)
        assert (par.win, par.lose, par.push, par.rolls) == expected, about
        assert par.wagered == other.wagered, about
        assert par.edge == -other.mean / other.wagered, about
        assert par.edge_on_outlay == -other.mean / other.outlay, about
        assert par.edge_resolved == -other.mean / (other.wagered - par.push), (
            about
        )  # a wager that pushes has no odds yet
        assert par.edge_per_roll == par.edge / par.rolls, about
        if not (line.wager in {"come", "put"} and "; odds" in line.pays):  # their odds may be off on a come-out roll
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


@pytest.mark.parametrize(
    ("regulation", "wager", "number", "option", "edge"), one_in(3, KNOWN, others=pytest.mark.whole)
)
def test_known_edges(regulation: str, wager: str, number: str | None, option: str | None, edge: Fraction) -> None:
    assert lines(regulation, wager, number=number)[option].par.edge == edge


def test_known_side_wagers() -> None:
    fire = lines("maryland", "fire")
    assert f"{float(fire['A'].par.edge):.4%} {float(fire['B'].par.edge):.4%}" == "20.7628% 23.8869%"
    assert f"{float(lines('maryland', 'small')['A'].par.edge):.4%}" == "7.7613%"
    assert lines("maryland", "fire")["A"].par.rolls == Fraction(1671, 196), "the mean hand"
    assert lines("section2", "buy", number="4")["5% of wager when made"].par.edge_on_outlay == Fraction(1, 21)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("names", "least"), [(("arizona", "section2"), 40), pytest.param(REGULATIONS, 200, marks=pytest.mark.sweep)]
)
def test_lines_that_two_regulations_treat_alike_agree(names: tuple[str, ...], least: int) -> None:
    compared = 0
    for one in names:
        for other in names[names.index(one) + 1 :]:
            theirs = {
                (line.wager, line.number, line.option, line.pays, line.par.stake): line.par
                for line in whole(other).lines
                if line.game != "craps_free_craps"
            }
            for line in whole(one).lines:
                key = (line.wager, line.number, line.option, line.pays, line.par.stake)
                if line.game == "craps_free_craps" or key not in theirs:
                    continue
                if "odds" in (line.option or "") and line.wager != "pass":  # their limits and when they work differ
                    continue
                assert line.par == theirs[key], (one, other, key)
                compared += 1
    assert compared > least
