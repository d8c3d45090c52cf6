"""The state of a tournament: its entries, rounds, points, pools and prizes, folded from its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from passline.tournament import events as e
from passline.tournament.events import TournamentEvent
from passline.tournament.ledger import ALL_POOLS, moves_of
from passline.tournament.plan.schema import Event, Plan, Round
from passline.tournament.results.lot import DrawnSeat
from passline.tournament.results.prizes import Award

__all__ = [
    "LIVE",
    "HeldRound",
    "HeldVoucher",
    "KnownEntry",
    "Split",
    "TournamentState",
    "evolve",
    "fold",
    "player_key",
]

LIVE = frozenset({"entered", "in"})
"""The states of an entry that can still win: before its first round, and from then on."""


class KnownEntry(Struct, frozen=True, omit_defaults=True):
    """An entry as it stands now."""

    number: int
    event_name: str
    name: str
    account: str
    fee: e.Paid
    buy_in: e.Paid
    status: str = "entered"  # in, eliminated, disqualified, withdrawn, placed
    points: int = 0
    waiting: int = 0  # points bought and not played yet
    is_back: bool = False  # it bought in again after losing all: it plays the next round with what it bought
    bought: dict[str, int] = {}  # how often, by kind
    round: int = 0  # the last round it played
    tie_break: int = 0
    has_signed_in: bool = False
    voucher: int = 0


class HeldRound(Struct, frozen=True, omit_defaults=True):
    """A round of an event that was prepared."""

    number: int
    event_name: str
    name: str
    entries: tuple[int, ...]
    tables: tuple[str, ...]
    version: int  # of the entry that prepared it
    phase: str = "prepared"  # drawn, playing, ended
    seats: tuple[DrawnSeat, ...] = ()
    stacks: dict[str, int] = {}
    started: str = ""
    points: dict[str, int] = {}  # reported so far
    house: dict[str, int] = {}  # points the house won, by table
    advance: tuple[int, ...] = ()


class HeldVoucher(Struct, frozen=True, omit_defaults=True):
    """A voucher: whose it is, what it lets its owner enter, and whether it was used."""

    number: int
    entry: int
    event_name: str
    fee_cents: int
    buy_in_cents: int
    is_prize: bool
    state: str = "open"  # used, returned


class Split(Struct, frozen=True, omit_defaults=True):
    """A split that was proposed: who has signed, and with whom the director has confirmed it."""

    event_name: str
    shares: dict[str, int]
    agreed: tuple[int, ...] = ()
    confirmed: tuple[int, ...] = ()


class TournamentState(Struct, frozen=True, omit_defaults=True):
    """All that holds in a tournament. Numbers are texts where they are keys: JSON has no others."""

    version: int = 0
    planned: Plan | None = None
    digest: str = ""
    pages: str = ""
    lot: int = 0
    lot_digest: str = ""
    entries: dict[str, KnownEntry] = {}
    waiting: tuple[tuple[str, str, str], ...] = ()  # event, name and account, in order
    rounds: tuple[HeldRound, ...] = ()
    colours: dict[str, int] = {}
    balances: dict[str, int] = {}
    vouchers: dict[str, HeldVoucher] = {}
    split: Split | None = None
    awards: dict[str, Award] = {}  # not paid yet, by entry
    concluded: tuple[str, ...] = ()  # events
    breaches: int = 0
    fees_counted: bool = False  # everything taken so far
    is_closed: bool = False

    @property
    def plan(self) -> Plan:
        """The plan in force."""
        assert self.planned is not None, "the first event of a tournament is its plan"
        return self.planned

    def event(self, name: str) -> Event | None:
        """Return an event of the plan."""
        return next((one for one in self.plan.events if one.name == name), None)

    def entry(self, number: int) -> KnownEntry | None:
        """Return an entry by its number."""
        return self.entries.get(str(number))

    def of_event(self, name: str) -> list[KnownEntry]:
        """Return all entries of an event."""
        return [one for one in self.entries.values() if one.event_name == name]

    @property
    def round(self) -> HeldRound | None:
        """The round that was prepared last."""
        return self.rounds[-1] if self.rounds else None

    def rounds_of(self, event: str) -> list[HeldRound]:
        """Return the rounds of an event so far."""
        return [one for one in self.rounds if one.event_name == event]

    def plan_of(self, held: HeldRound) -> Round:
        """Return the plan of a round."""
        event = self.event(held.event_name)
        assert event is not None
        return next(one for one in event.rounds if one.name == held.name)

    def pool_of(self, event: str) -> str:
        """Return the account of the pool that an event's buy-ins go to."""
        return f"pool/{event if self.plan.pools == 'by_event' else ALL_POOLS}"


def player_key(name: str, account: str) -> str:
    """Return what tells a player from others: the account, or else the name however it is written.

    >>> player_key("Ann  Lee", ""), player_key("ann lee", ""), player_key("Ann Lee", "a1")
    ('ann lee', 'ann lee', 'a1')
    """
    return account or " ".join(name.casefold().split())


def fold(state: TournamentState | None, events: Iterable[TournamentEvent]) -> TournamentState:
    """Return a tournament after one decision."""
    after = state or TournamentState()
    for event in events:
        after = evolve(after, event)
    return replace(after, version=after.version + 1)


