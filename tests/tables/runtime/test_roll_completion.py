"""Throws of electronic dice at running tables: closed first, completed once, the same dice whoever completes them."""

from collections.abc import Sequence
from hashlib import sha256

import pytest

from passline.game import commands as c
from passline.game.events import DiceLanded
from passline.provable_dice import DiceKeys, provable_roll
from passline.refusal import Refused
from passline.store.entry import Draft, Head, Stored
from passline.store.log import AppendResult, LogError
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.tables.commands import RenewDice, Roll
from passline.tables.dice.proofs import DiceProofs
from passline.tables.entries import TABLE_CODEC
from passline.tables.events import DiceCommitted, DiceRevealed
from passline.tables.runtime import roll_completion
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.verify import decision_faults
from tests.event_loop import asynchronous
from tests.tables.running_floor import ANN, BOB, OPENING, OWNER, ask, done, landed, settled
from tests.waiting import until

MASTER = bytes(range(32))
NONCE = b"a nonce that nobody else foresaw"
PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)
TABLE = "table/craps-1"


class StoppingLog(MemoryLog):
    """A log that commits and then fails, as when the database's answer is lost; or that refuses rolls altogether."""

    loses_answers = False
    lost = 0  # answers
    refuses_rolls = False

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        if self.refuses_rolls and any(b"dice-revealed/1" in bytes(draft.events) for draft in drafts):
            raise LogError("a trigger refuses this commit")
        found = super().append(drafts)
        if self.loses_answers:
            self.lost += 1
            raise LogError("the connection was lost")
        return found


def floor_of(log: Log, master: bytes = MASTER, **options: object) -> Floor:
    return Floor(log, clock=utc_now, keys=DiceKeys(master, log.log_id), **options)  # type: ignore[arg-type]


async def shooting(floor: Floor) -> RunningTable:
    """Return a table where Ann holds the dice and has a Pass Bet, and Bob looks on."""
    await floor.start()
    await floor.open(Ask("open", OPENING, OWNER, "flo"))
    table = await floor.table("craps-1")
    assert table is not None
    for seat, who in enumerate((ANN, BOB), start=1):
        await done(table, who, c.TakeSeat(seat=seat))
        await done(table, who, c.BuyIn(seat=seat, cents=1_000_00))
    await done(table, ANN, c.AcceptDice(seat=1))
    await done(table, ANN, PASS)
    return table


async def threw(table: RunningTable, command: Roll) -> Answer:
    """Throw the dice, without waiting for them to land."""
    answer = await ask(table, ANN, command)
    assert isinstance(answer, Answer), answer
    return answer


async def found(floor: Floor) -> RunningTable:
    table = await floor.table("craps-1")
    assert table is not None
    return table


def rolls_of(log: Log) -> list[tuple[Stored, Stored]]:
    """Return each closing entry with the entry of its roll."""
    entries = [stored for stored in log.read() if stored.entry.stream == TABLE]
    closings = [one for one in entries if b'"wagers-closed/1"' in bytes(one.entry.events)]
    rolls = [one for one in entries if b'"dice-revealed/1"' in bytes(one.entry.events)]
    return list(zip(closings, rolls, strict=False))


def check(log: Log, *, rolls: int, without_nonce: int) -> None:
    """Check the log as anybody can, also by hand: every roll follows from what was committed before it."""
    proofs = DiceProofs()
    assert list(decision_faults(log.read(), proofs)) == []
    assert (proofs.proved, proofs.without_nonce, proofs.unprovable) == (rolls, without_nonce, 0)
    events = [event for one in log.read() if one.entry.stream == TABLE for event in TABLE_CODEC.events(one.entry)]
    digests = {event.number: event.digest for event in events if isinstance(event, DiceCommitted)}
    found = rolls_of(log)
    assert len(found) == rolls
    for closing, roll in found:
        (revealed,) = [event for event in TABLE_CODEC.events(roll.entry) if isinstance(event, DiceRevealed)]
        (shown,) = [event for event in TABLE_CODEC.events(roll.entry) if isinstance(event, DiceLanded)]
        key = bytes.fromhex(revealed.key)
        assert sha256(key).hexdigest() == digests[revealed.number]
        dice = provable_roll(key, closing=closing.hash, nonce=bytes.fromhex(revealed.nonce))
        assert (dice.first, dice.second) == (shown.first, shown.second)
        assert closing.seal, "the closing entry ends its own commit"


