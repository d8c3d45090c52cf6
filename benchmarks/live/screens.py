"""Hundreds of players' screens: one websocket each, as light as possible.

The websockets library does the handshake; after that this module parses the frames itself, because it shares two cores
with the server that it measures.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from hashlib import sha256
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

_NEWS = re.compile(rb'\{"kind":"news","from":\d+,"sequence":(\d+)')
_SLOW_SECONDS = 30.0
_END_OF_HEADERS = b"\r\n\r\n"
_SHORT, _TWO_BYTES = 2, 126  # bytes of a frame's head; a length of 126 means that two more bytes have it
_TEXT, _PING = 0x80 | Opcode.TEXT, 0x80 | Opcode.PING


class Screen(asyncio.Protocol):
    """One seat's connection: when each message arrived, and the answer to each command."""

    def __init__(self, uri: str, headers: dict[str, str], *, follows: bool) -> None:
        self._follows = follows  # whether it keeps `table` up to date
        self._protocol = ClientProtocol(parse_uri(uri), max_size=None)
        self._headers = headers
        self._transport: asyncio.Transport | None = None
        self._is_open = False
        self._buffer = b""
        self.news: list[tuple[int, float]] = []  # sequence, when
        self.asked: dict[str, float] = {}  # command id: when
        self.answers: dict[str, dict[str, Any]] = {}
        self.throws: dict[str, str] = {}  # command id: the nonce, sent once wagers are closed
        self.table: dict[str, Any] = {}
        self.is_ready = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the websocket."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's transport does not subclass asyncio's
        request = self._protocol.connect()
        request.headers.update(self._headers)
        self._protocol.send_request(request)
        for data in self._protocol.data_to_send():
            self._transport.write(data)

    def data_received(self, data: bytes) -> None:
        """Complete the handshake, then parse frames."""
        if self._is_open:
            self._parse_frames(data)
            return
        greeting, _, rest = data.partition(_END_OF_HEADERS)
        self._protocol.receive_data(greeting + _END_OF_HEADERS)
        self._protocol.events_received()
        if self._protocol.handshake_exc is not None and not self.is_ready.done():
            self.is_ready.set_exception(self._protocol.handshake_exc)
        self._is_open = True
        self._parse_frames(rest)

    def _parse_frames(self, data: bytes) -> None:
        """Parse frames; the server sends each message as one frame without a mask."""
        now = time.perf_counter()
        data = self._buffer + data if self._buffer else data
        at, end = 0, len(data)
        while end - at >= _SHORT:
            size, head = data[at + 1], _SHORT
            if size >= _TWO_BYTES:
                head += 2 if size == _TWO_BYTES else 8
                size = int.from_bytes(data[at + _SHORT : at + head])
            if end - at < head + size:
                break
            payload = data[at + head : at + head + size]
            if data[at] == _TEXT:
                self._message(payload, now)
            elif data[at] == _PING:
                self._write(Frame(Opcode.PONG, payload))
            at += head + size
        self._buffer = data[at:]

    def _message(self, message: bytes, now: float) -> None:
        if not self._follows and (found := _NEWS.match(message)):
            self.news.append((int(found[1]), now))
            return
        decoded = msgspec.json.decode(message)
        match decoded["kind"]:
            case "table":
                self.table = decoded
                self.news.append((decoded["sequence"], now))
                if not self.is_ready.done():
                    self.is_ready.set_result(None)
            case "news":
                self.news.append((decoded["sequence"], now))
                self.table["table"].update(decoded["changed"])
            case "done" | "refused":
                self.answers[decoded["id"]] = decoded
                if decoded["kind"] == "done" and (nonce := self.throws.get(decoded["id"])):
                    self._write(Frame(Opcode.TEXT, msgspec.json.encode({"nonce": nonce})))
            case _:
                pass

    def send(self, id_: str, command: dict[str, Any]) -> None:
        """Send a command to the table."""
        self.asked[id_] = time.perf_counter()
        self._write(Frame(Opcode.TEXT, msgspec.json.encode({"id": id_, "command": command})))

    def throw(self, id_: str, seat: int) -> None:
        """Throw electronic dice as a page does: with a nonce that follows when wagers are closed."""
        nonce = secrets.token_bytes(32)
        self.throws[id_] = nonce.hex()
        self.send(id_, {"command": "roll", "seat": seat, "nonce_digest": sha256(nonce).hexdigest()})

    def _write(self, frame: Frame) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame.serialize(mask=True))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail a screen that is still waiting for its table."""
        if not self.is_ready.done():
            self.is_ready.set_exception(exc or ConnectionResetError("closed before the table came"))

    def close(self) -> None:
        """Close the connection."""
        if self._transport:
            self._transport.close()


async def connected(base: str, table: str, token: str, *, follows: bool = False) -> Screen:
    """Open a screen and wait for its table."""
    parts = urlsplit(base)
    uri = f"ws://{parts.netloc}/api/tables/{table}/live"
    loop = asyncio.get_running_loop()
    headers = {"Authorization": f"Bearer {token}"}
    _transport, screen = await loop.create_connection(
        lambda: Screen(uri, headers, follows=follows), parts.hostname or "", parts.port or 80
    )
    await asyncio.wait_for(screen.is_ready, _SLOW_SECONDS)
    return screen
