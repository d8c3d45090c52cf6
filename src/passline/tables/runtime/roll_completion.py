"""Completes throws of electronic dice: whatever server finds wagers closed lands the dice, unasked, as the house."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from passline.errors import CrapsError
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.store.entry import Head, Stored
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Ask, Happened
from passline.streams.writer import AGAIN_SECONDS, ServerFault
from passline.tables import commands as k
from passline.tables.dice.throwing import number_after
from passline.tables.live import Closing, LiveTable

if TYPE_CHECKING:
    from passline.streams.running import RunningStream

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
        self._landed: asyncio.Future[Happened] | None = None
        self._task: asyncio.Task[None] | None = None
        self.fault = ""  # why the dice of the open throw have not landed; for the server's own log

    def digest(self, number: int) -> str:
        """Return the digest of a key of this table."""
        return self._keys.digest(self.stream.name, number)

    def has_key(self, live: LiveTable) -> bool:
        """Return whether the key that this table has committed to is here."""
        return live.commitment is not None and self.digest(live.commitment.number) == live.commitment.digest

    def begin(self, live: LiveTable) -> None:
        """Begin to complete the open throw of a table that was just read, if there is one."""
        if live.closing is not None:
            self._open(live.closing, b"", is_ours=False)

    def follow(self, happened: Happened, *, is_ours: bool) -> None:
        """Note that dice have landed, and begin to complete a throw; `is_ours` means that this process wrote it."""
        before, after = happened.before and happened.before.closing, happened.after.closing
        if before is not None and after is None and self._landed is not None:
            self._landed.set_result(happened)
            self._landed, self.fault = None, ""
        if after is not None and after.version != self._version:
            self._open(after, happened.stored.hash, is_ours=is_ours)

    def _open(self, closing: Closing, hash_: bytes, *, is_ours: bool) -> None:
        self._version, self._hash = closing.version, hash_
        loop = asyncio.get_running_loop()
        self._nonce, self._landed = loop.create_future(), loop.create_future()
        self._task = asyncio.create_task(self._complete(closing.version, is_ours=is_ours), name="a roll")

    def take_nonce(self, nonce: bytes) -> bool:
        """Take the shooter's nonce for the open throw; return whether it is its nonce."""
        live, waiting = self.stream.state, self._nonce
        closing = live.closing if live else None
        if closing is None or waiting is None or sha256(nonce).hexdigest() != closing.nonce_digest:
            return False
        if not waiting.done():
            waiting.set_result(nonce)
        return True

    async def wait_until_landed(self) -> None:
        """Wait until the dice of the open throw have landed; return at once if there is none."""
        if self._landed is not None:
            await asyncio.shield(self._landed)

    async def roll_after(self, sequence: int) -> Stored | None:
        """Return the roll of the entry that closed wagers, once it has landed; None if that throw became void."""
        closed = await asyncio.to_thread(lambda: next(iter(self._log.read(after=sequence - 1, until=sequence))))
        version = closed.entry.version
        if self._version == version:
            await self.wait_until_landed()
        return await asyncio.to_thread(self._log.find, self.stream.name, THE_HOUSE.account, _roll_id(version))

    async def stop(self) -> None:
        """Leave an open throw to the next server."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _complete(self, version: int, *, is_ours: bool) -> None:
        """Decide the nonce, keep the head outside the database, land the dice: however often the log has to be asked.

        Each step is an entry that every server finds, so that all of them land the same dice.
        """
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
            except Exception as error:  # noqa: BLE001 - whatever it is, the dice must land
                is_ours_to_mend = not isinstance(error, CrapsError | OSError | ServerFault)
                _log.log(logging.ERROR if is_ours_to_mend else logging.DEBUG, "a roll", exc_info=error)
                why = f"{type(error).__name__}: {error}"
            if self.stream.state is live:  # it failed, or another server was first: read what that one wrote
                self.stream.catch_up()
                await asyncio.sleep(_READ_SECONDS)
            if why and self.stream.state is live:
                if why != self.fault:
                    _log.error("the roll of %s waits: %s", self.stream.name, why)
                self.fault = why
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
        return Ask(_roll_id(closing.version), command, THE_HOUSE)

    async def _anchor(self) -> None:
        """Keep a head outside the database that covers what determines the roll; without it the key stays secret."""
        if self._keep_head is not None:
            head = await asyncio.to_thread(self._log.head)
            if head is None or head.sequence < self.stream.sequence:
                raise LogError(f"the log's head is before entry {self.stream.sequence}, which this server has written")
            await asyncio.to_thread(self._keep_head, head)

    def _hash_of(self, version: int) -> bytes:
        return next(iter(self._log.read_stream(self.stream.name, after=version - 1))).hash


def _roll_id(version: int) -> str:
    """Return the id of the command that lands the dice of a closing: the same for every server and every retry."""
    return f"roll-{version}"
