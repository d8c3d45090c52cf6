"""Reading a rulebook: TOML in, one checked Rulebook out, or an error that names the file and the key."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from passline.dice import OUTCOMES, Roll
from passline.errors import CrapsError
from passline.money import MoneyError, Pays
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.schema import (
    Cite,
    Composite,
    Election,
    Game,
    General,
    Hardway,
    Line,
    OddsWager,
    OneRoll,
    PaysEntry,
    Procedures,
    WagerEntry,
    cites_of,
)

__all__ = ["Rulebook", "RulebookError", "entries_of", "load_rulebook", "read_procedures", "read_toml", "rulebook_of"]

_T = TypeVar("_T")


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


def load_rulebook(folder: Traversable | Path, *, on: date | None = None) -> Rulebook:
    """Read a rulebook folder as in force on a day (default: the newest text)."""
    name = folder.name
    general = _read(folder / "general.toml", General, on)
    rulebook = Rulebook(
        name=name,
        general=general,
        wagers=_read(folder / "wagers.toml", dict[str, WagerEntry], on),
        elections=_read(folder / "elections.toml", dict[str, Election], on),
        games={game: _read(folder / f"{game}.toml", Game, on) for game in general.games},
        default_house=_in_force(read_toml(folder / "house.toml"), on, name),
    )
    _check_cites(rulebook)
    for kind, entry in rulebook.wagers.items():
        _check_wager(rulebook, kind, entry)
    return rulebook


def read_toml(path: Traversable | Path) -> dict[str, Any]:
    """Read one TOML file; any fault becomes one line that names the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = "there is no such file"
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problem = str(error).splitlines()[0]
    message = f"{_label(path)}: {problem}"
    raise RulebookError(message)


def _label(path: Traversable | Path) -> str:
    return str(path) if isinstance(path, Path) and not path.is_absolute() else "/".join(str(path).split("/")[-2:])


def _read(path: Traversable | Path, kind: type[_T], on: date | None) -> _T:
    return _convert(_in_force(read_toml(path), on, _label(path)), kind, _label(path))


def read_procedures(data: Mapping[str, Any], label: str) -> Procedures:
    """Read the procedures a house supplies where its regulation has none."""
    return _convert(data, Procedures, label)


def _convert(data: object, kind: type[_T], label: str) -> _T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message = f"{label}: {error}"
        raise RulebookError(message) from None


def _in_force(data: Any, on: date | None, label: str) -> Any:
    """Replace every `dated` table by the version in force on a day; two versions for one day, or none, is an error."""
    if isinstance(data, list):
        return [_in_force(item, on, label) for item in data]
    if not isinstance(data, dict):
        return data
    if "dated" not in data:
        return {key: _in_force(value, on, f"{label}: {key}") for key, value in data.items()}
    versions = data["dated"]
    days = [version.get("from") for version in versions]
    if not all(isinstance(day, date) for day in days) or len(set(days)) != len(days):
        message = f"{label}: every version under `dated` needs its own `from` day"
        raise RulebookError(message)
    begun = [version for version in versions if on is None or version["from"] <= on]
    if not begun:
        message = f"{label}: no version is in force on {on}; the first is from {min(days)}"
        raise RulebookError(message)
    newest = max(begun, key=lambda version: version["from"])
    return {key: value for key, value in {**data, **newest}.items() if key not in {"from", "dated"}}


def entries_of(node: object, path: str = "") -> Iterator[tuple[str, Cite]]:
    """Walk everything in a rulebook that carries a citation: where it stands, and its clauses."""
    if isinstance(node, Struct):
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if name == "cite" or name.endswith("_cite"):
                if value:
                    yield (path if name == "cite" else f"{path}.{name.removesuffix('_cite')}"), value
            else:
                yield from entries_of(value, f"{path}.{name}" if path else name)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from entries_of(value, f"{path}.{key}" if path else str(key))
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            yield from entries_of(value, f"{path}[{index}]")


def _check_cites(rulebook: Rulebook) -> None:
    known = clauses_of(rulebook.name)
    for path, cite in entries_of(rulebook):
        clauses = cites_of(cite)
        if not clauses or not all(clauses):
            message = f"{rulebook.name}: {path}: an entry without a citation"
            raise RulebookError(message)
        for clause, count in Counter(clauses).items():
            if count > 1 and not isinstance(cite, dict):
                message = f"{rulebook.name}: {path}: cites {clause} twice"
                raise RulebookError(message)
            if known and clause not in known:
                message = f"{rulebook.name}: {path}: cites {clause}, which is no clause of {rulebook.name}"
                raise RulebookError(message)


