"""The server as people run it: `passline serve` in a process of its own, over a folder that a test throws away."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import httpx
from msgspec import Struct

__all__ = ["Serving", "serving"]

_READY = "Ctrl-C stops"


class Serving(Struct, frozen=True):
    """Where a server is, and the one-time link it printed for its owner."""

    address: str
    owner_link: str
    process: "subprocess.Popen[str]"


@contextmanager
def serving(data: Path, *options: str) -> Iterator[Serving]:
    """Run a server until the test is over."""
    command = [sys.executable, "-m", "passline", "serve", "--port", "0", "--data", str(data), *options]
    with (data.parent / f"{data.name}.err").open("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if _READY in line:
                    break
            else:
                errors.seek(0)
                raise AssertionError(f"the server ended at once:\n{said}{errors.read()}")
            address = re.search(r"http://[\d.]+:\d+", said)
            link = re.search(r"http://\S+/invitations/\S+", said)
            assert address, said
            _reach(address[0])
            yield Serving(address[0], link[0] if link else "", process)
        finally:
            process.terminate()
            process.wait(timeout=60)
            if process.stdout is not None:
                process.stdout.close()


def _reach(address: str) -> None:
    """Ask until it answers: the address is printed when the socket is bound, which is a little earlier."""
    end = monotonic() + 30
    while True:
        try:
            httpx.get(f"{address}/health", timeout=30)
        except httpx.ConnectError:
            if monotonic() > end:
                raise
            sleep(0.05)
        else:
            return
