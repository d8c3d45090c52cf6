"""A tournament that is cancelled: nothing more is played, everybody gets back what they paid, and the books close."""

from __future__ import annotations

from datetime import datetime

import pytest
from msgspec.structs import replace

from passline.streams.course import THE_HOUSE, Decision
from passline.tournament import commands as c
from passline.tournament.cash import TournamentCash
from passline.tournament.course import TOURNAMENT_CODEC
from passline.tournament.decide import decide_tournament
from passline.tournament.plan.schema import AddOn
from passline.tournament.reports import fees_by_month
from passline.tournament.rules import tournament_of
from passline.tournament.views import phase_of
from tests.tournament.director import CASHIER, DIRECTOR, WITNESS
from tests.tournament.evening import Evening, two_rounds

WHY = "the power is out"
HEATS = "Heats"


def _begun() -> Evening:
    """Three entries, one of them complimentary, chips bought, and money of the house in the pool."""
    add_on = AddOn(cents=40_00, points=1000, most=2, rounds=("Round 1",))
    evening = Evening(two_rounds(add_on=add_on))
    evening.players(1, 2)
    evening.enter(HEATS, "P3", account="p3", fee="complimentary", buy_in="complimentary")
    evening.ask(c.AddMoney(event=HEATS, cents=500_00))
    evening.seat(HEATS, "t-1")
    evening.ask(c.StartRound())
    evening.ask(c.BuyChips(entry=1, kind="add_on"), CASHIER)
    return evening


@pytest.mark.clause("CO-2315.05-noretain")
def test_everything_goes_back_and_the_books_close_at_zero() -> None:
    """CO-2315.05-noretain: nobody wins a cancelled tournament, and the house keeps nothing of the buy-ins."""
    evening = _begun()
    event = evening.state.plan.events[0]
    said = evening.ask(c.CancelTournament(reason=WHY))
    assert said[0].endswith("[CO-2315.05-noretain]")
    assert "$500 that the house had added go back to it" in said
    assert phase_of(evening.state) == "cancelled"
    assert "entries 1 (P1), 2 (P2), 3 (P3)" in evening.refused(c.CloseTournament())
    back = event.fee_cents + event.buy_in_cents
    (line,) = evening.ask(c.RefundEntry(entry=1), CASHIER)
    assert line == f"P1 (entry 1) gets back ${(back + 40_00) // 100}"
    assert "nothing to get back" in evening.refused(c.RefundEntry(entry=1), CASHIER)
    evening.ask(c.RefundEntry(entry=2), CASHIER)
    (line,) = evening.ask(c.RefundEntry(entry=3), CASHIER)
    assert line.endswith("gets back $0"), "who paid nothing gets nothing"
    assert evening.state.balances == {}
    evening.ask(c.CloseTournament())
    assert phase_of(evening.state) == "closed"


@pytest.mark.parametrize(
    "command",
    [
        c.EnterPlayer(event=HEATS, name="Late"),
        c.PrepareRound(event=HEATS, tables=("t-2",)),
        c.EndRound(),
        c.StartRound(),
        c.ConcludeEvent(event=HEATS),
        c.AddMoney(event=HEATS, cents=1),
        c.CancelTournament(reason="again"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_cancelled_tournament_never_goes_on(command: c.TournamentCommand) -> None:
    evening = _begun()
    evening.ask(c.CancelTournament(reason=WHY))
    assert f"never goes on: {WHY}" in evening.refused(command)
    report = c.ReportPoints(number=1, table="t-1", points=dict.fromkeys("123", 2500), house=0, rolls=0)
    assert "never goes on" in evening.refused(report, THE_HOUSE)


def test_it_takes_a_reason_a_director_and_another_signature() -> None:
    evening = _begun()
    assert "why it is cancelled" in evening.refused(c.CancelTournament(reason=" "))
    assert "duties" in evening.refused(c.CancelTournament(reason=WHY), CASHIER)
    rules = tournament_of("colorado")
    command = c.CancelTournament(reason=WHY)
    for signed_by, is_done in (("", False), (DIRECTOR.account, False), (WITNESS.account, True)):
        answer = decide_tournament(rules, evening.state, command, by=DIRECTOR, at=evening.at, signed_by=signed_by)
        assert isinstance(answer, Decision) is is_done, answer
    assert "not cancelled" in evening.refused(c.RefundEntry(entry=1), CASHIER)


@pytest.mark.clause("CO-2315.05-payall")
def test_what_is_awarded_is_not_cancelled() -> None:
    """CO-2315.05-payall: once the places are awarded, the pool is its winners'."""
    evening = Evening(two_rounds())
    evening.players(1, 2, 3, 4)
    evening.deal(e1=9000, e2=8000)
    evening.deal(e1=9000, e2=8000)
    evening.conclude()
    assert "[CO-2315.05-payall]" in evening.refused(c.CancelTournament(reason=WHY))


def test_refunds_are_in_the_cash_and_the_fees_of_the_month() -> None:
    evening = _begun()
    evening.ask(c.CancelTournament(reason=WHY))
    for entry in (1, 2, 3):
        evening.ask(c.RefundEntry(entry=entry), CASHIER)
    cash = TournamentCash()
    rows = list(evening.log.read_stream(evening.stream.name))
    parts = [part for row in rows for part in cash.take(row.entry, TOURNAMENT_CODEC.events(row.entry))]
    assert sum(part.cents for part in parts) == 0
    assert min(part.cents for part in parts) < 0
    table = fees_by_month(tournament_of("colorado"), evening.books, local=datetime.fromisoformat)
    assert [row[-1] for row in table.rows] == [0]


def test_an_earlier_plan_is_cancelled_too() -> None:
    evening = Evening(replace(two_rounds(), id="early"))
    evening.ask(c.CancelTournament(reason=WHY))
    evening.ask(c.CloseTournament())
    assert evening.state.is_closed
