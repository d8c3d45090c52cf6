"""Side wagers as a rulebook states them: counts over a hand, collections of totals, runs of points, small machines."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from passline.rules.schema.citations import BasisPoints, CentsAmount, Count, Rule, SomeTotals, Total, Totals
from passline.rules.schema.wagers import WagerTerms

LineCount = Annotated[int, Meta(ge=-1, le=1000)]
"""A count that a pay table has a line for; -1 is a 7 or 11 before the initial point of a run."""


METER_UNIT = 10_000
"""How many parts of a cent a meter counts: a wager of whole cents adds whole parts, whatever its rate."""


AboveBase = Literal["another meter", "award", "prize"]
"""What may become of what stands on a meter above its base when it is closed."""


class MeterClosing(Rule, frozen=True, kw_only=True):
    """How a meter that stands above its base is closed: what may become of the rest, and who has agreed on paper."""

    above: tuple[AboveBase, ...]
    agreed_by: tuple[str, ...] = ()  # bodies


class Progressive(Rule, frozen=True, kw_only=True):
    """A meter at the table, to which each decided wager adds a rate, and from which lines of its pay table pay."""

    basis_points: BasisPoints
    base_cents: CentsAmount  # what it begins with, and is never below
    base: Rule
    pays: Rule  # how winners divide a share, and what stays on the meter
    closes: MeterClosing | None = None  # without, only a meter at its base is closed


class PayLine(Rule, frozen=True, kw_only=True):
    """One line of a side wager's pay table: some counts, and that they pay ("24 to 1", "25 for 1"), lose or push.

    A line that wins may pay a share of the meter besides; "1 for 1" pays nothing but that.
    """

    counts: tuple[LineCount, ...]
    pays: str = ""
    result: Literal["win", "lose", "push"] = "win"
    says: str = ""  # what these counts stand for, where the number alone says nothing
    meter_basis_points: BasisPoints = 0


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
    progressive: Progressive | None = None

    @property
    def lamp_totals(self) -> tuple[int, ...]:
        """The totals that have a lamp of their own; none where it counts points, or shows only a number."""
        return ()


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

    heeds = "nothing"
    needs: Totals
    win: Rule
    lose: Totals

    @property
    def lamp_totals(self) -> tuple[int, ...]:
        """The totals that must all be thrown."""
        return self.needs.totals


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


MemoryMost = Annotated[int, Meta(ge=1, le=1000)]
"""The most that a number of a machine's memory may be; it is never below 0."""
MemoryNumbers = Annotated[tuple[Annotated[int, Meta(ge=1, le=99)], ...], Meta(max_length=36)]
"""The numbers for each of which a machine remembers something."""


class MachineMemory(Struct, frozen=True, forbid_unknown_fields=True):
    """A number that a machine remembers, or one for each of several numbers: its start, its most, its next value."""

    next: str  # an expression for the value after each roll; it reads all values from before
    max: MemoryMost
    start: Annotated[int, Meta(ge=0, le=1000)] = 0
    each: MemoryNumbers = ()


class Comes(Rule, frozen=True, kw_only=True):
    """Something that happens on a roll after which an expression is true; `says` tells it in words."""

    when: str
    says: str = ""


class Machine(SideWager, frozen=True, kw_only=True, tag="machine"):
    """A small machine: what it remembers of the rolls, and what wins, loses and settles it, as expressions.

    They see the roll (dice, total, point, line decisions) and the memory after it. `count` is the count at which its
    pay table is read: by a win, on a line that wins; by `settles`, on a line that may also lose or push.
    """

    memory: dict[str, MachineMemory] = field(default_factory=dict)
    wins: Comes | None = None
    loses: Comes | None = None
    settles: Comes | None = None
    count: str = "0"
    shows: str = ""  # an expression over the memory: the number that the marker shows
    lamps: str = ""  # the memory kept for each of several totals, whose lamps are lit where it is not 0

    @property
    def lamp_totals(self) -> tuple[int, ...]:
        """The totals whose lamps show what it remembers."""
        return self.memory[self.lamps].each if self.lamps else ()
