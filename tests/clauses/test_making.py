"""When each wager may be made: before a come-out roll, with the puck ON, or at any time."""

from __future__ import annotations

from typing import Any

import pytest

from passline.dice import number_code
from passline.game import commands as c
from passline.game import events as e
from passline.rules.schema import SideWager
from tests.clauses.crew import Crew, cited, listed, marked, regulation_of, row, rows

_WHEN = {
    **dict.fromkeys(("comeout", "come_out", "before_come_out"), "come_out"),
    **dict.fromkeys(("point_on", "after_come_out"), "point"),
    "any": "any",
}
_MANY = {"place_win", "place_lose", "put", "horn_high"}  # a row of these speaks of all their numbers


def _windows(*wanted: str) -> list[Any]:
    found = []
    for one in rows("making"):
        when = one.values.get("when", one.values.get("window", ""))
        if "bet" in one.values and _WHEN.get(when) in wanted:
            found.append(marked(one.id))
    return found


def _numbers(clause: str, crew: Crew) -> tuple[int, ...]:
    """Return the numbers a row is about: its own, its list, or all that the wager takes."""
    values = row(clause).values
    for key in ("number", "numbers", "high"):
        if key in values:
            return tuple(number_code(text) for text in values[key].split("|"))
    return tuple(sorted(crew.rules.wagers[values["bet"]].numbers))


def _crew(clause: str) -> Crew:
    return Crew(regulation_of(clause), automate=frozenset({"confirm"}))


def test_the_matrix_has_windows_of_every_sort() -> None:
    """The three tests below take their cases from the matrix, so there must be some for each."""
    assert [len(_windows("come_out")), len(_windows("point")), len(_windows("any")) > 40] == [6, 6, True]


@pytest.mark.parametrize("clause", _windows("come_out"))
def test_a_line_wager_is_made_before_a_come_out_roll(clause: str) -> None:
    """CO-2304-1-when, CO-2304-2-when, AZ-III.F.1-make, AZ-III.F.2-make, MD-3.A.1, MD-3.A.2: and at no other moment."""
    bet = row(clause).values["bet"]
    crew = _crew(clause)
    made = crew.one(crew.making(bet, seat=2, cents=15_00), e.WagerMade)
    assert cited(made.clause, clause)
    crew.do(c.RemoveWager(seat=2, wager=bet))
    crew.point("dont_pass" if bet == "pass" else "pass")
    crew.only(crew.making(bet, seat=2, cents=15_00), clause)
    crew.roll(3, 3)  # the point is made: the next roll is a come-out roll again
    assert cited(crew.one(crew.making(bet, seat=2, cents=20_00), e.WagerMade).clause, clause)
    crew.refused(crew.making(bet, seat=2, number=6), clause)  # it has no number of its own


@pytest.mark.parametrize("clause", _windows("point"))
def test_a_come_wager_is_made_with_the_puck_on(clause: str) -> None:
    """CO-2304-3-when, CO-2304-4-when, AZ-III.F.3-make, AZ-III.F.4-make, MD-3.A.3, MD-3.A.4: not on a come-out roll."""
    bet = row(clause).values["bet"]
    crew = _crew(clause)
    crew.only(crew.making(bet, seat=2, cents=15_00), clause)
    crew.come_out()
    crew.only(crew.making(bet, seat=2, cents=15_00), clause)
    crew.roll(2, 4)
    assert cited(crew.one(crew.making(bet, seat=2, cents=15_00), e.WagerMade).clause, clause)
    crew.do(c.RemoveWager(seat=2, wager=bet))
    crew.roll(3, 3)  # the line is decided
    crew.only(crew.making(bet, seat=2, cents=15_00), clause)
    crew.make("pass", cents=10_00)
    crew.roll(6, 5)  # a natural: still a come-out roll
    crew.only(crew.making(bet, seat=2, cents=15_00), clause)


@pytest.mark.parametrize("clause", _windows("any"))
def test_a_wager_of_any_time_is_made_before_every_roll(clause: str) -> None:
    """CO-2304-5-when and the other rows whose window is any time: come-out roll, point on, and on the point itself."""
    bet = row(clause).values["bet"]
    crew = _crew(clause)
    crew.come_out()
    for number in _numbers(clause, crew):
        assert cited(crew.one(crew.making(bet, seat=2, number=number), e.WagerMade).clause, clause), number
        crew.do(c.RemoveWager(seat=2, wager=bet, number=number))
    crew.roll(2, 4)
    for number in _numbers(clause, crew):
        assert cited(crew.one(crew.making(bet, seat=2, number=number), e.WagerMade).clause, clause), number
        increased = crew.one(crew.making(bet, seat=2, number=number), e.WagerIncreased)
        assert cited(increased.clause, clause)
        assert increased.after.cents == 2 * crew.amount(bet, number)


