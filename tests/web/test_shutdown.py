"""A log that fails in any way: the watch over sessions goes on, and a server that is stopped stops whole."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from passline.store.log import CommitInDoubt, LogError
from passline.streams.writer import InDoubt, ServerFault
from passline.web.server import screens
from passline.web.server.screens import Screens
from tests.event_loop import asynchronous
from tests.people.house import House
from tests.waiting import until
from tests.web.server import Server


class Screen:
    """A screen that remembers that it was shut."""

    def __init__(self, account: str) -> None:
        self.account, self.role, self.is_shut = account, "owner", asyncio.Event()

    async def shut_down(self) -> None:
        self.is_shut.set()


def failing(error: Exception, failed: list[Exception] | None = None) -> Callable[..., None]:
    def fail(*_given: object, **_named: object) -> None:
        if failed is not None:
            failed.append(error)
        raise error

    return fail


@pytest.mark.parametrize("error", [LogError("full"), InDoubt(), ServerFault("a fault"), OSError("no such file")])
@asynchronous
async def test_the_watch_over_sessions_outlives_any_fault(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: one lost answer of the database, and whoever is locked out afterwards keeps every screen."""
    monkeypatch.setattr(screens, "_LOOK_SECONDS", 0.01)
    house = House()
    olga = house.owner()
    account = olga.session.account.id
    watched, screen = Screens(house.desk), Screen(account)
    watched.enter(olga.token, screen)
    watching = asyncio.create_task(watched.watch())
    with monkeypatch.context() as broken:
        failed: list[Exception] = []
        broken.setattr(house.desk, "record_incidents", failing(error, failed))
        await until(lambda: len(failed) > 2)
    assert not watching.done()
    house.desk.log_out(olga.token)
    await asyncio.wait_for(screen.is_shut.wait(), 5)
    watching.cancel()


@pytest.mark.parametrize("error", [CommitInDoubt("the answer was lost"), LogError("full"), OSError("no such file")])
def test_a_server_that_cannot_record_its_incidents_still_closes_its_log(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.streams.writer._SETTLE_SECONDS", ())
    server, closed = Server(), []
    monkeypatch.setattr(server.log, "close", lambda: closed.append("log"))
    with server.page.client:
        owner = server.owner().session.account.id
        server.desk.note("log-in", owner, "192.0.2.7")
        monkeypatch.setattr(server.desk._log, "append", failing(error))
    assert closed == ["log"]


@pytest.mark.parametrize("part", ["floor", "anchors", "views"])
def test_a_part_that_fails_to_close_leaves_no_other_open(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server, closed = Server(), []
    monkeypatch.setattr(server.log, "close", lambda: closed.append("log"))
    services = server.services

    def note_of(name: str) -> Callable[[], Awaitable[None]]:
        close = getattr(services, name).close

        async def note() -> None:
            closed.append(name)
            await close()
            if name == part:
                raise ServerFault(name)

        return note

    for name in ("floor", "views"):
        monkeypatch.setattr(getattr(services, name), "close", note_of(name))
    if part == "anchors":
        monkeypatch.setattr(services.anchors, "close", failing(ServerFault(part)))
    with pytest.raises(ServerFault), server.page.client:
        pass
    assert closed == ["floor", "views", "log"]
