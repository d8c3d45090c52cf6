"""Checking a rulebook beyond its shape: names that do not exist, questions with two answers or none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from passline.dice import OUTCOMES
from passline.money import MoneyError, Pays
from passline.rules.checks.elections import (
    bounds_problems,
    election_problems,
    older_election_problems,
    unused_elections,
)
from passline.rules.checks.general import (
    empty_procedures,
    game_term_problems,
    general_term_problems,
    procedure_term_problems,
)
from passline.rules.checks.names import WINDOWS, game_name_problems, wager_name_problems, window_name_problems
from passline.rules.checks.side_wagers import side_term_problems
from passline.rules.checks.similar_entries import similar_game_problems, similar_wager_problems
from passline.rules.checks.wagers import payout_problems, wager_term_problems
from passline.rules.pages.citations import citation_faults, cited_entries
from passline.rules.schema import (
    ELECTIONS,
    Cite,
    Collection,
    Composite,
    Game,
    Hand,
    Hardway,
    Line,
    Number,
    OddsWager,
    OneRoll,
    PayLine,
    PaysEntry,
    Procedures,
    Rulebook,
    Run,
    SideWager,
    WagerEntry,
    wagers_of,
)

__all__ = ["procedure_problems", "rulebook_problems"]

_DICE = 2
_TOTALS = frozenset(roll.total for roll in OUTCOMES) - {7}


def rulebook_problems(rulebook: Rulebook, cited: list[tuple[str, Cite]]) -> Iterator[str]:
    """Yield every problem that the shape of the files does not exclude, each with its file and key."""
    yield from (_in_file(rulebook, str(fault)) for fault in citation_faults(cited, rulebook.name))
    yield from _number_cites_problems(rulebook, cited)
    files = {
        "elections.toml": _elections_problems(rulebook),
        "general.toml": _general_problems(rulebook),
        "house.toml": _house_problems(rulebook),
        **{f"{game}.toml": _game_problems(rulebook, entry) for game, entry in rulebook.games.items()},
    }
    for file, problems in files.items():
        yield from (f"/{file}: {problem}" for problem in problems)
    for kind, problem in similar_wager_problems(rulebook):
        yield f"/{'side' * isinstance(rulebook.wagers[kind], SideWager)}wagers.toml: {kind}: {problem}"
    for name, game in rulebook.games.items():
        wagers = wagers_of(rulebook, game)
        pages = {kind: _page_of(name, game, kind, wager) for kind, wager in wagers.items()}
        for kind, problem in wager_name_problems(wagers):
            yield f"/{pages[kind]}: {kind}: {problem}"
        yield from (f"/{name}.toml: {problem}" for problem in similar_game_problems(rulebook, game))
        for kind, wager in wagers.items():
            problems = _wager_problems(rulebook, game, kind, wager)
            yield from (f"/{pages[kind]}: {kind}: {problem}" for problem in problems)


def _number_cites_problems(rulebook: Rulebook, cited: list[tuple[str, Cite]]) -> Iterator[str]:
    """Yield a problem if an entry cites by number, but not by exactly the numbers of its wager."""
    for path, cite in cited:
        if isinstance(cite, dict) and (found := _WAGER_PATH.fullmatch(path)):
            game, kind, key = found.groups()
            own = rulebook.games[game].wagers if game else rulebook.wagers
            numbers = {str(number) for number in getattr(own[kind], "numbers", ())}
            if set(cite) != numbers and not isinstance(own[kind], SideWager):
                page = f"{game}.toml: wagers" if game else "wagers.toml"
                yield f"/{page}: {kind}: {key}: cites {sorted(cite)} by number; the wager has {sorted(numbers)}"


_WAGER_PATH = re.compile(r"(?:games\.(\w+)\.)?wagers\.(\w+)\.(.+)")


def _page_of(name: str, game: Game, kind: str, wager: WagerEntry) -> str:
    if kind in game.wagers:
        return f"{name}.toml: wagers"
    return "sidewagers.toml" if isinstance(wager, SideWager) else "wagers.toml"


def _in_file(rulebook: Rulebook, problem: str) -> str:
    """Return a problem with its path changed to a file and a key."""
    page, _, rest = problem.partition(".")
    if page == "games":
        page, _, rest = rest.partition(".")
    if page == "wagers" and isinstance(rulebook.wagers.get(re.split(r"[.:]", rest)[0]), SideWager):
        page = "sidewagers"
    return f"/{page}.toml: {rest}"


def _elections_problems(rulebook: Rulebook) -> Iterator[str]:
    elections = rulebook.elections
    yield from unused_elections(rulebook)
    yield from older_election_problems(rulebook)
    side = {entry.offered for entry in rulebook.wagers.values() if isinstance(entry, SideWager)}
    yield from (f"{key}: is not an election" for key in elections if key not in ELECTIONS and key not in side)
    yield from (f"{key}: is missing" for key in ELECTIONS if key not in elections)
    for key, election in elections.items():
        unbounded = [f"{key}: {problem}" for problem in bounds_problems(election)]
        yield from unbounded
        if not unbounded and (key in ELECTIONS or key in side):
            yield from (f"{key}: {problem}" for problem in election_problems(rulebook, key, election))
        if election.same_as and election.same_as not in elections:
            yield f"{key}: same_as: {election.same_as} is not an election"
        if isinstance(election.cite, dict):
            kind, dash, _what = key.partition("_vigorish_")  # citations of rate and basis differ by the moment elected
            moment = elections.get(f"{kind}_vigorish_when", election) if dash else election
            choices = {str(choice) for choice in moment.choices}
            if set(election.cite) != choices:
                yield f"{key}: cites {sorted(election.cite)} by choice; the choices are {sorted(choices)}"


def _general_problems(rulebook: Rulebook) -> Iterator[str]:
    general, wagers, elections = rulebook.general, rulebook.wagers, rulebook.elections
    if not general.games:
        yield "games: is empty"
    yield from game_name_problems(general.games)
    yield from window_name_problems(rulebook)
    yield from general_term_problems(rulebook)
    if not set(general.points.totals) <= _TOTALS or len(set(general.points.totals)) < len(general.points.totals):
        yield f"points: {general.points.totals} must be different totals of two dice other than 7"
    if not (chips := general.live.chips.cents) or chips[0] < 1 or list(chips) != sorted(set(chips)):
        yield f"live.chips.cents: {chips} must be different values of chips in ascending order"
    for key, rule in (("listed_payouts", general.listed_payouts), ("fixed_payouts", general.fixed_payouts)):
        yield from (f"{key}.wagers: {kind} is not a wager" for kind in rule.wagers if kind not in wagers)
        yield from (f"{key}.needs: {need} is not an election" for need in rule.needs if need not in elections)
    yield from (f"media.{name}: is missing" for name in ("chips", "call") if name not in general.media)
    for name, medium in general.media.items():
        if medium.elect and medium.elect not in elections:
            yield f"media.{name}.elect: {medium.elect} is not an election"
        if isinstance(medium.wagers, tuple):
            yield from (f"media.{name}.wagers: {kind} is not a wager" for kind in medium.wagers if kind not in wagers)


def _house_problems(rulebook: Rulebook) -> Iterator[str]:
    if rulebook.default_house.get("rules") != rulebook.name:
        yield f"rules: the default house of {rulebook.name} names {rulebook.default_house.get('rules')!r}"
    yield from empty_procedures(rulebook.default_house)


def _game_problems(rulebook: Rulebook, game: Game) -> Iterator[str]:
    if not game.late.permitted and game.late.confirm:
        yield "late.confirm: must be left out where late wagers are not permitted"
    if game.late.permitted and not game.late.confirm:
        yield "late.confirm: is missing; a late wager is permitted once somebody confirms it"
    yield from (f"without: {kind} is not a wager" for kind in game.without if kind not in rulebook.wagers)
    yield from game_term_problems(rulebook, game)
    if game.procedures is None and "procedures" not in rulebook.default_house:
        yield "procedures: is missing, and the default house supplies none"
    if game.procedures is not None:
        yield from _sense_problems(rulebook, game.procedures)
        dice_set, least = rulebook.elections.get("dice_set"), game.procedures.dice.set_min
        if dice_set and dice_set.min and _DICE <= least != dice_set.min:
            yield f"procedures.dice.set_min: {least} is not {dice_set.min}, the least that a house elects (dice_set)"


def procedure_problems(rulebook: Rulebook, procedures: Procedures) -> Iterator[str]:
    """Yield the problems of the procedures of a house that their shape does not exclude."""
    yield from map(str, citation_faults(cited_entries(procedures), rulebook.name))
    yield from _sense_problems(rulebook, procedures)


def _sense_problems(rulebook: Rulebook, procedures: Procedures) -> Iterator[str]:
    yield from procedure_term_problems(procedures)
    for key, kinds in (
        ("shooter.line_wagers", procedures.shooter.line_wagers),
        ("clearing.wagers", procedures.clearing.wagers),
    ):
        if not kinds:
            yield f"{key}: is empty"
        others = [kind for kind in kinds if not isinstance(rulebook.wagers.get(kind), Line)]
        yield from (f"{key}: {kind} is not a line wager" for kind in others)
    if not procedures.dice.chosen == _DICE <= procedures.dice.set_min:
        yield f"dice: {procedures.dice.chosen} of {procedures.dice.set_min} are chosen; a throw takes two"
    if not procedures.throw.called_by.by or not procedures.dice.offered_by:
        yield "throw.called_by, dice.offered_by: must name a role"


def _wager_problems(rulebook: Rulebook, game: Game, kind: str, entry: WagerEntry) -> Iterator[str]:
    """Yield a problem for each way to win without exactly one payout, and each number without exactly one answer."""
    wagers = wagers_of(rulebook, game)
    yield from wager_term_problems(rulebook, wagers, kind)
    yield from payout_problems(entry)
    yield from _label_problems(entry)
    yield from _names_problems(rulebook, entry)
    if isinstance(entry, Composite):
        yield from _composite_problems(rulebook, kind, entry)
        return
    if isinstance(entry, SideWager):
        yield from side_term_problems(rulebook, (game.points or rulebook.general.points).totals, entry)
        yield from _side_wager_problems(rulebook, entry)
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
    if isinstance(entry, Number) and entry.vigorish and f"{kind}_vigorish_basis_points" not in rulebook.elections:
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


def _composite_problems(rulebook: Rulebook, kind: str, entry: Composite) -> Iterator[str]:
    parts = [rulebook.wagers.get(part) for part in entry.parts.units if part != "high"]
    booked = entry.breakdown.units if entry.breakdown else {}
    for key, units in (("parts", entry.parts.units), ("breakdown", booked)):
        for part in units:
            if part != "high" and part not in rulebook.wagers:
                yield f"{key}: {part} is not a wager of this rulebook"
    if not all(isinstance(part, OneRoll) and not part.numbers for part in parts):
        yield "parts: each must be a one-roll wager on totals"
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
    won = {total for part in parts if isinstance(part, OneRoll) for total in part.win.totals}
    if won != set(entry.win.totals):
        yield f"win: totals are {sorted(entry.win.totals)}, but its parts win on {sorted(won)}"


def _side_wager_problems(rulebook: Rulebook, entry: SideWager) -> Iterator[str]:
    """Yield a problem for each count without exactly one line in a pay table, and each table that cannot be elected."""
    election = rulebook.elections.get(entry.offered)
    if election is None or {"none", *entry.tables} != set(election.choices):
        yield f"offered: {entry.offered or 'it'} must be an election between none and {', '.join(entry.tables)}"
    counts = set(_counts(rulebook, entry))
    for name, lines in entry.tables.items():
        answers = Counter(count for line in lines for count in line.counts)
        if set(answers) != counts or max(answers.values()) > 1:
            found = dict(sorted(answers.items()))
            yield f"tables.{name}: every count of {sorted(counts)} needs exactly one line, has {found}"
        for line in lines:
            yield from (f"tables.{name}: {problem}" for problem in _pay_line_problems(line))
    if isinstance(entry, Run) and not entry.readings:
        yield "readings: is empty"


def _counts(rulebook: Rulebook, entry: SideWager) -> range:
    """Return the counts a side wager can end with."""
    if isinstance(entry, Collection):
        return range(1)
    if isinstance(entry, Run):
        return range(-1, entry.top.count + 1)
    assert isinstance(entry, Hand)
    most = entry.full or entry.top
    return range((most.count if most else len(rulebook.general.points.totals)) + 1)


def _pay_line_problems(line: PayLine) -> Iterator[str]:
    if bool(line.pays) != (line.result == "win"):
        yield f"{line.counts}: needs a payout if it wins, and none otherwise"
    elif line.pays:
        try:
            Pays.parse(line.pays, is_for_allowed=True)
        except MoneyError as error:
            yield f"{line.counts}: {error}"


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
    if len(entry.pays) != 1:
        yield "pays: a line wager needs exactly one payout"


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
    elif {line.pays for line in base.pays} != {entry.flat.pays}:
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
