"""Tests whose request begins next, and that the tables' messages are read between two requests."""

from __future__ import annotations

import asyncio
import socket
from itertools import pairwise
from time import perf_counter

from passline.web.server.turns import Turns

MESSAGE = "a screen's message"


async def _request(turns: Turns, name: str, begun: list[str], *, is_stranger: bool = True) -> None:
    await turns.wait(is_stranger=is_stranger)
    begun.append(name)


def test_a_message_that_comes_during_a_burst_is_read_after_one_request() -> None:
    async def burst() -> list[str]:
        seen: list[str] = []
        turns, loop = Turns(), asyncio.get_running_loop()
        screen, server = socket.socketpair()

        def read() -> None:
            server.recv(1)
            seen.append(MESSAGE)

        with screen, server:
            loop.add_reader(server, read)

            async def first() -> None:
                await turns.wait(is_stranger=False)
                seen.append("first")
                screen.send(b"7")

            others = [_request(turns, "another", seen, is_stranger=False) for _ in range(40)]
            await asyncio.gather(first(), *others)
            loop.remove_reader(server)
        return seen

    assert asyncio.run(burst())[:3] == ["first", MESSAGE, "another"]


def test_whoever_is_logged_in_goes_before_strangers() -> None:
    async def mixed() -> list[str]:
        begun: list[str] = []
        turns = Turns()
        strangers = [_request(turns, "stranger", begun) for _ in range(3)]
        known = [_request(turns, "known", begun, is_stranger=False) for _ in range(3)]
        await asyncio.gather(*strangers, *known)
        return begun

    assert asyncio.run(mixed()) == ["known"] * 3 + ["stranger"] * 3


def test_strangers_have_a_quarter_of_the_time() -> None:
    async def slow() -> list[tuple[float, float]]:
        turns, spans = Turns(), []

        async def request() -> None:
            await turns.wait(is_stranger=True)
            begun = perf_counter()
            while perf_counter() - begun < 0.01:
                pass
            spans.append((begun, perf_counter()))

        await asyncio.gather(*(request() for _ in range(4)))
        return spans

    spans = asyncio.run(slow())
    for (begun, ended), (following, _) in pairwise(spans):
        assert following - ended >= min(2.9 * (ended - begun), 0.09)  # the longest pause is a tenth of a second


def test_a_request_that_was_given_up_holds_nobody_up() -> None:
    async def given_up() -> list[str]:
        begun: list[str] = []
        turns = Turns()
        tasks = [asyncio.ensure_future(_request(turns, name, begun)) for name in ("one", "two", "three")]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return begun

    assert asyncio.run(given_up()) == ["two", "three"]
