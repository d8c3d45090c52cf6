"""Elections: every one is bounded by words, numbers or names that the program knows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import get_args

from msgspec import convert

from passline.authority.roles import STICKPERSON, Role
from passline.rules.pages.dated import DAYS
from passline.rules.pages.structure import nearest_words
from passline.rules.schema import (
    BASES,
    ELECTIONS,
    MOMENTS,
    Composite,
    Election,
    Elective,
    Number,
    OddsWager,
    Rulebook,
    SideWager,
    VigorishEntry,
    WagerEntry,
    all_wagers,
    own_elections,
)

_ALL = 10_000
_DICE = 2
_MOST = 1_000_000_000  # as of any bound of an election
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_ALWAYS = (
    "smallest_chip_cents", "wager_cents_min", "wager_cents_max", "unpayable", "settlement", "no_roll_callers",
    STICKPERSON, "dice_set", "off_calls", "limit_notice_minutes",
)  # fmt: skip
_OF_ENTRIES = frozenset({  # elections that decide something only where an entry names them
    "hardways_on_come_out", "come_odds_on_come_out", "buy", "lay", "six_seven_eight", "horn_high_area", "whirl_area",
    "front_line_before_first_roll", "front_line_tips", "front_line_tips_whole_dollars", "front_line_tip_cents_max",
    "tip_wagers", "tokens",
})  # fmt: skip


def can_be_none(rulebook: Rulebook, key: str) -> bool:
    """Return whether a key is an election by which a wager is offered or not."""
    own = own_elections(rulebook).get(key)
    if own is not None:
        return set(own.choices) == {"none", "offered"}
    return key in rulebook.elections and key in ELECTIONS and "none" in ELECTIONS[key].words


def is_between(rulebook: Rulebook, key: str, *words: str | bool) -> bool:
    """Return whether a key is an election between some of these words, or between yes and no."""
    own = own_elections(rulebook).get(key)
    if own is not None:
        return bool(own.choices) and all(
            any(choice is word or choice == word for word in words) for choice in own.choices
        )
    return key in rulebook.elections and key in ELECTIONS and set(words) == set(ELECTIONS[key].words)


def is_switch(rulebook: Rulebook, key: str) -> bool:
    """Return whether a key is an election of yes or no."""
    own = own_elections(rulebook).get(key)
    if own is not None:
        return bool(own.choices) and all(isinstance(choice, bool) for choice in own.choices)
    return key in rulebook.elections and key in ELECTIONS and True in ELECTIONS[key].words


def is_amount(rulebook: Rulebook, key: str, unit: str) -> bool:
    """Return whether a key is an election that the rulebook declares of a number of this unit."""
    own = own_elections(rulebook).get(key)
    if own is None or own.unit != unit:
        return False
    return own.min is not None or (bool(own.choices) and all(type(choice) is int for choice in own.choices))


def _election_problems(rulebook: Rulebook, key: str, election: Election) -> Iterator[str]:
    """Yield the problems of the bounds of one election."""
    elective = ELECTIONS.get(key)
    if key in own_elections(rulebook):
        yield from _own_problems(key, election)
        return
    if election.label or election.unit or election.default is not None:
        yield "label, unit, default: are for elections that a rulebook declares itself; leave them out"
    if elective is None:  # the pay tables of a side wager, which the wager's own check compares
        if not election.choices or not all(isinstance(choice, str) for choice in election.choices):
            yield "choices: must be none and the names of pay tables"
        return
    if elective.words:
        yield from _choice_problems(elective, election)
    elif elective.picks:
        yield from _pick_problems(rulebook, elective, election)
    else:
        yield from _range_problems(elective, election)
    if election.same_as in rulebook.elections and ELECTIONS.get(election.same_as) != elective:
        yield f"same_as: {election.same_as} elects something else"
    if key == "dice_set" and election.min is not None and election.min < _DICE:
        yield f"min: {election.min} dice are not a set; a throw takes two"
    if election.same_as == key:
        yield "same_as: names the election itself"


def _own_problems(key: str, election: Election) -> Iterator[str]:
    """Yield the problems of an election that the rulebook declares itself."""
    if not _WORD.fullmatch(key):
        yield "is not a name: use small letters, digits and _, a letter first"
    if len({type(choice) for choice in election.choices}) > 1:
        yield "choices: must all be words, all be numbers, or be true and false"
    most = _ALL if election.unit == "basis_points" else _MOST
    if strange := [choice for choice in election.choices if type(choice) is int and not 0 <= choice <= most]:
        yield f"choices: {', '.join(map(str, strange))} must be from 0 to {most}"
    is_range = election.min is not None or election.max is not None
    is_number = is_range or any(type(choice) is int for choice in election.choices)
    if is_number != bool(election.unit):
        yield f"unit: {'is missing; say of what it is a number' if is_number else 'is for numbers; leave it out'}"
    if not is_range and election.default is not None:
        yield "default: is for a range; of choices the first is the default, and of names none"
    if is_range:
        yield from _own_range_problems(election)


def _own_range_problems(election: Election) -> Iterator[str]:
    yield from _range_problems(Elective(needs_max=election.unit == "basis_points"), election)
    least, most = election.min or 0, election.max
    if election.default is None:
        yield "default: is missing; say what holds where a house elects nothing"
    elif election.default < least or (most is not None and election.default > most):
        yield f"default: {election.default} is outside its own bounds"


def needed_elections(rulebook: Rulebook) -> dict[str, str]:
    """Return the known elections that a rulebook must bound, each with what in it makes the election matter."""
    wagers = all_wagers(rulebook)
    needed = dict.fromkeys(_ALWAYS, "every table has it")
    for kind in ("buy", "lay"):
        if getattr(wagers.get(kind), "vigorish", False) is True:
            keys = [f"{kind}_vigorish_{term}" for term in ("basis_points", "basis", "when", "won_on")]
            needed |= dict.fromkeys((key for key in keys if key in ELECTIONS), f"wagers.toml has vigorish on {kind}")
    causes = {
        "odds_excess": (any(isinstance(entry, OddsWager) for entry in wagers.values()), "there are odds"),
        "side_wagers_locked": (any(isinstance(entry, SideWager) for entry in wagers.values()), "there are side wagers"),
        "tip_position": (rulebook.general.tips is not None, "general.toml has tips"),
        "variations": (any(game.variation for game in rulebook.games.values()), "a game is a variation"),
    }
    return needed | {key: why for key, (is_needed, why) in causes.items() if is_needed}


def _older_election_problems(rulebook: Rulebook) -> Iterator[str]:
    """Yield the problems of the bounds that elections had before."""
    for key, election in rulebook.elections.items():
        versions = rulebook.versions.get(f"elections.{key}", ())
        for index, version in enumerate(version for version in versions if version.keys() - DAYS):
            older = convert(
                {"cite": election.cite, **{name: version[name] for name in version if name not in DAYS}}, Election
            )
            problems = [*_bounds_problems(older), *_election_problems(rulebook, key, older)]
            yield from (f"{key}.dated[{index}].{problem}" for problem in problems)


def _bounds_problems(election: Election) -> Iterator[str]:
    """Yield a problem where an election is not bounded in exactly one way."""
    is_range = election.min is not None or election.max is not None
    bounds = bool(election.choices) + is_range + (election.subset_of is not None)
    if bounds != 1:
        yield f"needs exactly one of choices, a range (min, max) or subset_of, has {bounds}"


def _unused_elections(rulebook: Rulebook) -> Iterator[str]:
    """Yield a problem for each election that has no effect because no entry of the rulebook names it."""
    general, wagers = rulebook.general, [*rulebook.wagers.items()]
    wagers += [item for game in rulebook.games.values() for item in game.wagers.items()]
    named = {medium.elect for medium in general.media.values()} | {general.tips.elect if general.tips else ""}
    for kind, entry in wagers:
        named |= {entry.offered, entry.make.elect, entry.come_out.elect if entry.come_out else ""}
        if isinstance(entry, SideWager) and entry.tips:
            named |= {entry.tips.elect, entry.tips.whole_dollars, entry.tips.cents_max}
        if isinstance(entry, Composite) and entry.breakdown:
            named.add(f"{kind}_area")
    named |= {need for rule in (general.listed_payouts, general.fixed_payouts) for need in rule.needs}
    named |= {term for _kind, entry in wagers for charge in _charges(entry) for term in _terms(charge)}
    for key in own_elections(rulebook):
        if key not in named:
            yield f"{key}: no entry of the rulebook names this election{nearest_words(key, ELECTIONS)}"
    for key in sorted(_OF_ENTRIES - named):
        election = rulebook.elections.get(key)
        if election is not None and (len(election.choices) > 1 or election.max != election.min):
            yield f"{key}: leaves the house a choice, but no entry of the rulebook names this election"


def _charges(entry: WagerEntry) -> tuple[VigorishEntry, ...]:
    charges = entry.vigorish if isinstance(entry, Number) else ()
    return charges if isinstance(charges, tuple) else ()


def _terms(charge: VigorishEntry) -> set[str]:
    return {str(term) for term in (charge.basis_points, charge.basis, charge.when, charge.cents_min)}


def charge_problems(rulebook: Rulebook, entry: Number) -> Iterator[str]:
    """Yield the problems of the vigorish that a rulebook writes out: numbers charged twice, terms that are none."""
    charges = _charges(entry)
    if entry.vigorish == ():
        yield "vigorish: is empty; leave it out"
    numbers = Counter(int(number) for charge in charges for number in charge.numbers or entry.numbers)
    if strange := sorted(set(numbers) - {int(number) for number in entry.numbers}):
        yield f"vigorish: the wager is not on {', '.join(map(str, strange))}"
    if twice := sorted(number for number, count in numbers.items() if count > 1):
        yield f"vigorish: {', '.join(map(str, twice))} have more than one charge"
    for index, charge in enumerate(charges):
        for key, words in (("basis", BASES), ("when", MOMENTS)):
            term = getattr(charge, key)
            if term not in words and not is_between(rulebook, term, *words):
                yield f"vigorish[{index}].{key}: {term} is not {' or '.join(words)}, nor an election between them"
        for key, unit in (("basis_points", "basis_points"), ("cents_min", "cents")):
            term = getattr(charge, key)
            if isinstance(term, str) and not is_amount(rulebook, term, unit):
                yield f"vigorish[{index}].{key}: {term} is not an election that has the unit {unit}"


def _choice_problems(elective: Elective, election: Election) -> Iterator[str]:
    known = [str(word).lower() if isinstance(word, bool) else word for word in elective.words]
    if not election.choices:
        yield f"choices: must be some of {', '.join(known)}"
    for choice in election.choices:
        if not any(choice is word or (isinstance(word, str) and choice == word) for word in elective.words):
            shown = str(choice).lower() if isinstance(choice, bool) else repr(choice)
            yield f"choices: {shown} is not one of {', '.join(known)}"


def _range_problems(elective: Elective, election: Election) -> Iterator[str]:
    if election.min is None:
        yield "min: is missing; an amount has a least value, 0 if nothing else is said"
    if election.max is None and elective.needs_max:
        yield "max: is missing; a rate of vigorish has a most value"
    elif elective.needs_max and election.max is not None and election.max > _ALL:
        yield f"max: {election.max} basis points are more than everything, {_ALL}"
    if election.min is not None and election.max is not None and election.min > election.max:
        yield f"min: {election.min} is above max, {election.max}"


def _pick_problems(rulebook: Rulebook, elective: Elective, election: Election) -> Iterator[str]:
    if election.subset_of is None:
        yield "subset_of: is missing; [] if the house may name none"
    wagers = all_wagers(rulebook)
    known = {
        "roles": set(get_args(Role)),
        "numbers": {str(number) for number in getattr(wagers.get("buy"), "numbers", ())},
        "side_wagers": {kind for kind, entry in wagers.items() if isinstance(entry, SideWager)},
        "variations": set(election.subset_of or ()),  # a regulation names its own
    }[elective.picks]
    for choice in election.subset_of or ():
        if choice not in known:
            hint = nearest_words(choice, sorted(known))
            yield f"subset_of: {choice!r} is not one of the {elective.picks.replace('_', ' ')}{hint}"


def elections_problems(rulebook: Rulebook) -> Iterator[str]:
    """Yield the problems of all elections: those that have no effect, are not known, missing or badly bounded."""
    elections = rulebook.elections
    yield from _unused_elections(rulebook)
    yield from _older_election_problems(rulebook)
    for key, why in needed_elections(rulebook).items():
        if key not in elections:
            yield f"{key}: is missing; {why}"
    for key, election in elections.items():
        unbounded = [f"{key}: {problem}" for problem in _bounds_problems(election)]
        yield from unbounded
        if not unbounded:
            yield from (f"{key}: {problem}" for problem in _election_problems(rulebook, key, election))
        if election.same_as and election.same_as not in elections:
            yield f"{key}: same_as: {election.same_as} is not an election"
        if isinstance(election.cite, dict):
            kind, dash, _what = key.partition("_vigorish_")  # citations of rate and basis differ by the moment elected
            moment = elections.get(f"{kind}_vigorish_when", election) if dash else election
            choices = {str(choice) for choice in moment.choices}
            if set(election.cite) != choices:
                yield f"{key}: cites {sorted(election.cite)} by choice; the choices are {sorted(choices)}"
