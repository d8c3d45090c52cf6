"""The application of a test's own server, on a port for a browser: its log is in memory and its clock is the test's."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import uvicorn

from tests.web.server import Server


class _Announcing(uvicorn.Server):
    """Says when it accepts connections."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()


@contextmanager
def served_app(server: Server) -> Iterator[str]:
    """Serve in a thread of this process and yield the address."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(server.app, log_level="warning", ws="websockets-sansio", timeout_graceful_shutdown=1)
    running = _Announcing(config)
    thread = Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        assert running.is_up.wait(30)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join(30)
        listening.close()
