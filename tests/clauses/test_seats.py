"""Seats: how many players, seated or standing, employees, and who may wager."""

from __future__ import annotations

from typing import Any

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import REGULATIONS
from passline.rules.elections import HouseBreaches
from passline.rules.rules import Rules
from tests.clauses.crew import Crew, cited, every_game, marked, regulation_of, row


def _breaches(name: str, game: str = "craps", **house: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - elections
    with pytest.raises(HouseBreaches) as caught:
        Rules.of(name, game=game, house=house)
    return [(one.key, one.clause) for one in caught.value.breaches]


@pytest.mark.clause("MD-2.C.seats")
def test_MD_2_C_seats__a_mini_craps_table_seats_nine() -> None:
    """MD-2.C.seats: nine and no tenth, whatever the house would have; craps has no such number."""
    most = int(row("MD-2.C.seats").values["max_seats"])
    assert _breaches("maryland", "mini_craps", seats=most + 1)[0] == ("seats", "MD-2.C.seats")
    crew = Crew("maryland", game="mini", house={"seats": most}, seats=tuple(range(1, most + 1)))
    assert sum(state == "seated" for state in crew.table.position.seats) == most
    crew.only(c.TakeSeat(seat=most + 1), "MD-2.C.seats")
    crew.only(c.TakeSeat(seat=1), "MD-2.C.seats")  # taken
    crew.only(c.TakeSeat(seat=0), "MD-2.C.seats")
    assert Crew("maryland", game="mini").rules.house.seats == most
    Crew("maryland", seats=(most + 1,))


@pytest.mark.clause("AZ-III.E.1")
def test_AZ_III_E_1__eighteen_players_have_wagers_on_a_roll() -> None:
    """AZ-III.E.1: the nineteenth is refused until another has none; those who only watch do not count.

    It is also what a refusal names when a seat is not as a command says.
    """
    most = int(row("AZ-III.E.1").values["max_players"])
    crew = Crew("arizona", seats=tuple(range(1, most + 3)), cents=100_00)
    for seat in range(1, most):
        crew.make("pass", seat=seat, cents=10_00)
    crew.make("place_win", seat=most, number=6, cents=12_00)
    crew.only(crew.making("pass", seat=most + 1, cents=10_00), "AZ-III.E.1")
    crew.only(crew.making("field", seat=most + 2, cents=10_00), "AZ-III.E.1")
    crew.make("field", seat=most, cents=10_00)  # one who wagers already may wager more
    crew.do(c.RemoveWager(seat=most, wager="field"))
    crew.do(c.RemoveWager(seat=most, wager="place_win", number=6))
    crew.make("pass", seat=most + 1, cents=10_00)
    crew.only(crew.making("pass", seat=most, cents=10_00), "AZ-III.E.1")
    crew.only(c.SitDown(seat=1), "AZ-III.E.1")
    crew.only(c.SitDown(seat=most + 3), "AZ-III.E.1")
    for name in set(REGULATIONS) - {"arizona"}:
        other = Crew(name, seats=tuple(range(1, most + 2)), cents=100_00)
        for seat in range(1, most + 2):
            other.make("pass", seat=seat, cents=10_00)


@pytest.mark.parametrize("clause", [marked("S2-c6.seated"), marked("MD-4.F.seat")])
def test_at_mini_craps_only_a_seated_player_wagers(clause: str) -> None:
    """S2-c6.seated, MD-4.F.seat: standing up ends it, sitting down begins it again; craps is played standing."""
    crew = Crew.of(clause, seats=(1, 2, 3))
    crew.do(c.StandUp(seat=2))
    crew.only(crew.making("pass", seat=2, cents=10_00), clause)
    crew.offer()
    crew.do(c.DeclineDice(seat=1))
    assert crew.table.position.offered_to == 3  # who may not wager may not shoot
    crew.do(c.SitDown(seat=2))
    crew.make("pass", seat=2, cents=10_00)
    craps = Crew(regulation_of(clause))
    craps.do(c.StandUp(seat=2))
    craps.make("pass", seat=2, cents=10_00)


@pytest.mark.parametrize("clause", [marked("S2-c6.remain"), marked("MD-4.F.remain")])
def test_at_mini_craps_who_has_wagered_stays_seated(clause: str) -> None:
    """S2-c6.remain, MD-4.F.remain: until nothing of theirs is undecided; a breach is recorded and the wager stands."""
    crew = Crew.of(clause).point()
    crew.make("place_win", seat=2, number=8, cents=12_00)
    stood = crew.one(c.StandUp(seat=2), e.PlayerStood)
    assert (stood.seat, stood.breach) == (2, clause)
    crew.refused(c.StandUp(seat=2))
    assert crew.layout[2, "place_win", 8] == 12_00
    crew.only(c.LeaveSeat(seat=2), clause)
    crew.do(c.SitDown(seat=2))
    crew.refused(c.SitDown(seat=2))
    crew.do(c.RemoveWager(seat=2, wager="place_win", number=8))
    assert crew.one(c.StandUp(seat=2), e.PlayerStood).breach == ""
    assert crew.one(c.LeaveSeat(seat=2), e.SeatLeft).cents == 5_000_00
    craps = Crew(regulation_of(clause)).point()
    assert craps.one(c.StandUp(seat=1), e.PlayerStood).breach == ""


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__an_employee_does_not_wager() -> None:
    """AZ-II.M.3-a: nor is one offered the dice; the other regulations have no such row here."""
    crew = Crew("arizona", seats=(2,))
    crew.do(c.TakeSeat(seat=1, is_employee=True))
    crew.do(c.BuyIn(seat=1, cents=100_00))
    crew.only(crew.making("pass", seat=1, cents=10_00), "AZ-II.M.3-a")
    crew.only(crew.making("place_win", seat=1, number=6, cents=12_00, by="dealer"), "AZ-II.M.3-a")
    crew.make("pass", seat=2, cents=10_00)
    assert crew.offer().seat == 2
    other = Crew("maryland", seats=(2,))
    other.do(c.TakeSeat(seat=1, is_employee=True))
    other.do(c.BuyIn(seat=1, cents=100_00))
    other.make("pass", seat=1, cents=10_00)
    assert other.offer().seat == 1  # whoever may wager may shoot


@pytest.mark.parametrize(("name", "game"), every_game())
def test_nobody_leaves_wagers_or_dice_behind(name: str, game: str) -> None:
    """MD-10.A, S2-k1, CO-2313-1-option: a player gives up the dice and takes wagers down, or waits, before leaving."""
    crew = Crew(name, game=game).come_out("dont_pass")
    crew.refused(c.LeaveSeat(seat=1))
    crew.do(c.RemoveWager(seat=1, wager="dont_pass"))
    crew.refused(c.LeaveSeat(seat=1))  # the dice are still there
    crew.do(c.SurrenderDice(seat=1))
    left = crew.one(c.LeaveSeat(seat=1), e.SeatLeft)
    assert (left.cents, crew.rack(1)) == (5_000_00, 0)
    crew.refused(crew.making("pass", seat=1, cents=10_00))  # nobody is there
    crew.refused(c.LeaveSeat(seat=1))
    for seat in (0, -1, 99):
        crew.refused(crew.making("pass", seat=seat, cents=10_00))
        crew.refused(c.BuyIn(seat=seat, cents=10_00))


@pytest.mark.clause("CO-2301-conduct")
def test_CO_2301_conduct__the_game_is_dealt_as_prescribed_or_not_at_all() -> None:
    """CO-2301-conduct: no variation of a house's own, no other game, no procedures in place of the rule's."""
    found = _breaches("colorado", variations=["double field"])
    assert [(key, cited(clause, "CO-2301-conduct")) for key, clause in found] == [("variations", True)]
    with pytest.raises(HouseBreaches) as caught:
        Rules.of("colorado", game="mini_craps")
    assert [one.key for one in caught.value.breaches] == ["game"]
    arizona = Rules.of("arizona").house.procedures
    assert [key for key, _ in _breaches("colorado", procedures=arizona)] == ["procedures"]
    assert cited(", ".join(Rules.of("colorado").game.duties["follow_rules"].cite), "CO-2301-conduct")
