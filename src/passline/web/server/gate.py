"""The gate: how many connections strangers may hold, how long they may take, and how fast they may ask.

A *stranger* is a connection on which no session was checked yet. Strangers share a bounded part of the connections,
bounded again for each address; the rest is kept for people who are logged in. When strangers fill their part, the one
that has waited longest without a complete request makes room: whoever sends a request at once is always let in.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Literal

from msgspec import Struct
from starlette.requests import HTTPConnection

from passline.people.attempts import network_of
from passline.web.server.logs import logger
from passline.web.server.turns import Turns

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

VISIT = "passline.visit"
"""The extension of an ASGI scope that holds the connection's visit."""
_FILES_WANTED = 65_536
_FILES_OF_ITS_OWN = 200  # for the log, the database, static files and work in processes of their own
_FILES_IF_UNKNOWN = 8_192  # Windows has no such limit
_CLAIMS = 64  # screens with a token still to be checked that may come on top of the strangers' screens
_KNOWN_SECONDS = 900.0  # how long a session that was checked counts as known
_KNOWN_MAX, _BUCKETS_MAX = 20_000, 20_000
_TELL_SECONDS = 10.0  # between two lines about drops in the server's log

State = Literal["waiting", "busy", "watching"]


class Bounds(Struct, frozen=True):
    """How many connections there may be: in all, of strangers, and of one stranger's address."""

    connections: int
    strangers: int
    busy: int  # strangers whose request is being answered
    watching: int  # strangers with a websocket
    address_strangers: int = 256
    address_busy: int = 64
    address_watching: int = 100
    session: int = 256  # connections of one session; more count as a stranger's
    rate: float = 300.0  # requests a second of all strangers together
    burst: int = 3_000
    address_rate: float = 100.0  # and of one address
    address_burst: int = 1_000
    read_rate: float = 20.0  # requests a second of one session that read; more wait for their turn
    read_burst: int = 60


