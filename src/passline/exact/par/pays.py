"""What a line of a par sheet pays, and the clauses behind it."""

from __future__ import annotations

from passline.exact.par.lines import Offered
from passline.rules.explain.payouts import full_pays
from passline.rules.rules import Payout, WagerRule

__all__ = ["payout_clauses", "payouts_text"]


def payouts_text(line: Offered) -> str:
    """Return what a line pays, in words.

    >>> from passline.rules.rules import Rules
    >>> rules = Rules.of("maryland")
    >>> payouts_text(Offered(rules=rules, kind="pass", odds="pass_odds"))
    '1 to 1; odds 2 to 1 (4, 10), 3 to 2 (5, 9), 6 to 5 (6, 8)'
    """
    rules = line.rules
    text = full_pays(rules, rules.wagers[line.kind], line.number)
    return f"{text}; odds {full_pays(rules, rules.wagers[line.odds], line.number)}" if line.odds else text


def payout_clauses(line: Offered) -> tuple[str, ...]:
    """Return the clauses of a line's payouts and of its vigorish.

    >>> from passline.rules.rules import Rules
    >>> payout_clauses(Offered(rules=Rules.of("maryland"), kind="place_win", number=6))
    ('MD-5.A.7',)
    """
    rules, rule = line.rules, line.rules.wagers[line.kind]
    kinds = [part for part, _units in rule.parts if part in rules.wagers] or [line.kind]
    kinds += [line.odds] if line.odds else []
    texts = [payout.clause for kind in kinds for payout in _payouts(rules.wagers[kind], line.number)]
    if rule.vigorish:
        texts.append(rule.vigorish.clause(line.number))
    return tuple(dict.fromkeys(clause for text in texts for clause in text.split(", ")))


def _payouts(rule: WagerRule, number: int) -> list[Payout]:
    return [rule.payouts[number]] if number in rule.payouts else list(rule.payouts.values())
