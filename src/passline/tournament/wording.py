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
    return in_currency(lines, currency_of(state.plan.rules)) if state else lines


def _who(state: TournamentState, entry: int) -> str:
    known = state.entry(entry)
    return f"{known.name} (entry {entry})" if known else f"entry {entry}"


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
            players, tables = len(event.entries), len(event.tables)
            return f"{event.round_name}: {players} players at {tables} tables; the seats are drawn next"
        case e.NoncePromised():
            return f"{_who(state, event.entry)} promises a nonce for the next seat draw"
        case e.NonceRevealed():
            return f"{_who(state, event.entry)} adds a nonce to the seat draw"
        case e.SeatsDrawn():
            added = f", with the nonces of {len(event.nonces)} players" if event.nonces else ""
            return f"lot {event.lot} is drawn: {len(event.seats)} seats{added}"
        case e.SeatMoved():
            return f"{_who(state, event.entry)} moves to {event.table}, seat {event.seat}"
        case e.RoundStarted():
            return f"round {event.number} begins with {len(event.stacks)} players"
        case e.ColoursSet():
            return "chips: " + ", ".join(f"{colour} {points:,}" for colour, points in event.points.items())
        case e.PointsReported():
            return f"{event.table} is done after {event.rolls} rolls"
        case e.ChipsCounted():
            return f"{_who(state, event.entry)}: {event.counted:,} points in chips counted"
        case e.PlayerEliminated():
            return f"{_who(state, event.entry)} is out"
        case e.TieParted():
            return f"level entries in order: {', '.join(map(str, event.entries))} ({event.how.replace('_', ' ')})"
        case e.RoundEnded():
            return f"round {event.number} is over; {len(event.advance)} go on"
        case _:
            return _late_line(state, event)


def _late_line(state: TournamentState, event: TournamentEvent) -> str:  # noqa: C901 - a line per event
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
            return f"{event.event_name} is over: {len(event.awards)} prizes"
        case e.PrizeForfeited():
            lost = f"{_who(state, event.entry)} receives no prize [{event.clause}]"
            to = "those who play on" if event.award.entry == event.entry else _who(state, event.award.entry)
            return f"{lost}: it goes to {to}"
        case e.PrizePaid():
            what = " and ".join(filter(None, (dollars(event.pool_cents + event.house_cents), event.item)))
            return f"{_who(state, event.entry)} receives {what}"
        case e.TournamentClosed():
            return "the tournament is closed: everything is paid out"
        case _:
            return ""
