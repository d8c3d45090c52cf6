"""Every entry of a rulebook as one line of plain text, whatever its shape."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import Struct

from passline.rules.explain.wagers import CitedLine, commas
from passline.rules.schema import Cite, cites_of

__all__ = ["entry_lines", "plain", "structs_below"]


def plain(value: object) -> str:
    """Return a value as a person would write it.

    >>> plain((True, "craps", 5)), plain({"min": 1}), plain(())
    ('yes, craps, 5', 'min 1', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return commas(f"{key} {plain(item)}" for key, item in value.items()) or "none"
    if isinstance(value, (tuple, list)):
        return commas(plain(item) for item in value) or "none"
    if isinstance(value, Struct):
        given = {field: part for field in value.__struct_fields__ if (part := getattr(value, field)) is not None}
        return " ".join(f"{field} {plain(part)}" for field, part in given.items())
    return str(value)


def structs_below(node: object, path: str) -> Iterator[tuple[str, Struct]]:
    """Yield every entry below a node with its path."""
    if isinstance(node, Struct):
        yield path, node
        for field in node.__struct_fields__:
            yield from structs_below(getattr(node, field), f"{path}.{field}")
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from structs_below(value, f"{path}.{key}")
    elif isinstance(node, tuple):
        for index, value in enumerate(node, start=1):
            yield from structs_below(value, f"{path}.{index}")


def entry_lines(node: object, root: str) -> Iterator[CitedLine]:
    """Yield everything below a node of a rulebook, one line for each entry."""
    for path, entry in structs_below(node, root):
        yield _entry(path, entry)


def _entry(path: str, entry: Struct) -> CitedLine:
    texts = [f"family {tag}"] if (tag := entry.__struct_config__.tag) else []
    for name, default in _fields(type(entry)):
        value = getattr(entry, name)
        if name != "cite" and value != default and not _is_nested(value):
            texts.append(f"{name} {plain(value)}")
    cite: Cite = getattr(entry, "cite", ())
    if isinstance(cite, dict):
        texts.append(commas(f"{number}: {commas(cites_of(clauses))}" for number, clauses in cite.items()))
        cite = ()
    return CitedLine(path, "; ".join(texts), cites_of(cite))


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    """Return the fields of an entry with their defaults."""
    return tuple((field.name, field.default) for field in msgspec.structs.fields(kind))


def _is_nested(value: object) -> bool:
    """Return whether a value is printed as entries of its own."""
    if isinstance(value, dict):
        value = tuple(value.values())
    return isinstance(value, Struct) or (isinstance(value, tuple) and any(_is_nested(part) for part in value))
