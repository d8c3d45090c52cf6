"""The families of wagers: pure functions from a wager, a roll and the puck to what the roll does to the wager."""

from __future__ import annotations

from passline.dice import Roll
from passline.game.position import Wager
from passline.game.wagers.collection import collection_outcome
from passline.game.wagers.hand import hand_outcome
from passline.game.wagers.hardway import hardway_outcome
from passline.game.wagers.line import line_outcome
from passline.game.wagers.number import number_outcome
from passline.game.wagers.one_roll import one_roll_outcome
from passline.game.wagers.outcome import Outcome
from passline.game.wagers.run import run_outcome
from passline.rules.rules import Rules, WagerRule

__all__ = ["Outcome", "is_working", "outcome_of"]


def is_working(rule: WagerRule, wager: Wager, *, is_come_out: bool) -> bool:
    """Return whether a wager works on this roll: as called and marked, or else by the rules for a come-out roll.

    A call is about the come-out roll; with the puck ON a wager is off only where the house accepts off calls.
    """
    if is_come_out:
        return wager.working == "on" or (rule.works_on_come_out and wager.working != "off")
    return wager.working != "off" or not rule.off_calls


def outcome_of(rules: Rules, wager: Wager, *, puck: int, roll: Roll, is_clearing: bool = False) -> Outcome:
    """Return what a roll does to one wager; a composite wager is settled part by part (see `game.settlement`)."""
    rule = rules.wagers[wager.kind]
    if rule.family == "hand":
        sets_point = not puck and not is_clearing and roll.total in rules.points
        return hand_outcome(rule, wager.progress, roll, puck=puck, sets_point=sets_point)
    if rule.family == "collection":
        return collection_outcome(rule, wager.progress, roll)
    if rule.family == "run":
        return run_outcome(rule, wager.progress, roll, puck=puck, points=rules.points, is_clearing=is_clearing)
    if rule.family == "line":
        point = wager.number or (puck if rule.entry.make.when == "come_out" else 0)
        return line_outcome(rule, point, roll)
    if rule.family == "one_roll":
        return one_roll_outcome(rule, wager.number, roll)
    works = is_working(rule, wager, is_come_out=not puck)
    if rule.family == "hardway":
        return hardway_outcome(rule, wager.number, roll, works=works)
    return number_outcome(rule, wager.number, roll, works=works)
