"""Folds the events of a tournament: its money first, then its entries, rounds, prizes and splits.

Money is kept by double entry: every event's movements sum to zero. `cash`, `in_kind`, `complimentary` and `house` are
where it comes from; `fees` and `pool/NAME` hold it; `vouchers` holds the value of those not used yet; `paid` is what
winners have received. So at any moment
fees + pools + vouchers + paid = cash + in kind + complimentary + added by the house.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from passline.tournament import events as e
from passline.tournament.events import Paid, TournamentEvent
from passline.tournament.plan.schema import Plan
from passline.tournament.results.lot import DrawnSeat
from passline.tournament.results.prizes import Award
from passline.tournament.state import HeldRound, HeldVoucher, KnownEntry, Split, TournamentState, player_key

_SOURCES = {"cash": "cash", "in_kind": "in_kind", "complimentary": "complimentary", "voucher": "vouchers"}  # by payment
_Moves = tuple[tuple[str, int], ...]


def fold_tournament(state: TournamentState | None, events: Iterable[TournamentEvent]) -> TournamentState:
    """Return a tournament after one decision."""
    after = state or TournamentState()
    for event in events:
        after = evolve_tournament(after, event)
    return replace(after, version=after.version + 1)


def evolve_tournament(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Return a tournament after one event: move its money first, then change entries, rounds and prizes."""
    balances = dict(state.balances)
    for account, cents in money_moves(state, event):
        balances[account] = balances.get(account, 0) + cents
    return _apply(replace(state, balances={account: cents for account, cents in balances.items() if cents}), event)


def _apply(state: TournamentState, event: TournamentEvent) -> TournamentState:  # noqa: C901, PLR0912
    match event:
        case e.TournamentPlanned():
            plan = convert(event.plan, Plan)
            colours = {colour.colour: colour.points for colour in plan.colours}
            return replace(state, planned=plan, digest=event.digest, pages=event.pages, colours=colours)
        case e.LotCommitted():
            return replace(state, lot=event.number, lot_digest=event.digest)
        case e.PlayerWaits():
            name = (event.event_name, event.name, event.account)
            others = tuple(waiting for waiting in state.waiting if waiting != name)
            return replace(state, waiting=others if event.is_over else (*others, name))
        case e.PlayerEntered():
            return _add_entry(state, event)
        case e.DeskAnswered():
            mine = state.entries[str(event.entry)]
            pairs = ((_key_of(mine), _key_of(state.entries[str(other)])) for other in event.others)
            return replace(state, told_apart=(*state.told_apart, *pairs))
        case e.BreachRecorded():
            return replace(state, breaches=event.number)
        case e.PlayerSignedIn():
            return _with_entry(state, event.entry, has_signed_in=True)
        case e.EntryWithdrawn():
            paid_with = state.entries[str(event.entry)].voucher
            state = replace(_with_entry(state, event.entry, status="withdrawn"), are_fees_settled=False)
            return _set_voucher(state, paid_with, "open") if paid_with else state
        case e.ChipsBought():
            return _add_chips(state, event)
        case e.PlayerDisqualified():
            return _with_entry(state, event.entry, status="disqualified")
        case e.FeesCounted():
            return replace(
                state,
                fees_counted=True,
                fees_count=event.counted,
                fees_counted_by=event.by,
                are_fees_settled=False,
            )
        case e.FeesSettled():
            return replace(state, are_fees_settled=True)
        case e.PlayerEliminated():
            return _with_entry(state, event.entry, status="eliminated")
        case e.TieParted():
            for place, entry in enumerate(event.entries, start=1):
                state = _with_entry(state, entry, tie_break=place)
            return state
        case e.ColoursSet():
            return replace(state, colours=event.points)
        case e.EventConcluded():
            return _conclude(state, event)
        case e.PrizeForfeited():
            left = {entry: award for entry, award in state.awards.items() if entry != str(event.entry)}
            won = {} if event.award.entry == event.entry else {str(event.award.entry): event.award}
            return replace(state, awards={**left, **won})
        case e.PrizePaid():
            left = {entry: award for entry, award in state.awards.items() if entry != str(event.entry)}
            return replace(state, awards=left)
        case e.VoucherIssued():
            voucher = HeldVoucher(
                event.number, event.entry, event.event_name, event.fee_cents, event.buy_in_cents, event.is_prize
            )
            return replace(state, vouchers={**state.vouchers, str(event.number): voucher})
        case e.VoucherReturned():
            return _set_voucher(state, event.number, "returned")
        case e.TournamentClosed():
            return replace(state, is_closed=True)
        case e.MoneyAdded() | e.MoneyTakenBack() | e.PoolCarried() | e.ChipsCounted():
            return state
        case _:
            return _apply_to_split(_apply_to_round(_apply_otherwise(state, event), event), event)


