"""An insider changes a payout in a rulebook's file: tables stop, nothing is dealt under it, and verify tells."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.refusal import Refused
from passline.rules.pages.texts import packed_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.tables import commands as k
from passline.tables.entries import HOUSE_CODEC, TABLE_CODEC
from passline.tables.house_events import RulebookKept, ServerStarted
from passline.tables.runtime import floor as floor_module
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.verify import decision_faults
from passline.tables.views.dealt_by import DealtBy, this_program
from tests.tables.changed_rulebook import OLD, changed_pages, installed_in, new_process, tamper, untamper
from tests.tables.running_floor import ANN, BOB, OPENING, OWNER, ask, done, falling, floor_over, running
from tests.tables.sitting import draft_of
from tests.waiting import until

FLO = "flo"  # signs
PLACE_6 = c.MakeWager(seat=1, wager="place_win", number=6, cents=6_00)
PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test on an event loop of its own."""

    @wraps(test)
    def run(**given: object) -> None:
        asyncio.run(test(**given))

    return run


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    with installed_in(tmp_path) as root:
        yield root


def adopt(digest: str) -> k.AdoptRulebook:
    return k.AdoptRulebook(digest=digest)


async def adopted(table: RunningTable, digest: str, id: str = "adopt") -> Answer | Refused:  # noqa: A002
    return await table.stream.ask(Ask(id, adopt(digest), OWNER, FLO))


async def refused(table: RunningTable, command: c.Command | k.OwnCommand) -> str:
    verdict = await ask(table, ANN, command)
    assert isinstance(verdict, Refused), verdict
    return str(verdict)


async def shoot(table: RunningTable) -> None:
    await done(table, ANN, c.AcceptDice(seat=1))


def kept(log: Log) -> list[str]:
    entries = [stored.entry for stored in log.read_stream("house")]
    return [event.digest for entry in entries for event in HOUSE_CODEC.events(entry) if isinstance(event, RulebookKept)]


def won(log: Log) -> list[int]:
    """Return what every Place Bet on 6 won."""
    entries = [stored.entry for stored in log.read() if stored.entry.stream.startswith("table/")]
    events = [event for entry in entries for event in TABLE_CODEC.events(entry)]
    return [one.winnings for one in events if isinstance(one, e.WagerWon) and one.wager.kind == "place_win"]


async def restarted(log: Log, *faces: tuple[int, int]) -> tuple[Floor, RunningTable]:
    """A server that starts on this log, with the files as they are now."""
    new_process()
    floor = floor_over(log, falling(*faces))
    await floor.start()
    table = await floor.table("craps-1")
    assert table is not None
    return floor, table


HOW_TO_GO_ON = (
    "no new stake is taken: play out or take down the wagers that are up, under the table's own rulebook, which the "
    "log keeps; then put its own files back, or have the owner adopt the installed ones with adopt-rulebook"
)


@in_loop
async def test_a_changed_file_stops_a_running_table_until_it_is_put_back(root: Path) -> None:
    async with running(None, (2, 2), (2, 4)) as (floor, table):
        await shoot(table)
        await done(table, ANN, PASS)
        await done(table, ANN, k.Roll(seat=1))
        new = tamper(root)
        await floor._look()
        said = await refused(table, PLACE_6)
        assert f"its maryland rulebook is {OLD[:12]}, but {new[:12]} is installed" in said
        assert HOW_TO_GO_ON in said
        assert "wagers are up (1)" in str(await adopted(table, new, "early"))
        untamper(root)
        await floor._look()
        await done(table, ANN, PLACE_6)
        await done(table, ANN, k.Roll(seat=1))
        assert won(floor.log) == [7_00]


