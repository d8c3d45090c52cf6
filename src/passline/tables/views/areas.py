"""The wagers one seat can make now: how much, in which steps and at what odds, or why not and by which clause."""

from __future__ import annotations

from msgspec import Struct

from passline.game import commands as c
from passline.game.decide import decide
from passline.game.position import find
from passline.game.spots import (
    Spot,
    default_cents,
    least_cents,
    most_cents,
    removal_of,
    spot_of,
    spots,
    unit_cents,
    winners_again,
    wish_for,
)
from passline.refusal import Refused
from passline.rules.explain.payouts import short_pays, vigorish_text
from passline.rules.rules import Rules, WagerRule
from passline.tables.dice.throwing import refused_while_closed
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of


class Charge(Struct, frozen=True):
    """The vigorish of a wager: `over` in `under` of the whole stake, rounded down to `chip`, and at least `min`.

    A page says it before the wager is made. It is taken then, less what was paid for a standing wager, or from a win.
    """

    says: str
    is_due_when_made: bool
    over: int
    under: int
    chip: int
    clause: str
    min: int = 0


class Area(Struct, frozen=True):
    """A place on the layout for one player. Amounts are of the whole wager; `default` is what a click adds."""

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
    vigorish: Charge | None = None
    again: int = 0  # what won here and came down: a standing order makes it again
    stays: str = ""  # why a standing wager may not come down, and the clause
    stays_clause: str = ""


def areas_of(live: LiveTable, seat: int) -> list[Area]:
    """Return every area of the layout for a seat; none for an empty seat."""
    if seat not in live.players:
        return []
    rules, table = rules_of(live), live.game
    places = list(spots(rules, table, seat))
    own = [wager for wager in table.position.layout if wager.seat == seat and wager.owner == "player"]
    known = set(places)
    places += [spot for spot in map(spot_of, own) if spot not in known]  # such as a come wager on its number
    again = winners_again(rules, live.track.settled, seat)
    return [_area(live, rules, spot, seat, again.get(spot, 0)) for spot in places]


def _area(live: LiveTable, rules: Rules, spot: Spot, seat: int, again: int) -> Area:
    table, rule = live.game, rules.wagers[spot.kind]
    standing = find(table.position, seat, spot.kind, spot.number)
    default = default_cents(rules, table, spot, seat)
    why, clause = _why_refused(live, rules, wish_for(spot, default, seat))
    stays, stays_clause = _why_refused(live, rules, removal_of(standing)) if standing else ("", "")
    return Area(
        kind=spot.kind,
        number=spot.number,
        name=rule.display_name(spot.number),
        state="closed" if why else "open",
        why=why,
        clause=clause,
        min=least_cents(rules, spot),
        max=most_cents(rules, table, spot, seat),
        unit=unit_cents(rules, spot),
        default=default,
        standing=standing.cents if standing else 0,
        may_remove=standing is not None and not stays,
        pays=short_pays(rules, rule, spot.number),
        vigorish=_charge(rules, rule, spot.number),
        again=0 if standing else again,
        stays=stays,
        stays_clause=stays_clause,
    )


def _charge(rules: Rules, rule: WagerRule, number: int) -> Charge | None:
    vigorish = rule.vigorish
    if vigorish is None:
        return None
    rate = rules.vigorish_rate(rule, number)
    return Charge(
        says=vigorish_text(vigorish, number),
        is_due_when_made=vigorish.is_due_when_made(number),
        over=rate.numerator,
        under=rate.denominator,
        chip=rules.chip,
        clause=vigorish.clause(number),
        min=vigorish.on(number).cents_min,
    )


def _why_refused(live: LiveTable, rules: Rules, wish: c.Command) -> tuple[str, str]:
    """Return why a command would be refused now, and the clauses; two empty texts if it would not."""
    if live.status != "open":
        return f"the table is {live.status}", ""
    if live.closing is not None:
        shut = refused_while_closed(rules).refusals[0]
        return shut.why, shut.clause
    verdict = decide(rules, live.game, wish)
    if not isinstance(verdict, Refused):
        return "", ""
    first = verdict.refusals[0]
    return first.why, first.clause
