"""Reading a rulebook: TOML files to one checked Rulebook, or an error that names the file and the key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_check import rulebook_problems
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_pages import Pages, RulebookError, installed_folder, read_pages
from passline.rules.schema import Election, Game, General, Procedures, WagerEntry

__all__ = ["load_rulebook", "read_entries", "read_procedures", "read_toml", "rulebook_from", "rulebook_of"]

_T = TypeVar("_T")


@cache
def rulebook_of(name: str) -> Rulebook:
    """Return one of the rulebooks in the package, as its newest text.

    >>> rulebook_of("maryland").games.keys()
    dict_keys(['craps', 'mini_craps'])
    >>> rulebook_of("nevada")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.rules.rulebook_pages.RulebookError: there is no rulebook 'nevada'; choose colorado, ...
    """
    if name not in REGULATIONS:
        message = f"there is no rulebook {name!r}; choose {', '.join(REGULATIONS)}"
        raise RulebookError(message)
    return load_rulebook(installed_folder(name))


def read_toml(path: Traversable | Path) -> dict[str, Any]:
    """Read one TOML file; any error becomes a one-line message with the file and, where known, its faulty line."""
    try:
        return _parsed(path.read_bytes(), _label(path))
    except FileNotFoundError:
        problem = "there is no such file"
    except IsADirectoryError:
        problem = "is a folder"
    except OSError as error:
        problem = str(error).splitlines()[0]
    raise RulebookError(f"{_label(path)}: {problem}")


def _parsed(page: bytes, label: str) -> dict[str, Any]:
    text = ""
    try:
        text = page.decode("utf-8")
        return tomllib.loads(text)
    except RecursionError:
        problem = "is nested too deeply"
    except ValueError as error:  # not UTF-8, not TOML, or a number of thousands of digits
        problem = str(error).splitlines()[0]
        if at := _AT_LINE.search(problem):
            problem += f": {text.splitlines()[int(at[1]) - 1].strip()[:60]}"
    raise RulebookError(f"{label}: {problem}")


_AT_LINE = re.compile(r"at line (\d+)")


def load_rulebook(
    folder: Traversable | Path,
    *,
    on: date | None = None,
    read: Callable[[Traversable | Path], dict[str, Any]] | None = None,
) -> Rulebook:
    """Read and check a rulebook folder as in force on a day (default: the newest text); `read` may change its data."""
    if read is not None:
        change = read
        return _assembled(folder.name, lambda page: change(folder / page), has_side=(folder / _SIDE).is_file(), on=on)
    return rulebook_from(read_pages(folder), on=on)


def rulebook_from(pages: Pages, *, on: date | None = None) -> Rulebook:
    """Parse and check the pages of a rulebook; its digest is that of these very bytes.

    >>> rulebook_from(read_pages(installed_folder("maryland"))) == rulebook_of("maryland")
    True
    """

    def read(page: str) -> dict[str, Any]:
        if page not in pages.texts:
            raise RulebookError(f"{pages.name}/{page}: there is no such file")
        return _parsed(pages.texts[page], f"{pages.name}/{page}")

    return _assembled(pages.name, read, has_side=_SIDE in pages.texts, on=on, digest=pages.digest)


_SIDE = "sidewagers.toml"


def _assembled(
    name: str, read: Callable[[str], dict[str, Any]], *, has_side: bool, on: date | None, digest: str = ""
) -> Rulebook:
    versions: dict[str, tuple[dict[str, Any], ...]] = {}

    def entries(file: str, kind: type[_T]) -> _T:
        data = read(file)
        versions.update(_versions(data, file.removesuffix(".toml")))
        return read_entries(data, kind, f"{name}/{file}", on=on)

    def game_of(game: str) -> Game | None:
        file, data = f"{game}.toml", read(f"{game}.toml")
        versions.update(_versions(data, game))
        if not _is_begun(data, on, f"{name}/{file}"):
            return None
        return read_entries(data, Game, f"{name}/{file}", on=on)

    general = entries("general.toml", General)
    games = {game: found for game in general.games if (found := game_of(game))}
    side = entries(_SIDE, dict[str, WagerEntry]) if has_side else {}
    rulebook = Rulebook(
        name=name,
        general=msgspec.structs.replace(general, games=tuple(games)),
        wagers=entries("wagers.toml", dict[str, WagerEntry]) | side,
        elections=entries("elections.toml", dict[str, Election]),
        games=games,
        default_house=entries("house.toml", dict[str, Any]),
        versions=versions,
        digest=digest,
    )
    for problem in rulebook_problems(rulebook):
        raise RulebookError(f"{name}{problem}")
    return rulebook


def _label(path: Traversable | Path) -> str:
    return str(path) if isinstance(path, Path) and not path.is_absolute() else "/".join(str(path).split("/")[-2:])


def read_entries(data: Mapping[str, Any], kind: type[_T], label: str, *, on: date | None = None) -> _T:
    """Convert the data of a rulebook file, as in force on a day, to `kind`; an error names the label and the key."""
    return _convert(_in_force(_begun(data) if kind is Game else data, on, label), kind, label)


def read_procedures(data: Mapping[str, Any], label: str) -> Procedures:
    """Convert the procedures that a house supplies where its regulation has none."""
    return _convert(data, Procedures, label)


def _convert(data: object, kind: type[_T], label: str) -> _T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message = f"{label}: {_with_keys_named(data, kind, str(error))}"
        raise RulebookError(message) from None


def _with_keys_named(data: object, kind: type[Any], problem: str) -> str:
    """Return the problem with the names of those keys that msgspec's message leaves open as `[...]`."""
    found = _OPEN.search(problem)
    if found is None:
        return problem
    path: list[str] = []
    for step in _STEP.findall(found[1]):
        key = step
        if step == "[...]":  # it is the table that, without its siblings, has the same problem
            alone = [(key, _with(data, path, {key: value})) for key, value in _at(data, path).items()]
            same = [(key, changed) for key, changed in alone if _fault(changed, kind) == problem]
            if not same:
                return problem
            key, data = same[0]
        path.append(key)
    return problem[: found.start(1)] + "".join(f".{key}" for key in path) + problem[found.end(1) :]


