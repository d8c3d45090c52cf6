"""Results as notebooks and data frames take them: HTML tables, and Arrow tables where pyarrow is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from passline.errors import CrapsError


def html_table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return a small HTML table: a caption and rows of two cells.

    >>> html_table("a < b", [("ruin", "5%")])
    '<table><caption>a &lt; b</caption><tr><th>ruin</th><td>5%</td></tr></table>'
    """
    body = "".join(f"<tr><th>{escape(label)}</th><td>{escape(value)}</td></tr>" for label, value in rows)
    return f"<table><caption>{escape(title)}</caption>{body}</table>"


def arrow_table(columns: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a pyarrow.Table, where there is pyarrow
    """Return columns of equal length as an Arrow table."""
    try:
        import pyarrow as pa  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - optional
    except ImportError as error:
        raise CrapsError(
            "an Arrow table needs pyarrow, which is not installed: pip install pyarrow, or take the numpy arrays of "
            "`columns()`, which polars and pandas take as they are"
        ) from error
    return pa.table(dict(columns))
