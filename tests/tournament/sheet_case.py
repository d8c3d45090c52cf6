"""The whole rule sheet of a plan, as it is printed: golden files, `sheets/NAME.txt`, one for each of some plans.

`python -m tests.tournament.sheet_case` writes them anew; what changes is then read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from passline.tournament.plan.check import dealt_rules
from passline.tournament.plan.reader import example_plan, plan_of
from passline.tournament.plan.schema import Place, Plan, Prize, Round
from passline.tournament.plan.sheet import rule_sheet, rule_sheet_text
from passline.tournament.rules import TournamentRules
from tests.tournament.cases import CaseFailed
from tests.tournament.engine_cases import cup
from tests.tournament.regulations import known_example, known_rulebook, known_tournament

_SHEETS = Path(__file__).parent / "sheets"
_CITED = re.compile(r" \[([A-Z][^\]]+)\]$", re.MULTILINE)


@dataclass
class SheetCase:
    """A plan, and its sheet to the letter."""

    regulation: str
    name: str
    plan: Callable[[], Plan]

    @property
    def clauses(self) -> set[str]:
        """The clauses that stand on it."""
        return {clause for line in _CITED.findall(self._golden()) for clause in line.split(", ")}

    def run(self, rules: TournamentRules | None = None) -> None:
        """Print the sheet under these rules, or the installed ones; raise CaseFailed if a letter differs."""
        made = self.made(rules or known_tournament(self.regulation))
        for found, wanted in zip(made.splitlines(), self._golden().splitlines(), strict=False):
            if found != wanted:
                raise CaseFailed(f"{self.name}: {found!r} instead of {wanted!r}")
        if made != self._golden():
            raise CaseFailed(f"{self.name}: {len(made)} characters instead of {len(self._golden())}")

    def made(self, rules: TournamentRules) -> str:
        """The sheet under some rules."""
        plan = self.plan()
        sheet = rule_sheet(rules, plan, dealt_rules(rules, plan, known_rulebook(self.regulation)))
        known = "by its digest" if sheet.digest else "not complete"
        return f"{rule_sheet_text(sheet)}\n{sheet.paper} of {sheet.thing}, {known}: {sheet.clause}\n"

    def path(self) -> Path:
        """Where it is kept."""
        return _SHEETS / f"{self.name}.txt"

    def _golden(self) -> str:
        return _text_of(self.path())


@cache
def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _harbour() -> Plan:
    plan, faults = plan_of(known_example("harbour"))
    assert plan is not None, faults
    return plan


def _joint() -> Plan:
    """A series of two casinos with every way of paying but a fee, whose first event has its own ways throughout."""
    plan = cup()
    events = tuple(replace(one, fee_cents=0, fee_in_kind=()) for one in plan.events)
    assert events[0].add_on is not None
    first = replace(events[0], reentries_max=2, add_on=replace(events[0].add_on, most=2))
    sheet = replace(plan.sheet, ties="earlier_lead", undecided_wagers="played_out", counts="secret", changes=())
    house = {**plan.house, "side_wagers": {"fire": "FB-1"}}
    last = replace(events[-1], places=(Place(place=1, prize=Prize(basis_points=10_000, cents=100_00)),))
    return replace(
        plan,
        events=(first, *events[1:-1], last),
        licensees=("Lucky Strike Casino", "Gold Camp"),
        lead="Gold Camp",
        house_adds_cents=500_000,
        splits=False,
        sheet=sheet,
        house=house,
    )


def _desert() -> Plan:
    """A series under Arizona's rules, with every kind of prize and of round."""
    plan = example_plan("arizona")
    first = plan.events[0]
    rounds = (
        Round(name="Heats", minutes=20, seats=8, advance=2, wild_cards=3, carries_points=True),
        Round(name="Final", rolls=30, seats=8),
    )
    prizes = (Prize(cents=100_00, item="a saddle", item_cents=400_00), Prize(voucher="Last"))
    places = tuple(Place(place=number, prize=one, entries_from=5) for number, one in enumerate(prizes, start=1))
    last = replace(first, name="Last", fee_cents=0, buy_in_cents=0, first_day=first.last_day, starts="noon")
    return replace(plan, events=(replace(first, rounds=rounds, places=places), last), house_adds_cents=500_00)


def sheet_cases(regulation: str = "") -> list[SheetCase]:
    """All sheets, or those of one regulation."""
    cases = [
        SheetCase("colorado", "colorado", lambda: example_plan("colorado")),
        SheetCase("colorado", "colorado-joint", _joint),
        SheetCase("arizona", "arizona", lambda: example_plan("arizona")),
        SheetCase("arizona", "arizona-series", _desert),
        SheetCase("harbour", "harbour", _harbour),
    ]
    return [one for one in cases if regulation in ("", one.regulation)]


if __name__ == "__main__":
    for case in sheet_cases():
        case.path().parent.mkdir(exist_ok=True)
        case.path().write_text(case.made(known_tournament(case.regulation)), encoding="utf-8")
    sys.exit()
