"""The offices of a house as they run: one stream for each regulation, and the clearance of tables for opening."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from datetime import date, timedelta
from uuid import uuid4

from msgspec import json
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.calendar.facility import NO_FACILITY, Facility
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, OfficeCourse
from passline.acts.events import ActEvent, TableCleared
from passline.acts.judges.gates import people_away
from passline.acts.judges.scene import Scene, Surroundings
from passline.acts.noted import COMP_DAY, COMP_SHARE, DICE_NOTED, DICE_UNACCOUNTED, SKIM_NOTED, comp_day, skim_key
from passline.acts.papers.form_codes import FormCode, is_made_by
from passline.acts.papers.houses import elected_presets
from passline.acts.patrons import BAR
from passline.acts.rules import OFFICE_RULES, ActRules, Person, is_sound_office, office_of, sound_offices
from passline.acts.schema import LIVE_METER
from passline.acts.state import CASH_REPORT, ActState, thing_key
from passline.bookkeeping.dice_sets import DiceSet
from passline.errors import CrapsError
from passline.office.excluded import Exclusions, excluded_of
from passline.office.views.cash import CashPart, PatronCash, cash_by_patron, days_of
from passline.office.views.day_report import day_bounds
from passline.office.views.house_cash import OtherCash, cash_in_house, counts_house_cash
from passline.office.views.result_alarms import AlarmedResult
from passline.office.views.theft import TheftFound
from passline.people.accounts import People
from passline.people.duties import owners_who_agree
from passline.refusal import Refused
from passline.rules.elections import house_digest
from passline.rules.house_reader import house_of
from passline.rules.pages.amendments import text_day
from passline.rules.pages.library import regulations
from passline.rules.pages.texts import RulebookError, packed_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.store.entry import Stored
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.streams.registry import Registry
from passline.streams.running import RunningStream
from passline.streams.writer import Writer
from passline.tables.approvals import Approvals
from passline.tables.commands import OpenTable
from passline.tables.views.dealt_by import this_program

CashOf = Callable[[str, str, str], Awaitable[list[CashPart]]]
"""Finds the cash at a regulation's tables and in its cage, from a moment on and before another."""
CashElsewhere = Callable[[Scene, CashOf, str, str], Awaitable[dict[str, OtherCash]]]
"""Finds the other offices of the house with their cash, where an office adds up that of the whole house."""
FoundTheft = Callable[[str], Awaitable[TheftFound | None]]
"""Finds what the counts of the quarter of an office say of thefts; None: it is not set up."""
FoundResults = Callable[[str], Awaitable[list[AlarmedResult]]]
"""Finds the results of an office that are beyond luck and that nobody was told of yet."""
WorthOfPlay = Callable[[str, date], Awaitable[dict[str, int]]]
"""Finds what the play of each known patron in a gaming day was worth to the house, in cents."""
AlarmedDice = Callable[[str], Awaitable[list[DiceSet]]]
"""Finds the sets of dice of a regulation's tables that an incident is owed about."""

_log = logging.getLogger(__name__)
_TABLE_AND_WAGER = 2
_Stream = RunningStream[ActState]


def people_around(people: Callable[[], People | None], approvals: Callable[[], Approvals]) -> Surroundings:
    """Return what an office can look up in the rest of the house, as it was read last."""

    def who(account: str) -> Person | None:
        known = (people() or People()).accounts.get(account)
        return None if known is None or known.is_disabled else Person(known.id, known.name, known.roles, known.since)

    return Surroundings(
        who,
        approvals=lambda kind: any(approval.kind == kind for approval in approvals().on_file),
        owners=lambda at: owners_who_agree(people() or People(), at),
    )


_NOBODY_EXCLUDED = Exclusions()


