"""A log with proved rolls as this Passline wrote it: every later version must prove the same rolls from it.

PASSLINE_WRITE_GOLDEN=1 ./x test tests/tables/dice/test_golden_rolls.py
"""

import asyncio
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from msgspec import json

from passline.game import commands as c
from passline.provable_dice import DiceKeys
from passline.store.entry import Entry, Stored
from passline.store.export import row_from_json, row_to_json
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.verify import verify_log
from passline.streams.course import Answer, Ask
from passline.tables.commands import OpenTable, RenewDice, Roll
from passline.tables.dice.proofs import DiceProofs
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.verify import decision_faults
from tests.tables.decoded import table_entries
from tests.tables.sitting import ALL, ANN, AT, OWNER

PATH = Path(__file__).parents[1] / "golden" / "rolls.jsonl"
KEY = SigningKey(bytes(range(32)))
NONCE = bytes(range(100, 132))
OPENING = OpenTable(name="Craps 1", house={"rules": "maryland"}, automate=ALL, buy_in="self", bank_cents=10_000_00)
ROLLS = [(4, 3), (5, 2), (2, 6), (5, 6), (6, 6), (6, 1)]
READY = (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=1_000_00), c.AcceptDice(seat=1))


def test_the_golden_rolls_are_proved() -> None:
    if os.environ.get("PASSLINE_WRITE_GOLDEN"):
        PATH.write_bytes(b"".join(_written()))
    rows = [row_from_json(text) for text in PATH.read_bytes().splitlines(keepends=True)]
    assert verify_log(rows, KEY.public).faults == ()
    entries = [Stored(json.decode(row.body, type=Entry), row.body, row.hash, row.seal) for row in rows]
    proofs = DiceProofs()
    assert list(decision_faults(entries, proofs)) == []
    assert (proofs.proved, proofs.without_nonce, proofs.late_nonces) == (6, 3, 0)
    assert [one.what for one in proofs.given_up] == ["gives up a key: the machine burned"]
    last = [one.after for one in table_entries(entries)][-1]
    assert [(one.first, one.second) for one in last.track.rolls] == ROLLS


def _written() -> Iterator[bytes]:
    log = MemoryLog(KEY, log_id="a-golden-log-of-rolls", at=AT)
    asyncio.run(_play(log))
    yield from map(row_to_json, log.rows())


async def _play(log: MemoryLog) -> None:
    """Throw with a nonce and without; lose the key of an open throw; throw again under another."""
    floor = Floor(log, clock=lambda: AT, keys=DiceKeys(bytes(32), log.log_id))
    await floor.start()
    await floor.open(Ask("open", OPENING, OWNER, "flo"))
    table = await floor.table("craps-1")
    assert table is not None
    for number, command in enumerate(READY):
        assert isinstance(await table.stream.ask(Ask(f"ready {number}", command, ANN)), Answer)
    for number in range(4):
        await _throw(table, f"first {number}", nonce=NONCE if number % 2 else b"")
    thrown = Roll(seat=1, nonce_digest=sha256(NONCE).hexdigest())  # its nonce never comes, and the server stops
    await _wager(table, "lost")
    assert isinstance(await table.stream.ask(Ask("lost", thrown, ANN)), Answer)
    await floor.close()
    floor = Floor(log, clock=lambda: AT, keys=DiceKeys(bytes(range(32)), log.log_id))
    await floor.start()
    table = await floor.table("craps-1")
    assert table is not None
    renewed = Ask("renew", RenewDice(reason="the machine burned"), OWNER, "flo")
    assert isinstance(await table.stream.ask(renewed), Answer)
    for number in range(2):
        await _throw(table, f"second {number}", nonce=b"" if number else NONCE)
    await floor.close()


async def _throw(table: RunningTable, id_: str, *, nonce: bytes) -> None:
    await _wager(table, id_)
    thrown = Roll(seat=1, nonce_digest=sha256(nonce).hexdigest() if nonce else "")
    assert isinstance(await table.stream.ask(Ask(id_, thrown, ANN)), Answer)
    table.course.completion.take_nonce(nonce)
    await table.course.completion.wait_until_landed()


async def _wager(table: RunningTable, id_: str) -> None:
    """Have the shooter ready, with a line wager where one is needed."""
    await table.stream.ask(Ask(f"dice {id_}", c.AcceptDice(seat=1), ANN))
    await table.stream.ask(Ask(f"pass {id_}", c.MakeWager(seat=1, wager="pass", cents=10_00), ANN))
