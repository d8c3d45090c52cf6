"""The websocket of a table: the table, then its news; commands in, answers out."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Any, Literal

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from passline.errors import CrapsError
from passline.game.refusal import Refused
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Listener
from passline.streams.writer import LogDown, ServerFault
from passline.tables.commands import TableCommand
from passline.tables.live import seat_of
from passline.tables.runtime.floor import RunningTable
from passline.tables.views.areas import areas_of
from passline.web.api.submission import LOG_DOWN, SignOff, actor_of, check_id, is_fit_id, submit, submit_at_once
from passline.web.auth.visitors import Visitor, address_of, is_same_origin, visitor_of
from passline.web.server.responses import BODY_MAX, Denied, decoded, denied
from passline.web.server.services import Services, services_of
from passline.web.server.websocket_protocol import short_ways

__all__ = ["Said", "live_table"]

_UNANSWERED_MAX = 200  # commands of one screen that wait for their answer; a program that sends more is let wait
_UNREAD_MAX = 1000  # answers that a screen has not taken; one that only talks is shown the door
_CHECK_SECONDS = 60.0  # how long a session is taken for valid here; Screens looks after all of them every few seconds
_POLICY, _UNKNOWN = 1008, 4404  # codes of a websocket's close


class Said(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a screen says: a command, a question, or what it has shown."""

    id: str = ""
    command: TableCommand | None = None
    sign_off: SignOff | None = None
    ask: Literal["areas", "table"] | None = None
    seen: int | None = None


_said = msgspec.json.Decoder(Said)
_encode = msgspec.json.Encoder().encode


async def live_table(websocket: WebSocket, id: str) -> None:  # noqa: A002 - the page's own word
    """Serve one screen until it leaves."""
    services = services_of(websocket)
    if not is_same_origin(websocket):
        await websocket.close(_POLICY, "another site's page")
        return
    role = websocket.query_params.get("role", "player")
    visitor = await visitor_of(websocket)
    table = await services.floor.table(id)
    if table is None:
        await websocket.close(_UNKNOWN, "no such table")
        return
    if role != "spectator" and visitor is not None and role not in visitor.roles:
        await websocket.close(_POLICY, f"not a role of {visitor.name}"[:120])
        return
    await websocket.accept()
    await _Screen(services, table, websocket, None if role == "spectator" else visitor, role).serve()


