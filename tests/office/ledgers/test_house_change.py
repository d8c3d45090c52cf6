"""An open table changes only to a house that its office has in force, and `verify` checks that it was."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.store.entry import Stored
from passline.streams.course import Answer, Ask
from passline.tables import commands as k
from tests.office.ledgers.kept_here import OFFICE, KeptHere, kept_here

FERRY = {"rules": OFFICE, "name": "Ferry", "wager_cents_min": 500, "dice_set": 6}


async def _changes(kept: KeptHere, house: dict[str, Any], **forged: Any) -> Answer | Refused:  # noqa: ANN401
    kept.clock.move(1)
    command = k.ChangeHouse(house=house, **forged)
    ask = Ask(uuid4().hex, command, kept.staff["olga"], kept.staff["flo"].account)
    return await kept.floor.change_house(await kept.table(), ask)


@pytest.fixture(scope="module")
def entries() -> list[Stored]:
    """Return the log of a table that changed its house, after several refusals."""

    async def run() -> list[Stored]:
        async with kept_here() as kept:
            await kept.fill(200)
            await kept.counts("opener", 200)
            await kept.opens()
            unknown = await _changes(kept, FERRY)
            assert isinstance(unknown, Refused)
            assert "the house rules it is dealt by are not in force" in str(unknown)
            await kept.does("cora", "draft_house", "ferry", file=FERRY)
            drafted = await _changes(kept, FERRY, clearance=1)  # which is not a page's to say
            assert isinstance(drafted, Refused)
            assert "ferry: the house rules it is dealt by are not in force (is draft) [practice]" in str(drafted)
            before = await kept.state()
            await kept.does("olga", "put_in_force", "ferry")
            changed = await _changes(kept, {**FERRY, "side_wagers": {}})
            assert isinstance(changed, Answer), changed
            live, after = await kept.live(), await kept.state()
            assert (live.house["name"], live.house["dice_set"]) == ("Ferry", 6)
            assert after.clearances == before.clearances + 1
            was, now = (one.thing("table", "craps-1") for one in (before, after))
            assert was is not None
            assert now is not None
            assert (was.state, was.since) == (now.state, now.since)  # it was not opened again
            return list(kept.log.read())

    return asyncio.run(run())


def _faults(entries: list[Stored]) -> str:
    return "\n".join(fault.what for fault in house_faults(entries))


def _forged(entries: list[Stored], clearance: int | None) -> list[Stored]:
    """Return the log with another clearance in the entry that changed the house; None: without any."""
    (place,) = [place for place, one in enumerate(entries) if b'"change-house"' in bytes(one.entry.command)]
    entry = entries[place].entry
    command, (event,) = json.decode(entry.command), json.decode(entry.events)
    for one in (command, event):
        one["clearance"] = clearance
        if clearance is None:
            del one["clearance"]
    changed = replace(entry, command=Raw(json.encode(command)), events=Raw(json.encode([event])))
    return [*entries[:place], replace(entries[place], entry=changed), *entries[place + 1 :]]


def test_the_log_of_a_change_is_sound(entries: list[Stored]) -> None:
    assert _faults(entries) == ""


def test_a_change_without_a_clearance_or_by_another_is_found(entries: list[Stored]) -> None:
    assert "the table changed its house without the office's clearance" in _faults(_forged(entries, None))
    assert "changed its house by the office's clearance 1, which is not there for it" in _faults(_forged(entries, 1))


def test_a_change_to_another_house_than_was_cleared_is_found(entries: list[Stored]) -> None:
    (place,) = [place for place, one in enumerate(entries) if b'"change-house"' in bytes(one.entry.command)]
    entry = entries[place].entry
    command, (event,) = json.decode(entry.command), json.decode(entry.events)
    command["house"]["dice_set"] = event["house"]["dice_set"] = 7
    forged = replace(entry, command=Raw(json.encode(command)), events=Raw(json.encode([event])))
    log = [*entries[:place], replace(entries[place], entry=forged), *entries[place + 1 :]]
    assert "changed its house under another house than clearance 2 is for" in _faults(log)
