"""Writes the state of a check as bytes, its image; two images are equal if and only if the two states are.

A check is a graph of objects that hold plain data, events and states. `image_of` writes it down in one way only: sets
are sorted, records are written by value, and what can change is written once, where it is met first. `restore` gives
that knowledge to another check that was made alike; functions that a check is given are no knowledge, and stay. Nothing
in an image is run: it names classes of this program, and holds their fields.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from msgspec import UNSET, MsgspecError, Raw, Struct, msgpack

from passline.errors import CrapsError
from passline.streams.course import Codec, Course

_PLAIN = frozenset({type(None), bool, int, str, bytes, float})
_OURS = "passline."
_INT_MAX = 2**63
_CHANGING: dict[type, str] = {list: "l", dict: "d", set: "s", deque: "q"}
_WIRING = (Codec, Course)
NOT_IN_IMAGE = "not_in_image"
"""The attribute of a class that names what its objects do not know but were given, or can find again."""


class ImageError(CrapsError):
    """Raised for bytes that are not an image of this program, and for objects that cannot be written as one."""


def image_of(root: object) -> bytes:
    """Return the image of an object and of all objects in it.

    >>> class Known(Struct):
    ...     names: set
    >>> image_of(Known({"b", "a"})) == image_of(Known({"a", "b"}))
    True
    """
    return _ENCODER.encode(_Writer().pack(root))


def restore(root: object, image: bytes) -> None:
    """Set an object to the state in an image of its class; raise ImageError if that is not possible."""
    try:
        _Reader().unpack(msgpack.decode(image), root)
    except (MsgspecError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise ImageError(f"this is not an image of this program: {error}") from error


_ENCODER = msgpack.Encoder()


class _Writer:
    """Writes values as lists that begin with their kind; what can change gets a number where it is met first."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._met: list[object] = []  # so that no number is given twice

    def pack(self, value: Any, *, by_value: bool = False) -> Any:  # noqa: ANN401 - anything that a check knows
        kind = type(value)
        if kind in _PLAIN:
            return value if kind is not int or -_INT_MAX <= value < _INT_MAX else ["i", str(value)]
        if kind is tuple:
            return ["t", *[self.pack(item, by_value=by_value) for item in value]]
        if isinstance(value, Struct):
            return self._record(value)
        if kind in _CHANGING:
            number = None if by_value else self._number(value)
            return number if isinstance(number, list) else [_CHANGING[kind], number, *self._items(value, by_value)]
        if kind is frozenset:
            return ["z", *self._in_order(value, by_value)]
        if (simple := _simple(value)) is not None:
            return simple
        return self._instance(value)

    def _number(self, value: object) -> int | list[Any]:
        """Return the number of what can change, or a reference if it has one already."""
        if (known := self._numbers.get(id(value))) is not None:
            return ["@", known]
        number = self._numbers[id(value)] = len(self._met)
        self._met.append(value)
        return number

    def _items(self, value: Any, by_value: bool) -> list[Any]:  # noqa: ANN401, FBT001 - one of the containers
        if isinstance(value, dict):
            return [self.pack(item, by_value=by_value) for pair in value.items() for item in pair]
        if isinstance(value, set):
            return self._in_order(value, by_value)
        items = [self.pack(item, by_value=by_value) for item in value]
        return [value.maxlen, *items] if isinstance(value, deque) else items

    def _in_order(self, value: Iterable[Any], by_value: bool) -> list[Any]:  # noqa: FBT001
        return sorted((self.pack(item, by_value=by_value) for item in value), key=_ENCODER.encode)

    def _record(self, value: Struct) -> list[Any]:
        kind = type(value)
        values = (getattr(value, name) for name in kind.__struct_fields__)
        if kind.__struct_config__.frozen:
            return ["R", _name(kind), *[self.pack(item, by_value=True) for item in values]]
        number = self._number(value)
        if isinstance(number, list):
            return number
        return ["M", number, _name(kind), *[self.pack(item) for item in values]]

    def _instance(self, value: object) -> list[Any]:
        number = self._number(value)
        if isinstance(number, list):
            return number
        known, given = [], []
        for name, item in _attributes(value):
            if callable(item) or isinstance(item, _WIRING):
                given.append(name)
            else:
                known += [name, self.pack(item)]
        return ["O", number, _name(type(value)), given, *known]