class _Screen:
    """One open websocket."""

    def __init__(
        self, services: Services, table: RunningTable, websocket: WebSocket, visitor: Visitor | None, role: str
    ) -> None:
        self._services = services
        self._table = table
        self._websocket = websocket
        self._token = visitor.token if visitor else ""
        self.account = visitor.account if visitor else ""
        self.role = role
        self._checked = self._as_of()
        self._unanswered = 0
        self._answered = asyncio.Event()
        self._is_busy = True  # with a message that came the long way: none may overtake it
        self._short = short_ways(websocket.scope)
        by = actor_of(visitor, role) if visitor else None
        self._listener = Listener(by, self._short.push if self._short else None)

    @property
    def _by(self) -> Actor | None:
        """Who sits before it; nobody, if they only look on or their session has ended."""
        return self._listener.by

    async def serve(self) -> None:
        """Send and receive at once; whichever ends first ends both."""
        self._table.listen(self._listener)
        if self._token:
            self._services.screens.enter(self._token, self)
        self._services.metrics.screens.inc()
        sending = asyncio.create_task(self._send())
        if self._short:
            self._short.hear = self._hear_at_once
        try:
            await self._receive()
        except WebSocketDisconnect:
            pass
        finally:
            if self._short:
                self._short.hear = None
            self._table.leave(self._listener)
            self._services.screens.leave(self._token, self)
            self._services.metrics.screens.dec()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def shut(self) -> None:
        """Close it because its session has ended; nothing private is sent from here on."""
        self._listener.by = None
        self._table.leave(self._listener)
        with suppress(RuntimeError):  # it has left by itself
            await self._websocket.close(_POLICY, "the session has ended; log in again")

    async def _send(self) -> None:
        listener = self._listener
        try:
            while True:
                await listener.ready()
                messages = listener.take()
                if listener.is_lost:
                    self._services.metrics.shown.inc()
                    messages.append(self._table.course.whole(listener))
                for message in messages:
                    await self._websocket.send_text(message.decode())
        except (WebSocketDisconnect, RuntimeError):  # it left while something was on its way
            return

    def _hear_at_once(self, message: bytes) -> bool:
        """Take a message by the short way, as nearly all can be; whether it was.

        One that must be waited for, is long in the making or not in order goes the long way, where others have a turn.
        """
        has_room = self._unanswered < _UNANSWERED_MAX and self._listener.waiting <= _UNREAD_MAX
        if self._is_busy or self._by is None or not has_room or not self._is_checked():
            return False
        try:
            said = _said.decode(message)
        except (msgspec.MsgspecError, RecursionError):
            return False
        if said.ask or len(message) > BODY_MAX:
            return False
        if said.command is not None:
            ask = Ask(said.id, said.command, self._by)
            future = submit_at_once(self._services, self._table, ask) if is_fit_id(said.id) else None
            if future is None:
                return False
            self._await(said.id, future)
        self._see(said)
        return True

    async def _receive(self) -> None:
        while True:
            self._is_busy = False
            text = await self._next()
            self._is_busy = True
            if self._listener.waiting > _UNREAD_MAX:
                await self._websocket.close(_POLICY, "says much and reads nothing")
                return
            while self._unanswered >= _UNANSWERED_MAX:
                self._answered.clear()
                await self._answered.wait()
            try:
                await self._hear(self._read(text))
            except Denied as refused:
                self._refuse(_id_in(text), refused)
            await asyncio.sleep(0)

    async def _next(self) -> str:
        """Give the next message; one that is sent as bytes is text too, as far as it is."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text: str | None = message.get("text")
        return (message.get("bytes") or b"").decode(errors="replace") if text is None else text

    def _read(self, text: str) -> Said:
        if len(text) > BODY_MAX:
            raise denied(413, f"a message has at most {BODY_MAX} bytes; send less")
        said: Said = decoded(text, _said)
        return said

    async def _hear(self, said: Said) -> None:
        """Act on a message."""
        if self._by is not None:
            await self._check()
        self._see(said)
        if said.ask == "table":
            self._listener.lose()
        elif said.ask == "areas":
            areas = areas_of(self._table.current, self._seat())
            self._listener.tell(_encode({"kind": "areas", "id": said.id, "areas": areas}), is_news=False)
        elif said.command is not None:
            await self._command(said)

    def _see(self, said: Said) -> None:
        """Note what a player's screen says it has shown, as far as that was sent to it."""
        if said.seen is not None and self._seat():
            seen, account = self._table.course.seen, self.account
            seen[account] = max(seen.get(account, 0), min(said.seen, self._listener.sent))

    def _seat(self) -> int:
        return seat_of(self._table.live, self.account) if self._by and self.role == "player" else 0

    async def _command(self, said: Said) -> None:
        assert said.command is not None
        check_id(said.id)
        if self._by is None:
            raise denied(401, "log in to take part", "duties")
        ask, address = Ask(said.id, said.command, self._by), address_of(self._websocket)
        self._await(said.id, await submit(self._services, self._table, ask, said.sign_off, address))

    def _await(self, id_: str, future: asyncio.Future[Answer | Refused]) -> None:
        self._unanswered += 1
        future.add_done_callback(lambda done: self._answer(id_, done))

    async def _check(self) -> None:
        """Shut out one whose session has ended, before anything is done or told."""
        if self._is_checked():
            return
        visitor = await visitor_of(self._websocket)
        self._checked = self._as_of()
        if visitor is None or self.role not in visitor.roles:
            await self.shut()
            raise WebSocketDisconnect(_POLICY)
        self._listener.by = actor_of(visitor, self.role)

    def _is_checked(self) -> bool:
        """Whether the session was looked at lately, and nothing was written about people since."""
        now = self._as_of()
        return now[1:] == self._checked[1:] and now[0] - self._checked[0] <= _CHECK_SECONDS

    def _as_of(self) -> tuple[float, int, int]:
        """When a session was looked at, and what was known about people then."""
        return monotonic(), self._services.desk.version, self._services.floor.people_version

    def _answer(self, id_: str, done: asyncio.Future[Answer | Refused]) -> None:
        self._unanswered -= 1
        self._answered.set()
        if done.cancelled():
            return
        error = done.exception()
        if isinstance(error, LogDown):
            self._refuse(id_, denied(503, LOG_DOWN))
        elif error is not None:
            self._refuse(id_, _fault(error))
        elif isinstance(answer := done.result(), Refused):
            self._refuse(id_, answer)
        else:
            told = {"kind": "done", "id": id_, "sequence": answer.sequence, "head": answer.head, "lines": answer.lines}
            self._listener.tell(_encode(told), is_news=False)

    def _refuse(self, id_: str, refused: Refused | Denied) -> None:
        refusals = [{"clause": one.clause, "why": one.why} for one in refused.refusals]
        told: dict[str, Any] = {"kind": "refused", "id": id_, "refusals": refusals}
        self._listener.tell(_encode(told), is_news=False)


def _fault(error: BaseException) -> Denied:
    """Say what failed as far as it concerns whoever asked; a CrapsError is about what was asked."""
    if isinstance(error, CrapsError | ServerFault):
        return denied(422 if isinstance(error, CrapsError) else 500, str(error))
    return denied(500, "the server has a fault; nothing was done")


class _OnlyId(Struct):
    id: str = ""


def _id_in(text: str) -> str:
    """Give the id of a message that is not understood otherwise, so that its sender knows which it was."""
    try:
        return msgspec.json.decode(text, type=_OnlyId).id
    except (msgspec.MsgspecError, RecursionError):
        return ""