def bounds_within(files: int) -> Bounds:
    """Return the bounds for a server that may open this many files.

    >>> bounds_within(20_000).connections, bounds_within(20_000).strangers
    (16384, 1024)
    >>> bounds_within(1_024).connections, bounds_within(1_024).strangers
    (824, 412)
    """
    connections = max(16, min(16_384, files - _FILES_OF_ITS_OWN))
    strangers = min(1_024, connections // 2)
    return Bounds(connections, strangers, busy=strangers // 4, watching=strangers // 2)


def files_allowed() -> int:
    """Raise the limit of open files as far as this user may, and return it."""
    if resource is None:
        return _FILES_IF_UNKNOWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, _FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return _FILES_WANTED if soft == resource.RLIM_INFINITY else soft


class Bucket:
    """Tokens that come back at a rate, up to a burst; below zero they are a debt.

    >>> bucket = Bucket(2, now=0.0)
    >>> [bucket.spend(1.0, 2, now=0.0) >= 0 for _ in range(3)]
    [True, True, False]
    >>> bucket.spend(1.0, 2, now=5.0) == 1
    True
    """

    __slots__ = ("at", "tokens")

    def __init__(self, burst: float, *, now: float) -> None:
        self.tokens = float(burst)
        self.at = now

    def spend(self, rate: float, burst: float, *, now: float) -> float:
        """Take one token and return how many are left."""
        self.tokens = min(burst, self.tokens + (now - self.at) * rate) - 1
        self.at = now
        return self.tokens


class Turned(Struct, frozen=True):
    """A request or a screen that is turned away: the HTTP status, the reason for the metrics, and why in words."""

    status: int
    reason: str
    why: str


class Visit:
    """One connection, from its first byte to its last. `drop` cuts it off; `late` is called after `deadline`."""

    __slots__ = ("address", "deadline", "drop", "gate", "is_extra", "late", "state", "token")

    def __init__(self, gate: Gate, address: str, drop: Callable[[], None], late: Callable[[float], None]) -> None:
        self.gate = gate
        self.address = address
        self.drop = drop
        self.late = late
        self.state: State = "waiting"
        self.token = ""  # of the session, once it was checked
        self.deadline = math.inf
        self.is_extra = False  # a screen beyond the strangers' bound, because it showed a token


class Gate:
    """All connections of one server process. `is_proxy` tells whether an address stands for many people."""

    def __init__(
        self,
        bounds: Bounds | None = None,
        *,
        is_proxy: Callable[[str], bool] = lambda _address: False,
        dropped: Callable[[str], None] = lambda _reason: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.bounds = bounds or bounds_within(_FILES_IF_UNKNOWN)
        self.clock = clock
        self.turns = Turns()
        self._is_proxy = is_proxy
        self._dropped = dropped
        self._visits: set[Visit] = set()
        self._strangers: dict[str, dict[Visit, None]] = {}  # by address, oldest first
        self._waiting: dict[Visit, None] = {}  # strangers without a complete request, oldest first
        self._counts: Counter[tuple[str, State]] = Counter()  # of strangers by address; "" for all
        self._sessions: Counter[str] = Counter()  # connections by token
        self._known: dict[str, float] = {}  # tokens of sessions, and when they were last checked
        self._all = Bucket(self.bounds.burst, now=clock())
        self._buckets: dict[str, Bucket] = {}  # by address, and by the token of a session
        self._untold: Counter[str] = Counter()  # drops that the server's log has not told yet

    # Coming and going.

    def enter(self, address: str, drop: Callable[[], None], late: Callable[[float], None]) -> Visit | None:
        """Let a new connection in, if need be in place of the stranger who waited longest. None: there is no room."""
        visit, bounds = Visit(self, network_of(address), drop, late), self.bounds
        own = self._strangers.get(visit.address, {})
        is_one = not self._is_proxy(visit.address)
        if is_one and len(own) >= bounds.address_strangers and not self._make_room(own):
            self.count("strangers of one address")
            return None
        is_full = len(self._visits) >= bounds.connections or self.strangers >= bounds.strangers
        if is_full and not self._make_room(self._waiting):
            self.count("strangers")
            return None
        self._visits.add(visit)
        self._strangers.setdefault(visit.address, {})[visit] = None
        self._waiting[visit] = None
        self._add(visit, 1)
        return visit

    def leave(self, visit: Visit) -> None:
        """Forget a connection that has ended; more than once does no harm."""
        if visit not in self._visits:
            return
        self._visits.discard(visit)
        if visit.token:
            self._sessions[visit.token] -= 1
            if not self._sessions[visit.token]:
                del self._sessions[visit.token]
        else:
            self._no_stranger(visit)

    def _make_room(self, strangers: dict[Visit, None]) -> bool:
        """Drop the stranger among these who waited longest without a complete request. Return whether there was one."""
        oldest = next((visit for visit in strangers if visit.state == "waiting"), None)
        if oldest is None:
            return False
        self.count("made room")
        self.leave(oldest)
        oldest.drop()
        return True

    def _no_stranger(self, visit: Visit) -> None:
        self._add(visit, -1)
        self._waiting.pop(visit, None)
        own = self._strangers.get(visit.address, {})
        own.pop(visit, None)
        if not own:
            self._strangers.pop(visit.address, None)

    def _add(self, visit: Visit, change: int) -> None:
        for address in (visit.address, ""):
            self._counts[address, visit.state] += change
            if not self._counts[address, visit.state]:
                del self._counts[address, visit.state]

    @property
    def strangers(self) -> int:
        """How many connections are strangers'."""
        return sum(self._counts["", state] for state in ("waiting", "busy", "watching"))

    @property
    def known_connections(self) -> int:
        """How many connections belong to sessions."""
        return len(self._visits) - self.strangers

    # What a connection does.

    def begin(self, visit: Visit, token: str) -> Turned | None:
        """Begin a request that shows this token, or return why it is turned away."""
        if self._knows(visit, token):
            visit.state = "busy"
            return None
        bounds, now = self.bounds, self.clock()
        bucket = self._bucket(visit.address, bounds.address_burst, now)
        is_one = not self._is_proxy(visit.address)
        if is_one and bucket.spend(bounds.address_rate, bounds.address_burst, now=now) < 0:
            bucket.tokens = max(bucket.tokens, -1.0)
            return Turned(429, "requests", "too many requests came from this address; wait a moment, or log in")
        if self._all.spend(bounds.rate, bounds.burst, now=now) < 0:
            self._all.tokens = max(self._all.tokens, -1.0)
            return Turned(
                429, "requests", "too many requests of people who are not logged in; wait a moment, or log in"
            )
        if self._is_over(visit, "busy", bounds.busy, bounds.address_busy):
            return Turned(503, "busy", "too many requests of people who are not logged in wait for answers; try again")
        self._turn(visit, "busy")
        return None

    def pause(self, visit: Visit) -> float:
        """Return how many seconds a request that reads has to wait: one session cannot keep the tables waiting."""
        if not visit.token:
            return 0.0
        bounds, now = self.bounds, self.clock()
        bucket = self._bucket(visit.token, bounds.read_burst, now)
        bucket.spend(bounds.read_rate, bounds.read_burst, now=now)
        bucket.tokens = max(bucket.tokens, -float(bounds.session))  # so many connections wait at most
        return max(0.0, -bucket.tokens / bounds.read_rate)

    def end(self, visit: Visit) -> None:
        """End a request: the connection waits for the next one."""
        self._turn(visit, "waiting")

    def watch(self, visit: Visit, token: str) -> Turned | None:
        """Begin a websocket that shows this token, or return why it is turned away."""
        if self._knows(visit, token):
            visit.state = "watching"
            return None
        if self._is_over(visit, "watching", self.bounds.watching, self.bounds.address_watching):
            if not token or self._counts["", "watching"] >= self.bounds.watching + _CLAIMS:
                return Turned(503, "watching", "too many people who are not logged in are watching; log in to watch")
            visit.is_extra = True
        self._turn(visit, "watching")
        return None

    def recognise(self, visit: Visit, token: str) -> None:
        """Count a connection as its session's from now on: the session was checked."""
        self._known.pop(token, None)
        self._known[token] = self.clock()
        if len(self._known) > _KNOWN_MAX:
            del self._known[next(iter(self._known))]
        if not visit.token and visit in self._visits and self._sessions.get(token, 0) < self.bounds.session:
            self._no_stranger(visit)
            visit.token = token
            self._sessions[token] += 1

    def _knows(self, visit: Visit, token: str) -> bool:
        checked = self._known.get(token) if token else None
        if not visit.token and checked is not None and self.clock() - checked < _KNOWN_SECONDS:
            self.recognise(visit, token)
        return bool(visit.token)

    def _is_over(self, visit: Visit, state: State, most: int, most_of_address: int) -> bool:
        is_one = not self._is_proxy(visit.address)
        return self._counts["", state] >= most or (is_one and self._counts[visit.address, state] >= most_of_address)

    def _turn(self, visit: Visit, state: State) -> None:
        if visit in self._visits and not visit.token:
            self._add(visit, -1)
            visit.state = state
            self._add(visit, 1)
            self._waiting.pop(visit, None)
            if state == "waiting":
                self._waiting[visit] = None
        visit.state = state

    def _bucket(self, whose: str, burst: int, now: float) -> Bucket:
        bucket = self._buckets.pop(whose, None) or Bucket(burst, now=now)
        self._buckets[whose] = bucket
        if len(self._buckets) > _BUCKETS_MAX:
            del self._buckets[next(iter(self._buckets))]
        return bucket

    # Drops.

    def count(self, reason: str) -> None:
        """Count a connection, a request or a screen that was dropped."""
        self._dropped(reason)
        self._untold[reason] += 1

    async def keep(self) -> None:
        """Drop whoever is late, every second, until cancelled; now and then tell the log how many were dropped."""
        told = self.clock()
        while True:
            await asyncio.sleep(1.0)
            now = self.clock()
            for visit in [visit for visit in self._visits if visit.deadline < now]:
                visit.late(now)
            if self._untold and now - told >= _TELL_SECONDS:
                counts = {reason.replace(" ", "_"): count for reason, count in self._untold.items()}
                logger().warning("connections were dropped", strangers=self.strangers, **counts)
                self._untold.clear()
                told = now


def recognise(connection: HTTPConnection, token: str) -> None:
    """Count the connection of a request as its session's: the session was checked."""
    visit: Visit | None = connection.scope.get("extensions", {}).get(VISIT)
    if visit is not None:
        visit.gate.recognise(visit, token)


def may_watch(connection: HTTPConnection) -> bool:
    """Return whether a screen may stay open, now that its token was checked."""
    visit: Visit | None = connection.scope.get("extensions", {}).get(VISIT)
    return visit is None or bool(visit.token) or not visit.is_extra
