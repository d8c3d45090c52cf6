"""The worksheet of a gaming tax return: gross revenue of the tables by month, as it follows from counts, and fees.

Gross revenue is what the tables have won: the drop, less what the inventories have lost beside fills and credits.
Entry fees of tournaments count where a regulation takes them for proceeds. No rate is known to the program: the tax is
worked out only where the house has stated one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.calendar.facility import Facility
from passline.acts.papers.houses import regulation_title
from passline.bookkeeping.period_sums import PeriodSum, sum_of
from passline.documents.sheet import Cell, PrintedSheet, SheetTable, SignatureLine
from passline.money import Cents

GAMING_TAX = "gaming_tax"
"""The value of an office with the rate that its house has stated, in hundredths of a percent."""
_RATE_UNIT = 10_000


class TaxMonth(Struct, frozen=True, kw_only=True):
    """The figures of a month, or of a year, for the return, in cents."""

    month: str  # such as 2026-11; empty: the year until then
    drop: int = 0
    fills: int = 0
    credits: int = 0
    inventory: int = 0  # closers less openers
    fees: int = 0  # entry fees of tournaments that are proceeds
    days: int = 0  # gaming days of tables that are known
    unknown: int = 0  # gaming days of tables that are not: the month is without them
    rate: int | None = None  # in hundredths of a percent
    tax: Cents | None = None  # at that rate: of a year that of its months; None: no rate is stated

    @property
    def win(self) -> int:
        """What the tables have won.

        >>> TaxMonth(month="2026-11", drop=500_00, fills=90_00, credits=20_00, inventory=-30_00).win
        40000
        """
        return self.drop - self.fills + self.credits + self.inventory

    @property
    def gross(self) -> int:
        """The gross revenue."""
        return self.win + self.fees


def tax_rounded_to_the_nearest_cent(gross: int, rate: int) -> Cents:
    """Return the tax on gross revenue at a rate in hundredths of a percent; none on a loss. Half a cent rounds up.

    >>> tax_rounded_to_the_nearest_cent(1_000_10, 675), tax_rounded_to_the_nearest_cent(-5_00, 675)
    (6751, 0)
    """
    return Cents(floor(Fraction(max(gross, 0) * rate, _RATE_UNIT) + Fraction(1, 2)))


def tax_months(
    sums: Mapping[str, Mapping[str, PeriodSum]], fees: Mapping[str, int], year: int, rate: int | None
) -> list[TaxMonth]:
    """Return each month of a year with any figures, and the year; `sums` are by table, then by month."""
    of_year = f"{year}-"
    months = sorted(
        {month for parts in sums.values() for month in parts if month.startswith(of_year)}
        | {month for month in fees if month.startswith(of_year)}
    )
    found = []
    for month in months:
        own = sum_of(parts[month] for parts in sums.values() if month in parts)
        told = TaxMonth(
            month=month,
            drop=own.drop,
            fills=own.fills,
            credits=own.credits,
            inventory=own.win - own.drop + own.fills - own.credits,
            fees=fees.get(month, 0),
            days=own.days,
            unknown=own.unknown,
            rate=rate,
        )
        found.append(replace(told, tax=None if rate is None else tax_rounded_to_the_nearest_cent(told.gross, rate)))
    return [*found, _sum_of_year(found, rate)]


def _sum_of_year(months: list[TaxMonth], rate: int | None) -> TaxMonth:
    names = ("drop", "fills", "credits", "inventory", "fees", "days", "unknown")
    tax = None if rate is None else Cents(sum(own.tax or 0 for own in months))
    return TaxMonth(month="", rate=rate, tax=tax, **{name: sum(getattr(own, name) for own in months) for name in names})


_NOTES = (
    (
        "Won by the tables: drop, less fills, plus credits, plus closers less openers, of the gaming days of tables "
        "that are known. Chips drawn against a marker or front money are credits: revenue has them from that day."
    ),
    "The year's tax is that of its months: a loss of one is not set against another, unless the return says so.",
)


def tax_table(months: list[TaxMonth], year: int) -> SheetTable:
    """Return the months of a return as a list; the tax of the year is the sum of its months'."""
    has_rate = months[-1].rate is not None
    rows: list[tuple[Cell, ...]] = [
        (
            *(own.month or f"{year} to date", own.drop, own.fills, own.credits, own.inventory, own.win, own.fees),
            *(own.gross, *((own.tax,) if has_rate else ()), own.days, own.unknown),
        )
        for own in months
    ]
    return SheetTable(
        title="Gross revenue by month",
        heads=(
            *("month", "drop $", "fills $", "credits $", "closers less openers $", "won by the tables $"),
            *("tournament fees $", "gross revenue $", *(("tax $",) if has_rate else ()), "days", "days not known"),
        ),
        rows=tuple(rows) if len(months) > 1 else (),
        totals=(len(rows) - 1,),
        notes=_NOTES,
        nothing="Nothing was counted in this year.",
    )


def tax_sheet(
    months: list[TaxMonth], year: int, *, office: str, facility: Facility, at: str, until: date
) -> PrintedSheet:
    """Return the worksheet of a year's return."""
    whole = months[-1]
    stated = "none is stated: the tax is not worked out"
    if whole.rate is not None:
        stated = f"{whole.rate // 100}.{whole.rate % 100:02} %, as the house has stated it"
    return PrintedSheet(
        title="Worksheet of the gaming tax return",
        owner=facility.name,
        regulation=regulation_title(office),
        about=f"{year}, to gaming day {until}",
        dated=f"As of {facility.minute(at)}",
        facts=(
            ("Rate", stated),
            ("Not known yet", f"{whole.unknown} gaming days of tables" if whole.unknown else "nothing"),
        ),
        tables=(tax_table(months, year),),
        signatures=(SignatureLine("who has worked it out"), SignatureLine("who has gone through it too")),
        foot=(facility.name, f"Gaming tax {year}"),
        form="landscape",
    )
