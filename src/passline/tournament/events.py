"""Events of a tournament; their names are stable and versioned. Money is in cents, chips are points, never both."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.tournament.results.lot import DrawnSeat
from passline.tournament.results.prizes import Award


class Paid(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """How a fee or a buy-in was paid, and its value: cash, in_kind, complimentary or voucher."""

    how: str
    cents: int
    item: str = ""  # what was given in place of money


class _Event(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="event"):
    pass


class TournamentPlanned(_Event, frozen=True, tag="tournament-planned/1"):
    """A plan was kept; until entries are taken another may replace it."""

    plan: dict[str, Any]
    digest: str
    pages: str  # the digest of what its regulation says of tournaments


class LotCommitted(_Event, frozen=True, tag="lot-committed/1"):
    """The next seat draw is bound to a key: its digest is known, the key is not."""

    number: int
    digest: str


class PlayerWaits(_Event, frozen=True, tag="player-waits/1"):
    """Somebody stands on the waiting list of an event, or does so no more."""

    event_name: str
    name: str
    account: str = ""
    is_over: bool = False


class PlayerEntered(_Event, frozen=True, tag="player-entered/1"):
    """A player entered an event and paid for it."""

    entry: int  # from 1, without a gap
    event_name: str
    name: str
    account: str
    fee: Paid
    buy_in: Paid
    points: int
    occurred: str  # when the money was taken
    cashier: str
    voucher: int = 0  # the number of the voucher it was entered with
    reenters: int = 0  # the entry that was eliminated before


class DeskAnswered(_Event, frozen=True, tag="desk-answered/1"):
    """The desk looked at a player whose name is like others', and says that it is none of them."""

    entry: int
    others: tuple[int, ...] = ()  # entries
    employee: str = ""
    clause: str = ""


class BreachRecorded(_Event, frozen=True, tag="tournament-breach/1"):
    """Something happened that a clause does not allow; somebody must look into it."""

    number: int  # from 1, without a gap
    clause: str
    why: str
    entry: int = 0


class PlayerSignedIn(_Event, frozen=True, tag="player-signed-in/1"):
    """A player signed the sheet and was given the rules of the tournament."""

    entry: int


class EntryWithdrawn(_Event, frozen=True, tag="entry-withdrawn/1"):
    """An entry was taken back before play; what was paid went back."""

    entry: int
    reason: str


class ChipsBought(_Event, frozen=True, tag="chips-bought/1"):
    """A player bought more chips. They are played from the next game on."""

    entry: int
    kind: str  # rebuy or add_on
    paid: Paid
    points: int


class PlayerDisqualified(_Event, frozen=True, tag="player-disqualified/1"):
    """An entry is out and wins nothing."""

    entry: int
    clause: str
    reason: str


class FeesCounted(_Event, frozen=True, tag="fees-counted/1"):
    """The cash of entry fees, kept apart until now, was counted."""

    counted: int
    expected: int
    by: str = ""  # who counted, where somebody else settles a difference


class FeesSettled(_Event, frozen=True, tag="fees-settled/1"):
    """Somebody who did not count the cash of fees said why it is not what the entries paid; the count stays."""

    counted: int
    expected: int
    reason: str
    clause: str = ""


class MoneyAdded(_Event, frozen=True, tag="money-added/1"):
    """The house put money into a pool."""

    pool: str
    cents: int


class PoolCarried(_Event, frozen=True, tag="pool-carried/1"):
    """What an event did not pay out went into the pool of a later one."""

    source: str
    target: str
    cents: int


class RoundPrepared(_Event, frozen=True, tag="round-prepared/1"):
    """Who plays a round and at which tables is fixed; the seats are drawn next."""

    number: int  # of the rounds that were played, from 1
    event_name: str
    round_name: str
    entries: tuple[int, ...]
    tables: tuple[str, ...]
    at: str = ""  # where the draw waits for nonces


class NoncePromised(_Event, frozen=True, tag="nonce-promised/1"):
    """A player is bound to a nonce for the next seat draw: its digest is known, the nonce is not."""

    entry: int
    digest: str


class NonceRevealed(_Event, frozen=True, tag="nonce-revealed/1"):
    """A player said the nonce that was promised; the round was prepared before."""

    entry: int
    nonce: str


class SeatsDrawn(_Event, frozen=True, tag="seats-drawn/1"):
    """The lot was drawn, by the key that was committed to before."""

    number: int  # of the round
    lot: int
    hash: str  # of the entry that prepared the round, in hex
    key: str  # of the lot, in hex
    seats: tuple[DrawnSeat, ...]
    nonces: dict[str, str] = {}  # of players, by entry, in hex


class SeatMoved(_Event, frozen=True, tag="seat-moved/1"):
    """A player sits elsewhere, before the round began."""

    number: int
    entry: int
    table: str
    seat: int


class RoundStarted(_Event, frozen=True, tag="round-started/1"):
    """A round began, everybody with these points in chips."""

    number: int
    stacks: dict[str, int]  # points by entry; JSON has only texts as keys
    at: str = ""
    day: str = ""  # at the facility; empty: that of UTC


class ColoursSet(_Event, frozen=True, tag="colours-set/1"):
    """From now on chips of each colour stand for these points."""

    points: dict[str, int]


class PointsReported(_Event, frozen=True, tag="points-reported/1"):
    """A table's round is over: what each player has, and what the house won or lost, in points."""

    number: int
    table: str
    points: dict[str, int]  # by entry
    house: int
    rolls: int


