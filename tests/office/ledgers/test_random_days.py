"""Random days of a table in play: drop, closer and credits less opener and fills are the ledger's win, to the cent.

Where people miscount, the difference is that of the counts, and each has an incident that says by how much and where.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from random import Random
from typing import Any

import pytest

from passline.acts import events as e
from passline.acts.course import OFFICE_CODEC
from passline.acts.rules import office_of
from passline.acts.state import thing_key
from passline.acts.tills import DROPS, INVENTORIES
from passline.bookkeeping.accrual import accrual_of
from passline.bookkeeping.accrual_sums import Accrual
from passline.bookkeeping.act_money import box_cents, units_cents
from passline.bookkeeping.results import TableResult, total_result
from passline.bookkeeping.win import table_results
from passline.game import commands as c
from passline.money import dollars
from passline.office.verify import house_faults
from passline.rules.rules import AUTOMATED
from passline.streams.course import Answer
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.entries import TABLE_CODEC
from passline.tables.live import LiveTable, fold
from tests.office.ledgers.kept_here import OFFICE, TABLE, KeptHere, kept_here

CHIP, NOTE = 5_00, 20_00
SHIFTS = ("day", "swing")
BOXES = tuple(f"D{number}" for number in range(1, 10))
ACTS = 40
WAGERS = ("pass", "dont_pass", "come", "dont_come", "field", "any_craps")  # in chips, and paid in chips
MISCOUNT = 0.3

_PAGES = office_of(OFFICE).pages.acts
_TOLD_APART = {
    "reverse_fill",
    "correct_accept_fill",
    "correct_accept_credit",
}  # test_told_slips.py, test_corrected_acts.py
MONEY_ACTS = {
    name
    for name, act in _PAGES.items()
    if (act.thing in {"fill_slip", "credit_slip"} and name not in _TOLD_APART)
    or (act.counts and act.thing in {"table", "drop_box"})
    or name in DROPS
}
"""Every act of the office's pages that is about the chips and the cash of a table."""


