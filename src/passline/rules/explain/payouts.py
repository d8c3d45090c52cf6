"""What a wager pays, in words: briefly for its place on the layout, in full by outcome, and as a pay table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

from passline.dice import OUTCOMES, SEVEN, number_code, number_text
from passline.money import dollar_amount, percent_text
from passline.rules.elections import Vigorish
from passline.rules.memo import Memo
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import (
    METER_UNIT,
    Collection,
    Composite,
    Hand,
    Line,
    OneRoll,
    PayLine,
    Run,
    SideWager,
)

NATURAL = -1  # the count of a natural before the initial point, in the pay tables of a run
_FEW = 2
_SHORT: Memo[tuple[str, int], str] = Memo()
_BASIS = {"wager": "the wager", "potential_win": "what the wager could win"}
_WHEN = {"made": "taken when the wager is made", "won": "taken from a win"}
_Key = TypeVar("_Key", bound=Hashable)
_Item = TypeVar("_Item")
_Paid = tuple[str, str]  # a payout, and the number, total, pair or count it is paid on


def short_pays(rules: Rules, rule: WagerRule, number: int = 0) -> str:
    """Return what a wager pays in a few words: its payouts, or what each of its parts pays.

    >>> rules = Rules.of("maryland")
    >>> short_pays(rules, rules.wagers["place_win"], 6), short_pays(rules, rules.wagers["field"])
    ('7 to 6', '1 or 2 to 1')
    >>> short_pays(rules, rules.wagers["c_and_e"]), short_pays(rules, rules.wagers["pass_odds"])
    ('Any Craps 7 to 1, Eleven 15 to 1', '6 to 5 or 3 to 2 or 2 to 1')
    """
    known = rules.memory_of(_SHORT)  # a layout asks for every wager after every decision
    text = known.get((rule.kind, number))
    if text is None:
        text = known[rule.kind, number] = _short_pays(rules, rule, number)
    return text


def _short_pays(rules: Rules, rule: WagerRule, number: int) -> str:
    if rule.parts:
        parts = rules.parts_of(rule)
        return ", ".join(f"{part.display_name(on)} {short_pays(rules, part, on)}" for part, on in parts)
    has_several = isinstance(rule.entry, Line) and len(rule.payouts) > 1
    if number in rule.payouts and not rule.lines and not has_several:
        return str(rule.payouts[number].pays)
    pays = sorted({payout.pays for payout in rule.payouts.values() if payout.pays.ratio}, key=lambda odds: odds.ratio)
    if len(pays) > _FEW and not rule.behind:
        return f"up to {pays[-1]}"
    if len({(odds.to, odds.is_for) for odds in pays}) == 1:
        return f"{' or '.join(str(odds.pays) for odds in pays)} {str(pays[0]).partition(' ')[2]}"
    return " or ".join(map(str, pays))


def full_pays(rules: Rules, rule: WagerRule, number: int = 0) -> str:
    """Return every payout of a wager with what it is paid on; a single payout stands alone.

    >>> rules = Rules.of("maryland")
    >>> full_pays(rules, rules.wagers["place_win"], 6), full_pays(rules, rules.wagers["field"])
    ('7 to 6', '2 to 1 (2, 12), 1 to 1 (3, 4, 9, 10, 11)')
    >>> full_pays(rules, rules.wagers["horn"])
    'by part 30 to 1 (2, 12), 15 to 1 (3, 11)'
    """
    groups = group_items(_paid_outcomes(rules, rule, number))
    text = ", ".join(f"{pays} ({', '.join(on)})" for pays, on in groups.items())
    text = next(iter(groups)) if len(groups) == 1 else text
    return f"by part {text}" if isinstance(rule.entry, Composite) else text


def outcomes_paid(rules: Rules, rule: WagerRule) -> dict[str, list[str]]:
    """Map each payout of a wager to everything it is paid on: of a side wager, the counts of its pay table in force.

    >>> rules = Rules.of("maryland")
    >>> outcomes_paid(rules, rules.wagers["place_win"])
    {'9 to 5': ['4', '10'], '7 to 5': ['5', '9'], '7 to 6': ['6', '8']}
    """
    return group_items(pay_table(rules, rule) if isinstance(rule.entry, SideWager) else _paid_outcomes(rules, rule, 0))


def group_items(pairs: Iterable[tuple[_Key, _Item]]) -> dict[_Key, list[_Item]]:
    """Map each key, such as a payout, to all its items, such as everything it is paid on."""
    groups: dict[_Key, list[_Item]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups


def _paid_outcomes(rules: Rules, rule: WagerRule, number: int) -> Iterator[_Paid]:
    entry = rule.entry
    if isinstance(entry, Composite):
        for part, on in rules.parts_of(rule):
            yield from _part_paid(rules, part, on)
    elif isinstance(entry, SideWager):
        yield from _by_count(rule)
    elif isinstance(entry, OneRoll) and not entry.numbers:
        yield from _by_outcome(rule)
    elif isinstance(entry, Line):
        yield from _by_total(rule)
    elif number in rule.payouts:
        yield str(rule.payouts[number].pays), ""
    else:
        yield from ((str(rule.payouts[on].pays), number_text(on)) for on in sorted(rule.numbers))


def _part_paid(rules: Rules, rule: WagerRule, number: int) -> Iterator[_Paid]:
    """Yield what a part of a composite wager pays: by outcome, or on the number or dice that it is on."""
    if not number:
        yield from _by_outcome(rule)
    else:
        yield (
            short_pays(rules, rule, number),
            rule.display_name(number) if rule.family == "hardway" else number_text(number),
        )


def _by_count(rule: WagerRule) -> Iterator[_Paid]:
    entry = rule.entry
    for count, line in sorted(rule.lines.items()):
        when = line.says or str(count)
        if isinstance(entry, Run) and count == NATURAL:
            when = f"{' or '.join(map(str, entry.come_out_stay.totals))} first"
        if line.result != "lose":
            yield str(line.payout.pays) if line.payout else line.result, when


def _by_total(rule: WagerRule) -> Iterator[_Paid]:
    """Yield what a line wager pays: by the total that it wins on, and on all others."""
    has_one = len(rule.payouts) == 1
    for total, payout in sorted(rule.payouts.items(), key=lambda item: item[0] or SEVEN * SEVEN):
        yield str(payout.pays), "" if has_one else str(total) if total else "all others"


def _by_outcome(rule: WagerRule) -> Iterator[_Paid]:
    """Yield what each total pays; pair by pair where the pairs of one total differ."""
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


def pay_table(rules: Rules, rule: WagerRule) -> list[_Paid]:
    """Return the lines of a side wager's pay table in force that do not lose: what is paid, on which counts."""
    entry = rule.entry
    assert isinstance(entry, SideWager)
    lines = sorted(entry.tables[rules.house.side_wagers[entry.offered]], key=lambda line: line.counts)
    return [(pay_line_text(line), pay_line_when(entry, line)) for line in lines if line.result != "lose"]


