"""What a roll does to a wager."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passline.rules.rules import Payout
from passline.rules.schema import joined

__all__ = ["STAY", "Outcome", "advance", "lose", "move", "pay", "returned", "win"]


class Outcome(Struct, frozen=True, gc=False):
    """Stay, move to a number, advance, win at odds, lose, or return to the player; and by which clauses.

    A wager that is paid and stays (`pay`) or advances has its new progress here.
    """

    does: Literal["stay", "move", "advance", "pay", "win", "lose", "return"]
    clause: str = ""
    payout: Payout | None = None
    progress: tuple[int, ...] = ()


STAY = Outcome("stay")
"""The roll does nothing to the wager."""


def win(payout: Payout, clause: str) -> Outcome:
    """Give a win at a payout: the clause that makes it win, then the clause that pays it."""
    return Outcome("win", joined(clause, payout.clause), payout)


def advance(progress: tuple[int, ...], clause: str) -> Outcome:
    """Give a step in a side wager's progress."""
    return Outcome("advance", clause, progress=progress)


def pay(payout: Payout, progress: tuple[int, ...], clause: str) -> Outcome:
    """Give a win after which the wager stays up."""
    return Outcome("pay", clause, payout, progress)


def lose(clause: str) -> Outcome:
    """Give a loss."""
    return Outcome("lose", clause)


def move(clause: str) -> Outcome:
    """Give a move to the number thrown."""
    return Outcome("move", clause)


def returned(clause: str) -> Outcome:
    """Give a return to the player, undecided."""
    return Outcome("return", clause)
