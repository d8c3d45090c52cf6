"""Days of an office as far as its table may open: where frauds and unusual facts are tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from passline.acts.rules import office_of
from tests.office.day_file import DAYS, OPENS, Day, steps_of
from tests.office.search.offices import OPENING_DAYS


@cache
def _begun(office: str) -> Day:
    """Return a day until the table may open; of good practice alone, until the first fill was accepted."""
    day = Day(office_of(office) if office in OPENING_DAYS else None)
    text = (DAYS / f"{OPENING_DAYS.get(office, 'practice_money')}.txt").read_text(encoding="utf-8")
    mark = OPENS if office in OPENING_DAYS else "# A slip that is not used"
    for step in steps_of(text.partition(mark)[0]):
        list(day.do(step.text))
    return day


def day_of(office: str) -> Day:
    """Return a day of its own from there on."""
    return _begun(office).copy()


@dataclass(frozen=True)
class Tried:
    """What people do on such a day, the last line being the one that counts, and what comes of it."""

    says: str
    office: str
    lines: list[str]
    comes: list[str]

    def __str__(self) -> str:
        return f"{self.office}: {self.says}"

    def check(self) -> None:
        """Do it, and hold what comes of the last line against what is wanted, or against the words of an incident."""
        day = day_of(self.office)
        found: list[str] = []
        for line in self.lines:
            found = list(day.do(line))
        assert len(found) == len(self.comes), found
        for line, wanted in zip(found, self.comes, strict=True):
            kind, _, words = wanted.partition(": ")
            assert line == wanted or (line.startswith(f"{kind}:") and words in line), found
