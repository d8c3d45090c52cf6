"""The demo's tournament: computer players enter, are drawn to tables of its own, play, and are paid; then the next one.

Every step follows from how the tournament stands in the log, so that a demo that is started again goes on with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from time import monotonic
from typing import Any
from uuid import uuid4

from msgspec import to_builtins
from msgspec.structs import replace

from passline.authority.roles import DIRECTOR
from passline.errors import CrapsError
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.streams.course import THE_HOUSE, Ask
from passline.streams.writer import LogDown
from passline.tables.money.points import is_over
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tournament import commands as c
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Plan, Round
from passline.tournament.runtime import Tournaments
from passline.tournament.state import HeldRound, TournamentState
from passline.web.demo.plan import demo_plan
from passline.web.demo.players import Crowd, Presence
from passline.web.server.logs import logger

CUP = "demo-cup-"
"""How the ids of the demo's tournaments begin."""
_DIRECTOR = replace(THE_HOUSE, role=DIRECTOR)
_PLAYERS = (
    *("Nora:pass_345:unit=5000", "Otto:six_eight:unit=6000", "Pia:dolly:unit=5000", "Quin:pass:unit=20000"),
    *("Rosa:come:unit=5000", "Sam:dont_pass:unit=10000", "Tess:pass:unit=10000 + field:unit=5000"),
    *("Uma:molly:unit=5000", "Vic:iron_cross:unit=6000", "Wes:dont_pass_345:unit=5000"),
    *("Xena:pass:unit=25000", "Yuri:field:unit=10000"),
)
_SEATS = 6
_ROLLS = 8
_DESK_SECONDS = 0.4  # for an entry or a signature
_STEP_SECONDS = 1.5  # between two acts of the director
_READ_SECONDS = 15.0  # for a seat draw or a result to be read
_AGAIN_SECONDS = 60.0  # before the next tournament
_WAIT_SECONDS = 8.0
_STUCK_SECONDS = 120.0  # without a roll: nobody there has chips for a line wager any more


def cup_plan(number: int, today: str) -> Plan:
    """Return the plan of a small tournament on this day: two tables, then a final; the best three share the pool.

    >>> cup_plan(3, "2026-11-16").id
    'demo-cup-3'
    """
    plan = example_plan(demo_plan().cup.rules)
    main, first = plan.events[0], plan.events[0].places[0]
    day = datetime.fromisoformat(today).date()
    rounds = (
        Round(name="Round 1", rolls=_ROLLS, seats=_SEATS, advance=2, wild_cards=2, is_initial=True),
        Round(name="Final", rolls=_ROLLS, seats=len(_PLAYERS)),  # whoever is level goes on too
    )
    places = tuple(
        replace(first, place=place, prize=replace(first.prize, voucher="", basis_points=share))
        for place, share in enumerate((5000, 3000, 2000), start=1)
    )
    event = replace(
        main, first_day=day, last_day=day, starts="at once", ends="", rebuy=None, reentries_max=0,
        entries_max=len(_PLAYERS), rounds=rounds, places=places,
    )  # fmt: skip
    sheet = replace(
        plan.sheet, ties="shared", undecided_wagers="returned",
        final_round="the best of both tables play eight rolls; the most points win",
        conclusion="the winner is the player with the most points after the final",
    )  # fmt: skip
    return replace(
        plan, id=f"{CUP}{number}", name=f"Demo Cup {number}", pools="one", splits=False, dice="electronic",
        automate=tuple(sorted(AUTOMATED)), events=(event,), sheet=sheet,
    )  # fmt: skip


