"""Logs as an earlier Passline wrote them: every later version must read and verify them and reach the same tables.

To write them again after an intended change, and review the difference (a changed event needs an upcaster instead):

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/tables/test_golden.py
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import get_args

import pytest
from msgspec import Raw, json

from passline.game import commands as c
from passline.game.position import PointsMode
from passline.rules.pages.texts import installed_folder, packed_pages, read_pages
from passline.rules.rules import Rules
from passline.store.entry import Draft, Entry, LogRow, Stored
from passline.store.export import row_from_json, row_to_json
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sqlite import SqliteLog
from passline.store.upkeep.archiving import archive_entries
from passline.store.verify import verify_log
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tables import commands as k
from passline.tables.duties import needs_signature
from passline.tables.entries import HOUSE_CODEC
from passline.tables.events import TableEvent
from passline.tables.house import HouseState
from passline.tables.house import decide as decide_house
from passline.tables.house import fold as house_fold
from passline.tables.house_events import HouseEvent
from passline.tables.rules_in_force import learn_rulebook
from passline.tables.terms import TERMS
from passline.tables.uniform_odds import odds_to_set
from passline.tables.verify import decision_faults
from passline.tables.views.dealt_by import clock_jumps
from tests.game.progressive import ADDED, HOUSE, KIND, STAKE
from tests.rules.lawful import NAME, pages_with
from tests.tables.changed_rulebook import changed_pages, new_process
from tests.tables.decoded import table_entries
from tests.tables.metered import CLOSING, close_meter, raised_meter
from tests.tables.random_commands import play_randomly
from tests.tables.sitting import ALL, ANN, AT, BOB, CREW, FLOOR, LABORATORY, OWNER, PLAYERS, Sitting, draft_of

GOLDEN = Path(__file__).parent / "golden"
KEY = SigningKey(bytes(range(32)))
HOUSE_COMMANDS = (
    (k.FileApproval(kind="laboratory_report", authority="laboratory", reference="L-7", date="2026-01-02"), OWNER),
    (k.FileApproval(kind="prediction_aid", authority="TGO", reference="T-1", date="2026-01-02"), OWNER),
    (k.WithdrawApproval(kind="prediction_aid", authority="TGO", reference="T-1", reason="expired"), OWNER),
    (k.FileReport(record_class="security", table="craps-1", text="a hat on the rail"), CREW["surveillance"]),
    (k.CloseShift(), CREW["floorperson"]),
)


def _tables() -> Iterator[Sitting]:
    """Yield three tables of random play from fixed seeds, dealt by hand, and one where rare things happen."""
    by_hand = (("maryland", ("choose", "button"), 11), ("colorado", ("offer",), 2), ("arizona", (), 1))
    for number, (rules, automate, seed) in enumerate(by_hand, start=1):
        house = {"seats": 4, "limit_notice_minutes": 1}
        sitting = Sitting(rules, name=f"Craps {number}", dice="physical", automate=automate, house=house)
        for seat, who in enumerate(PLAYERS[:3], start=1):
            sitting.sit(who, seat)
        play_randomly(sitting, Random(seed), 250)
        yield sitting
    yield _rare()


def _rare() -> Sitting:
    """Return a table where surveillance is told of a Fire Bet, Come Bets are cleared, limits change, and play ends."""
    sitting = Sitting("maryland", name="Craps 4", house={"side_wagers": {"fire": "A"}})
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "fire", 1_00)
    sitting.shoot(ANN)
    for first, second in ((2, 2), (2, 3), (4, 2), (4, 4)):
        sitting.wager(ANN, "pass", 10_00)
        sitting.roll(first, second)
        sitting.roll(first, second)
    sitting.wager(ANN, "pass", 10_00)
    sitting.roll(5, 4)
    sitting.wager(ANN, "come", 10_00)
    sitting.roll(5, 5)
    sitting.roll(4, 5)
    sitting.do(c.DeclineLineWager(seat=1), ANN)
    sitting.do(k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=100_00), CREW["floorperson"])
    sitting.wait(30)
    sitting.roll(6, 4)
    sitting.wager(ANN, "pass", 10_00)
    sitting.roll(3, 3)
    sitting.roll(3, 4)
    sitting.do(c.LeaveSeat(seat=1), ANN)
    sitting.do(k.CloseTable(), OWNER)
    return sitting


def _disputed() -> Sitting:
    """Return a frozen table, with a report of what screens of a second process had shown."""
    sitting = Sitting("maryland", name="Craps 5")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.do(k.FreezeTable(reason="that was a six", shown={"1": 4, "2": 0}), ANN)
    sitting.do(k.ReportShown(freeze=sitting.table.froze, shown={"2": 3}), THE_HOUSE)
    return sitting


def _adopting() -> Iterator[bytes]:
    """Yield a log that keeps two texts of a rulebook; its table is dealt under one of them, then under the other."""
    log = MemoryLog(KEY, log_id="a-golden-log-of-rulebooks", at=AT)
    state: HouseState = house_fold(None, HOUSE_CODEC.events(next(iter(log.read())).entry))
    first, second = read_pages(installed_folder("maryland")), changed_pages()
    commands: tuple[k.HouseCommand, ...] = (
        *(k.KeepRulebook(name=one.name, pages=packed_pages(one), program="0.1.0") for one in (first, second)),
        k.RecordStart(process="p-1", program="0.1.0", code="c0de", python="3.11.2", rulebooks={"maryland": "0"}),
    )
    for command in commands:
        verdict = decide_house(state, command, by=THE_HOUSE, at=AT, head=log.head(), tables=(), sign=log.sign)
        assert isinstance(verdict, Decision), str(verdict)
        log.append([_of_the_house(state, command, THE_HOUSE, verdict)])
        state = verdict.after
    sitting = Sitting("maryland", name="Craps 6", dice="physical")
    sitting.sit(ANN, 1)
    for _ in range(2):
        sitting.wager(ANN, "pass", 10_00)
        sitting.shoot(ANN)
        sitting.roll(2, 2)
        sitting.wager(ANN, "place_win", 6_00, 6)
        for faces in ((2, 4), (3, 4)):
            sitting.roll(*faces)
        if sitting.table.rulebook == first.digest:
            sitting.rulebooks = lambda _name: learn_rulebook(second)
            sitting.do(k.AdoptRulebook(digest=second.digest), OWNER)
    log.append([draft_of(stored.entry) for stored in sitting.entries])
    yield from map(row_to_json, log.rows())


def _changing_houses() -> Iterator[bytes]:
    """Yield the log of two tables, with physical and with electronic dice, that are dealt by one house and another."""
    log = MemoryLog(KEY, log_id="a-golden-log-of-houses", at=AT)
    _kept_in(log, [_keeping("maryland")])
    for name, dice in (("Craps 9", "physical"), ("Craps 10", "electronic")):
        sitting = Sitting("maryland", name=name, dice=dice)
        sitting.sit(ANN, 1)
        for house in ({"whirl_area": False}, {"buy_vigorish_when": "won", "lay_vigorish_when": "won"}):
            if dice == "physical":  # electronic dice follow from the hash of an entry, which is another in this log
                sitting.wager(ANN, "pass", 10_00)
                if not sitting.table.game.position.shooter:
                    sitting.shoot(ANN)
                sitting.roll(6, 6)
            sitting.do(k.ChangeHouse(house={"rules": "maryland", **house}, terms=TERMS), OWNER)
        log.append([draft_of(stored.entry) for stored in sitting.entries])
    yield from map(row_to_json, log.rows())


def _kept_in(log: MemoryLog, commands: Iterable[k.HouseCommand]) -> None:
    """Have the house do something, such as keep a rulebook."""
    state: HouseState = house_fold(None, HOUSE_CODEC.events(next(iter(log.read())).entry))
    for command in commands:
        verdict = decide_house(state, command, by=THE_HOUSE, at=AT, head=log.head(), tables=(), sign=log.sign)
        assert isinstance(verdict, Decision), str(verdict)
        log.append([_of_the_house(state, command, THE_HOUSE, verdict)])
        state = verdict.after


def _keeping(name: str) -> k.KeepRulebook:
    return k.KeepRulebook(name=name, pages=packed_pages(read_pages(installed_folder(name))), program="0.1.0")


def _under_terms() -> Iterator[bytes]:
    """Yield a log of a table under the first terms: the house says what is paid, and the bank comes to owe and pays."""
    log = MemoryLog(KEY, log_id="a-golden-log-of-terms", at=AT)
    house = {"payouts": {"field 12": "3 to 1"}, "payouts_uniform": True}
    setting = odds_to_set(Rules.of("section2", house=house), {}, table="craps-7")
    _kept_in(log, [_keeping("section2"), setting])
    sitting = Sitting("section2", name="Craps 7", dice="physical", house=house, bank=1_000_00, terms=1)
    sitting.sit(ANN, 1, 500_00)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(ANN, "field", 300_00)
    sitting.shoot(ANN)
    sitting.roll(6, 6)
    sitting.do(c.Fill(cents=100_00), CREW["boxperson"])
    sitting.do(c.Fill(cents=1_000_00), CREW["boxperson"])
    log.append([draft_of(stored.entry) for stored in sitting.entries])
    yield from map(row_to_json, log.rows())


def _supervised() -> Iterator[bytes]:
    """Yield a log where sets of dice are changed and an irregularity is dealt with, under the rulebooks it keeps."""
    log = MemoryLog(KEY, log_id="a-golden-log-of-supervision", at=AT)
    _kept_in(log, [_keeping("maryland"), _keeping("colorado")])
    dice = Sitting("maryland", name="Craps 7", dice="physical")
    dice.do(k.CondemnDice(reason="lost", text="under the slot machines"), CREW["dealer"])
    dice.do(k.PutInDice(), CREW["boxperson"])
    table = Sitting("colorado", name="Craps 8", dice="physical")
    table.do(k.ReportIrregularity(text="a field wager was paid twice"), CREW["dealer"])
    table.do(k.DirectAction(irregularity=1, action="take the second payment back"), CREW["boxperson"])
    table.do(k.ObserveAction(irregularity=1), CREW["floorperson"])
    for sitting in (dice, table):
        log.append([draft_of(stored.entry) for stored in sitting.entries])
    yield from map(row_to_json, log.rows())


def _of_the_house(state: HouseState, command: k.HouseCommand, by: Actor, decision: Decision) -> Draft:
    return Draft(
        stream="house",
        expected=state.version,
        at=AT,
        actor=by.account,
        role=by.role,
        signed_by="bea" if needs_signature(command, by) else "",
        id=f"house-{state.version}",
        command=Raw(json.encode(command)),
        events=Raw(json.encode(decision.events)),
    )


def _written() -> Iterator[bytes]:
    log = MemoryLog(KEY, log_id="a-golden-log", at=AT)
    tables = []
    for sitting in _tables():
        log.append([draft_of(stored.entry) for stored in sitting.entries])
        tables.append(sitting.table)
    state: HouseState = house_fold(None, HOUSE_CODEC.events(next(iter(log.read())).entry))
    for command, by in HOUSE_COMMANDS:
        verdict = decide_house(state, command, by=by, at=AT, head=log.head(), tables=tables, sign=log.sign)
        assert isinstance(verdict, Decision), str(verdict)
        log.append([_of_the_house(state, command, by, verdict)])
        state = verdict.after
    for stored in _disputed().entries:  # at the end, so that the entries before stay as they are
        log.append([draft_of(stored.entry)])
    yield from map(row_to_json, log.rows())


def _clock_log() -> Iterator[bytes]:
    """Yield a log whose server's clock was set back."""
    log = MemoryLog(KEY, log_id="a-golden-clock", at=AT)
    jump = k.RecordClockJump(was="2026-11-15T08:00:00.000000Z", found="2026-11-15T07:58:30.000000Z")
    state: HouseState = house_fold(None, HOUSE_CODEC.events(next(iter(log.read())).entry))
    verdict = decide_house(state, jump, by=THE_HOUSE, at=AT, head=log.head(), tables=(), sign=log.sign)
    assert isinstance(verdict, Decision), str(verdict)
    draft = Draft(
        stream="house",
        expected=1,
        at=AT,
        actor=THE_HOUSE.account,
        role=THE_HOUSE.role,
        id="clock-1",
        command=Raw(json.encode(jump)),
        events=Raw(json.encode(verdict.events)),
    )
    log.append([draft])
    yield from map(row_to_json, log.rows())


