"""Anchors of each kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import PostgresServer
from tests.store.anchors.webhook import webhook


@pytest.fixture(params=["file", "postgres", "webhook"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A readable anchor of each kind, new."""
    if request.param == "file":
        yield str(tmp_path / "heads.jsonl")
    elif request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        yield server.database()
    else:
        with webhook() as kept:
            yield kept.url
