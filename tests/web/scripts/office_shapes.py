"""The shapes of what the pages of the house, the office, tournaments and the regulator receive.

The server makes these answers as dictionaries around its Structs. Like those of `shapes.py` they are types for the
scripts only, and `test_office_messages.py` decodes real answers by them.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from passline.acts.calendar.facility import Facility
from passline.acts.events import ActEvent
from passline.acts.judges.gates import GateItem
from passline.acts.papers.sheet import PaperSheet
from passline.acts.printed_schema import Checklist
from passline.acts.schema import Act, Effect, RoleGroup, Stock, Telling, Thing, Value
from passline.acts.state import KnownThing
from passline.acts.views.counts import Countable
from passline.acts.views.opening_path import OpeningPath
from passline.acts.views.people import OfficePerson
from passline.acts.views.signers import Signer
from passline.bookkeeping.comps import Reinvestment
from passline.bookkeeping.dice_power import FaultFound, SetLife
from passline.bookkeeping.dice_sets import CurvePoint, DiceAlarm
from passline.bookkeeping.period_sums import PeriodSum
from passline.bookkeeping.ratings import PlayerRating
from passline.bookkeeping.reading import Figures, FurthestOff
from passline.bookkeeping.results import EnteredAct, SettledDay
from passline.bookkeeping.statistics import Statistic
from passline.bookkeeping.theft import SkimLine
from passline.office.compliance_file import Examiner, FileCheck, KeptMatter
from passline.office.views.cash import PatronCash
from passline.office.views.day_forms import DayForm
from passline.office.views.investigation import ListedInvestigation
from passline.office.views.standard_sheet import ItemStanding
from passline.refusal import Refusal
from passline.rules.coming_texts import ComingText
from passline.rules.elections import Breach
from passline.rules.explain.election_form import ElectionField
from passline.store.entry import Head
from passline.streams.projection_runner import AsOf
from passline.tables.views.log_wording import WordedEntry
from passline.tables.views.recall import HandPlayed
from passline.tables.views.supervision import Matter
from passline.tournament.plan.schema import Plan
from passline.tournament.results.prizes import Award
from passline.tournament.start_checks import StartChecks
from passline.tournament.state import HeldRound, HeldVoucher, KnownEntry, Split
from passline.tournament.views import Board, FeesView, LevelGroup, OwnRank, RefundDue
from tests.web.scripts.shapes import ConductBreach, IrregularitiesCard, Range, Reason, TableView


class _Shape(Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class _Current(_Shape):
    as_of: int
    behind: int
    fault: str


# The office


class Embedded(_Shape):
    """What every page of the office embeds for its scripts: who opened it, and of which office."""

    office: str
    subject: str
    about: str
    account: str
    name: str
    groups: tuple[str, ...]
    is_clerk: bool
    clerks: tuple[str, ...]  # who else may be asked
    reads_folders: bool
    reads_compliance: bool
    writes_compliance: bool
    reads_results: bool
    reads_accounts: bool
    reads_players: bool
    reads_dice: bool
    reads_theft: bool
    reads_investigations: bool
    reads_log: bool
    is_owner: bool
    opens_tables: bool
    signs_kept_here: str  # the roles, in words
    is_sole_owner: bool
    is_set_up: bool
    gate: str
    id_pattern: str
    place: dict[str, str]
    spelled: dict[str, str]
    parts: dict[str, tuple[str, ...]]  # the subjects of the office, by the part of it under which they are


class PaperName(_Shape):
    """A paper that an office makes, and of which kind of thing."""

    name: str
    thing: str


class FormName(_Shape):
    """A form that an office prints: of which kind of thing or of which acts, or a log of them."""

    name: str
    thing: str
    acts: tuple[str, ...]
    is_log: bool
    manual: str  # in front of the numbers of its manual slips
    manual_acts: tuple[str, ...]  # that are written on one


class DayFormsAnswer(_Shape):
    """The forms of a gaming day, in the order of its file."""

    day: str
    forms: tuple[DayForm, ...]


class KnownStandard(_Shape):
    """A standard, and how many of its items stand how."""

    standard: str
    name: str
    items: int
    held: int
    no_entry_yet: int
    not_set: int
    not_elected: int
    not_covered: int


class StandardsAnswer(_Shape):
    """Every standard that the program knows."""

    standards: tuple[KnownStandard, ...]


class StandardAnswer(_Shape):
    """A standard item by item, as an office holds it."""

    name: str
    about: str
    items: tuple[ItemStanding, ...]


class OfficeAnswer(_Shape):
    """An office: its facility, its values, and everything that can be done in it."""

    name: str
    facility: Facility | None
    values: dict[str, Any]
    bodies: dict[str, str]
    body_keys: dict[str, str]
    words: dict[str, Effect]
    takes_two_owners: tuple[str, ...]
    left_out: tuple[str, ...]
    practice: dict[str, str]
    acts: dict[str, Act]
    things: dict[str, Thing]
    stocks: dict[str, Stock]
    checklists: dict[str, Checklist]
    tellings: dict[str, Telling]
    papers: dict[str, PaperName]
    forms: dict[str, FormName]
    roles: dict[str, RoleGroup]
    unset: tuple[str, ...]
    asked: dict[str, Value]
    needed: dict[str, dict[str, str]]  # what optional fields of acts are needed for
    dice_sets: dict[str, int]  # how many dice are offered, by table
    delays: list[str]  # the figures that a table waits for before it opens


class PeopleOfOffice(_Shape):
    """Who can be named in an act."""

    people: tuple[OfficePerson, ...]


class StocksAnswer(_Shape):
    """What is where: units by stock, place and denomination."""

    stocks: dict[str, dict[str, dict[str, int]]]
    hidden: dict[str, tuple[str, ...]]
    denominations: dict[str, tuple[str, ...]]


class CountsAnswer(_Shape):
    """What the reader can count now."""

    day: str
    shift: str
    ending: str
    counts: tuple[Countable, ...]


class GateAnswer(_Shape):
    """Every item of a gate."""

    is_green: bool
    status: str
    items: tuple[GateItem, ...]
    left_out: dict[str, str]


class PathAnswer(_Shape):
    """The way to the first open table; none once one was opened. `kept` is where the house keeps its office."""

    path: OpeningPath | None
    kept: str
    owners: int


class SignersAnswer(_Shape):
    """Who has a role that signs a part of an act."""

    signers: list[Signer]


class ThingsAnswer(_Shape):
    """The things of a kind."""

    things: tuple[KnownThing, ...]


class CashAnswer(_Shape):
    """The cash of each patron in a gaming day."""

    day: str
    patrons: tuple[PatronCash, ...]


class ComplianceAnswer(_Shape):
    """The file of compliance: matters about cash, and who besides compliance may read it."""

    matters: tuple[KeptMatter, ...]
    examiners: tuple[Examiner, ...]


class OfficeInList(_Shape):
    """One of the offices of the house."""

    name: str
    facility: Facility | None
    digest: str
    acts: int


class OfficesAnswer(_Shape):
    """The offices of the house, and where it keeps them."""

    kept: str
    offices: tuple[OfficeInList, ...]


class OfficeReceipt(_Shape):
    """The receipt for a command to an office."""

    id: str
    sequence: int
    head: Head
    lines: tuple[str, ...]
    events: tuple[ActEvent, ...]
    hash: str


# The accounts of the office


class SumOfPeriod(PeriodSum, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was counted in a time."""

    hold: float | None


