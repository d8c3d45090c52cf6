"""The websocket of a table: it sends the table and then every change, and receives commands.

A text becomes a `SocketMessage`; its command goes to `submission`, directly or by way of a task.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Literal

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from passline.authority.roles import PLAYER
from passline.bounded_text import SHORT
from passline.errors import CrapsError
from passline.people.credentials import SignOff
from passline.refusal import Refusal, Refused
from passline.store.entry import Head
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.streams.writer import InDoubt, LogDown, ServerFault
from passline.tables.commands import TableCommand
from passline.tables.live import seat_of
from passline.tables.runtime.floor import RunningTable
from passline.tables.views.areas import areas_of
from passline.web.api.submission import (
    LOG_DOWN,
    NOT_DONE,
    actor_of,
    check_id,
    is_direct,
    is_valid_id,
    submit,
    submit_directly,
    take_nonce,
)
from passline.web.auth.visitors import Visitor, address_of, is_same_origin, visitor_of
from passline.web.server.gate import may_watch
from passline.web.server.responses import BODY_MAX, Denied, decode_body, denial
from passline.web.server.services import Services, services_of
from passline.web.server.websocket_protocol import direct_protocol

_UNANSWERED_MAX = 200  # commands of one screen that wait for an answer; after that, no more are read
_UNREAD_MAX = 1000  # messages that a screen has not read; after that, it is closed
_CHECK_SECONDS = 60.0  # how long a session counts as checked; Screens checks all of them too
_POLICY, _UNKNOWN = 1008, 4404  # close codes


class SocketMessage(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A message from a screen: a command, a question, or the newest sequence it has shown."""

    id: str = ""
    command: TableCommand | None = None
    sign_off: SignOff | None = None
    again: bool = False  # the command was sent before, and its answer did not come
    ask: Literal["areas", "table", "outcome"] | None = None  # outcome: what became of the command with this id
    seen: int | None = None
    nonce: str = ""  # the shooter's, in hex, once wagers are closed


class _Done(Struct, tag_field="kind", tag="done", gc=False):
    """The answer to a command that was done."""

    id: str
    sequence: int
    hash: str
    head: Head
    lines: tuple[str, ...]


_messages = msgspec.json.Decoder(SocketMessage)
_encode = msgspec.json.Encoder().encode


