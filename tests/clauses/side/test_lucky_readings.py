"""Readings of Maryland's garbled Lucky Shooter text, and the exact returns by which the matrix judges them."""

import copy
import re
from fractions import Fraction
from importlib.resources import files
from typing import Any

import pytest

from passline.game import events as e
from passline.rules.pages.texts import read_toml
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook, Run
from tests.clauses.side.maryland import MD, Side
from tests.clauses.side.returns import best_return, exact_return
from tests.clauses.table import ANN, breaches_of, cites, settled

KIND = "lucky_shooter"
TABLES = tuple(MD["MD-5.J"].values["table"].split("|"))
STRICT = "strict"
# reading: the clause that names it, which of the ranges in its trap is its return, a hand, and what 5.00 on A nets
READINGS: dict[str, tuple[str, int, tuple[int, ...], int]] = {
    "pays_each_natural": ("MD-3.A.45.sm2", 0, (7, 11, 12), 5_00),
    "pays_first_natural": ("MD-3.A.45.sm2", 1, (7, 11, 12), 0),
    "returns_on_natural": ("MD-3.A.45.sm2", 2, (7, 12), 0),
    "initial_point_counts": ("MD-3.A.45.sm4", 0, (6, 4, 5, 8, 9, 6), 5_00 * 999),
    "points_made": ("MD-3.A.45.sm5", 0, (12, 6, 6, 3, 4, 4, 5, 5, 9, 7), 5_00 * 4),
    "craps_and_eleven_neutral": ("MD-3.A.45.sm8", 0, (6, 4, 11, 5, 2, 8, 12, 7), 5_00 * 4),
    "repeats_neutral": ("MD-3.A.45.sm9", 0, (6, 4, 4, 5, 4, 8, 5, 6), 5_00 * 4),
}
TRAP_IS_OFF = {"initial_point_counts": 370}  # the row says 363 for the least; on table B it is exactly 369.96 %


def _rules(table: str, reading: str = "", rulebook: Rulebook | None = None) -> Rules:
    house = {"side_wagers": {KIND: table}, **({"readings": {KIND: reading}} if reading else {})}
    return Rules.under(rulebook or rulebook_of("maryland"), house)


def _entry() -> Run:
    entry = rulebook_of("maryland").wagers[KIND]
    assert isinstance(entry, Run)
    return entry


def _ranges(clause: str) -> list[tuple[str, str]]:
    """The ranges of returns, in percent, that the trap of a row gives."""
    return re.findall(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)%", MD[clause].trap)


def _returns(clause: str) -> dict[str, str]:
    """The returns by pay table, in percent, that the trap of a row gives."""
    return dict(re.findall(r"\b([A-D]) (\d+\.\d+)%", MD[clause].trap))


def _percent(value: Fraction, like: str) -> str:
    """A return in percent, rounded to as many places as another is printed with."""
    places = len(like.partition(".")[2])
    whole = round(value * 100 * 10**places)
    return f"{whole // 10**places}.{whole % 10**places:0{places}}" if places else str(whole)


@pytest.mark.clause(*(f"MD-3.A.45.sm{n}" for n in range(1, 13)))
@pytest.mark.parametrize("table", TABLES)
def test_MD_3_A_45_sm1__the_strict_reading_returns_what_the_matrix_says(table: str) -> None:
    """MD-3.A.45.sm1: to a hundredth of a percent, and it is the reading in force where a house elects none."""
    stated = _returns("MD-3.A.45.sm1")
    assert set(stated) == set(TABLES)
    rules = _rules(table)
    assert rules.wagers[KIND].reading == _entry().readings[STRICT]
    assert _percent(exact_return(rules, KIND), stated[table]) == stated[table]


@pytest.mark.clause("MD-5.F", "MD-3.A.40.a", "MD-3.A.40.b", "MD-11.A.5", "MD-11.B.2")
@pytest.mark.parametrize("table", ["A", "B"])
def test_MD_5_F__the_fire_bet_returns_what_the_matrix_says(table: str) -> None:
    """MD-5.F: over every course a hand can take, by the engine's own judgement of each roll."""
    stated = _returns("MD-5.F")
    rules = Rules.of("maryland", house={"side_wagers": {"fire": table}})
    assert _percent(exact_return(rules, "fire"), stated[table]) == stated[table]


@pytest.mark.parametrize(
    "reading", [pytest.param(name, marks=pytest.mark.clause(one[0]), id=name) for name, one in READINGS.items()]
)
def test_another_reading_is_elected_by_data_and_pays_otherwise(reading: str) -> None:
    """MD-3.A.45.sm2 to sm9: each alternative the matrix names; its own clause, its own result, its stated return."""
    clause, index, totals, nets = READINGS[reading]
    assert cites([_Cited(_entry().readings[reading].cite)]) == {clause}
    results = {}
    for name in (STRICT, reading):
        side = Side(_rules("A", name))
        before = side.rack(ANN)
        side.make(ANN, KIND, 5_00)
        happened = side.throw(*totals)
        assert side.find(ANN, KIND) is None
        assert any(not isinstance(one, e.WagerMoved) for one in settled(happened, ANN, KIND))
        results[name] = side.rack(ANN) - before
    assert results[reading] == nets
    assert results[STRICT] != nets
    found = [exact_return(_rules(table, reading), KIND) for table in TABLES]
    least, most = _ranges(clause)[index]
    assert _percent(max(found), most) == most
    assert _percent(min(found), least) == str(TRAP_IS_OFF.get(reading, least))


class _Cited:
    """A rule's citation as events have it."""

    def __init__(self, cite: Any) -> None:  # noqa: ANN401 - a Cite
        self.clause = cite if isinstance(cite, str) else ", ".join(cite)


def test_every_reading_of_the_rulebook_is_tried_here() -> None:
    assert list(_entry().readings) == [STRICT, *READINGS]
    breaches = breaches_of("maryland", {"readings": {KIND: "lucky"}})
    assert [(one.key, cites([one])) for one in breaches] == [("readings.lucky_shooter", {"MD-3.A"})]
    assert [one.key for one in breaches_of("maryland", {"readings": {"fire": STRICT}})] == ["readings.fire"]


@pytest.mark.clause("MD-3.A.45.sm8", "MD-3.A.45.sm9")
def test_MD_3_A_45_sm8__a_reading_that_is_not_there_is_added_by_data_alone() -> None:
    """MD-3.A.45.sm8: craps, eleven and repeats neutral together, as one electronic version has them."""
    folder = files("passline") / "rulebooks" / "maryland"

    def read(path: Any) -> dict[str, Any]:  # noqa: ANN401 - a path of some kind
        data = copy.deepcopy(read_toml(path))
        if path.name == "sidewagers.toml":
            readings = data[KIND]["readings"]
            readings["both"] = {**readings["craps_and_eleven_neutral"], "repeats": "neutral"}
        return data

    rulebook = load_rulebook(folder, read=read)
    found = [exact_return(_rules(table, "both", rulebook), KIND) for table in TABLES]
    least, most = _ranges("MD-3.A.45.sm8")[1]
    assert (_percent(min(found), least), _percent(max(found), most)) == (least, most)


@pytest.mark.clause("MD-4.D.4")
def test_MD_4_D_4__taking_it_down_at_the_best_moment_returns_what_the_matrix_says() -> None:
    """MD-4.D.4: the right to remove a Lucky Shooter Bet is worth that much, which is why a house may lock it."""
    found = [best_return(_rules(table), KIND) for table in TABLES]
    [(least, most)] = _ranges("MD-4.D.4")
    assert (_percent(min(found), least), _percent(max(found), most)) == (least, most)
