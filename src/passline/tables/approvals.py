"""Approvals on file: what a laboratory or an authority has said yes to, without which some things are not done."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["KINDS", "LABORATORY", "Approval", "Approvals"]

LABORATORY = "laboratory"
"""Who evaluates electronic parts before they are played with."""
KINDS: dict[str, tuple[str, ...]] = {
    "laboratory_report": (LABORATORY,),
    "prediction_aid": ("TGO", "SGA"),
    "game_rules": ("TGO", "SGA"),
}
"""What can be approved, and by whom."""


class Approval(Struct, frozen=True):
    """One approval on file."""

    kind: str
    authority: str
    reference: str
    date: str


class Approvals(Struct, frozen=True):
    """All that are on file."""

    on_file: tuple[Approval, ...] = ()

    def has(self, kind: str, *authorities: str) -> bool:
        """Whether all of these authorities approved a thing.

        >>> Approvals((Approval("prediction_aid", "TGO", "17", "2026-01-02"),)).has("prediction_aid", "TGO", "SGA")
        False
        """
        return {*authorities} <= {one.authority for one in self.on_file if one.kind == kind}
