"""Alarms: rows of the vault that somebody else wrote. The server's log hears of each once, the sealed log how often."""

from __future__ import annotations

import logging
from collections.abc import Callable

from passline.people.guard.incidents import Incidents
from passline.store.log import Secret

__all__ = ["Alarms"]

_WARNED_MAX = 1000


class Alarms:
    """Reports what does not fit. `owner_of` tells whose secret has a name, if anybody's.

    >>> incidents = Incidents(lambda: "2026-11-15T08:00:00.000000Z")
    >>> Alarms(incidents, lambda name: "a1").swapped("pin", "sha256-00")
    >>> incidents.due(at_once=True)[1].incidents
    (Incident(what='vault pin', account='a1', address='', count=1),)
    """

    def __init__(self, incidents: Incidents, owner_of: Callable[[str], str]) -> None:
        self._incidents = incidents
        self._owner_of = owner_of
        self._warned: set[tuple[str, str]] = set()

    def forged(self, row: Secret) -> None:
        """Report a row without the code of this house."""
        self._warn(row.kind, row.key, "was not written by this server and counts as absent")

    def swapped(self, kind: str, name: str) -> None:
        """Report a hash that does not fit its name."""
        self._warn(kind, name, "is not the one that the log names, and opens nothing")

    def _warn(self, kind: str, key: str, why: str) -> None:
        self._incidents.note(f"vault {kind}", self._owner_of(key), "")
        if (kind, key) not in self._warned and len(self._warned) < _WARNED_MAX:
            self._warned.add((kind, key))
            logging.getLogger("passline").error("the vault's %s %s %s: run passline verify", kind, key[:20], why)
