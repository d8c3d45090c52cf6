"""A vault whose rows carry a code made with a key outside the database: a row that somebody forged counts as absent.

A row's code covers its kind, key, value and expiry. Counters have no room for a code, and a deleted row leaves none:
so this process also remembers the counters and waits that it wrote, and a count never goes back under its feet.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from threading import Lock
from typing import TypeVar

from msgspec.structs import replace

from passline.store.log import Secret, Vault

ROWS_PURPOSE = "vault rows"
"""The purpose for which the log's key derives the key of the codes."""
UNSEALED_KINDS = frozenset({"password", "pin", "probe"})
"""Rows of the vault without a code: the log's events hold the digest of a hash, and a probe says nothing."""
RESTRICTED_KIND = "restricted"
"""Rows of the file of compliance: they are checked like all others, and nobody is told how many there are."""
_KEPT_KINDS = frozenset({"clock", RESTRICTED_KIND})  # also when the key is replaced
_Value = TypeVar("_Value")
_VERSION = b"\x01"
_CODE_BYTES = 32
_PREFIX = len(_VERSION) + _CODE_BYTES
_REMEMBERED_MAX = 20_000
_LASTING = "-wait"  # kinds that end in this are remembered: deleting such a row would let a guesser go on


def _code(key: bytes, secret: Secret) -> bytes:
    parts = (b"passline vault row/1", *(part.encode("utf-8", "surrogatepass") for part in (secret.kind, secret.key)))
    whole = (*parts, secret.expires.encode("utf-8", "surrogatepass"), secret.value)
    return hmac.digest(key, b"".join(len(part).to_bytes(4) + part for part in whole), sha256)


def _seal(key: bytes, secret: Secret) -> Secret:
    return replace(secret, value=_VERSION + _code(key, secret) + secret.value)


def _open(key: bytes, row: Secret) -> Secret | None:
    """Return a row without its code, or None if the code is missing or wrong."""
    secret = replace(row, value=row.value[_PREFIX:])
    given = row.value[len(_VERSION) : _PREFIX]
    is_right = row.value.startswith(_VERSION) and hmac.compare_digest(given, _code(key, secret))
    return secret if is_right else None


def is_authentic(key: bytes, row: Secret) -> bool:
    """Return whether the holder of the key wrote a row as it is in the database.

    >>> from passline.store.memory import MemoryVault
    >>> below = MemoryVault()
    >>> AuthenticVault(below, b"key").put(Secret("session", "s1", b"Olga"))
    >>> row = next(below.all())
    >>> is_authentic(b"key", row), is_authentic(b"key", replace(row, value=row.value[:-1] + b"o"))
    (True, False)
    """
    return _open(key, row) is not None


def recode(vault: Vault, old: bytes, new: bytes) -> None:
    """Replace the codes of all rows of a vault by those of a new key; a second call changes nothing.

    Sessions and invitations end, so that nothing made with a stolen key lives on. Waits and the time of the house stay.
    A row that the old key did not write stays as it is: whoever verifies the log must find it.

    >>> from passline.store.memory import MemoryVault
    >>> below = MemoryVault()
    >>> for kind in ("session", "log-in-wait"):
    ...     AuthenticVault(below, b"old").put(Secret(kind, "k1", b"Olga"))
    >>> recode(below, b"old", b"new")
    >>> [(row.kind, is_authentic(b"new", row)) for row in below.all()]
    [('log-in-wait', True)]
    """
    for row in list(vault.all()):
        if row.kind not in UNSEALED_KINDS and (secret := _open(old, row)) is not None:
            if row.kind.endswith(_LASTING) or row.kind in _KEPT_KINDS:
                vault.put(_seal(new, secret))
            else:
                vault.forget(row.kind, row.key)


class AuthenticVault(Vault):
    """Rows with codes in another vault. `report` is told of each row that was not written with the key."""

    def __init__(self, below: Vault, key: bytes, report: Callable[[Secret], None] = lambda _row: None) -> None:
        self._below = below
        self._key = key
        self._report = report
        self._lock = Lock()
        self._counts: dict[tuple[str, str], tuple[int, str]] = {}
        self._waits: dict[tuple[str, str], Secret] = {}

    def put(self, secret: Secret) -> None:
        """Store a secret with its code."""
        self._below.put(_seal(self._key, secret))
        if secret.kind.endswith(_LASTING):
            with self._lock:
                _remember(self._waits, (secret.kind, secret.key), secret)

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Return the secrets of these keys that are authentic and have not expired."""
        wanted = tuple(keys)
        found = self._below.get_all(kind, wanted, now=now)
        opened = {key: secret for key, row in found.items() if (secret := self._authentic(row, kind, key))}
        if kind.endswith(_LASTING):
            with self._lock:
                known = ((key, self._waits.get((kind, key))) for key in wanted)
                opened = {key: secret for key, secret in known if secret is not None and secret.expires > now} | opened
        return opened

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Return a secret that is authentic and has not expired, and delete it."""
        row = self._below.take(kind, key, now=now)
        return self._authentic(row, kind, key) if row else None

    def forget(self, kind: str, key: str) -> None:
        """Delete a secret."""
        with self._lock:
            self._waits.pop((kind, key), None)
        self._below.forget(kind, key)

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and return it; never less than this process has counted already."""
        number = self._below.count(kind, key, now=now, expires=expires)
        with self._lock:
            before, until = self._counts.get((kind, key), (0, ""))
            if until <= now:
                before, until = 0, expires
            number = max(number, before + 1)
            _remember(self._counts, (kind, key), (number, until))
        return number

    def all(self) -> Iterator[Secret]:
        """Yield every secret that is authentic."""
        return (secret for row in self._below.all() if (secret := _open(self._key, row)))

    def _authentic(self, row: Secret, kind: str, key: str) -> Secret | None:
        secret = _open(self._key, row) if (row.kind, row.key) == (kind, key) else None
        if secret is None:
            self._report(row)
        return secret


def _remember(memory: dict[tuple[str, str], _Value], name: tuple[str, str], value: _Value) -> None:
    """Keep the newest; the oldest are forgotten, so that memory is bounded."""
    memory.pop(name, None)
    memory[name] = value
    if len(memory) > _REMEMBERED_MAX:
        del memory[next(iter(memory))]
