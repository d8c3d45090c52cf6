"""Notices for players: what was decided about their money without them, kept by account until they have seen it.

A corrected roll, the finding of a dispute, and a wager that went back because nobody confirmed it in time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, json

from passline.game import commands as c
from passline.game import events as e
from passline.game.position import Wager
from passline.game.wording import format_event, seat_name
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables import events as t
from passline.tables.entries import TableEntry
from passline.tables.events import TableEvent
from passline.tables.rules_in_force import rules_of

NOTICES_TABLES = {
    "player_notices": """CREATE TABLE player_notices (account TEXT NOT NULL, house_table TEXT NOT NULL,
        sequence INTEGER NOT NULL, place INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (account, house_table, sequence, place)) WITHOUT ROWID""",
}
"""How the table of notices is created."""
_TO_ALL = (t.RollCorrected, t.TableReleased, e.DisputeDecided)
_NOTICED = frozenset({*_TO_ALL, e.WagerReturned, e.RollVoided})
_VOID_BY_DISPUTE = "dispute"


class PlayerNotice(Struct, frozen=True, kw_only=True):
    """A notice for one player: what was decided, what it did to their wagers and their rack, and by which clause."""

    sequence: int
    at: str
    table: str
    kind: str  # correction, finding or returned
    says: str
    lines: tuple[str, ...] = ()
    cents: int = 0  # into the player's rack; negative: out of it
    clause: str = ""


_decoder = json.Decoder(PlayerNotice)


def has_notices(happened: Sequence[TableEvent]) -> bool:
    """Return whether a decision gives players a notice."""
    if _NOTICED.isdisjoint(map(type, happened)):  # nearly always
        return False
    return any(
        isinstance(event, _TO_ALL)
        or (isinstance(event, e.WagerReturned) and bool(event.wager.pending))
        or (isinstance(event, e.RollVoided) and event.reason == _VOID_BY_DISPUTE)
        for event in happened
    )


def notices_of(decision: TableEntry) -> Iterator[tuple[str, PlayerNotice]]:
    """Yield the notices of a decision, each with the account it is for."""
    if not has_notices(decision.events):
        return
    rules, seats = rules_of(decision.after), decision.after.players
    for seat, player in sorted(seats.items()):
        for told in _notices_for(decision, rules, seat, player.account):
            yield player.account, told
    gone = {player.account for player in decision.after.left.values()} - {player.account for player in seats.values()}
    for account in sorted(gone):
        for event in decision.events:
            if isinstance(event, t.RollCorrected):
                yield account, _correction(decision, event, rules, account)


def _notices_for(decision: TableEntry, rules: Rules, seat: int, account: str) -> Iterator[PlayerNotice]:
    """Yield what a decision tells the player at a seat."""
    place = _place(decision)
    dispute = clause_text(rules.procedures.dispute.cite)
    for event in decision.events:
        match event:
            case t.RollCorrected():
                yield _correction(decision, event, rules, account)
            case t.TableReleased():
                yield _notice(place, "finding", _finding_text(decision, event), clause=dispute)
            case e.DisputeDecided():
                says = f"The disputed faces are decided by the {event.by}: {event.first}-{event.second}"
                yield _notice(place, "finding", says, clause=event.clause)
            case e.RollVoided(reason="dispute"):
                yield _notice(place, "finding", "The disputed throw is void: no wager is decided", clause=event.clause)
            case e.WagerReturned() if event.wager.seat == seat and _is_unconfirmed(decision.events, event.wager, rules):
                name, wager = rules.wagers[event.wager.kind].display_name(event.wager.number), event.wager
                late = "before the dice came to rest" if wager.late else "before the throw"
                why = f"nobody confirmed it {late}" if wager.pending else "the wager it was behind went back"
                whose = "" if wager.owner == "player" else " for the crew"
                cents = wager.cents + wager.vigorish
                says = f"Your {name}{whose} was returned: {why}"
                yield _notice(
                    place, "returned", says, cents=cents if wager.owner == "player" else 0, clause=event.clause
                )


def _place(decision: TableEntry) -> tuple[int, str, str]:
    return decision.entry.sequence, decision.entry.at, decision.after.id


def _notice(
    place: tuple[int, str, str], kind: str, says: str, *, lines: tuple[str, ...] = (), cents: int = 0, clause: str
) -> PlayerNotice:
    sequence, at, table = place
    return PlayerNotice(
        sequence=sequence, at=at, table=table, kind=kind, says=says, lines=lines, cents=cents, clause=clause
    )


def _correction(decision: TableEntry, event: t.RollCorrected, rules: Rules, account: str) -> PlayerNotice:
    """Return the notice of a correction for an account that sits at the table, or sat there at the throw."""
    seats = {f"rack/{seat}" for seat, player in decision.after.players.items() if player.account == account}
    return _notice(
        _place(decision),
        "correction",
        f"The last roll is corrected from {event.was_first}-{event.was_second} to {event.first}-{event.second}: "
        f"{event.reason}",
        lines=tuple(_changed_outcomes(decision, event, rules, account)),
        cents=sum(move.cents for move in event.movements if move.account in seats),  # who left has the right amount
        clause=event.clause,
    )


def _changed_outcomes(decision: TableEntry, event: t.RollCorrected, rules: Rules, account: str) -> Iterator[str]:
    """Yield what the corrected roll does to the wagers of an account, and what it did that is undone.

    Since the throw a seat may have passed from one player to another: each is told only what came during their stay.
    """
    own = (e.WagerLost, e.WagerWon, e.MeterPaid, e.WagerReturned, e.WagerMoved)
    for redone, seats in zip(event.redone, _seats_during(decision, event.redone), strict=True):
        if isinstance(redone, own) and seats.get(redone.wager.seat) == account:
            line = format_event(redone, rules, {redone.wager.seat: "your"})
            yield line[0].upper() + line[1:]
    assert decision.before is not None, "a correction comes after a roll"
    names = {seat: player.name for seat, player in decision.before.players.items()}
    done = [since.command for since in decision.before.since]
    undone = [
        (command, seats)
        for place, (command, seats) in enumerate(zip(done, _seats_during(decision, done), strict=True))
        if place not in event.kept
    ]
    for text, (command, seats) in zip(event.dropped, undone, strict=True):
        seat = getattr(command, "seat", 0)
        if seats.get(seat) == account:
            yield f"Undone: {text.removeprefix(f'{seat_name(seat, names)}: ')}"


def _seats_during(decision: TableEntry, steps: Sequence[e.Event | c.Command | None]) -> Iterator[dict[int, str]]:
    """Yield the account at each seat during each step since the throw, as far as it is known."""
    now = {seat: player.account for seat, player in decision.after.players.items()}
    taken = [step.seat for step in steps if isinstance(step, (e.SeatTaken, c.TakeSeat))]
    left = {seat: player.account for seat, player in decision.after.left.items()}
    seats = {seat: account for seat, account in now.items() if seat not in taken} | left
    for step in steps:
        if isinstance(step, (e.SeatTaken, c.TakeSeat)):
            taken.remove(step.seat)
            if step.seat not in taken and step.seat in now:  # the last to take it: who sits there now
                seats = {**seats, step.seat: now[step.seat]}
        yield seats
        if isinstance(step, (e.SeatLeft, c.LeaveSeat)):
            seats = {seat: account for seat, account in seats.items() if seat != step.seat}


def _finding_text(decision: TableEntry, event: t.TableReleased) -> str:
    """Return a finding with what was disputed."""
    frozen = decision.before.frozen if decision.before else None
    if frozen is None:  # a practice table is frozen and released at once
        frozen = next((frozen for frozen in decision.events if isinstance(frozen, t.TableFrozen)), None)
    about = f" over {frozen.reason!r}" if frozen else ""
    return f"The dispute{about} is decided: {event.finding}"


def _is_unconfirmed(events: Sequence[TableEvent], wager: Wager, rules: Rules) -> bool:
    """Return whether a wager went back because it, or the wager it was behind, was not confirmed."""
    returned = [event.wager for event in events if isinstance(event, e.WagerReturned) and event.wager.pending]
    behind = rules.wagers[wager.kind].behind
    return wager in returned or any(
        (other.seat, other.owner, other.kind) == (wager.seat, wager.owner, behind) for other in returned
    )


def keep_notices(writer: ViewWriter, decision: TableEntry) -> None:
    """Keep the notices of a decision."""
    found = list(notices_of(decision))
    rows = [
        (account, notice.table, notice.sequence, place, writer.seal("player_notices", json.encode(notice)))
        for place, (account, notice) in enumerate(found)
    ]
    if rows:
        writer.write("INSERT INTO player_notices VALUES (?, ?, ?, ?, ?)", rows)


def find_notices(reader: ViewReader, account: str, table: str) -> list[PlayerNotice]:
    """Return the newest notices for an account at a table, oldest first."""
    sql = """SELECT body FROM player_notices WHERE account = ? AND house_table = ?
        ORDER BY sequence DESC, place DESC LIMIT 20"""
    found = reader.query(sql, (account, table))
    return [_decoder.decode(reader.unseal("player_notices", body)) for [body] in reversed(found)]
