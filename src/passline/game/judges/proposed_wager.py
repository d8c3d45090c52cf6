"""A wager that a player proposes: the command, the wager it adds to, and the base wager that odds go behind."""

from __future__ import annotations

from passline.game import commands as c
from passline.game.position import Position, Wager, find
from passline.refusal import Refusal
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import OddsWager, SideWager, clause_text, refusal


def unknown_wager(rules: Rules, kind: str) -> Refusal:
    """Refuse a wager that is not on the regulation's list, or that this game does not have."""
    if without := rules.game.without.get(kind):
        game, wager = rules.house.game.replace("_", "-"), rules.rulebook.wagers[kind]
        return refusal(without.cite, f"{game} has no {wager.display_name()} wager")
    general = rules.rulebook.general
    return refusal(general.closed_list.cite, f"{kind!r} is not a wager of {general.title}")


def number_meant(rules: Rules, position: Position, rule: WagerRule, number: int) -> int:
    """Return the number a wager is on; odds behind a line wager need not name it, as it can only be the point."""
    if number or not rule.behind or not is_on_the_line(rules, rule.behind):
        return number
    return position.puck


def is_on_the_line(rules: Rules, kind: str) -> bool:
    """Return whether a wager's point is the one the puck is on, as for pass and don't pass."""
    return rules.wagers[kind].entry.make.when == "come_out"


def base_of(
    rules: Rules, position: Position, kind: str, seat: int, number: int, *, owner: str = "player"
) -> Wager | None:
    """Return the wager that a seat's odds of a kind on a number stand behind, if it is up."""
    behind = rules.wagers[kind].behind
    return find(position, seat, behind, 0 if is_on_the_line(rules, behind) else number, owner)


def tip_clause(rules: Rules, wager: Wager) -> str:
    """Return the clauses that make a wager the crew's, to append to others; empty for a player's own."""
    tips, entry = rules.rulebook.general.tips, rules.wagers[wager.kind].entry
    if wager.owner == "player" or tips is None:
        return ""
    own = f", {clause_text(entry.tips.cite)}" if isinstance(entry, SideWager) and entry.tips else ""
    return f", {clause_text(tips.owner.cite)}{own}"


def follow_clause(rules: Rules, odds: Wager) -> str:
    """Return the clause that ties odds to their base wager: the one by which they lose with it."""
    entry = rules.wagers[odds.kind].entry
    assert isinstance(entry, OddsWager)
    return clause_text(entry.lose.cite)


class ProposedWager:
    """One MakeWager at one position: the wager already up that it adds to, and the base wager of odds."""

    __slots__ = ("base", "command", "number", "others", "position", "rule", "rules", "standing")

    def __init__(self, rules: Rules, position: Position, command: c.MakeWager) -> None:
        self.rules = rules
        self.position = position
        self.command = command
        self.rule = rule = rules.wagers[command.wager]
        self.number = number_meant(rules, position, rule, command.number) if rule.behind else command.number
        self.others: tuple[Wager, ...] = ()  # side wagers of this kind that have already counted a roll
        self.base: Wager | None = None
        if rule.behind:
            self.base = base_of(rules, position, rule.kind, command.seat, self.number, owner=command.owner)
        if isinstance(rule.entry, SideWager):
            self.standing = self._fresh()
        else:
            self.standing = find(position, command.seat, command.wager, self.number, command.owner)

    def _fresh(self) -> Wager | None:
        """Find the side wager that has counted no roll yet; a new one beside older ones gets the next free number."""
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
        """Whether the wager can be on this number; a line wager only on a number it has already moved to."""
        if isinstance(self.rule.entry, SideWager):
            return not self.command.number
        if self.rule.family == "line" and self.number:
            return self.standing is not None
        return self.number in self.rule.numbers
