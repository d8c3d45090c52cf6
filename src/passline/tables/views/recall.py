"""Recall: a table's past hands, the table at any moment, and what players' screens showed at a dispute."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.game import events as e
from passline.game.wording import seat_name
from passline.store.entry import Stored
from passline.streams.course import Actor
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.entries import TableEntry, table_entries
from passline.tables.live import LiveTable
from passline.tables.views.table_view import own_of, view_of
from passline.tables.views.wording import call_of, lines_of

__all__ = ["Dispute", "HandLine", "HandPlayed", "disputes_of", "hand_lines", "hands_of", "table_at"]

_SHOWN_BEFORE = 5_000  # entries of a table; no connected screen is so far behind


class HandPlayed(Struct, frozen=True):
    """One shooter's hand: its number, who shot, its rolls, and where it lies in the log."""

    number: int
    shooter: int
    name: str
    rolls: int
    first: int  # sequence
    last: int
    at: str  # when it began


class HandLine(Struct, frozen=True):
    """One entry of a hand, in words."""

    sequence: int
    at: str
    actor: str
    role: str
    signed_by: str
    lines: tuple[str, ...]
    call: str


class Dispute(Struct, frozen=True):
    """A freeze, and by seat what its screen showed then; None if that was too long before (see `table_at`)."""

    sequence: int
    at: str
    seat: int
    reason: str
    shown: dict[str, dict[str, Any] | None]


def hands_of(entries: Iterable[Stored]) -> list[HandPlayed]:
    """Return the hands of one table in order. If a correction undoes a hand, the next one takes its number."""
    hands: dict[int, HandPlayed] = {}
    rolls: dict[int, int] = {}  # the hand of each roll, by the roll's number
    for decision in table_entries(entries):
        entry, after = decision.entry, decision.after
        for event in decision.events:
            match event:
                case e.DiceAccepted():
                    name = seat_name(event.seat, {seat: player.name for seat, player in after.players.items()})
                    hands[after.hand] = HandPlayed(after.hand, event.seat, name, 0, entry.sequence, 0, entry.at)
                case e.RollSettled():
                    rolls[after.track.roll] = after.hand
                case t.RollCorrected():
                    assert after.before_roll is not None
                    rolls[after.track.roll] = after.before_roll.track.hand
                    hands = {number: hand for number, hand in hands.items() if number <= after.hand}
                case _:
                    pass
        if after.hand in hands:
            hands[after.hand] = replace(hands[after.hand], last=entry.sequence)
    counts = Counter(rolls.values())
    return [replace(hand, rolls=counts[hand.number]) for hand in hands.values()]


def hand_lines(entries: Iterable[Stored], number: int) -> list[HandLine]:
    """Return one hand of a table entry by entry; hand 0 is what came before the first shooter.

    The stream is folded from its beginning, since names and rules come from there.
    """
    return [_hand_line(decision) for decision in table_entries(entries) if decision.entry.hand == number]


def _hand_line(decision: TableEntry) -> HandLine:
    entry = decision.entry
    return HandLine(
        entry.sequence,
        entry.at,
        entry.actor,
        entry.role,
        entry.signed_by,
        lines_of(decision.before, decision.after, decision.events),
        call_of(decision.after, decision.events),
    )


def table_at(entries: Iterable[Stored], sequence: int) -> LiveTable | None:
    """Return one table as it was right after a sequence of the log; None if it was not open yet."""
    found = None
    for decision in table_entries(entries):
        if decision.entry.sequence > sequence:
            break
        found = decision.after
    return found


def disputes_of(entries: Iterable[Stored], approvals: Approvals) -> list[Dispute]:
    """Return every freeze of one table, with what each seat's screen showed by its own confirmation."""
    history: deque[tuple[int, LiveTable]] = deque(maxlen=_SHOWN_BEFORE)
    found: list[Dispute] = []
    for decision in table_entries(entries):
        entry = decision.entry
        history.append((entry.sequence, decision.after))
        for event in decision.events:
            if isinstance(event, t.TableFrozen | t.ScreensShown):
                shown = {seat: _shown(history, seat, last, approvals) for seat, last in event.shown.items()}
                if isinstance(event, t.TableFrozen):
                    found.append(Dispute(entry.sequence, entry.at, event.seat, event.reason, shown))
                else:
                    found[-1] = replace(found[-1], shown={**found[-1].shown, **shown})
    return found


def _shown(history: deque[tuple[int, LiveTable]], seat: str, last: int, approvals: Approvals) -> dict[str, Any] | None:
    """Return what one seat's screen showed: the table as of its last confirmed news, and its own rack."""
    live = next((live for sequence, live in reversed(history) if sequence <= last), None)
    if live is None:
        return None
    player = live.players.get(int(seat)) if seat.isdecimal() else None
    own = own_of(live, Actor(player.account, player.name, "player")) if player else None
    return {"sequence": last, "table": view_of(live, approvals), "own": own}
