"""Cases of vouchers for later events: who may use one, for what, once, and where its value goes."""

from __future__ import annotations

from typing import Any

from msgspec import convert
from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament.plan.schema import Plan
from passline.tournament.reports import entrants_table, money_table, prizes_table
from tests.tournament.director import CASHIER
from tests.tournament.engine_case import Played
from tests.tournament.engine_cases import CHAMPIONS, HEATS, MASTERS, case, cup
from tests.tournament.held.entries import open_masters

BY_VOUCHER: dict[str, Any] = {"fee": "voucher", "buy_in": "voucher"}


def _won(play: Played) -> None:
    """Ann has voucher 1, for the masters; Cat has voucher 2, for the champions."""
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.ask(c.ConcludeEvent(event=HEATS))


@case("CO-2315.05-voucher", "CO-2315.05-voucherowner")
def _a_voucher_is_used_once_by_its_winner_for_its_event(play: Played) -> None:
    offer = "CO-2315.05-voucher"
    play.refused(offer, c.EnterPlayer(event=MASTERS, name="Eve"), CASHIER)  # entered with a voucher only
    play.refused(offer, c.EnterPlayer(event=MASTERS, name="Eve", voucher=1, **BY_VOUCHER), CASHIER)  # there is none
    for paid in ({"fee": "voucher"}, {"buy_in": "voucher"}, {"voucher": 9}):
        none = f"there is no voucher {paid.get('voucher', 0)}"
        play.refused(offer, convert({"event": HEATS, "name": "Eve", **paid}, c.EnterPlayer), CASHIER, says=none)
    _won(play)
    play.refused(offer, c.EnterPlayer(event=CHAMPIONS, name="Ann", voucher=1, **BY_VOUCHER), CASHIER)
    play.refused(offer, c.EnterPlayer(event=MASTERS, name="Cat", voucher=2, **BY_VOUCHER), CASHIER)
    play.refused("CO-2315.05-voucherowner", c.EnterPlayer(event=MASTERS, name="Bob", voucher=1), CASHIER)
    play.enter(MASTERS, "ann", voucher=1)
    play.expect(play.state.vouchers["1"].state, "used")
    play.refused(offer, c.EnterPlayer(event=MASTERS, name="Ann", voucher=1, **BY_VOUCHER), CASHIER)
    play.ask(c.WithdrawEntry(entry=4, reason="ill"), CASHIER)
    play.expect(play.state.vouchers["1"].state, "open")
    play.enter(MASTERS, "Ann", voucher=1)
    play.ask(c.ReturnVoucher(number=2), CASHIER)
    play.refused(offer, c.EnterPlayer(event=CHAMPIONS, name="Cat", voucher=2, **BY_VOUCHER), CASHIER)


@case(
    "CO-2315.05-voucherform", "CO-2315.05-voucherprize", "CO-2315.05-vouchernofee", "CO-2315.05-vouchernotprize",
    "CO-2315.07-1-equal", "CO-2315.01-each", plan=open_masters,
)  # fmt: skip
def _a_voucher_is_worth_what_others_pay_and_buys_the_same_chips(play: Played) -> None:
    _won(play)
    play.expect(play.won(), {"1": 60_72, "2": 24_28})  # 5 to 2 of 70% of 300 dollars, less vouchers of 125
    rows = {str(row[0]).partition(" [")[0]: row[2] for row in money_table(play.rules, play.books).rows}
    play.expect(rows["vouchers that are not used yet: prizes"], 100_00)
    play.expect(rows["vouchers that are not used yet: buy-ins, no prizes"], 25_00)
    pool, fees = play.state.balances[f"pool/{MASTERS}"], play.state.balances["fees"]
    play.enter(MASTERS, "Ann", voucher=1, **BY_VOUCHER)
    play.expect((play.state.balances[f"pool/{MASTERS}"] - pool, play.state.balances["fees"] - fees), (80_00, 20_00))
    play.enter(MASTERS, "Bob")
    play.enter(CHAMPIONS, "Cat", voucher=2, **BY_VOUCHER)
    form = play.prints(entrants_table(play.rules, play.books))
    both = "voucher 1 [CO-2315.05-voucherform]"
    play.expect(
        form.rows[3:5],
        (("4", "Ann", MASTERS, both, 20_00, both, 80_00), ("5", "Bob", MASTERS, "cash", 20_00, "cash", 80_00)),
    )
    play.expect(form.rows[5], ("6", "Cat", CHAMPIONS, "", 0, "voucher 2 [CO-2315.05-vouchernofee]", 25_00))
    prizes = play.prints(prizes_table(play.rules, play.books))
    wanted = ("2026-12-01", "1", "Ann", f"voucher 1 for {MASTERS} [CO-2315.05-voucherprize]", 100_00)
    play.expect(prizes.rows, (wanted, ("", "", "Total", "", 100_00)))  # and the other is no prize
    rows = {str(row[0]).partition(" [")[0]: row[2] for row in money_table(play.rules, play.books).rows}
    play.expect(rows["vouchers that are not used yet: prizes"], 0)
    play.expect(rows["vouchers that are not used yet: buy-ins, no prizes"], 0)
    play.start(MASTERS, "t-1")
    held = play.state.round
    play.expect(held.stacks if held else {}, {"4": 5000, "5": 5000})


def _dear() -> Plan:
    """The series, whose second event costs more than a player pays into the pool of the first."""
    plan = cup()
    heats, masters, champions = plan.events
    return replace(plan, events=(heats, replace(masters, buy_in_cents=180_00), champions))


@case("CO-2315.05-voucherprize", plan=_dear)
def _vouchers_come_out_of_a_pool_that_has_as_much(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.refused("CO-2315.05-voucherprize", c.ConcludeEvent(event=HEATS))
    play.ask(c.AddMoney(event=HEATS, cents=99_99))
    play.refused("CO-2315.05-voucherprize", c.ConcludeEvent(event=HEATS))
    play.ask(c.AddMoney(event=HEATS, cents=1))
    ended, issued = play.ask(c.ConcludeEvent(event=HEATS))
    play.expect([(one.pool_cents, one.voucher_cents) for one in ended.awards], [(0, 200_00)])
    play.expect((issued.fee_cents, issued.buy_in_cents, issued.is_prize), (20_00, 180_00, True))
    play.expect(play.state.balances.get("vouchers"), 200_00)
    play.expect(play.state.balances.get(f"pool/{HEATS}", 0), 0)


@case("CO-2315.05-voucherprize", "CO-2315.02-prizes")
def _a_voucher_that_went_back_was_no_prize(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    for _ in range(2):
        play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.ask(c.ConcludeEvent(event=HEATS))
    words = f"voucher 1 for {MASTERS} [CO-2315.05-voucherprize]"
    play.expect([row[3] for row in prizes_table(play.rules, play.books).rows], [words, ""])
    play.ask(c.ReturnVoucher(number=1), CASHIER)
    play.expect(prizes_table(play.rules, play.books).rows, (("", "", "Total", "", 0),))
