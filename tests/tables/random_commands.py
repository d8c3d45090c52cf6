"""Random commands from random people, mostly lawful and by somebody who may give them; and random play with them."""

from __future__ import annotations

from random import Random

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.views.table_view import news_between, view_of
from tests.game.random_commands import Commands
from tests.tables.sitting import ALL, CREW, LABORATORY, OWNER, PLAYERS, Sitting, signer_of

TABLES = [
    *(("maryland", dice, automate) for dice in ("electronic", "physical") for automate in ("all", "none")),
    *(("colorado", "physical", "none"), ("section2", "physical", "some"), ("arizona", "electronic", "some")),
]
"""Tables to play at: a regulation, the dice, and which house steps are automated."""
_AUTOMATE: dict[str, tuple[str, ...]] = {"none": (), "some": ("offer", "choose", "confirm", "button"), "all": ALL}
_EVERYBODY = (*PLAYERS, *CREW.values())


class RandomCommands:
    """Random commands to a live table under the rules of its house."""

    def __init__(self, live: LiveTable) -> None:
        self.commands = Commands(rules_of(live))

    def draw(self, random: Random, live: LiveTable) -> tuple[TableCommand, Actor]:
        """Return a command and who gives it."""
        if random.random() < 0.08:
            return self._rare(random, live)
        command = self._as_sent(self.commands.draw(random, live.game), random)
        by = self._fitting(random, live, command) if random.random() < 0.93 else random.choice(_EVERYBODY)
        return command, by

    def _as_sent(self, command: c.Command, random: Random) -> TableCommand:
        """Return the command that people send to have dice thrown or keyed in; mostly the game's own are refused."""
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

    def _fitting(self, random: Random, live: LiveTable, command: TableCommand) -> Actor:
        """Return somebody who may give the command."""
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

    def _rare(self, random: Random, live: LiveTable) -> tuple[TableCommand, Actor]:
        """Return a command about the table itself, or one that must be refused."""
        roll, seat = random.choice(OUTCOMES), random.randint(0, len(live.game.position.seats))
        opening = k.OpenTable(
            name="Craps 1", house={"rules": live.house["rules"]}, bank_cents=500_000_00, dice=live.dice
        )
        commands: tuple[tuple[TableCommand, Actor], ...] = (
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
            (opening, OWNER),
            (k.Roll(seat=seat), random.choice(PLAYERS)),
            (c.TakeSeat(seat=max(seat, 1)), random.choice(PLAYERS)),
            (c.SurrenderDice(seat=seat), random.choice(PLAYERS)),
        )
        return random.choice(commands)

    def _limits(self, random: Random, live: LiveTable) -> k.NoticeLimits:
        chip = live.house["smallest_chip_cents"]
        return k.NoticeLimits(
            wager_cents_min=chip * random.choice((1, 5, 10, 0)),
            wager_cents_max=chip * random.choice((100, 1000, 4)),
            in_minutes=random.choice((-1, 0, 30, 60)),
        )


def open_table(rules: str, dice: str, automate: str) -> Sitting:
    """Return one of TABLES, with three players at it."""
    sitting = Sitting(rules, dice=dice, house={"seats": 5}, approvals=LABORATORY, automate=_AUTOMATE[automate])
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    return sitting


def play_randomly(sitting: Sitting, random: Random, number: int) -> None:
    """Send that many random commands; check that each decision can be repeated and that its news is complete."""
    commands = RandomCommands(sitting.table)
    for _ in range(number):
        before = sitting.table
        command, by = commands.draw(random, before)
        if before.closing and random.random() < 0.7:
            command, by = sitting.completion(), THE_HOUSE
            sitting.faces = [random.choice(OUTCOMES)]
        drawn = sitting.drawn
        verdict = sitting.ask(command, by)
        if isinstance(verdict, Refused):
            assert sitting.drawn == drawn, "no outcome is ever discarded"
        else:
            assert not before.closing or isinstance(command, k.CompleteRoll), "a closed table changed before its roll"
            again = decide(
                before,
                verdict.command,
                by=by,
                at=sitting.at,
                approvals=sitting.approvals,
                signed_by=signer_of(command, by, before),
            )
            assert again == verdict
            _check_news(before, sitting)
        if random.random() < 0.02:
            sitting.wait(random.randint(1, 40))


def _check_news(before: LiveTable, sitting: Sitting) -> None:
    """Check that the old view with the news applied to it is the new view."""
    live = sitting.table
    old, new = view_of(before, sitting.approvals), view_of(live, sitting.approvals)
    news = news_between(before, live, sitting.approvals)
    up = {(one["seat"], one["owner"], one["kind"], one["number"]): one for one in old["wagers"]}
    for gone in news["wagers_gone"]:
        del up[tuple(gone)]
    up |= {(one["seat"], one["owner"], one["kind"], one["number"]): one for one in news["wagers_up"]}
    assert sorted(up.items()) == [
        ((one["seat"], one["owner"], one["kind"], one["number"]), one) for one in new["wagers"]
    ]
    assert {**old, **news["changed"], "wagers": new["wagers"]} == new
