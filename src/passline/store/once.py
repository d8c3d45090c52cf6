"""What may happen once in a log, such as a command's id: told where it came before.

A whole log is remembered in memory. Of a part of a log only what came in it is known: it is collected as numbers of 64
bits, and those of all parts are compared at the end, a few at a time, so that memory stays small however long a log is.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from passline.store.database import id_key

_BYTES = 8
_BUCKETS = 256
_RANGE = 1 << 64


class Once:
    """Remembers what came, by kind, and where; a tenth of the memory of the texts."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], dict[int, int]] = {}

    def place_of(self, kind: tuple[str, ...], key: tuple[str, ...], where: int) -> int:
        """Return the entry in which this came first: `where`, unless it came before.

        >>> once = Once()
        >>> [once.place_of(("ids",), ("ann", name), where) for where, name in enumerate("aba", start=1)]
        [1, 2, 1]
        """
        return self._places.setdefault(kind, {}).setdefault(hash(key), where)

    def place_of_id(self, stream: str, actor: str, id_: str, where: int) -> int:
        """Return the entry in which the id of a command came first, as `place_of`."""
        return self.place_of(("id", stream), (actor, id_), where)


class OnceInPart(Once):
    """Collects what came in a part of a log; that nothing came before is found out at the end.

    Ids are collected as the keys by which archived ones are looked for, in the order of their entries.
    """

    def __init__(self) -> None:
        super().__init__()
        self._keys, self.ids = array("Q"), array("q")

    def place_of(self, kind: tuple[str, ...], key: tuple[str, ...], where: int) -> int:
        """Return `where`: as far as this part knows, it never came before."""
        text = "\0".join(kind) + "\0" + "\0".join(key)
        self._keys.append(int.from_bytes(sha256(text.encode()).digest()[:_BYTES]))
        return where

    def place_of_id(self, stream: str, actor: str, id_: str, where: int) -> int:
        """Return `where`, likewise."""
        self.ids.append(id_key(stream, actor, id_))
        return where

    def write(self, path: Path) -> None:
        """Write what came, in order, for `is_once`."""
        with path.open("wb") as file:
            array("Q", sorted([*self._keys, *array("Q", self.ids.tobytes())])).tofile(file)


def is_once(paths: Sequence[Path]) -> bool:
    """Return whether nothing came twice in all parts together, as they were written.

    Among 130 million keys two may be taken for one with a chance of one in 2,000: then somebody looks closer.
    """
    parts = [_Part(path) for path in paths]
    for bucket in range(_BUCKETS):
        low, high = (_RANGE * number // _BUCKETS for number in (bucket, bucket + 1))
        keys = [key for part in parts for key in part.keys_between(low, high)]
        if len(set(keys)) < len(keys):
            return False
    return True


class _Part:
    """The sorted keys of a part, read a few at a time."""

    def __init__(self, path: Path) -> None:
        self._path, self._place, self._count = path, 0, path.stat().st_size // _BYTES

    def keys_between(self, low: int, high: int) -> Iterable[int]:
        """Return the keys from one number on, below another; each call goes on where the last one ended."""
        expected = (self._count * (high - low)) // _RANGE + 1
        found = array("Q")
        with self._path.open("rb") as file:
            file.seek(self._place * _BYTES)
            while self._place + len(found) < self._count and (not found or found[-1] < high):
                found.fromfile(file, min(expected + 64, self._count - self._place - len(found)))
        end = bisect_left(found, high)
        self._place += end
        return found[:end]
