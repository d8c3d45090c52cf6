"""The open screens by session: when a session ends, its screens are shut and get nothing private any more."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

from passline.errors import CrapsError
from passline.people.desk import FrontDesk
from passline.streams.writer import ServerFault
from passline.web.server.logs import logger
from passline.web.server.pools import BoundedPool

_LOOK_SECONDS = 1.0  # how often people are checked for changes
_AT_ONCE = 40  # sessions checked in one batch; thousands at once would hold up the tables
_BREATH_SECONDS = 0.02  # between batches
_CHECK_LOOKS = 3  # checks after which every session is checked anyway: it may expire, or end in another process


class Screen(Protocol):
    """An open websocket of somebody who is logged in."""

    account: str
    role: str

    async def shut_down(self) -> None:
        """Close it, and send nothing private from now on."""


class Screens:
    """All screens of this process that were opened with a session."""

    def __init__(self, desk: FrontDesk) -> None:
        self._desk = desk
        self._threads = BoundedPool("screens", threads=1)
        self._by_token: dict[str, set[Screen]] = {}

    def enter(self, token: str, screen: Screen) -> None:
        """Add a screen."""
        self._by_token.setdefault(token, set()).add(screen)

    def leave(self, token: str, screen: Screen) -> None:
        """Remove a screen."""
        screens = self._by_token.get(token, set())
        screens.discard(screen)
        if not screens:
            self._by_token.pop(token, None)

    def accounts(self) -> set[str]:
        """Return the accounts that have a screen open."""
        return {screen.account for screens in self._by_token.values() for screen in screens}

    async def end(self, token: str) -> None:
        """Shut the screens of a session that has ended."""
        await self._shut_all(list(self._by_token.get(token, ())))

    async def watch(self) -> None:
        """Check the sessions when people have changed, and every few seconds, until cancelled."""
        version, looks = -1, 0
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            looks += 1
            try:
                await self._threads.run(self._desk.people)
                await self._threads.run(self._desk.record_incidents)
                if self._desk.version != version or looks >= _CHECK_LOOKS:
                    version, looks = self._desk.version, 0
                    await self.check()
            except (CrapsError, ServerFault, OSError) as error:  # tables stand still too while the log is down
                logger().warning("sessions cannot be checked", why=str(error))

    async def check(self) -> None:
        """Shut every screen whose session has ended, or whose person has lost the role."""
        tokens = list(self._by_token)
        for first in range(0, len(tokens), _AT_ONCE):
            some = tokens[first : first + _AT_ONCE]
            sessions = await self._threads.run(partial(self._desk.sessions_of, some))
            screens = ((token, screen) for token in some for screen in self._by_token.get(token, ()))
            may = {token: session.account.roles if session else () for token, session in sessions.items()}
            await self._shut_all([screen for token, screen in screens if screen.role not in may[token]])
            await asyncio.sleep(_BREATH_SECONDS)

    async def _shut_all(self, screens: list[Screen]) -> None:
        await asyncio.gather(*(screen.shut_down() for screen in screens), return_exceptions=True)
