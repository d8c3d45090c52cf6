"""The open screens by their sessions: when a session ends, its screens are shut, and nothing private reaches them."""

from __future__ import annotations

import asyncio
from typing import Protocol

from passline.people.desk import FrontDesk
from passline.people.sessions import Session
from passline.store.log import LogError
from passline.web.server.logs import logger

__all__ = ["Screen", "Screens"]

_LOOK_SECONDS = 1.0  # between looks at whether anything changed about people
_AT_ONCE = 40  # sessions checked in one go, then tables have their turn: thousands at once would hold them up
_BREATH_SECONDS = 0.02
_CHECK_LOOKS = 3  # looks after which every session is checked in any case: one may expire, or end in another process


class Screen(Protocol):
    """An open websocket of somebody who is logged in."""

    account: str
    role: str

    async def shut(self) -> None:
        """Send nothing private any more and close."""


class Screens:
    """All screens of this process that were opened with a session; each session is checked once for all of its own."""

    def __init__(self, desk: FrontDesk) -> None:
        self._desk = desk
        self._by_token: dict[str, set[Screen]] = {}

    def enter(self, token: str, screen: Screen) -> None:
        """Watch over a screen."""
        self._by_token.setdefault(token, set()).add(screen)

    def leave(self, token: str, screen: Screen) -> None:
        """Forget a screen."""
        screens = self._by_token.get(token, set())
        screens.discard(screen)
        if not screens:
            self._by_token.pop(token, None)

    def accounts(self) -> set[str]:
        """Give whoever has a screen open."""
        return {screen.account for screens in self._by_token.values() for screen in screens}

    async def end(self, token: str) -> None:
        """Shut the screens of a session that has ended."""
        await self._shut(list(self._by_token.get(token, ())))

    async def watch(self) -> None:
        """Check the sessions whenever something changed about people, and every few seconds, until cancelled."""
        version, looks = -1, 0
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            looks += 1
            try:
                await asyncio.to_thread(self._desk.people)
                if self._desk.version != version or looks >= _CHECK_LOOKS:
                    version, looks = self._desk.version, 0
                    await self.check()
            except LogError as error:  # nothing happens at a table either while the log is away
                logger().warning("sessions cannot be checked", why=str(error))

    async def check(self) -> None:
        """Shut every screen whose session has ended, or whose person has its role no longer."""
        tokens = list(self._by_token)
        for first in range(0, len(tokens), _AT_ONCE):
            some = tokens[first : first + _AT_ONCE]
            sessions = await asyncio.to_thread(self._desk.sessions_of, some)
            screens = ((token, screen) for token in some for screen in self._by_token.get(token, ()))
            await self._shut([screen for token, screen in screens if not _may_look(sessions[token], screen.role)])
            await asyncio.sleep(_BREATH_SECONDS)

    async def _shut(self, screens: list[Screen]) -> None:
        await asyncio.gather(*(screen.shut() for screen in screens), return_exceptions=True)


def _may_look(session: Session | None, role: str) -> bool:
    return session is not None and role in session.account.roles
