"""Files of plans: what is changed in the example of a regulation, and all that comes of it.

    plan colorado
    case a fifth month
    set events.1.last_day = 2026-09-02
      breach CO-2315-1-length: 2026-09-01
    case no criteria
    drop criteria
      sheet CO-2315.08-1: house rules of Lucky Strike Casino

Every breach must be expected and come as expected; of the sheet only the lines that a case names, after `list` within
that list of parts. `unsaid`: no line has it. `lawful`: the plan does not breach the clause, though it is near to it.
After the colon stand words that the breach or line has in it; after that of `line` stands the whole line.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from passline.tournament.plan.check import check_plan, dealt_rules
from passline.tournament.plan.reader import plan_of
from passline.tournament.plan.schema import Plan
from passline.tournament.plan.sheet import rule_sheet
from passline.tournament.rules import TournamentRules
from tests.tournament.cases import CaseFailed
from tests.tournament.regulations import known_example, known_rulebook, known_tournament

_PLANS = Path(__file__).parent / "plans"
_EXPECTED = re.compile(r"(?P<kind>breach|list|line|sheet|unsaid|lawful) (?P<clause>[^:]+)(?:: (?P<words>.*))?$")


@dataclass
class PlanCase:
    """One case: the example with changes, and what is expected of it."""

    regulation: str
    name: str
    changes: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    @property
    def clauses(self) -> set[str]:
        """The clauses that it names."""
        return {clause for line in self.expected for clause in _parsed(line)[1].split(", ")}

    def run(self, rules: TournamentRules | None = None) -> None:
        """Check the plan under these rules, or the installed ones; raise CaseFailed if anything else comes of it."""
        rules, rulebook = rules or known_tournament(self.regulation), known_rulebook(self.regulation)
        plan = self.plan()
        left = [(one.clause, str(one)) for one in check_plan(rules, plan, rulebook)]
        made = rule_sheet(rules, plan, dealt_rules(rules, plan, rulebook))
        lists = {(part.clause, part.name): list(zip(part.clauses, part.lines, strict=True)) for part in made.parts}
        lines = [one for some in lists.values() for one in some]
        for line in self.expected:
            kind, clause, words = _parsed(line)
            among = {"breach": left, "list": list(lists), "lawful": left}.get(kind, lines)
            found = next((one for one in among if _is(one, kind, clause, words)), None)
            if (found is None) != (kind in {"unsaid", "lawful"}):
                raise CaseFailed(f"{self.name}: {line}: found {found}; left are {left}")
            if found is not None and kind == "breach":
                left.remove(found)
            if found is not None and kind == "list":
                lines = lists[found]
        if left:
            raise CaseFailed(f"{self.name}: nobody expected {left}")

    def plan(self) -> Plan:
        """The example with the changes."""
        data = known_example(self.regulation)
        for change in self.changes:
            _change(data, change)
        plan, faults = plan_of(data)
        assert plan is not None, f"{self.name}: {faults}"
        return plan


def _parsed(line: str) -> tuple[str, str, str]:
    match = _EXPECTED.match(line)
    assert match, f"{line}: is not an expected line"
    return match["kind"], match["clause"], match["words"] or ""


def _is(one: tuple[str, str], kind: str, clause: str, words: str) -> bool:
    return one[0] == clause and (words == one[1] if kind == "line" else words in one[1])


def _change(data: Any, change: str) -> None:  # noqa: ANN401 - tables and lists, one in another
    verb, _, rest = change.partition(" ")
    path, _, value = rest.partition(" = ")
    *steps, last = [int(one) if one.isdigit() else one for one in path.split(".")]
    for step in steps:
        data = data.setdefault(step, {}) if isinstance(data, dict) else data[step]
    if verb == "drop":
        del data[last]
    elif verb == "add":
        data.setdefault(last, []).append(_value(value))
    else:
        assert verb == "set", change
        data[last] = _value(value)


def _value(text: str) -> object:
    return tomllib.loads(f"value = {text}")["value"]


@cache
def plan_cases(regulation: str = "") -> list[PlanCase]:
    """All cases, or those of one regulation."""
    cases: list[PlanCase] = []
    for path in sorted(_PLANS.glob("*.txt")):
        name = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("plan "):
                name = line.removeprefix("plan ")
            elif line.startswith("case "):
                cases.append(PlanCase(name, line.removeprefix("case ")))
            elif line.startswith("  "):
                cases[-1].expected.append(line.strip())
            elif line and not line.startswith("#"):
                cases[-1].changes.append(line)
    return [one for one in cases if regulation in ("", one.regulation)]
