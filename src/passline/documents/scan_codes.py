"""QR codes as SVG, for pages and papers: black on white, with the quiet zone that scanners need around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from passline.documents.quick_codes import quick_code
from passline.extras import extra_for

_BORDER = 4  # modules of the quiet zone
_RUN = re.compile("1+")
_KEPT = 4096  # codes; a busy day has some hundred slips, each as a page and in print


@lru_cache(_KEPT)
def scan_code(text: str) -> str:
    """Return a QR code as an SVG for a page.

    >>> scan_code("http://192.168.1.20:8000/").startswith('<svg viewBox="0 0 33 33" class="qr"')
    True
    """
    if (rows := quick_code(text)) is not None:
        return _drawn(rows)
    with extra_for("a code to scan"):
        import segno  # noqa: PLC0415 - an extra
    code = segno.make(text, error="m", micro=False)
    return code.svg_inline(border=_BORDER, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)


def _drawn(rows: Sequence[str]) -> str:
    """Return the rows of a code as segno draws them: a line for each run of dark modules, from where the last ended."""
    side, lines = len(rows) + 2 * _BORDER, list[str]()
    last_row, last = 0, 0
    for number, row in enumerate(rows):
        for run in _RUN.finditer(row):
            first, end = run.span()
            lines.append(f"m{first - last} {number - last_row}h{end - first}")
            last_row, last = number, end
    begun = f"M{_BORDER} {_BORDER}.5{lines[0].removeprefix('m0 0')}"  # a code begins with the square of its corner
    return (
        f'<svg viewBox="0 0 {side} {side}" class="qr"><path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/>'
        f'<path stroke="#000" d="{begun}{"".join(lines[1:])}"/></svg>'
    )


def scan_code_file(text: str) -> str:
    """Return a QR code as the text of an SVG file, for a document that sets it as a picture.

    >>> "http://www.w3.org/2000/svg" in scan_code_file("PASSLINE:7")
    True
    """
    return scan_code(text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