@in_loop
async def test_an_upgrade_with_wagers_up_lets_them_be_played_out_under_the_kept_rulebook(root: Path) -> None:
    """Otherwise nothing could be decided, taken down, adopted or closed any more."""
    log = MemoryLog()
    async with running(log, (2, 2)) as (_floor, table):
        await shoot(table)
        for command in (PASS, k.Roll(seat=1), PLACE_6):
            await done(table, ANN, command)
        await done(table, BOB, c.MakeWager(seat=2, wager="place_win", number=8, cents=12_00))
    new = tamper(root)
    floor, table = await restarted(log, (2, 4), (4, 3))
    increase = c.MakeWager(seat=1, wager="place_win", number=6, cents=6_00)
    for stake in (increase, c.BuyIn(seat=1, cents=100_00), c.MakeWager(seat=1, wager="field", cents=5_00)):
        assert HOW_TO_GO_ON in await refused(table, stake)
    assert HOW_TO_GO_ON in str(await ask(table, replace(ANN, account="cal", name="Cal"), c.TakeSeat(seat=3)))
    await done(table, BOB, c.ReduceWager(seat=2, wager="place_win", number=8, cents=6_00))
    await done(table, BOB, c.RemoveWager(seat=2, wager="place_win", number=8))
    await done(table, ANN, k.Roll(seat=1))
    assert won(log) == [7_00]  # as its own rulebook pays, not the installed one
    assert "wagers are up" in str(await adopted(table, new, "early"))
    await done(table, ANN, k.Roll(seat=1))  # a loser 7: nothing is left
    assert not table.live.game.position.layout
    assert HOW_TO_GO_ON in str(await ask(table, BOB, c.AcceptDice(seat=2)))  # no new hand
    await done(table, BOB, c.LeaveSeat(seat=2))
    assert isinstance(await adopted(table, new), Answer)
    await done(table, ANN, c.BuyIn(seat=1, cents=100_00))
    await floor.close()
    assert list(decision_faults(log.read())) == []


@in_loop
async def test_dice_that_are_accepted_while_wagers_are_up_decide_them(root: Path) -> None:
    async with running(None, (2, 2), (4, 3)) as (floor, table):
        await shoot(table)
        for command in (PASS, k.Roll(seat=1)):
            await done(table, ANN, command)
        tamper(root)
        await floor._look()
        await done(table, ANN, c.SurrenderDice(seat=1))
        await done(table, BOB, c.AcceptDice(seat=2))
        await done(table, BOB, k.Roll(seat=2))
        assert not table.live.game.position.layout


@in_loop
async def test_a_wager_that_must_stay_is_played_out_with_the_line_wager_the_dice_need(root: Path) -> None:
    """Nobody may take a Fire Bet down, and no shooter may throw a come-out roll without a line wager."""
    log = MemoryLog()
    floor = floor_over(log, falling((2, 2), (2, 2), (3, 2), (4, 3)))
    await floor.start()
    await floor.open(
        Ask("open", replace(OPENING, house={"rules": "maryland", "side_wagers": {"fire": "A"}}), OWNER, FLO)
    )
    table = await floor.table("craps-1")
    assert table is not None
    fire = c.MakeWager(seat=1, wager="fire", cents=5_00)
    for first in (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=1_000_00), c.AcceptDice(seat=1)):
        await done(table, ANN, first)
    for command in (PASS, fire, k.Roll(seat=1), k.Roll(seat=1)):
        await done(table, ANN, command)
    assert [one.kind for one in table.live.game.position.layout] == ["fire"]  # the point was made
    tamper(root)
    await floor._look()
    assert "must make" in await refused(table, k.Roll(seat=1))
    assert HOW_TO_GO_ON in await refused(table, c.MakeWager(seat=1, wager="field", cents=5_00))
    await done(table, ANN, PASS)
    assert HOW_TO_GO_ON in await refused(table, PASS)  # no increase
    for _ in range(2):
        await done(table, ANN, k.Roll(seat=1))
    assert not table.live.game.position.layout
    assert HOW_TO_GO_ON in await refused(table, PASS)
    await floor.close()
    assert list(decision_faults(log.read())) == []


