"""Uvicorn's websockets with a short way out: a message is framed once for all screens and written at once.

Sending through ASGI wakes a task for every message and screen, which was most of what a busy table cost. Where a server
has no such way, messages go through ASGI.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import OP_TEXT, Frame

__all__ = ["PushingProtocol", "push_of"]

_EXTENSION = "passline.push"


class PushingProtocol(WebSocketsSansIOProtocol):
    """A websocket that the application may write to without waiting."""

    async def run_asgi(self) -> None:
        """Let the application know the short way."""
        self.scope["extensions"][_EXTENSION] = self._push  # type: ignore[assignment]  # uvicorn types it as empty
        await super().run_asgi()

    def _push(self, message: bytes) -> bool:
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        self.transport.write(_framed(message))
        return True


_last: tuple[bytes, bytes] = (b"", b"")


def _framed(message: bytes) -> bytes:
    """Frame a message; one that goes to many screens is framed once."""
    global _last  # noqa: PLW0603 - a cache of one
    if _last[0] is not message:
        _last = (message, Frame(OP_TEXT, message).serialize(mask=False))
    return _last[1]


def push_of(scope: Scope) -> Callable[[bytes], bool] | None:
    """Give the short way of a websocket, if its server has one."""
    push: Callable[[bytes], bool] | None = scope.get("extensions", {}).get(_EXTENSION)
    return push
