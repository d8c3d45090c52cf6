"""Full tables: 18 players who each make 10 wagers a roll, and how soon every screen shows each wager and each roll."""

from __future__ import annotations

import asyncio
import bisect
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

from msgspec import Struct, to_builtins

from benchmarks.live.house import PLAYERS, Guest, RunningServer
from benchmarks.live.pace import Pace, is_within
from benchmarks.live.screens import Screen, connected
from passline.game.commands import MakeWager

WAGERS = (
    "field",
    "any_seven",
    "any_craps",
    "craps_2",
    "craps_3",
    "eleven",
    "craps_12",
    "horn",
    "hop",
    "pass",
)  # 10 a roll
_HOP = 113
_SHARE = 0.85  # the share of the time between two rolls in which wagers are made
_PAUSE = 0.5


def wager_of(seat: int, which: int, *, puck: int) -> MakeWager:
    """Return the wager number `which` that a seat makes before a roll."""
    wager = WAGERS[which]
    if wager == "pass" and puck:
        return MakeWager(seat=seat, wager="place_win", number=6, cents=6_00)
    cents = 5_00 if wager in {"pass", "field"} else 4_00
    return MakeWager(seat=seat, wager=wager, number=_HOP if wager == "hop" else 0, cents=cents)


class Throws(Struct, frozen=True):
    """Milliseconds from the click on Roll to the dice on the last screen: closing, nonce, and the roll itself."""

    count: int
    p50: float
    p99: float


class Load(Struct, frozen=True):
    """The results of a run: milliseconds from a wager to the last screen of its table, the throws, the server."""

    tables: int
    commands: int
    refused: int
    p50: float
    p99: float
    worst: float
    cpu: float  # the server's share of one core
    p99_at_speed: float  # of the commands sent while the machine ran at full speed
    slow: float  # the share of the time in which it did not
    throws: Throws

    def row(self) -> str:
        """Return the row of the printed table."""
        return (
            f"  {self.tables:6} {self.commands:9,} {self.refused:8,} {self.p50:8.1f} {self.p99:8.1f} {self.worst:8.1f}"
            f" {self.cpu:8.0%} {self.p99_at_speed:12.1f} {self.slow:6.0%}"
        )

    def throw_row(self) -> str:
        """Return the row of the printed table of throws."""
        p50, p99 = self.throws.p50, self.throws.p99
        ratios = f"{p50 / self.p50:6.2f} {p99 / self.p99:6.2f}"
        return f"  {self.tables:6} {self.throws.count:9,} {p50:8.1f} {p99:8.1f} {ratios}"

    def figures(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "tables": self.tables,
            "commands": self.commands,
            "p50_ms": round(self.p50, 1),
            "p99_ms": round(self.p99, 1),
            "worst_ms": round(self.worst, 1),
            "server_share_of_a_core": round(self.cpu, 3),
            "p99_ms_at_speed": round(self.p99_at_speed, 1),
            "machine_slow_share": round(self.slow, 3),
            "throws": self.throws.count,
            "click_to_dice_p50_ms": round(self.throws.p50, 1),
            "click_to_dice_p99_ms": round(self.throws.p99, 1),
            "click_to_dice_p99_to_wager_p99": round(self.throws.p99 / self.p99, 2),
        }


class FullTable:
    """One table and its screens; the first screen follows the table's state, so that somebody always shoots."""

    def __init__(self, screens: list[Screen], chance: random.Random) -> None:
        self.screens = screens
        self._chance = chance

    @property
    def _state(self) -> dict[str, Any]:
        return self.screens[0].table["table"]  # type: ignore[no-any-return]

    async def play(self, rolls: int, seconds: float) -> None:
        """Play this many rolls, one every `seconds`."""
        loop = asyncio.get_running_loop()
        for _ in range(rolls):
            begun = loop.time()
            await self._shooter_ready()
            ready = loop.time() - begun  # wagers due in the meantime must not come in one burst
            moments = sorted(
                (self._chance.uniform(ready, seconds * _SHARE), seat, which)
                for seat in range(1, PLAYERS + 1)
                for which in range(len(WAGERS))
            )
            for moment, seat, which in moments:
                if (wait := begun + moment - loop.time()) > 0:
                    await asyncio.sleep(wait)
                self._wager(seat, which)
            await asyncio.sleep(max(0.0, begun + seconds - _PAUSE - loop.time()))
            if (shooter := self._state["shooter"]) and self._state["dice_are"] == "held":
                self.screens[shooter - 1].throw(uuid4().hex, shooter)
            await asyncio.sleep(max(0.0, begun + seconds - loop.time()))

    async def _shooter_ready(self) -> None:
        if self._state["dice_are"] == "offered":
            seat = self._state["offered_to"]
            self._send(seat, {"command": "accept-dice", "seat": seat})
            await asyncio.sleep(_PAUSE / 2)
        shooter = self._state["shooter"]
        if shooter and self._state["phase"] == "come_out":
            self._wager(shooter, WAGERS.index("pass"))
            await asyncio.sleep(_PAUSE / 2)

    def _wager(self, seat: int, which: int) -> None:
        puck = 0 if self._state["phase"] == "come_out" else self._state["puck"]
        self._send(seat, to_builtins(wager_of(seat, which, puck=puck)))

    def _send(self, seat: int, command: dict[str, Any]) -> None:
        self.screens[seat - 1].send(uuid4().hex, command)

    def latencies(self, *, throws: bool) -> list[tuple[float, float]]:
        """Return for each accepted command when it was sent and how long the last screen took to show it."""
        return [(asked, took) for _, asked, took in self.shown(throws=throws)]

    def shown(self, *, throws: bool) -> Iterator[tuple[str, float, float]]:
        """Yield each accepted command's id, when it was sent and how long the last screen took to show it.

        Of throws, until the last screen showed the dice: nothing comes between the closing of wagers and the roll, so
        that is the next news after the closing.
        """
        seen = [([sequence for sequence, _ in screen.news], screen.news) for screen in self.screens]
        find = bisect.bisect_right if throws else bisect.bisect_left
        for screen in self.screens:
            for id_, asked in screen.asked.items():
                answer = screen.answers.get(id_)
                if answer is None or answer["kind"] != "done" or (id_ in screen.throws) is not throws:
                    continue
                places = [(news, find(known, answer["sequence"])) for known, news in seen]
                if all(place < len(news) for news, place in places):
                    yield id_, asked, max(news[place][1] for news, place in places) - asked


