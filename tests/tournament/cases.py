"""What every kind of case of tournaments has: the clauses that it names, and a run under some rules."""

from __future__ import annotations

from typing import Protocol

from passline.tournament.rules import TournamentRules


class CaseFailed(AssertionError):
    """Something else came of a case than is expected."""


class TournamentCase(Protocol):
    """Something that is tried under the rules of tournaments."""

    regulation: str
    name: str

    @property
    def clauses(self) -> set[str]:
        """The clauses that it names."""

    def run(self, rules: TournamentRules | None = None) -> None:
        """Try it under these rules, or the installed ones; raise CaseFailed if anything else comes of it."""
