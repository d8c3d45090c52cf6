"""An invented regulation has a whole office by TOML alone, and its days notice every entry that cites a clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.acts.rules import ActRules, cited_parts
from tests.cases import budget
from tests.office.day_file import DayFailed, day_files, run_day
from tests.office.dropped import broken_rules
from tests.office.offices import INVENTED, known_office

_CLAUSES = sorted(
    {clause for _, clauses in cited_parts(known_office(INVENTED).pages) for clause in clauses if clause != "practice"}
)


@pytest.mark.parametrize("clause", _CLAUSES)
def test_dropping_or_changing_what_cites_an_invented_clause_changes_its_day(clause: str) -> None:
    (day,) = day_files(INVENTED)
    share = budget(10, in_sweep=1)  # of the changes of an entry, one in so many
    broken = broken_rules(known_office(INVENTED), clause, share)
    silent = [label for label, rules in broken if not _is_noticed(day, rules)]
    assert not silent, f"no day with {clause} notices: {silent}"


def _is_noticed(day: Path, rules: ActRules) -> bool:
    try:
        run_day(day, rules)
    except DayFailed:
        return True
    return False


def test_its_office_uses_every_kind_of_entry() -> None:
    pages = known_office(INVENTED).pages
    assert all(getattr(pages, kind) for kind in pages.__struct_fields__)