class Offices(Registry[_Stream]):
    """The office of every regulation. One is read when it is first needed, and kept under its installed pages."""

    prefix = OFFICE_STREAM

    def __init__(self, log: Log, writer: Writer, clock: Callable[[], str], around: Surroundings) -> None:
        super().__init__()
        self._log, self._writer, self._clock = log, writer, clock
        self._around = replace(around, house=log.log_id)
        self.keep: Callable[[str], Awaitable[None]] = _nothing  # has the log keep the rulebook that house files are of
        self.deliver: Callable[[str], Awaitable[None]] = _nothing  # has tables enter what is on an office's papers
        self.meter: Callable[[str, str], Awaitable[int | None]] = _no_meter  # what one shows at a live table
        self._excluded, self._excluded_as_of = _NOBODY_EXCLUDED, list[tuple[str, int, date]]()
        self._away, self._away_as_of = frozenset[str](), list[tuple[str, int]]()
        self._kept_for: dict[str, tuple[tuple[str, ...], date | None]] = {}  # the presets and the day of each's pages

    async def office(self, name: str) -> _Stream:
        """Return the running office of a regulation; raise RulebookError if there is no such regulation."""
        if not is_sound_office(name):
            office_of(name)  # says why it cannot be read, if there is one
            raise RulebookError(f"there is no office of {name!r}; choose {', '.join(sound_offices())}")
        return await self.get(name)

    async def _start(self, name: str) -> _Stream:
        course = OfficeCourse(self._surroundings(name))
        stream: _Stream = RunningStream(
            OFFICE_STREAM + name, course, log=self._log, writer=self._writer, clock=self._clock
        )
        await stream.load()
        await self.keep(name)
        await self._keep_pages(name, stream)
        return stream

    def _surroundings(self, name: str) -> Surroundings:
        """Return what an office is told of the rest of the house, and of its own past: the forms that it has made."""
        stream = OFFICE_STREAM + name

        def has_form(code: FormCode) -> bool:
            found = self._log.read(after=code.sequence - 1, until=code.sequence)
            return any(is_made_by(code, stored, stream, _events_in(stored, stream)) for stored in found)

        def others() -> dict[str, ActState]:
            running = self.in_memory().items()
            return {other: served.state for other, served in running if other != name and served.state is not None}

        return replace(self._around, has_form=has_form, others=others)

    async def _keep_pages(self, name: str, stream: _Stream) -> None:
        """Have the log keep the installed pages of an office, with the presets that its houses in force elect."""
        presets = elected_presets(stream.state) if stream.state else ()
        keep = await asyncio.to_thread(_pages_to_keep, name, presets, stream.state.digest if stream.state else "")
        if keep is not None:
            answer = await stream.ask(Ask(uuid4().hex, keep, THE_HOUSE))
            if stream.state is None:  # while the clock of this server is wrong; whoever asks next tries again
                raise CrapsError(f"the office of {name} cannot be kept yet: {answer}")
        self._kept_for[name] = presets, text_day(name)

    async def _renew_pages(self, name: str, stream: _Stream) -> None:
        """Keep other pages of an office if its houses elect other presets now, or an amendment begins or lapses."""
        if stream.state is not None and (elected_presets(stream.state), text_day(name)) != self._kept_for[name]:
            await self._keep_pages(name, stream)

    async def ask(self, name: str, ask: Ask) -> Answer | Refused:
        """Carry out a command to an office, and deliver its papers to tables before returning, unless the log fails."""
        stream = await self.office(name)
        answer = await stream.ask(await self._with_meter(stream, ask))
        if isinstance(answer, Answer) and isinstance(ask.command, c.DoAct | c.SignAct):
            await self._renew_pages(name, stream)
            try:
                await self.deliver(name)
            except (LogError, OSError) as error:  # it is done, and the next look delivers it
                _log.warning("papers of %s's office wait: %s", name, error)
        return answer

    async def _with_meter(self, stream: _Stream, ask: Ask) -> Ask:
        """Return a command with what a live meter shows, where its act asks for that; nobody else can say it."""
        command = ask.command
        if not isinstance(command, c.DoAct) or stream.state is None:
            return ask
        act = _rules_of(stream.state).pages.acts.get(command.act)
        field = act.fields.get(LIVE_METER) if act else None
        if act is None or field is None:
            return ask
        known = stream.state.thing(act.thing, command.things[0]) if len(command.things) == 1 else None
        names = [str(known.facts.get(fact, "")) for fact in field.shown] if known else []
        cents = await self.meter(*names) if len(names) == _TABLE_AND_WAGER and all(names) else None
        said = {key: value for key, value in command.fields.items() if key != LIVE_METER}
        return replace(ask, command=replace(command, fields=said if cents is None else said | {LIVE_METER: cents}))

    async def scene(self, name: str) -> Scene:
        """Return an office as it is now: its rules, state and surroundings."""
        state = (await self.office(name)).state
        assert state is not None
        at = self._clock()
        return Scene(_rules_of(state), state, at, at, self._surroundings(name))

    def facility(self, name: str = "") -> Facility:
        """Return the facility of an office, or of the first one that is set up; if there is none, a facility in UTC."""
        found = self._facilities()
        return found.get(name) or found.get(self.first_set_up(), NO_FACILITY)

    def first_set_up(self) -> str:
        """Return the regulation of the first office that is set up; empty if none is."""
        found = self._facilities()
        return next((key for key in regulations() if key in found), "")

    def _facilities(self) -> dict[str, Facility]:
        states = {regulation: stream.state for regulation, stream in self.in_memory().items()}
        return {regulation: state.facility for regulation, state in states.items() if state and state.facility}

    def states(self) -> dict[str, ActState]:
        """Return every office that runs as it is now, by its regulation."""
        return {name: stream.state for name, stream in self.in_memory().items() if stream.state is not None}

    def away(self) -> frozenset[str]:
        """Return the accounts that any office has as suspended or gone. It is quick, so that every log-in can ask."""
        found = [state for stream in self.in_memory().values() if (state := stream.state) is not None]
        as_of = [(state.name, state.version) for state in found]
        if as_of != self._away_as_of:
            self._away = frozenset(person for state in found for person in people_away(_rules_of(state), state))
            self._away_as_of = as_of
        return self._away

    def exclusions(self) -> Exclusions:
        """Return who is kept away from the games by any office. It is quick, so that every table can ask."""
        states = (stream.state for stream in self.in_memory().values())
        found = [state for state in states if state and state.facility and state.marks.get(BAR)]
        if not found:
            return _NOBODY_EXCLUDED
        at = self._clock()
        as_of = [(state.name, state.version, state.facility.today(at)) for state in found if state.facility]
        if as_of != self._excluded_as_of:
            self._excluded, self._excluded_as_of = excluded_of(found, at), as_of
        return self._excluded

    async def clear(self, command: OpenTable, table: str, is_open: bool = False) -> int | Refused:  # noqa: FBT001, FBT002 - as the floor passes it
        """Clear a table for opening, or an open one for another house: the number, or all that its list lacks."""
        name = str(command.house.get("rules", ""))
        try:
            house, breaches = house_of(rulebook_of(name), command.house)
        except CrapsError:
            return 0  # the opening itself is refused for every breach at once
        if house is None or breaches:
            return 0
        clear = c.ClearTable(
            table=table,
            house=house_digest(house),
            dice=command.dice,
            tournament=command.points.tournament if command.points else "",
            is_open=is_open,
        )
        answer = await self.ask(name, Ask(uuid4().hex, clear, THE_HOUSE))
        if isinstance(answer, Refused):
            return answer
        (cleared,) = json.decode(answer.events, type=tuple[TableCleared, ...])
        return cleared.number

    async def _set_up(self) -> AsyncIterator[tuple[str, ActState, Facility]]:
        """Yield each office that is set up, with its state and its facility."""
        for name in sound_offices():
            state = (await self.office(name)).state
            if state is not None and state.facility is not None:
                yield name, state, state.facility

    async def look_round(self, open_tables: Callable[[str], Awaitable[tuple[str, ...]]]) -> None:
        """Have each office that is set up check its standing conditions, given its tables that are open now.

        First it delivers papers that were left when a server was killed or the log was down.
        """
        async for name, _, _ in self._set_up():
            await self._renew_pages(name, await self.office(name))
            await self.deliver(name)
            look = c.LookRound(open_tables=await open_tables(name))
            await self.ask(name, Ask(uuid4().hex, look, THE_HOUSE))  # refused if nothing has changed

    async def cash(self, name: str, day: date, cash: CashOf) -> list[PatronCash]:
        """Return the cash of every patron in a gaming day of an office that is set up."""
        scene = await self.scene(name)
        assert scene.state.facility is not None
        bounds = day_bounds(scene.state.facility, day)
        brought = await cash(name, *bounds)
        if others := await self.cash_elsewhere(scene, cash, *bounds):
            return cash_in_house(scene.state, day, brought, others)
        return cash_by_patron(scene.state, day, [*brought])

    async def cash_elsewhere(self, scene: Scene, cash: CashOf, since: str, until: str) -> dict[str, OtherCash]:
        """Return the other offices that are set up, with the cash that they took between two moments.

        It is empty if this office does not add up the cash of the whole house.
        """
        if not counts_house_cash(scene.rules):
            return {}
        return {
            name: OtherCash(state, tuple(await cash(name, since, until)))
            async for name, state, _ in self._set_up()
            if name != scene.rules.name
        }

    async def note_cash(self, cash: CashOf) -> None:
        """Have each office note the reports of cash that are due for this gaming day and the one before.

        It also looks at every earlier day for which cash was recorded or corrected in these two days.
        """
        async for name, state, facility in self._set_up():
            if CASH_REPORT not in state.values:
                continue
            today = facility.gaming_day(self._clock())
            yesterday = today - timedelta(days=1)
            bounds = day_bounds(facility, yesterday)[0], day_bounds(facility, today)[1]
            others = await self.cash_elsewhere(await self.scene(name), cash, *bounds)
            told = [*await cash(name, *bounds), *(part for other in others.values() for part in other.parts)]
            for day in sorted({yesterday, today}.union(*(days_of(facility, part) for part in told))):
                for patron in await self.cash(name, day, cash):
                    if patron.is_above or (patron.report and not patron.is_reported_elsewhere):
                        note = c.NoteCash(
                            patron=patron.patron,
                            day=day.isoformat(),
                            cents_in=patron.cents_in,
                            cents_out=patron.cents_out,
                        )
                        await self.ask(name, Ask(uuid4().hex, note, THE_HOUSE))  # refused if nothing has changed

    async def note_unaccounted(self, unaccounted: AlarmedDice) -> None:
        """Have each office open one incident for each set of dice that was thrown after its papers took it away."""
        async for name, state, _ in self._set_up():
            for dice in await unaccounted(name):
                if state.mark(DICE_UNACCOUNTED, thing_key("dice", f"{dice.table}/{dice.number}")) is None:
                    note = c.NoteUnaccountedDice(table=dice.table, number=dice.number, dice=dice.dice)
                    await self.ask(name, Ask(uuid4().hex, note, THE_HOUSE))

    async def note_dice(self, alarmed: AlarmedDice) -> None:
        """Have each office open one incident for each set of dice whose rolls are evidence against it."""
        async for name, state, _ in self._set_up():
            for dice in await alarmed(name):
                known = thing_key("dice", f"{dice.table}/{dice.number}")
                if dice.alarm is not None and state.mark(DICE_NOTED, known) is None:
                    note = c.NoteDice(
                        table=dice.table,
                        number=dice.number,
                        rolls=dice.alarm.rolls,
                        evidence=dice.alarm.evidence,
                        sets=dice.alarm.sets,
                        dice=dice.dice,
                    )
                    await self.ask(name, Ask(uuid4().hex, note, THE_HOUSE))  # refused where its figure is another now

    async def note_skims(self, theft: FoundTheft) -> None:
        """Have each office open one incident for each alarm about counts that suggest a theft."""
        async for name, state, _ in self._set_up():
            found = await theft(name)
            for note in found.notes() if found else ():
                place = {"look": note.look, "kind": note.kind, "subject": note.subject}
                if state.mark(SKIM_NOTED, skim_key(**place, day=note.day, shift=note.shift)) is None:
                    await self.ask(name, Ask(uuid4().hex, note, THE_HOUSE))

    async def note_results(self, results: FoundResults) -> None:
        """Have each office open one incident for each result of the month that luck does not explain."""
        async for name, _, _ in self._set_up():
            for found in await results(name):
                await self.ask(name, Ask(uuid4().hex, found.note, THE_HOUSE))

    async def note_comps(self, worth: WorthOfPlay) -> None:
        """Have each office that gives comps credit what was earned in the two gaming days before this one."""
        async for name, state, facility in self._set_up():
            if COMP_SHARE not in state.values:
                continue
            today = facility.gaming_day(self._clock())
            for day in (today - timedelta(days=2), today - timedelta(days=1)):
                for patron, cents in (await worth(name, day)).items():
                    known = state.thing(COMP_DAY, comp_day(patron, day.isoformat()))
                    if known is None or known.facts.get("theoretical", cents) != cents:
                        note = c.NoteComp(patron=patron, day=day.isoformat(), theoretical=cents)
                        await self.ask(name, Ask(uuid4().hex, note, THE_HOUSE))  # refused if nothing has changed

    def events_after(self, name: str, version: int) -> Iterator[tuple[Stored, Sequence[ActEvent]]]:
        """Yield an office's entries after a version, each with its events, read from the log."""
        for stored in self._log.read_stream(OFFICE_STREAM + name, after=version):
            yield stored, OFFICE_CODEC.events(stored.entry)

    async def make_up(self) -> None:
        """Deliver what offices have on paper for tables since before this server began."""
        streams = await asyncio.to_thread(self._log.streams)
        for name in sorted(
            stream.removeprefix(OFFICE_STREAM) for stream in streams if stream.startswith(OFFICE_STREAM)
        ):
            if is_sound_office(name):  # of no other, since each takes a tenth of a second to read
                await self.deliver(name)


def _pages_to_keep(name: str, presets: tuple[str, ...], digest: str) -> c.KeepOffice | None:
    """Return the command that keeps the installed pages of an office, read and known; None if these are kept already.

    Reading them takes a tenth of a second, which no table should wait for: call it from a thread.
    """
    pages = OFFICE_RULES.installed_pages(name, presets)
    if pages.digest == digest:
        return None
    OFFICE_RULES.learn(pages)
    return c.KeepOffice(name=name, pages=packed_pages(pages), program=this_program().version)


def _events_in(stored: Stored, stream: str) -> Sequence[ActEvent]:
    return OFFICE_CODEC.events(stored.entry) if stored.entry.stream == stream else ()


async def _no_meter(_table: str, _wager: str) -> int | None:
    return None


async def _nothing(_name: str) -> None:
    """Keep no rulebook: a server without tables."""


def _rules_of(state: ActState) -> ActRules:
    rules = OFFICE_RULES.find(state.digest)
    assert rules is not None, "folding an office makes its pages known"
    return rules
