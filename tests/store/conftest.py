"""The three stores, each in a place where its log can be opened more than once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from passline.store.data_folder import open_log
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from tests.postgres import PostgresServer


class Place:
    """The place of a log, which `open` opens again each time; a log in memory is always the same one."""

    def __init__(self, kind: str, open_: Callable[[], Log], *, data: Path, database: str) -> None:
        self.kind, self._open, self.data, self.database = kind, open_, data, database
        self._logs: list[Log] = []

    def open(self) -> Log:
        self._logs.append(self._open())
        return self._logs[-1]

    def close(self) -> None:
        for log in self._logs:
            log.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place without a log, in each of the stores."""
    yield from _place(request, tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def kept_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place without a log, in each of the stores that outlive the program."""
    yield from _place(request, tmp_path)


def _place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    database = ""
    if request.param == "memory":
        memory = MemoryLog()
        open_: Callable[[], Log] = lambda: memory  # noqa: E731 - one of three
    else:
        if request.param == "postgres":
            server: PostgresServer = request.getfixturevalue("postgres")
            database = server.database()
        open_ = lambda: open_log(tmp_path / "house", database)  # noqa: E731
    place = Place(request.param, open_, data=tmp_path / "house", database=database)
    yield place
    place.close()
