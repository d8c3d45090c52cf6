"""What the pages of the laboratory ask: of a house, a session and strategies, with their bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

TEXT_MAX = 20_000
"""The most characters in a strategy file that is written on the page."""
STRATEGIES_MAX = 6
"""The most strategies side by side."""
_CENTS_MAX = 100_000_000_00
_Count = Annotated[int, Meta(ge=1, le=1_000_000)]
_Cents = Annotated[int, Meta(ge=0, le=_CENTS_MAX)]


class LabHouse(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A regulation, a game, and elections of the house as TOML."""

    regulation: Annotated[str, Meta(max_length=40)]
    game: Annotated[str, Meta(max_length=40)] = ""
    elections: Annotated[str, Meta(max_length=TEXT_MAX)] = ""


class LabSession(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a session starts with and when it ends."""

    bankroll_cents: _Cents
    rolls: _Count | None = None
    decisions: _Count | None = None
    hands: _Count | None = None
    goal_cents: _Cents | None = None
    shooter_loss_cents: _Cents | None = None
    stop_loss_cents: _Cents | None = None
    trailing_stop_cents: _Cents | None = None
    line_wins: _Count | None = None
    line_losses: _Count | None = None
    short: Literal["stop", "ride", "reduce"] = "stop"


class LabStrategy(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A strategy by its names in the catalogue, such as `molly:odds=3 + fire`, or a file as text."""

    played: Annotated[str, Meta(max_length=400)] = ""
    file: Annotated[str, Meta(max_length=TEXT_MAX)] = ""


class LawsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The laws of a session for strategies side by side, with fans of quantiles if they are wanted."""

    house: LabHouse
    session: LabSession
    strategies: Annotated[tuple[LabStrategy, ...], Meta(min_length=1, max_length=STRATEGIES_MAX)]
    pace: Annotated[int, Meta(ge=1, le=1_000)] = 100


class LawAsked(Struct, frozen=True):
    """The law of one of them."""

    house: LabHouse
    session: LabSession
    strategy: LabStrategy
    pace: int


class CheckAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What a strategy says in vain, or why it cannot be played; with what each line costs in states if wanted."""

    house: LabHouse
    strategy: LabStrategy
    with_costs: bool = False


class HandsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The hands of a session on the dice of a seed, roll by roll."""

    house: LabHouse
    session: LabSession
    strategy: LabStrategy
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0
    rolls: Annotated[int, Meta(ge=1, le=200)] = 120


class BestAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The best lawful play of a menu of wagers for a purpose."""

    house: LabHouse
    menu: Annotated[str, Meta(max_length=400)]
    unit_cents: Annotated[int, Meta(ge=1, le=_CENTS_MAX)]
    purpose: Literal["goal", "finish", "least_loss", "longest"]
    bankroll_cents: _Cents
    goal_cents: _Cents | None = None
    rolls: _Count | None = None


class Warming(Struct, frozen=True):
    """Nothing: the process is to be ready for the first question, of laws or of what is quick."""

    has_laws: bool


LabQuestion = LawAsked | CheckAsked | HandsAsked | BestAsked | Warming
"""Everything that the processes of the laboratory answer."""
