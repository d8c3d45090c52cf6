"""The pages of an office with one entry dropped or changed: what a day must notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import msgspec

from passline.acts.check import office_problems
from passline.acts.rules import ActRules, cited_parts, is_made, with_made_acts
from passline.acts.schema import PRACTICE, ActPages
from tests.office.word_changes import GONE, PROSE, Seen, changed_words, words_seen

_Change = tuple[tuple[str, ...], Any]
"""A key of an entry, or one below it, and another value; GONE where it is left out."""
_Cited = list[tuple[tuple[str, ...], tuple[str, ...]]]
"""The ways to what cites something, with the clauses."""
_WHOLE: dict[int, tuple[ActPages, dict[str, Any], Seen, _Cited]] = {}  # unbroken pages by id, as data; their words
_ENTRIES = 10  # a share of so many tries all entries that cite a clause, one of twice as many every other


def broken_rules(rules: ActRules, clause: str, share: int = 1) -> Iterator[tuple[str, ActRules]]:
    """Yield every way to break an entry that cites a clause: (what was done, the rules with it).

    An entry that others need cannot be dropped; then its citation is, so that nobody learns the clause any more.
    With a share only one in so many of an entry's other changes is tried, always the same ones; with a large one also
    only some of the entries, where several cite the clause.
    """
    if id(rules.pages) not in _WHOLE:
        cited = list(cited_parts(rules.pages))
        _WHOLE[id(rules.pages)] = rules.pages, _data_of(rules.pages), words_seen(rules.pages), cited
    _, whole, seen, cited = _WHOLE[id(rules.pages)]
    paths = [path for path, clauses in cited if clause in clauses]
    tried = 0
    for number, path in enumerate(paths):
        if tried and number % max(1, share // _ENTRIES):
            continue
        for broken in _breaks_of(rules, whole, path, seen, share):
            tried += 1
            yield broken


def _data_of(pages: ActPages) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(pages)
    for key in filter(lambda act: is_made(pages, act), pages.acts):
        del data["acts"][key]  # made when pages are read
    return data


def _breaks_of(
    rules: ActRules, whole: dict[str, Any], path: tuple[str, ...], seen: Seen, share: int
) -> Iterator[tuple[str, ActRules]]:
    """Yield every break of one entry: it is dropped, cites nothing, or says something else."""
    label = ".".join(path)
    for said, pages in (
        (f"{label} dropped", _without(whole, path)),
        (f"{label} without its clause", _with(whole, (*path, "cite"), PRACTICE)),
    ):
        if broken := _read(rules, pages):
            yield said, broken
            if share > 1:
                break  # nobody learns the clause from what is not there
    words = changed_words(_struct_at(rules.pages, path), seen)
    changes: list[list[_Change]] = [[change] for change in _changes(_at(whole, path))]
    changes += [[((key,), value) for key, value in choice] for choice in words]
    for number, choice in enumerate(changes):
        if (crc32(label.encode()) + number) % share == 0 and (found := _first_read(rules, whole, path, choice)):
            yield found


def _first_read(
    rules: ActRules, whole: dict[str, Any], path: tuple[str, ...], changes: Sequence[_Change]
) -> tuple[str, ActRules] | None:
    """Return the first of several changes after which the pages can be read: what was done, and the rules."""
    for place, value in changes:
        if changed := _read(rules, _put(whole, (*path, *place), value)):
            said = "left out" if value is GONE else f"= {value!r}"
            return f"{'.'.join(path)}: {'.'.join(place)} {said}", changed
    return None


def _read(rules: ActRules, whole: dict[str, Any]) -> ActRules | None:
    """The rules of changed pages, or None if they are refused when they are read."""
    words = {  # of an act that was dropped nothing is said any more
        effect: {**said, "acts": [act for act in said["acts"] if act in whole["acts"] | whole.get("rights", {})]}
        for effect, said in whole.get("words", {}).items()
    }
    whole = {**whole, **({"words": words} if words else {})}
    try:
        changed = ActRules(rules.name, rules.digest, with_made_acts(msgspec.convert(whole, ActPages)))
    except msgspec.ValidationError:
        return None
    return None if office_problems(changed) else changed


def _at(whole: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    for key in path:
        whole = whole[key]
    return whole


def _struct_at(part: Any, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - pages, tables of entries, or an entry
    for key in path:
        part = part[key] if isinstance(part, dict) else getattr(part, key)
    return part


def _put(whole: dict[str, Any], path: tuple[str, ...], value: object) -> dict[str, Any]:
    return _without(whole, path) if value is GONE else _with(whole, path, value)


def _without(whole: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    key, *rest = path
    if not rest:
        return {one: value for one, value in whole.items() if one != key}
    return {**whole, key: _without(whole[key], tuple(rest))}


def _with(whole: dict[str, Any], path: tuple[str, ...], value: object) -> dict[str, Any]:
    key, *rest = path
    return {**whole, key: _with(whole[key], tuple(rest), value) if rest else value}


def _changes(entry: dict[str, Any]) -> Iterator[_Change]:
    """Yield other values for what an entry itself says; entries below it that have a citation are their own."""
    for key, value in entry.items():
        if key in PROSE or (isinstance(value, dict) and _is_cited(value)):
            continue
        match value:
            case bool():
                yield (key,), not value
            case int():
                yield (key,), value + 1
                if value:
                    yield (key,), value - 1
            case list() | tuple() if len(value) > 1:
                yield from (((key,), [*value[:index], *value[index + 1 :]]) for index in range(len(value)))
            case dict() if key == "length":
                yield (key, "count"), value["count"] + 1
                if value["count"]:
                    yield (key, "count"), value["count"] - 1
                yield (key, "unit"), _other_unit(value)


def _other_unit(length: dict[str, Any]) -> str:
    """Another unit that changes a length: zero business days end as zero days do, with the day itself."""
    if length["unit"] != "days":
        return "days"
    return "business_days" if length["count"] else "minutes"


def _is_cited(table: dict[str, Any]) -> bool:
    return "cite" in table or any(isinstance(one, dict) and "cite" in one for one in table.values())
