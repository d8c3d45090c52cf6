"""The office of a simulated house: what its people do there comes one after another, by requests that may be lost."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from msgspec.structs import replace

from passline.acts.course import OFFICE_STREAM
from passline.acts.rules import Person as Employee
from passline.acts.rules import office_of
from passline.streams.course import THE_HOUSE, Ask
from tests.office.random_acts import random_history
from tests.simulated.loop import SimulatedLoop
from tests.simulated.server import OFFICE, Server
from tests.simulated.world import World

_THINK_SECONDS = 0.1, 1.0
_ANSWER_SECONDS = 8.0
_WAY_SECONDS = 0.000_5, 0.02
_LOST = 0.15  # of requests, and of answers


class Clerk:
    """Whoever keeps the office: what they send, what they were told, and what they wait for."""

    def __init__(self, world: World, loop: SimulatedLoop, servers: list[Server], acts: int) -> None:
        self.stream, self.prefix = OFFICE_STREAM + OFFICE, "clerk"
        self.done: dict[str, dict[str, Any]] = {}
        self.refused: dict[str, str] = {}
        self.waiting: dict[str, Ask] = {}
        self.heads: dict[int, str] = {}
        self.plays = True
        self.chance = world.chance("the office")
        kept = office_history(world.seed, acts)
        self._asks = [done.ask for done in kept.done if done.ask.by.account != THE_HOUSE.account]
        self._world, self._loop, self._servers = world, loop, servers

    async def take_part(self) -> None:
        """Send one command after another, each until it is answered."""
        for number, ask in enumerate(self._asks, start=1):
            await asyncio.sleep(self.chance.uniform(*_THINK_SECONDS))
            if not self.plays:
                return
            await self._send(replace(ask, id=f"{self.prefix}-{number}"))

    async def _send(self, ask: Ask) -> None:
        self.waiting[ask.id] = ask
        while ask.id in self.waiting:
            told = await self._request(ask)
            if told is not None and told["kind"] == "done":
                self.done[ask.id] = told
                self.waiting.pop(ask.id)
            elif told is not None and told["kind"] == "refused":
                self.refused[ask.id] = str(told["why"])
                self.waiting.pop(ask.id)
            else:
                ask = replace(ask, again=True)
                await asyncio.sleep(self.chance.uniform(*_THINK_SECONDS))

    async def _request(self, ask: Ask) -> dict[str, Any] | None:
        """Return what a server answers; None: it is not known what became of the command."""
        server, page = self.chance.choice(self._servers), self._loop
        house = server.loop
        if server.floor is None or house is None or self._is_lost("request lost"):
            return None
        answered: asyncio.Future[dict[str, Any]] = page.create_future()

        def tell(told: dict[str, Any]) -> None:
            if not answered.done():
                answered.set_result(told)

        async def work() -> None:
            await asyncio.sleep(self.chance.uniform(*_WAY_SECONDS))
            try:
                told = await server.do_act(ask)
            except Exception as error:  # noqa: BLE001 - a fault of the program
                self._world.fail(error)
                return
            if not self._is_lost("answer lost"):
                page.call_soon_threadsafe(tell, told)

        house.call_soon_threadsafe(lambda: house.create_task(work()))
        try:
            return await asyncio.wait_for(answered, _ANSWER_SECONDS)
        except TimeoutError:
            return None

    def _is_lost(self, what: str) -> bool:
        is_lost = self.plays and self.chance.random() < _LOST
        self._world.faults[what] += is_lost
        return is_lost


def office_history(seed: object, acts: int) -> Any:  # noqa: ANN401 - an office as tests keep it
    """Return an office in which a seed's people did something at random, all of it lawful."""
    return random_history(office_of(OFFICE), Random(f"{seed} office"), acts)


def employees_of(seed: object) -> dict[str, Employee]:
    """Return who works in the office."""
    return dict(office_history(seed, 0).people)