def _attributes(value: object) -> list[tuple[str, Any]]:
    """Return the attributes of an object of ours, by name."""
    kind = type(value)
    if not kind.__module__.startswith(_OURS):
        raise ImageError(f"{kind.__module__}.{kind.__qualname__} cannot be in an image")
    names = [*getattr(value, "__dict__", {}), *getattr(kind, "__slots__", ())]
    left_out = getattr(kind, NOT_IN_IMAGE, ())
    return [(name, getattr(value, name)) for name in sorted(names) if name not in left_out]


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _simple(value: object) -> list[Any] | None:
    """Return a value of the few other kinds without parts."""
    if type(value) is date:
        return ["D", value.isoformat()]
    if type(value) is Fraction:
        return ["F", str(value)]
    if type(value) is bytearray:
        return ["B", bytes(value)]
    if isinstance(value, Raw):
        return ["r", bytes(value)]
    return ["u"] if value is UNSET else None


_SIMPLE: dict[str, Any] = {
    "i": int,
    "D": date.fromisoformat,
    "F": Fraction,
    "B": bytearray,
    "r": Raw,
}


class _Reader:
    """Reads an image into objects that are there, or makes those that are not."""

    def __init__(self) -> None:
        self._met: dict[int, Any] = {}

    def unpack(self, packed: Any, there: object = None) -> Any:  # noqa: ANN401 - anything that a check knows
        if not isinstance(packed, list):
            return packed
        kind, *rest = packed
        match kind:
            case "t":
                return tuple([self.unpack(item) for item in rest])
            case "z":
                return frozenset([self.unpack(item) for item in rest])
            case "R":
                record = _kind(rest[0], Struct)
                return record(**dict(zip(record.__struct_fields__, map(self.unpack, rest[1:]), strict=True)))
            case "@":
                return self._met[rest[0]]
            case "u":
                return UNSET
            case "l" | "d" | "s" | "q":
                return self._container(kind, rest[0], rest[1:], there)
            case "M":
                return self._record(rest, there)
            case "O":
                return self._instance(rest, there)
            case _:
                return _SIMPLE[kind](*rest)

    def _container(self, kind: str, number: int | None, rest: list[Any], there: object) -> Any:  # noqa: ANN401
        made: Any = deque(maxlen=rest[0]) if kind == "q" else {"l": list, "d": dict, "s": set}[kind]()
        held = list(there) if kind == "l" and type(there) is list else []
        if type(there) is type(made) and (kind != "q" or there.maxlen == made.maxlen):  # type: ignore[attr-defined]
            made = there
            made.clear()
        if number is not None:
            self._met[number] = made
        rest = rest[1:] if kind == "q" else rest
        items = [self.unpack(item, old) for item, old in zip_longest(rest, held[: len(rest)])]
        if kind == "d":
            made.update(zip(items[::2], items[1::2], strict=True))
        elif kind == "s":
            made.update(items)
        else:
            made.extend(items)
        return made

    def _record(self, rest: list[Any], there: Any) -> Any:  # noqa: ANN401
        number, name, *values = rest
        kind: Any = _kind(name, Struct)
        if type(there) is not kind:
            fields = zip(kind.__struct_fields__, map(self.unpack, values), strict=True)
            self._met[number] = made = kind(**dict(fields))
            return made
        self._met[number] = there
        for field, value in zip(kind.__struct_fields__, values, strict=True):
            setattr(there, field, self.unpack(value, getattr(there, field)))
        return there

    def _instance(self, rest: list[Any], there: object) -> Any:  # noqa: ANN401
        number, name, given, *known = rest
        kind = _kind(name, object)
        if type(there) is not kind and given:
            raise ImageError(f"{name} needs {', '.join(given)}, which no image has")
        made = there if type(there) is kind else kind.__new__(kind)
        self._met[number] = made
        for attribute, value in zip(known[::2], known[1::2], strict=True):
            setattr(made, attribute, self.unpack(value, getattr(made, attribute, None) if made is there else None))
        return made


def _kind(name: str, base: type) -> Any:  # noqa: ANN401 - a class
    """Return a class of this program by its name."""
    module, _, path = name.partition(":")
    if not module.startswith(_OURS):
        raise ImageError(f"{name} is not of this program")
    found: Any = sys.modules[module]
    for part in path.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, base)):
        raise ImageError(f"{name} is not a class of what a check knows")
    return found
