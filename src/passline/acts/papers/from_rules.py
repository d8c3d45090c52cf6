"""What a paper says of the rules of the game: every wager, payout, limit and procedure that a house deals by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from passline.dice import number_text
from passline.money import amount_text
from passline.rules.explain.payouts import full_pays, vigorish_text
from passline.rules.explain.sections import sections, wager_terms
from passline.rules.explain.wagers import CitedLine
from passline.rules.memo import Memo
from passline.rules.rules import PaidLine, Rules, WagerRule

_NOT_ELECTED = {"none", "off"}
_LINES: Memo[str, list[str]] = Memo()
_IRREGULAR = {"void throw", "cocked die", "faces", "no roll", "dispute", "order to pass"}
_PAID = {"pays", "original", "settled as"}
_AMOUNTS = {"limits", "steps", "vigorish", "offered"}


def has_offer(rules: Rules | None, name: str) -> bool:
    """Return whether a house offers a wager, named by its kind or its election, or has elected something of that name.

    >>> maryland = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
    >>> has_offer(maryland, "fire"), has_offer(maryland, "dice_ology"), has_offer(maryland, "payouts")
    (True, False, False)
    """
    if rules is None:
        return False
    named = _wagers_of(rules, name)
    if named:
        return any(rule.is_offered for rule in named)
    elected = rules.choice_of(name) if name in rules.rulebook.elections else getattr(rules.house, name, False)
    return elected not in _NOT_ELECTED if isinstance(elected, str) else bool(elected)


def _wagers_of(rules: Rules, name: str) -> list[WagerRule]:
    return [rule for rule in rules.wagers.values() if name in {rule.kind, rule.entry.offered}]


def wager_lines(rules: Rules, name: str, about: str) -> list[str]:
    """Return the lines of the rules about one subject, `about`, for one wager or for all under one election.

    >>> maryland = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
    >>> wager_lines(maryland, "fire", "limits")
    ['Fire Bet: $1.00 to $5.00, in steps of $1.00']
    """
    return [
        f"{rule.name}: {line.says}"
        for rule in _wagers_of(rules, name)
        if rule.is_offered
        for line in _terms(rules, rule)
        if line.about == about
    ]


def wager_basis(rules: Rules, name: str) -> list[tuple[str, int, int, list[tuple[int, str, str]]]]:
    """Return the limits and payouts, in figures, of one wager or of all under one election.

    >>> wager_basis(Rules.of("maryland", house={"side_wagers": {"fire": "A"}}), "fire")[0][3][-1]
    (6, 'win', '999:1')
    """
    return [
        (rule.kind, rule.min, rule.max, [(count, *_figures(line)) for count, line in sorted(rule.lines.items())])
        for rule in _wagers_of(rules, name)
        if rule.is_offered
    ]


def limits_basis(rules: Rules) -> list[tuple[str, int, int]]:
    """Return the minimum and maximum of every wager on offer, in cents."""
    return [(rule.kind, rule.min, rule.max) for rule in _wagers_on_offer(rules)]


def areas_basis(rules: Rules) -> list[tuple[str, list[tuple[int, str, str]]]]:
    """Return every wager on offer with its payouts in figures; limits are left out, as on a layout.

    >>> low, high = (Rules.of("maryland", house={"wager_cents_min": cents}) for cents in (500, 1000))
    >>> areas_basis(low) == areas_basis(high) and areas_basis(low)[0][0]
    'pass'
    """
    return [
        (rule.kind, [(count, *_figures(line)) for count, line in sorted(rule.lines.items())])
        for rule in _wagers_on_offer(rules)
    ]


def _figures(line: PaidLine) -> tuple[str, str]:
    pays = line.payout.pays if line.payout else None
    return line.result, f"{pays.pays}:{pays.to}{' for' if pays.is_for else ''}" if pays else ""


def _terms(rules: Rules, rule: WagerRule) -> Iterator[CitedLine]:
    """Yield what the rules say of a wager; of its pay tables only what the one in force pays."""
    for line in wager_terms(rules, rule):
        if not line.about.startswith("pay table"):
            yield line
        elif line.about.endswith(", in force") and not line.says.startswith("loses"):
            yield CitedLine("pays", line.says, line.clauses)


def rules_lines(rules: Rules, what: str) -> list[str]:
    """Return one of the things that a paper can say of the rules in force, line by line."""
    known = rules.memory_of(_LINES)  # a gate asks for every sign of a table
    lines = known.get(what)
    if lines is None:
        lines = known[what] = list(RULES_SOURCES[what](rules))
    return lines


def _wagers_on_offer(rules: Rules) -> Iterator[WagerRule]:
    return (rule for rule in rules.wagers.values() if rule.is_offered)


def _house(rules: Rules) -> Iterator[str]:
    yield f"{rules.house.name}: {rules.house.game.replace('_', ' ')}, {rules.rulebook.general.title}"


def _explanations(rules: Rules) -> Iterator[str]:
    for rule in _wagers_on_offer(rules):
        terms = (line for line in _terms(rules, rule) if line.about not in _PAID)
        yield f"{rule.name}: {'; '.join(f'{line.about} {line.says}' for line in terms)}"


def _in_points(rules: Rules) -> Iterator[str]:
    """Yield each wager as it is played with tournament chips: without amounts of money, which do not bind there."""
    for rule in _wagers_on_offer(rules):
        terms = (line for line in _terms(rules, rule) if line.about not in _PAID | _AMOUNTS)
        yield f"{rule.name}: {'; '.join(f'{line.about} {line.says}' for line in terms)}"


def _payouts(rules: Rules) -> Iterator[str]:
    for rule in _wagers_on_offer(rules):
        yield f"{rule.name} pays {full_pays(rules, rule)}"


def _areas(rules: Rules) -> Iterator[str]:
    yield from (rule.name for rule in _wagers_on_offer(rules))


def _limits(rules: Rules) -> Iterator[str]:
    house = rules.house
    yield f"the table: {amount_text(house.wager_cents_min)} to {amount_text(house.wager_cents_max)}"
    for rule in _wagers_on_offer(rules):
        if (rule.min, rule.max) != (house.wager_cents_min, house.wager_cents_max):
            yield f"{rule.name}: {amount_text(rule.min)} to {amount_text(rule.max)}"


def _of_section(rules: Rules, title: str) -> Iterable[CitedLine]:
    return next(section.lines for section in sections(rules) if section.title.startswith(title))


def _procedures(rules: Rules) -> Iterator[str]:
    for title in ("At the table", "Who does what"):
        lines = (line for line in _of_section(rules, title) if line.about not in _IRREGULAR)
        yield from (f"{line.about}: {line.says}" for line in lines)


def _irregularities(rules: Rules) -> Iterator[str]:
    lines = (line for line in _of_section(rules, "Who does what") if line.about in _IRREGULAR)
    yield from (f"{line.about}: {line.says}" for line in lines)


def _vigorish(rules: Rules) -> Iterator[str]:
    """Yield of each number when vigorish is taken: numbers of one wager may differ."""
    charged = [rule for rule in _wagers_on_offer(rules) if rule.vigorish]
    for rule in charged:
        assert rule.vigorish is not None
        for number in sorted(rule.numbers):
            yield f"{rule.name} {number_text(number)}: {vigorish_text(rule.vigorish, number)}"
    if not charged:
        yield "no vigorish is taken"


def _changed_odds(rules: Rules) -> Iterator[str]:
    found = [
        f"{rule.name} pays {line.says}"
        for rule in _wagers_on_offer(rules)
        for line in _terms(rules, rule)
        if line.about == "pays" and "the house's" in line.says
    ]
    yield from found or ["every payout is as listed"]


def _elections(rules: Rules) -> Iterator[str]:
    yield from (f"{line.about}: {line.says}" for line in _of_section(rules, "Elections"))


RULES_SOURCES: dict[str, Callable[[Rules], Iterator[str]]] = {
    "house": _house,
    "wagers": _explanations,
    "in_points": _in_points,
    "payouts": _payouts,
    "limits": _limits,
    "areas": _areas,
    "procedures": _procedures,
    "irregularities": _irregularities,
    "vigorish": _vigorish,
    "changed_odds": _changed_odds,
    "elections": _elections,
}
"""What a part of a paper can be made from, after `rules.`."""
