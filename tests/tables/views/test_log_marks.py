"""A search of the log by player, table, hand, clause, event, amount and moment finds exactly what has all of them."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import json

from passline.errors import CrapsError
from passline.store.entry import Entry
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from passline.tables import commands as k
from passline.tables.views.log_marks import MarkQuery, _read_event, _read_events, event_kinds, span_of
from passline.tables.views.log_wording import find_entries, words_settings, words_tables
from passline.tables.views.projected import TableViews
from tests.tables.sitting import ANN, BOB, FLOOR, Sitting
from tests.tables.views.viewed import KeptLog


def _sitting() -> Sitting:
    """Return a table at which two play, an hour passes between two hands, and limits change."""
    sitting = Sitting("maryland", dice="physical")
    sitting.sit(ANN, 1, 300_00)
    sitting.sit(BOB, 2, 777_00)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(BOB, "field", 25_00)
    sitting.shoot(ANN)
    sitting.roll(6, 6)
    sitting.wait(60)
    sitting.wager(BOB, "pass", 10_00)
    sitting.wager(ANN, "dont_pass", 15_00)
    sitting.roll(3, 4)
    sitting.do(k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=1000_00), FLOOR)
    return sitting


def _views(sitting: Sitting, *, full_text: bool) -> ViewStore:
    class Views(TableViews):
        pass

    Views.tables = {**TableViews.tables, **words_tables(full_text=full_text)}
    Views.indexes = tuple(set(TableViews.indexes) - set(words_settings()))
    log, store = KeptLog(sitting.entries), ViewStore(None, b"a key")
    while Projector(log, store, [Views(log)]).advance(1000):
        pass
    return store


def test_events_tell_the_same_one_by_one_and_all_together() -> None:
    entries = [stored.entry for stored in KeptLog(_sitting().entries).read()]
    for entry in entries:
        apart = _read_events(bytes(entry.events))
        whole = _read_event(bytes(entry.events))
        assert (tuple(apart.events), apart.clauses, apart.seats) == (whole.kinds, whole.clauses, whole.seats)
        assert {mark for mark in apart.marks if mark.startswith("a")} == {f"a{cents}" for cents in whole.amounts}
    assert any(bytes(entry.events).count(b'{"event":') > 3 for entry in entries), "a roll has many events"


def _values(entry: Entry, *keys: str) -> list[Any]:
    """Return every value of these keys, however deep in the events of an entry."""
    found: list[Any] = []

    def walk(value: Any) -> None:  # noqa: ANN401 - JSON
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if key in keys:
                found.append(one)
            if isinstance(one, dict | list):
                walk(one)

    walk(json.decode(entry.events))
    return found


def _amounts(entry: Entry) -> list[int]:
    keys = ("cents", "winnings", "vigorish", "drop", "tips", "wager_cents_min", "wager_cents_max")
    return [cents for cents in _values(entry, *keys) if cents]


def _has(entry: Entry, clause: str) -> bool:
    clauses = [one for text in _values(entry, "clause") for one in text.split(", ")]
    return any(one == clause or one.startswith(f"{clause}.") for one in clauses)


def _by_bob(entry: Entry) -> bool:
    return "bob" in (entry.actor, entry.signed_by) or 2 in _values(entry, "seat")


SEARCHES: dict[str, tuple[MarkQuery, Callable[[Entry], bool]]] = {
    "a player by account": (MarkQuery(player="bob"), _by_bob),
    "a player by name": (MarkQuery(player="Bob"), _by_bob),
    "a table": (MarkQuery(stream="table/craps-1"), lambda _entry: True),
    "another table": (MarkQuery(stream="table/craps-2"), lambda _entry: False),
    "a hand": (MarkQuery(hand=1), lambda entry: entry.hand == 1),
    "a clause": (MarkQuery(clause="MD-9.B"), lambda entry: _has(entry, "MD-9.B")),
    "a clause with those below it": (MarkQuery(clause="MD-5"), lambda entry: _has(entry, "MD-5")),
    "no such clause": (MarkQuery(clause="MD-99"), lambda _entry: False),
    "an event": (MarkQuery(event="wager-made"), lambda entry: "wager-made/1" in _values(entry, "event")),
    "an amount": (MarkQuery(amount=10_00), lambda entry: 10_00 in _amounts(entry)),
    "at least an amount": (MarkQuery(least=301_00), lambda entry: any(one >= 301_00 for one in _amounts(entry))),
    "exactly at it": (MarkQuery(least=777_00), lambda entry: any(one >= 777_00 for one in _amounts(entry))),
    "all at once": (
        MarkQuery(player="bob", hand=1, event="wager-made", amount=10_00),
        lambda entry: (
            _by_bob(entry)
            and entry.hand == 1
            and "wager-made/1" in _values(entry, "event")
            and 10_00 in _amounts(entry)
        ),
    ),
}


@pytest.mark.parametrize("full_text", [True, False])
def test_each_search_finds_what_a_scan_of_the_log_finds(full_text: bool) -> None:  # noqa: FBT001 - a parameter
    sitting = _sitting()
    store = _views(sitting, full_text=full_text)
    for name, (query, is_asked) in SEARCHES.items():
        found = find_entries(store, query).sequences
        wanted = [stored.entry.sequence for stored in reversed(sitting.entries) if is_asked(stored.entry)]
        assert found == wanted, name
    assert (
        sum(bool(find_entries(store, query).sequences) for query, _is_asked in SEARCHES.values()) == len(SEARCHES) - 2
    )


def test_a_search_by_moment_begins_and_ends_at_quarters_of_an_hour() -> None:
    sitting = _sitting()
    store = _views(sitting, full_text=True)
    late = [stored.entry.sequence for stored in reversed(sitting.entries) if stored.entry.at >= "2026-11-15T09"]
    early = [stored.entry.sequence for stored in reversed(sitting.entries) if stored.entry.at < "2026-11-15T09"]
    assert find_entries(store, since="2026-11-15T08:30").sequences == late
    assert find_entries(store, since="2026-11-15T09:00:00.000000Z").sequences == late
    assert find_entries(store, until="2026-11-15T09:00").sequences == early
    assert find_entries(store, since="2026-11-16T00:00").sequences == []
    assert find_entries(store, until="2026-11-14T00:00").sequences == []
    assert span_of(store, "2026-11-15T00:00", "2026-11-16T00:00") == (0, 0)


def test_the_kinds_of_events_are_those_of_the_log() -> None:
    sitting = _sitting()
    kinds = {one.split("/")[0] for stored in sitting.entries for one in _values(stored.entry, "event")}
    assert event_kinds(_views(sitting, full_text=True)) == sorted(kinds)


def test_what_people_write_is_no_mark() -> None:
    sitting = _sitting()
    sitting.do(k.FreezeTable(reason='"clause":"MD-99" "cents":123 "event":"table-closed/1"', seat=1), FLOOR)
    store = _views(sitting, full_text=True)
    for query in (MarkQuery(clause="MD-99"), MarkQuery(amount=123), MarkQuery(event="table-closed")):
        assert find_entries(store, query).sequences == []


def test_a_clause_with_too_many_below_it_is_refused() -> None:
    with pytest.raises(CrapsError, match="name one that is further down"):
        find_entries(_views(_sitting(), full_text=True), MarkQuery(clause="MD"))
