"""The table of `docs/scale.md` about chains, from the last line of a result, so that no figure there is typed."""

from __future__ import annotations

import json
from statistics import median
from typing import Any

WANTED = 2.0
"""Times the commits of today's log, or a chain per stream is not to be thought of."""
_RATIOS = ("to servers of their own", "to one that commits")


def tables_of(result: str) -> dict[str, str]:
    """Return a table for each number of wagers in a commit, as Markdown.

    >>> way = {"groups": 900.0, "cpu": 210.0, "to servers of their own": [2.0, 3.0, 4.0], "to one that commits": [1.0]}
    >>> print(tables_of('{"wagers a commit": {"20": {"a chain": ' + json.dumps(way) + "}}}")["20 wagers a commit"])
    | 20 wagers a commit | commits a second | to servers of their own | to one that commits | us an entry |
    | --- | --- | --- | --- | --- |
    | a chain | 900 | 3.0 | 1.0 | 210 |
    """
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(result.rstrip().splitlines()[-1])["wagers a commit"]
    tables = {}
    for wagers, ways in found.items():
        name = f"{wagers} wager{'' if wagers == '1' else 's'} a commit"
        head = (name, "commits a second", *_RATIOS, "us an entry")
        rows = [
            (
                *(way, f"{figures['groups']:,.0f}", *(f"{median(figures[ratio]):.1f}" for ratio in _RATIOS)),
                f"{figures['cpu']:,.0f}",
            )
            for way, figures in ways.items()
        ]
        tables[name] = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, tuple("---" for _ in head), *rows))
    return tables
