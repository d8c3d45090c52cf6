"""What the table can tell a player: the correct amount, what is lawful now, what to do next. It asks `decide`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from msgspec import Struct

from passline.cli.play.words import NAMES, ODDS
from passline.dice import number_text
from passline.game import commands as c
from passline.game.decide import decide
from passline.game.offer import base_of, is_on_the_line
from passline.game.position import Table, Wager, find
from passline.game.refusal import Refused
from passline.game.wagers import is_working
from passline.money import dollars, round_down_to, round_up_to
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import SideWager

__all__ = [
    "SEAT",
    "Spot",
    "completions",
    "default_cents",
    "hint",
    "is_off",
    "lawful",
    "money",
    "odds_spots",
    "short_name",
    "spot_of",
    "spots",
    "unit_cents",
    "wish_for",
]

SEAT = 1  # the only player
_INSIDE = (6, 8)  # the numbers that players like best beside a point
_TIPS = 3


class Spot(Struct, frozen=True):
    """A place on the layout: a wager and its number, the player's own or one for the crew."""

    kind: str
    number: int = 0
    owner: str = "player"


def money(cents: int) -> str:
    """Print an amount as a chip would: whole dollars without cents.

    >>> money(1200), money(1250), money(-500)
    ('$12', '$12.50', '-$5')
    """
    text = dollars(abs(cents)).removesuffix(".00")
    return f"-${text}" if cents < 0 else f"${text}"


def short_name(spot: Spot) -> str:
    """Name a wager as one types it.

    >>> short_name(Spot("place_win", 6)), short_name(Spot("hop", 113)), short_name(Spot("pass", 0, "crew"))
    ('place 6', 'hop 1-3', 'tip pass')
    """
    name = NAMES.get(spot.kind, (spot.kind,))[0]
    tip = "tip " if spot.owner == "crew" else ""
    return f"{tip}{name} {number_text(spot.number)}".strip()


def spot_of(wager: Wager) -> Spot:
    """Give the place where a wager lies."""
    return Spot(wager.kind, wager.number, wager.owner)


def wish_for(spot: Spot, cents: int) -> c.MakeWager:
    """Give the command that puts an amount on a place."""
    return c.MakeWager(seat=SEAT, wager=spot.kind, number=spot.number, owner=spot.owner, cents=cents)


def unit_cents(rules: Rules, spot: Spot) -> int:
    """Give the step in which a wager is paid exactly, or broken into its parts."""
    rule = rules.wagers[spot.kind]
    if rule.family == "composite":
        return rule.units * rules.chip
    if rules.house.unpayable == "round_up":
        return rules.chip
    unit = rule.unit(spot.number if rule.family != "line" else 0, rules.chip)
    own = rule.entry.amount if isinstance(rule.entry, SideWager) else None
    return lcm(unit, own.step) if own and own.step else unit


def default_cents(rules: Rules, table: Table, spot: Spot, amount: str = "") -> int:
    """Give how much to add when a player names no amount: the least correct one, and for odds the most."""
    rule = rules.wagers[spot.kind]
    unit = unit_cents(rules, spot)
    least = round_up_to(Fraction(max(rule.min, 1)), unit)
    if amount == "min" or (not amount and not rule.behind):
        return least if not rule.behind else unit
    standing = find(table.position, SEAT, spot.kind, spot.number, spot.owner)
    room = min(_most(rules, table, spot, rule) - (standing.cents if standing else 0), table.money.racks[SEAT - 1])
    return max(round_down_to(Fraction(room), unit), unit)


def _most(rules: Rules, table: Table, spot: Spot, rule: WagerRule) -> int:
    if not rule.behind:
        return rule.max
    base = base_of(rules, table.position, Wager(SEAT, spot.owner, spot.kind, spot.number, 0))
    if base is None or spot.number not in rule.numbers:
        return table.money.racks[SEAT - 1]
    most = (rules.odds_cents_max(rule, spot.number, base.cents), rules.odds_cents_posted(rule, spot.number, base.cents))
    return min((cents for cents in most if cents is not None), default=table.money.racks[SEAT - 1])


