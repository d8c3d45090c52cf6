"""Wagers that are machines: their exact edges, by the engine and by a second method, and the published ones."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest

from passline.automaton.standing import standing_of_wager
from passline.exact.par.lines import offered_by_house
from passline.exact.par.par import automaton_key, par_of
from passline.exact.standing import StandingValues
from passline.game.position import Wager
from passline.rules.rules import Rules
from tests.exact.par.second_methods import RIDE_THE_LINE, returns, ride_the_line
from tests.rules.side_wagers import STAKE, machines, rulebook, rules

_LARGE = "replay"  # which has tens of thousands of states
PUBLISHED = {
    "repeater_2": "18.37",
    "repeater_3": "21.88",
    "repeater_4": "19.75",
    "repeater_5": "18.08",
    "repeater_6": "20.62",
    "replay": "24.81",
    "point_seven": "11.11",
    "muggsys_corner": "5.56",  # its payouts were inferred from this figure: no second witness of them
    "hot_hand": "18.02",
    "different_doubles": "27.92",
    "hot_shooter": "9.90",
}  # in percent


def _percent(edge: Fraction) -> str:
    exact = Decimal(edge.numerator) * 100 / Decimal(edge.denominator)
    return str(exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def test_the_second_methods_give_the_published_edges() -> None:
    found = returns()
    assert {kind: _percent(-found[kind]) for kind in PUBLISHED} == PUBLISHED


@pytest.mark.whole
def test_every_machine_has_the_edge_of_the_second_method() -> None:
    found = returns()
    assert found.keys() == set(machines())
    for kind in machines():
        if kind != _LARGE:
            assert -par_of(rules(), kind=kind, cents=STAKE).edge == found[kind], kind


@pytest.mark.sweep
def test_the_largest_machine_has_the_edge_of_the_second_method() -> None:
    assert -par_of(rules(), kind=_LARGE, cents=STAKE).edge == returns()[_LARGE]


@pytest.mark.parametrize("table", RIDE_THE_LINE)
def test_every_pay_table_of_ride_the_line_has_the_edge_of_the_second_method(table: str) -> None:
    elected = Rules.under(rulebook(), {"side_wagers": {"ride_the_line": table}})
    pays = dict(enumerate(RIDE_THE_LINE[table], start=2))
    assert -par_of(elected, kind="ride_the_line", cents=STAKE).edge == ride_the_line(pays)


def test_a_machine_that_stands_on_the_layout_is_worth_what_its_edge_says() -> None:
    found, values = returns(), StandingValues(rules())
    for kind in ("repeater_6", "different_doubles", "muggsys_corner", "hot_shooter", "twice_as_nice"):
        assert values.value([standing_of_wager(Wager(1, "player", kind, 0, STAKE))]) == STAKE * found[kind], kind


def test_a_par_sheet_has_every_machine_that_is_offered() -> None:
    lines = [line for line in offered_by_house(rules()) if line.kind in machines()]
    assert [line.kind for line in lines] == machines()
    assert len({automaton_key(line) for line in lines}) == len(lines), "no two of them are the same machine"
