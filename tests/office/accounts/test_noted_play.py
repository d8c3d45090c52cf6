"""What servers note of play is worked out again by `verify`: a changed figure, a name left out, a note of nothing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from passline.acts.commands import NoteComp, NoteSkim
from passline.acts.events import ActEvent
from passline.office.noted_play import NotedPlay, PlayNote, noted_play_faults
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.store.entry import Stored
from tests.cases import one_in
from tests.office.accounts.beyond_luck import found_beyond_luck, played
from tests.office.accounts.comped import two_rated_days
from tests.office.accounts.watched import WatchedTable
from tests.tables.sitting import ANN


def _faults(watched: WatchedTable) -> list[str]:
    """Return what is found in the notes of a log in which everything else is decided again in the same way."""
    watched.write()
    noted: list[NotedPlay] = []

    def read() -> Iterable[Stored]:
        return watched.log.read()

    decided = [fault.what for fault in house_faults(read(), noted=noted)]
    assert not [what for what in decided if "decided again" in what], decided
    return [fault.what for fault in noted_play_faults(noted, read)]


def _noted(watched: WatchedTable, *notes: PlayNote) -> tuple[ActEvent, ...]:
    """Have the office take notes, as a server gives them or as somebody with its key would."""
    watched.office.at = watched.sitting.at
    answers = [watched.office.send(note) for note in notes]
    refused = [str(answer) for answer in answers if isinstance(answer, Refused)]
    assert not refused, refused
    return tuple(event for answer in answers if not isinstance(answer, Refused) for event in answer)


def test_results_that_were_noted_as_the_log_has_them_are_no_fault() -> None:
    watched = played(10)
    found = found_beyond_luck(watched)
    assert len(found) == 4
    _noted(watched, *(own.note for own in found))
    assert _faults(watched) == []


@pytest.mark.parametrize(
    "changes",
    one_in(
        5,
        [
            {"won": -400_00},
            {"low": -90_00},
            {"people": ("bea", "stan")},  # whoever is left out may look into it
            {"people": ("bea", "dee", "stan", "olga")},  # and whoever is added may not
            {"month": "2026-10"},
        ],
        others=pytest.mark.whole,
    ),
    ids=str,
)
def test_a_result_that_was_noted_otherwise_is_found(changes: dict[str, object]) -> None:
    watched = played(10)
    found = found_beyond_luck(watched)[0]
    _noted(watched, replace(found.note, **changes))
    [fault] = _faults(watched)
    assert fault.startswith("notes that ")
    assert ("the log has nothing of it" in fault) == bool({"month"} & changes.keys())


def test_a_result_that_was_read_a_moment_before_it_was_written_is_no_fault_and_one_of_long_before_is() -> None:
    for minutes, is_found in ((1, False), (20, True)):
        watched = played(10)
        note = found_beyond_luck(watched)[0].note
        watched.sitting.wait(30)
        watched.sitting.wager(ANN, "pass", 10_00)
        watched.sitting.roll(3, 4)
        watched.sitting.wait(minutes)
        _noted(watched, note)
        assert bool(_faults(watched)) == is_found, minutes


def test_comps_that_were_earned_by_other_play_than_the_log_has_are_found() -> None:
    rated, _ = two_rated_days()
    assert _faults(rated) == []
    (more,) = _noted(rated, NoteComp(patron="P1", day="2026-11-14", theoretical=9_000_00))
    assert "patron P1" in str(more) or "P1" in str(more)
    [fault] = _faults(rated)
    assert fault.startswith("notes that play of patron P1 on 2026-11-14 was worth 9000.00; by the log the server notes")
    _noted(rated, NoteComp(patron="P2", day="2026-11-13", theoretical=50_00))
    assert _faults(rated)[1].endswith("the log has nothing of it to note")


def test_an_alarm_of_thefts_that_no_count_came_to_is_found() -> None:
    watched = played(1)
    _noted(
        watched,
        NoteSkim(
            look="notes", kind="crew", subject="bea", table="craps-1", day="2026-11-15", shift="day", shifts=9,
            short=900_00, evidence=5_000, bound=400,
        ),
    )  # fmt: skip
    [fault] = _faults(watched)
    assert fault.startswith("notes notes of crew bea until 2026-11-15 day: 900.00 short in 9 shifts")
