"""Msgspec Structs as tables in Markdown: each field with its type in words, its default and its comment."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
import types
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType

_WORDS: dict[object, str] = {
    int: "whole number",
    str: "text",
    bool: "true or false",
    float: "number",
    bytes: "bytes",
    date: "day",
    Any: "anything",
}


def members_of(union: object) -> tuple[type[Struct], ...]:
    """Return the Structs of a union, in its order."""
    return tuple(one for one in get_args(union) if isinstance(one, type) and issubclass(one, Struct))


def tag_of(struct: type[Struct]) -> str:
    """Return the stable name under which a Struct is written; empty where it has none."""
    return str(struct.__struct_config__.tag or "")


def first_line(struct: type[Any]) -> str:
    """Return what a class is, in the first paragraph of its docstring."""
    return " ".join((inspect.getdoc(struct) or "").split("\n\n")[0].split())


def fields_table(
    struct: type[Struct],
    *,
    links: Sequence[type[Struct]] = (),
    without: Sequence[str] = (),
    about: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
) -> str:
    """Return the fields of a Struct as a table, but those in `without`.

    A type in `links` leads to its own section. `about` says what a field is, in place of the comment behind it, and
    `defaults` what holds where a field that the Struct requires is left out all the same.
    """
    comments, given = _comments(struct) | dict(about or {}), defaults or {}
    rows = [
        f"| `{field.encode_name}` | {_cell(_in_words(field.type, links))} | "
        f"{given.get(field.name, 'required') if field.required else _default(field)} | "
        f"{_cell(comments.get(field.name, ''))} |"
        for field in msgspec.structs.fields(struct)
        if field.name not in without
    ]
    if not rows:
        return "No fields.\n"
    return "\n".join(["| key | value | default | |", "| --- | --- | --- | --- |", *rows, ""])


def structs_in(struct: type[Struct]) -> list[type[Struct]]:
    """Return a Struct and every Struct that its fields lead to, in the order in which a reader meets them."""
    found: list[type[Struct]] = []

    def follow(annotation: object) -> None:
        if isinstance(annotation, type) and issubclass(annotation, Struct):
            if annotation not in found:
                found.append(annotation)
                for field in msgspec.structs.fields(annotation):
                    follow(field.type)
        else:
            for part in get_args(annotation):
                follow(part)

    follow(struct)
    return found


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _default(field: msgspec.structs.FieldInfo) -> str:
    value = field.default if field.default is not NODEFAULT else field.default_factory()
    if value in (None, "", (), {}, UNSET) or isinstance(value, (frozenset, Struct)):
        return ""
    return f"`{'true' if value is True else 'false' if value is False else value}`"


def _in_words(annotation: object, links: Sequence[type[Struct]]) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, NewType):
        return _in_words(annotation.__supertype__, links)
    if origin is Annotated:
        return _bounded(_in_words(arguments[0], links), [one for one in arguments[1:] if isinstance(one, Meta)])
    if origin is Literal:
        return " or ".join(f"`{one}`" for one in arguments)
    if origin in (Union, types.UnionType):
        some = [one for one in arguments if one not in (type(None), UnsetType)]
        return " or ".join(dict.fromkeys(_in_words(one, links) for one in some))
    if origin in (tuple, list, frozenset):
        inner = list(dict.fromkeys(_in_words(one, links) for one in arguments if one is not Ellipsis))
        return f"list of {' and '.join(inner)}"
    if origin is dict:
        return f"table of {_in_words(arguments[1], links)} by {_in_words(arguments[0], links)}"
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        name = annotation.__name__
        return f"[{name}](#{name.lower()})" if annotation in links else f"`{name}`"
    return _WORDS.get(annotation) or f"`{getattr(annotation, '__name__', annotation)}`"


def _bounded(words: str, metas: Sequence[Meta]) -> str:
    """Return the type with its bounds: `whole number, 1 to 10,000`."""
    for meta in metas:
        if meta.ge is not None and meta.le is not None:
            words += f", {meta.ge:,} to {meta.le:,}"
        elif meta.ge is not None:
            words += f", {meta.ge:,} or more"
        elif meta.le is not None:
            words += f", at most {meta.le:,}"
        if meta.pattern:
            words += f", `{meta.pattern}`"
        if meta.max_length is not None:
            words += f", at most {meta.max_length:,} long"
    return words


def _comments(struct: type[Struct]) -> dict[str, str]:
    """Return the comment behind each field where it is declared, base classes first."""
    found: dict[str, str] = {}
    for cls in reversed(struct.__mro__):
        if not (issubclass(cls, Struct) and cls.__module__.startswith("passline")):
            continue
        source = textwrap.dedent(inspect.getsource(cls))
        lines = {
            token.start[0]: token.string.removeprefix("#").strip()
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type == tokenize.COMMENT
        }
        body = ast.parse(source).body[0]
        assert isinstance(body, ast.ClassDef)
        for node in body.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                comment = lines.get(node.end_lineno or node.lineno, "")
                found[node.target.id] = "" if comment.startswith(("noqa", "type:")) else comment
    return found
