"""The wagers that a hand file puts up or lists, and the checks that they could be up."""

from __future__ import annotations

from collections.abc import Iterable

from passline.game.hand_files.steps import HandError
from passline.game.judges.amounts import unpayable_refusals
from passline.game.judges.proposed_wager import unknown_wager
from passline.game.notation import format_wager, parse_wager
from passline.game.position import Wager
from passline.game.wagers.hand import count_of
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Collection, Hand, SideWager

__all__ = ["count_text", "list_wagers", "read_wagers", "refuse_unfit"]

_PAIR = (0, 1)


def read_wagers(listed: str, *, seat: int, puck: int) -> list[Wager]:
    """Parse one player's wagers, separated by commas; `odds` are behind the wager before them.

    >>> [wager.kind for wager in read_wagers("come 6 10.00, odds 20.00", seat=1, puck=0)]
    ['come', 'come_odds']
    """
    wagers: list[Wager] = []
    for text in listed.split(", "):
        body = text.strip()
        first, _, more = body.partition(" ")
        if first == "odds":
            if not wagers:
                raise HandError("odds need a wager named before them on the line")
            crew = "crew " if wagers[-1].owner == "crew" else ""
            body = f"{crew}{wagers[-1].kind}_odds {wagers[-1].number or puck} {more}"
        wagers.append(parse_wager(body, seat=seat))
    return wagers


def count_text(rules: Rules, wager: Wager) -> str:
    """Return how far a side wager has counted as text; `nothing` for other wagers."""
    rule = rules.wagers[wager.kind]
    if isinstance(rule.entry, Hand):
        return str(count_of(rule, wager.progress))
    if not isinstance(rule.entry, SideWager):
        return "nothing"
    return str(wager.progress[-1].bit_count() if wager.progress else 0)


def list_wagers(wagers: list[Wager]) -> str:
    """Return one player's wagers as a line lists them."""
    return ", ".join(format_wager(wager, with_seat=False) for wager in wagers) or "nothing"


def refuse_unfit(rules: Rules, wager: Wager) -> None:
    """Raise HandError for a wager that no roll could settle: an unknown kind, a wrong number or an unpayable amount."""
    rule = rules.wagers.get(wager.kind)
    if rule is None:
        raise HandError(unknown_wager(rules, wager.kind).why)
    numbers = rule.numbers | rules.points if getattr(rule.entry, "moves", None) else rule.numbers
    if isinstance(rule.entry, SideWager):
        _refuse_unfit_progress(rules, rule, wager)
    elif wager.progress:
        raise HandError(f"{format_wager(wager, with_seat=False)}: only a side wager has progress")
    elif wager.number not in numbers:
        raise HandError(f"{format_wager(wager, with_seat=False)}: {rule.display_name()} cannot be on that number")
    if unpayable_refusals(rules, rule, wager):
        raise HandError(f"{format_wager(wager, with_seat=False)}: that amount cannot be paid exactly")


def _refuse_unfit_progress(rules: Rules, rule: WagerRule, wager: Wager) -> None:
    """Raise HandError for a side wager that is not offered, or with progress it cannot have while it is up."""
    shown = format_wager(wager, with_seat=False)
    if not rule.lines:
        raise HandError(f"{shown}: this house does not offer {rule.display_name(wager.number)}")
    entry, progress = rule.entry, wager.progress
    if isinstance(entry, Collection):
        is_fit = not progress or (len(progress) == 1 and _is_within(progress[0], entry.needs.totals))
    elif len(progress) != len(_PAIR):
        is_fit = not progress
    elif isinstance(entry, Hand):
        counts = range(max(rule.lines) + (entry.full is None))
        bits = entry.counts != "distinct_points" or not progress[1] & ~_bits(rules.points)
        is_fit = progress[0] in _PAIR and bits and count_of(rule, progress) in counts
    else:
        hits = progress[1] & ~_bits(rules.points) == 0 if progress[0] in rules.points else progress == (0, 0)
        is_fit = hits and progress[1].bit_count() in rule.lines
    if not is_fit:
        raise HandError(f"{shown}: no {rule.display_name()} wager that is up has such progress")


def _bits(totals: Iterable[int]) -> int:
    return sum(1 << total for total in totals)


def _is_within(bits: int, totals: tuple[int, ...]) -> bool:
    return not bits & ~_bits(totals) and bits != _bits(totals)
