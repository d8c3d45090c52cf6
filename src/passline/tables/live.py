"""A live table at one moment, folded from the decisions in its stream."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passline.authority.roles import SHOOTER
from passline.game import commands as c
from passline.game import events as e
from passline.game.evolve import fold as fold_game
from passline.game.notation import SEATS_MAX
from passline.game.position import Money, PointsMode, Position, Seat, Table
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.events import RoundFinished, StacksGiven, TableEvent
from passline.tables.ledger import ENTERED, Books, after_papers, balances_after, books_after
from passline.tables.supervised import SUPERVISED, Supervision, supervision_after
from passline.tables.track import TRACKED, Track, track_after

LIMITS = ("wager_cents_min", "wager_cents_max", "limits")
"""The elections of a house that change by notice."""
_SINCE_MAX = 2_000  # commands after a roll; beyond that it cannot be corrected, so that a table stays small
_ID_MAX = 60
_GAME_COMMANDS = frozenset(get_args(c.Command))


class Player(Struct, frozen=True, gc=False):
    """The player at a seat."""

    account: str
    name: str


class BeforeRoll(Struct, frozen=True, gc=False):
    """A table before the last throw, from which that roll can be dealt again."""

    game: Table
    track: Track
    house: dict[str, Any]
    rules: str


class Redoable(Struct, frozen=True, gc=False):
    """A command of the game carried out since the last throw, or limits that came into force."""

    command: c.Command | None = None
    limits: t.LimitsChanged | None = None


class Closing(Struct, frozen=True, gc=False):
    """A throw of electronic dice whose wagers are closed and whose dice have not landed."""

    version: int  # of the entry that closed them
    number: int  # of the key
    nonce_digest: str
    nonce: str | None  # in hex; empty: the roll goes without; None: it is not decided yet


class LiveTable(Struct, frozen=True, kw_only=True, gc=False):
    """Everything about one table. Folding the same decisions gives an equal value."""

    id: str
    name: str
    house: dict[str, Any]  # complete
    rulebook: str  # the digest of the rulebook it was opened under
    rules: str  # the version of the rules in force
    dice: str
    automate: tuple[str, ...]
    buy_in: str
    is_demo: bool
    status: str = "open"  # or frozen, or closed
    game: Table
    players: dict[int, Player] = {}  # by seat
    left: dict[int, Player] = {}  # by seat, who sat there at the last throw, or as a round ended, and has left
    version: int = 0  # of its stream: how many decisions were folded
    track: Track = Track()
    before_roll: BeforeRoll | None = None  # None: no throw yet, a void one, or too much happened since
    landed: int = 0  # the version at which the last roll landed
    since: tuple[Redoable, ...] = ()  # from the last throw on
    notice: t.LimitsNoticed | None = None
    frozen: t.TableFrozen | None = None  # with later reports of what screens had shown
    froze: int = 0  # the version at which it was last frozen
    balances: dict[str, int] = {}  # the ledger's
    commitment: t.DiceCommitted | None = None  # to the key of the next electronic roll
    closing: Closing | None = None
    proof: t.DiceRevealed | None = None  # of the last electronic roll
    practice_cents_max: int = 0  # above 0 this is a practice table
    bought: dict[str, int] = {}  # cents of play money by account, on the day `bought_on`
    bought_on: str = ""
    terms: int = 0  # those of live tables; 0: opened before there were any
    owes: int = 0  # cents that the bank must pay and has not, as recorded
    incidents: int = 0  # how often the bank came to owe
    supervision: Supervision = Supervision()
    is_keyed: bool = True  # whether the crew keys in wagers; if not, the ledger does not cover the play
    books: Books | None = None  # where its money is on the office's papers
    points: PointsMode | None = None  # a table of a tournament
    rolls_before: int = 0  # its rolls before this round
    finished: RoundFinished | None = None  # the last round of a tournament that was played here
    requires_dice_out: bool = False  # whether dice out is announced before dice are keyed in

    @property
    def hand(self) -> int:
        """The number of the current hand, or of the last one."""
        return self.track.hand


def table_id(name: str) -> str:
    """Return the id that a table gets from its name.

    >>> table_id("Craps 1, upstairs")
    'craps-1-upstairs'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_ID_MAX].rstrip("-")