_OPEN = re.compile(r" - at `\$((?:\.\w+)*(?:\[\.\.\.\](?:\.\w+)*)+)[^`]*`$")
_STEP = re.compile(r"\w+|\[\.\.\.\]")


def _fault(data: object, kind: type[Any]) -> str:
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def _at(data: Any, path: list[str]) -> dict[str, Any]:  # noqa: ANN401  # TOML has values of any type
    for key in path:
        data = data[key]
    return dict(data)


def _with(data: Any, path: list[str], table: dict[str, Any]) -> object:  # noqa: ANN401  # likewise
    """Return the data with another table at a path."""
    return {**data, path[0]: _with(data[path[0]], path[1:], table)} if path else table


def _in_force(data: object, on: date | None, label: str) -> object:
    """Replace every `dated` table by its version in force on a day; two versions for one day, or none, is an error.

    A table with a `from` day is left out before it, and so is a list with a table that is.
    """
    if isinstance(data, list):
        return [_in_force(item, on, label) for item in data]
    if not isinstance(data, dict):
        return data
    if "dated" not in data:
        begun = {key: value for key, value in data.items() if _is_begun(value, on, f"{label}: {key}")}
        return {key: _in_force(_begun(value), on, f"{label}: {key}") for key, value in begun.items()}
    versions = data["dated"]
    if not versions or not isinstance(versions, list) or not all(isinstance(version, dict) for version in versions):
        message = f"{label}: `dated` must be a list of versions"
        raise RulebookError(message)
    days = [version.get("from") for version in versions]
    if not all(type(day) is date for day in days) or len(set(days)) != len(days):
        message = f"{label}: every version under `dated` needs its own `from` day"
        raise RulebookError(message)
    started = [version for version in versions if on is None or version["from"] <= on]
    if not started:
        message = f"{label}: no version is in force on {on}; the first is from {min(days)}"
        raise RulebookError(message)
    newest = max(started, key=lambda version: version["from"])
    return {key: value for key, value in {**data, **newest}.items() if key not in {"from", "dated"}}


def _is_begun(data: object, on: date | None, label: str) -> bool:
    """Return whether a table, or every table of a list, is in force on a day, by its own `from`."""
    if isinstance(data, list):
        return all(_is_begun(item, on, label) for item in data)
    if not isinstance(data, dict) or "from" not in data:
        return True
    if type(data["from"]) is not date:
        message = f"{label}: `from` must be the day from which it is in force, such as 2012-09-14"
        raise RulebookError(message)
    return on is None or data["from"] <= on


def _begun(data: Any) -> Any:  # noqa: ANN401  # TOML has values of any type
    """Return a table, or the tables of a list, without the day from which it is in force."""
    if isinstance(data, list):
        return [_begun(item) for item in data]
    return {key: value for key, value in data.items() if key != "from"} if isinstance(data, dict) else data


def _versions(data: object, path: str) -> Iterator[tuple[str, tuple[dict[str, Any], ...]]]:
    if isinstance(data, dict):
        begins = ({"from": data["from"]},) if "from" in data else ()
        dated = data["dated"] if isinstance(data.get("dated"), list) else ()
        if begins or dated:
            yield path, (*begins, *dated)
        for key, value in data.items():
            if key != "dated":
                yield from _versions(value, f"{path}.{key}")
    elif isinstance(data, list):
        for index, item in enumerate(data, start=1):
            yield from _versions(item, f"{path}.{index}")
