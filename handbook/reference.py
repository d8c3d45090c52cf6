"""The reference: pages made from the code, one function for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from msgspec import Struct

import passline
from handbook.struct_tables import fields_table, first_line, members_of, structs_in, tag_of
from passline.acts.commands import ActCommand
from passline.acts.events import ActEvent
from passline.acts.schema import ActPages
from passline.game.commands import Command
from passline.game.events import Event
from passline.people.commands import PeopleCommand
from passline.people.events import PeopleEvent
from passline.rules.clauses import REGULATIONS
from passline.rules.elections import House
from passline.rules.explain.election_form import election_fields
from passline.rules.rules import Rules
from passline.rules.schema.rulebook import Game, General
from passline.strategy.strategy_file import StrategyFile
from passline.tables.commands import HouseCommand, OwnCommand
from passline.tables.events import OwnEvent
from passline.tables.house_events import HouseEvent
from passline.tournament.commands import TournamentCommand
from passline.tournament.events import TournamentEvent
from passline.tournament.plan.schema import Plan

_EVENTS = {
    "At a table: the game": Event,
    "At a table: around the game": OwnEvent,
    "In the house": HouseEvent,
    "People": PeopleEvent,
    "The office": ActEvent,
    "Tournaments": TournamentEvent,
}
_COMMANDS = {
    "At a table: the game": Command,
    "At a table: around the game": OwnCommand,
    "In the house": HouseCommand,
    "People": PeopleCommand,
    "The office": ActCommand,
    "Tournaments": TournamentCommand,
}
_FILES: dict[str, tuple[type[Struct], str]] = {
    "house": (House, "A house file"),
    "strategy": (StrategyFile, "A strategy file"),
    "tournament": (Plan, "A tournament's plan"),
    "rulebook": (General, "A rulebook: general.toml"),
    "game": (Game, "A rulebook: the file of a game"),
    "office": (ActPages, "A page of an office"),
}
_NOT_IN_A_FILE: dict[type[Struct], tuple[str, ...]] = {
    StrategyFile: ("path", "text")
}  # what the reader of the file adds


def reference_pages() -> dict[str, str]:
    """Return the generated pages of names, files and the log."""
    return {
        "python.md": _python_page(),
        "files.md": _files_page(),
        "elections.md": _elections_page(),
        "events.md": _tagged_page("Events of the log", _EVENTS_ABOUT, _EVENTS),
        "api-commands.md": _tagged_page("Commands of the API", _COMMANDS_ABOUT, _COMMANDS),
    }


# --- Python -----------------------------------------------------------------------------------------------------------


def _python_page() -> str:
    lines = [
        "# Python names",
        "",
        "What `from passline import ...` offers. The game and its rules need nothing else installed; the mathematics,",
        "the simulator and strategies need the extra `exact`, the client the extra `client`, logs, offices and",
        "tournaments in memory the extra `serve`. Amounts are whole cents, odds and probabilities are fractions.",
        "[What is promised](../promise.md) says how long these names stay.",
        "",
    ]
    for name in sorted(passline.__all__, key=str.lower):
        value = getattr(passline, name)
        lines += [*_documented(name, value), ""]
    return "\n".join(lines)


def _documented(name: str, value: object) -> Iterator[str]:
    """Yield what the page says of a name: a directive for its docstring, or a pointer for a module or a value."""
    if isinstance(value, ModuleType):
        page = "api-commands" if name == "commands" else "events"
        yield f"## {name}"
        yield ""
        yield f"The module `{value.__name__}`. {first_line_of(value)} [All of them]({page}.md)."
        return
    home = getattr(value, "__module__", "")
    module = home if home.startswith("passline.") else passline._LATER[name]  # noqa: SLF001 - our own
    if not hasattr(import_module(module), name):
        raise AssertionError(f"the page must say where {name} is")
    yield f"::: {module}.{name}"
    yield "    options:"
    yield "      heading_level: 2"
    yield from _fields_of(value)


def _fields_of(value: object) -> Iterator[str]:
    """Yield the fields of a Struct: they are annotations, which have no docstring."""
    if isinstance(value, type) and issubclass(value, Struct):
        yield ""
        yield "Fields:"
        yield ""
        yield fields_table(value)


def first_line_of(module: ModuleType) -> str:
    """Return the first sentence of a module's docstring."""
    return " ".join((module.__doc__ or "").split("\n\n")[0].split())


