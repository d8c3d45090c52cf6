"""The queue of the laboratory: limits for each visitor, turns, cancelling, overruns, and 200 hostile questions."""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest

from passline.side_processes import SideProcess
from passline.web.lab.questions import CheckAsked, LabHouse, LabQuestion, LabStrategy
from passline.web.lab.queue import LONG_SECONDS, Lane
from passline.web.server.responses import Denied
from tests.serving import lab_serving
from tests.web.lab.hostile import HEAVY_SESSIONS, HOUSE, SESSION, Hostile, hostile_questions

_WORK = """
import time
def work(given, tell):
    text = given.decode()
    tell(b'{"line":"ready"}')
    if "for ever" in text:
        while True: pass
    if "memory" in text:
        try: bytearray(3_000_000_000)
        except MemoryError: tell(b'{"line":"refused","refusals":[]}'); return b""
    tell(b'{"line":"check","name":"%s"}' % (b"again" if "again" in text else b"done"))
    return b""
"""


@pytest.fixture
def lane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lane:
    """A lane whose process does as the question's strategy says, for at most two seconds."""
    (tmp_path / "lab_work.py").write_text(_WORK, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    made = Lane(2.0, 4, has_laws=False)
    made.process = SideProcess("lab_work:work", seconds=2.0, tells=True, megabytes=1_000)
    return made


def _asks(what: str) -> LabQuestion:
    return CheckAsked(LabHouse("maryland"), LabStrategy(what))


async def _lines(lane: Lane, *asked: str) -> list[dict[str, Any]]:
    return [json.loads(line) async for line in lane.lines([_asks(what) for what in asked])]


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(1_000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it is never so")


def test_a_visitor_asks_two_questions_at_once_and_all_visitors_so_many(lane: Lane) -> None:
    lane.enter("ann")
    lane.enter("ann")
    with pytest.raises(Denied, match="you ask 2 questions already") as third:
        lane.enter("ann")
    assert (third.value.status, third.value.headers) == (429, {"Retry-After": "5"})
    lane.enter("bob")
    lane.enter("cy")
    with pytest.raises(Denied, match="too many questions wait") as full:
        lane.enter("dot")
    assert (full.value.status, full.value.headers) == (503, {"Retry-After": "5"})
    lane.leave("ann")
    lane.enter("dot")


def test_a_visitor_asks_four_questions_a_second(lane: Lane) -> None:
    for _ in range(40):
        lane.enter("ann")
        lane.leave("ann")
    lane._buckets["ann"].tokens = 0.0
    with pytest.raises(Denied, match="more than 4 questions a second") as hasty:
        lane.enter("ann")
    assert (hasty.value.status, hasty.value.headers) == (429, {"Retry-After": "1"})
    lane.enter("bob")


def test_answers_are_kept_and_refusals_are_not(lane: Lane) -> None:
    async def ask() -> None:
        assert await _lines(lane, "one", "two") == [
            {"line": "next", "strategy": 0}, {"line": "ready"}, {"line": "check", "name": "done"},
            {"line": "next", "strategy": 1}, {"line": "ready"}, {"line": "check", "name": "done"},
        ]  # fmt: skip
        first = lane.process.pid
        assert os.sched_getscheduler(first) == os.SCHED_IDLE, "it has of the processor what nobody else wants"
        os.kill(first, signal.SIGKILL)
        assert (await _lines(lane, "one"))[-1] == {"line": "check", "name": "done"}, "it is known without a process"
        assert (await _lines(lane, "memory"))[-1]["line"] == "refused"
        assert lane.process.pid != first
        second = lane.process.pid
        os.kill(second, signal.SIGKILL)
        assert (await _lines(lane, "memory"))[-1]["line"] == "refused"
        assert lane.process.pid != second, "a refusal is asked again"
        await lane.close()

    asyncio.run(ask())


def test_an_overrun_ends_the_process_and_the_next_question_has_another(lane: Lane) -> None:
    async def ask() -> None:
        told = await _lines(lane, "for ever")
        assert "takes longer than 2 seconds" in told[-1]["refusals"][0]["why"]
        assert lane.process.pid == 0
        assert (await _lines(lane, "on"))[-1] == {"line": "check", "name": "done"}
        await lane.close()

    asyncio.run(ask())


def test_whoever_goes_away_ends_their_question_and_those_behind_go_on(lane: Lane) -> None:
    async def ask() -> None:
        going = lane.lines([_asks("for ever")])
        async with aclosing(going) as lines:  # type: ignore[type-var]  # a generator, which can be closed
            assert json.loads(await anext(lines)) == {"line": "ready"}
            first = lane.process.pid
            behind = asyncio.create_task(_lines(lane, "behind"))
            await _until(lambda: len(lane._turns) > 1)
        told = await behind
        assert {"line": "waiting", "before": 1} in told
        assert told[-1] == {"line": "check", "name": "done"}
        assert lane.process.pid != first
        await lane.close()

    asyncio.run(ask())


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The laboratory alone, in a process of its own, with its own processes."""
    with lab_serving(tmp_path_factory.mktemp("lab")) as address:
        yield address


@pytest.mark.sweep
def test_two_hundred_hostile_questions_leave_the_laboratory_as_it_was(base: str) -> None:
    def ask(asked: Hostile) -> tuple[str, int, str]:
        body = asked.body if isinstance(asked.body, bytes) else json.dumps(asked.body).encode()
        with httpx.Client(base_url=base, timeout=20 * LONG_SECONDS) as client:
            for _ in range(400):
                try:
                    answer = client.post(asked.path, content=body, headers={"Content-Type": "application/json"})
                except httpx.WriteError:  # too long: cut off while it is still sent
                    return asked.name, 413, ""
                if answer.status_code != 429:  # one visitor, so two at once: the others wait
                    return asked.name, answer.status_code, answer.text
                sleep(float(answer.headers["Retry-After"]))
        raise AssertionError(f"{asked.name}: it is never its turn")

    asked = [*hostile_questions()]
    assert len(asked) > 200
    with ThreadPoolExecutor(2) as visitors:
        for name, status, text in visitors.map(ask, asked):
            assert status in {200, 400, 413, 422}, f"{name}: {status} {text[:300]}"
            if status == 200:
                last = json.loads(text.splitlines()[-1])
                assert last["line"] in {"law", "fan", "check", "hands", "refused"}, f"{name}: {last}"
                assert "fault of the program" not in str(last.get("refusals")), f"{name}: {last}"
    _many_who_go_away(base)
    answer = httpx.post(f"{base}/api/lab/laws", json=_PLAIN, timeout=120)
    assert [json.loads(line)["line"] for line in answer.text.splitlines()][-2:] == ["law", "fan"]


_PLAIN = {"house": HOUSE, "session": SESSION, "strategies": [{"played": "pass"}]}


def _many_who_go_away(base: str) -> None:
    """Ask what takes long, and break it off at once, many times."""
    body = {"house": HOUSE, "session": HEAVY_SESSIONS[1], "strategies": [{"played": "pass"}]}
    for _ in range(12):
        with httpx.Client(base_url=base, timeout=0.3) as client, pytest.raises(httpx.TimeoutException):
            client.post("/api/lab/laws", json=body)
