"""A visitor of the laboratory who asks the heaviest questions there are, as many at once as one may, until stopped.

`python -m benchmarks.live.lab_visitor http://127.0.0.1:8000` asks; `asking(base)` runs it beside a measurement.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import httpx

_AT_ONCE = 2  # of each kind, which is what one visitor may
_HOUSE = {"regulation": "maryland"}
_SETTLE_SECONDS = 12.0  # in which its processes start and load what they need
_WAIT_SECONDS = 0.25
_STRATEGIES = ("press_regress", "molly", "iron_cross", "martingale", "across", "pass:odds=2")


def _laws(number: int) -> dict[str, Any]:
    """Return a question that takes its processes all the time they are given; no two are alike, so none is known."""
    session = {"bankroll_cents": 1_000_000_00 + number * 100, "rolls": 1_000_000}
    return {"house": _HOUSE, "session": session, "strategies": [{"played": name} for name in _STRATEGIES]}


def _hands(number: int) -> dict[str, Any]:
    session = {"bankroll_cents": 100_000_00, "rolls": 200}
    return {"house": _HOUSE, "session": session, "strategy": {"played": "molly"}, "seed": number, "rolls": 200}


def _ask(base: str, path: str, body: Callable[[int], dict[str, Any]], numbers: Iterator[int]) -> None:
    with httpx.Client(base_url=base, timeout=None) as client:  # noqa: S113 - it waits its turn
        while True:
            with suppress(httpx.HTTPError), client.stream("POST", path, json=body(next(numbers))) as answer:
                for _piece in answer.iter_raw():
                    pass
                if not answer.is_success:
                    time.sleep(_WAIT_SECONDS)


@contextmanager
def asking(base: str) -> Iterator[None]:
    """Have a visitor ask without end for the duration of the block."""
    command = [sys.executable, "-m", "benchmarks.live.lab_visitor", base]
    visitor = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[2])  # noqa: S603
    try:
        time.sleep(_SETTLE_SECONDS)
        assert visitor.poll() is None, "the visitor has ended"
        yield
    finally:
        visitor.kill()
        visitor.wait()


def _main() -> None:
    base, numbers = sys.argv[1], count()
    os.nice(19)  # a visitor's browser has a machine of its own
    for path, body in (("/api/lab/laws", _laws), ("/api/lab/hands", _hands)):
        for _ in range(_AT_ONCE):
            Thread(target=_ask, args=(base, path, body, numbers), daemon=True).start()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    _main()
