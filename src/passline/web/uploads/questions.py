"""What a server asks the process that reads uploads."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class TypedHouse(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a house, as it is typed into the page, keeps the regulation."""

    toml: str
    regulation: str
    game: str


class FilledIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Every breach of a house as the form has it, and its file if there is none."""

    house: dict[str, Any]


class HouseText(Struct, frozen=True, forbid_unknown_fields=True):
    """A house file as the form has it, with its breaches."""

    toml: str


class PlanText(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The text of a plan, as TOML or JSON. Of a guided one the words about rounds are made from its rounds."""

    text: str
    is_guided: bool = False


class FormAsked(Struct, frozen=True):
    """Every field of the form, with the default house of a regulation and game."""

    regulation: str
    game: str


class TemplateAsked(Struct, frozen=True):
    """The default house of a regulation and game as a file to edit."""

    regulation: str
    game: str


Question = TypedHouse | FilledIn | HouseText | PlanText | FormAsked | TemplateAsked
"""Everything that can be asked."""
