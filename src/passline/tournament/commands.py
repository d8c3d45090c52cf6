"""Commands to a tournament, as they are logged."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct


class _Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="command"):
    pass


FILLED_IN_FIELDS = frozenset({"pages", "lot_digest", "gate", "day", "is_alone", "is_employee", "resembles"})
"""The fields of commands that the server fills in before they are decided, and not whoever sends them."""


class PlanTournament(_Command, frozen=True, kw_only=True, tag="plan-tournament"):
    """Keep the plan of a tournament, or another one as long as nobody has entered."""

    plan: dict[str, Any]
    pages: str = ""  # what the regulation says of tournaments, packed: the plan stays under it; set by the server
    lot_digest: str = ""  # of the key of the first seat draw; set by the server


class WaitForPlace(_Command, frozen=True, kw_only=True, tag="wait-for-place"):
    """Put somebody on the waiting list of an event, or take them off."""

    event: str
    name: str
    account: str = ""
    is_over: bool = False


class EnterPlayer(_Command, frozen=True, kw_only=True, tag="enter-player"):
    """Take an entry: who, into which event, and how fee and buy-in are paid."""

    event: str
    name: str
    account: str = ""
    fee: str = "cash"  # or in_kind, complimentary, voucher
    buy_in: str = "cash"
    fee_item: str = ""
    buy_in_item: str = ""
    voucher: int = 0
    occurred: str = ""  # when the money was taken, if not now
    has_other_entry: bool = False  # this player is known to have a live entry elsewhere
    is_somebody_else: bool = False  # the desk has looked: the name is like another's, the person is not
    is_employee: bool = False  # the server fills it in
    resembles: str = ""  # an employee whose name is like this one; the server fills it in


class SignInPlayer(_Command, frozen=True, kw_only=True, tag="sign-in-player"):
    """Have a player sign the sheet; the rules are handed out with it."""

    entry: int


class WithdrawEntry(_Command, frozen=True, kw_only=True, tag="withdraw-entry"):
    """Take an entry back before its first round."""

    entry: int
    reason: str


class BuyChips(_Command, frozen=True, kw_only=True, tag="buy-chips"):
    """Sell a player more chips, to be played from the next game on."""

    entry: int
    kind: str  # rebuy or add_on
    how: str = "cash"


CAUSES = ("two_entries", "stand_in", "wager_for_another", "hidden_chips", "conduct")
"""Why an entry is disqualified."""


class Disqualify(_Command, frozen=True, kw_only=True, tag="disqualify"):
    """Take an entry out of the tournament: it wins nothing."""

    entry: int
    cause: str  # one of CAUSES
    reason: str


class CountFees(_Command, frozen=True, kw_only=True, tag="count-fees"):
    """Count the cash of entry fees that was kept apart."""

    counted: int


class SettleFees(_Command, frozen=True, kw_only=True, tag="settle-fees"):
    """Say why the cash of entry fees is not what the entries paid, as somebody who did not count it."""

    reason: str


class AddMoney(_Command, frozen=True, kw_only=True, tag="add-money"):
    """Put money of the house into the pool of an event."""

    event: str
    cents: int


class PrepareRound(_Command, frozen=True, kw_only=True, tag="prepare-round"):
    """Fix who plays the next round of an event, and at which tables."""

    event: str
    tables: tuple[str, ...]


class PromiseNonce(_Command, frozen=True, kw_only=True, tag="promise-nonce"):
    """Bind oneself to a nonce for the next seat draw, as the player of an entry, by its SHA-256."""

    entry: int
    digest: str


class RevealNonce(_Command, frozen=True, kw_only=True, tag="reveal-nonce"):
    """Say the nonce that was promised, once the round is prepared."""

    entry: int
    nonce: str  # in hex


class DrawSeats(_Command, frozen=True, kw_only=True, tag="draw-seats"):
    """Draw the seats of the round that is prepared. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # whatever the clock says, the lot that was begun is drawn

    prepared: int  # the version of the entry that prepared it
    hash: str
    key: str
    next_digest: str


class MoveSeat(_Command, frozen=True, kw_only=True, tag="move-seat"):
    """Move a player to a free seat before the round begins."""

    entry: int
    table: str
    seat: int
    is_alone: bool = False  # nobody else in the house could sign it; the server fills it in


class StartRound(_Command, frozen=True, kw_only=True, tag="start-round"):
    """Begin the round: everybody gets their chips."""

    gate: tuple[tuple[str, str], ...] = ()  # what the office lacks, clause and words; set by the server
    day: str = ""  # the day at the facility; set by the server, empty: that of UTC


class SetColours(_Command, frozen=True, kw_only=True, tag="set-colours"):
    """Say what chips of each colour stand for, between rounds."""

    points: dict[str, int]


class ReportPoints(_Command, frozen=True, kw_only=True, tag="report-points"):
    """Record what a table's players have at the end of a round. Only the server gives it."""

    number: int
    table: str
    points: dict[str, int]
    house: int
    rolls: int


