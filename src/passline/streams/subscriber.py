"""Screens that look on at a table: news on its way to each, never more than it can take."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from passline.streams.course import Actor

__all__ = ["Listener"]

_NEWS_MAX = 200  # messages on their way to one screen; a slower one is shown the table anew


class Listener:
    """One screen: who sits before it, what is on its way there, and whether it has fallen behind.

    `push` hands a message to the network at once, or says that it is busy: then whoever sends for it takes its turn.
    """

    __slots__ = ("_is_sending", "_messages", "_queued", "_ready", "by", "is_lost", "push", "sent")

    def __init__(self, by: Actor | None, push: Callable[[bytes], bool] | None = None) -> None:
        self.by = by  # nobody: a spectator
        self.push = push
        self.is_lost = True  # it must be shown the whole table: at first, and when news was dropped
        self.sent = 0  # the newest sequence that was handed to the network
        self._queued = 0  # and that waits to be
        self._messages: list[bytes] = []
        self._is_sending = False  # earlier messages are still being handed over: none may overtake them
        self._ready = asyncio.Event()
        self._ready.set()

    def tell(self, message: bytes, *, is_news: bool = True, sequence: int = 0) -> None:
        """Put a message on its way; where too many are, news is dropped and the table is shown anew."""
        if is_news and (self.is_lost or len(self._messages) >= _NEWS_MAX):
            self.is_lost = True
        elif self._messages or self._is_sending or self.is_lost or self.push is None or not self.push(message):
            self._messages.append(message)
            self._queued = max(self._queued, sequence)
        else:
            self.sent = max(self.sent, sequence)
            return
        self._ready.set()

    @property
    def waiting(self) -> int:
        """How many messages wait to be sent."""
        return len(self._messages)

    def lose(self) -> None:
        """Have the whole table shown again."""
        self.is_lost = True
        self._ready.set()

    async def ready(self) -> None:
        """Wait until there is something to send; what was taken before is sent."""
        self._is_sending = False
        await self._ready.wait()
        self._ready.clear()

    def take(self) -> list[bytes]:
        """Give what is on its way, once."""
        self.sent = max(self.sent, self._queued)
        messages, self._messages, self._is_sending = self._messages, [], True
        return messages
