"""Standing orders: which wagers to make again after they won, and which numbers "across", "inside" and "outside" name.

A wager that wins is paid and comes down. At a table most players leave wagers on numbers and hardways up when they win;
as a standing order that is the same wager made again, and judged again, by the rules in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passline.game import events as e
from passline.game.spots import Spot, spot_of
from passline.rules.rules import Rules

__all__ = ["SPREADS", "spread", "winners_again"]

SPREADS = ("across", "inside", "outside")
"""The names by which players wager on several numbers at once."""
_STAY = frozenset({"number", "hardway"})
_INSIDE = frozenset({5, 6, 8, 9})


def winners_again(rules: Rules, settled: Iterable[e.Event], seat: int) -> dict[Spot, int]:
    """Return what to make again so that a seat's winners stay up: spots, and the cents that won there.

    Wagers on numbers and hardways stay up. A line wager that has won begins anew, odds go with their wager, a wager of
    one roll is over, and a side wager has its own windows.

    >>> from passline.dice import roll_of
    >>> from passline.game.position import Position, Wager
    >>> from passline.game.settlement import settlement
    >>> up = (Wager(1, "player", "place_win", 6, 12_00), Wager(1, "player", "field", 0, 5_00))
    >>> rules = Rules.of("maryland")
    >>> winners_again(rules, settlement(rules, Position(puck=8, layout=up), roll_of(4, 2)), 1)
    {Spot(kind='place_win', number=6, owner='player'): 1200}
    """
    won = (event.wager for event in settled if isinstance(event, e.WagerWon) and event.after is None)
    stays = (wager for wager in won if wager.seat == seat and rules.wagers[wager.kind].family in _STAY)
    return {spot_of(wager): wager.cents for wager in stays}


def spread(rules: Rules, name: str, *, but: int = 0, kind: str = "place_win") -> tuple[Spot, ...]:
    """Return the spots of a spread, lowest number first, without the number `but`, which is often the point.

    >>> rules = Rules.of("maryland")
    >>> [spot.number for spot in spread(rules, "across", but=6)]
    [4, 5, 8, 9, 10]
    >>> [spot.number for spot in spread(rules, "inside")], [spot.number for spot in spread(rules, "outside")]
    ([5, 6, 8, 9], [4, 5, 9, 10])
    """
    assert name in SPREADS, name
    rule = rules.wagers.get(kind)
    numbers: Sequence[int] = sorted(rule.numbers & rules.points) if rule is not None and rule.is_offered else ()
    if name == "inside":
        numbers = [number for number in numbers if number in _INSIDE]
    elif name == "outside":
        numbers = [number for number in numbers if number not in {6, 8}]
    return tuple(Spot(kind, number) for number in numbers if number != but)
