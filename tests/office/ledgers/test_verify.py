"""`verify` finds a paper in a table's books that the office never had, has otherwise, or that is there twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.office.verify import house_faults
from passline.store.entry import Entry, Stored
from passline.tables.entries import is_table
from tests.office.ledgers.kept_here import OFFICE, kept_here


@pytest.fixture(scope="module")
def entries() -> list[Stored]:
    """Return the log of a table with an opener, two fills, and a shift count that differs."""

    async def run() -> list[Stored]:
        async with kept_here() as kept:
            await kept.fill(200)
            await kept.counts("opener", 200)
            await kept.opens()
            await kept.fill(100)
            await kept.fill(50)
            await kept.counts("shift", 349)
            return list(kept.log.read())

    return asyncio.run(run())


def _changed(one: Stored, change: dict[str, Any], events: dict[str, Any] | None = None) -> Stored:
    """Return an entry with other figures in its command, and in its events."""
    entry = one.entry
    command = json.decode(entry.command)
    happened = [{**event, **(events or {})} for event in json.decode(entry.events)]
    forged = replace(entry, command=Raw(json.encode({**command, **change})), events=Raw(json.encode(happened)))
    return replace(one, entry=forged)


def _papers(entries: list[Stored]) -> list[int]:
    return [place for place, one in enumerate(entries) if b'"enter-paper"' in bytes(one.entry.command)]


def _faults(entries: list[Stored]) -> str:
    return "\n".join(fault.what for fault in house_faults(entries))


def test_the_log_itself_is_sound(entries: list[Stored]) -> None:
    assert len(_papers(entries)) == 3
    assert _faults(entries) == ""


def test_a_fill_that_the_office_never_recorded_is_found(entries: list[Stored]) -> None:
    place = _papers(entries)[0]
    entry = json.decode(entries[place].entry.command)["entry"]
    forged = [*entries[:place], _changed(entries[place], {"entry": entry - 1}), *entries[place + 1 :]]
    assert f"act 21 of {OFFICE}'s office is entered, and the office never recorded it" in _faults(forged)


def test_another_figure_than_the_office_has_is_found(entries: list[Stored]) -> None:
    place = _papers(entries)[0]
    forged = list(entries)
    forged[place] = _changed(entries[place], {"cents": 900_00}, {"cents": 900_00})
    assert "is entered with other figures than the office has: fill, 50000 cents" in _faults(forged)


def test_a_paper_that_is_entered_twice_or_left_out_is_found(entries: list[Stored]) -> None:
    first, second, _ = _papers(entries)
    twice = list(entries)
    twice[second] = replace(
        entries[second],
        entry=replace(
            entries[first].entry, version=entries[second].entry.version, sequence=entries[second].entry.sequence
        ),
    )
    assert "is entered twice" in _faults(twice)
    left_out = [one for place, one in enumerate(entries) if place != first]
    assert f"of {OFFICE}'s office was left out before act" in _faults(_renumbered(left_out))


def _renumbered(entries: list[Stored]) -> list[Stored]:
    """Return entries with the versions of the table's stream counted anew, as somebody would who takes one out."""
    found, version = [], 0
    for one in entries:
        entry: Entry = one.entry
        if is_table(entry):
            version += 1
            entry = replace(entry, version=version)
        found.append(replace(one, entry=entry))
    return found


def test_an_opener_that_the_office_has_not_counted_is_found(entries: list[Stored]) -> None:
    (place,) = [place for place, one in enumerate(entries) if b'"inventory-counted/1"' in bytes(one.entry.events)][:1]
    command = json.decode(entries[place].entry.command)
    forged = list(entries)
    forged[place] = _changed(entries[place], {"opener": {**command["opener"], "cents": 2_000_00}})
    assert "the table opened with an inventory that the office has not" in _faults(forged)


def test_another_ledger_than_the_table_has_is_found(entries: list[Stored]) -> None:
    (place,) = [place for place, one in enumerate(entries) if b'"tell-ledger"' in bytes(one.entry.command)]
    forged = list(entries)
    entry = entries[place].entry
    events = json.decode(entry.events)
    told = [{**events[0], "ledger": 1_745_00}]
    command = {**json.decode(entry.command), "ledger": 1_745_00}
    forged[place] = replace(
        entries[place], entry=replace(entry, command=Raw(json.encode(command)), events=Raw(json.encode(told)))
    )
    assert "the office was told of a ledger at act" in _faults(forged)