@in_loop
async def test_a_table_whose_rulebook_nobody_kept_stays_wholly_stopped(root: Path) -> None:
    """A log of an earlier version, served for the first time by a program with another text."""
    log, old = MemoryLog(), MemoryLog()
    async with running(log, (2, 2)) as (_floor, table):
        await shoot(table)
        for command in (PASS, k.Roll(seat=1), PLACE_6):
            await done(table, ANN, command)
    entries = [stored.entry for stored in log.read() if stored.entry.stream.startswith("table/")]
    old.append([draft_of(entry) for entry in entries])
    new = tamper(root)
    floor, table = await restarted(old)
    for asked in (PLACE_6, k.Roll(seat=1), c.RemoveWager(seat=1, wager="place_win", number=6)):
        said = await refused(table, asked)
        assert "install the version of Passline that served this table before" in said
        assert f"its maryland rulebook has the digest {OLD}" in said
    await floor.close()
    assert kept(old) == [new]


@in_loop
async def test_the_watch_finds_the_change_by_itself_and_tells_the_screens(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor_module, "_WATCH_SECONDS", 0.01)
    async with running() as (_floor, table):
        told: list[bytes] = []
        screen = Subscriber(None)
        monkeypatch.setattr(Subscriber, "tell", lambda _self, news, **_place: told.append(news))
        table.subscribe(screen)
        tamper(root)
        await until(lambda: bool(told))
        assert b'"stopped":"the table is stopped: its maryland rulebook is' in told[0]
        assert "the table is stopped" in table.course.whole_view(None)["table"]["stopped"]


@pytest.mark.parametrize(
    ("page", "text"),
    [("wagers.toml", b"= broken"), ("wagers.toml", None), ("extra.toml", b"a = 1")],
    ids=["unreadable", "missing", "one more page"],
)
@in_loop
async def test_every_change_of_a_rulebooks_files_stops_its_tables(root: Path, page: str, text: bytes | None) -> None:
    async with running() as (floor, table):
        path = root / "maryland" / page
        path.unlink() if text is None else path.write_bytes(text)
        await floor._look()
        assert "the table is stopped" in await refused(table, PASS)
        (root / "colorado" / "house.toml").write_bytes(b"= broken")
        await floor._look()  # a fault in another rulebook does not hide it
        assert "the table is stopped" in await refused(table, PASS)


@in_loop
async def test_a_restarted_server_refuses_to_deal_under_the_changed_file(root: Path) -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        await shoot(table)
    new = tamper(root)
    floor, table = await restarted(log)
    assert rulebook_of("maryland").digest == new  # that is what this process would deal under
    assert "the table is stopped" in await refused(table, PASS)
    assert "the table is stopped" in await refused(table, k.Roll(seat=1))
    await floor.close()
    assert kept(log) == [OLD, new]  # what lay on the disk is evidence


@in_loop
async def test_adopting_is_an_act_at_one_table_and_verify_passes_across_it(root: Path) -> None:
    log = MemoryLog()
    async with running(log, (2, 2), (2, 4), (4, 3)) as (floor, table):
        await floor.open(Ask("second", replace(OPENING, name="Craps 2"), OWNER, FLO))
        other = await floor.table("craps-2")
        assert other is not None
        await shoot(table)
        for command in (PASS, k.Roll(seat=1), PLACE_6, k.Roll(seat=1), k.Roll(seat=1)):
            await done(table, ANN, command)
    new = tamper(root)
    floor, table = await restarted(log, (2, 2), (2, 4), (4, 3))
    assert "has the digest" in str(await adopted(table, "0" * 64, "wrong"))
    assert "may not give adopt-rulebook" in str(await ask(table, ANN, adopt(new)))
    answer = await adopted(table, new)
    assert isinstance(answer, Answer)
    assert answer.lines == (f"maryland: from now on dealt under the rulebook {new[:12]}, until now {OLD[:12]}",)
    assert "is already dealt under this rulebook" in str(await adopted(table, new, "again"))
    await done(table, BOB, c.DeclineDice(seat=2))
    await shoot(table)
    for command in (PASS, k.Roll(seat=1), PLACE_6, k.Roll(seat=1), k.Roll(seat=1)):
        await done(table, ANN, command)
    other = await floor.table("craps-2")
    assert other is not None
    assert other.live.rulebook == OLD
    assert "the table is stopped" in await refused(other, c.TakeSeat(seat=1))
    await floor.close()
    assert won(log) == [7_00, 9_00]
    for installed in (new, OLD):  # verify deals each part under its own, whatever is installed
        assert rulebook_of("maryland").digest == installed
        assert list(decision_faults(log.read())) == []
        if installed == new:
            untamper(root)
            new_process()


