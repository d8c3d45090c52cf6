"""The process that writes the log for all server processes of a house.

It imports only what it needs, so that it is soon back: every table waits while it is started again.
"""

from __future__ import annotations

import signal
import socket
import sys
from pathlib import Path
from typing import Protocol

from passline.store.data_folder import open_log
from passline.streams.commit_process import serve_commits
from passline.web.server.beginnings import avoid_pauses, end_if_it_cannot_begin, name_process
from passline.web.server.logs import configure_logs


class Ticks(Protocol):
    """How often the loop of a process has come round, in memory that it shares with its parent."""

    value: int


def run_commits(data: str, database: str, joining: socket.socket, ticks: Ticks) -> None:
    """Run the process; it ends with the last server process."""
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    name_process("passline-log")
    configure_logs(is_terminal=sys.stderr.isatty())
    with end_if_it_cannot_begin():
        log = open_log(Path(data), database)
    avoid_pauses()

    def live() -> None:
        ticks.value += 1

    serve_commits(log, joining, live)
    log.close()
