"""A sheet as people print, file and read it: title, facts, figures, pictures, tables with notes, signatures.

`as_text`, `as_pdf`, `as_xlsx` and `as_html` beside it turn a sheet into a file; nothing else in the package does.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.documents.pictures import SheetChart, SheetDrawing
from passline.money import DOLLAR, Cents, dollars, in_currency


class Styled(Struct, frozen=True):
    """Words in one style; `box` and `ticked` are a box to tick, which has no words."""

    text: str = ""
    style: Literal["plain", "strong", "faint", "clauses", "mono", "box", "ticked"] = "plain"


Words = str | tuple[Styled, ...]
"""Words in one style, or in several; a line break is a new line."""
Cell = Words | int | float | None
"""What stands in one place; a number under a head with the sign of money is in cents, under one with `%` a share."""


class SheetTable(Struct, frozen=True, kw_only=True):
    """A table with its heads. Without heads its rows read as sentences; without rows it is a heading."""

    title: str
    code: str = ""  # what commands and files call it, beside the title
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    clause: str = ""  # that asks for it
    about: tuple[str, ...] = ()  # lines between the title and the rows
    notes: tuple[Words, ...] = ()  # lines under the rows
    widths: tuple[float, ...] = ()  # of the columns, in proportion, 0: as its words need; none: all alike
    figures: tuple[int, ...] = ()  # columns of figures that are words, beside those of numbers
    nothing: str = "Nothing."  # what is printed where it has no rows
    totals: tuple[int, ...] = ()  # the rows that add up others
    flagged: tuple[int, ...] = ()  # the rows that are highlighted
    groups: tuple[tuple[int, str], ...] = ()  # headings among the rows, each before the row of this number
    abreast: int = 1  # in how many parts it is set side by side
    fixed: int = 1  # columns that a workbook keeps in sight
    money: str = DOLLAR  # the sign with which the heads of columns of money end

    @property
    def columns(self) -> range:
        """The numbers of its columns."""
        return range(len(self.heads or next(iter(self.rows), ())))

    def is_money(self, column: int) -> bool:
        """Return whether a column is of money."""
        return bool(self.heads) and self.heads[column].endswith(self.money)

    def is_share(self, column: int) -> bool:
        """Return whether a column is of shares, printed in percent."""
        return bool(self.heads) and self.heads[column].endswith("%")

    def is_figure(self, column: int) -> bool:
        """Return whether a column has figures only."""
        is_named = self.is_money(column) or self.is_share(column) or column in self.figures
        return is_named or any(isinstance(row[column], int | float) for row in self.rows)


class SheetFigure(Struct, frozen=True):
    """A figure that stands out: what it is, and its values, each with what it is of."""

    name: str
    values: tuple[tuple[str, str], ...]


class SignatureLine(Struct, frozen=True):
    """A line to sign: as what somebody signs, and what is known of them, in the order of `signed_with`."""

    wants: str
    given: tuple[str, ...] = ()
    remark: str = ""


class PrintedSheet(Struct, frozen=True, kw_only=True):
    """One document."""

    title: str
    owner: str = ""  # whose it is, above the title
    regulation: str = ""
    about: str = ""  # what it is about, beside or under the title
    dated: str = ""  # as of when, and by which clauses
    facts: tuple[tuple[str, str], ...] = ()
    figures: tuple[SheetFigure, ...] = ()
    pictures: tuple[SheetChart | SheetDrawing, ...] = ()
    tables: tuple[SheetTable, ...] = ()
    signatures: tuple[SignatureLine, ...] = ()
    signed_with: tuple[str, ...] = ("signature", "name", "office", "licence no.", "date")
    small_print: str = ""  # at the foot of its last page
    foot: tuple[str, ...] = ()  # on every page, beside its number
    # A placard fills one page, and a poster one that is read from a few steps away.
    form: Literal["portrait", "landscape", "drawing", "placard", "poster", "slip"] = "portrait"
    number: str = ""  # of a numbered form, beside the title
    copy: str = ""  # which part of a form in parts it is, and where it goes
    stamp: str = ""  # what has become of it, across the form: such as void
    code: str = ""  # what a scanner reads from it
    code_leads: str = ""  # what that leads to, on a poster
    by_hand: bool = False  # it is filled in by hand: its lines are as far apart as people write


def table_in(table: SheetTable, sign: str) -> SheetTable:
    """Return a table with the sign of a rulebook's currency.

    >>> table_in(SheetTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 500),)), "€").heads
    ('table', 'amount €')
    """
    if sign == DOLLAR:
        return table
    heads = tuple(f"{head[:-1]}{sign}" if head.endswith(DOLLAR) else head for head in table.heads)
    return replace(in_currency(table, sign), heads=heads, money=sign)


def sheet_in(sheet: PrintedSheet, sign: str) -> PrintedSheet:
    """Return a sheet with the sign of a rulebook's currency, in its words and over its columns."""
    if sign == DOLLAR:
        return sheet
    return replace(in_currency(sheet, sign), tables=tuple(table_in(table, sign) for table in sheet.tables))


def styled_words(words: Words) -> tuple[Styled, ...]:
    """Return words with their styles."""
    return (Styled(words),) if isinstance(words, str) else words


def plain_text(words: Words) -> str:
    """Return words without their styles; clauses stand in brackets.

    >>> plain_text((Styled("", "box"), Styled("a tip box "), Styled("MD-2.E.tip", "clauses")))
    '[ ] a tip box [MD-2.E.tip]'
    """
    return words if isinstance(words, str) else "".join(map(_plain, words))


def _plain(part: Styled) -> str:
    match part.style:
        case "box":
            return "[ ] "
        case "ticked":
            return "[x] "
        case "clauses":
            return f"[{part.text}]" if part.text else ""
        case _:
            return part.text


def cell_text(table: SheetTable, column: int, cell: Cell) -> str:
    """Return a cell as people read it.

    >>> fills = SheetTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 1_234_500),))
    >>> [cell_text(fills, column, cell) for column, cell in enumerate(fills.rows[0])]
    ['T1', '12,345.00']
    """
    match cell:
        case str():
            return cell
        case None:
            return ""
        case int() if table.is_money(column):
            whole, point, rest = dollars(Cents(abs(cell))).partition(".")
            return f"{'-' * (cell < 0)}{int(whole):,}{point}{rest}"
        case float():
            return f"{cell * 100 if table.is_share(column) else cell:.4f}"
        case int():
            return str(cell)
        case (Styled(style="clauses"),) if table.heads:
            return cell[0].text
        case _:
            return plain_text(cell)


def cell_words(table: SheetTable, column: int, cell: Cell) -> tuple[Styled, ...]:
    """Return a cell as people read it, in its styles."""
    return styled_words(cell if isinstance(cell, str | tuple) else cell_text(table, column, cell))
