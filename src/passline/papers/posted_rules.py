"""The posted rules of a house in plain words: every wager it deals, what it pays and may be, with the clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from passline.money import amount_text, cents_from, dollar_amount
from passline.rules.explain.live import live_lines
from passline.rules.explain.payouts import outcomes_paid
from passline.rules.explain.sections import Section, sections, wager_terms
from passline.rules.explain.wagers import CitedLine, amounts_taken
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Composite, SideWager

_GROUPS = {
    "line": "Line wagers",
    "odds": "Odds behind a line wager",
    "number": "Wagers on a number",
    "hardway": "Hardways",
    "one_roll": "Wagers on one roll",
    "composite": "Wagers of several parts on one roll",
}
_SIDE = "Side wagers"
_ELSEWHERE = {"pays", "limits", "offered", "original", "minimum", "maximum", "wagers", "window"}
_FIRST_ROLL = "first roll"
_SENTENCES = {
    _FIRST_ROLL: "On its first roll it {}",
    "made": "Made {}",
    "made, increased": "Made and increased {}",
    "wins": "Wins {}",
    "loses": "Loses {}",
    "removed": "May be removed {}",
    "increased": "May be increased {}",
    "come-out": "It {}",
    "settled as": "Settled as {}",
    "booked as": "Booked as {}",
    "settled": "Settled {}",
    "counts": "Counts {}",
    "steps": "Taken in steps of {}",
    "tips": "Tips are {}",
    "table limits": "As for the limits of the table, {}",
    "excess": "Odds above the multiple are {}",
}
_USUAL = {
    "removed": "removal",
    "come-out": "working",
}  # what holds unless a wager's terms differ, by its line of the game
_TITLES = {
    "removal": "taking wagers down",
    "working": "working wagers",
    "calls": "calls of on and off",
    "listed payouts": "payouts",
    "fixed payouts": "buy, lay and odds",
    "unpayable": "amounts",
    "parts": "wagers of parts",
    "tips": "wagers for the crew",
}
_FOR_PLAYERS = {_FIRST_ROLL, "wins", "come-out"}
_OF_THE_CREW = {"surveillance", "marker", "lies", "chips"}
_ANY_AMOUNT = "any amount"
_ELECTED = re.compile(r" \([^()]* elected\)")  # by which election
_AMOUNT = re.compile(r"\$\d+\.\d\d")


class PostedWager(Struct, frozen=True, kw_only=True):
    """One wager: how it is made and decided, what it pays on what, and how much it may be."""

    kind: str
    name: str
    how: str
    wins: str  # only when it wins, and whether it rests on a come-out roll
    pays: tuple[tuple[str, str], ...]  # each payout, and all that it is paid on; empty: on every win
    is_by_part: bool  # whether only the part that wins is paid so
    limits: str
    clauses: tuple[str, ...]


def posted_wagers(rules: Rules) -> dict[str, list[PostedWager]]:
    """Return the wagers that a house deals, by the title of their sort.

    >>> pass_line = posted_wagers(Rules.of("maryland"))["Line wagers"][0]
    >>> pass_line.name, pass_line.pays, pass_line.limits
    ('Pass Bet', (('1 to 1', ''),), '$5 to $5,000')
    >>> pass_line.how.partition(". ")[0]
    'Made before a come-out roll'
    """
    titles: dict[str, list[PostedWager]] = {title: [] for title in (*_GROUPS.values(), _SIDE)}
    usual = frozenset(line.clauses for line in _of(sections(rules), "The game") if line.about in _USUAL.values())
    for rule in rules.wagers.values():
        if rule.is_offered:
            title = _SIDE if isinstance(rule.entry, SideWager) else _GROUPS[rule.family]
            titles[title].append(_wager(rules, rule, usual))
    return {title: wagers for title, wagers in titles.items() if wagers}


def posted_game(rules: Rules) -> Iterator[CitedLine]:
    """Yield what holds for every wager, without what concerns the table and the crew only."""
    parts, at_tables = sections(rules), set(live_lines(rules.rulebook.general.live))
    lines = [line for line in _of(parts, "The game") if line not in at_tables and line.about not in _ELSEWHERE]
    for line in _merge(lines):
        yield CitedLine(_TITLES.get(line.about, line.about), line.says, line.clauses)
    for line in _merge(_of(parts, "What may be wagered")):
        about = "call wagers" if line.about == "call" else f"wagers in {line.about}"
        yield CitedLine(about, line.says, line.clauses)


def posted_procedures(rules: Rules) -> Iterator[CitedLine]:
    """Yield how the game is dealt, and who does what."""
    parts = sections(rules)
    return _merge(line for title in ("At the table", "Who does what") for line in _of(parts, title))


def limits_text(rules: Rules, rule: WagerRule) -> str:
    """Return the least and the most that a wager may be; of odds, the multiples of their original wager.

    >>> maryland = Rules.of("maryland")
    >>> limits_text(maryland, maryland.wagers["hardway"])
    '$1 to $1,000'
    """
    if rule.behind:
        return short_amounts(next(line.says for line in wager_terms(rules, rule) if line.about == "limits"))
    return short_amounts(amounts_taken(rules, rule))


def short_amounts(text: str) -> str:
    """Return a text with its amounts shortened as on printed signs.

    >>> short_amounts("$5.00 to $5000.00, in steps of $0.50")
    '$5 to $5,000, in steps of $0.50'
    """
    return _AMOUNT.sub(lambda found: dollar_amount(cents_from(found[0]), is_grouped=True), text)


def _wager(rules: Rules, rule: WagerRule, usual: frozenset[tuple[str, ...]]) -> PostedWager:
    """Return a wager as it is posted; what it shares with all others, by its clauses, is told once for the game."""
    terms = [line for line in wager_terms(rules, rule) if line.about not in _OF_THE_CREW and not _is_other_table(line)]
    said = [line for line in terms if line.about not in _ELSEWHERE and not line.about.startswith("pay table")]
    chip = f"{amount_text(rules.chip)}"
    told = [
        line
        for line in said
        if not (line.about in _USUAL and line.clauses in usual) and not (line.about == "steps" and line.says == chip)
    ]
    return PostedWager(
        kind=rule.kind,
        name=rule.name,
        how=" ".join(_sentences(told)),
        wins=_ELECTED.sub("", " ".join(_sentences(line for line in told if line.about in _FOR_PLAYERS))),
        pays=tuple((pays, ", ".join(filter(None, on))) for pays, on in outcomes_paid(rules, rule).items()),
        is_by_part=isinstance(rule.entry, Composite),
        limits=limits_text(rules, rule),
        clauses=tuple(dict.fromkeys(clause for line in terms for clause in line.clauses)),
    )


def _is_other_table(line: CitedLine) -> bool:
    """Return whether a line is about a pay table or a reading that is not in force."""
    return line.about.startswith(("pay table", "reading")) and not line.about.endswith(", in force")


def _sentences(lines: Iterable[CitedLine]) -> Iterator[str]:
    """Yield the terms of a wager as sentences, those about one thing as one."""
    merged = list(_merge(lines))
    has_first = any(line.about == _FIRST_ROLL for line in merged)
    for line in merged:
        template = _SENTENCES.get(line.about, f"{line.about.capitalize()}: {{}}")
        if has_first and line.about in {"wins", "loses"}:
            template = "After that it wins {}" if line.about == "wins" else "It loses {}"
        if line.says.startswith(("never", _ANY_AMOUNT)):
            template = "Taken for {}" if line.about == "steps" else f"{line.about.capitalize()}: {{}}"
        yield f"{short_amounts(template.format(line.says))}."


def _of(parts: Iterable[Section], title: str) -> Iterable[CitedLine]:
    return next(part.lines for part in parts if part.title.startswith(title))


def _merge(lines: Iterable[CitedLine]) -> Iterator[CitedLine]:
    """Yield lines about one thing as one."""
    merged: dict[str, list[CitedLine]] = {}
    for line in lines:
        merged.setdefault(line.about, []).append(line)
    for about, alike in merged.items():
        clauses = dict.fromkeys(clause for line in alike for clause in line.clauses)
        says = short_amounts("; ".join(_said_once(line.says for line in alike)).replace(":; ", ": ").rstrip("."))
        yield CitedLine(about, says, tuple(clauses))


def _said_once(says: Iterable[str]) -> Iterator[str]:
    """Yield texts, each without the words before its colon where the one before it has the same."""
    texts = list(says)
    yield from texts[:1]
    for before, text in pairwise(texts):
        lead, colon, rest = text.partition(": ")
        yield rest if colon and before.startswith(f"{lead}: ") else text
