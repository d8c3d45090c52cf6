"""The state of a tournament: its entries, rounds, points, pools and prizes."""

from __future__ import annotations

from msgspec import Struct

from passline.tournament import events as e
from passline.tournament.plan.schema import Event, Plan, Round
from passline.tournament.results.lot import DrawnSeat
from passline.tournament.results.prizes import Award

ALL_POOLS = "all"
"""The name of the one pool of a tournament without a pool for each event."""
LIVE = frozenset({"entered", "in"})
"""The states of an entry that can still win: before its first round, and from then on."""

GIVEN_BACK = frozenset({"withdrawn", "refunded"})
"""The states of an entry whose money went back."""

_WHOLE = 10_000  # basis points


class KnownEntry(Struct, frozen=True, omit_defaults=True):
    """An entry as it stands now."""

    number: int
    event_name: str
    name: str
    account: str
    fee: e.Paid
    buy_in: e.Paid
    status: str = "entered"  # in, eliminated, disqualified, withdrawn, placed, refunded
    points: int = 0
    waiting: int = 0  # points bought and not played yet
    is_back: bool = False  # it bought in again after losing all: it plays the next round with what it bought
    bought: dict[str, int] = {}  # how often, by kind
    chips_paid: dict[str, int] = {}  # cents of what it bought, by how they were paid
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
    day: str = ""  # on which it began at the facility; empty: that of UTC
    points: dict[str, int] = {}  # reported so far
    house: dict[str, int] = {}  # points the house won, by table
    advance: tuple[int, ...] = ()
    prepared: str = ""  # when, where the draw waits for nonces
    promised: dict[str, str] = {}  # digests of its players' nonces, by entry
    nonces: dict[str, str] = {}  # those that were revealed
    cut_version: int = 0  # of the entry that found players level for a last place: the lot is drawn with its hash
    cut_level: tuple[int, ...] = ()  # who was level there, in the order of the lot once it is drawn
    cut_through: tuple[int, ...] = ()  # who of them goes on by the lot

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The entries whose promised nonces are not revealed yet."""
        return tuple(int(entry) for entry in self.promised if entry not in self.nonces)


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
    """A proposed split: who has signed it, and with whom the director has confirmed it."""

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
    to_the_end: tuple[str, ...] = ()  # events that are played to their end: the director saw somebody pressed to split
    awards: dict[str, Award] = {}  # not paid yet, by entry
    concluded: tuple[str, ...] = ()  # events
    breaches: int = 0
    fees_counted: bool = False  # everything taken so far
    fees_count: int = 0  # the cash that was counted last
    fees_counted_by: str = ""
    are_fees_settled: bool = False  # somebody else has said why the count differs
    promised: dict[str, str] = {}  # digests of nonces for the next seat draw, by entry
    told_apart: tuple[tuple[str, str], ...] = ()  # players by their keys, of whom the desk says that they are two
    results: dict[str, tuple[Award, ...]] = {}  # what each event that is over has awarded
    cancelled: str = ""  # why; a tournament that is cancelled never goes on
    is_closed: bool = False

    @property
    def plan(self) -> Plan:
        """The plan in force."""
        assert self.planned is not None, "the first event of a tournament is its plan"
        return self.planned

    def event(self, name: str) -> Event | None:
        """Return an event of the plan."""
        return next((event for event in self.plan.events if event.name == name), None)

    def entry(self, number: int) -> KnownEntry | None:
        """Return an entry by its number."""
        return self.entries.get(str(number))

    def of_event(self, name: str) -> list[KnownEntry]:
        """Return all entries of an event."""
        return [entry for entry in self.entries.values() if entry.event_name == name]

    def players_left(self, event: str) -> list[KnownEntry]:
        """Return the players that are still in an event, those included who entered again and play the next round."""
        held, planned = self.rounds_of(event), self.event(event)
        seated = held[-1].entries if held else ()
        has_next = planned is not None and len(held) < len(planned.rounds)

        def is_left(entry: KnownEntry) -> bool:
            plays = entry.number in seated or (has_next and entry.has_signed_in)
            return entry.status == "in" or (entry.status == "entered" and plays)

        return [entry for entry in self.of_event(event) if is_left(entry)]

    def refunds_due(self) -> list[KnownEntry]:
        """Return the entries of a cancelled tournament that have not got back what they paid."""
        return [entry for entry in self.entries.values() if self.cancelled and entry.status not in GIVEN_BACK]

    @property
    def round(self) -> HeldRound | None:
        """The round that was prepared last."""
        return self.rounds[-1] if self.rounds else None

    def rounds_of(self, event: str) -> list[HeldRound]:
        """Return the rounds of an event so far."""
        return [held for held in self.rounds if held.event_name == event]

    def plan_of(self, held: HeldRound) -> Round:
        """Return the plan of a round."""
        event = self.event(held.event_name)
        assert event is not None
        return next(planned for planned in event.rounds if planned.name == held.name)

    def pool_of(self, event: str) -> str:
        """Return the account of the pool that an event's buy-ins go to."""
        return f"pool/{event if self.plan.pools == 'by_event' else ALL_POOLS}"

    def unpaid_awards(self, event: str) -> int:
        """Return what was awarded from the pool of an event and is not paid yet."""
        pool = self.pool_of(event)
        return sum(
            award.pool_cents
            for entry, award in self.awards.items()
            if self.pool_of(self.entries[entry].event_name) == pool
        )

    def free(self, event: str) -> int:
        """Return the cents in the pool of an event that are not awarded."""
        return self.balances.get(self.pool_of(event), 0) - self.unpaid_awards(event)

    def fees_expected(self) -> int:
        """Return the cash that the entries paid as fees, less what went back."""
        entries = (entry for entry in self.entries.values() if entry.status not in GIVEN_BACK)
        return sum(entry.fee.cents for entry in entries if entry.fee.how == "cash")

    def added_by_house(self) -> int:
        """Return what the house has put into pools, without the prizes that it pays directly."""
        return -self.balances.get("house", 0)

    def to_award(self, event: Event) -> int:
        """Return what an event pays out of its pool: all of it, or what its places say where more events follow.

        Shares of one pool are shares of all that comes into it, so they are taken of what earlier events have left.
        """
        pool, shares = self.free(event.name), _shares(event)
        if event == self.plan.events[-1]:
            return pool
        following = [event for event in self.plan.events if event.name not in self.concluded]
        whole = _WHOLE if self.plan.pools == "by_event" else sum(map(_shares, following))
        return pool * min(shares, whole) // whole if whole else 0


def _shares(event: Event) -> int:
    return sum(place.prize.basis_points for place in event.places)


def player_key(name: str, account: str) -> str:
    """Return the key of a player: the account, or else the name, whatever its spelling.

    >>> player_key("Ann  Lee", ""), player_key("ann lee", ""), player_key("Ann Lee", "a1")
    ('ann lee', 'ann lee', 'a1')
    """
    return account or " ".join(name.casefold().split())
