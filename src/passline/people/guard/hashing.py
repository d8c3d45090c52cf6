"""Where secrets are hashed: in processes of low priority, one for strangers and one for people known here.

A hash takes a core for a tenth of a second and 64 MiB. Whoever tries a thousand passwords keeps one slow process busy,
and neither a table nor somebody who is logged in waits for it.
"""

from __future__ import annotations

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct, json

from passline.side_processes import SideProcess

_SECONDS = 60.0  # for one hash, on a machine that has a great deal else to do
_WORK = "passline.people.guard.hashing:hash_or_compare"
_STRANGERS, _KNOWN = SideProcess(_WORK, seconds=_SECONDS), SideProcess(_WORK, seconds=_SECONDS)
_NO, _YES = b"0", b"1"
_PARAMETERS = ("time_cost", "memory_cost", "parallelism", "hash_len", "salt_len")


class _Work(Struct, frozen=True):
    """A secret to hash or, with a hash that is kept, to compare with it; and the hasher's parameters."""

    secret: bytes
    kept: str
    parameters: dict[str, int]
    type: str


def hash_secret(hasher: PasswordHasher, secret: bytes, *, is_known: bool) -> str:
    """Hash a secret and wait for it; those whom the house knows do not wait for strangers.

    >>> hash_secret(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1), b"secret", is_known=True)[:9]
    '$argon2id'
    """
    return _process(is_known=is_known).do(_work_of(hasher, secret, "")).decode()


def is_secret(hasher: PasswordHasher, kept: str, secret: bytes, *, is_known: bool) -> bool:
    """Return whether a hash is that of a secret, after a wait like that of `hash_secret`."""
    return _process(is_known=is_known).do(_work_of(hasher, secret, kept)) == _YES


def hash_or_compare(given: bytes) -> bytes:
    """Hash or compare a secret: what is done in the process."""
    work = json.decode(given, type=_Work)
    hasher = PasswordHasher(**work.parameters, type=Type[work.type])  # type: ignore[arg-type]  # none is a text
    if not work.kept:
        return hasher.hash(work.secret).encode()
    try:
        return _YES if hasher.verify(work.kept, work.secret) else _NO
    except (VerificationError, InvalidHashError, UnicodeError):
        return _NO


def _process(*, is_known: bool) -> SideProcess:
    return _KNOWN if is_known else _STRANGERS


def _work_of(hasher: PasswordHasher, secret: bytes, kept: str) -> bytes:
    parameters = {name: getattr(hasher, name) for name in _PARAMETERS}
    return json.encode(_Work(secret, kept, parameters, hasher.type.name))
