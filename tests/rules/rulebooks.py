"""Rulebooks for tests: an invented one, and sound ones with some entries changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from passline.rules.pages.texts import read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.schema import Rulebook

HARBOUR = Path(__file__).parent / "invented" / "harbour"
MARYLAND = files("passline") / "rulebooks" / "maryland"
HOP = """
[hop]
family = "one_roll"
name = "Mooring Bet"
numbers = ["1-3", "2-2"]
centre = true
make = { when = "any", cite = "HB-130" }
win = { cite = "HB-131" }
lose = { cite = "HB-132" }
pays = [{ numbers = ["1-3", "2-2"], pays = "15 to 1", cite = "HB-133" }]
"""


def toml_page(data: Mapping[str, object]) -> bytes:
    """Return a page with this data, written as one inline table a section."""
    return "".join(f"{json.dumps(key)} = {_toml(section)}\n" for key, section in data.items()).encode()


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return value.isoformat() if isinstance(value, date) else json.dumps(value, ensure_ascii=False)


def load_with(folder: Traversable | Path, file: str, added: Mapping[str, Any], on: date | None = None) -> Rulebook:
    """Load a rulebook with entries of one of its files added or replaced."""

    def read(path: Traversable | Path) -> dict[str, Any]:
        return {**read_toml(path), **(added if path.name == file else {})}

    return load_rulebook(folder, on=on, read=read)
