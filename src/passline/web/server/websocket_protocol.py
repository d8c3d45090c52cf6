"""Uvicorn's websockets with a direct path for messages, which bypasses ASGI.

Through ASGI every message wakes a task, in either direction; on a busy table that was most of the cost. Here a message
to many screens is framed once, and an incoming text is handled without a task. Other servers go through ASGI.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import OP_TEXT, Frame

__all__ = ["DirectProtocol", "direct_protocol"]

_EXTENSION = "passline.direct"


class DirectProtocol(WebSocketsSansIOProtocol):
    """A websocket that the application can write to, and handle texts from, without a task.

    `handle` is called with every text. If it returns False, that text and all that follow go through ASGI until the
    application has received them.
    """

    handle: Callable[[bytes], bool] | None = None

    async def run_asgi(self) -> None:
        """Offer the application this protocol as an extension of the scope."""
        self.scope["extensions"][_EXTENSION] = self  # type: ignore[assignment]  # uvicorn types it as empty
        await super().run_asgi()

    def push(self, message: bytes) -> bool:
        """Write a message now, unless the network is busy. Return whether it was written."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        self.transport.write(_framed(message))
        return True

    def send_receive_event_to_app(self) -> None:
        """Handle a text now if it came in one frame and nothing is queued before it; otherwise queue it."""
        is_direct = self.curr_msg_data_type == "text" and len(self.frames) == 1 and self.queue.empty()
        if is_direct and self.handle is not None and not self.close_sent and self.handle(self.frames[0]):
            self.frames = []
        else:
            super().send_receive_event_to_app()


_last: tuple[bytes, bytes] = (b"", b"")


def _framed(message: bytes) -> bytes:
    """Return a message as a frame, reusing the last frame: most messages go to many screens."""
    global _last  # noqa: PLW0603 - a cache of one
    if _last[0] is not message:
        _last = (message, Frame(OP_TEXT, message).serialize(mask=False))
    return _last[1]


def direct_protocol(scope: Scope) -> DirectProtocol | None:
    """Return the protocol of a websocket, or None if the server does not offer it."""
    protocol: DirectProtocol | None = scope.get("extensions", {}).get(_EXTENSION)
    return protocol
