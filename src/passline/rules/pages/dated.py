"""Dated pages: what is in force on a day, by `from` and `to` of a table and by the versions under `dated`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, TypeVar

from passline.rules.pages.structure import convert_data
from passline.rules.pages.texts import RulebookError, RulebookFaults
from passline.rules.schema import Game

_T = TypeVar("_T")
DAYS = frozenset({"from", "to"})
"""The keys of a table that say between which days it is in force: from the first on, and before the second."""


def read_entries(
    data: Mapping[str, Any], kind: type[_T], label: str, *, on: date | None = None, is_kept: bool = False
) -> _T:
    """Convert the data of a page, as in force on a day, to `kind`; an error names the label and the keys.

    Versions that are not in force on that day are checked as well, unless a log has kept the page (`is_kept`).
    """
    if not has_days(data):
        return convert_data(data, kind, label, is_kept=is_kept)
    if unclear := [f"{label}: {problem}" for problem in _dated_problems(data)]:
        raise RulebookFaults(unclear)
    if kind is Game:
        data = _without_day(data)
    found = convert_data(_in_force(data, on, label), kind, label, is_kept=is_kept)
    count = max((len(versions) for _path, versions in versions_of(data, "")), default=1)
    for older in range(1, 1 if is_kept else max(count, 2 if _has_ended(data, on) else 1)):
        convert_data(_version(data, older), kind, label)
    return found


def has_days(data: object) -> bool:
    """Return whether anything in some data begins or changes on a day."""
    if isinstance(data, dict):
        return "dated" in data or "from" in data or _end_of(data) is not None or any(map(has_days, data.values()))
    return isinstance(data, list) and any(map(has_days, data))


def _end_of(data: Mapping[str, Any]) -> date | None:
    """Return the day from which a table is in force no more; `to` is a word of payouts as well, but no day there."""
    end = data.get("to")
    return end if type(end) is date else None


def _has_ended(data: object, on: date | None) -> bool:
    """Return whether a table in some data is in force no more on a day, so that nothing else reads it."""
    if isinstance(data, list):
        return any(_has_ended(item, on) for item in data)
    if not isinstance(data, dict):
        return False
    return not _is_before_end(data, on) or any(_has_ended(value, on) for value in data.values())


def _is_before_end(data: Mapping[str, Any], on: date | None) -> bool:
    end = _end_of(data)
    return end is None or on is None or on < end


def _dated_problems(data: object, path: str = "") -> Iterator[str]:
    """Yield a problem for every `dated` table without versions, with an empty one, or with days out of order."""
    if isinstance(data, list):
        for index, item in enumerate(data):
            yield from _dated_problems(item, f"{path}[{index}]")
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        yield from _dated_problems(value, f"{path}.{key}" if path else key)
    end, begins = _end_of(data), data.get("from")
    if end is not None and type(begins) is date and begins >= end:
        yield f"{path}: `to` must be a later day than `from`"
    if "dated" not in data:
        return
    versions = data["dated"]
    if not versions or not isinstance(versions, list) or not all(isinstance(version, dict) for version in versions):
        yield f"{path}: `dated` must be a list of versions"
        return
    if any([*version] == ["from"] for version in versions):
        yield f"{path}: a version under `dated` says nothing but its day"
    days = [version.get("from") for version in versions]
    if not all(type(day) is date for day in days) or sorted(set(days)) != days:
        yield f"{path}: every version under `dated` needs its own `from` day, the oldest first"


def _version(data: object, older: int) -> object:
    """Replace every `dated` table by one of its older versions, or by the first if it has fewer."""
    if isinstance(data, list):
        return [_version(item, older) for item in data]
    if not isinstance(data, dict):
        return data
    if "dated" not in data:
        return {key: _version(_without_day(value), older) for key, value in data.items()}
    chosen = data["dated"][max(len(data["dated"]) - 1 - older, 0)]
    return {key: value for key, value in _without_day({**data, **chosen}).items() if key != "dated"}


def _in_force(data: object, on: date | None, label: str) -> object:
    """Replace every `dated` table by its version in force on a day; two versions for one day, or none, is an error.

    A table is left out before its `from` day, and from its `to` day on; so is a list with a table that is.
    """
    if isinstance(data, list):
        return [_in_force(item, on, label) for item in data]
    if not isinstance(data, dict):
        return data
    if "dated" not in data:
        begun = {key: value for key, value in data.items() if is_in_force(value, on, f"{label}: {key}")}
        found = {key: _in_force(_without_day(value), on, f"{label}: {key}") for key, value in begun.items()}
        return {key: value for key, value in found.items() if value != {} or not data[key]}  # none of it is in force
    versions = data["dated"]
    started = [version for version in versions if on is None or version["from"] <= on]
    if not started:
        raise RulebookError(f"{label}: no version is in force on {on}; the first is from {versions[0]['from']}")
    newest = max(started, key=lambda version: version["from"])
    return {key: value for key, value in _without_day({**data, **newest}).items() if key != "dated"}


def is_in_force(data: object, on: date | None, label: str) -> bool:
    """Return whether a table, or every table of a list, is in force on a day, by its own `from` and `to`."""
    if isinstance(data, list):
        return all(is_in_force(item, on, label) for item in data)
    if not isinstance(data, dict):
        return True
    if "from" in data and type(data["from"]) is not date:
        raise RulebookError(f"{label}: `from` must be the day from which it is in force, such as 2012-09-14")
    return (on is None or "from" not in data or data["from"] <= on) and _is_before_end(data, on)


def _without_day(data: Any) -> Any:  # noqa: ANN401  # TOML has values of any type
    """Return a table, or the tables of a list, without the days between which it is in force."""
    if isinstance(data, list):
        return [_without_day(item) for item in data]
    if not isinstance(data, dict):
        return data
    days = {"from"} if _end_of(data) is None else DAYS
    return {key: value for key, value in data.items() if key not in days}


def versions_of(data: object, path: str) -> Iterator[tuple[str, tuple[dict[str, Any], ...]]]:
    """Yield the path of every table that begins or changes on a day, with its versions."""
    if isinstance(data, dict):
        days = {"from": data.get("from"), "to": _end_of(data)}
        begins = ({key: day for key, day in days.items() if day is not None},) if any(days.values()) else ()
        dated = data["dated"] if isinstance(data.get("dated"), list) else ()
        if begins or dated:
            yield path, (*begins, *dated)
        for key, value in data.items():
            if key != "dated":
                yield from versions_of(value, f"{path}.{key}")
    elif isinstance(data, list):
        for index, item in enumerate(data, start=1):
            yield from versions_of(item, f"{path}.{index}")