def _electing() -> Iterator[bytes]:
    """Yield the log of a house that keeps its office here, and then elsewhere, as an owner elects it."""
    log = MemoryLog(KEY, log_id="a-golden-office", at=AT)
    state: HouseState = house_fold(None, HOUSE_CODEC.events(next(iter(log.read())).entry))
    for where, by in (("here", THE_HOUSE), ("elsewhere", OWNER)):
        command = k.ElectOffice(where=where)
        verdict = decide_house(state, command, by=by, at=AT, head=log.head(), tables=(), sign=log.sign)
        assert isinstance(verdict, Decision), str(verdict)
        log.append([_of_the_house(state, command, by, verdict)])
        state = verdict.after
    yield from map(row_to_json, log.rows())


def _sync_log() -> Iterator[bytes]:
    """Yield the log of a house whose clock no time service kept, and then one did."""
    log = MemoryLog(KEY, log_id="a-golden-sync", at=AT)
    state: HouseState = house_fold(None, HOUSE_CODEC.events(next(iter(log.read())).entry))
    for command in (
        k.RecordClockSync(state="not synchronised", milliseconds=16_000),
        k.RecordClockSync(state="synchronised", milliseconds=3),
    ):
        verdict = decide_house(state, command, by=THE_HOUSE, at=AT, head=log.head(), tables=(), sign=log.sign)
        assert isinstance(verdict, Decision), str(verdict)
        log.append([_of_the_house(state, command, THE_HOUSE, verdict)])
        state = verdict.after
    yield from map(row_to_json, log.rows())


