"""Approvals on file, by a laboratory or an authority, that some acts at a table require."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.rules.schema import ApprovedRule, cites_of

_ASKED_FOR = {"laboratory_report": "electronic", "prediction_aid": "prediction_aid", "game_rules": "game_rules"}
"""The key of each kind of approval in a rulebook's `[live]` section."""


def approvable() -> dict[str, ApprovedRule]:
    """Return each kind of approval that any regulation requires, with its authorities and clauses.

    >>> approvable()["prediction_aid"].authorities
    ('TGO', 'SGA')
    """
    return _approvable(sound_regulations())


@cache
def _approvable(names: tuple[str, ...]) -> dict[str, ApprovedRule]:
    live = [rulebook_of(name).general.live for name in names]
    asked = {kind: [rule for section in live if (rule := getattr(section, key))] for kind, key in _ASKED_FOR.items()}
    return {
        kind: ApprovedRule(
            authorities=tuple(dict.fromkeys(authority for rule in rules for authority in rule.authorities)),
            cite=tuple(clause for rule in rules for clause in cites_of(rule.cite)),
        )
        for kind, rules in asked.items()
        if rules
    }


class Approval(Struct, frozen=True):
    """One approval on file."""

    kind: str
    authority: str
    reference: str
    date: str


class Approvals(Struct, frozen=True):
    """All approvals on file."""

    on_file: tuple[Approval, ...] = ()

    def has(self, kind: str, *authorities: str) -> bool:
        """Return whether all of these authorities have approved something.

        >>> Approvals((Approval("prediction_aid", "TGO", "17", "2026-01-02"),)).has("prediction_aid", "TGO", "SGA")
        False
        """
        return {*authorities} <= {approval.authority for approval in self.on_file if approval.kind == kind}
