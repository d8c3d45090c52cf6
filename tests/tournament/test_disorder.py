"""Commands in an order that nobody plans: who is out is paid nothing, no cent is stuck, the books can be closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from passline.rules.pages.texts import packed_pages
from passline.streams.course import THE_HOUSE, Actor
from passline.tournament import commands as c
from passline.tournament.plan.check import check_plan
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Event, Place, Plan, Prize, Rebuy, Round
from passline.tournament.rules import TOURNAMENT_RULES, tournament_of
from tests.tournament.director import CASHIER, DIRECTOR, Director
from tests.tournament.engine_cases import CHAMPIONS, HEATS, MASTERS, cup, one_event

FIRST = Round(name="Round 1", rolls=9, seats=8, advance=2, is_initial=True)
FINAL = Round(name="Final", rolls=9, seats=8)
REBUY = Rebuy(cents=40_00, points=1000, most=3, rounds=("Round 1",))


class Evening(Director):
    """A tournament under a lawful plan, whose tables report what the test says."""

    def __init__(self, plan: Plan) -> None:
        assert check_plan(tournament_of(plan.rules), plan) == ()
        super().__init__(to_builtins(plan))

    def players(self, *numbers: int, event: str = HEATS) -> None:
        """Enter players by their numbers and sign them in."""
        for number in numbers:
            self.enter(event, f"P{number}", account=f"p{number}")

    def report(self, **points: int) -> None:
        """Report every table of the round that is played, and end it; who is not named has what they began with."""
        held = self.state.round
        assert held is not None
        for table in held.tables:
            seated = [str(one.entry) for one in held.seats if one.table == table]
            has = {one: points.get(f"e{one}", held.stacks[one]) for one in seated}
            house = sum(held.stacks[one] for one in seated) - sum(has.values())
            self.ask(c.ReportPoints(number=held.number, table=table, points=has, house=house, rolls=9), THE_HOUSE)
        self.ask(c.EndRound())

    def deal(self, event: str = HEATS, **points: int) -> None:
        """Play a whole round at one table."""
        self.seat(event, "t-1")
        self.ask(c.StartRound())
        self.report(**points)

    def propose(self, shares: dict[str, int], event: str = HEATS) -> None:
        """Have a split proposed and signed by everybody in it."""
        first = next(iter(shares))
        self.ask(c.ProposeSplit(event=event, entry=int(first), shares=shares), _player(int(first)))
        for entry in shares:
            self.ask(c.AgreeSplit(entry=int(entry)), _player(int(entry)))

    def not_confirmed(self, shares: dict[str, int]) -> str:
        """Have the director confirm with all, and return why the last confirmation is refused."""
        *others, last = shares
        for entry in others:
            self.ask(c.ConfirmSplit(entry=int(entry), is_understood=True))
        return self.refused(c.ConfirmSplit(entry=int(last), is_understood=True))

    def conclude(self, event: str = HEATS) -> None:
        """Award an event."""
        self.ask(c.ConcludeEvent(event=event))

    def won(self) -> dict[str, tuple[int, str]]:
        """What is awarded and not paid yet, by entry: cash of the pool, and a thing."""
        return {entry: (one.pool_cents, one.item) for entry, one in self.state.awards.items()}

    def disqualify(self, entry: int, cause: str = "two_entries") -> None:
        """Disqualify an entry."""
        self.ask(c.Disqualify(entry=entry, cause=cause, reason="seen"))

    def close(self) -> None:
        """Pay everything and close the books."""
        self.pay_all()
        self.ask(c.CountFees(counted=self.state.fees_expected()), CASHIER)
        self.ask(c.CloseTournament())


def _player(number: int) -> Actor:
    return Actor(f"p{number}", f"P{number}", "player")


def _places(*prizes: Prize) -> tuple[Place, ...]:
    return tuple(Place(place=number, prize=prize) for number, prize in enumerate(prizes, start=1))


def _two_rounds(**changes: Any) -> Plan:  # noqa: ANN401 - fields of an event
    return one_event(rounds=(FIRST, FINAL), **changes)


def _events(*shares: tuple[str, int], pools: str = "one") -> Plan:
    """Events of one round each that pay these shares of a pool."""
    plan, day = one_event(), cup().events[-1].first_day
    events = (
        replace(plan.events[0], name=name, first_day=day, last_day=day, places=_places(Prize(basis_points=share)))
        for name, share in shares
    )
    return replace(plan, pools=pools, events=tuple(events))


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
    evening = Evening(_events((HEATS, 5000), (MASTERS, 10_000 if pools == "by_event" else 5000), pools=pools))
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
    evening = Evening(_events((HEATS, 5000), (MASTERS, 10_000 if pools == "by_event" else 5000), pools=pools))
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
    evening = Evening(one_event(places=_places(car, watch)))
    evening.players(1, 2, 3)
    evening.deal(e1=5000, e2=1000, e3=0)
    evening.conclude()
    evening.disqualify(1, "conduct")
    assert evening.won() == {"2": (300_00, "a car"), "3": (0, "a watch")}
    evening.close()


@pytest.mark.clause("CO-2316-1-rank")
def test_who_is_level_shares_what_a_disqualified_winner_loses() -> None:
    evening = Evening(one_event(places=_places(Prize(basis_points=10_000))))
    evening.players(1, 2, 3)
    evening.deal(e1=5000, e2=1000, e3=1000)
    evening.conclude()
    evening.disqualify(1, "conduct")
    assert evening.won() == {"2": (150_00, ""), "3": (150_00, "")}
    evening.close()


# Withdrawals and vouchers.


@pytest.mark.clause("CO-2315.05-payall")
def test_a_buy_in_that_is_in_an_awarded_prize_is_not_given_back() -> None:
    evening = Evening(_events((HEATS, 9000), (MASTERS, 1000)))
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
    return replace(plan, events=(first, replace(plan.events[1], places=_places(Prize(basis_points=share)))))


@pytest.mark.clause("CO-2315.05-voucher", "CO-2315.05-payall")
def test_an_event_may_pay_vouchers_alone() -> None:
    heats = replace(one_event().events[0], places=_places(Prize(voucher=MASTERS)))
    evening = Evening(_then(heats))
    evening.players(1, 2, 3, 4)
    evening.deal(e1=3000, e2=0, e3=1, e4=2)
    evening.conclude()
    assert evening.state.balances["vouchers"] == 100_00
    assert evening.state.balances["pool/Masters"] == 300_00


@pytest.mark.clause("CO-2315.05-payall")
def test_the_pool_of_a_last_event_without_players_goes_to_those_of_the_one_before() -> None:
    heats = replace(one_event().events[0], places=_places(Prize(basis_points=5000, voucher=MASTERS)))
    evening = Evening(_then(heats))
    evening.players(1, 2, 3)
    evening.deal(e1=3000, e2=0, e3=1)
    evening.conclude()
    evening.ask(c.ReturnVoucher(number=1), CASHIER)
    evening.conclude(MASTERS)
    assert evening.won() == {"1": (300_00, "")}
    evening.close()


# Splits.

HALVES = {"1": 200_00, "2": 200_00}


def _two_left(**changes: Any) -> Evening:  # noqa: ANN401 - fields of an event
    evening = Evening(_two_rounds(**changes))
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
    evening = Evening(_two_rounds())
    evening.players(1, 2, 3, 4)
    evening.seat(HEATS, "t-1")
    quarters = dict.fromkeys("1234", 100_00)
    assert "plays no event 'Heats' now" in evening.refused(
        c.ProposeSplit(event=HEATS, entry=1, shares=quarters), _player(1)
    )
    evening.ask(c.StartRound())
    evening.propose(quarters)
    evening.report(e1=5000, e2=4000, e3=100, e4=0)
    assert "CO-2315.07-3" in evening.not_confirmed(quarters)


@pytest.mark.clause("CO-2315.07-3")
def test_who_has_entered_again_is_among_those_who_must_agree() -> None:
    prizes = [Prize(basis_points=share) for share in (4000, 3000, 2000, 1000)]
    evening = _two_left(reentries_max=1, places=_places(*prizes))
    evening.players(4)
    two = c.ProposeSplit(event=HEATS, entry=1, shares={"1": 250_00, "2": 200_00})
    assert "names every player left" in evening.refused(two, _player(1))
    evening.ask(replace(two, shares={"1": 200_00, "2": 150_00, "5": 100_00}), _player(1))
    for entry, player in ((1, 1), (2, 2), (5, 4)):
        evening.ask(c.AgreeSplit(entry=entry), _player(player))
    for entry in (1, 2, 5):
        evening.ask(c.ConfirmSplit(entry=entry, is_understood=True))
    assert evening.won() == {"3": (50_00, ""), "1": (200_00, ""), "2": (150_00, ""), "5": (100_00, "")}
    assert "house" not in evening.state.balances
    evening.close()


@pytest.mark.clause("CO-2315.05-eventpool")
def test_an_event_is_not_split_before_those_that_come_first() -> None:
    plan = _events((HEATS, 5000), (MASTERS, 10_000), pools="by_event")
    evening = Evening(plan)
    evening.players(1, 2)
    evening.players(3, 4, event=MASTERS)
    evening.seat(MASTERS, "t-1")
    evening.ask(c.StartRound())
    shares = {"3": 200_00, "4": 0}
    assert "Heats must be over first" in evening.refused(
        c.ProposeSplit(event=MASTERS, entry=3, shares=shares), _player(3)
    )


@pytest.mark.clause("CO-2316-1-rank")
def test_those_who_are_out_and_level_for_a_prize_are_parted_before_a_split() -> None:
    prizes = [Prize(basis_points=share) for share in (5000, 3000, 2000)]
    evening = Evening(_two_rounds(places=_places(*prizes)))
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


# Pools.


@pytest.mark.clause("CO-2315.05-payall")
def test_a_pool_is_paid_when_the_places_that_are_filled_have_no_share() -> None:
    evening = Evening(one_event(places=_places(Prize(item="a watch", item_cents=80_00), Prize(basis_points=10_000))))
    evening.players(1, 2)
    evening.deal(e1=3000, e2=0)
    evening.disqualify(2, "conduct")
    evening.conclude()
    assert evening.won() == {"1": (200_00, "a watch")}
    evening.close()


@pytest.mark.clause("CO-2315.08-4-desc")
def test_shares_of_one_pool_are_of_the_whole_pool() -> None:
    evening = Evening(_events(("A", 3000), ("B", 3000), ("C", 4000)))
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
    plan = _events(("A", 5000), ("B", 5000))
    first = replace(plan.events[0], places=_places(Prize(basis_points=5000, cents=300_00)))
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
