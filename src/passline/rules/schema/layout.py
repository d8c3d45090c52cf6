"""What a regulation demands of the drawn layout: its words, its areas and their places, and the colours of chips."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passline.rules.schema.citations import Rule

__all__ = ["ChipColour", "LayoutMarks", "Legend", "Lies"]

Colour = Literal["white", "pink", "red", "green", "black", "purple"]


class ChipColour(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The predominant colour of a chip, where the regulation fixes it."""

    cents: int
    colour: Colour


class Legend(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Words that the layout must bear."""

    says: str


class LayoutMarks(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must be on the layout: the house's name, an area for each wager, the payout odds, and words."""

    name: Rule | None = None
    areas: Rule | None = None
    odds: Rule | None = None
    legends: tuple[Legend, ...] = ()


class Lies(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a side wager is placed: in front of the boxperson, or in a numbered area before its player's position."""

    place: Literal["boxperson", "perimeter"]
    numbered: Rule | None = None  # clockwise, from the boxperson's left
    moves: Rule | None = None  # brought to numbered spots in front of the boxperson once the hand begins
    markers: Rule | None = None  # a spot for a marker button on each total that counts
