"""The wagers of the standard game as a rulebook states them, one class per family."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal

from msgspec import Struct

from passline.dice import number_code
from passline.money import multiple_of
from passline.rules.schema.citations import BasisPoints, CentsAmount, Count, Multiple, Rule, SomeTotals, Total, Totals

Heeds = Literal["nothing", "puck", "point"]
"""What of the puck a family of wagers hangs on: nothing, whether it is ON, or the point that it shows, too."""


class Make(Rule, frozen=True, kw_only=True):
    """When a wager may be made: before a come-out roll, while the puck is ON, or at any time."""

    when: str  # come_out, point, any, or one of the rulebook's windows
    or_when: str = ""  # a narrower window that `elect` asks for too
    elect: str = ""


class Until(Rule, frozen=True, kw_only=True):
    """Until when a wager may be removed, reduced or increased."""

    until: Literal["deciding_roll", "point", "initial_point", "never"]


class WinsOn(Rule, frozen=True, kw_only=True):
    """Which must come first: the wager's number, or a 7."""

    on: Literal["number", "seven"]


class PaysEntry(Rule, frozen=True, kw_only=True):
    """One line of a pay table, for all outcomes or for some numbers, totals or dice; a house may elect `or_pays`."""

    pays: str
    numbers: tuple[int | str, ...] = ()
    totals: tuple[Total, ...] = ()
    dice: tuple[str, ...] = ()
    or_pays: str = ""
    or_cite: str = ""


class ComeOut(Rule, frozen=True, kw_only=True):
    """Whether a wager works on a come-out roll, and whether its player may call it otherwise."""

    works: bool
    call: Literal["on", "off", "none", ""] = ""  # a wager that is off says `none` where no player may call it on
    elect: str = ""  # the election ("on" or "off") that decides instead


class Flat(Rule, frozen=True, kw_only=True):
    """What the original wager pays when odds stand behind it."""

    pays: str


class Parts(Rule, frozen=True, kw_only=True):
    """The wagers that a composite one is settled as, in units: `hop:2-2` is one on its dice or number.

    `high` stands for the number chosen.
    """

    units: dict[str, Count]


def part_spot(part: str) -> tuple[str, int]:
    """Return the kind and the number of a part of a composite wager.

    >>> part_spot("any_craps"), part_spot("hop:2-2"), part_spot("hardway:4")
    (('any_craps', 0), ('hop', 122), ('hardway', 4))
    """
    kind, _, number = part.partition(":")
    return kind, number_code(number)


class Breakdown(Rule, frozen=True, kw_only=True):
    """When the house books a composite wager as separate wagers, and which."""

    when: Literal["no_area", "always"]
    units: dict[str, Count]


class OddsLimit(Rule, frozen=True, kw_only=True):
    """How large odds may be: a multiple of the original wager (by stake or by winnings), or an amount.

    A multiple is one for all numbers, or a table of one for each.
    """

    on: Literal["stake", "winnings"]
    multiple_min: Multiple | dict[str, Multiple] = 0
    multiple_max: Multiple | dict[str, Multiple] = 0
    cents_max: CentsAmount = 0

    def least(self, number: int) -> Fraction:
        """Return the multiple that a house must allow on a number; 0 if none is named."""
        return _on_number(self.multiple_min, number)

    def most(self, number: int) -> Fraction:
        """Return the largest multiple that a house may allow on a number; 0 if none is named.

        >>> limit = OddsLimit(on="stake", multiple_max={"4": 3, "6": "4.5"}, cite="XX-1")
        >>> limit.most(4), limit.most(6), limit.least(6)
        (Fraction(3, 1), Fraction(9, 2), Fraction(0, 1))
        """
        return _on_number(self.multiple_max, number)


def _on_number(multiple: Multiple | dict[str, Multiple], number: int) -> Fraction:
    return multiple_of(multiple[str(number)] if isinstance(multiple, dict) else multiple)


def multiples_text(multiple: Multiple | dict[str, Multiple]) -> str:
    """Return a multiple as it is printed; where it differs by number, by number.

    >>> multiples_text(3), multiples_text({"4": 3, "10": 3, "6": "4.5"})
    ('3x', '3x on 4, 10; 4.5x on 6')
    """
    if not isinstance(multiple, dict):
        return f"{multiple}x"
    numbers: dict[Multiple, list[str]] = {}
    for number, each in multiple.items():
        numbers.setdefault(each, []).append(number)
    return "; ".join(f"{each}x on {', '.join(on)}" for each, on in numbers.items())


class WagerTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="family"):
    """The terms every wager has: its names, when it is made, removed, increased, and when it works."""

    heeds: ClassVar[Heeds] = "point"  # a family that says nothing is settled apart at each point
    name: str  # as the regulation calls it
    label: str = ""  # as a screen calls it, with {} where its number goes; without one it is made from `name`
    make: Make
    remove: Until | None = None
    increase: Until | None = None
    come_out: ComeOut | None = None
    offered: str = ""  # the election that offers this wager, where it is optional
    centre: bool | None = None  # whether it is in the centre of the layout; said of hardways and one-roll wagers
    not_here: dict[str, Rule] = {}  # keys that a similar wager has and this one has not, by a clause

    def display_name(self, number: str = "") -> str:
        """Return the wager's name on screens and in messages: its label, with the number or pair it is on.

        >>> terms = WagerTerms(name="Hop Bet", make=Make(when="any", cite="XX-1"))
        >>> terms.display_name("1-3"), terms.display_name()
        ('Hop 1-3', 'Hop')
        >>> WagerTerms(name="Lose", label="Place {} to Lose", make=terms.make).display_name("6")
        'Place 6 to Lose'
        """
        return _display_name(self.label or self.name.removesuffix(" Bet").removesuffix(" Wager"), number)


@lru_cache(maxsize=2_000)  # screens and the log name the same few wagers all the time
def _display_name(label: str, number: str) -> str:
    return " ".join((label if "{}" in label else f"{label} {{}}").replace("{}", number).split())


class Line(WagerTerms, frozen=True, kw_only=True, tag="line"):
    """Pass, come and their don't side: decided at once, or by a point and a 7."""

    first_win: Totals
    first_lose: Totals
    first_void: Totals | None = None
    moves: Rule | None = None
    win: WinsOn
    lose: WinsOn
    pays: tuple[PaysEntry, ...]


class VigorishEntry(Rule, frozen=True, kw_only=True):
    """Vigorish on some numbers of a wager, or on all: each term as the regulation fixes it, or the election of it."""

    numbers: tuple[Total, ...] = ()
    basis_points: BasisPoints | str
    basis: str  # wager, potential_win, or an election between them
    when: str  # made, won, or an election between them
    cents_min: CentsAmount | str = 0  # the least that is charged


class Number(WagerTerms, frozen=True, kw_only=True, tag="number"):
    """A number against a 7: place, buy, lay, put, big."""

    heeds = "puck"
    numbers: tuple[int | str, ...]
    win: WinsOn
    lose: WinsOn
    pays: tuple[PaysEntry, ...]
    vigorish: bool | tuple[VigorishEntry, ...] = (
        False  # true where the house elects it by the names that buy and lay have
    )


class OddsWager(WagerTerms, frozen=True, kw_only=True, tag="odds"):
    """A supplemental wager behind a line or put wager, on its point."""

    heeds = "puck"
    behind: str
    numbers: tuple[int | str, ...]
    win: WinsOn
    lose: WinsOn
    pays: tuple[PaysEntry, ...]
    flat: Flat
    limit: OddsLimit


class Hardway(WagerTerms, frozen=True, kw_only=True, tag="hardway"):
    """A number thrown as a pair before it comes easy and before a 7."""

    heeds = "puck"
    numbers: tuple[int | str, ...]
    win: Rule
    lose: Rule
    pays: tuple[PaysEntry, ...]


class OneRoll(WagerTerms, frozen=True, kw_only=True, tag="one_roll"):
    """Decided by the next roll: by total, or, where `numbers` lists pairs of dice, by the pair chosen."""

    heeds = "nothing"
    numbers: tuple[int | str, ...] = ()
    win: SomeTotals
    lose: Rule
    pays: tuple[PaysEntry, ...]


class Composite(WagerTerms, frozen=True, kw_only=True, tag="composite"):
    """Several one-roll wagers made as one and settled part by part."""

    heeds = "nothing"
    numbers: tuple[int | str, ...] = ()
    win: Totals
    lose: Rule
    units: Rule | None = None  # None where the text names no units: then only unpayable amounts are refused
    parts: Parts
    breakdown: Breakdown | None = None
