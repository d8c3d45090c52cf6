"""Pages set by typst without network access. Equal content gives equal bytes."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

from msgspec import json

from passline.extras import extra_for

__all__ = ["set_page", "set_pages"]

_PPI = 80  # of a picture to look at


def set_page(package: str, template: str, content: dict[str, Any], form: Literal["pdf", "png"] = "pdf") -> bytes:
    """Return a PDF, or a picture of its first page, of a template beside the modules of a package.

    The template reads what it sets from `sys.inputs.content`.
    """
    return set_pages(package, template, content, form)[0]


def set_pages(
    package: str, template: str, content: dict[str, Any], form: Literal["pdf", "png"], *, ppi: int = _PPI
) -> list[bytes]:
    """Return a PDF as one, or a picture of each page."""
    with extra_for("a PDF"):
        import typst  # noqa: PLC0415 - an extra
    made = typst.compile(
        (files(package) / template).read_bytes(),
        format=form,
        ignore_system_fonts=True,
        sys_inputs={"content": json.encode(content, order="deterministic").decode()},
        timestamp=0,
        ppi=ppi if form == "png" else None,
    )
    return list(made) if isinstance(made, list) else [made]
