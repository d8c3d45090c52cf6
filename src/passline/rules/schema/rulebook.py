"""The files of a rulebook: what each may say, entry by entry, every entry with its citation.

A rulebook folder holds these files:

    general.toml      rules of the whole game: points, closed list, media, limits, working calls
    wagers.toml       one table per wager; sidewagers.toml likewise, where the regulation has side wagers
    elections.toml    one table per field of a house that the regulation leaves open, with its bounds
    craps.toml        who does what at a table of that game (mini_craps.toml likewise)
    house.toml        the default house (see passline.rules.elections)

An unknown key is an error. Where a table changes on a day, `dated = [{from = 2012-09-14, ...}]` holds its versions;
`from = 2012-11-30` in a table, or at the head of a game's file, is the day before which there is none, and `to` the one
from which there is none again. What an amendment changes stands in a file of its own (rules/pages/amendments.py).
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from passline.authority.roles import Role
from passline.money import DOLLAR
from passline.rules.schema.citations import CentsAmount, Cite, Most, Rule, Total, Totals
from passline.rules.schema.side_wagers import Collection, Hand, Machine, Run, SideWager
from passline.rules.schema.wagers import Composite, Hardway, Line, Number, OddsWager, OneRoll, Until
from passline.rules.schema.words import ELECTIONS

ElectedValue = str | int | bool | tuple[str | int, ...]
"""What a house elects: a word, a number, yes or no, or some names."""
Bound = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A bound of what a house may elect: cents, dice, minutes or basis points."""
DiceCount = Annotated[int, Meta(ge=1, le=20)]
"""A number of dice that one person handles."""
WagerEntry = Line | Number | OddsWager | Hardway | OneRoll | Composite | Hand | Collection | Run | Machine
"""A wager of any family."""


class Window(Rule, frozen=True, kw_only=True):
    """A time in a hand when wagers may be made: it opens with a new shooter; `closes` says what ends it.

    One that closes with a first roll at a point carried over from another shooter is the time when a side wager that
    has counted a roll did so for that other; it matters where side wagers are made with a point on.
    """

    closes: Literal["come_out_roll", "totals", "carried_point"]
    totals: tuple[Total, ...] = ()
    puck_off: bool


class Tips(Rule, frozen=True, kw_only=True):
    """Wagers a player makes for the crew; `elect` names the election that allows them, if they need one."""

    elect: str = ""
    owner: Rule


class Medium(Rule, frozen=True, kw_only=True):
    """Something a wager may be made with: on which wagers it is taken (none: refused), and who must confirm it."""

    wagers: Literal["any", "none"] | tuple[str, ...]
    confirm: tuple[Role, ...] = ()
    elect: str = ""  # the boolean election that admits it


class PaysRule(Rule, frozen=True, kw_only=True):
    """Whether the listed payouts are the least, the only or the default ones, and for which wagers."""

    listed: Literal["least", "only", "default"]
    wagers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # boolean elections a house must make to pay otherwise


class CallOn(Rule, frozen=True, kw_only=True):
    """When a call counts: once the button is placed; by `like_wagers`, one button marks all like wagers of a player."""

    button_by: tuple[Role, ...]
    apart: bool  # this clause is cited beside the one that turns a wager off
    like_wagers: Rule | None = None
    lasts: Literal["next_point"]


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table's minimum and maximum: the clause of each, and whether odds are outside them."""

    min: Rule
    max: Rule
    odds_outside_min: bool
    odds_outside_max: bool


class RoleRule(Rule, frozen=True, kw_only=True):
    """The roles that may or must do something."""

    by: tuple[Role, ...]


class ApprovedRule(Rule, frozen=True, kw_only=True):
    """Something banned until all of these authorities approve it."""

    authorities: tuple[str, ...]


class ChipColour(Rule, frozen=True, kw_only=True):
    """The predominant colour of a chip, where the regulation fixes it."""

    cents: int
    colour: Literal["white", "pink", "red", "green", "black", "purple"]


class Legend(Rule, frozen=True, kw_only=True):
    """Words that the layout must bear."""

    says: str


