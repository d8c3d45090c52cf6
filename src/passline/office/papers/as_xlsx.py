"""Tables of an office as a workbook, a sheet each. Equal tables give equal bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from passline.extras import extra_for
from passline.office.papers.tables import OfficeTable, cell_text

__all__ = ["tables_xlsx"]

_HEAD = "#1F3B2D"
_CELL_TEXT_MAX = 32_767
_TITLE_MAX = 31
_WIDTHS = (8, 60)  # of a column, in characters
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format has no time zones; fixed, so that equal lists give equal bytes


def tables_xlsx(title: str, tables: Sequence[OfficeTable]) -> bytes:
    """Return a workbook with a sheet for each table."""
    with extra_for("a workbook"):
        from xlsxwriter import Workbook  # noqa: PLC0415 - an extra
    made = io.BytesIO()
    # What people typed must not become a formula or a link.
    book = Workbook(made, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": title, "created": _MADE})
    formats = {
        "head": book.add_format({"bold": True, "font_color": "white", "bg_color": _HEAD, "valign": "vcenter"}),
        "text": book.add_format({"valign": "top", "text_wrap": True}),
        "figure": book.add_format({"valign": "top", "num_format": "#,##0"}),
        "money": book.add_format({"valign": "top", "num_format": "#,##0.00;[Red]-#,##0.00"}),
        "text total": book.add_format({"valign": "top", "bold": True, "top": 1}),
        "figure total": book.add_format({"valign": "top", "bold": True, "top": 1, "num_format": "#,##0"}),
        "money total": book.add_format(
            {"valign": "top", "bold": True, "top": 1, "num_format": "#,##0.00;[Red]-#,##0.00"}
        ),
    }
    for table in tables:
        _sheet(book.add_worksheet(_name(table.title, len(book.worksheets()) + 1)), table, formats)
    book.close()
    return made.getvalue()


def _name(title: str, number: int) -> str:
    """Return a name that a sheet may have."""
    return re.sub(r"[\[\]:*?/\\'\x00-\x1f]", " ", title)[:_TITLE_MAX].strip() or f"Sheet {number}"


def _sheet(page: Any, table: OfficeTable, formats: dict[str, Any]) -> None:  # noqa: ANN401 - xlsxwriter brings no types
    for column, head in enumerate(table.heads):
        longest = max((len(cell_text(table, column, row[column])) for row in table.rows), default=0)
        page.set_column(column, column, min(max(longest, len(head), _WIDTHS[0]) + 2, _WIDTHS[1]))
        page.write_string(0, column, head, formats["head"])
    for number, row in enumerate(table.rows):
        end = " total" if number in table.totals else ""
        for column, cell in enumerate(row):
            if isinstance(cell, str):
                page.write_string(number + 1, column, cell[:_CELL_TEXT_MAX], formats[f"text{end}"])
            elif cell is not None and table.is_money(column):
                page.write_number(number + 1, column, Decimal(cell) / 100, formats[f"money{end}"])
            elif cell is not None:
                page.write_number(number + 1, column, cell, formats[f"figure{end}"])
            elif end:
                page.write_blank(number + 1, column, None, formats[f"text{end}"])
    if not table.rows:
        page.write_string(1, 0, table.nothing)
    page.freeze_panes(1, 1)
    page.autofilter(0, 0, max(len(table.rows), 1), len(table.heads) - 1)
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)
