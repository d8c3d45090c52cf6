"""Cases of fees, pools and prizes: what came in is what there is, and all of a pool is paid."""

from __future__ import annotations

from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Place, Plan, Prize
from passline.tournament.reports import entrants_table, entry_log, fees_by_month, money_table, prizes_table
from tests.tournament.director import CASHIER, DIRECTOR, OWNER
from tests.tournament.engine_case import Played, local
from tests.tournament.engine_cases import CARD, CHAMPIONS, HEATS, MASTERS, TOY, case, cup, one_event


def _rows(play: Played) -> dict[str, tuple[object, object]]:
    """The table of money, without its clauses."""
    return {str(row[0]).partition(" [")[0]: (row[1], row[2]) for row in money_table(play.rules, play.books).rows}


@case(
    "CO-2315.05-eventpool", "CO-2315.05-payall", "CO-2315.05-noretain", "CO-2315.05-pool", "CO-2315.05-feedef",
    "CO-2315.02-prizes", "CO-2315.02-separate", "CO-2315.07-3-c-record",
)  # fmt: skip
def _what_an_event_leaves_is_paid_in_later_ones_to_the_last_cent(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat", "Dan"):
        play.enter(HEATS, name)
    play.refused("form", c.ConcludeEvent(event=MASTERS))
    play.expect(play.state.balances, {"cash": -600_00, "fees": 200_00, f"pool/{HEATS}": 400_00})
    play.deal(HEATS, e1=5000, e2=4000, e3=3000, e4=10)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.ask(c.ConcludeEvent(event=HEATS))
    # 70% of 400 dollars; of it 125 for vouchers, and the rest as 5 to 2, the odd cent to the best
    play.expect(play.won(), {"1": 110_72, "2": 44_28})
    pools = {key: cents for key, cents in play.state.balances.items() if key.startswith("pool/")}
    play.expect(pools, {f"pool/{HEATS}": 155_00, f"pool/{MASTERS}": 120_00})
    unpaid = "$400 of buy-ins are not paid out"  # in pools, and in vouchers
    play.refused("CO-2315.05-payall, CO-2315.05-noretain", c.CloseTournament(), says=unpaid)
    play.enter(MASTERS, "Ann", voucher=1)
    play.ask(c.ConcludeEvent(event=MASTERS))
    play.expect(play.won(), {"1": 110_72, "2": 44_28, "5": 60_00})
    play.expect(play.state.balances[f"pool/{CHAMPIONS}"], 140_00)
    play.refused("CO-2315.05-payall", c.ConcludeEvent(event=CHAMPIONS))  # a voucher for it is open
    play.enter(CHAMPIONS, "Cat", voucher=2)
    play.ask(c.ConcludeEvent(event=CHAMPIONS))
    play.expect(play.won()["6"], 165_00)
    play.refused("CO-2315.05-payall", c.CloseTournament())  # nothing is handed out
    play.refused("CO-2315.05-payall, CO-2315.05-noretain", c.CloseTournament())
    play.refused("CO-2315.02-separate", c.CloseTournament())  # though one entry has no fee
    play.close()
    play.refused("form", c.AddMoney(event=HEATS, cents=1))  # the books are closed
    play.expect(play.state.balances, {"cash": -600_00, "fees": 220_00, "paid": 380_00})
    play.expect(_rows(play)["paid to winners"], (None, 380_00))
    play.expect(_rows(play)["Total"], (600_00, 600_00))
    table = prizes_table(play.rules, play.books)
    play.expect(table.heads, ("day", "entry", "winner", "received", "value $"))
    day, voucher = "2026-12-01", f"voucher 1 for {MASTERS} [CO-2315.05-voucherprize]"
    wanted = (
        (day, "1", "Ann", "cash", 110_72),
        (day, "2", "Bob", "cash", 44_28),
        (day, "2", "Bob", "a watch", 80_00),
        (day, "5", "Ann", "cash", 60_00),
        (day, "6", "Cat", "cash", 165_00),
        (day, "1", "Ann", voucher, 100_00),
        ("", "", "Total", "", 380_00 + 80_00 + 100_00),
    )
    play.expect((table.rows, table.totals), (wanted, (6,)))


def _thirds() -> Plan:
    prizes = (Prize(basis_points=3400, cents=1_00), Prize(basis_points=3300), Prize(basis_points=3300))
    return one_event(places=tuple(Place(place=number, prize=one) for number, one in enumerate(prizes, start=1)))


@case("CO-2315.05-payall", "CO-2315.05-noretain", "CO-2315.02-prizes", plan=_thirds)
def _a_pool_is_shared_to_the_last_cent(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.ask(c.AddMoney(event=HEATS, cents=5))
    play.deal(HEATS, e1=300, e2=200, e3=100)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(
        {key: (one.pool_cents, one.house_cents) for key, one in play.state.awards.items()},
        {"1": (102_02, 1_00), "2": (99_02, 0), "3": (99_01, 0)},
    )
    play.refused("form", c.AddMoney(event=HEATS, cents=5))
    play.refused("CO-2315.05-payall, CO-2315.05-noretain", c.CloseTournament())
    play.close()
    play.expect(
        play.state.balances, {"cash": -450_00, "house": -5, "house_prizes": -1_00, "fees": 150_00, "paid": 301_05}
    )
    received = [(row[1], row[-1]) for row in prizes_table(play.rules, play.books).rows]
    play.expect(received, [("1", 103_02), ("2", 99_02), ("3", 99_01), ("", 301_05)])  # the house's dollar too


def _one_pool() -> Plan:
    """Three events with one pool, of which they pay a half, a fifth and the rest."""
    plan = cup()
    shares = (5000, 2000, 3000)
    events = tuple(
        replace(one, places=(Place(place=1, prize=Prize(basis_points=share)),), is_by_voucher=False, fee_cents=50_00,
                fee_in_kind=(), buy_in_cents=100_00)
        for one, share in zip(plan.events, shares, strict=True)
    )  # fmt: skip
    return replace(plan, pools="one", events=events)


@case("CO-2315.05-payall", "CO-2315.05-eventpool", plan=_one_pool)
def _shares_of_one_pool_are_of_all_that_comes_into_it(play: Played) -> None:
    play.enter(HEATS, "Ann")
    (ended,) = play.ask(c.ConcludeEvent(event=HEATS))  # and nothing is carried from one pool to itself
    play.expect((ended.event_name, ended.places), (HEATS, {"1": 1}))
    play.expect(play.won(), {"1": 50_00})
    play.enter(MASTERS, "Bob")
    play.expect(play.state.balances["pool/all"], 200_00)
    play.ask(c.ConcludeEvent(event=MASTERS))
    play.expect(play.won(), {"1": 50_00, "2": 60_00})  # two fifths of the 150 that are left
    play.ask(c.PayPrize(entry=1), CASHIER)
    play.enter(CHAMPIONS, "Cat")
    play.ask(c.ConcludeEvent(event=CHAMPIONS))
    play.expect(play.won(), {"2": 60_00, "3": 190_00})
    play.close()
    play.expect(play.state.balances["paid"], 300_00)


@case("CO-2315.05-payall", plan=_one_pool)
def _the_pool_of_a_last_event_without_players_goes_to_the_latest_that_was_played(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.ConcludeEvent(event=MASTERS))
    (ended,) = play.ask(c.ConcludeEvent(event=CHAMPIONS))
    play.expect((ended.event_name, ended.places), (CHAMPIONS, {}))
    play.expect(play.won(), {"1": 100_00})
    play.close()


@case("CO-2315.05-payall", plan=lambda: replace(_one_pool(), pools="one", house_adds_cents=10_00))
def _the_house_adds_what_it_has_promised(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.ConcludeEvent(event=MASTERS))
    play.ask(c.AddMoney(event=CHAMPIONS, cents=9_99))
    play.refused("CO-2315.05-payall", c.ConcludeEvent(event=CHAMPIONS))
    play.ask(c.AddMoney(event=CHAMPIONS, cents=1))
    play.ask(c.ConcludeEvent(event=CHAMPIONS))
    play.expect(play.won(), {"1": 110_00})


@case(
    "CO-2315.05-payall",
    "CO-2315.05-noretain",
    plan=lambda: one_event(places=(Place(place=1, prize=Prize(basis_points=10_000)),)),
)
def _a_pool_that_nobody_came_for_does_not_vanish(play: Played) -> None:
    play.ask(c.EnterPlayer(event=HEATS, name="Ann"), CASHIER)
    play.ask(c.AddMoney(event=HEATS, cents=5_00))
    play.ask(c.WithdrawEntry(entry=1, reason="ill"), CASHIER)
    play.expect(play.state.balances, {"house": -5_00, "pool/all": 5_00})
    play.refused("CO-2315.05-payall", c.ConcludeEvent(event=HEATS))
    play.enter(HEATS, "Bob")
    play.enter(HEATS, "Cat")
    play.deal(HEATS, e2=1, e3=2)
    play.refused("CO-2315.05-noretain", c.WithdrawEntry(entry=2, reason="bored"), CASHIER)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(play.won(), {"3": 205_00})


@case("CO-2315.05-pool", "CO-2315.05-comp", "CO-2315.05-noncash", "CO-2315.05-feedef", plan=one_event)
def _whatever_is_bought_goes_into_the_pool_at_its_value(play: Played) -> None:
    free = {"fee": "complimentary", "buy_in": "complimentary"}
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob", **free)
    play.enter(HEATS, "Cat", fee="in_kind", fee_item=TOY, buy_in="in_kind", buy_in_item=CARD)
    play.refused(
        "CO-2315.05-noncash", c.EnterPlayer(event=HEATS, name="Dan", buy_in="in_kind", buy_in_item=TOY), CASHIER
    )
    play.refused("form", c.EnterPlayer(event=HEATS, name="Dan", buy_in="credit"), CASHIER)
    balances = {"cash": -150_00, "complimentary": -150_00, "in_kind": -150_00, "fees": 150_00, "pool/all": 300_00}
    play.expect(play.state.balances, balances)
    cash, comp, kind = (None, 100_00), (150_00, None), (150_00, None)
    rows = _rows(play)
    play.expect(rows["money taken"], (150_00, None))
    play.expect(rows["complimentary entries and chips, at their value"], comp)
    play.expect(rows["things in place of money, at their value"], kind)
    play.expect(rows["prize pool, of the buy-ins, still to be paid"], (None, 300_00))
    play.expect(rows["entry fees, kept out of the prize pool"], (None, 150_00))
    play.expect(rows["Total"], (450_00, 450_00))
    play.expect(cash, (None, 100_00))
    for entry in (2, 3):
        play.ask(c.WithdrawEntry(entry=entry, reason="ill"), CASHIER)
    play.expect(play.state.balances, {"cash": -150_00, "fees": 50_00, "pool/all": 100_00})


@case("CO-2315.05-pool", "CO-2315.05-comp")
def _chips_that_are_bought_later_go_into_the_pool_too(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.start(HEATS, "t-1")
    play.ask(c.BuyChips(entry=1, kind="add_on"), CASHIER)
    play.ask(c.BuyChips(entry=2, kind="add_on", how="complimentary"), CASHIER)
    wanted = {"cash": -490_00, "complimentary": -40_00, "fees": 150_00, f"pool/{HEATS}": 380_00}
    play.expect(play.state.balances, wanted)


# What is printed of fees: CO-2315.01


@case("CO-2315.01-agp", "CO-2315.01-comp", "CO-2315.01-month", "CO-2315.01-noloss", plan=one_event)
def _the_return_has_every_fee_by_how_it_was_paid_and_no_buy_in(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob", fee="complimentary")
    play.enter(HEATS, "Cat", fee="in_kind", fee_item=TOY)
    play.enter(HEATS, "Dan", buy_in="in_kind", buy_in_item=CARD)
    play.ask(c.WithdrawEntry(entry=1, reason="ill"), CASHIER)
    play.at = "2027-01-05T12:00:00.000000Z"
    play.ask(c.WithdrawEntry(entry=2, reason="ill"), CASHIER)
    tax = play.prints(fees_by_month(play.rules, play.books, local), "Adjusted gross proceeds")
    play.expect(tax.heads, ("month", "cash $", "in kind $", "complimentary $", "voucher part $", "proceeds $"))
    play.expect(tax.rows, (("2026-12", 50_00, 50_00, 50_00, 0, 150_00), ("2027-01", 0, 0, -50_00, 0, 0)))


@case("CO-2315.01-month")
def _a_fee_is_taken_at_a_moment_before_it_is_written(play: Played) -> None:
    for moment in ("2026-12-01T18:00:00.000001Z", "2026-12-01 17:00:00", "yesterday", "2026-12-01T17:00:00Z"):
        play.refused("form", c.EnterPlayer(event=HEATS, name="Ann", occurred=moment), CASHIER)
    play.enter(HEATS, "Ann", occurred=play.at)
    play.enter(HEATS, "Bob", occurred="2026-11-30T23:59:59.999999Z")
    play.enter(HEATS, "Cat")
    tax = fees_by_month(play.rules, play.books, local)
    play.expect([(row[0], row[1]) for row in tax.rows], [("2026-11", 50_00), ("2026-12", 100_00)])


@case("CO-2315.01-noncash", "CO-2315.05-noncash", plan=one_event)
def _a_thing_that_the_plan_does_not_list_is_not_taken(play: Played) -> None:
    fee, buy_in = f"takes {TOY} in place of the fee of $50", f"takes {CARD} in place of the buy-in of $100"
    toll = c.EnterPlayer(event=HEATS, name="Ann", fee="in_kind", fee_item=CARD)
    play.refused("CO-2315.01-noncash", toll, CASHIER, says=fee)
    chips = c.EnterPlayer(event=HEATS, name="Ann", buy_in="in_kind", buy_in_item=TOY)
    play.refused("CO-2315.05-noncash", chips, CASHIER, says=buy_in)
    play.refused("form", c.EnterPlayer(event=HEATS, name="Ann", fee="credit"), CASHIER)
    (entered,) = play.ask(c.EnterPlayer(event=HEATS, name="Ann", fee="in_kind", fee_item=TOY), CASHIER)
    play.expect((entered.fee, entered.buy_in), (e.Paid("in_kind", 50_00, TOY), e.Paid("cash", 100_00)))
    (entered,) = play.ask(c.EnterPlayer(event=HEATS, name="Bob", buy_in="in_kind", buy_in_item=CARD), CASHIER)
    play.expect((entered.fee, entered.buy_in), (e.Paid("cash", 50_00), e.Paid("in_kind", 100_00, CARD)))


@case("CO-2315.01-form", "CO-2315.01-each", "CO-2315.01-noncashform", "CO-2315.05-noncashform")
def _the_form_has_all_that_each_entrant_paid(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob", fee="in_kind", fee_item=TOY, buy_in="complimentary")
    play.enter(HEATS, "Cat", buy_in="in_kind", buy_in_item=CARD)
    play.ask(c.EnterPlayer(event=HEATS, name="Dan"), CASHIER)
    play.ask(c.WithdrawEntry(entry=4, reason="ill"), CASHIER)
    play.start(HEATS, "t-1")
    play.ask(c.BuyChips(entry=1, kind="add_on"), CASHIER)
    form = play.prints(entrants_table(play.rules, play.books), "Tournament form [CO-2315.01-form]")
    toy, card = f"in kind: {TOY} [CO-2315.01-noncashform]", f"in kind: {CARD} [CO-2315.05-noncashform]"
    wanted = (
        ("1", "Ann", HEATS, "cash", 50_00, "cash", 140_00),
        ("2", "Bob", HEATS, toy, 50_00, "complimentary", 100_00),
        ("3", "Cat", HEATS, "cash", 50_00, card, 100_00),
        ("", "Total", "", "", 150_00, "", 340_00),
    )
    play.expect(form.rows, wanted)
    play.expect(form.totals, (3,))
    play.expect(form.heads, ("entry", "entrant", "event", "fee paid", "fee $", "buy-in paid", "buy-ins $"))


def _no_buy_in() -> Plan:
    prize = Place(place=1, prize=Prize(cents=100_00))
    return one_event(buy_in_cents=0, buy_in_in_kind=(), rebuy=None, add_on=None, places=(prize,))


def _house_money() -> Plan:
    """Three events without a pool, each with a prize of the house."""
    plan = _one_pool()
    prize = (Place(place=1, prize=Prize(cents=10_00)),)
    changes = {"buy_in_cents": 0, "buy_in_in_kind": (), "rebuy": None, "add_on": None, "places": prize}
    return replace(plan, events=tuple(replace(one, **changes) for one in plan.events))


@case("CO-2315.05-payall", plan=_house_money)
def _what_the_house_adds_unasked_waits_for_the_last_event(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.ask(c.AddMoney(event=HEATS, cents=7))
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.ConcludeEvent(event=MASTERS))
    play.enter(CHAMPIONS, "Bob")
    play.ask(c.ConcludeEvent(event=CHAMPIONS))
    play.expect(play.won(), {"1": 0, "2": 7})
    play.close()


@case("CO-2315.05-payall", plan=_no_buy_in)
def _what_the_house_adds_unasked_is_won_too(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.ask(c.AddMoney(event=HEATS, cents=5_01))
    play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(play.won(), {"1": 5_01})
    play.close()
    play.expect(play.state.balances["paid"], 105_01)


@case("CO-2315.01-each", "CO-2315.01-free", "CO-2315.05-feedef", plan=lambda: one_event(fee_cents=0, fee_in_kind=()))
def _without_any_fee_the_form_lists_everybody_with_none(play: Played) -> None:
    play.enter(HEATS, "Ann")
    form = play.prints(entrants_table(play.rules, play.books))
    play.expect(form.rows, (("1", "Ann", HEATS, "cash", 0, "cash", 100_00), ("", "Total", "", "", 0, "", 100_00)))
    play.expect(_rows(play)["entry fees, kept out of the prize pool"], (None, 0))
    tax = play.prints(
        fees_by_month(play.rules, play.books, local),
        "No entry fee was charged: the proceeds are 0.00 [CO-2315.01-free].",
    )
    play.expect(tax.rows, ())


@case("CO-2315.02-separate", plan=one_event)
def _the_count_of_fees_is_of_the_cash_that_was_kept(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob", fee="complimentary")
    play.enter(HEATS, "Cat", fee="in_kind", fee_item=TOY)
    play.ask(c.EnterPlayer(event=HEATS, name="Dan"), CASHIER)
    play.ask(c.WithdrawEntry(entry=4, reason="ill"), CASHIER)
    play.refused("form", c.CountFees(counted=-1), CASHIER)
    (counted,) = play.ask(c.CountFees(counted=50_00), CASHIER)
    play.expect((counted.counted, counted.expected), (50_00, 50_00))
    play.enter(HEATS, "Eve")  # and what is taken after a count is counted again
    play.deal(HEATS, e1=4, e2=3, e3=2, e5=1)
    play.ask(c.ConcludeEvent(event=HEATS))
    for entry in (1, 2):
        play.ask(c.PayPrize(entry=entry), CASHIER)
    play.refused("CO-2315.02-separate", c.CloseTournament())
    events = play.ask(c.CountFees(counted=100_01), CASHIER)
    play.expect((events[0].counted, events[0].expected), (100_01, 100_00))
    play.expect([one.clause for one in events if isinstance(one, e.BreachRecorded)], ["CO-2315.02-separate"])
    play.refused("CO-2315.02-separate", c.CloseTournament(), says="$100.01 of entry fees were counted")
    play.ask(c.SettleFees(reason="a cent too much lay in the bag"))
    play.ask(c.CloseTournament())


@case("CO-2315.02-separate", plan=lambda: one_event(fee_cents=0, fee_in_kind=()))
def _without_fees_nothing_is_counted(play: Played) -> None:
    play.enter(HEATS, "Ann")
    (counted,) = play.ask(c.CountFees(counted=0), CASHIER)  # though one may
    play.expect((counted.counted, counted.expected), (0, 0))
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.PayPrize(entry=1), CASHIER)
    play.ask(c.CloseTournament())


# The log of fees and buy-ins: AZ-III.N


def _desert() -> Plan:
    return example_plan("arizona")


def _free_desert() -> Plan:
    plan = example_plan("arizona")
    return replace(plan, events=tuple(replace(one, fee_cents=0) for one in plan.events))


@case("AZ-III.N-1", regulation="arizona", plan=_free_desert)
def _what_costs_nothing_is_not_in_the_log(play: Played) -> None:
    play.enter("Shootout", "Ann")
    log = play.prints(entry_log(play.rules, play.books, local))
    play.expect([row[2:] for row in log.rows], [("Ann", "buy-in", "cash", 80_00, "carl")])


@case("AZ-III.N-1", "AZ-III.N-2", "AZ-III.N-3", regulation="arizona", plan=_desert)
def _the_log_has_what_was_given_back(play: Played) -> None:
    late, in_time = "2026-12-01T17:58:59.999999Z", "2026-12-01T17:59:00.000000Z"
    events = play.ask(c.EnterPlayer(event="Shootout", name="Ann", occurred=in_time), CASHIER)
    play.expect(len(events), 1)
    events = play.ask(c.EnterPlayer(event="Shootout", name="Bob", occurred=late), CASHIER)
    play.expect([(one.clause, one.entry) for one in events[1:]], [("AZ-III.N-3, AZ-III.N-1", 2)])
    play.ask(c.WithdrawEntry(entry=1, reason="ill"), CASHIER)
    log = play.prints(entry_log(play.rules, play.books, local), "Entry fee and buy-in log")
    play.expect(log.heads, ("taken", "written", "patron", "for", "paid", "amount $", "cashier"))
    now = "2026-12-01 18:00:00"
    wanted = (
        ("2026-12-01 17:59:00", now, "Ann", "fee", "cash", 20_00, "carl"),
        ("2026-12-01 17:59:00", now, "Ann", "buy-in", "cash", 80_00, "carl"),
        ("2026-12-01 17:58:59", now, "Bob", "fee", "cash", 20_00, "carl"),
        ("2026-12-01 17:58:59", now, "Bob", "buy-in", "cash", 80_00, "carl"),
        (now, now, "Ann", "fee", "cash", -20_00, "carl"),
        (now, now, "Ann", "buy-in", "cash", -80_00, "carl"),
    )
    play.expect(log.rows, wanted)


@case("CO-2315.02-separate", plan=one_event)
def _a_count_of_fees_that_differs_stops_the_closing_until_it_is_mended(play: Played) -> None:
    for name in ("Ann", "Bob"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000)
    play.ask(c.ConcludeEvent(event=HEATS))
    for entry in (1, 2):
        play.ask(c.PayPrize(entry=entry), CASHIER)
    apart = "CO-2315.02-separate"
    play.refused("form", c.SettleFees(reason="one note is false"))  # nothing is counted yet
    play.refused(apart, c.CloseTournament(), says="has not been counted")
    play.ask(c.CountFees(counted=1), CASHIER)
    differs = "$0.01 of entry fees were counted, and the entries paid $100"
    play.refused(apart, c.CloseTournament(), says=differs)
    play.ask(c.CountFees(counted=90_00), DIRECTOR)  # a later count stands beside the first
    counts = [one.counted for one in play.events() if isinstance(one, e.FeesCounted)]
    play.expect((counts, play.state.breaches), ([1, 90_00], 2))
    play.refused(apart, c.SettleFees(reason="one note is false"), DIRECTOR, says="Dora has counted these fees")
    play.refused("form", c.SettleFees(reason="  "), OWNER)
    (settled,) = play.ask(c.SettleFees(reason=" one note is false "), OWNER)
    play.expect(settled, e.FeesSettled(90_00, 100_00, "one note is false", apart))
    play.refused("form", c.SettleFees(reason="again"), OWNER)
    play.ask(c.CloseTournament())


@case("CO-2315.02-separate", plan=one_event)
def _a_right_count_ends_the_matter_and_a_withdrawal_opens_it_again(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.ask(c.CountFees(counted=1), CASHIER)
    play.ask(c.SettleFees(reason="the bag is at the other cage"), DIRECTOR)
    play.ask(c.WithdrawEntry(entry=3, reason="ill"), CASHIER)
    play.deal(HEATS, e1=5000, e2=4000)
    play.ask(c.ConcludeEvent(event=HEATS))
    for entry in (1, 2):
        play.ask(c.PayPrize(entry=entry), CASHIER)
    play.refused("CO-2315.02-separate", c.CloseTournament(), says="the entries paid $100: count again")
    play.ask(c.CountFees(counted=100_00), CASHIER)
    play.ask(c.CloseTournament())