@asynchronous
async def test_a_throw_is_closed_first_and_nothing_comes_between() -> None:
    log = MemoryLog()
    floor = floor_of(log)
    table = await shooting(floor)
    thrown = Roll(seat=1, nonce_digest=sha256(NONCE).hexdigest())
    await threw(table, thrown)
    assert table.live.closing is not None
    assert table.live.game.position.dice == "air"
    before = table.live
    for command in (PASS, c.RemoveWager(seat=1, wager="pass"), c.LeaveSeat(seat=1), thrown):
        refused = await ask(table, ANN, command)
        assert isinstance(refused, Refused)
        assert "wagers are closed" in str(refused)
        assert "MD-4.A" in str(refused)
    assert table.live == before
    table.course.completion.take_nonce(b"not the nonce of this throw at all")
    await settled()
    assert table.live == before, "a foreign nonce does not land the dice"
    table.course.completion.take_nonce(NONCE)
    await landed(table)
    assert table.live.proof is not None
    assert table.live.proof.nonce == NONCE.hex()
    await floor.close()
    check(log, rolls=1, without_nonce=0)


@asynchronous
async def test_a_throw_without_its_nonce_goes_on_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll_completion, "NONCE_SECONDS", 0.05)
    log = MemoryLog()
    floor = floor_of(log)
    table = await shooting(floor)
    await threw(table, Roll(seat=1, nonce_digest=sha256(NONCE).hexdigest()))
    await landed(table)
    await floor.close()
    check(log, rolls=1, without_nonce=1)
    proofs = DiceProofs()
    list(decision_faults(log.read(), proofs))
    assert proofs.late_nonces == 1


@asynchronous
async def test_a_commit_in_doubt_never_gives_the_same_dice_twice_nor_other_ones() -> None:
    """The database writes a roll and its answer is lost: the roll stands, and the next one is another."""
    log = StoppingLog()
    floor = floor_of(log)
    table = await shooting(floor)
    for number in range(1, 9):
        await _shot(table)
        assert isinstance(await ask(table, ANN, Roll(seat=1), f"roll {number}"), Answer)
        await _lose_answer(log, table)
        await landed(table)
    await floor.close()
    check(log, rolls=8, without_nonce=8)
    keys = [event.key for _, roll in rolls_of(log) for event in TABLE_CODEC.events(roll.entry) if hasattr(event, "key")]
    assert len(set(keys)) == len(keys) == 8


async def _lose_answer(log: StoppingLog, table: RunningTable) -> None:
    """Have the next answer lost, unless the dice have landed already."""
    lost, log.loses_answers = log.lost, True
    await until(lambda: log.lost > lost or table.live.closing is None)
    log.loses_answers = False


async def _shot(table: RunningTable) -> None:
    """Have Ann ready to throw again."""
    if table.live.game.position.shooter != 1:
        await ask(table, BOB, c.DeclineDice(seat=2))
        await ask(table, ANN, c.AcceptDice(seat=1))
    await ask(table, ANN, PASS)


@asynchronous
async def test_whoever_stops_the_roll_sees_no_other_and_can_no_longer_wager() -> None:
    """A trigger that refuses the commit shows dice that nobody can act on: the table is closed, and they stand."""
    log = StoppingLog()
    floor = floor_of(log)
    table = await shooting(floor)
    log.refuses_rolls = True
    await threw(table, Roll(seat=1))
    await until(lambda: bool(table.course.completion.fault))
    assert table.live.closing is not None
    assert isinstance(await ask(table, BOB, c.MakeWager(seat=2, wager="field", cents=5_00)), Refused)
    await floor.close()
    log.refuses_rolls = False
    again = floor_of(log)  # a restart, or a second server: it completes the throw unasked
    await again.start()
    table = await found(again)
    await landed(table)
    await again.close()
    check(log, rolls=1, without_nonce=1)


