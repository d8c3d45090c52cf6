"""The types of what pages and server exchange, for the scripts of the pages, from the server's own Structs.

`python -m tests.web.scripts.server_types` writes them anew into server.d.ts, which tsc reads and a test holds equal.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from passline.acts.events import ActEvent
from passline.acts.papers.printed import PrintedPaper
from passline.acts.views.opening_delay import OpeningDay
from passline.acts.views.thing_history import ThingHistory
from passline.acts.views.today import Today
from passline.layout.geometry import Layout
from passline.tables.commands import TableCommand
from passline.tables.views.notices import PlayerNotice
from passline.tables.views.played import PlayedHand, PlayedWager
from passline.tables.views.shift import ShiftTotals
from passline.web.api.lab import LabCatalogue
from passline.web.api.websocket import SocketMessage
from passline.web.lab.answers import LabLine
from passline.web.lab.questions import BestAsked, CheckAsked, HandsAsked, LawsAsked
from tests.web.scripts.office_shapes import ANSWERS
from tests.web.scripts.shapes import ConsoleData, PackedSettled, ServerMessage, TableChange, TableView

DECLARATIONS = Path(__file__).with_name("server.d.ts")
"""What tsc reads."""
_SENT = (SocketMessage, LawsAsked, CheckAsked, HandsAsked, BestAsked)  # by pages: what has a default may be left out
_RECEIVED = (
    Layout,
    ConsoleData,
    OpeningDay,
    PlayerNotice,
    PlayedHand,
    PlayedWager,
    ShiftTotals,
    Today,
    ThingHistory,
    PrintedPaper,
    LabCatalogue,
    *ANSWERS,
)  # by pages: what a Struct omits is optional
_UNIONS = {"TableCommand": TableCommand, "ServerMessage": ServerMessage, "ActEvent": ActEvent, "LabLine": LabLine}
_HEAD = """\
// What pages and server exchange, made from the server's Structs by `python -m tests.web.scripts.server_types`.
// Do not edit: change the Struct, write this file anew, and `npx tsc` names every line of a script that must follow.

declare namespace Server {
"""
_PLAIN: dict[object, str] = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    date: "string",
    datetime: "string",
    type(None): "null",
    Any: "any",
    object: "unknown",
}


def declarations(renamed: Mapping[tuple[str, str], str] | None = None) -> str:
    """Return the text of the file; `renamed` gives fields other names, by the Struct's name and the field's."""
    writer = _Writer(renamed or {})
    for name, union in _UNIONS.items():
        writer.unions[union] = name
    for root in (*_SENT, *_RECEIVED, *_UNIONS.values()):
        writer.name_of(root)
    parts = [writer.interfaces[name] for name in sorted(writer.interfaces)]
    for name, union in _UNIONS.items():
        members = "".join(f"\n    | {writer.name_of(member)}" for member in get_args(union))
        parts.append(f"  type {name} ={members};\n")
    return _HEAD + "\n".join(parts) + "}\n"


class _Writer:
    """Collects the interfaces of Structs, and of those that their fields lead to."""

    def __init__(self, renamed: Mapping[tuple[str, str], str]) -> None:
        self.interfaces: dict[str, str] = {}
        self.unions: dict[object, str] = {}
        self._renamed = renamed
        self._known: dict[str, type[Struct]] = {}

    def name_of(self, annotation: Any) -> str:  # noqa: ANN401 - any type that msgspec knows
        """Return the type of a field as TypeScript writes it."""
        if annotation is TableChange:
            return self._change()
        if isinstance(annotation, NewType):
            return self.name_of(annotation.__supertype__)
        if annotation in _PLAIN:
            return _PLAIN[annotation]
        if isinstance(annotation, type) and issubclass(annotation, Struct):
            return self._declare(annotation)
        return self._generic(annotation, get_origin(annotation), get_args(annotation))

    def _generic(self, annotation: object, origin: object, arguments: tuple[Any, ...]) -> str:
        if origin is Annotated:
            return self.name_of(arguments[0])
        if origin is Literal:
            return " | ".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in arguments)
        if origin in (Union, types.UnionType):
            return self._union(annotation, arguments)
        if origin is tuple and arguments[-1] is not Ellipsis:
            return f"[{', '.join(map(self.name_of, arguments))}]"
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return f"{{ [key: string]: {self.name_of(arguments[1])} }}"
        if isinstance(origin, type) and issubclass(origin, Sequence | AbstractSet):
            item = self.name_of(arguments[0])
            return f"({item})[]" if " | " in item else f"{item}[]"
        msg = f"no type of TypeScript is known for {annotation!r}; name one in _PLAIN"
        raise TypeError(msg)

    def _change(self) -> str:
        view, packed = self.name_of(TableView), self.name_of(PackedSettled)
        return f'Partial<Omit<{view}, "settled">> & {{ settled?: {packed} }}'

    def _union(self, union: object, members: tuple[object, ...]) -> str:
        if union in self.unions:
            for member in members:
                self.name_of(member)
            return self.unions[union]
        return " | ".join(dict.fromkeys(self.name_of(member) for member in members if member is not UnsetType))

    def _declare(self, struct: type[Struct]) -> str:
        name = struct.__name__
        if self._known.setdefault(name, struct) is not struct:
            msg = f"two Structs are called {name}: {struct.__module__} and {self._known[name].__module__}"
            raise TypeError(msg)
        if name in self.interfaces:
            return name
        self.interfaces[name] = ""  # before its fields, which may lead back to it
        config = struct.__struct_config__
        if config.array_like:
            parts = ", ".join(f"{field.name}: {self.name_of(field.type)}" for field in fields(struct))
            self.interfaces[name] = f"  type {name} = [{parts}];\n"
            return name
        lines = [f'    {config.tag_field}: "{config.tag}";\n'] if config.tag else []
        for field in fields(struct):
            key = self._renamed.get((name, field.name), field.encode_name)
            mark = "?" if self._may_be_absent(struct, field) else ""
            lines.append(f"    {key}{mark}: {self.name_of(field.type)};\n")
        self.interfaces[name] = f"  interface {name} {{\n{''.join(lines)}  }}\n"
        return name

    def _may_be_absent(self, struct: type[Struct], field: FieldInfo) -> bool:
        config = struct.__struct_config__
        is_sent = struct in _SENT or config.tag_field == "command" or struct.__name__ in _LEFT_OUT
        return field.default is UNSET or (not field.required and (is_sent or config.omit_defaults))


_LEFT_OUT = ("SignOff", "Opener", "PointsMode")  # that commands bring along


if __name__ == "__main__":
    DECLARATIONS.write_text(declarations(), encoding="utf-8")
