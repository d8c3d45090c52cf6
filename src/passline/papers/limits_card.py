"""The limits card of a table: the placard with the minimum, the maximum, the odds and what every wager pays."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from passline.dice import number_text
from passline.layout.printed import inscription
from passline.money import dollar_amount
from passline.papers.posted_rules import PostedWager, posted_rules, short_amounts
from passline.rules.explain.paper_head import shortened_clauses
from passline.rules.explain.payouts import vigorish_text
from passline.rules.explain.wagers import odds_most_text
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import OddsWager, SideWager, cites_of

__all__ = ["CardGroup", "CardRow", "LimitsCard", "limits_card"]

_OUTCOMES_MAX = 12  # a longer list of outcomes has no room in a row


class CardRow(Struct, frozen=True):
    """One wager: its name, the least and the most that it may be, and what it pays."""

    kind: str
    name: str
    least: str
    most: str
    pays: str


class CardGroup(Struct, frozen=True):
    """Wagers of one sort."""

    title: str
    rows: tuple[CardRow, ...]


class LimitsCard(Struct, frozen=True):
    """What the card says: the table's limits, the odds in multiples, the wagers, and notes with the clauses."""

    least: str
    most: str
    odds: tuple[tuple[str, str], ...]  # each multiple, and the points it is taken on
    groups: tuple[CardGroup, ...]
    notes: tuple[str, ...]
    clauses: tuple[str, ...]


def limits_card(rules: Rules) -> LimitsCard:
    """Return the limits card of a house.

    >>> card = limits_card(Rules.of("maryland"))
    >>> card.least, card.most, card.odds
    ('$5', '$5,000', (('3x', '4, 10'), ('4x', '5, 9'), ('5x', '6, 8')))
    >>> card.groups[0].rows[0]
    CardRow(kind='pass', name='Pass Line', least='$5', most='$5,000', pays='1 to 1')
    """
    house, limits = rules.house, rules.rulebook.general.limits
    multiples: dict[int, list[str]] = {}
    for point, multiple in house.odds.items():
        multiples.setdefault(multiple, []).append(point)
    posted = posted_rules(rules).groups
    clauses = [*cites_of(limits.min.cite), *cites_of(limits.max.cite), *_odds_clauses(rules), *_posting(rules)]
    return LimitsCard(
        least=dollar_amount(house.wager_cents_min, is_grouped=True),
        most=dollar_amount(house.wager_cents_max, is_grouped=True),
        odds=tuple((f"{multiple}x", ", ".join(points)) for multiple, points in sorted(multiples.items())),
        groups=tuple(
            CardGroup(group.title, tuple(_row(rules, rules.wagers[one.kind], one) for one in group.wagers))
            for group in posted
        ),
        notes=tuple(_notes(rules)),
        clauses=shortened_clauses(clauses),
    )


def _odds_clauses(rules: Rules) -> Iterator[str]:
    for rule in rules.wagers.values():
        if isinstance(rule.entry, OddsWager):
            yield from cites_of(rule.entry.limit.cite)


def _posting(rules: Rules) -> tuple[str, ...]:
    """Return the clauses that have the limits posted at the table, if the regulation has such."""
    posted = rules.rulebook.general.live.posted
    return cites_of(posted.cite) if posted else ()


def _row(rules: Rules, rule: WagerRule, posted: PostedWager) -> CardRow:
    least, most = (_by_number(rules, rule, is_most=is_most) for is_most in (False, True))
    if isinstance(rule.entry, OddsWager):
        limits = rules.rulebook.general.limits
        least = "any" if limits.odds_outside_min else least
        most = _most_odds(rules, rule.entry)
    return CardRow(rule.kind, rule.display_name(), least, most, _pays(rules, rule, posted))


def _by_number(rules: Rules, rule: WagerRule, *, is_most: bool) -> str:
    """Return the least or the most that is taken and can be paid exactly, with the numbers where it is another."""
    by_cents: dict[int, list[str]] = {}
    for number in sorted(rule.numbers):
        least, most = rules.least_taken(rule, number), rules.most_taken(rule, number)
        taken = 0 if least > most and not rule.behind else most if is_most else least
        by_cents.setdefault(taken, []).append(number_text(number))
    (first, _numbers), *others = sorted(by_cents.items(), reverse=is_most)
    more = (f"{_amount(cents)} on {', '.join(on)}" for cents, on in others)
    return "; ".join([_amount(first), *more])


def _amount(cents: int) -> str:
    return dollar_amount(cents, is_grouped=True) if cents else "none"


def _most_odds(rules: Rules, entry: OddsWager) -> str:
    is_to_win, caps = entry.limit.on != "stake", short_amounts(odds_most_text(rules, entry))
    multiples = "-".join(map(str, sorted(set(rules.house.odds.values()))))
    most = f"{multiples}x to win" if is_to_win else f"{multiples}x"
    return f"{most}{', with' if is_to_win else ''} up to {caps}" if caps else most


def _pays(rules: Rules, rule: WagerRule, posted: PostedWager) -> str:
    if any(on.count(",") >= _OUTCOMES_MAX for _pays, on in posted.pays):
        return ", ".join(inscription(rules, rule.kind).notes)
    if len(posted.pays) == 1 and not isinstance(rule.entry, SideWager):
        return posted.pays[0][0]
    return "; ".join(f"{pays} on {on}" for pays, on in posted.pays)


def _notes(rules: Rules) -> Iterator[str]:
    """Yield what the rows have no room for."""
    charged: dict[str, list[str]] = {}
    for rule in rules.wagers.values():
        if rule.is_offered and rule.vigorish:
            charged.setdefault(vigorish_text(rule.vigorish), []).append(rule.display_name())
    for text, names in charged.items():
        yield f"Vigorish on {' and '.join(names)}: {text}."
    if any(rule.is_offered and rule.parts for rule in rules.wagers.values()):
        yield "A wager of several parts is paid on the part that wins; the others lose."
    odds = [rule.entry.limit for rule in rules.wagers.values() if isinstance(rule.entry, OddsWager)]
    if odds:
        won = "; where they are laid, of what they can win" if any(one.on != "stake" for one in odds) else ""
        yield f"Odds are in multiples of the original wager{won}."
    unpayable = "paid up to the next whole chip" if rules.house.unpayable == "round_up" else "refused"
    chip = dollar_amount(rules.chip, is_grouped=True)
    yield f"The smallest chip is {chip}: an amount that it cannot pay exactly is {unpayable}."
