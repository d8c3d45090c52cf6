"""Three gaming days of the demo's casino: two tables, two shifts a day, dealt and kept through the real commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import timedelta

from msgspec import Struct

from passline.acts import commands as c
from passline.acts.documents import Documents
from passline.acts.events import ActDone
from passline.acts.papers.form_codes import FormCode, made_numbers
from passline.dice import Roll
from passline.errors import CrapsError
from passline.office.views.cash import CashPart, cash_of_acts, cash_of_buy_ins
from passline.office.views.cash_matters import UNNAMED_CASH
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.tables import commands as k
from passline.web.demo.casino.dealing import Crew, DealtTable, chips_of, fewest_chips, notes_of
from passline.web.demo.casino.running import FACILITY, REGULATION, RunningCasino, StoryClock
from passline.web.demo.casino.staff import PATRONS, Patron, actor_of, hire

GAMING_DAYS = 3
"""How many gaming days lie behind the demo's casino."""
_DAY_CREWS = {
    "craps-1": Crew("sam", "flo", "bob", "stu", ("dan", "dora")),
    "craps-2": Crew("sam", "flo", "bea", "sal", ("dev", "dina")),
}
_SWING_CREWS = {
    "craps-1": Crew("sia", "fay", "ben", "sky", ("dag", "dee")),
    "craps-2": Crew("sia", "fay", "bix", "syd", ("dirk", "dot")),
}
_PATRONS: dict[str, dict[str, tuple[Patron, ...]]] = {  # by shift and table; those of the day stay on
    "day": {"craps-1": PATRONS[:4], "craps-2": PATRONS[4:8]},
    "swing": {"craps-1": PATRONS[8:10], "craps-2": PATRONS[10:]},
}
_KNOWN_PATRONS = {"rex", "otis"}  # of whom a document was seen
_DICE = 5  # in a set
_BOXES, _TIP_BOXES = "ABC", "AB"
_EDGES = (752, 757)  # the shortest and the longest of a die, in thousandths of an inch
_LICENCE_DAYS = 300
_LOOK_SECONDS = 90
_SUPPLY_ROLLS = 5  # after so many the bank is looked at
_BANK_CENTS = (16_000_00, 40_000_00)  # below it a table gets a fill, above it the cage a credit
_SLIP = {"500": 200, "2500": 200, "10000": 50}
_UNKEYED_TRAY_CENTS, _UNKEYED_DROP_CENTS = -215_00, 1_340_00  # at the table without keyed wagers, in each shift
_LABORATORY = k.FileApproval(
    kind="laboratory_report", authority="laboratory", reference="DEMO: no laboratory saw it", date="2026-01-02"
)
_FIRST_TRAY = {"100": 200, "500": 400, "2500": 400, "10000": 200}
_MISSING_CENTS = 100_00  # of the box that is counted short
_SHORT = (1, "BOX-2C")  # on which day, and which
_SPARE = "A31"  # a die that takes the place of another
_HANDED_CENTS = 24_00  # tips that players hand over at a table in a day, beside those they wager
_LATE = "18:40"
_PLAY_BEGINS = {"day": "16:00", "swing": "18:30"}
ROLLS = 40
"""How many rolls of the dice each table has in a shift."""
_DAYS_BEFORE = 6
_LETTER = b"A letter of the demo: nobody has written it, and nobody has received it."


class _Place(Struct):
    """A table through the days: what is in its tray, and which of its boxes is on it."""

    table: str
    number: str
    tray: dict[str, int]
    box: int = 0
    dice: tuple[str, ...] = ()
    opened: DealtTable | None = None

    @property
    def dealt_table(self) -> DealtTable:
        """The table as it is dealt, once it was opened."""
        assert self.opened is not None
        return self.opened

    @property
    def boxes(self) -> dict[str, str]:
        """The box that is on the table and the one that comes next."""
        return {
            "dropped": f"BOX-{self.number}{_BOXES[self.box]}",
            "attached": f"BOX-{self.number}{_BOXES[(self.box + 1) % len(_BOXES)]}",
        }


