"""The demo: a table under every regulation, with computer players, and a free seat for any visitor.

Computer players give commands like anybody else. So does the demo's crew: it passes the dice on when a visitor does not
act, releases a table after a dispute, and cashes out visitors who have left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from passline.authority.roles import BOXPERSON, DEALER, PLAYER
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game import events as e
from passline.game.position import Position
from passline.game.spots import comes_down
from passline.refusal import Refused
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.rules.rules import AUTOMATED
from passline.strategy.interface import AFTER_EVENTS, ROLL_EVENTS, Seen, Strategy, commands_of
from passline.strategy.lookup import strategy_of
from passline.strategy.purse import Purse
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask, Happened
from passline.streams.writer import LogDown
from passline.tables.approvals import approvable
from passline.tables.commands import FileApproval, OpenTable, ReleaseTable, Roll
from passline.tables.live import LiveTable, seat_of, table_id
from passline.tables.rules_in_force import rules_of
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.terms import PRACTICE_CENTS_MAX
from passline.web.demo.plan import demo_tables
from passline.web.server.logs import logger

PLAY_MONEY_CENTS = 1_000_00
"""What a visitor of a demo buys in for."""
_BANK_CENTS = 100_000_00
_UNSEEN = "DEMO: no laboratory saw these dice; play money only"
_BOX = replace(THE_HOUSE, role=BOXPERSON)
_DEALER = replace(THE_HOUSE, role=DEALER)
_SIGNED = "house-floorperson"  # signs off what the demo's boxperson does
_FINDING = "the demo's house compared the recorded roll with what each screen had shown: it stands as it was dealt"
_ALONE_SECONDS = 8.0  # before a computer player rolls
_ACT_SECONDS = 0.9  # between two commands of computer players, so that people can follow
_PATIENCE_SECONDS = 45.0  # for a visitor who has the dice or is offered them
_LOOK_SECONDS = 0.5
_TRIES = 5
_DICE_OUT_SECONDS = 5.0  # more than a throw waits for the shooter's nonce
_DISPUTE_SECONDS = 6.0  # how long a dispute stops a table: long enough to read it
_GONE_SECONDS = 180.0  # after so long without a screen a visitor is gone


def newcomers_regulation() -> str:
    """Return the regulation with the most wagers: its tables are first in the lobby, and the first table opens there.

    >>> newcomers_regulation()
    'maryland'
    """
    return max(sound_regulations(), key=lambda name: len(rulebook_of(name).wagers))


def first_table(name: str, regulation: str, *, is_demo: bool) -> OpenTable:
    """Return the command that opens a table for immediate play: electronic dice, all house steps automated.

    In a house it is a practice table, for play money.
    """
    return OpenTable(
        name=name,
        house={"rules": regulation},
        automate=tuple(sorted(AUTOMATED)),
        buy_in="self",
        bank_cents=_BANK_CENTS,
        is_demo=is_demo,
        practice_cents_max=0 if is_demo else PRACTICE_CENTS_MAX,
    )


class Demo:
    """The tables of a demo and their computer players."""

    def __init__(self, floor: Floor, *, pace: float = 1.0, looking: Callable[[], Collection[str]] = frozenset) -> None:
        self._floor = floor
        self._presence = Presence(looking, _GONE_SECONDS * pace)
        self._pace = pace  # 1 is a human pace; less is faster
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Open the tables that are not open yet, and start the computer players."""
        for authority in approvable()["laboratory_report"].authorities:
            if not self._floor.house.approvals.has("laboratory_report", authority):
                report = FileApproval(
                    kind="laboratory_report", authority=authority, reference=_UNSEEN, date="2026-01-01"
                )
                await self._floor.ask_house(Ask(uuid4().hex, report, THE_HOUSE))
        for shown in demo_tables():
            table = await self._open_table(shown.name, shown.rules)
            if table is not None:
                crowd = Crowd(table, shown.players, self._presence, pace=self._pace)
                self._tasks.append(asyncio.create_task(crowd.play(), name=f"demo {shown.name}"))

    async def close(self) -> None:
        """Stop the computer players."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _open_table(self, name: str, regulation: str) -> RunningTable | None:
        table = await self._floor.table(table_id(name))
        if table is not None:
            return table
        ask = Ask(uuid4().hex, first_table(name, regulation, is_demo=True), THE_HOUSE)
        _id, answer = await self._floor.open(ask)
        if isinstance(answer, Refused):
            logger().warning("a table of the demo was refused", table=name, why=str(answer))
            return None
        return await self._floor.table(table_id(name))

    def leave(self, account: str) -> None:
        """Record that a guest logged out, to be cashed out: a guest cannot come back."""
        self._presence.leave(account)

    async def sit(self, table: RunningTable, account: str, name: str) -> tuple[int, Refused | None]:
        """Seat a visitor with play money at the first seat that is free. Return the seat (0: none) and any refusal."""
        by = Actor(account, name, PLAYER)
        self._presence.saw(account)
        refused: Answer | Refused | None = None
        for _ in table.live.game.position.seats:
            if seat := seat_of(table.live, account):
                break
            seat = _free_seat(table.live)
            refused = await _ask_between_throws(table, c.TakeSeat(seat=seat), by)
        seat = seat_of(table.live, account)
        if not seat:
            return 0, refused if isinstance(refused, Refused) else None
        if not table.live.game.money.racks[seat - 1]:
            bought = await _ask_between_throws(table, c.BuyIn(seat=seat, cents=PLAY_MONEY_CENTS), by)
            if isinstance(bought, Refused):
                return seat, bought
        return seat, None


async def _ask_between_throws(table: RunningTable, command: c.TakeSeat | c.BuyIn, by: Actor) -> Answer | Refused:
    """Ask when no dice are out: until they land, a table refuses everything; if a throw comes first, ask again."""
    for _ in range(_TRIES):
        with suppress(TimeoutError):
            await asyncio.wait_for(table.course.completion.wait_until_landed(), _DICE_OUT_SECONDS)
        answer = await table.stream.ask(Ask(uuid4().hex, command, by))
        if isinstance(answer, Answer):
            break
    return answer


def _free_seat(live: LiveTable) -> int:
    seats = live.game.position.seats
    return seats.index("") + 1 if "" in seats else 0


class Crowd:
    """The computer players at one table."""

    def __init__(self, table: RunningTable, players: tuple[str, ...], presence: Presence, *, pace: float) -> None:
        self._table = table
        self._presence = presence
        self._pace = pace
        self._computers = [ComputerPlayer(text, table.live) for text in players]
        self._waiting_for = ("", 0)
        self._since = monotonic()
        table.course.followers.append(self._remember)

    async def play(self) -> None:
        """Play until cancelled. While the log is down, wait."""
        while True:
            try:
                await self._turn()
            except (LogDown, CrapsError) as error:
                logger().warning("the computer players wait", table=self._table.id, why=str(error))
                await asyncio.sleep(_ALONE_SECONDS)

    async def _turn(self) -> None:
        """Do what comes next at the table, and pause as people would."""
        live = self._table.live
        if live.status == "frozen":
            await self._pause(_DISPUTE_SECONDS)
            await self._do(_BOX, ReleaseTable(finding=_FINDING), signed_by=_SIGNED)
            return
        if live.status != "open":
            await self._pause(_ALONE_SECONDS)
            return
        if live.closing is not None:
            await self._pause(_LOOK_SECONDS)
            return
        await self._refill()
        await self._cash_out_gone()
        for computer in self._computers:
            await self._take_part(computer)
        position = self._table.live.game.position
        if position.dice == "offered":
            await self._answer_offer(position)
        elif position.dice == "held":
            await self._before_roll(position)
        else:
            await self._pause(_LOOK_SECONDS)

    async def _take_part(self, computer: ComputerPlayer) -> None:
        """Take a seat for a computer player, and buy chips when it runs out."""
        live = self._table.live
        seat = seat_of(live, computer.actor.account)
        if not seat:
            if seat := _free_seat(live):
                await self._do(computer.actor, c.TakeSeat(seat=seat))
                await self._do(computer.actor, c.BuyIn(seat=seat, cents=PLAY_MONEY_CENTS))
            return
        has_wagers = any(wager.seat == seat for wager in live.game.position.layout)
        if not has_wagers and live.game.money.racks[seat - 1] < PLAY_MONEY_CENTS // 10:
            await self._do(computer.actor, c.BuyIn(seat=seat, cents=PLAY_MONEY_CENTS))

    async def _refill(self) -> None:
        """Bring play money before the bank runs out, since nobody else does."""
        if self._table.live.game.money.bank < _BANK_CENTS // 2:
            await self._do(_BOX, c.Fill(cents=_BANK_CENTS))

    def _at(self, seat: int) -> ComputerPlayer | None:
        player = self._table.live.players.get(seat)
        return next((it for it in self._computers if player and it.actor.account == player.account), None)

    def _is_gone(self, seat: int) -> bool:
        player = self._table.live.players.get(seat)
        return player is not None and self._at(seat) is None and self._presence.is_gone(player.account)

    async def _cash_out_gone(self) -> None:
        """Cash out visitors who have gone: take down what may come down, and wait for the rest to be decided."""
        for seat in filter(self._is_gone, list(self._table.live.players)):
            live = self._table.live
            for up in [wager for wager in live.game.position.layout if wager.seat == seat]:
                if comes_down(rules_of(live), live.game, up):
                    command = c.RemoveWager(seat=seat, wager=up.kind, number=up.number, owner=up.owner)
                    await self._do(_DEALER, command)
            if not any(wager.seat == seat for wager in self._table.live.game.position.layout):
                await self._do(_BOX, c.LeaveSeat(seat=seat))  # refused while they have the dice; those are passed on

    async def _answer_offer(self, position: Position) -> None:
        seat = position.offered_to
        computer = self._at(seat)
        if computer is not None:
            await self._pause(_ACT_SECONDS)
            shoots = computer.strategy.shoots
            await self._do(computer.actor, c.AcceptDice(seat=seat) if shoots else c.DeclineDice(seat=seat))
        elif self._is_patience_over("offered", seat):
            await self._do(_BOX, c.DeclineDice(seat=seat))
        else:
            await self._pause(_LOOK_SECONDS)

    async def _before_roll(self, position: Position) -> None:
        """Make the computers' wagers. Then have a computer shooter throw, or wait for a visitor."""
        roll = self._table.live.track.roll
        for computer in self._computers:
            await self._wager(computer, roll)
        if self._table.live.track.roll != roll:
            return
        shooter = self._at(position.shooter)
        if shooter is None:
            await self._wait_for_visitor(position.shooter)
            return
        await self._pause(_ALONE_SECONDS)
        before = self._table.stream.version
        answer = await self._do(shooter.actor, Roll(seat=position.shooter))
        if isinstance(answer, Refused) and self._table.stream.version == before:
            await self._do(shooter.actor, c.DeclineLineWager(seat=position.shooter))

    async def _wager(self, computer: ComputerPlayer, roll: int) -> None:
        seat = seat_of(self._table.live, computer.actor.account)
        for command in computer.commands(self._table.live, seat) if seat else ():
            if self._table.live.track.roll != roll:  # a visitor threw meanwhile
                return
            if isinstance(command, c.MakeWager) and command.cents > self._table.live.game.money.racks[seat - 1]:
                continue
            answer = await self._do(computer.actor, command)
            if isinstance(answer, Answer):
                await self._pause(_ACT_SECONDS)

    async def _wait_for_visitor(self, seat: int) -> None:
        if not self._is_patience_over("held", seat):
            await self._pause(_LOOK_SECONDS)
            return
        order = rules_of(self._table.live).procedures.shooter
        by = replace(THE_HOUSE, role=order.order_to_pass.by[0])
        await self._do(by, c.OrderDicePassed(reason=next(iter(order.order_reasons))))

    def _is_patience_over(self, what: str, seat: int) -> bool:
        """Return whether the same visitor was waited for long enough since the last change of the table."""
        waiting = (f"{what} {self._table.stream.version}", seat)
        if waiting != self._waiting_for:
            self._waiting_for, self._since = waiting, monotonic()
        return self._is_gone(seat) or monotonic() - self._since > _PATIENCE_SECONDS * self._pace

    def _remember(self, happened: Sequence[Happened]) -> None:
        """Update the computer players' memories and the visitors' presence with what happened."""
        for change in happened:
            self._presence.saw(change.stored.entry.actor)
            for computer in self._computers:
                computer.remember(change.after, change.events)

    async def _do(self, by: Actor, command: Any, *, signed_by: str = "") -> Answer | Refused:  # noqa: ANN401 - any command
        return await self._table.stream.ask(Ask(self._id_of(command), command, by, signed_by))

    def _id_of(self, _command: Any) -> str:  # noqa: ANN401 - any command
        return uuid4().hex

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self._pace)


