"""The file that plans a tournament: who holds it, its events and rounds, what entering costs, and the prizes.

Amounts are whole cents. Points are what tournament chips stand for; they are never money.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Words = Annotated[str, Meta(min_length=1, max_length=600)]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
PlannedCents = Annotated[int, Meta(ge=0, le=10_000_000_000)]
Points = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Some = Annotated[int, Meta(ge=0, le=10_000)]
Least = Annotated[int, Meta(ge=1, le=10_000)]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    pass


class Premises(_Part, frozen=True, kw_only=True):
    """Where it is held."""

    place: Words
    is_licensed: bool = False
    meets_security: bool = False  # and surveillance, and the procedures of internal control


class InKind(_Part, frozen=True, kw_only=True):
    """Something that is taken in place of money, at a value that is fixed beforehand."""

    item: Name
    cents: PlannedCents


class Rebuy(_Part, frozen=True, kw_only=True):
    """Chips that a player who has lost all may buy: how often, in which rounds, for what."""

    cents: PlannedCents
    points: Points
    most: Least  # per entry
    rounds: tuple[Name, ...]


class AddOn(_Part, frozen=True, kw_only=True):
    """Chips that every player may buy besides, played from the next game on."""

    cents: PlannedCents
    points: Points
    most: Least  # per entry
    rounds: tuple[Name, ...]


class Round(_Part, frozen=True, kw_only=True):
    """One round of an event: it ends after so many rolls at each table, or so many minutes."""

    name: Name
    rolls: Some = 0
    minutes: Some = 0
    seats: Annotated[int, Meta(ge=2, le=20)] = 16  # at each table
    advance: Some = 0  # of each table, to the next round
    wild_cards: Some = 0  # besides, the best of the others of all tables
    carries_points: bool = False  # into the next round, instead of equal stacks
    is_initial: bool = False  # a round in which only chips bought for the entry are played


class Prize(_Part, frozen=True, kw_only=True):
    """What one place wins: a share of the pool, a sum, a thing, or a voucher for a later event."""

    basis_points: Annotated[int, Meta(ge=0, le=10_000)] = 0  # of the pool
    cents: PlannedCents = 0  # from the house, besides the pool
    item: str = ""
    item_cents: PlannedCents = 0  # what the item is worth
    voucher: str = ""  # the event that it lets its winner enter
    voucher_cents: PlannedCents = 0  # what it adds to the pool of an event that has neither fee nor buy-in

    @property
    def is_whole(self) -> bool:
        """Whether it is a thing or a voucher, which cannot be shared."""
        return bool(self.item or self.voucher)


class Place(_Part, frozen=True, kw_only=True):
    """The prizes of one place; with `entries_from`, only if so many have entered."""

    place: Least
    prize: Prize
    entries_from: Some = 0


class Event(_Part, frozen=True, kw_only=True):
    """One event: what entering costs, the chips for it, its rounds and its prizes."""

    name: Name
    first_day: date
    last_day: date
    starts: Words  # the time of day, as players read it
    ends: str = ""  # likewise
    fee_cents: PlannedCents = 0
    buy_in_cents: PlannedCents = 0
    points: Points  # for the fee and the first buy-in: the same for everybody
    fee_in_kind: tuple[InKind, ...] = ()
    buy_in_in_kind: tuple[InKind, ...] = ()
    is_by_voucher: bool = False  # nobody enters it but with a voucher
    entries_max: Least
    rebuy: Rebuy | None = None
    add_on: AddOn | None = None
    reentries_max: Some = 0  # of one player, after elimination
    rounds: tuple[Round, ...]
    places: tuple[Place, ...]


class ColourPoints(_Part, frozen=True, kw_only=True):
    """What a chip of one colour stands for at the beginning."""

    colour: Name
    points: Points


class SheetWords(_Part, frozen=True, kw_only=True):
    """What the rule sheet says that nothing else in the plan does."""

    house_rules: Literal["printed", "as_changed", ""] = ""  # the standard rules, or the sentence that they apply
    changes: tuple[Words, ...] = ()  # of the normal play of this house
    final_round: str = ""  # how it is decided
    conclusion: str = ""  # how the tournament ends
    ties: Literal["shared", "roll_off", "earlier_lead", ""] = ""
    cut_ties: Literal["by_lot", "roll_off", "earlier_lead", "all_go_on", ""] = ""  # for a last place that goes on
    undecided_wagers: Literal["returned", "played_out", "lost", ""] = ""  # at the end of a round
    wagering_order: str = ""
    wagering_seconds: Some = 0
    seat_draw: Literal["by_lot", ""] = ""
    counts: Literal["open", "secret", ""] = ""
    elimination: str = ""
    cash_handling: str = ""
    lapse_of_rounds: str = ""

    @property
    def way_at_cut(self) -> str:
        """How players who are level for a last place that goes on are parted, where the plan does not say it itself."""
        return self.cut_ties or ("all_go_on" if self.ties == "shared" else self.ties)


class Plan(_Part, frozen=True, kw_only=True):
    """A tournament as it is planned."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    name: Name
    rules: Name  # the regulation
    casino: Name
    licensees: tuple[Name, ...]
    lead: str = ""  # of a joint tournament: the licensee that answers for it
    premises: Premises
    house: dict[str, Any] = {}  # the elections of its tables, as in a house file
    dice: Literal["physical", "electronic"] = "physical"
    automate: tuple[Name, ...] = ()  # the steps of its tables that happen by themselves
    entries_at_once: Least = 1  # of one player
    criteria: str = ""  # who may enter
    criteria_reason: str = ""  # how they relate to gaming
    is_points_only: bool = True
    wager_points_max: Some = 0  # where the rule sheet limits wagers; 0: it does not
    pools: Literal["one", "by_event"] = "one"
    splits: bool = False  # the last players may agree to share the cash prizes
    are_chips_printed: bool = True  # with the points they stand for
    colours: tuple[ColourPoints, ...] = ()
    house_adds_cents: PlannedCents = 0  # to the pool
    events: tuple[Event, ...]
    sheet: SheetWords = SheetWords()
