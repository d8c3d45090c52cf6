"""What becomes of a wager that has won: it comes down and is announced, or stays up by the player's standing order."""

from __future__ import annotations

from collections.abc import Callable

from passline.cli.play.hints import SEAT
from passline.cli.play.messages import Message
from passline.cli.play.play_state import PlayState, Reply
from passline.dice import number_text
from passline.game import commands as c
from passline.game.events import WagerReturned, WagerWon
from passline.game.position import Wager, find
from passline.money import dollar_amount

__all__ = ["after_winning"]

_STAYING = frozenset({"place_win", "place_lose", "buy", "lay", "hardway"})  # what a standing order keeps up


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
