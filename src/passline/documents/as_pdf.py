"""Sheets as a PDF, set by typst without network access. Equal sheets give equal bytes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import Any, Literal

from msgspec import json, to_builtins

from passline.documents.pictures import picture_svg
from passline.documents.scan_codes import scan_code_file
from passline.documents.sheet import PrintedSheet, SheetTable, cell_words, styled_words
from passline.documents.slip_height import is_short_slip
from passline.extras import extra_for

_SLIPS_SET = 24  # together, three on a page
_SetKey = tuple[bytes, str, int | None]
_SET: dict[_SetKey, list[bytes]] = {}  # lately, by the digest of what is in it
_SET_BYTES_MAX = 32 * 1024 * 1024


def as_pdf(*sheets: PrintedSheet) -> bytes:
    """Return sheets as a PDF, one after another.

    >>> as_pdf(PrintedSheet(title="Fire Bet"))[:5]
    b'%PDF-'
    """
    return _set(sheets, "pdf")[0]


def as_pictures(*sheets: PrintedSheet, ppi: int) -> list[bytes]:
    """Return a PNG of each page of sheets."""
    return _set(sheets, "png", ppi)


def _set(sheets: tuple[PrintedSheet, ...], form: Literal["pdf", "png"], ppi: int | None = None) -> list[bytes]:
    with extra_for("a PDF"):
        import typst  # noqa: PLC0415 - an extra
    content = json.encode(list(_pages(sheets)), order="deterministic")
    key = (sha256(content).digest(), form, ppi)
    if (known := _SET.get(key)) is not None:
        return list(known)
    made = typst.compile(
        (files("passline.documents") / "sheet.typ").read_bytes(),
        format=form,
        ignore_system_fonts=True,
        sys_inputs={"content": content.decode()},
        timestamp=0,
        ppi=ppi,
    )
    pages = list(made) if isinstance(made, list) else [made]
    _keep_set(key, pages)
    return pages


def _keep_set(key: _SetKey, pages: list[bytes]) -> None:
    """Keep what was set, since the folder of a day is often asked for again; the oldest goes when there is too much."""
    _SET[key] = pages
    while len(_SET) > 1 and sum(len(page) for known in list(_SET.values()) for page in known) > _SET_BYTES_MAX:
        _SET.pop(next(iter(_SET), key), None)


def _pages(sheets: tuple[PrintedSheet, ...]) -> Iterator[dict[str, Any]]:
    """Yield the sheets as the template reads them; slips that follow each other share a page.

    Many slips are handed over in parts, which typst sets side by side on as many cores as there are.
    """
    for form, run in groupby(sheets, key=lambda sheet: sheet.form):
        contents = [_content(sheet) for sheet in run]
        if form == "slip":
            yield from ({**contents[0], "slips": part} for part in _parts_of(contents))
        else:
            yield from contents


def _parts_of(slips: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield slips in parts that fill whole pages, as far as it is known that each takes one of their places."""
    while len(slips) > _SLIPS_SET and all(slip["is_short"] for slip in slips[:_SLIPS_SET]):
        yield slips[:_SLIPS_SET]
        slips = slips[_SLIPS_SET:]
    yield slips


def _content(sheet: PrintedSheet) -> dict[str, Any]:
    count = len(sheet.pictures)
    pictures = [
        {
            "title": picture.title,
            "about": picture.about,
            "svg": picture_svg(picture, beside=count),
            "inches": picture.inches_wide,
        }
        for picture in sheet.pictures
    ]
    return {
        **to_builtins(sheet),
        "pictures": pictures,
        "tables": [_table(table) for table in sheet.tables],
        "code": scan_code_file(sheet.code) if sheet.code else "",
        "code_words": sheet.code,
        "is_short": sheet.form == "slip" and is_short_slip(sheet),
    }


def _table(table: SheetTable) -> dict[str, Any]:
    return {
        **to_builtins(table),
        "rows": [[cell_words(table, column, cell) for column, cell in enumerate(row)] for row in table.rows],
        "notes": [styled_words(note) for note in table.notes],
        "widths": table.widths or [1.0 for _ in table.columns],
        "right": [column for column in table.columns if table.is_figure(column)],
    }