class CasinoHistory:
    """The story of the casino, with so many rolls of the dice at each table in each shift."""

    def __init__(self, casino: RunningCasino, dice: Callable[[], Roll], *, rolls: int) -> None:
        self._casino, self._dice, self._rolls = casino, dice, rolls
        self._places = [_Place(table, table[-1], dict(_FIRST_TRAY)) for table in _DAY_CREWS]
        self._boxes: dict[str, int] = {}  # dropped and not counted: what is in each, by the ledger
        self._day = 0

    async def deal(self) -> None:
        """Deal all of it, from the first paper to the evening of the last gaming day."""
        casino = self._casino
        await casino.house(k.ElectOffice(where="here"))
        await casino.house(_LABORATORY)
        await casino.office(c.SetUpOffice(facility=FACILITY))
        for account, body in (("tom", "TGO"), ("sue", "SGA")):
            await casino.office(c.AssignBody(account=account, body=body))
        until = (casino.today + timedelta(days=_LICENCE_DAYS)).isoformat()
        await casino.read("before", {"until": until})
        for self._day in range(GAMING_DAYS):
            await self._begin()
            await self._play("day")
            await self._change()
            await self._play("swing")
            await self._end()
        await self._leave()

    async def _leave(self) -> None:
        state = (await self._casino.scene()).state
        dice = [die.id for die in state.of_kind("die") if die.state != "destroyed"]
        chips = state.stocks["chips"]
        known = {"dice": dice, "reserve": _toml(chips["reserve"]), "cage": _toml(chips["cage"])}
        await self._casino.read("at_last", known)

    @property
    def _offset(self) -> int:
        return self._day - GAMING_DAYS

    @property
    def _yesterday(self) -> str:
        return (self._casino.today + timedelta(days=self._offset - 1)).isoformat()

    def _moment(self, time: str) -> str:
        return FACILITY.moment(self._casino.today + timedelta(days=self._offset), time)

    async def _begin(self) -> None:
        """Bring dice, crews and inventories to the tables, and open them."""
        sets = [_dice_set(self._day * len(self._places) + place) for place in range(len(self._places))]
        dice = " ".join(die for dice_set in sets for die in dice_set)
        await self._casino.read("day_begins", {"day": self._offset, "visit": await self._next("V"), "dice": dice})
        for place, its in zip(self._places, sets, strict=True):
            place.dice = its
            await self._casino.read("table_begins", self._script_values(place, _DAY_CREWS))
            await self._open(place)
        await self._look()

    async def _open(self, place: _Place) -> None:
        is_keyed = not self._is_unkeyed(place)
        command = k.OpenTable(
            name=f"Craps {place.number}", table=place.table, house={"rules": REGULATION}, dice="physical",
            automate=tuple(sorted(AUTOMATED - {"confirm"})), is_keyed=is_keyed,
            requires_dice_out=is_keyed,
        )  # fmt: skip
        _, answer = await self._casino.floor.open(self._casino.ask(command, actor_of("flo")))
        if isinstance(answer, Refused):
            raise CrapsError(f"the demo's story: {place.table}: {answer}")
        table = await self._casino.table(place.table)
        if place.opened is None:
            place.opened = DealtTable(self._casino, table, _DAY_CREWS[place.table])
        place.dealt_table.crew = _DAY_CREWS[place.table]

    def _is_unkeyed(self, place: _Place) -> bool:
        """Return whether the crew keys in no wagers at a table, as most pits do: at one table, on the last day."""
        return self._day == GAMING_DAYS - 1 and place is self._places[-1]

    async def _play(self, shift: str) -> None:
        """Deal a shift: a roll at each table in turn, and half-way what else this shift brings."""
        self._casino.clock.go_to(self._moment(_PLAY_BEGINS[shift]))
        for place in self._places:
            if not self._is_unkeyed(place):
                await place.dealt_table.seat(_PATRONS[shift][place.table])
        for roll in range(self._rolls):
            for place in self._places:
                await place.dealt_table.roll(self._dice())
            if roll % _SUPPLY_ROLLS == _SUPPLY_ROLLS - 1:
                await self._supply()
            if roll == self._rolls // 2:
                await self._happens(shift)

    async def _happens(self, shift: str) -> None:
        first, second = self._places
        match self._day, shift:
            case 0, "day":
                await first.dealt_table.correct(self._dice(), signed_by="flo")
                day = self._casino.today + timedelta(days=self._offset)
                await self._casino.read("first_day", {"day": day.isoformat()})
            case 0, "swing":
                await self._casino.read("first_swing", {"fill": await self._next("F")})
            case 1, "day":
                await first.dealt_table.dispute(signed_by="flo")
                await self._bring(first, "credit", "C", {"10000": 20})
                await self._casino.read("second_day", {"dispute": await self._next("D"), "closed": self._yesterday})
            case 1, "swing":
                bad, *rest = second.dice
                second.dice = (*rest, _SPARE)
                known = {"bad": bad, "good": _SPARE, "visit": await self._next("V")}
                await self._casino.read("second_swing", known)
            case 2, "day":
                things = (await self._casino.scene()).state
                short = next(incident.id for incident in things.of_kind("incident", ("open",)))
                report = next(report.id for report in things.of_kind("cash_report", ("due",)))
                await self._casino.read("third_day", {"short": short, "report": report, "closed": self._yesterday})
            case _:
                for patron in _PATRONS["day"][second.table]:
                    await second.dealt_table.rate(patron)

    async def _supply(self) -> None:
        """Bring chips to a table that runs out of them, and take them from one that has too many."""
        for place in self._places:
            bank = place.dealt_table.live.game.money.bank
            if self._is_unkeyed(place) or _BANK_CENTS[0] <= bank <= _BANK_CENTS[1]:
                continue
            script, series = ("fill", "F") if bank < _BANK_CENTS[0] else ("credit", "C")
            await self._bring(place, script, series, _SLIP)

    async def _bring(self, place: _Place, script: str, series: str, units: Mapping[str, int]) -> None:
        """Have a fill or a credit carried."""
        known = self._script_values(place, {place.table: place.dealt_table.crew})
        await self._casino.read(script, {**known, "units": _toml(units), "slip": await self._next(series)})

    async def _change(self) -> None:
        """Change the shift with the layout as it lies."""
        await self._casino.read("shift_changes", {"day": self._offset})
        for place in self._places:
            if self._is_unkeyed(place):  # the drop comes late on the last day: a breach, which stays to be looked into
                self._casino.clock.go_to(self._moment(_LATE))
            await self._count(place)
            crew = _DAY_CREWS[place.table]
            await self._casino.read("table_changes", {**self._script_values(place, _SWING_CREWS), "old_box": crew.box})
            self._change_box(place)
            place.dealt_table.crew = _SWING_CREWS[place.table]
        await self._close_shift("flo", "bob")
        await self._casino.read("shift_changed")
        await self._look()

    async def _end(self) -> None:
        """Close the tables, count the trays, the boxes and the tips, and send everybody home."""
        tips = {}
        for place in self._places:
            if not self._is_unkeyed(place):
                racks = await place.dealt_table.empty(self._dice)
                await self._redeem(racks)
            await place.dealt_table.key(k.CloseTable(), by="fay", signed_by=place.dealt_table.crew.box)
        self._casino.clock.go_to(self._moment("20:05"))
        await self._look()
        for place in self._places:
            await self._count(place)
            tips[place.table] = place.dealt_table.live.game.money.tip_box + _HANDED_CENTS
            await self._casino.read(
                "table_ends", {**self._script_values(place, _SWING_CREWS), **self._tip_boxes(place)}
            )
            self._change_box(place)
        self._casino.clock.go_to(self._moment("21:05"))
        await self._casino.read("boxes_taken", {"boxes": list(self._boxes), "transport": await self._next("B")})
        for box, cents in self._boxes.items():
            counted = cents - (_MISSING_CENTS if (self._day, box) == _SHORT else 0)
            slips = await self._codes_in(box)
            await self._casino.read("box_counted", {"box": box, "notes": _toml(notes_of(counted)), "slips": slips})
        self._boxes.clear()
        await self._share(sum(tips.values()))
        await self._close_shift("fay", "ben")
        await self._note_cash()
        await self._casino.read("day_ends", {"dice": " ".join(die for place in self._places for die in place.dice)})

    async def _codes_in(self, box: str) -> list[str]:
        """Return the codes on the slips that lie in a box, as a scanner reads them."""
        known = (await self._casino.scene()).state.thing("drop_box", box)
        numbers = known.facts.get("slips", ()) if known else ()
        made = {
            number: str(FormCode(stored.entry.sequence, stored.hash.hex(), number))
            for stored, events in self._casino.offices.events_after(REGULATION, 0)
            for number in made_numbers(events)
        }
        return [made[number] for number in numbers]

    async def _count(self, place: _Place) -> None:
        """See what lies in a tray: as the ledger has it, or at a table without one as the crew found it."""
        if self._is_unkeyed(place):
            tray = sum(int(unit) * count for unit, count in place.tray.items())
            cents, drop = tray + _UNKEYED_TRAY_CENTS, _UNKEYED_DROP_CENTS
        else:
            money = place.dealt_table.live.game.money
            cents, drop = money.bank, money.drop
        place.tray, self._boxes[place.boxes["dropped"]] = chips_of(cents), drop

    def _script_values(self, place: _Place, crews: Mapping[str, Crew]) -> dict[str, object]:
        """Return what the scripts of a table are told."""
        crew = crews[place.table]
        return {
            "table": place.table,
            "supervisor": crew.supervisor,
            "floor": crew.floor,
            "box": crew.box,
            "stick": crew.stick,
            "dealer": crew.dealers[0],
            "dealers": list(crew.dealers),
            "dice": " ".join(place.dice),
            "shortest": _toml(dict.fromkeys(place.dice, _EDGES[0])),
            "longest": _toml(dict.fromkeys(place.dice, _EDGES[1])),
            "chips": _toml(place.tray),
            **place.boxes,
        }

    def _tip_boxes(self, place: _Place) -> dict[str, str]:
        letters = _TIP_BOXES[self._day % 2 :] + _TIP_BOXES[: self._day % 2]
        return {"tips": f"TIP-{place.number}{letters[0]}", "tips_next": f"TIP-{place.number}{letters[1]}"}

    async def _redeem(self, racks: Mapping[str, int]) -> None:
        """Have players change at the cage what they took along."""
        scene = await self._casino.scene()
        unnamed = scene.rules.figure(scene.state, UNNAMED_CASH)
        for account, cents in racks.items():
            patron = account.removeprefix("patron-")
            known = f', patron = "{patron}"' if patron in _KNOWN_PATRONS else ""
            signed = " signed by carl as unnamed" if not known and unnamed and cents >= unnamed else ""
            if cents:
                units = _toml(fewest_chips(cents))
                await self._casino.read("redeemed", {"units": units, "known": known, "signed": signed})

    def _change_box(self, place: _Place) -> None:
        place.box = (place.box + 1) % len(_BOXES)

    async def _share(self, cents: int) -> None:
        """Count the tips of the day into a pool and share it out among the dealers of both shifts."""
        dealers = [dealer for crews in (_DAY_CREWS, _SWING_CREWS) for crew in crews.values() for dealer in crew.dealers]
        share, left = divmod(cents, len(dealers))
        shares = {dealer: share + (left if dealer == dealers[0] else 0) for dealer in dealers}
        boxes = [self._tip_boxes(place)["tips"] for place in self._places]
        known = {"boxes": boxes, "total": cents, "chips": _toml(chips_of(cents)), "shares": _toml(shares)}
        await self._casino.read("tips_shared", {**known, "pool": await self._next("P")})

    async def _next(self, series: str) -> str:
        """Return the number that the next slip, visit or pool gets."""
        numbers = (await self._casino.scene()).state.numbers
        return f"{series}-{numbers.get(series, 0) + 1:06}"

    async def _close_shift(self, by: str, signed_by: str) -> None:
        await self._casino.house(k.CloseShift(), actor_of(by), signed_by)

    async def _note_cash(self) -> None:
        """Have the office note whose cash of the day wants a report, as the server does every minute."""
        bought = [buy_in for place in self._places for buy_in in place.dealt_table.buy_ins]

        async def cash(name: str, begins: str, ends: str) -> list[CashPart]:
            scene, waiting = await self._casino.offices.scene(name), dict[int, ActDone]()
            acts = (events for _, events in self._casino.offices.events_after(name, 0))
            sold = [part for events in acts for part in cash_of_acts(scene.rules, events, waiting, scene.state.figures)]
            brought = cash_of_buy_ins(buy_in for buy_in in bought if buy_in.rules == name)
            return [part for part in (*brought, *sold) if begins <= part.at < ends]

        await self._casino.offices.note_cash(cash)

    async def _look(self) -> None:
        """Have the office look at what it watches, as the server does every minute."""
        self._casino.clock.wait(_LOOK_SECONDS)

        async def open_tables(name: str) -> tuple[str, ...]:
            tables = [place.opened.live for place in self._places if place.opened]
            return tuple(live.id for live in tables if name == REGULATION and live.status != "closed")

        await self._casino.offices.look_round(open_tables)


