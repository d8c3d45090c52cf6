"""Strangers who log in wait for each other; nobody who is logged in waits for them."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import perf_counter

import pytest
from argon2 import PasswordHasher

from passline.people.desk import FrontDesk
from passline.web.server.pools import BoundedPool
from passline.web.server.responses import Denied
from tests.people.house import PASSWORD, WRONG
from tests.web.server import Server, serving

pytestmark = pytest.mark.long


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.mark.whole
def test_twelve_log_ins_at_once_hold_up_nobody_who_is_logged_in(server: Server) -> None:
    """Attack: twelve strangers log in at once, with hashes an eighth as long as in earnest."""
    server.owner()
    server.services.desk = FrontDesk(server.log, server.clock, hasher=PasswordHasher(memory_cost=2**13, parallelism=1))
    server.page.post("/api/log-in", {"name": "Olga", "password": PASSWORD})
    strangers = [server.browser() for _ in range(12)]
    with ThreadPoolExecutor(12) as threads:
        trying = [
            threads.submit(page.post, "/api/log-in", {"name": f"N{number}", "password": WRONG})
            for number, page in enumerate(strangers)
        ]
        waits, started = [], perf_counter()
        while not all(one.done() for one in trying):
            begun = perf_counter()
            assert server.page.get("/api/me").status_code == 200
            waits.append(perf_counter() - begun)
        assert {one.result().status_code for one in trying} == {401}
    waits.sort()
    took = perf_counter() - started
    assert len(waits) > 20, "the log-ins took long enough to be in the way"
    assert waits[len(waits) // 2] < took / 20
    assert waits[-1] < took / 2


def test_a_full_queue_refuses_at_once_and_one_address_cannot_fill_it() -> None:
    async def flooded() -> None:
        pool, gate = BoundedPool("test", threads=1, waiting_max=4, of_one_max=3), Event()
        tasks = [asyncio.create_task(pool.run(gate.wait, address="a")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Denied) as one:
            await pool.run(gate.wait, address="a")
        assert (one.value.status, one.value.headers) == (503, {"Retry-After": "3"})
        tasks.append(asyncio.create_task(pool.run(gate.wait, address="b")))
        await asyncio.sleep(0)
        with pytest.raises(Denied):
            await pool.run(gate.wait, address="c")
        tasks[0].cancel()  # whoever asked has gone, but the work still takes its place
        await asyncio.sleep(0)
        with pytest.raises(Denied):
            await pool.run(gate.wait, address="c")
        gate.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert await pool.run(lambda: 7, address="a") == 7

    asyncio.run(flooded())
