"""How a table's stream runs: commands completed and judged, dice kept until they are logged, news to every screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec

from passline.dice import Roll
from passline.game import commands as c
from passline.game.refusal import Refused
from passline.store.entry import Head, Stored
from passline.streams.stream import Answer, Ask, Happened, Ruling
from passline.streams.subscriber import Listener
from passline.streams.writer import AGAIN_SECONDS, LogDown
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.decide import judge
from passline.tables.duties import THE_HOUSE, Actor
from passline.tables.entries import table_command, table_events
from passline.tables.events import TableEvent
from passline.tables.limits import as_of
from passline.tables.live import LiveTable, fold, seat_of
from passline.tables.runtime.pending_rolls import Cup
from passline.tables.views.table_view import news_between, own_of, view_of
from passline.tables.views.wording import call_of, has_private, lines_of

if TYPE_CHECKING:
    from passline.streams.stream import RunningStream

__all__ = ["TableCourse"]

_states = msgspec.json.Decoder(LiveTable)
_encode = msgspec.json.Encoder().encode
_HOUSE = ""  # no account has this id


class TableCourse:
    """One table's commands, dice and screens."""

    def __init__(
        self,
        throw: Callable[[], Roll],
        approvals: Callable[[], Approvals],
        clock: Callable[[], str],
        employed: Callable[[str], bool] = lambda _account: False,
    ) -> None:
        self.listeners: set[Listener] = set()
        self.hearers: list[Callable[[Sequence[Happened]], None]] = []  # programs in this process that follow the events
        self.seen: dict[str, int] = {}  # by account: the newest sequence that a screen of theirs here has confirmed
        self.stream: RunningStream[LiveTable]  # set by whoever runs it
        self._id = uuid4().hex  # no other process has it
        self._cup = Cup(throw)
        self._thrown: list[int] = []  # by each one judged: how many rolls were thrown up to then
        self._approvals = approvals
        self._clock = clock
        self._employed = employed
        self._told_at = ""  # the moment of the newest news: limits whose time came by then are on every screen
        self._told_by = Approvals()  # what was on file then
        self._timer: asyncio.TimerHandle | None = None

    # What a running stream asks of it.

    def judge(self, live: LiveTable | None, ask: Ask, at: str) -> Ruling | Refused:
        """Judge a command as completed by what the server knows."""
        command, used = ask.command, self._cup.used
        if isinstance(command, k.FreezeTable):  # what each screen had shown, only the server knows
            command = msgspec.structs.replace(command, shown=self._shown_to(live))
        verdict = judge(
            live,
            command,
            by=ask.by,
            at=at,
            dice=self._cup.throw,
            approvals=self._approvals(),
            signed_by=ask.signed_by,
            employed=self._employed,
        )
        if isinstance(verdict, Refused):
            self._cup.used = used  # what was thrown lies ready
            return verdict
        self._thrown.append(self._cup.used)
        after = verdict.after
        return Ruling(verdict.command, verdict.events, after, hand=after.hand, rules=after.rules)

    def _shown_to(self, live: LiveTable | None) -> dict[str, int]:
        """Give what each seat's screens have confirmed; 0 is unknown: none did, or to another process, which tells."""
        players = live.players if live else {}
        return {str(seat): self.seen.get(player.account, 0) for seat, player in sorted(players.items())}

    def written(self, judged: int) -> None:
        """Keep the dice of what is in the log; the others are thrown again as they lay."""
        self._cup.keep(self._thrown[judged - 1] if judged else 0)
        self._thrown.clear()

    def is_same(self, stored: Stored, ask: Ask) -> bool:
        """Whether an entry is what came of this ask, apart from what `judge` and the server completed."""
        return bool(_bare(table_command(stored.entry), ask.by) == _bare(ask.command, ask.by))

    def read(self, stored: Stored) -> Sequence[TableEvent]:
        """Give the events of an entry."""
        return table_events(stored.entry)

    def fold(self, live: LiveTable | None, stored: Stored, events: Sequence[TableEvent]) -> LiveTable:
        """Give the table after an entry."""
        return fold(live, table_command(stored.entry), events)

    def lines(self, before: LiveTable | None, after: LiveTable | None, events: Sequence[TableEvent]) -> tuple[str, ...]:
        """Say what happened in words, as all may hear it."""
        return () if after is None else lines_of(before, after, events, seats=())

    def lines_to(self, by: Actor, happened: Happened) -> tuple[str, ...]:
        """Say it to whoever asked for it: the crew hears who changed how much for chips, a player only of the own."""
        after: LiveTable | None = happened.after
        if after is None or not has_private(happened.events):
            return happened.lines
        seats = (seat_of(after, by.account),) if by.role == "player" else None
        return lines_of(happened.before, after, happened.events, seats=seats)

    def encode(self, live: LiveTable) -> bytes:
        """Write the table for a snapshot."""
        return _encode(live)

    def decode(self, state: bytes) -> LiveTable:
        """Read the table of a snapshot."""
        return _states.decode(state)

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> None:
        """Send the news of a commit to every screen: what is public is encoded once, the rest where it changed."""
        first, last = happened[0], happened[-1]
        if first.before is not None and first.before.players is not last.after.players:
            seated = {player.account for player in last.after.players.values()}
            self.seen = {account: sequence for account, sequence in self.seen.items() if account in seated}
        self._report_shown(happened)
        for hear in self.hearers:
            hear(happened)
        told_at, told_by = self._tell_from_here(last.after)
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
            **news_between(as_of(first.before, told_at), as_of(last.after, self._told_at), self._told_by, told_by),
            "said": [_said(one) for one in happened],
            "head": head,
        }
        public = _encode(news)
        touched = _touched(first.before, last.after)
        for listener in self.listeners:
            by = listener.by
            told = public
            if by is not None and (by.account in touched if by.role == "player" else touched):
                told = b'%b,"own":%b}' % (public[:-1], _encode(own_of(last.after, by)))
            listener.tell(told, sequence=last.stored.entry.sequence)

    def _report_shown(self, happened: Sequence[Happened]) -> None:
        """Record what screens here confirmed before a freeze was shown to them and whoever froze it did not know."""
        live: LiveTable = happened[-1].after
        if live.frozen is None:
            return
        freeze = next((one.stored.entry for one in happened if one.stored.entry.version == live.froze), None)
        if freeze is None:
            return
        known = live.frozen.shown
        # A screen that came while this was read has confirmed the freeze itself: what it showed before is not known.
        newer = {seat: n for seat, n in self._shown_to(live).items() if known.get(seat, 0) < n < freeze.sequence}
        if newer:
            report = k.ReportShown(freeze=freeze.version, shown=newer)
            self._record(Ask(f"{self._id}-{freeze.sequence}", report, THE_HOUSE))

    def _record(self, ask: Ask) -> None:
        """Have the log keep what the server itself knows; one that is down is asked again, by the same id."""

        def again(done: asyncio.Future[Answer | Refused]) -> None:
            if isinstance(done.exception(), LogDown):
                asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._record, ask)

        self.stream.submit(ask).add_done_callback(again)

    def _tell_from_here(self, live: LiveTable) -> tuple[str, Approvals]:
        """Take news as told now, wait for the next limits, and give when and under what the news before was told."""
        before = self._told_at, self._told_by
        self._told_at, self._told_by = self._clock(), self._approvals()
        self.stop()
        if live.notice is not None and live.notice.at > self._told_at:
            wait = datetime.fromisoformat(live.notice.at) - datetime.fromisoformat(self._told_at)
            self._timer = asyncio.get_running_loop().call_later(wait.total_seconds(), self.refresh)
        return before

    def refresh(self) -> None:
        """Tell every screen what changed though nothing was logged here: limits in force, approvals of the house."""
        live = self.stream.state
        if live is None or live.status == "closed":
            return
        told_at, told_by = self._tell_from_here(live)
        news = news_between(as_of(live, told_at), as_of(live, self._told_at), self._told_by, told_by)
        if news["changed"]:
            place = {"from": self.stream.sequence, "sequence": self.stream.sequence, "head": self.stream.head}
            told = _encode({"kind": "news", **place, **news, "said": []})
            for listener in self.listeners:
                listener.tell(told, sequence=self.stream.sequence)

    def stop(self) -> None:
        """Wait for no limits any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # What a screen asks of it.

    @property
    def current(self) -> LiveTable:
        """The table as a command would find it now: with limits whose time has come, though none recorded it yet."""
        assert self.stream.state is not None
        return as_of(self.stream.state, self._clock())

    def shown(self, by: Actor | None) -> dict[str, Any]:
        """Give the whole table as somebody sees it."""
        live = self.current
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
        listener.sent = self.stream.sequence
        return _encode(self.shown(listener.by))


def _bare(command: Any, by: Actor) -> Any:  # noqa: ANN401 - of any command
    """Give a command without what is completed by who gives it and by what the server knows."""
    match command:
        case c.TakeSeat():
            return k.SeatPlayer(seat=command.seat, account=by.account, name="")
        case k.SeatPlayer():
            return msgspec.structs.replace(command, name="", is_employee=False)
        case k.FreezeTable():
            return msgspec.structs.replace(command, seat=0 if by.role == "player" else command.seat, shown={})
        case _:
            return msgspec.structs.replace(command, by="") if hasattr(command, "by") else command


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
    """Give what all may hear of a decision."""
    entry = one.stored.entry
    call = call_of(one.after, one.events)
    return {"sequence": entry.sequence, "at": entry.at, "lines": one.lines, "call": call}
