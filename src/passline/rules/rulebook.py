"""Reading a rulebook: TOML in, one checked Rulebook out, or an error that names the file and the key."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from passline.dice import OUTCOMES
from passline.errors import CrapsError
from passline.money import MoneyError, Pays
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.schema import (
    ELECTIONS,
    Cite,
    Composite,
    Election,
    Game,
    General,
    Hardway,
    Line,
    Number,
    OddsWager,
    OneRoll,
    PaysEntry,
    Procedures,
    WagerEntry,
    cites_of,
)

__all__ = [
    "Rulebook",
    "RulebookError",
    "entries_of",
    "load_rulebook",
    "read_entries",
    "read_procedures",
    "read_toml",
    "rulebook_of",
    "wrong_procedures",
]

_T = TypeVar("_T")
_DICE = 2
_TOTALS = frozenset(roll.total for roll in OUTCOMES) - {7}


class RulebookError(CrapsError):
    """A rulebook or house file that cannot be read: names the file, the key and what is wrong."""


class Rulebook(Struct, frozen=True):
    """Everything one regulation says about the standard game."""

    name: str
    general: General
    wagers: dict[str, WagerEntry]
    elections: dict[str, Election]
    games: dict[str, Game]
    default_house: dict[str, Any]
    versions: dict[str, tuple[dict[str, Any], ...]] = {}  # every dated table with all its versions, in force or not


@cache
def rulebook_of(name: str) -> Rulebook:
    """Give one of the rulebooks in the package.

    >>> rulebook_of("maryland").games.keys()
    dict_keys(['craps', 'mini_craps'])
    >>> rulebook_of("nevada")
    Traceback (most recent call last):
    passline.rules.rulebook.RulebookError: there is no rulebook 'nevada'; choose colorado, section2, arizona, maryland
    """
    if name not in REGULATIONS:
        message = f"there is no rulebook {name!r}; choose {', '.join(REGULATIONS)}"
        raise RulebookError(message)
    return load_rulebook(files("passline") / "rulebooks" / name)


def read_toml(path: Traversable | Path) -> dict[str, Any]:
    """Read one TOML file; any fault becomes one line that names the file, and shows the line of the file it is in."""
    text = ""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text)
    except FileNotFoundError:
        problem = "there is no such file"
    except IsADirectoryError:
        problem = "is a folder"
    except RecursionError:
        problem = "is nested too deeply"
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, not TOML, or a number of thousands of digits
        problem = str(error).splitlines()[0]
        if at := _AT_LINE.search(problem):
            problem += f": {text.splitlines()[int(at[1]) - 1].strip()[:60]}"
    message = f"{_label(path)}: {problem}"
    raise RulebookError(message)


_AT_LINE = re.compile(r"at line (\d+)")


def load_rulebook(
    folder: Traversable | Path,
    *,
    on: date | None = None,
    read: Callable[[Traversable | Path], dict[str, Any]] = read_toml,
) -> Rulebook:
    """Read a rulebook folder as in force on a day (default: the newest text)."""
    name = folder.name
    versions: dict[str, tuple[dict[str, Any], ...]] = {}

    def entries(file: str, kind: type[_T]) -> _T:
        data = read(folder / file)
        versions.update(_versions(data, file.removesuffix(".toml")))
        return read_entries(data, kind, _label(folder / file), on=on)

    general = entries("general.toml", General)
    rulebook = Rulebook(
        name=name,
        general=general,
        wagers=entries("wagers.toml", dict[str, WagerEntry]),
        elections=entries("elections.toml", dict[str, Election]),
        games={game: entries(f"{game}.toml", Game) for game in general.games},
        default_house=entries("house.toml", dict[str, Any]),
        versions=versions,
    )
    _check(rulebook)
    return rulebook


def _label(path: Traversable | Path) -> str:
    return str(path) if isinstance(path, Path) and not path.is_absolute() else "/".join(str(path).split("/")[-2:])


def read_entries(data: Mapping[str, Any], kind: type[_T], label: str, *, on: date | None = None) -> _T:
    """Read the entries of one file of a rulebook as in force on a day; a fault names the label and the key."""
    return _convert(_in_force(data, on, label), kind, label)


def read_procedures(data: Mapping[str, Any], label: str) -> Procedures:
    """Read the procedures a house supplies where its regulation has none."""
    return _convert(data, Procedures, label)


def _convert(data: object, kind: type[_T], label: str) -> _T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message = f"{label}: {_named(data, kind, str(error))}"
        raise RulebookError(message) from None


def _named(data: object, kind: type[Any], problem: str) -> str:
    """Name the key of a table that a message about the shape of the data leaves open as `[...]`."""
    found = _OPEN.search(problem)
    if found is None:
        return problem
    path = [key for key in found[1].split(".") if key]
    for key, value in _at(data, path).items():
        try:
            msgspec.convert(_with(data, path, {key: value}), kind)
        except msgspec.ValidationError as error:
            if str(error) == problem:
                return _named(data, kind, problem.replace(found[0], f"`${found[1]}.{key}", 1))
    return problem


_OPEN = re.compile(r"`\$([^`\[]*)\[\.\.\.\]")


def _at(data: Any, path: list[str]) -> dict[str, Any]:  # noqa: ANN401  # TOML is what it is
    for key in path:
        data = data[key]
    return dict(data)


def _with(data: Any, path: list[str], table: dict[str, Any]) -> object:  # noqa: ANN401  # likewise
    """Give the data with another table at a path."""
    return {**data, path[0]: _with(data[path[0]], path[1:], table)} if path else table


def _in_force(data: object, on: date | None, label: str) -> object:
    """Replace every `dated` table by the version in force on a day; two versions for one day, or none, is an error."""
    if isinstance(data, list):
        return [_in_force(item, on, label) for item in data]
    if not isinstance(data, dict):
        return data
    if "dated" not in data:
        return {key: _in_force(value, on, f"{label}: {key}") for key, value in data.items()}
    versions = data["dated"]
    if not versions or not isinstance(versions, list) or not all(isinstance(version, dict) for version in versions):
        message = f"{label}: `dated` is a list of versions"
        raise RulebookError(message)
    days = [version.get("from") for version in versions]
    if not all(type(day) is date for day in days) or len(set(days)) != len(days):
        message = f"{label}: every version under `dated` needs its own `from` day"
        raise RulebookError(message)
    begun = [version for version in versions if on is None or version["from"] <= on]
    if not begun:
        message = f"{label}: no version is in force on {on}; the first is from {min(days)}"
        raise RulebookError(message)
    newest = max(begun, key=lambda version: version["from"])
    return {key: value for key, value in {**data, **newest}.items() if key not in {"from", "dated"}}


def _versions(data: object, path: str) -> Iterator[tuple[str, tuple[dict[str, Any], ...]]]:
    if isinstance(data, dict):
        if isinstance(data.get("dated"), list):
            yield path, tuple(data["dated"])
        for key, value in data.items():
            yield from _versions(value, f"{path}.{key}")


def entries_of(node: object, path: str = "") -> Iterator[tuple[str, Cite]]:
    """Walk everything in a rulebook that carries a citation: where it stands, and its clauses."""
    if isinstance(node, Struct):
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if name == "cite" or name.endswith("_cite"):
                if value or name == "cite":
                    yield (path if name == "cite" else f"{path}.{name.removesuffix('_cite')}"), value
            else:
                yield from entries_of(value, f"{path}.{name}" if path else name)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from entries_of(value, f"{path}.{key}" if path else str(key))
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            yield from entries_of(value, f"{path}[{index}]")


def _check(rulebook: Rulebook) -> None:
    """Refuse what the shape of the files cannot: names that lead nowhere, two answers to a question, or none."""
    for problem in _wrong_cites(rulebook, rulebook.name):
        raise RulebookError(f"{rulebook.name}: {problem}")
    for file, problems in (
        ("elections.toml", _wrong_elections(rulebook)),
        ("general.toml", _wrong_general(rulebook)),
        ("house.toml", _wrong_house(rulebook)),
        *((f"{game}.toml", _wrong_game(rulebook, entry)) for game, entry in rulebook.games.items()),
    ):
        for problem in problems:
            raise RulebookError(f"{rulebook.name}/{file}: {problem}")
    for kind, wager in rulebook.wagers.items():
        for problem in _wrong_wager(rulebook, kind, wager):
            raise RulebookError(f"{rulebook.name}/wagers.toml: {kind}: {problem}")


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
    yield from (f"{key}: is no election" for key in elections if key not in ELECTIONS)
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


def _wrong_wager(rulebook: Rulebook, kind: str, entry: WagerEntry) -> Iterator[str]:
    """Every way to win has one payout, every number one answer."""
    numbers = {str(number) for number in getattr(entry, "numbers", ())}
    for path, cite in entries_of(entry):
        if isinstance(cite, dict) and set(cite) != numbers:
            yield f"{path}: cites {sorted(cite)} by number, and the wager has {sorted(numbers)}"
    elect = entry.come_out.elect if entry.come_out else ""
    for key, election in (("offered", entry.offered), ("come_out.elect", elect)):
        if election and election not in rulebook.elections:
            yield f"{key}: {election} is no election"
    if isinstance(entry, Composite):
        yield from _wrong_composite(rulebook, kind, entry)
        return
    yield from (problem for line in entry.pays for problem in _wrong_pays(line))
    if isinstance(entry, OneRoll):
        yield from _wrong_one_roll(entry)
    elif isinstance(entry, Line):
        yield from _wrong_line(rulebook, entry)
    else:
        yield from _wrong_numbers(entry)
    if isinstance(entry, OddsWager):
        yield from _wrong_odds(rulebook, entry)
    if isinstance(entry, Number) and entry.vigorish and f"{kind}_vigorish_basis_points" not in rulebook.elections:
        yield "vigorish: no election sets its rate"


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


def _wrong_pays(line: PaysEntry) -> Iterator[str]:
    for text in filter(None, (line.pays, line.or_pays)):
        try:
            Pays.parse(text)
        except MoneyError as error:
            yield f"pays: {error}"
    if bool(line.or_pays) != bool(line.or_cite):
        yield "pays: or_pays and or_cite go together"


def _wrong_line(rulebook: Rulebook, entry: Line) -> Iterator[str]:
    void = entry.first_void.totals if entry.first_void else ()
    answers = Counter((*entry.first_win.totals, *entry.first_lose.totals, *void, *rulebook.general.points.totals))
    if set(answers) != set(range(2, 13)) or max(answers.values()) > 1:
        yield f"first roll: every total needs one answer, has {dict(sorted(answers.items()))}"
    if entry.win.on == entry.lose.on:
        yield "win and lose: the same roll both wins and loses"
    if len(entry.pays) != 1:
        yield "pays: a line wager has one payout"


def _wrong_numbers(entry: Number | OddsWager | Hardway) -> Iterator[str]:
    numbers = {str(number) for number in entry.numbers}
    answers = Counter(str(number) for line in entry.pays for number in (line.numbers or numbers))
    if not numbers or set(answers) != numbers or max(answers.values()) > 1:
        yield f"pays: every number needs one payout, has {dict(answers)}"
    if not {str(number) for number in _TOTALS} >= numbers:
        yield f"numbers: {', '.join(sorted(numbers))} are not all totals that stand against a 7"
    if not isinstance(entry, Hardway) and entry.win.on == entry.lose.on:
        yield "win and lose: the same roll both wins and loses"


def _wrong_odds(rulebook: Rulebook, entry: OddsWager) -> Iterator[str]:
    base = rulebook.wagers.get(entry.behind)
    if base is None or isinstance(base, Composite):
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
