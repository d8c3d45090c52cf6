"""Cases of who is in and how often: one live entry, entries anew after elimination, who is disqualified."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Place, Plan, Prize, Round
from passline.tournament.wording import tournament_lines
from tests.tournament.director import CASHIER
from tests.tournament.engine_case import Played
from tests.tournament.engine_cases import CHAMPIONS, HEATS, MASTERS, case, cup, one_event, with_a_watch

GONE = "CO-2315-2-c-dq, CO-2315-2-c-noprize"


def three_rounds(**changes: object) -> Plan:
    """Heats alone, of three rounds, with one re-entry."""
    rounds = (
        Round(name="Round 1", rolls=9, seats=8, advance=2, is_initial=True),
        Round(name="Round 2", rolls=9, seats=8, advance=2),
        Round(name="Final", rolls=9, seats=8),
    )
    return one_event(**{"rounds": rounds, "entries_max": 16, "rebuy": None, "add_on": None, **changes})


def open_masters() -> Plan:
    """The series, whose second event is entered with cash, too."""
    plan = cup()
    heats, masters, champions = plan.events
    return replace(plan, events=(heats, replace(masters, is_by_voucher=False), champions))


@case("CO-2315-2-c-reentry", plan=three_rounds)
def _who_is_out_enters_again_as_often_as_the_plan_says(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat", "Dan"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=3000, e2=2000, e3=10, e4=0)
    play.expect([one.status for one in play.state.entries.values()], ["in", "in", "eliminated", "eliminated"])
    (entered,) = play.ask(c.EnterPlayer(event=HEATS, name="Dan"), CASHIER)
    play.expect((entered.entry, entered.reenters, entered.fee.cents, entered.buy_in.cents), (5, 4, 50_00, 100_00))
    play.refused("form", c.EnterPlayer(event=HEATS, name="Eve"), CASHIER)  # who was never in does not come in now
    play.ask(c.SignInPlayer(entry=5), CASHIER)
    play.start(HEATS, "t-1")
    held = play.state.round
    play.expect(held.entries if held else (), (1, 2, 5))
    play.expect(held.stacks if held else {}, {"1": 2500, "2": 2500, "5": 2500})
    play.report(e1=3000, e2=2000, e5=0)
    play.ask(c.EndRound())
    play.refused("CO-2315-2-c-reentry", c.EnterPlayer(event=HEATS, name="dan"), CASHIER)
    (entered,) = play.ask(c.EnterPlayer(event=HEATS, name="Cat"), CASHIER)
    play.expect(entered.reenters, 3)
    play.ask(c.WithdrawEntry(entry=6, reason="ill"), CASHIER)
    (entered,) = play.ask(c.EnterPlayer(event=HEATS, name="Cat"), CASHIER)  # one that was taken back does not count
    play.expect(entered.entry, 7)
    play.ask(c.SignInPlayer(entry=7), CASHIER)
    play.deal(HEATS, e1=1, e2=2, e7=3)
    play.refused("form", c.EnterPlayer(event=HEATS, name="Cat"), CASHIER)


@case("CO-2315-2-c-reentry", "CO-2315.07-2", plan=lambda: three_rounds(reentries_max=2))
def _a_round_is_played_by_those_who_are_through_or_came_again_and_are_there(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat", "Dan", "Eve"):
        play.enter(HEATS, name)
    play.ask(c.WithdrawEntry(entry=5, reason="ill"), CASHIER)  # who had signed in
    (entered,) = play.ask(c.EnterPlayer(event=HEATS, name="Fay"), CASHIER)  # who does not sign in
    play.expect((entered.entry, entered.reenters), (6, 0))
    play.expect(play.start(HEATS, "t-1"), (1, 2, 3, 4))
    play.report(e1=3000, e2=2000, e3=10, e4=0)
    play.ask(c.EndRound())
    for number, name in ((7, "Cat"), (8, "Dan")):
        (entered,) = play.ask(c.EnterPlayer(event=HEATS, name=name), CASHIER)
        play.expect((entered.entry, entered.reenters), (number, number - 4))
        play.ask(c.SignInPlayer(entry=number), CASHIER)
    play.ask(c.Disqualify(entry=1, cause="conduct", reason="shouted"))  # who was through
    play.expect(play.start(HEATS, "t-1"), (2, 7, 8))
    play.report(e2=2000, e7=0, e8=10)
    play.ask(c.EndRound())
    (entered,) = play.ask(c.EnterPlayer(event=HEATS, name="Cat"), CASHIER)
    play.expect((entered.entry, entered.reenters), (9, 7))  # the latest of those that are out
    play.ask(c.SignInPlayer(entry=9), CASHIER)
    play.expect(play.start(HEATS, "t-1"), (2, 8, 9))


@case("CO-2315-2-c-reentry", plan=lambda: three_rounds(reentries_max=0))
def _nobody_enters_again_where_the_plan_has_it_so(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=3000, e2=2000, e3=10)
    play.refused("CO-2315-2-c-reentry", c.EnterPlayer(event=HEATS, name="Cat"), CASHIER)
    play.expect([one.number for one in play.state.players_left(HEATS)], [1, 2])


@case("CO-2315-2-c-once", plan=open_masters)
def _one_entry_of_a_player_is_alive_at_a_time(play: Played) -> None:
    play.enter(HEATS, "Ann Lee")
    play.enter(HEATS, "Bob", account="b1")
    once = "CO-2315-2-c-once"
    for name in ("Ann Lee", " ann  LEE "):
        for event in (HEATS, MASTERS):
            again = c.EnterPlayer(event=event, name=name, is_somebody_else=True)
            play.refused(once, again, CASHIER, says="entry 1 is still in")
    play.refused(once, c.EnterPlayer(event=HEATS, name="Bobby", account="b1"), CASHIER)
    play.enter(HEATS, "Bob", account="b2")  # another of that name
    play.enter(HEATS, "Ann", is_somebody_else=True)
    play.ask(c.WithdrawEntry(entry=1, reason="ill"), CASHIER)
    play.enter(HEATS, "Ann Lee")
    play.deal(HEATS, "t-1", "t-2", e2=4000, e3=3000, e4=0, e5=2000)
    play.refused(once, c.EnterPlayer(event=HEATS, name="Ann Lee"), CASHIER)
    play.ask(c.EnterPlayer(event=HEATS, name="Ann"), CASHIER)
    play.refused(once, c.BuyChips(entry=4, kind="rebuy"), CASHIER)
    play.deal(HEATS, e2=4000, e3=3000, e5=0)
    play.ask(c.WithdrawEntry(entry=6, reason="late"), CASHIER)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.enter(MASTERS, "Bob", account="b1")  # what is over is not alive
    play.refused(once, c.EnterPlayer(event=MASTERS, name="Bob", account="b1"), CASHIER)


@case("CO-2315-2-c-once", plan=lambda: three_rounds(reentries_max=0))
def _a_name_like_anothers_is_looked_at_and_the_answer_is_on_record(play: Played) -> None:
    play.enter(HEATS, "Ann Lee", account="a1")
    play.enter(HEATS, "Bob Ray")
    once = "CO-2315-2-c-once"
    for name, account in (("ann  LEE", ""), ("A. Lee", ""), ("Ann", ""), ("Bob Ray", "b1"), ("B. Ray", "")):
        play.refused(once, c.EnterPlayer(event=HEATS, name=name, account=account), CASHIER, says="is_somebody_else")
    both = c.EnterPlayer(event=HEATS, name="Ann Lee", account="a1", is_somebody_else=True)
    play.refused(once, both, CASHIER, says="entry 1 is still in")  # of one account there is one player
    play.enter(HEATS, "Ann Lee", account="a2")  # accounts tell two of a name apart
    _, answered = play.ask(c.EnterPlayer(event=HEATS, name="Ann Lee", is_somebody_else=True), CASHIER)
    play.expect((answered.entry, answered.others, answered.clause), (4, (1, 3), once))
    (line,) = tournament_lines(play.state, [answered])
    play.expect(line, f"the desk has looked: Ann Lee (entry 4) is not Ann Lee (entry 1) or Ann Lee (entry 3) [{once}]")
    play.ask(c.WithdrawEntry(entry=4, reason="ill"), CASHIER)
    play.expect(len(play.ask(c.EnterPlayer(event=HEATS, name="Ann Lee"), CASHIER)), 1)  # who was told apart stays so
    play.ask(c.WithdrawEntry(entry=5, reason="ill"), CASHIER)
    play.ask(c.WithdrawEntry(entry=2, reason="ill"), CASHIER)
    play.enter(HEATS, "Bob Ray", account="b1")  # what was taken back is nobody's
    play.expect(len(play.ask(c.EnterPlayer(event=HEATS, name="Cat", is_somebody_else=True), CASHIER)), 1)


@case("CO-2315-2-c-once", plan=lambda: three_rounds(reentries_max=0))
def _who_is_out_does_not_come_again_without_the_account(play: Played) -> None:
    for number, name in enumerate(("Ann", "Bob", "Cat"), start=1):
        play.enter(HEATS, name, account=f"p{number}")
    play.deal(HEATS, e1=3000, e2=2000, e3=10)
    play.refused("CO-2315-2-c-once", c.EnterPlayer(event=HEATS, name="Cat"), CASHIER, says="Cat of entry 3")


@case("AZ-II.M.3-a", regulation="arizona", plan=lambda: example_plan("arizona"))
def _nobody_of_the_crew_enters(play: Played) -> None:
    clause, shootout = "AZ-II.M.3-a", "Shootout"
    dan = c.EnterPlayer(event=shootout, name="Dan", account="dan", is_employee=True)
    play.refused(clause, dan, CASHIER, says="Dan is a gaming employee")
    play.refused(clause, replace(dan, is_somebody_else=True), CASHIER)
    like = c.EnterPlayer(event=shootout, name="D. Poe", resembles="Dan Poe")
    play.refused(clause, like, CASHIER, says="may be Dan Poe, who is employed here")
    _, answered = play.ask(replace(like, is_somebody_else=True), CASHIER)
    play.expect((answered.employee, answered.others, answered.clause), ("Dan Poe", (), clause))


@case("CO-2315-2-c-dq", plan=open_masters)
def _all_entries_of_a_player_fall(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat", "Dan"):
        play.enter(HEATS, name)
    play.enter(HEATS, "Eve", account="e1")
    play.refused("form", c.Disqualify(entry=9, cause="two_entries", reason="seen"))
    play.refused("form", c.Disqualify(entry=1, cause="luck", reason="seen"))
    play.refused("form", c.Disqualify(entry=1, cause="two_entries", reason="  "))
    play.deal(HEATS, "t-1", "t-2", e1=5000, e2=4000, e3=3000, e4=2000, e5=1000)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000, e4=2000, e5=1000)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.enter(MASTERS, "ANN", voucher=1, fee="voucher", buy_in="voucher")
    play.enter(MASTERS, "Eve", account="e2")
    events = play.ask(c.Disqualify(entry=6, cause="two_entries", reason=" seen "))
    out = [(one.entry, one.clause, one.reason) for one in events if isinstance(one, e.PlayerDisqualified)]
    play.expect(out, [(1, GONE, "seen"), (6, GONE, "seen")])
    states = [one.status for one in play.state.entries.values()]
    play.expect(states, ["disqualified", "placed", "placed", "placed", "placed", "disqualified", "entered"])
    for event in (HEATS, MASTERS):
        play.refused("CO-2315-2-c-dq", c.EnterPlayer(event=event, name="Ann"), CASHIER)
    play.refused("form", c.Disqualify(entry=1, cause="two_entries", reason="seen"))
    (out,) = play.ask(c.Disqualify(entry=7, cause="conduct", reason="shouted"))
    play.expect((out.entry, out.clause), (7, "practice"))
    play.refused("CO-2315-2-c-dq", c.EnterPlayer(event=MASTERS, name="Eve", account="e2"), CASHIER)
    play.ask(c.EnterPlayer(event=MASTERS, name="Bob"), CASHIER)
    (out,) = play.ask(c.Disqualify(entry=8, cause="hidden_chips", reason="seen"))  # that entry alone
    play.expect(play.state.entries["2"].status, "placed")
    events = play.ask(c.Disqualify(entry=2, cause="two_entries", reason="seen"))  # the other is out already
    play.expect([one.entry for one in events if isinstance(one, e.PlayerDisqualified)], [2])
    play.expect([one.number for one in play.state.entries.values() if one.status == "placed"], [3, 4, 5])
    play.ask(c.EnterPlayer(event=MASTERS, name="Cat"), CASHIER)
    play.ask(c.WithdrawEntry(entry=9, reason="ill"), CASHIER)
    none = "there is no entry 9 to disqualify"
    play.refused("form", c.Disqualify(entry=9, cause="two_entries", reason="seen"), says=none)
    events = play.ask(c.Disqualify(entry=3, cause="two_entries", reason="seen"))
    play.expect([one.entry for one in events if isinstance(one, e.PlayerDisqualified)], [3])


@case("CO-2315-2-c-noprize", plan=one_event)
def _what_a_disqualified_player_won_goes_to_the_next(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat", "Dan"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000, e3=100, e4=100)
    play.ask(c.PartTie(entries=(4, 3), how="roll_off"))
    play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(play.won(), {"1": 240_00, "2": 160_00})
    events = play.ask(c.Disqualify(entry=2, cause="two_entries", reason="seen"))
    lost = [(one.entry, one.award.entry, one.award.pool_cents, one.clause) for one in events[1:]]
    play.expect(lost, [(2, 4, 160_00, GONE)])
    play.expect(play.won(), {"1": 240_00, "4": 160_00})
    play.ask(c.PayPrize(entry=4), CASHIER)
    play.ask(c.Disqualify(entry=1, cause="two_entries", reason="seen"))
    play.expect(play.won(), {"4": 240_00})
    play.refused("form", c.PayPrize(entry=1), CASHIER)
    play.close()
    play.expect(play.state.balances["paid"], 400_00)


@case("CO-2315-2-c-noprize", plan=one_event)
def _who_is_below_nobody_leaves_a_prize_to_who_is_above(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob")
    play.deal(HEATS, e1=5000, e2=4000)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.Disqualify(entry=2, cause="two_entries", reason="seen"))
    play.expect(play.won(), {"1": 200_00})
    events = play.ask(c.Disqualify(entry=1, cause="two_entries", reason="seen"))
    play.expect([type(one).__name__ for one in events], ["PlayerDisqualified", "BreachRecorded"])
    play.expect((events[1].entry, events[1].number), (1, 1))
    play.refused("CO-2315-2-c-noprize", c.PayPrize(entry=1), CASHIER)


@case("CO-2315-2-c-noprize", plan=with_a_watch)
def _a_thing_goes_to_the_next_too(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000, e3=100)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.Disqualify(entry=1, cause="two_entries", reason="seen"))
    play.expect({key: (one.pool_cents, one.item) for key, one in play.state.awards.items()}, {"2": (300_00, "a watch")})
    play.ask(c.PayPrize(entry=2), CASHIER)
    play.expect(play.state.awards, {})


@case("CO-2315-2-c-noprize", plan=open_masters)
def _a_voucher_of_a_disqualified_player_goes_back(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.deal(HEATS, e1=5000, e2=4000)
    play.ask(c.ConcludeEvent(event=HEATS))
    before = play.state.balances[f"pool/{MASTERS}"]
    events = play.ask(c.Disqualify(entry=1, cause="two_entries", reason="seen"))
    play.expect([type(one).__name__ for one in events], ["PlayerDisqualified", "VoucherReturned", "PrizeForfeited"])
    play.expect(play.state.vouchers["1"].state, "returned")
    play.expect(play.state.vouchers["2"].state if "2" in play.state.vouchers else "open", "open")
    play.expect(play.state.balances[f"pool/{MASTERS}"] - before, 100_00)


@case("CO-2315-2-c-noprize", plan=open_masters)
def _what_nobody_is_left_to_win_is_played_for_in_the_next_event(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.ask(c.AddMoney(event=HEATS, cents=500_00))
    play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(play.won(), {"1": 320_00})  # 70% of 600 dollars, less the voucher
    events = play.ask(c.Disqualify(entry=1, cause="two_entries", reason="seen"))
    play.expect(
        [type(one).__name__ for one in events],
        ["PlayerDisqualified", "VoucherReturned", "PoolCarried", "PrizeForfeited"],
    )
    play.expect((events[2].cents, events[3].entry, events[3].award.entry), (320_00, 1, 1))
    play.expect(play.state.awards, {})
    play.refused("form", c.PayPrize(entry=1), CASHIER)
    play.expect(play.state.balances[f"pool/{MASTERS}"], 600_00)


def _with_prize(**prize: Any) -> Plan:  # noqa: ANN401 - of a prize
    """The series, whose first event has one prize, with something of the house beside the pool."""
    plan = open_masters()
    first, second = Prize(basis_points=5000, **prize), Prize(voucher=CHAMPIONS, voucher_cents=25_00)
    heats = replace(plan.events[0], places=(Place(place=1, prize=first), Place(place=2, prize=second)))
    return replace(plan, events=(heats, *plan.events[1:]))


def _nobody_is_left_to_win(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.ask(c.ConcludeEvent(event=HEATS))
    events = play.ask(c.Disqualify(entry=1, cause="two_entries", reason="seen"))
    breaches = [(one.entry, one.why) for one in events if isinstance(one, e.BreachRecorded)]
    play.expect(breaches, [(1, "nobody is left to win what entry 1 has won")])
    play.expect(play.state.awards, {})


@case("CO-2315-2-c-noprize", plan=lambda: _with_prize(cents=10_00))
def _money_of_the_house_that_nobody_is_left_to_win_is_a_breach(play: Played) -> None:
    _nobody_is_left_to_win(play)


@case("CO-2315-2-c-noprize", plan=lambda: _with_prize(item="a watch", item_cents=80_00))
def _a_thing_that_nobody_is_left_to_win_is_a_breach(play: Played) -> None:
    _nobody_is_left_to_win(play)


@case("CO-2315-2-c-noprize", plan=open_masters)
def _a_prize_stays_in_its_event_while_anybody_is_left_there(play: Played) -> None:
    for name in ("Ann", "Bob", "Cat"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.deal(HEATS, e1=5000, e2=4000, e3=3000)
    play.ask(c.ConcludeEvent(event=HEATS))
    play.ask(c.ReturnVoucher(number=1), CASHIER)
    play.enter(MASTERS, "Eve")
    play.enter(MASTERS, "Fay")
    play.deal(MASTERS, e4=2000, e5=1000)
    play.ask(c.ConcludeEvent(event=MASTERS))
    play.expect(play.won(), {"1": 60_72, "2": 24_28, "4": 105_00})
    for entry, won in ((1, {"2": 85_00, "4": 105_00}), (2, {"3": 85_00, "4": 105_00}), (3, {"4": 190_00})):
        events = play.ask(c.Disqualify(entry=entry, cause="two_entries", reason="seen"))
        play.expect(play.won(), won)
    carried = [one for one in events if isinstance(one, e.PoolCarried)]
    play.expect(carried, [e.PoolCarried(f"pool/{HEATS}", f"pool/{MASTERS}", 85_00)])  # nobody is left in the heats
    play.expect((play.state.awards["4"].item, play.state.vouchers["2"].state), ("a watch", "returned"))
