"""The scene of a command to a tournament: the rules, the state, the moment and who asks."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passline.acts.papers.houses import currency_of
from passline.money import in_currency
from passline.refusal import Refusal
from passline.rules.schema import Rule
from passline.streams.course import Actor
from passline.tournament import events as e
from passline.tournament.events import TournamentEvent
from passline.tournament.rules import TournamentPages, TournamentRules
from passline.tournament.state import KnownEntry, TournamentState

FORM = "form"
"""The clause of what is wrong with a form, whatever the regulation."""

_TEXT_MAX = 400  # characters of a reason

TournamentVerdict = Sequence[TournamentEvent] | Sequence[Refusal]
"""What a judge returns: only events, or only refusals."""


class TournamentScene(Struct, frozen=True):
    """Everything that judging a command may look at."""

    rules: TournamentRules
    state: TournamentState
    at: str
    by: Actor

    @property
    def pages(self) -> TournamentPages:
        """What the regulation says."""
        return self.rules.pages

    def refusal(self, why: str, *rules: Rule | None) -> Refusal:
        """Return a refusal that names the clauses of these entries."""
        return Refusal(self.rules.clause(*rules), in_currency(why, currency_of(self.rules.name)))

    def breach(self, why: str, *rules: Rule | None, entry: int = 0, after: int = 0) -> e.BreachRecorded:
        """Return the record of something that has happened and that a clause does not allow."""
        return e.BreachRecorded(self.state.breaches + 1 + after, self.rules.clause(*rules), why, entry)

    def live_entry(self, number: int) -> KnownEntry | Refusal:
        """Return an entry that is still in, or why there is none."""
        entry = self.state.entry(number)
        if entry is None:
            return Refusal(FORM, f"there is no entry {number}")
        if entry.status not in {"entered", "in"}:
            return Refusal(FORM, f"entry {number} of {entry.name} is {entry.status}")
        return entry


def unfit_text(text: str, what: str) -> list[Refusal]:
    """Refuse a reason that is empty or too long."""
    return [] if 0 < len(text.strip()) <= _TEXT_MAX else [Refusal(FORM, f"say in 1 to {_TEXT_MAX} characters {what}")]