@pytest.mark.parametrize("clause", [one for one in _windows("any") if row(one.values[0]).values["bet"] in _MANY])
def test_a_wager_takes_its_numbers_and_no_other(clause: str) -> None:
    """CO-2304-5-when and the rows that list numbers: each of them, and none of the other totals."""
    bet = row(clause).values["bet"]
    crew = _crew(clause)
    numbers = set(_numbers(clause, crew))
    assert crew.rules.wagers[bet].numbers == numbers
    for number in {0, *range(2, 13)} - numbers:
        crew.refused(crew.making(bet, seat=2, number=number, cents=60_00), clause)


@pytest.mark.parametrize("clause", [one for one in _windows("any") if row(one.values[0]).values.get("rolls") == "1"])
def test_a_one_roll_wager_is_decided_by_the_next_roll(clause: str) -> None:
    """AZ-III.F.11-make, MD-3.A.11 and the other rows of one-roll wagers: whatever comes, nothing of it is left."""
    bet = row(clause).values["bet"]
    for dice in ((1, 1), (1, 2), (6, 5), (3, 4), (4, 4), (3, 6)):
        crew = _crew(clause)
        crew.come_out()
        number = _numbers(clause, crew)[0]
        crew.make(bet, seat=2, number=number)
        happened = crew.roll(*dice)
        decided = [one for one in happened if isinstance(one, e.WagerWon | e.WagerLost) and one.wager.seat == 2]
        assert decided
        assert all(seat != 2 for seat, _kind, _number in crew.layout)


def _hardways() -> list[Any]:
    return [marked(one.id) for one in rows("making") if one.values.get("bet") == "hardway"]


@pytest.mark.parametrize("clause", _hardways())
def test_each_hardway_cites_its_own_clause(clause: str) -> None:
    """CO-2304-7-when and the other hardway rows: a hardway on one number never cites the row of another."""
    crew = _crew(clause)
    number = int(row(clause).values["number"])
    others = {one.values[0] for one in _hardways() if regulation_of(one.values[0]) == regulation_of(clause)} - {clause}
    made = crew.one(crew.making("hardway", seat=2, number=number), e.WagerMade)
    assert cited(made.clause, clause)
    assert not any(cited(made.clause, other) for other in others)
    assert len(others) == 3


@pytest.mark.parametrize(
    "clause",
    [marked(clause) for clause in ("S2-b1i", "S2-b1ii", "S2-b1iii", "S2-b1iv")],
)
def test_section2_line_wagers_have_their_windows(clause: str) -> None:
    """S2-b1i, S2-b1ii, S2-b1iii, S2-b1iv: pass and don't pass before a come-out roll, come and don't come after it."""
    bet = {"S2-b1i": "pass", "S2-b1ii": "dont_pass", "S2-b1iii": "come", "S2-b1iv": "dont_come"}[clause]
    crew = _crew(clause)
    crew.come_out("dont_pass" if bet == "pass" else "pass")
    on_come_out = bet in {"pass", "dont_pass"}
    (crew.do if on_come_out else crew.refused)(crew.making(bet, seat=2))
    if on_come_out:
        crew.do(c.RemoveWager(seat=2, wager=bet))
    else:
        crew.only(crew.making(bet, seat=2), clause)
    crew.roll(2, 4)
    if on_come_out:
        crew.only(crew.making(bet, seat=2), clause)
    else:
        assert cited(crew.one(crew.making(bet, seat=2), e.WagerMade).clause, clause)


@pytest.mark.clause("CO-2305-3-passup", "CO-2305-3-comeup")
def test_CO_2305_3_passup__pass_and_come_grow_at_any_time() -> None:
    """CO-2305-3-passup, CO-2305-3-comeup: even on their point, paid even and locked with the rest; a new one is not."""
    crew = _crew("CO-2305-3-passup").point()
    grown = crew.one(crew.making("pass", cents=25_00), e.WagerIncreased)
    assert (grown.after.cents, cited(grown.clause, "CO-2305-3-passup")) == (35_00, True)
    crew.only(crew.making("pass", seat=2, cents=10_00), "CO-2304-1-when")
    crew.make("come", seat=2, cents=15_00)
    crew.roll(4, 4)
    grown = crew.one(crew.making("come", seat=2, number=8, cents=5_00), e.WagerIncreased)
    assert (grown.after.cents, cited(grown.clause, "CO-2305-3-comeup")) == (20_00, True)
    crew.only(c.ReduceWager(seat=2, wager="come", number=8, cents=5_00), "CO-2305-3-comelock")
    crew.only(c.ReduceWager(seat=1, wager="pass", cents=25_00), "CO-2305-3-passlock")
    crew.refused(crew.making("come", seat=2, number=9, cents=5_00), "CO-2304-3-when")  # nothing stands on the 9
    won = [one for one in crew.roll(2, 6) if isinstance(one, e.WagerWon)]
    assert [(one.wager.seat, one.winnings) for one in won] == [(2, 20_00)]
    won = [one for one in crew.roll(3, 3) if isinstance(one, e.WagerWon)]
    assert [(one.wager.seat, one.winnings) for one in won] == [(1, 35_00)]


