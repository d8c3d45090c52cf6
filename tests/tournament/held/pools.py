"""Cases of pools by event: what one leaves is carried into the next, and nothing else is."""

from __future__ import annotations

from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.schema import Place, Plan, Prize
from passline.tournament.reports import prizes_table
from tests.tournament.director import CASHIER
from tests.tournament.engine_case import Played
from tests.tournament.engine_cases import CHAMPIONS, HEATS, MASTERS, case, cup


@case("CO-2315.05-eventpool", "CO-2315.05-payall", "CO-2315.05-noretain", "CO-2315.02-prizes")
def _an_event_without_players_hands_its_pool_on(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.ReturnVoucher(number=1), CASHIER)
    ended, carried = play.ask(c.ConcludeEvent(event=MASTERS))
    play.expect((ended.awards, carried.cents), ((), 190_00))  # 90 of the heats, and the voucher's 100
    play.enter(CHAMPIONS, "Cat", voucher=2)
    play.ask(c.ConcludeEvent(event=CHAMPIONS))
    play.expect(play.won()["4"], 215_00)
    play.close()
    rows = [row[1:] for row in prizes_table(play.rules, play.books).rows]  # without the voucher that was returned
    wanted = [
        ("1", "Ann", "cash", 60_72),
        ("2", "Bob", "cash", 24_28),
        ("2", "Bob", "a watch", 80_00),
        ("4", "Cat", "cash", 215_00),
        ("", "Total", "", 380_00),
    ]
    play.expect(rows, wanted)


@case("CO-2315.05-eventpool", "CO-2315.05-payall", "CO-2315.05-noretain")
def _a_pool_with_nothing_in_it_is_not_carried(play: Played) -> None:
    for event in (HEATS, MASTERS, CHAMPIONS):
        (ended,) = play.ask(c.ConcludeEvent(event=event))
        play.expect((ended.event_name, ended.places, ended.awards), (event, {}, ()))
    play.expect(play.state.balances, {})
    play.close()


def _without_fees() -> Plan:
    """The series without any entry fee."""
    plan = cup()
    return replace(plan, events=tuple(replace(one, fee_cents=0, fee_in_kind=()) for one in plan.events))


@case("CO-2315.05-eventpool", "CO-2315.05-voucherprize", "CO-2315.05-vouchernotprize", plan=_without_fees)
def _a_voucher_for_an_event_that_costs_a_buy_in_alone_is_a_prize_and_comes_out_of_its_pool(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    events = play.ask(c.ConcludeEvent(event=HEATS))
    issued = [one for one in events if isinstance(one, e.VoucherIssued)]
    play.expect([(one.buy_in_cents, one.is_prize) for one in issued], [(80_00, True), (25_00, False)])
    play.expect(play.state.balances["vouchers"], 105_00)


def _all_in_cash() -> Plan:
    """The series, whose first event pays all of its pool in cash."""
    plan = cup()
    heats, masters, champions = plan.events
    events = (
        replace(heats, places=(Place(place=1, prize=Prize(basis_points=10_000)),)),
        replace(masters, is_by_voucher=False),
        replace(champions, is_by_voucher=False, fee_cents=50_00),
    )
    return replace(plan, events=events)


@case("CO-2315.05-eventpool", "CO-2315.05-payall", plan=_all_in_cash)
def _each_event_carries_what_it_leaves_and_no_more(play: Played) -> None:
    play.enter(HEATS, "Ann")
    (ended,) = play.ask(c.ConcludeEvent(event=HEATS))  # all of it is won
    play.expect([(one.entry, one.pool_cents) for one in ended.awards], [(1, 100_00)])
    play.enter(MASTERS, "Bob")
    ended, carried = play.ask(c.ConcludeEvent(event=MASTERS))
    play.expect([(one.entry, one.pool_cents) for one in ended.awards], [(2, 24_00)])
    play.expect(carried, e.PoolCarried(f"pool/{MASTERS}", f"pool/{CHAMPIONS}", 56_00))
    play.expect(play.state.balances[f"pool/{HEATS}"], 100_00)  # won, and not handed out
    play.enter(CHAMPIONS, "Cat")
    (ended,) = play.ask(c.ConcludeEvent(event=CHAMPIONS))
    play.expect([(one.entry, one.pool_cents) for one in ended.awards], [(3, 56_00)])
    play.close()