@asynchronous
async def test_a_restart_does_not_turn_a_roll_with_a_nonce_into_one_without() -> None:
    """Whoever stops the roll and restarts the server would otherwise choose between two pairs of dice."""
    log = StoppingLog()
    floor = floor_of(log)
    table = await shooting(floor)
    log.refuses_rolls = True
    await threw(table, Roll(seat=1, nonce_digest=sha256(NONCE).hexdigest()))
    table.course.completion.take_nonce(NONCE)
    await until(lambda: table.live.closing is None or table.live.closing.nonce is not None)
    await floor.close()
    log.refuses_rolls = False
    again = floor_of(log)
    await again.start()
    table = await found(again)
    await landed(table)
    await again.close()
    check(log, rolls=1, without_nonce=0)


@asynchronous
async def test_two_servers_that_complete_a_throw_land_the_same_dice_once() -> None:
    log = MemoryLog()
    one = floor_of(log, is_shared=True)
    table = await shooting(one)
    two = floor_of(log, is_shared=True)
    await two.start()
    theirs = await found(two)
    theirs.subscribe(Subscriber(None))  # a screen, so that it follows at once
    for _ in range(5):
        await _shot(table)
        if isinstance(await ask(table, ANN, Roll(seat=1)), Answer):
            await landed(table)
            await until(lambda: theirs.stream.version == table.stream.version)
    await one.close()
    await two.close()
    assert theirs.live.track.roll == table.live.track.roll > 0
    check(log, rolls=table.live.track.roll, without_nonce=table.live.track.roll)


@asynchronous
async def test_a_table_without_screens_here_is_read_when_it_is_asked_for() -> None:
    log = MemoryLog()
    one, two = floor_of(log, is_shared=True), floor_of(log, is_shared=True)
    table = await shooting(one)
    await two.start()
    theirs = await found(two)
    version = theirs.stream.version
    await done(table, BOB, c.MakeWager(seat=2, wager="field", cents=5_00))
    await until(lambda: theirs.stream.is_behind)
    assert theirs.stream.version == version
    assert (await found(two)).stream.version == table.stream.version == version + 1
    await one.close()
    await two.close()


@asynchronous
async def test_a_throw_that_another_process_left_open_is_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.tables.runtime.other_processes._QUIET_SECONDS", 0.05)
    monkeypatch.setattr("passline.tables.runtime.other_processes._WAIT_SECONDS", 0.05)
    monkeypatch.setattr(roll_completion, "_OTHERS_SECONDS", -2.9)  # of the three for which a nonce is waited for
    log = MemoryLog()
    one, two = floor_of(log, is_shared=True), floor_of(log, is_shared=True)
    table = await shooting(one)
    await two.start()
    await threw(table, Roll(seat=1, nonce_digest=sha256(NONCE).hexdigest()))
    await one.close()
    await until(lambda: bool(two.running_tables))  # nobody asked for it there
    await landed(two.running_tables[0])
    await two.close()
    check(log, rolls=1, without_nonce=1)


@asynchronous
async def test_the_dice_wait_for_the_anchor_that_keeps_the_closing_entry() -> None:
    log, kept, is_down = MemoryLog(), list[Head](), [True]

    def keep(head: Head) -> None:
        if is_down[0]:
            raise LogError("the anchor's volume is gone")
        kept.append(head)

    floor = floor_of(log, keep_head=keep)
    table = await shooting(floor)
    answer = await threw(table, Roll(seat=1))
    await until(lambda: bool(table.course.completion.fault))
    assert table.live.closing is not None
    is_down[0] = False
    await landed(table)
    assert kept[0].sequence == answer.sequence
    assert kept[0].hash == answer.hash
    await floor.close()


