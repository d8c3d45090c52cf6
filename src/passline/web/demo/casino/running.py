"""The demo's casino while its history is made: its tables and its office, with a clock that the story moves."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from importlib.resources import files
from string import Template
from typing import Any

from argon2 import PasswordHasher
from msgspec import Struct
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility, Shift
from passline.acts.judges.scene import Scene
from passline.acts.state import KnownThing
from passline.errors import CrapsError
from passline.office.ledgers.delivery import PaperDelivery
from passline.office.runtime import Offices, people_around
from passline.people.desk import FrontDesk
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.store.sealed import Log
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask
from passline.tables.runtime.floor import Floor, RunningTable
from passline.web.demo.casino.staff import actor_of
from passline.web.demo.plan import demo_plan

REGULATION = demo_plan().casino.rules
"""The regulation of the demo's casino: the one whose office asks for most."""
FACILITY = Facility(
    name="Saguaro Hall",
    zone="America/Phoenix",
    subdivision="AZ",
    day_begins="10:00",
    shifts=(Shift("day", "10:00"), Shift("swing", "18:00")),
    areas=("pit-1",),
)
"""Where it is, with two shifts in a gaming day."""
_ACT_SECONDS = 20  # between two acts of the office
_ACT = re.compile(
    r"(?P<who>\w+) (?P<act>\w+)(?P<things>( [\w.-]+)*?)(?P<fields> \{.*\})?"
    r"(?P<signed> signed by .*?)?(?P<paper> on paper)?$"
)
_SIGNED = re.compile(r"(\w+) as (\w+)")


class StoryClock:
    """A clock that stands still until the story moves it, and never goes back.

    >>> clock = StoryClock("2026-11-15T08:00:00.000000Z")
    >>> clock.wait(30)
    >>> clock.go_to("2026-11-15T08:00:10.000000Z")
    >>> clock()
    '2026-11-15T08:00:30.000000Z'
    """

    def __init__(self, at: str) -> None:
        self._at = at

    def __call__(self) -> str:
        """Return the moment that the story has come to."""
        return self._at

    def wait(self, seconds: int) -> None:
        """Let some time pass."""
        self._at = later(self._at, seconds)

    def go_to(self, at: str) -> None:
        """Go to a later moment; an earlier one is over."""
        self._at = max(self._at, at)


