"""Passwords and PINs: what is strong enough, and their argon2 hashes in the vault.

Hashing takes about a tenth of a second by design, in another process: call it from a thread, never on an event loop.

The name of a hash, which the log's events hold, contains the hash's SHA-256: a hash that somebody put in its place does
not fit its name, and opens nothing. So a hash is never changed in place. Names of older logs say nothing of their hash
until `FrontDesk.bind` has recorded a better one.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from hashlib import sha256
from itertools import pairwise
from secrets import token_hex
from typing import Literal

from argon2 import PasswordHasher
from msgspec import Struct

from passline.authority.sign_off import own_signature_fault
from passline.people.accounts import Account, People, is_bound_name, name_key
from passline.people.assertions import Assertion
from passline.people.attempts import Attempts, Try, Wait
from passline.people.guard.blocklist import is_common_password
from passline.people.guard.hashing import hash_secret, is_secret
from passline.people.second_factor import SecondFactor
from passline.refusal import Refusal, Refused
from passline.store.log import LogError, Secret, Vault

PASSWORD_MIN, PASSWORD_MAX = 10, 200
"""The length of a password in characters; the upper bound keeps hashing cheap."""
PIN_MIN, PIN_MAX = 4, 12
"""The length of a PIN in digits."""
Kind = Literal["password", "pin"]
"""The kind of a secret: a password logs in, a PIN signs off."""
SIGNATURE_WRONG = "the name or the PIN is wrong, or that person may not sign this"
"""The one answer to every signature that is not good, so that nobody learns which part of it was."""
_CHARACTERS_MIN = 4  # different ones in a password
_fault = partial(Refusal, "people")
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
    elif is_common_password(password, (name,)):
        yield _fault("this password is among the first that a thief tries; choose three or more words that few combine")


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


def bound_name(value: bytes) -> str:
    """Return the name of a hash, which contains its digest.

    >>> bound_name(b"$argon2id$...")[:15]
    'sha256-9439ebbb'
    """
    return f"sha256-{sha256(value).hexdigest()}"


def secrets_of(account: Account) -> Iterator[tuple[Kind, str]]:
    """Yield the kind and name of each secret that an account has."""
    if account.password:
        yield "password", account.password
    if account.pin:
        yield "pin", account.pin


class Credentials:
    """Hashes in the vault, each under the name that the log refers to.

    The log says which name counts, so a hash that it does not refer to opens nothing: a crash or a race between vault
    and log leaves either the old secret or the new one in force, never both. `swapped` is told the kind and name of a
    hash that does not fit its name.
    """

    def __init__(
        self,
        vault: Vault,
        hasher: PasswordHasher | None = None,
        swapped: Callable[[Kind, str], None] = lambda _kind, _name: None,
    ) -> None:
        self._vault = vault
        self._hasher = hasher or PasswordHasher(parallelism=1)  # one core: tables need the others
        self._swapped = swapped

    def keep(self, kind: Kind, secret: str, *, is_known: bool = False) -> str:
        """Hash a secret, put it in the vault, and return its name there. Slow; strangers wait longer."""
        value = hash_secret(self._hasher, _plain(secret), is_known=is_known).encode()
        name = bound_name(value)
        self._vault.put(Secret(kind, name, value))
        return name

    def is_right(self, kind: Kind, name: str, secret: str, *, is_known: bool = False) -> bool:
        """Return whether a secret is the one of this name; just as slow if there is no such name."""
        found = self._vault.get(kind, name, now=_FOREVER) if name else None
        if found and is_bound_name(name) and not hmac.compare_digest(bound_name(found.value), name):
            self._swapped(kind, name)
            found = None
        kept = found.value.decode(errors="replace") if found else self._nobody
        return is_secret(self._hasher, kept, _plain(secret), is_known=is_known) and found is not None

    def bound(self, kind: Kind, name: str) -> str:
        """Put a hash of an older log also under a name that holds its digest; return it, empty if there is none."""
        found = self._vault.get(kind, name, now=_FOREVER) if name else None
        if found is None:
            return ""
        self._vault.put(Secret(kind, bound_name(found.value), found.value))
        return bound_name(found.value)

    def forget(self, kind: Kind, name: str) -> None:
        """Remove a secret from the vault. Should that fail, it opens nothing: the log does not refer to it."""
        if name:
            with suppress(LogError):  # what was recorded before is done all the same
                self._vault.forget(kind, name)

    @cached_property
    def _nobody(self) -> str:
        """The hash of a random password, checked where an account has none."""
        return hash_secret(self._hasher, _plain(token_hex(16)), is_known=True)


def _plain(secret: str) -> bytes:
    """Return the same bytes however a keyboard composes accents."""
    return unicodedata.normalize("NFKC", secret).encode("utf-8", "surrogatepass")


class SignOff(Struct, frozen=True, forbid_unknown_fields=True):
    """The name and PIN of the person who signs off a command."""

    name: str
    pin: str
    assertion: Assertion | None = None  # of their authenticator, where the house elects that too

    def __repr__(self) -> str:
        return f"SignOff(name={self.name!r}, pin=(withheld))"


class SignOffCheck:
    """Checks the name and PIN of the person who signs off, and the authenticator where the house elects one."""

    def __init__(
        self,
        credentials: Credentials,
        attempts: Attempts,
        second: SecondFactor,
        note: Callable[[str, str, str], None],
    ) -> None:
        self._credentials = credentials
        self._attempts = attempts
        self._second = second
        self._note = note  # is told what was refused, to whom and from where

    def check(
        self,
        people: People,
        given: SignOff,
        *,
        command: object,
        may_sign: Callable[[Account], bool],
        requester: str,
        address: str,
        now: str,
    ) -> Account | Refused | Wait:
        """Return the account that signs: see `_check`. What is refused is noted."""
        signed = self._check(
            people, given, command=command, may_sign=may_sign, requester=requester, address=address, now=now
        )
        if not isinstance(signed, Account):
            whose = people.account_named(given.name)
            what = "sign-off-wait" if isinstance(signed, Wait) else "sign-off"
            self._note(what, whose.id if whose else "", address)
        return signed

    def _check(
        self,
        people: People,
        given: SignOff,
        *,
        command: object,
        may_sign: Callable[[Account], bool],
        requester: str,
        address: str,
        now: str,
    ) -> Account | Refused | Wait:
        """Return the account that signs: one who may, not the requester, with the right PIN. Slow.

        The PIN of somebody who may not sign is not looked at; the answer takes as long and is the same. The requester
        has tries of their own at each name, so nobody locks out a colleague's signature. While many others try that
        name they wait for a turn, unless the two have signed together before.
        """
        account = people.account_named(given.name)
        if account is not None and account.id == requester:
            return Refused((Refusal("duties", own_signature_fault("this", account.name)),))
        attempt = Try(given.name, address, requester=requester)
        if wait := self._attempts.begin(attempt, now=now):
            return wait
        is_fit = account is not None and not account.is_disabled and may_sign(account)
        pin_name = account.pin if account is not None and is_fit else ""
        if not self._credentials.is_right("pin", pin_name, given.pin, is_known=True) or account is None:
            self._attempts.count_failure(attempt, now=now)
            return Refused((Refusal("duties", SIGNATURE_WRONG),))
        self._attempts.count_success(attempt, now=now)
        refused = self._second.refusal_of(people, account, given.assertion, requester=requester, command=command)
        return refused or account
