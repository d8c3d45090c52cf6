"""The history of the demo's casino: dealt by the engine, verified without a fault, and something in every list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, OfficeCourse
from passline.acts.documents import Documents
from passline.acts.events import ActDone, ActEvent, IncidentOpened
from passline.acts.judges.scene import Surroundings
from passline.acts.papers.houses import rules_of_file
from passline.acts.papers.sheet import sheet_of
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.acts.state import ActState
from passline.bookkeeping.dice_kept import find_dice_sets
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import table_results
from passline.cli.main import main
from passline.dice_sources import seeded_rolls
from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from passline.store.data_folder import KEY_FILE, open_log
from passline.store.keys import load_key
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.tables.entries import TABLE, TABLE_CODEC
from passline.tables.events import PlayerRated, RollCorrected
from passline.web import startup
from passline.web.demo.casino.history import GAMING_DAYS, begins_at, has_room, make_history
from passline.web.demo.casino.running import FACILITY, REGULATION
from passline.web.demo.casino.staff import DEMO_PASSWORD, STAFF
from tests.office.accounts.watched import kept_views

pytestmark = pytest.mark.whole  # other tests of the demo look at the house, not at its past

_NOW = "2026-11-16T09:00:00.000000Z"
_ROLLS = 6
_NOTHING_OF = {
    "progressive",
    "tournament",
    "held_item",
    "outage",
    "told_for",
    "manual_slip",
}  # which this house does not have


def _made(folder: Path, seed: int) -> Log:
    log = open_log(folder, is_demo=True, at=begins_at(_NOW))
    dice = seeded_rolls(seed).__next__
    make_history(log, load_key(folder / KEY_FILE), Documents(folder / "documents"), dice, rolls=_ROLLS)
    return log


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("casino")
    _made(data, 16).close()
    return data


@pytest.fixture(scope="module")
def log(folder: Path) -> Iterator[Log]:
    with closing(open_log(folder)) as opened:
        yield opened


class OfficePast(NamedTuple):
    """The casino's office as its log has it."""

    rules: ActRules
    now: ActState
    events: list[tuple[str, ActEvent]]


@pytest.fixture(scope="module")
def past(log: Log) -> OfficePast:
    course, state = OfficeCourse(Surroundings(lambda _account: None)), ActState()
    events = list[tuple[str, ActEvent]]()
    for stored in log.read_stream(OFFICE_STREAM + REGULATION):
        brought = OFFICE_CODEC.events(stored.entry)
        state = course.fold(state, stored.entry, brought)
        events += ((stored.entry.at, event) for event in brought)
    rules = OFFICE_RULES.find(state.digest)
    assert rules is not None
    return OfficePast(rules, state, events)


@pytest.fixture(scope="module")
def results(past: OfficePast) -> list[TableResult]:
    assert past.now.facility is not None
    return table_results(past.events, past.now.facility)


@pytest.mark.whole
def test_verify_finds_no_fault_and_has_nothing_to_warn_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder), "--every-seal"]) == 0, capsys.readouterr().out
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.lower().startswith(("warning", "note"))]


def test_slips_were_scanned_before_their_boxes_were_counted(past: OfficePast) -> None:
    matched = [event for _, event in past.events if isinstance(event, ActDone) and event.act == "match_slips"]
    counted = [event for _, event in past.events if isinstance(event, ActDone) and event.act == "count_box"]
    assert len(matched) == len(counted) > 0
    assert any(event.fields.get("found") for event in matched)
    assert not any(event.fields.get("typed") for event in matched)
    incidents = [event.why for _, event in past.events if isinstance(event, IncidentOpened)]
    assert not [why for why in incidents if "slip" in why]


def test_its_entries_follow_each_other_and_end_before_today(log: Log) -> None:
    moments = [stored.entry.at for stored in log.read()]
    assert moments == sorted(moments)
    assert moments[0] == begins_at(_NOW)
    assert FACILITY.gaming_day(moments[-1]) == FACILITY.gaming_day(_NOW) - timedelta(days=1)


def test_three_gaming_days_of_two_shifts_at_two_tables_are_counted(results: list[TableResult]) -> None:
    assert len(results) == GAMING_DAYS * 2 * 2
    assert not any(one.missing for one in results)
    assert {one.drop > 0 for one in results} == {True}


def test_ledger_and_count_agree_but_for_one_box_and_where_no_wagers_are_keyed(results: list[TableResult]) -> None:
    differing = [(one.table, one.shift, one.difference) for one in results if one.difference]
    assert differing == [("craps-2", "day", -100_00)]
    uncovered = [(one.table, one.day) for one in results if one.ledger_win is None]
    assert uncovered == [("craps-2", FACILITY.gaming_day(_NOW) - timedelta(days=1))] * 2


