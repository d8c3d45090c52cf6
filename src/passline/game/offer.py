"""A wager as it is offered to the dealer: the command, and what it would stand on."""

from __future__ import annotations

from passline.dice import number_text
from passline.game import commands as c
from passline.game.position import Position, Wager, find
from passline.game.refusal import Refusal, refusal
from passline.rules.rules import Rules, WagerRule, clause_text
from passline.rules.schema import OddsWager

__all__ = ["Offer", "base_of", "follow_clause", "is_on_the_line", "label", "number_meant", "unknown_wager"]


def label(rule: WagerRule, number: int) -> str:
    """Name a wager as a refusal or a call does."""
    return f"{rule.name} on {number_text(number)}" if number else rule.name


def unknown_wager(rules: Rules, kind: str) -> Refusal:
    """Refuse a wager that is not on the regulation's list."""
    return refusal(rules.rulebook.general.closed_list.cite, f"{kind!r} is not a wager of {rules.rulebook.name}")


def number_meant(rules: Rules, position: Position, rule: WagerRule, number: int) -> int:
    """Give the number a wager is on: odds behind a line wager can only be on its point, so it goes without saying."""
    if number or not rule.behind or not is_on_the_line(rules, rule.behind):
        return number
    return position.puck


def is_on_the_line(rules: Rules, kind: str) -> bool:
    """Whether a wager's point is the puck's own, as for pass and don't pass."""
    return rules.wagers[kind].entry.make.when == "come_out"


def base_of(rules: Rules, position: Position, wager: Wager) -> Wager | None:
    """Give the original wager that odds stand behind."""
    behind = rules.wagers[wager.kind].behind
    return find(position, wager.seat, behind, 0 if is_on_the_line(rules, behind) else wager.number)


def follow_clause(rules: Rules, odds: Wager) -> str:
    """Give the clause by which odds go where their original wager goes: the one by which they lose with it."""
    entry = rules.wagers[odds.kind].entry
    assert isinstance(entry, OddsWager)
    return clause_text(entry.lose.cite)


class Offer:
    """One MakeWager against one position: what stands already, and the original wager behind which it goes."""

    __slots__ = ("base", "command", "number", "position", "rule", "rules", "standing")

    def __init__(self, rules: Rules, position: Position, command: c.MakeWager) -> None:
        self.rules = rules
        self.position = position
        self.command = command
        self.rule = rule = rules.wagers[command.wager]
        self.number = number_meant(rules, position, rule, command.number) if rule.behind else command.number
        self.base: Wager | None = None
        if rule.behind:
            self.base = base_of(rules, position, Wager(command.seat, "player", rule.kind, self.number, 0))
        self.standing = find(position, command.seat, command.wager, self.number)

    @property
    def has_number(self) -> bool:
        """Whether the wager can be on this number; a line wager only on one to which it has travelled."""
        if self.rule.family == "line" and self.number:
            return self.standing is not None
        return self.number in self.rule.numbers
