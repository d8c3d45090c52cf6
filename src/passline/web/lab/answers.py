"""What the laboratory answers: the Structs that its pages receive, one a line."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.automaton.told import Cost, ToldWish
from passline.layout.geometry import Layout
from passline.refusal import Refusal

Quantile = tuple[int, int]
"""A percentage of the sessions, and the cents that they end with or below."""
Atom = tuple[int, float, float, float, float]
"""Cents of a final bankroll, its chance, and the parts of it that ended in ruin, at the goal and at a stop."""
ByRoll = tuple[int, float, float, float, float]
"""A number of rolls, and the chances to have ended by then in ruin, at the goal, at the limit, at a stop."""


Run = tuple[int, int, int, int]
"""The first and the last column of a run of equal acts, the act, and the cents that are up after it."""


class LabProgress(Struct, frozen=True, tag="progress", tag_field="line"):
    """How far a question is: what is done, of how much if that is known."""

    what: str
    done: int = 0
    of: int | None = None


class LabWaiting(Struct, frozen=True, tag="waiting", tag_field="line"):
    """How many questions of others come first."""

    before: int


class LabCost(Struct, frozen=True):
    """What a session costs on average; shares are None where nothing was wagered."""

    loss_cents: float
    action_cents: float
    edge_on_action: float | None
    edge_on_initial: float | None
    average_wager_cents: float | None
    loss_cents_per_hour: float | None
    pace: int


class LabLaw(Struct, frozen=True, tag="law", tag_field="line"):
    """The law of a session of one strategy; or mean and deviation alone, with why there is no law."""

    name: str
    states: tuple[tuple[str, int], ...]
    terms: str
    policy: str
    mean_cents: float
    sd_cents: float
    cost: LabCost
    why_no_law: str = ""
    ruin: float | None = None
    goal: float | None = None
    stop: float | None = None
    ahead: float | None = None
    quantiles: tuple[Quantile, ...] = ()
    mean_rolls: float | None = None
    mean_rolls_to_ruin: float | None = None
    error: float | None = None  # no probability is further from the truth
    atoms: tuple[Atom, ...] = ()
    step_cents: int = 0  # how far apart atoms are where values were put together; 0: none were
    by_roll: tuple[ByRoll, ...] = ()
    notes: tuple[str, ...] = ()  # such as where a progressive's meter stands in these figures


class LabFan(Struct, frozen=True, tag="fan", tag_field="line"):
    """Quantiles of the bankroll after some numbers of rolls; who has ended keeps what they ended with."""

    shares: tuple[int, ...]
    rolls: tuple[int, ...]
    cents: tuple[tuple[int, ...], ...]  # by number of rolls, in the order of `shares`
    mean_cents: tuple[float, ...]
    is_cut: bool = False  # whether the later rolls took too long


class LabCheck(Struct, frozen=True, tag="check", tag_field="line"):
    """What was found in a strategy: faults keep it from being played, notes are what it says in vain."""

    name: str
    description: str
    faults: tuple[Refusal, ...]
    notes: tuple[str, ...]
    seen: str  # how much was looked at
    states: int
    is_all: bool
    costs: tuple[Cost, ...]
    parameters: dict[str, str]


class LabRoll(Struct, frozen=True):
    """One roll of a hand: what was done and why, the dice, what they decided, and what lies on the felt."""

    roll: int
    first: int
    second: int
    title: str
    puck: int  # before the dice
    puck_after: int
    wishes: tuple[ToldWish, ...]
    acts: tuple[str, ...]
    decided: tuple[str, ...]
    up: tuple[dict[str, Any], ...]  # the wagers when the dice are thrown
    left: tuple[dict[str, Any], ...]  # and when they are paid and taken
    equity_cents: int
    is_sitting_out: bool = False


class LabHand(Struct, frozen=True):
    """One shooter's hand."""

    number: int
    began_cents: int
    rolls: tuple[LabRoll, ...]


class LabHands(Struct, frozen=True, tag="hands", tag_field="line"):
    """A session on the dice of a seed, shooter by shooter."""

    name: str
    seed: int
    layout: Layout
    hands: tuple[LabHand, ...]
    ending: str  # ruin, goal, limit or stop; empty: it goes on beyond what is shown
    limits: tuple[int, int]  # the least and the most wager at the table


class LabBestRow(Struct, frozen=True):
    """A position of best play, and the runs of equal acts along money."""

    position: str
    puck: int
    runs: tuple[Run, ...]


class LabBest(Struct, frozen=True, tag="best", tag_field="line"):
    """The best lawful play of a menu for a purpose, as a picture of its policy."""

    purpose: str
    menu: str
    facts: tuple[tuple[str, str], ...]
    value: float
    gap: float
    acts: tuple[str, ...]
    first_cents: int  # of the first column, and how far columns are apart
    step_cents: int
    columns: int
    bankroll_cents: int
    rows: tuple[LabBestRow, ...]
    is_cut: bool  # whether positions are left out


class LabNext(Struct, frozen=True, tag="next", tag_field="line"):
    """The lines that follow are about another of the strategies: its place among those asked for."""

    strategy: int


class LabRefused(Struct, frozen=True, tag="refused", tag_field="line"):
    """Why a question has no answer."""

    refusals: tuple[Refusal, ...]


class LabReady(Struct, frozen=True, tag="ready", tag_field="line"):
    """The processes are ready."""


LabLine = LabProgress | LabWaiting | LabLaw | LabFan | LabCheck | LabHands | LabBest | LabNext | LabRefused | LabReady
"""Everything that is sent, by its key `line`."""
