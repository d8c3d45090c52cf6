"""The log of an office as an earlier Passline wrote it: every later version must read, fold and verify it.

It keeps its own pages and rulebook, so that nothing installed decides what was lawful then. To write it again after an
intended change, and review the difference (a changed event needs an upcaster instead):

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/office/test_golden_office.py
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.commands import (
    CommitFile,
    DoAct,
    GiveBodyKey,
    LeaveOut,
    LookRound,
    NoteCash,
    RevokeBodyKey,
    SetValue,
)
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.acts.judges.body_words import request_of
from passline.acts.rules import OFFICE_RULES
from passline.acts.stamps import stamp_text
from passline.acts.state import ActState, fold
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.rules.pages.texts import installed_folder, packed_pages, read_pages
from passline.store.entry import Draft, LogRow
from passline.store.export import row_from_json, row_to_json
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import stored_of
from passline.store.verify import verify_log
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tables import commands as k
from passline.tables.entries import HOUSE_CODEC
from passline.tables.house import HouseState
from passline.tables.house import decide as decide_house
from passline.tables.house import fold as house_fold
from tests.office.accounts.watched import WatchedTable
from tests.office.bookkeeping import KeptOffice, people_drafts
from tests.office.day_file import DAYS, steps_of
from tests.office.logged_day import LoggedDay

GOLDEN = Path(__file__).parent / "golden"
KEY = SigningKey(bytes(range(32)))
AT = "2026-01-01T00:00:00.000000Z"
_AFTER = """
clear T1 capstan
olga go_off_duty sam
look T1
olga go_on_duty sam {area = "pit-1"}
look T1
bob count_shift T1 {chips = {500 = 0}, shift = "day", in_drop_box = true}
void NUMBER by bob keyed by mistake
at 2026-04-20 18:00
look
"""


def _written() -> bytes:
    log = MemoryLog(KEY, log_id="a-golden-log-of-an-office", at=AT)
    rulebook = packed_pages(read_pages(installed_folder("arizona")))
    _of_the_house(log, k.KeepRulebook(name="arizona", pages=rulebook, program="0.1.0"), THE_HOUSE)
    text, mark, _ = (DAYS / "arizona_opening.txt").read_text(encoding="utf-8").partition("# T1 may open.")
    assert mark
    day = LoggedDay(log)
    for step in steps_of(text + _AFTER):
        found = list(day.do(step.text.replace("NUMBER", str(day.state.acts))))
        assert step.text not in _AFTER or not any(one.startswith("refused") for one in found), (step.text, found)
        if step.text.startswith("office "):
            day.keep()
        elif step.text.startswith("people "):
            log.append(people_drafts(day.people))
        elif step.text.startswith("approval "):
            report = k.FileApproval(
                kind=step.text.split()[1], authority="laboratory", reference="L-7", date="2026-01-01"
            )
            _of_the_house(log, report, Actor("olga", "Olga", "owner", is_employee=True))
    return b"".join(map(row_to_json, log.rows()))


def _cash_written() -> bytes:
    """Return the log of a cage whose sale to a patron wants a report."""
    log = MemoryLog(KEY, log_id="a-golden-log-of-cash", at="2025-12-30T00:00:00.000000Z")
    people = {"olga": "owner", "cy": "cashier", "acc": "accountant"}
    office = KeptOffice("section2", Facility(name="Harbour", zone="America/Denver"), people)
    office.go_to("2026-03-07", "12:00")
    office.does("cy", "receive_chips", units={"10000": 200}, delivery="note 1", signs=("acc", "witness"))
    office.does("cy", "issue_chips", units={"10000": 200}, signs=("acc", "witness"))
    office.does("cy", "enter_patron", "P1", name="Ann Smith")
    office.send(SetValue(key="cash_report", value=10_000_00), "olga")
    office.does("cy", "sell_chips", units={"10000": 101}, patron="P1")
    office.send(NoteCash(patron="patron/P1", day="2026-03-07", cents_in=10_100_00, cents_out=0))
    office.does("olga", "file_cash_report", "2026-03-07.patron-P1", report="d" * 64)
    office.send(LeaveOut(items=("acts.receive_chips.signs.witness",)), "olga")
    office.write(log)
    return b"".join(map(row_to_json, log.rows()))


def _dice_written() -> bytes:
    """Return the log of a table whose first roll is alarming, since its office wants to be told so soon."""
    watched = WatchedTable("maryland", one_in=1, is_keyed=False, key=KEY)
    watched.sitting.do(k.KeyDice(first=6, second=6), watched.sitting.stick)
    watched.write()
    assert not watched.note(rolls=1, evidence=1)
    return b"".join(map(row_to_json, watched.log.rows()))


def _day_written() -> bytes:
    """Return the log of a gaming day that was closed, and whose slip was filed."""
    log = MemoryLog(KEY, log_id="a-golden-log-of-a-day", at="2025-12-30T00:00:00.000000Z")
    people = {"olga": "owner", "cora": "compliance", "acc": "accountant", "cy": "cashier", "flo": "floorperson"}
    office = KeptOffice("section2", Facility(name="Harbour", zone="America/Denver", areas=("pit-1",)), people)
    office.go_to("2026-03-07", "12:00")
    office.does("cora", "register_table", "T1", area="pit-1")
    office.does("flo", "request_fill", table="T1", units={"500": 20})
    office.does("cy", "void_fill", "F-000001", reason="not needed", signs=("flo", "witness"))
    office.go_to("2026-03-08", "12:00")
    office.does("acc", "close_gaming_day", "2026-03-07")
    office.signs("cora", "second")
    office.go_to("2026-03-09", "12:00")
    office.send(LookRound())
    office.write(log)
    return b"".join(map(row_to_json, log.rows()))


def _authority_written() -> bytes:
    """Return the log of words of a body: told by the house, stamped, and its key revoked."""
    id_ = "a-golden-log-of-authority"
    log = MemoryLog(KEY, log_id=id_, at="2025-12-30T00:00:00.000000Z")
    people = {"olga": "owner", "cora": "compliance", "abe": "accountant"}
    office = KeptOffice("arizona", Facility(name="Harbour", zone="America/Phoenix"), people, house=id_)
    office.go_to("2026-03-07", "12:00")
    paper = {"document": "1" * 64, "reference": "letter 1", "received": "2026-03-06"}
    pool = DoAct(act="approve_tip_pool", fields={"process": "shares"}, paper=paper, signs="second")
    assert not isinstance(office.send(pool, "cora", "olga"), Refused)
    key = SigningKey(bytes([7]) * 32)
    office.send(GiveBodyKey(body="TGO", key=key.public.hex()), "olga")
    stamped = replace(pool, signs="", paper={**paper, "document": "2" * 64})
    request = request_of(office.scene, stamped, "TGO")
    stamp = stamp_text(key, request, issued="2026-03-07T19:00:00Z", serial="01")
    assert not isinstance(office.send(replace(stamped, stamp=stamp), "cora"), Refused)
    office.send(RevokeBodyKey(body="TGO", key=key.public.hex(), reason="lost"), "olga")
    office.write(log)
    return b"".join(map(row_to_json, log.rows()))


def _file_written() -> bytes:
    """Return the log of an office that was committed to the file beside it after each of two gaming days."""
    log = MemoryLog(KEY, log_id="a-golden-log-of-commitments", at="2025-12-30T00:00:00.000000Z")
    office = KeptOffice("section2", Facility(name="Harbour", zone="America/Denver"), {"olga": "owner"})
    for day, number in (("07", 1), ("08", 2)):
        office.go_to(f"2026-03-{int(day) + 1:02}", "12:00")
        answer = office.send(CommitFile(day=f"2026-03-{day}", commitment=f"{number:064}"))
        assert not isinstance(answer, Refused), answer
    office.write(log)
    return b"".join(map(row_to_json, log.rows()))


def _of_the_house(log: MemoryLog, command: k.HouseCommand, by: Actor) -> None:
    state: HouseState | None = None
    for stored in log.read_stream("house"):
        state = house_fold(state, HOUSE_CODEC.events(stored.entry))
    assert state is not None
    decision = decide_house(state, command, by=by, at=AT, head=log.head(), tables=(), sign=log.sign)
    assert isinstance(decision, Decision), str(decision)
    draft = Draft(
        stream="house",
        expected=state.version,
        at=AT,
        actor=by.account,
        role=by.role,
        id=f"house-{state.version}",
        command=Raw(json.encode(command)),
        events=Raw(json.encode(decision.events)),
    )
    log.append([draft])


# Told by what live tables do, which these logs lack.
_WITH_A_TABLE = {e.LedgerTold, e.DiceUnaccounted, e.SkimAlarmed, e.ResultAlarmed, e.CompEarned}
LOGS = {
    "arizona": _written,
    "cash": _cash_written,
    "dice": _dice_written,
    "day": _day_written,
    "authority": _authority_written,
    "file": _file_written,
}
each_log = pytest.mark.parametrize("log", LOGS)


def _rows(log: str) -> list[LogRow]:
    path = GOLDEN / f"{log}.jsonl"
    if os.environ.get("PASSLINE_WRITE_GOLDEN") in {"1", log}:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(LOGS[log]())
    return [row_from_json(text) for text in path.read_bytes().splitlines(keepends=True)]


def _decisions(log: str) -> list[tuple[str, tuple[e.ActEvent, ...]]]:
    entries = [stored_of(row).entry for row in _rows(log)]
    return [(one.at, OFFICE_CODEC.events(one)) for one in entries if one.stream.startswith(OFFICE_STREAM)]


@each_log
def test_a_golden_log_of_an_office_is_intact(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OFFICE_RULES, "_known", {})  # a new process: only the log says by which pages it was kept
    rows = _rows(log)
    assert verify_log(rows, KEY.public).faults == ()
    assert list(house_faults(map(stored_of, rows))) == []


def test_the_golden_logs_of_offices_have_every_kind_of_event() -> None:
    """So that an event whose name or fields change without an upcaster is found here."""
    found = {type(event) for log in LOGS for _, events in _decisions(log) for event in events}
    assert found == {*get_args(e.ActEvent)} - _WITH_A_TABLE


@each_log
def test_a_golden_log_folds_to_the_same_office(log: str) -> None:
    state: ActState | None = None
    for at, events in _decisions(log):
        state = fold(state, at, events)
    assert state is not None
    summary = [
        f"version {state.version}, {state.acts} acts, {state.clearances} clearances, values {state.values}",
        *(f"{key}: {known.state} since {known.since}" for key, known in state.things.items()),
        *(f"{act}: {mark.number} by {mark.by}" for act, marks in state.marks.items() for mark in marks.values()),
        f"stocks {state.stocks}, broken {state.broken}, waiting {list(state.pending)}",
    ]
    path = GOLDEN / f"{log}.txt"
    if os.environ.get("PASSLINE_WRITE_GOLDEN") in {"1", log}:
        path.write_text("\n".join(summary) + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == summary
