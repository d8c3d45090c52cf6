"""Forged electronic rolls: `verify` finds each of them, also when dice, chain and seals are made to fit."""

import asyncio
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, json

from passline.provable_dice import DiceKeys, provable_roll
from passline.store.entry import ZERO_HASH, Draft, Entry, Stored, chain_hash
from passline.store.export import row_from_json
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.timestamps import utc_now
from passline.streams.course import Actor, Answer, Ask
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.dice.proofs import DiceProofs
from passline.tables.runtime.floor import Floor
from passline.tables.verify import decision_faults
from tests.event_loop import asynchronous
from tests.people.house import House
from tests.tables.running_floor import OPENING
from tests.tables.sitting import ANN, BOB, Sitting, draft_of
from tests.waiting import until

NONCE = sha256(b"a nonce").digest()
DIGEST = sha256(NONCE).hexdigest()
KEYS = DiceKeys(bytes(range(32)), "a-log")
GOLDEN = Path(__file__).parent.parent / "golden" / "tables.jsonl"
Body = dict[str, Any]


def thrown() -> Sitting:
    """Return a table whose dice are out: wagers are closed."""
    sitting = Sitting(keys=KEYS)
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.do(k.Roll(seat=1, nonce_digest=DIGEST), ANN)
    return sitting


def played() -> Sitting:
    """Return a table with two electronic rolls: one with a nonce, one without."""
    sitting = thrown()
    sitting.land(NONCE)
    sitting.wager(BOB, "field", 10_00)
    if sitting.table.game.position.phase == "come_out":
        sitting.wager(ANN, "pass", 10_00)
    sitting.do(k.Roll(seat=1), ANN)
    sitting.land()
    return sitting


def found(entries: Sequence[Stored]) -> tuple[str, DiceProofs]:
    proofs = DiceProofs()
    return " | ".join(fault.what for fault in decision_faults(entries, proofs)), proofs


def forged(entries: Sequence[Stored], change: Callable[[int, Body], object], unsealed: int = 0) -> list[Stored]:
    """Return the log with bodies changed and chained again, as by somebody who has the house's key."""
    made: list[Stored] = []
    for stored in entries:
        body = json.decode(stored.body)
        change(stored.entry.sequence, body)
        encoded = json.encode(body)
        last = made[-1] if made else None
        hashed = chain_hash(last.hash, last.seal, encoded) if last else chain_hash(ZERO_HASH, b"", encoded)
        seal = b"" if stored.entry.sequence == unsealed else sha256(hashed).digest()
        made.append(Stored(json.decode(encoded, type=Entry), encoded, hashed, seal))
    return made


def rolls(entries: Sequence[Stored]) -> list[int]:
    return [one.entry.sequence for one in entries if b'"dice-revealed/1"' in bytes(one.entry.events)]


def closings(entries: Sequence[Stored]) -> list[int]:
    return [one.entry.sequence for one in entries if b'"wagers-closed/1"' in bytes(one.entry.events)]


def _set(body: Body, part: str, value: object) -> None:
    """Set one part of the proof in the command and in the event, so that they agree."""
    body["command"][part] = value
    next(event for event in body["events"] if event["event"] == "dice-revealed/1")[part] = value


def _throw_again(body: Body) -> None:
    """Make the recorded dice those of the forged proof."""
    proof = body["command"]
    key, closing, nonce = (bytes.fromhex(proof[part]) for part in ("key", "hash", "nonce"))
    roll = provable_roll(key, closing=closing, nonce=nonce)
    landed = next(event for event in body["events"] if event["event"] == "dice-landed/1")
    landed.update(first=roll.first, second=roll.second)


def _proof(part: str, value: str) -> Callable[[Body], None]:
    def change(body: Body) -> None:
        _set(body, part, value)
        _throw_again(body)

    return change


def _number(body: Body) -> None:
    next(event for event in body["events"] if event["event"] == "dice-revealed/1")["number"] = 7


def _dice(body: Body) -> None:
    landed = next(event for event in body["events"] if event["event"] == "dice-landed/1")
    landed["first"] = 1 + landed["first"] % 6


def _next_digest(value: str) -> Callable[[Body], None]:
    def change(body: Body) -> None:
        body["command"]["next_digest"] = value
        body["events"][-1]["digest"] = value

    return change


