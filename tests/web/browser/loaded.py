"""A server with loaded dice and no computer players, for tests of the pages: all else is what `passline serve --demo` runs.

    python -m tests.web.browser.loaded DATA 2-4,3-4 maryland

prints its address and serves until it is ended. The dice start over when they have all come up.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import sys
from pathlib import Path

import uvicorn

from passline.dice import Roll
from passline.store.begun import utc_now
from passline.tables.floor import Floor
from passline.web.app import create_app
from passline.web.demo import Demo
from passline.web.starting import Settings, services_for

__all__ = ["main"]


class _EmptySeats(Demo):
    """The table of a demonstration, and nobody at it but visitors."""

    def __init__(self, floor: Floor, regulation: str) -> None:
        super().__init__(floor)
        self._regulation = regulation

    async def start(self) -> None:
        await self._opened("Table 1", self._regulation)


def main(data: str, dice: str, regulation: str) -> None:
    """Serve a table whose dice come up as told."""
    rolls = itertools.cycle(Roll(*map(int, text.split("-"))) for text in dice.split(","))
    services = services_for(Settings(data=Path(data), is_demo=True))
    services.floor = Floor(services.log, clock=utc_now, throw=lambda: next(rolls))
    services.demo = _EmptySeats(services.floor, regulation)
    listening = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(json.dumps({"address": f"http://127.0.0.1:{listening.getsockname()[1]}"}) + "\n")
    sys.stdout.flush()
    server = uvicorn.Server(uvicorn.Config(create_app(services), log_level="warning", ws="websockets-sansio"))
    asyncio.run(server.serve(sockets=[listening]))


if __name__ == "__main__":
    main(*sys.argv[1:])
