"""An Arizona office in which each die is a thing: how *Today* and the start of the server grow with the days.

Every gaming day brings the dice of 40 tables and three shifts: received, put into the cabinet, tested, thrown, retired
and destroyed, each step decided by the office's own rules. Measured is processor time, so that other work on the
machine does not count: of *Today*, and of reading the office's state as a server that starts does.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import msgspec

from benchmarks.processor import processor_name
from passline.acts.judges.scene import Scene
from passline.acts.state import ActState
from passline.acts.views.today import today_of
from passline.store.memory import MemoryLog
from tests.office.busy_arizona import DAY, lives_of_dice, prepared_story
from tests.office.busy_house import log_story

GOAL, BASE = 2.0, 2  # times the house that is two days old


def main() -> None:
    """Live so many days; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, nargs="+", default=(BASE, 8, 30, 90), help="at which it is measured")
    parser.add_argument("--dice", type=int, default=600, help="a day: five at each of 40 tables in three shifts")
    parser.add_argument("--times", type=int, default=15, help="how often each is measured")
    options = parser.parse_args()
    python, load = platform.python_version(), os.getloadavg()[0]
    print(f"{processor_name()}, {os.cpu_count()} cores, Python {python}, load {load:.1f} before\n", flush=True)
    print(f"{'days':>5} {'acts':>7} {'things':>7} {'filed':>7} {'Today':>9} {'first':>9} {'state':>9} {'read':>9}")
    found: list[dict[str, Any]] = []
    log_story(MemoryLog(), "arizona", _story(options, found))
    first = found[0]
    ratios = {name: round(found[-1][name] / first[name], 2) for name in ("today_ms", "read_ms")}
    met = "met" if ratios["today_ms"] <= GOAL else f"more than {GOAL}"
    print(f"\nToday after {found[-1]['days']} days, by that after {first['days']}: {ratios['today_ms']} ({met})")
    print(json.dumps({"measured": found, "ratios": ratios}))


def _story(options: argparse.Namespace, found: list[dict[str, Any]]) -> Iterator[str | Callable[[Scene], None]]:
    yield from prepared_story()
    for number in range(1, max(options.days) + 1):
        dice = [f"D{number:03}{die:04}" for die in range(options.dice)]
        yield from lives_of_dice(dice, DAY + timedelta(days=number))
        if number in options.days:
            yield lambda scene, days=number: found.append(_measure(scene, days, options.times))  # type: ignore[misc]


def _measure(scene: Scene, days: int, times: int) -> dict[str, Any]:
    state = scene.state
    body = msgspec.json.encode(state)
    fresh = [_cpu(lambda: msgspec.json.decode(body, type=ActState)) for _ in range(times)]
    anew = msgspec.json.decode(body, type=ActState)
    began = msgspec.structs.replace(scene, state=anew)
    first = _cpu(lambda: today_of(began))
    today = [_cpu(lambda: today_of(scene)) for _ in range(times)]
    told = {
        "days": days,
        "acts": state.acts,
        "things": len(state.things),
        "filed": len(state.ended),
        "today_ms": round(min(today), 2),
        "first_ms": round(first, 2),
        "state_kb": len(body) // 1000,
        "read_ms": round(min(fresh), 2),
    }
    print(
        f"{days:>5} {state.acts:>7,} {len(state.things):>7,} {len(state.ended):>7,} {told['today_ms']:>6.1f} ms"
        f" {first:>6.1f} ms {told['state_kb']:>6,} KB {told['read_ms']:>6.1f} ms",
        flush=True,
    )
    return told


def _cpu(work: Callable[[], object]) -> float:
    """Return the milliseconds of processor time that some work takes."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e3


if __name__ == "__main__":
    main()