def test_the_golden_log_of_a_clock_is_intact_and_its_jump_is_told() -> None:
    path = GOLDEN / "clock.jsonl"
    if os.environ.get("PASSLINE_WRITE_GOLDEN") == "1":
        path.write_bytes(b"".join(_clock_log()))
    rows = [row_from_json(text) for text in path.read_bytes().splitlines(keepends=True)]
    assert verify_log(rows, KEY.public).faults == ()
    assert list(decision_faults(_entries(rows))) == []
    assert [(jump.sequence, jump.what) for jump in clock_jumps(rows)] == [
        (2, "the server's clock was set back by 90.0 s, to 2026-11-15T07:58:30.000000Z")
    ]


def _on_paper() -> Iterator[bytes]:
    """Yield the log of a table whose money is on the office's papers, and of one without keyed wagers."""
    log = MemoryLog(KEY, log_id="a-golden-ledger", at=AT)
    for name, is_keyed in (("Keyed", True), ("Counted", False)):
        opener = k.Opener(office="maryland", entry=3, act=2, cents=995_00, on_record=1_000_00)
        sitting = Sitting(name=name, dice="physical", opener=opener, is_keyed=is_keyed)
        if is_keyed:
            sitting.sit(ANN, 1, 300_00)
            sitting.wager(ANN, "pass", 25_00)
        else:
            sitting.roll(2, 4)
            sitting.do(k.RatePlayer(name="Ann", average_cents=25_00, minutes=90), FLOOR)
        papers = (
            ("fill", 200_00, "F-000001"), ("credit", 50_00, "C-000001"), ("credit_back", 50_00, "C-000001"),
            ("shift", 900_00, ""), ("drop", 0, "D1"), ("tips", 0, "B1"), ("soft_count", 290_00, "D1"),
            ("closer", 890_00, ""), ("opener", 890_00, ""),
        )  # fmt: skip
        for entry, (paper, cents, about) in enumerate(papers, start=4):
            entered = k.EnterPaper(office="maryland", entry=entry, act=entry, paper=paper, cents=cents, about=about)
            sitting.do(entered, THE_HOUSE)
        for stored in sitting.entries:
            log.append([draft_of(stored.entry)])
    yield from map(row_to_json, log.rows())


