"""A connection to SQLite whose commits can fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from passline.store.sqlite import connect_sqlite
from passline.store.sqlite_transaction import Connection, Cursor
from tests.postgres_proxy import Loss


class Faulty:
    """A connection whose next commit fails: before it is done, or after, when only its answer is lost."""

    loss: Loss = "none"

    def __init__(self, path: Path) -> None:
        self._real: Connection = connect_sqlite(path)

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Cursor:
        if sql == "COMMIT" and Faulty.loss != "none":
            loss, Faulty.loss = Faulty.loss, "none"
            if loss == "answer":
                self._real.execute(sql)
            raise sqlite3.OperationalError("disk I/O error")
        return self._real.execute(sql, parameters)

    def close(self) -> None:
        self._real.close()
