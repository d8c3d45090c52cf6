"""A craps table of the demo's casino while it is dealt: the crew keys in what computer players do and how dice fall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from passline.dice import Roll
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game.spots import comes_down
from passline.refusal import Refused
from passline.streams.course import Answer, Happened
from passline.tables import commands as k
from passline.tables.entries import TABLE_CODEC, TableEntry
from passline.tables.live import LiveTable, seat_of
from passline.tables.rules_in_force import rules_of
from passline.tables.runtime.floor import RunningTable
from passline.tables.views.buy_ins import TableBuyIn, buy_ins_of
from passline.web.demo.casino.running import RunningCasino
from passline.web.demo.casino.staff import PATRONS, Patron, actor_of
from passline.web.demo.players import ComputerPlayer

_KEY_SECONDS = 2  # to key in a wager
_THROW_SECONDS = 15  # from the last wager until the dice lie
_LANDING_SECONDS = 3  # of these, from dice out until they lie
_LAST_CENTS = 100_00  # bought by a shooter who has no chips left
_TIP_CENTS = 5_00
_CHIPS = (100_00, 25_00, 5_00, 1_00)
_NOTES = (100_00, 20_00, 10_00, 5_00, 1_00)
_SMALL = {1_00: 100, 5_00: 100, 25_00: 60}  # kept of each in a tray, so that it can pay


class Crew(Struct, frozen=True):
    """Who deals a table in a shift."""

    supervisor: str
    floor: str
    box: str
    stick: str
    dealers: tuple[str, str]


def chips_of(cents: int) -> dict[str, int]:
    """Return an amount in chips, as they would lie in a tray.

    >>> chips_of(2_131_00)
    {'100': 101, '500': 101, '2500': 1, '10000': 15}
    """
    kept = {chip: least for chip, least in _SMALL.items() if chip * least * len(_SMALL) <= cents}
    units = fewest_chips(cents - sum(chip * least for chip, least in kept.items()))
    lying = {chip: units.get(str(chip), 0) + kept.get(chip, 0) for chip in reversed(_CHIPS)}
    return {str(chip): count for chip, count in lying.items() if count}


def fewest_chips(cents: int) -> dict[str, int]:
    """Return an amount in as few chips as make it, as players take it to the cage.

    >>> fewest_chips(2_131_00)
    {'100': 1, '500': 1, '2500': 1, '10000': 21}
    """
    left, units = cents, dict[int, int]()
    for chip in _CHIPS:
        units[chip], left = divmod(left, chip)
    if left:
        raise CrapsError(f"{cents} cents cannot be paid in whole chips")
    return {str(chip): units[chip] for chip in reversed(_CHIPS) if units[chip]}


def notes_of(cents: int) -> dict[str, int]:
    """Return an amount in notes.

    >>> notes_of(435_00)
    {'10000': 4, '2000': 1, '1000': 1, '500': 1}
    """
    found, left = dict[str, int](), cents
    for note in _NOTES:
        count, left = divmod(left, note)
        if count:
            found[str(note)] = count
    return found


class DealtTable:
    """One table: its crew, its players, and what is done between two rolls."""

    def __init__(self, casino: RunningCasino, table: RunningTable, crew: Crew) -> None:
        self._casino, self._table = casino, table
        self.crew = crew
        self._players: dict[str, ComputerPlayer] = {}
        self.buy_ins: list[TableBuyIn] = []
        table.course.followers.append(self._remember)

    @property
    def live(self) -> LiveTable:
        """The table as it stands."""
        return self._table.live

    async def seat(self, patrons: Sequence[Patron]) -> None:
        """Seat some players, each with chips for cash."""
        for patron in patrons:
            seat = self.live.game.position.seats.index("") + 1
            await self.key(k.SeatPlayer(seat=seat, account=patron.account, name=patron.name))
            await self.key(c.BuyIn(seat=seat, cents=patron.buy_in_cents))
            self._players[patron.account] = ComputerPlayer(f"{patron.name}:{patron.strategy}", self.live)

    async def roll(self, dice: Roll) -> None:
        """Have everybody wager, then have the stickperson announce the throw and key in how the dice lie."""
        await self._offer()
        for account, player in self._players.items():
            await self._wager(account, player)
        await self._line_wager(self.live.game.position.shooter)
        self._casino.clock.wait(_THROW_SECONDS - _LANDING_SECONDS)
        if self.live.requires_dice_out:
            await self.key(k.DiceOut(), by=self.crew.stick)
        self._casino.clock.wait(_LANDING_SECONDS)
        await self.key(k.KeyDice(first=dice.first, second=dice.second), by=self.crew.stick)

    async def correct(self, dice: Roll, *, signed_by: str) -> None:
        """Have the dice misread and put right: the recording shows other faces than the stickperson called."""
        await self.roll(dice)
        seen = Roll(dice.second % 6 + 1, dice.first)
        command = k.CorrectRoll(first=seen.first, second=seen.second, reason="misread; the recording shows the faces")
        await self.key(command, by=self.crew.stick, signed_by=signed_by)

    async def dispute(self, *, signed_by: str) -> None:
        """Stop the table over a wager that came late, and go on with what was found."""
        await self.key(k.FreezeTable(reason="whether a come wager lay there before the dice were out"))
        await self.key(k.ReleaseTable(finding="it did: the wager stands"), by=self.crew.box, signed_by=signed_by)

    async def rate(self, patron: Patron) -> None:
        """Estimate somebody's play where no wagers are keyed in."""
        average = patron.buy_in_cents // 20
        await self.key(
            k.RatePlayer(name=patron.name, account=patron.account, average_cents=average, minutes=95), by=self.crew.box
        )

    async def key(self, command: Any, *, by: str = "", signed_by: str = "") -> None:  # noqa: ANN401 - any command
        """Key in a command that must not be refused; the first dealer does, unless somebody else is named."""
        answer = await self._try(command, by=by or self.crew.dealers[0], signed_by=signed_by)
        if isinstance(answer, Refused):
            raise CrapsError(f"the demo's story at {self._casino.clock()}: {command}: {answer}")

    async def _try(self, command: Any, *, by: str, signed_by: str = "") -> Answer | Refused:  # noqa: ANN401
        self._casino.clock.wait(_KEY_SECONDS)
        return await self._table.stream.ask(self._casino.ask(command, actor_of(by), signed_by))

    async def _offer(self) -> None:
        """See to it that somebody has the dice."""
        while (position := self.live.game.position).dice == "offered":
            seat = position.offered_to
            player = self._players.get(self.live.players[seat].account)
            shoots = player is None or player.strategy.shoots
            await self.key(c.AcceptDice(seat=seat) if shoots else c.DeclineDice(seat=seat))

    async def _wager(self, account: str, player: ComputerPlayer) -> None:
        seat = seat_of(self.live, account)
        patron = next(patron for patron in PATRONS if patron.account == account)
        has_wagers = any(wager.seat == seat for wager in self.live.game.position.layout)
        if not has_wagers and self.live.game.money.racks[seat - 1] < patron.buy_in_cents // 5:
            await self.key(c.BuyIn(seat=seat, cents=patron.buy_in_cents))
        if patron.tips and not self.live.game.position.puck and not has_wagers:
            tip = c.MakeWager(seat=seat, wager="pass", cents=_TIP_CENTS, owner="crew")
            await self._try(tip, by=self.crew.dealers[0])
        for command in player.commands(self.live, seat):
            if isinstance(command, c.MakeWager) and command.cents > self.live.game.money.racks[seat - 1]:
                continue
            await self._try(command, by=self.crew.dealers[seat % 2])

    async def empty(self, dice: Callable[[], Roll]) -> dict[str, int]:
        """Take down what may come down, deal until the rest is decided, and have everybody leave.

        Return what each takes along, by account.
        """
        self._players.clear()
        for up in list(self.live.game.position.layout):
            if comes_down(rules_of(self.live), self.live.game, up):
                await self.key(c.RemoveWager(seat=up.seat, wager=up.kind, number=up.number, owner=up.owner))
        while self.live.game.position.layout:
            await self.roll(dice())
        racks = {player.account: self.live.game.money.racks[seat - 1] for seat, player in self.live.players.items()}
        for seat in list(self.live.players):
            position = self.live.game.position
            if position.shooter == seat and position.dice == "held":
                await self.key(c.SurrenderDice(seat=seat))
            await self.key(c.LeaveSeat(seat=seat))
        return racks

    async def _line_wager(self, seat: int) -> None:
        """Have the shooter make the smallest line wager, where there is none and one is needed to throw."""
        position = self.live.game.position
        lines = rules_of(self.live).procedures.shooter.line_wagers
        has_one = any(wager.seat == seat and wager.kind in lines for wager in position.layout)
        if seat and not position.puck and not has_one:
            cents = self.live.house["wager_cents_min"]
            if self.live.game.money.racks[seat - 1] < cents:
                await self.key(c.BuyIn(seat=seat, cents=_LAST_CENTS))
            await self.key(c.MakeWager(seat=seat, wager="pass", cents=cents))

    def _remember(self, happened: Sequence[Happened]) -> None:
        for change in happened:
            entry = change.stored.entry
            command = TABLE_CODEC.command(entry)
            self.buy_ins += buy_ins_of(TableEntry(entry, command, tuple(change.events), change.before, change.after))
            for player in self._players.values():
                player.remember(change.after, change.events)