class DemoCup:
    """The director of the demo's tournaments, and their computer players."""

    def __init__(self, tournaments: Tournaments, floor: Floor, clock: Callable[[], str], *, pace: float = 1.0) -> None:
        self._tournaments, self._floor, self._clock = tournaments, floor, clock
        self._pace = pace
        self._presence = Presence(frozenset, float("inf"))
        self._crowds: dict[tuple[str, int, str], tuple[_RoundCrowd, asyncio.Task[None]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to hold tournaments."""
        self._task = asyncio.create_task(self._hold(), name="demo tournament")

    async def close(self) -> None:
        """Stop, at whatever a tournament is."""
        tasks = [task for _, task in self._crowds.values()]
        tasks += [self._task] if self._task else []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for crowd, _ in self._crowds.values():
            crowd.leave()

    async def _hold(self) -> None:
        while True:
            try:
                seconds = await self._step()
            except (LogDown, CrapsError) as error:
                logger().warning("the demo's tournament waits", why=str(error))
                seconds = _WAIT_SECONDS
            await asyncio.sleep(seconds * self._pace)

    async def _step(self) -> float:
        """Do what comes next, and return how long people need to follow it."""
        numbers = sorted(int(id_.removeprefix(CUP)) for id_ in self._tournaments.ids() if id_.startswith(CUP))
        state = await self._tournaments.state(f"{CUP}{numbers[-1]}") if numbers else None
        if state is None or state.is_closed:
            plan = cup_plan(numbers[-1] + 1 if numbers else 1, self._clock()[:10])
            _, answer = await self._tournaments.plan(_ask(c.PlanTournament(plan=to_builtins(plan))))
            if isinstance(answer, Refused):
                raise CrapsError(str(answer))
            return _STEP_SECONDS
        if state.round is not None and state.round.phase == "playing":
            return await self._play_round(state, state.round)
        command, seconds = _next(state)
        if command is not None:
            await self._ask(state.plan.id, command)
        return seconds

    async def _ask(self, id: str, command: Any) -> None:  # noqa: A002, ANN401 - any command
        answer = await self._tournaments.ask(id, _ask(command))
        if isinstance(answer, Refused):
            raise CrapsError(f"{id}: {answer}")

    async def _play_round(self, state: TournamentState, held: HeldRound) -> float:
        """Have computer players at every table of the round; end it when all have reported."""
        id_ = state.plan.id
        for name in held.tables:
            key = (id_, held.number, name)
            table = await self._floor.table(name)
            if name in held.house:
                self._send_home(key)
            elif table is not None and table.stream.state is not None and _plays(table, key):
                if key not in self._crowds:
                    crowd = _RoundCrowd(table, _players_at(table), self._presence, pace=self._pace)
                    self._crowds[key] = (crowd, asyncio.create_task(crowd.play(), name=f"demo {name}"))
                elif self._crowds[key][0].is_stuck(_STUCK_SECONDS * self._pace):
                    await self._tournaments.finish(id_, name)
        if len(held.house) == len(held.tables):
            await self._ask(id_, c.EndRound())
            return _READ_SECONDS
        return _STEP_SECONDS

    def _send_home(self, key: tuple[str, int, str]) -> None:
        """Stop the computer players of a table whose round is over."""
        if key in self._crowds:
            crowd, task = self._crowds.pop(key)
            task.cancel()
            crowd.leave()


def _ask(command: Any) -> Ask:  # noqa: ANN401 - any command
    return Ask(uuid4().hex, command, _DIRECTOR)


def _next(state: TournamentState) -> tuple[c.TournamentCommand | None, float]:
    """Return the director's next command while no round is played, and how long people need to follow it."""
    event = state.plan.events[0]
    if (fresh := _at_the_desk(state)) is not None:
        return fresh, _DESK_SECONDS
    held = state.round
    if held is not None and held.phase == "prepared":
        return None, _STEP_SECONDS  # the server draws the seats
    if held is not None and held.phase == "drawn":
        return c.StartRound(), _STEP_SECONDS
    if len(state.rounds) < len(event.rounds):
        players = len(held.advance) if held else len(state.entries)
        seats = event.rounds[len(state.rounds)].seats
        tables = tuple(f"tournament-{number}" for number in range(1, -(-players // seats) + 1))
        return c.PrepareRound(event=event.name, tables=tables), _READ_SECONDS
    if event.name not in state.concluded:
        return c.ConcludeEvent(event=event.name), _READ_SECONDS
    if state.awards:
        return c.PayPrize(entry=int(next(iter(state.awards)))), _STEP_SECONDS
    if not state.fees_counted:
        return c.CountFees(counted=state.balances.get("fees", 0)), _STEP_SECONDS
    return c.CloseTournament(), _AGAIN_SECONDS


def _at_the_desk(state: TournamentState) -> c.TournamentCommand | None:
    """Return the entry or the signature that comes next; None: everybody has signed in."""
    for entry in state.entries.values():
        if not entry.has_signed_in:
            return c.SignInPlayer(entry=entry.number)
    if len(state.entries) < len(_PLAYERS) and state.round is None:
        name = _PLAYERS[len(state.entries)].partition(":")[0]
        event = state.plan.events[0].name
        return c.EnterPlayer(event=event, name=f"{name} (computer)", account=f"computer-{name.lower()}")
    return None


def _plays(table: RunningTable, key: tuple[str, int, str]) -> bool:
    points = table.live.points
    return points is not None and (points.tournament, points.round) == key[:2] and bool(table.live.players)


def _players_at(table: RunningTable) -> tuple[str, ...]:
    accounts = {player.account for player in table.live.players.values()}
    return tuple(player for player in _PLAYERS if f"computer-{player.partition(':')[0].lower()}" in accounts)


class _RoundCrowd(Crowd):
    """The computer players of one round at one table: the desk has seated them and given them their chips."""

    def __init__(self, table: RunningTable, players: tuple[str, ...], presence: Presence, *, pace: float) -> None:
        super().__init__(table, players, presence, pace=pace)
        self._roll, self._rolled = table.live.track.roll, monotonic()

    def leave(self) -> None:
        if self._remember in self._table.course.followers:
            self._table.course.followers.remove(self._remember)

    def is_stuck(self, seconds: float) -> bool:
        """Return whether nobody has thrown the dice for so long."""
        if (roll := self._table.live.track.roll) != self._roll:
            self._roll, self._rolled = roll, monotonic()
        return monotonic() - self._rolled > seconds

    async def _turn(self) -> None:
        live = self._table.live
        if live.points is None or is_over(live):
            await self._pause(_STEP_SECONDS)
        else:
            await super()._turn()

    async def _take_part(self, computer: Any) -> None:  # noqa: ANN401 - a computer player
        """Take no seat and buy no chips: both are the desk's."""

    async def _refill(self) -> None:
        """Bring no chips: the house's points have no end."""
