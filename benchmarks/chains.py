"""One chain or a chain per stream: what several writers commit to one PostgreSQL, by today's log and by a prototype.

Four processes each hand in one group of wagers after the other, of tables of their own, and wait until each is durable.
Today either each is a server with a log of its own on the one database, or one process commits for all, as with
`--workers`. The prototype (`benchmarks/live/chained`) has a chain per stream and sealed checkpoints over all heads; its
groups are answered when they are durable, each with its writer's seal, or when a checkpoint covers them. All ways take
turns on one real PostgreSQL with fsync, and what counts are the ratios to both of today's ways in the same round.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
import uvloop
from msgspec import Struct

from benchmarks.live.chained.streams import TOLD, Sealer, StreamWriter, create, verify
from benchmarks.live.house import tree_seconds
from benchmarks.live.wager_drafts import wager_draft
from benchmarks.processor import processor_name
from passline.store.data_folder import open_log
from passline.store.entry import Draft
from passline.store.keys import SigningKey
from passline.store.log import Appended
from passline.store.log_source import log_place
from passline.streams.commit_process import RemoteWriter, serve_commits
from passline.streams.writer import Reply
from tests.postgres import PostgresServer, postgres_server

WRITERS, GROUPS, SECONDS, ROUNDS = 4, (1, 20), 3.0, 5
_TABLES = 25  # of each writer
_KEY = SigningKey(bytes(range(32)))
_APART_SECONDS = 0.02  # between two checkpoints that nobody waits for
_BARRIER_SECONDS = 60.0


class Place(Struct, frozen=True):
    """Where a writer of a turn writes, and how much at once."""

    data: str
    url: str
    number: int
    group: int
    seconds: float


class Written(Struct, frozen=True):
    """What a writer did: how long each of its groups took, and its processor time."""

    taken: list[float]
    cpu: float


_Commit = Callable[[list[Draft]], object]


def _play(place: Place, commit: _Commit, barrier: Barrier) -> Written:
    """Commit one group after the other until the time is over."""
    streams = [f"table/{place.number}-{table}" for table in range(_TABLES)]
    lengths, at, taken = dict.fromkeys(streams, 0), 0, list[float]()

    def next_group() -> list[Draft]:
        nonlocal at
        drafts = []
        for _ in range(place.group):
            stream = streams[at % _TABLES]
            drafts.append(wager_draft(stream, lengths[stream], at))
            lengths[stream], at = lengths[stream] + 1, at + 1
        return drafts

    for _ in range(3 * _TABLES // place.group + 1):
        commit(next_group())  # every table has begun, and every statement is planned
    barrier.wait()
    begun, cpu = time.perf_counter(), time.process_time()
    while (now := time.perf_counter()) - begun < place.seconds:
        commit(next_group())
        taken.append(time.perf_counter() - now)
    cpu = time.process_time() - cpu
    barrier.wait()
    return Written(taken, cpu)


def _play_log(place: Place, barrier: Barrier) -> Written:
    """Write as one of several servers does, each with a log of its own on one database."""
    log = open_log(Path(place.data), place.url)

    def commit(drafts: list[Draft]) -> None:
        assert all(isinstance(result, Appended) for result in log.append(drafts))

    written = _play(place, commit, barrier)
    barrier.wait()
    log.close()
    return written


def _play_remote(place: Place, barrier: Barrier, near: socket.socket) -> Written:
    """Write as a server process with --workers does: another one commits."""
    loop = uvloop.new_event_loop()
    asyncio.set_event_loop(loop)
    log = open_log(Path(place.data), place.url)
    writer = RemoteWriter(log, near)
    loop.run_until_complete(writer.start())

    def commit(drafts: list[Draft]) -> None:
        told = loop.create_future()

        def tell(reply: Reply) -> None:
            told.set_result(reply)

        writer.append(drafts, tell)
        assert isinstance(loop.run_until_complete(told), list)

    written = _play(place, commit, barrier)
    barrier.wait()
    loop.run_until_complete(writer.close())
    log.close()
    return written


def _play_streams(place: Place, barrier: Barrier, *, is_covered: bool) -> Written:
    """Write a chain per stream; answered when durable, or once a checkpoint covers the group."""
    writer = StreamWriter(place.url, place.number, _KEY, seals=not is_covered)
    with psycopg.connect(place.url, autocommit=True) as listening:
        if is_covered:
            listening.execute(f"LISTEN {TOLD}".encode())

        def commit(drafts: list[Draft]) -> None:
            writer.append(drafts)
            covered = not is_covered
            while not covered:
                for told in listening.notifies(stop_after=1):
                    covered = json.loads(told.payload).get(str(place.number), 0) >= writer.number

        written = _play(place, commit, barrier)
        barrier.wait()
    writer.close()
    return written


def _serve(place: Place, joining: socket.socket, other_end: socket.socket) -> None:
    other_end.close()  # inherited; as long as it is open, somebody may join
    log = open_log(Path(place.data), place.url)
    serve_commits(log, joining)
    log.close()


def _seal(url: str, ending: Event, *, is_awaited: bool) -> None:
    sealer = Sealer(url, _KEY)
    while not ending.is_set():
        if sealer.seal() is None or not is_awaited:
            time.sleep(_APART_SECONDS / 20 if is_awaited else _APART_SECONDS)
    sealer.seal()
    sealer.close()


_Player = Callable[[Place, Barrier], Written]
_fork = multiprocessing.get_context("fork")


@contextmanager
def _several_servers(_place: Place) -> Iterator[list[_Player]]:
    yield [_play_log] * WRITERS


@contextmanager
def _one_commits(place: Place) -> Iterator[list[_Player]]:
    ours, theirs = socket.socketpair()
    committing = _fork.Process(target=_serve, args=(place, theirs, ours))
    committing.start()
    theirs.close()
    players: list[_Player] = []
    with ExitStack() as closing:
        for _ in range(WRITERS):
            near, far = (closing.enter_context(end) for end in socket.socketpair())
            socket.send_fds(ours, [b"c"], [far.fileno()])

            def play(place: Place, barrier: Barrier, near: socket.socket = near) -> Written:
                return _play_remote(place, barrier, near)

            players.append(play)
        yield players
    ours.close()
    committing.join(10)
    if committing.is_alive():
        committing.terminate()


@contextmanager
def _chains(place: Place, *, is_covered: bool) -> Iterator[list[_Player]]:
    create(place.url)
    ending = _fork.Event()
    sealing = _fork.Process(target=_seal, args=(place.url, ending), kwargs={"is_awaited": is_covered})
    sealing.start()
    yield [lambda place, barrier: _play_streams(place, barrier, is_covered=is_covered)] * WRITERS
    ending.set()
    sealing.join()
    with psycopg.connect(place.url) as connection:
        assert verify(connection, _KEY.public) == ""


FIRST, ONE = "one chain, each writer a server", "one chain, one process commits for all"
"""Today's ways."""
WAYS: dict[str, Callable[[Place], Any]] = {
    FIRST: _several_servers,
    ONE: _one_commits,
    "a chain per stream, groups sealed": lambda place: _chains(place, is_covered=False),
    "a chain per stream, checkpoints answer": lambda place: _chains(place, is_covered=True),
}
"""The ways that take turns."""


