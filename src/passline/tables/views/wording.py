"""Events of live tables and of the house in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from passline.dice import roll_of, stick_call
from passline.game import events as e
from passline.game.wording import format_event, seat_name
from passline.money import dollars
from passline.rules.elections import House
from passline.rules.memo import Memo
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.store.genesis import EntriesArchived, KeyRotated, LogRestored
from passline.tables import events as t
from passline.tables import house_events as h
from passline.tables.events import RoundFinished, StacksGiven, TableEvent
from passline.tables.house_events import HouseEvent
from passline.tables.live import LiveTable, Player
from passline.tables.rules_in_force import rules_of
from passline.tables.track import SETTLED, Rolled

_Names = Mapping[int, str]
_NAMES_MAX = 1_000  # tables whose players' names are kept in memory


def lines_of(
    before: LiveTable | None, after: LiveTable, happened: Sequence[TableEvent], *, seats: Sequence[int] | None = None
) -> tuple[str, ...]:
    """Return what a decision did, in words.

    `seats` says whose buy-ins and cash-outs are told in full: no seats for the public, a player's own for that player,
    and None, which means all of them, the bank's and what is supervised too, for the crew.
    """
    names = _names_at(after.players)
    if before is not None and before.players is not after.players:
        names = {**_names_at(before.players), **names}
    if not after.is_keyed:
        names = {**names, 0: "the shooter"}  # whom nobody has seated
    return words_of(happened, rules_of(after), names, seats=seats)


_known_names: dict[int, tuple[Mapping[int, Player], _Names]] = {}  # by the identity of the players


def _names_at(players: Mapping[int, Player]) -> _Names:
    """Return the names of players by seat; those of a table stay the same for hundreds of entries."""
    known = _known_names.get(id(players))
    if known is None or known[0] is not players:
        if len(_known_names) >= _NAMES_MAX:
            _known_names.clear()
        known = _known_names[id(players)] = players, {seat: player.name for seat, player in players.items()}
    return known[1]


def without_settled(happened: Sequence[TableEvent]) -> Sequence[TableEvent]:
    """Return events without the wagers that a roll decided, of which a full table has two hundred."""
    if not any(type(event) is e.RollSettled for event in happened):
        return happened
    return [event for event in happened if type(event) not in SETTLED]


def words_of(
    happened: Sequence[TableEvent], rules: Rules, names: _Names, *, seats: Sequence[int] | None = None
) -> tuple[str, ...]:
    """Return what a decision did under these rules, with the names of the players at its seats then."""
    if len(happened) == 1 and type(made := happened[0]) is e.WagerMade:
        return _wager_line(made, made.after.seat, rules, names)
    return tuple(
        line
        for event in happened
        for line in (_discreet(event, names) if _is_private(event, seats) else format_table_event(event, rules, names))
    )


_WAGER_LINES: Memo[tuple[e.Event, str | None], tuple[str, ...]] = Memo()


def _wager_line(event: e.Event, seat: int, rules: Rules, names: _Names) -> tuple[str, ...]:
    """Return a wager that was made or decided in words: players make the same ones again and again."""
    known, key = rules.memory_of(_WAGER_LINES), (event, names.get(seat))
    line = known.get(key)
    if line is None:
        line = known[key] = (format_event(event, rules, names),)
    return line


_OWN_SEATS = (e.BuyInMade, e.SeatLeft)
_CREWS: frozenset[type] = frozenset(
    {
        *(e.FillMade, e.CreditMade, t.BankOwed, t.BankPaid, t.ConductReported),
        *(t.InventoryCounted, t.BoxDropped, t.BoxCounted, t.TipsCollected, t.PlayerRated),
        # These may be about a player, who must not read them.
        *(t.DiceSetPutIn, t.DiceCondemned, t.IrregularityReported, t.ActionDirected, t.ActionObserved),
        *(t.WagerPastPosted, t.EmployeeRuledOut),
    }
)
_PRIVATE = _CREWS.union(_OWN_SEATS)


def has_private(happened: Sequence[TableEvent]) -> bool:
    """Return whether a decision did something that is not told to everybody."""
    return any(type(event) in _PRIVATE for event in happened)


def _is_private(event: TableEvent, seats: Sequence[int] | None) -> bool:
    if seats is None:
        return False
    return type(event) in _CREWS or (isinstance(event, _OWN_SEATS) and event.seat not in seats)


def _discreet(event: TableEvent, names: _Names) -> tuple[str, ...]:
    match event:
        case e.BuyInMade():
            return (f"{seat_name(event.seat, names)} changes cash for chips",)
        case e.SeatLeft():
            return (f"{seat_name(event.seat, names)} leaves",)
        case t.BankOwed():
            return (f"incident {event.incident}: the bank owes chips that it could not pay, and needs a fill",)
        case t.BankPaid() if not event.cents:
            return (f"incident {event.incident} is over: the bank owes nothing more",)
        case t.ConductReported():
            return ("a breach of conduct is recorded",)
        case t.DiceSetPutIn():  # why, and what is written about it, is for the crew and the regulator
            return (f"set {event.number} of the dice is put in",)
        case t.DiceCondemned():
            return (_condemned_text(event),)
        case _:
            return ()


def _condemned_text(event: t.DiceCondemned) -> str:
    name = f"set {event.number} of the dice" if event.number else "the set of dice in play"
    return f"{name} may not be thrown any more; a new set must be put in"


def format_table_event(event: TableEvent, rules: Rules, names: _Names) -> tuple[str, ...]:
    """Return the lines of one event: several for a correction, none if a neighbouring event says it."""
    if type(event) in SETTLED:
        return _wager_line(event, event.wager.seat, rules, names)  # type: ignore[arg-type,union-attr]  # the game's own
    says = _SAYS.get(type(event))
    if says is None:
        return (format_event(event, rules, names),)  # type: ignore[arg-type]  # the game's own
    said = says(event, rules, names)
    clause = getattr(event, "clause", "")
    return (f"{said[0]} [{clause}]", *said[1:]) if clause and said else said


def _opening_lines(event: t.TableOpened, rules: Rules, _names: _Names) -> tuple[str, ...]:
    """Return the opening of a table and, with electronic dice, how a text that does not speak of them is read."""
    opened = f"{event.name} is open: {event.house['rules']}, {event.dice} dice"
    reading = rules.rulebook.general.live.electronic_dice
    if event.dice != "electronic" or reading is None:
        return (opened,)
    return (opened, f"electronic dice: {reading.reading} [{clause_text(reading.cite)}]")


def _correction_lines(event: t.RollCorrected, rules: Rules, names: _Names) -> tuple[str, ...]:
    again = (redone for redone in event.redone if type(redone) in SETTLED)
    return (
        f"the roll {event.was_first}-{event.was_second} is corrected to {event.first}-{event.second}: {event.reason}",
        *(format_event(redone, rules, names) for redone in again),
        *(f"undone, since it is no longer possible: {text}" for text in event.dropped),
    )


def _another_house(house: House) -> str:
    limits = f"{dollars(house.wager_cents_min)} to {dollars(house.wager_cents_max)}"
    return f"from now on another house is dealt here, {house.name}, limits {limits}: its rules are on this page"


def _limits(event: t.LimitsNoticed | t.LimitsChanged) -> str:
    return f"{dollars(event.wager_cents_min)} to {dollars(event.wager_cents_max)}"


def _inventory_lines(event: t.InventoryCounted, _rules: Rules, _names: _Names) -> tuple[str, ...]:
    if event.kind == "correction":
        more = event.cents - event.ledger
        said = f"{dollars(abs(more))} {'more' if more > 0 else 'less'}"
        return (f"the tray has {said}, as act {event.act} of the office corrects: {dollars(event.cents)}",)
    name = {"opener": "opening inventory", "shift": "inventory at the change of shift"}.get(
        event.kind, "closing inventory"
    )
    carried = f"; {dollars(event.layout)} lie on the layout" if event.layout else ""
    return (f"the {name} is {dollars(event.cents)}, act {event.act} of the office{_beside(event)}{carried}",)


def _beside(event: t.InventoryCounted | t.BoxCounted) -> str:
    """Return what the ledger has beside what was counted."""
    if not event.is_covered:
        return "; the ledger is not covered"
    differs = event.cents - event.ledger
    said = f"{dollars(abs(differs))} {'over' if differs > 0 else 'short of'} the ledger's {dollars(event.ledger)}"
    return f"; {said}" if differs else ""


_SAYS: dict[type, Callable[[Any, Rules, _Names], tuple[str, ...]]] = {
    t.TableOpened: _opening_lines,
    t.TableClosed: lambda _event, _rules, _names: ("the table is closed",),
    t.EmployeeRuledOut: lambda event, _rules, _names: (
        f"{event.name}, at seat {event.seat}, is not the employee {event.resembles}: a floorperson has looked",
    ),
    t.PlayerSeated: lambda _event, _rules, _names: (),  # SeatTaken says it
    t.PlayMoneyBought: lambda _event, _rules, _names: (),  # BuyInMade says it
    t.LimitsNoticed: lambda event, _rules, _names: (f"from {event.at} the limits are {_limits(event)}",),
    t.LimitsChanged: lambda event, _rules, _names: (
        f"the limits are now {_limits(event)}; standing wagers keep theirs",
    ),
    t.RulebookAdopted: lambda event, rules, _names: (
        f"{rules.rulebook.name}: from now on dealt under the rulebook {event.digest[:12]}, until now {event.was[:12]}",
    ),
    t.HouseChanged: lambda _event, rules, _names: (_another_house(rules.house),),
    t.RollCorrected: _correction_lines,
    t.TableFrozen: lambda event, _rules, names: (
        f"the table is frozen over a dispute{f' of {seat_name(event.seat, names)}' * bool(event.seat)}: {event.reason}",
    ),
    t.ScreensShown: lambda event, _rules, names: (
        "shown before the freeze: "
        + ", ".join(f"to {seat_name(int(seat), names)} up to entry {last}" for seat, last in event.shown.items()),
    ),
    t.TableReleased: lambda event, _rules, _names: (f"play continues: {event.finding}",),
    t.DiceCommitted: lambda event, _rules, _names: (f"the next roll's key, number {event.number}, is committed",),
    t.WagersClosed: lambda _event, _rules, _names: ("wagers are closed",),
    t.NonceTaken: lambda event, _rules, _names: (
        "the shooter's nonce is on record" if event.nonce else "the shooter's nonce did not come in time",
    ),
    t.DiceRevealed: lambda event, _rules, _names: (
        f"the key of this roll, number {event.number}, is revealed"
        + " without the shooter's nonce" * (not event.nonce),
    ),
    t.DiceRenewed: lambda event, _rules, _names: (f"key number {event.number} is given up: {event.reason}",),
    t.BankOwed: lambda event, _rules, _names: (
        f"incident {event.incident}: the bank owes {dollars(event.cents)} that it could not pay, and needs a fill",
    ),
    t.BankPaid: lambda event, _rules, _names: (
        f"incident {event.incident}: the bank still owes {dollars(event.cents)}"
        if event.cents
        else f"incident {event.incident} is over: the bank owes nothing more",
    ),
    t.ConductReported: lambda event, _rules, names: (
        f"a breach is recorded, {event.breach.replace('_', ' ')} at {seat_name(event.seat, names)}",
    ),
    t.InventoryCounted: _inventory_lines,
    t.BoxDropped: lambda event, _rules, _names: (f"box {event.box} is dropped, act {event.act} of the office",),
    t.BoxCounted: lambda event, _rules, _names: (
        f"box {event.box} holds {dollars(event.cents)}, act {event.act} of the office{_beside(event)}",
    ),
    t.TipsCollected: lambda event, _rules, _names: (
        f"tip box {event.box} is collected, act {event.act} of the office",
    ),
    t.PlayerRated: lambda event, _rules, _names: (
        f"{event.name} is rated, as an estimate: {dollars(event.average_cents)} on average for {event.minutes} minutes",
    ),
    t.WagerPastPosted: lambda event, rules, names: (
        (
            f"past-posted: {seat_name(event.seat, names)}'s {rules.wagers[event.wager].display_name(event.number)}, "
            f"{dollars(event.cents)}, came after dice out"
        ),
    ),
    StacksGiven: lambda event, _rules, _names: (f"{len(event.stacks)} players have their chips for the round",),
    RoundFinished: lambda event, _rules, _names: (
        f"round {event.round} is over after {event.rolls} rolls: the points are taken off the table",
    ),
    t.DiceSetPutIn: lambda event, _rules, _names: (f"set {event.number} of the dice is put in",),
    t.DiceCondemned: lambda event, _rules, _names: (
        f"{_condemned_text(event)}: it is {event.reason}" + f": {event.text}" * bool(event.text),
    ),
    t.IrregularityReported: lambda event, _rules, _names: (f"irregularity {event.number} is reported: {event.text}",),
    t.ActionDirected: lambda event, _rules, _names: (f"directed about irregularity {event.number}: {event.action}",),
    t.ActionObserved: lambda event, _rules, _names: (
        f"what was directed about irregularity {event.number} was done and watched: it is closed",
    ),
}


def roll_call(rules: Rules, rolled: Rolled) -> str:
    """Return the stickperson's call of a settled roll."""
    roll = roll_of(rolled.first, rolled.second)
    return stick_call(roll, point=rolled.point, is_come_out=rolled.is_come_out, points=rules.points)


