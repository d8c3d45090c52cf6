"""Follows what other server processes write to the same log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic

from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.writer import AGAIN_SECONDS

_log = logging.getLogger(__name__)
_WAIT_SECONDS = 2.0  # one wait for other processes; it returns as soon as something comes
_GATHER_SECONDS = 0.05  # for which what they write gathers: each look costs a busy event loop two changes of thread
_QUIET_SECONDS = 1.5  # without an entry, after which a throw that another process left open is completed here


class OtherProcesses:
    """Tells a floor which streams others have written to.

    `notice` is told the name and version of such a stream, and returns whether it is a table that only others serve.
    `complete` is told of those tables that were written to and have gone quiet: their process may have ended between
    closing wagers and the roll.
    """

    def __init__(
        self, log: Log, notice: Callable[[str, int], bool], complete: Callable[[Mapping[str, int]], Awaitable[None]]
    ) -> None:
        self._log = log
        self._notice = notice
        self._complete = complete
        self._busy: dict[str, int] = {}  # tables of others that were written to since the last look
        self._before: dict[str, int] = {}  # and before it

    async def follow(self, seen: int) -> None:
        """Follow the log from this sequence on, until cancelled."""
        fault, looked = "", monotonic()
        while True:
            try:
                seen, versions = await asyncio.to_thread(self._changes_since, seen)
                if versions:
                    self._busy |= {name: version for name, version in versions.items() if self._notice(name, version)}
                    await asyncio.sleep(_GATHER_SECONDS)
                if monotonic() - looked > _QUIET_SECONDS:
                    looked = monotonic()
                    quiet = {name: version for name, version in self._before.items() if name not in self._busy}
                    self._before, self._busy = self._busy, {}
                    await self._complete(quiet)
                fault = ""
            except Exception as error:  # noqa: BLE001 - the database is gone; try until it is back
                if fault != (fault := f"{type(error).__name__}: {error}"):  # said once, not every second
                    is_ours = not isinstance(error, LogError | OSError)
                    _log.error("other processes cannot be followed: %s", fault, exc_info=is_ours)
                await asyncio.sleep(AGAIN_SECONDS)

    def _changes_since(self, seen: int) -> tuple[int, Mapping[str, int]]:
        """Wait for entries after this sequence; return the newest, and the version of each stream that has some."""
        return self._log.changes_after(seen) if self._log.wait_for(seen, _WAIT_SECONDS) else (seen, {})
