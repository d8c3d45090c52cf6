"""How high a slip is at most on paper, so that most need not be measured: `sheet.typ` has the sizes meant here."""

from __future__ import annotations

import math
import re

from passline.documents.sheet import PrintedSheet, SheetTable, cell_text, plain_text

_THIRD = 76.0  # millimetres that a slip has on a third of a page
_POINT = 25.4 / 72
_WIDE_SIGNS = re.compile(r"[^a-z0-9 .,:;'-]")
_WIDE, _BESIDE_CODE = 185.0, 159.0  # of a slip, and of what stands beside its code
_FACTS, _TABLE = 68.0, 84.0  # of facts and of a table beside each other
_RAGGED = 1.25  # how much longer a text is that breaks only between words
_CODE = 26.0  # of a code, with what stands below it
_HEAD = 10.0  # whose it is, with the lines around it


def is_short_slip(sheet: PrintedSheet) -> bool:
    """Return whether a slip surely fits on a third of a page: every line is taken as wider and higher than it is.

    >>> is_short_slip(PrintedSheet(title="Fill slip", number="F-000001", form="slip", facts=(("table", "T1"),)))
    True
    >>> is_short_slip(PrintedSheet(title="Fill slip", form="slip", facts=(("table", "T1"),) * 40))
    False
    """
    if sheet.by_hand or sheet.figures or sheet.pictures:
        return False
    title = f"{sheet.title} {sheet.number} {sheet.stamp.upper()}"
    head = _HEAD + _lines(f"{sheet.owner.upper()} {sheet.regulation}", 7.5, _BESIDE_CODE) * 3.5
    head += _lines(title, 15, _BESIDE_CODE) * 7 + _lines(f"{sheet.about} {sheet.copy}", 8, _BESIDE_CODE) * 3.6
    facts = sum(_fact_height(name, words, _FACTS if sheet.tables else _BESIDE_CODE) for name, words in sheet.facts)
    body = max(facts, sum(_table_height(table) for table in sheet.tables))
    foot = 1.2 + _lines(" . ".join(sheet.foot), 6, _WIDE) * 2.8
    return max(head + body, _CODE if sheet.code else 0.0) + _signatures_height(sheet) + foot <= _THIRD


def _lines(text: str, points: float, wide: float) -> int:
    """Return how many lines a text takes at most, at a size and width."""
    ems = 0.6 * len(text) + 0.35 * len(_WIDE_SIGNS.findall(text))
    whole = ems * points * _POINT / wide
    return 1 if whole <= 1 else math.ceil(whole * _RAGGED)


def _fact_height(name: str, words: str, wide: float) -> float:
    return 1.7 + max(_lines(name, 7.5, wide * 0.45), _lines(words, 8.5, wide * 0.5)) * 3.7


def _table_height(table: SheetTable) -> float:
    """Return how high a table is at most, with its title and notes."""
    widths = table.widths or [1.0 for _ in table.columns]
    if not all(widths) or table.groups or table.abreast > 1:
        return math.inf
    columns = [_TABLE / table.abreast * width / sum(widths) - 2.6 for width in widths]
    if min(columns, default=1.0) <= 0:
        return math.inf
    heads = max((_lines(head, 7.5, columns[at]) for at, head in enumerate(table.heads)), default=0)
    rows = sum(
        2.4 + 3.8 * max((_lines(cell_text(table, at, cell), 9, columns[at]) for at, cell in enumerate(row)), default=1)
        for row in table.rows
    )
    around = [*table.about, *(plain_text(note) for note in table.notes), *(() if table.rows else (table.nothing,))]
    return 10 + heads * 5.5 + rows + sum(4 + _lines(line, 9, _TABLE) * 3.8 for line in around)


def _signatures_height(sheet: PrintedSheet) -> float:
    """Return how high the lines to sign are at most: up to four beside each other."""
    beside = min(max(len(sheet.signatures), 2), 4)
    wide = (_WIDE - 4.0 * (beside - 1)) / beside
    said = [f"{line.wants} {line.remark if not line.given else ''.join(line.given[4:5])}" for line in sheet.signatures]
    rows = [said[at : at + beside] for at in range(0, len(said), beside)]
    return sum(9.1 + max(_lines(words, 6.5, wide) for words in row) * 2.9 for row in rows)
