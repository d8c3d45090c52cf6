"""Wagers of the standard game: terms that cannot hold, payouts that cannot come, parts that do not add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from passline.dice import OUTCOMES, SEVEN, number_code, number_text
from passline.money import MoneyError, Pays, multiple_of
from passline.rules.checks.elections import can_be_none, charge_problems, is_between, is_switch
from passline.rules.checks.machines import machine_problems
from passline.rules.checks.names import WINDOWS
from passline.rules.checks.side_wagers import side_wager_problems
from passline.rules.schema import (
    ELECTIONS,
    Composite,
    Game,
    Hand,
    Hardway,
    Line,
    Machine,
    Make,
    Number,
    OddsWager,
    OneRoll,
    PaysEntry,
    Rulebook,
    SideWager,
    WagerEntry,
    multiples_text,
    part_spot,
    wagers_of,
)

_PAIRS = frozenset(roll.pair for roll in OUTCOMES)
_TOTALS = frozenset(roll.total for roll in OUTCOMES) - {7}
_HARD = frozenset({4, 6, 8, 10})
_SELECTORS = ("numbers", "totals", "dice")


def _wager_term_problems(rulebook: Rulebook, wagers: dict[str, WagerEntry], kind: str) -> Iterator[str]:
    """Yield the problems of one wager of a game, except those of its payouts and totals."""
    entry = wagers[kind]
    yield from _time_problems(rulebook, entry)
    yield from _missing_terms(entry)
    is_odd = entry.offered in rulebook.elections and not can_be_none(rulebook, entry.offered)
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


def _time_problems(rulebook: Rulebook, entry: WagerEntry) -> Iterator[str]:
    make, come_out = entry.make, entry.come_out
    if not isinstance(entry, SideWager):
        yield from _heedless_windows(rulebook, make)
    if make.elect and make.elect in rulebook.elections and not is_switch(rulebook, make.elect):
        yield f"make.elect: {make.elect} is not an election of yes or no"
    if make.or_when and make.or_when == make.when:
        yield "make.or_when: is the same as when; leave it and elect out"
    if come_out and come_out.elect in rulebook.elections and not is_between(rulebook, come_out.elect, "on", "off"):
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
    yield from charge_problems(rulebook, entry)
    if entry.vigorish is True:
        needed = [f"{kind}_vigorish_{what}" for what in ("basis_points", "basis", "when")]
        if rate is not None:
            yield from (f"vigorish: no house can elect {key}" for key in needed if key not in ELECTIONS)


def _odds_term_problems(wagers: dict[str, WagerEntry], entry: OddsWager) -> Iterator[str]:
    base = wagers.get(entry.behind)
    if entry.make.when != "any":
        yield f"make.when: {entry.make.when} says nothing; odds are made while the wager they are behind is on a point"
    stays = isinstance(base, Number) or (isinstance(base, Line) and base.moves and base.win.on == "number")
    if stays and entry.come_out is None:
        yield "come_out: is missing; say whether the odds work on a come-out roll"
    if isinstance(base, Line | Number) and (base.win.on, base.lose.on) != (entry.win.on, entry.lose.on):
        yield f"win, lose: odds are decided like the wager they are behind, {entry.behind}"
    if isinstance(base, Number) and not set(entry.numbers) <= set(base.numbers):
        yield f"numbers: {entry.behind} is not on all of them"
    yield from _multiple_problems(entry)


def _multiple_problems(entry: OddsWager) -> Iterator[str]:
    """Yield a problem for each multiple that is none, is not said of every number, or is a least above the most."""
    limit, numbers, sound = entry.limit, {str(number) for number in entry.numbers}, True
    for key, written in (("multiple_min", limit.multiple_min), ("multiple_max", limit.multiple_max)):
        if isinstance(written, dict) and set(written) != numbers:
            sound = False
            on = ", ".join(map(str, entry.numbers))
            yield f"limit.{key}: has {', '.join(written)} by number; the wager is on {on}"
        for number, multiple in written.items() if isinstance(written, dict) else (("", written),):
            try:
                multiple_of(multiple)
            except MoneyError as error:
                sound = False
                yield f"limit.{key}{number and '.'}{number}: {error}"
    above = [number for number in map(int, entry.numbers) if sound and 0 < limit.most(number) < limit.least(number)]
    if above:
        least, most = multiples_text(limit.multiple_min), multiples_text(limit.multiple_max)
        yield f"limit.multiple_min: {least} is above multiple_max, {most}"


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
        inner = wagers.get(part_spot(part)[0])
        if part != "high" and (inner is None or count < 1):
            return None
        split = _shares(wagers, inner.parts.units) if isinstance(inner, Composite) else {part: Fraction(1)}
        for simple, share in (split or {}).items():
            shares[simple] += share * Fraction(count, total)  # type: ignore[assignment]  # a Counter of fractions
    return dict(shares)  # type: ignore[arg-type]  # likewise


def _payout_problems(entry: WagerEntry) -> Iterator[str]:
    """Yield a problem for every line of a pay table that can never apply, or uses a key its family does not read."""
    if isinstance(entry, Composite | SideWager):
        return
    by_pair = isinstance(entry, OneRoll) and bool(entry.numbers)
    read = {"totals"} if isinstance(entry, Line) else {"numbers"}
    read = {"totals", "dice"} if isinstance(entry, OneRoll) and not by_pair else read
    for index, line in enumerate(entry.pays):
        for selector in _SELECTORS:
            if getattr(line, selector) and selector not in read:
                yield f"pays[{index}].{selector}: must be left out: the wager selects by {' or '.join(sorted(read))}"
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


def wager_problems(rulebook: Rulebook, game: Game, kind: str, entry: WagerEntry) -> Iterator[str]:
    """Yield a problem for each way to win without exactly one payout, and each number without exactly one answer."""
    wagers = wagers_of(rulebook, game)
    yield from _wager_term_problems(rulebook, wagers, kind)
    yield from _payout_problems(entry)
    yield from _label_problems(entry)
    yield from _names_problems(rulebook, entry)
    if isinstance(entry, Composite):
        yield from _composite_problems(rulebook, wagers, kind, entry)
        return
    if isinstance(entry, SideWager):
        points = (game.points or rulebook.general.points).totals
        yield from side_wager_problems(rulebook, points, entry)
        if isinstance(entry, Machine):
            yield from machine_problems(rulebook, points, wagers, entry)
        return
    yield from (problem for line in entry.pays for problem in _pays_problems(line))
    if isinstance(entry, OneRoll):
        yield from _one_roll_problems(entry)
    elif isinstance(entry, Line):
        yield from _line_problems((game.points or rulebook.general.points).totals, entry)
    else:
        yield from _numbers_problems(entry)
    if isinstance(entry, OddsWager):
        yield from _odds_problems(wagers, entry)
    is_elected = isinstance(entry, Number) and entry.vigorish is True
    if is_elected and f"{kind}_vigorish_basis_points" not in rulebook.elections:
        yield "vigorish: the election of its rate is missing"


def _label_problems(entry: WagerEntry) -> Iterator[str]:
    text = entry.label.replace("{}", "", 1)
    if entry.label and (not text.strip() or "{" in text or "}" in text):
        yield f"label: {entry.label!r} must be a name with at most one {{}}, where its number goes"
    if text != entry.label and not getattr(entry, "numbers", ()):
        yield f"label: {entry.label!r} has {{}}, but the wager is not on a number"


def _names_problems(rulebook: Rulebook, entry: WagerEntry) -> Iterator[str]:
    elect = entry.come_out.elect if entry.come_out else ""
    for key, election in (("offered", entry.offered), ("come_out.elect", elect), ("make.elect", entry.make.elect)):
        if election and election not in rulebook.elections:
            yield f"{key}: {election} is not an election"
    windows = {*WINDOWS, *rulebook.general.windows}
    named = (entry.make.when, entry.make.or_when or "any")
    yield from (f"make: {when} is not one of the windows of general.toml" for when in named if when not in windows)
    if bool(entry.make.or_when) != bool(entry.make.elect):
        yield "make: or_when and elect must be given together"


def _composite_problems(
    rulebook: Rulebook, wagers: dict[str, WagerEntry], kind: str, entry: Composite
) -> Iterator[str]:
    named = [part for part in entry.parts.units if part != "high"]
    parts = [wagers.get(part_spot(part)[0]) for part in named]
    yield from _part_problems(wagers, entry)
    if ("high" in entry.parts.units) != bool(entry.numbers):
        yield "parts: `high` and numbers must be given together"
    alone = {part.win.totals for part in parts if isinstance(part, OneRoll)}
    if not all((number,) in alone for number in entry.numbers):
        yield f"numbers: each of {entry.numbers} needs a part that wins on that number alone"
    if entry.breakdown and entry.breakdown.when == "no_area" and f"{kind}_area" not in rulebook.elections:
        yield f"breakdown: the election {kind}_area, whether the layout has an area for it, is missing"
    area = rulebook.elections.get(f"{kind}_area")
    if entry.breakdown and entry.breakdown.when == "no_area" and area and True not in area.choices:
        yield f"breakdown.when: no layout has an area for it ({kind}_area); write always"
    won = {total for part in named for total in _totals_won(wagers, part)}
    if won != set(entry.win.totals):
        yield f"win: totals are {sorted(entry.win.totals)}, but its parts win on {sorted(won)}"


def _part_problems(wagers: dict[str, WagerEntry], entry: Composite) -> Iterator[str]:
    """Yield parts that are no wagers, or that one roll does not decide: those are booked as wagers of their own."""
    is_booked = entry.breakdown is not None and entry.breakdown.when == "always"
    booked = entry.breakdown.units if entry.breakdown else {}
    for key, units in (("parts", entry.parts.units), ("breakdown", booked)):
        for part in units:
            inner = wagers.get(part_spot(part)[0])
            if part == "high":
                continue
            if inner is None:
                yield f"{key}: {part} is not a wager of this rulebook"
                continue
            numbers = {number_code(str(number)) for number in getattr(inner, "numbers", ())} or {0}
            if part_spot(part)[1] not in numbers:
                yield f"{key}: {part} is not on one of its numbers, such as {part_spot(part)[0]}:{_number_of(inner)}"
            elif not isinstance(inner, OneRoll | Composite) and not (is_booked and isinstance(inner, Hardway)):
                yield f'{key}: {part} is not decided by one roll; write breakdown.when = "always" for hardways'


def _number_of(entry: WagerEntry) -> str:
    return str(next(iter(getattr(entry, "numbers", ())), ""))


def _totals_won(wagers: dict[str, WagerEntry], part: str) -> tuple[int, ...]:
    kind, number = part_spot(part)
    entry = wagers.get(kind)
    if isinstance(entry, Hardway):
        return (number,)
    if isinstance(entry, OneRoll):
        return (sum(map(int, number_text(number).split("-"))),) if entry.numbers and number else entry.win.totals
    return ()


def _pays_problems(line: PaysEntry) -> Iterator[str]:
    for text in (line.pays, line.or_pays) if line.or_pays else (line.pays,):
        try:
            Pays.parse(text)
        except MoneyError as error:
            yield f"pays: {error}"
    if bool(line.or_pays) != bool(line.or_cite):
        yield "pays: or_pays and or_cite must be given together"


def _line_problems(points: tuple[int, ...], entry: Line) -> Iterator[str]:
    void = entry.first_void.totals if entry.first_void else ()
    answers = Counter((*entry.first_win.totals, *entry.first_lose.totals, *void, *points))
    if set(answers) != set(range(2, 13)) or max(answers.values()) > 1:
        yield f"first roll, with the points: every total needs exactly one answer, has {dict(sorted(answers.items()))}"
    if entry.win.on == entry.lose.on:
        yield "win and lose: must not be on the same roll"
    yield from _line_payout_problems(points, entry)


def _line_payout_problems(points: tuple[int, ...], entry: Line) -> Iterator[str]:
    wins = {*entry.first_win.totals, *(points if entry.win.on == "number" else (SEVEN,))}
    named = Counter(total for line in entry.pays for total in line.totals)
    if strange := sorted(set(named) - wins):
        yield f"pays: {strange} do not win"
    others = sum(not line.totals for line in entry.pays)
    if max(named.values(), default=1) > 1 or others != (not wins <= set(named)):
        told = "one payout, or one for some totals each and one without totals for all others"
        yield f"pays: a line wager needs {told}; it wins on {sorted(wins)}"


def _numbers_problems(entry: Number | OddsWager | Hardway) -> Iterator[str]:
    numbers = {str(number) for number in entry.numbers}
    answers = Counter(str(number) for line in entry.pays for number in line.numbers or entry.numbers)
    if not numbers or set(answers) != numbers or max(answers.values()) > 1:
        yield f"pays: every number needs exactly one payout, has {dict(answers)}"
    if not {str(number) for number in _TOTALS} >= numbers:
        yield f"numbers: {', '.join(sorted(numbers))} must all be totals other than 7"
    if not isinstance(entry, Hardway) and entry.win.on == entry.lose.on:
        yield "win and lose: must not be on the same roll"


def _odds_problems(wagers: dict[str, WagerEntry], entry: OddsWager) -> Iterator[str]:
    base = wagers.get(entry.behind)
    if not isinstance(base, Line | Number):
        yield f"behind: {entry.behind} is not a wager that odds can be behind"
    elif entry.flat.pays not in (paid := {line.pays for line in base.pays}) or (
        len(paid) > 1 and not isinstance(base, Line)
    ):
        yield f"flat: {entry.flat.pays} is not what {entry.behind} pays"


def _one_roll_problems(entry: OneRoll) -> Iterator[str]:
    if entry.numbers:
        numbers = {str(number) for number in entry.numbers}
        answers = Counter(str(number) for line in entry.pays for number in line.numbers)
        if set(answers) != numbers or max(answers.values()) > 1:
            yield f"pays: every number needs exactly one payout, has {dict(answers)}"
        if numbers - {roll.pair for roll in OUTCOMES}:
            yield "numbers: must be pairs of dice, smaller face first"
        return
    winning = set(entry.win.totals)
    for roll in OUTCOMES:
        lines = [line for line in entry.pays if roll.total in line.totals or roll.pair in line.dice]
        if len(lines) != (roll.total in winning):
            yield f"pays: {roll.pair} has {len(lines)} payouts; win.totals is {sorted(winning)}"
