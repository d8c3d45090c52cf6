"""The shape of a rulebook: what its TOML files may say, entry by entry, each with its citation.

A rulebook folder holds these files:

    general.toml      what holds for the whole game: points, closed list, media, limits, working calls
    wagers.toml       one table per wager; sidewagers.toml likewise, where the regulation has side wagers
    elections.toml    one table per field of a house that the regulation leaves open, with its bounds
    craps.toml        who does what at a table of that game (mini_craps.toml likewise)
    house.toml        the default house (see passline.rules.house_reader)

Unknown keys refuse to load. Where a table may change on a day, `dated = [{from = 2012-09-14, ...}]` holds its versions.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passline.rules.schema.citations import Cite, Role, Rule, SomeTotals, Totals, cites_of
from passline.rules.schema.side_wagers import (
    Amount,
    Areas,
    AtCount,
    Collection,
    Hand,
    PayLine,
    Reading,
    Run,
    SideWager,
    WagerTips,
)
from passline.rules.schema.wagers import (
    Breakdown,
    ComeOut,
    Composite,
    Flat,
    Hardway,
    Line,
    Make,
    Number,
    OddsLimit,
    OddsWager,
    OneRoll,
    Parts,
    PaysEntry,
    Until,
    WinsOn,
)

__all__ = [
    "ELECTIONS",
    "Amount",
    "ApprovedRule",
    "Areas",
    "AtCount",
    "Breakdown",
    "CallOn",
    "Chips",
    "Cite",
    "Clearing",
    "Collection",
    "ComeOut",
    "Composite",
    "Confirm",
    "DiceRule",
    "Duty",
    "Election",
    "Flat",
    "Game",
    "General",
    "Hand",
    "Hardway",
    "Late",
    "Limits",
    "Line",
    "Live",
    "Make",
    "Medium",
    "NoRoll",
    "NoRollReason",
    "Number",
    "OddsLimit",
    "OddsWager",
    "OneRoll",
    "Parts",
    "PayLine",
    "PaysEntry",
    "PaysRule",
    "Procedures",
    "Reading",
    "Role",
    "RoleRule",
    "Rule",
    "Run",
    "Seats",
    "Shooter",
    "SideWager",
    "SomeTotals",
    "Throw",
    "Tips",
    "Totals",
    "Until",
    "WagerEntry",
    "WagerTips",
    "Window",
    "WinsOn",
    "cites_of",
]

WagerEntry = Line | Number | OddsWager | Hardway | OneRoll | Composite | Hand | Collection | Run
"""A wager of any family."""


class Window(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something a new hand opens for wagers: which roll of the hand closes it, and whether it needs the puck OFF."""

    closes: Literal["come_out_roll", "totals"]
    totals: tuple[int, ...] = ()
    puck_off: bool


class Tips(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Wagers a player makes for the crew: the election that allows them, or none where they are a right."""

    elect: str = ""
    owner: Rule


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


class RoleRule(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who may or must do a thing."""

    by: tuple[Role, ...]


class ApprovedRule(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something banned until all of these authorities approve it."""

    authorities: tuple[str, ...]


class Chips(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The values of chips in play, in cents."""

    cents: tuple[int, ...]


class Live(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What holds at a table people play at: its chips, what is approved first, breaches, what is posted and kept."""

    chips: Chips
    fills: Rule | None = None  # who brings chips to a table and takes them away
    inventories: Rule | None = None  # who counts them when it opens and closes
    game_rules: ApprovedRule | None = None
    electronic: ApprovedRule | None = None  # electronic dice need a laboratory's report
    prediction_aid: ApprovedRule | None = None
    advice: RoleRule | None = None  # whose advice on strategy is a breach while a wager is pending
    posted: Rule | None = None  # the limits, at each table
    records: dict[str, Rule] = {}  # the classes of records the regulator reads


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
    windows: dict[str, Window] = {}
    tips: Tips | None = None
    live: Live


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
    points: Totals | None = None  # where they are not the regulation's usual ones
    variation: Rule | None = None  # what makes it a variation of the regulation's game
    wagers: dict[str, WagerEntry] = {}  # in the place of the regulation's usual ones
    without: dict[str, Rule] = {}  # wagers this game does not have


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
    "variations", "limit_notice_minutes", "side_wagers_locked", "front_line_before_first_roll", "tip_wagers",
    "tip_position", "front_line_tips", "front_line_tips_whole_dollars", "front_line_tip_cents_max",
)  # fmt: skip
