"""A session's terms, its endings and the checks before it starts: the same whether it is solved or simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import get_args

import numpy as np

from passline.automaton.arrays import HAND, LINE, Automaton, Short
from passline.errors import CrapsError
from passline.money import dollars

RUIN, GOAL, LIMIT = 0, 1, 2
"""How a session ends, as codes."""
ENDINGS = ("ruin", "goal", "limit")
"""The names of the endings, by code."""
NEVER = 1 << 60
"""A limit that no session reaches."""


class SessionError(CrapsError):
    """A session that cannot be played on the given terms."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a session starts with and when it ends, besides in ruin.

    >>> str(Terms(bankroll_cents=500_00, rolls=200, goal_cents=750_00))
    'from 500.00, at most 200 rolls, goal 750.00'
    """

    bankroll_cents: int
    rolls: int | None = None
    decisions: int | None = None
    hands: int | None = None
    goal_cents: int | None = None
    shooter_loss_cents: int | None = None

    def __post_init__(self) -> None:
        if self.rolls is None and self.decisions is None and self.hands is None:
            raise SessionError("a session needs an end: a number of rolls, of line decisions or of hands")
        if self.decisions is not None and self.hands is not None:
            raise SessionError("a session is limited by line decisions or by hands, not by both")
        counts = {"rolls": self.rolls, "decisions": self.decisions, "hands": self.hands}
        for name, count in counts.items():
            if count is not None and (not isinstance(count, Integral) or count < 1):
                raise SessionError(f"{count} {name}: a session has a whole number of them, at least one")
        cents = {name: getattr(self, f"{name}_cents") for name in ("bankroll", "goal", "shooter_loss")}
        for name, amount in cents.items():
            if amount is not None and (not isinstance(amount, Integral) or (amount < 0)):
                raise SessionError(f"{name}_cents={amount!r}: an amount is a whole number of cents, not below 0")
        if self.shooter_loss_cents is not None and self.shooter_loss_cents < 1:
            raise SessionError(f"a loss limit per shooter of {dollars(self.shooter_loss_cents)}: it must be above 0")

    def __str__(self) -> str:
        counts = ((self.rolls, "rolls"), (self.decisions, "line decisions"), (self.hands, "hands"))
        parts = [f"from {dollars(self.bankroll_cents)}"]
        parts += [f"at most {count:,} {name}" for count, name in counts if count is not None]
        if self.goal_cents is not None:
            parts.append(f"goal {dollars(self.goal_cents)}")
        if self.shooter_loss_cents is not None:
            parts.append(f"at most {dollars(self.shooter_loss_cents)} lost per shooter")
        return ", ".join(parts)

    @property
    def counted(self) -> tuple[int, int | None]:
        """The mark that the session counts (LINE or HAND), and at how many it ends; (0, None) if it counts neither."""
        if self.decisions is not None:
            return LINE, self.decisions
        return (0, None) if self.hands is None else (HAND, self.hands)

    def in_units(self, unit: int) -> tuple[int, int, int]:
        """Return the bankroll in whole units, the cents left over, and the units at which the goal is reached.

        >>> Terms(bankroll_cents=105_00, rolls=20, goal_cents=200_00).in_units(10_00)
        (10, 500, 20)
        """
        equity, left_over = divmod(self.bankroll_cents, unit)
        return equity, left_over, NEVER if self.goal_cents is None else -((left_over - self.goal_cents) // unit)


def check_policy(short: str) -> None:
    """Check what a player does who is short of money.

    >>> check_policy("drop")
    Traceback (most recent call last):
    passline.automaton.terms.SessionError: short='drop': choose stop (leave), ride (make nothing new) or reduce (drop the last wishes)
    """  # noqa: E501 - one line, as it is shown
    if short not in get_args(Short):
        raise SessionError(
            f"short={short!r}: choose stop (leave), ride (make nothing new) or reduce (drop the last wishes)"
        )


def check_marks(automaton: Automaton, mark: int) -> None:
    """Check that a roll with `mark` can follow from every state; otherwise the session might never end."""
    ends = ((automaton.mark & mark) != 0).any(axis=1)
    while not (reached := ends | ends[automaton.next].any(axis=1)).all():
        if (reached == ends).all():
            what = "line decision" if mark == LINE else "end of a hand"
            raise SessionError(
                f"no {what} ever comes from '{automaton.labels[int(np.argmin(reached))]}': limit the rolls too"
            )
        ends = reached


def check_goal(terms: Terms) -> None:
    """Check that a session does not begin at its goal.

    >>> check_goal(Terms(bankroll_cents=500_00, rolls=200, goal_cents=400_00))
    Traceback (most recent call last):
    passline.automaton.terms.SessionError: a goal of 400.00 is not above the bankroll of 500.00: aim higher, or bring less
    """  # noqa: E501 - one line, as it is shown
    if terms.goal_cents is not None and terms.goal_cents <= terms.bankroll_cents:
        raise SessionError(
            f"a goal of {dollars(terms.goal_cents)} is not above the bankroll of {dollars(terms.bankroll_cents)}: "
            "aim higher, or bring less"
        )


def check_bankroll(parts: Sequence[Automaton], cents: int) -> None:
    """Check that a bankroll pays for the first wagers of all parts together."""
    _check_outlay(parts, cents, "a bankroll", "bring more, or wager less")


def check_loss_limit(parts: Sequence[Automaton], cents: int) -> None:
    """Check that a loss limit per shooter allows the first wagers, under a policy that leaves wagers up."""
    if parts[0].policy == "stop":
        raise SessionError(
            'a loss limit per shooter needs the policy "ride" or "reduce", for wagers already up ride on'
        )
    _check_outlay(parts, cents, "a loss limit per shooter", "nothing would ever be wagered")


def first_outlay_cents(parts: Sequence[Automaton], cents: int) -> int:
    """Return the outlay of the first wagers that `cents` pays for or, where it pays for none, of the cheapest."""
    total = 0
    for part in parts:
        state = 0
        while cents < part.outlay[state] * part.unit and part.short[state] >= 0:
            state = int(part.short[state])
        total += int(part.outlay[state]) * part.unit
    return total


def _check_outlay(parts: Sequence[Automaton], cents: int, what: str, advice: str) -> None:
    needed = first_outlay_cents(parts, cents)
    if cents < needed:
        raise SessionError(f"{what} of {dollars(cents)} is below the first outlay of {dollars(needed)}: {advice}")
