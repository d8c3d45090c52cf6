"""A house file: TOML that names its regulation, read and checked against it."""

from __future__ import annotations

from pathlib import Path

from passline.rules.elections import Breach, House
from passline.rules.house_reader import house_of
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_pages import RulebookError
from passline.rules.rulebook_reader import read_toml, rulebook_of

__all__ = ["read_house"]


def read_house(path: Path) -> tuple[House | None, tuple[Breach, ...], Rulebook]:
    """Read a house file; return the house (None if a key is unreadable), its breaches and its rulebook."""
    data = read_toml(path)
    name = data.get("rules")
    if not isinstance(name, str):
        message = f'{path}: rules: a house names its regulation, such as rules = "maryland"'
        raise RulebookError(message)
    rulebook = rulebook_of(name)
    house, breaches = house_of(rulebook, data)
    return house, breaches, rulebook
