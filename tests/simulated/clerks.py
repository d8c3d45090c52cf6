"""The office of a simulated house: what its people do there comes one after another, by requests that may be lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

from msgspec.structs import replace

from passline.acts.course import OFFICE_STREAM
from passline.acts.rules import Person as Employee
from passline.acts.rules import office_of
from passline.streams.course import THE_HOUSE, Ask
from tests.office.random_acts import random_history
from tests.simulated.loop import SimulatedLoop
from tests.simulated.server import OFFICE, Server, answer_to
from tests.simulated.world import World

_THINK_SECONDS = 0.05, 0.5
_ANSWER_SECONDS = 1.5
_WAY_SECONDS = 0.000_5, 0.02
_TROUBLED = 0.1  # of requests are lost, or sent twice, or their answer is lost


class Requester:
    """Somebody who sends one request after another, each until it is answered, and remembers all."""

    def __init__(self, world: World, loop: SimulatedLoop, servers: list[Server], stream: str, prefix: str) -> None:
        self.stream, self.prefix = stream, prefix
        self.done: dict[str, dict[str, Any]] = {}
        self.refused: dict[str, str] = {}
        self.waiting: dict[str, Ask] = {}
        self.heads: dict[int, str] = {}
        self.plays = True
        self.chance = world.chance(prefix)
        self._world, self._loop, self._servers = world, loop, servers

    async def take_part(self) -> None:
        """Send one command after another."""
        raise NotImplementedError

    async def carry_out(self, server: Server, ask: Ask) -> dict[str, object]:
        """Have a server carry out a command; return what it answers."""
        raise NotImplementedError

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be done for them, once nobody plays any more."""
        return not self.waiting

    async def send(self, ask: Ask) -> None:
        """Send a command again and again, with its id, until it is known what became of it."""
        self.waiting[ask.id] = ask
        while ask.id in self.waiting:
            sent, ask = [ask], replace(ask, again=True)
            if self._happens("sent twice"):
                sent.append(ask)
            answers = await asyncio.gather(*(self.request(partial(self.carry_out, ask=each)) for each in sent))
            known = [told for told in answers if told is not None]
            done = next((told for told in known if told["kind"] == "done"), None)
            told = done or answers[-1]  # a refusal of an earlier sending is not the last word
            if told is not None and told["kind"] in {"done", "refused"}:
                self._note(ask.id, told)
            else:
                await asyncio.sleep(self.chance.uniform(*_THINK_SECONDS))

    def _note(self, id_: str, told: dict[str, Any]) -> None:
        if told["kind"] == "done":
            self.done[id_] = told
        else:
            self.refused[id_] = str(told["why"])
        self.waiting.pop(id_)

    async def request(self, asked: Callable[[Server], Awaitable[Any]]) -> Any:  # noqa: ANN401 - of any request
        """Return what a server answers; None: it is not known what became of the request."""
        server, page = self.chance.choice(self._servers), self._loop
        house = server.loop
        if server.floor is None or house is None or self._happens("request lost"):
            return None
        answered: asyncio.Future[Any] = page.create_future()

        def tell(told: object) -> None:
            if not answered.done():
                answered.set_result(told)

        async def work() -> None:
            await asyncio.sleep(self.chance.uniform(*_WAY_SECONDS))
            try:
                told = await asked(server)
            except Exception as error:  # noqa: BLE001 - a fault of the program
                self._world.fail(error)
                return
            if not self._happens("answer lost"):
                page.call_soon_threadsafe(tell, told)

        house.call_soon_threadsafe(lambda: house.create_task(work()))
        try:
            return await asyncio.wait_for(answered, _ANSWER_SECONDS)
        except TimeoutError:
            return None

    def _happens(self, what: str) -> bool:
        """Return whether a request meets with something, as one in so many does until all is calm."""
        happens = self.plays and self.chance.random() < _TROUBLED
        self._world.faults[what] += happens
        return happens


class Clerk(Requester):
    """Whoever keeps the office."""

    def __init__(self, world: World, loop: SimulatedLoop, servers: list[Server], acts: int) -> None:
        super().__init__(world, loop, servers, OFFICE_STREAM + OFFICE, "clerk")
        kept = office_history(world.seed, acts)
        self._asks = [done.ask for done in kept.done if done.ask.by.account != THE_HOUSE.account]

    async def take_part(self) -> None:
        for number, ask in enumerate(self._asks, start=1):
            await asyncio.sleep(self.chance.uniform(*_THINK_SECONDS))
            if not self.plays:
                return
            await self.send(replace(ask, id=f"{self.prefix}-{number}"))

    async def carry_out(self, server: Server, ask: Ask) -> dict[str, object]:
        assert server.offices is not None
        return await answer_to(server.offices.ask(OFFICE, ask))


def office_history(seed: object, acts: int) -> Any:  # noqa: ANN401 - an office as tests keep it
    """Return an office in which a seed's people did something at random, all of it lawful."""
    return random_history(office_of(OFFICE), Random(f"{seed} office"), acts)


def employees_of(seed: object) -> dict[str, Employee]:
    """Return who works in the office."""
    return dict(office_history(seed, 0).people)
