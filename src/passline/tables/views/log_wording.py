"""The log in words: each entry with the players and the rules of its own time."""

from __future__ import annotations

from bisect import bisect_right
from threading import Lock

from msgspec import Struct
from msgspec.structs import replace

from passline.game import events as e
from passline.people.accounts import STREAM, People
from passline.people.course import PEOPLE
from passline.people.wording import people_lines
from passline.rules.rules import Rules
from passline.store.entry import Entry
from passline.store.log import Log
from passline.tables import events as t
from passline.tables.entries import HOUSE_CODEC, TABLE_CODEC, is_house, is_table
from passline.tables.events import TableEvent
from passline.tables.live import house_with, version_of
from passline.tables.rules_in_force import rules_under
from passline.tables.views.wording import house_lines, worded

__all__ = ["LogWording"]

# events that change who sits where, or the rules
_MARKS = (b'"table-opened/', b'"limits-changed/', b'"player-seated/', b'"seat-left/', b'"rulebook-adopted/')


class _Scene(Struct, frozen=True):
    """What the wording of a table's entry needs: the names at its seats, and the house."""

    house: dict[str, object]
    rulebook: str
    automate: tuple[str, ...]
    names: dict[int, str] = {}

    def rules(self) -> Rules:
        return rules_under(self.house, self.rulebook, version_of(self.house, self.rulebook), self.automate)


class _Scenes:
    """The scenes of one table by version; each lasts until the next."""

    def __init__(self) -> None:
        self.read = 0  # up to which version the stream was read
        self._versions: list[int] = []
        self._scenes: list[_Scene] = []

    def read_on(self, entry: Entry) -> None:
        self.read = entry.version
        if any(mark in bytes(entry.events) for mark in _MARKS):  # few entries have one, and decoding takes long
            scene = _after(self._scenes[-1] if self._scenes else None, TABLE_CODEC.events(entry))
            self._versions.append(entry.version)
            self._scenes.append(scene)

    def at(self, version: int) -> _Scene:
        """Return the scene of an entry; a player who left by it is named too."""
        place = bisect_right(self._versions, version) - 1
        scene = self._scenes[place]
        if self._versions[place] == version and place:
            return replace(scene, names={**self._scenes[place - 1].names, **scene.names})
        return scene


class LogWording:
    """Words every entry of a log. The scenes of a table are read once, so a page of a long log is quick.

    Calls may come from any thread.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = Lock()
        self._tables: dict[str, _Scenes] = {}

    def lines(self, entry: Entry, people: People) -> tuple[str, ...]:
        """Return what an entry did, in words."""
        if is_table(entry):
            scene = self._scene(entry)
            return worded(TABLE_CODEC.events(entry), scene.rules(), scene.names)
        if is_house(entry):
            return house_lines(HOUSE_CODEC.events(entry))
        if entry.stream == STREAM:
            return people_lines(PEOPLE.events(entry), people, actor=entry.actor)
        return ()

    def _scene(self, entry: Entry) -> _Scene:
        with self._lock:
            scenes = self._tables.setdefault(entry.stream, _Scenes())
            if scenes.read < entry.version:
                for stored in self._log.read_stream(entry.stream, after=scenes.read):
                    scenes.read_on(stored.entry)
            return scenes.at(entry.version)


def _after(scene: _Scene | None, events: tuple[TableEvent, ...]) -> _Scene:
    for event in events:
        if isinstance(event, t.TableOpened):
            scene = _Scene(event.house, event.rulebook, event.automate)
            continue
        assert scene is not None, "the first decision of a table opens it"
        match event:
            case t.LimitsChanged():
                scene = replace(scene, house=house_with(scene.house, event))
            case t.RulebookAdopted():
                scene = replace(scene, house=event.house, rulebook=event.digest)
            case t.PlayerSeated():
                scene = replace(scene, names={**scene.names, event.seat: event.name})
            case e.SeatLeft():
                scene = replace(scene, names={seat: name for seat, name in scene.names.items() if seat != event.seat})
            case _:
                pass
    assert scene is not None
    return scene
