"""Simulated time: strands of several simulated processes, of which one runs at a time, in an order that a seed decides.

A strand is a thread as the program knows it: any code can run in it, and it runs until it waits for something. So the
same seed gives the same history, and minutes take a second.
"""

from __future__ import annotations

import heapq
from asyncio import events
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any
from zlib import crc32

import greenlet  # type: ignore[import-untyped]

SECOND = 1_000_000
"""A second of simulated time, in the microseconds that it is counted in."""


class Killed(SystemExit):
    """The simulated process of this strand was killed: nothing that it does from now on reaches anybody."""


class Machine:
    """A simulated process. `name` is for messages; what it holds is lost when it is killed."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.is_dead = False
        self.kept: list[object] = []  # so that nothing of it is collected while others run, at a random moment
        self.strands: list[Strand] = []
        self._at_end: list[Callable[[], None]] = []

    def begin(self, work: Callable[[], object], name: str) -> Strand:
        """Begin a strand of this process."""
        strand = Strand(self, work, name)
        self.strands.append(strand)
        self.world.wake(strand)
        return strand

    def at_end(self, close: Callable[[], None]) -> None:
        """Have something closed when the process is killed: a connection, a file."""
        self._at_end.append(close)

    def live(self) -> None:
        """Go on only while the process lives."""
        if self.is_dead:
            raise Killed

    def kill(self) -> None:
        """End the process at once, wherever its strands are."""
        if self.is_dead:
            return
        self.is_dead = True
        for close in self._at_end:
            close()
        for strand in self.strands:
            if not strand.is_done:
                self.world.wake(strand)


class Strand:
    """A simulated thread: a greenlet, which keeps its own stack while others run."""

    def __init__(self, machine: Machine, work: Callable[[], object] | None, name: str) -> None:
        self.machine, self.name = machine, name
        self.is_done = False
        self.ticket = 0  # of the next entry in the agenda that counts
        self.waiters: list[Strand] = []  # for its end
        self._work = work
        self._greenlet = greenlet.getcurrent() if work is None else greenlet.greenlet(self._run, machine.world.director)

    def run_on(self) -> None:
        """Go on with this strand, from the one that runs now, until that one has its turn again."""
        loop = events._get_running_loop()  # asyncio keeps one for each thread, and all strands share one
        events._set_running_loop(None)
        self._greenlet.switch()
        events._set_running_loop(loop)

    def _run(self, *_given: object) -> None:
        assert self._work is not None
        world = self.machine.world
        try:
            self.machine.live()
            self._work()
        except Killed:
            pass
        except BaseException as error:  # noqa: BLE001 - told to whoever runs the simulation
            if not self.machine.is_dead:
                world.fail(error)
        self.is_done = True
        for waiter in self.waiters:
            world.wake(waiter)
        events._set_running_loop(None)
        self._greenlet.parent = world.next_strand()._greenlet  # which goes on when this one ends


class World:
    """The clock, the agenda and the chance of one simulation; `faults` counts what was done to it, by kind."""

    def __init__(self, seed: object) -> None:
        self.seed = seed
        self.now = 0
        self.faults = Counter[str]()
        self.failure: BaseException | None = None
        self.current: Strand | None = None
        self.is_over = False
        self.trace = 0  # a checksum of everything that happened, in order
        self._order = self.chance("the order of strands")
        self._agenda: list[tuple[int, float, int, Strand]] = []
        self._tickets = 0
        self.director = greenlet.getcurrent()  # of whoever runs the simulation
        self._director = Strand(Machine(self, "the director"), None, "whoever runs the simulation")

    def chance(self, name: str) -> Random:
        """Return a source of chance of its own, so that one part's draws do not move another's."""
        return Random(f"{self.seed} {name}")

    def note(self, what: str) -> None:
        """Add something that happened to the trace."""
        self.trace = crc32(f"{self.now} {what}".encode(), self.trace)

    def wake(self, strand: Strand) -> None:
        """Let a strand run now, in its turn."""
        self._enter(strand, self.now)

    def _enter(self, strand: Strand, at: int) -> None:
        self._tickets += 1
        strand.ticket = self._tickets
        heapq.heappush(self._agenda, (at, self._order.random(), self._tickets, strand))

    def fail(self, error: BaseException) -> None:
        """End the history with an error."""
        self.failure = self.failure or error
        self.wake(self._director)

    def wait(self, until: int | None) -> None:
        """Have the current strand wait until a moment, or until it is woken."""
        strand = self.current
        if self.is_over or strand is None or strand.machine.is_dead:
            raise Killed
        if until is not None:
            if not self._agenda or self._agenda[0][0] > until:  # nobody else has anything to do before
                self.now = max(self.now, until)
                return
            self._enter(strand, until)
        else:
            strand.ticket = 0
        following = self._following()
        if following is not strand:
            following.run_on()
        if strand.machine.is_dead or self.is_over:
            raise Killed

    def next_strand(self) -> Strand:
        """Return the strand that runs after the current one has ended."""
        return self._director if self.is_over else self._following()

    def _following(self) -> Strand:
        """Take the strand that is next from the agenda, and let time pass until then."""
        while True:
            at, _, ticket, strand = heapq.heappop(self._agenda)
            if strand.ticket == ticket and not strand.is_done:
                self.now = max(self.now, at)
                strand.ticket = 0
                self.current = strand
                return strand

    def sleep(self, seconds: float) -> None:
        """Have the current strand wait for some seconds, whatever wakes it."""
        until = self.now + round(seconds * SECOND)
        self.wait(until)
        while self.now < until:
            self.wait(until)

    def run(self, until: Callable[[], bool], *, seconds_max: float, every: float = 0.05) -> None:
        """Let strands run until a condition holds, which is asked again and again; raise what one of them raised."""
        end = self.now + round(seconds_max * SECOND)
        self.current = self._director
        while not until():
            if self.now > end:
                raise AssertionError(f"not done within {seconds_max:.0f} simulated seconds")
            self.wait(self.now + round(every * SECOND))
            if self.failure is not None:
                raise self.failure

    def end(self, machines: list[Machine]) -> None:
        """End every strand."""
        for machine in machines:
            machine.is_dead = True
        self.is_over = True
        for machine in machines:
            for strand in machine.strands:
                if not strand.is_done:
                    self.current = strand
                    strand.run_on()
        self.current = None


def in_strand(world: World, work: Callable[[], Any], machine: Machine) -> Any:  # noqa: ANN401 - of any work
    """Do something in a strand of its own, run until it is done, and return what it returns."""
    found: list[Any] = []
    strand = machine.begin(lambda: found.append(work()), "a question")
    world.run(lambda: strand.is_done, seconds_max=60)
    return found[0]
