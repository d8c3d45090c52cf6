"""A director who runs a tournament in a test: commands go through the real course onto a real, sealed log."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar

from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.pages.texts import packed_pages
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.streams.blocking import BlockingStream
from passline.streams.course import THE_HOUSE, Actor, Ask
from passline.tournament import commands as c
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.decide import TOURNAMENT_DUTIES
from passline.tournament.events import TournamentEvent
from passline.tournament.reports import TournamentBooks, books_of
from passline.tournament.rules import TOURNAMENT_RULES
from passline.tournament.state import TournamentState

Drawn = TypeVar("Drawn", c.DrawSeats, c.DrawCut)

DIRECTOR = Actor("dora", "Dora", "director", is_employee=True)
CASHIER = Actor("carl", "Carl", "cashier", is_employee=True)
OWNER = Actor("olga", "Olga", "owner", is_employee=True)
DEALER = Actor("dan", "Dan", "dealer", is_employee=True)
WITNESS = Actor("bea", "Bea", "boxperson", is_employee=True)


def signer_of(command: c.TournamentCommand) -> str:
    """Who signs a command that a second person signs: the witness."""
    return WITNESS.account if TOURNAMENT_DUTIES[type(command)].signed_by else ""


class Director:
    """One tournament, and what is asked of it."""

    def __init__(
        self, plan: dict[str, Any], *, at: str = "2026-12-01T18:00:00.000000Z", log: Log | None = None
    ) -> None:
        self.at = at
        self.log: Log = log or MemoryLog()
        self.stream = BlockingStream(
            f"{TOURNAMENT_STREAM}{plan['id']}", TournamentCourse(), log=self.log, clock=lambda: self.at
        )
        self.keys = DiceKeys(b"s" * 32, self.log.log_id)
        self._ids = count(1)
        pages = packed_pages(TOURNAMENT_RULES.installed_pages(plan["rules"]))
        self.ask(c.PlanTournament(plan=plan, pages=pages, lot_digest=self.keys.digest(self.stream.name, 1)))

    @property
    def state(self) -> TournamentState:
        """The tournament now."""
        state = self.stream.newest()
        assert state is not None
        return state

    def ask(self, command: c.TournamentCommand, by: Actor = DIRECTOR) -> tuple[str, ...]:
        """Ask for something that is done; return its lines."""
        answer = self.stream.ask(Ask(f"id-{next(self._ids)}", command, by, signer_of(command)))
        assert not isinstance(answer, Refused), str(answer)
        return answer.lines

    def refused(self, command: c.TournamentCommand, by: Actor = DIRECTOR) -> str:
        """Ask for something that is refused; return why, with its clauses."""
        answer = self.stream.ask(Ask(f"id-{next(self._ids)}", command, by, signer_of(command)))
        assert isinstance(answer, Refused), f"{command} was not refused"
        return str(answer)

    def enter(self, event: str, name: str, **paid: Any) -> int:  # noqa: ANN401 - as the command has them
        """Take an entry and sign the player in; return its number."""
        self.ask(c.EnterPlayer(event=event, name=name, **paid), CASHIER)
        number = len(self.state.entries)
        self.ask(c.SignInPlayer(entry=number), CASHIER)
        return number

    def seat(self, event: str, *tables: str) -> None:
        """Prepare the next round of an event and draw its seats."""
        self.ask(c.PrepareRound(event=event, tables=tables))
        self.draw()

    def draw(self) -> None:
        """Draw the seats of the round that was prepared."""
        self.ask(self.lot(c.DrawSeats), THE_HOUSE)

    def lot(self, kind: type[Drawn]) -> Drawn:
        """What the server asks to draw seats, or who of those that are level goes on."""
        state = self.state
        assert state.round is not None
        prepared = state.round.version if kind is c.DrawSeats else state.round.cut_version
        stored = next(iter(self.log.read_stream(self.stream.name, after=prepared - 1)))
        return kind(
            prepared=prepared,
            hash=stored.hash.hex(),
            key=self.keys.key(self.stream.name, state.lot).hex(),
            next_digest=self.keys.digest(self.stream.name, state.lot + 1),
        )

    def play(self, chance: random.Random, **fixed: int) -> None:
        """Play the round that was drawn: every table reports points, by chance or as said by entry (`e1=0`)."""
        self.ask(c.StartRound())
        held = self.state.round
        assert held is not None
        for table in held.tables:
            seated = [one.entry for one in held.seats if one.table == table]
            given = sum(held.stacks[str(one)] for one in seated)
            points = {str(one): fixed.get(f"e{one}", chance.randrange(1, 2 * held.stacks[str(one)])) for one in seated}
            house = given - sum(points.values())
            report = c.ReportPoints(number=held.number, table=table, points=points, house=house, rolls=30)
            self.ask(report, THE_HOUSE)

    def pay_all(self) -> None:
        """Hand out every prize that was awarded."""
        for entry in list(self.state.awards):
            self.ask(c.PayPrize(entry=int(entry)), CASHIER)

    @property
    def books(self) -> TournamentBooks:
        """The books, from the log."""
        return books_of(
            (one.entry.at, one.entry.actor, TOURNAMENT_CODEC.events(one.entry))
            for one in self.log.read_stream(self.stream.name)
        )

    def events(self) -> Iterator[TournamentEvent]:
        """Yield everything that happened."""
        for one in self.log.read_stream(self.stream.name):
            yield from TOURNAMENT_CODEC.events(one.entry)

    @contextmanager
    def moment(self, at: str) -> Iterator[None]:
        """Be at another moment for a while."""
        before, self.at = self.at, at
        yield
        self.at = before