def _dice_set(number: int) -> tuple[str, ...]:
    """Return the serial numbers of a set.

    >>> _dice_set(1)
    ('A06', 'A07', 'A08', 'A09', 'A10')
    """
    return tuple(f"A{number * _DICE + die:02}" for die in range(1, _DICE + 1))


def _toml(fields: Mapping[str, object]) -> str:
    """Return fields as a script has them.

    >>> _toml({"500": 40})
    '{500 = 40}'
    """
    return "{" + ", ".join(f"{key} = {value}" for key, value in fields.items()) + "}"


def begins_at(now: str) -> str:
    """Return the moment at which the story begins, six days before this one's gaming day.

    >>> begins_at("2026-11-16T09:00:00.000000Z")
    '2026-11-09T15:00:00.000000Z'
    """
    return FACILITY.moment(FACILITY.gaming_day(now) - timedelta(days=_DAYS_BEFORE), "08:00")


def has_room(log: Log) -> bool:
    """Return whether a log is still empty, so that its history can come first."""
    return log.sequence == 1


def _attach(documents: Documents) -> dict[str, str]:
    """Attach what the story shows: a letter, and a receipt for each time that the house tells a body something."""
    receipts = {f"receipt {number}": documents.put(b"%s Receipt %d." % (_LETTER, number)) for number in range(1, 41)}
    return {"letter": documents.put(_LETTER), **receipts}


def make_history(
    log: Log, key: SigningKey, documents: Documents, dice: Callable[[], Roll], *, rolls: int = ROLLS
) -> None:
    """Make the history that ends before the gaming day on which the log was begun, and append it.

    `key` is the log's own.
    """
    begun = next(log.read(until=1)).entry
    made = MemoryLog(key, log_id=log.log_id, at=begun.at, is_demo=True)
    clock = StoryClock(begun.at)
    hire(made, clock)
    today = FACILITY.today(begun.at) + timedelta(days=_DAYS_BEFORE)

    async def deal() -> None:
        casino = RunningCasino(made, clock, today, _attach(documents))
        await casino.start()
        try:
            await CasinoHistory(casino, dice, rolls=rolls).deal()
        finally:
            await casino.close()

    asyncio.run(deal())
    for secret in made.vault.all():
        log.vault.put(secret)
    log.copy_from(made)
