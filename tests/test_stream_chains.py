"""The prototype of a chain per stream finds what was changed; otherwise its figures would be worth nothing."""

from __future__ import annotations

from contextlib import closing

import psycopg
import pytest

from benchmarks.live.chained.streams import Sealer, StreamWriter, create, verify
from benchmarks.live.wager_drafts import wager_draft
from passline.store.keys import SigningKey
from passline.store.log import LogError
from tests.postgres import PostgresServer

KEY = SigningKey(bytes(32))


@pytest.fixture(scope="module")
def url(postgres: PostgresServer) -> str:
    """A log of two writers with two checkpoints, of which the second covers one group of each."""
    url = postgres.database()
    create(url)
    first, second = StreamWriter(url, 1, KEY, seals=True), StreamWriter(url, 2, KEY, seals=False)
    sealer = Sealer(url, KEY)
    first.append([wager_draft("table/a", 0, 1), wager_draft("table/b", 0, 2), wager_draft("table/a", 1, 3)])
    assert sealer.seal() is not None
    first.append([wager_draft("table/b", 1, 4)])
    second.append([wager_draft("table/c", 0, 1)])
    covering = sealer.seal()
    assert covering is not None
    assert covering.writers == {"1": 2, "2": 1}
    assert sealer.seal() is None
    for part in (first, second, sealer):
        part.close()
    return url


def test_what_was_changed_is_named(url: str) -> None:
    tamperings = {
        "UPDATE chained.entries SET body = body || ' ' WHERE stream = 'table/a' AND version = 2": "entry 2 of table/a",
        "DELETE FROM chained.entries WHERE stream = 'table/c'": "has an entry 1 of table/c that is not there",
        "DELETE FROM chained.groups WHERE writer = 2": "group 1 of writer 2 is missing",
        "DELETE FROM chained.checkpoints WHERE number = 1": "checkpoint 2 does not continue the one before",
        "DELETE FROM chained.checkpoints WHERE number = 2": "2 streams go on after the last checkpoint",
        "UPDATE chained.checkpoints SET root = hash WHERE number = 2": "the root of checkpoint 2",
    }
    with psycopg.connect(url, autocommit=True) as connection:
        assert verify(connection, KEY.public) == ""
        assert "its seal is not valid" in verify(connection, SigningKey.new().public)
        for tampering, found in tamperings.items():
            with connection.transaction(force_rollback=True):
                connection.execute(tampering.encode())
                assert found in verify(connection, KEY.public), tampering


def test_a_writer_that_does_not_know_the_head_of_a_stream_writes_nothing(url: str) -> None:
    late = StreamWriter(url, 3, KEY, seals=True)
    with psycopg.connect(url, autocommit=True) as connection, closing(late):
        with pytest.raises(LogError, match="was written by somebody else"):
            late.append([wager_draft("table/a", 0, 9)])
        with pytest.raises(LogError, match="has 0 entries here, not 3"):
            late.append([wager_draft("table/d", 3, 9)])
        late.append([wager_draft("table/d", 0, 9)])
        connection.execute("UPDATE chained.entries SET hash = 'other' WHERE stream = 'table/d'")
        with pytest.raises(LogError, match="is not as this writer knows it"):
            late.append([wager_draft("table/d", 1, 10)])
        found = connection.execute("SELECT count(*) FROM chained.entries WHERE stream IN ('table/a', 'table/d')")
        assert found.fetchone() == (3,)
