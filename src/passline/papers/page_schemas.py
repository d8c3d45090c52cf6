"""The JSON Schema of every TOML file that people write, made from the models that the program reads it by.

An editor that is given one completes keys and underlines what is none. What a schema cannot say, such as which clauses
there are, `passline rulebook check` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec

from passline.acts.schema import ActPages
from passline.rules.elections import House
from passline.rules.schema import Election, Game, General, WagerEntry
from passline.tournament.plan.schema import Plan
from passline.tournament.rules import TournamentPages

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DAY = {"description": "The day from which it is in force, such as 2027-01-01."}
_END = {"description": "The day from which it is in force no more."}
_DATED = {
    "type": "array",
    "items": {"type": "object"},
    "description": "Versions of this entry, the oldest first, each with its day `from` and what it says otherwise.",
}


def _with_days(table: dict[str, Any]) -> dict[str, Any]:
    """Let a table begin on a day, or have its keys in versions of their own days."""
    needed = table.pop("required", [])
    days = {"from": _DAY, "to": _END, "dated": _DATED}
    table["properties"] |= {key: says for key, says in days.items() if key not in table["properties"]}
    return table | ({"anyOf": [{"required": needed}, {"required": ["dated"]}]} if needed else {})


def _in_layers(table: dict[str, Any]) -> dict[str, Any]:
    """Let a table be without some keys: the pages below, or the default house, have them."""
    table.pop("required", None)
    return table


def _as_it_is(table: dict[str, Any]) -> dict[str, Any]:
    return table


_PAGES: dict[str, tuple[Any, Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "general": (General, _with_days, "general.toml of a rulebook"),
    "wagers": (dict[str, WagerEntry], _with_days, "wagers.toml and sidewagers.toml of a rulebook"),
    "elections": (dict[str, Election], _with_days, "elections.toml of a rulebook"),
    "game": (Game, _with_days, "the page of a game in a rulebook, such as craps.toml"),
    "house": (House, _in_layers, "a house file, and house.toml of a rulebook"),
    "office": (ActPages, _in_layers, "a page in office/ of a rulebook"),
    "tournament": (TournamentPages, _in_layers, "a page in tournament/ of a rulebook"),
    "plan": (Plan, _as_it_is, "the plan of a tournament"),
    "amendment": (None, _as_it_is, "an amendment of a rulebook, such as amendments/2027-01.toml"),
}
_CHANGES = ("general", "wagers", "elections", "house", "office", "tournament")
_OF_FILES = {"sidewagers": "wagers"} | {name: name for name in ("general", "wagers", "elections", "house")}


def schema_names() -> tuple[str, ...]:
    """Return the kinds of files that have a schema.

    >>> schema_names()[:4]
    ('general', 'wagers', 'elections', 'game')
    """
    return tuple(_PAGES)


def schema_of_page(file: str) -> str:
    """Return the kind of a file in the folder of a rulebook; any page of another name is a game.

    >>> schema_of_page("sidewagers"), schema_of_page("mini_craps")
    ('wagers', 'game')
    """
    return _OF_FILES.get(file, "game")


def page_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of file.

    >>> page_schema("elections")["title"]
    'elections.toml of a rulebook'
    """
    kind, change, title = _PAGES[name]
    schema = _amendment_schema() if kind is None else _with_changes(msgspec.json.schema(kind), change)
    return {"$schema": _DIALECT, "title": title, **schema}


@cache
def schema_text(name: str) -> str:
    """Return the JSON Schema of a kind of file as it is published."""
    return msgspec.json.format(msgspec.json.encode(page_schema(name)), indent=2).decode() + "\n"


def _amendment_schema() -> dict[str, Any]:
    """Return the schema of an amendment: its head, and a table for each page that it changes."""
    changed = {"type": "object", "description": "What changes in the page of this name: only the keys that differ."}
    return {
        "type": "object",
        "required": ["instrument", "from"],
        "properties": {
            "instrument": {"type": "string", "minLength": 1, "description": "The order, bill or approval."},
            "from": _DAY,
            "to": {"description": "The day on which it lapses, if it does."},
            "repeals": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Entries that it takes away, such as wagers.field, before its tables are laid over.",
            },
            **dict.fromkeys((*_CHANGES, "sidewagers"), changed),
        },
        "additionalProperties": {"type": "object", "description": "The page of a game."},
    }


def _with_changes(node: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:  # noqa: ANN401  # of any JSON
    """Return a schema with every table of known keys changed."""
    if isinstance(node, list):
        return [_with_changes(item, change) for item in node]
    if not isinstance(node, Mapping):
        return node
    found = {key: _with_changes(value, change) for key, value in node.items()}
    is_table = isinstance(found.get("properties"), dict) and found.get("type") == "object"
    return change(found) if is_table else found
