"""The office's papers reach the books of a live table once and in their order, whatever stops the server between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.commands import TellLedger
from passline.acts.course import OFFICE_CODEC
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import table_results
from passline.game import commands as c
from passline.game import events as g
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.entries import TABLE_CODEC
from tests.office.ledgers.kept_here import OFFICE, TABLE, KeptHere, kept_here


def _run(test: Callable[[KeptHere], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with kept_here() as kept:
            await test(kept)
            assert not list(house_faults(kept.log.read()))

    asyncio.run(run())


def _of_table(kept: KeptHere, *kinds: type) -> list[Any]:
    entries = kept.log.read_stream(f"table/{TABLE}")
    return [event for stored in entries for event in TABLE_CODEC.events(stored.entry) if isinstance(event, kinds)]


def _of_office(kept: KeptHere, *kinds: type) -> list[Any]:
    entries = kept.log.read_stream(f"office/{OFFICE}")
    return [event for stored in entries for event in OFFICE_CODEC.events(stored.entry) if isinstance(event, kinds)]


async def _results(kept: KeptHere) -> list[TableResult]:
    entries = [stored.entry for stored in kept.log.read_stream(f"office/{OFFICE}")]
    facility = (await kept.state()).facility
    assert facility is not None
    return table_results([(entry.at, event) for entry in entries for event in OFFICE_CODEC.events(entry)], facility)


async def _open(kept: KeptHere, count: int = 200, **changes: Any) -> None:  # noqa: ANN401
    await kept.fill(count)
    await kept.counts("opener", count)
    answer = await kept.opens(**changes)
    assert isinstance(answer, Answer), answer


async def _buy_in(kept: KeptHere, cents: int) -> None:
    for command, by in (
        (c.TakeSeat(seat=1), "ann"),
        (c.BuyIn(seat=1, cents=cents), "dan"),
    ):
        answer = await kept.at_table(command, by)
        assert isinstance(answer, Answer), answer


def test_a_table_opens_with_what_was_counted_and_with_nothing_else() -> None:
    async def test(kept: KeptHere) -> None:
        refused = await kept.opens()
        assert isinstance(refused, Refused)
        assert "its opening inventory has not been counted" in str(refused)
        assert [one.clause for one in refused.refusals] == ["practice"]
        await kept.fill(200)
        await kept.counts("opener", 200)
        named = await kept.opens(bank_cents=1_000_00)
        assert "bank_cents: the bank of this table is its opening inventory" in str(named)
        forged = await kept.opens(
            clearance=9, opener=k.Opener(office=OFFICE, entry=1, act=1, cents=9_000_00, on_record=9_000_00)
        )
        assert isinstance(forged, Answer)  # what only the server knows is the server's to say
        assert (await kept.live()).game.money.bank == 1_000_00
        assert not _of_table(kept, g.FillMade)  # what the tray had before its books began is in its opener

    _run(test)


def test_slips_reach_the_bank_when_they_are_accepted_there_or_made_up_there() -> None:
    async def test(kept: KeptHere) -> None:
        await _open(kept)
        await kept.fill(100)
        assert (await kept.live()).game.money.bank == 1_500_00
        slip = await kept.prepared_credit(40)
        assert (await kept.live()).game.money.bank == 1_300_00
        await kept.does("flo", "return_credit", slip, reason="too much", signs=("bob", "witness"))
        assert (await kept.live()).game.money.bank == 1_500_00
        assert _of_table(kept, g.FillMade, g.CreditMade) == [
            g.FillMade(500_00, "F-000002"), g.CreditMade(200_00, "C-000001"), g.FillMade(200_00, "C-000001"),
        ]  # fmt: skip
        for command in (c.Fill(cents=100_00), c.Credit(cents=100_00)):
            assert "by its slip" in str(await kept.at_table(command, "bob", "flo"))

    _run(test)


def test_a_day_of_a_table_is_one_ledger_and_its_differences_are_incidents() -> None:
    async def test(kept: KeptHere) -> None:
        await _open(kept)
        await _buy_in(kept, 400_00)
        await kept.counts("shift", 120)  # 600.00, as the ledger has it
        await kept.drops("D1", "D2")
        left = await kept.at_table(c.LeaveSeat(seat=1), "ann")
        assert isinstance(left, Answer)
        closed = await kept.at_table(k.CloseTable(), "flo", "fay")
        assert isinstance(closed, Answer)
        assert (await kept.live()).game.money.bank == 600_00
        await kept.counts("closer", 119, "swing")
        await kept.counts_box("D1", 19)  # 380.00: a note is missing
        told = _of_office(kept, e.LedgerTold)
        assert [(one.paper, one.counted, one.ledger) for one in told] == [
            ("shift", 600_00, 600_00), ("closer", 595_00, 600_00), ("soft_count", 380_00, 400_00),
        ]  # fmt: skip
        whys = [one.why for one in _of_office(kept, e.IncidentOpened)]
        assert [why.partition(": ")[2] for why in whys if "ledger" in why] == [
            "counted 595.00; ledger 600.00; 5.00 short", "counted 380.00; ledger 400.00; 20.00 short",
        ]  # fmt: skip
        day, _swing = await _results(kept)
        assert (day.win, day.ledger_win, day.difference) == (-20_00, 0, -20_00)
        await kept.counts("opener", 119)
        assert isinstance(await kept.opens(), Answer)
        live = await kept.live()
        assert (live.game.money.bank, live.balances["variance"]) == (595_00, 25_00)

    _run(test)


def test_a_closed_table_opens_again_only_when_its_closer_and_opener_are_counted() -> None:
    async def test(kept: KeptHere) -> None:
        await _open(kept)
        await kept.at_table(k.CloseTable(), "flo", "fay")
        assert "its closing inventory has not been counted" in str(await kept.opens())
        clearances = (await kept.state()).clearances
        await kept.counts("closer", 200)
        assert "its opening inventory has not been counted" in str(await kept.opens())
        assert (await kept.state()).clearances == clearances == 1  # nothing was cleared in vain
        await kept.counts("opener", 200)
        assert isinstance(await kept.opens(), Answer)

    _run(test)


@pytest.mark.parametrize("is_told_by_look", [False, True])
def test_what_a_killed_server_left_between_two_commits_is_made_up_once(*, is_told_by_look: bool) -> None:
    async def test(kept: KeptHere) -> None:
        await _open(kept)
        await kept.restart(delivers=False)  # from here on it is killed after each act of the office
        await kept.fill(100)
        await kept.counts("shift", 299)
        await kept.fill(10)
        assert (await kept.live()).game.money.bank == 1_000_00
        await kept.restart(delivers=not is_told_by_look)
        if is_told_by_look:
            await kept.restart()

        async def no_tables(_name: str) -> tuple[str, ...]:
            return (TABLE,)

        for _ in range(3):
            await kept.offices.look_round(no_tables)
        await kept.restart()
        assert (await kept.live()).game.money.bank == 1_495_00 + 50_00
        assert len(_of_table(kept, g.FillMade)) == 2
        (counted,) = [one for one in _of_table(kept, t.InventoryCounted) if one.kind == "shift"]
        assert (counted.cents, counted.ledger) == (1_495_00, 1_500_00)
        assert len(_of_office(kept, e.LedgerTold)) == 1
        assert len([one for one in _of_office(kept, e.IncidentOpened) if "ledger" in one.why]) == 1

    _run(test)


def test_a_server_that_is_killed_before_it_tells_the_office_tells_it_when_it_starts() -> None:
    async def test(kept: KeptHere) -> None:
        await _open(kept)
        ask = kept.offices.ask

        async def killed(name: str, asked: Any) -> Any:  # noqa: ANN401
            if type(asked.command).__name__ == "TellLedger":
                raise OSError("killed")
            return await ask(name, asked)

        deliver = kept.offices.deliver
        deliver.__self__._tell = killed  # type: ignore[attr-defined]
        await kept.counts("shift", 199)
        assert len(_of_table(kept, t.InventoryCounted)) == 2
        assert not _of_office(kept, e.LedgerTold)
        await kept.restart()
        assert [(one.counted, one.ledger) for one in _of_office(kept, e.LedgerTold)] == [(995_00, 1_000_00)]
        await kept.restart()
        assert len(_of_office(kept, e.LedgerTold)) == 1

    _run(test)


def test_a_table_without_keyed_wagers_is_counted_and_not_covered() -> None:
    async def test(kept: KeptHere) -> None:
        await _open(kept, is_keyed=False)
        rolled = await kept.at_table(k.KeyDice(first=2, second=4), "stu")
        assert isinstance(rolled, Answer)
        await kept.fill(100)
        await kept.at_table(k.CloseTable(), "flo", "fay")
        await kept.drops("D1", "D2")
        await kept.counts("closer", 250)
        await kept.counts_box("D1", 40)
        assert not _of_office(kept, e.LedgerTold)
        assert not [one for one in _of_office(kept, e.IncidentOpened) if "ledger" in one.why]
        (day,) = await _results(kept)
        assert (day.win, day.ledger_win, day.difference) == (1_250_00 + 800_00 - 1_000_00 - 500_00, None, None)

    _run(test)


def test_only_the_server_enters_papers_and_tells_ledgers() -> None:
    async def test(kept: KeptHere) -> None:
        await _open(kept)
        forged = k.EnterPaper(office=OFFICE, entry=999, act=999, paper="fill", cents=1_00, about="F-000099")
        assert "server" in str(await kept.at_table(forged, "bob", "flo"))
        told = TellLedger(act=1, table=TABLE, paper="closer", counted=1, ledger=2)
        answer = await kept.offices.ask(OFFICE, Ask("x", told, kept.staff["olga"]))
        assert "the server does it by itself" in str(answer)
        for wrong in (replace(told, act=999), replace(told, paper="loan")):
            answer = await kept.offices.ask(OFFICE, Ask(wrong.paper, wrong, THE_HOUSE))
            assert "this office has no count" in str(answer)

    _run(test)
