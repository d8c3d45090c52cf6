"""One turn: play a load on the server of whichever version Python finds, and print what it cost as JSON.

`python -P .../turn.py TABLES ROLLS SECONDS [--profile]`: house, screens and load are those of that version's own
benchmarks, so that each is played as its pages do.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvloop

_STARTED = "Passline is at "
_TICK = os.sysconf("SC_CLK_TCK")


class _Server:
    """A server process; `cpu_seconds` is called when the load begins and when it ends."""

    def __init__(self, base: str, process: subprocess.Popen[str], asks: Path | None) -> None:
        self.base, self.process, self._asks = base, process, asks
        self.looks: list[dict[str, Any]] = []

    def cpu_seconds(self) -> float:
        """Look at the processor time of every process, and ask for that of every part."""
        found = dict(_processes(self.process.pid))
        parts: dict[str, Any] = {}
        if self._asks is not None:
            with socket.socket(socket.AF_UNIX) as asking:
                asking.connect(str(self._asks))
                parts = json.loads(b"".join(iter(lambda: asking.recv(65536), b"")))
        self.looks.append({"processes": found, **parts})
        return sum(user + system for user, system in found.values())


def _processes(first: int) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the seconds of the server process and of those it started: of the program, and of the kernel for it."""
    known: set[int] = set()
    for folder in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):  # parents come first
        try:
            fields = (folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended
            continue
        if int(folder.name) == first or int(fields[1]) in known:
            known.add(int(folder.name))
            name = "server" if int(folder.name) == first else "views" if "views" in command else folder.name
            yield name, (int(fields[11]) / _TICK, int(fields[12]) / _TICK)


@contextmanager
def _serving(data: Path, *, is_profiled: bool) -> Iterator[_Server]:
    from passline.cli.serve import serve  # noqa: PLC0415 - of the version that is measured

    asks = data / "profile" if is_profiled else None
    program = [str(Path(__file__).with_name("server.py")), str(asks)] if asks else ["-m", "passline"]
    elsewhere = ["--office", "elsewhere"] if "office" in inspect.signature(serve).parameters else []
    command = [sys.executable, "-P", *program, "serve", "--port", "0", "--data", str(data), *elsewhere]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        assert process.stdout is not None
        base = next((line for line in process.stdout if line.startswith(_STARTED)), "").removeprefix(_STARTED)
        assert base, "the server did not start"
        base = base.strip().rstrip("/")
        while not _is_up(base):
            time.sleep(0.05)
        yield _Server(base, process, asks)
    finally:
        process.terminate()
        process.wait(30)


def _is_up(base: str) -> bool:
    try:
        return httpx.get(f"{base}/health").status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def main() -> None:
    """Play one load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=int)
    parser.add_argument("rolls", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    from benchmarks.live import load as loads  # noqa: PLC0415 - of the version that is measured
    from benchmarks.live.house import made_house  # noqa: PLC0415

    play = getattr(loads, "play_load", None) or getattr(loads, "loaded")  # noqa: B009 - the name that 0.1 has
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        guests = made_house(Path(folder), given.tables)
        with _serving(Path(folder), is_profiled=given.profile) as server:
            load = uvloop.run(play(server, guests, tables=given.tables, rolls=given.rolls, seconds=given.seconds))
            before, after = server.looks[0], server.looks[-1]
    figures = {
        "commands": load.commands,
        "refused": load.refused,
        "p50": load.p50,
        "p99": load.p99,
        "share": load.cpu,
        "before": before,
        "after": after,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
