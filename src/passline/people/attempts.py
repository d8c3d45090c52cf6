"""How often somebody may try a password or a PIN: counted in the vault, so that it holds over processes and restarts.

Five tries for a name, then one try at a time with a wait that doubles up to a quarter of an hour, until one is right.
An address has more, because a whole floor may come from one, and there only what was wrong counts.
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
"""How many tries a name has before the first wait."""
ADDRESS_TRIES = 30
"""How many wrong tries an address has before the first wait."""
WAIT_SECONDS = 30
"""The first wait; each further one is twice as long."""
WAIT_SECONDS_MAX = 900
"""The longest wait: a stranger who keeps trying must not be able to lock somebody out for long."""
_FORGOTTEN_SECONDS = 24 * 3600  # after this an unfinished series of tries is forgotten
_DOUBLINGS_MAX = 5


class Wait(Struct, frozen=True):
    """Too many tries: nothing was looked at.

    >>> str(Wait(90))
    'too many tries; wait 2 minutes and try again'
    """

    seconds: int

    def __str__(self) -> str:
        return f"too many tries; wait {wait_text(self.seconds)} and try again"


class Attempts:
    """The tries of one kind: log-ins, sign-offs, registrations."""

    def __init__(self, vault: Vault, kind: str, *, address_tries: int = ADDRESS_TRIES) -> None:
        self._vault = vault
        self._kind = kind
        self._address_tries = address_tries

    def begin(self, name: str, address: str, *, now: str) -> Wait | None:
        """Count a try of a name before it is looked at, so that many at once do not slip through; or make it wait."""
        if wait := self.pending(address, now=now):
            return wait
        key = _of_name(name)
        if wait := self._pending(key, now=now):
            return wait
        key_of_series = f"{key}/{self._series(key, now=now)}"
        tries = self._vault.count(self._of("tries"), key_of_series, now=now, expires=later(now, _FORGOTTEN_SECONDS))
        return self._turn(key, tries - NAME_TRIES, now=now) if tries >= NAME_TRIES else None

    def pending(self, address: str, *, now: str) -> Wait | None:
        """Make an address wait that has tried too often; an unknown one never does, for it could be anybody's."""
        return self._pending(_of_address(address), now=now) if address else None

    def failed(self, address: str, *, now: str) -> None:
        """Count a wrong try, or one of which there should not be many, against where it came from."""
        if not address:
            return
        key = _of_address(address)
        tries = self._vault.count(self._of("tries"), key, now=now, expires=later(now, _FORGOTTEN_SECONDS))
        if tries >= self._address_tries:
            self._turn(key, tries - self._address_tries, now=now)

    def succeeded(self, name: str, *, now: str) -> None:
        """Begin the count of a name anew."""
        key = _of_name(name)
        self._vault.forget(self._of("wait"), key)
        self._vault.put(Secret(self._of("series"), key, token_hex(8).encode(), expires=later(now, _FORGOTTEN_SECONDS)))

    def _of(self, what: str) -> str:
        return f"{self._kind}-{what}"

    def _series(self, key: str, *, now: str) -> str:
        """What the current series of tries is called: a counter is never set back, a new one is begun."""
        found = self._vault.get(self._of("series"), key, now=now)
        return found.value.decode() if found else ""

    def _pending(self, key: str, *, now: str) -> Wait | None:
        wait = self._vault.get(self._of("wait"), key, now=now)
        return Wait(seconds_until(wait.expires, now=now)) if wait else None

    def _turn(self, key: str, doublings: int, *, now: str) -> Wait | None:
        """Let one try through and make the next ones wait; of two at once, one gets through."""
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
