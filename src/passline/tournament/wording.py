"""What happened in a tournament, in words that anybody may read."""

from __future__ import annotations

from collections.abc import Sequence

from passline.acts.papers.houses import currency_of
from passline.money import dollar_amount as dollars
from passline.money import in_currency
from passline.tournament import events as e
from passline.tournament.events import TournamentEvent
from passline.tournament.state import TournamentState


def tournament_lines(state: TournamentState | None, events: Sequence[TournamentEvent]) -> tuple[str, ...]:
    """Return a line for each event that people are told of."""
    lines = tuple(line for event in events if (line := _line(state or TournamentState(), event)))
    return in_currency(lines, currency_of(state.plan.rules)) if state and state.planned else lines


def _who(state: TournamentState, entry: int) -> str:
    known = state.entry(entry)
    return f"{known.name} (entry {entry})" if known else f"entry {entry}"


def _names(state: TournamentState, entries: Sequence[int]) -> str:
    return ", ".join(_who(state, entry) for entry in entries)


def _count(number: int, thing: str) -> str:
    """Return a number of things in words.

    >>> _count(1, "roll"), _count(2, "roll")
    ('1 roll', '2 rolls')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _end_line(state: TournamentState, event: e.RoundEnded) -> str:
    """Return how a round ended: who goes on, and that more do than were planned where nothing parts those level."""
    held = state.round
    if not event.advance or held is None:
        return f"round {event.number} is over"
    planned = state.plan_of(held)
    most = planned.advance * len(held.tables) + planned.wild_cards
    more = f": those who are level for the last place all go on, where {most} were planned"
    return f"round {event.number} is over; {len(event.advance)} go on" + (more if len(event.advance) > most else "")


def _refund_text(event: e.EntryRefunded) -> str:
    """Return what goes back: the cash, and things that were given in place of it."""
    paid = (event.fee, event.buy_in, *event.chips)
    cash = sum(part.cents for part in paid if part.how == "cash")
    things = [part.item for part in paid if part.item]
    return " and ".join([*([dollars(cash)] if cash or not things else []), *things])


def _line(state: TournamentState, event: TournamentEvent) -> str:  # noqa: C901, PLR0912 - a line per event
    match event:
        case e.TournamentPlanned():
            return f"{event.plan['name']} is planned"
        case e.PlayerWaits():
            where = f"the waiting list of {event.event_name}"
            return f"{event.name} leaves {where}" if event.is_over else f"{event.name} stands on {where}"
        case e.PlayerEntered():
            paid = dollars(event.fee.cents + event.buy_in.cents)
            return f"{event.name} enters {event.event_name} as entry {event.entry}, for {paid}"
        case e.DeskAnswered():
            others = [*(_who(state, other) for other in event.others), *filter(None, (event.employee,))]
            return f"the desk has looked: {_who(state, event.entry)} is not {' or '.join(others)} [{event.clause}]"
        case e.BreachRecorded():
            return f"breach {event.number}: {event.why} [{event.clause}]"
        case e.PlayerSignedIn():
            return f"{_who(state, event.entry)} signs in and is given the rules"
        case e.EntryWithdrawn():
            return f"{_who(state, event.entry)} withdraws: {event.reason}"
        case e.ChipsBought():
            kind, points = event.kind.replace("_", "-"), f"{event.points:,} points from the next game on"
            return f"{_who(state, event.entry)} buys a {kind} for {dollars(event.paid.cents)}: {points}"
        case e.PlayerDisqualified():
            return f"{_who(state, event.entry)} is disqualified: {event.reason} [{event.clause}]"
        case e.FeesCounted():
            return f"entry fees counted: {dollars(event.counted)}, of {dollars(event.expected)}"
        case e.FeesSettled():
            counted, expected = dollars(event.counted), dollars(event.expected)
            return f"entry fees of {counted} where {expected} were paid: {event.reason} [{event.clause}]"
        case e.MoneyAdded():
            return f"the house adds {dollars(event.cents)} to the pool"
        case e.PoolCarried():
            return f"{dollars(event.cents)} are carried to the next event"
        case e.RoundPrepared():
            players, tables = _count(len(event.entries), "player"), _count(len(event.tables), "table")
            return f"{event.round_name}: {players} at {tables}; the seats are drawn by lot"
        case e.NoncePromised():
            return f"{_who(state, event.entry)} promises a nonce for the next seat draw"
        case e.NonceRevealed():
            return f"{_who(state, event.entry)} adds a nonce to the seat draw"
        case e.SeatsDrawn():
            added = f", with the nonces of {_count(len(event.nonces), 'player')}" if event.nonces else ""
            return f"lot {event.lot} is drawn: {_count(len(event.seats), 'seat')}{added}"
        case e.SeatMoved():
            return f"{_who(state, event.entry)} moves to {event.table}, seat {event.seat}"
        case e.RoundStarted():
            return f"round {event.number} begins with {_count(len(event.stacks), 'player')}"
        case e.ColoursSet():
            return "chips: " + ", ".join(f"{colour} {points:,}" for colour, points in event.points.items())
        case e.PointsReported():
            return f"{event.table} is done after {_count(event.rolls, 'roll')}"
        case e.ChipsCounted():
            return f"{_who(state, event.entry)}: {event.counted:,} points in chips counted"
        case e.PlayerEliminated():
            return f"{_who(state, event.entry)} is out"
        case e.TieParted():
            return f"level entries in order: {', '.join(map(str, event.entries))} ({event.how.replace('_', ' ')})"
        case e.CutTied():
            return f"{_count(len(event.entries), 'player')} are level for a last place: the lot decides who goes on"
        case e.CutDrawn():
            level, through = _names(state, event.entries), _names(state, event.through)
            on = "goes on" if len(event.through) == 1 else "go on"
            return f"lot {event.lot} is drawn between {level}, who were level: {through} {on}"
        case e.RoundEnded():
            return _end_line(state, event)
        case _:
            return _late_line(state, event)


def _late_line(state: TournamentState, event: TournamentEvent) -> str:  # noqa: C901, PLR0912 - a line per event
    """Return the line of what happens at the end of a tournament."""
    match event:
        case e.SplitProposed():
            return f"{_who(state, event.by_entry)} proposes to share the cash prizes"
        case e.SplitAgreed():
            return f"{_who(state, event.entry)} signs the split"
        case e.SplitConfirmed():
            return f"the director confirms with {_who(state, event.entry)} that it is voluntary"
        case e.SplitStopped():
            return f"the split is off: {event.reason}" + (f" [{event.clause}]" if event.clause else "")
        case e.SplitMade():
            shared = f"the cash of {event.event_name} is shared as agreed"
            return f"{shared} [{event.clause}]" if event.clause else shared
        case e.VoucherIssued():
            return f"{_who(state, event.entry)} wins voucher {event.number} for {event.event_name}"
        case e.VoucherReturned():
            return f"voucher {event.number} was not used: its value goes back into the pool"
        case e.EventConcluded():
            return f"{event.event_name} is over: {_count(len(event.awards), 'prize')}"
        case e.PrizeForfeited():
            lost = f"{_who(state, event.entry)} receives no prize [{event.clause}]"
            to = "those who play on" if event.award.entry == event.entry else _who(state, event.award.entry)
            return f"{lost}: it goes to {to}"
        case e.PrizePaid():
            what = " and ".join(filter(None, (dollars(event.pool_cents + event.house_cents), event.item)))
            return f"{_who(state, event.entry)} receives {what}"
        case e.TournamentCancelled():
            return f"the tournament is cancelled: {event.reason}; everybody gets back what they paid [{event.clause}]"
        case e.MoneyTakenBack():
            return f"{dollars(event.cents)} that the house had added go back to it"
        case e.EntryRefunded():
            return f"{_who(state, event.entry)} gets back {_refund_text(event)}"
        case e.TournamentClosed():
            return f"the tournament is closed: everything is {'given back' if state.cancelled else 'paid out'}"
        case _:
            return ""