class ChipsCounted(_Event, frozen=True, tag="chips-counted/1"):
    """A player's chips were counted: a claim, held against the points on record."""

    number: int
    entry: int
    counted: int
    recorded: int


class PlayerEliminated(_Event, frozen=True, tag="player-eliminated/1"):
    """A player has no chips left and buys none, or did not come through a round."""

    entry: int
    number: int


class TieParted(_Event, frozen=True, tag="tie-parted/1"):
    """Entries that were level were put in order, best first."""

    entries: tuple[int, ...]
    how: str


class CutTied(_Event, frozen=True, tag="cut-tied/1"):
    """Entries are level for a last place that goes on; the lot is drawn next."""

    number: int
    entries: tuple[int, ...]


class CutDrawn(_Event, frozen=True, tag="cut-drawn/1"):
    """The lot was drawn, by the key that was committed to before: who goes on of those who were level."""

    number: int  # of the round
    lot: int
    hash: str  # of the entry that found them level, in hex
    key: str  # of the lot, in hex
    entries: tuple[int, ...]  # all who were level for a last place, in the order of the lot
    through: tuple[int, ...]  # those of them who go on


class RoundEnded(_Event, frozen=True, tag="round-ended/1"):
    """A round is over and these go on."""

    number: int
    advance: tuple[int, ...]


class SplitProposed(_Event, frozen=True, tag="split-proposed/1"):
    """A player asked that the cash prizes be shared so: cents by entry."""

    event_name: str
    shares: dict[str, int]
    by_entry: int


class SplitAgreed(_Event, frozen=True, tag="split-agreed/1"):
    """A player signed the split."""

    entry: int


class SplitConfirmed(_Event, frozen=True, tag="split-confirmed/1"):
    """The director found that a player knows that it must be voluntary and unanimous, and that it is."""

    entry: int


class SplitStopped(_Event, frozen=True, tag="split-stopped/1"):
    """A split is off: somebody does not want it, or seems to be pressed."""

    reason: str
    event_name: str = ""  # named where play must go on to its end: the director saw somebody pressed
    clause: str = ""


class SplitMade(_Event, frozen=True, tag="split-made/1"):
    """Everybody has signed and the director has confirmed it with each: the cash is awarded as agreed."""

    event_name: str
    shares: dict[str, int]
    clause: str = ""


class VoucherIssued(_Event, frozen=True, tag="voucher-issued/1"):
    """An entry won a voucher for a later event, which only that player may use."""

    number: int
    entry: int
    event_name: str
    fee_cents: int
    buy_in_cents: int
    is_prize: bool  # a prize payout, or the buy-in into an event that has neither fee nor buy-in


class VoucherReturned(_Event, frozen=True, tag="voucher-returned/1"):
    """A voucher that nobody used went back into the pool."""

    number: int
    pool: str


class EventConcluded(_Event, frozen=True, tag="event-concluded/1"):
    """An event is over: everybody's place and what it wins."""

    event_name: str
    places: dict[str, int]  # by entry
    awards: tuple[Award, ...]


class PrizeForfeited(_Event, frozen=True, tag="prize-forfeited/1"):
    """Somebody who was disqualified after the end of an event had won; the next best entry wins it instead."""

    entry: int
    award: Award  # what the next best is handed now; nothing, if the cash stays for an event that goes on
    clause: str


class PrizePaid(_Event, frozen=True, tag="prize-paid/1"):
    """A winner received a prize."""

    entry: int
    pool: str
    pool_cents: int
    house_cents: int
    item: str
    item_cents: int


class TournamentCancelled(_Event, frozen=True, tag="tournament-cancelled/1"):
    """The tournament is cancelled for good: nothing more is played, and what was paid goes back."""

    reason: str
    clause: str = ""


class MoneyTakenBack(_Event, frozen=True, tag="money-taken-back/1"):
    """What the house had put into a pool went back to it: the tournament was cancelled."""

    pool: str
    cents: int


class EntryRefunded(_Event, frozen=True, tag="entry-refunded/1"):
    """A player got back what an entry of a cancelled tournament had paid."""

    entry: int
    fee: Paid
    buy_in: Paid
    chips: tuple[Paid, ...] = ()  # bought besides


class TournamentClosed(_Event, frozen=True, tag="tournament-closed/1"):
    """Everything is paid out; nothing can be added any more."""


TournamentEvent = (
    TournamentPlanned | LotCommitted | PlayerWaits | PlayerEntered | DeskAnswered | BreachRecorded | PlayerSignedIn
    | EntryWithdrawn | ChipsBought | PlayerDisqualified | FeesCounted | FeesSettled | MoneyAdded | PoolCarried
    | RoundPrepared | NoncePromised | NonceRevealed | SeatsDrawn | SeatMoved | RoundStarted | ColoursSet
    | PointsReported | ChipsCounted | PlayerEliminated | TieParted | CutTied | CutDrawn | RoundEnded | SplitProposed
    | SplitAgreed | SplitConfirmed | SplitStopped | SplitMade | VoucherIssued | VoucherReturned | EventConcluded
    | PrizeForfeited | PrizePaid | TournamentCancelled | MoneyTakenBack | EntryRefunded | TournamentClosed
)  # fmt: skip
"""Everything that can stand in the stream of a tournament."""
