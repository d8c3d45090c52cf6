"""Reducing and removing wagers: allowed until the deciding roll, unless the wager is locked."""

from __future__ import annotations

from typing import Protocol

from msgspec import UNSET
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.judges import Verdict
from passline.game.judges.amounts import minimum_refusals, unpayable_refusals
from passline.game.judges.proposed_wager import follow_clause, is_on_the_line, number_meant, tip_clause, unknown_wager
from passline.game.judges.seating import seat_refusals
from passline.game.position import Position, Table, Wager, find
from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Until, clause_text, refusal


class _HasPuck(Protocol):
    """A position, or what a player sees of one."""

    @property
    def puck(self) -> int: ...


def remove_wager(rules: Rules, table: Table, command: c.RemoveWager) -> Verdict:
    """Judge the removal of a wager; odds behind it come down with it."""
    wager, refusals = _find_up(rules, table, command)
    if wager is None or refusals:
        return refusals
    if command.cents is not UNSET and (type(command.cents) is not int or command.cents <= 0):
        return [refusal(rules.rulebook.general.remove.cite, f"{command.cents!r} cents is not an amount to take down")]
    if command.cents is not UNSET and command.cents != wager.cents:
        name = rules.wagers[wager.kind].display_name(wager.number)
        why = f"{dollars(wager.cents)} is up on the {name}, not {dollars(command.cents)}: it was changed meanwhile"
        return [refusal(rules.rulebook.general.remove.cite, why)]
    happened: list[e.Event] = [e.WagerRemoved(wager, _clause(rules, wager))]
    behind = _odds_behind(rules, table.position, wager)
    happened += [e.WagerRemoved(odds, follow_clause(rules, odds)) for odds in behind]
    return happened + _nothing_to_clear(rules, table.position, wager)


def _nothing_to_clear(rules: Rules, position: Position, removed: Wager) -> list[e.Event]:
    """Return the end of the clearing if the last come wager has come down: no throw is left to make."""
    clearing = rules.procedures.clearing
    if not position.is_clearing or any(wager.kind in clearing.wagers and wager != removed for wager in position.layout):
        return []
    return [e.ClearingEnded("removed", clause_text(clearing.decided.cite))]


def reduce_wager(rules: Rules, table: Table, command: c.ReduceWager) -> Verdict:
    """Judge the reduction of a wager; odds that are then too large behind it are cut too."""
    general = rules.rulebook.general
    if type(command.cents) is not int or command.cents <= 0 or command.cents % rules.chip:
        return [refusal(general.remove.cite, f"{command.cents!r} cents is not an amount to take down")]
    wager, refusals = _find_up(rules, table, command)
    if wager is None or refusals:
        return refusals
    rule = rules.wagers[wager.kind]
    rest = wager.cents - command.cents
    if rest <= 0:
        why = f"{dollars(command.cents)} leaves nothing of the {rule.display_name(wager.number)}; remove it instead"
        return [refusal(general.remove.cite, why)]
    vigorish = min(wager.vigorish, rules.vigorish_on(rule, wager.number, rest)) if wager.vigorish else 0
    after = replace(wager, cents=rest, vigorish=vigorish)
    refusals = _rest_refusals(rules, rule, after)
    if refusals:
        return refusals
    happened: list[e.Event] = [e.WagerReduced(wager, after, _clause(rules, wager))]
    for odds in _odds_behind(rules, table.position, wager):
        happened += _cut_odds(rules, odds, base=after)
    return happened


def _rest_refusals(rules: Rules, rule: WagerRule, after: Wager) -> list[Refusal]:
    general = rules.rulebook.general
    refusals = []
    if after.coupon > after.cents:
        why = "a match-play coupon needs chips of at least its face; remove the wager whole"
        refusals.append(refusal(general.media["match_play"].cite, why))
    refusals += minimum_refusals(rules, rule, after.cents, verb="would be")
    return refusals + unpayable_refusals(rules, rule, after)


def _find_up(rules: Rules, table: Table, command: c.RemoveWager | c.ReduceWager) -> tuple[Wager | None, list[Refusal]]:
    """Return the wager, if it is up, and why it may not come down now."""
    general, position = rules.rulebook.general, table.position
    if unfit := seat_refusals(rules, table, command.seat):
        return None, unfit
    rule = rules.wagers.get(command.wager)
    if rule is None:
        return None, [unknown_wager(rules, command.wager)]
    number = number_meant(rules, position, rule, command.number)
    wager = find(position, command.seat, command.wager, number, command.owner)
    if wager is None:
        return None, [refusal(general.remove.cite, f"seat {command.seat} has no {rule.display_name(number)} up")]
    refusals = []
    if position.is_rolling:
        why = "it cannot come down now: a roll that may decide it has been thrown"
        refusals.append(refusal(general.remove.cite, why))
    return wager, refusals + lock_refusals(rules, position, wager)


def lock_refusals(rules: Rules, position: _HasPuck, wager: Wager) -> list[Refusal]:
    """Refuse to take down a locked wager: by its point, the shooter's initial point, always, or by the house."""
    refusals = []
    rule = rules.wagers[wager.kind]
    lock, name = rule.entry.remove, rule.display_name
    if lock and point_lock(rules, position, wager):
        refusals.append(refusal(lock.cite, f"{name()} is locked once its point is set"))
    elif lock and lock.until == "initial_point" and wager.progress and wager.progress[0]:
        refusals.append(refusal(lock.cite, f"the {name()} wager is locked once the shooter's initial point is set"))
    elif lock and lock.until == "never":
        refusals.append(refusal(lock.cite, f"the {name()} wager stays up until it is decided"))
    if rule.kind in rules.house.side_wagers_locked:
        locked = rules.rulebook.elections["side_wagers_locked"]
        refusals.append(refusal(locked.cite, f"this house keeps the {name()} wager up until it is decided"))
    return refusals


def point_lock(rules: Rules, position: _HasPuck, wager: Wager) -> Until | None:
    """Return the rule that locks a wager because its point is set, if there is one."""
    lock = rules.wagers[wager.kind].entry.remove
    return lock if lock and lock.until == "point" and _point_of(rules, position, wager) else None


def _point_of(rules: Rules, position: _HasPuck, wager: Wager) -> int:
    return position.puck if is_on_the_line(rules, wager.kind) else wager.number


def _clause(rules: Rules, wager: Wager) -> str:
    entry = rules.wagers[wager.kind].entry
    rule = entry.remove if entry.remove and entry.remove.until == "deciding_roll" else rules.rulebook.general.remove
    return clause_text(rule.cite) + tip_clause(rules, wager)


def _odds_behind(rules: Rules, position: Position, base: Wager) -> list[Wager]:
    point = _point_of(rules, position, base)
    return [
        wager
        for wager in position.layout
        if wager.seat == base.seat
        and wager.number == point
        and wager.owner == base.owner
        and rules.wagers[wager.kind].behind == base.kind
    ]


def _cut_odds(rules: Rules, odds: Wager, *, base: Wager) -> list[e.Event]:
    rule = rules.wagers[odds.kind]
    follow = follow_clause(rules, odds)
    most = rules.odds_cents_max(rule, odds.number, base.cents)
    if most is None or odds.cents <= most:
        return []
    unit = rules.chip if rules.house.unpayable == "round_up" else rule.unit(odds.number, rules.chip)
    fits = most // unit * unit
    if not fits:
        return [e.WagerRemoved(odds, follow)]
    coupon = odds.coupon if odds.coupon <= fits else 0  # it goes back: a coupon needs chips of at least its face
    return [e.WagerReduced(odds, replace(odds, cents=fits, coupon=coupon), follow)]
