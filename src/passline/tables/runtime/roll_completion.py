"""Completes throws of electronic dice: whatever server finds wagers closed lands the dice, unasked, as the house."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from passline.errors import CrapsError
from passline.game.refusal import Refused
from passline.people.roles import THE_HOUSE
from passline.provable_dice import DiceKeys
from passline.store.entry import Head
from passline.store.log import Log
from passline.streams.course import Ask, Happened
from passline.streams.writer import AGAIN_SECONDS, ServerFault
from passline.tables import commands as k
from passline.tables.electronic.throwing import number_after
from passline.tables.live import Closing, LiveTable

if TYPE_CHECKING:
    from passline.streams.running import RunningStream

__all__ = ["NONCE_SECONDS", "RollCompletion"]

NONCE_SECONDS = 3.0
"""How long a roll waits for the shooter's nonce; then it goes without, which `verify` counts."""
_OTHERS_SECONDS = 2.0  # more at a server that did not close wagers: the one that did may have the nonce
_READ_SECONDS = 0.01
_log = logging.getLogger(__name__)


class RollCompletion:
    """The open throw of one table, until its dice are in the log.

    The key, the closing entry and the command's id are the same for every server and every retry, so they all land the
    same dice. `keep_head` keeps the head of the log outside the database before the key is revealed.
    """

    def __init__(self, log: Log, keys: DiceKeys, keep_head: Callable[[Head], None] | None) -> None:
        self.stream: RunningStream[LiveTable]  # set by the course
        self._log = log
        self._keys = keys
        self._keep_head = keep_head
        self._version = 0  # of the closing that is being completed
        self._hash = b""  # of that closing entry; empty: to be read
        self._nonce: asyncio.Future[bytes] | None = None
        self._landed: asyncio.Future[Happened | None] | None = None
        self._last: Happened | None = None  # the newest roll that was waited for
        self._task: asyncio.Task[None] | None = None

    def digest(self, number: int) -> str:
        """Return the digest of a key of this table."""
        return self._keys.digest(self.stream.name, number)

    def has_key(self, live: LiveTable) -> bool:
        """Return whether the key that this table has committed to is here."""
        return live.commitment is not None and self.digest(live.commitment.number) == live.commitment.digest

    def follow(self, live: LiveTable, newest: Happened | None = None, *, is_ours: bool = False) -> None:
        """Begin to complete a throw whose wagers are closed, or note that the dice have landed.

        `newest` is the entry that led to this table, if it is known; `is_ours` means that this process wrote it.
        """
        closing = live.closing
        if closing is None:
            if self._landed is not None:
                self._last = newest
                self._landed.set_result(newest)
            self._landed = None
        elif closing.version != self._version:
            self._version = closing.version
            loop = asyncio.get_running_loop()
            self._nonce, self._landed = loop.create_future(), loop.create_future()
            self._hash = newest.stored.hash if newest and newest.stored.entry.version == closing.version else b""
            self._task = asyncio.create_task(self._complete(closing.version, is_ours=is_ours), name="a roll")

    def take_nonce(self, nonce: bytes) -> None:
        """Take the shooter's nonce for the open throw; ignore any other."""
        live, waiting = self.stream.state, self._nonce
        if live is None or live.closing is None or waiting is None or waiting.done():
            return
        if sha256(nonce).hexdigest() == live.closing.nonce_digest:
            waiting.set_result(nonce)

    async def landed(self, sequence: int = 0) -> Happened | None:
        """Wait until the dice of the open throw have landed and return that decision.

        With the sequence of an entry that closed wagers, return the roll that followed it, even if it has landed.
        """
        if self._landed is not None:
            return await asyncio.shield(self._landed)
        last = self._last
        return last if last is not None and last.stored.entry.sequence > sequence else None

    async def stop(self) -> None:
        """Leave an open throw to the next server."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _complete(self, version: int, *, is_ours: bool) -> None:
        """Decide the nonce, keep the head outside the database, land the dice: however often the log has to be asked.

        Each step is an entry that every server finds, so that all of them land the same dice.
        """
        fault = ""
        while (live := self.stream.state) is not None and (closing := live.closing) and closing.version == version:
            try:
                if closing.nonce is None:
                    nonce = await self._nonce_in_time(NONCE_SECONDS + (0 if is_ours else _OTHERS_SECONDS))
                    ask = Ask(f"nonce-{version}", k.TakeNonce(closing=version, nonce=nonce.hex()), THE_HOUSE)
                else:
                    await self._anchor()
                    self._hash = self._hash or await asyncio.to_thread(self._hash_of, version)
                    ask = self._ask(live, closing, closing.nonce)
                answer = await self.stream.ask(ask)
                why = str(answer) if isinstance(answer, Refused) else ""
            except (CrapsError, OSError, ServerFault) as error:
                why = str(error)
            if self.stream.state is live:  # it failed, or another server was first: read what that one wrote
                self.stream.catch_up()
                await asyncio.sleep(_READ_SECONDS)
            if why and self.stream.state is live:
                if why != fault:
                    _log.error("the roll of %s waits: %s", self.stream.name, why)
                fault = why
                await asyncio.sleep(AGAIN_SECONDS)

    async def _nonce_in_time(self, seconds: float) -> bytes:
        """Return the shooter's nonce, or none if it does not come in time."""
        assert self._nonce is not None
        try:
            return await asyncio.wait_for(asyncio.shield(self._nonce), seconds)
        except TimeoutError:
            return b""

    def _ask(self, live: LiveTable, closing: Closing, nonce: str) -> Ask:
        command = k.CompleteRoll(
            closing=closing.version,
            hash=self._hash.hex(),
            key=self._keys.key(self.stream.name, closing.number).hex(),
            nonce=nonce,
            next_digest=self.digest(number_after(live)),
        )
        return Ask(f"roll-{closing.version}", command, THE_HOUSE)

    async def _anchor(self) -> None:
        """Keep the head of the log outside the database; without it the key is not revealed."""
        if self._keep_head is not None:
            head = await asyncio.to_thread(self._log.head)
            assert head is not None
            await asyncio.to_thread(self._keep_head, head)

    def _hash_of(self, version: int) -> bytes:
        return next(iter(self._log.read_stream(self.stream.name, after=version - 1))).hash
