"""Incidents: what was refused, added up by account and address, so that the log tells of it and cannot be flooded."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from uuid import uuid4

from passline.people.commands import INCIDENTS_MAX, RecordIncidents
from passline.people.events import Incident
from passline.store.log import Secret
from passline.store.timestamps import later

EVERY_SECONDS = 60
"""How often the log hears of incidents at most."""
_ADDRESS_MAX = 64
_WARNED_MAX = 1000


class Incidents:
    """The incidents of this process since the last entry. An account that nobody has is empty: the name is not kept.

    >>> times = iter([0, 0, 0, 59, 60])
    >>> incidents = Incidents(lambda: later("2026-11-15T08:00:00.000000Z", next(times)))
    >>> for _ in range(3):
    ...     incidents.note("log-in", "a1", "192.0.2.7")
    >>> incidents.due()
    >>> incidents.due()[1].incidents
    (Incident(what='log-in', account='a1', address='192.0.2.7', count=3),)
    """

    def __init__(self, clock: Callable[[], str]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._counts: dict[tuple[str, str, str], int] = {}
        self._others = 0
        self._since = ""
        self._sent: tuple[str, RecordIncidents] | None = None  # under its id, until it is known to be in the log

    def note(self, what: str, account: str, address: str) -> None:
        """Add an incident."""
        key, now = (what, account, address[:_ADDRESS_MAX]), self._clock()
        with self._lock:
            self._since = self._since or now
            if key in self._counts or len(self._counts) < INCIDENTS_MAX:
                self._counts[key] = self._counts.get(key, 0) + 1
            else:
                self._others += 1

    def due(self, *, at_once: bool = False) -> tuple[str, RecordIncidents] | None:
        """Return the command that records the incidents, and its id, once a minute has passed since the first.

        Until `recorded` is called it is the same one under the same id, so that it is in the log once, whatever the
        log answers; what is refused meanwhile is added up for the next one.
        """
        now = self._clock()
        with self._lock:
            if self._sent is None and self._counts and (at_once or now >= later(self._since, EVERY_SECONDS)):
                incidents = tuple(Incident(*key, count) for key, count in sorted(self._counts.items()))
                command = RecordIncidents(since=self._since, incidents=incidents, others=self._others)
                self._sent = uuid4().hex, command
                self._counts, self._others, self._since = {}, 0, ""
            return self._sent

    def forget_recorded(self, id: str) -> None:  # noqa: A002 - the entry's word
        """Forget the incidents that are in the log now."""
        with self._lock:
            if self._sent is not None and self._sent[0] == id:
                self._sent = None


class Alarms:
    """Reports what does not fit. `owner_of` tells whose secret has a name, if anybody's.

    >>> incidents = Incidents(lambda: "2026-11-15T08:00:00.000000Z")
    >>> Alarms(incidents, lambda name: "a1").report_swapped("pin", "sha256-00")
    >>> incidents.due(at_once=True)[1].incidents
    (Incident(what='vault pin', account='a1', address='', count=1),)
    """

    def __init__(self, incidents: Incidents, owner_of: Callable[[str], str]) -> None:
        self._incidents = incidents
        self._owner_of = owner_of
        self._warned: set[tuple[str, str]] = set()

    def report_forged(self, row: Secret) -> None:
        """Report a row without the code of this house."""
        self._warn(row.kind, row.key, "was not written by this server and counts as absent")

    def report_swapped(self, kind: str, name: str) -> None:
        """Report a hash that does not fit its name."""
        self._warn(kind, name, "is not the one that the log names, and opens nothing")

    def _warn(self, kind: str, key: str, why: str) -> None:
        self._incidents.note(f"vault {kind}", self._owner_of(key), "")
        if (kind, key) not in self._warned and len(self._warned) < _WARNED_MAX:
            self._warned.add((kind, key))
            logging.getLogger("passline").error("the vault's %s %s %s: run passline verify", kind, key[:20], why)
