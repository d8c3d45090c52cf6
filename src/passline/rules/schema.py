"""The shape of a rulebook: what its TOML files may say, entry by entry, each with its citation.

A rulebook folder holds these files:

    general.toml      what holds for the whole game: points, closed list, media, limits, working calls
    wagers.toml       one table per wager
    elections.toml    one table per field of a house that the regulation leaves open, with its bounds
    craps.toml        who does what at a table of that game (mini_craps.toml likewise)
    house.toml        the default house (see passline.rules.house)

Unknown keys refuse to load. Where a table may change on a day, `dated = [{from = 2012-09-14, ...}]` holds its versions.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = [
    "ELECTIONS",
    "Breakdown",
    "CallOn",
    "Cite",
    "Clearing",
    "ComeOut",
    "Composite",
    "Confirm",
    "DiceRule",
    "Duty",
    "Election",
    "Flat",
    "Game",
    "General",
    "Hardway",
    "Late",
    "Limits",
    "Line",
    "Make",
    "Medium",
    "NoRoll",
    "NoRollReason",
    "Number",
    "OddsLimit",
    "OddsWager",
    "OneRoll",
    "Parts",
    "PaysEntry",
    "PaysRule",
    "Procedures",
    "Role",
    "RoleRule",
    "Rule",
    "Seats",
    "Shooter",
    "SomeTotals",
    "Throw",
    "Totals",
    "Until",
    "WagerEntry",
    "WinsOn",
    "cites_of",
]

Role = Literal["player", "shooter", "dealer", "stickperson", "boxperson", "floorperson"]
"""Who acts at a table."""
Cite = str | tuple[str, ...] | dict[str, str | tuple[str, ...]]
"""The clauses behind an entry; by number, or by what a house elects, where they differ by it."""


def cites_of(cite: Cite, number: str = "") -> tuple[str, ...]:
    """Give the clauses of an entry, or those of one of its numbers where they differ by number.

    >>> cites_of("XX-1"), cites_of({"4": "XX-4", "6": ("XX-6", "XX-7")}, "6")
    (('XX-1',), ('XX-6', 'XX-7'))
    >>> cites_of({"4": "XX-4", "6": "XX-6"})
    ('XX-4', 'XX-6')
    """
    if isinstance(cite, str):
        return (cite,)
    if isinstance(cite, tuple):
        return cite
    if number:
        return cites_of(cite[number])
    return tuple(dict.fromkeys(clause for one in cite.values() for clause in cites_of(one)))


class Rule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Anything the regulation says: the clause, and the reading chosen where the text is silent or at odds."""

    cite: Cite
    reading: str = ""


