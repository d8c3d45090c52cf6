"""A server whose database loses commits and their answers: nothing acknowledged is lost, and nothing is done twice."""

from __future__ import annotations

from pathlib import Path
from random import Random
from threading import Event, Thread

import psycopg
import pytest

from passline.client import Client, RequestRefused
from passline.game import commands as c
from passline.store.data_folder import open_log
from passline.store.verify import verify_log
from tests.cases import budget
from tests.people.house import PASSWORD
from tests.postgres import PostgresServer
from tests.postgres_proxy import postgres_proxy
from tests.serving import serving

pytestmark = pytest.mark.long

WAGERS = budget(15, in_sweep=60)
TABLE = "maryland-1"
TERMINATE = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'passline' AND datname = current_database()"""


@pytest.mark.whole
def test_wagers_are_made_once_while_commits_are_lost_and_sessions_terminated(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.database()
    random, is_over = Random(12), Event()
    with postgres_proxy(url) as (proxy, lossy), serving(tmp_path / "house", "--database", lossy) as served:

        def trouble() -> None:
            with psycopg.connect(url, autocommit=True) as operator:
                while not is_over.wait(random.uniform(0.005, 0.04)):
                    proxy.lose(random.choice(("answer", "request", "none")), 1)
                    if random.random() < 0.3:
                        operator.execute(TERMINATE)
                proxy.lose("none")

        with Client(served.address, patience=60) as ann:
            ann.register("Ann", PASSWORD)
            ann.command(TABLE, c.TakeSeat(seat=1))
            ann.command(TABLE, c.BuyIn(seat=1, cents=WAGERS * 5_00))
            thread = Thread(target=trouble)
            thread.start()
            try:
                receipts = [
                    ann.command(TABLE, c.MakeWager(seat=1, wager="field", cents=5_00), id=f"w{number}")
                    for number in range(WAGERS)
                ]
            finally:
                is_over.set()
                thread.join()
            own = ann.table(TABLE)["own"]
            assert own["rack"] == 0
            assert len({receipt.sequence for receipt in receipts}) == WAGERS
            with pytest.raises(RequestRefused):  # there is nothing left: none was forgotten either
                ann.command(TABLE, c.MakeWager(seat=1, wager="field", cents=5_00), id="one more")
            assert proxy.lost
    log = open_log(tmp_path / "house", url)
    report = verify_log(log.rows(), log.public_key, log.head())
    log.close()
    assert report.is_intact
