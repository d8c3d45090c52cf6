"""Wagers of the standard game: terms that cannot hold, payouts that cannot come, parts that do not add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from passline.dice import OUTCOMES
from passline.rules.checks.elections import is_elective, is_switch
from passline.rules.schema import (
    ELECTIONS,
    Composite,
    Hand,
    Hardway,
    Line,
    Make,
    Number,
    OddsWager,
    OneRoll,
    PaysEntry,
    Rulebook,
    SideWager,
    WagerEntry,
)

__all__ = ["payout_problems", "wager_term_problems"]

_PAIRS = frozenset(roll.pair for roll in OUTCOMES)
_HARD = frozenset({4, 6, 8, 10})
_SELECTORS = ("numbers", "totals", "dice")


def wager_term_problems(rulebook: Rulebook, wagers: dict[str, WagerEntry], kind: str) -> Iterator[str]:
    """Yield the problems of one wager of a game, except those of its payouts and totals."""
    entry = wagers[kind]
    yield from _time_problems(rulebook, entry)
    yield from _missing_terms(entry)
    yield from _other_elections(rulebook.wagers.get(kind, entry), entry)
    is_odd = entry.offered in rulebook.elections and not is_elective(rulebook, entry.offered, "none")
    if is_odd and not isinstance(entry, SideWager):
        yield f"offered: {entry.offered} is not an election that can be none"
    if not (isinstance(entry, OneRoll) and entry.numbers):
        lines = (number for line in getattr(entry, "pays", ()) for number in line.numbers)
        for number in (*getattr(entry, "numbers", ()), *lines):
            if isinstance(number, str):
                yield f"numbers: {number!r} must be a total, without quotes"
    if isinstance(entry, Number):
        yield from _vigorish_problems(rulebook, kind, entry)
    if isinstance(entry, OddsWager):
        yield from _odds_term_problems(wagers, entry)
    if isinstance(entry, Hardway) and not set(entry.numbers) <= _HARD:
        yield f"numbers: {', '.join(map(str, entry.numbers))}: only 4, 6, 8 and 10 come hard and easy"
    if isinstance(entry, Composite):
        yield from _breakdown_problems(rulebook, wagers, kind, entry)
    if isinstance(entry, Hardway | OneRoll | Composite) and entry.centre is None:
        yield "centre: is missing; say whether the wager is in the centre of the layout"


def _other_elections(usual: WagerEntry, entry: WagerEntry) -> Iterator[str]:
    """Yield a problem if a game's own entry of a wager gives the house other choices than the usual entry."""
    if usual.offered != entry.offered or _come_out_election(usual) != _come_out_election(entry):
        yield "offered, come_out.elect: a game's own entry names the same elections as that of wagers.toml"


def _come_out_election(entry: WagerEntry) -> str:
    return entry.come_out.elect if entry.come_out else ""


def _time_problems(rulebook: Rulebook, entry: WagerEntry) -> Iterator[str]:
    make, come_out = entry.make, entry.come_out
    if not isinstance(entry, SideWager):
        yield from _heedless_windows(rulebook, make)
    if make.elect and make.elect in rulebook.elections and not is_switch(rulebook, make.elect):
        yield f"make.elect: {make.elect} is not an election of yes or no"
    if make.or_when and make.or_when == make.when:
        yield "make.or_when: is the same as when; leave it and elect out"
    if come_out and come_out.elect in rulebook.elections and not is_elective(rulebook, come_out.elect, "on", "off"):
        yield f"come_out.elect: {come_out.elect} is not an election of on or off"
    if come_out and not come_out.elect and come_out.call == ("on" if come_out.works else "off"):
        yield f"come_out.call: the wager is {come_out.call} already; only the other call changes anything"
    if come_out and not come_out.call and (come_out.elect or not come_out.works):
        yield 'come_out.call: is missing; write "on" if its player may call the wager on, else "none"'


def _heedless_windows(rulebook: Rulebook, make: Make) -> Iterator[str]:
    """Yield a problem if a wager of the standard game names a window: windows apply to side wagers only."""
    if make.when in rulebook.general.windows and make.when not in {"come_out", "point", "any"}:
        yield f"make.when: {make.when} is for side wagers; write come_out, point or any"
    if make.or_when and make.elect:
        yield "make.or_when: is for side wagers; leave it and elect out"


def _missing_terms(entry: WagerEntry) -> Iterator[str]:
    """Yield a problem for each term that the family requires and is missing, or that has no effect in it."""
    if entry.come_out is None and isinstance(entry, Number | Hardway):
        yield "come_out: is missing; say whether the wager works on a come-out roll"
    if isinstance(entry, Line) and entry.remove is None:
        yield "remove: is missing; say until when the wager may come down"
    if isinstance(entry, Line) and bool(entry.moves) != (entry.make.when == "point"):
        yield "moves: must be given for a line wager made while the puck is ON, and only for one"
    for key in ("remove", "increase"):
        rule = getattr(entry, key)
        if rule and rule.until == "point" and not isinstance(entry, Line):
            yield f"{key}.until: point is for line wagers, which set one"
        if rule and rule.until == "initial_point" and not (isinstance(entry, Hand) and key == "remove"):
            yield f"{key}.until: initial_point is for the removal of wagers that count over a hand"


