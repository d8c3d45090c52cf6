"""Times as entries hold them: UTC to the microsecond, as strings that sort: 2026-11-15T08:00:00.000000Z.

`HouseClock` is the clock of a server: its time never goes back, and a system clock that jumps is noticed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from math import ceil
from threading import Lock

from msgspec import Struct

FOLLOWED_SECONDS = 10
"""How far a process follows a time in the log that is ahead of its own clock, as other processes may have it."""
CLOCK_SECONDS_MAX = 300
"""How far the system's clock may be from the time of the house before nothing is dealt any more."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = 1_000_000  # microseconds
_JUMP = 2 * _SECOND  # less is the work of a time service, which also speeds the clock up or slows it down a little
_RATE = 1000  # one part in so many, at most
_JUMPS_KEPT = 100


def _timestamp(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _microseconds(at: str) -> int:
    return (datetime.fromisoformat(at) - _EPOCH) // timedelta(microseconds=1)


def _wall() -> int:
    return time.time_ns() // 1000


def _steady() -> int:
    """Return a monotonic time that also passes while the machine sleeps."""
    if not hasattr(time, "clock_gettime_ns"):  # Windows
        return time.monotonic_ns() // 1000
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1000


class ClockJump(Struct, frozen=True):
    """A jump of the system's clock: the time it should have shown by the steady clock, and the time it showed."""

    was: str
    found: str


class HouseClock:
    """The time of a house, which goes on steadily while the system's clock jumps.

    It follows the system's clock. If that is set back, it goes on by the machine's steady clock, a tenth slower, until
    the two agree again: it never goes back, and no session lasts longer. If they are more than
    `CLOCK_SECONDS_MAX` apart, `fault` says so and nothing is dealt until the clock is put right. `newest` is the newest
    time that is on record, for a clock that was set back while no server ran.

    >>> steps = iter([0, 10, 20, 30])
    >>> clock = HouseClock(wall=lambda: 3_000_000, steady=lambda: next(steps))
    >>> clock() <= clock() <= clock()
    True
    """

    def __init__(
        self, newest: str = "", *, wall: Callable[[], int] = _wall, steady: Callable[[], int] = _steady
    ) -> None:
        self._read_wall, self._read_steady = wall, steady
        self._lock = Lock()
        self._jumps: deque[ClockJump] = deque(maxlen=_JUMPS_KEPT)
        self._wall, self._steady = wall(), steady()
        self._now = max(self._wall, _microseconds(newest) if newest else 0)
        self._gap = self._wall - self._now  # of the system's clock to the house's
        if -self._gap > _JUMP:
            self._jumps.append(ClockJump(_text(self._now), _text(self._wall)))

    def __call__(self) -> str:
        """Return the present time of the house as a timestamp."""
        with self._lock:
            wall, steady = self._read_wall(), self._read_steady()
            passed = max(0, steady - self._steady)
            if abs(wall - self._wall - passed) > _JUMP + passed // _RATE:
                self._jumps.append(ClockJump(_text(self._wall + passed), _text(wall)))
            self._wall, self._steady = wall, steady
            self._gap = wall - self._now - passed
            if abs(self._gap) > CLOCK_SECONDS_MAX * _SECOND:
                self._now += passed
            else:
                self._now = max(wall, self._now + passed * 9 // 10)
            return _text(self._now)

    @property
    def fault(self) -> str:
        """Why nothing is dealt, in words; empty if the clock was right when the time was last asked for."""
        seconds = abs(self._gap) // _SECOND
        if seconds <= CLOCK_SECONDS_MAX:
            return ""
        where = "ahead of" if self._gap > 0 else "behind"
        stop = f"stop the server until {_second(self._now // _SECOND + 1)}Z"  # its log was dated by a clock ahead
        remedy = f"set it right, or {'restart the server' if self._gap > 0 else stop} if it is right"
        return f"the clock of this server is {wait_text(seconds)} {where} the time of the log: {remedy}"

    def jumps(self) -> list[ClockJump]:
        """Return the jumps that are not on record yet, oldest first."""
        return list(self._jumps)

    def forget_jump(self, jump: ClockJump) -> None:
        """Forget a jump that is on record."""
        with self._lock:
            if jump in self._jumps:
                self._jumps.remove(jump)


def _text(microseconds: int) -> str:
    seconds, rest = divmod(microseconds, _SECOND)
    return f"{_second(seconds)}.{rest:06}Z"


@lru_cache(maxsize=4)  # each command asks twice, nearly always in the same second
def _second(seconds: int) -> str:
    return (_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat()


def utc_now() -> str:
    """Return the present time as a timestamp."""
    return _timestamp(datetime.now(UTC))


@lru_cache(maxsize=4_000)  # the sessions of thousands of screens are checked against few moments
def later(at: str, seconds: int) -> str:
    """Return the timestamp this many seconds after another.

    >>> later("2026-11-15T23:59:30.000000Z", 45)
    '2026-11-16T00:00:15.000000Z'
    """
    return _timestamp(datetime.fromisoformat(at) + timedelta(seconds=seconds))


def seconds_until(then: str, *, now: str) -> int:
    """Return the whole seconds to wait from now until then, at least 1.

    >>> seconds_until("2026-11-15T08:00:30.500000Z", now="2026-11-15T08:00:00.000000Z")
    31
    """
    return max(1, ceil((datetime.fromisoformat(then) - datetime.fromisoformat(now)).total_seconds()))


def wait_text(seconds: int) -> str:
    """Return a wait in words, in minutes if it is longer than one.

    >>> wait_text(1), wait_text(45), wait_text(61)
    ('1 second', '45 seconds', '2 minutes')
    """
    count, unit = (seconds, "second") if seconds <= 60 else (ceil(seconds / 60), "minute")  # noqa: PLR2004 - a minute
    return f"{count} {unit}" + "s" * (count != 1)