def test_honest_rolls_are_proved_and_counted() -> None:
    sitting = played()
    faults, proofs = found(sitting.entries)
    assert faults == ""
    assert (proofs.proved, proofs.without_nonce, proofs.late_nonces, proofs.unprovable) == (2, 1, 0, 0)
    assert forged(sitting.entries, lambda _sequence, _body: None) == sitting.entries


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_dice, "event 2 of complete-roll is written as"),
        (_proof("key", sha256(b"a key that suits").hexdigest()), "the key is not the one committed as number 1"),
        (_proof("hash", sha256(b"an entry that suits").hexdigest()), "names another hash than that of the entry"),
        (_proof("nonce", sha256(b"a nonce that suits").hexdigest()), "the nonce is not the one on record"),
        (_number, "event 1 of complete-roll is written as"),
        (_next_digest(KEYS.digest("Craps 1", 1)), "key number 2 was committed before, so that it may be known"),
        (_next_digest(KEYS.digest("elsewhere", 1)), "the key is not the one committed as number 2"),
    ],
    ids=["dice", "key", "hash", "nonce", "number", "a digest used before", "a digest of another key"],
)
def test_a_forged_roll_is_found(change: Callable[[Body], None], why: str) -> None:
    entries = played().entries
    first = rolls(entries)[0]
    faults, _ = found(forged(entries, lambda sequence, body: change(body) if sequence == first else None))
    assert why in faults


def test_a_nonce_that_is_left_out_is_counted_as_late() -> None:
    """Nobody can tell it from a page that crashed, so `verify` counts it: such a house has too many."""
    sitting = thrown()
    sitting.land()
    faults, proofs = found(sitting.entries)
    assert faults == ""
    assert (proofs.proved, proofs.without_nonce, proofs.late_nonces) == (1, 1, 1)


def test_a_digest_forged_before_the_roll_is_found() -> None:
    def change(sequence: int, body: Body) -> None:
        if sequence == 1:
            body["command"]["dice_digest"] = body["events"][-1]["digest"] = DIGEST

    faults, _ = found(forged(played().entries, change))
    assert "the key is not the one committed as number 1" in faults


def test_a_closing_that_is_changed_afterwards_is_found() -> None:
    """Whoever rewrites what stood on the table when wagers closed changes the hash that the dice follow from."""

    def change(sequence: int, body: Body) -> None:
        if sequence == closings(played().entries)[0]:
            body["at"] = "2026-11-15T08:00:01.000000Z"

    faults, _ = found(forged(played().entries, change))
    assert "names another hash than that of the entry that closed wagers" in faults


def test_closing_and_roll_in_one_commit_are_found() -> None:
    entries = played().entries
    first = closings(entries)[0]
    unsealed = forged(entries, lambda _sequence, _body: None, unsealed=first)

    def fit(sequence: int, body: Body) -> None:  # the hash of the roll must be that of the chain without the seal
        if sequence == rolls(entries)[0]:
            _proof("hash", unsealed[first - 1].hash.hex())(body)

    faults, _ = found(forged(entries[: rolls(entries)[0]], fit, unsealed=first))
    assert f"is in the same commit as entry {first}, which closed wagers" in faults


def test_a_wager_between_closing_and_roll_is_found() -> None:
    sitting = played()
    place = closings(sitting.entries)[0]
    late = next(one for one in sitting.entries if b'"make-wager"' in bytes(one.entry.command))
    again = Sitting(keys=KEYS)
    again.entries = list(sitting.entries[:place])
    again.add(_at_version(late, place + 1))
    faults, _ = found(again.entries)
    assert "wagers are closed" in faults


def test_a_second_roll_of_one_closing_is_found() -> None:
    sitting = played()
    place = rolls(sitting.entries)[0]
    again = Sitting(keys=KEYS)
    again.entries = list(sitting.entries[:place])
    again.add(_at_version(sitting.entries[place - 1], place + 1))
    faults, _ = found(again.entries)
    impossible = "these events are impossible in the state before them"  # unless the dice of this log decide nothing
    assert impossible in faults or "no throw is open that wagers were closed for" in faults


def test_a_roll_without_a_closing_is_found_once_a_key_was_committed() -> None:
    """No downgrade: the entry that an earlier Passline would have written is a fault from the first digest on."""
    sitting = played()
    place = closings(sitting.entries)[0]
    roll = json.decode(sitting.entries[rolls(sitting.entries)[0] - 1].body)
    closing = json.decode(sitting.entries[place - 1].body)
    closing["command"].pop("nonce_digest", None)
    closing["events"] = [
        event
        for event in (*closing["events"], *roll["events"])
        if not event["event"].startswith(("dice-revealed", "dice-committed", "wagers-closed"))
    ]
    again = Sitting(keys=KEYS)
    again.entries = list(sitting.entries[: place - 1])
    stored = sitting.entries[place - 1]
    draft = draft_of(stored.entry)
    again.add(type(draft)(**{**_fields(draft), "command": _raw(closing["command"]), "events": _raw(closing["events"])}))
    faults, proofs = found(again.entries)
    assert "an electronic roll without an entry that closed wagers before it" in faults
    assert proofs.unprovable == 1


