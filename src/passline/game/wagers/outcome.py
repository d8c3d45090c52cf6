"""Outcomes: what a roll does to a wager."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passline.rules.rules import Payout
from passline.rules.schema import join_clauses

__all__ = ["STAY", "Outcome", "advance", "give_back", "lose", "move", "pay", "win"]


class Outcome(Struct, frozen=True, gc=False):
    """What a roll does to a wager, and by which clauses.

    `pay` pays a wager that stays up; `pay` and `advance` carry its new progress.
    """

    does: Literal["stay", "move", "advance", "pay", "win", "lose", "return"]
    clause: str = ""
    payout: Payout | None = None
    progress: tuple[int, ...] = ()


STAY = Outcome("stay")
"""The roll does nothing to the wager."""


def win(payout: Payout, clause: str) -> Outcome:
    """Return a win, citing the clause that makes it win and then the one that pays it."""
    return Outcome("win", join_clauses(clause, payout.clause), payout)


def advance(progress: tuple[int, ...], clause: str) -> Outcome:
    """Return a step in a side wager's progress."""
    return Outcome("advance", clause, progress=progress)


def pay(payout: Payout, progress: tuple[int, ...], clause: str) -> Outcome:
    """Return a win after which the wager stays up."""
    return Outcome("pay", clause, payout, progress)


def lose(clause: str) -> Outcome:
    """Return a loss."""
    return Outcome("lose", clause)


def move(clause: str) -> Outcome:
    """Return a move to the number thrown."""
    return Outcome("move", clause)


def give_back(clause: str) -> Outcome:
    """Return an outcome that returns the wager to its player undecided."""
    return Outcome("return", clause)
