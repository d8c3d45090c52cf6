"""Uvicorn's websockets with a direct path for messages, which bypasses ASGI.

Through ASGI every message wakes a task, in either direction; on a busy table that was most of the cost. Here a message
to many screens is framed once, and an incoming text is handled without a task. Other servers go through ASGI. A text
that comes whole, in one frame, is taken out of the bytes here; every other frame goes through the library's parser.

A screen that sends too many messages, or does not read what it is sent, is closed with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.streams import StreamReader

from passline.web.server.gate import VISIT, Bucket, Visit

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform without the library's C code
    from websockets.utils import apply_mask

_EXTENSION = "passline.direct"
_POLICY, _LATER = 1008, 1013  # close codes: of a screen that breaks a bound, and of one that may connect again
_KNOWN, _STRANGER = (500.0, 2_000), (20.0, 100)  # messages a second and at once, with a session and without
_PARTS_MAX = 64  # frames of one message
_OPEN_SECONDS = 10.0  # for the application to accept it
_READ_SECONDS = 20.0  # in which a screen must take at least `_READ_BYTES` of what waits for it
_READ_BYTES = 16 * 1024
_LINGER_SECONDS = 5.0  # for the reason to be read
_LINGER_MAX = 1024 * 1024  # bytes that are thrown away meanwhile
_HELD_SECONDS_MIN = 0.01  # the shortest time for which a screen is not read
_TEXT, _MASKED, _LONG, _LONGER = (
    0x81,
    0x80,
    126,
    127,
)  # of a frame: a whole text, masked; a length of two bytes, of eight
_HEAD, _MASK = 2, 4  # bytes of a frame's head, and of its mask
_TWO_BYTES = 1 << 16


class DirectProtocol(WebSocketsSansIOProtocol):
    """A websocket that the application can write to, and handle texts from, without a task.

    `handle` is called with every text. If it returns False, that text and all that follow go through ASGI until the
    application has received them.
    """

    handle: Callable[[bytes], bool] | None = None

    def __init__(self, *given: Any, visit: Visit | None = None, **named: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*given, **named)
        self.visit = visit  # None: behind another HTTP protocol than ours, without bounds
        self._bucket: Bucket | None = None
        self._is_failed, self._thrown = False, 0  # closed for a reason, and bytes that came since
        self._unsent = 0  # bytes that waited for a slow screen when its time began
        self._is_full = False  # the network takes no more now
        self._is_between_frames = False  # the library's parser has no part of a frame
        self.is_awaited = False  # this screen waits for an answer
        self._held: list[bytes] = []  # news that are written together with that answer
        if visit is not None:
            visit.drop, visit.late = self._abort, self._late
            visit.deadline = visit.gate.clock() + _OPEN_SECONDS
            rate_and_burst = _KNOWN if visit.token else _STRANGER
            self._bucket = Bucket(rate_and_burst[1], now=visit.gate.clock())

    async def run_asgi(self) -> None:
        """Offer the application this protocol as an extension of the scope."""
        self.scope["extensions"][_EXTENSION] = self  # type: ignore[assignment]  # uvicorn types it as empty
        self.scope["extensions"][VISIT] = self.visit  # type: ignore[assignment]
        await super().run_asgi()

    def start_keepalive(self) -> None:
        """Take all the time it needs, from now on: the application has accepted it."""
        super().start_keepalive()
        if self.visit is not None:
            self.visit.deadline = math.inf

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the gate."""
        if self.visit is not None:
            self.visit.gate.leave(self.visit)
        super().connection_lost(exc)

    # Bounds.

    def data_received(self, data: bytes) -> None:
        """Read, or throw away what comes after the screen was closed."""
        if self._is_between_frames and self.handle is not None:
            data = self._take_texts(data)
        if not self._is_failed:
            if data:
                super().data_received(data)
                waits: Any = self.conn.parser
                while waits.gi_yieldfrom is not None:
                    waits = waits.gi_yieldfrom
                is_waiting = waits.gi_code is _BETWEEN_FRAMES
                self._is_between_frames = is_waiting and self.conn.current_size is None  # nor of a message
            return
        self._thrown += len(data)
        if self._thrown > _LINGER_MAX:
            self._abort()

    def _take_texts(self, data: bytes) -> bytes:
        """Handle the texts at the beginning of some bytes that came whole, in one frame each; return the rest."""
        at, end = 0, len(data)
        while end - at >= _HEAD + _MASK and data[at] == _TEXT and not self.close_sent:
            size, begun = data[at + 1] - _MASKED, at + _HEAD
            if size == _LONG:
                size, begun = int.from_bytes(data[begun : begun + 2]), begun + 2
            elif not 0 <= size < _LONG:  # not masked, or so long that its length takes eight bytes
                break
            text = begun + _MASK
            if text + size > end:
                break
            at = text + size
            if self._may_say():
                self.curr_msg_data_type = "text"
                self.frames = [apply_mask(data[text:at], data[begun:text])]
                self.send_receive_event_to_app()
        return data[at:] if at else data

    def handle_text(self, event: Frame) -> None:
        """Handle a text within the rate."""
        if self._may_say():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Handle bytes within the rate."""
        if self._may_say():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Handle a part of a message within the rate, if it has not too many."""
        if len(self.frames) >= _PARTS_MAX and not self.close_sent:
            self._fail("parts", f"a message has at most {_PARTS_MAX} parts")
        elif self._may_say():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping within the rate."""
        if self._may_say():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take a pong within the rate."""
        if self._may_say():
            super().handle_pong(event)

    def _may_say(self) -> bool:
        """Count a message. A stranger above the rate is closed; a session is read more slowly, then closed too."""
        if self.visit is None or self._bucket is None:
            return True
        if self.close_sent:
            return False
        is_known = bool(self.visit.token)
        rate, burst = _KNOWN if is_known else _STRANGER
        left = self._bucket.spend(rate, burst, now=self.visit.gate.clock())
        if left >= 0:
            return True
        if is_known and left >= -burst:
            self._hold(-left / rate)
            return True
        self._fail("messages", f"more than {rate:.0f} messages a second; connect again and send fewer")
        return False

    def _hold(self, seconds: float) -> None:
        """Read nothing for a while."""
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
            self.loop.call_later(max(seconds, _HELD_SECONDS_MIN), self._read_on)

    def _read_on(self) -> None:
        if self.read_paused and self.queue.empty() and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def pause_writing(self) -> None:
        """Expect the screen to read what waits."""
        super().pause_writing()
        self._is_full = True
        if self.visit is not None:
            self._unsent = self.transport.get_write_buffer_size()
            self.visit.deadline = self.visit.gate.clock() + _READ_SECONDS

    def resume_writing(self) -> None:
        """Go on: the screen has read it."""
        super().resume_writing()
        self._is_full = False
        if self.visit is not None:
            self.visit.deadline = math.inf

    def _late(self, now: float) -> None:
        """Close a screen that does not read, then cut it off."""
        assert self.visit is not None
        unsent = self.transport.get_write_buffer_size()
        if not self.close_sent and 0 < unsent <= self._unsent - _READ_BYTES:
            self._unsent, self.visit.deadline = unsent, now + _READ_SECONDS
        elif self.handshake_complete and not self.close_sent:
            self._fail("slow screen", "this screen reads too slowly; connect again", _LATER)
        else:
            self.visit.deadline = math.inf
            self._abort()

    def _fail(self, reason: str, why: str, code: int = _POLICY) -> None:
        """Close the websocket with the reason; read nothing more, and wait a little until the reason was read."""
        assert self.visit is not None
        self.visit.gate.count(reason)
        self.visit.deadline = math.inf
        self.conn.fail(code, why)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self._is_failed = True
        self.frames = []
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": why})
        self.close_timer = self.loop.call_later(_LINGER_SECONDS, self._abort)
        self.transport.resume_reading()  # what is not read when a connection is closed would reset it
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _abort(self) -> None:
        self.transport.abort()

    # The direct path.

    def push(self, message: bytes, is_answer: bool) -> bool:  # noqa: FBT001 - called once for every screen
        """Write a message now, unless the network is busy. Return whether it is written, or will be.

        News for a screen that waits for an answer are held for the rest of this round of the loop: the answer usually
        follows at once, and each write is a call of the system.
        """
        if self._is_full or self.close_sent or self.disconnected or not self.handshake_complete:
            return False
        frame = _last[1] if _last[0] is message else _frame(message)
        if self._held:
            self._held.append(frame)
            if is_answer:
                self._write_held()
        elif self.is_awaited and not is_answer:
            self._held.append(frame)
            self.loop.call_soon(self._write_held)
        else:
            self.transport.write(frame)
        return True

    def _write_held(self) -> None:
        """Write what was held, if the answer has not taken it along."""
        if self._held and not self.close_sent and not self.disconnected:
            self.transport.write(b"".join(self._held))
        self._held.clear()

    def send_receive_event_to_app(self) -> None:
        """Handle a text now if it came in one frame and nothing is queued before it; otherwise queue it."""
        is_direct = self.curr_msg_data_type == "text" and len(self.frames) == 1 and self.queue.empty()
        if is_direct and self.handle is not None and not self.close_sent and self.handle(self.frames[0]):
            self.frames = []
        else:
            super().send_receive_event_to_app()