class RandomDay:
    """One gaming day of a table: play, and all that the office does with its money meanwhile."""

    def __init__(self, kept: KeptHere, random: Random) -> None:
        self.kept, self.random = kept, random
        self.shift = SHIFTS[0]
        self.attached, self.spare = BOXES[0], list(BOXES[1:])
        self.counted: list[tuple[int, str, dict[str, int]]] = []  # the act, its box, and what is in it
        self.trays: list[tuple[int, str, int]] = []  # the act, which count, and how many chips
        self.slips: list[tuple[int, str, int]] = []  # the act that asked for it, the slip, and how many chips

    async def play(self, acts: int) -> None:
        """Open the table, and play and work at it until it is closed, dropped and counted."""
        for box in BOXES[3:]:
            await self.kept.does("olga", "enter_drop_box", box)
        await self.kept.fill(400)
        await self.kept.counts("opener", 400, self.shift)
        self.trays.append(((await self.kept.state()).acts, "opener", 400))
        assert isinstance(await self.kept.opens(automate=tuple(sorted(AUTOMATED - {"confirm"}))), Answer)
        await self._at_table(c.TakeSeat(seat=1), "ann")
        for shift in SHIFTS:
            self.shift = shift
            for _ in range(acts // len(SHIFTS)):
                await self.random.choice((self._plays, self._plays, self._plays, *self._works()))()
            if shift != SHIFTS[-1]:
                await self._counts_tray("shift")
                await self._drops("drop_table")
        await self._goes()
        await self._drops("drop_table")
        await self._counts_tray("closer")
        await self._correct_tray()

    def _works(self) -> list[Callable[[], Awaitable[None]]]:
        return [
            self._fill, self._fill_goes_back, self._fill_is_void, self._credit, self._credit_comes_back,
            self._credit_is_void, self._emergency, self._correct_box, self._correct_tray, self._correct_slip,
        ]  # fmt: skip

    # The game.

    async def _at_table(self, command: TableCommand, by: str, signed_by: str = "") -> bool:
        return isinstance(await self.kept.at_table(command, by, signed_by), Answer)

    async def _plays(self) -> None:
        live = await self.kept.live()
        position, random = live.game.position, self.random
        if live.game.money.racks[0] < 10 * CHIP:
            await self._at_table(c.BuyIn(seat=1, cents=NOTE * random.randint(5, 20)), "dan")
        if position.dice == "offered":
            await self._at_table(c.AcceptDice(seat=1), "ann")
        for _ in range(2):
            wager = c.MakeWager(seat=1, wager=random.choice(WAGERS), cents=CHIP * random.randint(1, 4))
            await self._at_table(wager, "ann")
        if position.layout and random.random() < 0.2:
            one = random.choice(position.layout)
            await self._at_table(c.RemoveWager(seat=1, wager=one.kind, number=one.number), "ann")
        await self._rolls(random.randint(1, 6), random.randint(1, 6))
        if random.random() < 0.2:
            await self._at_table(k.CorrectRoll(first=random.randint(1, 6), second=2, reason="misread"), "bob", "flo")

    async def _rolls(self, first: int, second: int) -> None:
        await self._at_table(k.KeyDice(first=first, second=second), "stu")

    async def _goes(self) -> None:
        """Decide what is on the layout, and let the player go with the rest."""
        while (live := await self.kept.live()).game.position.layout:
            if live.game.position.dice == "offered":
                await self._at_table(c.AcceptDice(seat=1), "ann")
            await self._at_table(c.MakeWager(seat=1, wager="pass", cents=CHIP), "ann")
            await self._rolls(self.random.randint(1, 6), self.random.randint(1, 6))
        await self._at_table(c.SurrenderDice(seat=1), "ann")  # if there are any in hand
        for command, by, signed_by in ((c.LeaveSeat(seat=1), "ann", ""), (k.CloseTable(), "flo", "fay")):
            answer = await self.kept.at_table(command, by, signed_by)
            assert isinstance(answer, Answer), answer

    # The office.

    async def _fill(self) -> None:
        count = self.random.randint(1, 40)
        asked = (await self.kept.state()).acts + 1
        await self.kept.fill(count)
        self.slips.append((asked, f"F-{(await self.kept.state()).numbers['F']:06}", count))

    async def _requested(self, kind: str, *, is_prepared: bool) -> str:
        does, state = self.kept.does, self.kept.state
        await does("flo", f"request_{kind}", table=TABLE, units={str(CHIP): self.random.randint(1, 20)})
        slip = f"{kind[0].upper()}-{(await state()).numbers[kind[0].upper()]:06}"
        if is_prepared:
            await does("cy" if kind == "fill" else "dan", f"prepare_{kind}", slip)
        return slip

    async def _fill_goes_back(self) -> None:
        slip = await self._requested("fill", is_prepared=True)
        await self.kept.does("cal", "return_fill", slip, reason="not wanted", signs=("flo", "witness"))

    async def _fill_is_void(self) -> None:
        slip = await self._requested("fill", is_prepared=False)
        await self.kept.does("cy", "void_fill", slip, reason="not wanted", signs=("flo", "witness"))

    async def _credit(self) -> None:
        asked = (await self.kept.state()).acts + 1
        slip = await self._requested("credit", is_prepared=True)
        units = (await self.kept.state()).things[f"credit_slip/{slip}"].facts["units"]
        self.slips.append((asked, slip, units[str(CHIP)]))
        await self.kept.does("fay", "carry_credit", slip)
        await self.kept.does("cy", "accept_credit", slip)

    async def _credit_comes_back(self) -> None:
        slip = await self._requested("credit", is_prepared=True)
        await self.kept.does("flo", "return_credit", slip, reason="too much", signs=("bob", "witness"))

    async def _credit_is_void(self) -> None:
        slip = await self._requested("credit", is_prepared=False)
        await self.kept.does("cy", "void_credit", slip, reason="not wanted", signs=("flo", "witness"))

    def _seen(self, cents: int, unit: int) -> int:
        """How many chips or notes people count: what is there, or not quite."""
        assert cents % unit == 0
        wrong = self.random.choice((-1, 1)) if self.random.random() < MISCOUNT else 0
        return max(cents // unit + wrong, 0)

    async def _counts_tray(self, which: str) -> None:
        bank = (await self.kept.live()).game.money.bank
        seen = self._seen(bank, CHIP)
        await self.kept.counts(which, seen, self.shift)
        self.trays.append(((await self.kept.state()).acts, which, seen))

    async def _emergency(self) -> None:
        if len(self.spare) > len(SHIFTS):
            await self._drops("emergency_drop", reason="the box is full")

    async def _drops(self, act: str, **fields: str) -> None:
        """Take the box off the table, put another on, and count it."""
        held = (await self.kept.live()).game.money.drop
        box, self.attached = self.attached, self.spare.pop(0)
        fields |= {"shift": self.shift, "dropped": box, "drop_box": self.attached}
        await self.kept.does("ned", act, TABLE, signs=("flo", "viewer"), **fields)
        if slips := (await self.kept.state()).things[f"drop_box/{box}"].facts.get("slips"):
            await self.kept.does("ned", "match_slips", box, typed=list(slips), signs=("nia", "second"))
        cash = {str(NOTE): self._seen(held, NOTE)}
        await self.kept.counts_box(box, cash[str(NOTE)])
        self.counted.append(((await self.kept.state()).acts, box, cash))

    async def _correct_box(self) -> None:
        if not self.counted:
            return
        number, box, cash = self.counted.pop()
        cash = {str(NOTE): cash[str(NOTE)] + 1}
        await self.kept.does("ned", "correct_count", box, corrects=number, reason="a note stuck", cash=cash)
        await self.kept.signs("nia", "second", cash=cash)
        await self.kept.signs("cy", "cage", cash=cash)

    async def _correct_tray(self) -> None:
        """Correct a count of the tray, be it the last one or not."""
        if not self.trays:
            return
        number, which, seen = self.trays.pop(self.random.randrange(len(self.trays)))
        chips = {str(CHIP): seen + self.random.choice((1, 2))}
        act = f"correct_count_{which}"
        await self.kept.does("dan", act, TABLE, corrects=number, reason="a chip was covered", chips=chips)
        await self.kept.signs("bob", "second", chips=chips)

    async def _correct_slip(self) -> None:
        if not self.slips:
            return
        asked, slip, count = self.slips.pop(self.random.randrange(len(self.slips)))
        act = "correct_request_fill" if slip.startswith("F") else "correct_request_credit"
        await self.kept.does("flo", act, slip, corrects=asked, reason="miscounted", units={str(CHIP): count + 1})
        for signer, part in (("cy", "cage"), ("fay", "runner"), ("dan", "table")):
            await self.kept.signs(signer, part)


def _play_of(kept: KeptHere) -> Accrual:
    """All that the entries of the table add to its accounts."""
    live: LiveTable | None = None
    total = Accrual()
    for stored in kept.log.read_stream(f"table/{TABLE}"):
        command, events = TABLE_CODEC.command(stored.entry), TABLE_CODEC.events(stored.entry)
        after = fold(live, command, events)
        total += accrual_of(live, after, events)
        live = after
    return total


async def _day(seed: int) -> tuple[set[str], bool]:
    """Check one random day; return the acts that were completed, and whether somebody miscounted."""
    async with kept_here() as kept:
        await RandomDay(kept, Random(seed)).play(ACTS)
        assert not list(house_faults(kept.log.read()))
        entries = [stored.entry for stored in kept.log.read_stream(f"office/{OFFICE}")]
        events = [(entry.at, event) for entry in entries for event in OFFICE_CODEC.events(entry)]
        facility = (await kept.state()).facility
        assert facility is not None
        happened = [event for _, event in events]
        _check_day(table_results(events, facility), happened, _play_of(kept))
        done = {event.number: event.act for event in happened if isinstance(event, e.ActDone)}
        completed = {done[event.number] for event in happened if isinstance(event, e.ActCompleted)}
        told = [event for event in happened if isinstance(event, e.LedgerTold)]
        return completed, any(one.counted != one.ledger for one in told)


def _check_day(shifts: list[TableResult], happened: list[e.ActEvent], play: Accrual) -> None:
    """Check that counted and ledger win agree but for what incidents say, and that the ledger's is what was won."""
    told = [event for event in happened if isinstance(event, e.LedgerTold)]
    differing = {one.act: one.counted - one.ledger for one in told if one.counted != one.ledger}
    corrected = _corrections(happened)
    day = total_result(shifts)
    assert not day.missing
    assert day.win == day.closer + day.credits + day.drop - day.opener - day.fills
    assert day.ledger_win == play.won, "what the ledger has won is what players have lost"
    assert day.difference == sum(differing.values()) + sum(corrected.values())
    incidents = {one.act: one for one in happened if isinstance(one, e.IncidentOpened)}
    typed = {one.number for one in happened if isinstance(one, e.ActDone) and one.fields.get("typed")}
    incidents = {act: one for act, one in incidents.items() if act not in typed}  # nobody scans slips here
    assert incidents.keys() == differing.keys() | corrected.keys(), "each difference has its incident, and nothing else"
    for one in told:
        if one.act in differing:
            by_how_much = f"counted {dollars(one.counted)}; ledger {dollars(one.ledger)}"
            assert by_how_much in incidents[one.act].why
            assert incidents[one.act].about == thing_key("table", one.table)


def _corrections(happened: list[e.ActEvent]) -> dict[int, int]:
    """By how much each correction changed the difference of counted and ledger win, by its act.

    A closer or drop is another then; and what the ledger had at the next count of a tray had the wrong figure in it.
    """
    acts = {event.number: event for event in happened if isinstance(event, e.ActDone)}
    trays = list[int]()  # that were counted, in order
    came = dict[int, int]()  # how many trays had been counted when a figure came into one, by its act
    found = dict[int, int]()
    for event in happened:
        if not isinstance(event, e.ActCompleted):
            continue
        done = acts[event.number]
        if done.act in INVENTORIES:
            trays.append(done.number)
            came[done.number] = len(trays)
        elif done.act in {"accept_fill", "prepare_credit"}:
            asked = next(one for one in acts.values() if one.act.startswith("request") and one.things == done.things)
            came[asked.number] = len(trays)
        elif event.corrects is not None:
            first, more = acts[event.corrects.first], _worth(event.corrects.now) - _worth(event.corrects.was)
            counted = more if first.act in {"count_shift", "count_closer", "count_box"} else 0
            brought = -more if first.act == "request_credit" else more
            is_followed = first.act != "count_box" and came.get(first.number, 0) < len(trays)
            found[event.number] = counted - (brought if is_followed else 0)
    return found


def _worth(fields: dict[str, Any]) -> int:
    return box_cents(fields) + units_cents(fields.get("units"))


def _check_days(seeds: Iterable[int]) -> None:
    """Check random days, which do together all that there is to do with a table's money, rightly and wrongly."""
    days = [asyncio.run(_day(seed)) for seed in seeds]
    assert set.union(*(acts for acts, _ in days)) >= MONEY_ACTS
    assert {is_wrong for _, is_wrong in days} == {False, True}


def test_counted_win_is_the_ledgers_or_incidents_say_by_how_much_and_where() -> None:
    _check_days(range(4))


@pytest.mark.sweep
def test_many_days_have_their_wins_or_their_incidents() -> None:
    _check_days(range(4, 60))