def _vigorish_problems(rulebook: Rulebook, kind: str, entry: Number) -> Iterator[str]:
    rate = rulebook.elections.get(f"{kind}_vigorish_basis_points")
    if rate and rate.max and not entry.vigorish:
        yield f"vigorish: is missing, though the house elects its rate ({kind}_vigorish_basis_points)"
    if entry.vigorish:
        needed = [f"{kind}_vigorish_{what}" for what in ("basis_points", "basis", "when")]
        if rate is not None:
            yield from (f"vigorish: no house can elect {key}" for key in needed if key not in ELECTIONS)


def _odds_term_problems(wagers: dict[str, WagerEntry], entry: OddsWager) -> Iterator[str]:
    base, limit = wagers.get(entry.behind), entry.limit
    if entry.make.when != "any":
        yield f"make.when: {entry.make.when} says nothing; odds are made while the wager they are behind is on a point"
    stays = isinstance(base, Number) or (isinstance(base, Line) and base.moves and base.win.on == "number")
    if stays and entry.come_out is None:
        yield "come_out: is missing; say whether the odds work on a come-out roll"
    if isinstance(base, Line | Number) and (base.win.on, base.lose.on) != (entry.win.on, entry.lose.on):
        yield f"win, lose: odds are decided like the wager they are behind, {entry.behind}"
    if isinstance(base, Number) and not set(entry.numbers) <= set(base.numbers):
        yield f"numbers: {entry.behind} is not on all of them"
    if limit.multiple_max and limit.multiple_min > limit.multiple_max:
        yield f"limit.multiple_min: {limit.multiple_min} is above multiple_max, {limit.multiple_max}"
    if limit.multiple_max and not limit.multiple_min:
        yield "limit.multiple_min: is missing; a most multiple goes with the least that a house must allow"
    if not (limit.multiple_max or limit.cents_max):
        yield "limit: needs multiple_max or cents_max"


def _breakdown_problems(
    rulebook: Rulebook, wagers: dict[str, WagerEntry], kind: str, entry: Composite
) -> Iterator[str]:
    """Yield a problem if the wagers of a breakdown do not add up to the parts of the composite wager."""
    if not entry.parts.units:
        yield "parts.units: is empty"
    if entry.breakdown is None:
        area = rulebook.elections.get(f"{kind}_area")
        if area and False in area.choices:
            yield f"breakdown: is missing, though the layout may have no area for the wager ({kind}_area)"
        return
    if not entry.breakdown.units:
        yield "breakdown.units: is empty"
        return
    whole, booked = _shares(wagers, entry.parts.units), _shares(wagers, entry.breakdown.units)
    if whole != booked and None not in (whole, booked):
        told = ", ".join(f"{units} {part}" for part, units in entry.breakdown.units.items())
        yield f"breakdown.units: {told} are not the parts of the wager; a part is missing, too many or too large"


def _shares(wagers: dict[str, WagerEntry], units: dict[str, int]) -> dict[str, Fraction] | None:
    """Return the share of each simple wager in some units; None if the game does not have one of them."""
    shares: Counter[str] = Counter()
    total = sum(units.values())
    for part, count in units.items():
        inner = wagers.get(part)
        if part != "high" and (inner is None or count < 1):
            return None
        split = _shares(wagers, inner.parts.units) if isinstance(inner, Composite) else {part: Fraction(1)}
        for simple, share in (split or {}).items():
            shares[simple] += share * Fraction(count, total)  # type: ignore[assignment]  # a Counter of fractions
    return dict(shares)  # type: ignore[arg-type]  # likewise


def payout_problems(entry: WagerEntry) -> Iterator[str]:
    """Yield a problem for every line of a pay table that can never apply, or uses a key its family does not read."""
    if isinstance(entry, Composite | SideWager):
        return
    by_pair = isinstance(entry, OneRoll) and bool(entry.numbers)
    read = {"numbers"} if by_pair or not isinstance(entry, Line | OneRoll) else set()
    read = {"totals", "dice"} if isinstance(entry, OneRoll) and not by_pair else read
    for index, line in enumerate(entry.pays):
        for selector in _SELECTORS:
            if getattr(line, selector) and selector not in read:
                known = f"selects by {' or '.join(sorted(read))}" if read else "has one payout for all"
                yield f"pays[{index}].{selector}: must be left out: the wager {known}"
        yield from (f"pays[{index}].{problem}" for problem in _selected_problems(entry, line, read))
    if isinstance(entry, OneRoll) and by_pair and entry.win.totals:
        yield "win.totals: must be left out where the player chooses a pair of dice"
    if isinstance(entry, OneRoll) and not by_pair and not entry.win.totals:
        yield "win.totals: is empty, so the wager can never win"


def _selected_problems(entry: WagerEntry, line: PaysEntry, read: set[str]) -> Iterator[str]:
    if "dice" in read:
        yield from (
            f"dice: {pair!r} is not a pair of dice, smaller face first" for pair in line.dice if pair not in _PAIRS
        )
        wins = set(entry.win.totals) if isinstance(entry, OneRoll) else set()
        if strange := sorted(set(line.totals) - wins):
            yield f"totals: {strange} do not win"
        if not line.totals and not line.dice:
            yield "totals: needs totals or dice that it pays"
    if "numbers" in read:
        known = {str(number) for number in getattr(entry, "numbers", ())}
        if strange_numbers := [number for number in line.numbers if str(number) not in known]:
            yield f"numbers: {', '.join(map(str, strange_numbers))} cannot come: the wager is not on them"
