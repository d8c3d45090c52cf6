"""Checking a plan against what its regulation says of tournaments: every breach, each with its clause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passline.errors import CrapsError
from passline.office.papers.sheet import PaperSheet
from passline.rules.elections import Breach, House
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from passline.tournament.plan.checks.money import check_chips, check_money
from passline.tournament.plan.checks.prizes import check_prizes
from passline.tournament.plan.checks.rounds import check_rounds
from passline.tournament.plan.checks.set_up import check_set_up
from passline.tournament.plan.schema import Plan
from passline.tournament.plan.sheet import rule_sheet
from passline.tournament.rules.tournament_rules import TournamentRules

__all__ = ["check_plan", "dealt_rules", "printable_sheet"]


def check_plan(rules: TournamentRules, plan: Plan, rulebook: Rulebook | None = None) -> tuple[Breach, ...]:
    """Return every breach of a plan, and every part that its rule sheet lacks."""
    if plan.rules != rules.name:
        return (Breach(rules.clause(), "rules", f"{plan.rules!r} is not {rules.name!r}, the regulation checked"),)
    house, broken = _house_of(plan, rulebook)
    sheet = rule_sheet(rules, plan, dealt_rules(rules, plan, rulebook))
    found = (
        *check_set_up(rules, plan, house),
        *check_money(rules, plan),
        *check_chips(rules, plan),
        *check_rounds(rules, plan, house),
        *check_prizes(rules, plan),
        *(Breach(one.clause, f"house.{one.key}", one.problem) for one in broken),
        *(Breach(one.clause, "sheet", f"the rule sheet does not say: {one.name}") for one in sheet.missing),
    )
    return tuple(dict.fromkeys(found))


def printable_sheet(rules: TournamentRules, plan: Plan, rulebook: Rulebook | None = None) -> PaperSheet:
    """Return the rule sheet of a lawful plan. Raise CrapsError with every breach and every part that is missing."""
    if breaches := check_plan(rules, plan, rulebook):
        raise CrapsError(f"the rule sheet cannot be printed: {'; '.join(map(str, breaches))}")
    return rule_sheet(rules, plan, dealt_rules(rules, plan, rulebook))


def dealt_rules(rules: TournamentRules, plan: Plan, rulebook: Rulebook | None = None) -> Rules | None:
    """Return the rules that its tables deal by, without limits where chips have none; None if they are unlawful."""
    house, broken = _house_of(plan, rulebook)
    if house is None or broken:
        return None
    return Rules(rulebook or rulebook_of(plan.rules), house, limits_apply=rules.pages.chips.no_limit is None)


def _house_of(plan: Plan, rulebook: Rulebook | None) -> tuple[House | None, tuple[Breach, ...]]:
    data: Mapping[str, Any] = {**plan.house, "name": plan.casino, "rules": plan.rules}
    return house_of(rulebook or rulebook_of(plan.rules), data)
