"""Tournaments as they run: a stream each, seats drawn as soon as a round is prepared, and its tables dealt.

Whatever must follow from an entry of the log is done by a command whose id also follows from that entry. So any server
that finds it not done does it, and what was done before a crash is not done again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import uuid4

from msgspec.structs import replace

from passline.errors import CrapsError
from passline.game.position import PointsMode
from passline.money import POINT_CENTS
from passline.office.runtime import Offices
from passline.office.views.cash import CashPart
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.pages.texts import packed_pages
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.streams.registry import Registry
from passline.streams.running import RunningStream
from passline.streams.writer import ServerFault
from passline.tables import commands as k
from passline.tables.dice.physical import requires_by_default
from passline.tables.events import RoundFinished
from passline.tables.live import LiveTable, table_id
from passline.tables.money.points import is_over
from passline.tables.runtime.floor import Floor
from passline.tournament import commands as c
from passline.tournament.cash import TournamentsCash
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.judges.rounds import draw_waits
from passline.tournament.judges.scene import TournamentScene
from passline.tournament.rules import TOURNAMENT_RULES, TournamentRules
from passline.tournament.start_checks import StartChecks, start_checks
from passline.tournament.state import HeldRound, TournamentState

_TICK_SECONDS = 0.5
_log = logging.getLogger(__name__)
_Stream = RunningStream[TournamentState]


class Tournaments(Registry[_Stream]):
    """All tournaments of a house. One is read when it is first needed and stays in memory."""

    prefix = TOURNAMENT_STREAM

    def __init__(
        self,
        log: Log,
        floor: Floor,
        offices: Offices,
        clock: Callable[[], str],
        keys: DiceKeys,
        *,
        is_demo: bool = False,
    ) -> None:
        super().__init__()
        self._log, self._floor, self._offices, self._clock, self._keys = log, floor, offices, clock, keys
        self._is_demo = is_demo  # for play money: no office stands behind its tournaments
        self._cash = TournamentsCash(log, TOURNAMENT_STREAM, TOURNAMENT_CODEC.events)
        self._ticking: asyncio.Task[None] | None = None
        self._following: dict[str, asyncio.Lock] = {}  # by tournament: a table is opened once, not by two at a time
        self.waiting: dict[str, dict[str, str]] = {}  # by tournament and table: why it cannot be dealt yet

    async def start(self) -> None:
        """Read the list of tournaments, and go on with what was begun."""
        self.know(await asyncio.to_thread(self._log.streams))
        self._ticking = asyncio.create_task(self._tick(), name="tournaments")

    async def close(self) -> None:
        """Answer what is queued, keep snapshots, and stop."""
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        await super().close()

    def cash(self, rules: str, since: str, until: str) -> list[CashPart]:
        """Return the cash of a regulation's tournaments between two moments. Call it from a thread."""
        return [] if self._is_demo else self._cash.find(rules, since, until)

    async def state(self, id: str) -> TournamentState | None:  # noqa: A002 - the page's own word
        """Return a tournament as it is now; None if there is none."""
        return (await self.get(id)).state if id in self._names else None

    async def rules(self, id: str) -> TournamentRules:  # noqa: A002
        """Return what the regulation said when a tournament was planned."""
        state = await self.state(id)
        rules = TOURNAMENT_RULES.find(state.pages) if state else None
        if rules is None:
            raise CrapsError(f"there is no tournament {id!r}")
        return rules

    async def plan(self, ask: Ask) -> tuple[str, Answer | Refused]:
        """Keep a plan; return the tournament's id and the answer."""
        command = ask.command
        assert isinstance(command, c.PlanTournament)
        id_ = table_id(str(command.plan.get("id", ""))) or "tournament"
        stream = await self.get(id_)
        answer = await stream.ask(replace(ask, command=await self._complete(stream, command)))
        await self.keep_if_begun(id_, answer)
        return id_, answer

    async def _complete(self, stream: _Stream, command: c.PlanTournament) -> c.PlanTournament:
        """Return a plan under the installed pages and this server's lot, whatever its sender says of them."""
        pages = await asyncio.to_thread(TOURNAMENT_RULES.installed_pages, str(command.plan.get("rules", "")))
        return replace(command, pages=packed_pages(pages), lot_digest=self._keys.digest(stream.name, 1))

    async def ask(self, id: str, ask: Ask) -> Answer | Refused:  # noqa: A002
        """Carry out a command to a tournament, and begin what follows from it."""
        stream = await self.get(id)
        if isinstance(ask.command, c.StartRound):
            command = c.StartRound(gate=await self._gate_faults(id), day=await self._local_day(id))
            ask = replace(ask, command=command)
        elif isinstance(ask.command, c.ConcludeEvent):
            ask = replace(ask, command=replace(ask.command, day=await self._local_day(id)))
        elif isinstance(ask.command, c.PlanTournament):
            ask = replace(ask, command=await self._complete(stream, ask.command))
        answer = await stream.ask(ask)
        if isinstance(answer, Answer):
            await self._follow(id, stream)
        return answer

    async def finish(self, id: str, table: str) -> Answer | Refused:  # noqa: A002
        """End the round at a table now, as the director says."""
        running = await self._floor.table(table)
        state = await self.state(id)
        held = state.round if state else None
        if running is None or held is None or not _is_at(running.live, id, held):
            raise CrapsError(f"{table} plays no round of {id}")
        if not running.live.players:  # it has just opened: a round that is over before its players sit has no points
            await self._follow(id, await self.get(id))
        answer = await running.stream.ask(Ask(_id("finish", id, held, table), k.FinishRound(), THE_HOUSE))
        if isinstance(answer, Answer):
            await self._follow(id, await self.get(id))
        return answer

    # What follows.

    async def _tick(self) -> None:
        while True:
            for id_ in self.ids():
                try:
                    await self._follow(id_, await self.get(id_))
                except (CrapsError, ServerFault, OSError) as error:
                    _log.warning("the tournament %s waits: %s", id_, error)
                except Exception:  # noqa: BLE001 - whatever it is, the others go on
                    _log.exception("the tournament %s", id_)
            await asyncio.sleep(_TICK_SECONDS)

    async def _follow(self, id: str, stream: _Stream) -> None:  # noqa: A002
        """Draw seats that wait to be drawn, and deal the round that is being played."""
        async with self._following.setdefault(id, asyncio.Lock()):
            state = stream.state
            held = state.round if state else None
            if state is None or held is None or state.is_closed:
                return
            if state.cancelled:
                await self._clear(id, state, held)
            elif held.phase == "prepared":
                await self._draw(stream, state, held)
            elif held.phase == "playing" and held.cut_version:
                await self._ask_lot(stream, state, c.DrawCut, held.cut_version)
            elif held.phase == "playing":
                for table in held.tables:
                    if table not in held.house:
                        await self._deal(id, stream, table)

    async def _draw(self, stream: _Stream, state: TournamentState, held: HeldRound) -> None:
        rules = TOURNAMENT_RULES.find(state.pages)
        assert rules is not None
        if draw_waits(TournamentScene(rules, state, self._clock(), THE_HOUSE), held):
            return
        await self._ask_lot(stream, state, c.DrawSeats, held.version)

    async def _ask_lot(
        self, stream: _Stream, state: TournamentState, kind: type[c.DrawSeats | c.DrawCut], version: int
    ) -> None:
        """Command a draw, of seats or at a cut: `version` is that of the entry in the stream which fixed who is drawn.

        The lot is made of that entry's hash, which nobody knew before, and of a key whose digest was published earlier.
        The command reveals the key and publishes the digest of the next one.
        """
        prepared = await asyncio.to_thread(lambda: next(iter(self._log.read_stream(stream.name, after=version - 1))))
        command = kind(
            prepared=version,
            hash=prepared.hash.hex(),
            key=self._keys.key(stream.name, state.lot).hex(),
            next_digest=self._keys.digest(stream.name, state.lot + 1),
        )
        await stream.ask(Ask(f"draw-{version}", command, THE_HOUSE))

    async def _clear(self, id: str, state: TournamentState, held: HeldRound) -> None:  # noqa: A002
        """End the round at tables that still play for a tournament that is cancelled, so that they are free again."""
        self.waiting.pop(id, None)
        for table in held.tables if held.phase == "playing" else ():
            running = await self._floor.table(table)
            live = running.live if running is not None and running.stream.state else None
            if running is None or live is None or live.status == "closed" or not _is_at(live, id, held):
                continue
            what, command = ("finish", k.FinishRound()) if live.players else ("seat", _entrants_of(state, held, table))
            with suppress(CrapsError):
                await running.stream.ask(Ask(_id(what, id, held, table), command, THE_HOUSE))

    async def _deal(self, id: str, stream: _Stream, table: str) -> None:  # noqa: A002
        """Bring one table of a round a step further: open it, seat its players, finish it, report its points."""
        state = stream.state
        held = state.round if state else None
        assert state is not None
        assert held is not None
        running = await self._floor.table(table)
        live = running.live if running and running.stream.state else None
        finished = live.finished if live else None
        if finished is not None and (finished.tournament, finished.round) == (id, held.number):
            await self._report(stream, held, table, finished)
            return
        if live is None or live.status == "closed":
            opening = Ask(uuid4().hex, self._opening(state, held, table), THE_HOUSE)
            _, answer = await self._floor.open(opening)
            self._note(id, table, str(answer) if isinstance(answer, Refused) else "")
            return
        if not _is_at(live, id, held):
            self._note(id, table, f"{live.name} is open for something else: close it first")
            return
        self._note(id, table, "")
        if not live.players:
            assert running is not None
            await running.stream.ask(Ask(_id("seat", id, held, table), _entrants_of(state, held, table), THE_HOUSE))
        elif is_over(live) or self._is_late(state, held):
            assert running is not None
            with suppress(CrapsError):
                await running.stream.ask(Ask(_id("finish", id, held, table), k.FinishRound(), THE_HOUSE))

    def _opening(self, state: TournamentState, held: HeldRound, table: str) -> k.OpenTable:
        plan = state.plan
        rules = TOURNAMENT_RULES.find(state.pages)
        assert rules is not None
        return k.OpenTable(
            name=table,
            table=table,
            house={**plan.house, "rules": plan.rules, "name": plan.casino},
            dice=plan.dice,
            automate=plan.automate,
            points=points_mode(rules, state, held),
            is_demo=self._is_demo,
            requires_dice_out=requires_by_default(plan.dice, is_keyed=True),
        )

    async def _report(self, stream: _Stream, held: HeldRound, table: str, finished: RoundFinished) -> None:
        entries = {str(seat.seat): str(seat.entry) for seat in held.seats if seat.table == table}
        command = c.ReportPoints(
            number=held.number,
            table=table,
            points={entries[seat]: cents // POINT_CENTS for seat, cents in finished.stacks.items()},
            house=finished.house // POINT_CENTS,
            rolls=finished.rolls,
        )
        await stream.ask(Ask(_id("report", finished.tournament, held, table), command, THE_HOUSE))
        self._note(finished.tournament, table, "")

    def _is_late(self, state: TournamentState, held: HeldRound) -> bool:
        minutes = state.plan_of(held).minutes
        if not minutes or not held.started:
            return False
        now, began = (datetime.fromisoformat(moment) for moment in (self._clock(), held.started))
        return now >= began + timedelta(minutes=minutes)

    def _note(self, id: str, table: str, why: str) -> None:  # noqa: A002
        """Note why a table cannot be dealt, for the director's page; nothing: it can."""
        tables = self.waiting.setdefault(id, {})
        if why:
            tables[table] = why
        else:
            tables.pop(table, None)

    async def _gate_faults(self, id: str) -> tuple[tuple[str, str], ...]:  # noqa: A002
        """Return what the office lacks before a round begins, where the house keeps its office here."""
        state = await self.state(id)
        if state is None or self._is_demo or not self.is_office_here:
            return ()
        checks = start_checks(await self._offices.scene(state.plan.rules), id, is_checked=True)
        return tuple((check.clause, why) for check in checks.items for why in check.wrong)

    @property
    def is_office_here(self) -> bool:
        """Whether the house keeps its office here, so that rounds wait for what it lacks."""
        return self._floor.house.office == "here"

    async def start_checks(self, id: str) -> StartChecks | None:  # noqa: A002
        """Return what must hold before the first round; None once it has begun, and for play money."""
        state = await self.state(id)
        if state is None or self._is_demo or state.cancelled or any(held.started for held in state.rounds):
            return None
        scene = await self._offices.scene(state.plan.rules)
        return start_checks(scene, id, is_checked=self.is_office_here)

    async def _local_day(self, id: str) -> str:  # noqa: A002
        """Return the day at the facility now; an empty text where its office is not set up."""
        state = await self.state(id)
        facility = (await self._offices.scene(state.plan.rules)).state.facility if state else None
        return facility.local(self._clock()).date().isoformat() if facility else ""

    async def _start(self, name: str) -> _Stream:
        stream: _Stream = RunningStream(
            TOURNAMENT_STREAM + name, TournamentCourse(), log=self._log, writer=self._floor.writer, clock=self._clock
        )
        await stream.load()
        return stream


def _id(what: str, id: str, held: HeldRound, table: str) -> str:  # noqa: A002
    """Return the id of a command that follows from a round: the same for every server and every retry."""
    return f"{what}-{id}-{held.number}-{table}"


def _is_at(live: LiveTable, id: str, held: HeldRound) -> bool:  # noqa: A002
    return live.points is not None and (live.points.tournament, live.points.round) == (id, held.number)


def _entrants_of(state: TournamentState, held: HeldRound, table: str) -> k.SeatEntrants:
    """Return the players of a table with the chips that they begin with."""
    entrants = []
    for seat in held.seats:
        if seat.table == table:
            entry = state.entries[str(seat.entry)]
            account = entry.account or f"entry-{entry.number}"
            cents = held.stacks[str(seat.entry)] * POINT_CENTS
            entrants.append(k.Entrant(seat=seat.seat, account=account, name=entry.name, cents=cents))
    return k.SeatEntrants(entrants=tuple(entrants))


def points_mode(rules: TournamentRules, state: TournamentState, held: HeldRound) -> PointsMode:
    """Return how chips count at a table of a round, with the clauses that bar or lift something there."""
    chips, play = rules.pages.chips, rules.pages.play
    cited = {
        "only": chips.only, "exchange": chips.exchange, "bars": chips.bars, "no_value": chips.no_value,
        "no_limit": chips.no_limit, "no_redemption": chips.no_redemption, "rank": chips.rank,
        "chips_on_table": play.chips_on_table, "no_stand_ins": play.no_stand_ins,
        "no_wagers_for_others": play.no_wagers_for_others,
    }  # fmt: skip
    clauses = {key: rules.clause(rule) for key, rule in cited.items() if rule is not None}
    planned = state.plan_of(held)
    return PointsMode(
        tournament=state.plan.id,
        round=held.number,
        rolls=planned.rolls,
        undecided=state.plan.sheet.undecided_wagers or "returned",
        clauses=clauses,
    )
