"""What differs between two houses of one regulation, in sentences for a player and for a dealer, with the clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct, to_builtins

from passline.errors import CrapsError
from passline.papers.posted_rules import limits_text, short_amounts
from passline.rules.elections import as_filed, election_of
from passline.rules.explain.election_form import elected_text, election_fields
from passline.rules.explain.paper_head import shortened_clauses
from passline.rules.explain.payouts import outcomes_paid
from passline.rules.explain.sections import Section, sections, wager_terms
from passline.rules.explain.wagers import CitedLine, words
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import cites_of

_LIMITS = "limits"
_LIMIT_ELECTIONS = {
    "wager_cents_min",
    "wager_cents_max",
    "limits",
    "odds",
}  # whose sentences limits of wagers say better
_SAID = {  # about a wager: what a player is told, and what a dealer does
    _LIMITS: ("{wagers}: {new}; before, {old}", "{wagers}: {new}; before, {old}"),
    "vigorish": ("Vigorish on {wagers}: {new}; before, {old}", "Take vigorish on {wagers}: {new}; no longer {old}"),
    "steps": (
        "{wagers}: taken in steps of {new}; before, of {old}",
        "Take {wagers} in steps of {new}, no longer of {old}",
    ),
    "come-out": ("{wagers} {new}; before, it {old}", "{wagers} {new}; before, it {old}"),
    "excess": (
        "{wagers}: what is above the multiple is {new}; before, it was {old}",
        "{wagers}: what is above the multiple is {new}; before, it was {old}",
    ),
}
_OTHERWISE = "{wagers}, {about}: {new}; before, {old}"
_CREW_ONLY = {"booked as", "marker", "surveillance", "lies", "chips"}
_TOLD_ELSEWHERE = {"pays", "offered", "original", "limits"}
_IN_LIMITS = {"minimum", "maximum", "house", "game", "wagers"}
_BOTH = ("The game", "The variation", "What may be wagered", "At the table")
_DEALER = ("Who does what", "Duties")
_NOTHING = "nothing"
_ELECTED = re.compile(r" \([^()]* elected\)")  # by which election, which is told apart


class Told(Struct, frozen=True):
    """One sentence, and the clauses it rests on."""

    says: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.says}. [{', '.join(self.clauses)}]" if self.clauses else f"{self.says}."


class ElectionChange(Struct, frozen=True):
    """One election that differs."""

    key: str
    label: str
    before: str
    after: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.label}: {self.after}; before, {self.before}. [{', '.join(self.clauses)}]"


class HouseDifferences(Struct, frozen=True):
    """What differs: the elections, and what comes of them for everybody, for a player and for a dealer."""

    elections: tuple[ElectionChange, ...]
    limits: tuple[Told, ...]
    player: tuple[Told, ...]
    dealer: tuple[Told, ...]

    @property
    def is_dealt_alike(self) -> bool:
        """Whether neither a player nor a dealer notices a difference."""
        return not (self.limits or self.player or self.dealer)

    @property
    def other_elections(self) -> tuple[ElectionChange, ...]:
        """The elections whose outcome the limits do not say already, so that a limit is told once."""
        said = _LIMIT_ELECTIONS if self.limits else set()
        return tuple(change for change in self.elections if change.key.partition(".")[0] not in said)


def house_differences(before: Rules, after: Rules) -> HouseDifferences:
    """Return what differs between two houses of one regulation.

    >>> higher = Rules.of("maryland", house={"wager_cents_min": 10_00})
    >>> found = house_differences(Rules.of("maryland"), higher)
    >>> [str(line) for line in found.elections]
    ['Table minimum: $10; before, $5. [MD-3.B.1]']
    """
    if before.rulebook.name != after.rulebook.name:
        names = f"{before.rulebook.name} and {after.rulebook.name}"
        raise CrapsError(f"houses of {names}: two regulations are compared by passline rulebook diff")
    limits, player, dealer = list[Told](), list[Told](), list[Told]()
    for for_player, for_dealer in (*_offers(before, after), *_payouts(before, after), *_terms(before, after, limits)):
        player += for_player
        dealer += for_dealer
    parts = sections(before), sections(after)
    for title in (*_BOTH, *_DEALER):
        told = list(_section(*parts, title))
        player += told if title in _BOTH else [line for line in told if line.says.startswith("shooter")]
        dealer += told
    return HouseDifferences(tuple(_elections(before, after)), tuple(limits), tuple(player), tuple(dealer))


_Both = tuple[list[Told], list[Told]]  # for a player, for a dealer


def _elections(before: Rules, after: Rules) -> Iterator[ElectionChange]:
    told = {"game"}
    if before.house.game != after.house.game:
        was, now = (rules.house.game.replace("_", " ") for rules in (before, after))
        clauses = shortened_clauses(cites_of(before.rulebook.general.closed_list.cite))
        yield ElectionChange("game", "Game", was, now, clauses)
    sign = after.rulebook.general.currency
    old = {field.key: elected_text(field, sign) for field in election_fields(before)}
    for field in election_fields(after):
        elected, earlier = elected_text(field, sign), old.get(field.key, _NOTHING)
        if elected != earlier:
            told.add(field.key.partition(".")[0])
            yield ElectionChange(field.key, field.label, earlier, elected, shortened_clauses(field.clauses))
    yield from _in_the_files(before, after, told)


def _in_the_files(before: Rules, after: Rules, told: set[str]) -> Iterator[ElectionChange]:
    """Yield each differing entry of the house files that no sentence has told already."""
    fields = {field.key: field for field in election_fields(after)}
    was, now = (to_builtins(as_filed(rules.house)) for rules in (before, after))
    for key in sorted({*was, *now} - told):
        old, new = (dict(_entries(page.get(key), key)) for page in (was, now))
        field = fields.get(key)
        clauses = shortened_clauses(field.clauses if field else cites_of(election_of(after.rulebook, key).cite))
        for path in dict.fromkeys((*old, *new)):
            first, second = old.get(path, _NOTHING), new.get(path, _NOTHING)
            if first != second:
                entry = ", ".join(map(words, path.split(".")[1:]))
                label = ", ".join(filter(None, (field.label if field else words(key).capitalize(), entry)))
                yield ElectionChange(path, label, first, second, clauses)


def _entries(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Yield every entry of a part of a house file by its path."""
    if isinstance(value, dict):
        for key, nested in value.items():
            yield from _entries(nested, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        yield path, ", ".join(map(str, value)) or _NOTHING
    elif value is not None:
        yield path, str(value).rstrip(".")


def _pairs(before: Rules, after: Rules) -> Iterator[tuple[WagerRule | None, WagerRule | None]]:
    """Yield each wager of both houses, before and after; None where a house does not offer it."""
    for kind in dict.fromkeys((*before.wagers, *after.wagers)):
        pair = (rules.wagers.get(kind) for rules in (before, after))
        old, new = (rule if rule and rule.is_offered else None for rule in pair)
        if old or new:
            yield old, new


def _offers(before: Rules, after: Rules) -> Iterator[_Both]:
    for old, new in _pairs(before, after):
        if new and not old:
            clauses = _clauses_about(wager_terms(after, new), {"offered", "made", "made, increased", "pays"})
            pays = "; ".join(_payouts_of(after, new))
            text = f"{new.name} is offered: {limits_text(after, new)}, paid {pays}"
            yield [Told(text, clauses)], [Told(f"Deal {new.name}: {limits_text(after, new)}, paid {pays}", clauses)]
        elif old and not new:
            clauses = _clauses_about(wager_terms(before, old), {"offered", "made", "made, increased"})
            yield [Told(f"{old.name} is no longer offered", clauses)], [Told(f"Take no {old.name}", clauses)]


def _payouts_of(rules: Rules, rule: WagerRule) -> Iterator[str]:
    for pays, on in outcomes_paid(rules, rule).items():
        yield f"{pays} on {', '.join(on)}" if any(on) else pays


def _clauses_about(lines: Iterable[CitedLine], about: set[str]) -> tuple[str, ...]:
    return shortened_clauses(clause for line in lines if line.about in about for clause in line.clauses)


def _payouts(before: Rules, after: Rules) -> Iterator[_Both]:
    """Yield each payout that differs, with all outcomes that it is paid on."""
    for old, new in _pairs(before, after):
        if not (old and new):
            continue
        was, now = (_by_outcome(rules, rule) for rules, rule in ((before, old), (after, new)))
        changed: dict[tuple[str, str], list[str]] = {}
        for on in dict.fromkeys((*was, *now)):
            if was.get(on) != now.get(on):
                changed.setdefault((was.get(on, _NOTHING), now.get(on, _NOTHING)), []).append(on)
        lines = (*wager_terms(before, old), *wager_terms(after, new))
        clauses = _clauses_about(
            lines, {"pays", "settled as", *(line.about for line in lines if _is_in_force(line.about))}
        )
        for (first, second), outcomes in changed.items():
            on = f" on {', '.join(outcomes)}" if any(outcomes) else ""
            yield (
                [Told(f"{new.name}{on} pays {second}; before, it paid {first}", clauses)],
                [Told(f"Pay {new.name}{on} at {second}, no longer at {first}", clauses)],
            )


def _is_in_force(about: str) -> bool:
    return about.startswith("pay table") and about.endswith("in force")


def _by_outcome(rules: Rules, rule: WagerRule) -> dict[str, str]:
    return {on: pays for pays, outcomes in outcomes_paid(rules, rule).items() for on in outcomes}


def _terms(before: Rules, after: Rules, limits: list[Told]) -> Iterator[_Both]:
    """Yield each other term that differs, once for all wagers that it differs for alike; add limits to `limits`."""
    alike: dict[tuple[str, str, str], list[tuple[str, tuple[str, ...]]]] = {}
    for old, new in _pairs(before, after):
        if not (old and new):
            continue
        was, now = _by_about(before, old), _by_about(after, new)
        for about in dict.fromkeys((*was, *now)):
            first, second = was.get(about, (_NOTHING, ())), now.get(about, (_NOTHING, ()))
            if first[0] != second[0] and not _is_only_amounts(about, first[0], second[0]):
                clauses = tuple(dict.fromkeys((*first[1], *second[1])))
                alike.setdefault((about, first[0], second[0]), []).append((new.name, clauses))
    for (about, was_text, now_text), found in alike.items():
        texts = {"wagers": ", ".join(name for name, _ in found), "about": about, "old": was_text, "new": now_text}
        cited = shortened_clauses(clause for _, clauses in found for clause in clauses)
        player, dealer = (
            Told(sentence.format(**texts), cited) for sentence in _SAID.get(about, (_OTHERWISE, _OTHERWISE))
        )
        if about == _LIMITS:
            limits.append(player)
        else:
            yield [] if about in _CREW_ONLY else [player], [dealer]


def _is_only_amounts(about: str, old: str, new: str) -> bool:
    """Return whether a line about odds and the table's limits only repeats amounts that other wagers' lines have."""
    return about == "table limits" and re.sub(r"[$\d,.]", "", old) == re.sub(r"[$\d,.]", "", new)


def _by_about(rules: Rules, rule: WagerRule) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the terms of a wager by what they are about; its limits as they are posted."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for line in wager_terms(rules, rule):
        if line.about in _TOLD_ELSEWHERE - {"limits"} or line.about.startswith("pay table"):
            continue
        says = limits_text(rules, rule) if line.about == "limits" else _ELECTED.sub("", short_amounts(line.says))
        text, clauses = found.get(line.about, ("", ()))
        found[line.about] = ("; ".join(filter(None, (text, says))), (*clauses, *line.clauses))
    return found


def _section(before: Iterable[Section], after: Iterable[Section], title: str) -> Iterator[Told]:
    was, now = (_about_in(parts, title) for parts in (before, after))
    for about in dict.fromkeys((*was, *now)):
        first, second = was.get(about, (_NOTHING, ())), now.get(about, (_NOTHING, ()))
        if first[0] != second[0] and about not in _IN_LIMITS:
            clauses = shortened_clauses((*first[1], *second[1]))
            yield Told(f"{about}: {second[0]}; before, {first[0]}", clauses)


def _about_in(parts: Iterable[Section], title: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for line in (line for part in parts if part.title.startswith(title) for line in part.lines):
        text, clauses = found.get(line.about, ("", ()))
        found[line.about] = ("; ".join(filter(None, (text, short_amounts(line.says)))), (*clauses, *line.clauses))
    return found
