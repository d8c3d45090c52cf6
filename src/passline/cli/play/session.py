"""Where one player at one table stands: what the controller changes and both screens show."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passline.cli.play.hints import SEAT
from passline.cli.play.messages import Line
from passline.dice import Roll
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.markers import Marker, markers_after
from passline.game.position import Table, open_table
from passline.game.refusal import Refused
from passline.rules.rules import Rules

__all__ = ["Reply", "Session", "Thrown", "logged", "markers", "open_session"]

_BANK = 1_000_000_000_00
_MARKING = e.RollSettled | e.PuckMoved | e.ClearingBegan | e.ClearingEnded | e.DiceSurrendered | e.DiceAccepted


class Thrown(Struct, frozen=True):
    """One roll of the session: the dice, the point before it, the call, and what it changed."""

    roll: Roll
    point: int
    call: str
    net: int


class Session(Struct, frozen=True):
    """Where one player stands. It never changes: an act gives a new one, which is what makes undo simple."""

    rules: Rules
    table: Table
    is_typed: bool = False  # the dice are real ones, and the player types what came up
    before: Session | None = None  # what undo returns to; nothing once the dice have gone out
    made: tuple[c.MakeWager, ...] = ()  # since the last roll
    last: tuple[c.MakeWager, ...] = ()  # before it, for repeat
    rolls: tuple[Thrown, ...] = ()  # the last ones
    roll_count: int = 0
    won: int = 0
    lost: int = 0
    bought: int = 0
    tipped: int = 0  # wagered for the crew
    log: tuple[e.Event, ...] = ()  # of this hand: what lamps and lammers follow
    is_asked: bool = False  # the next two digits are the dice
    is_over: bool = False


class Reply(Struct, frozen=True):
    """The session after a line of text, what to say, and whether that is a page to read rather than news."""

    session: Session
    lines: tuple[Line, ...]
    is_page: bool = False
    is_refused: bool = False


def open_session(rules: Rules, *, bankroll: int, is_typed: bool = False) -> Session:
    """Seat the player, change the bankroll for chips, and take the dice."""
    table = open_table(rules, bank=_BANK)
    steps = (c.TakeSeat(seat=SEAT), c.BuyIn(seat=SEAT, cents=bankroll), c.AcceptDice(seat=SEAT))
    for step in steps:
        outcome = act(rules, table, step)
        if isinstance(outcome, Refused):
            raise CrapsError(str(outcome))
        table = outcome[1]
    return Session(rules=rules, table=table, is_typed=is_typed, bought=bankroll)


def markers(session: Session) -> dict[str, Marker]:
    """Give the lamps, lammers and counts of the side wagers offered."""
    return markers_after(session.rules, session.log)


def logged(log: tuple[e.Event, ...], happened: Iterable[e.Event]) -> tuple[e.Event, ...]:
    """Add what markers follow; all of them start over with a loser 7, so nothing before it is kept."""
    for event in happened:
        if isinstance(event, e.DiceSurrendered) and event.reason == "loser_7":
            log = ()
        elif isinstance(event, _MARKING):
            log = (*log, event)
    return log
