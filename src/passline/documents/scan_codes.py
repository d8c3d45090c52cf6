"""QR codes as SVG, for pages and papers: black on white, with the quiet zone that scanners need around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from passline.documents.quick_codes import quick_code
from passline.extras import extra_for

_BORDER = 4  # modules of the quiet zone
_RUNS = re.compile("0*1+")
_KEPT = 4096  # codes; a busy day has some hundred slips, each as a page and in print


@lru_cache(_KEPT)
def scan_code(text: str) -> str:
    """Return a QR code as an SVG for a page.

    >>> scan_code("http://192.168.1.20:8000/").startswith('<svg viewBox="0 0 33 33" class="qr"')
    True
    """
    if (rows := quick_code(text)) is not None:
        return _draw(rows)
    with extra_for("a code to scan"):
        import segno  # noqa: PLC0415 - an extra
    code = segno.make(text, error="m", micro=False)
    return code.svg_inline(border=_BORDER, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)


def _draw(rows: Sequence[str]) -> str:
    """Return the rows of a code as segno draws them: a line for each run of dark modules, from where the last ended."""
    side, lines = len(rows) + 2 * _BORDER, list[str]()
    last_row, last = 0, 0
    for number, row in enumerate(rows):
        begin, end = row.find("1"), row.rfind("1") + 1
        if end:
            first, *others = _RUNS.findall(row[begin:end])
            lines += [f"m{begin - last} {number - last_row}h{len(first)}", *map(_step, others)]
            last_row, last = number, end
    path = "".join(lines).removeprefix("m0 0")  # a code begins with the square of its corner
    return (
        f'<svg viewBox="0 0 {side} {side}" class="qr"><path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/>'
        f'<path stroke="#000" d="M{_BORDER} {_BORDER}.5{path}"/></svg>'
    )


@cache
def _step(run: str) -> str:
    """Return the line over a run of dark modules that light ones are before."""
    dark = run.count("1")
    return f"m{len(run) - dark} 0h{dark}"


def scan_code_file(text: str) -> str:
    """Return a QR code as the text of an SVG file, for a document that sets it as a picture.

    >>> "http://www.w3.org/2000/svg" in scan_code_file("PASSLINE:7")
    True
    """
    return scan_code(text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
