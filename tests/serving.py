"""The server as people run it: `passline serve ...` in its own process, with a temporary folder."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import httpx
from msgspec import Struct

from tests.forks import ForkedCommand

_READY = "Ctrl-C stops"


class Serving(Struct, frozen=True):
    """A running server: its address, and the one-time link it printed for its owner."""

    address: str
    owner_link: str
    process: ForkedCommand
    metrics_port: int = 0


@contextmanager
def serving(data: Path, *options: str, metrics_port: int = 0, office: str = "elsewhere") -> Iterator[Serving]:
    """Run a server for the duration of the block; without a port for metrics it has none.

    Most tests are about tables, not about what a house must have filed before one opens: its office is elsewhere.
    """
    options = (*options, "--office", office)
    options = (*options, "--metrics-port", str(metrics_port)) if metrics_port else options
    errors = data.parent / f"{data.name}.err"
    errors.write_text("", encoding="utf-8")
    process = ForkedCommand(["serve", "--port", "0", "--data", str(data), *options], errors)
    try:
        output = _greeting_of(process, errors)
        address = re.search(r"https?://[\d.]+:\d+", output)
        link = re.search(r"https?://\S+/invitations/\S+", output)
        assert address, output
        _reach(address[0])
        yield Serving(address[0], link[0] if link else "", process, metrics_port)
    finally:
        _end(process)


@contextmanager
def lab_serving(folder: Path) -> Iterator[str]:
    """Run `passline lab` for the duration of the block and yield its address."""
    errors = folder / "lab.err"
    errors.write_text("", encoding="utf-8")
    process = ForkedCommand(["lab", "--port", "0"], errors)
    try:
        address = re.search(r"http://[\d.]+:\d+", _greeting_of(process, errors))
        assert address
        yield address[0]
    finally:
        _end(process)


def _greeting_of(process: ForkedCommand, errors: Path) -> str:
    output = ""
    for line in process.stdout:
        output += line
        if _READY in line:
            return output
    raise AssertionError(f"the server ended at once:\n{output}{errors.read_text(encoding='utf-8')}")


def _end(process: ForkedCommand) -> None:
    process.terminate()
    process.wait(timeout=60)
    process.stdout.close()


def _reach(address: str) -> None:
    """Retry until the server answers: it prints its address a little before it is ready."""
    end = monotonic() + 30
    while True:
        try:
            httpx.get(f"{address}/health", timeout=30, verify=False)  # noqa: S501 - a certificate of its own
        except httpx.ConnectError:
            if monotonic() > end:
                raise
            sleep(0.05)
        else:
            return
