"""A table without automation, for tests of who may do what and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import Struct

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table, Wager, open_table
from passline.refusal import Refused
from passline.rules.clauses import Clause, clauses_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import ELECTIONS
from tests.game.invariants import check_citations

ROLES = ("player", "shooter", "dealer", "stickperson", "boxperson", "floorperson")
_REGULATIONS = {"CO": "colorado", "S2": "section2", "AZ": "arizona", "MD": "maryland"}
_GAMES = {"": "craps", "craps": "craps", "mini": "mini_craps", "mini_craps": "mini_craps"}

E = TypeVar("E", bound=Struct)


def regulation_of(clause: str) -> str:
    """Return the regulation a clause belongs to."""
    return _REGULATIONS[clause.split("-", maxsplit=1)[0]]


def row(clause: str) -> Clause:
    """Return the clause's row of the matrix."""
    return clauses_of(regulation_of(clause))[clause]


def rows(*areas: str) -> list[Clause]:
    """Return the clauses of these areas that the game must enforce, of all four regulations."""
    return [
        one
        for regulation in _REGULATIONS.values()
        for one in clauses_of(regulation).values()
        if one.part == "game" and one.kind == "engine" and one.area in areas
    ]


def listed(clause: str, key: str) -> tuple[str, ...]:
    """Return the words of one of a clause's values."""
    return tuple(row(clause).values[key].split("|"))


def marked(clause: str, *rest: object) -> Any:  # noqa: ANN401 - the type of pytest.param has no public name
    """Return a case of a parametrised test that tests one clause."""
    return pytest.param(clause, *rest, marks=pytest.mark.clause(clause), id=clause)


def every_game() -> list[Any]:
    """Return every game of every regulation as cases of a test."""
    games = [(name, "craps") for name in _REGULATIONS.values()]
    games += [("section2", "mini_craps"), ("maryland", "mini_craps")]
    return [pytest.param(name, game, id=f"{name}-{game}") for name, game in games]


def every_side_wager(regulation: str) -> dict[str, Any]:
    """Return a house that offers every side wager of its regulation, each by its first pay table."""
    elections = rulebook_of(regulation).elections
    tables = {key: str(election.choices[1]) for key, election in elections.items() if key not in ELECTIONS}
    return {"side_wagers": tables}


def cited(clause: str, id_: str) -> bool:
    """Return whether the clauses printed with an event or a refusal include one."""
    return id_ in clause.split(", ")


