"""A session's terms, its endings and the checks before it starts: the same whether it is solved or simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import get_args

import numpy as np

from passline.automaton.arrays import HAND, LINE, NEVER, Automaton, Short
from passline.errors import CrapsError
from passline.money import dollars
from passline.strategy.interface import Strategy


class SessionError(CrapsError):
    """A session that cannot be played on the given terms."""


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


_ABOVE_0 = {
    "shooter_loss": "a loss limit per shooter",
    "stop_loss": "a stop loss",
    "trailing_stop": "a trailing stop",
}
_AMOUNTS = ("bankroll", "goal", *_ABOVE_0)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a session starts with and when it ends, besides in ruin.

    The player leaves (STOP) at a loss of `stop_loss_cents`, `trailing_stop_cents` below the highest equity so far, or
    after so many line decisions in a row that the pass line wins or loses. Before each roll the goal is looked at
    first, then the limits, then these stops, then whether the player can pay.

    >>> str(Terms(bankroll_cents=500_00, rolls=200, goal_cents=750_00))
    'from 500.00, at most 200 rolls, goal 750.00'
    >>> str(Terms(bankroll_cents=500_00, rolls=200, stop_loss_cents=100_00, line_losses=3))
    'from 500.00, at most 200 rolls, stop loss 100.00, at most 3 line losses in a row'
    """

    bankroll_cents: int
    rolls: int | None = None
    decisions: int | None = None
    hands: int | None = None
    goal_cents: int | None = None
    shooter_loss_cents: int | None = None
    stop_loss_cents: int | None = None
    trailing_stop_cents: int | None = None
    line_wins: int | None = None
    line_losses: int | None = None

    def __post_init__(self) -> None:
        if self.rolls is None and self.decisions is None and self.hands is None:
            raise SessionError("a session needs an end: a number of rolls, of line decisions or of hands")
        if self.decisions is not None and self.hands is not None:
            raise SessionError("a session is limited by line decisions or by hands, not by both")
        counts = {"rolls": self.rolls, "decisions": self.decisions, "hands": self.hands}
        counts |= {"line wins": self.line_wins, "line losses": self.line_losses}
        for name, count in counts.items():
            if count is not None and (not _is_whole(count) or count < 1):
                raise SessionError(f"{count} {name}: a session has a whole number of them, at least one")
        cents = {name: getattr(self, f"{name}_cents") for name in _AMOUNTS}
        for name, amount in cents.items():
            if amount is not None and (not _is_whole(amount) or amount < 0):
                raise SessionError(f"{name}_cents={amount!r}: an amount is a whole number of cents, not below 0")
        for name, what in _ABOVE_0.items():
            amount = cents[name]
            if amount is not None and amount < 1:
                raise SessionError(f"{what} of {dollars(amount)}: it must be above 0")

    def __str__(self) -> str:
        counts = ((self.rolls, "rolls"), (self.decisions, "line decisions"), (self.hands, "hands"))
        parts = [f"from {dollars(self.bankroll_cents)}"]
        parts += [f"at most {count:,} {name}" for count, name in counts if count is not None]
        if self.goal_cents is not None:
            parts.append(f"goal {dollars(self.goal_cents)}")
        if self.shooter_loss_cents is not None:
            parts.append(f"at most {dollars(self.shooter_loss_cents)} lost per shooter")
        if self.stop_loss_cents is not None:
            parts.append(f"stop loss {dollars(self.stop_loss_cents)}")
        if self.trailing_stop_cents is not None:
            parts.append(f"trailing stop {dollars(self.trailing_stop_cents)}")
        streaks = ((self.line_wins, "line wins"), (self.line_losses, "line losses"))
        parts += [f"at most {count:,} {name} in a row" for count, name in streaks if count is not None]
        return ", ".join(parts)

    @property
    def has_stops(self) -> bool:
        """Whether the player may leave before goal, limit and ruin."""
        stops = (self.stop_loss_cents, self.trailing_stop_cents, self.line_wins, self.line_losses)
        return any(stop is not None for stop in stops)

    @staticmethod
    def rolls_in(*, minutes: int, rolls_per_hour: int) -> int:
        """Return the rolls of so many minutes at a pace, the last one within them.

        >>> Terms.rolls_in(minutes=90, rolls_per_hour=101)
        151
        """
        rolls = minutes * rolls_per_hour // 60
        if rolls < 1:
            raise SessionError(f"no roll falls into {minutes} minutes at {rolls_per_hour} rolls an hour: give more")
        return rolls

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

    def stops_in_units(self, unit: int) -> tuple[int, int]:
        """Return at or below which equity, in whole units, the player leaves, and at which fall from the highest.

        >>> terms = Terms(bankroll_cents=105_00, rolls=20, stop_loss_cents=50_00, trailing_stop_cents=21_00)
        >>> terms.stops_in_units(10_00)
        (5, 3)
        """
        equity, _, _ = self.in_units(unit)
        stop = -NEVER if self.stop_loss_cents is None else equity - -(-self.stop_loss_cents // unit)
        return stop, NEVER if self.trailing_stop_cents is None else -(-self.trailing_stop_cents // unit)


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


def check_made_for(strategy: Strategy, terms: Terms) -> None:
    """Check that a strategy that counts its money from one bankroll starts with it."""
    if strategy.bankroll_cents not in {None, terms.bankroll_cents}:
        raise SessionError(
            f"{strategy.name} counts its money from {dollars(strategy.bankroll_cents or 0)}, and would misjudge it "
            f"from {dollars(terms.bankroll_cents)}: start with that bankroll, or make a policy for this one"
        )
    if strategy.bankroll_cents is not None and terms.shooter_loss_cents is not None:
        raise SessionError(
            f"{strategy.name} counts its money, and knows no loss limit per shooter: leave the limit out"
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
