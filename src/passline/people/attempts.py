"""Throttling of passwords and PINs, counted in the vault so that it holds across processes and restarts.

A name has five tries, then one at a time after waits that double up to a quarter of an hour, until a try is right.
An address has more tries, since a whole casino floor may share one, and only wrong ones count.
"""

from __future__ import annotations

from hashlib import sha256
from secrets import token_hex

from msgspec import Struct

from passline.people.accounts import name_key
from passline.store.log import Secret, Vault
from passline.store.timestamps import later, seconds_until, wait_text

__all__ = ["ADDRESS_TRIES", "NAME_TRIES", "WAIT_SECONDS", "WAIT_SECONDS_MAX", "Attempts", "Wait"]

NAME_TRIES = 5
"""How many tries a name has before it must wait."""
ADDRESS_TRIES = 30
"""How many wrong tries an address has before it must wait."""
WAIT_SECONDS = 30
"""The first wait; each further one doubles."""
WAIT_SECONDS_MAX = 900
"""The longest wait, so that a stranger who keeps trying cannot lock somebody out for long."""
_FORGOTTEN_SECONDS = 24 * 3600  # after which an unfinished series of tries is forgotten
_DOUBLINGS_MAX = 5


class Wait(Struct, frozen=True):
    """Too many tries: the secret was not even checked.

    >>> str(Wait(90))
    'too many tries; wait 2 minutes and try again'
    """

    seconds: int

    def __str__(self) -> str:
        return f"too many tries; wait {wait_text(self.seconds)} and try again"


class Attempts:
    """The tries of one kind: log-in, sign-off or registration."""

    def __init__(self, vault: Vault, kind: str, *, address_tries: int = ADDRESS_TRIES) -> None:
        self._vault = vault
        self._kind = kind
        self._address_tries = address_tries

    def begin(self, name: str, address: str, *, now: str) -> Wait | None:
        """Count a try before it is checked, so that parallel ones cannot slip through, or return a Wait."""
        if wait := self.pending(address, now=now):
            return wait
        key = _of_name(name)
        if wait := self._pending(key, now=now):
            return wait
        key_of_series = f"{key}/{self._series(key, now=now)}"
        tries = self._vault.count(self._of("tries"), key_of_series, now=now, expires=later(now, _FORGOTTEN_SECONDS))
        return self._turn(key, tries - NAME_TRIES, now=now) if tries >= NAME_TRIES else None

    def pending(self, address: str, *, now: str) -> Wait | None:
        """Return the Wait of an address that failed too often. An unknown address (empty) never waits."""
        return self._pending(_of_address(address), now=now) if address else None

    def failed(self, address: str, *, now: str) -> None:
        """Count a wrong try, or a registration, against its address."""
        if not address:
            return
        key = _of_address(address)
        tries = self._vault.count(self._of("tries"), key, now=now, expires=later(now, _FORGOTTEN_SECONDS))
        if tries >= self._address_tries:
            self._turn(key, tries - self._address_tries, now=now)

    def succeeded(self, name: str, *, now: str) -> None:
        """Reset the count of a name."""
        key = _of_name(name)
        self._vault.forget(self._of("wait"), key)
        self._vault.put(Secret(self._of("series"), key, token_hex(8).encode(), expires=later(now, _FORGOTTEN_SECONDS)))

    def _of(self, what: str) -> str:
        return f"{self._kind}-{what}"

    def _series(self, key: str, *, now: str) -> str:
        """Return the name of the current series of tries: counters are never reset, a new one is begun."""
        found = self._vault.get(self._of("series"), key, now=now)
        return found.value.decode() if found else ""

    def _pending(self, key: str, *, now: str) -> Wait | None:
        wait = self._vault.get(self._of("wait"), key, now=now)
        return Wait(seconds_until(wait.expires, now=now)) if wait else None

    def _turn(self, key: str, doublings: int, *, now: str) -> Wait | None:
        """Let one try through and make the next ones wait; of two at the same time, one gets through."""
        seconds = min(WAIT_SECONDS << min(doublings, _DOUBLINGS_MAX), WAIT_SECONDS_MAX)
        expires = later(now, seconds)
        if self._vault.count(self._of("turn"), key, now=now, expires=expires) > 1:
            return Wait(seconds)
        self._vault.put(Secret(self._of("wait"), key, b"", expires))
        return None


def _of_name(name: str) -> str:
    return "name/" + sha256(name_key(name).encode("utf-8", "surrogatepass")).hexdigest()


def _of_address(address: str) -> str:
    return "address/" + sha256(address.encode("utf-8", "surrogatepass")).hexdigest()
