"""The options of every command about a session, and the terms they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer

from passline.dice import ROLLS_PER_HOUR

if TYPE_CHECKING:
    from passline.automaton.terms import Terms
    from passline.rules.rules import Rules

_ROLLS = 200  # if no limit is given
_COUNT_MAX = 10**15


def count_from(text: str | int) -> int:
    """Parse a whole number from 1, as people write large ones.

    >>> count_from("200"), count_from("1e6"), count_from("2.5e3"), count_from("1_000"), count_from("1,000")
    (200, 1000000, 2500, 1000, 1000)
    """
    try:
        value = Decimal(str(text).replace(",", "").replace("_", ""))
        if value == value.to_integral_value() and 1 <= value <= _COUNT_MAX:
            return int(value)
    except (InvalidOperation, ValueError):
        pass
    raise typer.BadParameter(f"{text}: a whole number from 1 to 1e15, such as 1000000 or 1e9")


def complete_strategy(incomplete: str) -> list[str]:
    """Return the strategies that a shell may complete to, each after those that stand before it.

    >>> complete_strategy("pass+iron"), complete_strategy("molly,iron")
    (['pass+iron_cross'], ['molly,iron_cross'])
    """
    from passline.strategy.lookup import known_strategies

    begins = max(incomplete.rfind(sign) for sign in "+,") + 1
    before, last = incomplete[:begins], incomplete[begins:].lower()
    return [before + name for name in known_strategies() if name.startswith(last)]


# A command declares them as `bankroll: BankrollOption = "500"`, `rolls: RollsOption = None`, and so on.
StrategiesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="STRATEGY...",
        help="Strategies such as molly, molly:odds=5, molly+field or mine.toml.",
        autocompletion=complete_strategy,
    ),
]
BankrollOption = Annotated[str, typer.Option(help="The bankroll a session starts with, in dollars.")]
RollsOption = Annotated[
    int | None,
    typer.Option(
        parser=count_from,
        metavar="NUMBER",
        help="End after this many rolls.",
        show_default=f"{_ROLLS} if no limit is given",
    ),
]
DecisionsOption = Annotated[
    int | None, typer.Option(parser=count_from, metavar="NUMBER", help="End after this many line decisions.")
]
HandsOption = Annotated[
    int | None, typer.Option(parser=count_from, metavar="NUMBER", help="End after this many shooters' hands.")
]
GoalOption = Annotated[str, typer.Option(help="End when the bankroll reaches this many dollars.")]
ShooterLossOption = Annotated[str, typer.Option(help="The most to lose per shooter, in dollars.")]
StopLossOption = Annotated[str, typer.Option(help="Leave once so many dollars of the bankroll are lost.")]
TrailingStopOption = Annotated[
    str, typer.Option(help="Leave once the bankroll is so many dollars below the highest it has been.")
]
LineWinsOption = Annotated[
    int | None,
    typer.Option(
        parser=count_from, metavar="NUMBER", help="Leave after so many line decisions in a row that the pass line wins."
    ),
]
LineLossesOption = Annotated[
    int | None,
    typer.Option(
        parser=count_from,
        metavar="NUMBER",
        help="Leave after so many line decisions in a row that the pass line loses.",
    ),
]
MinutesOption = Annotated[
    int | None,
    typer.Option(parser=count_from, metavar="NUMBER", help="End after so many minutes at the pace of --pace."),
]
ShortOption = Annotated[
    Literal["stop", "ride", "reduce"],  # spelled out because `Short` is in a module that is slow to import
    typer.Option(
        help="When short of money: leave (stop), make nothing new (ride), "
        "or leave out the last wagers of the strategy (reduce)."
    ),
]

AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="STRATEGY",
        help="Compare with this strategy on the same dice, session by session; repeat it for several.",
        autocompletion=complete_strategy,
    ),
]

PaceOption = Annotated[
    int,
    typer.Option(parser=count_from, metavar="ROLLS", help="The rolls of an hour, for --minutes and the loss per hour."),
]
"""Its default is `ROLLS_PER_HOUR`."""

SHARES = tuple(Fraction(share, 100) for share in (5, 25, 50, 75, 95))
"""The quantiles of the final bankroll that are shown."""
POLICIES = {"stop": "leaves", "ride": "makes nothing new", "reduce": "drops the last wishes"}
"""What the player does when short of money, in words."""


def terms_from(
    *,
    bankroll: str,
    rolls: int | None = None,
    decisions: int | None = None,
    hands: int | None = None,
    goal: str = "",
    shooter_loss: str = "",
    stop_loss: str = "",
    trailing_stop: str = "",
    line_wins: int | None = None,
    line_losses: int | None = None,
    minutes: int | None = None,
    pace: int = ROLLS_PER_HOUR,
) -> Terms:
    """Return the terms of a session that the options stand for; of rolls and minutes the shorter ends it.

    >>> str(terms_from(bankroll="500", goal="$750")), str(terms_from(bankroll="500", hands=3))
    ('from 500.00, at most 200 rolls, goal 750.00', 'from 500.00, at most 3 hands')
    >>> str(terms_from(bankroll="500", minutes=90, pace=120, stop_loss="$100"))
    'from 500.00, at most 180 rolls, stop loss 100.00'
    """
    from passline.automaton.terms import Terms
    from passline.money import cents_from

    if minutes is not None:
        within = Terms.rolls_in(minutes=minutes, rolls_per_hour=pace)
        rolls = within if rolls is None else min(rolls, within)
    is_limited = rolls is not None or decisions is not None or hands is not None
    return Terms(
        bankroll_cents=cents_from(bankroll),
        rolls=rolls if is_limited else _ROLLS,
        decisions=decisions,
        hands=hands,
        goal_cents=cents_from(goal) if goal else None,
        shooter_loss_cents=cents_from(shooter_loss) if shooter_loss else None,
        stop_loss_cents=cents_from(stop_loss) if stop_loss else None,
        trailing_stop_cents=cents_from(trailing_stop) if trailing_stop else None,
        line_wins=line_wins,
        line_losses=line_losses,
    )


def terms_in(options: Mapping[str, Any]) -> Terms:
    """Return the terms of a session from all options of a command, by their names."""
    return terms_from(**{name: options[name] for name in signature(terms_from).parameters})


def tell_meters(houses: Iterable[tuple[str, Rules]], file: TextIO) -> None:
    """Say of every progressive of some houses where its meter stands in the figures."""
    from passline.exact.par.par import meter_notes

    notes = (note for _label, rules in houses if rules.progressives for note in meter_notes(rules))
    for note in dict.fromkeys(notes):
        print(note, file=file)
