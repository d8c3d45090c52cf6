"""The rule sheet of a tournament, made from its plan and the rules in force; not printed while a part is missing."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from msgspec import json

from passline.office.papers.printed import paper_text
from passline.office.papers.sheet import Missing, PaperSheet, SheetPart
from passline.office.rules.schema import PRACTICE
from passline.rules.rules import Rules
from passline.tournament.plan.schema import Plan
from passline.tournament.plan.sheet_lines import SHEET_SOURCES, PrintedLine, SheetMaking
from passline.tournament.rules.schema import SheetEntry, SheetList
from passline.tournament.rules.tournament_rules import TournamentRules

__all__ = ["RULE_SHEET", "rule_sheet", "rule_sheet_text"]

RULE_SHEET = "tournament_rules"
"""The name of the paper."""


def rule_sheet(rules: TournamentRules, plan: Plan, dealt: Rules | None) -> PaperSheet:
    """Make the rule sheet: every part that the regulation or practice asks for, or which of them are missing."""
    making = SheetMaking(rules, plan, dealt)
    parts, missing = list[SheetPart](), list[Missing]()
    for key, one in _lists(rules):
        lines, clauses = list[str](), list[str]()
        for name in _parts_of(rules, one):
            entry = rules.pages.sheet.parts[name]
            made = list(_lines(making, entry))
            if not made and not entry.optional:
                missing.append(Missing(name, entry.name, rules.clause(entry)))
            lines += (line.text for line in made)
            clauses += (line.clause or rules.clause(entry) for line in made)
        if lines:
            parts.append(SheetPart(key, one.name, rules.clause(one), tuple(lines), tuple(clauses)))
    title, thing = f"Rules of the tournament {plan.name}", f"tournament/{plan.id}"
    clause = ", ".join(one.clause for one in parts if one.clause != PRACTICE) or PRACTICE
    digest = "" if missing else sha256(json.encode([rules.digest, plan], order="deterministic")).hexdigest()
    return PaperSheet(RULE_SHEET, title, thing, clause, tuple(parts), tuple(missing), digest)


def _lists(rules: TournamentRules) -> list[tuple[str, SheetList]]:
    return sorted(rules.pages.sheet.lists.items(), key=lambda one: one[1].order)


def _parts_of(rules: TournamentRules, one: SheetList) -> Iterator[str]:
    """Yield the parts of a list; those that a regulation has on a list of its own are printed there."""
    asked = {part for other in rules.pages.sheet.lists.values() if other.cite != PRACTICE for part in other.parts}
    for part in one.parts:
        if one.cite != PRACTICE or part not in asked:
            yield part


def _lines(making: SheetMaking, entry: SheetEntry) -> Iterator[PrintedLine]:
    """Yield the lines of a part, each with what it is about in front."""
    for line in SHEET_SOURCES[entry.source](making, entry):
        lead = ", ".join(filter(None, (entry.name, line.about)))
        yield line if line.is_whole else PrintedLine(f"{lead}: {line.text}", line.clause)


def rule_sheet_text(sheet: PaperSheet) -> str:
    """Return a rule sheet as plain text, each line with its clause."""
    return paper_text(sheet, has_about=False)
