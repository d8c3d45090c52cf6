"""How high a slip is at most on paper, so that most need not be measured: `sheet.typ` has the sizes meant here."""

from __future__ import annotations

import math
import re

from passline.documents.sheet import PrintedSheet, SheetTable, cell_text, plain_text

_THIRD = 77.0  # millimetres that a slip has on a third of a page, and nearly one more
_POINT = 25.4 / 72
_WIDE_SIGNS = re.compile(r"[^a-z0-9 .,:;'-]")
_UNKNOWN_SIGNS = re.compile(r"[^ -~\u00a0-\u052f\u2010-\u2027\u20ac]")  # other fonts, other heights
_WIDE, _BESIDE_CODE = 185.0, 159.0  # of a slip, and of what stands beside its code
_FACTS, _TABLE = 68.0, 84.0  # of facts and of a table beside each other
_RAGGED = 1.25  # how much longer a text is that breaks only between words
_TOO_MANY = 100  # lines
_CODE = 26.0  # of a code, with what stands below it
_HEAD = 8.4  # whose it is and its title, a line each, and the lines to cut along and around it
_STAMP = 2.2
_ABOUT, _ABOUT_LINE = 5.6, 3.4  # what it is about, with what is above it; and each further line
_OWNER_LINE, _TITLE_LINE, _LINE, _HEADS_LINE = 3.2, 5.1, 3.7, 3.2
_FACTS_ABOVE, _FACT, _BLANK = 2.0, 3.8, 0.8  # above all facts; of one; how much more of one to be written on
_TABLE_ABOVE, _TABLE_TITLE, _HEADS, _ROW, _BESIDE_ROWS = 4.2, 4.0, 3.9, 4.1, 4.0
_SIGNATURES, _SIGNATURES_BELOW, _SIGNATURES_LINE = 10.2, 2.6, 2.9
_FOOT, _FOOT_LINE = 5.1, 2.7


def is_short_slip(sheet: PrintedSheet) -> bool:
    """Return whether a slip surely fits on a third of a page: every line is taken as wider and higher than it is.

    >>> is_short_slip(PrintedSheet(title="Fill slip", number="F-000001", form="slip", facts=(("table", "T1"),)))
    True
    >>> is_short_slip(PrintedSheet(title="Fill slip", form="slip", facts=(("table", "T1"),) * 40))
    False
    """
    if sheet.by_hand or sheet.figures or sheet.pictures:
        return False
    head = _HEAD + (_STAMP if sheet.stamp else 0.0)
    head += _more(f"{sheet.owner.upper()} {sheet.regulation}", 7.5, _BESIDE_CODE) * _OWNER_LINE
    head += _more(f"{sheet.title} {sheet.number} {sheet.stamp.upper()}", 15, _BESIDE_CODE) * _TITLE_LINE
    if sheet.about or sheet.copy:
        head += _ABOUT + _more(f"{sheet.about} {sheet.copy}", 8, _BESIDE_CODE) * _ABOUT_LINE
    wide = _FACTS if sheet.tables else _BESIDE_CODE
    facts = _FACTS_ABOVE + sum(_fact_height(name, words, wide) for name, words in sheet.facts)
    body = max(facts, sum(_table_height(table) for table in sheet.tables))
    foot = _FOOT + _more(" . ".join(sheet.foot), 6, _WIDE) * _FOOT_LINE
    return max(head + body, _CODE if sheet.code else 0.0) + _signatures_height(sheet) + foot <= _THIRD


def _lines(text: str, points: float, wide: float) -> int:
    """Return how many lines a text takes at most, at a size and width; far too many if that is not known."""
    if _UNKNOWN_SIGNS.search(text):
        return _TOO_MANY
    ems = 0.6 * len(text) + 0.45 * len(_WIDE_SIGNS.findall(text))
    whole = ems * points * _POINT / wide
    return 1 if whole <= 1 else math.ceil(whole * _RAGGED)


def _more(text: str, points: float, wide: float) -> int:
    """Return how many lines a text takes at most after its first."""
    return _lines(text, points, wide) - 1


def _fact_height(name: str, words: str, wide: float) -> float:
    further = max(_more(name, 7.5, wide * 0.45), _more(words, 8.5, wide * 0.5))
    return _FACT + further * _LINE + (0.0 if words else _BLANK)


def _table_height(table: SheetTable) -> float:
    """Return how high a table is at most, with its title and notes."""
    widths = table.widths or [1.0 for _ in table.columns]
    if not all(widths) or table.groups or table.abreast > 1:
        return math.inf
    columns = [_TABLE / table.abreast * width / sum(widths) - 2.6 for width in widths]
    if min(columns, default=1.0) <= 0:
        return math.inf
    high = _TABLE_ABOVE
    if table.title:
        high += _TABLE_TITLE + _more(f"{table.title} {table.code} {table.clause}", 9, _TABLE) * _LINE
    if table.heads:
        high += _HEADS + max(_more(head, 7.5, columns[at]) for at, head in enumerate(table.heads)) * _HEADS_LINE
    for row in table.rows:
        further = (_more(cell_text(table, at, cell), 9, columns[at]) for at, cell in enumerate(row))
        high += _ROW + max(further, default=0) * _LINE
    around = [*table.about, *(plain_text(note) for note in table.notes), *(() if table.rows else (table.nothing,))]
    return high + sum(_BESIDE_ROWS + _more(line, 9, _TABLE) * _LINE for line in around)


def _signatures_height(sheet: PrintedSheet) -> float:
    """Return how high the lines to sign are at most: up to four beside each other."""
    beside = min(max(len(sheet.signatures), 2), 4)
    wide = (_WIDE - 4.0 * (beside - 1)) / beside
    said = [f"{line.wants} {line.remark if not line.given else ''.join(line.given[4:5])}" for line in sheet.signatures]
    rows = [said[at : at + beside] for at in range(0, len(said), beside)]
    lines = sum(max(_more(words, 6.5, wide) for words in row) for row in rows)
    return len(rows) * _SIGNATURES + max(len(rows) - 1, 0) * _SIGNATURES_BELOW + lines * _SIGNATURES_LINE
