"""Tables of strategies: a column for each of a few, a row for each of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["side_by_side"]

_COLUMNS_MAX = 5
_HEADS = {  # of a row for each strategy, in the order in which they matter: the label, and a short heading
    "mean": "mean",
    "ruin": "ruin",
    "goal reached": "goal",
    "standard deviation": "deviation",
    "ahead at the end": "ahead",
    "50% quantile": "median",
    "5% quantile": "5%",
    "95% quantile": "95%",
    "mean rolls": "rolls",
    "mean wagered": "wagered",
}
_NAME_MAX = 36


def side_by_side(names: Sequence[str], facts: Sequence[Iterable[tuple[str, str]]], *, width: int) -> Table:
    """Return a table with a column per name and a row per label of its facts; of many names, a row for each.

    A label that starts with a blank is that of an exact answer, which is shown dimmed below the simulated one.
    """
    from rich.table import Table
    from rich.text import Text

    if len(names) > _COLUMNS_MAX:
        return _one_below_the_other(names, [dict(column) for column in facts], width)

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


def _one_below_the_other(names: Sequence[str], facts: Sequence[dict[str, str]], width: int) -> Table:
    """Return a table with a row per name, and the facts that matter most as far as the width goes."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("strategy", overflow="fold", max_width=_NAME_MAX)
    room = width - min(_NAME_MAX, max(map(len, names))) - 2
    shown: list[str] = []
    for label, head in _HEADS.items():
        needed = max(len(head), *(len(row.get(label, "")) for row in facts)) + 2
        if not any(label in row for row in facts) or (needed > room and shown):
            continue
        room -= needed
        shown.append(label)
        table.add_column(head, justify="right", no_wrap=True)
    for name, row in zip(names, facts, strict=True):
        table.add_row(Text(name), *(row.get(label, "") for label in shown))
    return table
