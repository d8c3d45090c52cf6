"""A house file: its elections, read and checked against the rulebook that it names."""

from __future__ import annotations

from pathlib import Path

from passline.rules.elections import Breach, House
from passline.rules.house_reader import house_of
from passline.rules.pages.library import default_regulation
from passline.rules.pages.texts import RulebookError, read_toml
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Rulebook


def read_house(path: Path) -> tuple[House | None, tuple[Breach, ...], Rulebook]:
    """Read a house file; return the house (None if a key is unreadable), its breaches and its rulebook."""
    data = read_toml(path)
    name = data.get("rules")
    if not isinstance(name, str):
        raise RulebookError(f'{path}: rules: a house names its regulation, such as rules = "{default_regulation()}"')
    rulebook = rulebook_of(name)
    house, breaches = house_of(rulebook, data)
    return house, breaches, rulebook
