"""A proxy in front of PostgreSQL that loses commits: their request, or the answer after they are done."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Literal

from psycopg.conninfo import conninfo_to_dict

Loss = Literal["none", "request", "answer", "all"]
"""What is lost: nothing, the request of a commit, its answer, or every connection."""
_COMMITS = (b"COMMIT\0", b"EXECUTE passline_append(")  # the second one commits without saying so
_PORT = ".s.PGSQL.5432"


class PostgresProxy:
    """Forwards a socket. `lose` says what happens to the next commits."""

    def __init__(self, folder: Path, upstream: str) -> None:
        self._upstream = upstream
        self.loss: Loss = "none"
        self.times = 0
        self.lost = 0
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / _PORT))
        self._listening.listen(64)
        Thread(target=self._accept, daemon=True).start()

    def lose(self, what: Loss, times: int = 1_000_000) -> None:
        """Lose something of the next commits."""
        self.loss, self.times = what, times

    def close(self) -> None:
        """Accept no more connections."""
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                if self.loss == "all":
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._upstream)
                is_cut = [False]  # shared by the two directions
                Thread(target=self._forward, args=(client, server, is_cut), daemon=True).start()
                Thread(target=self._return, args=(server, client, is_cut), daemon=True).start()

    def _forward(self, client: socket.socket, server: socket.socket, is_cut: list[bool]) -> None:
        with suppress(OSError):
            while data := client.recv(1 << 16):
                if any(commit in data for commit in _COMMITS) and self.times and self.loss in {"request", "answer"}:
                    self.times -= 1
                    self.lost += 1
                    is_cut[0] = True
                    if self.loss == "request":
                        break
                server.sendall(data)
        if not (is_cut[0] and self.loss == "answer"):  # otherwise the commit's answer ends the connection
            _hang_up(server, client)

    def _return(self, server: socket.socket, client: socket.socket, is_cut: list[bool]) -> None:
        with suppress(OSError):
            while data := server.recv(1 << 16):
                if is_cut[0]:  # the commit is done; nobody hears of it
                    break
                client.sendall(data)
        _hang_up(server, client)


def _hang_up(*sockets: socket.socket | None) -> None:
    for one in sockets:
        if one is not None:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextmanager
def postgres_proxy(url: str) -> Iterator[tuple[PostgresProxy, str]]:
    """Run a proxy for a database on a socket; yield it with the URL that leads through it."""
    with tempfile.TemporaryDirectory(prefix="px", dir="/tmp") as folder:  # a socket's path must be short
        parts = conninfo_to_dict(url)
        proxy = PostgresProxy(Path(folder), f"{parts['host']}/{_PORT}")
        try:
            yield proxy, f"postgresql://{parts['user']}@/{parts['dbname']}?host={folder}"
        finally:
            proxy.close()