def _raw(value: object) -> Raw:
    return Raw(json.encode(value))


def _fields(draft: object) -> dict[str, Any]:
    return {name: getattr(draft, name) for name in draft.__struct_fields__}  # type: ignore[attr-defined]


def _at_version(stored: Stored, version: int) -> Any:  # noqa: ANN401 - a Draft
    draft = draft_of(stored.entry)
    return type(draft)(**{**_fields(draft), "expected": version - 1, "id": f"again-{version}"})


# --- An old log -----------------------------------------------------------------------------------------------------


@asynchronous
async def test_an_old_log_verifies_and_its_first_start_commits_keys() -> None:
    rows = [row_from_json(line) for line in GOLDEN.read_bytes().splitlines(keepends=True)]
    old = [Stored(json.decode(row.body, type=Entry), row.body, row.hash, row.seal) for row in rows]
    faults, proofs = found(old)
    assert faults == ""
    assert proofs.unprovable > 0
    assert proofs.proved == 0
    log = MemoryLog(SigningKey(bytes(range(32))), log_id="a-golden-log", at=old[0].entry.at)
    commit: list[Draft] = []
    for stored in old[1:]:
        commit.append(draft_of(stored.entry))
        if stored.seal:
            log.append(commit)
            commit = []
    assert [stored.hash for stored in log.read()] == [stored.hash for stored in old]
    floor = Floor(log, clock=utc_now, keys=DiceKeys(bytes(32), log.log_id))
    await floor.start()
    await floor.load_all()
    table = await floor.table("craps-5")
    assert table is not None
    await until(lambda: table.live.commitment is not None)
    assert table.live.commitment is not None
    assert table.live.commitment.number == 1
    await floor.close()
    faults, after = found(list(log.read()))
    assert faults == ""
    assert after.unprovable == proofs.unprovable
    # An old roll is now forged at the end, as it once was written.
    rolled = next(
        one for one in old if b'"roll"' in bytes(one.entry.command) and b"dice-landed" in bytes(one.entry.events)
    )
    entries = list(log.read())
    live = [one for one in entries if one.entry.stream == rolled.entry.stream]
    log.append([_at_version(rolled, live[-1].entry.version + 1)])
    assert found(list(log.read()))[0] != ""


# --- Given up -------------------------------------------------------------------------------------------------------


class _Renewing(House):
    """A house with two owners, and a table whose key is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.olga = self.owner().session.account.id
        self.flo = self.hire("Flo", "floorperson", by=self.olga).session.account.id
        self.ask(OPENING, self.olga, "owner", signed_by=self.flo, master=bytes(32))

    def ask(
        self, command: TableCommand, account: str, role: str, *, signed_by: str = "", master: bytes = bytes(range(32))
    ) -> None:
        async def asked() -> None:
            floor = Floor(
                self.log, clock=self.clock, keys=DiceKeys(master, self.log.log_id), is_sole_owner=lambda _account: True
            )
            await floor.start()
            ask = Ask(f"id-{command}"[:60], command, Actor(account, account, role), signed_by)
            if isinstance(command, k.OpenTable):
                assert isinstance((await floor.open(ask))[1], Answer)
            else:
                table = await floor.table("craps-1")
                assert table is not None
                answer = await table.stream.ask(ask)
                assert isinstance(answer, Answer), answer
            await floor.close()

        asyncio.run(asked())


def test_a_key_that_one_of_two_owners_gave_up_alone_is_found() -> None:
    house = _Renewing()
    house.hire("Otto", "owner", by=house.olga)
    house.ask(k.RenewDice(reason="lost", is_sole_owner=True), house.olga, "owner")
    faults, proofs = found(list(house.log.read()))
    assert "as the only owner; the owners are" in faults
    assert [fault.what for fault in proofs.given_up] == ["gives up a key: lost"]


def test_a_key_that_the_only_owner_gave_up_is_listed_and_no_fault() -> None:
    house = _Renewing()
    house.ask(k.RenewDice(reason="lost", is_sole_owner=True), house.olga, "owner")
    faults, proofs = found(list(house.log.read()))
    assert faults == ""
    assert len(proofs.given_up) == 1


def test_a_key_that_was_given_up_without_a_signature_is_found() -> None:
    house = _Renewing()
    house.ask(k.RenewDice(reason="lost"), house.olga, "owner", signed_by=house.flo)
    entries = list(house.log.read())
    assert found(entries)[0] == ""

    def change(sequence: int, body: Body) -> None:
        if sequence == entries[-1].entry.sequence:
            body["signed_by"] = ""

    assert "sign" in found(forged(entries, change))[0]
