"""Hints for the player: what is lawful now, what to do next, and the usual amounts. They come from `decide`."""

from __future__ import annotations

from passline.cli.play.parser import ODDS, typed_name
from passline.dice import number_text
from passline.game.position import Table, find
from passline.game.spots import Spot, comes_down, default_cents, lawful, odds_spots, spot_of, spots
from passline.money import short_dollars
from passline.rules.rules import Rules

__all__ = ["SEAT", "completions", "hint", "short_name"]

SEAT = 1  # the only player
_INSIDE = (6, 8)  # the numbers that players favour besides the point
_SUGGESTED_MAX = 3


def short_name(spot: Spot) -> str:
    """Return a wager as a player types it.

    >>> short_name(Spot("place_win", 6)), short_name(Spot("hop", 113)), short_name(Spot("pass", 0, "crew"))
    ('place 6', 'hop 1-3', 'tip pass')
    """
    tip = "tip " if spot.owner == "crew" else ""
    return f"{tip}{typed_name(spot.kind)} {number_text(spot.number)}".strip()


def completions(rules: Rules, table: Table) -> list[str]:
    """Return the lines that may be typed now, likeliest first."""
    acts = ["roll", "undo", "repeat", "help", "wagers", "history", "rules ", "quit"]
    made = [_with_amount(rules, table, spot) for spot in spots(rules, table, SEAT) if lawful(rules, table, spot, SEAT)]
    up = [wager for wager in table.position.layout if wager.seat == SEAT]
    downs = [f"down {short_name(spot_of(wager))}" for wager in up if comes_down(rules, table, wager)]
    return [*acts, *made, *downs, *(["down all"] if downs else [])]


def hint(rules: Rules, table: Table, *, may_repeat: bool = False, is_typed: bool = False) -> str:
    """Return a line that tells a newcomer what to do next: what the money allows, and how the dice are thrown."""
    position = table.position
    rolls = "throw, and type the dice, such as 34" if is_typed else "Enter rolls"
    if position.is_clearing:
        return f"Come wagers are being cleared: {rolls}, or make a line wager to keep shooting."
    if not position.layout and not any(lawful(rules, table, spot, SEAT) for spot in spots(rules, table, SEAT)):
        return "Your rack pays for no wager here: cash 100 buys chips for $100, quit leaves."
    line = [wager for wager in position.layout if wager.kind in rules.procedures.shooter.line_wagers]
    if not position.puck and not line:
        line_wagers = [Spot(kind) for kind in rules.procedures.shooter.line_wagers]
        names = [_with_amount(rules, table, spot) for spot in line_wagers if lawful(rules, table, spot, SEAT)]
        if not names:
            return "Come-out roll. Your rack pays for no line wager: cash 100 buys chips for $100, quit leaves."
        names += ["repeat"] if may_repeat else []
        return f"Come-out roll. Make a line wager first: {' or '.join(names)}."
    if not position.puck:
        side = [Spot(kind) for kind, rule in rules.wagers.items() if rule.lines]
        more = _suggestions(rules, table, side) or " help lists what else you can do."
        return f"Come-out roll. {f'{rolls} the dice' if not is_typed else rolls.capitalize()}.{more}"
    wanted = [
        *odds_spots(rules, table, SEAT),
        Spot("come"),
        *(Spot("place_win", number) for number in _INSIDE),
        Spot("field"),
    ]
    return f"Point is {position.puck}. {rolls[0].upper()}{rolls[1:]}.{_suggestions(rules, table, wanted)}"


def _suggestions(rules: Rules, table: Table, wanted: list[Spot]) -> str:
    """Return a sentence that names some of the wagers that can be added."""
    suggested = [spot for spot in wanted if _is_suggested(rules, table, spot)]
    tips = ", ".join(_with_amount(rules, table, spot) for spot in suggested[:_SUGGESTED_MAX])
    return f" You can add {tips}." if tips else ""


def _is_suggested(rules: Rules, table: Table, spot: Spot) -> bool:
    """Return whether to suggest a wager: lawful, not up yet, and not a second one on the point."""
    position = table.position
    if spot.kind not in rules.wagers or find(position, SEAT, spot.kind, spot.number) is not None:
        return False
    is_point = 0 != spot.number == position.puck and not rules.wagers[spot.kind].behind
    return not is_point and lawful(rules, table, spot, SEAT)


def _with_amount(rules: Rules, table: Table, spot: Spot) -> str:
    name = ODDS if rules.wagers[spot.kind].behind and spot.number == table.position.puck else short_name(spot)
    return f"{name} {short_dollars(default_cents(rules, table, spot, SEAT))}"
