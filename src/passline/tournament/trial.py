"""A tournament in memory, to learn it, and to try plans and pages."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from msgspec import convert, json, to_builtins

from passline.authority.roles import DIRECTOR, PLAYER
from passline.documents.as_text import table_text
from passline.errors import CrapsError
from passline.provable_dice import DiceKeys
from passline.refusal import Refusal, Refused
from passline.rules.pages.texts import packed_pages
from passline.streams.course import THE_HOUSE, Actor, Ask, Decision
from passline.streams.trial import Trial
from passline.tournament import commands as c
from passline.tournament.commands import TournamentCommand
from passline.tournament.course import TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.events import TournamentEvent
from passline.tournament.plan.schema import Plan
from passline.tournament.reports import books_of, tournament_table
from passline.tournament.rules import TOURNAMENT_RULES
from passline.tournament.state import TournamentState

_DIRECTOR = "director"  # who keeps the plan of a trial


class TrialTournament(Trial[TournamentState]):
    """A tournament with its people, at a moment that only `go_to` changes. Dice are not thrown: tables report points.

    >>> from passline.tournament.plan.reader import example_plan
    >>> trial = TrialTournament(example_plan("colorado"), {"dora": "director", "cy": "cashier"})
    >>> print(trial.do("cy", "enter-player", event="Main event", name="Ann Lee"))
    Ann Lee enters Main event as entry 1, for $150
    """

    def __init__(self, plan: Plan, people: Mapping[str, str], *, at: str = "2026-05-01T18:00:00.000000Z") -> None:
        super().__init__(at)
        self._people = {_DIRECTOR: DIRECTOR, **people}
        self._course, self._stream = TournamentCourse(), f"{TOURNAMENT_STREAM}{plan.id}"
        self._keys = DiceKeys(bytes(32), "a trial")
        pages, digest = packed_pages(TOURNAMENT_RULES.installed_pages(plan.rules)), self._keys.digest(self._stream, 1)
        plans = c.PlanTournament(plan=to_builtins(plan), pages=pages, lot_digest=digest)
        if isinstance(refused := self.send(plans, _DIRECTOR), Refused):
            raise CrapsError(str(refused))

    def go_to(self, at: str) -> None:
        """Go to another moment (UTC)."""
        self.at = at

    def actor(self, name: str) -> Actor:
        """Return somebody by their name, a player unless they have a role; without a name, the server itself."""
        role = self._people.get(name, PLAYER)
        return Actor(name, name.capitalize(), role, is_employee=role != PLAYER) if name else THE_HOUSE

    def decide(self, ask: Ask) -> Decision | Refused:
        """Decide a command to the tournament; the first one plans it."""
        return self._course.decide(self.state if self.done else None, ask, self.at)

    def lines(self, events: Sequence[TournamentEvent]) -> tuple[str, ...]:
        """Return what happened in words."""
        return self._course.lines(None, self.state, events)

    def do(self, who: str, command: str, *, signed_by: str = "", **fields: Any) -> str:  # noqa: ANN401 - as the command has them
        """Have somebody give a command; return what was recorded, or why it was refused. Seats are drawn at once."""
        said = self.tell(convert({"command": command, **fields}, TournamentCommand), who, signed_by=signed_by)
        held = self.state.round
        if held is not None and held.phase == "prepared":
            return f"{said}\n{self.tell(self._lot(c.DrawSeats, held.version))}"
        if held is not None and held.phase == "playing" and held.cut_version:
            return f"{said}\n{self.tell(self._lot(c.DrawCut, held.cut_version))}"
        return said

    def _lot(self, kind: type[c.DrawSeats | c.DrawCut], prepared: int) -> c.DrawSeats | c.DrawCut:
        lot = self.state.lot
        return kind(
            prepared=prepared,
            hash=sha256(json.encode(self.done[prepared - 1])).hexdigest(),
            key=self._keys.key(self._stream, lot).hex(),
            next_digest=self._keys.digest(self._stream, lot + 1),
        )

    def deal(self, points: Mapping[int, int] | None = None, *, seed: int = 0) -> None:
        """Have every table of the round report: points by entry as they are given, those of the others by chance."""
        held = self.state.round
        if held is None or held.phase != "playing":
            raise CrapsError("no round is being played")
        for table in held.tables:
            seated = [seat.entry for seat in held.seats if seat.table == table]
            given = {entry: held.stacks[str(entry)] for entry in seated}
            has = {str(entry): (points or {}).get(entry, _by_chance(seed, entry, given[entry])) for entry in seated}
            house = sum(given.values()) - sum(has.values())
            report = c.ReportPoints(number=held.number, table=table, points=has, house=house, rolls=0)
            self.send(report)

    def paper(self, name: str, event: str = "") -> str:
        """Return a list of the tournament as text, or why it is refused."""
        rules = TOURNAMENT_RULES.find(self.state.pages)
        assert rules is not None, "the plan came with them"
        books = books_of((done.at, done.ask.by.account, done.events) for done in self.done)
        found = tournament_table(rules, books, name, local=datetime.fromisoformat, event=event)
        return f"refused: {found}" if isinstance(found, Refusal) else table_text(found)


def _by_chance(seed: int, entry: int, given: int) -> int:
    return random.Random(f"{seed}/{entry}").randrange(1, 2 * given)  # noqa: S311 - no dice, no money
