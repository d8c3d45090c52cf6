"""The commands that carry out a strategy's wishes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from passline.dice import number_text
from passline.game import commands as c
from passline.game.position import Position, Wager, find
from passline.game.wagers import is_working
from passline.money import dollar_amount
from passline.rules.rules import Rules
from passline.strategy.interface import Call, Seen, Want, Wish

__all__ = ["commands_of", "is_of_unmade_wager", "wish_text"]


def commands_of(rules: Rules, seat: int, seen: Seen, wishes: tuple[Wish, ...]) -> Iterator[tuple[Wish, c.Command]]:
    """Yield each wish that would change something, with its command.

    A wager that is taken down can be made again, and one that is made can be called, by a later wish. Wishes to lower a
    wager, to take down or call one that is not up, or to call one that already works as called, are skipped.

    >>> from passline.strategy.interface import TakeDown
    >>> rules = Rules.of("maryland")
    >>> placed = Seen(6, is_clearing=False, mine=(Wager(1, "player", "place_win", 8, 24_00),))
    >>> wishes = (Want("place_win", 8, 18_00), TakeDown("place_win", 8), Want("place_win", 8, 12_00))
    >>> for _wish, command in commands_of(rules, 1, placed, wishes):
    ...     print(type(command).__name__, command.wager, command.number)
    RemoveWager place_win 8
    MakeWager place_win 8
    """
    up = {(wager.kind, wager.number): wager for wager in seen.mine}
    for wish in wishes:
        which = (wish.kind, wish.number)
        wager = up.get(which)
        if isinstance(wish, Want):
            cents = wager.cents if wager else 0
            if wish.cents > cents:
                up[which] = wager or Wager(seat, "player", wish.kind, wish.number, wish.cents)
                yield wish, c.MakeWager(seat=seat, wager=wish.kind, number=wish.number, cents=wish.cents - cents)
        elif wager is None:
            continue
        elif isinstance(wish, Call):
            works = is_working(rules.wagers[wish.kind], wager, is_come_out=not seen.puck)
            if works is not (wish.call == "on"):
                up[which] = replace(wager, working="" if wager.working else wish.call)  # a second call takes it back
                yield wish, c.CallWager(seat=seat, wager=wish.kind, number=wish.number, call=wish.call)
        else:
            del up[which]
            yield wish, c.RemoveWager(seat=seat, wager=wish.kind, number=wish.number)


def wish_text(rules: Rules, wish: Wish) -> str:
    """Return a wish as a player would say it.

    >>> wish_text(Rules.of("maryland"), Want("place_win", 6, 13_00))
    'make Place Bet to Win 6 for $13'
    >>> wish_text(Rules.of("maryland"), Call("pass", 0, "off"))
    'call Pass Bet off'
    """
    rule = rules.wagers.get(wish.kind)
    named = f"{rule.name if rule else wish.kind} {number_text(wish.number) if wish.number else ''}".strip()
    if isinstance(wish, Want):
        return f"make {named} for {dollar_amount(wish.cents, is_grouped=True)}"
    return f"call {named} {wish.call}" if isinstance(wish, Call) else f"take {named} down"


def is_of_unmade_wager(position: Position, command: c.Command) -> bool:
    """Return whether a command calls a wager that is not up, as when the player could not pay for it just before."""
    return isinstance(command, c.CallWager) and find(position, command.seat, command.wager, command.number) is None