def _check_wager(rulebook: Rulebook, kind: str, entry: WagerEntry) -> None:
    """Every way to win has one payout, every number one answer."""

    def fail(problem: str) -> None:
        message = f"{rulebook.name}/wagers.toml: {kind}: {problem}"
        raise RulebookError(message)

    numbers = tuple(str(number) for number in getattr(entry, "numbers", ()))
    for path, cite in entries_of(entry):
        if isinstance(cite, dict) and not set(cite) <= set(numbers):
            fail(f"{path}: cites numbers {sorted(set(cite) - set(numbers))} that the wager does not have")
    if entry.offered and entry.offered not in rulebook.elections:
        fail(f"offered: {entry.offered} is no election")
    if isinstance(entry, Composite):
        for part in (*entry.parts.units, *(entry.breakdown.units if entry.breakdown else ())):
            if part != "high" and part not in rulebook.wagers:
                fail(f"parts: {part} is no wager of this rulebook")
        if ("high" in entry.parts.units) != bool(entry.numbers):
            fail("parts: `high` goes with numbers to choose from")
        return
    for line in entry.pays:
        _parse_pays(line, fail)
    if isinstance(entry, OneRoll):
        _check_one_roll(entry, fail)
    elif isinstance(entry, Line):
        _check_line(rulebook, entry, fail)
    else:
        answers = Counter(str(number) for line in entry.pays for number in (line.numbers or numbers))
        if set(answers) != set(numbers) or max(answers.values()) > 1:
            fail(f"pays: every number needs one payout, has {dict(answers)}")
        if not isinstance(entry, Hardway) and entry.win.on == entry.lose.on:
            fail("win and lose: the same roll both wins and loses")
    if isinstance(entry, OddsWager):
        base = rulebook.wagers.get(entry.behind)
        if base is None or isinstance(base, Composite):
            fail(f"behind: {entry.behind} is no wager that odds can stand behind")
        elif {line.pays for line in base.pays} != {entry.flat.pays}:
            fail(f"flat: says {entry.flat.pays}, but {entry.behind} pays otherwise")


def _parse_pays(line: PaysEntry, fail: Any) -> None:
    try:
        Pays.parse(line.pays)
        if line.or_pays:
            Pays.parse(line.or_pays)
    except MoneyError as error:
        fail(f"pays: {error}")
    if bool(line.or_pays) != bool(line.or_cite):
        fail("pays: or_pays and or_cite go together")


def _check_line(rulebook: Rulebook, entry: Line, fail: Any) -> None:
    void = entry.first_void.totals if entry.first_void else ()
    answers = Counter((*entry.first_win.totals, *entry.first_lose.totals, *void, *rulebook.general.points.totals))
    if set(answers) != set(range(2, 13)) or max(answers.values()) > 1:
        fail(f"first roll: every total needs one answer, has {dict(sorted(answers.items()))}")
    if entry.win.on == entry.lose.on:
        fail("win and lose: the same roll both wins and loses")
    if len(entry.pays) != 1:
        fail("pays: a line wager has one payout")


def _check_one_roll(entry: OneRoll, fail: Any) -> None:
    if entry.numbers:
        numbers = {str(number) for number in entry.numbers}
        answers = Counter(str(number) for line in entry.pays for number in line.numbers)
        if set(answers) != numbers or max(answers.values()) > 1:
            fail(f"pays: every number needs one payout, has {dict(answers)}")
        if numbers - {roll.pair for roll in OUTCOMES}:
            fail("numbers: no such pair of dice")
        return
    winning = set(entry.win.totals)
    for roll in OUTCOMES:
        lines = [line for line in entry.pays if _speaks_of(line, roll)]
        if len(lines) != (roll.total in winning):
            fail(f"pays: {roll.pair} has {len(lines)} payouts, and win.totals says {sorted(winning)}")


def _speaks_of(line: PaysEntry, roll: Roll) -> bool:
    return roll.total in line.totals or roll.pair in line.dice
