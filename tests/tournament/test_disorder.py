"""Commands in an order that nobody plans: who is out is paid nothing, no cent is stuck, the books can be closed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from passline.rules.pages.texts import packed_pages
from passline.tournament import commands as c
from passline.tournament.plan.schema import Event, Plan, Prize
from passline.tournament.rules import TOURNAMENT_RULES
from tests.tournament.director import CASHIER, DIRECTOR
from tests.tournament.engine_cases import CHAMPIONS, HEATS, MASTERS, cup, one_event
from tests.tournament.evening import Evening, events_paying, places_of

# Who is out stays out.


@pytest.mark.clause("CO-2315.05-pool", "CO-2315-2-c-dq", "CO-2315-2-c-noprize")
@pytest.mark.parametrize("how", ["withdrawn", "disqualified"])
def test_who_goes_after_the_draw_does_not_play(how: str) -> None:
    evening = Evening(one_event())
    evening.players(1, 2, 3)
    evening.seat(HEATS, "t-1")
    if how == "withdrawn":
        evening.ask(c.WithdrawEntry(entry=1, reason="ill"), CASHIER)
    else:
        evening.disqualify(1)
    evening.ask(c.StartRound())
    assert evening.state.round is not None
    assert evening.state.round.entries == (2, 3)
    evening.report(e2=4000, e3=100)
    evening.conclude()
    assert [*evening.won()] == ["2", "3"]
    evening.close()


def test_a_table_that_everybody_has_left_is_not_waited_for() -> None:
    evening = Evening(one_event())
    evening.players(1, 2, 3)
    evening.seat(HEATS, "t-1", "t-2")
    assert evening.state.round is not None
    (alone,) = [one for one in evening.state.round.seats if one.table == "t-2"]
    evening.ask(c.MoveSeat(entry=alone.entry, table="t-1", seat=8))
    evening.ask(c.StartRound())
    evening.report(e1=1, e2=2, e3=3)
    evening.conclude()
    evening.close()


@pytest.mark.clause("CO-2315-2-c-noprize", "CO-2315.05-payall")
def test_the_last_winner_who_is_disqualified_is_paid_nothing() -> None:
    evening = Evening(one_event())
    evening.players(1, 2)
    evening.deal(e1=5000, e2=0)
    evening.conclude()
    evening.disqualify(1)
    evening.disqualify(2)
    assert "CO-2315-2-c-noprize" in evening.refused(c.PayPrize(entry=2), CASHIER)
    assert evening.state.breaches == 1


@pytest.mark.clause("CO-2315-2-c-noprize", "CO-2315.05-payall")
@pytest.mark.parametrize("pools", ["one", "by_event"])
def test_a_prize_without_an_heir_in_its_event_goes_to_the_best_of_another(pools: str) -> None:
    evening = Evening(events_paying((HEATS, 5000), (MASTERS, 10_000 if pools == "by_event" else 5000), pools=pools))
    evening.players(1, 2)
    evening.deal(e1=5000, e2=1)
    evening.disqualify(2, "conduct")
    evening.conclude()
    evening.players(1, 5, event=MASTERS)
    evening.deal(MASTERS, e3=5000, e4=1)
    evening.conclude(MASTERS)
    evening.disqualify(1)
    assert evening.won() == {"4": (400_00, "")}
    evening.close()


@pytest.mark.clause("CO-2315.05-payall")
@pytest.mark.parametrize("pools", ["one", "by_event"])
def test_a_prize_without_any_heir_stays_for_the_event_that_goes_on(pools: str) -> None:
    evening = Evening(events_paying((HEATS, 5000), (MASTERS, 10_000 if pools == "by_event" else 5000), pools=pools))
    evening.players(1, 2)
    evening.deal(e1=5000, e2=1)
    evening.disqualify(2, "conduct")
    evening.conclude()
    evening.disqualify(1)
    assert evening.won() == {}
    evening.players(3, 4, event=MASTERS)
    evening.deal(MASTERS, e3=5000, e4=1)
    evening.conclude(MASTERS)
    assert evening.won() == {"3": (400_00, "")}
    evening.close()


def test_things_move_up_and_none_vanishes() -> None:
    car, watch = Prize(basis_points=10_000, item="a car", item_cents=9000_00), Prize(item="a watch", item_cents=80_00)
    evening = Evening(one_event(places=places_of(car, watch)))
    evening.players(1, 2, 3)
    evening.deal(e1=5000, e2=1000, e3=0)
    evening.conclude()
    evening.disqualify(1, "conduct")
    assert evening.won() == {"2": (300_00, "a car"), "3": (0, "a watch")}
    evening.close()


@pytest.mark.clause("CO-2316-1-rank")
def test_who_is_level_shares_what_a_disqualified_winner_loses() -> None:
    evening = Evening(one_event(places=places_of(Prize(basis_points=10_000))))
    evening.players(1, 2, 3)
    evening.deal(e1=5000, e2=1000, e3=1000)
    evening.conclude()
    evening.disqualify(1, "conduct")
    assert evening.won() == {"2": (150_00, ""), "3": (150_00, "")}
    evening.close()


# Withdrawals and vouchers.


@pytest.mark.clause("CO-2315.05-payall")
def test_a_buy_in_that_is_in_an_awarded_prize_is_not_given_back() -> None:
    evening = Evening(events_paying((HEATS, 9000), (MASTERS, 1000)))
    evening.players(1, 2)
    evening.players(3, 4, event=MASTERS)
    evening.deal(e1=5000, e2=0)
    evening.conclude()
    assert "CO-2315.05-payall" in evening.refused(c.WithdrawEntry(entry=3, reason="ill"), CASHIER)


def _won_vouchers() -> Evening:
    """Heats are over: entry 1 has voucher 1 for Masters, entry 3 voucher 2 for Champions."""
    evening = Evening(cup())
    evening.players(1, 2, 3, 4)
    evening.deal(e1=5000, e2=4000, e3=3000, e4=10)
    evening.deal(e1=5000, e2=4000, e3=3000)
    evening.conclude()
    return evening


@pytest.mark.clause("CO-2315.05-payall")
def test_a_voucher_is_open_again_when_its_entry_is_withdrawn() -> None:
    evening = _won_vouchers()
    evening.enter(MASTERS, "P1", account="p1", fee="voucher", buy_in="voucher", voucher=1)
    evening.ask(c.WithdrawEntry(entry=5, reason="ill"), CASHIER)
    evening.ask(c.ReturnVoucher(number=1), CASHIER)


@pytest.mark.clause("CO-2315.05-payall")
def test_an_event_is_not_over_while_a_voucher_for_it_is_open() -> None:
    evening = _won_vouchers()
    assert "still open for Masters: voucher 1" in evening.refused(c.ConcludeEvent(event=MASTERS))
    for number in (1, 2):
        evening.ask(c.ReturnVoucher(number=number), CASHIER)
    evening.conclude(MASTERS)
    evening.conclude(CHAMPIONS)
    evening.close()


@pytest.mark.clause("CO-2315-2-c-noprize")
def test_the_voucher_of_a_disqualified_winner_goes_back_to_the_pool() -> None:
    evening = _won_vouchers()
    evening.disqualify(1)
    assert evening.state.vouchers["1"].state == "returned"


def _then(first: Event, share: int = 10_000) -> Plan:
    """An event, then Masters, which pays the rest."""
    plan = cup()
    return replace(plan, events=(first, replace(plan.events[1], places=places_of(Prize(basis_points=share)))))


@pytest.mark.clause("CO-2315.05-voucher", "CO-2315.05-payall")
def test_an_event_may_pay_vouchers_alone() -> None:
    heats = replace(one_event().events[0], places=places_of(Prize(voucher=MASTERS)))
    evening = Evening(_then(heats))
    evening.players(1, 2, 3, 4)
    evening.deal(e1=3000, e2=0, e3=1, e4=2)
    evening.conclude()
    assert evening.state.balances["vouchers"] == 100_00
    assert evening.state.balances["pool/Masters"] == 300_00


@pytest.mark.clause("CO-2315.05-payall")
def test_the_pool_of_a_last_event_without_players_goes_to_those_of_the_one_before() -> None:
    heats = replace(one_event().events[0], places=places_of(Prize(basis_points=5000, voucher=MASTERS)))
    evening = Evening(_then(heats))
    evening.players(1, 2, 3)
    evening.deal(e1=3000, e2=0, e3=1)
    evening.conclude()
    evening.ask(c.ReturnVoucher(number=1), CASHIER)
    evening.conclude(MASTERS)
    assert evening.won() == {"1": (300_00, "")}
    evening.close()


# Pools.


@pytest.mark.clause("CO-2315.05-payall")
def test_a_pool_is_paid_when_the_places_that_are_filled_have_no_share() -> None:
    evening = Evening(one_event(places=places_of(Prize(item="a watch", item_cents=80_00), Prize(basis_points=10_000))))
    evening.players(1, 2)
    evening.deal(e1=3000, e2=0)
    evening.disqualify(2, "conduct")
    evening.conclude()
    assert evening.won() == {"1": (200_00, "a watch")}
    evening.close()


@pytest.mark.clause("CO-2315.08-4-desc")
def test_shares_of_one_pool_are_of_the_whole_pool() -> None:
    evening = Evening(events_paying(("A", 3000), ("B", 3000), ("C", 4000)))
    numbers: Sequence[tuple[str, tuple[int, ...]]] = (("A", (1, 2)), ("B", (3, 4, 5)), ("C", (6, 7, 8, 9, 10)))
    for event, players in numbers:
        evening.players(*players, event=event)
    for event, _players in numbers:
        evening.deal(event, e1=5000, e3=5000, e6=5000)
        evening.conclude(event)
    assert evening.won() == {"1": (300_00, ""), "3": (300_00, ""), "6": (400_00, "")}
    evening.close()


@pytest.mark.clause("CO-2315.05-payall")
def test_the_house_adds_what_the_rule_sheet_says() -> None:
    evening = Evening(replace(one_event(), house_adds_cents=1000_00))
    evening.players(1, 2)
    evening.deal(e1=5000, e2=0)
    assert "the house adds $1000" in evening.refused(c.ConcludeEvent(event=HEATS))
    evening.ask(c.AddMoney(event=HEATS, cents=1000_00), DIRECTOR)
    evening.conclude()
    evening.close()


@pytest.mark.clause("CO-2315.05-payall")
def test_a_forfeited_prize_of_the_house_is_nothing_that_it_has_added() -> None:
    plan = events_paying(("A", 5000), ("B", 5000))
    first = replace(plan.events[0], places=places_of(Prize(basis_points=5000, cents=300_00)))
    evening = Evening(replace(plan, events=(first, plan.events[1]), house_adds_cents=1000_00))
    evening.players(1, event="A")
    evening.players(2, 3, event="B")
    evening.conclude("A")
    evening.disqualify(1)  # nobody else played it, and B goes on
    assert not evening.state.awards
    evening.ask(c.AddMoney(event="B", cents=1000_00), DIRECTOR)
    evening.deal("B", e2=5000, e3=0)
    evening.conclude("B")
    evening.close()


def test_a_plan_stays_when_money_has_come_in() -> None:
    evening = Evening(one_event())
    evening.ask(c.AddMoney(event=HEATS, cents=500_00))
    pages = packed_pages(TOURNAMENT_RULES.installed_pages("colorado"))
    again = c.PlanTournament(plan=to_builtins(one_event()), pages=pages, lot_digest="")
    assert "it stays as it is" in evening.refused(again)
