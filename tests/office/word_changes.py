"""Other words for what an entry of an office's pages says: a document that is a text, an act that counts for ever."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

from msgspec import NODEFAULT, Struct, structs

from passline.acts.schema import ActPages, Field, Thing, Value

GONE = object()
"""In place of a value: the key is left out."""
PROSE = {
    "name",
    "says",
    "reading",
    "cite",
    "page",
    "unit",
    "mend",
    "incident",
    "filed",
    "told",
    "uncorrected",
    "one_office",
}
"""How an entry reads, what leaves the office's memory (tests/office/test_filing.py), and how late an act may be told
(tests/office/test_telling.py), why nobody corrects it, and what several offices may not both have
(tests/web/api/test_frauds.py): not what it decides in a day of one office."""
_LIKE = {
    "document": "text", "text": "document", "yes": "flag", "no": "flag", "flag": "yes", "choice": "text",
    "day": "text", "moment": "text", "number": "cents", "cents": "number", "thing": "text", "person": "text",
    "things": "ids", "ids": "things", "house": "text", "sheet": "text", "act": "text",
}  # fmt: skip
"""The type with which a field would still take what honest people write, or the one next to it."""
WordChange = tuple[str, Any]
Seen = Mapping[tuple[type, str], tuple[str, ...]]


def words_seen(pages: ActPages) -> Seen:
    """Every word that stands under a key in an office's pages, by the kind of entry and the key."""
    seen: dict[tuple[type, str], set[str]] = {}
    for entry in _entries(pages):
        for key in entry.__struct_fields__:
            value = getattr(entry, key)
            words = [value] if isinstance(value, str) else value if isinstance(value, tuple) else ()
            seen.setdefault((type(entry), key), set()).update(one for one in words if isinstance(one, str) and one)
    return {key: tuple(sorted(words)) for key, words in seen.items()}


def _entries(part: object) -> Iterator[Struct]:
    if isinstance(part, Struct):
        yield part
        for key in part.__struct_fields__:
            yield from _entries(getattr(part, key))
    elif isinstance(part, dict):
        for one in part.values():
            yield from _entries(one)


def changed_words(entry: Struct, seen: Seen) -> Iterator[list[WordChange]]:
    """Yield for each change what to try, best first: (key, value). The first that can be read is the change."""
    hints = get_type_hints(type(entry))
    for field in structs.fields(entry):
        value = getattr(entry, field.name)
        if field.name in PROSE:
            continue
        if field.name == "optional" and isinstance(entry, Field | Value) and not value:
            yield [("optional", True)]
        if isinstance(value, str) and value:
            if field.default not in {NODEFAULT, value}:
                yield [(field.name, GONE)]
            yield [(field.name, other) for other in _others(entry, field.name, value, hints[field.name], seen)]
        elif isinstance(value, tuple) and value and all(isinstance(one, str) for one in value):
            others = [one for one in _known(entry, field.name, seen) if one not in value]
            if len(value) == 1 and (field.default is not NODEFAULT or field.default_factory is not NODEFAULT):
                yield [(field.name, GONE)]
            elif len(value) == 1:
                yield [(field.name, [one]) for one in others]
            if _is_widened(entry, field.name):
                yield [(field.name, [*value, one]) for one in others]


def _is_widened(entry: Struct, key: str) -> bool:
    """Whether one word more lets more people or things through: a day has somebody try who may not."""
    is_of_people = isinstance(entry, Field) and entry.type in {"person", "people", "shares"}
    return (
        key in {"by", "roles"} or (key == "of" and is_of_people) or (key == "states" and not isinstance(entry, Thing))
    )


def _known(entry: Struct, key: str, seen: Seen) -> list[str]:
    """Other words for a key, those first that the days try: who may do the least in a house is its dealer."""
    words = seen.get((type(entry), key), ())
    return [*(one for one in words if one == "dealer"), *(one for one in words if one != "dealer")]


def _others(entry: Struct, key: str, value: str, hint: object, seen: Seen) -> list[str]:
    if isinstance(entry, Field) and key == "type":
        return [_LIKE[value]] if value in _LIKE else []
    if typing.get_origin(hint) is typing.Literal:
        return [one for one in get_args(hint) if one and one != value]
    known = seen.get((type(entry), key), ())
    after = [one for one in known if one > value]
    return [*after, *(one for one in known if one < value)]