def odds_spots(rules: Rules, table: Table, owner: str = "player") -> list[Spot]:
    """Give every wager that odds can stand behind now, the line first."""
    position = table.position
    found = []
    for kind, rule in rules.wagers.items():
        if not rule.behind:
            continue
        for wager in position.layout:
            if wager.seat == SEAT and wager.kind == rule.behind and wager.owner == owner:
                is_line = is_on_the_line(rules, rule.behind)
                number = position.puck if is_line else wager.number
                if number in rule.numbers:
                    found.append((not is_line, Spot(kind, number, owner)))
    return [spot for _rank, spot in sorted(found, key=lambda one: one[0])]


def spots(rules: Rules, table: Table) -> Iterator[Spot]:
    """Give every place where a wager could be, whether or not it may be made now."""
    for kind, rule in rules.wagers.items():
        if rule.is_offered and not rule.behind:
            yield from (Spot(kind, number) for number in sorted(rule.numbers))
    yield from odds_spots(rules, table)


def lawful(rules: Rules, table: Table, spot: Spot) -> bool:
    """Whether the default amount may be put there now."""
    wish = wish_for(spot, default_cents(rules, table, spot))
    return not isinstance(decide(rules, table, wish), Refused)


def is_off(rules: Rules, table: Table, wager: Wager) -> bool:
    """Whether the next roll leaves a wager alone because it is off."""
    return not is_working(rules.wagers[wager.kind], wager, is_come_out=not table.position.puck)


def completions(rules: Rules, table: Table) -> list[str]:
    """Give the lines that may be typed now, likeliest first."""
    acts = ["roll", "undo", "repeat", "help", "wagers", "history", "rules ", "quit"]
    made = [_with_amount(rules, table, spot) for spot in spots(rules, table) if lawful(rules, table, spot)]
    up = [wager for wager in table.position.layout if wager.seat == SEAT]
    downs = [f"down {short_name(spot_of(wager))}" for wager in up if _comes_down(rules, table, wager)]
    return [*acts, *made, *downs, *(["down all"] if downs else [])]


def _comes_down(rules: Rules, table: Table, wager: Wager) -> bool:
    wish = c.RemoveWager(seat=SEAT, wager=wager.kind, number=wager.number, owner=wager.owner)
    return not isinstance(decide(rules, table, wish), Refused)


def hint(rules: Rules, table: Table, *, may_repeat: bool = False) -> str:
    """Say in one line what a newcomer may do next."""
    position = table.position
    if position.is_clearing:
        return "Come wagers are being cleared: Enter rolls, or make a line wager to shoot on."
    line = [wager for wager in position.layout if wager.kind in rules.procedures.shooter.line_wagers]
    if not position.puck and not line:
        names = [_with_amount(rules, table, Spot(kind)) for kind in rules.procedures.shooter.line_wagers]
        names += ["repeat"] if may_repeat else []
        return f"Come-out roll. Make a line wager first: {' or '.join(names)}."
    if not position.puck:
        side = [Spot(kind) for kind, rule in rules.wagers.items() if rule.lines]
        more = _added(rules, table, side) or " help lists what else you may do."
        return f"Come-out roll. Enter rolls the dice.{more}"
    wanted = [
        *odds_spots(rules, table),
        Spot("come"),
        *(Spot("place_win", number) for number in _INSIDE),
        Spot("field"),
    ]
    return f"Point is {position.puck}. Enter rolls.{_added(rules, table, wanted)}"


def _added(rules: Rules, table: Table, wanted: list[Spot]) -> str:
    """Name some wagers that may be added."""
    free = [spot for spot in wanted if _is_free(rules, table, spot)]
    tips = ", ".join(_with_amount(rules, table, spot) for spot in free[:_TIPS])
    return f" You may add {tips}." if tips else ""


def _is_free(rules: Rules, table: Table, spot: Spot) -> bool:
    """Whether a wager is worth naming: lawful, not up yet, and no second one on the point itself."""
    position = table.position
    if spot.kind not in rules.wagers or find(position, SEAT, spot.kind, spot.number) is not None:
        return False
    is_point = 0 != spot.number == position.puck and not rules.wagers[spot.kind].behind
    return not is_point and lawful(rules, table, spot)


def _plain(rules: Rules, table: Table, spot: Spot) -> str:
    return money(default_cents(rules, table, spot)).lstrip("$")


def _with_amount(rules: Rules, table: Table, spot: Spot) -> str:
    name = ODDS if rules.wagers[spot.kind].behind and spot.number == table.position.puck else short_name(spot)
    return f"{name} {_plain(rules, table, spot)}"
