"""Uvicorn's HTTP with bounds: on a request's head and body while they are read, on time, and on slow readers.

Uvicorn itself reads a header of any length, and waits for the end of a request for ever.
"""

from __future__ import annotations

import asyncio
import math
import ssl
from functools import partial
from typing import Any

import httptools
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import get_remote_addr

from passline.web.server.gate import VISIT, Gate, Turned, Visit
from passline.web.server.neighbours import Neighbours
from passline.web.server.responses import BODY_MAX, DOCUMENTS, Denied, body_max, denial, refusals_response
from passline.web.server.tls import TlsLayer
from passline.web.server.websocket_protocol import DirectProtocol

HEAD_MAX = 16 * 1024
"""The most bytes in the request line and headers of a request."""
_TARGET_MAX = 8 * 1024  # bytes of a path with its query
_HEADERS_MAX = 100
_LONG = 4_096  # bytes of a body that takes a while to read; commands of tables are far shorter
_RAW = 4  # how much longer a body may be as it is sent, with the sizes of its chunks
_PIPELINED_MAX = 16  # requests that wait behind the one being answered
_HEAD_SECONDS = 10.0  # for a TLS handshake too
_BODY_SECONDS = 20.0
_IDLE_SECONDS = 15.0  # between two requests; uvicorn usually ends it sooner
_READ_SECONDS = 20.0  # in which a reader must take at least `_READ_BYTES` of what waits for it
_READ_BYTES = 32 * 1024
_LINGER_SECONDS = 5.0  # for a reason to be read
_LINGER_MAX = 1024 * 1024  # bytes that are thrown away meanwhile
_COOKIE = b"passline="
_CROWDED = frozenset({429, 503})  # statuses that speak of others too, not of the request alone

_HEAD = Turned(431, "head", f"the headers of a request have at most {HEAD_MAX} bytes and {_HEADERS_MAX} lines")
_TARGET = Turned(414, "head", f"an address has at most {_TARGET_MAX} bytes")
_BODY = Turned(413, "body", f"a request has at most {BODY_MAX} bytes; send less")
_PIPELINED = Turned(429, "pipelined", f"at most {_PIPELINED_MAX} requests wait behind another; read the answers first")
_NO_HTTP = Turned(400, "no http", "this is not a request of HTTP")


