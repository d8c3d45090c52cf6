"""How a table's stream runs: commands completed and judged, dice kept until they are logged, news to every screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from passline.dice import Roll, roll_of, stick_call
from passline.game import commands as c
from passline.game import events as e
from passline.game.refusal import Refused
from passline.store.entry import Head, Stored
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.cup import Cup
from passline.tables.events import TableEvent
from passline.tables.judge import judge
from passline.tables.listening import Listener
from passline.tables.live import LiveTable, fold, rules_of
from passline.tables.stream import Ask, Happened, Judged
from passline.tables.view import lines_of, own_view, table_view, wager_view

if TYPE_CHECKING:
    from passline.tables.stream import RunningStream

__all__ = ["TableCourse"]

_commands = msgspec.json.Decoder(TableCommand)
_events = msgspec.json.Decoder(tuple[TableEvent, ...])
_states = msgspec.json.Decoder(LiveTable)
_encode = msgspec.json.Encoder().encode


class TableCourse:
    """One table's commands, dice and screens."""

    def __init__(self, throw: Callable[[], Roll], approvals: Callable[[], Any]) -> None:
        self.listeners: set[Listener] = set()
        self.seen: dict[int, int] = {}  # by seat: the newest sequence that one of its screens has confirmed
        self.stream: RunningStream[LiveTable]  # set by whoever runs it
        self._cup = Cup(throw)
        self._thrown: list[int] = []  # by each one judged: how many rolls were thrown up to then
        self._approvals = approvals
        self._view: dict[str, Any] = {}  # what the screens show, as they were told last

    # What a running stream asks of it.

    def judge(self, live: LiveTable | None, ask: Ask, at: str) -> tuple[Any, Judged | Refused]:
        """Judge a command as completed by what the server knows."""
        command, used = self._completed(ask), self._cup.used
        verdict = judge(live, command, by=ask.by, at=at, dice=self._cup.throw, approvals=self._approvals())
        if isinstance(verdict, Refused):
            self._cup.used = used  # what was thrown lies ready
            return command, verdict
        self._thrown.append(self._cup.used)
        after = verdict.after
        return command, Judged(verdict.events, after, hand=after.hand, rules=after.rules)

    def _completed(self, ask: Ask) -> Any:  # noqa: ANN401 - any command
        """Complete what pages leave to the server: who takes the seat, and what each screen had shown."""
        command, by = ask.command, ask.by
        if isinstance(command, c.TakeSeat):
            return k.SeatPlayer(
                seat=command.seat, account=by.account, name=by.name, is_employee=command.is_employee
            )
        if isinstance(command, k.FreezeTable):
            return msgspec.structs.replace(command, shown={str(seat): n for seat, n in sorted(self.seen.items())})
        return command

    def written(self, judged: int) -> None:
        """Keep the dice of what is in the log; the others are thrown again as they lay."""
        self._cup.keep(self._thrown[judged - 1] if judged else 0)
        self._thrown.clear()

    def read(self, stored: Stored) -> Sequence[TableEvent]:
        """Give the events of an entry."""
        return _events.decode(stored.entry.events)

    def fold(self, live: LiveTable | None, stored: Stored, events: Sequence[TableEvent]) -> LiveTable:
        """Give the table after an entry."""
        return fold(live, _commands.decode(stored.entry.command), events)

    def lines(self, live: LiveTable | None, events: Sequence[TableEvent]) -> tuple[str, ...]:
        """Say what happened in words."""
        return () if live is None else lines_of(live, events)

    def encode(self, live: LiveTable) -> bytes:
        """Write the table for a snapshot."""
        return _encode(live)

    def decode(self, state: bytes) -> LiveTable:
        """Read the table of a snapshot."""
        return _states.decode(state)

    def publish(self, before: LiveTable | None, happened: Sequence[Happened], head: Head) -> None:
        """Send the news of a commit to every screen: what is public is encoded once."""
        if not self.listeners:
            self._view = {}
            return
        live = happened[-1].after
        shown, self._view = self._view, self._shown(live)
        if before is None or not shown:
            for listener in self.listeners:
                listener.lose()
            return
        sequence = happened[-1].stored.entry.sequence
        news = {
            "kind": "news",
            "from": self._sequence_before(happened),
            "sequence": sequence,
            "changed": {key: value for key, value in self._view.items() if value != shown[key]},
            **_wagers_between(before, live),
            "said": [self._said(one) for one in happened],
            "head": head,
        }
        public = _encode(news)
        text = public.decode()
        for listener in self.listeners:
            own = own_view(live, listener.by)
            if own == listener.own:
                listener.tell(text)
            else:
                listener.own = own
                listener.tell(f'{text[:-1]},"own":{_encode(own).decode()}}}')
