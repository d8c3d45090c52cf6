"""Screens that look on at a table: news on its way to each, never more than it can take."""

from __future__ import annotations

import asyncio
from typing import Any

__all__ = ["Listener"]

_NEWS_MAX = 200  # messages on their way to one screen; a slower one is shown the table anew


class Listener:
    """One screen: who sits before it, what is on its way there, and whether it has fallen behind."""

    __slots__ = ("_ready", "_texts", "by", "is_lost", "own")

    def __init__(self, by: Any, own: Any = None) -> None:  # noqa: ANN401 - the view's own type
        self.by = by  # an Actor, or nobody: a spectator
        self.own = own  # what of the table is private to it, as it was told last
        self.is_lost = True  # it must be shown the whole table: at first, and when news was dropped
        self._texts: list[str] = []
        self._ready = asyncio.Event()
        self._ready.set()

    def tell(self, text: str, *, is_news: bool = True) -> None:
        """Put a message on its way; where too many are, the news among them are dropped and the table is shown anew."""
        if is_news and (self.is_lost or len(self._texts) >= _NEWS_MAX):
            self.is_lost = True
        else:
            self._texts.append(text)
        self._ready.set()

    def lose(self) -> None:
        """Have the whole table shown again."""
        self.is_lost = True
        self._ready.set()

    async def ready(self) -> None:
        """Wait until there is something to send."""
        await self._ready.wait()
        self._ready.clear()

    def take(self) -> list[str]:
        """Give what is on its way, once."""
        texts, self._texts = self._texts, []
        return texts
