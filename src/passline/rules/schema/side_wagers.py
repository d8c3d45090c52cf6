"""Side wagers as a rulebook states them: counts over a hand, collections of totals, runs of points."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from passline.rules.schema.citations import CentsAmount, Count, Rule, SomeTotals, Total, Totals
from passline.rules.schema.wagers import WagerTerms

LineCount = Annotated[int, Meta(ge=-1, le=1000)]
"""A count that a pay table has a line for; -1 is a 7 or 11 before the initial point of a run."""


class PayLine(Rule, frozen=True, kw_only=True):
    """One line of a side wager's pay table: some counts, and that they pay ("24 to 1", "25 for 1"), lose or push."""

    counts: tuple[LineCount, ...]
    pays: str = ""
    result: Literal["win", "lose", "push"] = "win"


class Amount(Rule, frozen=True, kw_only=True):
    """The limits and steps of a wager that has its own, in cents; without a `max` the house's limits hold."""

    min: CentsAmount = 0
    max: CentsAmount = 0
    step: CentsAmount = 0
    chips: Rule | None = None  # the smallest chip at the table must make every one of these amounts


class AtCount(Rule, frozen=True, kw_only=True):
    """Something that happens when a count is reached."""

    count: Count


class Lies(Rule, frozen=True, kw_only=True):
    """Where a side wager is placed: in front of the boxperson, or in a numbered area before its player's position."""

    place: Literal["boxperson", "perimeter"]
    numbered: Rule | None = None  # clockwise, from the boxperson's left
    moves: Rule | None = None  # brought to numbered spots in front of the boxperson once the hand begins
    markers: Rule | None = None  # a spot for a marker button on each total that counts


class Areas(Rule, frozen=True, kw_only=True):
    """How many players may have this wager at once."""

    max: Count


class WagerTips(Rule, frozen=True, kw_only=True):
    """A wager's own rules for tips: the elections that allow them, require whole dollars, and cap them."""

    elect: str
    whole_dollars: str
    cents_max: str


class Marked(Rule, frozen=True, kw_only=True):
    """The marker that shows a side wager's progress to the table, and the event with which it starts over."""

    restarts: Literal["loser_7", "new_shooter", "any_7"]


class SideWager(WagerTerms, frozen=True, kw_only=True):
    """The terms every side wager has: its pay tables, its marker, and who may make it for how much."""

    tables: dict[str, tuple[PayLine, ...]]
    marked: Marked
    amount: Amount | None = None
    line_wager: Rule | None = None  # requires its player to have a line wager
    beside: Rule | None = None  # allows another one beside it at any time
    areas: Areas | None = None
    lies: Lies | None = None  # its place on the layout, where the regulation demands one
    tips: WagerTips | None = None


class Hand(SideWager, frozen=True, kw_only=True, tag="hand"):
    """A count over a hand, settled at the loser 7 or when it is full: fire, sharp shooter, front line winner."""

    counts: Literal["distinct_points", "points", "totals"]
    counted: SomeTotals
    settles: Rule
    take_first: Rule | None = None  # a table that has it takes what loses before it pays what wins
    carries: Rule  # what happens when the shooter gives up the dice
    full: AtCount | None = None
    top: AtCount | None = None  # higher counts are paid as this one
    notice: AtCount | None = None


class Collection(SideWager, frozen=True, kw_only=True, tag="collection"):
    """Totals that must all be thrown before a 7: small, tall, all."""

    needs: Totals
    win: Rule
    lose: Totals


class Reading(Rule, frozen=True, kw_only=True):
    """One way to read the garbled text of a run: what each roll does before and after the initial point."""

    come_out: Literal["stay", "pay", "pay_first", "return"]  # the effect of the totals in `come_out_stay`
    counts: Literal["thrown", "made"]
    initial_counts: bool
    neutral: tuple[Total, ...]  # totals that do nothing once the initial point is set
    repeats: Literal["end", "neutral"]


class RunEnds(Rule, frozen=True, kw_only=True):
    """What ends a run: its initial point too early, a 7, another total, a repeated point, or any roll once full."""

    initial: Rule
    seven: Rule
    other: Rule
    repeat: Rule
    full: Rule


class Run(SideWager, frozen=True, kw_only=True, tag="run"):
    """Points thrown one after the other from an initial point: lucky shooter.

    In its pay tables the count -1 is the line for a 7 or 11 before the initial point.
    """

    come_out_stay: Totals
    come_out_lose: Totals
    initial: Rule
    hit: Rule
    ends: RunEnds
    top: AtCount  # the count of all points and then the initial one
    readings: dict[str, Reading]
