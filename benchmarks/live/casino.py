"""A casino over many gaming days, for measuring: its office decides every act, its tables are dealt lightly.

Entries are decided as a server decides them, at moments of their own, and written many at a time, chained and sealed.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from argon2 import PasswordHasher
from msgspec import Raw, json

from benchmarks.live.house import PASSWORD
from benchmarks.live.office_log import OfficeLog
from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.course import OFFICE_CODEC, OfficeCourse
from passline.acts.documents import Documents
from passline.acts.judges.scene import Surroundings
from passline.acts.papers.form_codes import FormCode, made_numbers
from passline.acts.rules import OFFICE_RULES, Person
from passline.acts.state import ActState
from passline.game import commands as g
from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.pages.texts import packed_pages
from passline.rules.rules import AUTOMATED
from passline.store.data_folder import DOCUMENTS_FOLDER, dice_secret, open_log
from passline.store.entry import Draft
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Actor, Ask
from passline.tables.commands import OpenTable, Roll
from passline.tables.runtime.floor import Floor, RunningTable

OFFICE = "section2"
FACILITY = Facility(name="Bench", zone="America/New_York", areas=("pit-1",))
_WITH_DICE = 5
"""Tables that get a set of dice each day."""
_STAFF = {
    "owner": 1, "compliance": 1, "floorperson": 2, "boxperson": 1, "dealer": 1, "cashier": 3, "counter": 2,
}  # fmt: skip
_PLAYER = "player-1"
_QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # no benchmark of a casino measures log-ins


def hire_staff(log: Log, clock: Callable[[], str]) -> dict[str, Person]:
    """Open the accounts of everybody who works and plays in a casino; return them by role and number."""
    desk = FrontDesk(log, clock, hasher=_QUICK)
    found = dict[str, Person]()
    for role, number in ((role, number) for role, many in _STAFF.items() for number in range(1, many + 1)):
        owner = found.get("owner-1")
        link = desk.invite(by=owner.account, roles=(role,)) if owner else desk.first_owner()
        assert isinstance(link, Link), link
        name = f"{role} {number}".title()
        welcome = desk.accept_invitation(link.token, name=name, password=PASSWORD, pin="7294")
        assert isinstance(welcome, Welcome), welcome
        found[f"{role}-{number}"] = Person(welcome.session.account.id, name, frozenset({role}))
    player = desk.register(name="Pia", password=PASSWORD)
    assert isinstance(player, Welcome), player
    return found | {_PLAYER: Person(player.session.account.id, "Pia", frozenset({"player"}))}


class Casino:
    """The office of a casino on a log; its acts are written when enough of them are there."""

    def __init__(self, log: Log, documents: Documents) -> None:
        self.log, self.state, self.at = OfficeLog(log, OFFICE), ActState(), ""
        self.people = dict[str, Person]()
        self._documents = documents
        self._codes, self._coded = dict[str, str](), 0  # of each slip, from how many entries of the office
        self.taken: list[float] = []  # the time of each decision

    def hire(self) -> None:
        """Open the accounts of everybody."""
        self.people = hire_staff(self.log.log, lambda: self.at)

    def account(self, who: str) -> str:
        """Return the account of somebody; nobody has none."""
        return self.people[who].account if who else ""

    def _known(self, account: str) -> Person | None:
        return next((person for person in self.people.values() if person.account == account), None)

    def send(self, command: c.ActCommand, by: str = "", signed_by: str = "") -> None:
        """Decide a command and keep it for the next commit."""
        person = self.people.get(by)
        actor = Actor(person.account, person.name, min(person.roles), is_employee=True) if person else THE_HOUSE
        signed_by = self.account(signed_by)
        around = Surroundings(self._known, approvals=lambda _kind: True, has_form=lambda _code: True)
        begun = time.perf_counter()
        decided = OfficeCourse(around).decide(self.state, Ask("", command, actor, signed_by), self.at)
        self.taken.append(time.perf_counter() - begun)
        if isinstance(decided, Refused):
            if isinstance(command, c.LookRound):
                return
            raise SystemExit(f"{command}: refused: {decided}")
        self.log.write(
            Draft(
                stream=self.log.stream,
                expected=self.log.count,
                at=self.at,
                actor=actor.account,
                role=actor.role,
                signed_by=signed_by,
                id=f"id-{self.log.count}",
                command=Raw(json.encode(command)),
                events=Raw(json.encode(decided.events)),
            )
        )
        self.state = decided.after

    def does(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: Any) -> None:  # noqa: ANN401
        """Do an act, signed at once by somebody as a part."""
        self.send(c.DoAct(act=act, things=things, fields=fields, signs=signs[1]), by, signs[0])

    def signs(self, by: str, part: str, **fields: Any) -> None:  # noqa: ANN401
        """Sign the act that was recorded last."""
        self.send(c.SignAct(number=self.state.acts, part=part, fields=fields), by)

    def go_to(self, day: date, time_: str) -> None:
        """Set the clock."""
        self.at = FACILITY.moment(day, time_)

    def set_up(self, tables: int) -> None:
        """Do everything for the tables but count them."""
        pages = packed_pages(OFFICE_RULES.installed_pages(OFFICE))
        self.send(c.KeepOffice(name=OFFICE, pages=pages, program="bench"))
        self.send(c.SetUpOffice(facility=FACILITY), "owner-1")
        self.send(c.SetValue(key="count_team_min", value=2, reference="bench"), "owner-1")
        self.does("compliance-1", "draft_house", "capstan", file={"rules": OFFICE, "wager_cents_min": 500})
        self.does("owner-1", "put_in_force", "capstan")
        units = {"500": 4_000_000}
        self.does("cashier-1", "receive_chips", units=units, delivery="note", signs=("cashier-2", "witness"))
        self.does("cashier-1", "issue_chips", units=units, signs=("cashier-2", "witness"))
        for table in range(1, tables + 1):
            self.does("compliance-1", "register_table", f"T{table}", area="pit-1")
            self.does("compliance-1", "assign_house", f"T{table}", house="capstan")
            for letter in "abcd":
                self.does("owner-1", "enter_drop_box", f"D{table}{letter}")
            self.does("floorperson-1", "attach_drop_box", f"T{table}", drop_box=f"D{table}a")
            self._fill(table, 2_000)

    def _fill(self, table: int, chips: int) -> None:
        self.does("floorperson-1", "request_fill", table=f"T{table}", units={"500": chips})
        slip = f"F-{self.state.numbers['F']:06}"
        self.does("cashier-1", "prepare_fill", slip)
        self.does("floorperson-2", "carry_fill", slip)
        self.does("dealer-1", "accept_fill", slip)

    def _counts(self, act: str, table: int, shift: str, chips: int) -> None:
        self.does("boxperson-1", f"count_{act}", f"T{table}", chips={"500": chips}, shift=shift)
        self.signs("floorperson-1", "second", chips={"500": chips})

    def run_day(self, day: date, tables: int, fills: int, chance: random.Random) -> None:
        """Open the tables, fill them, drop and count them after each shift, and close."""
        self.go_to(day, "06:05")
        self.send(c.LookRound())
        for table in range(1, min(tables, _WITH_DICE) + 1):
            certificate = self._documents.put(f"certificate {chance.getrandbits(256):064x}".encode())
            self.does("floorperson-1", "supply_dice", f"T{table}", certificate=certificate)
        for table in range(1, tables + 1):
            self._counts("opener", table, "day", self._tray(table))
        for number, shift in enumerate(("day", "swing", "grave")):
            self.go_to(day + timedelta(days=number == 2), ("10:00", "18:00", "02:00")[number])
            for _ in range(fills // 3):
                self._fill(chance.randrange(1, tables + 1), chance.randrange(20, 60))
            self.go_to(day + timedelta(days=number == 2), ("14:02", "22:02", "05:50")[number])
            for table in range(1, tables + 1):
                self._end_shift(table, number, shift, chance)
        self.go_to(day + timedelta(days=1), "05:55")
        self._learn_codes()
        for table in range(1, tables + 1):
            for letter in "abc":
                self._count_box(f"D{table}{letter}", {"10000": chance.randrange(20, 60)})
            self.does("floorperson-1", "emergency_drop", f"T{table}", **self._swap(table, "d", "a"))
            self.signs("floorperson-2", "viewer")
            self._count_box(f"D{table}d", {"100": 1})

    def _learn_codes(self) -> None:
        """Read the codes of the slips that were made since, as they are printed on them."""
        self.log.flush()
        for stored in self.log.log.read_stream(self.log.stream, after=self._coded):
            for slip in made_numbers(OFFICE_CODEC.events(stored.entry)):
                self._codes[slip] = str(FormCode(stored.entry.sequence, stored.hash.hex(), slip))
        self._coded = self.log.count

    def _count_box(self, box: str, notes: dict[str, int]) -> None:
        """Match the slips in a box by their codes, and count it."""
        if slips := self.state.things[f"drop_box/{box}"].facts.get("slips"):
            found = [self._codes[slip] for slip in slips]
            self.does("counter-1", "match_slips", box, found=found, signs=("counter-2", "second"))
        self.does("counter-1", "count_box", box, cash=notes, team=[*map(self.account, ("counter-1", "counter-2"))])
        self.signs("counter-2", "second", cash=notes)
        self.signs("cashier-3", "cage", cash=notes)

    def _swap(self, table: int, off: str, on: str) -> dict[str, Any]:
        return {
            "shift": "grave", "reason": "box changed", "dropped": f"D{table}{off}", "drop_box": f"D{table}{on}",
        }  # fmt: skip

    def _end_shift(self, table: int, number: int, shift: str, chance: random.Random) -> None:
        boxes = "abcd"
        self.does(
            "floorperson-1", "drop_table", f"T{table}", shift=shift, dropped=f"D{table}{boxes[number]}",
            drop_box=f"D{table}{boxes[number + 1]}",
        )  # fmt: skip
        self.signs("floorperson-2", "viewer")
        chips = max(1_000, self._tray(table) + chance.randrange(-500, 500))
        self._counts("closer" if shift == "grave" else "shift", table, shift, chips)

    def _tray(self, table: int) -> int:
        return self.state.stocks["chips"].get(f"table/T{table}", {}).get("500", 0)


class _Play:
    """Light play at tables of their own: one player each, a few wagers a roll."""

    def __init__(self, tables: list[RunningTable], player: Actor) -> None:
        self._tables, self._player, self._ids = tables, player, count(1)

    async def ask(self, table: RunningTable, command: Any) -> Any:  # noqa: ANN401
        return await table.stream.ask(Ask(f"p-{next(self._ids)}", command, self._player))

    async def deal(self, entries: int) -> int:
        """Deal about so many entries, spread over the tables."""
        done = 0
        while done < entries:
            done += sum(await asyncio.gather(*(self._roll(table) for table in self._tables)))
        return done

    async def _roll(self, table: RunningTable) -> int:
        position = table.live.game.position
        if position.dice == "offered":
            await self.ask(table, g.AcceptDice(seat=1))
        wagers = [g.MakeWager(seat=1, wager="field", cents=5_00), g.MakeWager(seat=1, wager="any_seven", cents=5_00)]
        if not position.puck:
            wagers.append(g.MakeWager(seat=1, wager="pass", cents=5_00))
        await asyncio.gather(*(self.ask(table, one) for one in wagers))
        closed = await self.ask(table, Roll(seat=1))
        if not isinstance(closed, Refused):
            await table.course.completion.roll_after(closed.sequence)
        return len(wagers) + 2


class _Clock:
    """The moment of the casino, for its floor."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino

    def __call__(self) -> str:
        return self._casino.at


