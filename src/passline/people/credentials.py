"""Passwords and PINs: what is strong enough, and their argon2 hashes in the vault.

Hashing takes about a tenth of a second by design: call it from a thread, never on an event loop.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from secrets import token_hex
from threading import BoundedSemaphore
from typing import Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from passline.game.refusal import Refusal
from passline.people.accounts import name_key
from passline.store.log import LogError, Secret, Vault

__all__ = ["PASSWORD_MAX", "PASSWORD_MIN", "PIN_MAX", "PIN_MIN", "Credentials", "Kind", "password_faults", "pin_faults"]

PASSWORD_MIN, PASSWORD_MAX = 10, 200
"""The length of a password in characters; the upper bound keeps hashing cheap."""
PIN_MIN, PIN_MAX = 4, 12
"""The length of a PIN in digits."""
Kind = Literal["password", "pin"]
"""The kind of a secret: a password logs in, a PIN signs off."""
_CHARACTERS_MIN = 4  # different ones in a password
_AT_ONCE = 2  # hashes in parallel; each takes 64 MiB and a core
_FOREVER = ""  # the `now` of a look-up of secrets that do not expire


def password_faults(password: str, *, name: str) -> Iterator[Refusal]:
    """Refuse a password that is too easily guessed.

    >>> [one.why for one in password_faults("Ann Smithson", name="ann smithson")]
    ['a password must not be the name of its account']
    """
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        yield _fault(f"a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters, not {len(password)}")
    elif name_key(password) == name_key(name):
        yield _fault("a password must not be the name of its account")
    elif len(set(password)) < _CHARACTERS_MIN:
        yield _fault(f"a password has at least {_CHARACTERS_MIN} different characters")
    elif any(unicodedata.category(character) in {"Cs", "Cn"} for character in password):
        yield _fault("a password has only characters that can be typed")


def pin_faults(pin: str) -> Iterator[Refusal]:
    """Refuse a PIN that is too easily guessed.

    >>> [list(pin_faults(pin)) == [] for pin in ("0000", "1234", "8765", "1212", "90129012", "2580", "7294")]
    [False, False, False, False, False, True, True]
    """
    if not (PIN_MIN <= len(pin) <= PIN_MAX and pin.isascii() and pin.isdigit()):
        yield _fault(f"a PIN has {PIN_MIN} to {PIN_MAX} digits and nothing else")
        return
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    is_repeated = any(pin == pin[:length] * (len(pin) // length) for length in range(1, len(pin) // 2 + 1))
    if steps <= {1} or steps <= {9} or is_repeated:
        yield _fault("a PIN must not be a run of digits, nor the same digits repeated")


def _fault(why: str) -> Refusal:
    return Refusal("people", why)


class Credentials:
    """Hashes in the vault, each under a random name that the log refers to.

    The log says which name counts, so a hash that it does not refer to opens nothing: a crash or a race between vault
    and log leaves either the old secret or the new one in force, never both.
    """

    def __init__(self, vault: Vault, hasher: PasswordHasher | None = None) -> None:
        self._vault = vault
        self._hasher = hasher or PasswordHasher()
        self._turn = BoundedSemaphore(_AT_ONCE)

    def keep(self, kind: Kind, secret: str) -> str:
        """Hash a secret, put it in the vault, and return its name there. Slow."""
        name = token_hex(16)
        with self._turn:
            self._vault.put(Secret(kind, name, self._hasher.hash(_plain(secret)).encode()))
        return name

    def is_right(self, kind: Kind, name: str, secret: str) -> bool:
        """Return whether a secret is the one of this name; just as slow if there is no such name."""
        found = self._vault.get(kind, name, now=_FOREVER) if name else None
        kept = found.value.decode() if found else self._nobody
        with self._turn:
            try:
                self._hasher.verify(kept, _plain(secret))
            except (VerificationError, InvalidHashError):
                return False
            if found and self._hasher.check_needs_rehash(kept):
                self._vault.put(Secret(kind, name, self._hasher.hash(_plain(secret)).encode()))
        return found is not None

    def forget(self, kind: Kind, name: str) -> None:
        """Remove a secret from the vault. Should that fail, it opens nothing: the log does not refer to it."""
        if name:
            with suppress(LogError):  # what was recorded before is done all the same
                self._vault.forget(kind, name)

    @cached_property
    def _nobody(self) -> str:
        """The hash of a random password, checked where an account has none."""
        return self._hasher.hash(token_hex(16))


def _plain(secret: str) -> bytes:
    """Return the same bytes however a keyboard composes accents."""
    return unicodedata.normalize("NFKC", secret).encode("utf-8", "surrogatepass")