def _add_entry(state: TournamentState, event: e.PlayerEntered) -> TournamentState:
    entry = KnownEntry(
        event.entry, event.event_name, event.name, event.account, event.fee, event.buy_in, voucher=event.voucher
    )
    waits = (event.event_name, event.name, event.account)
    state = replace(
        state,
        entries={**state.entries, str(event.entry): entry},
        waiting=tuple(waiting for waiting in state.waiting if waiting != waits),
        fees_counted=state.fees_counted and not event.fee.cents,
    )
    return _set_voucher(state, event.voucher, "used") if event.voucher else state


def _key_of(entry: KnownEntry) -> str:
    return player_key(entry.name, entry.account)


def _set_voucher(state: TournamentState, number: int, how: str) -> TournamentState:
    voucher = replace(state.vouchers[str(number)], state=how)
    return replace(state, vouchers={**state.vouchers, str(number): voucher})


def _add_chips(state: TournamentState, event: e.ChipsBought) -> TournamentState:
    before = state.entries[str(event.entry)]
    bought = {**before.bought, event.kind: before.bought.get(event.kind, 0) + 1}
    is_back = before.is_back or event.kind == "rebuy"
    paid = {**before.chips_paid, event.paid.how: before.chips_paid.get(event.paid.how, 0) + event.paid.cents}
    return _with_entry(
        state,
        event.entry,
        bought=bought,
        chips_paid=paid,
        waiting=before.waiting + event.points,
        is_back=is_back,
        status="in",
    )


def _conclude(state: TournamentState, event: e.EventConcluded) -> TournamentState:
    for entry in event.places:
        state = _with_entry(state, int(entry), status="placed")
    awards = {
        str(award.entry): _besides(state.awards.get(str(award.entry)), award)
        for award in event.awards
        if award.pool_cents or award.house_cents or award.item
    }
    return replace(
        state,
        concluded=(*state.concluded, event.event_name),
        awards={**state.awards, **awards},
        results={**state.results, event.event_name: event.awards},
        split=None,
    )


def _besides(before: Award | None, award: Award) -> Award:
    """Return an award with the cash of an earlier one of the same entry that is not paid yet added to it."""
    if before is None:
        return award
    return replace(
        before, pool_cents=before.pool_cents + award.pool_cents, house_cents=before.house_cents + award.house_cents
    )


def _apply_otherwise(state: TournamentState, event: TournamentEvent) -> TournamentState:
    match event:
        case e.EntryRefunded():
            return replace(_with_entry(state, event.entry, status="refunded"), are_fees_settled=False)
        case e.TournamentCancelled():
            return replace(state, cancelled=event.reason, split=None)
        case e.NoncePromised():
            return replace(state, promised={**state.promised, str(event.entry): event.digest})
        case e.CutTied():
            return _with_round(state, cut_version=state.version + 1, cut_level=event.entries)
        case e.CutDrawn():
            return _with_round(state, cut_level=event.entries, cut_through=event.through)
        case e.NonceRevealed():
            assert state.round is not None
            return _with_round(state, nonces={**state.round.nonces, str(event.entry): event.nonce})
        case _:
            return state


def _apply_to_round(state: TournamentState, event: TournamentEvent) -> TournamentState:
    match event:
        case e.RoundPrepared():
            promised = {entry: digest for entry, digest in state.promised.items() if int(entry) in event.entries}
            held = HeldRound(
                event.number, event.event_name, event.round_name, event.entries, event.tables, state.version + 1,
                prepared=event.at, promised=promised,
            )  # fmt: skip
            later = {entry: digest for entry, digest in state.promised.items() if entry not in promised}
            return replace(state, rounds=(*state.rounds, held), promised=later)
        case e.SeatsDrawn():
            return _with_round(state, phase="drawn", seats=event.seats)
        case e.SeatMoved():
            assert state.round is not None
            moved = DrawnSeat(event.entry, event.table, event.seat)
            return _with_round(
                state, seats=tuple(moved if seat.entry == event.entry else seat for seat in state.round.seats)
            )
        case e.RoundStarted():
            for entry, points in event.stacks.items():
                state = _with_entry(
                    state, int(entry), status="in", points=points, waiting=0, is_back=False, round=event.number,
                    tie_break=0,
                )  # fmt: skip
            return _start_round(state, event)
        case e.PointsReported():
            assert state.round is not None
            for entry, points in event.points.items():
                state = _with_entry(state, int(entry), points=points)
            assert state.round is not None
            points_now = {**state.round.points, **event.points}
            return _with_round(state, points=points_now, house={**state.round.house, event.table: event.house})
        case e.RoundEnded():
            return _with_round(state, phase="ended", advance=event.advance)
        case _:
            return state


