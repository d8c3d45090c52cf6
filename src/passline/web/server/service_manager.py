"""What systemd is told of a server (`Type=notify`): that it is ready, that it goes on, and that it stops.

Each is a few words to a socket that systemd names in the environment; without one nothing is sent.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from time import monotonic

import uvicorn

_SOCKET = "NOTIFY_SOCKET"
_EVERY, _OF = "WATCHDOG_USEC", "WATCHDOG_PID"  # how long systemd waits for a sign of life, in microseconds; of whom
_SIGNS = 3  # of life in that time


def tell_service_manager(state: str, *, seconds: float = 1.0) -> None:
    """Tell systemd what has become of this process, such as READY=1; what it does not take in this time is dropped."""
    address = os.environ.get(_SOCKET, "")
    if not address:
        return
    with suppress(OSError, AttributeError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(seconds)
        manager.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        manager.sendall(state.encode())


class Watchdog:
    """Signs of life for systemd. Whoever gives them does so from the loop that must not stand still."""

    def __init__(self) -> None:
        usec, pid = os.environ.get(_EVERY, ""), os.environ.get(_OF, "")
        is_meant = usec.isdecimal() and pid in {"", str(os.getpid())}
        self.seconds = int(usec) / 1e6 / _SIGNS if is_meant else 0.0  # 0: nobody waits for one
        self._due = 0.0

    def give_sign(self) -> None:
        """Send a sign of life, if one is due."""
        if self.seconds and (now := monotonic()) >= self._due:
            self._due = now + self.seconds
            tell_service_manager("WATCHDOG=1", seconds=0)  # a server does not wait for who watches it


class NotifyingServer(uvicorn.Server):
    """A server of one process. It is ready when it takes requests; its signs of life come from its event loop."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._watchdog = Watchdog()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and say so."""
        await super().startup(sockets)
        if self.started and not self.should_exit:
            tell_service_manager("READY=1")

    async def on_tick(self, counter: int) -> bool:
        """Send signs of life: a loop that stands still sends none."""
        self._watchdog.give_sign()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say that it stops, and stop."""
        tell_service_manager("STOPPING=1")
        await super().shutdown(sockets)
