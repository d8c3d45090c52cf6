"""The shapes of what pages receive that the server makes as dictionaries: views of a table, messages, the crew's card.

They are types for the scripts only; `test_server_types.py` decodes what the server really sends by them, and nothing
that is not named here gets through.
"""

from __future__ import annotations

from typing import NewType

from msgspec import UNSET, Struct, UnsetType

from passline.authority.roles import Role
from passline.game.position import Dice, Phase, Wager
from passline.refusal import Refusal
from passline.store.entry import Head
from passline.tables.events import DiceCommitted, DiceRevealed, WagerPastPosted
from passline.tables.live import Closing
from passline.tables.supervised import Irregularity
from passline.tables.views.areas import Area
from passline.tables.views.settled import SettledWager


class _Shape(Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class WagerView(Wager, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wager on the layout as a page shows it."""

    is_off: bool
    name: str


class Range(_Shape):
    """The limits of a wager, in cents."""

    min: int
    max: int


class Limits(Range):
    """The limits of a table, and of the wagers that have their own."""

    wagers: dict[str, Range]


class LimitsNotice(_Shape):
    """Limits that come into force at a moment."""

    wager_cents_min: int
    wager_cents_max: int
    at: str


class Frozen(_Shape):
    """A dispute, and the entry that each seat's screen had confirmed."""

    reason: str
    seat: int
    shown: dict[str, int]


class SeatView(_Shape):
    """A seat that is taken."""

    seat: int
    name: str
    state: str


class MarkerView(_Shape):
    """The lamps of a side wager, and the cents on its meter if it is a progressive."""

    kind: str
    count: int
    lit: tuple[int, ...]
    meter: int | UnsetType = UNSET


class RollView(_Shape):
    """One of the last rolls."""

    roll: int
    first: int
    second: int
    point: int
    call: str


class PointsView(_Shape):
    """The tournament that a table plays a round of."""

    tournament: str
    round: str
    rolls_left: int
    has_limits: bool


class TableView(_Shape):
    """What everybody sees of a table."""

    id: str
    name: str
    regulation: str
    game: str
    house: str
    is_demo: bool
    practice: int
    dice: str
    commitment: DiceCommitted | None
    closing: Closing | None
    proof: DiceRevealed | None
    buy_in: str
    is_keyed: bool
    requires_dice_out: bool
    points: PointsView | None
    automate: tuple[str, ...]
    status: str
    rules: str
    layout: str
    limits: Limits
    notice: LimitsNotice | None
    frozen: Frozen | None
    stopped: str
    puck: int
    phase: Phase
    shooter: int
    dice_are: Dice
    offered_to: int
    is_disputed: bool
    faces: tuple[int, int]
    seats: tuple[SeatView, ...]
    places: int
    markers: tuple[MarkerView, ...]
    rolls: tuple[RollView, ...] | None
    histogram: tuple[int, ...] | None
    roll: int
    hand: int
    settled: tuple[SettledWager, ...]
    wagers: tuple[WagerView, ...]


class CondemnedView(_Shape):
    """Why dice may not be thrown any more."""

    reason: str
    text: str
    clause: str


class DiceSetView(_Shape):
    """The set of dice in play."""

    number: int
    since: str
    ends: str
    condemned: CondemnedView | None


class SupervisionView(_Shape):
    """What the crew supervises at a table."""

    dice: DiceSetView | None
    needed: Refusal | None
    irregularities: tuple[Irregularity, ...]
    past_posted: tuple[WagerPastPosted, ...]


class OwnView(_Shape):
    """The private part of a view: a player's own chips, or the table's money for the crew."""

    role: Role
    account: str
    name: str
    seat: int | UnsetType = UNSET
    rack: int | UnsetType = UNSET
    coupon: int | UnsetType = UNSET
    not_covered: tuple[str, ...] | UnsetType = UNSET
    counted_blind: tuple[str, ...] | UnsetType = UNSET
    bank: int | UnsetType = UNSET
    drop: int | UnsetType = UNSET
    tip_box: int | UnsetType = UNSET
    owes: int | UnsetType = UNSET
    racks: dict[str, int] | UnsetType = UNSET
    supervision: SupervisionView | UnsetType = UNSET
    by_slip: bool | UnsetType = UNSET


class PackedSettled(_Shape):
    """What a roll did, as news have it: each text once, the player under the seat, a row of numbers for each wager."""

    players: dict[str, tuple[str, str]]
    texts: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


class Said(_Shape):
    """What everybody may read of a decision."""

    sequence: int
    at: str
    lines: tuple[str, ...]
    call: str
    has_notices: bool | UnsetType = UNSET


class WholeTable(_Shape, tag="table", tag_field="kind"):
    """The whole table, for a screen that is new or has fallen behind."""

    sequence: int
    table: TableView
    own: OwnView | None
    head: Head
    at: str


TableChange = NewType("TableChange", dict[str, object])
"""Parts of a TableView; its settled wagers are packed."""


class News(_Shape, tag="news", tag_field="kind", rename={"from_": "from"}):
    """What changed since another message."""

    from_: int
    sequence: int
    head: Head | None
    changed: TableChange
    wagers_gone: tuple[tuple[int, str, str, int], ...]
    wagers_up: tuple[WagerView, ...]
    said: tuple[Said, ...]
    own: OwnView | UnsetType | None = UNSET


class AreasAnswer(_Shape, tag="areas", tag_field="kind"):
    """Where the seat of a screen may make wagers now."""

    id: str
    areas: tuple[Area, ...]


class DoneAnswer(_Shape, tag="done", tag_field="kind"):
    """A command was done."""

    id: str
    sequence: int
    hash: str
    head: Head
    lines: tuple[str, ...]


class RefusalView(_Shape):
    """A clause that a command breaks, and why."""

    clause: str
    why: str


class SecondFactorAsked(_Shape):
    """What an authenticator is to sign before the same is sent again."""

    challenge: str
    site: str
    credentials: tuple[str, ...]


class RefusedAnswer(_Shape, tag="refused", tag_field="kind"):
    """A command was refused."""

    id: str
    refusals: tuple[RefusalView, ...]
    is_busy: bool = False  # the server is, so that the command may have come late
    second_factor: SecondFactorAsked | None = None


class InDoubtAnswer(_Shape, tag="in-doubt", tag_field="kind"):
    """The server does not know what became of a command."""

    id: str
    why: str


ServerMessage = WholeTable | News | AreasAnswer | DoneAnswer | RefusedAnswer | InDoubtAnswer
"""What a websocket sends to a screen."""


class Step(_Shape):
    """Who does a step of the procedures, and by which clause."""

    by: tuple[str, ...]
    clause: str


class Reason(_Shape):
    """A reason that the regulation names."""

    key: str
    name: str
    clause: str
    says: str
    by: tuple[str, ...]


class NoRollCard(Step):
    """Who calls no roll, and why it may be called."""

    reasons: tuple[Reason, ...]
    no_reason: tuple[Reason, ...]


class OrderCard(Step):
    """Who orders a shooter to pass the dice, and why."""

    reasons: tuple[Reason, ...]


class OfferCard(Step):
    """Who offers dice, and how many."""

    dice: int


class ConductBreach(_Shape):
    """A breach of conduct that the regulation names."""

    key: str
    name: str
    clause: str
    by: tuple[str, ...]


class DiceSetsCard(Step):
    """How long a set of dice is used, and what condemns one."""

    hours: int
    reasons: tuple[Reason, ...]


class IrregularitiesCard(_Shape):
    """To whom an irregularity is reported, who directs and who watches."""

    notify: Step
    direct: Step
    observe: Step


class NumberName(_Shape):
    """A number of a wager, and how it is written."""

    number: int
    name: str


class SpotAmounts(_Shape):
    """The least amount of a wager, and its step, in cents."""

    least: int
    unit: int


class CardWager(_Shape):
    """A wager that the crew can key in."""

    kind: str
    name: str
    numbers: tuple[NumberName, ...]
    centre: bool
    family: str
    behind: str
    spots: dict[str, SpotAmounts]


class TableEnd(_Shape):
    """An end of the table, with its seats in the order in which they are paid."""

    name: str
    seats: tuple[int, ...]


class ChipInUse(_Shape):
    """A chip that the crew hands over."""

    cents: int
    colour: str


class CardDuty(_Shape):
    """A duty of the crew."""

    by: tuple[str, ...]
    does: str
    clause: str


class CrewCard(_Shape, rename={"pass_": "pass"}):
    """What the crew does at a table, by the rules in force."""

    regulation: str
    game: str
    title: str
    stickperson: bool
    automate: tuple[str, ...]
    no_roll: NoRollCard
    lies: tuple[Reason, ...]
    cocked: str
    order: OrderCard
    offer: OfferCard
    call: Step
    settle: Step
    pass_: Step
    dispute: Step
    conduct: tuple[ConductBreach, ...]
    dice_sets: DiceSetsCard | None
    irregularities: IrregularitiesCard | None
    button: Step
    notice_minutes: int
    smallest_chip_cents: int
    wagers: tuple[CardWager, ...]
    ends: tuple[TableEnd, ...]
    settlement: str
    duties: tuple[CardDuty, ...]
    chips: tuple[ChipInUse, ...]


class ConsoleData(_Shape):
    """What the crew's console embeds for its scripts."""

    table: str
    role: Role
    card: CrewCard
    dice: str
    may: tuple[str, ...]
    is_keyed: bool
    is_by_slip: bool
    signs: dict[str, tuple[str, ...]]
    sees_people: bool
    sees_shift: bool
    players: tuple[str, ...]  # the roles of those whom the crew seats
    tournament: str  # the one that it plays a round of, in points