class Make(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When a wager may be made: before a come-out roll, while the puck is ON, or at any time."""

    when: Literal["come_out", "point", "any"]


class Until(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Until when a wager may be removed, reduced or increased."""

    until: Literal["deciding_roll", "point"]


class WinsOn(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which comes first: the wager's number, or a 7."""

    on: Literal["number", "seven"]


class Totals(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The totals of the dice an entry speaks of."""

    totals: tuple[int, ...]


class SomeTotals(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The totals that win, unless the wager names its own pair of dice."""

    totals: tuple[int, ...] = ()


class PaysEntry(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of a pay table: for all outcomes or for some numbers, totals or dice; `or_pays` may be elected."""

    pays: str
    numbers: tuple[int | str, ...] = ()
    totals: tuple[int, ...] = ()
    dice: tuple[str, ...] = ()
    or_pays: str = ""
    or_cite: str = ""


class ComeOut(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether a wager works on a come-out roll, and whether its player may call it otherwise."""

    works: bool
    call: Literal["on", "off", ""] = ""
    elect: str = ""  # the election ("on" or "off") that decides instead


class Flat(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the original wager pays when odds stand behind it."""

    pays: str


class Parts(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The wagers a composite one is settled as, in units; `high` stands for the number chosen."""

    units: dict[str, int]


class Breakdown(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When the house books a composite wager as separate ones, and which."""

    when: Literal["no_area", "always"]
    units: dict[str, int]


class OddsLimit(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How large odds may be: multiples of the original wager by stake or by winnings, or an amount."""

    on: Literal["stake", "winnings"]
    multiple_min: int = 0
    multiple_max: int = 0
    cents_max: int = 0


class _Wager(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="family"):
    name: str
    make: Make
    remove: Until | None = None
    increase: Until | None = None
    come_out: ComeOut | None = None
    offered: str = ""  # the election that offers this wager, where it is optional
    centre: bool = False


class Line(_Wager, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="line"):
    """Pass, come and their don't side: decided at once, or by a point and a 7."""

    first_win: Totals
    first_lose: Totals
    first_void: Totals | None = None
    moves: Rule | None = None
    win: WinsOn
    lose: WinsOn
    pays: tuple[PaysEntry, ...]


class Number(_Wager, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="number"):
    """A number against a 7: place, buy, lay, put, big."""

    numbers: tuple[int | str, ...]
    win: WinsOn
    lose: WinsOn
    pays: tuple[PaysEntry, ...]
    vigorish: bool = False


class OddsWager(_Wager, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="odds"):
    """A supplemental wager behind a line or put wager, on its point."""

    behind: str
    numbers: tuple[int | str, ...]
    win: WinsOn
    lose: WinsOn
    pays: tuple[PaysEntry, ...]
    flat: Flat
    limit: OddsLimit


class Hardway(_Wager, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="hardway"):
    """A number thrown as a pair before it comes easy and before a 7."""

    numbers: tuple[int | str, ...]
    win: Rule
    lose: Rule
    pays: tuple[PaysEntry, ...]


class OneRoll(_Wager, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="one_roll"):
    """Decided by the next roll: by total, or, where `numbers` lists pairs of dice, by the pair chosen."""

    numbers: tuple[int | str, ...] = ()
    win: SomeTotals
    lose: Rule
    pays: tuple[PaysEntry, ...]


class Composite(_Wager, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="composite"):
    """Several one-roll wagers made as one, settled part by part."""

    numbers: tuple[int | str, ...] = ()
    win: Totals
    lose: Rule
    units: Rule | None = None  # none where the text names no units: then only what cannot be paid is refused
    parts: Parts
    breakdown: Breakdown | None = None


WagerEntry = Line | Number | OddsWager | Hardway | OneRoll | Composite
"""A wager of any family."""


class Medium(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something a wager may be made with: on which wagers (none: refused), and who must confirm it."""

    wagers: Literal["any", "none"] | tuple[str, ...]
    confirm: tuple[Role, ...] = ()
    elect: str = ""  # the boolean election that admits it


class PaysRule(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether the listed payouts are the least, the only or the default ones, and where that holds."""

    listed: Literal["least", "only", "default"]
    wagers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # boolean elections a house must make to pay otherwise


class CallOn(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What makes a call work: the dealer's button, and the rule by which one marks all like wagers of a player."""

    button_by: tuple[Role, ...]
    apart: bool  # a clause of its own, cited beside the one that turns a wager off
    like_wagers: Rule | None = None
    lasts: Literal["next_point"]


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table's minimum and maximum: which clause holds each, and whether odds are outside them."""

    min: Rule
    max: Rule
    odds_outside_min: bool
    odds_outside_max: bool


class General(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What holds for the whole game."""

    title: str
    games: tuple[str, ...]
    latest_amendment: str = ""
    statutes: tuple[str, ...] = ()
    closed_list: Rule
    points: Totals
    come_out_roll: Rule
    seven: Rule
    remove: Until
    works: Rule
    call_on: CallOn
    listed_payouts: PaysRule
    fixed_payouts: PaysRule
    unpayable: Rule
    vigorish_only: Rule
    odds_follow: Rule
    odds_excess: Rule
    limits: Limits
    media: dict[str, Medium]
    employees: Rule | None = None
    centre_placed_by: RoleRule | None = None
    dealer_includes: RoleRule | None = None


class RoleRule(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who may or must do a thing."""

    by: tuple[Role, ...]


class Confirm(RoleRule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who must confirm: all of them, or any one."""

    needed: Literal["all", "any"]


class Late(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Wagers made while the dice are in the air: not permitted, or permitted once confirmed."""

    permitted: bool
    confirm: Confirm | None = None


class Seats(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many may sit or wager, and whether a player must be seated."""

    seats_max: int = 0
    wagering_max: int = 0
    seated: Rule | None = None
    remain: Rule | None = None


class DiceRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The set of dice, who offers it to whom, and how many are chosen."""

    set_min: int
    set_cite: Cite
    offered_by: tuple[Role, ...]
    first_offer: Literal["left_of_boxperson", "left_of_offeror"]
    first_cite: Cite
    next_cite: Cite
    after_cite: Cite
    accept_cite: Cite
    chosen: int
    chosen_cite: Cite


class Shooter(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a shooter must and may do."""

    line_wager: Rule
    line_wagers: tuple[str, ...]
    surrender: Rule
    loser_7: Rule
    order_to_pass: RoleRule
    order_reasons: dict[str, Rule]


class Throw(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Throws that are void by themselves, and how a die that does not lie flat is read."""

    together: Rule
    void: dict[str, Rule]
    rethrow: Rule | None = None  # where one clause says it of every void throw
    cocked: Rule
    one_face: Rule
    called_by: RoleRule
    settled_first: RoleRule
    passed_by: RoleRule


class NoRollReason(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One reason for a no-roll call; some belong to fewer callers, some should come before the dice rest."""

    by: tuple[Role, ...] = ()
    before_rest: bool = False


class NoRoll(RoleRule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who may call no roll, for which reasons, and what is no reason."""

    designated: tuple[Role, ...] = ()  # whom a house may designate; without it only those in `by`
    may_call: Rule
    before_rest: Rule | None = None
    reasons: dict[str, NoRollReason]
    no_reason: dict[str, Rule]


class Clearing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The phase in which a shooter without a line wager decides the come wagers that are up."""

    wagers: tuple[str, ...]
    offer: Rule
    alone: Rule
    only: Rule
    puck: Rule
    decided: Rule
    line_wager: Rule


class Procedures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who does what at the table."""

    dice: DiceRule
    shooter: Shooter
    throw: Throw
    no_roll: NoRoll
    dispute: RoleRule
    clearing: Clearing


class Duty(RoleRule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A standing duty or record of the crew that no single command enforces; printed on the crew's card."""

    does: str


class Game(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One game of a regulation: late wagers, seats, duties, and procedures unless the house must supply them."""

    late: Late
    seats: Seats
    duties: dict[str, Duty]
    procedures: Procedures | None = None


class Election(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A choice left to the house: choices (the first is the default), a range, or a set to pick from."""

    choices: tuple[str | int | bool, ...] = ()
    min: int | None = None
    max: int | None = None
    subset_of: tuple[str, ...] | None = None
    same_as: str = ""


# Every election that a rulebook must bound; what else a house says is its own business, or bounded by a wager's entry.
ELECTIONS = (
    "smallest_chip_cents", "wager_cents_min", "wager_cents_max", "unpayable", "hardways_on_come_out",
    "come_odds_on_come_out", "buy", "lay", "six_seven_eight", "odds_excess", "horn_high_area", "whirl_area",
    "buy_vigorish_basis_points", "buy_vigorish_basis", "buy_vigorish_when", "buy_vigorish_won_on",
    "lay_vigorish_basis_points", "lay_vigorish_basis", "lay_vigorish_when", "settlement", "no_roll_callers",
    "stickperson", "dice_set", "tokens", "off_calls", "payouts_uniform", "payouts_posted", "payouts_approved",
    "variations", "limit_notice_minutes",
)  # fmt: skip
