"""Tables of strategies: a column for each of a few, a row for each of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["side_by_side"]


def side_by_side(names: Sequence[str], facts: Sequence[Iterable[tuple[str, str]]]) -> Table:
    """Return a table with a column per name and a row per label of its facts.

    A label that starts with a blank is that of an exact answer, which is shown dimmed below the simulated one.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("")
    for name in names:
        table.add_column(Text(name), justify="right", overflow="fold")
    rows: dict[str, list[str]] = {}
    for index, column in enumerate(facts):
        for label, value in column:
            rows.setdefault(label, [""] * len(names))[index] = value
    for label, values in rows.items():
        is_exact = label.startswith(" ")
        table.add_row("  exact" if is_exact else label, *values, style="dim" if is_exact else "")
    return table
