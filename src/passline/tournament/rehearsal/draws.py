"""The chance of a rehearsed tournament: dice of each table and draws, from its seed and the number of the run alone.

All come from Philox, as the dice of `passline.dice_sources`: key = seed, counter = (block, run low, run high, stream).
The tables of a run have the streams from 1 on, in the order in which they are dealt; draws have a stream of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from passline.dice import Roll
from passline.dice_sources import philox, seeded_rolls

DRAWS = 1 << 31
"""The stream of the draws."""
WORD = 32
"""The bits of a word."""
_LOW = (1 << WORD) - 1
_T = TypeVar("_T")


def table_dice(seed: int, run: int, table: int) -> Iterator[Roll]:
    """Yield the dice of a table; the tables of a run are counted from 0, over all rounds."""
    return seeded_rolls(seed, session=run, stream=1 + table)


class Draws:
    """What is drawn in one run, one draw after the other.

    >>> draws = Draws(7, 0)
    >>> draws.order("abcde"), draws.order("abcde")
    (['d', 'a', 'c', 'b', 'e'], ['e', 'c', 'd', 'b', 'a'])
    """

    def __init__(self, seed: int, run: int) -> None:
        self._words = _words(seed, run)

    def order(self, items: Sequence[_T]) -> list[_T]:
        """Return the items in an order that is drawn; every order is equally likely."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self._below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order

    def _below(self, end: int) -> int:
        """Return a number from 0 to end - 1: the high half of a word times end, unless the low half is too small."""
        rejected = (1 << WORD) % end
        while (scaled := next(self._words) * end) & _LOW < rejected:
            pass
        return scaled >> WORD


def _words(seed: int, run: int) -> Iterator[int]:
    block = 0
    while True:
        yield from philox((block, run & _LOW, run >> WORD, DRAWS), (seed & _LOW, seed >> WORD))
        block += 1