def test_the_books_of_all_days_but_the_last_are_closed(past: OfficePast) -> None:
    """The last one has an incident that nobody has looked into."""
    last = FACILITY.gaming_day(_NOW) - timedelta(days=1)
    days = [(last - timedelta(days=one)).isoformat() for one in range(GAMING_DAYS)]
    assert [past.now.thing("gaming_day", day) is not None for day in days] == [False, True, True]


def test_every_list_of_the_office_has_something(past: OfficePast) -> None:
    assert {one.kind for one in past.now.things.values()} == {*past.rules.pages.things} - _NOTHING_OF
    assert [one.state for one in past.now.of_kind("incident")] == ["under_investigation", "open"]
    assert {one.state for one in past.now.of_kind("cash_report")} == {"filed", "due"}
    filed = {state for key, state in past.now.ended.items() if key.startswith("fill_slip/")}
    assert filed | {one.state for one in past.now.of_kind("fill_slip")} >= {"accepted", "void", "requested"}
    assert [one.done.act for one in past.now.pending.values()] == ["count_cage"]
    assert not past.now.broken


def test_every_paper_can_be_printed(past: OfficePast) -> None:
    for name, paper in past.rules.pages.papers.items():
        if name != "changed_odds":  # this house pays what is listed
            thing = {"house": "saguaro", "table": "craps-1"}[paper.thing]
            sheet = sheet_of(past.rules, past.now, name, thing, rules_of_file)
            assert sheet.is_complete, sheet.missing
            assert all(part.lines for part in sheet.parts)


def test_a_roll_is_corrected_and_play_without_keyed_wagers_is_rated(log: Log) -> None:
    events = [
        (table, event)
        for table in ("craps-1", "craps-2")
        for stored in log.read_stream(TABLE + table)
        for event in TABLE_CODEC.events(stored.entry)
    ]
    assert [table for table, event in events if isinstance(event, RollCorrected)] == ["craps-1"]
    assert {table for table, event in events if isinstance(event, PlayerRated)} == {"craps-2"}


def test_everybody_of_the_staff_can_log_in(log: Log) -> None:
    desk = FrontDesk(log, lambda: _NOW, is_demo=True)
    for account in ("olga", "cora", "tom"):
        assert isinstance(desk.log_in(name=account.capitalize(), password=DEMO_PASSWORD), Welcome)
    assert {one for one in desk.people().accounts if not one.startswith("patron-")} == {*STAFF}


@pytest.mark.whole
def test_the_same_dice_deal_the_same_history(folder: Path, tmp_path: Path) -> None:
    with closing(_made(tmp_path, 16)) as again, closing(open_log(folder)) as first:
        for stream in ("office/arizona", "table/craps-1", "table/craps-2"):
            was, is_now = ([stored.entry.events for stored in one.read_stream(stream)] for one in (first, again))
            assert was == is_now


@pytest.mark.whole
def test_a_demo_makes_its_history_at_its_first_start_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "make_history", partial(make_history, rolls=1))
    settings = startup.Settings(tmp_path / "demo", is_demo=True)
    for _start in range(2):
        startup.prepare(settings)
        with closing(open_log(tmp_path / "demo")) as log:
            assert not has_room(log)
            assert len([one for one in log.read_stream("office/arizona") if b"office-set-up/1" in one.body]) == 1
            assert utc_now() > [stored.entry.at for stored in log.read()][-1]


def test_the_evidence_of_dice_goes_with_their_serial_numbers(log: Log) -> None:
    """A cup that loses a die goes on with the others, and a die that comes into it brings its own past: none."""
    entries = list(log.read())
    sets = find_dice_sets(kept_views(entries), REGULATION)
    assert find_dice_sets(kept_views(entries, batch=50), REGULATION) == sets, "however much was read at a time"
    assert all(one.dice for one in sets)
    thrown = {(one.table, one.number): one for one in sets if one.rolled}
    mixed = [one for one in thrown.values() if len(one.lines) > 1]
    assert mixed
    for one in mixed:
        before = thrown[one.table, one.number - 1]
        (stayed,) = [line for line in one.lines if set(line.names) < set(before.dice)]
        (came,) = [line for line in one.lines if line is not stayed]
        assert not set(came.names) & set(before.dice)
        assert (stayed.evidence.rolls, came.evidence.rolls) == (before.rolls + one.rolled, one.rolled)
