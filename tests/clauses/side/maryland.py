"""A Maryland table with side wagers: totals are thrown, and the shooter's line wager is made where needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.game import events as e
from passline.game.markers import Marker, markers_after
from passline.game.position import Wager
from passline.rules.clauses import Clause, clauses_of
from passline.rules.rules import AUTOMATED, Rules
from tests.clauses.table import SHOOTER, Play, Settled, settled

MD = clauses_of("maryland")
EVERY = {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"}
PAIRS = {roll.total: str(roll) for roll in OUTCOMES}
TOTALS = tuple(sorted(PAIRS))


def listed(clause: str, key: str) -> tuple[int, ...]:
    """Return the totals that one of a clause's values lists."""
    return tuple(int(one) for one in MD[clause].values[key].split("|"))


POINTS = listed("MD-3.A.40.a", "points")


def pays_of(row: Clause) -> int:
    """Return what a row pays for one unit, without the stake; every line of a side wager is to 1."""
    return int(row.values["pays"].removesuffix(":1"))


def cases(*bets: str) -> list[Any]:
    """Return every line of these wagers' pay tables as a case that tests its clause."""
    rows = [row for row in MD.values() if row.values.get("bet") in bets and {"table", "pays"} <= set(row.values)]
    assert {row.values["bet"] for row in rows} == set(bets)
    return [pytest.param(row, marks=pytest.mark.clause(row.id), id=row.id) for row in rows]


def decided(happened: Iterable[e.Event], *kinds: str) -> list[Settled]:
    """Return the settlements of these kinds of wagers among some events."""
    return [one for one in happened if isinstance(one, Settled) and one.wager.kind in kinds]


def won(happened: Iterable[e.Event], seat: int, kind: str) -> e.WagerWon:
    """Return the only settlement of a player's wager, which must be a win."""
    [one] = settled(happened, seat, kind)
    assert isinstance(one, e.WagerWon), one
    return one


class Side(Play):
    """A table in play that keeps its events."""

    def __init__(self, rules: Rules) -> None:
        self.log: list[e.Event] = []
        super().__init__(rules)

    @classmethod
    def of(
        cls,
        tables: Mapping[str, str] = EVERY,
        *,
        game: str = "craps",
        automate: frozenset[str] = AUTOMATED,
        **house: Any,  # noqa: ANN401 - elections
    ) -> Side:
        """Open a table of a house that offers side wagers by these pay tables."""
        return cls(Rules.of("maryland", game=game, house={"side_wagers": dict(tables), **house}, automate=automate))

    def fork(self) -> Side:
        """Return a copy to try things on."""
        copy = Side.__new__(Side)
        copy.rules, copy.table, copy.log = self.rules, self.table, list(self.log)
        return copy

    def do(self, command: c.Command) -> tuple[e.Event, ...]:
        """Carry out a command that must not be refused, and keep its events."""
        happened = super().do(command)
        self.log += happened
        return happened

    def throw(self, *totals: int) -> list[e.Event]:
        """Throw these totals one after another; the player offered the dice becomes the shooter."""
        happened: list[e.Event] = []
        for total in totals:
            if not self.table.position.is_clearing:
                self.shoots()
            happened += self.roll(PAIRS[total])
        return happened

    def make_points(self, *points: int) -> list[e.Event]:
        """Set each of these points and make it."""
        return self.throw(*(total for point in points for total in (point, point)))

    def lose(self, point: int = 6) -> list[e.Event]:
        """Throw a loser 7, setting a point first if none is on."""
        return self.throw(7) if self.table.position.puck else self.throw(point, 7)

    def void(self, total: int) -> tuple[e.Event, ...]:
        """Throw a total that the boxperson calls no roll."""
        self.shoots()
        self.do(c.ThrowDice(seat=self.table.position.shooter))
        voided = self.do(c.CallNoRoll(by="boxperson", reason="short_throw"))
        assert any(isinstance(one, e.RollVoided) for one in voided), total
        return voided

    def surrender(self) -> e.DiceSurrendered:
        """Let the shooter surrender the dice, and the next player accept them."""
        happened = self.do(c.SurrenderDice(seat=self.table.position.shooter))
        self.do(c.AcceptDice(seat=self.table.position.offered_to))
        return next(one for one in happened if isinstance(one, e.DiceSurrendered))

    def clear(self) -> Side:
        """Start a clearing: the first player makes a point with a come wager on 5, and nobody makes a line wager."""
        self.shoots()
        assert self.table.position.shooter == SHOOTER
        self.throw(6)
        self.make(SHOOTER, "come", 10_00)
        self.throw(5, 6)
        self.do(c.DeclineLineWager(seat=SHOOTER))
        while self.table.position.offered_to:
            self.do(c.DeclineDice(seat=self.table.position.offered_to))
        assert self.table.position.phase == "clearing"
        return self

    def up(self, seat: int, kind: str, number: int = 0) -> Wager:
        """Return a player's wager, which must be up."""
        wager = self.find(seat, kind, number)
        assert wager is not None, f"seat {seat} has no {kind} up"
        return wager

    def marker(self, kind: str) -> Marker:
        """Return the marker of a kind of wager."""
        return markers_after(self.rules, self.log, self.table.position.layout)[kind]
