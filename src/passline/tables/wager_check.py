"""Decides plain wagers again: nine entries in ten, one after another at the same table.

What a wager changes is noted; the table after all of them is computed only when somebody asks for it.
"""

from __future__ import annotations

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.game.events import WagerIncreased, WagerMade
from passline.game.judges.fast_path import Judgement, WagersInARow
from passline.store.entry import Entry
from passline.tables.entries import TABLE, TABLE_CODEC
from passline.tables.known_wager import CHIPS, takes_wagers
from passline.tables.live import LiveTable, fold_wagers
from passline.tables.rules_in_force import rules_of

_MAKES_WAGER = b'{"command":"make-wager"'
_KEPT = 20_000  # wagers in memory, by their bytes


class WrittenWager:
    """A wager that a player makes with chips, as its entry has it: its command and its only event."""

    __slots__ = ("_agreed", "command", "event")

    def __init__(self, command: c.MakeWager, event: WagerMade | WagerIncreased) -> None:
        self.command, self.event = command, event
        self._agreed: Judgement | None = None  # the newest

    def is_as_judged(self, judgement: Judgement) -> bool:
        """Return whether its event is the one that a judgement leads to."""
        if self._agreed is not judgement:
            if judgement.events != (self.event,):
                return False
            self._agreed = judgement
        return True


class WagerCheck:
    """Reads entries that make a plain wager, and reuses what it has read for entries with the same bytes."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, bytes], WrittenWager] = {}

    def wager_of(self, entry: Entry) -> WrittenWager | None:
        """Return the wager that an entry makes; None if it does something else, or more.

        An entry that cannot be decoded raises the same errors as elsewhere.
        """
        if entry.role != PLAYER or entry.signed_by:
            return None
        raw = bytes(entry.command), bytes(entry.events)
        return self._known.get(raw) or self._read(entry, raw)

    def _read(self, entry: Entry, raw: tuple[bytes, bytes]) -> WrittenWager | None:
        command = TABLE_CODEC.command(entry) if raw[0].startswith(_MAKES_WAGER) else None
        if type(command) is not c.MakeWager or command.by != PLAYER or command.media != CHIPS:
            return None
        events = TABLE_CODEC.events(entry)
        if len(events) != 1 or not isinstance(event := events[0], WagerMade | WagerIncreased):
            return None
        if len(self._known) >= _KEPT:
            self._known.clear()
        wager = self._known[raw] = WrittenWager(command, event)
        return wager


class WagerRun:
    """The plain wagers at a table since its last other entry."""

    def __init__(self, live: LiveTable, *, may_end: bool) -> None:
        self.before, self.may_end = live, may_end  # its text, on some day
        self.wagers: list[tuple[c.MakeWager, WagerMade | WagerIncreased]] = []
        self.first: Entry
        self.last: Entry
        self._marks = live.track.hand, live.rules, f"{TABLE}{live.id}"
        self._accounts = {seat: player.account for seat, player in live.players.items()}
        is_solvent = not live.owes and live.game.money.bank >= 0
        self._game = WagersInARow(rules_of(live), live.game) if takes_wagers(live) and is_solvent else None

    def judgement_of(self, entry: Entry, wager: WrittenWager) -> Judgement | None:
        """Return the judgement that gives a wager as it is written; None if all judges must look at it."""
        command = wager.command
        if self._game is None or self._accounts.get(command.seat) != entry.actor:
            return None
        if (entry.hand, entry.rules, entry.stream) != self._marks:
            return None
        judgement = self._game.judgement_of(command)
        return judgement if judgement is not None and wager.is_as_judged(judgement) else None

    def make(self, entry: Entry, wager: WrittenWager, judgement: Judgement) -> None:
        """Make a wager that was judged."""
        self._game.make(judgement.plain)  # type: ignore[union-attr, arg-type]  # it was judged, and is plain
        if not self.wagers:
            self.first = entry
        self.wagers.append((wager.command, wager.event))
        self.last = entry

    def table(self) -> LiveTable:
        """Return the table after them."""
        return fold_wagers(self.before, self.wagers, self._game.table()) if self._game else self.before
