"""The rules of one wager of the standard game in words, line by line with clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from passline.dice import number_code, number_text
from passline.money import amount_text
from passline.rules.explain.payouts import group_items, vigorish_text
from passline.rules.rules import Payout, Rules, WagerRule
from passline.rules.schema import (
    Cite,
    Composite,
    Election,
    Hardway,
    Line,
    OddsLimit,
    OddsWager,
    OneRoll,
    PaysEntry,
    Rule,
    SideWager,
    WinsOn,
    cites_of,
    cites_when,
    join_clauses,
    multiples_text,
    part_spot,
)

WHEN = {"come_out": "before a come-out roll", "point": "while the puck is ON", "any": "at any time"}
"""When a wager may be made, in words."""
UNTIL = {
    "deciding_roll": "until the roll that may decide it",
    "point": "until its point is set",
    "initial_point": "until the shooter's initial point is set",
    "never": "never, it stays until it is decided",
}
"""Until when a wager may be removed or increased, in words."""
_BREAKDOWN = {"always": "always", "no_area": "because the layout has no area for it"}


class CitedLine(Struct, frozen=True):
    """One thing the rules say: what it is about, the words, and the clauses."""

    about: str
    says: str
    clauses: tuple[str, ...]


def cite(about: str, says: str, *rules: Rule | Cite) -> CitedLine:
    """Return a line with the clauses of some entries.

    >>> cite("made", "at any time", "XX-1", ("XX-1", "XX-2"))
    CitedLine(about='made', says='at any time', clauses=('XX-1', 'XX-2'))
    """
    clauses = (clause for rule in rules for clause in cites_of(rule.cite if isinstance(rule, Rule) else rule))
    return CitedLine(about, says, tuple(dict.fromkeys(clauses)))


def commas(items: Iterable[object]) -> str:
    """Return the items as one text, with commas between them.

    >>> commas((4, 5, 6))
    '4, 5, 6'
    """
    return ", ".join(str(item) for item in items)


def series(items: Iterable[object], joint: str) -> str:
    """Return the items as one text, with commas between them and a word before the last.

    >>> series((2, 3, 12), "or"), series(("4",), "and")
    ('2, 3 or 12', '4')
    """
    *others, last = map(str, items)
    return f"{commas(others)} {joint} {last}" if others else last


def amounts_taken(rules: Rules, rule: WagerRule) -> str:
    """Return the least and the most that a wager may be, odds apart, by number where they differ.

    >>> colorado = Rules.of("colorado")
    >>> amounts_taken(colorado, colorado.wagers["place_win"])
    '$5.00 to $100.00 on 4, 5, 9, 10; $6.00 to $96.00 on 6, 8'
    """
    bounds = group_items(
        ((rules.least_taken(rule, number), rules.most_taken(rule, number)), number_text(number))
        for number in sorted(rule.numbers)
    )
    none = f"no amount, since none from {amount_text(rule.min)} to {amount_text(rule.max)} fits its steps"
    return "; ".join(
        (f"{amount_text(least)} to {amount_text(most)}" if least <= most else none)
        + (f" on {commas(on)}" if len(bounds) > 1 else "")
        for (least, most), on in sorted(bounds.items())
    )


def words(name: str) -> str:
    """Return a key of a rulebook as words.

    >>> words("line_wager")
    'line wager'
    """
    return name.replace("_", " ")


def plain(value: object) -> str:
    """Return a value as a person would write it.

    >>> plain((True, "craps", 5)), plain({"min": 1}), plain(())
    ('yes, craps, 5', 'min 1', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return commas(f"{key} {plain(item)}" for key, item in value.items()) or "none"
    if isinstance(value, (tuple, list)):
        return commas(plain(item) for item in value) or "none"
    if isinstance(value, Struct):
        given = {field: part for field in value.__struct_fields__ if (part := getattr(value, field)) is not None}
        return " ".join(f"{field} {plain(part)}" for field, part in given.items())
    return str(value)


def bounds_text(election: Election, *, printed: Callable[[object], str] = plain) -> str:
    """Return what a house may elect, in words; `printed` formats each value.

    >>> bounds_text(Election(min=0, max=500, cite="XX-1")), bounds_text(Election(choices=("off", "on"), cite="XX-1"))
    ('0 to 500', 'off or on')
    >>> bounds_text(Election(min=5, cite="XX-1")), bounds_text(Election(subset_of=(), cite="XX-1"))
    ('5 or more', 'nothing')
    """
    if election.choices:
        text = " or ".join(printed(choice) for choice in election.choices)
        text = text if len(election.choices) > 1 else f"only {text}"
    elif election.subset_of is not None:
        text = f"any of {commas(election.subset_of)}" if election.subset_of else "nothing"
    elif election.min is not None and election.max is not None:
        text = f"{election.min} to {election.max}"
    else:
        text = f"{election.min} or more" if election.max is None else f"{election.max} or less"
    return f"{text}, the same as {election.same_as}" if election.same_as else text


def standard_wager_lines(rules: Rules, rule: WagerRule) -> Iterator[CitedLine]:
    """Yield everything the rules say about one wager of the standard game."""
    entry, elections = rule.entry, rules.rulebook.elections
    if not rule.is_offered:
        election = entry.offered or "lay"
        clauses = cites_when(elections[election].cite, rules.choice_of(election))
        yield cite("offered", "no, by election of the house", clauses)
    elif entry.offered:
        clauses = cites_when(elections[entry.offered].cite, rules.choice_of(entry.offered))
        yield cite("offered", "yes, by election of the house", clauses)
    numbers = f"on {commas(entry.numbers)}" if getattr(entry, "numbers", ()) else ""  # type: ignore[union-attr]
    behind = f"behind a {rules.wagers[rule.behind].name}, on its point," if rule.behind else ""
    made = " ".join(filter(None, (behind, WHEN[entry.make.when], numbers if not behind else "")))
    about = "made" if entry.increase or isinstance(entry, Line) else "made, increased"
    yield cite(about, made, entry.make, *((entry.lose,) if isinstance(entry, OddsWager) else ()))
    yield from _decision_lines(rule)
    yield from _payout_lines(rules, rule)
    yield from _amounts(rules, rule)
    yield from _changes(rules, rule)


def _decision_lines(rule: WagerRule) -> Iterator[CitedLine]:
    entry = rule.entry
    if isinstance(entry, Line):
        yield cite("first roll", f"wins on {commas(entry.first_win.totals)}", entry.first_win)
        yield cite("first roll", f"loses on {commas(entry.first_lose.totals) or 'no total'}", entry.first_lose)
        if entry.first_void:
            yield cite("first roll", f"is void and returned on {commas(entry.first_void.totals)}", entry.first_void)
        if entry.moves:
            yield cite("first roll", "moves to any other number thrown", entry.moves)
    if isinstance(entry, (OneRoll, Composite)):
        on = "the pair chosen" if isinstance(entry, OneRoll) and entry.numbers else commas(entry.win.totals)
        yield cite("wins", f"when the next roll is {on}", entry.win)
        yield cite("loses", "on any other roll", entry.lose)
    elif isinstance(entry, Hardway):
        yield cite("wins", "when its number comes as a pair before it comes easy and before a 7", entry.win)
        yield cite("loses", "when its number comes easy, or a 7", entry.lose)
    elif not isinstance(entry, SideWager):
        yield cite("wins", _comes_first(entry.win), entry.win)
        yield cite("loses", _comes_first(entry.lose), entry.lose)


def _comes_first(rule: WinsOn) -> str:
    return "when its number comes before a 7" if rule.on == "number" else "when a 7 comes before its number"


def _payout_lines(rules: Rules, rule: WagerRule) -> Iterator[CitedLine]:
    entry = rule.entry
    if isinstance(entry, Composite):
        parts = _units(rules, rule.parts)
        yield cite("settled as", parts, entry.parts)
        if entry.breakdown:
            booked = _units(rules, entry.breakdown.units.items())
            why = _BREAKDOWN[entry.breakdown.when] if rule.breakdown else "not here: the layout has an area for it"
            yield cite("booked as", f"{booked}, {why}", entry.breakdown)
    if isinstance(entry, (Composite, SideWager)):
        return
    for line in entry.pays:
        for payout, texts in group_items(_payouts(rule, line)).items():
            on = f" on {commas(dict.fromkeys(texts))}" if any(texts) else ""
            note = f"; the house's, the list says {line.pays}" if str(payout.pays) != line.pays else ""
            if line.or_pays and str(payout.pays) == line.pays:
                note = f"; the house may elect {line.or_pays}"
            yield cite("pays", f"{payout.pays}{on}{note}", tuple(payout.clause.split(", ")))
    if isinstance(entry, OddsWager):
        yield cite("original", f"pays {entry.flat.pays}", entry.flat)


def _units(rules: Rules, parts: Iterable[tuple[str, int]]) -> str:
    names = {part: rules.part_name(part) for part, _units in parts if part_spot(part)[0] in rules.wagers}
    return commas(f"{units} of {names.get(part, 'the number chosen')}" for part, units in parts)


def _payouts(rule: WagerRule, line: PaysEntry) -> Iterator[tuple[Payout, str]]:
    """Yield each outcome that one line of a pay table is about, with its payout in force."""
    entry = rule.entry
    if isinstance(entry, OneRoll) and not entry.numbers:
        for code, payout in rule.payouts.items():
            pair = number_text(code)
            total = sum(int(face) for face in pair.split("-"))
            if pair in line.dice or total in line.totals:
                yield payout, pair if line.dice else str(total)
        return
    for number in line.numbers or line.totals or getattr(entry, "numbers", ()) or ("",):
        yield rule.payouts[number_code(str(number))], str(number)


def _amounts(rules: Rules, rule: WagerRule) -> Iterator[CitedLine]:
    general, entry, house = rules.rulebook.general, rule.entry, rules.house
    if isinstance(entry, OddsWager):
        yield from _odds_amounts(rules, rule, entry)
    else:
        yield cite("limits", amounts_taken(rules, rule), general.limits.min, general.limits.max)
    rounds = house.unpayable == "round_up"
    if isinstance(entry, Composite) and (entry.units or general.composite_parts or not rounds):
        by = entry.units or (rounds and general.composite_parts) or general.unpayable
        yield cite("steps", f"{rule.units} units, {amount_text(rule.units * rules.chip)}", by)
    elif rounds:
        yield cite("steps", f"any amount; winnings are rounded up to {amount_text(rules.chip)}", general.unpayable)
    else:
        codes = [number_code(str(number)) for number in getattr(entry, "numbers", ())] or [0]
        steps = group_items((rule.unit(code, rules.chip), number_text(code)) for code in codes)
        text = "; ".join(
            amount_text(unit) + (f" on {commas(on)}" if len(steps) > 1 else "") for unit, on in sorted(steps.items())
        )
        yield cite("steps", text, general.unpayable)
    if rule.vigorish:
        yield _vigorish(rules, rule)


def _odds_amounts(rules: Rules, rule: WagerRule, entry: OddsWager) -> Iterator[CitedLine]:
    general, house, limit = rules.rulebook.general, rules.house, entry.limit
    by = "the original wager" if limit.on == "stake" else "the original wager in winnings"
    policy = group_items((multiple, point) for point, multiple in rules.odds_posted(rule).items())
    multiples = commas(f"{multiple}x on {series(points, 'and')}" for multiple, points in policy.items())
    most = odds_most_text(rules, entry)
    yield cite("limits", f"up to {multiples} of {by}{f', and never over {most}' if most else ''}", limit)
    excess = (
        "rounded up to the next amount paid exactly"
        if house.odds_excess
        else "not rounded up, even if it cannot be paid exactly"
    )
    assert general.odds_excess is not None  # there are odds
    yield cite("excess", excess, general.odds_excess)
    bound = [f"under {amount_text(rule.min)}"] * general.limits.odds_outside_min
    bound += [f"over {amount_text(rule.max)}"] * general.limits.odds_outside_max
    allowed = " and ".join(f"may be {bounded}" for bounded in bound) or "is within the table's limits"
    yield cite("table limits", f"the wager {allowed}", general.limits.min, general.limits.max)
    if not general.limits.odds_outside_max:
        right = f"the posted maximum never cuts the wager under {multiples_text(limit.multiple_min)} of {by}"
        yield cite("table limits", right, limit, entry.make)


def odds_bounds(limit: OddsLimit) -> str:
    """Return how large a multiple a house may allow.

    >>> odds_bounds(OddsLimit(on="stake", multiple_min=1, multiple_max=3, cite="XX-1"))
    '1 to 3'
    >>> odds_bounds(OddsLimit(on="stake", multiple_max={"4": 3, "6": 5}, cite="XX-1"))
    '1x to 3x on 4; 5x on 6'
    """
    least = multiples_text(limit.multiple_min or 1)
    most = f"{least} to {multiples_text(limit.multiple_max)}" if limit.multiple_max else f"{least} or more"
    return (
        most if isinstance(limit.multiple_min, dict) or isinstance(limit.multiple_max, dict) else most.replace("x", "")
    )


def odds_most_text(rules: Rules, entry: OddsWager) -> str:
    """Return the most money that may be at odds, whatever the multiple; empty if there is no such bound."""
    caps = [cap for cap in (entry.limit.cents_max, rules.house.odds_cents_max) if cap]
    of_stake = "" if entry.limit.on == "stake" else " at stake"  # a multiple of winnings, but an amount of the stake
    return f"{amount_text(min(caps))}{of_stake}" if caps else ""


def _vigorish(rules: Rules, rule: WagerRule) -> CitedLine:
    vigorish = rule.vigorish
    assert vigorish is not None
    clauses = dict.fromkeys(vigorish.clause(number) for number in sorted(rule.numbers))
    cites = tuple(join_clauses(*clauses).split(", "))
    return cite("vigorish", f"{vigorish_text(vigorish)}; rounded down to {amount_text(rules.chip)}", cites)


def _changes(rules: Rules, rule: WagerRule) -> Iterator[CitedLine]:
    general, entry = rules.rulebook.general, rule.entry
    remove = entry.remove or general.remove
    yield cite("removed", UNTIL[remove.until], remove)
    if entry.increase:
        yield cite("increased", UNTIL[entry.increase.until], entry.increase)
    elif isinstance(entry, Line):
        yield cite("increased", UNTIL["point"], entry.make)
    if isinstance(entry, (OneRoll, Composite)):
        return
    if entry.come_out is None:
        yield cite("come-out", "works on every roll", general.works)
        return
    works = "works on a come-out roll" if rule.works_on_come_out else "is off on a come-out roll"
    elect = f" ({words(entry.come_out.elect)} elected)" if entry.come_out.elect else ""
    call, apart = "", (general.call_on,) if general.call_on.apart else ()
    if rule.call == "off" or (rule.call == "on" and not rule.works_on_come_out):
        call = f"; its player may call it {rule.call}"
    yield cite("come-out", f"{works}{elect}{call}", entry.come_out, *(apart if call else ()))
