"""The options that every command about a session takes, and the terms they mean."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from passline.automaton.terms import Terms

__all__ = [
    "SHARES",
    "BankrollOption",
    "DecisionsOption",
    "GoalOption",
    "HandsOption",
    "RollsOption",
    "ShooterLossOption",
    "ShortOption",
    "StrategiesArgument",
    "terms_from",
]

_ROLLS = 200  # a session that names no limit

# How a command declares them: `bankroll: BankrollOption = "500"`, `rolls: RollsOption = None`, and so on.
StrategiesArgument = Annotated[
    list[str],
    typer.Argument(metavar="STRATEGY...", help='Such as molly, molly:odds=5, "molly + field" or mine.toml.'),
]
BankrollOption = Annotated[str, typer.Option(help="What a session starts with, in dollars.")]
RollsOption = Annotated[int | None, typer.Option(help=f"End after so many rolls ({_ROLLS} if no limit is named).")]
DecisionsOption = Annotated[int | None, typer.Option(help="End after so many line decisions.")]
HandsOption = Annotated[int | None, typer.Option(help="End after so many shooters' hands.")]
GoalOption = Annotated[str, typer.Option(help="End when the bankroll reaches this, in dollars.")]
ShooterLossOption = Annotated[str, typer.Option(help="The most to lose per shooter, in dollars.")]
ShortOption = Annotated[
    Literal["stop", "ride", "reduce"],  # spelled out, for its type lives beside the arrays, which are slow to import
    typer.Option(help="Short of money: leave, make nothing new, or drop the last wishes."),
]

SHARES = tuple(Fraction(share, 100) for share in (5, 25, 50, 75, 95))
"""The quantiles that are shown of a final bankroll."""


def terms_from(
    *,
    bankroll: str,
    rolls: int | None = None,
    decisions: int | None = None,
    hands: int | None = None,
    goal: str = "",
    shooter_loss: str = "",
) -> Terms:
    """Turn the options into the terms of a session.

    >>> str(terms_from(bankroll="500", goal="$750")), str(terms_from(bankroll="500", hands=3))
    ('from 500.00, at most 200 rolls, goal 750.00', 'from 500.00, at most 3 hands')
    """
    from passline.automaton.terms import Terms
    from passline.money import cents_from

    is_limited = rolls is not None or decisions is not None or hands is not None
    return Terms(
        bankroll_cents=cents_from(bankroll),
        rolls=rolls if is_limited else _ROLLS,
        decisions=decisions,
        hands=hands,
        goal_cents=cents_from(goal) if goal else None,
        shooter_loss_cents=cents_from(shooter_loss) if shooter_loss else None,
    )
