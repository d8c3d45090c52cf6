"""What tables cost, by a model with few terms, from five measured deployments; the others are there to be foretold.

A process that serves tables takes some time whatever comes (its clocks, and the waking for each commit), and some for
each command. With PostgreSQL, and with a process of its own that writes the log, these are other figures. Where several
servers have one log, each also follows what the others write, and makes the views of all of it for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec import Struct

from benchmarks.live.sizing.deployments import ROLES, Deployment, Point, Role
from benchmarks.live.sizing.units import Units

CALIBRATION = {
    "few": Deployment(10),
    "many": Deployment(50),
    "processes": Deployment(20, workers=2),
    "PostgreSQL": Deployment(20, store="PostgreSQL"),
    "servers": Deployment(10, servers=2, store="PostgreSQL"),
}
"""The deployments that the terms come from, by what they are there for."""
CHECKS = (
    Deployment(20, workers=4),
    Deployment(20, servers=2, store="PostgreSQL"),
    Deployment(20, servers=2, store="a database each"),
    Deployment(100),
)
"""Deployments that the model foretells."""
ROLLS_AN_HOUR, COMMANDS_A_ROLL, HOURS_A_DAY = 100, 181, 20
COMMITS_MAX = 1000  # a second: in a crowd they begin a millisecond apart (`commit_process.py`)
COMMITS_MIN = 100  # a second: with fewer, everybody waits noticeably for a commit
BUSY = 0.6  # of a core that a process may use: beyond, screens show wagers noticeably later
SINGLE = ("the process that writes the log", "the process that makes the views")
"""What a house has one of, so that a core is all it can use."""
_HOUR = 3600


class Model(Struct, frozen=True):
    """Microseconds of processor time for a command, by what takes it; `idle` is for a second, whatever comes."""

    idle: float
    command: float  # of a process that serves tables and writes the log to a file
    command_of_several: float  # of one that has another process write the log
    log_entry: float  # of what writes the log
    log_commit: float  # of what writes the log, for a commit
    views: float
    command_to_postgres: float  # of a process that serves tables and writes the log to PostgreSQL
    database: float
    database_shared: float  # where several servers write to it
    following: float  # of a command that another server of the same log took
    base_megabytes: float  # of a server and its views, without a table
    table_megabytes: float
    log_bytes: float  # a command
    views_bytes: float

    @classmethod
    def of(cls, points: Sequence[Point], units: Units) -> Model:
        """Return the model that the calibration's points give, with what an entry costs in the log and the views."""
        found = {point.deployment: point for point in points}
        few, many, several, postgres, shared = (found[deployment] for deployment in CALIBRATION.values())
        idle = max(0.0, (few.cpu["tables"] - many.cpu["tables"]) / (1 / few.rate - 1 / many.rate))
        to_postgres = postgres.cpu["tables"] - idle / postgres.rate
        megabytes = (_megabytes(many) - _megabytes(few)) / (many.deployment.tables - few.deployment.tables)
        others = shared.deployment.servers - 1
        return cls(
            idle=idle,
            command=many.cpu["tables"] - idle / many.rate,
            command_of_several=several.cpu["tables"] - idle * several.deployment.workers / several.rate,
            log_entry=units.log_entry,
            log_commit=several.cpu["log"] - units.log_entry,
            views=units.views,
            command_to_postgres=to_postgres,
            database=postgres.cpu["database"],
            database_shared=shared.cpu["database"],
            following=(shared.cpu["tables"] - to_postgres - idle * (others + 1) / shared.rate) / others,
            base_megabytes=_megabytes(few) - megabytes * few.deployment.tables,
            table_megabytes=megabytes,
            log_bytes=units.log_bytes,
            views_bytes=units.views_bytes,
        )

    def foretell(self, deployment: Deployment, rate: float) -> dict[Role, float]:
        """Return the microseconds of a command by role, at so many commands a second of all tables."""
        servers, of_one_log = deployment.servers, 1 if deployment.store == "a database each" else deployment.servers
        idle = self.idle * servers * deployment.workers / rate
        log = 0.0
        if deployment.workers > 1:
            command = self.command_of_several
            log = self.log_entry + self.log_commit * self.commits(rate) / rate
        elif deployment.store == "a file":
            command = self.command
        else:
            command = self.command_to_postgres + self.following * (of_one_log - 1)
        database = 0.0
        if deployment.store != "a file":
            database = self.database if of_one_log == 1 else self.database_shared
        return {"tables": command + idle, "log": log, "views": self.views * of_one_log, "database": database}

    def commits(self, rate: float) -> float:
        """Return the commits a second, at so many entries: a process that is busy puts more into each."""
        room = (1e6 * BUSY - self.log_entry * rate) / self.log_commit
        return min(rate, COMMITS_MAX, max(COMMITS_MIN, room))

    def megabytes(self, tables: int, servers: int = 1) -> float:
        """Return the memory of servers with so many tables in all."""
        return self.base_megabytes * servers + self.table_megabytes * tables


def _megabytes(point: Point) -> float:
    return point.resident["tables"] + point.resident["views"]


def foretold_total(model: Model, point: Point) -> float:
    """Return what is to be compared with a point's total."""
    told = model.foretell(point.deployment, point.rate)
    return sum(spent for role, spent in told.items() if role != "views")


def table_rate() -> float:
    """Return the commands a second of one full table at a casino's speed."""
    return ROLLS_AN_HOUR * COMMANDS_A_ROLL / _HOUR


class Size(Struct, frozen=True):
    """What so many tables of one log need."""

    tables: int
    rate: float  # commands a second
    cores: dict[Role, float]
    processes: int  # that serve tables, each busy with `BUSY` of a core at most
    megabytes: float
    log_gigabytes: float  # a year, as they are written
    views_gigabytes: float

    @property
    def all_cores(self) -> float:
        """Return the cores of all roles."""
        return sum(self.cores.values())


def size_of(model: Model, tables: int) -> Size:
    """Return what a house of so many full tables needs, on one machine with its log in a file."""
    rate = tables * table_rate()
    alone = model.foretell(Deployment(tables), rate)
    processes = ceil(rate * alone["tables"] / 1e6 / BUSY)
    deployment = Deployment(tables, workers=max(1, processes))
    cpu = model.foretell(deployment, rate)
    processes = max(1, ceil(rate * cpu["tables"] / 1e6 / BUSY))
    a_year = rate * _HOUR * HOURS_A_DAY * 365 / 1e9
    return Size(
        tables=tables,
        rate=rate,
        cores={role: rate * cpu[role] / 1e6 for role in ROLES},
        processes=processes,
        megabytes=model.megabytes(tables),
        log_gigabytes=a_year * model.log_bytes,
        views_gigabytes=a_year * model.views_bytes,
    )


class Limit(Struct, frozen=True):
    """At how many full tables of one house something is full, and what it is."""

    what: str
    tables: int


def limits(model: Model) -> list[Limit]:
    """Return what gives as one house grows on one machine, the first one first."""
    rate = table_rate()
    crowded = model.log_entry / (1 - model.log_commit * COMMITS_MIN / 1e6)  # entries have what commits leave of a core
    each = {
        "one process that serves tables": (BUSY * 1e6 - model.idle) / (model.command * rate),
        **{what: 1e6 / (cost * rate) for what, cost in zip(SINGLE, (crowded, model.views), strict=True)},
    }
    return sorted((Limit(what, int(tables)) for what, tables in each.items()), key=lambda limit: limit.tables)
