"""What a table's accounts held at its newest versions, for checkpoints, which name one of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from passline.tables.events import TableEvent
from passline.tables.ledger import balances_after

_KEPT = 1_000  # versions; a checkpoint names the newest one of its moment


class NewestBalances:
    """The balances of a table after its entries; after plain wagers they are added up when somebody asks.

    >>> newest = NewestBalances()
    >>> newest.add(7, {"bank": 100})
    >>> newest.at(7), newest.at(8)
    ({'bank': 100}, None)
    """

    def __init__(self) -> None:
        self._known: deque[tuple[int, Mapping[str, int]]] = deque(maxlen=_KEPT)
        self._wagers: deque[tuple[int, TableEvent]] = deque(maxlen=2 * _KEPT)
        self._newest = 0

    def add(self, version: int, balances: Mapping[str, int]) -> None:
        """Add the balances after an entry of any kind."""
        self._known.append((version, balances))
        self._newest = version

    def add_wagers(self, version: int, wagers: Sequence[tuple[object, TableEvent]]) -> None:
        """Add commands and events of plain wagers that were made one after another from a version on."""
        for begin in range(0, len(wagers), _KEPT):
            part = wagers[begin : begin + _KEPT]
            self._wagers.extend(enumerate([made for _, made in part], start=version + begin + 1))
            self._newest = version + begin + len(part)
            if self._known and self._newest - self._known[-1][0] > _KEPT:
                self.add_up()

    def at(self, version: int) -> dict[str, int] | None:
        """Return the balances at a version; None: it is not one of the newest."""
        if version <= self._newest - _KEPT:
            return None
        for known, balances in reversed(self._known):
            if known <= version:
                wagers = [made for number, made in self._wagers if known < number <= version]
                return balances_after(balances, wagers) if len(wagers) == version - known else None
        return None

    def add_up(self) -> None:
        """Keep the balances at each of the newest versions, equal for everybody who read the same entries.

        Which wagers are plain depends on what a process has met before.
        """
        known, wagers, oldest = dict(self._known), dict(self._wagers), self._newest - _KEPT + 1
        begin = max((version for version in known if version <= oldest), default=oldest)
        found, balances = deque[tuple[int, Mapping[str, int]]](maxlen=_KEPT), None
        for version in range(begin, self._newest + 1):
            if version in known:
                balances = dict(sorted(known[version].items()))
            elif balances is not None and version in wagers:
                balances = dict(sorted(balances_after(balances, (wagers[version],)).items()))
            else:
                balances = None
            if balances is not None and version >= oldest:
                found.append((version, balances))
        self._known = found
        self._wagers.clear()
