"""How a table's stream runs: commands completed and judged, dice kept until they are logged, news to every screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from passline.dice import Roll
from passline.game.refusal import Refused
from passline.store.entry import Head, Stored
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.cup import Cup
from passline.tables.duties import Actor
from passline.tables.events import TableEvent
from passline.tables.judge import judge
from passline.tables.listening import Listener
from passline.tables.live import LiveTable, fold, seat_of
from passline.tables.reading import table_command, table_events
from passline.tables.stream import Ask, Happened, Ruling
from passline.tables.view import news_between, own_of, said_of, view_of
from passline.tables.wording import lines_of

if TYPE_CHECKING:
    from passline.tables.stream import RunningStream

__all__ = ["TableCourse"]

_states = msgspec.json.Decoder(LiveTable)
_encode = msgspec.json.Encoder().encode
_HOUSE = ""  # no account has this id


class TableCourse:
    """One table's commands, dice and screens."""

    def __init__(self, throw: Callable[[], Roll], approvals: Callable[[], Approvals]) -> None:
        self.listeners: set[Listener] = set()
        self.hearers: list[Callable[[Sequence[Happened]], None]] = []  # programs in this process that follow the events
        self.seen: dict[int, int] = {}  # by seat: the newest sequence that one of its screens has confirmed
        self.stream: RunningStream[LiveTable]  # set by whoever runs it
        self._cup = Cup(throw)
        self._thrown: list[int] = []  # by each one judged: how many rolls were thrown up to then
        self._approvals = approvals

    # What a running stream asks of it.

    def judge(self, live: LiveTable | None, ask: Ask, at: str) -> Ruling | Refused:
        """Judge a command as completed by what the server knows."""
        command, used = ask.command, self._cup.used
        if isinstance(command, k.FreezeTable):  # what each screen had shown, only the server knows
            command = msgspec.structs.replace(command, shown={str(seat): n for seat, n in sorted(self.seen.items())})
        approvals = self._approvals()
        verdict = judge(
            live, command, by=ask.by, at=at, dice=self._cup.throw, approvals=approvals, signed_by=ask.signed_by
        )
        if isinstance(verdict, Refused):
            self._cup.used = used  # what was thrown lies ready
            return verdict
        self._thrown.append(self._cup.used)
        after = verdict.after
        return Ruling(verdict.command, verdict.events, after, hand=after.hand, rules=after.rules)

    def written(self, judged: int) -> None:
        """Keep the dice of what is in the log; the others are thrown again as they lay."""
        self._cup.keep(self._thrown[judged - 1] if judged else 0)
        self._thrown.clear()

    def read(self, stored: Stored) -> Sequence[TableEvent]:
        """Give the events of an entry."""
        return table_events(stored.entry)

    def fold(self, live: LiveTable | None, stored: Stored, events: Sequence[TableEvent]) -> LiveTable:
        """Give the table after an entry."""
        return fold(live, table_command(stored.entry), events)

    def lines(
        self, before: LiveTable | None, after: LiveTable | None, events: Sequence[TableEvent], by: Actor
    ) -> tuple[str, ...]:
        """Say what happened in words: to a player without what others changed for chips."""
        if after is None:
            return ()
        return lines_of(before, after, events, seats=(seat_of(after, by.account),) if by.role == "player" else None)

    def encode(self, live: LiveTable) -> bytes:
        """Write the table for a snapshot."""
        return _encode(live)

    def decode(self, state: bytes) -> LiveTable:
        """Read the table of a snapshot."""
        return _states.decode(state)

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> None:
        """Send the news of a commit to every screen: what is public is encoded once, the rest where it changed."""
        first, last = happened[0], happened[-1]
        for hear in self.hearers:
            hear(happened)
        if not self.listeners:
            return
        if first.before is None or first.before.status == "closed":
            for listener in self.listeners:
                listener.lose()
            return
        news = {
            "kind": "news",
            "from": begun,
            "sequence": last.stored.entry.sequence,
            **news_between(first.before, last.after, self._approvals()),
            "said": [_said(one) for one in happened],
            "head": head,
        }
        public = _encode(news)
        touched = _touched(first.before, last.after)
        for listener in self.listeners:
            by = listener.by
            if by is None or not (by.account in touched if by.role == "player" else touched):
                listener.tell(public)
            else:
                listener.tell(b'%b,"own":%b}' % (public[:-1], _encode(own_of(last.after, by))))

    # What a screen asks of it.

    def shown(self, by: Actor | None) -> dict[str, Any]:
        """Give the whole table as somebody sees it."""
        live = self.stream.state
        assert live is not None
        return {
            "kind": "table",
            "sequence": self.stream.sequence,
            "table": view_of(live, self._approvals()),
            "own": own_of(live, by),
            "head": self.stream.head,
        }

    def whole(self, listener: Listener) -> bytes:
        """Give the whole table for a screen that is new or has fallen behind, which is in step from here on."""
        listener.is_lost = False
        return _encode(self.shown(listener.by))


def _touched(before: LiveTable, after: LiveTable) -> set[str]:
    """Give the accounts to whom something private changed: their seat, their chips; the house's, where only it did."""
    was, now = before.game.money, after.game.money
    if was is now and before.players is after.players:
        return set()
    moved = before.players.keys() ^ after.players.keys()
    for old, new in ((was.racks, now.racks), (was.coupons, now.coupons)):
        if old is not new:
            moved |= {seat for seat, pair in enumerate(zip(old, new, strict=True), start=1) if pair[0] != pair[1]}
    known = [live.players[seat].account for live in (before, after) for seat in moved if seat in live.players]
    return {_HOUSE, *known}


def _said(one: Happened) -> dict[str, Any]:
    entry = one.stored.entry
    return said_of(one.before, one.after, one.events, sequence=entry.sequence, at=entry.at)
