"""A table for tests: three players, the first of whom shoots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from passline.dice import Roll, number_code
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table, Wager, find, open_table
from passline.refusal import Refusal, Refused
from passline.rules.elections import Breach
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import AUTOMATED, Rules
from tests.game.invariants import check_citations

Settled = e.WagerWon | e.WagerLost | e.WagerReturned | e.WagerMoved
SHOOTER, ANN, BOB = 1, 2, 3
_RACK = 1_000_000_00
_BANK = 100_000_000_00


@cache
def _rules(name: str, game: str, house: tuple[tuple[str, Any], ...], automate: frozenset[str]) -> Rules:
    elected = {key: dict(value) if isinstance(value, tuple) and value else value for key, value in house}
    return Rules.of(name, house=elected, game=game, automate=automate)


def rules_of(
    name: str, *, game: str = "craps", house: Mapping[str, Any] | None = None, automate: frozenset[str] = AUTOMATED
) -> Rules:
    """Return the rules of a regulation, built once per set of elections."""
    frozen = tuple((key, tuple(v.items()) if isinstance(v, dict) else v) for key, v in (house or {}).items())
    return _rules(name, game, frozen, automate)


def breaches_of(name: str, house: Mapping[str, Any]) -> tuple[Breach, ...]:
    """Return the breaches of elections applied to a regulation's default house."""
    return house_of(rulebook_of(name), house)[1]


def cites(things: Iterable[Any]) -> set[str]:
    """Return every clause that some events, refusals or breaches cite."""
    return {one for thing in things for one in getattr(thing, "clause", "").split(", ") if one}


class Play:
    """A table in play. Methods change it and return the events; `fork` returns a copy to try things on."""

    def __init__(self, rules: Rules, table: Table | None = None) -> None:
        self.rules = rules
        self.table = table or open_table(rules, bank=_BANK)
        if table is None:
            for seat in (SHOOTER, ANN, BOB):
                self.do(c.TakeSeat(seat=seat))
                self.do(c.BuyIn(seat=seat, cents=_RACK))

    def fork(self) -> Play:
        """Return a copy; the table itself is frozen."""
        return Play(self.rules, self.table)

    def do(self, command: c.Command) -> tuple[e.Event, ...]:
        """Carry out a command that must not be refused, and check that chips are conserved."""
        before, result = self.chips(), act(self.rules, self.table, command)
        assert not isinstance(result, Refused), str(result)
        happened, self.table = result
        check_citations(happened)
        moves_chips = isinstance(command, (c.BuyIn, c.Fill, c.Credit, c.LeaveSeat)) or "cash" in getattr(
            command, "media", ()
        )
        assert moves_chips or self.chips() == before, f"{command} made or lost {self.chips() - before} cents"
        return happened

    def refuse(self, command: c.Command) -> tuple[Refusal, ...]:
        """Return the refusals of a command that must be refused; asked again, they must be the same."""
        result = act(self.rules, self.table, command)
        assert isinstance(result, Refused), f"{command} was carried out"
        assert act(self.rules, self.table, command) == result
        check_citations(result.refusals)
        return result.refusals

    def chips(self) -> int:
        """The cents of all chips at the table."""
        money = self.table.money
        return sum(money.racks) + money.bank + money.tip_box + sum(wager.cents for wager in self.table.position.layout)

    def rack(self, seat: int) -> int:
        """Return the cents in a player's rack."""
        return self.table.money.racks[seat - 1]

    def make(self, seat: int, wager: str, cents: int, number: int | str = 0) -> tuple[e.Event, ...]:
        """Make a wager; a number may be written as a pair of dice."""
        return self.do(make(seat, wager, cents, number))

    def shoots(self, wager: str = "pass") -> Play:
        """Let the first player accept the dice and make the line wager, where they are needed."""
        if not self.table.position.shooter:
            self.do(c.AcceptDice(seat=self.table.position.offered_to))
        if not self.table.position.puck and self.find(self.table.position.shooter, wager) is None:
            self.make(self.table.position.shooter, wager, self.rules.wagers[wager].min)
        return self

    def roll(self, roll: Roll | str) -> tuple[e.Event, ...]:
        """Roll the dice in one step."""
        first, second = (int(face) for face in str(roll).split("-"))
        return self.do(c.RollDice(first=first, second=second))

    def find(self, seat: int, wager: str, number: int | str = 0) -> Wager | None:
        """Return a player's wager, if it is up."""
        return find(self.table.position, seat, wager, number_code(str(number)) if number else 0)


def make(seat: int, wager: str, cents: int, number: int | str = 0) -> c.MakeWager:
    """Return the command that makes a wager."""
    code = number_code(str(number)) if number else 0
    return c.MakeWager(seat=seat, wager=wager, number=code, cents=cents)


def settled(happened: Iterable[e.Event], seat: int, kind: str = "") -> list[Settled]:
    """Return what a roll did to a player's wagers, or to those of one kind."""
    return [
        event
        for event in happened
        if isinstance(event, Settled) and event.wager.seat == seat and kind in {"", event.wager.kind}
    ]