@in_loop
async def test_verify_runs_with_the_kept_rulebook_and_says_so(root: Path) -> None:
    log = MemoryLog()
    async with running(log, (2, 2), (2, 4)) as (floor, table):
        await floor.record_start()
        await shoot(table)
        for command in (PASS, k.Roll(seat=1), PLACE_6, k.Roll(seat=1)):
            await done(table, ANN, command)
    new = tamper(root)
    new_process()
    dealt = DealtBy()
    assert list(decision_faults(log.read(), dealt_by=dealt)) == []
    here = this_program()
    assert list(dealt.lines())[-1] == (
        f"7 entries from 9 to 15 of craps-1: dealt by passline {here.version} (code {here.code[:12]}) "
        f"under maryland {OLD[:12]}"
    )
    assert list(dealt.warnings())[-1] == (
        f"the installed rulebook of maryland is {new[:12]}; 7 entries from 9 to 15 were dealt and are verified under "
        f"{OLD[:12]}, kept in the log"
    )


@in_loop
async def test_a_rulebook_is_kept_once_before_the_first_table_under_it(root: Path) -> None:  # noqa: ARG001
    log = MemoryLog()
    async with running(log) as (floor, _table):
        await floor.open(Ask("second", replace(OPENING, name="Craps 2"), OWNER, FLO))
        await floor.open(Ask("third", replace(OPENING, name="C 3", house={"rules": "colorado"}), OWNER, FLO))
    streams = [stored.entry.stream for stored in log.read()]
    assert streams[:3] == ["house", "house", "table/craps-1"]
    assert kept(log) == [OLD, rulebook_of("colorado").digest]
    [entry] = [stored.entry for stored in log.read_stream("house", after=1)][:1]
    assert len(bytes(entry.command)) < 20_000


@in_loop
async def test_a_table_is_not_opened_under_a_file_that_changes_at_that_moment(root: Path) -> None:
    """Between the keeping and the opening another look finds another file: the opening waits for its keeping."""
    async with running() as (floor, _table):
        tamper(root)
        await floor.rulebooks.look()
        ask_ = Ask("second", replace(OPENING, name="Craps 2"), OWNER, FLO)
        second = await floor.get("craps-2")
        verdict = await second.stream.ask(ask_)
        assert isinstance(verdict, Refused)
        assert "is not in the log yet; ask again in a moment" in str(verdict)


@in_loop
async def test_no_other_table_is_opened_under_changed_files_that_nobody_adopted(root: Path) -> None:
    async with running() as (floor, table):
        second = Ask("second", replace(OPENING, name="Craps 2"), OWNER, FLO)
        new = tamper(root)
        _id, verdict = await floor.open(second)
        assert f"the installed rulebook of maryland is {new[:12]}, but Craps 1 is dealt under {OLD[:12]}" in str(
            verdict
        )
        _id, verdict = await floor.open(Ask("c", replace(OPENING, name="C", house={"rules": "colorado"}), OWNER, FLO))
        assert isinstance(verdict, Answer)  # of another regulation
        assert isinstance(await adopted(table, new), Answer)
        _id, verdict = await floor.open(second)
        assert isinstance(verdict, Answer)
        untamper(root)
        assert (await floor.open(second))[1] == verdict  # the same id is answered as the first time
        assert list(decision_faults(floor.log.read())) == []


@in_loop
async def test_two_servers_keep_a_rulebook_once(root: Path) -> None:  # noqa: ARG001
    log = MemoryLog()
    floors = [floor_over(log, is_shared=True) for _ in range(2)]
    for floor in floors:
        await floor.start()
    opened = (
        floor.open(Ask(f"open-{number}", replace(OPENING, name=f"Craps {number}"), OWNER, FLO))
        for number, floor in enumerate(floors, start=1)
    )
    assert all(isinstance(answer, Answer) for _id, answer in await asyncio.gather(*opened))
    for floor in floors:
        await floor.close()
    assert kept(log) == [OLD]
    assert list(decision_faults(log.read())) == []


