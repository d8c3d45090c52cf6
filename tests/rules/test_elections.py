"""Every election that the game owns: values at, inside and outside its bounds, and the clause of each breach.

What an elected value does at the table is in test_elections_in_play.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.elections import Breach, House
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import ELECTIONS
from tests.rules.election_cases import basis_points, regulation_of, value

POINTS = ("4", "5", "6", "8", "9", "10")
CREW = ["boxperson", "stickperson", "dealer", "floorperson"]
OWN = {"rules", "name", "game", "seats", "seat_left_of_stickperson", "limits", "odds", "odds_cents_max"}
OWN |= {"payouts", "procedures", "office"}
OWN |= {"side_wagers", "readings", "elections"}  # bounded by elections of their own, see test_house.py


class Case(Struct, frozen=True):
    """Lawful and unlawful houses under one clause, and the key that an unlawful one is told."""

    clause: str
    lawful: list[dict[str, Any]]
    unlawful: list[dict[str, Any]]
    key: str


def choice(clause: str, key: str, lawful: list[Any], *unlawful: object) -> Case:
    return Case(clause, [{key: one} for one in lawful], [{key: one} for one in unlawful], key)


def vigorish(clause: str, bet: str, *, other_basis: str) -> list[Case]:
    """Rates from none to the ceiling, only on the regulation's basis."""
    most, rate, basis = basis_points(clause), f"{bet}_vigorish_basis_points", f"{bet}_vigorish_basis"
    return [choice(clause, rate, [0, 1, most - 1, most], most + 1, -1), choice(clause, basis, [], other_basis)]


def multiples(clause: str, least: int = 0, most: int = 0) -> Case:
    """The same multiple on every point, at the bound and one inside; a single point outside it is a breach."""
    bound, step = (most, -1) if most else (least, 1)
    lawful = [{"odds": dict.fromkeys(POINTS, multiple)} for multiple in (bound, bound + step)]
    outside = {**dict.fromkeys(POINTS, bound), "9": bound - step}
    return Case(clause, lawful, [{"odds": outside}], "odds.9")


def amounts(clause: str, most: int) -> Case:
    return choice(clause, "odds_cents_max", [0, most - 1, most], most + 1, -1)


def better(clause: str) -> list[Case]:
    """A house may pay more than listed if it does so everywhere, and never less."""
    more = {"payouts": {"field 12": "3 to 1", "hop 1-3": "16 to 1"}}
    less = {"payouts": {"field 12": "19 to 10"}, "payouts_uniform": True}
    listed = {"payouts": {"field 12": "2 to 1"}}
    return [
        Case(clause, [{**more, "payouts_uniform": True}, listed], [more], "payouts_uniform"),
        Case(clause, [], [less], "payouts.field 12"),
    ]


