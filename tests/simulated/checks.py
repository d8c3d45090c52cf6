"""What must hold of a simulated house, whatever happened to it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from passline.store.entry import Entry, LogRow, Stored
from passline.store.sqlite import SqliteLog
from passline.store.timestamps import FOLLOWED_SECONDS, later
from passline.store.verify import verify_log
from passline.tables.dice.proofs import DiceProofs
from passline.tables.entries import TABLE_CODEC
from passline.tables.events import DiceRevealed
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM
from passline.tournament.events import PrizePaid
from passline.tournament.evolve import fold_tournament
from passline.tournament.state import TournamentState
from passline.tournament.verify import log_faults
from tests.simulated.server import BEGINS, KEY, LOG_ID
from tests.simulated.storage import FILE
from tests.simulated.world import Machine, in_strand
from tests.tournament.random_director import check_conserved

if TYPE_CHECKING:
    from tests.simulated.clerks import Requester
    from tests.simulated.history import House
    from tests.simulated.people import Person


class Checked(Struct, frozen=True):
    """How much was checked."""

    entries: int
    rolls: int


def check_log(house: House) -> Checked:
    """Check the log of a house in which nobody acts any more, and that it has what people were told."""
    entries = _entries_of(house)
    rows = (LogRow(one.body, one.hash, one.seal) for one in entries)
    anchored = house.anchor.kept[-1] if house.anchor.kept else None
    report = verify_log(rows, KEY.public, anchored, every_seal=True)
    assert report.is_intact, report.faults[:5]
    proofs = DiceProofs()
    faults = list(log_faults(entries, proofs))
    assert not faults, faults[:5]
    logged = Counter((one.entry.stream, one.entry.actor, one.entry.id) for one in entries)
    assert set(logged.values()) <= {1}, "a command acted twice"
    for witness in house.witnesses:
        _check_witness(witness, entries)
    _check_anchored(house, entries)
    _check_prizes([one.entry for one in entries if one.entry.stream.startswith(TOURNAMENT_STREAM)])
    if len(house.servers) == 1:
        _check_times(entries)
    return Checked(len(entries), proofs.proved)


def _entries_of(house: House) -> list[Stored]:
    def read() -> list[Stored]:
        log = SqliteLog(FILE, KEY, connect=house.database.connector(machine), log_id=LOG_ID, at=BEGINS)
        return list(log.read())

    machine = Machine(house.world, "a reader")
    house.others.append(machine)
    found: list[Stored] = in_strand(house.world, read, machine)
    return found


def _check_witness(person: Person | Requester, entries: list[Stored]) -> None:
    """Check that all of which somebody was told is so."""
    mine = (one for one in entries if one.entry.stream == person.stream)
    theirs = {one.entry.id: one for one in mine if one.entry.id.startswith(f"{person.prefix}-")}
    for id_, told in person.done.items():
        stored = theirs.get(id_)
        assert stored is not None, f"{id_} was acknowledged and is lost"
        assert (stored.entry.sequence, stored.hash.hex()) == (told["sequence"], told["hash"]), f"{id_} is another entry"
    for id_, why in person.refused.items():
        assert id_ not in theirs, f"{id_} was refused and yet acted: {why}"
    unknown = theirs.keys() - person.done.keys() - person.waiting.keys()
    assert not unknown, f"{person.prefix} was told nothing of {sorted(unknown)}"
    for sequence, hash_ in person.heads.items():
        assert sequence <= len(entries), f"a page showed entry {sequence}, which is lost"
        assert entries[sequence - 1].hash.hex() == hash_, f"a page showed another entry {sequence}"


def _check_prizes(entries: list[Entry]) -> None:
    """Check that no cent and no point of a tournament was made or lost, and that each prize was paid once."""
    state: TournamentState | None = None
    paid = Counter[int]()
    for entry in entries:
        events = TOURNAMENT_CODEC.events(entry)
        state = fold_tournament(state, events)
        paid.update(event.entry for event in events if isinstance(event, PrizePaid))
    assert set(paid.values()) <= {1}, "a prize was paid twice"
    if state is not None:
        check_conserved(state)
        assert state.is_closed, "the tournament did not come to its end"
        assert not state.cancelled or not state.refunds_due(), "somebody has not got back what they paid"


def _check_times(entries: list[Stored]) -> None:
    """Check that the time of the house never went back, however its machine's clock was set."""
    newest = ""
    for stored in entries[1:]:
        entry = stored.entry
        assert later(entry.at, FOLLOWED_SECONDS) >= newest, f"entry {entry.sequence} is of {entry.at}, after {newest}"
        newest = max(newest, entry.at)


def _check_anchored(house: House, entries: list[Stored]) -> None:
    """Check that no key was revealed before a head outside the database covered what determines its roll."""
    kept = sorted(head.sequence for head in house.anchor.kept)
    closed: dict[str, int] = {}
    for stored in entries:
        entry = stored.entry
        if entry.stream.startswith("table/"):
            if any(isinstance(event, DiceRevealed) for event in TABLE_CODEC.events(entry)):
                fixed = closed[entry.stream]
                assert any(fixed <= sequence < entry.sequence for sequence in kept), (
                    f"roll {entry.sequence} was not anchored"
                )
            closed[entry.stream] = entry.sequence
