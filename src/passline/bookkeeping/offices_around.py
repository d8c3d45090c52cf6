"""What bookkeeping needs from offices: the gaming day and shift of a moment, the crew of a table, the dice alarm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility, minute_of
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.acts.state import DICE_ALARM, DICE_ALARM_ONE_IN
from passline.bookkeeping.account import Span
from passline.bookkeeping.pits import pits_after
from passline.store.entry import Entry
from passline.streams.projection_store import ViewWriter

AROUND_TABLES = {"offices_around": "CREATE TABLE offices_around (rules TEXT PRIMARY KEY, body BLOB NOT NULL)"}
"""How the table of offices is created, as far as accounts need them."""
_CREW_ACT = "set_crew"
_PEOPLE = ("boxperson", "stickperson", "dealers", "crew")
_TOLD = (b'"office-set-up/1"', b'"set_crew"', b'"value-set/1"')
_TELLS_PIT = b'"kind":"table"', b'"area"'
_SPANS_MAX = 50_000


class OfficeAround(Struct, frozen=True):
    """An office, as far as accounts depend on it."""

    facility: Facility | None = None
    crews: dict[str, str] = {}  # by table: the accounts, in order
    pits: dict[str, str] = {}  # by table: the area in which it stands
    waiting: dict[str, dict[str, str]] = {}  # crews that wait for signatures: by act, then by table
    one_in: int = DICE_ALARM_ONE_IN


_decoder = json.Decoder(OfficeAround)


class OfficesAround:
    """The offices of a log, as far as it was read."""

    def __init__(self) -> None:
        self._offices: dict[str, OfficeAround] = {}
        self._changed: set[str] = set()
        self._spans: dict[tuple[str, str], Span] = {}

    def take(self, writer: ViewWriter, entry: Entry) -> None:
        """Follow an entry if it is of an office; most do not matter here and are not even decoded."""
        if not entry.stream.startswith(OFFICE_STREAM):
            return
        rules = entry.stream.removeprefix(OFFICE_STREAM)
        text = bytes(entry.events)
        office = self.office(writer, rules)
        tells_pit = all(told in text for told in _TELLS_PIT)
        if not office.waiting and not tells_pit and not any(told in text for told in _TOLD):
            return
        after = office
        for event in OFFICE_CODEC.events(entry):
            after = _after(after, event)
        if after != office:
            self._offices[rules] = after
            self._changed.add(rules)
            self._spans.clear()

    def office(self, writer: ViewWriter, rules: str) -> OfficeAround:
        """Return an office as it is now."""
        known = self._offices.get(rules)
        if known is None:
            rows = writer.query("SELECT body FROM offices_around WHERE rules = ?", (rules,))
            known = _decoder.decode(writer.unseal("office", rows[0][0])) if rows else OfficeAround()
            self._offices[rules] = known
        return known

    def span(self, writer: ViewWriter, rules: str, at: str) -> Span:
        """Return the gaming day and shift of a moment."""
        key = rules, minute_of(at)
        if (known := self._spans.get(key)) is None:
            facility = self.office(writer, rules).facility
            known = Span(at[:10])
            if facility is not None:
                known = Span(facility.gaming_day(at).isoformat(), facility.shift_of(at).name)
            if len(self._spans) > _SPANS_MAX:
                self._spans.clear()
            self._spans[key] = known
        return known

    def store(self, writer: ViewWriter) -> None:
        """Write the offices that changed."""
        rows = [(rules, writer.seal("office", json.encode(self._offices[rules]))) for rules in self._changed]
        writer.write("INSERT OR REPLACE INTO offices_around VALUES (?, ?)", rows)
        self._changed.clear()


def _after(office: OfficeAround, event: e.ActEvent) -> OfficeAround:
    match event:
        case e.OfficeSetUp():
            return replace(office, facility=event.facility)
        case e.ValueSet(key=key) if key == DICE_ALARM:
            return replace(office, one_in=event.value)
        case e.ActDone(act=act) if act == _CREW_ACT:
            crew = ",".join(sorted(set(_people(event.fields))))
            return replace(office, waiting={**office.waiting, str(event.number): dict.fromkeys(event.things, crew)})
        case e.ActCompleted():
            if (pits := pits_after(office.pits, event)) != office.pits:
                office = replace(office, pits=pits)
            if (crews := office.waiting.get(str(event.number))) is None:
                return office
            return _no_longer(replace(office, crews={**office.crews, **crews}), event.number)
        case e.ActVoided():
            return _no_longer(office, event.number)
        case _:
            return office


def _people(fields: dict[str, Any]) -> Iterable[str]:
    """Yield the accounts of a crew."""
    for name in _PEOPLE:
        named = fields.get(name) or ()
        yield from (named,) if isinstance(named, str) else named


def _no_longer(office: OfficeAround, number: int) -> OfficeAround:
    return replace(office, waiting={act: crews for act, crews in office.waiting.items() if act != str(number)})