class Presence:
    """When each visitor was last seen. Whoever logged out, or was not seen for `patience` seconds, is gone.

    >>> now = 0.0
    >>> presence = Presence(lambda: {"ann"}, 60, clock=lambda: now)
    >>> presence.is_gone("ann"), presence.is_gone("bob")
    (False, False)
    >>> now = 61.0
    >>> presence.is_gone("ann"), presence.is_gone("bob")
    (False, True)
    """

    def __init__(
        self, looking: Callable[[], Collection[str]], patience: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._looking = looking  # returns the accounts that have a screen open
        self._patience = patience
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._left: set[str] = set()

    def saw(self, account: str) -> None:
        """Record that a visitor did something."""
        self._seen[account] = self._clock()

    def leave(self, account: str) -> None:
        """Record that a guest logged out, who cannot come back."""
        self._left.add(account)

    def is_gone(self, account: str) -> bool:
        """Return whether a visitor has left for good, or was away for too long."""
        if account in self._left:
            return True
        now = self._clock()
        if account in self._looking():
            self._seen[account] = now
        return now - self._seen.setdefault(account, now) > self._patience


class ComputerPlayer:
    """A computer player: a strategy and its memory."""

    def __init__(self, text: str, live: LiveTable) -> None:
        self.name, _, strategy = text.partition(":")
        self.actor = Actor(f"computer-{self.name.lower()}", f"{self.name} (computer)", PLAYER)
        self.strategy: Strategy = strategy_of(strategy, rules_of(live))
        self.memory: Hashable = self.strategy.start
        self._heard: list[e.Event] = []  # since the last roll
        self._purse: Purse | None = None  # once it has bought in, if its strategy reads money

    def commands(self, live: LiveTable, seat: int) -> list[c.Command]:
        """Return the commands that the strategy wants to give now."""
        seen = self._sight(live, seat)
        wishes = self.strategy.wishes(seen, self.memory)
        return [command for _wish, command in commands_of(rules_of(live), seat, seen, wishes)]

    def remember(self, live: LiveTable, happened: Sequence[Any]) -> None:
        """Update the strategy's memory after a roll with what happened to its wagers since the one before."""
        seat = seat_of(live, self.actor.account)
        is_seeing = bool(seat and (self.strategy.sees_after or self.strategy.reads_money))
        if self.memory is None and not is_seeing:
            return
        own = (e.WagerWon, e.WagerLost, e.WagerReturned, *(AFTER_EVENTS if self.strategy.sees_after else ()))
        self._heard += (
            event
            for event in happened
            if (isinstance(event, own) and event.wager.seat == seat)
            or isinstance(event, e.DiceSurrendered)
            or (self.strategy.hears_rolls and type(event) in ROLL_EVENTS)
        )
        if any(isinstance(event, e.RollSettled) for event in happened):
            seen, heard = self._sight(live, seat) if is_seeing else None, tuple(self._heard)
            if self.memory is not None and seen is not None and self.strategy.sees_after:
                self.memory = self.strategy.remember_seen(self.memory, heard, seen)
            elif self.memory is not None and not self.strategy.sees_after:
                self.memory = self.strategy.remember(self.memory, heard)
            if self._purse and any(isinstance(event, e.DiceSurrendered) for event in heard):
                self._purse.end_hand(_equity(live, seat))
            self._heard.clear()

    def _sight(self, live: LiveTable, seat: int) -> Seen:
        position, money = live.game.position, None
        mine = tuple(wager for wager in position.layout if wager.seat == seat and wager.owner == "player")
        if self.strategy.reads_money:
            equity = _equity(live, seat)
            self._purse = self._purse or Purse(equity)
            self._purse.settle(equity)
            money = self._purse.sight(equity, rack_cents=live.game.money.racks[seat - 1])
        return Seen(position.puck, position.is_clearing, mine, position.closed, money)


def _equity(live: LiveTable, seat: int) -> int:
    up = sum(wager.cents for wager in live.game.position.layout if wager.seat == seat and wager.owner == "player")
    return live.game.money.racks[seat - 1] + up
