"""Splits, rebuys and entries in an order that nobody plans: all who are in agree, and nobody buys twice."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Prize
from tests.tournament.director import CASHIER
from tests.tournament.engine_cases import HEATS, MASTERS, one_event
from tests.tournament.evening import REBUY, Evening, events_paying, places_of, player_numbered, two_rounds

# Splits.

HALVES = {"1": 200_00, "2": 200_00}


def _two_left(**changes: Any) -> Evening:  # noqa: ANN401 - fields of an event
    evening = Evening(two_rounds(**changes))
    evening.players(1, 2, 3, 4)
    evening.deal(e1=5000, e2=4000, e3=100, e4=0)
    return evening


@pytest.mark.clause("CO-2315.07-3")
@pytest.mark.parametrize("meanwhile", ["money is added", "a player is back"])
def test_a_split_is_proposed_anew_when_money_or_players_have_changed(meanwhile: str) -> None:
    evening = _two_left(rebuy=REBUY)
    evening.propose(HALVES)
    if meanwhile == "money is added":
        evening.ask(c.AddMoney(event=HEATS, cents=50_00))
    else:
        evening.ask(c.BuyChips(entry=4, kind="rebuy"), CASHIER)
    assert "CO-2315.07-3" in evening.not_confirmed(HALVES)


@pytest.mark.clause("CO-2315.07-3")
def test_who_was_eliminated_since_a_split_was_signed_is_not_paid_by_it() -> None:
    evening = Evening(two_rounds())
    evening.players(1, 2, 3, 4)
    evening.seat(HEATS, "t-1")
    quarters = dict.fromkeys("1234", 100_00)
    assert "plays no event 'Heats' now" in evening.refused(
        c.ProposeSplit(event=HEATS, entry=1, shares=quarters), player_numbered(1)
    )
    evening.ask(c.StartRound())
    evening.propose(quarters)
    evening.report(e1=5000, e2=4000, e3=100, e4=0)
    assert "CO-2315.07-3" in evening.not_confirmed(quarters)


@pytest.mark.clause("CO-2315.07-3")
def test_who_has_entered_again_is_among_those_who_must_agree() -> None:
    prizes = [Prize(basis_points=share) for share in (4000, 3000, 2000, 1000)]
    evening = _two_left(reentries_max=1, places=places_of(*prizes))
    evening.players(4)
    two = c.ProposeSplit(event=HEATS, entry=1, shares={"1": 250_00, "2": 200_00})
    assert "names every player left" in evening.refused(two, player_numbered(1))
    evening.ask(replace(two, shares={"1": 200_00, "2": 150_00, "5": 100_00}), player_numbered(1))
    for entry, player in ((1, 1), (2, 2), (5, 4)):
        evening.ask(c.AgreeSplit(entry=entry), player_numbered(player))
    for entry in (1, 2, 5):
        evening.ask(c.ConfirmSplit(entry=entry, is_understood=True))
    assert evening.won() == {"3": (50_00, ""), "1": (200_00, ""), "2": (150_00, ""), "5": (100_00, "")}
    assert "house" not in evening.state.balances
    evening.close()


@pytest.mark.clause("CO-2315.05-eventpool")
def test_an_event_is_not_split_before_those_that_come_first() -> None:
    plan = events_paying((HEATS, 5000), (MASTERS, 10_000), pools="by_event")
    evening = Evening(plan)
    evening.players(1, 2)
    evening.players(3, 4, event=MASTERS)
    evening.seat(MASTERS, "t-1")
    evening.ask(c.StartRound())
    shares = {"3": 200_00, "4": 0}
    assert "Heats must be over first" in evening.refused(
        c.ProposeSplit(event=MASTERS, entry=3, shares=shares), player_numbered(3)
    )


@pytest.mark.clause("CO-2316-1-rank")
def test_those_who_are_out_and_level_for_a_prize_are_parted_before_a_split() -> None:
    prizes = [Prize(basis_points=share) for share in (5000, 3000, 2000)]
    evening = Evening(two_rounds(places=places_of(*prizes)))
    evening.players(1, 2, 3, 4)
    evening.deal(e1=5000, e2=4000, e3=100, e4=100)
    shares = {"1": 160_00, "2": 160_00}
    evening.propose(shares)
    assert "CO-2316-1-rank" in evening.not_confirmed(shares)
    evening.ask(c.PartTie(entries=(4, 3), how="roll_off"))
    evening.ask(c.ConfirmSplit(entry=2, is_understood=True))
    assert evening.won()["4"] == (80_00, "")
    evening.close()


# Chips and entries.


@pytest.mark.clause("CO-2315-2-c-once")
def test_nobody_buys_back_into_an_entry_beside_another() -> None:
    evening = _two_left(rebuy=REBUY, reentries_max=1)
    evening.players(4)
    assert "CO-2315-2-c-once" in evening.refused(c.BuyChips(entry=4, kind="rebuy"), CASHIER)


def test_nobody_buys_back_twice_before_playing() -> None:
    evening = _two_left(rebuy=REBUY)
    evening.ask(c.BuyChips(entry=4, kind="rebuy"), CASHIER)
    assert "has chips left" in evening.refused(c.BuyChips(entry=4, kind="rebuy"), CASHIER)


def test_no_entry_is_taken_when_no_round_is_left() -> None:
    evening = _two_left(reentries_max=1)
    evening.deal(e1=5000, e2=4000)
    again = c.EnterPlayer(event=HEATS, name="P4", account="p4")
    assert "no entries are taken any more" in evening.refused(again, CASHIER)


@pytest.mark.clause("CO-2316-1-rank")
def test_a_tie_is_parted_with_everybody_in_it_and_when_the_points_are_in() -> None:
    evening = Evening(one_event())
    evening.players(1, 2, 3)
    evening.seat(HEATS, "t-1")
    evening.ask(c.StartRound())
    assert "when its points are in" in evening.refused(c.PartTie(entries=(3, 2, 1), how="roll_off"))
    evening.report(e1=3000, e2=3000, e3=3000)
    assert "CO-2316-1-rank" in evening.refused(c.PartTie(entries=(2, 3), how="roll_off"))
    evening.ask(c.PartTie(entries=(2, 3, 1), how="roll_off"))
    evening.conclude()
    assert [*evening.won()] == ["2", "3"]


def test_arizona_takes_as_many_entries_of_a_player_as_the_sheet_says() -> None:
    plan = example_plan("arizona")
    evening = Evening(plan)
    entry = c.EnterPlayer(event=plan.events[0].name, name="X")
    evening.ask(entry, CASHIER)
    assert "[sheet]" in evening.refused(entry, CASHIER)


@pytest.mark.clause("CO-2315.01-month")
@pytest.mark.parametrize("occurred", ["2026-11-31T18:00:00.000000Z", "1" * 27, "2026-11-01 18:00:00.000000Z"])
def test_a_fee_is_taken_at_a_moment_that_there_is(occurred: str) -> None:
    evening = Evening(one_event())
    entry = c.EnterPlayer(event=HEATS, name="X", occurred=occurred)
    assert "is not a moment before" in evening.refused(entry, CASHIER)
