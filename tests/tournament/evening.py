"""A tournament whose commands come in any order, and the plans of such evenings."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from passline.streams.course import THE_HOUSE, Actor
from passline.tournament import commands as c
from passline.tournament.plan.check import check_plan
from passline.tournament.plan.schema import Place, Plan, Prize, Rebuy, Round
from passline.tournament.rules import tournament_of
from tests.tournament.director import CASHIER, Director
from tests.tournament.engine_cases import HEATS, cup, one_event

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
        self.ask(c.ProposeSplit(event=event, entry=int(first), shares=shares), player_numbered(int(first)))
        for entry in shares:
            self.ask(c.AgreeSplit(entry=int(entry)), player_numbered(int(entry)))

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


def player_numbered(number: int) -> Actor:
    return Actor(f"p{number}", f"P{number}", "player")


def places_of(*prizes: Prize) -> tuple[Place, ...]:
    return tuple(Place(place=number, prize=prize) for number, prize in enumerate(prizes, start=1))


def two_rounds(**changes: Any) -> Plan:  # noqa: ANN401 - fields of an event
    return one_event(rounds=(FIRST, FINAL), **changes)


def events_paying(*shares: tuple[str, int], pools: str = "one") -> Plan:
    """Events of one round each that pay these shares of a pool."""
    plan, day = one_event(), cup().events[-1].first_day
    events = (
        replace(plan.events[0], name=name, first_day=day, last_day=day, places=places_of(Prize(basis_points=share)))
        for name, share in shares
    )
    return replace(plan, pools=pools, events=tuple(events))
