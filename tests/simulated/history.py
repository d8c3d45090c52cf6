"""One history of a simulated house, from a seed: its people, its troubles, and what must hold after them."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct, json

from passline.acts.rules import Person as Employee
from passline.errors import CrapsError
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.store.log import Appended
from passline.streams.course import Actor, Ask
from passline.tables.commands import OpenTable
from tests.office.bookkeeping import people_drafts
from tests.simulated.boundaries import simulated_boundaries
from tests.simulated.checks import check_log
from tests.simulated.clerks import Clerk, Requester, employees_of
from tests.simulated.directors import ENTRANTS, STAFF, TABLE, Director, Entrant, entrant
from tests.simulated.loop import SimulatedLoop, run_loop
from tests.simulated.people import Boxperson, Person, Player
from tests.simulated.server import BEGINS, Anchor, Commits, Server, Supervised, Wall
from tests.simulated.storage import Database
from tests.simulated.troubles import Troubles
from tests.simulated.world import Machine, World

OWNER = Actor("owner", "Olga", "owner", is_employee=True)
_READY_SECONDS, _CALM_SECONDS = 30.0, 120.0
_LOOK_SECONDS = 0.05
_ACTS = (0, 0, 0, 0, 60)
_TOURNAMENTS = (False, False, True)


class Scope(Struct, frozen=True):
    """How much happens in a history."""

    tables: int = 3
    players: int = 2  # at each
    acts: int = -1  # that are tried in the office; -1: by chance, mostly none
    has_tournament: bool | None = None  # None: by chance
    servers: int = 0  # processes, besides the one that commits for several; 0: by chance
    seconds: float = 60.0  # of trouble
    apart: float = 0.0  # mean seconds from one trouble to the next; 0: by chance


class Outcome(Struct, frozen=True):
    """What a history came to: two of the same seed are equal."""

    entries: int
    rolls: int
    acknowledged: int
    refused: int
    faults: dict[str, int]
    seconds: float  # simulated
    trace: int


class House:
    """A simulated house and its people."""

    def __init__(self, world: World, scope: Scope) -> None:
        self.world, self.scope = world, scope
        self.database = Database(world)
        self.anchor, self.wall = Anchor(world), Wall(world)
        servers = scope.servers or world.chance("servers").choice((1, 1, 2))
        self.acts = world.chance("acts").choice(_ACTS) if scope.acts < 0 else scope.acts
        drawn = world.chance("a tournament").choice(_TOURNAMENTS) and not self.acts
        self.has_tournament = drawn if scope.has_tournament is None else scope.has_tournament
        self.clerks: list[Requester] = []
        self.commits = Commits(world, self.database) if servers > 1 else None
        self.servers = [
            Server(f"server {number}", self.database, self.anchor, self.wall, self.commits)
            for number in range(1, servers + 1)
        ]
        self.crowd = Machine(world, "people")
        self.people: list[Person] = []
        self.others: list[Machine] = []
        self.is_ready = False
        self.troubles = Troubles(self)

    def run(self) -> Outcome:
        """Have it happen, and check what came of it."""
        world, scope = self.world, self.scope
        for process in self.processes:
            process.start()
        run_loop(self.crowd, self._open, "people")
        world.run(lambda: self.is_ready, seconds_max=_READY_SECONDS)
        self.database.disk.settle()
        self.troubles.begin()
        begun = world.now
        end = begun + round(scope.seconds * 1_000_000)
        world.run(lambda: world.now >= end, seconds_max=scope.seconds + 60)
        self.troubles.end()
        for witness in self.witnesses:
            witness.plays = False
        world.run(self._is_settled, seconds_max=_CALM_SECONDS)
        for process in self.processes:
            process.kill()
        log = check_log(self)
        return Outcome(
            entries=log.entries,
            rolls=log.rolls,
            acknowledged=sum(len(witness.done) for witness in self.witnesses),
            refused=sum(len(witness.refused) for witness in self.witnesses),
            faults=dict(sorted(world.faults.items())),
            seconds=world.now / 1_000_000,
            trace=world.trace,
        )

    @property
    def processes(self) -> list[Supervised]:
        """The processes of the house, of which the one that commits is the first."""
        return [*([self.commits] if self.commits else []), *self.servers]

    @property
    def witnesses(self) -> list[Person | Requester]:
        """Whoever was told something."""
        return [*self.people, *self.clerks]

    def machines(self) -> list[Machine]:
        """Return every process that there ever was."""
        own = [machine for process in self.processes for machine in process.machines]
        return [self.crowd, self.troubles.machine, *own, *self.others]

    async def _open(self, loop: SimulatedLoop) -> None:
        """Open the tables, as a house's first start does; then people come."""
        server = self.servers[0]
        while server.floor is None or server.loop is None:  # noqa: ASYNC110 - of another loop
            await asyncio.sleep(_LOOK_SECONDS)
        opened: asyncio.Future[None] = loop.create_future()
        floor, house = server.floor, server.loop

        async def open_tables() -> None:
            if self.acts or self.has_tournament:
                results = await asyncio.to_thread(floor.log.append, people_drafts(self._accounts(), BEGINS))
                assert all(isinstance(result, Appended) for result in results)
            for number in range(1, self.scope.tables + 1):
                _, answer = await floor.open(Ask(f"open-{number}", _opening(number), OWNER, "flo"))
                assert not isinstance(answer, Refused), answer
            loop.call_soon_threadsafe(opened.set_result, None)

        house.call_soon_threadsafe(lambda: house.create_task(open_tables()))
        await opened
        for name in self._names():
            self._bring(loop, name)
        if self.acts:
            self.clerks.append(Clerk(self.world, loop, self.servers, self.acts))
        if self.has_tournament:
            self.clerks.append(Director(self.world, loop, self.servers))
            who = map(entrant, range(1, ENTRANTS + 1))
            self.people += [Entrant(self.world, loop, self.servers, by, TABLE) for by in who]
        self.is_ready = True
        await asyncio.gather(*(witness.take_part() for witness in self.witnesses))

    def _accounts(self) -> dict[str, Employee]:
        """Return everybody who has an account, where the house keeps its office or has a tournament."""
        crew = {"bea": "boxperson", "ben": "boxperson", "flo": "floorperson", OWNER.account: "owner"}
        crew |= {by.account: by.role for by in STAFF}
        people = {f"player-{number}{letter}": "player" for number in range(1, 10) for letter in "abcdefgh"}
        people |= {entrant(number).account: "player" for number in range(1, ENTRANTS + 1)}
        others = {name: Employee(name, name.title(), frozenset({role})) for name, role in (crew | people).items()}
        return (employees_of(self.world.seed) if self.acts else {}) | others

    def _bring(self, loop: SimulatedLoop, table: str) -> None:
        """Have people come to a table."""
        for number in range(1, self.scope.players + 1):
            name = f"{table.removeprefix('craps-')}{chr(96 + number)}"
            by = Actor(f"player-{name}", f"Player {name}", "player")
            self.people.append(Player(self.world, loop, self.servers, by, table))
        bea = Actor("bea", "Bea", "boxperson", is_employee=True)
        self.people.append(Boxperson(self.world, loop, self.servers, bea, table))

    def _is_settled(self) -> bool:
        """Return whether everybody was answered, every throw has landed, and every page shows the table."""
        if any(person.waiting for person in self.people) or not all(clerk.is_settled for clerk in self.clerks):
            return False
        floors = [server.floor for server in self.servers]
        if None in floors:
            return False
        tables = [table for floor in floors if floor is not None for table in floor.running_tables]
        newest = Counter[str]()
        for table in tables:
            newest[table.id] = max(newest[table.id], table.stream.version)
        if any(table.live.closing or table.stream.queue_length for table in tables):
            return False
        unopened = {TABLE} - newest.keys()  # of a tournament that was cancelled before its first round
        there = [person for person in self.people if person.table not in unopened]
        return all(person.connection is not None and self._shows(person, newest) for person in there)

    def _names(self) -> list[str]:
        return [f"craps-{number}" for number in range(1, self.scope.tables + 1)]

    def _shows(self, person: Person, newest: Mapping[str, int]) -> bool:
        """Return whether somebody's page shows their table as their server has it, and that one has all of it."""
        floor = person.served_by.floor
        table = floor.find(person.table) if floor is not None else None
        if table is None or not person.page.shown or table.course.is_telling:
            return False
        if table.stream.version < newest[person.table]:
            return False
        whole = json.decode(json.encode(table.course.whole_view(person.by)))
        # A page may keep an older head: the stream learns of newer ones without news of its own.
        return all(person.page.shown[key] == whole[key] for key in ("own", "sequence", "table"))