def seat_of(live: LiveTable, account: str) -> int:
    """Return the seat of an account, or 0."""
    return next((seat for seat, player in live.players.items() if player.account == account), 0)


def version_of(house: Mapping[str, Any], rulebook: str) -> str:
    """Return the version of the rules: a short digest of the complete house and the digest of its rulebook."""
    return sha256(rulebook.encode() + msgspec.json.encode(house, order="deterministic")).hexdigest()[:12]


def layout_version(live: LiveTable) -> str:
    """Return the version of what a layout is drawn from: all of the house but its limits, which pages are told."""
    return version_of({key: value for key, value in live.house.items() if key not in LIMITS}, live.rulebook)


def house_with(house: Mapping[str, Any], change: t.LimitsChanged | t.LimitsNoticed) -> dict[str, Any]:
    """Return a house with the limits of a notice."""
    limits = {"wager_cents_min": change.wager_cents_min, "wager_cents_max": change.wager_cents_max}
    return {**house, **limits, "limits": change.limits}


# --- Folding ----------------------------------------------------------------------------------------------------------

_OWN = frozenset(
    {
        *(t.TableOpened, t.TableClosed, t.PlayerSeated, t.EmployeeRuledOut),
        *(t.LimitsNoticed, t.LimitsChanged, t.RollCorrected),
        *(t.TableFrozen, t.ScreensShown, t.TableReleased, t.ConductReported, t.RulebookAdopted, t.HouseChanged),
        *(t.DiceCommitted, t.WagersClosed, t.NonceTaken, t.DiceRevealed, t.DiceRenewed, t.PlayMoneyBought),
        *(t.BankOwed, t.BankPaid, t.PlayerRated, StacksGiven, RoundFinished),
        *SUPERVISED,
        *ENTERED,
    }
)
_CHANGING = _OWN | {e.SeatLeft}
_ON_BOOKS = frozenset({k.OpenTable, k.EnterPaper})
_METERS = frozenset({e.MeterClosed, e.MeterOpened})
_OF_DICE = frozenset({e.DiceThrown, e.DiceLanded})
_UNCORRECTABLE: dict[str, Any] = {"before_roll": None, "since": (), "left": {}}  # the last roll, from now on
_BEGINNING = frozenset({t.TableOpened, t.LimitsChanged, t.RulebookAdopted, t.HouseChanged})


def fold(  # noqa: C901 - a question for each kind of change
    live: LiveTable | None, command: TableCommand, happened: Sequence[TableEvent], *, game: Table | None = None
) -> LiveTable:
    """Return the table after one decision; pass `game`, the game's table after it, if it is known already."""
    if type(command) is c.MakeWager and live is not None and len(happened) == 1 and type(happened[0]) is e.WagerMade:
        made = happened[0]  # nine decisions in ten
        return fold_wagers(live, ((command, made),), fold_game(live.game, (made,)) if game is None else game)
    kinds = {type(event) for event in happened}
    limits = None
    if not kinds.isdisjoint(_BEGINNING):
        live, limits = _begin(live, happened)
    assert live is not None, "the first decision of a table opens it"
    changes: dict[str, Any] = {} if kinds.isdisjoint(_CHANGING) else _own_changes(live, happened)
    changes["version"] = live.version + 1
    played: Sequence[e.Event] = happened  # type: ignore[assignment]
    if not kinds.isdisjoint(_OWN):
        played = [event for event in played if type(event) not in _OWN]
    if played:
        changes["game"] = fold_game(live.game, played) if game is None else game
        if not kinds.isdisjoint(TRACKED):
            changes["track"] = track_after(live.track, live.game.position, played)
    if t.TableClosed in kinds:
        kept = live.game.money if live.books else None  # in its tray and boxes, until the office's papers move it
        changes["game"] = _nobody_there(len(live.game.position.seats), kept, live.game.meters)
    else:
        changes |= _correctable(live, command, played, limits)
    if StacksGiven in kinds:
        changes["game"] = _with_stacks(changes.get("game", live.game), happened)
    if not kinds.isdisjoint(ENTERED):
        changes["game"] = after_papers(changes.get("game", live.game), happened)
        changes |= _UNCORRECTABLE
    if not kinds.isdisjoint(_METERS):
        changes |= _UNCORRECTABLE
    if type(command) in _ON_BOOKS:
        changes["books"] = books_after(live.books, command, happened)
    changes["balances"] = balances_after(live.balances, happened)
    return replace(live, **changes)


