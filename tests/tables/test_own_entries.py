"""What a log records about itself, a new key and a restoration, as the house verifies and words it.

`golden/upkeep.jsonl` is such a log, which every later version must read and verify; to write it before it is in use:

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/tables/test_own_entries.py
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import json
from msgspec.structs import replace

from passline.store.entry import Draft, LogRow, chain_hash, entry_of, head_message
from passline.store.export import row_from_json, row_to_json
from passline.store.genesis import LogRestored, restoring_draft, rotation_draft
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import stored_of
from passline.store.verify import verify_log
from passline.tables import commands as k
from passline.tables.entries import HOUSE_CODEC
from passline.tables.house import fold
from passline.tables.verify import decision_faults
from passline.tables.views.wording import house_lines
from tests.tables.signed_house import SignedHouse
from tests.tables.sitting import AT, CREW

GOLDEN = Path(__file__).parent / "golden" / "upkeep.jsonl"
OLD, NEW = SigningKey(bytes(range(1, 33))), SigningKey(bytes(range(32)))


def add(house: SignedHouse, draft: Draft) -> str:
    """Append an entry of the log's own, and return it in words."""
    house.add(draft)
    events = HOUSE_CODEC.events(house.entries[-1].entry)
    house.state = fold(house.state, events)
    return house_lines(events)[0]


def rotation(house: SignedHouse) -> Draft:
    return rotation_draft(
        "a-log", number=1, old=house.key, new=NEW, expected=house.state.version, by="ann", reason="yearly", at=AT
    )


def faults(house: SignedHouse) -> list[tuple[int, str]]:
    return [(fault.sequence, fault.what) for fault in decision_faults(house.entries)]


def test_a_checkpoint_is_signed_by_the_key_of_its_time() -> None:
    house = SignedHouse()
    house.do_house(k.CloseShift(), CREW["floorperson"], signed_by="bea")
    assert add(house, rotation(house)) == f"ann gives the log a new key, {NEW.public.hex()}: yearly"
    old, house.key = house.key, NEW
    house.do_house(k.CloseShift(), CREW["floorperson"], signed_by="bea")
    assert faults(house) == []
    house.key = old  # whoever stole it cannot sign the house's books any more
    house.do_house(k.CloseShift(), CREW["floorperson"], signed_by="bea")
    assert faults(house) == [(len(house.entries), "the signature of the checkpoint of shift 3 does not hold")]


def test_only_the_owner_at_the_command_line_rotates_or_restores() -> None:
    house = SignedHouse()
    add(house, replace(rotation(house), actor="flo", role="floorperson"))
    assert faults(house) == [
        (3, "flo cannot do this as floorperson: it is the owner's at the command line"),
    ]


def test_a_restoration_is_in_words() -> None:
    house = SignedHouse()
    event = LogRestored(
        sequence=2,
        hash="00",
        seal="",
        backed_up=AT,
        lost_sequence=9,
        lost_hash="11",
        lost_seal="",
        by="ann",
        reason="the disk died",
    )
    line = add(house, restoring_draft(event, expected=house.state.version, at=AT))
    assert line == (
        "ann restores the log from a backup of entry 2: the disk died; everything after it, up to entry 9, is lost"
    )
    nothing = restoring_draft(replace(event, lost_sequence=0), expected=house.state.version, at=AT)
    assert add(house, nothing) == "ann restores the log from a backup of entry 2: the disk died"
    assert faults(house) == []


def golden_rows() -> list[LogRow]:
    """Return a log that got a new key and was then restored from a backup."""
    rows = list(MemoryLog(OLD, log_id="a-golden-log", at=AT).rows())

    def append(draft: Draft, key: SigningKey) -> None:
        body = json.encode(entry_of(draft, len(rows) + 1))
        hash_ = chain_hash(rows[-1].hash, rows[-1].seal, body)
        rows.append(LogRow(body, hash_, key.sign(head_message("a-golden-log", len(rows) + 1, hash_))))

    append(
        rotation_draft("a-golden-log", number=1, old=OLD, new=NEW, expected=1, by="ann", reason="yearly", at=AT), OLD
    )
    restored = LogRestored(
        sequence=2,
        hash=rows[-1].hash.hex(),
        seal=rows[-1].seal.hex(),
        backed_up=AT,
        lost_sequence=9,
        lost_hash="00" * 32,
        lost_seal="00" * 64,
        by="ann",
        reason="the disk died",
    )
    append(replace(restoring_draft(restored, expected=2, at=AT), id="restore-log-1"), NEW)
    return rows


def test_the_golden_log_is_intact_by_its_first_key_and_its_newest() -> None:
    if os.environ.get("PASSLINE_WRITE_GOLDEN"):
        GOLDEN.write_bytes(b"".join(map(row_to_json, golden_rows())))
    rows = [row_from_json(text) for text in GOLDEN.read_bytes().splitlines(keepends=True)]
    for key in (OLD, NEW):
        report = verify_log(rows, key.public, every_seal=True)
        assert (report.faults, [note.sequence for note in report.notes]) == ((), [2, 3])
    assert list(decision_faults(map(stored_of, rows))) == []
    assert [row.body for row in golden_rows()] == [row.body for row in rows]
