"""The wagers that a hand file lists: read from its lines, and fit to be put up without having been made."""

from __future__ import annotations

from passline.game.amounts import unpayable
from passline.game.hands.steps import HandError
from passline.game.notation import format_wager, parse_wager
from passline.game.offer import unknown_wager
from passline.game.position import Wager
from passline.rules.rules import Rules

__all__ = ["list_wagers", "read_wagers", "refuse_unfit"]


def read_wagers(listed: str, *, seat: int, puck: int) -> list[Wager]:
    """Read one player's wagers, parted by commas; `odds` stand behind the wager before them.

    >>> [wager.kind for wager in read_wagers("come 6 10.00, odds 20.00", seat=1, puck=0)]
    ['come', 'come_odds']
    """
    wagers: list[Wager] = []
    for text in listed.split(","):
        body = text.strip()
        first, _, more = body.partition(" ")
        if first == "odds":
            if not wagers:
                raise HandError("odds stand behind a wager named before them on the line")
            body = f"{wagers[-1].kind}_odds {wagers[-1].number or puck} {more}"
        wagers.append(parse_wager(body, seat=seat))
    return wagers


def list_wagers(wagers: list[Wager]) -> str:
    """Print one player's wagers as a line lists them."""
    return ", ".join(format_wager(wager, with_seat=False) for wager in wagers) or "nothing"


def refuse_unfit(rules: Rules, wager: Wager) -> None:
    """Refuse a wager that no roll could settle: of no kind or number here, or of an amount that cannot be paid."""
    rule = rules.wagers.get(wager.kind)
    if rule is None:
        raise HandError(unknown_wager(rules, wager.kind).why)
    numbers = rule.numbers | rules.points if getattr(rule.entry, "moves", None) else rule.numbers
    if wager.number not in numbers:
        raise HandError(f"{format_wager(wager, with_seat=False)}: the {rule.name} is not on that number")
    if unpayable(rules, rule, wager):
        raise HandError(f"{format_wager(wager, with_seat=False)}: that amount cannot be paid exactly")
