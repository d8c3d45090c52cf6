"""Sheets as one page of HTML: nothing is loaded from elsewhere, and it prints page by page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files

from passline.documents.pictures import picture_svg
from passline.documents.scan_codes import scan_code
from passline.documents.sheet import Cell, PrintedSheet, SheetTable, Styled, Words, cell_text

_STYLES = {
    "plain": "{}",
    "strong": "<b>{}</b>",
    "faint": "<small>{}</small>",
    "clauses": '<span class="clauses">{}</span>',
    "mono": "<code>{}</code>",
    "box": '<span class="box">&#9744;</span> ',
    "ticked": '<span class="box">&#9745;</span> ',
}
_PAGES = {  # of forms that are not a portrait letter
    "landscape": "size: letter landscape; margin: 14mm 15mm 17mm;",
    "drawing": "size: 17in 11in; margin: 12mm;",
    "slip": "margin: 8mm 15mm 14mm;",
}
_PLAIN = " .,:-·"  # which stand in a string of CSS as they are
_FOOT_PARTS = 3  # of what stands at the foot, as much as a line has room for


def as_html(title: str, *sheets: PrintedSheet) -> str:
    """Return sheets as a page of HTML, a section each.

    >>> as_html("Fire Bet", PrintedSheet(title="Tom & Jerry")).count("<h1>Tom &amp; Jerry</h1>")
    1
    """
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_style(sheets)}</style></head><body>",
    ]
    for number, sheet in enumerate(sheets):
        parts += [f'<section class="{sheet.form}" id="sheet-{number}">', *_section(sheet), "</section>"]
    return "\n".join([*parts, "</body></html>", ""])


def _style(sheets: Sequence[PrintedSheet]) -> str:
    """Return the style of a page of HTML, with what stands at the foot of the printed pages of each sheet.

    Slips share pages, so their foot names only whose they are.
    """
    fixed = (files("passline.documents") / "sheet.css").read_text(encoding="utf-8")
    rules = []
    for number, sheet in enumerate(sheets):
        words = (sheet.owner, sheet.regulation) if sheet.form == "slip" else sheet.foot[:_FOOT_PARTS]
        name = "slip" if sheet.form == "slip" else f"sheet-{number}"
        foot = f"@bottom-left {{ content: {_css_text(' · '.join(filter(None, words)))}; }}"
        rules.append(f"@page {name} {{ {_PAGES.get(sheet.form, '')} {foot} }}\n#sheet-{number} {{ page: {name}; }}")
    return fixed + "\n".join(dict.fromkeys(rules)) + "\n"


def _css_text(words: str) -> str:
    r"""Return words as a string of CSS, with nothing in it that could end the string or the style.

    >>> _css_text('Tom"s </style>')
    '"Tom\\000022s \\00003c\\00002fstyle\\00003e"'
    """
    letters = (letter if letter.isalnum() or letter in _PLAIN else f"\\{ord(letter):06x}" for letter in words)
    return f'"{"".join(letters)}"'


def style_source(*sheets: PrintedSheet) -> str:
    """Return how a content security policy names the style of such a page, which stands in it.

    >>> style_source()[:8]
    "'sha256-"
    """
    return f"'sha256-{b64encode(sha256(_style(sheets).encode()).digest()).decode()}'"


def _section(sheet: PrintedSheet) -> Iterator[str]:
    yield f'<p class="banner"><span>{escape(sheet.owner)}</span><span>{escape(sheet.regulation)}</span></p>'
    if sheet.code:
        leads = f"<p>{escape(sheet.code_leads)}</p>" if sheet.code_leads else ""
        yield f'<div class="code">{scan_code(sheet.code)}{leads}</div>'
    number = f' <span class="number">{escape(sheet.number)}</span>' if sheet.number else ""
    stamp = f' <span class="stamp">{escape(sheet.stamp)}</span>' if sheet.stamp else ""
    yield f"<h1>{escape(sheet.title)}{number}{stamp}</h1>"
    lines = (sheet.copy, sheet.about, sheet.dated)
    yield from (f'<p class="about">{escape(_capital(line))}</p>' for line in lines if line)
    if sheet.facts:
        facts = (f"<dt>{escape(name)}</dt><dd>{escape(fact)}</dd>" for name, fact in sheet.facts)
        yield f'<dl class="head">{"".join(facts)}</dl>'
    if sheet.figures:
        yield '<div class="figures">'
        for figure in sheet.figures:
            values = (f"<span><b>{escape(value)}</b>{escape(of and f' on {of}')}</span>" for value, of in figure.values)
            yield f"<div>{escape(figure.name)}<p>{''.join(values)}</p></div>"
        yield "</div>"
    for picture in sheet.pictures:
        yield from (f"<h2>{escape(picture.title)}</h2>",) if picture.title else ()
        yield from (f"<p>{escape(picture.about)}</p>",) if picture.about else ()
        yield f'<div class="picture">{picture_svg(picture, beside=2)}</div>'
    for table in sheet.tables:
        yield from _table(table)
    yield from _signatures(sheet)
    if sheet.small_print:
        yield f'<p class="clauses">{escape(sheet.small_print)}</p>'
    if sheet.foot:
        yield f"<footer>{escape(' · '.join(sheet.foot))}</footer>"


def _signatures(sheet: PrintedSheet) -> Iterator[str]:
    if sheet.signatures:
        yield '<h2 class="signatures-title">Signatures</h2><div class="signatures">'
    for line in sheet.signatures:
        given = [*line.given, *("" for _ in sheet.signed_with[len(line.given) :])]
        labels = "".join(f"<span>{escape(label)}</span>" for label in sheet.signed_with)
        known = "".join(f"<span>{escape(words)}</span>" for words in given)
        remark = f" <small>{escape(line.remark)}</small>" if line.remark else ""
        yield f'<div class="signature"><p>{escape(_capital(line.wants))}{remark}</p>'
        yield f'<p class="given">{known}</p><p class="signed">{labels}</p></div>'
    if sheet.signatures:
        yield "</div>"


def _table(table: SheetTable) -> Iterator[str]:
    if table.title:
        beside = tuple(part for part in (Styled(table.code, "mono"), Styled(table.clause, "clauses")) if part.text)
        yield f"<h2>{escape(_capital(table.title))} {_words(beside)}</h2>"
    yield from (f"<p>{escape(line)}</p>" for line in table.about)
    if not table.rows:
        yield from (f"<p>{escape(table.nothing)}</p>",) if table.nothing else ()
    else:
        sides = [' class="figure"' if table.is_figure(column) else "" for column in table.columns]
        heads = "".join(
            f'<th scope="col"{side}>{escape(head)}</th>' for side, head in zip(sides, table.heads, strict=False)
        )
        yield f"<table><thead><tr>{heads}</tr></thead>" if heads else "<table>"
        yield from _rows(table, sides)
        yield "</table>"
    yield from (f"<p>{_words(note, is_sentence=True)}</p>" for note in table.notes)


def _rows(table: SheetTable, sides: Sequence[str]) -> Iterator[str]:
    for number, row in enumerate(table.rows):
        for before, title in table.groups:
            if before == number:
                yield f'<tr class="group"><th colspan="{len(row)}" scope="rowgroup">{escape(title)}</th></tr>'
        kind = " total" * (number in table.totals) + " flagged" * (number in table.flagged)
        first, *others = (_cell(table, column, cell) for column, cell in enumerate(row))
        yield f'<tr class="{kind.strip()}">' if kind else "<tr>"
        # A row of a headless table reads as one sentence or more; one under heads is named by its first cell.
        yield f"<td>{first}</td>" if not table.heads else f'<th scope="row"{sides[0]}>{first}</th>'
        yield "".join(f"<td{side}>{cell}</td>" for side, cell in zip(sides[1:], others, strict=True)) + "</tr>"


def _cell(table: SheetTable, column: int, cell: Cell) -> str:
    words = cell if isinstance(cell, str | tuple) else cell_text(table, column, cell)
    return _words(words, is_sentence=not table.heads)


def _words(words: Words, *, is_sentence: bool = False) -> str:
    """Return words in their styles; a sentence begins with a capital."""
    if isinstance(words, str):  # as most are
        return escape(_capital(words) if is_sentence else words).replace("\n", "<br>")
    first = next((number for number, part in enumerate(words) if part.text), -1) if is_sentence else -1
    texts = (_capital(part.text) if number == first else part.text for number, part in enumerate(words))
    return "".join(
        _STYLES[part.style].format(escape(text).replace("\n", "<br>")) for part, text in zip(words, texts, strict=True)
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
