"""A tournament in memory, to learn it, and to try plans and pages: everything is decided as the server decides it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count
from typing import Any

from msgspec import convert, to_builtins

from passline.authority.roles import DIRECTOR, PLAYER
from passline.documents.as_text import table_text
from passline.errors import CrapsError
from passline.provable_dice import DiceKeys
from passline.refusal import Refusal, Refused
from passline.rules.pages.texts import packed_pages
from passline.store.memory import MemoryLog
from passline.streams.blocking import BlockingStream
from passline.streams.course import THE_HOUSE, Actor, Ask
from passline.tournament import commands as c
from passline.tournament.commands import TournamentCommand
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.plan.schema import Plan
from passline.tournament.reports import TournamentBooks, books_of, tournament_table
from passline.tournament.rules.tournament_rules import TOURNAMENT_RULES
from passline.tournament.state import TournamentState

__all__ = ["TrialTournament"]


class TrialTournament:
    """A tournament with its people, at a moment that only `go_to` changes. Dice are not thrown: tables report points.

    >>> from passline.tournament.plan.example import example_plan
    >>> trial = TrialTournament(example_plan("colorado"), {"dora": "director", "cy": "cashier"})
    >>> print(trial.do("cy", "enter-player", event="Main event", name="Ann Lee"))
    Ann Lee enters Main event as entry 1, for $150
    """

    def __init__(self, plan: Plan, people: Mapping[str, str], *, at: str = "2026-05-01T18:00:00.000000Z") -> None:
        self._at, self._people = at, people
        self._log = MemoryLog()
        self._stream = BlockingStream(
            f"{TOURNAMENT_STREAM}{plan.id}", TournamentCourse(), log=self._log, clock=lambda: self._at
        )
        self._keys = DiceKeys(bytes(32), "a trial")
        self._ids = count(1)
        pages, digest = (
            packed_pages(TOURNAMENT_RULES.installed_pages(plan.rules)),
            self._keys.digest(self._stream.name, 1),
        )
        planned = self._asked(c.PlanTournament(plan=to_builtins(plan), pages=pages, lot_digest=digest), THE_DIRECTOR)
        if self._stream.newest() is None:
            raise CrapsError(planned)

    @property
    def state(self) -> TournamentState:
        """The tournament now."""
        state = self._stream.newest()
        assert state is not None
        return state

    def go_to(self, at: str) -> None:
        """Go to another moment (UTC)."""
        self._at = at

    def do(self, who: str, command: str, **fields: Any) -> str:  # noqa: ANN401 - as the command has them
        """Have somebody give a command; return what was recorded, or why it was refused. Seats are drawn at once."""
        role = self._people.get(who, PLAYER)
        by = Actor(who, who.capitalize(), role, is_employee=role != PLAYER)
        said = self._asked(convert({"command": command, **fields}, TournamentCommand), by)
        held = self.state.round
        return said if held is None or held.phase != "prepared" else "\n".join([said, self._draw(held.version)])

    def _asked(self, command: TournamentCommand, by: Actor) -> str:
        answer = self._stream.ask(Ask(f"id-{next(self._ids)}", command, by))
        return f"refused: {answer}" if isinstance(answer, Refused) else "\n".join(answer.lines)

    def _draw(self, prepared: int) -> str:
        stored = next(iter(self._log.read_stream(self._stream.name, after=prepared - 1)))
        lot = self.state.lot
        draw = c.DrawSeats(
            prepared=prepared,
            hash=stored.hash.hex(),
            key=self._keys.key(self._stream.name, lot).hex(),
            next_digest=self._keys.digest(self._stream.name, lot + 1),
        )
        return self._asked(draw, THE_HOUSE)

    def deal(self, points: Mapping[int, int] | None = None, *, seed: int = 0) -> None:
        """Have every table of the round report: points by entry as they are given, those of the others by chance."""
        held = self.state.round
        if held is None or held.phase != "playing":
            raise CrapsError("no round is being played")
        for table in held.tables:
            seated = [one.entry for one in held.seats if one.table == table]
            given = {one: held.stacks[str(one)] for one in seated}
            has = {str(one): (points or {}).get(one, _by_chance(seed, one, given[one])) for one in seated}
            house = sum(given.values()) - sum(has.values())
            report = c.ReportPoints(number=held.number, table=table, points=has, house=house, rolls=0)
            self._asked(report, THE_HOUSE)

    def paper(self, name: str, event: str = "") -> str:
        """Return a list of the tournament as text, or why it is refused."""
        rules = TOURNAMENT_RULES.find(self.state.pages)
        assert rules is not None, "the plan came with them"
        found = tournament_table(rules, self._books(), name, local=_utc, event=event)
        return f"refused: {found}" if isinstance(found, Refusal) else table_text(found)

    def _books(self) -> TournamentBooks:
        return books_of(
            (one.entry.at, one.entry.actor, TOURNAMENT_CODEC.events(one.entry))
            for one in self._log.read_stream(self._stream.name)
        )


THE_DIRECTOR = Actor("director", "The director", DIRECTOR, is_employee=True)
"""Who keeps the plan of a trial."""


def _utc(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone(UTC)


def _by_chance(seed: int, entry: int, given: int) -> int:
    return random.Random(f"{seed}/{entry}").randrange(1, 2 * given)  # noqa: S311 - no dice, no money