async def _seated(base: str, guests: list[Guest]) -> list[Screen]:
    screens = [await connected(base, guest.table, guest.token, follows=guest.seat == 1) for guest in guests]
    for guest, screen in zip(guests, screens, strict=True):
        screen.send(uuid4().hex, {"command": "take-seat", "seat": guest.seat})
        screen.send(uuid4().hex, {"command": "buy-in", "seat": guest.seat, "cents": 100_000_00})
    return screens


class Played(Struct, frozen=True):
    """What the screens of one process saw: latencies in seconds, with when each command was sent."""

    found: list[tuple[float, float]]
    thrown: list[float]
    refused: int
    spells: list[tuple[float, float]]  # in which the machine ran slowly
    passed: float  # seconds of play


async def play_screens(
    base: str,
    guests: list[Guest],
    *,
    seed: int,
    rolls: int,
    seconds: float,
    at_begin: Callable[[], Awaitable[None]],
    at_end: Callable[[], Awaitable[None]],
) -> Played:
    """Play all tables of these guests at once and measure; everybody is seated `at_begin`."""
    chance = random.Random(seed)
    full = [
        FullTable(await _seated(base, guests[first : first + PLAYERS]), chance)
        for first in range(0, len(guests), PLAYERS)
    ]
    await asyncio.sleep(2.0)
    for table in full:
        for screen in table.screens:
            screen.asked.clear()
    await at_begin()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    pace = Pace()
    watching = asyncio.create_task(pace.watch())
    async with asyncio.TaskGroup() as tasks:
        for table in full:  # tables do not roll in step
            tasks.create_task(_later(table, chance.uniform(0, seconds), rolls, seconds))
    watching.cancel()
    passed = loop.time() - begun
    await at_end()
    await asyncio.sleep(1.0)
    played = Played(
        found=[latency for table in full for latency in table.latencies(throws=False)],
        thrown=[taken for table in full for _, taken in table.latencies(throws=True)],
        refused=sum(
            answer["kind"] == "refused"
            for table in full
            for screen in table.screens
            for answer in screen.answers.values()
        ),
        spells=pace.spells(),
        passed=passed,
    )
    for table in full:
        for screen in table.screens:
            screen.close()
    return played


def load_of(tables: int, parts: Sequence[Played], cpu_seconds: float) -> Load:
    """Return the results of a run whose screens were in one process or several."""
    taken = sorted(took for played in parts for _, took in played.found)
    at_speed = sorted(took for played in parts for asked, took in played.found if not is_within(played.spells, asked))
    thrown = sorted(took for played in parts for took in played.thrown)
    passed = max(played.passed for played in parts)
    slow = max(sum(end - begin for begin, end in played.spells) for played in parts)
    return Load(
        tables=tables,
        commands=len(taken),
        refused=sum(played.refused for played in parts),
        p50=taken[len(taken) // 2] * 1000,
        p99=taken[len(taken) * 99 // 100] * 1000,
        worst=taken[-1] * 1000,
        cpu=cpu_seconds / passed,
        p99_at_speed=at_speed[len(at_speed) * 99 // 100] * 1000,
        slow=slow / passed,
        throws=Throws(len(thrown), thrown[len(thrown) // 2] * 1000, thrown[len(thrown) * 99 // 100] * 1000),
    )


async def play_load(server: RunningServer, guests: list[Guest], *, tables: int, rolls: int, seconds: float) -> Load:
    """Play this many tables at once, with all screens in this process, and measure."""
    looks: list[float] = []

    async def look() -> None:
        looks.append(server.cpu_seconds())

    own = guests[: tables * PLAYERS]
    played = await play_screens(server.base, own, seed=tables, rolls=rolls, seconds=seconds, at_begin=look, at_end=look)
    return load_of(tables, [played], looks[1] - looks[0])


async def _later(table: FullTable, wait: float, rolls: int, seconds: float) -> None:
    await asyncio.sleep(wait)
    await table.play(rolls, seconds)
