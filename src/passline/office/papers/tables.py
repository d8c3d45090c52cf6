"""Tables of an office: what stands in a list, whether it is printed, put into a workbook or read by a program."""

from __future__ import annotations

from msgspec import Struct, json

from passline.money import Cents, dollars

__all__ = ["Cell", "OfficeTable", "cell_text", "listed_rows", "table_jsonl", "table_text"]

Cell = str | int | None
"""What stands in one place; a number under a head with `$` is in cents."""


class OfficeTable(Struct, frozen=True, kw_only=True):
    """A table with its heads; a head that ends with `$` is over money."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[float, ...] = ()  # of the columns, in proportion; none: all alike
    nothing: str = "Nothing."  # what is said where it has no rows
    totals: tuple[int, ...] = ()  # the rows that add up others

    def is_money(self, column: int) -> bool:
        """Return whether a column is of money."""
        return self.heads[column].endswith("$")

    def is_figure(self, column: int) -> bool:
        """Return whether a column has numbers only."""
        return self.is_money(column) or any(isinstance(row[column], int) for row in self.rows)


def cell_text(table: OfficeTable, column: int, cell: Cell) -> str:
    """Return a cell as people read it.

    >>> fills = OfficeTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 1_234_500),))
    >>> [cell_text(fills, column, cell) for column, cell in enumerate(fills.rows[0])]
    ['T1', '12,345.00']
    """
    if cell is None:
        return ""
    if isinstance(cell, int) and table.is_money(column):
        whole, point, rest = dollars(Cents(abs(cell))).partition(".")
        return f"{'-' * (cell < 0)}{int(whole):,}{point}{rest}"
    return str(cell)


def table_jsonl(table: OfficeTable) -> bytes:
    r"""Return a table as JSON lines: an object for each row; money is in cents.

    >>> table_jsonl(OfficeTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 500),)))
    b'{"table":"T1","amount_cents":500}\n'
    """
    return b"".join(json.encode(one) + b"\n" for one in listed_rows(table))


def listed_rows(table: OfficeTable) -> list[dict[str, Cell]]:
    """Return the rows of a table, each by what stands over it; money is in cents."""
    keys = [head.replace("$", "cents").replace(",", "").replace(".", "").replace(" ", "_") for head in table.heads]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def table_text(table: OfficeTable) -> str:
    """Return a table as lines of text, with figures to the right.

    >>> print(table_text(OfficeTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 500), ("T2", 12_00)))))
    Fills
    table  amount $
    T1         5.00
    T2        12.00
    """
    lines = [table.heads, *(tuple(cell_text(table, at, cell) for at, cell in enumerate(row)) for row in table.rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.heads))]
    shown = [
        "  ".join(
            cell.rjust(width) if table.is_figure(at) else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([table.title, *(shown if table.rows else [table.nothing])])