@in_loop
async def test_old_tables_are_kept_when_the_server_first_runs_on_them(root: Path) -> None:  # noqa: ARG001
    """A log without kept rulebooks, as earlier versions wrote it."""
    log, old = MemoryLog(), MemoryLog()
    async with running(log):
        pass
    entries = [stored.entry for stored in log.read() if stored.entry.stream.startswith("table/")]
    old.append([draft_of(entry) for entry in entries])
    assert list(decision_faults(old.read())) == []
    floor, table = await restarted(old)
    await done(table, ANN, PASS)
    await floor.close()
    assert kept(old) == [OLD]
    assert list(decision_faults(old.read())) == []


@in_loop
async def test_every_start_of_a_server_is_in_the_log(root: Path) -> None:  # noqa: ARG001
    log = MemoryLog()
    for _ in range(2):
        floor = floor_over(log)
        await floor.start()
        await floor.record_start()
        await floor.close()
    entries = [stored.entry for stored in log.read_stream("house", after=1)]
    events = [event for entry in entries for event in HOUSE_CODEC.events(entry)]
    starts = [event for event in events if isinstance(event, ServerStarted)]
    assert len(starts) == len(events) == len({one.process for one in starts}) == 2
    assert starts[0].code == this_program().code
    assert starts[0].rulebooks["maryland"] == OLD


# --- Forgeries --------------------------------------------------------------------------------------------------------


async def _house(command: k.HouseCommand) -> str:
    log = MemoryLog()
    floor = floor_over(log)
    await floor.start()
    verdict = await floor.ask_house(Ask("k", command, THE_HOUSE))
    await floor.close()
    return str(verdict)


@in_loop
async def test_pages_that_are_no_sound_rulebook_are_not_kept(root: Path) -> None:  # noqa: ARG001
    for pages, why in (("AAAA", "cannot be unpacked"), (packed_pages(replace(changed_pages(), texts={})), "no such")):
        assert why in await _house(k.KeepRulebook(name="maryland", pages=pages, program="0.1.0"))


@in_loop
async def test_a_forged_keeping_is_found(root: Path) -> None:  # noqa: ARG001
    """The pages say another payout, the event names the digest that tables were opened with, or the other way round."""
    log = MemoryLog()
    async with running(log):
        pass
    sound = list(log.read())
    assert list(decision_faults(sound)) == []
    [place] = [index for index, one in enumerate(sound) if b"keep-rulebook" in one.body]
    entry = sound[place].entry
    command = HOUSE_CODEC.command(entry)
    assert isinstance(command, k.KeepRulebook)
    forged_pages = replace(entry, command=Raw(json.encode(replace(command, pages=packed_pages(changed_pages())))))
    other = RulebookKept("maryland", changed_pages().digest, command.program)
    forged_event = replace(entry, events=Raw(json.encode((other,))))
    unkept = replace(entry, command=forged_pages.command, events=forged_event.events)
    for forged, why in (
        (forged_pages, "event 1 of keep-rulebook is written as"),
        (forged_event, "event 1 of keep-rulebook is written as"),
        (unkept, f"comes under the rulebook {OLD}, which the log does not keep"),
    ):
        faults = decision_faults([*sound[:place], replace(sound[place], entry=forged), *sound[place + 1 :]])
        assert any(why in fault.what for fault in faults), why


@in_loop
async def test_a_kept_rulebook_cannot_be_passed_off_as_another_regulations(root: Path) -> None:  # noqa: ARG001
    pages = replace(changed_pages(), name="maryland")
    assert "is already" not in await _house(k.KeepRulebook(name="maryland", pages=packed_pages(pages), program="1"))
    said = await _house(k.KeepRulebook(name="colorado", pages=packed_pages(pages), program="1"))
    assert "not of colorado" in said