class RunningCasino:
    """The tables, the office and the people of the casino. Whatever is refused is a mistake of the story."""

    def __init__(self, log: Log, clock: StoryClock, today: date, documents: Mapping[str, str]) -> None:
        self.log, self.clock, self.today = log, clock, today
        self._documents = documents
        self._count = 0
        self._receipts = (digest for name, digest in documents.items() if name.startswith("receipt"))
        self._house: dict[str, Any] = {"rules": REGULATION}
        desk = FrontDesk(log, clock, is_demo=True, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        desk.people()
        self.floor = Floor(
            log, clock=clock, keys=DiceKeys(bytes(32), log.log_id),
            employed=desk.is_employee, is_sole_owner=desk.is_sole_owner,
        )  # fmt: skip
        around = people_around(desk.latest, lambda: self.floor.house.approvals)
        self.offices = Offices(log, self.floor.writer, clock, around)
        papers = PaperDelivery(self.floor, tell=self.offices.ask, read=self.offices.events_after)
        self.floor.clear, self.floor.opener = self.offices.clear, papers.opener
        self.offices.keep, self.offices.deliver = self.floor.keep, papers.deliver

    async def start(self) -> None:
        """Begin to serve, as a server does."""
        await self.floor.start()
        await self.floor.record_start()

    async def close(self) -> None:
        """Answer what is queued, keep snapshots, and stop."""
        await self.offices.close()
        await self.floor.close()

    def ask(self, command: object, by: Actor, signed_by: str = "") -> Ask:
        """Return a command with an id of its own."""
        self._count += 1
        return Ask(f"story-{self._count}", command, by, signed_by)

    async def house(self, command: object, by: Actor = THE_HOUSE, signed_by: str = "") -> None:
        """Send the house a command that it must not refuse."""
        self._check_done(await self.floor.ask_house(self.ask(command, by, signed_by)), command)

    async def office(self, command: c.ActCommand, by: Actor = THE_HOUSE, signed_by: str = "") -> None:
        """Send the office a command that it must not refuse."""
        self._check_done(await self.offices.ask(REGULATION, self.ask(command, by, signed_by)), command)

    async def table(self, name: str) -> RunningTable:
        """Return a table of the casino."""
        found = await self.floor.table(name)
        assert found is not None
        return found

    async def scene(self) -> Scene:
        """Return the office as it is now."""
        return await self.offices.scene(REGULATION)

    def _check_done(self, answer: Answer | Refused, command: object) -> Answer:
        if isinstance(answer, Refused):
            raise CrapsError(f"the demo's story at {self.clock()}: {command}: {answer}")
        return answer

    async def read(self, script: str, known: Mapping[str, object] | None = None) -> None:
        """Do what a script says, some seconds apart."""
        for line in read_script(script, known):
            await self.do(line)

    async def do(self, line: Line) -> None:
        """Do what one line says."""
        if line.who == "at":
            day, time = line.what.split()
            self.clock.go_to(FACILITY.moment(self.today + timedelta(days=int(day)), time))
            return
        self.clock.wait(_ACT_SECONDS)
        if line.who == "value":
            await self.office(c.SetValue(key=line.what, value=line.fields["value"], **self._paper()))
            return
        scene = await self.scene()
        fields = {key: self._value_of(scene, line, value) for key, value in line.fields.items()}
        signer, part = line.signed[0] if line.signed else ("", "")
        counted = _counted_fields(scene, line)
        if part and _counts(scene, line.what, part):  # a second count is made by itself
            signer, part, rest = "", "", line.signed
        else:
            rest = line.signed[1:]
        paper = {"document": next(self._receipts)} if line.on_paper else {}  # it serves one act
        command = c.DoAct(act=line.what, things=line.things, fields=fields, signs=part, paper=paper)
        await self.office(command, actor_of(line.who), signer)
        for account, also in rest:
            self.clock.wait(_ACT_SECONDS)
            number = max(map(int, (await self.scene()).state.pending))
            is_count = _counts(scene, line.what, also)
            again = {key: fields.get(key, {}) for key in counted if key in fields} if is_count else {}
            await self.office(c.SignAct(number=number, part=also, fields=again), actor_of(account), account)

    def _paper(self) -> dict[str, str]:
        received = FACILITY.today(self.clock()).isoformat()
        return {"document": next(self._receipts), "reference": "letter 7", "received": received}  # it serves one act

    def _value_of(self, scene: Scene, line: Line, value: object) -> object:
        """Return a field's value, with what stands for a paper, a document or the house file filled in."""
        if not (isinstance(value, str) and value.startswith("@")):
            return value
        if value == "@house":
            return self._house
        if (digest := self._documents.get(value[1:])) is not None:
            return digest
        act = scene.rules.pages.acts[line.what]
        known = scene.state.thing(act.thing, line.things[0]) if line.things else None
        about = replace(scene, fields=line.fields)
        return about.sheet(value[1:], known or KnownThing(act.thing, "", "", {}, "")).digest


def _counted_fields(scene: Scene, line: Line) -> tuple[str, ...]:
    counts = scene.rules.pages.acts[line.what].counts
    return counts.counted_fields if counts else ()


def _counts(scene: Scene, act: str, part: str) -> bool:
    return scene.rules.pages.acts[act].signs[part].counts


class Line(Struct, frozen=True, kw_only=True):
    """One line: who does what; the words `at` and `value` in place of somebody are no act."""

    who: str
    what: str = ""
    things: tuple[str, ...] = ()
    fields: dict[str, Any] = {}
    signed: tuple[tuple[str, str], ...] = ()  # account and part
    on_paper: bool = False


def read_script(name: str, known: Mapping[str, object] | None = None) -> Iterator[Line]:
    """Yield the lines of a script beside this module, its `$names` filled in."""
    text = (files(__package__) / f"{name}.txt").read_text(encoding="utf-8")
    for line in Template(text).substitute(known or {}).splitlines():
        if line.strip() and not line.startswith("#"):
            yield line_of(line.strip())


def line_of(text: str) -> Line:
    """Return a line as it is meant.

    >>> line = line_of("cass issue_chips {units = {500 = 40}} signed by abe as witness")
    >>> line.who, line.what, line.fields, line.signed
    ('cass', 'issue_chips', {'units': {'500': 40}}, (('abe', 'witness'),))
    """
    word, _, rest = text.partition(" ")
    if word == "at":
        return Line(who=word, what=rest)
    if word == "value":
        key, _, value = rest.partition(" = ")
        return Line(who=word, what=key, fields=tomllib.loads(f"value = {value}"))
    found = _ACT.fullmatch(text)
    if found is None:
        raise CrapsError(f"{text!r} is not a line of a script")
    return Line(
        who=found["who"],
        what=found["act"],
        things=tuple(found["things"].split()),
        fields=tomllib.loads(f"x ={found['fields']}")["x"] if found["fields"] else {},
        signed=tuple(_SIGNED.findall(found["signed"] or "")),
        on_paper=bool(found["paper"]),
    )
