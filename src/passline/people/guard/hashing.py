"""Where secrets are hashed: one at a time for strangers and one for people known here, behind everything else.

A hash takes a core for a tenth of a second and 64 MiB. Whoever tries a thousand passwords keeps one slow thread busy,
and neither a table nor somebody who is logged in waits for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import get_native_id
from typing import TypeVar

__all__ = ["hashed"]

T = TypeVar("T")
_NICE = 5  # of 19: a third of what a table's thread gets where both want the same core


def _step_back() -> None:
    """Lower the priority of this thread, and of those that argon2 starts from it, where the system can."""
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICE)


def _thread(name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=name, initializer=_step_back)


_STRANGERS, _KNOWN = _thread("hashing-strangers"), _thread("hashing-known")


def hashed(work: Callable[[], T], *, is_known: bool) -> T:
    """Do a hash in its thread and wait for it; those whom the house knows do not wait for strangers.

    >>> hashed(lambda: 6 * 7, is_known=True)
    42
    """
    return (_KNOWN if is_known else _STRANGERS).submit(work).result()