_BETWEEN_FRAMES = StreamReader.at_eof.__code__  # where the library's parser waits for the next frame
_last: tuple[bytes, bytes] = (b"", b"")


def _frame(message: bytes) -> bytes:
    """Return a message as a frame, reusing the last frame: most messages go to many screens."""
    global _last  # noqa: PLW0603 - a cache of one
    if _last[0] is not message:
        _last = (message, _text_head(len(message)) + message)
    return _last[1]


def _text_head(size: int) -> bytes:
    r"""Return the head of a frame with a text of this many bytes, as a server sends it.

    >>> _text_head(5), _text_head(300), _text_head(70_000)
    (b'\x81\x05', b'\x81~\x01,', b'\x81\x7f\x00\x00\x00\x00\x00\x01\x11p')
    """
    if size < _LONG:
        return bytes((_TEXT, size))
    if size < _TWO_BYTES:
        return bytes((_TEXT, _LONG)) + size.to_bytes(2)
    return bytes((_TEXT, _LONGER)) + size.to_bytes(8)


def direct_protocol(scope: Scope) -> DirectProtocol | None:
    """Return the protocol of a websocket, or None if the server does not offer it."""
    protocol: DirectProtocol | None = scope.get("extensions", {}).get(_EXTENSION)
    return protocol
