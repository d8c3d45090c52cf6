"""Whether the clock of this machine follows a time service, as its kernel says: reading it takes no rights."""

from __future__ import annotations

import ctypes
import sys
from typing import Literal

from msgspec import Struct

Sync = Literal["synchronised", "not synchronised", "unknown"]
"""What a machine says of its clock; unknown: it cannot be asked."""
_UNSYNCHRONISED, _ERROR = 0x0040, 5  # STA_UNSYNC among the states, and TIME_ERROR as the answer, of adjtimex(2)
_SPARE = 32


class _Timex(ctypes.Structure):
    """`struct timex` of Linux; what is after the fields that are read is left to the kernel."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_long * _SPARE),
    )


class ClockSync(Struct, frozen=True):
    """How the clock of a machine stands: whether a time service disciplines it, and by how much it may be wrong."""

    state: Sync
    milliseconds: int = 0  # how far it may be off at most, as the kernel reckons; 0 where it cannot be asked


def clock_sync() -> ClockSync:
    """Return how the clock of this machine stands now, as chrony, ntpd, systemd-timesyncd and ptp4l tell the kernel.

    >>> clock_sync().state in {"synchronised", "not synchronised", "unknown"}
    True
    """
    if sys.platform != "linux":
        return ClockSync("unknown")
    asked = _Timex()
    try:
        answer = ctypes.CDLL(None).adjtimex(ctypes.byref(asked))
    except (OSError, AttributeError):  # no C library that has it
        return ClockSync("unknown")
    return sync_of(answer, asked.status, asked.maxerror)


def sync_of(answer: int, status: int, microseconds: int) -> ClockSync:
    """Return what the kernel's answer means: its value, its states, and the largest error in microseconds.

    >>> sync_of(0, 0x2001, 1_500)
    ClockSync(state='synchronised', milliseconds=2)
    >>> sync_of(5, 0x0040, 16_000_000).state, sync_of(-1, 0, 0).state
    ('not synchronised', 'unknown')
    """
    if answer < 0:  # a container may forbid the question
        return ClockSync("unknown")
    is_lost = answer == _ERROR or bool(status & _UNSYNCHRONISED)
    return ClockSync("not synchronised" if is_lost else "synchronised", -(-microseconds // 1000))
