"""A screen that follows a stream, with a bounded queue of messages for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from passline.streams.course import Actor

_NEWS_MAX = 64  # messages queued for one screen; a slower one is sent the whole table in their place


class Subscriber:
    """One screen: who uses it, the messages queued for it, and whether it has fallen behind.

    `push` sends a message at once and returns True, or returns False if the network is busy: then it is queued. It is
    told whether the message answers this screen: news just before its answer may wait for that.
    """

    __slots__ = ("_answers", "_is_sending", "_messages", "_queued", "_ready", "by", "is_lost", "push", "sent")

    def __init__(self, by: Actor | None, push: Callable[[bytes, bool], bool] | None = None) -> None:
        self.by = by  # None for a spectator
        self.push = push
        self.is_lost = True  # it needs the whole table: at first, and after news was dropped
        self.sent = 0  # the newest sequence handed to the network
        self._queued = 0  # the newest sequence in `_messages`
        self._messages: list[bytes] = []
        self._answers: list[bytes] = []  # those of them that are no news: these are never dropped
        self._is_sending = False  # earlier messages are still being sent: none may overtake them
        self._ready = asyncio.Event()
        self._ready.set()

    def tell_news(self, message: bytes, sequence: int) -> None:
        """Send news at once where nothing is in the way, as nearly always; else as `tell` does."""
        is_free = not (self._messages or self._is_sending or self.is_lost)
        if is_free and self.push is not None and self.push(message, False):  # noqa: FBT003 - once for every screen
            self.sent = sequence
        else:
            self.tell(message, sequence=sequence)

    def tell(self, message: bytes, *, is_news: bool = True, sequence: int = 0) -> None:
        """Send or queue a message. If too many are queued, drop all news and have the whole table sent instead."""
        if is_news and (self.is_lost or len(self._messages) >= _NEWS_MAX):
            self.is_lost = True
            self._messages, self._queued = [*self._answers], 0
        elif (
            self._messages
            or self._is_sending
            or self.is_lost
            or self.push is None
            or not self.push(message, not is_news)
        ):
            self._messages.append(message)
            self._queued = max(self._queued, sequence)
            if not is_news:
                self._answers.append(message)
        else:
            self.sent = max(self.sent, sequence)
            return
        self._ready.set()

    @property
    def queue_length(self) -> int:
        """The number of queued messages."""
        return len(self._messages)

    def lose(self) -> None:
        """Have the whole table sent again."""
        self.is_lost = True
        self._ready.set()

    async def ready(self) -> None:
        """Wait until there is something to send. Calling it means that everything taken before has been sent."""
        self._is_sending = False
        await self._ready.wait()
        self._ready.clear()

    def take(self) -> list[bytes]:
        """Return the queued messages and empty the queue."""
        self.sent = max(self.sent, self._queued)
        messages, self._messages, self._answers, self._is_sending = self._messages, [], [], True
        return messages
