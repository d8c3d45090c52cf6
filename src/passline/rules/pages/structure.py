"""The structure of a file: its data against the model declared for it, every fault with its key and what to do.

The model is any type that msgspec converts to. Beyond its types, keys, words and ranges, a text is never empty or
padded and a list never says the same twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from passline.rules.pages.texts import RulebookFaults

_T = TypeVar("_T")
_Path = tuple[str | int, ...]
_Faults = Iterator[tuple[_Path, str]]
_LISTED_MAX = 12  # as many words a message lists when none is like the one written
_WORD_MAX = 64  # characters: nothing longer is a misspelt word
_FAULTS_MAX = 200  # that are told at once


class KeyFault(Struct, frozen=True):
    """One fault of a file: the key (in a list with its place) and what is wrong.

    >>> str(KeyFault("pass.pays[0].cite", "is missing"))
    'pass.pays[0].cite: is missing'
    """

    key: str
    problem: str

    def below(self, key: str) -> KeyFault:
        """Return the fault with `key` put before its own key."""
        dot = "." if self.key and not self.key.startswith("[") else ""
        return KeyFault(f"{key}{dot}{self.key}", self.problem)

    def __str__(self) -> str:
        return f"{self.key}: {self.problem}" if self.key else self.problem


def convert_data(data: object, kind: type[_T], label: str, *, is_kept: bool = False) -> _T:
    """Convert data to its model, or raise RulebookFaults with every fault of its structure.

    >>> convert_data({"a": 1, "b": "x"}, dict[str, int], "harbour/tides.toml")
    Traceback (most recent call last):
    passline.rules.pages.texts.RulebookFaults: harbour/tides.toml: b: 'x' must be a whole number
    """
    if faults := faults_of(data, kind, is_kept=is_kept):
        raise RulebookFaults(f"{label}: {fault}" for fault in faults)
    return msgspec.convert(data, kind)


def _is_plain(data: object) -> bool:
    """Return whether data has no empty value, no padded text and no list with duplicates."""
    if isinstance(data, str):
        return bool(data) and data == data.strip() and data.isprintable()
    if isinstance(data, dict):
        return bool(data) and all(_is_plain(value) and key and key == key.strip() for key, value in data.items())
    if isinstance(data, list | tuple):
        plain = [str(item) for item in data if not isinstance(item, dict | list | tuple)]
        return bool(data) and len(set(plain)) == len(plain) and all(map(_is_plain, data))
    return True


def faults_of(data: object, kind: Any, *, is_kept: bool = False) -> tuple[KeyFault, ...]:  # noqa: ANN401  # any model
    """Return every fault of the structure of data, in the order of the file.

    Data that a log has kept (`is_kept`) has none if it converts: it was checked further when the log kept it, and a
    check added since leaves no log unreadable.

    >>> from passline.rules.schema import RoleRule
    >>> [str(fault) for fault in faults_of({"by": ["dealer"], "site": "XX-1"}, RoleRule)]
    ['site: is not a key here; did you mean cite?', 'cite: is missing']
    """
    problem = ""
    try:
        msgspec.convert(data, kind)
        if is_kept or _is_plain(data):  # msgspec and this are quick; the walk below is for the words
            return ()
    except msgspec.ValidationError as error:
        problem = str(error)
    found = _faults(data, _model(kind), (), is_typed=not problem)  # what is typed and plain has none
    faults = tuple(KeyFault(_key(path), what) for path, what in islice(found, _FAULTS_MAX))
    if len(faults) == _FAULTS_MAX and next(found, None):
        return (*faults, KeyFault("", f"there are more than these {_FAULTS_MAX} faults; mend these first"))
    return faults or ((KeyFault("", problem),) if problem else ())


def nearest_words(word: str, words: Iterable[str]) -> str:
    """Return a hint for an unknown word: those most like it, or else all of a short list.

    >>> nearest_words("wager", ("wagers", "cite")), nearest_words("x", ("wagers", "cite"))
    ('; did you mean wagers?', '; known are wagers, cite')
    """
    known = list(dict.fromkeys(words))
    if close := _like(word, known, 2):
        return f"; did you mean {' or '.join(close)}?"
    return f"; known are {', '.join(known)}" if 0 < len(known) <= _LISTED_MAX else ""


def unknown_words(path: str, names: Iterable[str], known: Collection[str], what: str) -> Iterator[str]:
    """Yield each name that is none of the known ones, with the key of the page that has it."""
    for name in names:
        if name and name not in known:
            yield f"{path}: there is no {what} {name!r}{nearest_words(name, list(known))}"


def _like(word: str, words: Sequence[str], count: int) -> list[str]:
    return get_close_matches(word, words, n=count) if len(word) <= _WORD_MAX else []


@cache
def _model(kind: object) -> inspect.Type:
    return inspect.type_info(kind)


def _key(path: _Path) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _faults(data: object, model: inspect.Type, path: _Path, *, is_typed: bool) -> _Faults:
    if is_typed and _is_plain(data):
        return
    if isinstance(model, inspect.UnionType):
        yield from _union_faults(data, model, path, is_typed=is_typed)
    elif isinstance(model, inspect.StructType):
        yield from _table_faults(data, model, path, is_typed=is_typed)
    elif isinstance(model, inspect.DictType):
        yield from _free_table_faults(data, model, path, is_typed=is_typed)
    elif isinstance(model, inspect.VarTupleType):
        yield from _list_faults(data, model, path, is_typed=is_typed)
    elif isinstance(model, inspect.LiteralType):
        yield from _word_faults(data, model, path)
    elif not _is_a(data, model):
        yield path, f"{_describe(data)} must be {_type_name(model)}"
    elif isinstance(data, str):
        yield from _text_faults(data, path, getattr(model, "pattern", None) or "")
    elif isinstance(model, inspect.IntType):
        yield from _range_faults(data, model, path)


def _word_faults(data: object, model: inspect.LiteralType, path: _Path) -> _Faults:
    if data == "":
        yield from _text_faults("", path)
    elif data not in model.values:
        words = [str(value) for value in model.values if value != ""]
        yield path, f"{_describe(data)} is not one of {', '.join(words)}{_close(data, words)}"


def _is_a(data: object, model: inspect.Type) -> bool:
    """Return whether data has the outer type of a model; its contents are not checked."""
    match model:
        case inspect.AnyType():
            return True
        case inspect.StrType():
            return isinstance(data, str)
        case inspect.BoolType():
            return isinstance(data, bool)
        case inspect.IntType():
            return isinstance(data, int) and not isinstance(data, bool)
        case inspect.VarTupleType():
            return isinstance(data, list | tuple)
        case inspect.StructType() | inspect.DictType():
            return isinstance(data, Mapping)
        case inspect.LiteralType():
            return any(type(data) is type(value) for value in model.values)
        case inspect.DateType():
            return type(data) is date
        case _:
            return False


def _type_name(model: inspect.Type) -> str:
    match model:
        case inspect.StrType():
            return "text in quotes"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number"
        case inspect.VarTupleType():
            return "a list"
        case inspect.LiteralType():
            return " or ".join(str(value) for value in model.values)
        case inspect.DateType():
            return "a day, such as 2014-07-15 without quotes"
        case _:
            return "a table"


def _describe(data: object) -> str:
    if isinstance(data, bool):
        return str(data).lower()
    if isinstance(data, Mapping):
        return "a table"
    if hasattr(data, "isoformat"):  # a day or a time
        return str(data)
    return "a list" if isinstance(data, list | tuple) else repr(data)[:60]


def _close(data: object, words: list[str]) -> str:
    close = _like(data, words, 1) if isinstance(data, str) else []
    return f"; did you mean {close[0]}?" if close else ""


def _union_faults(data: object, model: inspect.UnionType, path: _Path, *, is_typed: bool) -> _Faults:
    members = [member for member in model.types if not isinstance(member, inspect.NoneType)]
    tagged = {str(kind.tag): kind for kind in members if isinstance(kind, inspect.StructType) and kind.tag is not None}
    if tagged and isinstance(data, Mapping):
        field = next(str(member.tag_field) for member in tagged.values())
        if field not in data:
            yield path, f"{field} is missing; it is one of {', '.join(tagged)}"
        elif not isinstance(data[field], str) or data[field] not in tagged:
            what = f"{_describe(data[field])} is not one of {', '.join(tagged)}"
            yield (*path, field), what + _close(data[field], list(tagged))
        else:
            yield from _table_faults(data, tagged[data[field]], path, is_typed=is_typed)
        return
    fitting = [member for member in members if _is_a(data, member)]
    if fitting:
        yield from _faults(data, fitting[0], path, is_typed=is_typed)
    else:
        yield path, f"{_describe(data)} must be {' or '.join(dict.fromkeys(map(_type_name, members)))}"


def _table_faults(data: object, model: inspect.StructType, path: _Path, *, is_typed: bool) -> _Faults:
    if not isinstance(data, Mapping):
        yield path, f"{_describe(data)} must be a table"
        return
    fields = {field.encode_name: field for field in model.fields}
    for key, value in data.items():
        if key in fields:
            yield from _faults(value, fields[key].type, (*path, key), is_typed=is_typed)
            if value in ([], {}) and _default(fields[key]) in ((), {}):
                yield (*path, key), "is empty; leave it out, or name something"
        elif key != model.tag_field:
            known = (*(field for field in fields if field not in data), *_like(key, ("from", "dated"), 1))
            yield (*path, key), f"is not a key here{nearest_words(key, known)}"
    for key, field in fields.items():
        if field.required and key not in data:
            yield (*path, key), "is missing"


def _default(field: inspect.Field) -> object:
    """Return the default of a field; None if it has none, or no empty one."""
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return None if field.default is NODEFAULT else field.default


def _free_table_faults(data: object, model: inspect.DictType, path: _Path, *, is_typed: bool) -> _Faults:
    if not isinstance(data, Mapping):
        yield path, f"{_describe(data)} must be a table"
        return
    for key, value in data.items():
        if isinstance(model.key_type, inspect.LiteralType) and key not in model.key_type.values:
            known = [str(value) for value in model.key_type.values]
            yield (*path, key), f"is not a key here{nearest_words(key, known)}"
        elif not key or key != key.strip():
            yield path, f"{key!r} is not a name: write it without spaces around it"
        else:
            yield from _faults(value, model.value_type, (*path, key), is_typed=is_typed)


def _list_faults(data: object, model: inspect.VarTupleType, path: _Path, *, is_typed: bool) -> _Faults:
    if not isinstance(data, list | tuple):
        yield path, f"{_describe(data)} must be a list"
        return
    for index, item in enumerate(data):
        yield from _faults(item, model.item_type, (*path, index), is_typed=is_typed)
    written = Counter(str(item) for item in data if not isinstance(item, Mapping | list | tuple))
    yield from ((path, f"has {item} {count} times; write it once") for item, count in written.items() if count > 1)


def _text_faults(data: str, path: _Path, pattern: str = "") -> _Faults:
    if data != data.strip() or not data.isprintable():
        yield path, f"{data!r} must be on one line, without spaces around it"
    elif not data:
        yield path, "is an empty text; write one, or leave the key out where it is optional"
    elif not re.search(pattern, data):
        yield path, f"{data!r} is not of the form {pattern}"


def _range_faults(data: object, model: inspect.IntType, path: _Path) -> _Faults:
    assert isinstance(data, int)
    if model.ge is not None and data < model.ge:
        yield path, f"{data} is below {model.ge}, the least possible"
    if model.le is not None and data > model.le:
        yield path, f"{data} is above {model.le}, the most possible"
