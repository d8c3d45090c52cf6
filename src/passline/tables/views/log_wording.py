"""The log in words: each entry by who sat there and which rules were in force when it was written."""

from __future__ import annotations

from bisect import bisect_right
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from passline.game import events as e
from passline.people.accounts import STREAM as PEOPLE
from passline.people.accounts import People
from passline.people.events import people_events
from passline.people.wording import people_lines
from passline.rules.rules import Rules
from passline.store.entry import Entry
from passline.store.log import Log
from passline.tables import events as t
from passline.tables.entries import house_events, is_house, is_table, table_events
from passline.tables.events import TableEvent
from passline.tables.live import house_with, rules_under, version_of
from passline.tables.runtime.house_stream import house_lines
from passline.tables.views.wording import worded

__all__ = ["Annals"]

_TELLING = (b'"table-opened/', b'"limits-changed/', b'"player-seated/', b'"seat-left/')  # what changes a scene


class _Scene(Struct, frozen=True):
    """What it takes to word an entry of a table: who is at which seat, and the house."""

    house: dict[str, object]
    rulebook: str
    automate: tuple[str, ...]
    names: dict[int, str] = {}

    def rules(self) -> Rules:
        return rules_under(self.house, version_of(self.house, self.rulebook), self.automate)


class _Course:
    """The scenes of one table in the order of its versions; each lasts until the next."""

    def __init__(self) -> None:
        self.read = 0  # the version up to which the stream was read
        self._versions: list[int] = []
        self._scenes: list[_Scene] = []

    def read_on(self, entry: Entry) -> None:
        self.read = entry.version
        if any(mark in bytes(entry.events) for mark in _TELLING):  # few entries do, and decoding takes long
            scene = _after(self._scenes[-1] if self._scenes else None, table_events(entry))
            self._versions.append(entry.version)
            self._scenes.append(scene)

    def at(self, version: int) -> _Scene:
        """Give the scene of an entry: also whoever left by it has a name."""
        place = bisect_right(self._versions, version) - 1
        scene = self._scenes[place]
        if self._versions[place] == version and place:
            return replace(scene, names={**self._scenes[place - 1].names, **scene.names})
        return scene


class Annals:
    """Words every entry of a log. What a table's past needs is read once and then on, so a page of a long log is quick.

    Every call may come from any thread.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = Lock()
        self._courses: dict[str, _Course] = {}

    def lines(self, entry: Entry, people: People) -> tuple[str, ...]:
        """Say what an entry did."""
        if is_table(entry):
            scene = self._scene(entry)
            return worded(table_events(entry), scene.rules(), scene.names)
        if is_house(entry):
            return house_lines(house_events(entry))
        if entry.stream == PEOPLE:
            return people_lines(people_events(entry), people, actor=entry.actor)
        return ()

    def _scene(self, entry: Entry) -> _Scene:
        with self._lock:
            course = self._courses.setdefault(entry.stream, _Course())
            if course.read < entry.version:
                for stored in self._log.read_stream(entry.stream, after=course.read):
                    course.read_on(stored.entry)
            return course.at(entry.version)


def _after(scene: _Scene | None, events: tuple[TableEvent, ...]) -> _Scene:
    for event in events:
        if isinstance(event, t.TableOpened):
            scene = _Scene(event.house, event.rulebook, event.automate)
            continue
        assert scene is not None, "the first decision of a table opens it"
        match event:
            case t.LimitsChanged():
                scene = replace(scene, house=house_with(scene.house, event))
            case t.PlayerSeated():
                scene = replace(scene, names={**scene.names, event.seat: event.name})
            case e.SeatLeft():
                scene = replace(scene, names={seat: name for seat, name in scene.names.items() if seat != event.seat})
            case _:
                pass
    assert scene is not None
    return scene
