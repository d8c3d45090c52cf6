"""A refusal names every clause a command breaks, unless nothing more can be checked."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.rules.schema import cites_of
from tests.clauses.crew import Crew, marked

_BY_HAND = AUTOMATED - {"confirm"}


def _clauses(refused: Refused) -> set[str]:
    return {clause for one in refused.refusals for clause in one.clause.split(", ")}


@pytest.mark.clause("AZ-II.M.3-a", "AZ-III.E.2", "AZ-III.D.4-a", "AZ-III.D.1-a")
def test_AZ_II_M_3_a__amount_media_player_moment_limits_and_money_are_listed_together() -> None:
    """AZ-II.M.3-a, AZ-III.E.2, AZ-III.D.4-a, AZ-III.D.1-a: six faults, six clauses."""
    crew = Crew("arizona", seats=(1,)).point()
    crew.do(c.TakeSeat(seat=2, is_employee=True))
    making = crew.making("pass", seat=2, cents=7_50, media=("cash",))
    make = cites_of(crew.rules.wagers["pass"].entry.make.cite)
    crew.refused(making, "AZ-III.E.2", "AZ-II.M.3-a", "AZ-III.D.4-a", *make)
    over = crew.making("pass", seat=2, cents=10**9 + 50)
    crew.refused(over, "AZ-III.E.2", "AZ-II.M.3-a", *make, *cites_of(crew.rules.rulebook.general.limits.max.cite))
    crew.refused(over, *cites_of(crew.rules.rulebook.general.media["call"].cite))
    under = crew.making("field", seat=2, cents=50)
    crew.refused(under, "AZ-III.E.2", "AZ-II.M.3-a", "AZ-III.D.1-a")


@pytest.mark.parametrize("cents", [0, -5_00])
def test_a_zero_amount_is_not_checked_against_limits(cents: int) -> None:
    """MD-4.B, MD-3.A.1: it is neither under the minimum nor unpayable, but its timing is still checked."""
    crew = Crew("maryland").point()
    making = c.MakeWager(seat=2, wager="pass", cents=cents)
    assert _clauses(crew.refused(making)) == {"MD-4.B", "MD-3.A.1"}


def test_a_wager_that_a_house_does_not_offer_is_still_checked() -> None:
    """MD-4.A: the election comes first, then every other fault."""
    crew = Crew("maryland", house={"buy": "none"}, cents=10_00).point()
    offered = cites_of(crew.rules.rulebook.elections["buy"].cite)
    refused = crew.refused(crew.making("buy", seat=2, number=4, cents=20_00), "MD-1.B.2")
    assert set(offered) & _clauses(refused)
    assert refused.refusals[0].why == "this house does not offer Buy 4"


@pytest.mark.parametrize(
    ("name", "house"),
    [("maryland", {"whirl_area": False}), ("section2", {}), ("arizona", {})],
    ids=str,
)
def test_a_wager_booked_as_its_parts_is_judged_as_a_whole_first(name: str, house: dict[str, bool]) -> None:
    """MD-3.A.21, S2-b1xxi, AZ-III.F.21: units, media, player and moment once, not once for each part."""
    crew = Crew(name, house=house).point()
    entry = crew.rules.wagers["whirl"].entry
    media = crew.rules.rulebook.general.media
    crew.throw()
    crew.land(1, 1)
    making = crew.making("whirl", seat=2, cents=7_00, media=("beads",), by="boxperson")
    refused = crew.refused(making, *cites_of(entry.units.cite), *cites_of(media["chips"].cite))  # type: ignore[union-attr]
    whys = [one.why for one in refused.refusals]
    assert "the dice have come to rest" in whys
    assert "beads may not be wagered" in whys
    assert "7.00 is not a multiple of 5 units (5.00)" in whys
    assert any("the boxperson may not" in why for why in whys)
    assert len(whys) == len(set(whys)) == 4


def test_each_part_says_what_is_wrong_with_it_and_nothing_is_said_twice() -> None:
    """MD-3.B.1, MD-1.B.2: both parts under the minimum; the whole is paid for at once."""
    limits = {"horn": {"min": 8_00, "max": 100_00}, "any_seven": {"min": 3_00, "max": 100_00}}
    crew = Crew("maryland", house={"whirl_area": False, "limits": limits}, cents=12_00).come_out()
    refused = crew.refused(crew.making("whirl", seat=2, cents=5_00), "MD-3.B.1")
    assert [one.why for one in refused.refusals] == [
        "4.00 is under the minimum, 8.00",
        "1.00 is under the minimum, 3.00",
    ]
    short = crew.refused(crew.making("whirl", seat=2, cents=15_00), "MD-1.B.2")
    assert [(one.why, one.is_money) for one in short.refusals] == [
        ("seat 2 has 12.00 and this needs 15.00; call bets are not accepted", True)
    ]
    assert crew.rack(2) == 12_00


@pytest.mark.parametrize("name", ["maryland", "section2", "arizona", "colorado"])
def test_a_number_off_the_list_names_a_few_and_cites_the_list(name: str) -> None:
    """MD-3.A, S2-b1, AZ-P.1, CO-2304: a long list is cut short, six place numbers are not."""
    crew = Crew(name).come_out()
    (hop,) = crew.refused(crew.making("hop", seat=2, number=999, cents=5_00)).refusals
    assert hop.clause == ", ".join(cites_of(crew.rules.rulebook.general.closed_list.cite))
    assert hop.why.endswith(" and so on")
    assert hop.why.count(",") == 2
    (place,) = crew.refused(crew.making("place_win", seat=2, number=7, cents=5_00)).refusals
    assert "Place cannot be on 7; it can be on 4, 5, 6, 8, 9, 10" in place.why


@pytest.mark.parametrize("clause", [marked("S2-c1i"), marked("AZ-III.E.4-b"), marked("CO-2305-2-late")])
def test_a_late_addition_is_refused_for_want_of_confirmation(clause: str) -> None:
    """S2-c1i, AZ-III.E.4-b, CO-2305-2-late: it would need confirmation, the wager already up does not."""
    crew = Crew.of(clause, automate=_BY_HAND)
    crew.do(c.AcceptDice(seat=1))
    crew.make("pass", cents=10_00)
    crew.make("field", seat=2, cents=10_00)
    crew.throw()
    (one,) = crew.refused(crew.making("field", seat=2, cents=5_00)).refusals
    assert one.clause == clause
    assert "needs confirmation by dealer" in one.why
    assert "cannot be added to Field" in one.why
    assert crew.one(crew.making("any_craps", seat=2, cents=5_00), e.WagerMade).after.late


@pytest.mark.parametrize("name", ["maryland", "section2", "arizona", "colorado"])
def test_odds_behind_a_line_wager_need_not_name_the_point(name: str) -> None:
    """MD-6.A, S2-f1.right, AZ-III.J.1-a, CO-2308: in every command about them; come odds must name their number."""
    crew = Crew(name, automate=_BY_HAND - {"offer", "choose"}).point_at_once()
    crew.make("pass_odds", cents=20_00)
    crew.make("come", cents=10_00)
    crew.do(c.RollDice(first=5, second=5))
    crew.make("come_odds", number=10, cents=10_00)
    assert (1, "pass_odds", 6) in crew.layout
    for number in (0, 6):
        call = c.CallWager(seat=1, wager="pass_odds", number=number, call="off")
        confirm = c.ConfirmWager(seat=1, wager="pass_odds", number=number, by="dealer")
        for command in (call, confirm):
            assert "has no" not in str(crew.refused(command))
    assert "has no Come" in str(crew.refused(c.RemoveWager(seat=1, wager="come_odds")))
    crew.do(c.ReduceWager(seat=1, wager="pass_odds", cents=10_00))
    crew.do(c.RemoveWager(seat=1, wager="pass_odds"))
    assert (1, "pass_odds", 6) not in crew.layout


@pytest.mark.parametrize("clause", [marked(one) for one in ("CO-2304-only", "MD-3.A", "S2-b1", "S2-b2", "AZ-P.1")])
def test_what_is_no_command_and_who_has_no_role_is_refused_by_the_closed_list(clause: str) -> None:
    """Nobody but the roles of the table gives a command, and nothing else is done there."""
    crew = Crew.of(clause, game="craps").point()
    crew.refused(c.MakeWager(seat=2, wager="field", cents=5_00, by="bartender"), clause)  # type: ignore[arg-type]
    crew.refused("roll the dice", clause)  # type: ignore[arg-type]
    crew.refused(c.MakeWager(seat=2, wager="any_eight", cents=5_00), clause)