def fold_wagers(live: LiveTable, wagers: Sequence[tuple[c.MakeWager, e.Event]], game: Table) -> LiveTable:
    """Return the table after decisions that each made a wager and did nothing else; `game` is the game after them."""
    since, before_roll, left = live.since, live.before_roll, live.left
    if before_roll is not None:
        since = (*since, *[Redoable(command) for command, _ in wagers])
        if len(since) > _SINCE_MAX:
            since, before_roll, left = (), None, {}
    return replace(
        live,
        version=live.version + len(wagers),
        game=game,
        balances=balances_after(live.balances, [made for _, made in wagers]),
        since=since,
        before_roll=before_roll,
        left=left,
    )


def _begin(live: LiveTable | None, happened: Sequence[TableEvent]) -> tuple[LiveTable | None, t.LimitsChanged | None]:
    """Return the table as just opened, with limits that come into force before this decision, or a new house."""
    limits = None
    for event in happened:
        if isinstance(event, t.TableOpened):
            live = _open_table(live, event)
        elif isinstance(event, t.LimitsChanged) and live is not None:
            live, limits = with_limits(live, event), event
        elif isinstance(event, t.RulebookAdopted | t.HouseChanged) and live is not None:
            live = _with_house(live, event)
    return live, limits


def with_limits(live: LiveTable, change: t.LimitsChanged) -> LiveTable:
    """Return a table with changed limits in force."""
    house = house_with(live.house, change)
    return replace(live, house=house, rules=version_of(house, live.rulebook), notice=None)


def _with_stacks(table: Table, happened: Sequence[TableEvent]) -> Table:
    """Return a game whose players have the chips that they were given."""
    racks = list(table.money.racks)
    for event in happened:
        if isinstance(event, StacksGiven):
            for seat, cents in event.stacks.items():
                racks[int(seat) - 1] += cents
    return replace(table, money=replace(table.money, racks=tuple(racks)))


def _with_house(live: LiveTable, event: t.RulebookAdopted | t.HouseChanged) -> LiveTable:
    """Return a table under another rulebook or house; what was rolled before can no longer be corrected."""
    digest = event.digest if isinstance(event, t.RulebookAdopted) else live.rulebook
    version, terms = version_of(event.house, digest), event.terms or live.terms
    return replace(live, rulebook=digest, house=event.house, rules=version, before_roll=None, since=(), terms=terms)


def _nobody_there(places: int, kept: Money | None = None, meters: tuple[tuple[str, int], ...] = ()) -> Table:
    """Return a table that nobody plays at, with what is kept in its tray and boxes and stands on its meters."""
    nobody: Seat = ""
    assert 0 < places <= SEATS_MAX, f"{places} seats"  # or a forged entry fills the memory of whoever verifies it
    bank, tip_box, drop = (kept.bank, kept.tip_box, kept.drop) if kept else (0, 0, 0)
    money = Money((0,) * places, bank, tip_box, drop, (0,) * places)
    return Table(position=Position(seats=(nobody,) * places), money=money, meters=meters)


