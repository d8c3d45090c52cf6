"""The exact answers beside simulated ones: left out where they take longer than the play, or after Ctrl-C."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from passline.cli.output import progress_bar

if TYPE_CHECKING:
    from passline.automaton.arrays import Short
    from passline.automaton.terms import Terms
    from passline.exact.session.law import SessionLaw
    from passline.rules.rules import Rules
    from passline.simulation.recorded_dice import SessionDice
    from passline.simulation.simulation import PreparedStrategy

EXACT_S_MIN = 2.0
"""The exact answers may always take this long."""
_WARM_ROLLS = 3


def exact_laws(
    played: Sequence[tuple[tuple[str, Rules], str]],
    asked: Sequence[PreparedStrategy | None],
    terms: Terms,
    short: Short,
    dice: SessionDice,
    *,
    within: float | None,
) -> list[SessionLaw[Any] | None]:
    """Return the exact law of each strategy that is asked for, if that takes at most so many seconds; else None."""
    return [
        None if ready is None else _exact_law(rules, strategy, terms, short, dice, within=within)
        for ((_label, rules), strategy), ready in zip(played, asked, strict=True)
    ]


class _TooLong(Exception):
    """The exact answers would take longer than they may."""


def _exact_law(
    rules: Rules, strategy: str, terms: Terms, short: Short, dice: SessionDice, *, within: float | None
) -> SessionLaw[Any] | None:
    """Return the exact law; None where there is none, where it takes longer than `within` seconds, or after Ctrl-C.

    The clock starts after the first rolls, for which the solver may have to be compiled.
    """
    from passline.simulation.simulation import exact_of

    begun: list[float] = []
    why = ""
    with progress_bar(f"the exact answers for {strategy} (Ctrl-C leaves them out)") as show:

        def show_solving(done: int, total: int | None) -> None:
            show(done, total, f"rolls of the exact answers for {strategy} solved (Ctrl-C leaves them out)")
            if done < _WARM_ROLLS or within is None:
                return
            if not begun:
                begun.append(time.monotonic())
            passed = time.monotonic() - begun[0]
            left = passed * ((total or done) - done) / (done - _WARM_ROLLS + 1)
            if passed > within or (passed > within / 10 and passed + left > within):
                raise _TooLong

        try:
            return exact_of(rules, strategy, terms, short=short, dice=dice, solving=show_solving)
        except _TooLong:
            why = "would take longer than the play; --exact shows them"
        except KeyboardInterrupt:
            why = "are left out after Ctrl-C"
    print(f"passline: the exact answers for {strategy} {why}", file=sys.stderr)
    return None