def pay_table_text(rules: Rules, rule: WagerRule) -> str:
    """Return a side wager's pay table in force as one line.

    >>> rules = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
    >>> pay_table_text(rules, rules.wagers["fire"])
    '24 to 1 on 4, 249 to 1 on 5, 999 to 1 on 6'
    """
    return ", ".join(f"{pays} on {when}" for pays, when in pay_table(rules, rule))


def pay_line_text(line: PayLine) -> str:
    """Return what one line of a pay table pays, or that it loses or pushes.

    >>> pay_line_text(PayLine(counts=(4,), pays="25 for 1", cite="XX-1"))
    '25 for 1'
    >>> pay_line_text(PayLine(counts=(4,), pays="4 to 1", meter_basis_points=1_000, cite="XX-1"))
    '4 to 1 and 10 % of the meter'
    """
    pays = line.pays or {"lose": "loses", "push": "push"}[line.result]
    if not line.meter_basis_points:
        return pays
    share = line.meter_basis_points
    return f"{pays} and {'the whole' if share == METER_UNIT else f'{percent_text(share)} of the'} meter"


def pay_line_when(entry: SideWager, line: PayLine) -> str:
    """Return the counts that one line of a pay table is about, in a few words.

    >>> fire = Rules.of("maryland").wagers["fire"].entry
    >>> [pay_line_when(fire, line) for line in fire.tables["A"][:2]]
    ['0-3', '4']
    """
    counts = line.counts
    if line.says:
        return line.says
    if isinstance(entry, Collection):
        return "all"
    if counts == (NATURAL,) and isinstance(entry, Run):
        return "/".join(map(str, entry.come_out_stay.totals))
    least, most = min(counts), max(counts)
    text = str(least) if least == most else f"{least}-{most}"
    return f"{text}+" if isinstance(entry, Hand) and entry.top and most == entry.top.count else text


def vigorish_text(vigorish: Vigorish, number: int = 0) -> str:
    """Return the rate of a vigorish, what it is charged on, and when it is taken: on one number, or on all of them.

    >>> buy = Rules.of("maryland").wagers["buy"].vigorish
    >>> vigorish_text(buy), vigorish_rate_text(buy)
    ('5% of the wager, taken when the wager is made', '5%')
    """
    if vigorish.by_number and number:
        return vigorish_text(vigorish.on(number), number)
    if vigorish.by_number:
        groups = group_items((vigorish_text(charge, other), str(other)) for other, charge in vigorish.by_number)
        return "; ".join(f"{', '.join(numbers)}: {text}" for text, numbers in groups.items())
    if not vigorish.clause_made:
        return "none"
    least = f", at least {dollar_amount(vigorish.cents_min)}" if vigorish.cents_min else ""
    charged = f"{vigorish_rate_text(vigorish)} of {_BASIS[vigorish.basis]}{least}"
    if number:
        return f"{charged}, {_WHEN['made' if vigorish.is_due_when_made(number) else 'won']}"
    from_win = f", but from a win on {', '.join(map(str, vigorish.won_on))}" if vigorish.won_on else ""
    return f"{charged}, {_WHEN[vigorish.when]}{from_win if vigorish.when == 'made' else ''}"


def vigorish_rate_text(vigorish: Vigorish) -> str:
    """Return the rate of a vigorish as it is printed on the layout."""
    whole, part = divmod(vigorish.basis_points, 100)
    return (f"{whole}.{part:02d}".rstrip("0").rstrip(".") if part else str(whole)) + "%"