_AS_OPENED = (  # fields that a table has from the event that opened it
    *("name", "house", "rulebook", "dice", "automate", "buy_in", "is_demo", "practice_cents_max", "terms", "is_keyed"),
    *("points", "requires_dice_out"),
)
_CARRIED_OVER = ("version", "balances", "commitment", "incidents", "supervision", "books", "finished")


def _open_table(live: LiveTable | None, event: t.TableOpened) -> LiveTable:
    """Return a newly opened table; one that was closed before goes on counting versions, hands and rolls."""
    before: dict[str, Any] = {}
    if live is not None:
        before = {name: getattr(live, name) for name in _CARRIED_OVER}
        before |= {"track": Track(hand=live.track.hand, roll=live.track.roll), "rolls_before": live.track.roll}
    return LiveTable(
        id=event.table,
        rules=version_of(event.house, event.rulebook),
        game=_nobody_there(event.house["seats"], *((live.game.money, live.game.meters) if live else ())),
        **{name: getattr(event, name) for name in _AS_OPENED},
        **before,
    )


def _own_changes(live: LiveTable, happened: Sequence[TableEvent]) -> dict[str, Any]:  # noqa: C901, PLR0912 - a case per event
    """Return the fields changed by a live table's own events."""
    changes: dict[str, Any] = {}
    for event in [event for event in happened if type(event) in _CHANGING]:  # of a roll's two hundred only a few
        match event:
            case t.PlayerSeated():
                others = changes.get("players", live.players)
                changes["players"] = {**others, event.seat: Player(event.account, event.name)}
            case e.SeatLeft():
                changes["players"] = {seat: player for seat, player in live.players.items() if seat != event.seat}
                changes["left"] = _left_since(live, event.seat)
            case t.LimitsNoticed():
                changes["notice"] = event
            case t.PlayMoneyBought():
                today = live.bought if live.bought_on == event.day else {}
                total = today.get(event.account, 0) + event.cents
                changes |= {"bought": {**today, event.account: total}, "bought_on": event.day}
            case t.TableFrozen():
                froze = live.froze if live.frozen else live.version + 1
                changes |= {"status": "frozen", "frozen": live.frozen or event, "froze": froze}
            case t.ScreensShown():
                assert live.frozen is not None, "only a frozen table has screens to report"
                changes["frozen"] = replace(live.frozen, shown={**live.frozen.shown, **event.shown})
            case t.TableReleased():
                changes |= {"status": "open", "frozen": None}
            case t.TableClosed():
                changes |= {"status": "closed", "before_roll": None, "since": (), "notice": None}
                changes |= {"players": {}, "left": live.players} if live.points else {}
            case t.RollCorrected():
                changes |= _correct(live, event)
            case RoundFinished():
                changes["finished"] = event
            case t.BankOwed() | t.BankPaid():
                changes |= {"owes": event.cents, "incidents": event.incident}
            case _ if type(event) in SUPERVISED:
                changes["supervision"] = supervision_after(live.supervision, event)
            case _:
                changes |= _dice_changes(live, event)
    return changes


def _left_since(live: LiveTable, seat: int) -> dict[int, Player]:
    """Return who has left since the last throw, with the player at a seat if that player was there for it."""
    was_there = live.before_roll is not None and live.before_roll.game.position.seats[seat - 1]
    return {seat: live.players[seat], **live.left} if was_there and seat in live.players else live.left


def _dice_changes(live: LiveTable, event: TableEvent) -> dict[str, Any]:
    """Return the fields changed by the proof of electronic dice."""
    match event:
        case t.DiceCommitted():
            return {"commitment": event}
        case t.WagersClosed():
            nonce = None if event.nonce_digest else ""
            return {"closing": Closing(live.version + 1, event.number, event.nonce_digest, nonce)}
        case t.NonceTaken():
            assert live.closing is not None, "a nonce belongs to a throw"
            return {"closing": replace(live.closing, nonce=event.nonce)}
        case t.DiceRevealed():
            return {"closing": None, "proof": event}
        case t.DiceRenewed():
            return {"closing": None, "proof": None}
        case _:
            return {}


