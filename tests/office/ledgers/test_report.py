"""The report of a gaming day shows ledger win beside counted win, and what is not covered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import date
from typing import Any

from passline.acts.course import OFFICE_CODEC
from passline.acts.rules import office_of
from passline.game import commands as c
from passline.office.views.day_report import OfficeDay, day_tables, office_day
from passline.office.views.printed_day import day_report
from passline.tables import commands as k
from tests.office.ledgers.kept_here import OFFICE, KeptHere, kept_here

_DAY = date(2026, 11, 16)


def _day_of(dealt: Callable[[KeptHere], Coroutine[Any, Any, None]], *, is_keyed: bool = True) -> OfficeDay:
    """Return the day of a table that opens with 1000.00, closes, and is dropped and counted."""

    async def run() -> OfficeDay:
        async with kept_here() as kept:
            await kept.fill(200)
            await kept.counts("opener", 200)
            await kept.opens(is_keyed=is_keyed)
            await dealt(kept)
            await kept.at_table(k.CloseTable(), "flo", "fay")
            await kept.counts("closer", 119)
            await kept.drops("D1", "D2")
            await kept.counts_box("D1", 20)
            entries = [stored.entry for stored in kept.log.read_stream(f"office/{OFFICE}")]
            events = [(entry.at, event) for entry in entries for event in OFFICE_CODEC.events(entry)]
            state = await kept.state()
            return office_day(office_of(OFFICE), state, _DAY, events)

    return asyncio.run(run())


def _column(one: OfficeDay, title: str, head: str) -> list[object]:
    (table,) = [table for table in day_tables(one) if table.title == title]
    return [row[table.heads.index(head)] for row in table.rows]


async def _bought(kept: KeptHere) -> None:
    await kept.at_table(c.TakeSeat(seat=1), "ann")
    await kept.at_table(c.BuyIn(seat=1, cents=400_00), "dan")
    await kept.at_table(c.LeaveSeat(seat=1), "ann")


async def _nothing(_kept: KeptHere) -> None:
    pass


def test_both_wins_and_their_difference_are_shown() -> None:
    one = _day_of(_bought)
    title = "Win by table and shift"
    assert [_column(one, title, head) for head in ("win $", "ledger win $", "difference $")] == [[-5_00], [0], [-5_00]]
    assert _column(one, "Counts and variances", "variance")[-1] == "none; ledger 600.00, 5.00 short"
    assert _column(one, "Soft counts", "ledger $") == [400_00]
    report = day_report(one, regulation="Section 2", at="", foot="")
    figures = {figure.name: figure.values[0][0] for figure in report.figures}
    assert figures["win by the ledgers"] == "$0.00, difference -$5.00"


def test_a_table_without_keyed_wagers_says_that_its_ledger_is_not_covered() -> None:
    one = _day_of(_nothing, is_keyed=False)
    title = "Win by table and shift"
    heads = ("win $", "ledger win $", "difference $", "not known, corrected")
    assert [_column(one, title, head) for head in heads] == [
        [-5_00], [None], [None], [""],
    ]  # fmt: skip
    (table,) = [table for table in day_tables(one) if table.title == title]
    assert "wagers are not keyed in" in str(table.notes)
    assert _column(one, "Soft counts", "ledger $") == ["not covered"]
    report = day_report(one, regulation="Section 2", at="", foot="")
    figures = {figure.name: figure.values[0][0] for figure in report.figures}
    assert figures["win by the ledgers"] == "not covered"
