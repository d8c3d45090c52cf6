"""Plays crapssim and Passline on the same dice, for every line of docs/crapssim.md, and compares all bankrolls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from crapssim import bet
from crapssim.strategy import examples, odds, single_bet, tools
from crapssim.table import Table

from passline.automaton.arrays import LIMIT, RUIN
from passline.automaton.network import network
from passline.automaton.terms import Terms
from passline.dice import Roll, roll_of
from passline.dice_sources import seeded_rolls
from passline.rules.clauses import clauses_of
from passline.rules.rules import Rules
from passline.simulation.kernel_tables import Tables, limits_of, tables_of
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.replay import replay
from passline.strategy.lookup import strategy_of
from tests.cases import one_in
from tests.simulation.session_cases import SessionStep, session_steps

pytestmark = pytest.mark.long

GUIDE = (Path(__file__).parents[2] / "docs" / "crapssim.md").read_text(encoding="utf-8")
NAMES: dict[str, Any] = {
    **{mode.name: mode for mode in single_bet.StrategyMode},
    **{name: value for module in (bet, tools, single_bet, odds, examples) for name, value in vars(module).items()},
}
SIDES = {"maryland": {"side_wagers": {"fire": "A", "bonus_craps": "B"}}}
ROLLS = 150
ENOUGH, LITTLE = 100_000_00, 100_00


class Same(NamedTuple):
    """A line of the first table: a strategy that both play alike."""

    theirs: str
    ours: str
    regulation: str
    house: dict[str, Any]
    money: str


class Departure(NamedTuple):
    """A line of the second table, under one regulation: the dice and amounts where the two differ, and the clauses."""

    theirs: str
    ours: str
    regulation: str
    dice: tuple[Roll, ...]
    their_cents: Fraction
    our_cents: Fraction
    clauses: frozenset[str]


def rows(heading: str) -> Iterator[list[str]]:
    """Yield the cells of each line, in the table under a heading of the guide, that begins with a strategy."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", GUIDE, flags=re.MULTILINE | re.DOTALL)
    assert section
    for line in re.findall(r"^\| (`.*) \|$", section[1], flags=re.MULTILINE):
        yield [cell.strip() for cell in line.split(" | ")]


def elected(text: str) -> dict[str, Any]:
    """Return the elections that a cell names after its regulation, such as `side_wagers.fire = "A"`."""
    house: dict[str, Any] = {}
    for where, value in re.findall(r'`([\w.]+) = "(\w+)"`', text):
        group, dot, key = where.rpartition(".")
        if dot:
            house.setdefault(group, {})[key] = value
        else:
            house[key] = value
    return house


def alike() -> list[Same]:
    return [
        Same(theirs.strip("`"), ours.strip("`"), re.findall(r"\w+", under)[0], elected(under), money)
        for theirs, ours, under, money in rows("Strategies side by side")
    ]


def departures() -> list[Departure]:
    """Return each line once for every regulation it names, with the clauses of that regulation."""
    found = []
    for theirs, ours, under, dice, their, our, because in rows("Where crapssim departs from the regulations"):
        named = re.findall(r"[A-Z0-9]{2}-[\w.-]+", re.findall(r"\[(.*?)\]$", because)[0])
        rolls = tuple(roll_of(int(pair[0]), int(pair[2])) for pair in dice.split())
        for regulation in re.findall(r"\w+", under):
            clauses = frozenset(named) & set(clauses_of(regulation))
            amounts = Fraction(their) * 100, Fraction(our) * 100
            found.append(Departure(theirs.strip("`"), ours.strip("`"), regulation, rolls, *amounts, clauses))
    return found


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the strategy files of the guide, under their names."""
    folder = tmp_path_factory.mktemp("guide")
    for text in re.findall(r"^```toml\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL):
        name = re.findall(r'^name = "(\w+)"$', text, flags=re.MULTILINE)[0]
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def their_equities(strategy: str, bankroll_cents: int, dice: Sequence[Roll]) -> list[Fraction]:
    """Return crapssim's bankroll before and after each roll: the rack and the bets at face, in cents."""
    table = Table()
    player = table.add_player(bankroll_cents / 100, eval(strategy, NAMES))  # noqa: S307 # from our own page
    equities = [Fraction(bankroll_cents)]
    for roll in dice:
        table.fixed_run([(roll.first, roll.second)])
        dollars = player.bankroll + sum(one.amount for one in player.bets)
        equities.append(Fraction(round(dollars * 10_000)) / 100)  # its floats, rounded to a hundredth of a cent
    return equities


class Ours:
    """A strategy under a regulation, compiled once and played on any dice."""

    def __init__(self, text: str, regulation: str, folder: Path, house: Mapping[str, Any] | None = None) -> None:
        self.rules = Rules.of(regulation, house={**SIDES.get(regulation, {}), **(house or {})})
        here = str(folder / text) if text.endswith(".toml") else text
        self.strategy = strategy_of(here, self.rules)
        self.tables: Tables = tables_of(network(self.rules, self.strategy, short="reduce"))

    def steps(self, bankroll_cents: int, dice: Sequence[Roll]) -> tuple[SessionLimits, list[SessionStep]]:
        limits = limits_of(self.tables, Terms(bankroll_cents=bankroll_cents, rolls=len(dice)))
        outcomes = (6 * roll.first + roll.second - 7 for roll in dice)
        return limits, list(session_steps(self.tables, limits, outcomes))

    def equities(self, bankroll_cents: int, dice: Sequence[Roll]) -> tuple[list[int], int | None]:
        """Return the equity before every roll, in cents, and how the session ended."""
        limits, walked = self.steps(bankroll_cents, dice)
        return [limits.cents(moment.equity, self.tables.unit) for moment in walked], walked[-1].ending


