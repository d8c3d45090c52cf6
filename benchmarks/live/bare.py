"""The peer for live tables: a server that decides and stores nothing, and only forwards to every screen of a table.

Its time from a command to the last screen is what sockets, the event loop and this machine take anyway.
"""

from __future__ import annotations

import asyncio
from typing import cast

import msgspec
import uvloop
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

_NEWS_BYTES, _ROLL_BYTES = 900, 15_000  # the size of a live table's message for a wager and for a roll
_TABLE = {"dice_are": "held", "shooter": 1, "phase": "point", "puck": 6, "offered_to": 0}


class _Bare(asyncio.Protocol):
    """One screen's connection."""

    tables: dict[str, list[_Bare]] = {}  # noqa: RUF012 - by path, for the whole process
    sequence = 0

    def __init__(self) -> None:
        self._protocol = ServerProtocol()
        self._transport: asyncio.Transport | None = None
        self._path = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport for the handshake."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Complete the handshake, then forward every message to all screens of the table."""
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._protocol.send_response(self._protocol.accept(event))
                for part in self._protocol.data_to_send():
                    self.write(part)
                self._path = event.path
                self.tables.setdefault(self._path, []).append(self)
                self._send({"kind": "table", "sequence": 0, "table": _TABLE})
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self._forward(msgspec.json.decode(event.data))

    def _forward(self, message: dict[str, str]) -> None:
        """Forward a command, or the nonce of a throw: that one brings the roll, and needs no answer."""
        _Bare.sequence += 1
        size = _ROLL_BYTES if "nonce" in message else _NEWS_BYTES
        news = {"kind": "news", "from": 0, "sequence": self.sequence, "changed": {}, "said": "x" * size}
        framed = Frame(Opcode.TEXT, msgspec.json.encode(news)).serialize(mask=False)
        for screen in self.tables[self._path]:
            screen.write(framed)
        if "nonce" not in message:
            self._send({"kind": "done", "id": message["id"], "sequence": self.sequence})

    def _send(self, message: dict[str, object]) -> None:
        self.write(Frame(Opcode.TEXT, msgspec.json.encode(message)).serialize(mask=False))

    def write(self, data: bytes) -> None:
        """Write bytes, if the connection is still open."""
        if data and self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Bare, "127.0.0.1", 0, backlog=2048)
    print(f"Passline is at http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


def main() -> None:
    """Serve until killed."""
    uvloop.run(_serve())


if __name__ == "__main__":
    main()