class LayoutMarks(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must be on the layout: the house's name, an area for each wager, the payout odds, and words."""

    name: Rule | None = None
    areas: Rule | None = None
    odds: Rule | None = None
    legends: tuple[Legend, ...] = ()


class Chips(Rule, frozen=True, kw_only=True):
    """The values of chips in play, in cents, and their colours where the regulation fixes them."""

    cents: tuple[CentsAmount, ...]
    colours: tuple[ChipColour, ...] = ()


class DiceSets(Rule, frozen=True, kw_only=True):
    """How long a table's set of physical dice may be used, what a reopened table needs, and what condemns a set."""

    hours_max: int
    reopened: Rule
    reasons: dict[str, Rule]


class Irregularities(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An irregularity at a table: that it is reported, who directs what is done about it, and who watches it done."""

    notify: RoleRule
    direct: RoleRule
    observe: RoleRule


class Live(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rules for a table that people play at: chips, required approvals, breaches, what is posted and recorded."""

    chips: Chips
    fills: Rule | None = None  # who authorises chips brought to a table or taken away
    inventories: Rule | None = None  # who verifies the count when it opens and closes
    game_rules: ApprovedRule | None = None
    electronic: ApprovedRule | None = None  # software, electronic layouts and dice need a laboratory's report
    electronic_dice: Rule | None = None  # how a text that does not speak of electronic dice is read
    cash_changed_by: RoleRule | None = None  # who changes cash for chips, where it is not left to the house
    uniform: Rule | None = None  # what is paid beyond the listed payouts is the same at every table of the casino
    prediction_aid: ApprovedRule | None = None
    advice: RoleRule | None = None  # roles whose advice on strategy is a breach while a wager is pending
    posted: Rule | None = None  # the limits, at each table
    layout: LayoutMarks | None = None
    dice_sets: DiceSets | None = None
    irregularities: Irregularities | None = None
    records: dict[str, Rule] = {}  # the classes of records the regulator reads


class General(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rules of the whole game."""

    title: str
    games: tuple[str, ...]
    latest_amendment: str = ""
    statutes: tuple[str, ...] = ()
    currency: Annotated[str, Meta(pattern=r"^[^\d\s.,-]{1,4}$")] = DOLLAR  # before amounts
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
    composite_parts: Rule | None = None  # each part of a composite wager must be makeable from the smallest chip
    vigorish_only: Rule
    odds_follow: Rule | None = None  # it and `odds_excess` are needed where there are odds
    odds_excess: Rule | None = None
    limits: Limits
    media: dict[str, Medium]
    employees: Rule | None = None
    centre_placed_by: RoleRule | None = None
    dealer_includes: RoleRule | None = None
    windows: dict[str, Window] = {}
    tips: Tips | None = None
    live: Live


class Confirm(RoleRule, frozen=True, kw_only=True):
    """Who must confirm: all of them, or any one."""

    needed: Literal["all", "any"]


class Late(Rule, frozen=True, kw_only=True):
    """Wagers made while the dice are in the air: not permitted, or permitted once confirmed."""

    permitted: bool
    confirm: Confirm | None = None


class Seats(Rule, frozen=True, kw_only=True):
    """How many players may sit or wager, and whether a player must be seated."""

    seats_max: Most = 0
    wagering_max: Most = 0
    seated: Rule | None = None
    remain: Rule | None = None


class DiceRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The set of dice, who offers it to whom, and how many are chosen."""

    set_min: DiceCount
    set_cite: Cite
    offered_by: tuple[Role, ...]
    first_offer: Literal["left_of_boxperson", "left_of_offeror"]
    first_cite: Cite
    next_cite: Cite
    after_cite: Cite
    accept_cite: Cite
    chosen: DiceCount
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
    rethrow: Rule | None = None  # where one clause covers every void throw
    cocked: Rule
    one_face: Rule
    called_by: RoleRule
    settled_first: RoleRule
    passed_by: RoleRule


class NoRollReason(Rule, frozen=True, kw_only=True):
    """One reason for a no-roll call; `by` restricts who may judge it, `before_rest` says when it should be called."""

    by: tuple[Role, ...] = ()
    before_rest: bool = False


class NoRoll(RoleRule, frozen=True, kw_only=True):
    """Who may call no roll, for which reasons, and for which not."""

    designated: tuple[Role, ...] = ()  # whom a house may designate, where not only those in `by`
    may_call: Rule
    before_rest: Rule | None = None
    reasons: dict[str, NoRollReason]
    no_reason: dict[str, Rule]


class Clearing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The phase in which a shooter without a line wager throws to decide the come wagers that are up."""

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


class RoleDuty(RoleRule, frozen=True, kw_only=True):
    """A standing duty of the crew, printed on the crew's card.

    With `throw` a house whose regulation has no procedures leaves that step of a throw to these roles in its own.
    """

    does: str
    throw: Literal["", "called_by", "settled_first", "passed_by"] = ""


class Game(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One game of a regulation: late wagers, seats, duties, and procedures unless the house supplies them."""

    late: Late
    seats: Seats
    duties: dict[str, RoleDuty]
    procedures: Procedures | None = None
    points: Totals | None = None  # where they are not the regulation's usual ones
    variation: Rule | None = None  # what makes it a variation of the regulation's game
    wagers: dict[str, WagerEntry] = {}  # added, or in place of the regulation's usual ones
    without: dict[str, Rule] = {}  # wagers this game does not have
    lacks: dict[str, Rule] = {}  # duties, reasons, void throws and keys that other games of the regulation have


class Election(Rule, frozen=True, kw_only=True):
    """A choice left to the house: one of `choices` (the first is the default), a range, or a set to pick from.

    Of an election that the rulebook itself declares, `label` is its name on forms and papers, and a range has a `unit`
    and a `default`.
    """

    label: str = ""
    unit: Literal["", "cents", "basis_points", "minutes", "times"] = ""
    default: Bound | None = None
    choices: tuple[str | int | bool, ...] = ()
    min: Bound | None = None
    max: Bound | None = None
    subset_of: tuple[str, ...] | None = None
    same_as: str = ""
    approval: Literal["", "game_rules"] = ""  # without which a live table keeps to the first choice


class Amended(Struct, frozen=True):
    """An instrument by which a text is amended, and since when.

    >>> str(Amended("Order 27-01", date(2027, 1, 1), date(2027, 7, 1)))
    'Order 27-01, in force from 2027-01-01 to 2027-07-01'
    """

    instrument: str
    begins: date
    ends: date | None = None

    def __str__(self) -> str:
        until = f" to {self.ends}" if self.ends else ""
        return f"{self.instrument}, in force from {self.begins}{until}"


class Rulebook(Struct, frozen=True):
    """Everything one regulation says about its games and wagers."""

    name: str
    general: General
    wagers: dict[str, WagerEntry]
    elections: dict[str, Election]
    games: dict[str, Game]
    default_house: dict[str, Any]
    versions: dict[str, tuple[dict[str, Any], ...]] = {}  # all versions of every dated table, in force or not
    digest: str = ""  # of the pages it was read from
    doubts: tuple[str, ...] = ()  # unanswered differences between similar entries, by file and key
    amendments: tuple[Amended, ...] = ()  # in force in this text


def own_elections(rulebook: Rulebook) -> dict[str, Election]:
    """Return the elections that a rulebook declares itself: neither known by name nor the pay tables of side wagers."""
    side = {entry.offered for entry in all_wagers(rulebook).values() if isinstance(entry, SideWager)}
    return {key: election for key, election in rulebook.elections.items() if key not in ELECTIONS and key not in side}


def default_of(election: Election) -> ElectedValue:
    """Return what an election that a rulebook declares comes to where nothing is elected.

    >>> default_of(Election(choices=("none", "offered"), cite="XX-1"))
    'none'
    >>> default_of(Election(min=0, default=5, cite="XX-2"))
    5
    """
    if election.choices:
        return election.choices[0]
    return () if election.subset_of is not None else election.default or 0


def all_wagers(rulebook: Rulebook) -> dict[str, WagerEntry]:
    """Return every wager of a regulation: the usual ones, and those that only some game has."""
    return {kind: entry for game in rulebook.games.values() for kind, entry in game.wagers.items()} | rulebook.wagers


def wagers_of(rulebook: Rulebook, game: Game) -> dict[str, WagerEntry]:
    """Return the wagers of one game: the regulation's, with the game's own replacements and without those it lacks."""
    return {kind: entry for kind, entry in (rulebook.wagers | game.wagers).items() if kind not in game.without}
