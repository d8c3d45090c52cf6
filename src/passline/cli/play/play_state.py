"""The state of one player's game, which both screens show, and what becomes of wagers that have won."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

from passline.cli.play.messages import SEAT, Message
from passline.dice import Roll, number_text
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.events import WagerReturned, WagerWon
from passline.game.markers import Marker, markers_after
from passline.game.position import Table, Wager, find, open_table
from passline.money import dollar_amount, in_currency
from passline.refusal import Refused
from passline.rules.rules import Rules

_Shown = TypeVar("_Shown")
_BANK = 1_000_000_000_00
_MARKING = e.RollSettled | e.PuckMoved | e.ClearingBegan | e.ClearingEnded | e.DiceSurrendered | e.DiceAccepted
_STAYING = frozenset({"place_win", "place_lose", "buy", "lay", "hardway"})  # what a standing order keeps up


class Thrown(Struct, frozen=True):
    """One roll of the game: the dice, the point before it, the call, and the player's net win."""

    roll: Roll
    point: int
    call: str
    net: int


class PlayState(Struct, frozen=True):
    """The state of one player's game. Immutable: every act returns a new state, which makes undo simple."""

    rules: Rules
    table: Table
    is_typed: bool = False  # the player throws real dice and types the result
    before: PlayState | None = None  # what undo returns to; None after a roll
    made: tuple[c.MakeWager, ...] = ()  # since the last roll
    last: tuple[c.MakeWager, ...] = ()  # before the last roll, for repeat
    rolls: tuple[Thrown, ...] = ()  # the newest ones
    roll_count: int = 0
    won: int = 0
    lost: int = 0
    bought: int = 0
    tipped: int = 0  # wagered for the crew
    happened: tuple[e.Event, ...] = ()  # by the last command
    log: tuple[e.Event, ...] = ()  # the events of this hand that lamps and lammers depend on
    stays: bool = False  # a standing order: place, buy and lay wagers and hardways that win stay up
    is_asked: bool = False  # the player was asked to type the dice
    is_over: bool = False

    @property
    def rack_text(self) -> str:
        """The player's chips off the layout, as an amount."""
        return self.amount(self.table.money.racks[SEAT - 1])

    def amount(self, cents: int) -> str:
        """Return an amount in the rulebook's currency."""
        return in_house_currency(self.rules, dollar_amount(cents))


def in_house_currency(rules: Rules, shown: _Shown) -> _Shown:
    """Return words with the sign of the rulebook's currency before their amounts."""
    return in_currency(shown, rules.rulebook.general.currency)


class Reply(Struct, frozen=True):
    """The answer to a line of text: the new state, the messages, and whether they are a page to read."""

    state: PlayState
    lines: tuple[Message, ...]
    is_page: bool = False
    is_refused: bool = False


def begin_play(rules: Rules, *, bankroll: int, is_typed: bool = False) -> PlayState:
    """Seat the player, change the bankroll for chips, and take the dice."""
    table = open_table(rules, bank=_BANK)
    steps = (c.TakeSeat(seat=SEAT), c.BuyIn(seat=SEAT, cents=bankroll), c.AcceptDice(seat=SEAT))
    for step in steps:
        outcome = act(rules, table, step)
        if isinstance(outcome, Refused):
            raise CrapsError(str(outcome))
        table = outcome[1]
    return PlayState(rules=rules, table=table, is_typed=is_typed, bought=bankroll)


def markers(state: PlayState) -> dict[str, Marker]:
    """Return the lamps, lammers and counts of the side wagers that are offered."""
    return markers_after(state.rules, state.log, state.table.position.layout)


def keep_events(log: tuple[e.Event, ...], happened: Iterable[e.Event]) -> tuple[e.Event, ...]:
    """Return the log with the events that markers depend on; a loser 7 clears it."""
    for event in happened:
        if isinstance(event, e.DiceSurrendered) and event.reason == "loser_7":
            log = ()
        elif isinstance(event, _MARKING):
            log = (*log, event)
    return log


def after_winning(
    state: PlayState, before: tuple[Wager, ...], do: Callable[[PlayState, c.Command], Reply]
) -> tuple[PlayState, list[Message]]:
    """Announce each wager that a roll brought down without losing it, or put it up again by the standing order."""
    lines: list[Message] = []
    now = state
    for wager in before:
        rule, up = state.rules.wagers[wager.kind], state.table.position
        if wager.kind not in _STAYING or wager.seat != SEAT or wager.owner != "player":
            continue
        if find(up, SEAT, wager.kind, wager.number) is not None or not _is_returned(state, wager):
            continue
        name = f"{rule.display_name()} {number_text(wager.number)}"
        if not state.stays:
            tip = "; stay keeps such wagers up" if not lines else ""
            lines.append(Message(f"Your {name} comes down: {dollar_amount(wager.cents)} is in your rack{tip}.", "note"))
            continue
        again = c.MakeWager(seat=SEAT, wager=wager.kind, number=wager.number, cents=wager.cents)
        reply = do(now, again)
        now = reply.state
        stays = Message(f"Your {name} stays up for {dollar_amount(wager.cents)}.", "note")
        lines += reply.lines if reply.is_refused else [stays]
    return now, lines


def _is_returned(state: PlayState, wager: Wager) -> bool:
    """Return whether the last roll paid a wager that is no longer up."""
    return any(
        isinstance(event, WagerWon | WagerReturned)
        and (event.wager.seat, event.wager.kind, event.wager.number) == (SEAT, wager.kind, wager.number)
        for event in state.happened
    )
