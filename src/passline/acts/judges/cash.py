"""Cash that acts move: how much it is, and whether a patron is named for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passline.acts.judges.scene import Scene
from passline.acts.moving_schema import CashMoving
from passline.acts.schema import Act, Condition
from passline.acts.state import CASH_REPORT, KnownThing
from passline.money import dollars


def cash_cents(cash: CashMoving, fields: Mapping[str, Any]) -> int:
    """Return the cents of cash that an act with these fields moves; 0 where it was not paid in cash."""
    moved = fields.get(cash.field) or 0
    if not is_cash(cash, fields):
        return 0
    return moved if isinstance(moved, int) else sum(int(unit) * count for unit, count in moved.items())


def is_cash(cash: CashMoving, fields: Mapping[str, Any]) -> bool:
    """Return whether an act with these fields was paid in cash.

    >>> moving = CashMoving(to="house", field="amount", patron="patron", only="form.cash", cite="practice")
    >>> is_cash(moving, {"form": "cash"}), is_cash(moving, {"form": "wire"})
    (True, False)
    """
    field, _, choice = cash.only.partition(".")
    return not (cash.unless and fields.get(cash.unless)) and (not field or fields.get(field) == choice)


def open_cash(scene: Scene, patron: str) -> list[str]:
    """Return, in words, a patron's acts with cash in this gaming day, and the patron's cash reports that are due."""
    facility, pages = scene.state.facility, scene.rules.pages
    assert facility is not None, "acts are done in an office that is set up"
    today = facility.gaming_day(scene.at)
    found = [
        f"act {number}: {dollars(cents)}"
        for number, figure in scene.state.figures.at_hand.items()
        if (act := pages.acts.get(figure.act)) and act.cash and figure.fields.get(act.cash.patron) == patron
        if facility.gaming_day(figure.occurred) >= today and (cents := cash_cents(act.cash, figure.fields))
    ]
    due = scene.state.of_kind(CASH_REPORT, ["due"])
    return found + [f"report {report.id}" for report in due if report.facts.get("patron") == f"patron/{patron}"]


def has_nobodys_cash(scene: Scene, act: Act, value: str) -> bool:
    """Return whether an act moves cash without naming a patron, at least as much as a value of the office."""
    from_cents = scene.rules.figure(scene.state, value)
    if act.cash is None or from_cents is None or scene.fields.get(act.cash.patron):
        return False
    return cash_cents(act.cash, scene.fields) >= max(from_cents, 1)


def open_cash_fault(
    _condition: Condition, thing: KnownThing | None, _subject: KnownThing | None, scene: Scene
) -> str | None:
    """Return what a patron must not have open for `cashless`: cash in this gaming day, or reports that are due."""
    return ", ".join(open_cash(scene, thing.id) if thing else ()) or None
