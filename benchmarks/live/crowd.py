"""Screens in several processes: one process of Python shows hundreds of tables later than a server sends them."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier

import uvloop
from msgspec import Struct

from benchmarks.live.house import PLAYERS, Guest, RunningServer
from benchmarks.live.load import Load, Played, load_of, play_load, play_screens

_SEATED_SECONDS = 300.0  # for all processes to have seated their players


class _Share(Struct, frozen=True):
    """What one process plays."""

    base: str
    guests: list[Guest]
    seed: int
    rolls: int
    seconds: float


_together: list[Barrier] = []  # of a process that plays: all begin and end together


def play_in_processes(
    server: RunningServer, guests: Sequence[Guest], *, tables: int, rolls: int, seconds: float, processes: int
) -> Load:
    """Play this many tables at once, with their screens in so many processes, and measure."""
    processes = min(processes, tables)
    if processes == 1:
        return uvloop.run(play_load(server, list(guests), tables=tables, rolls=rolls, seconds=seconds))
    spawn = get_context("spawn")
    barrier = spawn.Barrier(processes + 1, timeout=_SEATED_SECONDS + 2 * rolls * seconds)
    shares = [
        _Share(server.base, _every(guests, tables, number, processes), tables + number, rolls, seconds)
        for number in range(processes)
    ]
    with ProcessPoolExecutor(processes, spawn, _begin, (barrier,)) as pool:
        playing = [pool.submit(_play, share) for share in shares]
        try:
            barrier.wait()
            begun = server.cpu_seconds()
            barrier.wait()
            spent = server.cpu_seconds() - begun
        except BaseException:
            barrier.abort()
            raise
        return load_of(tables, [played.result() for played in playing], spent)


def _every(guests: Sequence[Guest], tables: int, first: int, step: int) -> list[Guest]:
    """Return the guests of every so many tables."""
    return [guest for table in range(first, tables, step) for guest in guests[table * PLAYERS : (table + 1) * PLAYERS]]


def _begin(barrier: Barrier) -> None:
    gc.disable()  # a pause would look like one of the server
    _together.append(barrier)


def _play(share: _Share) -> Played:
    async def wait() -> None:
        await asyncio.to_thread(_together[0].wait)

    return uvloop.run(
        play_screens(
            share.base,
            share.guests,
            seed=share.seed,
            rolls=share.rolls,
            seconds=share.seconds,
            at_begin=wait,
            at_end=wait,
        )
    )
