"""Spots on the layout: the amounts allowed, and whether a wager may be made or taken down now, as `decide` says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import decide
from passline.game.judges.proposed_wager import base_of, is_on_the_line
from passline.game.position import Position, Table, Wager, find
from passline.game.wagers import is_working
from passline.refusal import Refused
from passline.rules.memo import Memo
from passline.rules.rules import Rules


class Spot(Struct, frozen=True, gc=False, cache_hash=True):
    """A place on the layout: a kind of wager and its number, for the player or the crew."""

    kind: str
    number: int = 0
    owner: str = "player"


def spot_of(wager: Wager) -> Spot:
    """Return the spot of a wager."""
    return Spot(wager.kind, wager.number, wager.owner)


def wish_for(spot: Spot, cents: int, seat: int) -> c.MakeWager:
    """Return the command that puts an amount on a spot."""
    return c.MakeWager(seat=seat, wager=spot.kind, number=spot.number, owner=spot.owner, cents=cents)


_UNITS: Memo[Spot, int] = Memo()


def unit_cents(rules: Rules, spot: Spot) -> int:
    """Return the step in which a wager is paid exactly, or divides into its parts."""
    known = rules.memory_of(_UNITS)
    if spot not in known:
        known[spot] = rules.step_taken(rules.wagers[spot.kind], spot.number)
    return known[spot]


def least_cents(rules: Rules, spot: Spot) -> int:
    """Return the smallest amount that fits an empty spot."""
    return rules.least_taken(rules.wagers[spot.kind], spot.number)


def default_cents(rules: Rules, table: Table, spot: Spot, seat: int, amount: str = "") -> int:
    """Return how much to add if a player names no amount: the smallest that fits, or for odds the most."""
    rule = rules.wagers[spot.kind]
    if amount == "min" or (not amount and not rule.behind):
        return least_cents(rules, spot)
    unit = unit_cents(rules, spot)
    standing = find(table.position, seat, spot.kind, spot.number, spot.owner)
    room = min(most_cents(rules, table, spot, seat) - (standing.cents if standing else 0), table.money.racks[seat - 1])
    return max(room // unit * unit, unit)


def most_cents(rules: Rules, table: Table, spot: Spot, seat: int) -> int:
    """Return the largest a wager may be in all; for odds without a limit, what the player has."""
    rule, rack = rules.wagers[spot.kind], table.money.racks[seat - 1]
    if not rule.behind:
        return rules.most_taken(rule, spot.number)
    base = base_of(rules, table.position, spot.kind, seat, spot.number, owner=spot.owner)
    if base is None or spot.number not in rule.numbers:
        return rack
    most = (rules.odds_cents_max(rule, spot.number, base.cents), rules.odds_cents_posted(rule, spot.number, base.cents))
    return min((cents for cents in most if cents is not None), default=rack)


def odds_spots(rules: Rules, table: Table, seat: int, owner: str = "player") -> list[Spot]:
    """Return the spots where odds can be put now, those behind line wagers first."""
    position = table.position
    found = []
    for kind, rule in rules.wagers.items():
        if not rule.behind:
            continue
        for wager in position.layout:
            if wager.seat == seat and wager.kind == rule.behind and wager.owner == owner:
                is_line = is_on_the_line(rules, rule.behind)
                number = position.puck if is_line else wager.number
                if number in rule.numbers:
                    found.append((not is_line, Spot(kind, number, owner)))
    return [spot for _rank, spot in sorted(found, key=lambda ranked: ranked[0])]


def spots(rules: Rules, table: Table, seat: int) -> Iterator[Spot]:
    """Yield every spot where a wager could be, whether or not it may be made now."""
    for kind, rule in rules.wagers.items():
        if rule.is_offered and not rule.behind:
            yield from (Spot(kind, number) for number in sorted(rule.numbers))
    yield from odds_spots(rules, table, seat)


def lawful(rules: Rules, table: Table, spot: Spot, seat: int) -> bool:
    """Return whether the default amount may be put on a spot now."""
    wish = wish_for(spot, default_cents(rules, table, spot, seat), seat)
    return not isinstance(decide(rules, table, wish), Refused)


def removal_of(wager: Wager) -> c.RemoveWager:
    """Return the command that takes a wager down."""
    return c.RemoveWager(seat=wager.seat, wager=wager.kind, number=wager.number, owner=wager.owner)


def comes_down(rules: Rules, table: Table, wager: Wager) -> bool:
    """Return whether a wager may be taken down now."""
    return not isinstance(decide(rules, table, removal_of(wager)), Refused)


def is_off(rules: Rules, position: Position, wager: Wager) -> bool:
    """Return whether a wager is off for the next roll."""
    return not is_working(rules.wagers[wager.kind], wager, is_come_out=not position.puck)


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