def _in_points() -> Iterator[bytes]:
    """Yield the log of a tournament's table: its players seated with points, two rolls, and the round finished."""
    mode = PointsMode("open", 1, rolls=2, undecided="lost", clauses={"no_limit": "CO-2316-1-nolimit"})
    sitting = Sitting(name="Round", dice="physical", points=mode)
    players = enumerate((ANN, BOB), start=1)
    entrants = [k.Entrant(seat=seat, account=who.account, name=who.name, cents=2500_00) for seat, who in players]
    sitting.do(k.SeatEntrants(entrants=tuple(entrants)), THE_HOUSE)
    sitting.shoot(ANN)
    sitting.wager(ANN, "pass", 500_00)
    sitting.roll(2, 4)
    sitting.roll(1, 2)
    sitting.do(k.FinishRound(), THE_HOUSE)
    log = MemoryLog(KEY, log_id="a-golden-round", at=AT)
    for stored in sitting.entries:
        log.append([draft_of(stored.entry)])
    yield from map(row_to_json, log.rows())


def _announced() -> Iterator[bytes]:
    """Yield the log of a table that requires dice out, where a wager came after it."""
    steps = tuple(step for step in ALL if step != "confirm")
    sitting = Sitting(
        "section2",
        name="Announced",
        dice="physical",
        terms=0,
        puts_in_dice=False,
        automate=steps,
        requires_dice_out=True,
    )
    for seat, who in enumerate((ANN, BOB), start=1):
        sitting.sit(who, seat)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.do(k.DiceOut(), sitting.stick)
    sitting.wager(BOB, "field", 5_00)
    for role in ("dealer", "boxperson"):
        sitting.do(c.ConfirmWager(seat=2, wager="field"), CREW[role])
    sitting.roll(2, 4)
    log = MemoryLog(KEY, log_id="a-golden-dice-out", at=AT)
    _kept_in(log, [_keeping("section2")])
    for stored in sitting.entries:
        log.append([draft_of(stored.entry)])
    yield from map(row_to_json, log.rows())


