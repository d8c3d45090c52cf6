"""How many breaks of an office's pages the days that name a clause notice: what tests and `./x bench marks` count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from passline.acts.rules import ActRules, cited_parts, office_of
from passline.rules.clauses import REGULATIONS, clauses_of
from tests.office.day_file import DayFailed, clauses_in, day_files, run_day
from tests.office.dropped import broken_rules

_NOTICE = "a clock of notice never runs, so nobody is shown as owing it; who may give the notice is the act's own entry"
_ALWAYS = "every table was registered: the word stands in place of practice's own, which asks once limits were posted"
EXPLAINED = {
    "AZ-I.7": {"roles.supervisor: at_tables = False": "live tables ask for it: tests/web/api/test_examined.py"},
    "AZ-II.G.4-b": {"watches.limits_posted.needs: when left out": _ALWAYS},
    "AZ-II.J.1-b": {"clocks.installation_notice: owes = 'compliance'": _NOTICE},
    "AZ-II.K.1-a": {"clocks.removal_notice: owes = 'compliance'": _NOTICE},
    "AZ-II.K.2-a": {"clocks.storage_notice: owes = 'compliance'": _NOTICE},
    "AZ-II.P.1-a": {
        "values.dice_alarm: optional = True": "it has presets, and a house elects those: nobody is asked to set it"
    },
    "AZ-III.D.2": {"watches.limits_posted.needs: when left out": _ALWAYS},
    "MD-3.C": {"watches.limits_posted.needs: when left out": _ALWAYS},
}
"""By clause the breaks that change nothing anybody could see, each with the reason."""


class Noticed(NamedTuple):
    """The breaks tried on what cites a clause, and which of them no day with the clause notices."""

    clause: str
    tried: int
    silent: tuple[str, ...]  # what was done

    @property
    def noticed(self) -> int:
        """How many were noticed."""
        return self.tried - len(self.silent)


def shown_clauses(regulation: str) -> list[str]:
    """The clauses that a day of a regulation shows: of its office and tournaments, and others that its pages cite."""
    shown = {clause for day in day_files(regulation) for clause in clauses_in(day)}
    cited = {clause for _, clauses in cited_parts(office_of(regulation).pages) for clause in clauses}
    rows = clauses_of(regulation).items()
    return [key for key, row in rows if key in shown and (key in cited or row.part in {"office", "tournament"})]


def noticed_by(rules: ActRules, clause: str, days: Iterable[Path], share: int = 1) -> Noticed:
    """Break all that cites a clause, one break at a time, and run the days under each until one notices.

    With a share only one in so many changes is tried, beside dropping.
    """
    files = sorted(days, key=lambda day: day.stat().st_size)  # a short one notices sooner
    tried, silent = 0, []
    for label, broken in broken_rules(rules, clause, share):
        tried += 1
        if not any(_is_changed(day, broken) for day in files):
            silent.append(label)
    return Noticed(clause, tried, tuple(silent))


def office_counts(regulations: Iterable[str] = REGULATIONS) -> Iterator[Noticed]:
    """Yield for each clause that days show how many breaks were tried and noticed."""
    for regulation in regulations:
        days = {day: clauses_in(day) for day in day_files(regulation)}
        for clause in shown_clauses(regulation):
            yield noticed_by(office_of(regulation), clause, [day for day, named in days.items() if clause in named])


def _is_changed(day: Path, rules: ActRules) -> bool:
    try:
        run_day(day, rules)
    except DayFailed:
        return True
    return False
