"""Throttling of passwords and PINs, counted in the vault so that it holds across processes and restarts.

A name has five tries from one place, then one at a time after waits that double up to a quarter of an hour, until a try
is right. So a stranger only locks out themselves. Many places together have ten wrong tries at one name. After that a
place that was never right waits for a turn of its own before each try, as long as wrong tries go on; nobody else can
take that turn, so strangers delay a new place and lock nobody out, and places that were right before try at once. An
address has thirty wrong tries at all names together, since a whole casino floor may share one. A place is a device that
has logged in before, or else an address; for a PIN it is who asks for the signature. Names that nobody has are counted
in the same way.
"""

from __future__ import annotations

from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from secrets import token_hex

from msgspec import Struct

from passline.people.accounts import name_key
from passline.store.log import Secret, Vault
from passline.store.timestamps import later, seconds_until, wait_text

PLACE_TRIES = 5
"""How many tries a name has from one place before it must wait there."""
NAME_TRIES = 10
"""How many wrong tries a name has from everywhere before each place that was never right must wait for its turn."""
ADDRESS_TRIES = 30
"""How many wrong tries an address has before it must wait."""
WAIT_SECONDS = 30
"""The first wait; each further one doubles."""
WAIT_SECONDS_MAX = 900
"""The longest wait."""
_FORGOTTEN_SECONDS = 24 * 3600  # after which an unfinished series of tries is forgotten
_KNOWN_SECONDS = 60 * 24 * 3600  # for how long a place that was right is known
_TURN_SECONDS = 3600  # for how long a place may use its turn
_DOUBLINGS_MAX = 5
_PREFIX_BITS = 64  # of an IPv6 address: one customer's network has 2**64 addresses


class Wait(Struct, frozen=True):
    """Too many tries: the secret was not even checked.

    >>> str(Wait(90))
    'too many tries; wait 2 minutes and try again'
    """

    seconds: int

    def __str__(self) -> str:
        return f"too many tries; wait {wait_text(self.seconds)} and try again"


class Try(Struct, frozen=True):
    """A try at somebody's secret: their name, the address it comes from, and what is known of the place."""

    name: str
    address: str = ""
    device: str = ""  # proven, such as by a cookie of an earlier log-in; it has tries of its own
    requester: str = ""  # who is logged in and asks for the signature; they have tries of their own too

    @property
    def name_key(self) -> str:
        """The key of the name, from everywhere."""
        return "name/" + _digest(name_key(self.name))

    @property
    def place_key(self) -> str:
        """The key of the name at this place."""
        if self.device or self.requester:
            place = f"device {self.device}" if self.device else f"device by {self.requester}"
        else:
            place = f"address {network_of(self.address)}"
        return f"{self.name_key}/{_digest(place)}"