# --- Files ------------------------------------------------------------------------------------------------------------


def _files_page() -> str:
    lines = [
        "# TOML files",
        "",
        "Every file that a person writes, key by key, as the program reads it. A key that is not listed is an error",
        "that names the nearest one. Money is in whole cents, rates are in basis points (500 is 5 %), and days are",
        "written 2026-11-16.",
        "",
        "[Elections](elections.md) has what each regulation allows for the keys of a house file.",
        "",
    ]
    shown: list[type[Struct]] = []
    for kind, (struct, title) in _FILES.items():
        new = [one for one in structs_in(struct) if one not in shown]
        shown += new
        lines += [f"## {title} {{ #file-{kind} }}", ""]
        for one in new:
            lines += [f"### {one.__name__} {{ #{one.__name__.lower()} }}", "", first_line(one), ""]
            house = _of_a_house() if one is House else {}
            lines += [fields_table(one, links=shown, without=_NOT_IN_A_FILE.get(one, ()), **house)]
    return "\n".join(lines)


def _of_a_house() -> dict[str, dict[str, str]]:
    """Return what each key of a house is called on its form, and that a regulation's default house completes it."""
    labels = {field.key: field.label for name in REGULATIONS for field in election_fields(Rules.of(name))}
    chosen = {"rules": "The regulation, by its name", "game": "The game that the table deals"}
    return {
        "about": chosen | labels,
        "defaults": dict.fromkeys(set(House.__struct_fields__) - {"rules"}, "the regulation's"),
    }


def _elections_page() -> str:
    lines = [
        "# Elections",
        "",
        "What a house may choose, regulation by regulation: the key of the house file, what may stand there, the",
        "default, and the clause. `passline house new --rules NAME` prints a file with all of them.",
        "",
    ]
    for name in REGULATIONS:
        rules = Rules.of(name)
        lines += [f"## {name}", "", f"{rules.rulebook.general.title}.", ""]
        group = ""
        for field in election_fields(rules):
            if field.group != group:
                group = field.group
                lines += ["", f"### {group} {{ #{name}-{_slug(group)} }}", ""]
                lines += ["| key | what | may be | default | clauses |", "| --- | --- | --- | --- | --- |"]
            value = "" if isinstance(field.value, dict) else f"`{_toml(field.value)}`"
            clauses = ", ".join(field.clauses)
            lines.append(f"| `{field.key}` | {field.label} | {_cell(field.bounds)} | {value} | {clauses} |")
        lines.append("")
    return "\n".join(lines)


def _toml(value: Any) -> str:  # noqa: ANN401 - whatever a house elects
    return (
        str(value).lower() if isinstance(value, bool) else str(list(value)) if isinstance(value, tuple) else str(value)
    )


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


# --- The log ----------------------------------------------------------------------------------------------------------

_EVENTS_ABOUT = (
    "What the log can say happened. Each event is written under its name and version; an older version is always read. "
    "An event about a wager holds the wager before and after, every amount and the clause."
)
_COMMANDS_ABOUT = (
    "What can be asked of a table, the house, people, an office or a tournament: the body of `POST .../commands`, and "
    "`command` in a [message of the websocket](http.md#from-a-screen). Each becomes one entry of the log."
)


def _tagged_page(title: str, about: str, parts: dict[str, Any]) -> str:
    lines = [f"# {title}", "", about, ""]
    shown: list[type[Struct]] = []
    for part, union in parts.items():
        lines += [f"## {part}", ""]
        for struct in members_of(union):
            if struct not in shown:
                shown.append(struct)
                lines += [f"### {tag_of(struct)}", "", first_line(struct), "", fields_table(struct)]
    return "\n".join(lines)
