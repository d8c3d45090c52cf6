"""QR codes as SVG, for pages and papers: black on white, with the quiet zone that scanners need around them."""

from __future__ import annotations

from functools import lru_cache

from passline.extras import extra_for

_KEPT = 4096  # codes; a busy day has some hundred slips, each as a page and in print


@lru_cache(_KEPT)
def scan_code(text: str) -> str:
    """Return a QR code as an SVG for a page.

    >>> scan_code("http://192.168.1.20:8000/").startswith('<svg viewBox="0 0 33 33" class="qr"')
    True
    """
    with extra_for("a code to scan"):
        import segno  # noqa: PLC0415 - an extra
    code = segno.make(text, error="m", micro=False)
    return code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)


def scan_code_file(text: str) -> str:
    """Return a QR code as the text of an SVG file, for a document that sets it as a picture.

    >>> "http://www.w3.org/2000/svg" in scan_code_file("PASSLINE:7")
    True
    """
    return scan_code(text).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
