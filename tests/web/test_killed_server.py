"""kill -9 of the server at random moments during play: nothing acknowledged is lost, nothing acts twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.web.startup import Settings
from tests.cases import budget
from tests.killed_server import check_acknowledged, killed_again_and_again, seated_house
from tests.postgres import postgres_server

pytestmark = pytest.mark.long

KILLS = budget(4, in_sweep=12)  # each is the start of a server; `./x bench survive` has a thousand
PLAYERS = 4


def test_nothing_acknowledged_is_lost_or_doubled_with_sqlite(tmp_path: Path) -> None:
    _kill_and_check(Settings(data=tmp_path / "house"))


@pytest.mark.whole
def test_nothing_acknowledged_is_lost_or_doubled_with_postgresql(tmp_path: Path) -> None:
    with postgres_server() as server:
        _kill_and_check(Settings(data=tmp_path / "house", database=server.database()))


def _kill_and_check(settings: Settings) -> None:
    players = seated_house(settings, PLAYERS)
    killed_again_and_again(settings, players, times=KILLS, seed=20261115, is_slow=True)
    assert check_acknowledged(settings, players) > 2 * KILLS, "there was hardly any load"
