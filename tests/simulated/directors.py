"""A tournament in a simulated house: its director at the desk, who works by requests, and its players at the table."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from msgspec import json
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.game import commands as g
from passline.money import POINT_CENTS
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.streams.course import Actor, Answer, Ask
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tournament import commands as c
from passline.tournament.course import TOURNAMENT_STREAM
from passline.tournament.plan.schema import Plan, Round
from passline.tournament.state import HeldRound, TournamentState
from tests.simulated.clerks import Requester
from tests.simulated.people import Player
from tests.simulated.server import DAY, Server, answer_to
from tests.tournament.director import CASHIER, DEALER, DIRECTOR, signer_of
from tests.tournament.engine_cases import HEATS, one_event

if TYPE_CHECKING:
    from passline.tournament.runtime import Tournaments
    from tests.simulated.loop import SimulatedLoop
    from tests.simulated.world import World

CUP, TABLE = "cup", "final-table"
"""The tournament, and its one table."""
ENTRANTS = 3
STAFF = DIRECTOR, CASHIER, DEALER
"""Who sends requests, besides the witness who signs some."""
_BEYOND_MAX = 3  # how often what need not be done is done
_PLAYED_SECONDS = 12.0  # after which the director ends a round that nobody plays on
_LOOK_SECONDS = 0.02, 0.2
_CANCELS = 0.02  # before each act


def entrant(number: int) -> Actor:
    """Return a player of the tournament."""
    return Actor(f"entrant-{number}", f"Entrant {number}", "player")


def cup_of(chance: Random) -> Plan:
    """Return the plan of a tournament of one round or two at one table, played on the day of the house."""
    rounds = [Round(name="Round 1", rolls=chance.randrange(1, 4), seats=8, is_initial=True)]
    if chance.random() < 0.5:
        rounds = [replace(rounds[0], advance=2), Round(name="Final", rolls=2, seats=8)]
    plan = one_event(rounds=tuple(rounds), first_day=DAY, last_day=DAY)
    won = "the most points win"
    undecided = chance.choice(("returned", "lost"))
    sheet = replace(plan.sheet, ties="shared", undecided_wagers=undecided, final_round=won, conclusion=won)
    automate = tuple(sorted(AUTOMATED))
    return replace(plan, id=CUP, dice="electronic", automate=automate, house={"seats": 8}, sheet=sheet)


class Entrant(Player):
    """A player of the tournament, who wagers what chips they have from wherever the draw has put them."""

    def _command(self) -> tuple[TableCommand, str]:
        chance, table, seat = self.chance, self.page.shown["table"], self.page.shown["own"]["seat"]
        has_wager = any(row["seat"] == seat for row in table["wagers"])
        if seat and table["offered_to"] == seat:
            return g.AcceptDice(seat=seat), ""
        if seat and table["shooter"] == seat and has_wager and chance.random() < 0.5:
            return k.Roll(seat=seat), ""
        wager, cents = chance.choice(("pass", "field", "dont_pass")), chance.randint(1, 12) * POINT_CENTS
        return g.MakeWager(seat=seat or 1, wager=wager, cents=cents), ""


class Director(Requester):
    """Who runs the tournament, and their cashier and dealer: they do what its state asks for until it is closed."""

    def __init__(self, world: World, loop: SimulatedLoop, servers: list[Server]) -> None:
        super().__init__(world, loop, servers, TOURNAMENT_STREAM + CUP, "director")
        self._plan = cup_of(self.chance)
        self._beyond = 0
        self._sent = 0
        self._cancels = self.chance.random() < 0.3
        self._playing: tuple[int, float] = 0, 0.0  # the number of a round, and when it was first seen to be played
        self._is_over = False

    async def take_part(self) -> None:
        while not self._is_over:
            await asyncio.sleep(self.chance.uniform(*_LOOK_SECONDS))
            seen: tuple[TournamentState | None] | None = await self.request(_state_at)
            if seen is None:
                continue
            (state,) = seen
            self._is_over = state is not None and state.is_closed
            if state is not None and self._is_held_up(state):
                await self.request(_finish_round)
            elif (command := self._next(state)) is not None:
                await self._give(command)

    def _is_held_up(self, state: TournamentState) -> bool:
        """Return whether a round has been played for long, or nobody plays any more."""
        held = state.round
        if held is None or state.cancelled or held.phase != "playing" or TABLE in held.house:
            return False
        if self._playing[0] != held.number:
            self._playing = held.number, self._loop.time()
        return not self.plays or self._loop.time() > self._playing[1] + _PLAYED_SECONDS

    @property
    def is_settled(self) -> bool:
        return self._is_over and not self.waiting

    async def carry_out(self, server: Server, ask: Ask) -> dict[str, object]:
        assert server.tournaments is not None
        if isinstance(ask.command, c.PlanTournament):
            return await answer_to(_plan(server.tournaments, ask))
        return await answer_to(server.tournaments.ask(CUP, ask))

    async def _give(self, command: c.TournamentCommand) -> None:
        self._sent += 1
        by = DIRECTOR if isinstance(command, _BY_DIRECTOR) else DEALER if isinstance(command, c.CountChips) else CASHIER
        await self.send(Ask(f"{self.prefix}-{self._sent}", command, by, signer_of(command)))

    def _next(self, state: TournamentState | None) -> c.TournamentCommand | None:
        """Return what is to be done now; None: somebody else has to do something first."""
        if state is None:
            return c.PlanTournament(plan=json.decode(json.encode(self._plan)))
        if state.cancelled:
            due = state.refunds_due()
            return c.RefundEntry(entry=due[0].number) if due else self._end(state)
        if self._cancels and self.plays and not state.concluded and self.chance.random() < _CANCELS:
            return c.CancelTournament(reason="the hall is closed")
        if self.plays and self._beyond < _BEYOND_MAX and self.chance.random() < 0.1:
            self._beyond += 1
            return self._something(state)
        if state.concluded:
            return c.PayPrize(entry=int(min(state.awards))) if state.awards else self._end(state)
        held = state.round
        if held is not None and held.phase != "ended":
            return self._go_on(held)
        if held is None and (command := self._enter(state)) is not None:
            return command
        if len(state.rounds) < len(state.plan.events[0].rounds):
            return c.PrepareRound(event=HEATS, tables=(TABLE,))
        return c.ConcludeEvent(event=HEATS)

    def _enter(self, state: TournamentState) -> c.TournamentCommand | None:
        """Return an entry to be taken, or a player to be signed in."""
        live = [entry for entry in state.entries.values() if entry.status == "entered"]
        if absent := [entry for entry in live if not entry.has_signed_in]:
            return c.SignInPlayer(entry=absent[0].number)
        entered = {entry.account for entry in live}
        free = [who for who in map(entrant, range(1, ENTRANTS + 1)) if who.account not in entered]
        return c.EnterPlayer(event=HEATS, name=free[0].name, account=free[0].account) if free else None

    def _go_on(self, held: HeldRound) -> c.TournamentCommand | None:
        """Return what follows in a round: its seats are drawn, its table dealt and reported by the house itself."""
        if held.phase == "drawn":
            return c.StartRound()
        if held.phase == "playing" and TABLE in held.house:
            return c.EndRound()
        return None

    def _something(self, state: TournamentState) -> c.TournamentCommand:
        """Return something that need not be done, lawful or not."""
        entry = self.chance.randrange(1, max(len(state.entries), 1) + 1)
        held = state.round
        points = held.points.get(str(entry), 0) if held else 0
        return self.chance.choice(
            (
                c.WithdrawEntry(entry=entry, reason="ill"),
                c.BuyChips(entry=entry, kind="add_on"),
                c.BuyChips(entry=entry, kind="rebuy"),
                c.AddMoney(event=HEATS, cents=1_00),
                c.CountChips(entry=entry, counted=points + self.chance.choice((0, 0, 1))),
                c.PayPrize(entry=entry),
                c.CloseTournament(),
            )
        )

    def _end(self, state: TournamentState) -> c.TournamentCommand:
        if not state.cancelled and not state.fees_counted:
            return c.CountFees(counted=state.fees_expected())
        return c.CloseTournament()


_BY_DIRECTOR = (
    *(c.PlanTournament, c.PrepareRound, c.StartRound, c.EndRound, c.ConcludeEvent, c.CloseTournament, c.AddMoney),
    c.CancelTournament,
)


async def _plan(tournaments: Tournaments, ask: Ask) -> Answer | Refused:
    _, answer = await tournaments.plan(ask)
    return answer


async def _finish_round(server: Server) -> None:
    """Have the round at the table ended now, if it is played."""
    if server.tournaments is not None:
        with suppress(CrapsError):
            await server.tournaments.finish(CUP, TABLE)


async def _state_at(server: Server) -> tuple[TournamentState | None] | None:
    """Return the tournament as a server has it; None: it cannot say."""
    tournaments = server.tournaments
    if tournaments is None:
        return None
    try:
        return (await tournaments.state(CUP),)
    except CrapsError:
        return None