def evolve(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Return a tournament after one event: its money first, then what it is about."""
    balances = dict(state.balances)
    for account, cents in moves_of(state, event):
        balances[account] = balances.get(account, 0) + cents
    return _evolved(replace(state, balances={one: cents for one, cents in balances.items() if cents}), event)


def _evolved(state: TournamentState, event: TournamentEvent) -> TournamentState:  # noqa: C901, PLR0912
    match event:
        case e.TournamentPlanned():
            plan = convert(event.plan, Plan)
            colours = {one.colour: one.points for one in plan.colours}
            return replace(state, planned=plan, digest=event.digest, pages=event.pages, colours=colours)
        case e.LotCommitted():
            return replace(state, lot=event.number, lot_digest=event.digest)
        case e.PlayerWaits():
            name = (event.event_name, event.name, event.account)
            others = tuple(one for one in state.waiting if one != name)
            return replace(state, waiting=others if event.is_over else (*others, name))
        case e.PlayerEntered():
            return _entered(state, event)
        case e.BreachRecorded():
            return replace(state, breaches=event.number)
        case e.PlayerSignedIn():
            return _with(state, event.entry, has_signed_in=True)
        case e.EntryWithdrawn():
            return _with(state, event.entry, status="withdrawn")
        case e.ChipsBought():
            return _bought(state, event)
        case e.PlayerDisqualified():
            return _with(state, event.entry, status="disqualified")
        case e.FeesCounted():
            return replace(state, fees_counted=True)
        case e.PlayerEliminated():
            return _with(state, event.entry, status="eliminated")
        case e.TieParted():
            for place, entry in enumerate(event.entries, start=1):
                state = _with(state, entry, tie_break=place)
            return state
        case e.ColoursSet():
            return replace(state, colours=event.points)
        case e.EventConcluded():
            return _concluded(state, event)
        case e.PrizePaid():
            left = {entry: award for entry, award in state.awards.items() if entry != str(event.entry)}
            return replace(state, awards=left)
        case e.VoucherIssued():
            voucher = HeldVoucher(
                event.number, event.entry, event.event_name, event.fee_cents, event.buy_in_cents, event.is_prize
            )
            return replace(state, vouchers={**state.vouchers, str(event.number): voucher})
        case e.VoucherReturned():
            return _used(state, event.number, "returned")
        case e.TournamentClosed():
            return replace(state, is_closed=True)
        case e.MoneyAdded() | e.PoolCarried() | e.ChipsCounted():
            return state
        case _:
            return _split(_round(state, event), event)


def _entered(state: TournamentState, event: e.PlayerEntered) -> TournamentState:
    entry = KnownEntry(
        event.entry, event.event_name, event.name, event.account, event.fee, event.buy_in, voucher=event.voucher
    )
    waits = (event.event_name, event.name, event.account)
    state = replace(
        state,
        entries={**state.entries, str(event.entry): entry},
        waiting=tuple(one for one in state.waiting if one != waits),
        fees_counted=state.fees_counted and not event.fee.cents,
    )
    return _used(state, event.voucher, "used") if event.voucher else state


def _used(state: TournamentState, number: int, how: str) -> TournamentState:
    voucher = replace(state.vouchers[str(number)], state=how)
    return replace(state, vouchers={**state.vouchers, str(number): voucher})


def _bought(state: TournamentState, event: e.ChipsBought) -> TournamentState:
    before = state.entries[str(event.entry)]
    bought = {**before.bought, event.kind: before.bought.get(event.kind, 0) + 1}
    is_back = before.is_back or event.kind == "rebuy"
    return _with(state, event.entry, bought=bought, waiting=before.waiting + event.points, is_back=is_back, status="in")


def _concluded(state: TournamentState, event: e.EventConcluded) -> TournamentState:
    for entry in event.places:
        state = _with(state, int(entry), status="placed")
    awards = {str(one.entry): one for one in event.awards if one.pool_cents or one.house_cents or one.item}
    return replace(state, concluded=(*state.concluded, event.event_name), awards={**state.awards, **awards}, split=None)


def _round(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Return a tournament after an event of its rounds."""
    match event:
        case e.RoundPrepared():
            held = HeldRound(
                event.number, event.event_name, event.round_name, event.entries, event.tables, state.version + 1
            )
            return replace(state, rounds=(*state.rounds, held))
        case e.SeatsDrawn():
            return _held(state, phase="drawn", seats=event.seats)
        case e.SeatMoved():
            assert state.round is not None
            moved = DrawnSeat(event.entry, event.table, event.seat)
            return _held(state, seats=tuple(moved if one.entry == event.entry else one for one in state.round.seats))
        case e.RoundStarted():
            for entry, points in event.stacks.items():
                state = _with(
                    state, int(entry), status="in", points=points, waiting=0, is_back=False, round=event.number,
                    tie_break=0,
                )  # fmt: skip
            return _held(state, phase="playing", stacks=event.stacks, started=event.at)
        case e.PointsReported():
            assert state.round is not None
            for entry, points in event.points.items():
                state = _with(state, int(entry), points=points)
            assert state.round is not None
            points_now = {**state.round.points, **event.points}
            return _held(state, points=points_now, house={**state.round.house, event.table: event.house})
        case e.RoundEnded():
            return _held(state, phase="ended", advance=event.advance)
        case _:
            return state


def _split(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Return a tournament after an event of a split."""
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
            return replace(state, split=None)
        case _:
            return state


def _with(state: TournamentState, number: int, **changes: Any) -> TournamentState:  # noqa: ANN401 - of its fields
    """Return a tournament with one entry changed."""
    changed = replace(state.entries[str(number)], **changes)
    return replace(state, entries={**state.entries, str(number): changed})


def _held(state: TournamentState, **changes: Any) -> TournamentState:  # noqa: ANN401 - of its fields
    """Return a tournament with its last round changed."""
    return replace(state, rounds=(*state.rounds[:-1], replace(state.rounds[-1], **changes)))