class Crew:
    """A table with nothing automated and players in these seats."""

    def __init__(
        self,
        regulation: str,
        *,
        game: str = "",
        house: Mapping[str, Any] | None = None,
        seats: tuple[int, ...] = (1, 2),
        cents: int = 5_000_00,
        automate: frozenset[str] = frozenset(),
    ) -> None:
        self.rules = Rules.of(regulation, game=_GAMES[game], house=house, automate=automate)
        self.table: Table = open_table(self.rules, bank=100_000_00)
        for seat in seats:
            self.do(c.TakeSeat(seat=seat))
            self.do(c.BuyIn(seat=seat, cents=cents))

    @classmethod
    def of(cls, clause: str, **rest: Any) -> Crew:  # noqa: ANN401 - passed on
        """Open a table of the game that a clause is about."""
        return cls(regulation_of(clause), game=rest.pop("game", row(clause).values.get("game", "")), **rest)

    def do(self, command: c.Command) -> tuple[e.Event, ...]:
        """Carry out a command that must not be refused."""
        outcome = act(self.rules, self.table, command)
        assert not isinstance(outcome, Refused), f"{command}: {outcome}"
        happened, self.table = outcome
        check_citations(happened)
        return happened

    def one(self, command: c.Command, kind: type[E]) -> E:
        """Carry out a command and return its only event of a kind."""
        found = [event for event in self.do(command) if isinstance(event, kind)]
        assert len(found) == 1, f"{command}: {found}"
        return found[0]

    def refused(self, command: c.Command, *clauses: str) -> Refused:
        """Check that a command is refused by these clauses and changes nothing."""
        before = msgspec.json.encode(self.table)
        outcome = act(self.rules, self.table, command)
        assert isinstance(outcome, Refused), f"{command} was allowed"
        assert msgspec.json.encode(self.table) == before
        check_citations(outcome.refusals)
        for clause in clauses:
            assert any(cited(one.clause, clause) for one in outcome.refusals), f"{clause} not in: {outcome}"
        return outcome

    def only(self, command: c.Command, clause: str) -> None:
        """Check that a command is refused by one clause and no other."""
        outcome = self.refused(command, clause)
        assert all(cited(one.clause, clause) for one in outcome.refusals), str(outcome)

    # ---- setting the scene

    @property
    def layout(self) -> dict[tuple[int, str, int], int]:
        """The wagers that are up: (seat, wager, number) to cents."""
        return {(one.seat, one.kind, one.number): one.cents for one in self.table.position.layout}

    def wager(self, seat: int, kind: str, number: int = 0) -> Wager:
        """Return a wager that is up."""
        return next(
            one for one in self.table.position.layout if (one.seat, one.kind, one.number) == (seat, kind, number)
        )

    def rack(self, seat: int) -> int:
        """Return the cents in a player's rack."""
        return self.table.money.racks[seat - 1]

    def role(self, of: str) -> Any:  # noqa: ANN401 - a role
        """Return a role that may offer, call, settle or pass."""
        procedures = self.rules.procedures
        by = {
            "offer": procedures.dice.offered_by,
            "call": procedures.throw.called_by.by,
            "settle": procedures.throw.settled_first.by,
            "pass": procedures.throw.passed_by.by,
        }[of]
        return self.rules.roles(by)[0]

    def amount(self, kind: str, number: int = 0) -> int:
        """Return an amount allowed for this wager."""
        rule = self.rules.wagers[kind]
        if rule.family == "composite":
            step = rule.units * self.rules.chip
        else:
            step = rule.unit(0 if rule.family == "line" else number, self.rules.chip)
        return -(-rule.min // step) * step

    def make(self, kind: str, *, seat: int = 1, number: int = 0, cents: int = 0, **rest: Any) -> tuple[e.Event, ...]:  # noqa: ANN401
        """Make a wager."""
        return self.do(self.making(kind, seat=seat, number=number, cents=cents, **rest))

    def making(self, kind: str, *, seat: int = 1, number: int = 0, cents: int = 0, **rest: Any) -> c.MakeWager:  # noqa: ANN401
        """Return the command that makes a wager, of an allowed amount unless one is given."""
        return c.MakeWager(seat=seat, wager=kind, number=number, cents=cents or self.amount(kind, number), **rest)

    def offer(self) -> e.DiceOffered:
        """Offer the set to the next player."""
        return self.one(c.OfferDice(by=self.role("offer"), dice=self.rules.house.dice_set), e.DiceOffered)

    def shoot(self, seat: int = 1) -> Crew:
        """Offer the dice around until they reach a seat, which accepts them."""
        self.offer()
        while (at := self.table.position.offered_to) != seat:
            self.do(c.DeclineDice(seat=at))
        self.do(c.AcceptDice(seat=seat))
        self.do(c.ChooseDice(seat=seat, chosen=(1, 2)))
        return self

    def throw(self) -> Crew:
        """Throw the dice: they are in the air."""
        self.do(c.ThrowDice(seat=self.table.position.shooter))
        return self

    def land(self, first: int, second: int, **rest: Any) -> tuple[e.Event, ...]:  # noqa: ANN401 - passed on
        """Bring the dice to rest."""
        return self.do(c.LandDice(by="dealer", first=first, second=second, **rest))

    def call(self) -> tuple[e.Event, ...]:
        """Call the total."""
        return self.do(c.CallRoll(by=self.role("call"), total=sum(self.table.position.faces)))

    def settle(self) -> tuple[e.Event, ...]:
        """Settle the roll."""
        return self.do(c.Settle(by=self.role("settle")))

    def roll(self, first: int, second: int) -> list[e.Event]:
        """Play one whole roll, step by step."""
        happened: list[e.Event] = []
        happened += self.do(c.ThrowDice(seat=self.table.position.shooter))
        happened += self.land(first, second)
        happened += self.call()
        happened += self.settle()
        if self.table.position.dice == "centre":
            happened += self.do(c.PassDice(by=self.role("pass")))
        return happened

    def come_out(self, kind: str = "pass", cents: int = 10_00) -> Crew:
        """Let seat 1 accept the dice and make a line wager."""
        self.shoot(1)
        self.make(kind, cents=cents)
        return self

    def point(self, kind: str = "pass", cents: int = 10_00) -> Crew:
        """Let seat 1 accept the dice, make a line wager and throw a 6."""
        self.come_out(kind, cents)
        self.roll(2, 4)
        assert self.table.position.puck == 6
        return self

    def point_at_once(self) -> Crew:
        """Do the same as `point` where whole rolls are automated."""
        self.come_out()
        self.do(c.RollDice(first=2, second=4))
        return self

    def clearing(self) -> Crew:
        """Start a clearing: seat 1, with a come wager on 8, makes the point and no line wager; nobody else shoots."""
        self.point()
        self.make("come", cents=15_00)
        self.roll(2, 6)
        self.roll(3, 3)
        self.do(c.DeclineLineWager(seat=1))
        others = [seat for seat, state in enumerate(self.table.position.seats, start=1) if state and seat != 1]
        self.do(c.OfferDice(by=self.role("offer"), dice=self.rules.house.dice_set))
        for seat in others:
            self.do(c.DeclineDice(seat=seat))
        assert self.table.position.phase == "clearing"
        return self
