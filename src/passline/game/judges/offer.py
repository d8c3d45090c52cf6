"""A wager as it is offered to the dealer: the command, and what it would stand on."""

from __future__ import annotations

from passline.game import commands as c
from passline.game.position import Position, Wager, find
from passline.game.refusal import Refusal, refusal
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import OddsWager, SideWager, clause_text

__all__ = [
    "Offer",
    "base_of",
    "follow_clause",
    "is_on_the_line",
    "number_meant",
    "tip_clause",
    "unknown_wager",
]


def unknown_wager(rules: Rules, kind: str) -> Refusal:
    """Refuse a wager that is not on the regulation's list, or that this game does not have."""
    if without := rules.game.without.get(kind):
        return refusal(without.cite, f"{rules.house.game} has no {rules.rulebook.wagers[kind].name}")
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
    return find(position, wager.seat, behind, 0 if is_on_the_line(rules, behind) else wager.number, wager.owner)


def tip_clause(rules: Rules, wager: Wager) -> str:
    """Give the clauses by which a wager is the crew's, to be put after others; nothing for a player's own."""
    tips, entry = rules.rulebook.general.tips, rules.wagers[wager.kind].entry
    if wager.owner == "player" or tips is None:
        return ""
    own = f", {clause_text(entry.tips.cite)}" if isinstance(entry, SideWager) and entry.tips else ""
    return f", {clause_text(tips.owner.cite)}{own}"


def follow_clause(rules: Rules, odds: Wager) -> str:
    """Give the clause by which odds go where their original wager goes: the one by which they lose with it."""
    entry = rules.wagers[odds.kind].entry
    assert isinstance(entry, OddsWager)
    return clause_text(entry.lose.cite)


class Offer:
    """One MakeWager against one position: what stands already, and the original wager behind which it goes."""

    __slots__ = ("base", "command", "number", "others", "position", "rule", "rules", "standing")

    def __init__(self, rules: Rules, position: Position, command: c.MakeWager) -> None:
        self.rules = rules
        self.position = position
        self.command = command
        self.rule = rule = rules.wagers[command.wager]
        self.number = number_meant(rules, position, rule, command.number) if rule.behind else command.number
        self.others: tuple[Wager, ...] = ()  # side wagers of this kind that rolls have counted for already
        self.base: Wager | None = None
        if rule.behind:
            self.base = base_of(rules, position, Wager(command.seat, command.owner, rule.kind, self.number, 0))
        if isinstance(rule.entry, SideWager):
            self.standing = self._fresh()
        else:
            self.standing = find(position, command.seat, command.wager, self.number, command.owner)

    def _fresh(self) -> Wager | None:
        """Find the side wager no roll has counted for yet; a new one beside older ones gets a number of its own."""
        command = self.command
        mine = [
            wager
            for wager in self.position.layout
            if wager.kind == command.wager and wager.seat == command.seat and wager.owner == command.owner
        ]
        self.others = tuple(wager for wager in mine if wager.progress)
        fresh = [wager for wager in mine if not wager.progress]
        if not command.number:
            taken = {wager.number for wager in mine}
            self.number = fresh[0].number if fresh else next(n for n in range(len(taken) + 1) if n not in taken)
        return fresh[0] if fresh else None

    @property
    def has_number(self) -> bool:
        """Whether the wager can be on this number; a line wager only on one to which it has travelled."""
        if isinstance(self.rule.entry, SideWager):
            return not self.command.number
        if self.rule.family == "line" and self.number:
            return self.standing is not None
        return self.number in self.rule.numbers
