"""A table under attack: answer times of wagers alone and under floods from outside, and the server's memory.

The server is the real `passline serve` on a long SQLite log, in its own process; 18 players make and remove wagers over
websockets. The peer of each flood is the same table alone, measured just before it. A flood is as strong as one machine
makes it: 40 parallel log-ins, each from another address behind a proxy; 8 senders of bodies made to be slow to read;
1,500 half-open requests; 4 regulators who read their pages in a loop; 1,500 idle websockets of people who are not
logged in. What the attackers got is printed: a flood that is turned away is harmless because it is turned away.

Strangers have machines of their own: `--server-cores 2` gives the server and what it starts two cores that screens and
attackers do not use. Without it all share the machine, and a ratio also tells how the attackers' own work is scheduled.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import uvloop
from argon2 import PasswordHasher
from msgspec import Struct

from benchmarks.live.floods import ATTACKS, PROXY, READERS, READY
from benchmarks.live.house import Guest, RunningServer, made_house, serving
from benchmarks.live.long_log import deal
from benchmarks.live.pace import Pace, is_within
from benchmarks.live.screens import Screen
from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome
from passline.store.data_folder import open_log
from passline.store.timestamps import utc_now

RATIO_MAX = 2.0
RATE = 60.0  # wagers a second at the table
_SETTLE_SECONDS = 60
_QUIET_SHARE = 0.05  # of a core


class _Timed(Screen):
    """A screen that keeps when each command was sent, and how long its answer took."""

    def __init__(self, uri: str, headers: dict[str, str]) -> None:
        super().__init__(uri, headers, follows=False)
        self.took: list[tuple[float, float]] = []
        self.is_up = False

    def _message(self, message: bytes, now: float) -> None:
        known = len(self.answers)
        super()._message(message, now)
        if len(self.answers) > known:
            id_ = next(reversed(self.answers))
            self.took.append((self.asked[id_], now - self.asked[id_]))

    def act(self, seat: int) -> None:
        """Make a wager, or remove it."""
        wager: dict[str, Any] = {"seat": seat, "wager": "field"}
        command = {"command": "remove-wager"} if self.is_up else {"command": "make-wager", "cents": 5_00}
        self.is_up = not self.is_up
        self.send(uuid4().hex, command | wager)


class Row(Struct, frozen=True):
    """One measurement: milliseconds from a wager to its answer."""

    answers: int
    unanswered: int
    refused: int
    p50: float
    p99: float
    p99_at_speed: float  # of the wagers sent while the machine ran at full speed
    slowest: tuple[tuple[float, float], ...]  # the second at which a wager was sent, and its milliseconds


async def _seated(server: RunningServer, guests: list[Guest]) -> list[_Timed]:
    where, loop, screens = urlsplit(server.base), asyncio.get_running_loop(), []
    for guest in guests:
        uri, headers = f"ws://{where.netloc}/api/tables/{guest.table}/live", {"Authorization": f"Bearer {guest.token}"}
        _transport, screen = await loop.create_connection(
            partial(_Timed, uri, headers), where.hostname or "", where.port or 80
        )
        await asyncio.wait_for(screen.is_ready, 60)
        screen.send(uuid4().hex, {"command": "take-seat", "seat": guest.seat})
        screen.send(uuid4().hex, {"command": "buy-in", "seat": guest.seat, "cents": 1_000_00})
        screens.append(screen)
    await asyncio.sleep(1.0)
    return screens


async def _measured(screens: list[_Timed], seconds: float) -> Row:
    """Play for some seconds at a steady rate; return how long answers took."""
    loop, chance, pace = asyncio.get_running_loop(), random.Random(7), Pace()
    for screen in screens:
        screen.took, screen.asked, screen.answers = [], {}, {}
    watching = asyncio.create_task(pace.watch())
    begun, sent = loop.time(), 0
    while loop.time() - begun < seconds:
        await asyncio.sleep(max(0.0, begun + sent / RATE + chance.uniform(0, 1 / RATE) - loop.time()))
        seat = sent % len(screens) + 1
        screens[seat - 1].act(seat)
        sent += 1
    end = loop.time() + 20
    while sum(len(screen.took) for screen in screens) < sent and loop.time() < end:  # noqa: ASYNC110 - answers come
        await asyncio.sleep(0.05)
    watching.cancel()
    found, spells = [one for screen in screens for one in screen.took], pace.spells()
    taken = sorted(took for _, took in found)
    at_speed = sorted(took for asked, took in found if not is_within(spells, asked)) or taken
    refused = sum(answer["kind"] == "refused" for screen in screens for answer in screen.answers.values())
    return Row(
        len(taken),
        sent - len(taken),
        refused,
        taken[len(taken) // 2] * 1000,
        taken[len(taken) * 99 // 100] * 1000,
        at_speed[len(at_speed) * 99 // 100] * 1000,
        tuple((round(asked - begun, 2), round(took * 1000, 1)) for asked, took in sorted(found, key=_took)[-8:]),
    )


def _took(wager: tuple[float, float]) -> float:
    return wager[1]


@contextmanager
def _attacked(name: str, server: RunningServer, tokens: list[str], got: dict[str, int]) -> Iterator[None]:
    """Attack the server in another process until the block ends."""
    command = [sys.executable, "-m", "benchmarks.live.floods", name, server.base, *tokens]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline().strip() == READY
    try:
        yield
    finally:
        process.stdin.close()
        with process:
            got |= json.loads(process.stdout.readline() or "{}")


async def _quiet(server: RunningServer) -> None:
    """Wait until the server has done what the attackers left behind."""
    for _ in range(_SETTLE_SECONDS):
        used = server.cpu_seconds()
        await asyncio.sleep(1.0)
        if server.cpu_seconds() - used < _QUIET_SHARE:
            return


def _memory_mb(server: RunningServer) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _regulators(data: Path) -> list[str]:
    """Bring in as many regulators as will read, and an owner; return their tokens, the owner's last."""
    log = open_log(data)
    desk = FrontDesk(log, utc_now, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    link = desk.first_owner()
    assert isinstance(link, Link)
    owner = desk.accept_invitation(link.token, name="Olga", password="correct horse battery", pin="7294")  # noqa: S106
    assert isinstance(owner, Welcome), owner
    tokens = []
    for number in range(READERS):
        invited = desk.invite(by=owner.session.account.id, roles=("regulator",))
        assert isinstance(invited, Link), invited
        came = desk.accept_invitation(invited.token, name=f"Reg {number}", password="correct horse", pin="7294")  # noqa: S106
        assert isinstance(came, Welcome), came
        tokens.append(came.token)
    log.close()
    return [*tokens, owner.token]


async def _play(
    server: RunningServer, guests: list[Guest], tokens: list[str], seconds: float, attacks: list[str]
) -> list[dict[str, Any]]:
    screens = await _seated(server, guests)
    await _measured(screens, seconds / 2)  # warm
    rows = []
    for name in attacks:
        before, alone = _memory_mb(server), await _measured(screens, seconds)
        got: dict[str, int] = {}
        attack = _attacked(name, server, tokens, got)
        await asyncio.to_thread(attack.__enter__)
        try:
            row = await _measured(screens, seconds)
            during = _memory_mb(server)
        finally:
            await asyncio.to_thread(attack.__exit__, None, None, None)
        await _quiet(server)
        after, failed = _memory_mb(server), row.refused + row.unanswered
        ratio = row.p99_at_speed / alone.p99_at_speed
        told = ", ".join(f"{what} {count:,}" for what, count in sorted(got.items()))
        print(
            f"  {name:16} {alone.p50:7.1f} {alone.p99:7.1f} {row.p50:8.1f} {row.p99:8.1f} {row.p99_at_speed:8.1f}"
            f" {ratio:6.1f} x {failed:6} {before:7.0f} {during:6.0f} {after:6.0f}  {told}",
            flush=True,
        )
        rows.append(
            {
                "flood": name,
                "alone_p50_ms": round(alone.p50, 2),
                "alone_p99_ms": round(alone.p99, 2),
                "p50_ms": round(row.p50, 2),
                "p99_ms": round(row.p99, 2),
                "alone_p99_ms_at_speed": round(alone.p99_at_speed, 2),
                "p99_ms_at_speed": round(row.p99_at_speed, 2),
                "p99_ratio": round(row.p99 / alone.p99, 2),
                "p99_ratio_at_speed": round(ratio, 2),
                "slowest": row.slowest,
                "refused_or_unanswered": failed,
                "memory_mb": [round(before), round(during), round(after)],
                "attackers_got": got,
            }
        )
    for screen in screens:
        screen.close()
    return rows


def main() -> None:
    """Measure; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200_000, help="events of the log that readers read")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each measurement takes")
    parser.add_argument("--server-cores", type=int, default=0, help="so many cores are the server's alone")
    parser.add_argument("--only", action="append", choices=ATTACKS, help="only this flood; may be given again")
    options = parser.parse_args()
    gc.disable()  # a pause of this process would look like one of the server
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        begun = time.perf_counter()
        entries, events, _seconds = deal(data, options.events)
        tokens, guests = _regulators(data), made_house(data, 1)
        print(f"A log of {entries:,} entries ({events:,} events) was dealt in {time.perf_counter() - begun:.0f} s")
        print(f"Milliseconds from a wager to its answer, {RATE:.0f} wagers a second, 18 players; memory in MB")
        print(
            "  flood          alone: p50     p99   flood:p50      p99  at speed   ratio  failed  before during  after"
            "  attackers got"
        )
        cores, apart = sorted(os.sched_getaffinity(0)), options.server_cores
        os.sched_setaffinity(0, cores[:apart] or cores)  # which the server inherits
        with serving(data, "--proxy", PROXY) as server:
            os.sched_setaffinity(0, cores[apart:])
            rows = uvloop.run(_play(server, guests, tokens, options.seconds, options.only or list(ATTACKS)))
    slow = [row["flood"] for row in rows if row["p99_ratio_at_speed"] > RATIO_MAX]
    print(f"\n  p99 at most {RATIO_MAX:g} times that alone: {'all' if not slow else 'all but ' + ', '.join(slow)}")
    print('  "ratio" is of p99 while this machine ran at full speed (benchmarks/live/pace.py); the JSON has both\n')
    print(json.dumps({"floods": rows, "entries": entries}))


if __name__ == "__main__":
    main()
