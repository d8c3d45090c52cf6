"""What goes wrong in a simulated house: one trouble after another, at moments and of kinds that the seed decides."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.simulated.storage import Trouble
from tests.simulated.world import SECOND, Machine

if TYPE_CHECKING:
    from tests.simulated.history import House
    from tests.simulated.network import Connection
    from tests.simulated.server import Supervised

_DOWN_SECONDS = 0.05, 1.5  # from a kill to the next start
_APART_SECONDS = 0.05, 0.15, 0.4  # mean seconds from one trouble to the next
_LOOK_SECONDS = 1.0
"""How often whoever runs the house looks at its clocks, once all is calm."""
_OPERATIONS = 1, 8  # of the disk, until a trouble that was announced happens


class Troubles:
    """Brings trouble to a house until it is told to end; then everything is mended."""

    def __init__(self, house: House) -> None:
        self._house, self._world = house, house.world
        self._chance = house.world.chance("troubles")
        self.machine = Machine(house.world, "troubles")
        self._is_ended = False
        database = house.database
        database.killed = self._restart_of
        database.cut = self._cut_power
        self._kinds: dict[Callable[[], None], int] = {
            self._kill: 2,
            self._cut_soon: 2,
            self._kill_in_write: 2,
            self._kill_after_commit: 2,
            self._fail_write: 2,
            self._fail_sync: 2,
            self._fill_disk: 1,
            self._lose_answer: 4,
            self._stall: 3,
            self._cut_connection: 12,
            self._slow_connection: 5,
            self._set_clock: 2,
            self._lose_anchor: 2,
        }

    def begin(self) -> None:
        """Begin."""
        self.machine.begin(self._bring, "troubles")

    def end(self) -> None:
        """Mend everything; what follows is calm."""
        self._is_ended = True
        house = self._house
        house.database.disk.trouble, house.database.stall = "", 0.0
        house.database.loses_answer = house.database.kills_after = False
        house.anchor.is_down = False
        house.wall.ahead = 0
        for connection in self._connections():
            connection.seconds = 0.0
        for process in house.processes:
            process.start()
        self.machine.begin(self._heed_clocks, "whoever runs the house")

    def _heed_clocks(self) -> None:
        """Do what a server asks for that started while its clock was ahead: stop the house until a moment."""
        house = self._house
        while True:
            self._world.sleep(_LOOK_SECONDS)
            clocks = [server.clock for server in house.servers if server.clock is not None]
            asked = [re.search(r"stop the server until (\S+)", clock.fault) for clock in clocks if clock()]
            until = [found[1] for found in asked if found]
            if until:
                for process in house.processes:
                    process.kill()
                house.wall.pass_until(max(until))
                for process in house.processes:
                    process.start()

    def _bring(self) -> None:
        apart = self._house.scope.apart or self._chance.choice(_APART_SECONDS)
        kinds, weights = list(self._kinds), list(self._kinds.values())
        while not self._is_ended:
            self._world.sleep(self._chance.expovariate(1 / apart))
            if not self._is_ended:
                (bring,) = self._chance.choices(kinds, weights)
                bring()

    def _count(self, kind: str) -> None:
        self._world.faults[kind] += 1
        self._world.note(kind)

    def _later(self, seconds: float, work: Callable[[], None]) -> None:
        def wait() -> None:
            self._world.sleep(seconds)
            work()

        self.machine.begin(wait, "later")

    # Processes.

    def _kill(self) -> None:
        process = self._chance.choice(self._house.processes)
        if process.runs:
            self._count(f"process killed: {process.name.split()[0]}")
            self._restart(process)

    def _restart(self, process: Supervised) -> None:
        """Kill a process; whoever supervises it starts it again."""
        process.kill()
        self._later(self._chance.uniform(*_DOWN_SECONDS), process.start)

    def _restart_of(self, machine: Machine) -> None:
        for process in self._house.processes:
            if process.runs and process.machine is machine:
                self._restart(process)
        machine.kill()

    # The disk.

    def _announce(self, trouble: Trouble) -> None:
        disk = self._house.database.disk
        disk.trouble, disk.at = trouble, disk.done + self._chance.randint(*_OPERATIONS)

    def _cut_soon(self) -> None:
        self._announce("power cut")

    def _cut_power(self) -> None:
        for process in self._house.processes:
            self._restart(process)
        self._house.database.cut_power()

    def _kill_in_write(self) -> None:
        self._announce("killed in a write")

    def _kill_after_commit(self) -> None:
        self._house.database.kills_after = True

    def _fail_write(self) -> None:
        self._announce("failed write")

    def _fail_sync(self) -> None:
        self._announce("failed sync")

    def _fill_disk(self) -> None:
        self._announce("full")
        self._later(self._chance.uniform(0.2, 2.0), self._empty_disk)

    def _empty_disk(self) -> None:
        disk = self._house.database.disk
        if disk.trouble == "full":
            disk.trouble = ""

    def _lose_answer(self) -> None:
        self._house.database.loses_answer = True

    def _stall(self) -> None:
        self._count("disk stalled")
        self._house.database.stall = self._chance.choice((0.05, 0.1, 0.3, 2.0, 9.0))
        self._later(self._chance.uniform(0.2, 2.0), self._go_on)

    def _go_on(self) -> None:
        self._house.database.stall = 0.0

    # Connections and clocks.

    def _connections(self) -> list[Connection]:
        servers = self._house.servers
        return [connection for server in servers for connection in server.connections if not connection.is_cut]

    def _cut_connection(self) -> None:
        connections = self._connections()
        if connections:
            self._count("connection cut")
            self._chance.choice(connections).cut()

    def _slow_connection(self) -> None:
        connections = self._connections()
        if connections:
            self._count("connection slow")
            slow = self._chance.choice(connections)
            slow.seconds = self._chance.uniform(0.05, 1.0)
            self._later(self._chance.uniform(0.5, 5.0), lambda: setattr(slow, "seconds", 0.0))

    def _set_clock(self) -> None:
        self._count("clock set")
        wall = self._house.wall
        wall.ahead = round(self._chance.choice((-3600, -100, -3, 3, 60, 250, 3600)) * SECOND)
        self._later(self._chance.uniform(0.2, 2.0), lambda: setattr(wall, "ahead", 0))

    def _lose_anchor(self) -> None:
        anchor = self._house.anchor
        anchor.is_down = True
        self._later(self._chance.uniform(0.5, 5.0), lambda: setattr(anchor, "is_down", False))
