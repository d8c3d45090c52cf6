"""`CrapsGame`: a table to use from Python, which deals by itself and raises when the rules refuse a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from passline.dice import number_code
from passline.game import commands as c
from passline.game.decide import act
from passline.game.events import Event
from passline.game.judges.shooting import has_line_wager
from passline.game.position import Table, open_table
from passline.game.wording import format_event
from passline.refusal import Refusal, Refused, WagerRefused
from passline.rules.rules import Rules
from passline.rules.schema import refusal


class CrapsGame:
    """A table to play at from Python; every method goes through `decide`, so the rules always hold.

    >>> game = CrapsGame("maryland")
    >>> ann = game.join(500_00)
    >>> game.wager(ann, "pass", 10_00)
    >>> game.roll(2, 4)[-1]
    'the dice go to seat 1 [MD-9.F.1]'
    >>> game.wager(ann, "pass", 10_00)
    Traceback (most recent call last):
    passline.refusal.WagerRefused: Pass Line may not be increased once its point is set [MD-3.A.1]
    >>> game.table.position.puck, game.rack(ann)
    (6, 49000)
    """

    def __init__(self, rules: Rules | str | Path) -> None:
        """Open a table under rules, the default house of a regulation (by name), or a house file (by path)."""
        if isinstance(rules, str):
            rules = Rules.of(rules)
        elif isinstance(rules, Path):
            rules = Rules.from_file(rules)
        self.rules = rules
        self.table: Table = open_table(rules)
        self.events: list[Event] = []

    def do(self, command: c.Command) -> tuple[Event, ...]:
        """Carry out any command and return its events; raise WagerRefused with every clause it breaks."""
        outcome = act(self.rules, self.table, command)
        if isinstance(outcome, Refused):
            raise WagerRefused(outcome.refusals)
        happened, self.table = outcome
        self.events += happened
        return happened

    def why_not(self, command: c.Command) -> tuple[Refusal, ...]:
        """Return every clause a command would break now; none if it is allowed."""
        outcome = act(self.rules, self.table, command)
        return outcome.refusals if isinstance(outcome, Refused) else ()

    def join(self, cents: int) -> int:
        """Seat a player with chips at the first free seat and return the seat; without chips nobody is seated."""
        seat = self.table.position.seats.index("") + 1 if "" in self.table.position.seats else 0
        with self._whole():
            self.do(c.TakeSeat(seat=seat))
            self.do(c.BuyIn(seat=seat, cents=cents))
        return seat

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Carry out several commands, or none if one is refused."""
        table, length = self.table, len(self.events)
        try:
            yield
        except WagerRefused:
            self.table = table
            del self.events[length:]
            raise

    def rack(self, seat: int) -> int:
        """Return the cents in a player's rack."""
        return self.table.money.racks[seat - 1]

    def wager(self, seat: int, wager: str, cents: int, number: int | str = "") -> None:
        """Make a wager or add to it: `game.wager(ann, "place_win", 12_00, 6)`; a hop names its dice, such as "1-3"."""
        self.do(c.MakeWager(seat=seat, wager=wager, number=_code(number), cents=cents))

    def remove(self, seat: int, wager: str, number: int | str = "") -> None:
        """Take a wager down."""
        self.do(c.RemoveWager(seat=seat, wager=wager, number=_code(number)))

    def call(self, seat: int, wager: str, call: str, number: int | str = "") -> None:
        """Call a wager on or off for the come-out roll."""
        self.do(c.CallWager(seat=seat, wager=wager, number=_code(number), call=call))

    def roll(self, first: int, second: int) -> tuple[str, ...]:
        """Roll the dice and return what happened, line by line; the next player with a line wager shoots."""
        with self._whole():
            self._find_shooter()
            happened = self.do(c.RollDice(first=first, second=second))
        return tuple(format_event(event, self.rules) for event in happened)

    def _find_shooter(self) -> None:
        """Offer the dice around once: a player with a line wager takes them; with a point on, anybody does."""
        at = self.table.position
        seats = [seat for seat, state in enumerate(at.seats, start=1) if state]
        if not seats:
            raise WagerRefused((refusal(self.rules.procedures.dice.first_cite, "nobody is at the table; join first"),))
        if at.dice == "offered" and not at.puck and not any(has_line_wager(self.rules, at, seat) for seat in seats):
            shooter = self.rules.procedures.shooter
            names = " or ".join(self.rules.wagers[kind].name for kind in shooter.line_wagers)
            why = f"make a {names} first: nobody has one, so nobody may shoot"
            raise WagerRefused((refusal(shooter.line_wager.cite, why),))
        for _ in at.seats:
            position = self.table.position
            if position.dice != "offered":
                return
            seat = position.offered_to
            accepts = position.puck or has_line_wager(self.rules, position, seat)
            self.do(c.AcceptDice(seat=seat) if accepts else c.DeclineDice(seat=seat))


def _code(number: int | str) -> int:
    """Return the code of a number given as 6, "6" or "1-3"."""
    return number_code("" if number == 0 else str(number))
