"""Removing and reducing wagers: until the deciding roll unless locked; odds follow their base wager."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from tests.clauses.crew import Crew, cited, every_game, listed, marked, row

_GENERAL = [marked("CO-2305-3-remove"), marked("S2-c3"), marked("AZ-III.E.5"), marked("MD-4.D")]
_OPEN = (("place_win", 6), ("place_lose", 5), ("hardway", 8), ("field", 0), ("horn", 0))


def _remove(kind: str, number: int = 0, **rest: object) -> c.RemoveWager:
    return c.RemoveWager(**{"seat": 2, "wager": kind, "number": number, **rest})  # type: ignore[arg-type]


def _reduce(kind: str, cents: int, number: int = 0, **rest: object) -> c.ReduceWager:
    return c.ReduceWager(**{"seat": 2, "wager": kind, "number": number, "cents": cents, **rest})  # type: ignore[arg-type]


@pytest.mark.parametrize("clause", _GENERAL)
def test_any_wager_comes_down_until_the_deciding_roll(clause: str) -> None:
    """CO-2305-3-remove, S2-c3, AZ-III.E.5, MD-4.D: whole or in part, before the throw and not after it."""
    values = row(clause).values
    assert "deciding_roll" in (values.get("until", ""))
    crew = Crew.of(clause, automate=frozenset({"confirm"})).point()
    for kind, number in _OPEN:
        amount = crew.amount(kind, number)
        crew.make(kind, seat=2, number=number, cents=3 * amount)
        reduced = crew.one(_reduce(kind, amount, number), e.WagerReduced)
        assert (reduced.after.cents, cited(reduced.clause, clause)) == (2 * amount, True)
        assert cited(crew.one(_remove(kind, number), e.WagerRemoved).clause, clause)
    assert crew.rack(2) == 5_000_00
    for kind, number in _OPEN:
        crew.make(kind, seat=2, number=number, cents=2 * crew.amount(kind, number))
    crew.throw()
    for kind, number in _OPEN:
        crew.only(_remove(kind, number), clause)
        crew.only(_reduce(kind, crew.amount(kind, number), number), clause)
    crew.land(2, 3)
    crew.only(_remove("hardway", 8), clause)
    crew.call()
    crew.only(_remove("hardway", 8), clause)
    crew.settle()
    crew.do(_remove("hardway", 8))


@pytest.mark.parametrize("clause", _GENERAL)
def test_a_wager_is_its_owners_to_take_down(clause: str) -> None:
    """CO-2305-3-remove, S2-c3, AZ-III.E.5, MD-4.D: neither the boxperson nor another player may; in whole chips."""
    crew = Crew.of(clause).point()
    crew.make("place_win", seat=2, number=8, cents=24_00)
    for by in ("boxperson", "floorperson"):
        crew.only(_remove("place_win", 8, by=by), clause)
        crew.only(_reduce("place_win", 6_00, 8, by=by), clause)
    crew.only(_remove("place_win", 8, seat=1), clause)
    for cents in (24_00, 25_00, 0, -6_00, 50):
        crew.only(_reduce("place_win", cents, 8), clause)
    crew.refused(_reduce("place_win", 5_00, 8))  # what is left could not be paid
    crew.refused(_reduce("place_win", 6_00, 8, seat=3))
    crew.do(_reduce("place_win", 12_00, 8, by="dealer"))
    crew.do(_remove("place_win", 8))
    assert crew.rack(2) == 5_000_00


@pytest.mark.parametrize(
    ("clause", "bet"),
    [
        marked("CO-2305-3-passlock", "pass"),
        marked("CO-2305-3-comelock", "come"),
        marked("S2-c3.pass", "pass"),
        marked("S2-c3.come", "come"),
        marked("MD-4.D.1", "pass"),
        marked("MD-4.D.2", "come"),
        *(
            pytest.param("AZ-III.E.5.a", bet, marks=pytest.mark.clause("AZ-III.E.5.a"), id=f"AZ-III.E.5.a-{bet}")
            for bet in listed("AZ-III.E.5.a", "bets")
        ),
    ],
)
def test_pass_and_come_are_locked_once_their_point_is_set(clause: str, bet: str) -> None:
    """CO-2305-3-passlock, CO-2305-3-comelock, S2-c3.pass, S2-c3.come, AZ-III.E.5.a, MD-4.D.1, MD-4.D.2."""
    assert row(clause).values.get("bet", bet) == bet
    crew = Crew.of(clause).come_out()
    if bet == "pass":
        crew.make("pass", seat=2, cents=20_00)
        crew.do(_reduce("pass", 5_00))
        crew.roll(2, 4)
        crew.only(_remove("pass"), clause)
        crew.only(_reduce("pass", 5_00), clause)
        crew.make("pass_odds", seat=2, cents=30_00)
        crew.do(_reduce("pass_odds", 10_00, 6))  # the flat wager is locked, its odds are not
        crew.do(_remove("pass_odds", 6))
        crew.roll(3, 3)
        crew.make("pass", seat=2, cents=20_00)
        crew.do(_remove("pass"))  # decided and made again: no point yet
        return
    crew.roll(2, 4)
    crew.make("come", seat=2, cents=20_00)
    crew.do(_reduce("come", 5_00))  # the puck is ON and its own point is not set
    crew.do(_remove("come"))
    crew.make("come", seat=2, cents=20_00)
    crew.roll(4, 4)
    crew.only(_remove("come", 8), clause)
    crew.only(_reduce("come", 5_00, 8), clause)
    crew.make("come_odds", seat=2, number=8, cents=30_00)
    crew.do(_remove("come_odds", 8))
    crew.roll(3, 3)  # puck OFF: it is locked all the same
    crew.only(_remove("come", 8), clause)


@pytest.mark.parametrize(
    ("clause", "bet"),
    [
        *(
            pytest.param(clause, bet, marks=pytest.mark.clause(clause), id=f"{clause}-{bet}")
            for clause, key in (("CO-2305-4-remove", "bet"), ("AZ-III.E.5.b", "bets"), ("MD-4.E.remove", "bet"))
            for bet in listed(clause, key)
        ),
        marked("S2-c4.dp.remove", "dont_pass"),
        marked("S2-c4.dc.remove", "dont_come"),
    ],
)
def test_a_dont_wager_comes_down_at_any_time(clause: str, bet: str) -> None:
    """CO-2305-4-remove, S2-c4.dp.remove, S2-c4.dc.remove, AZ-III.E.5.b, MD-4.E.remove: point or no point."""
    number = 0 if bet == "dont_pass" else 8
    crew = Crew.of(clause).come_out()
    if bet == "dont_come":
        crew.roll(2, 4)
    crew.make(bet, seat=2, cents=20_00)
    assert cited(crew.one(_reduce(bet, 5_00), e.WagerReduced).clause, clause)
    assert cited(crew.one(_remove(bet), e.WagerRemoved).clause, clause)
    crew.make(bet, seat=2, cents=20_00)
    crew.roll(*((2, 4) if bet == "dont_pass" else (4, 4)))
    assert cited(crew.one(_reduce(bet, 5_00, number), e.WagerReduced).clause, clause)
    assert cited(crew.one(_remove(bet, number), e.WagerRemoved).clause, clause)
    assert crew.rack(2) == 5_000_00


@pytest.mark.parametrize(("name", "game"), every_game())
def test_odds_come_down_with_their_wager_and_shrink_with_it(name: str, game: str) -> None:
    """S2-f.lose, CO-2308-2-right, AZ-III.J.2-a, MD-6.B: odds never stand without, or above, the wager they support."""
    crew = Crew(name, game=game, house={"odds": dict.fromkeys(("4", "5", "6", "8", "9", "10"), 1)}).come_out()
    crew.make("dont_pass", seat=2, cents=20_00)
    crew.roll(2, 4)
    crew.make("dont_pass_odds", seat=2, cents=18_00)
    clause = {"colorado": "CO-2308-2-right", "section2": "S2-f.lose", "arizona": "AZ-III.J.2-a", "maryland": "MD-6.B"}[
        name
    ]
    happened = crew.do(_reduce("dont_pass", 10_00))
    cut = next(one for one in happened if isinstance(one, e.WagerReduced) and one.wager.kind == "dont_pass_odds")
    rule = crew.rules.wagers["dont_pass_odds"]
    most = crew.rules.odds_cents_max(rule, 6, 10_00)
    assert most is not None
    assert cut.after.cents == most // 6_00 * 6_00 < 18_00
    assert cited(cut.clause, clause)
    happened = crew.do(_remove("dont_pass"))
    assert [one.wager.kind for one in happened if isinstance(one, e.WagerRemoved)] == ["dont_pass", "dont_pass_odds"]
    assert crew.rack(2) == 5_000_00


@pytest.mark.clause("CO-2305-3-remove", "CO-2304-42-when")
def test_CO_2305_3_remove__a_put_wager_is_not_locked() -> None:
    """CO-2305-3-remove, CO-2304-42-when: made at any moment, come-out included, and taken down again on its number."""
    crew = Crew("colorado").come_out()
    made = crew.one(crew.making("put", seat=2, number=6, cents=15_00), e.WagerMade)
    assert cited(made.clause, "CO-2304-42-when")
    crew.roll(2, 4)  # the put works on a come-out roll: its number wins
    assert crew.rack(2) == 5_015_00
    crew.make("put", seat=2, number=6, cents=15_00)
    assert cited(crew.one(_reduce("put", 5_00, 6), e.WagerReduced).clause, "CO-2305-3-remove")
    assert cited(crew.one(_remove("put", 6), e.WagerRemoved).clause, "CO-2305-3-remove")


@pytest.mark.parametrize("clause", _GENERAL)
def test_a_reduction_leaves_a_wager_within_its_limits(clause: str) -> None:
    """CO-2305-3-remove, S2-c3, AZ-III.E.5, MD-4.D: at the minimum, not one chip under it."""
    crew = Crew.of(clause).come_out()
    crew.make("dont_pass", seat=2, cents=8_00)
    least = crew.rules.house.wager_cents_min
    crew.refused(_reduce("dont_pass", 8_00 - least + 1_00))
    assert crew.one(_reduce("dont_pass", 8_00 - least), e.WagerReduced).after.cents == least


@pytest.mark.parametrize("clause", [marked("CO-2305-3-remove"), marked("S2-c3")])
def test_a_coupon_comes_down_with_its_wager(clause: str) -> None:
    """CO-2305-3-remove, S2-c3: removed it goes back to the player; a reduction may not leave it uncovered."""
    crew = Crew.of(clause)
    crew.do(c.BuyIn(seat=2, cents=0, coupon=10_00))
    crew.make("dont_pass", seat=2, cents=15_00, coupon=10_00)
    crew.refused(_reduce("dont_pass", 6_00))
    crew.do(_reduce("dont_pass", 5_00))
    crew.do(_remove("dont_pass"))
    assert (crew.rack(2), crew.table.money.coupons[1]) == (5_000_00, 10_00)
