"""What is wrong with a rulebook beyond its shape: names that lead nowhere, two answers to one question, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passline.dice import OUTCOMES
from passline.money import MoneyError, Pays
from passline.rules.clauses import clauses_of
from passline.rules.rulebook_model import Rulebook, entries_of, wagers_of
from passline.rules.schema.rulebook import (
    ELECTIONS,
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
    Run,
    SideWager,
    WagerEntry,
    cites_of,
)

__all__ = ["wrong_entries", "wrong_procedures"]

_DICE = 2
_TOTALS = frozenset(roll.total for roll in OUTCOMES) - {7}


def wrong_entries(rulebook: Rulebook) -> Iterator[str]:
    """Give what the shape of the files cannot refuse: names that lead nowhere, two answers to a question, or none."""
    yield from (f": {problem}" for problem in _wrong_cites(rulebook, rulebook.name))
    files = {
        "elections.toml": _wrong_elections(rulebook),
        "general.toml": _wrong_general(rulebook),
        "house.toml": _wrong_house(rulebook),
        **{f"{game}.toml": _wrong_game(rulebook, entry) for game, entry in rulebook.games.items()},
    }
    for file, problems in files.items():
        yield from (f"/{file}: {problem}" for problem in problems)
    for name, game in rulebook.games.items():
        for kind, wager in wagers_of(rulebook, game).items():
            file = f"{name}.toml: wagers" if kind in game.wagers else "wagers.toml"
            if isinstance(wager, SideWager):
                file = "sidewagers.toml"
            yield from (f"/{file}: {kind}: {problem}" for problem in _wrong_wager(rulebook, game, kind, wager))


def _wrong_cites(node: object, name: str) -> Iterator[str]:
    known = clauses_of(name)
    for path, cite in entries_of(node):
        clauses = cites_of(cite)
        if not clauses or not all(clauses):
            yield f"{path}: an entry without a citation"
        for clause, count in Counter(clauses).items():
            if count > 1 and not isinstance(cite, dict):
                yield f"{path}: cites {clause} twice"
            if known and clause not in known:
                yield f"{path}: cites {clause}, which is no clause of {name}"


def _wrong_elections(rulebook: Rulebook) -> Iterator[str]:
    elections = rulebook.elections
    side = {entry.offered for entry in rulebook.wagers.values() if isinstance(entry, SideWager)}
    yield from (f"{key}: is no election" for key in elections if key not in ELECTIONS and key not in side)
    yield from (f"{key}: has no answer" for key in ELECTIONS if key not in elections)
    for key, election in elections.items():
        is_range = election.min is not None or election.max is not None
        bounds = bool(election.choices) + is_range + (election.subset_of is not None)
        if bounds != 1:
            yield f"{key}: needs either choices, a range (min, max) or subset_of, has {bounds} of them"
        if election.same_as and election.same_as not in elections:
            yield f"{key}: same_as: {election.same_as} is no election"
        if isinstance(election.cite, dict):
            kind, dash, _what = key.partition("_vigorish_")  # rate and basis differ by the moment elected
            moment = elections.get(f"{kind}_vigorish_when", election) if dash else election
            choices = {str(choice) for choice in moment.choices}
            if set(election.cite) != choices:
                yield f"{key}: cites {sorted(election.cite)} by choice, and there are {sorted(choices)}"


def _wrong_general(rulebook: Rulebook) -> Iterator[str]:
    general, wagers, elections = rulebook.general, rulebook.wagers, rulebook.elections
    if not general.games:
        yield "games: names no game"
    if not set(general.points.totals) <= _TOTALS or len(set(general.points.totals)) < len(general.points.totals):
        yield f"points: {general.points.totals} are no totals of two dice, each once and none of them 7"
    if not (chips := general.live.chips.cents) or chips[0] < 1 or list(chips) != sorted(set(chips)):
        yield f"live.chips.cents: {chips} are no values of chips, from the least upwards"
    for key, rule in (("listed_payouts", general.listed_payouts), ("fixed_payouts", general.fixed_payouts)):
        yield from (f"{key}.wagers: {kind} is no wager" for kind in rule.wagers if kind not in wagers)
        yield from (f"{key}.needs: {need} is no election" for need in rule.needs if need not in elections)
    yield from (f"media.{name}: has no answer" for name in ("chips", "call") if name not in general.media)
    for name, medium in general.media.items():
        if medium.elect and medium.elect not in elections:
            yield f"media.{name}.elect: {medium.elect} is no election"
        if isinstance(medium.wagers, tuple):
            yield from (f"media.{name}.wagers: {kind} is no wager" for kind in medium.wagers if kind not in wagers)


def _wrong_house(rulebook: Rulebook) -> Iterator[str]:
    if rulebook.default_house.get("rules") != rulebook.name:
        yield f"rules: the default house of {rulebook.name} says {rulebook.default_house.get('rules')!r}"


def _wrong_game(rulebook: Rulebook, game: Game) -> Iterator[str]:
    if not game.late.permitted and game.late.confirm:
        yield "late.confirm: nobody confirms what is not permitted"
    yield from (f"without: {kind} is no wager" for kind in game.without if kind not in rulebook.wagers)
    if game.procedures is not None:
        yield from wrong_procedures(rulebook, game.procedures)


def wrong_procedures(rulebook: Rulebook, procedures: Procedures) -> Iterator[str]:
    """Give what is wrong with procedures, a regulation's or a house's, beyond their shape."""
    yield from _wrong_cites(procedures, rulebook.name)
    for key, kinds in (
        ("shooter.line_wagers", procedures.shooter.line_wagers),
        ("clearing.wagers", procedures.clearing.wagers),
    ):
        if not kinds:
            yield f"{key}: names no wager"
        yield from (f"{key}: {kind} is no wager" for kind in kinds if not isinstance(rulebook.wagers.get(kind), Line))
    if not procedures.dice.chosen == _DICE <= procedures.dice.set_min:
        yield f"dice: {procedures.dice.chosen} of {procedures.dice.set_min} are chosen, and two are thrown"
    if not procedures.throw.called_by.by or not procedures.dice.offered_by:
        yield "throw.called_by, dice.offered_by: somebody must"


def _wrong_wager(rulebook: Rulebook, game: Game, kind: str, entry: WagerEntry) -> Iterator[str]:
    """Every way to win has one payout, every number one answer."""
    numbers = {str(number) for number in getattr(entry, "numbers", ())}
    for path, cite in entries_of(entry):
        if isinstance(cite, dict) and set(cite) != numbers and not isinstance(entry, SideWager):
            yield f"{path}: cites {sorted(cite)} by number, and the wager has {sorted(numbers)}"
    yield from _wrong_names(rulebook, entry)
    if isinstance(entry, Composite):
        yield from _wrong_composite(rulebook, kind, entry)
        return
    if isinstance(entry, SideWager):
        yield from _wrong_side_wager(rulebook, entry)
        return
    yield from (problem for line in entry.pays for problem in _wrong_pays(line))
    if isinstance(entry, OneRoll):
        yield from _wrong_one_roll(entry)
    elif isinstance(entry, Line):
        yield from _wrong_line((game.points or rulebook.general.points).totals, entry)
    else:
        yield from _wrong_numbers(entry)
    if isinstance(entry, OddsWager):
        yield from _wrong_odds(wagers_of(rulebook, game), entry)
    if isinstance(entry, Number) and entry.vigorish and f"{kind}_vigorish_basis_points" not in rulebook.elections:
        yield "vigorish: no election sets its rate"


def _wrong_names(rulebook: Rulebook, entry: WagerEntry) -> Iterator[str]:
    elect = entry.come_out.elect if entry.come_out else ""
    for key, election in (("offered", entry.offered), ("come_out.elect", elect), ("make.elect", entry.make.elect)):
        if election and election not in rulebook.elections:
            yield f"{key}: {election} is no election"
    windows = {"come_out", "point", "any", *rulebook.general.windows}
    yield from (
        f"make: {when} is no window" for when in (entry.make.when, entry.make.or_when or "any") if when not in windows
    )
    if bool(entry.make.or_when) != bool(entry.make.elect):
        yield "make: or_when and elect go together"


def _wrong_composite(rulebook: Rulebook, kind: str, entry: Composite) -> Iterator[str]:
    parts = [rulebook.wagers.get(part) for part in entry.parts.units if part != "high"]
    booked = entry.breakdown.units if entry.breakdown else {}
    for part in (*entry.parts.units, *booked):
        if part != "high" and part not in rulebook.wagers:
            yield f"parts: {part} is no wager of this rulebook"
    if not all(isinstance(part, OneRoll) and not part.numbers for part in parts):
        yield "parts: each is a wager on totals of the next roll"
    if ("high" in entry.parts.units) != bool(entry.numbers):
        yield "parts: `high` goes with numbers to choose from"
    alone = {part.win.totals for part in parts if isinstance(part, OneRoll)}
    if not all((number,) in alone for number in entry.numbers):
        yield f"numbers: each of {entry.numbers} needs a part that wins on it alone"
    if entry.breakdown and entry.breakdown.when == "no_area" and f"{kind}_area" not in rulebook.elections:
        yield f"breakdown: no election {kind}_area says whether the layout has its area"
    if min((*entry.parts.units.values(), *booked.values()), default=0) < 1:
        yield "parts: every part is at least one unit"
    won = {total for part in parts if isinstance(part, OneRoll) for total in part.win.totals}
    if won != set(entry.win.totals):
        yield f"win: its parts win on {sorted(won)}, not on {sorted(entry.win.totals)}"


def _wrong_side_wager(rulebook: Rulebook, entry: SideWager) -> Iterator[str]:
    """Every count has one line in every table, and every table can be elected."""
    election = rulebook.elections.get(entry.offered)
    if election is None or {"none", *entry.tables} != set(election.choices):
        yield f"offered: {entry.offered or 'no election'} does not choose between none and {', '.join(entry.tables)}"
    counts = set(_counts(rulebook, entry))
    for name, lines in entry.tables.items():
        answers = Counter(count for line in lines for count in line.counts)
        if set(answers) != counts or max(answers.values()) > 1:
            yield f"tables.{name}: every count of {sorted(counts)} needs one line, has {dict(sorted(answers.items()))}"
        for line in lines:
            yield from (f"tables.{name}: {problem}" for problem in _wrong_pay_line(line))
    if isinstance(entry, Run) and not entry.readings:
        yield "readings: there is none"


def _counts(rulebook: Rulebook, entry: SideWager) -> range:
    """Give the counts a side wager can end with."""
    if isinstance(entry, Collection):
        return range(1)
    if isinstance(entry, Run):
        return range(-1, entry.top.count + 1)
    assert isinstance(entry, Hand)
    most = entry.full or entry.top
    return range((most.count if most else len(rulebook.general.points.totals)) + 1)


def _wrong_pay_line(line: PayLine) -> Iterator[str]:
    if bool(line.pays) != (line.result == "win"):
        yield f"{line.counts}: what wins has a payout, and nothing else has"
    elif line.pays:
        try:
            Pays.parse(line.pays, is_for_allowed=True)
        except MoneyError as error:
            yield f"{line.counts}: {error}"


def _wrong_pays(line: PaysEntry) -> Iterator[str]:
    for text in (line.pays, line.or_pays) if line.or_pays else (line.pays,):
        try:
            Pays.parse(text)
        except MoneyError as error:
            yield f"pays: {error}"
    if bool(line.or_pays) != bool(line.or_cite):
        yield "pays: or_pays and or_cite go together"


def _wrong_line(points: tuple[int, ...], entry: Line) -> Iterator[str]:
    void = entry.first_void.totals if entry.first_void else ()
    answers = Counter((*entry.first_win.totals, *entry.first_lose.totals, *void, *points))
    if set(answers) != set(range(2, 13)) or max(answers.values()) > 1:
        yield f"first roll: every total needs one answer, has {dict(sorted(answers.items()))}"
    if entry.win.on == entry.lose.on:
        yield "win and lose: the same roll both wins and loses"
    if len(entry.pays) != 1:
        yield "pays: a line wager has one payout"


def _wrong_numbers(entry: Number | OddsWager | Hardway) -> Iterator[str]:
    numbers = {str(number) for number in entry.numbers}
    answers = Counter(str(number) for line in entry.pays for number in line.numbers or entry.numbers)
    if not numbers or set(answers) != numbers or max(answers.values()) > 1:
        yield f"pays: every number needs one payout, has {dict(answers)}"
    if not {str(number) for number in _TOTALS} >= numbers:
        yield f"numbers: {', '.join(sorted(numbers))} are not all totals that stand against a 7"
    if not isinstance(entry, Hardway) and entry.win.on == entry.lose.on:
        yield "win and lose: the same roll both wins and loses"


def _wrong_odds(wagers: dict[str, WagerEntry], entry: OddsWager) -> Iterator[str]:
    base = wagers.get(entry.behind)
    if base is None or isinstance(base, (Composite, SideWager)):
        yield f"behind: {entry.behind} is no wager that odds can stand behind"
    elif {line.pays for line in base.pays} != {entry.flat.pays}:
        yield f"flat: says {entry.flat.pays}, but {entry.behind} pays otherwise"


def _wrong_one_roll(entry: OneRoll) -> Iterator[str]:
    if entry.numbers:
        numbers = {str(number) for number in entry.numbers}
        answers = Counter(str(number) for line in entry.pays for number in line.numbers)
        if set(answers) != numbers or max(answers.values()) > 1:
            yield f"pays: every number needs one payout, has {dict(answers)}"
        if numbers - {roll.pair for roll in OUTCOMES}:
            yield "numbers: no such pair of dice"
        return
    winning = set(entry.win.totals)
    for roll in OUTCOMES:
        lines = [line for line in entry.pays if roll.total in line.totals or roll.pair in line.dice]
        if len(lines) != (roll.total in winning):
            yield f"pays: {roll.pair} has {len(lines)} payouts, and win.totals says {sorted(winning)}"
