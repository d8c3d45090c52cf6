"""Elections: every one is bounded by words, numbers or names that the program knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec import convert

from passline.authority.roles import Role
from passline.rules.pages.structure import nearest_words
from passline.rules.schema import ELECTIONS, Composite, Election, Elective, Rulebook, SideWager, all_wagers

_ALL = 10_000
_DICE = 2
_OF_ENTRIES = frozenset({  # elections that decide something only where an entry names them
    "hardways_on_come_out", "come_odds_on_come_out", "buy", "lay", "six_seven_eight", "horn_high_area", "whirl_area",
    "front_line_before_first_roll", "front_line_tips", "front_line_tips_whole_dollars", "front_line_tip_cents_max",
    "tip_wagers", "tokens",
})  # fmt: skip


def is_elective(rulebook: Rulebook, key: str, *words: str) -> bool:
    """Return whether a key is an election between all of these words."""
    elective = ELECTIONS.get(key)
    return elective is not None and key in rulebook.elections and set(words) <= set(elective.words)


def is_switch(rulebook: Rulebook, key: str) -> bool:
    """Return whether a key is an election of yes or no."""
    return key in rulebook.elections and key in ELECTIONS and True in ELECTIONS[key].words


def _election_problems(rulebook: Rulebook, key: str, election: Election) -> Iterator[str]:
    """Yield the problems of the bounds of one election."""
    elective = ELECTIONS.get(key)
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


def _older_election_problems(rulebook: Rulebook) -> Iterator[str]:
    """Yield the problems of the bounds that elections had before."""
    for key, election in rulebook.elections.items():
        versions = rulebook.versions.get(f"elections.{key}", ())
        for index, version in enumerate(version for version in versions if len(version) > 1):
            older = convert(
                {"cite": election.cite, **{name: version[name] for name in version if name != "from"}}, Election
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
    for key in sorted(_OF_ENTRIES - named):
        election = rulebook.elections.get(key)
        if election is not None and (len(election.choices) > 1 or election.max != election.min):
            yield f"{key}: leaves the house a choice, but no entry of the rulebook names this election"


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
    side = {entry.offered for entry in all_wagers(rulebook).values() if isinstance(entry, SideWager)}
    yield from (f"{key}: is not an election" for key in elections if key not in ELECTIONS and key not in side)
    yield from (f"{key}: is missing" for key in ELECTIONS if key not in elections)
    for key, election in elections.items():
        unbounded = [f"{key}: {problem}" for problem in _bounds_problems(election)]
        yield from unbounded
        if not unbounded and (key in ELECTIONS or key in side):
            yield from (f"{key}: {problem}" for problem in _election_problems(rulebook, key, election))
        if election.same_as and election.same_as not in elections:
            yield f"{key}: same_as: {election.same_as} is not an election"
        if isinstance(election.cite, dict):
            kind, dash, _what = key.partition("_vigorish_")  # citations of rate and basis differ by the moment elected
            moment = elections.get(f"{kind}_vigorish_when", election) if dash else election
            choices = {str(choice) for choice in moment.choices}
            if set(election.cite) != choices:
                yield f"{key}: cites {sorted(election.cite)} by choice; the choices are {sorted(choices)}"