class BoundedHttp(HttpToolsProtocol):
    """One connection, from its first byte until it ends or becomes a websocket."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*given, **named)
        self.gate: Gate = self.app_state.get("gate") or Gate()
        self.visit: Visit | None = None
        self._neighbours: Neighbours | None = self.app_state.get("neighbours")
        self._tls: ssl.SSLContext | None = self.app_state.get("tls")
        self._socket: asyncio.Transport | None = None  # below TLS
        self._is_body = False
        self._body_max = _RAW * BODY_MAX
        self._taken = 0  # bytes of this head, or of this body
        self._fault: Turned | None = None
        self._is_over = False  # turned away: nothing more is parsed
        self._unsent = 0  # bytes that waited for a slow reader when its time began

    # The connection.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Pass the gate, then begin TLS if the server has a certificate: so that handshakes are bounded too."""
        if self.visit is not None:
            self._begin_reading(transport)
            return
        self._socket = transport
        address = (get_remote_addr(transport) or ("", 0))[0]
        self.visit = self.gate.enter(address, self._abort, self._late)
        if self.visit is None:
            transport.abort()
            return
        self._by(_HEAD_SECONDS)
        if self._tls is None:
            self._begin_reading(transport)
            return
        tls = TlsLayer(self.loop, self, self._tls, seconds=_HEAD_SECONDS, lost=self._leave_gate)
        transport.set_protocol(tls)
        tls.connection_made(transport)

    def _begin_reading(self, transport: asyncio.Transport) -> None:
        self._by(_HEAD_SECONDS)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the gate."""
        self._leave_gate()
        if self.transport is not None:  # None: turned away, or lost before TLS began
            super().connection_lost(exc)

    def _leave_gate(self) -> None:
        if self.visit is not None:
            self.gate.leave(self.visit)

    def _abort(self) -> None:
        if self._socket is not None:
            self._socket.abort()

    # Time.

    def _by(self, seconds: float) -> None:
        if self.visit is not None:
            self.visit.deadline = self.gate.clock() + seconds

    def _late(self, now: float) -> None:
        """Drop the connection, unless its reader took enough of what waited for it."""
        assert self.visit is not None
        unsent = self.transport.get_write_buffer_size() if self.transport is not None else 0
        if 0 < unsent <= self._unsent - _READ_BYTES:
            self._unsent = unsent
            self.visit.deadline = now + _READ_SECONDS
            return
        if not self._is_over:
            self.gate.count("slow reader" if unsent else "slow request")
        self.visit.deadline = math.inf
        self._abort()

    def pause_writing(self) -> None:
        """Expect the reader to take what waits."""
        super().pause_writing()
        self._unsent = self.transport.get_write_buffer_size()
        self._by(_READ_SECONDS)

    def resume_writing(self) -> None:
        """Go on: the reader took it."""
        super().resume_writing()
        self._unsent = 0
        if self.cycle is None or self.cycle.response_complete:
            self._by(_IDLE_SECONDS)
        else:
            self._by(math.inf)

    # Reading.

    def data_received(self, data: bytes) -> None:
        """Feed the parser no more than the request may still have."""
        self._unset_keepalive_if_required()
        if self._is_over:
            self._taken += len(data)
            if self._taken > _LINGER_MAX:
                self._abort()
            return
        while data and self.parser is not None and not self.transport.is_closing():
            room = (self._body_max if self._is_body else HEAD_MAX) - self._taken
            if room <= 0:
                self._turn_away(_BODY if self._is_body else _HEAD)
                return
            piece, data = data[:room], data[room:]
            self._taken += len(piece)
            try:
                self.parser.feed_data(piece)
            except httptools.HttpParserUpgrade:
                if self._should_upgrade():
                    self.handle_websocket_upgrade()
                else:
                    self._turn_away(_NO_HTTP)
                return
            except httptools.HttpParserError:
                self._turn_away(self._fault or _NO_HTTP)
                return

    def on_message_begin(self) -> None:
        """Begin to read a request."""
        super().on_message_begin()
        self.scope["extensions"] = {VISIT: self.visit}  # type: ignore[dict-item]  # uvicorn types it as empty
        if not self.flow.write_paused and (self.cycle is None or self.cycle.response_complete):
            self._by(_HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Bound the length of the address."""
        super().on_url(url)
        if len(self.url) > _TARGET_MAX:
            self._stop(_TARGET)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Bound the number of headers, with those that come after a body."""
        if len(self.headers) >= _HEADERS_MAX:
            self._stop(_HEAD)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin the answer, or turn the request away."""
        assert self.visit is not None
        self._is_body, self._taken = True, 0
        self._body_max = _RAW * (body_max(DOCUMENTS) if self.url == DOCUMENTS.encode() else BODY_MAX)
        if self.parser.should_upgrade() and self._should_upgrade():
            super().on_headers_complete()
            return
        if len(self.pipeline) >= _PIPELINED_MAX:
            self._stop(_PIPELINED)
        turned, app = self.gate.begin(self.visit, token_in(self.headers)), self.app
        if turned is not None:
            self.gate.count(turned.reason)
            self.app = partial(_refuse, turned)
        self.app = partial(_answer_in_turn, self.visit, self.app)
        if turned is None and self._takes_turns() and (seconds := self.gate.pause(self.visit)) > 0:
            self.app = partial(_answer_later, seconds, self.app)
        if not self.flow.write_paused:
            self._by(_BODY_SECONDS)
        try:
            super().on_headers_complete()
        finally:
            self.app = app

    def _takes_turns(self) -> bool:
        """Return whether a request waits behind others of its session: it reads, or has a long body to be read."""
        if self.parser.get_method() == b"GET":
            return not self.url.startswith((b"/static/", b"/health"))
        return is_long_body(self.headers)

    def on_message_complete(self) -> None:
        """Wait for the application now, however long it takes."""
        super().on_message_complete()
        self._is_body, self._taken = False, 0
        is_waiting = self.cycle is not None and not self.cycle.response_complete
        if is_waiting and self.flow is not None and not self.flow.write_paused:
            self._by(math.inf)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        is_next = bool(self.pipeline)
        super().on_response_complete()
        if self.visit is not None and not is_next:
            self.gate.end(self.visit)
            self._unsent = self.transport.get_write_buffer_size()
            self._by(_READ_SECONDS if self._unsent else _IDLE_SECONDS)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection to a websocket, if one more may be opened."""
        assert self.visit is not None
        if self._neighbours is not None and self._tls is None:
            connection = self.transport.get_extra_info("socket").fileno()
            if self._neighbours.hand_over(self.url, self.headers, connection):
                self.transport.abort()  # closes it here only
                return
        if (turned := self.gate.watch(self.visit, token_in(self.headers))) is not None:
            self._turn_away(turned)
            return
        self.visit.deadline = math.inf
        self.ws_protocol_class = partial(DirectProtocol, visit=self.visit)  # type: ignore[assignment]
        super().handle_websocket_upgrade()

    # Turning away.

    def _stop(self, turned: Turned) -> None:
        """Stop the parser, which reports it as an error of its own."""
        self._fault = turned
        raise ValueError(turned.why)

    def _turn_away(self, turned: Turned) -> None:
        """Answer without the application, and close. An answer that has begun is cut off."""
        self.gate.count(turned.reason)
        if self.cycle is None or self.cycle.response_complete:
            response = refusals_response(_denial_of(turned))
            lines = [b"%s: %s\r\n" % header for header in response.raw_headers]
            status = b"HTTP/1.1 %d Refused\r\n" % turned.status
            self.transport.write(b"".join([status, *lines, b"connection: close\r\n\r\n", bytes(response.body)]))
        self._is_over, self._taken = True, 0
        self._by(_LINGER_SECONDS)
        self.flow.resume_reading()  # what is not read when a connection is closed would reset it
        if self.transport.can_write_eof():
            self.transport.write_eof()


def is_long_body(headers: list[tuple[bytes, bytes]]) -> bool:
    """Return whether a request has a long body, or one of a length that it does not tell.

    >>> is_long_body([(b"content-length", b"90")]), is_long_body([(b"content-length", b"60000")]), is_long_body([])
    (False, True, False)
    >>> is_long_body([(b"transfer-encoding", b"chunked")])
    True
    """
    for name, value in headers:
        if name == b"transfer-encoding":
            return True
        if name == b"content-length":
            return not value.isdigit() or len(value) > len(str(_LONG)) or int(value) > _LONG
    return False


def token_in(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the token that a request shows: of a program, or of a page's cookie; nothing if it shows none.

    >>> token_in([(b"cookie", b"a=b; passline=abc")]), token_in([(b"authorization", b"Bearer abc")]), token_in([])
    ('abc', 'abc', '')
    """
    cookie = ""
    for name, value in headers:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            return value[7:].strip().decode("latin-1")
        if name == b"cookie" and (at := value.find(_COOKIE)) >= 0:
            cookie = value[at + len(_COOKIE) :].partition(b";")[0].strip().decode("latin-1")
    return cookie


async def _answer_later(seconds: float, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request of somebody who asks faster than others could bear."""
    await asyncio.sleep(seconds)
    await app(scope, receive, send)


async def _answer_in_turn(visit: Visit, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await visit.gate.turns.wait(is_stranger=not visit.token)
    await app(scope, receive, send)


async def _refuse(turned: Turned, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"Retry-After": "1", "Connection": "close"}
    await refusals_response(_denial_of(turned), headers=headers)(scope, receive, send)


def _denial_of(turned: Turned) -> Denied:
    return denial(turned.status, turned.why, "site" if turned.status in _CROWDED else "form")
