"""Comps by patron and gaming day: what play was worth, and the comps earned, granted in addition and redeemed.

The rate of reinvestment is what was given, as a share of the theoretical win of the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct, json

from passline.documents.sheet import SheetTable
from passline.money import Cents
from passline.streams.projection_store import ViewReader, ViewWriter

GIVE_COMP, VOID_COMP, GRANT_COMP, TAKE_GRANT_BACK = "give_comp", "void_comp", "grant_comp", "take_grant_back"
"""The acts that move comps."""
COMP_ACTS = frozenset({GIVE_COMP, VOID_COMP, GRANT_COMP, TAKE_GRANT_BACK})
"""All of them."""
COMPS_TABLES = {
    "office_comps": """CREATE TABLE office_comps (rules TEXT NOT NULL, day TEXT NOT NULL, line TEXT NOT NULL,
        body BLOB NOT NULL, PRIMARY KEY (rules, day, line)) WITHOUT ROWID"""
}
"""How the table of comps is created."""
REINVESTED_BY = ("patron", "day", "month")
"""What a report of reinvestment has a line for."""
_MONTH = len("2026-03")
_LINE = "comp-line"


class CompLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The comps in one event, for the gaming day that they belong to."""

    patron: str
    day: str
    theoretical: int = 0
    earned: int = 0
    granted: int = 0
    given: int = 0


class Reinvestment(Struct, frozen=True, kw_only=True):
    """What came of comps for a patron, a gaming day or a month."""

    subject: str
    theoretical: Cents
    earned: Cents
    granted: Cents
    given: Cents
    rate: float | None  # given, as a share of the theoretical win; None: there was none

    @property
    def beyond(self) -> int:
        """How much more was given than was earned in this time; below zero: less."""
        return self.given - self.earned


_decoder = json.Decoder(CompLine)


def comp_line(act: str, patron: str, worth: int, *, day: str) -> CompLine:
    """Return the line of comps for an act: given or granted, or taken back.

    >>> comp_line("void_comp", "P1", 50_00, day="2026-03-02").given
    -5000
    """
    field = "given" if act in {GIVE_COMP, VOID_COMP} else "granted"
    sign = 1 if act in {GIVE_COMP, GRANT_COMP} else -1
    return CompLine(patron=patron, day=day, **{field: sign * worth})


def keep_comp_line(writer: ViewWriter, rules: str, line: CompLine, name: str) -> None:
    """Store the comps in an event, replacing those of the same name and day."""
    body = writer.seal(_LINE, json.encode(line))
    writer.write("INSERT OR REPLACE INTO office_comps VALUES (?, ?, ?, ?)", [(rules, line.day, name, body)])


def find_comp_lines(reader: ViewReader, rules: str, span: str) -> list[CompLine]:
    """Return the comps of a gaming day, month or year, such as 2026-11-15, 2026-11 or 2026."""
    sql = "SELECT body FROM office_comps WHERE rules = ? AND day >= ? AND day < ? ORDER BY day, line"
    rows = reader.query(sql, (rules, span, f"{span}~"))
    return [_decoder.decode(reader.unseal(_LINE, body)) for [body] in rows]


def reinvestments(lines: Iterable[CompLine], by: str, linked: Mapping[str, str]) -> list[Reinvestment]:
    """Return comps added up by patron, gaming day or month; `linked` has the patron behind another one on record.

    >>> lines = [CompLine(patron="P1", day="2026-03-02", theoretical=80_00, earned=16_00), comp_line(
    ...     "give_comp", "P1", 12_00, day="2026-03-03")]
    >>> [(month.subject, month.given, month.rate) for month in reinvestments(lines, "month", {})]
    [('2026-03', 1200, 0.15)]
    """
    sums: dict[str, list[int]] = {}
    for line in lines:
        patron = f"patron/{line.patron}"
        subject = linked.get(patron, patron) if by == "patron" else line.day[: _MONTH if by == "month" else None]
        parts = (line.theoretical, line.earned, line.granted, line.given)
        known = sums.setdefault(subject, [0] * len(parts))
        sums[subject] = [so_far + part for so_far, part in zip(known, parts, strict=True)]
    return [
        Reinvestment(
            subject=subject,
            theoretical=Cents(theoretical),
            earned=Cents(earned),
            granted=Cents(granted),
            given=Cents(given),
            rate=float(Fraction(given, theoretical)) if theoretical > 0 else None,
        )
        for subject, (theoretical, earned, granted, given) in sorted(sums.items())
    ]


def reinvestment_table(title: str, by: str, found: Iterable[Reinvestment], names: Mapping[str, str]) -> SheetTable:
    """Return comps as a list with their total."""
    listed = list(found)
    rows = [
        (names.get(comps.subject, comps.subject.partition("/")[2] or comps.subject), *_figures(comps), comps.rate)
        for comps in listed
    ]
    sums = [sum(column) for column in zip(*map(_figures, listed), strict=True)] if listed else []
    if sums:
        rows.append(("together", *sums, sums[3] / sums[0] if sums[0] > 0 else None))
    return SheetTable(
        title=title,
        heads=(by, "theoretical $", "earned $", "granted $", "given $", "given beyond earned $", "reinvested %"),
        rows=tuple(rows),
        totals=(len(rows) - 1,) if rows else (),
        nothing="No comps.",
    )


def _figures(comps: Reinvestment) -> tuple[int, ...]:
    return comps.theoretical, comps.earned, comps.granted, comps.given, comps.beyond
