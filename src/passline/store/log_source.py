"""Where a log to be checked or exported may be: a file, a directory, a database, a server. Nothing is ever made."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from passline.store.data_folder import DATABASE_FILE
from passline.store.entry import Line
from passline.store.export import line_from_json
from passline.store.log import LogError
from passline.store.sqlite import LINES, line_of, readable

__all__ = ["Source", "open_source"]

_SQLITE = b"SQLite format 3\0"
_EXPORT = "/api/log/export"
_DAMAGES_MAX = 20


class Source(Struct, frozen=True):
    """A log to be read, as often as one likes."""

    lines: Callable[[], Iterator[Line]]
    damages: Callable[[], list[str]]  # what is wrong with what it lies in, beyond its entries


@contextmanager
def open_source(name: str) -> Iterator[Source]:
    """Find a log by its name: a SQLite file, the directory it is in, JSON lines, postgresql://... or http(s)://...

    >>> with open_source("nowhere.sqlite"):
    ...     pass
    Traceback (most recent call last):
    passline.store.log.LogError: nowhere.sqlite: there is no such file: name a log, its directory, or a URL
    """
    if name.startswith(("postgresql://", "postgres://")):
        yield Source(lambda: _postgres_lines(name), list)
    elif name.startswith(("http://", "https://")):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.jsonl"
            _download(name, path)
            yield Source(lambda: _json_lines(path), list)
    else:
        path = Path(name)
        path = path / DATABASE_FILE if path.is_dir() else path
        if not path.is_file():
            raise LogError(f"{path}: there is no such file: name a log, its directory, or a URL")
        try:
            with path.open("rb") as file:
                is_sqlite = file.read(len(_SQLITE)) == _SQLITE
        except OSError as error:
            raise LogError(f"{path}: {error.strerror or error}") from error
        yield (
            Source(lambda: _sqlite_lines(path), lambda: _sqlite_damages(path))
            if is_sqlite
            else Source(lambda: _json_lines(path), list)
        )


def _json_lines(path: Path) -> Iterator[Line]:
    with path.open("rb") as file:
        yield from map(line_from_json, file)


def _sqlite(path: Path) -> sqlite3.Connection:
    """Open a file only to read. Without a write-ahead log nobody has it open, and nothing is made beside it."""
    mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode={mode}", uri=True)


def _sqlite_lines(path: Path) -> Iterator[Line]:
    count = 0
    with readable(path), closing(_sqlite(path)) as connection:
        rows = connection.execute(LINES + "ORDER BY sequence")
        while True:
            try:
                row = rows.fetchone()
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if not count:
                    raise
                yield Line(b"", b"", b"", fault=f"the file cannot be read from here on: {error}")
                return
            if row is None:
                return
            count += 1
            yield line_of(row)


def _sqlite_damages(path: Path) -> list[str]:
    """What SQLite finds wrong with its own file: an index, say, that would let an id act twice."""
    try:
        with closing(_sqlite(path)) as connection:
            found = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_DAMAGES_MAX})")]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return [str(error)]
    return [text for text in found if text != "ok"]


def _postgres_lines(url: str) -> Iterator[Line]:
    try:
        from passline.store.postgres import read_lines  # noqa: PLC0415 - a file needs no driver
    except ImportError as error:
        raise LogError(f"{url.partition(':')[0]}: needs psycopg, of passline[serve]: {error}") from error
    return read_lines(url)


def _download(url: str, path: Path) -> None:
    """Get a server's export, with the token of who may read its log."""
    try:
        import httpx  # noqa: PLC0415 - a file needs no client
    except ImportError as error:
        raise LogError(f"{url}: needs httpx, of passline[serve]: {error}") from error
    url = url if url.endswith(_EXPORT) else url.rstrip("/") + _EXPORT
    headers = {"Authorization": f"Bearer {token}"} if (token := os.environ.get("PASSLINE_TOKEN")) else {}
    try:
        with httpx.stream("GET", url, headers=headers, timeout=60) as answer, path.open("wb") as file:
            if not answer.is_success:
                raise LogError(
                    f"{url}: answers {answer.status_code}: put the token of who may read the log into PASSLINE_TOKEN"
                )
            for chunk in answer.iter_bytes():
                file.write(chunk)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise LogError(f"{url}: {error}: is the server running?") from error
