"""Gaming days closed as not known that a correction makes known: the open day carries them, and sums are equal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from passline.acts.course import OFFICE_STREAM
from passline.acts.events import ActCompleted
from passline.bookkeeping.period_sums import PeriodSum, sums_of_days
from passline.bookkeeping.results import ADDENDUM, TableResult
from passline.bookkeeping.win import table_results
from passline.office.folder import write_folder
from passline.office.kept import names_of_log
from passline.office.views.day_report import day_bounds
from passline.office.views.kept_days import office_at_day
from passline.office.views.kept_past import folder_past, kept_past
from passline.office.views.office_views import OfficeViews
from passline.store.entry import Stored
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from tests.cases import one_in
from tests.office.corrected_story import FIRST, Mistake, Step, ToldStory, sums_known

_NEXT = FIRST + timedelta(days=1)


def _tray(which: str, shift: str, count: int, **fields: str) -> Step:
    figures = {"chips": {"10000": count}, "shift": shift, **fields}
    return Step("dan", f"count_{which}", ("T1",), {}, figures, (("flo", "second"),))


def _drop(shift: str, box: str, after: str, notes: int) -> list[Step]:
    fields = {"shift": shift, "dropped": box, "drop_box": after}
    return [
        Step("ned", "drop_table", ("T1",), fields, {}, (("flo", "viewer"),)),
        Step("ned", "count_box", (box,), {"team": ["ned", "nia"]}, {"cash": {"10000": notes}}, _COUNTERS),
    ]


_COUNTERS = (("nia", "second"), ("cy", "cage"))
_STORY: list[Step | date] = [
    Step("cora", "register_table", ("T1",), {}, {"area": "pit-1"}, ()),
    *(Step("olga", "enter_drop_box", (box,), {}, {}, ()) for box in ("D1", "D2", "D3", "D4")),
    Step("flo", "attach_drop_box", ("T1",), {"drop_box": "D1"}, {}, ()),
    _tray("opener", "day", 20),
    *_drop("day", "D1", "D2", 9),
    _tray("closer", "day", 15, gaming_day=str(FIRST)),
    FIRST,
    _tray("opener", "day", 15),
    *_drop("day", "D2", "D3", 4),
    _tray("closer", "day", 12),
    _NEXT,
]
_CLOSER = 9  # the first closer, counted 20 minutes after noon
_WRONG = {"chips": {"10000": 15}, "shift": "day", "gaming_day": str(_NEXT)}  # it was keyed for the day after


def _sums(told: ToldStory) -> dict[tuple[str, str], PeriodSum]:
    return sums_of_days(table_results(told.events, told.facility))


def _results(told: ToldStory, day: date) -> list[TableResult]:
    return [one for one in table_results(told.events, told.facility) if one.day == day]


@pytest.fixture
def right() -> ToldStory:
    told = ToldStory("practice")
    told.tell_story(_STORY, closes=True)
    return told


@pytest.fixture
def told() -> ToldStory:
    wrong = ToldStory("practice")
    wrong.tell_story(_STORY, [Mistake(_CLOSER, _WRONG, len(_STORY))], closes=True)
    return wrong


def test_a_day_closed_as_not_known_is_known_in_the_addendum(told: ToldStory, right: ToldStory) -> None:
    closed = _results(told, FIRST)
    assert [one.win for one in closed] == [None], "it was counted only together with the next day"
    assert _sums(told)[str(FIRST), "T1"].unknown == 1
    told.correct(_STORY, Mistake(_CLOSER, {}, 0))
    assert _results(told, FIRST) == closed, "the closed day stays as it was closed"
    (addendum,) = _results(told, FIRST + timedelta(days=2))
    assert addendum.shift == ADDENDUM
    assert [str(settled.day) for settled in addendum.settles] == [str(FIRST), str(_NEXT)]
    known = {day: one.win for (day, _), one in _sums(right).items()}
    assert known == {str(FIRST): 4_00_00, str(_NEXT): 1_00_00}
    assert addendum.win == sum(known.values())
    assert any(f"what was won on {FIRST}, closed as not known, is known" in said for said in addendum.corrections)
    assert sums_known(told.events, told.facility) == sums_known(right.events, right.facility)


def test_a_day_that_is_made_unknown_again_is_taken_out(told: ToldStory) -> None:
    before = sums_known(told.events, told.facility)
    told.correct(_STORY, Mistake(_CLOSER, {}, 0))
    first, again = told.acts[_CLOSER], told.state.acts
    assert sums_known(told.events, told.facility).unknown == 0
    fields: dict[str, Any] = {"corrects": again, "reason": "it was right", **_WRONG}
    told.does("dan", "correct_count_closer", "T1", **fields)
    told.signs("flo", "second", chips=_WRONG["chips"])
    assert first < again
    assert sums_known(told.events, told.facility) == before
    assert all(not one.settles for one in table_results(told.events, told.facility))


@pytest.mark.parametrize("closed", [2, 1], ids=["both days closed", "only the first day closed"])
def test_a_day_closed_as_known_that_a_correction_makes_unknown_is_in_no_sum(closed: int, right: ToldStory) -> None:
    """As if the closer had been keyed for the day after from the beginning; put right, all is as it was."""
    story = _STORY if closed == 2 else _STORY[:-1]
    wrong, told = ToldStory("practice"), ToldStory("practice")
    wrong.tell_story(story, [Mistake(_CLOSER, _WRONG, len(_STORY))], closes=True)
    told.tell_story(story, closes=True)
    known, first = sums_known(told.events, told.facility), told.acts[_CLOSER]
    books = _results(told, FIRST)
    assert (known.days, known.unknown, known.win) == (2, 0, 5_00_00)

    def correct(corrects: int, fields: dict[str, Any]) -> int:
        told.does("dan", "correct_count_closer", "T1", corrects=corrects, reason="another day", **fields)
        told.signs("flo", "second", chips=fields["chips"])
        return told.state.acts

    last = correct(first, _WRONG)
    assert _results(told, FIRST) == books, "the closed day stays as it was closed"
    assert sums_known(told.events, told.facility) == sums_known(wrong.events, wrong.facility)
    assert sums_known(told.events, told.facility).win == 0
    last = correct(last, {**_WRONG, "gaming_day": str(FIRST)})
    assert sums_known(told.events, told.facility) == known
    last = correct(last, {**_WRONG, "gaming_day": str(FIRST), "chips": {"10000": 14}})
    correct(last, {**_WRONG, "chips": {"10000": 14}})
    assert sums_known(told.events, told.facility) == sums_known(wrong.events, wrong.facility)
    assert sums_known(right.events, right.facility) == known


def test_corrected_before_the_next_day_is_closed_only_the_closed_one_is_in_the_addendum(right: ToldStory) -> None:
    told = ToldStory("practice")
    told.tell_story(_STORY[:-1], [Mistake(_CLOSER, _WRONG, len(_STORY))], closes=True)
    told.correct(_STORY, Mistake(_CLOSER, {}, 0))
    assert [settled.day for one in table_results(told.events, told.facility) for settled in one.settles] == [FIRST]
    assert sums_known(told.events, told.facility) == sums_known(right.events, right.facility)
    told.tell_story([_NEXT], closes=True)
    assert sums_known(told.events, told.facility) == sums_known(right.events, right.facility)


def test_the_folder_of_the_closed_day_stays_byte_by_byte(told: ToldStory, tmp_path: Path) -> None:
    log = MemoryLog(SigningKey(bytes(32)), at="2025-12-30T00:00:00.000000Z")
    folders = []
    for name in ("before", "after"):
        told.write(log, log.streams().get("office/practice", 0))
        write_folder(log, "practice", FIRST, tmp_path / name)
        folders.append(_files(tmp_path / name))
        if name == "before":
            told.correct(_STORY, Mistake(_CLOSER, {}, 0))
    assert folders[0] == folders[1]


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class _ReadLog(MemoryLog):
    """A log that knows how much of the office's stream was read."""

    def __init__(self) -> None:
        super().__init__(SigningKey(bytes(32)), at="2025-12-30T00:00:00.000000Z")
        self.versions = list[int]()  # from which on it was read

    def read_stream(self, stream: str, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        if stream.startswith(OFFICE_STREAM):
            self.versions.append(after)
        return super().read_stream(stream, after=after, hand=hand)


@pytest.mark.parametrize(
    ("is_late", "is_one_commit"),
    one_in(4, [(True, True), (True, False), (False, True), (False, False)], others=pytest.mark.whole),
)
def test_a_closed_day_is_found_in_the_views_as_in_the_whole_log(
    told: ToldStory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_one_commit: bool, is_late: bool
) -> None:
    """The office is read from the beginning of the day on; unless more was written in one commit with the closing.

    A day that is closed long after it ended is read in two parts, between which nothing is.
    """
    if is_late:
        monkeypatch.setattr("passline.office.views.kept_past._CLOSED_SECONDS", 1.0)
    told.correct(_STORY, Mistake(_CLOSER, {}, 0))
    _hold_views_against_log(told, tmp_path, is_one_commit=is_one_commit)


def test_a_closed_day_in_which_something_was_corrected_is_found_in_the_views(tmp_path: Path) -> None:
    told = ToldStory("practice")
    told.tell_story(_STORY[:-1], [Mistake(_CLOSER, _WRONG, len(_STORY))], closes=True)
    told.correct(_STORY, Mistake(_CLOSER, {}, 0))
    told.tell_story([_NEXT], closes=True)
    corrected = [at for at, event in told.events if isinstance(event, ActCompleted) and event.corrects]
    begins, ends = day_bounds(told.facility, _NEXT)
    assert any(begins <= at < ends for at in corrected)
    _hold_views_against_log(told, tmp_path, is_one_commit=False)


def _hold_views_against_log(told: ToldStory, to: Path, *, is_one_commit: bool) -> None:
    """Write the folders of both days from views and from the whole log, and see how much of it was read."""
    log = _ReadLog()
    told.write(log, at_once=is_one_commit)
    views = ViewStore(None, b"a key")
    projector = Projector(log, views, [OfficeViews(log)])
    while projector.advance(7):
        pass
    for day in (FIRST, _NEXT):
        write_folder(log, "practice", day, to / f"{day}-log")
        theirs = _files(to / f"{day}-log")
        for find_past in (kept_past, folder_past):
            log.versions.clear()
            past = find_past(log, views, "practice", day, names_of_log(log))
            assert past.closing
            _, begun = office_at_day(views, "practice", day)
            folder = to / f"{day}-{find_past.__name__}"
            write_folder(log, "practice", day, folder, past=past)
            assert (min(log.versions) == 0) == (is_one_commit or begun == 0)
            assert _files(folder) == theirs
