"""A house, once over a log in memory and once over SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from passline.store.data_folder import open_log
from tests.people.house import House


@pytest.fixture(params=["memory", "sqlite"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    if request.param == "memory":
        yield House(is_demo=True)
        return
    log = open_log(tmp_path / "house")
    yield House(log, is_demo=True)
    log.close()
