"""Incidents: what was refused, added up by account and address, so that the log tells of it and cannot be flooded."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from passline.people.commands import INCIDENTS_MAX, RecordIncidents
from passline.people.events import Incident
from passline.store.timestamps import later

__all__ = ["EVERY_SECONDS", "Incidents"]

EVERY_SECONDS = 60
"""How often the log hears of incidents at most."""
_ADDRESS_MAX = 64


class Incidents:
    """The incidents of this process since the last entry. An account that nobody has is empty: the name is not kept.

    >>> times = iter([0, 0, 0, 59, 60])
    >>> incidents = Incidents(lambda: later("2026-11-15T08:00:00.000000Z", next(times)))
    >>> for _ in range(3):
    ...     incidents.note("log-in", "a1", "192.0.2.7")
    >>> incidents.due()
    >>> incidents.due().incidents
    (Incident(what='log-in', account='a1', address='192.0.2.7', count=3),)
    """

    def __init__(self, clock: Callable[[], str]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._counts: dict[tuple[str, str, str], int] = {}
        self._others = 0
        self._since = ""

    def note(self, what: str, account: str, address: str) -> None:
        """Add an incident."""
        self._add(what, account, address, since=self._clock(), count=1)

    def _add(self, what: str, account: str, address: str, *, since: str, count: int) -> None:
        key = what, account, address[:_ADDRESS_MAX]
        with self._lock:
            self._since = self._since or since
            if key in self._counts or len(self._counts) < INCIDENTS_MAX:
                self._counts[key] = self._counts.get(key, 0) + count
            else:
                self._others += count

    def due(self, *, at_once: bool = False) -> RecordIncidents | None:
        """Return the command that records them, once a minute has passed since the first; then they begin anew."""
        now = self._clock()
        with self._lock:
            if not self._counts or (not at_once and now < later(self._since, EVERY_SECONDS)):
                return None
            incidents = tuple(Incident(*key, count) for key, count in sorted(self._counts.items()))
            command = RecordIncidents(since=self._since, incidents=incidents, others=self._others)
            self._counts, self._others, self._since = {}, 0, ""
        return command

    def put_back(self, command: RecordIncidents) -> None:
        """Take back what could not be recorded."""
        for one in command.incidents:
            self._add(one.what, one.account, one.address, since=command.since, count=one.count)
        with self._lock:
            self._others += command.others