class NamedSum(SumOfPeriod, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was counted in a part of a time: at a table, in a shift, by a crew."""

    name: str


class ShiftResult(_Shape):
    """What was counted at a table in a shift."""

    table: str
    day: date | None
    shift: str
    pit: str
    opener: int
    closer: int
    fills: int
    credits: int
    drop: int
    corrections: tuple[str, ...]
    missing: tuple[str, ...]
    crews: tuple[str, ...]
    ledger: int | None
    acts: tuple[EnteredAct, ...]
    is_emptied: bool
    settles: tuple[SettledDay, ...]
    win: int | None
    ledger_win: int | None
    difference: int | None
    hold: float | None


class ResultsAnswer(_Shape):
    """Drop, win and hold of a time."""

    sums: tuple[NamedSum, ...]
    total: SumOfPeriod
    shifts: tuple[ShiftResult, ...]
    day: str
    first: str
    period: str
    by: str
    as_of: AsOf
    is_closed: bool


class StatisticsAnswer(_Current):
    """Win, drop, hold and theoretical win by time."""

    day: str
    by: str
    statistics: tuple[Statistic, ...]


class PlayedAnswer(_Current):
    """Accounts of what was played."""

    scope: str
    period: str
    span: str
    accounts: tuple[Figures, ...]
    furthest: FurthestOff | None


class AccountEntries(_Current):
    """The entries behind an account."""

    table: str
    entries: tuple[WordedEntry, ...]
    earlier: int


class RatingsAnswer(_Current):
    """The ratings of players in a time."""

    period: str
    span: str
    ratings: tuple[PlayerRating, ...]
    names: dict[str, str]


class CompsAnswer(_Current):
    """Comps of a time, by patron, gaming day or month."""

    period: str
    span: str
    by: str
    comps: tuple[Reinvestment, ...]
    names: dict[str, str]


class VisitsAnswer(_Current):
    """The visits of a player to tables."""

    player: str
    span: str
    visits: tuple[Figures, ...]


class RatingCourse(_Current):
    """The ratings of one patron, oldest first."""

    player: str
    players: tuple[str, ...]
    name: str
    ratings: tuple[PlayerRating, ...]


class HoldPowerShape(_Shape):
    """What the hold of a table could show at best."""

    table: str
    shifts: int
    deviation: int
    smallest: int
    share: float | None


class TheftAnswer(_Current):
    """What the counts of a quarter say of notes and chips."""

    day: str
    first: str
    last: str
    one_in: int
    promised_shifts: int
    found_in: int
    assumptions: tuple[str, ...]
    lines: tuple[SkimLine, ...]
    holds: tuple[HoldPowerShape, ...]


class InvestigationsAnswer(_Current):
    """Investigations into results beyond luck."""

    investigations: tuple[ListedInvestigation, ...]
    earlier: int


class TaxMonthShape(_Shape):
    """What a month, or a year, brings to the tax return."""

    month: str
    drop: int
    fills: int
    credits: int
    inventory: int
    win: int
    fees: int
    gross: int
    rate: int | None
    tax: int | None
    days: int
    unknown: int


class TaxAnswer(_Current):
    """The worksheet of a year's tax return."""

    year: int
    months: tuple[TaxMonthShape, ...]


class EvidencePart(_Shape):
    """Dice of a set that were in the same rolls, and the evidence against them."""

    names: tuple[str, ...]
    rolls: int
    evidence: float


class DiceSetEvidence(_Shape):
    """A set of dice with the evidence against it."""

    table: str
    number: int
    subject: str
    at: str
    dice: tuple[str, ...]
    rolls: int
    evidence: float
    log: float
    parts: tuple[EvidencePart, ...]
    life: SetLife | None
    found: tuple[FaultFound, ...]
    highest_log: float
    bound: float
    is_in_use: bool
    alarm: DiceAlarm | None
    counts: tuple[int, ...]
    curve: tuple[CurvePoint, ...]
    first: int
    last: int


class DiceEvidenceAnswer(_Current):
    """The sets of dice with the evidence against each."""

    one_in: int
    in_use: int
    bound: int
    life_hours: float | None
    false_alarms_a_year: float | None
    sets: tuple[DiceSetEvidence, ...]


# The house


class ListedSeat(_Shape):
    """A seat that is taken, in the list of tables."""

    seat: int
    name: str


class ListedTable(_Shape):
    """A table in the list of the house."""

    id: str
    name: str
    regulation: str
    game: str
    status: str
    dice: str
    buy_in: str
    is_demo: bool
    practice: int
    limits: Range
    places: int
    players: int
    seats: tuple[ListedSeat, ...]
    puck: int
    shooter: int
    roll: int
    rulebook: str
    rulebook_installed: str
    stopped: str
    coming: tuple[ComingText, ...]


class TablesAnswer(_Shape):
    """The tables of the house."""

    tables: tuple[ListedTable, ...]


class RegulationGames(_Shape):
    """A regulation and its games."""

    key: str
    title: str
    games: tuple[str, ...]


class EmbeddedHouse(_Shape):
    """What the page of the house embeds."""

    regulations: tuple[RegulationGames, ...]
    crew_roles: tuple[str, ...]
    acts_as: str
    adopts: bool  # another rulebook for a table that is stopped
    can_open: bool  # its office is kept elsewhere, or the list of some table is green


class EmbeddedElections(_Shape):
    """What the page of elections embeds."""

    regulations: tuple[RegulationGames, ...]
    first: str
    drafts: bool
    acts_as: str
    fixed_while_open: tuple[str, ...]


class CheckedHouse(_Shape):
    """A house as a form has it, with its breaches; without any, its file."""

    house: dict[str, Any]
    breaches: tuple[Breach, ...]
    toml: str
    sha256: str


class ElectionForm(CheckedHouse):
    """Every field of the form of elections, and the default house."""

    fields: tuple[ElectionField, ...]


class PersonListed(_Shape):
    """An account in the list of people."""

    account: str
    name: str
    roles: tuple[str, ...]
    is_disabled: bool
    is_guest: bool
    has_password: bool
    has_pin: bool
    subject: str
    link: str


class BrokenGlass(_Shape):
    """A time in which one owner could act alone."""

    until: str
    reason: str


class TwoOwners(_Shape):
    """How dual control stands."""

    is_needed: bool
    is_elected: bool
    password_days: int
    retention_years: int
    second_factor: str
    alone_until: str
    broken: tuple[BrokenGlass, ...]


class PeopleAnswer(_Shape):
    """The accounts of the house."""

    people: tuple[PersonListed, ...]
    count: int
    two_owners: TwoOwners


# Surveillance and the regulator


class ToldProgress(_Shape):
    """A wager of whose progress surveillance is told."""

    wager: str
    count: int
    clause: str


class Filing(_Shape):
    """What surveillance may file at a table."""

    name: str
    irregularities: IrregularitiesCard | None
    conduct: tuple[ConductBreach, ...]
    condemn: tuple[Reason, ...] | None
    dispute: str
    told: tuple[ToldProgress, ...]


class EmbeddedWatch(_Shape):
    """What the page of surveillance embeds."""

    tables: dict[str, Filing]


class MattersAnswer(_Shape):
    """What is open at the tables now."""

    matters: tuple[Matter, ...]


class LogEntry(_Shape):
    """An entry of the log, with its words."""

    sequence: int
    stream: str
    version: int
    at: str
    actor: str
    role: str
    signed_by: str
    id: str
    hand: int
    rules: str
    command: Any
    events: tuple[dict[str, Any], ...]
    format: int
    hash: str
    seal: str
    lines: tuple[str, ...]
    name: str
    signer: str
    clauses: tuple[str, ...]


class LogPage(_Current):
    """Entries of the log."""

    entries: tuple[LogEntry, ...]
    next: int


class NewestHead(_Shape):
    """The newest head of the log."""

    sequence: int
    hash: str
    seal: str
    log_id: str
    public_key: str


class StreamsAnswer(_Shape):
    """The streams of the log with their number of entries."""

    streams: dict[str, int]


class EventKinds(_Shape):
    """The kinds of events that occur in the log."""

    events: tuple[str, ...]


class ListedHand(HandPlayed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hand of a table."""

    hand: int


class HandsAnswer(_Current):
    """The hands of a table, newest first."""

    hands: tuple[ListedHand, ...]
    next: int


class HandAnswer(_Current):
    """One hand in words."""

    hand: int
    entries: tuple[WordedEntry, ...]
    next: int


class TableThen(_Current):
    """A table as it was right after an entry."""

    sequence: int
    table: TableView
    balances: dict[str, int]


class LedgerAnswer(_Shape):
    """The balance of every ledger account of a table."""

    sequence: int
    balances: dict[str, int]


# Tournaments


class EmbeddedTournament(_Shape):
    """What every page of a tournament embeds for its scripts."""

    id: str
    board: str  # where the big screen reads
    account: str
    is_director: bool
    is_cash: bool
    is_crew: bool
    is_staff: bool
    is_counter: bool
    causes: tuple[str, ...]


class LotView(_Shape):
    """What a player's page must know to add a nonce to the next seat draw: entries that promised one, and that wait."""

    promised: tuple[int, ...]
    waits_for: tuple[int, ...]


class ScreenAnswer(_Shape):
    """What the big screen of a room shows of a tournament; a director's link has no more."""

    name: str
    boards: tuple[Board, ...]
    current: str
    now: str


class TournamentAnswer(_Shape):
    """A tournament as everybody in it sees it."""

    id: str
    name: str
    boards: tuple[Board, ...]
    own: tuple[OwnRank, ...]
    mine: tuple[KnownEntry, ...]
    is_closed: bool
    cancelled: str
    current: str
    lot: LotView
    now: str
    split: Split | UnsetType = UNSET


class StaffTournament(TournamentAnswer, kw_only=True):
    """A tournament as its staff sees it: with its entries and money."""

    plan: Plan
    digest: str
    entries: tuple[KnownEntry, ...]
    waiting: tuple[tuple[str, str, str], ...]
    rounds: tuple[HeldRound, ...]
    balances: dict[str, int]
    vouchers: tuple[HeldVoucher, ...]
    awards: tuple[Award, ...]
    concluded: tuple[str, ...]
    fees_counted: bool
    breaches: int
    tables_waiting: dict[str, str]
    level: tuple[LevelGroup, ...]
    fees: FeesView
    refunds: tuple[RefundDue, ...]
    checks: StartChecks | None


class PlayerLeft(_Shape):
    """A player who is left in an event."""

    entry: int
    name: str
    is_own: bool


class SplitAnswer(_Shape):
    """Who is left, and the cash they play for."""

    event: str
    left: tuple[PlayerLeft, ...]
    cash_cents: int
    split: Split | None


class PlanChecked(_Shape):
    """The data of a plan, every breach with its clause, the rule sheet that it makes, and what is owed before."""

    plan: dict[str, Any] | None
    faults: tuple[Refusal, ...]
    sheet: PaperSheet | None
    ahead: tuple[Refusal, ...]
    gate: tuple[Refusal, ...]


ANSWERS: tuple[type[Struct], ...] = (
    *(
        Embedded,
        OfficeAnswer,
        DayFormsAnswer,
        StandardsAnswer,
        StandardAnswer,
        PeopleOfOffice,
        StocksAnswer,
        CountsAnswer,
        GateAnswer,
        PathAnswer,
        SignersAnswer,
        ThingsAnswer,
        CashAnswer,
    ),
    ComplianceAnswer,
    FileCheck,
    *(
        OfficesAnswer,
        OfficeReceipt,
        ResultsAnswer,
        StatisticsAnswer,
        PlayedAnswer,
        AccountEntries,
        RatingsAnswer,
        VisitsAnswer,
        CompsAnswer,
    ),
    *(
        RatingCourse,
        DiceEvidenceAnswer,
        TheftAnswer,
        InvestigationsAnswer,
        TaxAnswer,
        TablesAnswer,
        EmbeddedHouse,
        EmbeddedElections,
        CheckedHouse,
        ElectionForm,
    ),
    *(
        PeopleAnswer,
        EmbeddedWatch,
        MattersAnswer,
        LogPage,
        NewestHead,
        StreamsAnswer,
        EventKinds,
        HandsAnswer,
        HandAnswer,
    ),
    *(TableThen, LedgerAnswer, EmbeddedTournament, ScreenAnswer, TournamentAnswer, StaffTournament, SplitAnswer),
    PlanChecked,
)
"""All of them; other shapes are parts of these."""