CASES = [
    choice("CO-2304-39-elect", "six_seven_eight", ["offered", "none"], "in_lieu"),
    choice("CO-2305-5-hardrule", "hardways_on_come_out", ["off", "on"], "called"),
    *better("CO-2306-1-higher"),
    choice("CO-2307-1-offer", "buy", ["offered", "none"], "in_lieu"),
    *vigorish("CO-2307-1-vig", "buy", other_basis="potential_win"),
    choice("CO-2307-2-offer", "lay", ["in_addition", "in_lieu", "none"], "offered"),
    *vigorish("CO-2307-2-vig", "lay", other_basis="wager"),
    *(
        amounts(f"CO-2308-{number}-house", int(value(f"CO-2308-{number}-house", "house_max_le")) * 100)
        for number in range(1, 5)
    ),
    choice("CO-2311-5", "no_roll_callers", [[], *([role] for role in CREW), CREW], ["player"], ["dealer", "shooter"]),
    choice("CO-2312-gap-settle", "settlement", ["take_then_pay", "pay_then_take"], "any"),
    *better("S2-d2.higher"),
    choice("S2-e1", "buy", ["offered", "none"], "in_lieu"),
    *vigorish("S2-e1.vig", "buy", other_basis="potential_win"),
    choice("S2-e2", "lay", ["in_addition", "none"], "offered"),
    choice("S2-e2.inlieu", "lay", value("S2-e2.inlieu", "mode").split("|"), "instead"),
    *vigorish("S2-e2.vig", "lay", other_basis="wager"),
    *(
        multiples(f"S2-f{number}.limit", least=int(value(f"S2-f{number}.limit", "min_cap").rstrip("x")))
        for number in range(1, 5)
    ),
    *(
        multiples(f"S2-f5.{line}", most=int(value(f"S2-f5.{line}", "max_multiple")))
        for line in ("pass", "come", "dontpass", "dontcome")
    ),
    choice("S2-f6.cap", "odds_excess", [True, False], "needed"),
    choice("S2-f6.posted", "odds_excess", [True, False], "needed"),
    Case(
        "S2-g1.optstick",
        [{"game": "mini_craps", "stickperson": False}, {"game": "mini_craps"}, {"game": "craps", "stickperson": True}],
        [{"game": "craps", "stickperson": False}],
        "stickperson",
    ),
    Case(
        "S2-i5i",
        [{"no_roll_callers": [role]} for role in value("S2-i5i", "callers").split("|")],
        [{"no_roll_callers": ["boxperson", other]} for other in ("dealer", "floorperson")],
        "no_roll_callers",
    ),
    Case(
        "S2-i5ii",
        [{"game": "mini_craps", "no_roll_callers": [role]} for role in value("S2-i5ii", "callers").split("|")],
        [{"game": "mini_craps", "no_roll_callers": ["dealer", "boxperson"]}],
        "no_roll_callers",
    ),
    choice("AZ-II.A.1-b", "variations", [[]], ["free_craps"]),
    choice("AZ-III.D.1-a", "wager_cents_min", [100, 500], 0, -100),
    Case(
        "AZ-III.D.1-a",
        [{"smallest_chip_cents": 1, "wager_cents_min": 1}],
        [{"wager_cents_max": 499}],
        "wager_cents_min",
    ),
    choice("AZ-III.D.1-a", "wager_cents_max", [9_999_999, 10_000_000], 10_000_001),
    Case(
        "AZ-III.F-0b",
        [
            {
                "payouts": {"any_seven": "3 to 1", "field 12": "3 to 1"},
                "payouts_approved": True,
                "payouts_posted": True,
            },
            {"payouts": {"pass_odds 4": "3 to 2"}, "payouts_approved": True},
        ],
        [{"payouts": {"any_seven": "3 to 1"}, "payouts_posted": True}],
        "payouts_approved",
    ),
    choice("AZ-III.G-1", "buy", ["offered", "none"], "in_lieu"),
    choice("AZ-III.G-4", "buy_vigorish_won_on", [[], [4], [int(point) for point in POINTS]], [7], [4, 2]),
    choice("AZ-III.H-1", "lay", ["in_addition", "none"], "in_lieu"),
    choice("AZ-III.H-4", "lay_vigorish_when", ["made", value("AZ-III.H-4", "when")], "lost"),
    *(multiples(f"AZ-III.J.{number}-b", least=1) for number in range(1, 5)),
    *(amounts(f"AZ-III.J.5-{part}", int(value(f"AZ-III.J.5-{part}", "max")) * 100) for part in "ab"),
    choice("MD-3.A.41", "buy", ["offered", "none"], "in_lieu"),
    choice("MD-3.A.42", "lay", value("MD-3.A.42", "offered").split("|"), "offered"),
    *(
        Case(
            clause,
            [{"payouts": {"any_seven": value(clause, "pays").replace(":", " to ")}}],
            [{"payouts": {"any_seven": other}} for other in ("5 to 1", "25 to 5", "27 to 5")],
            "payouts.any_seven",
        )
        for clause in ("MD-5.A.23.a", "MD-5.A.23.b")
    ),
    Case(
        "MD-5.G.3",
        [
            {"buy_vigorish_basis_points": 0, "lay_vigorish_basis_points": 0},
            *({"buy_vigorish_when": when, "lay_vigorish_when": when} for when in ("made", "won")),
        ],
        [{"buy_vigorish_when": "won"}, {"lay_vigorish_when": "won"}],
        "lay_vigorish_when",
    ),
    choice("MD-5.G.3", "buy_vigorish_won_on", [[]], [4]),
    *vigorish("MD-5.G.3.a", "buy", other_basis="potential_win"),
    *vigorish("MD-5.G.3.a", "lay", other_basis="potential_win"),
    Case(
        "MD-5.G.3.b",
        [{"buy_vigorish_when": "won", "lay_vigorish_when": "won"}],
        [{"buy_vigorish_when": "lost", "lay_vigorish_when": "lost"}],
        "buy_vigorish_when",
    ),
    *(multiples(f"MD-6.{part}.max", least=int(value(f"MD-6.{part}.max", "base_multiple"))) for part in "ABCD"),
    *(multiples(clause, most=int(value(clause, "max_multiple"))) for clause in ("MD-6.E", "MD-6.E.1")),
    choice("MD-6.F.auth", "odds_excess", [True, False], "needed"),
    choice("MD-6.F.posted", "odds_excess", [True, False], "needed"),
]


def breaches(clause: str, elected: Mapping[str, Any]) -> tuple[Breach, ...]:
    return house_of(rulebook_of(regulation_of(clause)), elected)[1]


each_case = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.clause(case.clause), id=f"{case.clause}-{case.key}-{index}")
        for index, case in enumerate(CASES)
    ],
)


@each_case
def test_a_house_may_elect_values_within_the_bounds_only(case: Case) -> None:
    for elected in case.lawful:
        assert breaches(case.clause, elected) == (), elected
    for elected in case.unlawful:
        cited = [breach.clause.split(", ") for breach in breaches(case.clause, elected) if breach.key == case.key]
        assert any(case.clause in clauses for clauses in cited), (elected, breaches(case.clause, elected))


def test_every_election_of_the_game_has_its_bounds_tested() -> None:
    rows = {
        row.id
        for name in REGULATIONS
        for row in clauses_of(name).values()
        if row.kind == "election" and row.part == "game"
    }
    assert len(rows) == 60
    assert {case.clause for case in CASES} == rows


def test_every_key_of_a_house_is_bounded_by_an_election_or_free() -> None:
    assert set(House.__struct_fields__) == {*ELECTIONS, *OWN}
    assert not OWN & set(ELECTIONS)