def _start_round(state: TournamentState, event: e.RoundStarted) -> TournamentState:
    """Begin the round; entries that left after the draw lose their seats, and a table that is empty then is dropped."""
    assert state.round is not None
    seats = tuple(seat for seat in state.round.seats if str(seat.entry) in event.stacks)
    return _with_round(
        state,
        phase="playing",
        started=event.at,
        day=event.day,
        stacks=event.stacks,
        entries=tuple(entry for entry in state.round.entries if str(entry) in event.stacks),
        seats=seats,
        tables=tuple(table for table in state.round.tables if any(seat.table == table for seat in seats)),
    )


def _apply_to_split(state: TournamentState, event: TournamentEvent) -> TournamentState:
    match event:
        case e.SplitProposed():
            return replace(state, split=Split(event.event_name, event.shares))
        case e.SplitAgreed():
            assert state.split is not None
            return replace(state, split=replace(state.split, agreed=(*state.split.agreed, event.entry)))
        case e.SplitConfirmed():
            assert state.split is not None
            return replace(state, split=replace(state.split, confirmed=(*state.split.confirmed, event.entry)))
        case e.SplitStopped():
            ended = (event.event_name,) if event.event_name else ()
            return replace(state, split=None, to_the_end=(*state.to_the_end, *ended))
        case _:
            return state


def _with_entry(state: TournamentState, number: int, **changes: Any) -> TournamentState:  # noqa: ANN401 - of its fields
    changed = replace(state.entries[str(number)], **changes)
    return replace(state, entries={**state.entries, str(number): changed})


def _with_round(state: TournamentState, **changes: Any) -> TournamentState:  # noqa: ANN401 - of its fields
    return replace(state, rounds=(*state.rounds[:-1], replace(state.rounds[-1], **changes)))


def money_moves(state: TournamentState, event: TournamentEvent) -> _Moves:  # noqa: C901 - a case per event
    """Return what an event moves between accounts of a tournament, in cents: they add up to nothing."""
    match event:
        case e.PlayerEntered():
            return (*_payment_moves(event.fee, "fees"), *_payment_moves(event.buy_in, state.pool_of(event.event_name)))
        case e.EntryWithdrawn():
            entry = state.entries[str(event.entry)]
            return _moves_back(state, event.entry, entry.fee, entry.buy_in)
        case e.ChipsBought():
            return _payment_moves(event.paid, state.pool_of(state.entries[str(event.entry)].event_name))
        case e.EntryRefunded():
            return _moves_back(state, event.entry, event.fee, event.buy_in, *event.chips)
        case e.MoneyTakenBack():
            return ((event.pool, -event.cents), ("house", event.cents))
        case e.MoneyAdded():
            return (("house", -event.cents), (event.pool, event.cents))
        case e.PoolCarried():
            return ((event.source, -event.cents), (event.target, event.cents))
        case e.VoucherIssued():
            pool = state.pool_of(state.entries[str(event.entry)].event_name)
            cents = event.fee_cents + event.buy_in_cents
            return ((pool, -cents), ("vouchers", cents))
        case e.VoucherReturned():
            voucher = state.vouchers[str(event.number)]
            cents = voucher.fee_cents + voucher.buy_in_cents
            return (("vouchers", -cents), (event.pool, cents))
        case e.PrizePaid():
            return (
                (event.pool, -event.pool_cents),
                ("house_prizes", -event.house_cents),
                ("paid", event.pool_cents + event.house_cents),
            )
        case _:
            return ()


def _moves_back(state: TournamentState, entry: int, fee: Paid, *into_pool: Paid) -> _Moves:
    """Return the moves that give back what an entry paid."""
    pool = state.pool_of(state.entries[str(entry)].event_name)
    moves = (*_payment_moves(fee, "fees"), *(move for paid in into_pool for move in _payment_moves(paid, pool)))
    return tuple((account, -cents) for account, cents in moves)


def _payment_moves(paid: Paid, target: str) -> _Moves:
    return ((_SOURCES[paid.how], -paid.cents), (target, paid.cents)) if paid.cents else ()
