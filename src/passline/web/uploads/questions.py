"""What a server asks the process that reads uploads."""

from __future__ import annotations

from typing import Any, get_args

from msgspec import Raw, Struct, json


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
_KINDS: dict[str, type[Question]] = {kind.__name__: kind for kind in get_args(Question)}


def pack_question(question: Question) -> bytes:
    """Return a question as bytes for another process."""
    return json.encode((type(question).__name__, question))


def unpack_question(text: bytes) -> Question:
    """Return the question in bytes.

    >>> unpack_question(pack_question(PlanText("rules = 1")))
    PlanText(text='rules = 1', is_guided=False)
    """
    kind, fields = json.decode(text, type=tuple[str, Raw])
    return json.decode(fields, type=_KINDS[kind])
