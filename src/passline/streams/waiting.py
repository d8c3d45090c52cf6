"""A command that waits for its answer, and those who wait with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from passline.refusal import Refused
from passline.streams.course import Answer, Ask, Decision

_log = logging.getLogger(__name__)
AnswerOrFault = Answer | Refused | Exception
"""What becomes of a command."""
Reply = Callable[[AnswerOrFault], None]
"""Takes the answer to a command, in the event loop, once."""


class Waiting:
    """A command, those who wait for its answer, and what was decided last."""

    __slots__ = ("ask", "decided", "entries_read", "is_current", "replies", "turn")

    def __init__(self, ask: Ask, turn: int, entries_read: int) -> None:
        self.ask = ask
        self.turn = turn  # of two commands, the one with the lower number was sent first
        self.entries_read = entries_read  # of other processes, when it was decided last
        self.is_current = False  # what other processes wrote before it came was read for it
        self.replies: list[Reply] = []
        self.decided: Decision | Refused | Exception | None = None

    def join(self, ask: Ask, reply: Reply) -> None:
        """Have the same command answered too; sent again, it may be under way by another process as well."""
        self.replies.append(reply)
        if ask.again:
            self.ask = replace(self.ask, again=True)

    def tell(self, answer: AnswerOrFault) -> None:
        """Answer everybody who waits; if that fails for one of them, the others are still answered."""
        replies, self.replies = self.replies, []
        for reply in replies:
            try:
                reply(answer)
            except Exception:  # noqa: BLE001 - whatever it is, the stream must go on
                _log.exception("the answer to %s could not be told", type(self.ask.command).__name__)

    def future(self) -> asyncio.Future[Answer | Refused]:
        """Return a future of the answer."""
        future: asyncio.Future[Answer | Refused] = asyncio.get_running_loop().create_future()
        self.replies.append(partial(resolve, future))
        return future


def resolve(future: asyncio.Future[Answer | Refused], answer: AnswerOrFault) -> None:
    """Resolve a future by the answer to a command."""
    if future.done():  # the sender has gone; the command is carried out all the same
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
        future.exception()  # retrieved, so that asyncio does not complain if the sender has gone
    else:
        future.set_result(answer)