class Turn(Struct, frozen=True):
    """What one way did in one turn."""

    groups: float  # a second, of all writers
    cpu: float  # microseconds of every process, the database's too, for one entry
    p50: float  # milliseconds until a group is answered
    p99: float


def play_turn(server: PostgresServer, way: str, group: int, seconds: float) -> Turn:
    """Play one way on a new database."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, server.database(), 0, group, seconds)
        open_log(Path(folder), place.url).close()
        with WAYS[way](place) as players:
            barrier = _fork.Barrier(len(players) + 1, timeout=_BARRIER_SECONDS)
            pipes, processes = [], []
            for number, play in enumerate(players):
                mine, theirs = _fork.Pipe(duplex=False)
                own = Place(folder, place.url, number, group, seconds)
                process = _fork.Process(target=_tell, args=(play, own, barrier, theirs))
                process.start()
                pipes.append(mine)
                processes.append(process)
            barrier.wait()
            begun = _spent(server)
            barrier.wait()
            spent = _spent(server) - begun
            barrier.wait()
            found: list[Written] = [pipe.recv() for pipe in pipes]
            for process in processes:
                process.join()
        if way.startswith("one chain"):
            assert (
                sum(1 for _ in log_place(Path(), place.url).rows())
                > sum(len(written.taken) for written in found) * group
            )
    taken = sorted(took for written in found for took in written.taken)
    return Turn(
        groups=sum(len(written.taken) / sum(written.taken) for written in found),
        cpu=1e6 * spent / (len(taken) * group),
        p50=1e3 * median(taken),
        p99=1e3 * taken[len(taken) * 99 // 100],
    )


def _tell(play: _Player, place: Place, barrier: Barrier, pipe: Connection) -> None:
    try:
        pipe.send(play(place, barrier))
    except BaseException:
        barrier.abort()
        raise


def _spent(server: PostgresServer) -> float:
    """Return the processor time of this process and those that it started, and of the database."""
    return tree_seconds(os.getpid()) + tree_seconds(server.process_id())


def main() -> None:
    """Play every way in turns; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, nargs="*", default=GROUPS, help="wagers in one commit of a writer")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a turn")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    with postgres_server() as server:
        print(
            f"{processor_name()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
            f"PostgreSQL {_version(server)}, load {os.getloadavg()[0]:.1f} before; {WRITERS} writers"
        )
        figures = {str(group): _compare(server, group, options.seconds, options.rounds) for group in options.groups}
    print(json.dumps({"processor": processor_name(), "writers": WRITERS, "wagers a commit": figures}))