def _correct(live: LiveTable, event: t.RollCorrected) -> dict[str, Any]:
    """Return the fields changed by a correction: what was dealt again replaces what was dealt first."""
    assert live.before_roll is not None, "only the last roll can be corrected"
    before = live.before_roll
    track = track_after(before.track, before.game.position, event.redone)
    kept = set(event.kept)
    since = [
        Redoable(done.command and with_faces(done.command, event.first, event.second), done.limits)
        for place, done in enumerate(live.since)
        if place in kept
    ]
    return {"game": event.table, "track": track, "since": tuple(since)}


def with_faces(command: c.Command, first: int, second: int) -> c.Command:
    """Return a command of a roll as it would be with other faces."""
    match command:
        case c.LandDice():
            return c.LandDice(by=command.by, first=first, second=second)
        case c.DecideDispute():
            return replace(command, first=first, second=second)
        case c.CallRoll():
            return replace(command, total=first + second)
        case _:
            return command


def _correctable(
    live: LiveTable, command: TableCommand, played: Sequence[e.Event], limits: t.LimitsChanged | None
) -> dict[str, Any]:
    """Return the fields from which the last roll could be corrected: the table before it, and all commands since."""
    kinds = {type(event) for event in played}
    if e.RollVoided in kinds:
        return _UNCORRECTABLE
    changes: dict[str, Any] = {}
    since = live.since
    if e.DiceThrown in kinds:
        changes |= {"before_roll": BeforeRoll(live.game, live.track, live.house, live.rules), "left": {}}
        since = ()
    elif live.before_roll is None or not (played or limits):
        return {}
    elif limits:
        since = (*since, Redoable(limits=limits))
    if e.DiceLanded in kinds:
        changes["landed"] = live.version + 1
    if played:
        since = (*since, *(Redoable(step) for step in steps_of(command, played)))
    return _UNCORRECTABLE if len(since) > _SINCE_MAX else {**changes, "since": since}


def steps_of(command: TableCommand, played: Sequence[e.Event]) -> tuple[c.Command, ...]:
    """Return the game's own commands that a decision carried out."""
    if type(command) is c.MakeWager:  # nine in ten
        return (command,)
    match command:
        case k.SeatPlayer():
            return (c.TakeSeat(seat=command.seat, is_employee=command.is_employee),)
        case k.Roll() | k.CompleteRoll() | k.DiceOut() | k.KeyDice():
            dice = [event for event in played if type(event) in _OF_DICE]  # of a roll's two hundred only a few
            steps: list[c.Command] = [
                c.ThrowDice(by=SHOOTER, seat=event.seat) for event in dice if isinstance(event, e.DiceThrown)
            ]
            if isinstance(command, k.KeyDice):
                steps.append(land_command(command))
            else:
                landed = [event for event in dice if isinstance(event, e.DiceLanded)]
                steps += [c.LandDice(first=event.first, second=event.second) for event in landed]
            return tuple(steps)
        case k.EnterPaper():  # a correction leaves its chips where they are
            made = [c.Fill(cents=event.cents) for event in played if isinstance(event, e.FillMade)]
            return (*made, *(c.Credit(cents=event.cents) for event in played if isinstance(event, e.CreditMade)))
        case _:
            return (command,) if type(command) in _GAME_COMMANDS else ()  # type: ignore[return-value]


def land_command(command: k.KeyDice) -> c.LandDice:
    """Return the game's command for keyed dice. It needs faces even for a void throw, and ignores them."""
    first, second = (1, 1) if is_void(command) else (command.first, command.second)
    return c.LandDice(first=first, second=second, first_lie=command.first_lie, second_lie=command.second_lie)


def is_void(command: k.KeyDice) -> bool:
    """Return whether keyed dice are void, since one of them does not lie flat or cocked on the table."""
    return not {command.first_lie, command.second_lie} <= {"flat", "cocked"}