def make_casino(data: Path, *, days: int, last: date, tables: int, fills: int, play: int) -> dict[str, Any]:
    """Write so many gaming days until the last one into a new log; return what it took, and how long an act took."""
    return asyncio.run(_make(data, days=days, last=last, tables=tables, fills=fills, play=play))


async def _make(data: Path, *, days: int, last: date, tables: int, fills: int, play: int) -> dict[str, Any]:
    log = open_log(data)
    documents = Documents(data / DOCUMENTS_FOLDER)
    casino, chance, begun = Casino(log, documents), random.Random(days), time.perf_counter()
    first = last - timedelta(days=days - 1)
    casino.go_to(first - timedelta(days=1), "12:00")
    casino.hire()
    casino.set_up(tables)
    casino.log.flush()
    player = Actor(casino.account(_PLAYER), "Pia", "player")
    floor = Floor(log, clock=_Clock(casino), keys=DiceKeys(dice_secret(data), log.log_id))
    await floor.start()
    owner = Actor(casino.account("owner-1"), "Owner 1", "owner", is_employee=True)
    signs = casino.account("floorperson-1")
    opened = [await _opened(floor, number, owner, player, signs) for number in range(tables if play else 0)]
    dealt = _Play(opened, player)
    for number in range(days):
        day = first + timedelta(days=number)
        casino.run_day(day, tables, fills, chance)
        casino.log.flush()
        if play:
            await dealt.deal(play)
        if number % 30 == 0:
            print(f"  day {number + 1} of {days}, {time.perf_counter() - begun:,.0f} s", flush=True)
    casino.log.keep(casino.state)
    await floor.close()
    head = log.head()
    assert head is not None
    log.close()
    of_last_day = casino.taken[-len(casino.taken) // days :]
    return {
        "entries": head.sequence,
        "office": len(casino.taken),
        "seconds": time.perf_counter() - begun,
        "act": median(of_last_day),
    }


async def _opened(floor: Floor, number: int, owner: Actor, player: Actor, signed_by: str) -> RunningTable:
    command = OpenTable(
        name=f"Play {number}",
        house={"rules": "maryland"},
        automate=tuple(sorted(AUTOMATED)),
        buy_in="self",
        bank_cents=50_000_000_00,
    )
    id_, _ = await floor.open(Ask(f"open-{number}", command, owner, signed_by))
    table = await floor.table(id_)
    assert table is not None
    for step, seated in enumerate((g.TakeSeat(seat=1), g.BuyIn(seat=1, cents=10_000_000_00))):
        await table.stream.ask(Ask(f"seat-{number}-{step}", seated, player))
    return table