def _version(server: PostgresServer) -> str:
    with psycopg.connect(server.url()) as connection:
        return f"{connection.info.server_version // 10000}"


def _compare(server: PostgresServer, group: int, seconds: float, rounds: int) -> dict[str, Any]:
    turns: dict[str, list[Turn]] = {way: [] for way in WAYS}
    for number in range(rounds):
        for way in [*WAYS][:: -1 if number % 2 else 1]:
            turns[way].append(play_turn(server, way, group, seconds))
            print(f"... {way}: {turns[way][-1].groups:,.0f} a second", file=sys.stderr, flush=True)
    print(f"\n{group} wagers a commit; medians of {rounds} rounds in turns, ratios (least to most) within a round")
    print(f"  {'':40} commits/s   to servers of their own   to one that commits   us an entry  p50 ms  p99 ms")
    found = {}
    for way, played in turns.items():
        middle = {name: median(getattr(turn, name) for turn in played) for name in Turn.__struct_fields__}
        to_first, to_one = (_ratios(played, turns[other]) for other in (FIRST, ONE))
        print(
            f"  {way:40} {middle['groups']:9,.0f} {_spread(to_first):>25} {_spread(to_one):>21} {middle['cpu']:13,.0f}"
            f" {middle['p50']:7.2f} {middle['p99']:7.2f}",
            flush=True,
        )
        found[way] = {name: round(value, 2) for name, value in middle.items()} | {
            "to servers of their own": to_first,
            "to one that commits": to_one,
        }
    return found


def _ratios(played: list[Turn], others: list[Turn]) -> list[float]:
    """Return how many times the commits of other turns, of the same round each, were made; in order."""
    return sorted(round(turn.groups / other.groups, 2) for turn, other in zip(played, others, strict=True))


def _spread(ratios: list[float]) -> str:
    return f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
