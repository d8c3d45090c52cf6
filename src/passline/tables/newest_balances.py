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
        self._wagers: deque[tuple[int, TableEvent]] = deque(maxlen=_KEPT)

    def add(self, version: int, balances: Mapping[str, int]) -> None:
        """Add those after an entry of any kind."""
        self._known.append((version, balances))

    def add_wagers(self, version: int, wagers: Sequence[tuple[object, TableEvent]]) -> None:
        """Add commands and events of plain wagers that were made one after another from a version on."""
        self._wagers.extend((number, made) for number, (_, made) in enumerate(wagers, start=version + 1))

    def at(self, version: int) -> dict[str, int] | None:
        """Return the balances at a version, if it is one of the newest."""
        for known, balances in reversed(self._known):
            if known <= version:
                wagers = [made for number, made in self._wagers if known < number <= version]
                return balances_after(balances, wagers) if len(wagers) == version - known else None
        return None
