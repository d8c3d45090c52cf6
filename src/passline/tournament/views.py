"""What people see of a tournament: the board of the room, a player's own rank, the director's desk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.papers.houses import currency_of
from passline.money import DOLLAR
from passline.tournament.judges.cancelling import cash_back
from passline.tournament.judges.cut import level_groups
from passline.tournament.judges.prize_money import OUT, expected_awards
from passline.tournament.judges.rounds import standing_of
from passline.tournament.plan.schema import Event
from passline.tournament.results.ranking import Standing, ranks_of
from passline.tournament.rules import TournamentPages
from passline.tournament.state import GIVEN_BACK, HeldRound, TournamentState


class BoardLine(Struct, frozen=True, omit_defaults=True):
    """One line of the leader board."""

    place: int
    entry: int
    name: str
    points: int | None  # None: counts are secret while the round is played
    table: str = ""
    seat: int = 0
    is_out: bool = False


class BoardTable(Struct, frozen=True):
    """A table of the round: how many rolls it still has, and why it waits, if it does."""

    table: str
    rolls_left: int  # -1: it is played by the clock
    is_done: bool
    waits: str


class BoardPrize(Struct, frozen=True):
    """What a place wins, as the pool stands now."""

    place: int
    cents: int
    item: str
    voucher: str
    basis_points: int = 0  # of the pool, while nothing is in it


class Board(Struct, frozen=True):
    """The board of the room."""

    name: str
    event: str
    round: str
    phase: str
    ends: str  # the moment at which a round by the clock is over; empty: it is played by rolls
    tables: tuple[BoardTable, ...]
    lines: tuple[BoardLine, ...]
    prizes: tuple[BoardPrize, ...]
    pool_cents: int
    entries: int
    colours: dict[str, int]
    undecided: str
    rolls: int = 0  # of the round that is shown, at each table; 0: it is played by the clock
    minutes: int = 0
    currency: str = DOLLAR  # the sign before amounts


class OwnRank(Struct, frozen=True):
    """A player's own rank, and the points behind the place above and ahead of the place below."""

    entry: int
    place: int
    points: int | None
    behind: int | None
    ahead: int | None


def phase_text(held: HeldRound | None) -> str:
    """Return the phase of a round in words."""
    words = {"prepared": "seats are being drawn", "drawn": "seats are drawn", "playing": "playing", "ended": "over"}
    return words[held.phase] if held else "entries are taken"


def phase_of(state: TournamentState) -> str:
    """Return the phase of a tournament in words."""
    if state.is_closed:
        return "closed"
    return "cancelled" if state.cancelled else phase_text(state.round)


def board_of(
    pages: TournamentPages,
    state: TournamentState,
    event: str,
    *,
    live: Mapping[int, int],
    rolls_left: Mapping[str, int],
    waits: Mapping[str, str],
) -> Board:
    """Return the board of an event; `live` has the points of entries that play now, those on the layout too."""
    planned = state.event(event)
    assert planned is not None
    rounds = state.rounds_of(event)
    held = rounds[-1] if rounds else None
    length = state.plan_of(held) if held else None
    lines = _lines(state, event, held, live)
    playing = held.tables if held and held.phase in {"playing", "drawn"} else ()
    done = held.house if held else {}
    tables = tuple(
        BoardTable(table, rolls_left.get(table, -1), table in done, waits.get(table, "")) for table in playing
    )
    pool = state.balances.get(state.pool_of(event), 0)
    return Board(
        name=state.plan.name,
        event=event,
        round=held.name if held else "",
        phase="concluded" if event in state.concluded else "cancelled" if state.cancelled else phase_text(held),
        ends=_ends(held, length.minutes) if held and length else "",
        tables=tables,
        lines=lines,
        prizes=_prizes(pages, state, planned),
        pool_cents=pool,
        entries=sum(entry.status not in GIVEN_BACK for entry in state.of_event(event)),
        colours=state.colours,
        undecided=state.plan.sheet.undecided_wagers,
        rolls=length.rolls if length else 0,
        minutes=length.minutes if length else 0,
        currency=currency_of(state.plan.rules),
    )


def board_for_room(board: Board) -> Board:
    """Return a board as whoever is in the room may see it: that a table waits, but not why."""
    tables = (replace(table, waits="waits" if table.waits else "") for table in board.tables)
    return replace(board, tables=tuple(tables))