def _with_namesake() -> Iterator[bytes]:
    """Yield the log of an Arizona table where a floorperson ruled that walk-ins are not the employee of that name."""
    sitting = Sitting("arizona", name="Namesake", dice="physical", approvals=LABORATORY)
    for seat, role in enumerate(("floorperson", "dealer"), start=1):
        alike = k.SeatPlayer(seat=seat, account=f"w{seat}", name="Cal", resembles="Cal", is_somebody_else=True)
        sitting.do(alike, CREW[role])
    log = MemoryLog(KEY, log_id="a-golden-namesake", at=AT)
    state: HouseState = house_fold(None, HOUSE_CODEC.events(next(iter(log.read())).entry))
    command, by = HOUSE_COMMANDS[0]
    verdict = decide_house(state, command, by=by, at=AT, head=log.head(), tables=[], sign=log.sign)
    assert isinstance(verdict, Decision), str(verdict)
    log.append([_of_the_house(state, command, by, verdict)])
    _kept_in(log, [_keeping("arizona")])
    log.append([draft_of(stored.entry) for stored in sitting.entries])
    yield from map(row_to_json, log.rows())


def _from_a_meter() -> Iterator[bytes]:
    """Yield the log of a table of another regulation, where a wager raises a meter and is paid from it."""
    pages = pages_with(ADDED)
    sitting = Sitting(
        NAME,
        name="Meter",
        dice="physical",
        house=dict(HOUSE),
        rulebooks=lambda _name: learn_rulebook(pages),
    )
    sitting.sit(ANN, 1, 100_00)
    sitting.wager(ANN, "pass", 15_00)
    sitting.wager(ANN, KIND, STAKE)
    sitting.shoot(ANN)
    for _roll in range(2):
        sitting.roll(6, 6)
        sitting.wager(ANN, "pass", 15_00)
    log = MemoryLog(KEY, log_id="a-golden-meter", at=AT)
    _kept_in(log, [k.KeepRulebook(name=NAME, pages=packed_pages(pages), program="0.3.0")])
    log.append([draft_of(stored.entry) for stored in sitting.entries])
    yield from map(row_to_json, log.rows())


