"""What a session costs: its loss, the edges and the loss per hour, as `analyze` and `simulate` show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.chances import chance_text

if TYPE_CHECKING:
    from passline.exact.session.law import SessionLaw

_PLACES = 4


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Means of a session: its loss, what was wagered, and its rolls."""

    loss_cents: float
    action_cents: float
    initial_cents: float
    up_cents: float  # when the dice are thrown, summed over the rolls
    rolls: float


def cost_of(law: SessionLaw[float] | SessionLaw[Fraction]) -> Cost:
    """Return what a session of this law costs."""
    wagered = {name: float(getattr(law, name)) for name in ("loss_cents", "action_cents", "initial_cents", "up_cents")}
    return Cost(**wagered, rolls=float(law.mean_rolls))


def cost_facts(cost: Cost, pace: int) -> Iterator[tuple[str, str]]:
    """Yield what is shown of it, as (label, value).

    >>> cost = Cost(loss_cents=141.0, action_cents=10_000.0, initial_cents=0.0, up_cents=20_000.0, rolls=20.0)
    >>> dict(cost_facts(cost, 100))["edge on action"], dict(cost_facts(cost, 100))["average wager"]
    ('1.4100%', '10.00')
    """
    yield "expected loss", f"{cost.loss_cents / 100:,.2f}"
    yield "edge on action", _share(cost.loss_cents, cost.action_cents)
    yield "edge on initial wagers", _share(cost.loss_cents, cost.initial_cents)
    yield "average wager", f"{cost.up_cents / cost.rolls / 100:,.2f}" if cost.rolls else "-"
    yield f"loss/hour at {pace:,} rolls", f"{cost.loss_cents / cost.rolls * pace / 100:,.2f}" if cost.rolls else "-"


def _share(loss: float, wagered: float) -> str:
    return chance_text(loss / wagered, _PLACES) if wagered else "-"


def cost_json(cost: Cost, pace: int) -> dict[str, float | int | None]:
    """Return the same as plain numbers, for JSON; None where nothing was wagered."""

    def ratio(of: float, by: float) -> float | None:
        return of / by if by else None

    return {
        "loss_cents": cost.loss_cents,
        "action_cents": cost.action_cents,
        "initial_cents": cost.initial_cents,
        "edge_on_action": ratio(cost.loss_cents, cost.action_cents),
        "edge_on_initial": ratio(cost.loss_cents, cost.initial_cents),
        "average_wager_cents": ratio(cost.up_cents, cost.rolls),
        "rolls_per_hour": pace,
        "loss_cents_per_hour": ratio(cost.loss_cents * pace, cost.rolls),
    }
