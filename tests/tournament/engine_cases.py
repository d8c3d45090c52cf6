"""What the entries of the tournament pages decide while a tournament is held, each with its clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from passline.game import commands as g
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import AddOn, InKind, Place, Plan, Prize, Round
from passline.tournament.reports import (
    chips_notice,
    entrants_table,
    entry_log,
    fees_by_month,
    money_table,
    prizes_table,
    sign_in_sheet,
    taxed_fees,
)
from tests.tables.sitting import CREW
from tests.tournament.director import CASHIER, DEALER, DIRECTOR
from tests.tournament.engine_case import EngineCase, Played, local

HEATS, MASTERS, CHAMPIONS = "Heats", "Masters", "Champions"
TOY, CARD = "a toy", "a food card"
ENGINE_CASES: list[EngineCase] = []
ANN = Actor("a", "Ann", "player")

_Script = Callable[[Played], None]


def cup(**changes: object) -> Plan:
    """A series: heats with every way of paying, an event with a fee and one without, both entered with vouchers."""
    plan = example_plan("colorado")
    main, last = plan.events
    add_on = AddOn(cents=40_00, points=1000, most=1, rounds=("Round 1",))
    prizes = (
        Prize(basis_points=5000, voucher=MASTERS),
        Prize(basis_points=2000, item="a watch", item_cents=80_00),
        Prize(voucher=CHAMPIONS, voucher_cents=25_00),
    )
    heats = replace(
        main,
        name=HEATS,
        fee_in_kind=(InKind(item=TOY, cents=50_00),),
        buy_in_in_kind=(InKind(item=CARD, cents=100_00),),
        entries_max=12,
        reentries_max=1,
        add_on=add_on,
        rounds=(
            Round(name="Round 1", rolls=9, seats=4, advance=2, wild_cards=2, is_initial=True),
            Round(name="Final", rolls=9, seats=8),
        ),
        places=tuple(Place(place=number, prize=prize) for number, prize in enumerate(prizes, start=1)),
    )
    day = last.first_day
    one_round = (Round(name="Only", rolls=9, seats=8, is_initial=True),)
    rest = tuple(Place(place=1, prize=Prize(basis_points=share)) for share in (3000, 10_000))
    masters = replace(
        last, name=MASTERS, fee_cents=20_00, buy_in_cents=80_00, rounds=one_round, places=rest[:1], last_day=day
    )
    champions = replace(last, name=CHAMPIONS, rounds=one_round, places=rest[1:], first_day=day, last_day=day)
    sheet = replace(
        plan.sheet,
        final_round="the best of round 1 play nine rolls; the most points win",
        conclusion="the champion is the player with the most points after nine rolls of the champions' event",
    )
    return replace(plan, events=(heats, masters, champions), sheet=sheet, **changes)


def one_event(**changes: object) -> Plan:
    """Heats alone, of one round, whose two prizes are cash."""
    plan = cup()
    heats = replace(
        plan.events[0],
        rounds=(Round(name="Round 1", rolls=9, seats=8, is_initial=True),),
        places=tuple(Place(place=number, prize=Prize(basis_points=share)) for number, share in ((1, 6000), (2, 4000))),
    )
    return replace(plan, pools="one", events=(replace(heats, **changes),))


def _free() -> Plan:
    return one_event(fee_cents=0, fee_in_kind=())


def with_a_watch() -> Plan:
    """Heats alone, whose second prize is a thing."""
    prizes = (Prize(basis_points=10_000), Prize(item="a watch", item_cents=80_00))
    return one_event(places=tuple(Place(place=number, prize=prize) for number, prize in enumerate(prizes, start=1)))


def _desert() -> Plan:
    return example_plan("arizona")


def case(*clauses: str, regulation: str = "colorado", plan: Callable[[], Plan] = cup) -> Callable[[_Script], _Script]:
    """Keep a script as a case that names these clauses."""

    def kept(script: _Script) -> _Script:
        name = script.__name__.strip("_").replace("_", " ")
        ENGINE_CASES.append(EngineCase(regulation, name, {*clauses}, plan, script))
        return script

    return kept


def engine_cases(regulation: str = "") -> list[EngineCase]:
    """All cases, or those of one regulation."""
    return [one for one in ENGINE_CASES if regulation in ("", one.regulation)]


def _four(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat", "Dan"):
        play.enter(HEATS, name)


# Entries of one player, CO-2315(2)(c).


@case("CO-2315-2-c-once", "CO-2315-2-c-dq", "CO-2315-2-c-noprize", plan=one_event)
def _two_entries_at_once(play: Played) -> None:
    _four(play)
    play.refused("CO-2315-2-c-once", c.EnterPlayer(event=HEATS, name="ann"), CASHIER)
    play.refused("CO-2315-2-c-once", c.EnterPlayer(event=HEATS, name="Eve", has_other_entry=True), CASHIER)
    play.start(HEATS, "t-1")
    play.report(e1=5000, e2=4000, e3=100, e4=0)
    play.ask(c.EndRound())
    play.ask(c.ConcludeEvent(event=HEATS))
    events = play.ask(c.Disqualify(entry=1, cause="two_entries", reason="plays at the Gold Dust too"))
    both = "CO-2315-2-c-dq, CO-2315-2-c-noprize"
    play.expect([one.clause for one in events], [both, both])
    play.expect({entry: one.pool_cents for entry, one in play.state.awards.items()}, {"2": 400_00})
    play.refused("form", c.PayPrize(entry=1), CASHIER)
    play.refused("CO-2315-2-c-dq", c.EnterPlayer(event=HEATS, name="Ann"), CASHIER)


# Fees and the tax on them: CO-2315.01, .02, .05


@case("CO-2315.01-agp", "CO-2315.01-comp", "CO-2315.01-month", "CO-2315.01-noloss")
def _fees_are_taxed_in_the_month_they_are_collected(play: Played) -> None:
    play.at = "2026-12-01T00:00:10.000000Z"
    play.enter(HEATS, "Ann", occurred="2026-11-30T23:59:30.000000Z")
    play.enter(HEATS, "Bob", fee="complimentary", buy_in="complimentary")
    play.enter(HEATS, "Cat", fee="in_kind", fee_item=TOY)
    play.ask(c.AddMoney(event=HEATS, cents=500_00))
    play.at = "2027-01-02T12:00:00.000000Z"
    play.ask(c.WithdrawEntry(entry=3, reason="ill"), CASHIER)
    clauses = "CO-2315.01-agp, CO-2315.01-comp, CO-2315.01-month, CO-2315.01-noloss"
    tax = play.prints(fees_by_month(play.rules, play.books, local), f"proceeds [{clauses}]")
    wanted = (
        ("2026-11", 50_00, 0, 0, 0, 50_00),
        ("2026-12", 0, 50_00, 50_00, 0, 100_00),
        ("2027-01", 0, -50_00, 0, 0, 0),
    )
    play.expect(tax.rows, wanted)
    play.expect(taxed_fees(play.rules, play.books, local), {row[0]: row[-1] for row in wanted})
    pages = play.rules.pages
    untaxed = replace(play.rules, pages=replace(pages, fee=replace(pages.fee, taxed=None)))
    play.expect(taxed_fees(untaxed, play.books, local), {})


@case("CO-2315.01-free", plan=_free)
def _without_a_fee_for_anybody_there_are_no_proceeds(play: Played) -> None:
    play.enter(HEATS, "Ann")
    tax = fees_by_month(play.rules, play.books, local)
    play.prints(tax, "No entry fee was charged: the proceeds are 0.00 [CO-2315.01-free].")
    play.expect(tax.rows, ())


@case("CO-2315.01-form", "CO-2315.01-each", "CO-2315.01-noncashform", "CO-2315.05-noncashform")
def _the_form_has_every_entrant_with_the_value_of_the_fee(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob", fee="in_kind", fee_item=TOY, buy_in="in_kind", buy_in_item=CARD)
    form = play.prints(entrants_table(play.rules, play.books), "Tournament form [CO-2315.01-form]")
    toy, card = f"in kind: {TOY} [CO-2315.01-noncashform]", f"in kind: {CARD} [CO-2315.05-noncashform]"
    play.expect(form.rows[0], ("1", "Ann", HEATS, "cash", 50_00, "cash", 100_00))
    play.expect(form.rows[1], ("2", "Bob", HEATS, toy, 50_00, card, 100_00))
    free = play.state.entries["1"]
    play.state = replace(
        play.state, entries={**play.state.entries, "3": replace(free, number=3, fee=e.Paid("cash", 0))}
    )
    books = play.books
    books.state = play.state
    refusal = entrants_table(play.rules, books)
    play.expect(getattr(refusal, "clause", None), "CO-2315.01-each")


@case("CO-2315.02-separate", plan=one_event)
def _fees_in_cash_are_apart_until_they_are_counted(play: Played) -> None:
    _four(play)
    play.refused("CO-2315.02-separate", c.CloseTournament())
    events = play.ask(c.CountFees(counted=199_00), CASHIER)
    play.expect([one.clause for one in events if isinstance(one, e.BreachRecorded)], ["CO-2315.02-separate"])
    play.expect(play.state.breaches, 1)


# The pool: CO-2315.05


@case("CO-2315.05-feedef", "CO-2315.05-pool", "CO-2315.05-comp", "CO-2315.05-noncash", "CO-2315.05-payall")
def _buy_ins_make_the_pool_and_fees_do_not(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob", fee="complimentary", buy_in="complimentary")
    play.enter(HEATS, "Cat", buy_in="in_kind", buy_in_item=CARD)
    play.refused(
        "CO-2315.05-noncash", c.EnterPlayer(event=HEATS, name="Dan", buy_in="in_kind", buy_in_item="a hat"), CASHIER
    )
    money = play.prints(money_table(play.rules, play.books))
    rows = {str(row[0]): row[1:] for row in money.rows}
    play.expect(
        rows,
        {
            "money taken": (200_00, None),
            "things in place of money, at their value [CO-2315.05-noncash]": (100_00, None),
            "complimentary entries and chips, at their value [CO-2315.05-comp]": (150_00, None),
            "money added by the house": (0, None),
            "prizes that the house pays itself": (0, None),
            "entry fees, kept out of the prize pool [CO-2315.05-feedef]": (None, 150_00),
            "prize pool, of the buy-ins, still to be paid [CO-2315.05-pool]": (None, 300_00),
            "vouchers that are not used yet: prizes [CO-2315.05-voucherprize]": (None, 0),
            "vouchers that are not used yet: buy-ins, no prizes [CO-2315.05-vouchernotprize]": (None, 0),
            "paid to winners [CO-2315.05-payall]": (None, 0),
            "Total": (450_00, 450_00),
        },
    )


@case("CO-2315.05-payall", plan=one_event)
def _what_was_paid_for_a_place_is_not_given_back_when_its_pool_is_awarded(play: Played) -> None:
    _four(play)
    play.ask(c.EnterPlayer(event=HEATS, name="Eve"), CASHIER)  # and does not come
    play.start(HEATS, "t-1")
    play.report(e1=5000, e2=4000, e3=100, e4=0)
    play.ask(c.EndRound())
    play.ask(c.ConcludeEvent(event=HEATS))
    over = f"{HEATS} is over: its pool is awarded"
    play.refused("CO-2315.05-payall", c.WithdrawEntry(entry=5, reason="ill"), CASHIER, says=over)


# Vouchers for later events, CO-2315.05.


@case(
    "CO-2315.02-prizes", "CO-2315.05-voucherowner", "CO-2315.05-voucherform", "CO-2315.05-voucherprize",
    "CO-2315.05-vouchernofee", "CO-2315.05-vouchernotprize",
)  # fmt: skip
def _vouchers_are_prizes_or_buy_ins_by_the_event_they_are_for(play: Played) -> None:
    _four(play)
    play.start(HEATS, "t-1")
    play.report(e1=5000, e2=4000, e3=3000, e4=10)
    play.ask(c.EndRound())
    play.start(HEATS, "t-1")
    play.report(e1=5000, e2=4000, e3=3000)
    play.ask(c.EndRound())
    play.ask(c.ConcludeEvent(event=HEATS))
    open_ = {one.number: (one.event_name, one.fee_cents, one.buy_in_cents) for one in play.state.vouchers.values()}
    play.expect(open_, {1: (MASTERS, 20_00, 80_00), 2: (CHAMPIONS, 0, 25_00)})
    rows = {str(row[0]): row[2] for row in money_table(play.rules, play.books).rows}
    play.expect(rows.get("vouchers that are not used yet: prizes [CO-2315.05-voucherprize]"), 100_00)
    words = "vouchers that are not used yet: buy-ins, no prizes [CO-2315.05-vouchernotprize]"
    play.expect(rows.get(words), 25_00)
    by_voucher: dict[str, Any] = {"fee": "voucher", "buy_in": "voucher"}
    stranger = c.EnterPlayer(event=MASTERS, name="Bob", voucher=1, **by_voucher)
    play.refused("CO-2315.05-voucherowner", stranger, CASHIER)
    play.enter(MASTERS, "Ann", voucher=1, **by_voucher)
    pool = play.state.balances.get(f"pool/{CHAMPIONS}", 0)
    play.enter(CHAMPIONS, "Cat", voucher=2, **by_voucher)
    play.expect(play.state.balances[f"pool/{CHAMPIONS}"] - pool, 25_00)
    form = play.prints(entrants_table(play.rules, play.books))
    both = "voucher 1 [CO-2315.05-voucherform]"
    play.expect(form.rows[4], ("5", "Ann", MASTERS, both, 20_00, both, 80_00))
    play.expect(form.rows[5], ("6", "Cat", CHAMPIONS, "", 0, "voucher 2 [CO-2315.05-vouchernofee]", 25_00))
    for entry in list(play.state.awards):
        play.ask(c.PayPrize(entry=int(entry)), CASHIER)
    prizes = play.prints(prizes_table(play.rules, play.books), "Prizes [CO-2315.02-prizes, CO-2315.07-3-c-record]")
    received = [row[2:] for row in prizes.rows[:-1]]
    wanted = ["cash", "cash", "a watch", f"voucher 1 for {MASTERS} [CO-2315.05-voucherprize]"]
    play.expect([row[1] for row in received], wanted)
    cash = 280_00 - 125_00  # seven tenths of the pool, and what the vouchers are worth came out of it first
    play.expect(sum(int(str(row[2] or 0)) for row in received), cash + 80_00 + 100_00)


# The log of fees and buy-ins: AZ-III.N


@case("AZ-III.N-1", "AZ-III.N-2", "AZ-III.N-3", regulation="arizona", plan=_desert)
def _every_payment_is_in_the_log_with_its_patron_and_amount(play: Played) -> None:
    play.enter("Shootout", "Ann")
    late = c.EnterPlayer(event="Shootout", name="Bob", occurred="2026-12-01T17:58:59.000000Z")
    events = play.ask(late, CASHIER)
    play.expect([one.clause for one in events if isinstance(one, e.BreachRecorded)], ["AZ-III.N-3, AZ-III.N-1"])
    play.ask(c.SignInPlayer(entry=2), CASHIER)
    play.start("Shootout", "t-1")
    play.ask(c.BuyChips(entry=1, kind="add_on"), CASHIER)
    log = play.prints(entry_log(play.rules, play.books, local), "buy-in log [AZ-III.N-1, AZ-III.N-2, AZ-III.N-3]")
    now = "2026-12-01 18:00:00"
    wanted = (
        (now, now, "Ann", "fee", "cash", 20_00, "carl"),
        (now, now, "Ann", "buy-in", "cash", 80_00, "carl"),
        ("2026-12-01 17:58:59", now, "Bob", "fee", "cash", 20_00, "carl"),
        ("2026-12-01 17:58:59", now, "Bob", "buy-in", "cash", 80_00, "carl"),
        (now, now, "Ann", "add-on", "cash", 20_00, "carl"),
    )
    play.expect(log.rows, wanted)


# How it is played, CO-2315.07.


@case("CO-2315.07-1-equal", "CO-2315.07-1-extra", "CO-2315.07-2", "CO-2315.07-5-table", "CO-2315.05-buyins")
def _everybody_begins_alike_and_may_buy_alike(play: Played) -> None:
    _four(play)
    play.refused("CO-2315.07-1-extra", c.BuyChips(entry=1, kind="add_on"), CASHIER)
    sheet = play.prints(sign_in_sheet(play.rules, play.books, HEATS), f"Sign-in sheet: {HEATS} [CO-2315.07-1-equal]")
    play.expect({row[2] for row in sheet.rows}, {"2,500"})
    play.start(HEATS, "t-1")
    held = play.state.round
    play.expect(held.stacks if held else {}, {str(number): 2500 for number in range(1, 5)})
    play.ask(c.BuyChips(entry=1, kind="add_on"), CASHIER)
    play.refused("CO-2315.05-buyins, CO-2315.07-1-extra", c.BuyChips(entry=1, kind="add_on"), CASHIER)
    play.refused("CO-2315.07-2", c.BuyChips(entry=2, kind="rebuy"), CASHIER)
    play.report(e1=2000, e2=0, e3=1000, e4=0)
    breach = play.ask(c.CountChips(entry=1, counted=3000), DEALER)[-1]
    wanted = "CO-2316-1-rank, CO-2315.07-5-hidden, CO-2315.07-5-table"
    play.expect(getattr(breach, "clause", None), wanted)
    play.ask(c.BuyChips(entry=2, kind="rebuy"), CASHIER)
    play.ask(c.EndRound())
    play.expect(play.state.entries["4"].status, "eliminated")  # who did not buy again
    play.refused("CO-2315.07-2", c.BuyChips(entry=4, kind="add_on"), CASHIER)
    play.start(HEATS, "t-1")
    held = play.state.round
    play.expect(held.stacks if held else {}, {"1": 3500, "2": 2500, "3": 2500})


@case("CO-2315.07-5-table", plan=one_event)
def _no_chips_are_sold_in_the_last_game(play: Played) -> None:
    _four(play)
    play.start(HEATS, "t-1")
    play.refused("CO-2315.07-5-table", c.BuyChips(entry=1, kind="add_on"), CASHIER)


@case("CO-2315.07-4-sit", "CO-2315.07-4-wager", "CO-2315.07-5-hidden", plan=one_event)
def _who_plays_for_another_or_hides_chips_is_out(play: Played) -> None:
    _four(play)
    play.start(HEATS, "t-1")
    causes = {
        "stand_in": "CO-2315.07-4-sit",
        "wager_for_another": "CO-2315.07-4-wager",
        "hidden_chips": "CO-2315.07-5-hidden",
    }
    for entry, (cause, clause) in enumerate(causes.items(), start=1):
        (out,) = play.ask(c.Disqualify(entry=entry, cause=cause, reason="seen by the dealer"))
        play.expect((out.entry, out.clause), (entry, clause))
    play.barred("CO-2315.07-4-sit", g.TakeSeat(seat=3), Actor("c", "Cleo", "player"))
    play.barred("CO-2315.07-4-wager", g.MakeWager(seat=1, wager="pass", cents=500_00, owner="crew"), ANN)


@case("CO-2315.06-play", plan=one_event)
def _the_ordinary_rules_hold_at_its_tables(play: Played) -> None:
    _four(play)
    play.start(HEATS, "t-1")
    play.barred("CO-2304-3-when", g.MakeWager(seat=1, wager="come", cents=500_00), ANN)
    table = play.table()
    table.shoot(ANN)
    table.do(g.MakeWager(seat=1, wager="pass", cents=500_00), ANN)
    table.roll(3, 4)
    play.expect(table.table.game.money.racks[:2], (3000_00, 2500_00))  # a natural pays even


# Its chips at its tables, CO-2316.


@case(
    "CO-2316-1-only", "CO-2316-1-exchange", "CO-2316-1-bar", "CO-2316-1-novalue", "CO-2316-1-noredeem",
    "CO-2316-1-nolimit", "CO-2315.07-5-table", plan=one_event,
)  # fmt: skip
def _nothing_but_its_chips_is_played_at_its_tables(play: Played) -> None:
    _four(play)
    play.start(HEATS, "t-1")
    line = g.MakeWager(seat=1, wager="pass", cents=500_00)
    play.barred("CO-2316-1-only, CO-2316-1-bar", replace(line, media=("cash",)), ANN)
    play.barred("CO-2316-1-only, CO-2316-1-bar", replace(line, coupon=500), ANN)
    play.barred("CO-2316-1-exchange, CO-2315.07-5-table", g.BuyIn(seat=1, cents=100_00), ANN)
    play.barred("CO-2316-1-noredeem", g.LeaveSeat(seat=1), ANN)
    play.barred("CO-2316-1-novalue", g.Fill(cents=100_00), CREW["floorperson"])
    play.barred("CO-2316-1-rank", k.CloseTable(), CREW["floorperson"])
    play.table().do(replace(line, cents=2500_00), ANN)  # though the house takes no more than its limit for money


@case("CO-2316-1-rank", plan=one_event)
def _points_decide_the_places(play: Played) -> None:
    _four(play)
    play.start(HEATS, "t-1")
    play.report(e1=100, e2=900, e3=900, e4=5000)
    play.ask(c.EndRound())
    play.refused("CO-2316-1-rank", c.ConcludeEvent(event=HEATS))
    play.ask(c.PartTie(entries=(3, 2), how="roll_off"))
    (ended,) = play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(ended.places, {"4": 1, "3": 2, "2": 3, "1": 4})


@case("CO-2316-2-notice", "CO-2316-2-change", "CO-2316-2-current", plan=one_event)
def _the_notice_has_the_points_of_each_colour_in_force(play: Played) -> None:
    words = "Points of each colour [CO-2316-2-notice, CO-2316-2-current]"
    _four(play)
    play.ask(c.SetColours(points={"white": 50, "green": 100, "black": 500}))
    play.start(HEATS, "t-1")
    play.refused("CO-2316-2-change", c.SetColours(points={"white": 25, "green": 100, "black": 500}))
    notice = play.prints(chips_notice(play.rules, play.books), words)
    play.expect(notice.rows, (("white", "50"), ("green", "100"), ("black", "500")))
    play.report()
    play.ask(c.EndRound())
    play.ask(c.SetColours(points={"white": 100, "black": 1000}))
    play.expect(chips_notice(play.rules, play.books).rows, (("white", "100"), ("black", "1,000")))


# Prizes shared by agreement, CO-2315.07(3).


def _player(number: int) -> Actor:
    return Actor(f"p{number}", f"Player {number}", "player")


def _finalists(play: Played) -> dict[str, int]:
    for number in range(1, 5):
        play.enter(HEATS, f"Player {number}", account=f"p{number}")
    play.start(HEATS, "t-1")
    return {str(number): 100_00 for number in range(1, 5)}


@case(
    "CO-2315.07-3", "CO-2315.07-3-b-encourage", "CO-2315.07-3-b-understand", "CO-2315.07-3-c-award",
    "CO-2315.07-3-c-record", plan=one_event,
)  # fmt: skip
def _a_split_is_of_all_players_and_made_as_agreed(play: Played) -> None:
    shares = {**_finalists(play), "1": 150_00, "4": 50_00}
    propose = c.ProposeSplit(event=HEATS, entry=1, shares=shares)
    play.refused("CO-2315.07-3-b-encourage", propose, DIRECTOR)
    play.refused("CO-2315.07-3", propose, _player(2))
    play.refused("CO-2315.07-3", replace(propose, shares={"1": 200_00, "2": 200_00}), _player(1))
    play.ask(propose, _player(1))
    play.refused("CO-2315.07-3", c.ConfirmSplit(entry=1, is_understood=True))
    play.refused("CO-2315.07-3-b-encourage", c.AgreeSplit(entry=1), DIRECTOR)
    for number in range(1, 5):
        play.ask(c.AgreeSplit(entry=number), _player(number))
    play.refused("CO-2315.07-3-b-understand", c.ConfirmSplit(entry=1))
    made: list[object] = []
    for number in range(1, 5):
        made += play.ask(c.ConfirmSplit(entry=number, is_understood=True))
    play.expect([one.clause for one in made if isinstance(one, e.SplitMade)], ["CO-2315.07-3-c-award"])
    for number in range(1, 5):
        play.ask(c.PayPrize(entry=number), CASHIER)
    prizes = play.prints(prizes_table(play.rules, play.books), "CO-2315.07-3-c-record")
    play.expect({str(row[1]): row[4] for row in prizes.rows[:-1]}, shares)


@case("CO-2315.07-3-b-coerce", plan=one_event)
def _a_director_who_sees_pressure_lets_play_go_on_to_its_end(play: Played) -> None:
    propose = c.ProposeSplit(event=HEATS, entry=1, shares=_finalists(play))
    play.ask(propose, _player(1))
    play.ask(c.StopSplit(reason="I would rather play"), _player(2))
    play.ask(propose, _player(1))  # a player changed their mind: that alone ends nothing
    (stopped,) = play.ask(c.StopSplit(reason="one player was pressed"))
    play.expect((stopped.event_name, stopped.clause), (HEATS, "CO-2315.07-3-b-coerce"))
    play.refused("CO-2315.07-3-b-coerce", propose, _player(1))


@case("CO-2315.07-3-a", plan=with_a_watch)
def _things_are_not_shared(play: Played) -> None:
    propose = c.ProposeSplit(event=HEATS, entry=1, shares=_finalists(play))
    play.refused("CO-2315.07-3-a", propose, _player(1))
