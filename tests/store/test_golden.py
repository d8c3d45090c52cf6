"""Old logs still verify, decode and lead to the same table.

A golden log is never rewritten once tables run on its events: a new version of an event gets a new golden log beside
the old ones. To write the newest one, before it is in use:

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/store/test_golden.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec import json

from passline.game.events import Event
from passline.game.evolve import fold
from passline.game.position import open_table
from passline.rules.rules import Rules
from passline.store.entry import upcast
from passline.store.export import write_jsonl
from passline.store.genesis import LogBegun
from passline.store.log_source import open_source
from passline.store.sealed import stored_of
from passline.store.verify import verify_log
from tests.store.recorded import KEY, hand_of_two

GOLDEN = Path(__file__).parent / "golden"
NEWEST = GOLDEN / "log-1.jsonl"

if os.environ.get("PASSLINE_WRITE_GOLDEN") == "1":
    write_jsonl(hand_of_two()[0].rows(), NEWEST)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.jsonl")), ids=lambda path: path.name)
def test_a_golden_log_verifies_and_decodes(path: Path) -> None:
    with open_source(str(path)) as source:
        report = verify_log(source.rows(), KEY.public, every_seal=True)
        entries = [stored_of(line).entry for line in source.rows()]
    assert not report.faults
    assert (report.log_id, report.entries) == ("golden", len(entries))
    events = [event for entry in entries for event in json.decode(upcast(entry.events), type=list[Event | LogBegun])]
    table = open_table(Rules.of("maryland"))
    table = fold(table, [event for event in events if not isinstance(event, LogBegun)])
    assert table.money.racks[:2] == (440_00, 329_00)


def test_the_newest_golden_log_is_written_byte_for_byte() -> None:
    """If this fails, an event changed: it needs a new version, an upcaster and a golden log."""
    log, game = hand_of_two()
    assert game.table.money.racks[:2] == (440_00, 329_00)
    with open_source(str(NEWEST)) as source:
        assert [line.body for line in source.rows()] == [line.body for line in log.rows()]
