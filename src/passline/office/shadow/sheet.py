"""The report of a month of another system: what would have been refused and found, by clause and line of its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from passline.acts.papers.houses import regulation_title
from passline.bookkeeping.results import TableResult
from passline.documents.sheet import Cell, PrintedSheet, SheetFigure, SheetTable
from passline.money import dollar_amount
from passline.office.shadow.replay import Finding, Kind, ShadowReport

_TITLES: dict[Kind, str] = {
    "refused": "What would have been refused",
    "found": "What would have been found",
    "overdue": "Duties that were overdue at the end",
    "not recorded": "What the other system does not record",
    "not read": "What could not be entered",
}
_LOOKED = "Not looked at: who was on duty where, keys, tips, dice, and the cash of patrons in the cage."
_LINES_SHOWN = 5  # of those that have one fault together


def shadow_sheet(report: ShadowReport) -> PrintedSheet:
    """Return the report as a sheet: figures first, then every finding, then what tables have won."""
    head, counts = report.month.head, Counter(finding.kind for finding in report.findings)
    lines = {file: len(found) for file, found in report.month.lines.items() if found}
    figures = (
        ("acts entered", f"{report.acts:,}"),
        ("refused", f"{counts['refused']:,}"),
        ("found", f"{counts['found']:,}"),
        ("overdue", f"{counts['overdue']:,}"),
    )
    presets = f", with the preset {' and '.join(head.presets)}" if head.presets else ""
    return PrintedSheet(
        title="A month of another system",
        owner=head.facility.name,
        regulation=regulation_title(head.regulation),
        about=f"{report.first} to {report.last}",
        facts=(
            ("judged by", f"the office of {head.regulation}{presets}"),
            ("lines read", ", ".join(f"{count:,} of {file}" for file, count in lines.items())),
            ("what was refused", "was entered by a stand-in all the same, so that what came later is judged by itself"),
        ),
        figures=tuple(SheetFigure(name, ((figure, ""),)) for name, figure in figures),
        tables=tuple(_tables(report)),
        small_print=_LOOKED,
        form="landscape",
    )


def _tables(report: ShadowReport) -> Iterator[SheetTable]:
    for kind, title in _TITLES.items():
        found = [finding for finding in report.findings if finding.kind == kind]
        if kind == "not recorded":
            yield _not_recorded(title, found)
        elif found or kind in {"refused", "found"}:
            yield _found_table(title, found)
    yield _results_table(report.results, report.month.head.win_cents)


def _found_table(title: str, found: Sequence[Finding]) -> SheetTable:
    return SheetTable(
        title=title,
        heads=("file", "line", "when", "what", "why", "clause"),
        widths=(1, 0.4, 1.1, 2.2, 4, 1.1),
        rows=tuple(
            (row.file, str(row.line or ""), row.at, row.what, row.why, row.clause)
            for row in sorted(found, key=lambda row: (not row.file, row.file, row.line))
        ),
        figures=(1,),
        fixed=2,
    )


def _not_recorded(title: str, found: Sequence[Finding]) -> SheetTable:
    """Return what acts ask for that the files have no column for: each once, with how often and where first."""
    places = dict[tuple[str, str, str], list[tuple[str, int]]]()
    for row in found:
        places.setdefault((row.what, row.why, row.clause), []).append((row.file, row.line))
    return SheetTable(
        title=title,
        heads=("act", "what it asks for", "lines", "such as", "clause"),
        widths=(2.2, 3.2, 0.5, 2.4, 1.1),
        rows=tuple(
            (what, why, len(lines), ", ".join(f"{file}:{line}" for file, line in sorted(lines)[:_LINES_SHOWN]), clause)
            for (what, why, clause), lines in places.items()
        ),
        nothing="Nothing: its files have all that is asked for.",
    )


def _results_table(results: Sequence[TableResult], said: int | None) -> SheetTable:
    """Return win, drop and hold by table, of the shifts of which everything is known."""
    rows, total = list[tuple[Cell, ...]](), 0
    for table in dict.fromkeys(result.table for result in results):
        own = [result for result in results if result.table == table]
        known = [result for result in own if result.win is not None]
        win, drop = sum(result.win or 0 for result in known), sum(result.drop for result in known)
        hold = f"{100 * win / drop:.1f} %" if drop else ""
        rows.append((table, len(known), len(own) - len(known), drop, win, hold))
        total += win
    notes: tuple[str, ...] = ()
    if said is not None:
        difference = dollar_amount(abs(total - said))
        same = "the same" if total == said else f"{difference} {'more' if total > said else 'less'} here"
        notes = (f"The other system says {dollar_amount(said)} won in all: {same}.",)
    return SheetTable(
        title="Drop, win and hold",
        heads=("table", "shifts known", "not known", "drop $", "win $", "hold"),
        rows=tuple(rows),
        notes=notes,
        figures=(5,),
    )
