"""Sessions with wagers that are machines, for the bench of the GPU: each alone, some together, and on every policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from passline.automaton.terms import Terms
from tests.rules.side_wagers import machines, write_strategy

_ALONE = Terms(bankroll_cents=60_00, rolls=200)
_TOGETHER: tuple[tuple[tuple[str, ...], Terms, dict[str, Any]], ...] = (
    (("pass", "hot_hand", "different_doubles", "hot_roller"), Terms(bankroll_cents=500_00, rolls=200), {}),
    (("pass", "replay", "high_point"), Terms(bankroll_cents=500_00, rolls=120, goal_cents=900_00), {}),
    (("repeater_2", "repeater_3", "repeater_12", "any_double"), Terms(bankroll_cents=400_00, rolls=100), {}),
    (("pass", "hot_shooter"), Terms(bankroll_cents=200_00, rolls=100), {"short": "ride"}),
    (("pass", "muggsys_corner", "point_seven"), Terms(bankroll_cents=100_00, rolls=150), {"short": "reduce"}),
    (("twice_as_nice",), Terms(bankroll_cents=300_00, hands=12), {}),
    (("ride_the_line", "buffalo"), Terms(bankroll_cents=300_00, decisions=40, goal_cents=500_00), {}),
    (("four_rolls_no_seven",), Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=20_00), {"short": "ride"}),
)


@dataclass(frozen=True)
class MachineCase:
    """One strategy under the rules of `examples/rulebooks/side_wagers`, and its terms."""

    kinds: tuple[str, ...]
    text: str
    terms: Terms
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it plays, in words."""
        return " + ".join(self.kinds)


def cases(folder: Path) -> Iterator[MachineCase]:
    """Yield every case; the strategies are written into the folder."""
    for kind in machines():
        yield MachineCase((kind,), write_strategy(folder, kind), _ALONE)
    for kinds, terms, options in _TOGETHER:
        text = " + ".join(kind if kind == "pass" else write_strategy(folder, kind) for kind in kinds)
        yield MachineCase(kinds, text, terms, options)


def places() -> list[int]:
    """Return the places of the cases in their list."""
    return list(range(len(machines()) + len(_TOGETHER)))