def seed_for(session: int) -> int:
    return 2024 + session % 5


def thrown(session: int) -> list[Roll]:
    return list(islice(seeded_rolls(seed_for(session), session=session), ROLLS))


def compare(line: Same, folder: Path, bankroll_cents: int, sessions: int) -> tuple[int, int]:
    """Play and compare both. Return how many sessions ended in ruin and how many rolls changed a bankroll."""
    ours = Ours(line.ours, line.regulation, folder, line.house)
    ruined = moved = 0
    for session in range(sessions):
        dice = thrown(session)
        mine, ending = ours.equities(bankroll_cents, dice)
        theirs = their_equities(line.theirs, bankroll_cents, dice)
        assert mine == theirs[: len(mine)], f"session {session}"
        assert ending in (LIMIT, RUIN)
        if ending == RUIN:
            ruined += 1
            assert set(theirs[len(mine) - 1 :]) == {mine[-1]}, f"session {session} went on"
        moved += sum(before != after for before, after in pairwise(mine))
    return ruined, moved


@pytest.mark.parametrize(
    "line", one_in(20, alike(), others=pytest.mark.whole), ids=lambda line: f"{line.regulation}-{line.ours}"
)
def test_strategies_played_alike_have_equal_bankrolls_after_every_roll(line: Same, folder: Path) -> None:
    _ruined, moved = compare(line, folder, ENOUGH, sessions=25)
    assert moved > 25


@pytest.mark.parametrize(
    "line",
    one_in(10, [line for line in alike() if line.money == "any"]),
    ids=lambda line: f"{line.regulation}-{line.ours}",
)
def test_strategies_played_alike_agree_when_short_of_money(line: Same, folder: Path) -> None:
    """A player ruined in Passline makes no more bets in crapssim."""
    compare(line, folder, LITTLE, sessions=25)


@pytest.mark.whole
def test_some_sessions_compared_end_in_ruin(folder: Path) -> None:
    lines = {line.ours: line for line in alike()}
    for name in ("pass_345", "molly:odds=0", "six_eight", "hammerlock", "field", "whirl", "buy_4_10"):
        ruined, _moved = compare(lines[name], folder, LITTLE, sessions=25)
        assert ruined > 2, name


@pytest.mark.parametrize("case", departures(), ids=lambda case: f"{case.regulation}-{case.ours}")
def test_crapssim_departs_from_the_regulations_as_listed(case: Departure, folder: Path) -> None:
    """They differ on the last roll, by the listed amounts; the clauses named are those of this regulation."""
    assert case.clauses
    mine, _ending = Ours(case.ours, case.regulation, folder).equities(ENOUGH, case.dice)
    theirs = their_equities(case.theirs, ENOUGH, case.dice)
    assert mine[:-1] == theirs[:-1]
    assert (theirs[-1] - ENOUGH, Fraction(mine[-1] - ENOUGH)) == (case.their_cents, case.our_cents)


def test_the_guide_names_existing_clauses_and_all_its_lines_are_read() -> None:
    named = set(re.findall(r"\b(?:S2|MD|AZ|CO)-[\w.-]*\w", GUIDE))
    known = {clause for name in ("section2", "maryland", "arizona", "colorado") for clause in clauses_of(name)}
    assert named <= known
    assert {clause for case in departures() for clause in case.clauses} <= named
    assert len(alike()) > 30
    assert {case.regulation for case in departures()} == {"section2", "maryland", "arizona", "colorado"}


def test_crapssim_makes_an_affordable_bet_after_one_that_is_not(folder: Path) -> None:
    """With 32.00 and the point 4, Passline makes 5 and 6, crapssim 5, 6 and 9, and the 7 loses all of them."""
    dice = [roll_of(1, 3), roll_of(3, 4)]
    mine, _ending = Ours("inside", "section2", folder).equities(32_00, dice)
    assert mine == [32_00, 32_00, 10_00]
    assert their_equities("PlaceInside(10)", 32_00, dice) == [32_00, 32_00, 0]


def test_a_winning_place_wager_stays_up_only_in_crapssim(folder: Path) -> None:
    dice = [roll_of(4, 4), roll_of(4, 4), roll_of(3, 4)]
    mine, _ending = Ours("inside_working:unit=1200,numbers=6/8", "section2", folder).equities(ENOUGH, dice)
    theirs = their_equities(
        "BetPlace({6: 12, 8: 12}, mode=ADD_IF_POINT_ON, skip_point=False, always_working=True)", ENOUGH, dice
    )
    assert [one - ENOUGH for one in mine] == [0, 0, 14_00, 2_00]
    assert [one - ENOUGH for one in theirs] == [0, 0, 14_00, -10_00]


def test_the_engine_deals_the_sessions_compared(folder: Path) -> None:
    """The other tests compare the automaton with crapssim; this one compares the engine."""
    terms = Terms(bankroll_cents=LITTLE, rolls=ROLLS)
    for line in [line for line in alike() if line.money == "any"][::5]:
        ours = Ours(line.ours, line.regulation, folder, line.house)
        for session in range(2):
            dealt = replay(ours.rules, ours.strategy, terms, seed=seed_for(session), session=session, short="reduce")
            theirs = their_equities(line.theirs, LITTLE, thrown(session))
            equities = [step.equity_cents for step in dealt]
            assert equities == theirs[: len(equities)]