async def live_table(websocket: WebSocket, id: str) -> None:  # noqa: A002 - the page's own word
    """Serve one screen until it disconnects."""
    services = services_of(websocket)
    if not is_same_origin(websocket):
        await websocket.close(_POLICY, "opened by a page of another site")
        return
    role = websocket.query_params.get("role", PLAYER)
    visitor = await visitor_of(websocket)
    table = await services.floor.table(id)
    if table is None:
        await websocket.close(_UNKNOWN, "no such table")
        return
    if not may_watch(websocket):
        await websocket.close(_POLICY, "too many people who are not logged in are watching")
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
        self._is_busy = True  # handling a message in its task: no other may overtake it
        self._direct = direct_protocol(websocket.scope)
        by = actor_of(visitor, role) if visitor else None
        self._subscriber = Subscriber(by, self._direct.push if self._direct else None)

    @property
    def _by(self) -> Actor | None:
        """Who uses the screen; None for a spectator, or when the session has ended."""
        return self._subscriber.by

    async def serve(self) -> None:
        self._table.subscribe(self._subscriber)
        if self._token:
            self._services.screens.enter(self._token, self)
        self._services.metrics.screens.inc()
        sending = asyncio.create_task(self._send())
        if self._direct:
            self._direct.handle = self._handle_directly
        try:
            await self._receive()
        except WebSocketDisconnect:
            pass
        finally:
            if self._direct:
                self._direct.handle = None
            self._table.unsubscribe(self._subscriber)
            self._services.screens.leave(self._token, self)
            self._services.metrics.screens.dec()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def shut_down(self) -> None:
        """Close the screen because its session has ended. Nothing private is sent from now on."""
        self._subscriber.by = None
        self._table.unsubscribe(self._subscriber)
        with suppress(RuntimeError):  # already disconnected
            await self._websocket.close(_POLICY, "the session has ended; log in again")

    async def _send(self) -> None:
        subscriber = self._subscriber
        try:
            while True:
                await subscriber.ready()
                messages = subscriber.take()
                if subscriber.is_lost:
                    self._services.metrics.shown.inc()
                    messages.append(self._table.course.whole(subscriber))
                for message in messages:
                    await self._websocket.send_text(message.decode())
        except (WebSocketDisconnect, RuntimeError):  # disconnected while sending
            return

    def _handle_directly(self, text: bytes) -> bool:
        """Handle a message without a task if possible, as it nearly always is. Return whether it was handled.

        A message that must wait for something, takes long or is invalid is left to the task.
        """
        has_room = self._unanswered < _UNANSWERED_MAX and self._subscriber.queue_length <= _UNREAD_MAX
        if self._is_busy or self._by is None or not has_room or not self._is_checked() or len(text) > SHORT:
            return False
        try:
            message = _messages.decode(text)
        except (msgspec.MsgspecError, RecursionError):
            return False
        if message.ask or message.nonce:
            return False
        if message.command is not None:
            ask = Ask(message.id, message.command, self._by, again=message.again)
            if not is_valid_id(ask.id) or not is_direct(self._services, self._table, ask):
                return False
            self._begin_answer()
            submit_directly(self._services, self._table, ask, partial(self._answer, ask.id))
        self._note_shown(message)
        return True

    async def _receive(self) -> None:
        while True:
            self._is_busy = False
            text = await self._next()
            self._is_busy = True
            if self._subscriber.queue_length > _UNREAD_MAX:
                await self._websocket.close(_POLICY, "too many messages are unread")
                return
            while self._unanswered >= _UNANSWERED_MAX:
                self._answered.clear()
                await self._answered.wait()
            try:
                await self._handle(self._decode(text))
            except Denied as refused:
                self._refuse(_id_in(text), refused)
            await asyncio.sleep(0)

    async def _next(self) -> str:
        """Return the next message as text, also if it was sent as bytes."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text: str | None = message.get("text")
        return (message.get("bytes") or b"").decode(errors="replace") if text is None else text

    def _decode(self, text: str) -> SocketMessage:
        if len(text) > BODY_MAX:
            raise denial(413, f"a message has at most {BODY_MAX} bytes; send less")
        return decode_body(text, _messages)

    async def _handle(self, message: SocketMessage) -> None:
        if self._by is not None:
            await self._check()
        if message.nonce:
            await take_nonce(self._table, message.nonce)
        self._note_shown(message)
        if message.ask == "table":
            self._subscriber.lose()
        elif message.ask == "areas":
            areas = areas_of(self._table.current, self._seat())
            self._subscriber.tell(_encode({"kind": "areas", "id": message.id, "areas": areas}), is_news=False)
        elif message.ask == "outcome":
            self._await(message.id, asyncio.ensure_future(self._outcome(message.id)))
        elif message.command is not None:
            await self._command(message)

    async def _outcome(self, id_: str) -> Answer | Refused:
        """Return what became of a command that was sent before, perhaps by a page that was loaded again since."""
        if self._by is None or not is_valid_id(id_):
            return Refused((Refusal("duties", "log in to ask what became of your command"),))
        found = await self._table.stream.outcome(self._by, id_)
        return Refused((Refusal("log", NOT_DONE),)) if found is None else found

    def _note_shown(self, message: SocketMessage) -> None:
        """Record the newest sequence that a player's screen has shown, if it was sent to it."""
        if message.seen is not None and self._seat():
            seen, account = self._table.course.seen, self.account
            seen[account] = max(seen.get(account, 0), min(message.seen, self._subscriber.sent))

    def _seat(self) -> int:
        return seat_of(self._table.live, self.account) if self._by and self.role == PLAYER else 0

    async def _command(self, message: SocketMessage) -> None:
        assert message.command is not None
        check_id(message.id)
        if self._by is None:
            raise denial(401, "log in to take part", "duties")
        ask = Ask(message.id, message.command, self._by, again=message.again)
        address = address_of(self._websocket)
        self._await(message.id, await submit(self._services, self._table, ask, message.sign_off, address))

    def _await(self, id_: str, future: asyncio.Future[Answer | Refused]) -> None:
        self._begin_answer()

        def answer(done: asyncio.Future[Answer | Refused]) -> None:
            if not done.cancelled():  # as it is when the server stops
                self._answer(id_, done.exception() or done.result())

        future.add_done_callback(answer)

    async def _check(self) -> None:
        """Close the screen if its session has ended, before anything is done or sent."""
        if self._is_checked():
            return
        visitor = await visitor_of(self._websocket)
        self._checked = self._as_of()
        if visitor is None or self.role not in visitor.roles:
            await self.shut_down()
            raise WebSocketDisconnect(_POLICY)
        self._subscriber.by = actor_of(visitor, self.role)

    def _is_checked(self) -> bool:
        """Return whether the session was checked lately, and no change of people was written since."""
        now = self._as_of()
        return now[1:] == self._checked[1:] and now[0] - self._checked[0] <= _CHECK_SECONDS

    def _as_of(self) -> tuple[float, int, int]:
        """Return the time, and how much is known about people now."""
        return monotonic(), self._services.desk.version, self._services.floor.people_version

    def _begin_answer(self) -> None:
        """Count a command that waits for its answer."""
        self._unanswered += 1
        if self._direct:
            self._direct.is_awaited = True

    def _answer(self, id_: str, answer: Answer | Refused | BaseException) -> None:
        self._unanswered -= 1
        self._answered.set()
        self._tell_answer(id_, answer)
        if self._direct:
            self._direct.is_awaited = self._unanswered > 0

    def _tell_answer(self, id_: str, answer: Answer | Refused | BaseException) -> None:
        if isinstance(answer, Answer):
            done = _Done(id_, answer.sequence, answer.hash, answer.head, answer.lines)
            self._subscriber.tell(_encode(done), is_news=False)
        elif isinstance(answer, Refused):
            self._refuse(id_, answer)
        elif isinstance(answer, InDoubt):
            self._subscriber.tell(_encode({"kind": "in-doubt", "id": id_, "why": str(answer)}), is_news=False)
        else:
            self._refuse(id_, denial(503, LOG_DOWN) if isinstance(answer, LogDown) else _fault(answer))

    def _refuse(self, id_: str, refused: Refused | Denied) -> None:
        """Tell why a command was refused; and if the server is busy, since it may have come late because of that."""
        refusals = [{"clause": refusal.clause, "why": refusal.why} for refusal in refused.refusals]
        is_late = isinstance(refused, Refused) and self._services.load.is_busy
        told: dict[str, object] = {"kind": "refused", "id": id_, "refusals": refusals}
        asked = refused.second_factor if isinstance(refused, Denied) else None
        told |= ({"is_busy": True} if is_late else {}) | ({"second_factor": asked} if asked else {})
        self._subscriber.tell(_encode(told), is_news=False)


def _fault(error: BaseException) -> Denied:
    """Return the refusal of a command that failed. A CrapsError is a fault of the command, others of the server."""
    if isinstance(error, CrapsError | ServerFault):
        return denial(422 if isinstance(error, CrapsError) else 500, str(error))
    return denial(500, "the server has a fault; ask again with the same id, which acts once")


class _OnlyId(Struct):
    id: str = ""


def _id_in(text: str) -> str:
    """Return the id of an invalid message, so that its sender knows which one is refused."""
    try:
        return msgspec.json.decode(text, type=_OnlyId).id
    except (msgspec.MsgspecError, RecursionError):
        return ""