@pytest.mark.parametrize(
    ("clause", "bet"),
    [
        marked("AZ-III.F.1-make", "pass"),
        marked("AZ-III.F.3-make", "come"),
        marked("MD-3.A.1", "pass"),
        marked("MD-3.A.3", "come"),
        marked("S2-b1i", "pass"),
        marked("S2-b1iii", "come"),
    ],
)
def test_elsewhere_pass_and_come_do_not_grow_once_their_point_is_set(clause: str, bet: str) -> None:
    """AZ-III.F.1-make, MD-3.A.1, MD-3.A.3, S2-b1i: nothing is added to pass or come on its point."""
    crew = _crew(clause)
    if bet == "pass":
        crew.come_out()
        assert crew.one(crew.making("pass", cents=5_00), e.WagerIncreased).after.cents == 15_00
        crew.roll(2, 4)
        crew.only(crew.making("pass", cents=5_00), clause)
    else:
        crew.point()
        crew.make("come", cents=15_00)
        assert crew.one(crew.making("come", cents=5_00), e.WagerIncreased).after.cents == 20_00
        crew.roll(4, 4)
        crew.only(crew.making("come", number=8, cents=5_00), clause)
        crew.make("come", cents=10_00)  # a further come wager is a new one


@pytest.mark.parametrize(
    ("clause", "bet"),
    [
        pytest.param("CO-2305-4-noreplace", bet, marks=pytest.mark.clause("CO-2305-4-noreplace"), id=f"CO-{bet}")
        for bet in listed("CO-2305-4-noreplace", "bet")
    ]
    + [
        pytest.param("AZ-III.E.5.b", bet, marks=pytest.mark.clause("AZ-III.E.5.b"), id=f"AZ-{bet}")
        for bet in listed("AZ-III.E.5.b", "bets")
    ]
    + [
        pytest.param("MD-4.E.replace", bet, marks=pytest.mark.clause("MD-4.E.replace"), id=f"MD-{bet}")
        for bet in listed("MD-4.E.replace", "bet")
    ]
    + [marked(clause, row(clause).values["bet"]) for clause in ("S2-c4.dp.noreplace", "S2-c4.dc.noreplace")],
)
def test_a_dont_wager_on_its_point_is_neither_put_back_nor_increased(clause: str, bet: str) -> None:
    """CO-2305-4-noreplace, AZ-III.E.5.b, MD-4.E.replace, S2-c4.dp.noreplace, S2-c4.dc.noreplace."""
    number = 0 if bet == "dont_pass" else 8
    crew = _crew(clause)
    if bet == "dont_pass":
        crew.come_out("dont_pass", 20_00)
        crew.do(c.ReduceWager(seat=1, wager=bet, cents=5_00))
        assert crew.one(crew.making(bet, cents=10_00), e.WagerIncreased).after.cents == 25_00  # no point yet
        crew.roll(2, 4)
    else:
        crew.point()
        crew.make(bet, cents=20_00)
        crew.do(c.ReduceWager(seat=1, wager=bet, cents=5_00))
        assert crew.one(crew.making(bet, cents=10_00), e.WagerIncreased).after.cents == 25_00
        crew.roll(4, 4)
    crew.only(crew.making(bet, number=number, cents=5_00), clause)  # never touched since: no increase either
    crew.do(c.ReduceWager(seat=1, wager=bet, number=number, cents=10_00))
    crew.only(crew.making(bet, number=number, cents=5_00), clause)
    crew.do(c.RemoveWager(seat=1, wager=bet, number=number))
    crew.refused(crew.making(bet, number=number, cents=15_00))  # nor is it put back
    if bet == "dont_come":
        crew.make(bet, cents=15_00)  # a new one in its own area is no replacement


@pytest.mark.parametrize("kind", ["buy", "lay"])
@pytest.mark.parametrize("name", ["colorado", "section2", "arizona", "maryland"])
def test_buy_and_lay_are_made_at_any_time(name: str, kind: str) -> None:
    """CO-2307-1-offer, S2-e1, AZ-III.G-1, MD-3.A.41 and lay likewise: on a come-out roll and on a point."""
    crew = Crew(name).come_out()
    crew.make(kind, seat=2, number=4)
    crew.roll(2, 4)
    crew.make(kind, seat=2, number=4)
    assert crew.layout[2, kind, 4] == 2 * crew.amount(kind, 4)


@pytest.mark.parametrize("name", ["colorado", "section2", "arizona", "maryland"])
def test_every_wager_without_a_window_of_its_own_is_of_any_time(name: str) -> None:
    """S2-b1v and the rows of Section 2 that settle and open at once: on a come-out roll and on a point."""
    for dice in ((6, 1), (2, 4)):
        crew = Crew(name, automate=frozenset({"confirm"})).come_out()
        crew.roll(*dice)
        for kind, rule in crew.rules.wagers.items():
            if rule.family != "line" and not rule.behind and not isinstance(rule.entry, SideWager):
                crew.make(kind, seat=2, number=min(rule.numbers))
