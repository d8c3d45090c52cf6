"""Uvicorn's websockets with short ways: a message is framed once for all screens, and one that came is heard at once.

Through ASGI every message wakes a task, in either direction, which was most of what a busy table cost. Where a server
has no such ways, messages go through ASGI.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import OP_TEXT, Frame

__all__ = ["ShortProtocol", "short_ways"]

_EXTENSION = "passline.short"


class ShortProtocol(WebSocketsSansIOProtocol):
    """A websocket that the application may write to without waiting, and may have a say of what comes in.

    `hear` is asked about every text; what it does not take at once goes the long way, and so does all behind it until
    the application has taken that.
    """

    hear: Callable[[bytes], bool] | None = None

    async def run_asgi(self) -> None:
        """Let the application know the short ways."""
        self.scope["extensions"][_EXTENSION] = self  # type: ignore[assignment]  # uvicorn types it as empty
        await super().run_asgi()

    def push(self, message: bytes) -> bool:
        """Write a message at once, unless the network is busy."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        self.transport.write(_framed(message))
        return True

    def send_receive_event_to_app(self) -> None:
        """Have a message heard: at once, if it is a text in one piece and nothing before it waits, or by the task."""
        is_short = self.curr_msg_data_type == "text" and len(self.frames) == 1 and self.queue.empty()
        if is_short and self.hear is not None and not self.close_sent and self.hear(self.frames[0]):
            self.frames = []
        else:
            super().send_receive_event_to_app()


_last: tuple[bytes, bytes] = (b"", b"")


def _framed(message: bytes) -> bytes:
    """Frame a message; one that goes to many screens is framed once."""
    global _last  # noqa: PLW0603 - a cache of one
    if _last[0] is not message:
        _last = (message, Frame(OP_TEXT, message).serialize(mask=False))
    return _last[1]


def short_ways(scope: Scope) -> ShortProtocol | None:
    """Give the short ways of a websocket, if its server has them."""
    short: ShortProtocol | None = scope.get("extensions", {}).get(_EXTENSION)
    return short
