"""Where newcomers start: at the regulation with the most wagers."""

from __future__ import annotations

from functools import cache

from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_reader import rulebook_of


@cache
def newcomers_regulation() -> str:
    """Return the regulation whose tables are first in the lobby, and under which the first table opens.

    >>> newcomers_regulation()
    'maryland'
    """
    return max(REGULATIONS, key=lambda name: len(rulebook_of(name).wagers))