class Attempts:
    """The tries of one kind: log-in, sign-off or registration."""

    def __init__(self, vault: Vault, kind: str, *, address_tries: int = ADDRESS_TRIES) -> None:
        self._vault = vault
        self._kind = kind
        self._address_tries = address_tries

    def begin(self, attempt: Try, *, now: str) -> Wait | None:
        """Count a try before it is checked, so that parallel ones cannot slip through, or return a Wait."""
        if not attempt.device and (wait := self.wait_of(attempt.address, now=now)):
            return wait
        key = attempt.place_key
        if wait := self._wait_at(key, now=now):
            return wait
        if not attempt.device and (wait := self._wait_for_turn(attempt, now=now)):
            return wait
        key_of_series = f"{key}/{self._series(key, now=now)}"
        tries = self._vault.count(self._of("tries"), key_of_series, now=now, expires=later(now, _FORGOTTEN_SECONDS))
        return self._turn(key, tries - PLACE_TRIES, now=now) if tries >= PLACE_TRIES else None

    def wait_of(self, address: str, *, now: str) -> Wait | None:
        """Return the Wait of an address that failed too often. An unknown address (empty) never waits."""
        return self._wait_at(_of_address(address), now=now) if address else None

    def count_failure(self, attempt: Try, *, now: str) -> None:
        """Count a wrong try against its address, and against its name from everywhere."""
        self.count_address(attempt.address, now=now)
        self._count(attempt.name_key, NAME_TRIES, now=now)

    def count_address(self, address: str, *, now: str) -> None:
        """Count something that only an address is answerable for, such as a registration."""
        if address:
            self._count(_of_address(address), self._address_tries, now=now)

    def count_success(self, attempt: Try, *, now: str) -> None:
        """Reset the count of a name at its place, and know the place from now on.

        A place that was known already resets the count of the name from everywhere too: ten slips of the finger in a
        day are nobody's attack.
        """
        is_known = bool(attempt.device) or self._is_known(attempt, now=now)
        for key in (attempt.place_key, attempt.name_key) if is_known else (attempt.place_key,):
            series = Secret(self._of("series"), key, token_hex(8).encode(), expires=later(now, _FORGOTTEN_SECONDS))
            self._vault.forget(self._of("wait"), key)
            self._vault.put(series)
        key = attempt.place_key
        if not attempt.device:
            self._vault.put(Secret(self._of("known"), key, b"", expires=later(now, _KNOWN_SECONDS)))

    def _of(self, what: str) -> str:
        return f"{self._kind}-{what}"

    def _is_known(self, attempt: Try, *, now: str) -> bool:
        return self._vault.get(self._of("known"), attempt.place_key, now=now) is not None

    def _series(self, key: str, *, now: str) -> str:
        """Return the name of the current series of tries: counters are never reset, a new one is begun."""
        found = self._vault.get(self._of("series"), key, now=now)
        return found.value.decode() if found else ""

    def _wait_at(self, key: str, *, now: str) -> Wait | None:
        wait = self._vault.get(self._of("wait"), key, now=now)
        return Wait(seconds_until(wait.expires, now=now)) if wait else None

    def _wait_for_turn(self, attempt: Try, *, now: str) -> Wait | None:
        """Return how long a place that was never right waits for its turn while many others try a name, if it must."""
        wait, key = self._wait_at(attempt.name_key, now=now), attempt.place_key
        if wait is None or self._is_known(attempt, now=now):
            return None
        kept = self._vault.get(self._of("place-turn"), key, now=now)
        if kept is not None:
            begins = kept.value.decode()
            if now < begins:
                return Wait(seconds_until(begins, now=now))
            used = self._vault.count(self._of("turn"), f"{key}/{begins}", now=now, expires=kept.expires)
            if used == 1:
                return None  # this is its turn
        begins = later(now, wait.seconds)
        expires = later(begins, _TURN_SECONDS)
        self._vault.put(Secret(self._of("place-turn"), key, begins.encode(), expires))
        return wait

    def _count(self, key: str, tries_max: int, *, now: str) -> None:
        series = f"{key}/{self._series(key, now=now)}"
        tries = self._vault.count(self._of("tries"), series, now=now, expires=later(now, _FORGOTTEN_SECONDS))
        if tries >= tries_max:
            self._turn(key, tries - tries_max, now=now)

    def _turn(self, key: str, doublings: int, *, now: str) -> Wait | None:
        """Let one try through and make the next ones wait; of two at the same time, one gets through."""
        seconds = min(WAIT_SECONDS << min(doublings, _DOUBLINGS_MAX), WAIT_SECONDS_MAX)
        expires = later(now, seconds)
        if self._vault.count(self._of("turn"), key, now=now, expires=expires) > 1:
            return Wait(seconds)
        self._vault.put(Secret(self._of("wait"), key, b"", expires))
        return None


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _of_address(address: str) -> str:
    return "address/" + _digest(network_of(address))


def network_of(address: str) -> str:
    """Return what one customer of a network provider has: an IPv4 address, or a whole IPv6 network.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3:4"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::', '192.0.2.7')
    """
    try:
        read = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(read, IPv6Address):
        if read.ipv4_mapped:
            return str(read.ipv4_mapped)
        return str(IPv6Address(int(read) >> _PREFIX_BITS << _PREFIX_BITS))
    return str(read)
