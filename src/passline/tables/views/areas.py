"""Where one seat may make a wager now: how much, in which steps, at what odds; or why not, by which clause."""

from __future__ import annotations

from msgspec import Struct

from passline.game.decide import decide
from passline.game.position import find
from passline.game.refusal import Refused
from passline.game.spots import (
    Spot,
    comes_down,
    default_cents,
    least_cents,
    most_cents,
    spot_of,
    spots,
    unit_cents,
    wish_for,
)
from passline.rules.memo import Memo
from passline.rules.rules import Rules, WagerRule
from passline.tables.live import LiveTable, rules_of

__all__ = ["Area", "areas_of", "pays_text"]

_PAYS_SHOWN = 3


class Area(Struct, frozen=True):
    """A place on the layout as one player finds it. Amounts are of the whole wager, `default` is what a click adds."""

    kind: str
    number: int
    name: str
    state: str  # open or closed
    why: str
    clause: str
    min: int
    max: int
    unit: int
    default: int
    standing: int
    may_remove: bool
    pays: str


def areas_of(live: LiveTable, seat: int) -> list[Area]:
    """Give every area of the layout for a seat, and nothing for a seat that nobody has taken."""
    if seat not in live.players:
        return []
    rules, table = rules_of(live), live.game
    places = list(spots(rules, table, seat))
    own = [wager for wager in table.position.layout if wager.seat == seat and wager.owner == "player"]
    known = set(places)
    places += [spot for spot in map(spot_of, own) if spot not in known]  # such as a come wager that has travelled
    return [_area(live, rules, spot, seat) for spot in places]


def _area(live: LiveTable, rules: Rules, spot: Spot, seat: int) -> Area:
    table, rule = live.game, rules.wagers[spot.kind]
    standing = find(table.position, seat, spot.kind, spot.number)
    default = default_cents(rules, table, spot, seat)
    why, clause = _closed(live, rules, spot, seat, default)
    return Area(
        kind=spot.kind,
        number=spot.number,
        name=rule.name,
        state="closed" if why else "open",
        why=why,
        clause=clause,
        min=least_cents(rules, spot),
        max=most_cents(rules, table, spot, seat),
        unit=unit_cents(rules, spot),
        default=default,
        standing=standing.cents if standing else 0,
        may_remove=standing is not None and live.status == "open" and comes_down(rules, table, standing),
        pays=pays_text(rules, rule, spot.number),
    )


def _closed(live: LiveTable, rules: Rules, spot: Spot, seat: int, cents: int) -> tuple[str, str]:
    """Give why the default amount cannot be added now and the clauses, or nothing when it can."""
    if live.status != "open":
        return f"the table is {live.status}", ""
    verdict = decide(rules, live.game, wish_for(spot, cents, seat))
    if not isinstance(verdict, Refused):
        return "", ""
    first = verdict.refusals[0]
    return first.why, first.clause


_PAYS_TEXT: Memo[tuple[str, int], str] = Memo()


def pays_text(rules: Rules, rule: WagerRule, number: int) -> str:
    """Print what a wager pays as the layout does.

    >>> rules = Rules.of("maryland")
    >>> pays_text(rules, rules.wagers["place_win"], 6), pays_text(rules, rules.wagers["field"], 0)
    ('7 to 6', '1 to 1, 2 to 1')
    """
    known = rules.remembered(_PAYS_TEXT)
    key = (rule.kind, number)
    if key not in known:
        payouts = [rule.payouts[number]] if number in rule.payouts else list(rule.payouts.values())
        odds = list(dict.fromkeys(payout.pays for payout in payouts if payout.pays.ratio))
        most = max(odds, key=lambda pays: pays.ratio, default=None)
        known[key] = ", ".join(map(str, odds)) if len(odds) <= _PAYS_SHOWN else f"up to {most}"
    return known[key]