@asynchronous
async def test_dice_whose_key_is_lost_are_not_thrown_until_two_people_renew_it() -> None:
    log = MemoryLog()
    floor = floor_of(log)
    table = await shooting(floor)
    await floor.close()
    other = floor_of(log, master=bytes(32))
    await other.start()
    table = await found(other)
    refused = await ask(table, ANN, Roll(seat=1))
    assert "dice.key is not the one" in str(refused)
    renew = RenewDice(reason="the disk with dice.key burned")
    alone = await table.stream.ask(Ask("1", RenewDice(reason="alone", is_sole_owner=True), OWNER))
    assert "another owner" in str(alone)
    assert isinstance(await table.stream.ask(Ask("2", renew, OWNER, "flo")), Answer)
    assert "nothing to renew" in str(await table.stream.ask(Ask("3", renew, OWNER, "flo")))
    await threw(table, Roll(seat=1))
    await landed(table)
    await other.close()
    proofs = DiceProofs()
    assert list(decision_faults(log.read(), proofs)) == []
    assert [one.what for one in proofs.given_up] == ["gives up a key: the disk with dice.key burned"]


@asynchronous
async def test_an_open_throw_whose_key_is_lost_becomes_void_and_every_wager_stays() -> None:
    log = StoppingLog()
    floor = floor_of(log)
    table = await shooting(floor)
    log.refuses_rolls = True
    await threw(table, Roll(seat=1))
    await floor.close()
    log.refuses_rolls = False
    other = floor_of(log, master=bytes(32))
    await other.start()
    table = await found(other)
    await until(lambda: bool(table.course.completion.fault))
    assert table.live.closing is not None, "nobody can land them without the key"
    answer = await table.stream.ask(Ask("void", RenewDice(reason="lost key"), Actor("o2", "Oz", "owner"), "flo"))
    assert isinstance(answer, Answer)
    assert table.live.closing is None
    assert table.live.game.position.dice == "held"
    assert len(table.live.game.position.layout) == 1
    await threw(table, Roll(seat=1))
    await landed(table)
    await other.close()
    assert list(decision_faults(log.read())) == []


@asynchronous
async def test_a_server_behind_its_anchor_deals_nothing() -> None:
    is_behind = [False]
    floor = floor_of(MemoryLog(), is_behind=lambda: is_behind[0])
    table = await shooting(floor)
    is_behind[0] = True
    for command in (PASS, Roll(seat=1)):
        assert "the log is behind its anchor, so nothing is dealt" in str(await ask(table, ANN, command))
    is_behind[0] = False
    await threw(table, Roll(seat=1))
    await landed(table)
    await floor.close()


@asynchronous
async def test_each_throw_finds_its_own_roll_however_late_it_asks() -> None:
    floor = floor_of(MemoryLog())
    table = await shooting(floor)
    answers = []
    for _ in range(4):
        await _shot(table)
        answers.append(await threw(table, Roll(seat=1)))
        await landed(table)
    rolls = [await table.course.completion.roll_after(answer.sequence) for answer in answers]
    assert [roll.entry.version for roll in rolls if roll] == [one.entry.version for _, one in rolls_of(floor.log)]
    await floor.close()


@asynchronous
async def test_an_open_throw_at_the_end_of_the_log_is_listed() -> None:
    log = StoppingLog()
    floor = floor_of(log)
    table = await shooting(floor)
    log.refuses_rolls = True
    answer = await threw(table, Roll(seat=1))
    await until(lambda: bool(table.course.completion.fault))
    assert "the dice wait for the log, the anchor or their key" in str(await ask(table, BOB, c.LeaveSeat(seat=2)))
    await floor.close()
    proofs = DiceProofs()
    assert list(decision_faults(log.read(), proofs)) == []
    assert [one.sequence for one in proofs.unlanded] == [answer.sequence]


@asynchronous
async def test_an_anchor_that_does_not_answer_stops_the_throw_before_wagers_close() -> None:
    floor = floor_of(MemoryLog(), is_unanchored=lambda: True)
    table = await shooting(floor)
    assert "the anchor outside the database does not answer" in str(await ask(table, ANN, Roll(seat=1)))
    assert table.live.closing is None
    await floor.close()
