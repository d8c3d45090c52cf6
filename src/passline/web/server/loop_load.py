"""How busy a server is: how late its event loop comes to what is due, and how many commands wait for their answers.

Both are felt at tables long before a command is refused; then `is_busy` says so to operators, and pages wait.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from time import monotonic

_LOOK_SECONDS = 0.25
_SHARE = 0.1  # of the newest look in the average: what lasts for a second or two counts
_BUSY_SECONDS = 0.03  # a wager is then shown about this much later
_BUSY_COMMANDS = 500  # waiting; a core answers about as many in a second
_COMMANDS_MAX = 2_000  # waiting, after which whoever has several of them waiting is refused one more
_OWN = 4  # commands of one account that wait and are no reason to refuse the next
_COMMANDS_MAX_OF_ALL = 2 * _COMMANDS_MAX  # after which everybody is refused
TOO_BUSY = (
    "this server is too busy to take the command now, so it was not done: too many others wait for their answers; "
    "wait a few seconds, look at the table again, and send it again if you still want it"
)
"""The answer to a command for which there is no room."""


class LoopLoad:
    """The lateness of one event loop, averaged over some seconds, and the commands that wait for their answers.

    >>> load = LoopLoad()
    >>> load.note(0.2), load.is_busy, [load.note(0.2) for _ in range(10)][0], load.is_busy
    (None, False, None, True)
    """

    def __init__(self) -> None:
        self.late_seconds = 0.0
        self.commands = 0  # that wait for their answers
        self._own: Counter[str] = Counter()  # of each account

    @property
    def is_busy(self) -> bool:
        """Whether tables are shown noticeably later than they could be."""
        return self.late_seconds > _BUSY_SECONDS or self.commands > _BUSY_COMMANDS

    def has_room(self, account: str) -> bool:
        """Return whether one more command of an account may wait: whoever has many waiting is refused first."""
        if self.commands < _COMMANDS_MAX:
            return True
        return self.commands < _COMMANDS_MAX_OF_ALL and self._own[account] < _OWN

    def begin_command(self, account: str) -> None:
        """Count a command that waits for its answer from now on."""
        self.commands += 1
        self._own[account] += 1

    def end_command(self, account: str) -> None:
        """Count a command that was answered."""
        self.commands -= 1
        self._own[account] -= 1
        if not self._own[account]:
            del self._own[account]

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            due = monotonic() + _LOOK_SECONDS
            await asyncio.sleep(_LOOK_SECONDS)
            self.note(max(0.0, monotonic() - due))

    def note(self, seconds: float) -> None:
        """Note how late the loop was at one look."""
        self.late_seconds += (seconds - self.late_seconds) * _SHARE
