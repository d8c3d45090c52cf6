"""What every oracle is asked."""

from __future__ import annotations

from collections.abc import Sequence

from passline.acts.schema import Act
from passline.rules.schema import Rule, clause_text
from tests.office.search.findings import Findings
from tests.office.search.world import Office, Step, World


class Oracle:
    """Something that must hold of every office: it sees each step, and each state with all that was tried there."""

    def __init__(self, office: Office, findings: Findings) -> None:
        self.office = office
        self.findings = findings

    @property
    def acts(self) -> dict[str, Act]:
        """The acts of the pages."""
        return self.office.rules.pages.acts

    def see_state(self, world: World, by: str) -> None:
        """Look at a state that was reached by an act for the first time."""

    def see_step(self, step: Step) -> None:
        """Look at a step that was accepted."""

    def see_tried(self, world: World, steps: Sequence[Step]) -> None:
        """Look at all that was tried in a state."""

    def finish(self) -> None:
        """Say what shows only when everything was tried."""


def cited(rule: Rule) -> str:
    """Return the clauses that an entry of the pages cites."""
    return clause_text(rule.cite)
