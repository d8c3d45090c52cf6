"""Random asks of random people: what a table would see next, mostly by who may, often not."""

from __future__ import annotations

from random import Random

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable, rules_of
from tests.game.random_commands import Commands
from tests.tables.sitting import CREW, OWNER, PLAYERS

__all__ = ["Asks"]

_EVERYBODY = (*PLAYERS, *CREW.values())
_CREW = tuple(CREW[role] for role in ("dealer", "stickperson", "boxperson", "floorperson"))


class Asks:
    """Asks of a live table under one house."""

    def __init__(self, live: LiveTable) -> None:
        self.commands = Commands(rules_of(live))

    def draw(self, random: Random, live: LiveTable) -> tuple[TableCommand, Actor]:
        if random.random() < 0.08:
            return self._own(random, live)
        command = self._known(self.commands.draw(random, live.game), random)
        by = self._fit(random, live, command) if random.random() < 0.93 else random.choice(_EVERYBODY)
        return command, by

    def _known(self, command: c.Command, random: Random) -> TableCommand:
        """Ask for dice as people do."""
        match command:
            case c.ThrowDice(seat=seat) if random.random() < 0.95:
                return k.Roll(seat=seat) if random.random() < 0.5 else k.DiceOut()
            case c.LandDice() if random.random() < 0.95:
                return k.KeyDice(
                    first=command.first,
                    second=command.second,
                    first_lie=command.first_lie,
                    second_lie=command.second_lie,
                )
            case c.RollDice() if random.random() < 0.95:
                return k.KeyDice(first=command.first, second=command.second)
            case _:
                return command

    def _fit(self, random: Random, live: LiveTable, command: TableCommand) -> Actor:
        shooter = live.game.position.shooter
        if isinstance(command, k.DiceOut | k.KeyDice):
            return CREW["stickperson" if live.house["stickperson"] else "dealer"]
        if isinstance(command, c.BuyIn):
            return CREW["dealer"]
        role = getattr(command, "by", "player")
        if role in CREW:
            return CREW[role]
        seat = getattr(command, "seat", shooter)
        player = live.players.get(seat) if type(seat) is int else None
        if player is None:
            return random.choice(PLAYERS)
        return next(one for one in PLAYERS if one.account == player.account)

    def _own(self, random: Random, live: LiveTable) -> tuple[TableCommand, Actor]:
        roll, seat = random.choice(OUTCOMES), random.randint(0, len(live.game.position.seats))
        asks: tuple[tuple[TableCommand, Actor], ...] = (
            (k.CorrectRoll(first=roll.first, second=roll.second, reason="misread"), CREW["boxperson"]),
            (k.CorrectRoll(first=roll.first, second=roll.second, reason="misread"), CREW["boxperson"]),
            (k.CorrectRoll(first=roll.first, second=roll.second, reason="misread"), CREW["stickperson"]),
            (k.CorrectRoll(first=7, second=0, reason=""), CREW["boxperson"]),
            (k.FreezeTable(reason="the dice were cocked", seat=seat, shown={"1": 3}), random.choice(_EVERYBODY)),
            (k.ReleaseTable(finding="they were not"), CREW["floorperson"]),
            (k.ReleaseTable(finding="they were not"), CREW["floorperson"]),
            (k.ReleaseTable(finding="they were not"), CREW["floorperson"]),
            (self._limits(random, live), CREW["floorperson"]),
            (k.ReportConduct(breach="strategy_advice", seat=seat, role="dealer"), random.choice(_EVERYBODY)),
            (k.ReportConduct(breach="prediction_aid", seat=seat), CREW["boxperson"]),
            (k.CloseTable(), OWNER),
            (k.OpenTable(name="Craps 1", house={"rules": live.house["rules"]}, bank_cents=500_000_00), OWNER),
            (k.Roll(seat=seat), random.choice(PLAYERS)),
            (c.TakeSeat(seat=max(seat, 1)), random.choice(PLAYERS)),
            (c.SurrenderDice(seat=seat), random.choice(PLAYERS)),
        )
        return random.choice(asks)

    def _limits(self, random: Random, live: LiveTable) -> k.NoticeLimits:
        chip = live.house["smallest_chip_cents"]
        return k.NoticeLimits(
            wager_cents_min=chip * random.choice((1, 5, 10, 0)),
            wager_cents_max=chip * random.choice((100, 1000, 4)),
            in_minutes=random.choice((-1, 0, 30, 60)),
        )
