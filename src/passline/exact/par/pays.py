"""What a line of a par sheet pays, as a layout would print it, and by which clauses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from passline.dice import OUTCOMES, number_code, number_text
from passline.exact.par.lines import Offered
from passline.rules.rules import Payout, Rules, WagerRule
from passline.rules.schema.rulebook import Composite, OneRoll, Run, SideWager

__all__ = ["clauses_of", "pays_text"]

_Paid = tuple[str, str]  # what is paid, and when


def pays_text(one: Offered) -> str:
    """Say what a line pays.

    >>> rules = Rules.of("maryland")
    >>> pays_text(Offered(rules=rules, kind="place_win", number=6))
    '7 to 6'
    >>> pays_text(Offered(rules=rules, kind="field"))
    '2 to 1 (2, 12), 1 to 1 (3, 4, 9, 10, 11)'
    >>> pays_text(Offered(rules=rules, kind="pass", odds="pass_odds"))
    '1 to 1; odds 2 to 1 (4, 10), 3 to 2 (5, 9), 6 to 5 (6, 8)'
    >>> pays_text(Offered(rules=rules, kind="horn"))
    'by part 30 to 1 (2, 12), 15 to 1 (3, 11)'
    """
    rules, rule = one.rules, one.rules.wagers[one.kind]
    text = _grouped(_paid(rules, rule, one.number))
    if isinstance(rule.entry, Composite):
        text = f"by part {text}"
    if one.odds:
        odds = rules.wagers[one.odds]
        numbers = [one.number] if one.number else sorted(odds.numbers)
        text += "; odds " + _grouped((str(odds.payouts[number].pays), number_text(number)) for number in numbers)
    return text


def clauses_of(one: Offered) -> tuple[str, ...]:
    """Give the clauses of a line's payouts and of its vigorish.

    >>> clauses_of(Offered(rules=Rules.of("maryland"), kind="place_win", number=6))
    ('MD-5.A.7',)
    """
    rules, rule = one.rules, one.rules.wagers[one.kind]
    kinds = [part for part, _units in rule.parts if part in rules.wagers] or [one.kind]
    payouts = [payout for kind in kinds for payout in _payouts(rules.wagers[kind], one.number)]
    if one.odds:
        payouts += _payouts(rules.wagers[one.odds], one.number)
    texts = [payout.clause for payout in payouts]
    if rule.vigorish:
        texts.append(rule.vigorish.clause(one.number))
    return tuple(dict.fromkeys(clause for text in texts for clause in text.split(", ")))


def _payouts(rule: WagerRule, number: int) -> list[Payout]:
    return [rule.payouts[number]] if number in rule.payouts else list(rule.payouts.values())


def _paid(rules: Rules, rule: WagerRule, number: int) -> Iterator[_Paid]:
    """Give each payout with the outcome, number or count it is paid on."""
    entry = rule.entry
    if isinstance(entry, Composite):
        for part, _units in rule.parts:
            if part in rules.wagers:
                yield from _by_outcome(rules.wagers[part])
    elif isinstance(entry, SideWager):
        for count, line in sorted(rule.lines.items()):
            when = str(count)
            if isinstance(entry, Run) and count < 0:
                when = f"{' or '.join(map(str, entry.come_out_stay.totals))} first"
            if line.payout:
                yield str(line.payout.pays), when
            elif line.result != "lose":
                yield line.result, when
    elif isinstance(entry, OneRoll) and not entry.numbers:
        yield from _by_outcome(rule)
    else:
        yield str(rule.payouts[number if number in rule.payouts else 0].pays), ""


def _by_outcome(rule: WagerRule) -> Iterator[_Paid]:
    """Give what each total pays; pair by pair where the pairs of one total differ."""
    totals: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for roll in OUTCOMES:
        payout = rule.payouts.get(number_code(roll.pair))
        if payout:
            totals[roll.total][roll.pair] = str(payout.pays)
    for total, pairs in sorted(totals.items()):
        if len(set(pairs.values())) == 1:
            yield next(iter(pairs.values())), str(total)
        else:
            yield from ((pays, pair) for pair, pays in pairs.items())


def _grouped(paid: Iterable[_Paid]) -> str:
    """Print each payout once with all that it is paid on, or alone where there is no other."""
    when: dict[str, list[str]] = {}
    for pays, on in paid:
        when.setdefault(pays, []).append(on)
    if len(when) == 1:
        return next(iter(when))
    return ", ".join(f"{pays} ({', '.join(on)})" for pays, on in when.items())