def _with_closed_meter() -> Iterator[bytes]:
    """Yield the log of a table whose meter is closed in favour of an award, and opens again."""
    pages = pages_with(ADDED, CLOSING)
    sitting = raised_meter(CLOSING)
    sitting.do(close_meter(), OWNER)
    sitting.do(k.OpenMeter(wager=KIND), OWNER)
    log = MemoryLog(KEY, log_id="a-golden-closed-meter", at=AT)
    _kept_in(log, [k.KeepRulebook(name=NAME, pages=packed_pages(pages), program="0.3.0")])
    log.append([draft_of(stored.entry) for stored in sitting.entries])
    yield from map(row_to_json, log.rows())


def _archived() -> Iterator[bytes]:
    """Yield the log of a table whose first day is in an archive, with what the log says of that."""
    sitting = Sitting("maryland", name="Long ago", dice="physical")
    sitting.sit(ANN, 1, 100_00)
    sitting.wager(ANN, "pass", 15_00)
    sitting.shoot(ANN)
    sitting.roll(6, 6)
    entries = [stored.entry for stored in sitting.entries]
    with TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "log.sqlite", KEY, log_id="a-golden-archive", at=AT)
        log.append([draft_of(entry) for entry in entries])
        archive_entries(log, "9999", by="ann", at=max(entry.at for entry in entries))
        yield from map(row_to_json, log.rows())
        log.close()


LOGS = {
    "archived": _archived,
    "closed_meter": _with_closed_meter,
    "meters": _from_a_meter,
    "namesake": _with_namesake,
    "dice_out": _announced,
    "points": _in_points,
    "ledger": _on_paper,
    "tables": _written,
    "rulebooks": _adopting,
    "terms": _under_terms,
    "supervision": _supervised,
    "office": _electing,
    "houses": _changing_houses,
    "sync": _sync_log,
}
each_log = pytest.mark.parametrize("log", LOGS)


def _lines(log: str = "tables") -> list[LogRow]:
    path = GOLDEN / f"{log}.jsonl"
    if os.environ.get("PASSLINE_WRITE_GOLDEN") in {"1", log}:  # all, or only one that is new
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"".join(LOGS[log]()))
    return [row_from_json(text) for text in path.read_bytes().splitlines(keepends=True)]


def _entries(lines: list[LogRow]) -> list[Stored]:
    return [Stored(json.decode(line.body, type=Entry), line.body, line.hash, line.seal) for line in lines]


@each_log
def test_a_golden_log_is_intact(log: str) -> None:
    new_process()
    lines = _lines(log)
    assert verify_log(lines, KEY.public).faults == ()
    assert list(decision_faults(_entries(lines))) == []


def test_the_golden_log_has_every_kind_of_event() -> None:
    """So that an event whose name or fields change without an upcaster is found here, or in a younger log beside it."""
    rows = [
        row_from_json(text) for path in GOLDEN.glob("*.jsonl") for text in path.read_bytes().splitlines(keepends=True)
    ]
    found = {event["event"] for stored in _entries(rows) for event in json.decode(stored.entry.events)}
    known = {kind.__struct_config__.tag for kind in (*get_args(TableEvent), *get_args(HouseEvent))}
    assert found == known


def test_the_golden_log_folds_to_the_same_tables() -> None:
    tables = {decision.after.id: decision.after for decision in table_entries(_entries(_lines()))}
    summary = [
        f"{live.id}: {live.status}, version {live.version}, hand {live.hand}, roll {live.track.roll}, "
        f"bank {live.game.money.bank}, drop {live.game.money.drop}, layout {len(live.game.position.layout)}"
        for live in tables.values()
    ]
    path = GOLDEN / "tables.txt"
    if os.environ.get("PASSLINE_WRITE_GOLDEN") == "1":
        path.write_text("\n".join(summary) + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == summary
