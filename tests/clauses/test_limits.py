"""Amounts: minimum and maximum, units and parts of composite wagers, and amounts that cannot be paid."""

from __future__ import annotations

from typing import Any

import pytest

from passline.game import events as e
from passline.rules.elections import HouseBreaches
from passline.rules.rules import Rules
from tests.clauses.crew import Crew, cited, listed, marked, regulation_of, row

_POINTS = ("4", "5", "6", "8", "9", "10")
_HIGH = {"2": "craps_2", "3": "craps_3", "11": "eleven", "12": "craps_12"}
_ROLLS = {4: (1, 3), 5: (2, 3), 6: (2, 4), 8: (2, 6), 9: (3, 6), 10: (4, 6)}


def _free(clause: str, **house: Any) -> Crew:  # noqa: ANN401 - elections
    return Crew(regulation_of(clause), house=house, automate=frozenset({"confirm"}))


def _breaches(name: str, **house: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - elections
    with pytest.raises(HouseBreaches) as caught:
        Rules.of(name, house=house)
    return [(one.key, one.clause) for one in caught.value.breaches]


# ---- minimum and maximum


@pytest.mark.clause("MD-3.B.1", "MD-3.B.2", "MD-5.M")
@pytest.mark.parametrize(("kind", "number"), [("pass", 0), ("place_win", 6), ("hardway", 8), ("lay", 4), ("field", 0)])
def test_MD_3_B__a_wager_is_within_the_posted_limits(kind: str, number: int) -> None:
    """MD-3.B.1, MD-3.B.2, MD-5.M: at each limit, one unit inside it and one outside."""
    least, most = 60_00, 120_00
    crew = _free("MD-3.B.1", wager_cents_min=least, wager_cents_max=most, limits={})
    step = 6_00 if kind == "place_win" else 2_00
    crew.only(crew.making(kind, seat=2, number=number, cents=least - step), "MD-3.B.1")
    crew.make(kind, seat=2, number=number, cents=least)
    grown = crew.one(crew.making(kind, seat=2, number=number, cents=least - step), e.WagerIncreased)
    assert grown.after.cents == most - step
    for clause in ("MD-3.B.2", "MD-5.M"):
        crew.only(crew.making(kind, seat=2, number=number, cents=2 * step), clause)
        crew.only(crew.making(kind, seat=1, number=number, cents=most + step), clause)
    crew.make(kind, seat=2, number=number, cents=step)
    crew.make(kind, seat=1, number=number, cents=most)


@pytest.mark.clause("MD-3.B.1", "MD-3.B.2", "MD-5.M")
def test_MD_3_B__supplemental_wagers_are_outside_the_limits() -> None:
    """MD-3.B.1, MD-3.B.2, MD-5.M: odds under the least and over the most are taken."""
    assert {row(one).values["except"] for one in ("MD-3.B.1", "MD-3.B.2", "MD-5.M")} == {"supplemental"}
    crew = _free("MD-3.B.1", wager_cents_min=20_00, wager_cents_max=30_00, limits={})
    crew.point("pass", 30_00)
    crew.make("pass_odds", cents=5_00)
    crew.make("pass_odds", cents=145_00)
    crew.only(crew.making("pass_odds", cents=5_00), "MD-6.A.max")


@pytest.mark.clause("AZ-II.A.1-c", "AZ-III.D.1-b", "AZ-III.D.1-c")
def test_AZ_III_D_1__the_compact_limit_binds_house_and_wager() -> None:
    """AZ-II.A.1-c, AZ-III.D.1-b, AZ-III.D.1-c: the ceiling for each wager by itself, however many a player has."""
    ceiling = int(row("AZ-III.D.1-b").values["max_wager"]) * 100
    assert ceiling == int(row("AZ-II.A.1-c").values["max_wager"]) * 100
    assert row("AZ-III.D.1-c").values["scope"] == "single_wager"
    for key in ("wager_cents_max", "limits.place_win"):
        house = (
            {"wager_cents_max": ceiling + 1}
            if key == "wager_cents_max"
            else {"limits": {"place_win": {"min": 5_00, "max": ceiling + 1}}}
        )
        assert [(one, cited(clause, "AZ-III.D.1-b")) for one, clause in _breaches("arizona", **house)] == [(key, True)]
    crew = Crew("arizona", house={"wager_cents_max": ceiling}, cents=4 * ceiling).come_out()
    for clause in ("AZ-II.A.1-c", "AZ-III.D.1-b", "AZ-III.D.1-c"):
        crew.only(crew.making("dont_pass", seat=2, cents=ceiling + 1_00), clause)
    crew.make("dont_pass", seat=2, cents=ceiling - 1_00)
    crew.only(crew.making("dont_pass", seat=2, cents=2_00), "AZ-III.D.1-c")
    crew.make("dont_pass", seat=2, cents=1_00)
    crew.make("place_win", seat=2, number=4, cents=ceiling)  # another wager, with a limit of its own
    crew.make("place_win", seat=2, number=5, cents=ceiling)


@pytest.mark.clause("AZ-III.D.1-c")
def test_AZ_III_D_1_c__the_maximum_reaches_every_single_wager() -> None:
    """AZ-III.D.1-c: each kind of wager by itself, on each of its numbers; odds answer to III.J instead."""
    most = 300_00
    house = {"wager_cents_max": most, "wager_cents_min": 1_00, "limits": {}}
    for kind, rule in Crew("arizona").rules.wagers.items():
        if kind.endswith("_odds") or rule.family == "composite":  # each part is a wager by itself
            continue
        crew = Crew("arizona", house=house, cents=50_000_00)
        if kind in {"come", "dont_come"}:
            crew.point()
        else:
            crew.come_out()
        for number in [0] if rule.family == "line" else sorted(rule.numbers) or [0]:
            step = crew.amount(kind, number)
            fits = most // step * step
            crew.only(crew.making(kind, seat=2, number=number, cents=fits + step), "AZ-III.D.1-c")
            crew.make(kind, seat=2, number=number, cents=fits)
            crew.refused(crew.making(kind, seat=2, number=number, cents=step), "AZ-III.D.1-c")


@pytest.mark.parametrize("clause", [marked(f"CO-2308-{one}-cap") for one in (1, 2, 3, 4)])
def test_no_colorado_odds_wager_exceeds_the_ceiling(clause: str) -> None:
    """CO-2308-1-cap, CO-2308-2-cap, CO-2308-3-cap, CO-2308-4-cap: beside the flat wager, whatever the house offers."""
    values = row(clause).values
    bet, ceiling = values["bet"], int(values["max"]) * 100
    base = bet.removesuffix("_odds")
    odds = dict.fromkeys(_POINTS, 50)
    assert ("odds_cents_max", True) in [
        (key, cited(text, clause)) for key, text in _breaches("colorado", odds_cents_max=ceiling + 1)
    ]
    crew = _free(clause, odds=odds, odds_cents_max=0).come_out()
    if base.endswith("pass"):
        crew.make(base, seat=2, cents=100_00)
        crew.roll(1, 3)
    else:
        crew.roll(2, 4)
        crew.make(base, seat=2, cents=100_00)
        crew.roll(1, 3)
    crew.only(crew.making(bet, seat=2, number=4, cents=ceiling + 2_00), clause)
    crew.make(bet, seat=2, number=4, cents=ceiling - 2_00)
    crew.only(crew.making(bet, seat=2, number=4, cents=4_00), clause)
    crew.make(bet, seat=2, number=4, cents=2_00)
    assert crew.layout[2, bet, 4] == ceiling


@pytest.mark.clause("S2-f6.need")
@pytest.mark.parametrize("side", ["take", "lay"])
@pytest.mark.parametrize("point", [4, 5, 6, 8, 9, 10])
def test_S2_f6_need__only_the_excess_that_makes_odds_payable(side: str, point: int) -> None:
    """S2-f6.need: from the cap to the next amount that pays exactly, no further; without the election not even that."""
    multiples = dict(one.split(":") for one in listed("S2-f6.need", f"{side}_multiple"))
    step = next(int(units) for numbers, units in multiples.items() if str(point) in numbers.split("+")) * 1_00
    base, odds = ("pass", "pass_odds") if side == "take" else ("dont_pass", "dont_pass_odds")
    flat = 7_00
    for is_elected in (True, False):
        crew = _free("S2-f6.need", odds=dict.fromkeys(_POINTS, 1), odds_excess=is_elected).come_out()
        crew.make(base, seat=2, cents=flat)
        crew.roll(*_ROLLS[point])
        rule = crew.rules.wagers[odds]
        pays = rule.payouts[point].pays
        cap = flat if side == "take" else flat * pays.to // pays.pays
        fits = -(-cap // step) * step if is_elected else cap // step * step
        assert rule.unit(point, 1_00) == step
        outcome = crew.refused(crew.making(odds, seat=2, number=point, cents=fits + step))
        assert cited(outcome.refusals[0].clause, "S2-f6.need") is is_elected
        if fits:
            crew.make(odds, seat=2, number=point, cents=fits)


@pytest.mark.clause("S2-f6.need")
def test_S2_f6_need__the_excess_also_passes_the_posted_maximum() -> None:
    """S2-f6.need: over the posted maximum by what the payout needs, and no more."""
    crew = _free("S2-f6.need", odds=dict.fromkeys(_POINTS, 5), wager_cents_max=51_00, odds_excess=True).come_out()
    crew.make("pass", seat=2, cents=50_00)
    crew.roll(2, 4)
    crew.only(crew.making("pass_odds", seat=2, cents=60_00), "S2-f6.need")
    crew.make("pass_odds", seat=2, cents=55_00)


# ---- units and parts


@pytest.mark.parametrize(
    ("clause", "key"),
    [
        marked("MD-3.A.19.a", "multiple"),
        marked("MD-3.A.20.a", "multiple"),
        marked("MD-3.A.21.a", "multiple"),
        marked("S2-b1xx.units", "unit_multiple"),
        marked("S2-b1xxi.units", "unit_multiple"),
        marked("AZ-III.F.20-units", "units"),
        marked("AZ-III.F.21-units", "units"),
    ],
)
@pytest.mark.parametrize("has_area", [True, False])
def test_a_composite_wager_is_made_in_its_units(clause: str, key: str, has_area: bool) -> None:  # noqa: FBT001
    """MD-3.A.19.a, MD-3.A.20.a, MD-3.A.21.a, S2-b1xx.units, S2-b1xxi.units, AZ-III.F.20-units, AZ-III.F.21-units."""
    bet, units = row(clause).values["bet"], int(row(clause).values[key])
    crew = _free(clause, horn_high_area=has_area)
    number = 12 if bet == "horn_high" else 0
    for cents in (units * 100 - 1_00, units * 100 + 1_00, 3 * units * 100 - 1_00):
        crew.only(crew.making(bet, seat=2, number=number, cents=cents), clause)
    crew.make(bet, seat=2, number=number, cents=units * 100)
    crew.make(bet, seat=2, number=number, cents=3 * units * 100)
    assert sum(crew.layout.values()) == 4 * units * 100
    larger = _free(clause, smallest_chip_cents=5_00, horn_high_area=has_area)
    larger.refused(
        larger.making(bet, seat=2, number=number, cents=(units + 1) * 5_00), clause
    )  # a unit is the smallest chip
    larger.make(bet, seat=2, number=number, cents=units * 5_00)


@pytest.mark.parametrize("clause", [marked("MD-3.A.20.b"), marked("S2-b1xx.break"), marked("AZ-III.F.20-break")])
@pytest.mark.parametrize("high", ["2", "3", "11", "12"])
def test_a_horn_high_without_its_area_is_booked_as_two_wagers(clause: str, high: str) -> None:
    """MD-3.A.20.b, S2-b1xx.break, AZ-III.F.20-break: a horn and the number chosen; with an area it is one wager."""
    crew = _free(clause, horn_high_area=False)
    happened = crew.make("horn_high", seat=2, number=int(high), cents=10_00)
    made = [one for one in happened if isinstance(one, e.WagerMade)]
    assert [(one.after.kind, one.after.cents) for one in made] == [("horn", 8_00), (_HIGH[high], 2_00)]
    assert all(cited(one.clause, clause) for one in made)
    crew = _free(clause, horn_high_area=True)
    whole = crew.one(crew.making("horn_high", seat=2, number=int(high), cents=10_00), e.WagerMade)
    assert (whole.after.kind, whole.after.cents, cited(whole.clause, clause)) == ("horn_high", 10_00, False)


@pytest.mark.parametrize("clause", [marked("MD-3.A.21.b"), marked("S2-b1xxi.break"), marked("AZ-III.F.21-break")])
def test_a_whirl_is_booked_as_horn_and_any_seven(clause: str) -> None:
    """MD-3.A.21.b, S2-b1xxi.break, AZ-III.F.21-break: always, but in Maryland only where the layout has no area."""
    values = row(clause).values
    is_always = values.get("if") == "always" or values.get("always") == "true"
    crew = _free(clause) if is_always else _free(clause, whirl_area=False)
    made = [one for one in crew.make("whirl", seat=2, cents=15_00) if isinstance(one, e.WagerMade)]
    assert [(one.after.kind, one.after.cents) for one in made] == [("horn", 12_00), ("any_seven", 3_00)]
    assert all(cited(one.clause, clause) for one in made)
    if is_always:
        assert [(key, cited(text, clause)) for key, text in _breaches(regulation_of(clause), whirl_area=True)] == [
            ("whirl_area", True)
        ]
    else:
        crew = _free(clause, whirl_area=True)
        assert crew.one(crew.making("whirl", seat=2, cents=15_00), e.WagerMade).after.kind == "whirl"


# ---- what cannot be paid


@pytest.mark.parametrize("clause", [marked("CO-2306-4-refuse"), marked("S2-d5")])
@pytest.mark.parametrize(
    ("kind", "number", "fits", "odd"),
    [
        ("place_win", 6, 12_00, 13_00),
        ("place_win", 4, 10_00, 12_00),
        ("place_lose", 4, 11_00, 12_00),
        ("buy", 5, 26_00, 27_00),
    ],
)
def test_an_amount_that_cannot_be_paid_is_refused(clause: str, kind: str, number: int, fits: int, odd: int) -> None:
    """CO-2306-4-refuse, S2-d5: measured in the smallest chip; never rounded down."""
    crew = _free(clause)
    crew.only(crew.making(kind, seat=2, number=number, cents=odd), clause)
    crew.make(kind, seat=2, number=number, cents=fits)
    crew.only(crew.making(kind, seat=2, number=number, cents=1_00), clause)  # nor may an addition make it so
    small = _free(clause, smallest_chip_cents=1)
    if kind != "place_lose" and number != 6:
        small.make(kind, seat=2, number=number, cents=odd)


@pytest.mark.clause("CO-2306-4-refuse")
def test_CO_2306_4_refuse__a_house_that_rounds_up_refuses_none() -> None:
    """CO-2306-4-refuse: with rounding up elected the same amount is taken and paid."""
    crew = _free("CO-2306-4-refuse", unpayable="round_up").point()
    crew.make("place_win", seat=2, number=8, cents=13_00)
    won = next(one for one in crew.roll(4, 4) if isinstance(one, e.WagerWon))
    assert won.winnings == 16_00  # 7 to 6 on 13.00 is 15.1666...


@pytest.mark.parametrize(
    ("clause", "kind", "number", "units"),
    [
        marked("S2-d5.horn", "horn", 0, 4),
        pytest.param("S2-d5.horn", "horn_high", 11, 5, marks=pytest.mark.clause("S2-d5.horn"), id="S2-d5.horn-high"),
        marked("S2-d5.ce", "c_and_e", 0, 2),
        marked("MD-3.A.18", "c_and_e", 0, 2),
    ],
)
def test_a_composite_wager_divides_into_its_parts(clause: str, kind: str, number: int, units: int) -> None:
    """S2-d5.horn, S2-d5.ce, MD-3.A.18: quarters, fifths, halves of whole chips."""
    refuses = "MD-5.A" if clause == "MD-3.A.18" else clause  # no unit is written: what cannot be paid is refused
    crew = _free(clause)
    for cents in range(1, 13):
        making = crew.making(kind, seat=2, number=number, cents=cents * 100)
        before = crew.table
        if cents % units:
            crew.only(making, refuses)
        else:
            crew.do(making)
        crew.table = before