def _opening(number: int) -> OpenTable:
    return OpenTable(
        name=f"Craps {number}",
        house={"rules": "maryland"},
        automate=tuple(sorted(AUTOMATED)),
        buy_in="self",
        bank_cents=100_000_00,
    )


class _Faults(logging.Handler):
    """Notices what the program logs as its own fault, with a traceback."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        current = self._world.current
        is_dead = current is not None and current.machine.is_dead
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not is_dead and not isinstance(error, CrapsError | OSError):
            self._world.fail(error)


@contextmanager
def _own_faults(world: World) -> Iterator[None]:
    """Have what the program logs as its own fault fail the history; print nothing."""
    logger, handler = logging.getLogger("passline"), _Faults(world)
    propagates, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates


def history_of(seed: object, scope: Scope = Scope()) -> Outcome:  # noqa: B008 - it is frozen
    """Return what a seed's history came to; raise AssertionError, with the seed, if something did not hold."""
    world = World(seed)
    gc.collect()
    gc.disable()
    house: House | None = None
    with simulated_boundaries(world), _own_faults(world):
        try:
            house = House(world, scope)
            return house.run()
        except BaseException as error:
            error.add_note(f"seed {seed!r}, at {world.now / 1e6:.6f} s, after {sum(world.faults.values())} faults")
            raise
        finally:
            gc.enable()
            if house is not None:
                world.end(house.machines())
                house.database.close()
