"""Projections: each entry counts once, whatever interrupts them, and they are made again if they do not fit the log."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from passline.store.entry import Stored
from passline.store.log import LogError
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewsNotReady, ViewStore, ViewWriter
from tests.streams.tally import Tally, append, log_of, tally_in

KEY = b"a key"


class Later(Tally):
    """Another projection, added to a house with a long log."""

    name = "later"
    tables: ClassVar[dict[str, str]] = {"later": "CREATE TABLE later (sequence INTEGER PRIMARY KEY)"}

    def apply(self, writer: ViewWriter, entries: Sequence[Stored]) -> None:
        writer.write("INSERT INTO later VALUES (?)", [(stored.entry.sequence,) for stored in entries])
        self.applied += [stored.entry.sequence for stored in entries]


def _caught_up(projector: Projector, most: int = 3) -> None:
    while projector.advance(most):
        pass


def test_a_batch_and_its_position_are_one_transaction(tmp_path: Path) -> None:
    log, store, tally = log_of(10), ViewStore(tmp_path / "views.sqlite", KEY), Tally()
    projector = Projector(log, store, [tally])
    assert (projector.advance(4), projector.last_applied()) == (4, 4)
    tally.lost = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        projector.advance(4)
    assert (tally_in(store), projector.last_applied()) == ({"passline": 1, "ann": 3}, 4)
    tally.lost = None
    _caught_up(projector)
    assert (tally_in(store), projector.last_applied()) == ({"passline": 1, "ann": 10}, 11)
    assert tally.forgotten == 2  # at the beginning, and after the transaction that failed


def test_of_two_processes_with_one_store_each_entry_is_applied_once(tmp_path: Path) -> None:
    log = log_of(30)
    stores = [ViewStore(tmp_path / "views.sqlite", KEY) for _ in range(2)]
    tallies = [Tally(), Tally()]
    projectors = [Projector(log, store, [tally]) for store, tally in zip(stores, tallies, strict=True)]
    while any([projector.advance(2) for projector in projectors]):  # noqa: C419 - both go on
        pass
    assert tally_in(stores[0]) == {"passline": 1, "ann": 30}
    assert sorted(tallies[0].applied + tallies[1].applied) == list(range(1, 32))


def test_it_is_made_again_for_another_version_or_anotherlog_of(tmp_path: Path) -> None:
    store = ViewStore(tmp_path / "views.sqlite", KEY)
    _caught_up(Projector(log_of(5), store, [Tally()]))

    class Newer(Tally):
        version = 2

    newer = Newer()
    _caught_up(Projector(log_of(5), store, [newer]))
    assert newer.applied == [1, 2, 3, 4, 5, 6]
    assert tally_in(store) == {"passline": 1, "ann": 5}
    _caught_up(Projector(log_of(2, log_id="another", actor="bob"), store, [Newer()]))
    assert tally_in(store) == {"passline": 1, "bob": 2}


@pytest.mark.parametrize("entries", [3, 7, 9])
def test_it_is_made_again_when_the_log_was_cut_or_rewritten(tmp_path: Path, entries: int) -> None:
    """A log restored from a backup has fewer entries, or others at the same place."""
    store = ViewStore(tmp_path / "views.sqlite", KEY)
    _caught_up(Projector(log_of(7), store, [Tally()]))
    restored = log_of(entries, actor="eve")
    projector = Projector(restored, store, [Tally()])
    for _ in range(10):
        projector.advance(100)
    assert (tally_in(store), projector.last_applied()) == ({"passline": 1, "eve": entries}, entries + 1)


def test_a_projection_that_is_added_later_catches_up_alone(tmp_path: Path) -> None:
    log, store = log_of(8), ViewStore(tmp_path / "views.sqlite", KEY)
    _caught_up(Projector(log, store, [Tally()]))
    tally, later = Tally(), Later()
    projector = Projector(log, store, [tally, later])
    assert (projector.advance(4), projector.last_applied()) == (4, 4)
    _caught_up(projector)
    append(log, 2)
    _caught_up(projector)
    assert later.applied == list(range(1, 12))
    assert tally.applied == [10, 11]
    assert tally_in(store) == {"passline": 1, "ann": 10}


def test_a_gap_in_the_log_is_not_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, store = log_of(6), ViewStore(tmp_path / "views.sqlite", KEY)
    projector = Projector(log, store, [Tally()])
    read = log.read
    monkeypatch.setattr(log, "read", lambda **span: (one for one in read(**span) if one.entry.sequence != 4))
    with pytest.raises(LogError, match="entries are missing after entry 0"):
        projector.advance(100)
    assert projector.last_applied() == 0


def test_a_position_that_was_moved_by_hand_is_found_out(tmp_path: Path) -> None:
    log, store = log_of(6), ViewStore(tmp_path / "views.sqlite", KEY)
    projector = Projector(log, store, [Tally()])
    projector.advance(3)
    [[body]] = store.query("SELECT body FROM positions")
    forged = body.replace(b'"sequence":3', b'"sequence":6')
    assert forged != body
    with store.transaction() as writer:
        writer.write("UPDATE positions SET body = ?", [(forged,)])
    with pytest.raises(ViewsNotReady):
        projector.advance(3)
    _caught_up(projector)
    assert tally_in(store) == {"passline": 1, "ann": 6}
