"""Draws seats by a lot that was committed to before, so that nobody can draw again until they like the result.

The order comes from the lot's key and the hash of the entry that fixed who is drawn, as the dice of a roll come from
its key and the entry that closed wagers. Players who are present add nonces: each is bound to one by its SHA-256 before
that entry, and reveals it after. Whoever runs the server cannot try entries until the seats suit, nor can a player, who
does not know the key. Anybody who has the log can draw it again.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from msgspec import Struct

_T = TypeVar("_T")
_BITS = 64
_TAG, _WORD = b"passline lot nonces/1\0", 4


class DrawnSeat(Struct, frozen=True, gc=False):
    """Where an entry sits."""

    entry: int
    table: str
    seat: int


def with_nonces(closing: bytes, nonces: Mapping[int, bytes]) -> bytes:
    """Return the input of a lot besides its key: the hash of the entry, combined with the nonces of players.

    >>> with_nonces(b"h" * 32, {}) == b"h" * 32
    True
    >>> with_nonces(b"h" * 32, {2: b"b" * 32, 1: b"a" * 32}).hex()[:16]
    '7e03defc6efcd1ca'
    """
    if not nonces:
        return closing
    given = b"".join(entry.to_bytes(_WORD) + nonce for entry, nonce in sorted(nonces.items()))
    return sha256(_TAG + closing + given).digest()


def drawn_order(items: Sequence[_T], key: bytes, closing: bytes) -> tuple[_T, ...]:
    """Return the items in the order of the lot.

    >>> drawn_order((1, 2, 3, 4, 5), b"k" * 32, b"h" * 32)
    (4, 2, 3, 5, 1)
    """
    order, numbers = list(items), _numbers(key, closing)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, numbers)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def seated_by_lot(
    entries: Sequence[int], tables: Sequence[str], *, key: bytes, closing: bytes
) -> tuple[DrawnSeat, ...]:
    """Seat entries at tables by lot; no table has more than one player more than another.

    >>> [(seat.entry, seat.table, seat.seat) for seat in seated_by_lot((1, 2, 3), ("a", "b"), key=b"k", closing=b"h")]
    [(2, 'a', 1), (1, 'b', 1), (3, 'a', 2)]
    """
    order = drawn_order(entries, key, closing)
    return tuple(
        DrawnSeat(entry, tables[number % len(tables)], number // len(tables) + 1) for number, entry in enumerate(order)
    )


def _numbers(key: bytes, closing: bytes) -> Iterator[int]:
    """Yield numbers of 64 bits, each as likely as any other."""
    block = 0
    while True:
        digest = hmac.digest(key, b"lot" + closing + block.to_bytes(4, "big"), sha256)
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, len(digest), 8))
        block += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    """Return a number below a bound, none of them more likely than another."""
    fair = (1 << _BITS) - (1 << _BITS) % bound
    return next(number for number in numbers if number < fair) % bound
