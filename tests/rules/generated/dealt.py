"""What every generated regulation must be good for: chips kept, a par sheet that equals the returns by hand, a log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from passline.exact.par.sheet import SheetLine, sheet
from passline.rules.rulebook_reader import rulebook_from
from passline.rules.rules import Rules
from tests.rules.generated.regulation import CHANGES_ON, Answers, Regulation
from tests.rules.lawful import deal_all


def deal(regulation: Regulation) -> int:
    """Load, play, analyse, simulate and verify a regulation on both sides of its day; return the lines compared."""
    deal_all(regulation.pages, regulation.house)
    rules = Rules.under(rulebook_from(regulation.pages, on=CHANGES_ON), regulation.house)
    lines = sheet(rules).lines
    found = [*unlike_answers(lines, regulation.answers)]
    older = Rules.under(rulebook_from(regulation.pages, on=CHANGES_ON - timedelta(days=1)), regulation.house)
    earlier = tuple(line for kind, _number in regulation.before for line in sheet(older, wager=kind).lines)
    found += unlike_answers(earlier, regulation.before)
    assert not found, found
    return len(lines) + len(earlier)


def unlike_answers(lines: tuple[SheetLine, ...], answers: Answers) -> Iterator[str]:
    """Yield each line of a sheet that is not what was computed by hand, and each answer without a line."""
    found = set()
    for line in lines:
        odds = f"{line.wager}_odds" if line.option and line.option.startswith("odds") else ""
        key = (line.wager, line.number or odds)
        found.add(key)
        mean = -line.par.edge * line.par.wagered
        if mean != answers.get(key):
            yield f"{key}: the sheet has {mean}, by hand it is {answers.get(key)}"
    yield from (f"{key}: is not on the sheet" for key in answers if key not in found)