def _ends(held: HeldRound, minutes: int) -> str:
    """Return the moment at which a round by the clock is over, while it is played."""
    if not minutes or held.phase != "playing":
        return ""
    return (datetime.fromisoformat(held.started) + timedelta(minutes=minutes)).isoformat()


def _lines(
    state: TournamentState, event: str, held: HeldRound | None, live: Mapping[int, int]
) -> tuple[BoardLine, ...]:
    entries = {entry.number: entry for entry in state.of_event(event) if entry.status not in OUT}
    playing = {*held.entries} if held and held.phase == "playing" else set[int]()
    standings = [
        Standing(number, held.number, live.get(number, entry.points))
        if held and number in playing
        else standing_of(entry)
        for number, entry in entries.items()
    ]
    is_secret = bool(playing) and state.plan.sheet.counts == "secret"
    seats = {seat.entry: seat for seat in held.seats} if held and held.phase in {"drawn", "playing"} else {}
    lines = []
    for rank in ranks_of(standings):
        seat = seats.get(rank.entry)
        hidden = is_secret and rank.entry in playing
        lines.append(
            BoardLine(
                place=0 if hidden else rank.place,
                entry=rank.entry,
                name=entries[rank.entry].name,
                points=None if hidden else rank.points,
                table=seat.table if seat else "",
                seat=seat.seat if seat else 0,
                is_out=entries[rank.entry].status == "eliminated",
            )
        )
    return tuple(sorted(lines, key=lambda line: line.entry)) if is_secret else tuple(lines)


def _prizes(pages: TournamentPages, state: TournamentState, event: Event) -> tuple[BoardPrize, ...]:
    """Return the prizes that were awarded, or as they would be if nobody else entered."""
    is_over = event.name in state.results
    won = state.results[event.name] if is_over else expected_awards(pages, state, event)
    shares = {} if is_over or state.to_award(event) else {place.place: place.prize for place in event.places}
    return tuple(
        BoardPrize(
            award.place,
            award.pool_cents + award.house_cents,
            award.item,
            award.voucher,
            shares[award.place].basis_points if award.place in shares else 0,
        )
        for award in won
    )


def own_rank(board: Board, entry: int) -> OwnRank | None:
    """Return the rank of an entry on the board, with the distance to its neighbours."""
    order = [line for line in board.lines if not line.is_out]
    at = next((number for number, line in enumerate(order) if line.entry == entry), None)
    if at is None:
        return None
    line = order[at]
    above = order[at - 1].points if at else None
    below = order[at + 1].points if at + 1 < len(order) else None
    if line.points is None:
        return OwnRank(entry, 0, None, None, None)
    return OwnRank(
        entry,
        line.place,
        line.points,
        above - line.points if above is not None else None,
        line.points - below if below is not None else None,
    )


class LevelGroup(Struct, frozen=True):
    """Players whom the director must put in order, and how the rule sheet parts them."""

    how: str
    entries: tuple[int, ...]


class FeesView(Struct, frozen=True):
    """The cash of entry fees: what it should be, what was counted, and whether a difference must be explained."""

    expected_cents: int
    counted_cents: int | None  # None: not counted since the last entry
    is_settled: bool  # somebody else has said why it differs
    must_agree: bool  # the books close only when it does, or the difference is explained


class RefundDue(Struct, frozen=True):
    """What an entry of a cancelled tournament gets back."""

    entry: int
    name: str
    cents: int  # in cash
    things: tuple[str, ...]  # given in place of money


def level_of(state: TournamentState) -> tuple[LevelGroup, ...]:
    """Return who must be put in order now."""
    return tuple(LevelGroup(how, entries) for how, entries in level_groups(state))


def fees_of(pages: TournamentPages, state: TournamentState) -> FeesView:
    """Return how the cash of entry fees stands."""
    apart = pages.fee.apart
    counted = state.fees_count if state.fees_counted else None
    must_agree = bool(apart and apart.agrees)
    return FeesView(state.fees_expected(), counted, state.are_fees_settled, must_agree)


def refunds_of(state: TournamentState) -> tuple[RefundDue, ...]:
    """Return what is still to be given back."""
    return tuple(
        RefundDue(
            entry.number,
            entry.name,
            cash_back(entry),
            tuple(paid.item for paid in (entry.fee, entry.buy_in) if paid.item),
        )
        for entry in state.refunds_due()
    )
