"""Where somebody new is sent first: to the regulation with the most wagers."""

from __future__ import annotations

from functools import cache

from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_reader import rulebook_of

__all__ = ["newcomers_regulation"]


@cache
def newcomers_regulation() -> str:
    """Give the regulation whose table stands first in the lobby, and is opened at the first start.

    >>> newcomers_regulation()
    'maryland'
    """
    return max(REGULATIONS, key=lambda name: len(rulebook_of(name).wagers))