_CALLED = frozenset({e.RollVoided, e.RollSettled, e.RollCalled, t.RollCorrected})


def call_of(after: LiveTable, happened: Sequence[TableEvent]) -> str:
    """Return the stickperson's call for a decision, or an empty string."""
    kinds = {type(event) for event in happened}
    if kinds.isdisjoint(_CALLED):
        return ""
    rules, position = rules_of(after), after.game.position
    if e.RollVoided in kinds:
        return "No roll"
    if e.RollSettled in kinds or (t.RollCorrected in kinds and position.faces == (0, 0)):
        return roll_call(rules, after.track.rolls[-1])
    if e.RollCalled in kinds or t.RollCorrected in kinds:
        rolled = Rolled(0, *position.faces, position.puck, is_come_out=position.phase == "come_out")
        return roll_call(rules, rolled)
    return ""


def house_lines(events: Iterable[HouseEvent]) -> tuple[str, ...]:
    """Return events of the house in words."""
    return tuple(_house_line(event) for event in events)


def _house_line(event: HouseEvent) -> str:  # noqa: C901, PLR0912 - a case per event
    match event:
        case h.ApprovalFiled():
            return f"{event.kind.replace('_', ' ')} by {event.authority} is on file: {event.reference}"
        case h.ApprovalWithdrawn():
            kind = event.kind.replace("_", " ")
            return f"{kind} by {event.authority} is withdrawn: {event.reference}, {event.reason}"
        case h.ReportFiled():
            return f"report {event.number} is filed: {event.record_class.replace('_', ' ')}"
        case h.ShiftClosed():
            return f"shift {event.shift} is closed at entry {event.sequence}"
        case h.ClockJumped():
            way = "back" if event.milliseconds < 0 else "forward"
            return f"the server's clock was set {way} by {abs(event.milliseconds) / 1000:.1f} s, to {event.found}"
        case h.ClockSyncChanged():
            return f"the server's clock is {event.state}, and off by {event.milliseconds / 1000:.3f} s at most"
        case h.RulebookKept():
            return f"the log keeps the rulebook {event.digest[:12]} of {event.name}"
        case h.OddsSet():
            paid = "; ".join(f"{key}: {pays}" for key, pays in event.payouts.items()) or "what is listed"
            return f"every table under {event.rules} pays, from {event.table} on, {paid}"
        case h.OfficeElected():
            return f"the house keeps its office {event.where}"
        case h.ServerStarted():
            return f"a server begins: passline {event.program}, Python {event.python}"
        case KeyRotated():
            return f"{event.by} gives the log a new key, {event.new_key}: {event.reason}"
        case LogRestored():
            lost = f"; everything after it, up to entry {event.lost_sequence}, is lost" if event.lost_head else ""
            again = f"; it takes the place of {len(event.replaced)} before it" if event.replaced else ""
            return f"{event.by} restores the log from a backup of entry {event.sequence}: {event.reason}{lost}{again}"
        case EntriesArchived():
            kept = event.segment
            return f"{event.by} archives entries {kept.first:,} to {kept.last:,} of the log as {kept.name}"
        case _:
            return "the log begins"
