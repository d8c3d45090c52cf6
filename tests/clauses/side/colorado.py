"""Colorado tables with side wagers that keep their events, and the rows of the pay tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from passline.game import commands as c
from passline.game import events as e
from passline.game.markers import Marker, markers_after
from passline.game.position import Wager
from passline.rules.clauses import Clause, clauses_of
from passline.rules.rules import AUTOMATED, Rules
from tests.clauses.table import ANN, BOB, SHOOTER, Play, Settled, make, rules_of, settled

SEVEN = "3-4"
POINTS = (4, 5, 6, 8, 9, 10)
WAYS = dict(
    zip(
        (2, 3, 4, 5, 6, 8, 9, 10, 11, 12),
        ["1-1", "1-2", "1-3", "1-4", "2-4", "2-6", "3-6", "4-6", "5-6", "6-6"],
        strict=True,
    )
)
CENTS = {SHOOTER: 10_00, ANN: 5_00, BOB: 15_00}  # of a side wager, so that swapped players would show


def row_of(clause: str) -> Clause:
    """Return a row of the matrix."""
    return clauses_of("arizona" if clause.startswith("AZ") else "colorado")[clause]


def pay_rows(bet: str) -> list[Clause]:
    """Return the lines of a side wager's pay tables."""
    rows = [row for row in clauses_of("colorado").values() if row.values.get("bet") == bet]
    return [row for row in rows if "table" in row.values and {"pays", "result"} & set(row.values)]


def counts_of(row: Clause) -> tuple[int, ...]:
    """Return the counts of a line; one without an upper end is tried a little beyond it, and 0 sevens cannot happen."""
    text = row.values.get("points") or row.values["count"]
    if text.endswith("+"):
        top = int(text.removesuffix("+"))
        return (top, top + 1, top + 3)
    return tuple(int(one) for one in text.split("|") if "points" in row.values or one != "0")


def stated(row: Clause) -> str:
    """Return a payout as the regulation prints it."""
    text = row.values.get("stated") or f"{row.values['pays'].replace(':', '-to-')}"
    return text.replace("-", " ")


def winnings_of(row: Clause, cents: int) -> int:
    """Return what a stake wins at a line's payout, without the stake."""
    pays, to = (int(one) for one in row.values["pays"].split(":"))
    assert cents * pays % to == 0
    return cents * pays // to


def keys_of(bet: str) -> tuple[str, ...]:
    """Return the pay tables of a side wager in the matrix."""
    return tuple(dict.fromkeys(row.values["table"] for row in pay_rows(bet)))


def offered(bet: str, table: str, house: Mapping[str, Any] | None = None, **more: Any) -> Logged:  # noqa: ANN401
    """Open a table whose house offers a side wager by one of its pay tables."""
    return Logged(rules_of("colorado", house={"side_wagers": {bet: table}, **(house or {})}, **more))


def with_limits(bet: str, table: str, least: int, most: int, **house: Any) -> Logged:  # noqa: ANN401
    """Open a table whose house sets the least and the most of a side wager."""
    elected = {"side_wagers": {bet: table}, "limits": {bet: {"min": least, "max": most}}, **house}
    return Logged(Rules.of("colorado", house=elected, automate=AUTOMATED))


class Logged(Play):
    """A table that keeps its events."""

    def __init__(self, rules: Rules) -> None:
        self.log: list[e.Event] = []
        super().__init__(rules)

    def do(self, command: c.Command) -> tuple[e.Event, ...]:
        """Carry out a command that must not be refused."""
        happened = super().do(command)
        self.log += happened
        return happened

    def throws(self, *rolls: str) -> tuple[e.Event, ...]:
        """Throw these rolls, with the shooter's line wager where one is needed; return the events of the last roll."""
        happened: tuple[e.Event, ...] = ()
        for roll in rolls:
            happened = self.shoots().roll(roll)
        return happened

    def makes(self, *points: int) -> tuple[e.Event, ...]:
        """Set and make these points, one after another."""
        return self.throws(*(WAYS[point] for point in points for _ in range(2)))

    def sevens_out(self) -> tuple[e.Event, ...]:
        """End the hand with a loser 7, setting a point first if none is on."""
        if not self.table.position.puck:
            self.throws(WAYS[6])
        return self.roll(SEVEN)

    def wager(self, bet: str, seats: Iterable[int] = (ANN, BOB)) -> Logged:
        """Make a side wager for each of these players."""
        for seat in seats:
            self.do(make(seat, bet, CENTS[seat]))
        return self

    def up(self, bet: str) -> dict[int, Wager]:
        """Return the side wagers of a kind that are up, by seat."""
        return {wager.seat: wager for wager in self.table.position.layout if wager.kind == bet}

    def marker(self, bet: str) -> Marker:
        """Return the current marker of a side wager."""
        return markers_after(self.rules, self.log, self.table.position.layout)[bet]

    def decided(self, bet: str, happened: Iterable[e.Event]) -> dict[int, Settled]:
        """Return how a roll settled each player's side wager; at most once."""
        found = list(happened)
        by_seat = {seat: settled(found, seat, bet) for seat in (SHOOTER, ANN, BOB)}
        assert all(len(events) < 2 for events in by_seat.values())
        return {seat: events[0] for seat, events in by_seat.items() if events}
