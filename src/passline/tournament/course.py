"""The stream of a tournament: its commands decided under its regulation's pages, its events folded and worded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import fields, replace

from passline.errors import CrapsError
from passline.refusal import Refusal, Refused
from passline.rules.pages.texts import unpacked_pages
from passline.store.entry import Entry
from passline.streams.course import Ask, Codec, Course, Decision
from passline.tournament import commands as c
from passline.tournament.commands import TournamentCommand
from passline.tournament.decide import decide_tournament
from passline.tournament.events import TournamentEvent
from passline.tournament.evolve import fold_tournament
from passline.tournament.rules import TOURNAMENT_RULES, TournamentRules
from passline.tournament.state import TournamentState
from passline.tournament.wording import tournament_lines

TOURNAMENT_STREAM = "tournament/"
"""How the names of tournaments' streams begin."""
TOURNAMENT_CODEC: Codec[TournamentCommand, TournamentEvent, TournamentState] = Codec(
    TournamentCommand, TournamentEvent, TournamentState
)
"""Reads the entries and snapshots of tournaments."""


def rules_for(state: TournamentState | None, command: TournamentCommand) -> TournamentRules:
    """Return the rules that a command is judged by; those that come with a plan are known from then on."""
    if isinstance(command, c.PlanTournament):
        return TOURNAMENT_RULES.learn(unpacked_pages(str(command.plan.get("rules", "")), command.pages))
    kept = TOURNAMENT_RULES.find(state.pages) if state else None
    if kept is None:
        raise CrapsError("there is no such tournament: plan it first")
    return kept


def learn_tournament(entry: Entry) -> None:
    """Make the pages that came with a plan known to this process."""
    command = TOURNAMENT_CODEC.command(entry)
    if isinstance(command, c.PlanTournament):
        rules_for(None, command)


def tournament_command_as_sent(command: Any) -> Any:  # noqa: ANN401 - of any command
    """Return a command without what the server fills in: a day, or who else was in the house."""
    filled = {field.name: field.default for field in fields(command) if field.name in c.FILLED_IN_FIELDS}
    return replace(command, **filled)


class TournamentCourse(Course[TournamentState]):
    """One tournament."""

    codec = TOURNAMENT_CODEC

    def decide(self, state: TournamentState | None, ask: Ask, at: str) -> Decision | Refused:
        """Decide a command to the tournament."""
        try:
            rules = rules_for(state, ask.command)
        except CrapsError as error:
            return Refused((Refusal("rules", str(error)),))
        return decide_tournament(rules, state, ask.command, by=ask.by, at=at, signed_by=ask.signed_by)

    def as_sent(self, command: Any) -> Any:  # noqa: ANN401 - of any command
        """Return a command without what the server fills in: a day, or who else was in the house."""
        return tournament_command_as_sent(command)

    def knows_rules(self, state: TournamentState) -> bool:
        """Return whether this process knows the pages of a tournament."""
        return TOURNAMENT_RULES.find(state.pages) is not None

    def learn_rules(self, entry: Entry, events: Sequence[TournamentEvent]) -> None:  # noqa: ARG002 - as Course has it
        """Learn the pages that came with a plan."""
        learn_tournament(entry)

    def fold(self, state: TournamentState | None, entry: Entry, events: Sequence[TournamentEvent]) -> TournamentState:
        """Return the tournament after an entry; the pages that come with a plan are known from here on."""
        learn_tournament(entry)
        return fold_tournament(state, events)

    def lines(
        self, before: TournamentState | None, after: TournamentState | None, events: Sequence[TournamentEvent]
    ) -> tuple[str, ...]:
        """Return the events in words."""
        return tournament_lines(after or before, events)