class CountChips(_Command, frozen=True, kw_only=True, tag="count-chips"):
    """Record the count of a player's chips, signed by the player and a dealer."""

    entry: int
    counted: int
    is_alone: bool = False  # nobody else in the house could sign it; the server fills it in


class PartTie(_Command, frozen=True, kw_only=True, tag="part-tie"):
    """Put entries that are level in order, best first, as the rule sheet says."""

    entries: tuple[int, ...]
    how: str
    is_alone: bool = False  # nobody else in the house could sign it; the server fills it in


class EndRound(_Command, frozen=True, kw_only=True, tag="end-round"):
    """End the round: the best go on."""


class DrawCut(_Command, frozen=True, kw_only=True, tag="draw-cut"):
    """Draw who goes on of those who are level for a last place. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # whatever the clock says, the lot that was begun is drawn

    prepared: int  # the version of the entry that ended the round level
    hash: str
    key: str
    next_digest: str


class ProposeSplit(_Command, frozen=True, kw_only=True, tag="propose-split"):
    """Ask that the cash prizes be shared so, as one of the players left."""

    event: str
    entry: int
    shares: dict[str, int]


class AgreeSplit(_Command, frozen=True, kw_only=True, tag="agree-split"):
    """Sign the split as one of the players left."""

    entry: int


class ConfirmSplit(_Command, frozen=True, kw_only=True, tag="confirm-split"):
    """Confirm with a player that the split is voluntary, as the director."""

    entry: int
    is_understood: bool = False


class StopSplit(_Command, frozen=True, kw_only=True, tag="stop-split"):
    """Call a split off."""

    reason: str


class ConcludeEvent(_Command, frozen=True, kw_only=True, tag="conclude-event"):
    """Award the places of an event."""

    event: str
    day: str = ""  # the day at the facility; set by the server, empty: that of UTC


class PayPrize(_Command, frozen=True, kw_only=True, tag="pay-prize"):
    """Hand a winner what was won."""

    entry: int
    is_alone: bool = False  # nobody else in the house could sign it; the server fills it in


class ReturnVoucher(_Command, frozen=True, kw_only=True, tag="return-voucher"):
    """Put the value of a voucher that nobody used back into the pool."""

    number: int


class CancelTournament(_Command, frozen=True, kw_only=True, tag="cancel-tournament"):
    """Cancel a tournament for good: nothing more is played, and everybody gets back what they paid."""

    reason: str
    is_alone: bool = False  # nobody else in the house could sign it; the server fills it in


class RefundEntry(_Command, frozen=True, kw_only=True, tag="refund-entry"):
    """Return what an entry of a cancelled tournament paid to its player: fee, buy-in and chips bought."""

    entry: int
    is_alone: bool = False  # nobody else in the house could sign it; the server fills it in


class CloseTournament(_Command, frozen=True, kw_only=True, tag="close-tournament"):
    """Close the books: everything is paid out."""


TournamentCommand = (
    PlanTournament | WaitForPlace | EnterPlayer | SignInPlayer | WithdrawEntry | BuyChips | Disqualify | CountFees
    | SettleFees | AddMoney | PrepareRound | PromiseNonce | RevealNonce | DrawSeats | MoveSeat | StartRound
    | SetColours | ReportPoints | CountChips | PartTie | EndRound | DrawCut | ProposeSplit | AgreeSplit
    | ConfirmSplit | StopSplit | ConcludeEvent | PayPrize | ReturnVoucher | CancelTournament | RefundEntry
    | CloseTournament
)  # fmt: skip
"""Everything that can be asked of a tournament."""

IN_WORDS: dict[type, str] = {
    PlanTournament: "keep a plan",
    WaitForPlace: "change the waiting list",
    EnterPlayer: "take an entry",
    SignInPlayer: "sign a player in",
    WithdrawEntry: "withdraw an entry",
    BuyChips: "sell chips",
    Disqualify: "disqualify an entry",
    CountFees: "record the count of entry fees",
    SettleFees: "settle a difference of entry fees",
    AddMoney: "add money of the house to a pool",
    PrepareRound: "prepare a round",
    PromiseNonce: "promise a nonce for the draw",
    RevealNonce: "reveal a nonce for the draw",
    DrawSeats: "draw the seats",
    MoveSeat: "move a player to another seat",
    StartRound: "start a round",
    SetColours: "set what chips stand for",
    ReportPoints: "report the points of a table",
    CountChips: "record a count of chips",
    PartTie: "put level players in order",
    EndRound: "end a round",
    DrawCut: "draw who goes on of those who are level",
    ProposeSplit: "propose to share the prizes",
    AgreeSplit: "agree to share the prizes",
    ConfirmSplit: "confirm that sharing is voluntary",
    StopSplit: "call the sharing of prizes off",
    ConcludeEvent: "award the places of an event",
    PayPrize: "pay a prize",
    ReturnVoucher: "return a voucher to the pool",
    CancelTournament: "cancel the tournament",
    RefundEntry: "give back what an entry paid",
    CloseTournament: "close the books",
}
"""What each command does, as a sentence names it."""
