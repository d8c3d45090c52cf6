"""An event loop of asyncio in simulated time: one for each simulated process that has one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from tests.simulated.boundaries import SimulatedLock, SimulatedQueue
from tests.simulated.sockets import SimulatedTransport
from tests.simulated.world import SECOND, Killed, Machine

_ROUND = 20  # microseconds that one round of a loop takes


class SimulatedLoop(asyncio.BaseEventLoop):
    """asyncio's own loop, but that it waits, tells the time and has work done by threads as the world does it."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self._machine, self._world = machine, machine.world
        self._strand = self._world.current
        self._is_waiting = False
        self._selector = self  # of which only `select` is asked
        self._clock_resolution = 1 / SECOND
        self._idle: list[SimulatedQueue] = []
        self._executors: dict[object, SimulatedLock] = {}
        self.set_task_factory(self._keep)  # type: ignore[arg-type]  # of tasks, as typeshed has it of futures
        self.set_exception_handler(self._report)

    def _keep(
        self,
        loop: asyncio.AbstractEventLoop,
        coroutine: Coroutine[Any, Any, Any],
        **named: Any,  # noqa: ANN401 - asyncio's
    ) -> asyncio.Task[Any]:
        task = asyncio.Task(coroutine, loop=loop, **named)
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # its process may be killed
        self._machine.kept.append(task)
        return task

    def _report(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not self._machine.is_dead:
            error = context.get("exception")
            self._world.fail(error if isinstance(error, BaseException) else AssertionError(context["message"]))

    def _check_closed(self) -> None:
        """Let everything be asked of a loop whose process has ended: it does nothing any more."""

    def __del__(self) -> None:
        """Say nothing: a process that is killed closes nothing."""

    def time(self) -> float:
        return self._world.now / SECOND

    def select(self, timeout: float | None) -> list[object]:
        """Wait as a selector does, for what other strands or time bring."""
        world = self._world
        if timeout is not None and timeout <= 0:
            world.wait(world.now + _ROUND)
            return []
        self._is_waiting = True
        world.wait(None if timeout is None else world.now + max(1, round(timeout * SECOND)))
        self._is_waiting = False
        return []

    async def create_unix_connection(self, protocol_factory: Callable[[], Any], **named: Any) -> tuple[Any, Any]:  # type: ignore[override]  # noqa: ANN401 - asyncio's
        """Connect a protocol to the other end of a simulated socket."""
        protocol = protocol_factory()
        transport = SimulatedTransport(self, named["sock"], protocol)
        await asyncio.sleep(0)
        return transport, protocol

    def _process_events(self, _events: object) -> None:
        """Do nothing: there are no files."""

    def _write_to_self(self) -> None:
        if self._is_waiting and self._strand is not None:
            self._is_waiting = False
            self._world.wake(self._strand)

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]  # noqa: ANN401
        """Have work done by a strand: of one executor at a time, where it is not asyncio's own."""
        future = self.create_future()
        turn = self._executors.setdefault(executor, SimulatedLock(self._world)) if executor is not None else None

        def work() -> None:
            try:
                if turn is None:
                    result = func(*args)
                else:
                    with turn:
                        result = func(*args)
            except Killed:
                raise
            except BaseException as error:  # noqa: BLE001 - told to whoever waits
                self.call_soon_threadsafe(_end, future, None, error)
            else:
                self.call_soon_threadsafe(_end, future, result, None)

        if not self._idle:
            self._idle.append(queue := SimulatedQueue(self._world))
            self._machine.begin(partial(self._work, queue), "a worker")
        self._idle.pop().put(work)
        return future

    def _work(self, queue: SimulatedQueue) -> None:
        while True:
            queue.get()()
            self._idle.append(queue)


def _end(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def run_loop(machine: Machine, main: Callable[[SimulatedLoop], Coroutine[Any, Any, Any]], name: str) -> None:
    """Begin a strand of a process that runs a loop until its main coroutine has ended."""

    def run() -> None:
        loop = SimulatedLoop(machine)
        machine.kept.append(loop)
        asyncio.set_event_loop(None)
        loop.run_until_complete(main(loop))

    machine.begin(run, name)
