"""Reading the file of a plan for a command, with every fault and breach as a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from passline.tournament.plan.schema import Plan

__all__ = ["lawful_plan"]

_EXIT_BREACHES = 1


def lawful_plan(file: Path) -> Plan:
    """Return the plan in a file; print every fault of its shape, or else every breach, and leave if there is one."""
    from passline.tournament.plan.check import check_plan
    from passline.tournament.plan.reader import read_plan
    from passline.tournament.rules.tournament_rules import tournament_of

    plan, faults, name = read_plan(file)
    rules = tournament_of(name)  # raises where its text has no tournaments, whatever else is wrong with the plan
    found = faults if plan is None else check_plan(rules, plan)
    for one in found:
        print(one)
    if plan is None or found:
        raise typer.Exit(_EXIT_BREACHES)
    return plan
