"""What a player can play for, and from how much money."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passline.automaton.terms import SessionError
from passline.money import dollars

Kind = Literal["goal", "finish", "least_loss", "longest"]


class Purpose(Struct, frozen=True):
    """What to play for; make one by `goal`, `finish`, `least_loss` or `longest`.

    >>> print(Purpose.goal(bankroll_cents=500_00, goal_cents=1000_00))
    reach 1000.00 from 500.00 before ruin
    """

    kind: Kind
    bankroll_cents: int
    target_cents: int = 0
    rolls: int | None = None

    @classmethod
    def goal(cls, *, bankroll_cents: int, goal_cents: int, rolls: int | None = None) -> Purpose:
        """Reach a goal before ruin, or within so many rolls."""
        if goal_cents <= bankroll_cents:
            raise SessionError(
                f"a goal of {dollars(goal_cents)} is not above the bankroll of {dollars(bankroll_cents)}: aim higher, "
                "or bring less"
            )
        return _must_be_possible(cls("goal", bankroll_cents, goal_cents, rolls))

    @classmethod
    def finish(cls, *, bankroll_cents: int, at_least_cents: int, rolls: int) -> Purpose:
        """Have at least so much after so many rolls."""
        return _must_be_possible(cls("finish", bankroll_cents, at_least_cents, rolls))

    @classmethod
    def least_loss(cls, *, bankroll_cents: int, rolls: int) -> Purpose:
        """Lose least in so many rolls, with a wager up whenever one can be made."""
        return _must_be_possible(cls("least_loss", bankroll_cents, 0, rolls))

    @classmethod
    def longest(cls, *, bankroll_cents: int, rolls: int) -> Purpose:
        """Play as many rolls as possible before ruin, up to so many, with a wager up whenever one can be made."""
        return _must_be_possible(cls("longest", bankroll_cents, 0, rolls))

    @property
    def may_wait(self) -> bool:
        """Whether the player may have nothing up while a wager could be made."""
        return self.kind in {"goal", "finish"}

    @property
    def is_chance(self) -> bool:
        """Whether the value is a chance; otherwise it is cents (`least_loss`) or rolls (`longest`), in the mean."""
        return self.may_wait

    def __str__(self) -> str:
        money, target = dollars(self.bankroll_cents), dollars(self.target_cents)
        rolls = "" if self.rolls is None else f"{self.rolls:,} rolls"
        if self.kind == "goal":
            return f"reach {target} from {money} before ruin{f' within {rolls}' if rolls else ''}"
        if self.kind == "finish":
            return f"have at least {target} after {rolls} from {money}"
        return (
            f"lose least in {rolls} from {money}" if self.kind == "least_loss" else f"last up to {rolls} from {money}"
        )


def _must_be_possible(purpose: Purpose) -> Purpose:
    if purpose.bankroll_cents < 1:
        raise SessionError(f"a bankroll of {dollars(purpose.bankroll_cents)}: bring some money")
    if purpose.rolls is not None and purpose.rolls < 1:
        raise SessionError(f"{purpose.rolls} rolls: play at least one")
    if purpose.kind == "finish" and purpose.target_cents < 1:
        raise SessionError("to finish with at least nothing needs no play: name an amount")
    return purpose
