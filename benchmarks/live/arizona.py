"""A craps hall in Arizona over many gaming days, for measuring: every die is a thing, and every shift has its papers.

Nothing is left undone: dice are received, tested, thrown, retired and destroyed, slips signed, trays and boxes counted,
tips shared, cash above the figure reported, dice and reserve counted every month, the incident of every day is looked
into, and the day is closed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Raw, json

from benchmarks.live.office_log import NO_HASH, OfficeLog
from passline.acts import commands as c
from passline.acts.judges.scene import Surroundings
from passline.acts.papers.form_codes import FormCode
from passline.people.accounts import STREAM
from passline.people.commands import CreateAccount
from passline.people.events import AccountCreated
from passline.store.data_folder import open_log
from passline.store.entry import Draft
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Actor
from tests.office.arizona_hall import SHIFTS, Hall
from tests.office.busy_house import counted_again, tell_story, toml_units
from tests.office.logged_day import LoggedDay

OFFICE = "arizona"
_TRAY = {"100": 200, "500": 400, "2500": 300, "10000": 100}
_FILL = {"500": 40, "2500": 10}
_PIT = 10  # tables
_CUP = 5  # dice
_BEGINS, _DURING, _ENDS = ("06:20", "14:10", "22:10"), ("10:00", "18:00", "02:00"), ("14:00", "22:00", "04:10")
_LETTERS = "ABCDE"  # of a table's boxes
_INVENTORY = frozenset({"stored", "in_cabinet", "tested", "in_play", "out_of_play"})  # a die that is in the hall
_EARLY = ("swing", 0)  # the shift and table whose box comes off before the time: an incident of every day
_PRINTED = 5  # days that are written for a line that says so
_MONTH = 30  # days, after which dice and reserve are counted again at the latest


def make_hall(data: Path, *, days: int, last: date, tables: int, fills: int) -> dict[str, Any]:
    """Write so many gaming days until the last one into a new log; return what it took, and how long an act took."""
    log, begun = open_log(data), time.perf_counter()
    first = last - timedelta(days=days - 1)
    office = _BulkOffice(log)
    hall = _Days(office, _hall(first, tables), fills, random.Random(days))
    _open_accounts(log, office.at, hall.hall.people)
    tell_story(office, hall.hall.preparation())
    for number in range(days):
        tell_story(office, hall.gaming_day(number))
        if number % _PRINTED == 0:
            print(f"  day {number + 1} of {days}, {time.perf_counter() - begun:,.0f} s", flush=True)
    tell_story(office, hall.close_day(last))
    office.entries.keep(office.state)
    head = log.head()
    assert head is not None
    log.close()
    of_last_day = office.taken[-len(office.taken) // days :]
    return {
        "entries": head.sequence,
        "office": office.entries.count,
        "seconds": time.perf_counter() - begun,
        "act": median(of_last_day),
    }


def _open_accounts(log: Log, at: str, people: Mapping[str, str]) -> None:
    """Open an account for everybody who works here, by which papers call them."""
    log.append(
        [
            Draft(
                stream=STREAM,
                expected=number,
                at=at,
                actor=THE_HOUSE.account,
                role=THE_HOUSE.role,
                id=f"account {who}",
                command=Raw(json.encode(CreateAccount(account=who, name=who.title(), roles=(post,)))),
                events=Raw(json.encode([AccountCreated(who, who.title(), (post,), is_guest=False)])),
            )
            for number, (who, post) in enumerate(people.items())
        ]
    )


class _BulkOffice(LoggedDay):
    """An office whose acts are written many at a time; it knows how long each took to be decided."""

    def __init__(self, log: Log) -> None:
        super().__init__(log)
        self.entries = OfficeLog(log, OFFICE)
        self.taken: list[float] = []

    @property
    def around(self) -> Surroundings:
        return msgspec.structs.replace(super().around, has_form=lambda _code: True)

    def append(self, draft: Draft) -> None:
        self.entries.write(draft)

    def codes_of(self, numbers: Iterable[str]) -> list[str]:
        return [str(FormCode(1, NO_HASH, number)) for number in numbers]

    def send(self, command: c.ActCommand, by: Actor, signed_by: str = "") -> Iterator[str]:
        begun = time.perf_counter()
        found = list(super().send(command, by, signed_by))
        self.taken.append(time.perf_counter() - begun)
        yield from found


class _Days:
    """The gaming days of a hall."""

    def __init__(self, office: _BulkOffice, hall: Hall, fills: int, chance: random.Random) -> None:
        self.office, self.hall, self.fills, self.chance = office, hall, fills, chance
        self.trays = [dict(_TRAY) for _ in hall.tables]

    def gaming_day(self, number: int) -> Iterator[str | c.NoteCash]:
        """A day from the receipt of its dice to their destruction."""
        day, tables = self.hall.day + timedelta(days=number), range(len(self.hall.tables))
        dice = {shift: _dice(number, shift, len(self.hall.tables)) for shift in SHIFTS}
        every_die = [die for shift in SHIFTS for cup in dice[shift] for die in cup]
        yield f"at {day} {_BEGINS[0]}"
        yield f'cus receive_dice {" ".join(every_die)} {{vendor = "paulson"}}'
        yield from self.hall.fill_cabinet(every_die)
        for place, shift in enumerate(SHIFTS):
            calendar_day = day + timedelta(days=place == len(SHIFTS) - 1)  # the last shift goes on after midnight
            yield f"at {day} {_BEGINS[place]}"
            yield from self._begin_shift(shift, dice[shift])
            yield f"at {calendar_day} {_DURING[place]}"
            if place == 0 and number:
                yield from self.close_day(day - timedelta(days=1))
            yield from self._serve_tables(shift)
            yield f"at {calendar_day} {_ENDS[place]}"
            for table in tables:
                if (shift, table) == _EARLY:
                    yield f"at {calendar_day} 21:40"
                yield from self._end_shift(number, place, table, dice[shift][table])
                yield f"at {calendar_day} {_ENDS[place]}"
            yield f"look {' '.join(self.hall.tables)}"
            yield from self.hall.end_shift(shift)
        night = day + timedelta(days=1)
        yield f"at {night} 05:02"
        yield from self._count_boxes(number)
        yield f"at {night} 05:50"
        yield from self._end_day(number, day, every_die)

    def close_day(self, day: date) -> Iterator[str]:
        """Close the books of a gaming day on the morning after it."""
        yield f"at {day + timedelta(days=1)} {_DURING[0]}"
        for incident in self._open_incidents():
            yield f'sid investigate_incident {incident} {{finding = "the recordings show nothing else"}}'
        yield f"abe close_gaming_day {day} signed by ada as second"

    def _begin_shift(self, shift: str, dice: list[list[str]]) -> Iterator[str]:
        yield from self.hall.begin_shift(shift)
        for place, cup in enumerate(dice):
            yield from self.hall.set_crew(shift, place)
            if shift == SHIFTS[0]:
                yield from self.hall.open_table(place, cup, self.trays[place])
            else:
                yield from self.hall.offer_dice(shift, place, cup)

    def _serve_tables(self, shift: str) -> Iterator[str]:
        """Fills, every fourth of them a credit, a void one, and patrons at the cage."""
        for number in range(self.fills // len(SHIFTS)):
            place = self.chance.randrange(len(self.trays))
            tray = self.trays[place]
            if number % 4 == 3 and all(tray[unit] > count for unit, count in _FILL.items()):
                yield from self.hall.credit(shift, place, _FILL)
                yield f"cass sell_chips {{units = {toml_units(_FILL)}}}"
                sign = -1
            else:
                yield from self.hall.fill(shift, place, _FILL)
                yield f"cass redeem_chips {{units = {toml_units(_FILL)}}}"
                sign = 1
            for unit, count in _FILL.items():
                tray[unit] += sign * count
        supervisor, witness = self.hall.supervisors[shift][0], self.hall.crew(shift, 0)[0]
        yield f'{supervisor} request_fill {{table = "{next(iter(self.hall.tables))}", units = {{500 = 60}}}}'
        yield f'{supervisor} void_fill LAST-F {{reason = "the table had enough"}} signed by {witness} as witness'
        yield 'cass sell_chips {units = {10000 = 45}, patron = "rex"}'
        yield "cass redeem_chips {units = {10000 = 45}} signed by carl as unnamed"

    def _end_shift(self, number: int, place: int, table: int, dice: list[str]) -> Iterator[str]:
        shift, name, tray = SHIFTS[place], list(self.hall.tables)[table], self.trays[table]
        box = self.hall.crew(shift, table)[0]
        for unit, begun in _TRAY.items():
            tray[unit] = begun + self.chance.randrange(-20, 20)
        chips, act = f"chips = {toml_units(tray)}", "count_closer" if place == len(SHIFTS) - 1 else "count_shift"
        line = f'{box} {act} {name} {{{chips}, shift = "{shift}", in_drop_box = true}}'
        yield from counted_again(line, f"{{{chips}}}", (self.hall.supervisors[shift][0], "second"))
        yield from self.hall.drop(shift, table, self._box(number, place, name), self._box(number, place + 1, name))
        yield f'{box} remove_dice {" ".join(dice)} {{reason = "retired"}}'
        if place == len(SHIFTS) - 1:
            yield from self.hall.collect_tips(shift, table, "AB"[number % 2], "BA"[number % 2])

    def _box(self, number: int, place: int, table: str) -> str:
        return self.hall.box(table, _LETTERS[(len(SHIFTS) * number + place) % len(_LETTERS)])

    def _count_boxes(self, number: int) -> Iterator[str]:
        boxes = [self._box(number, place, table) for place in range(len(SHIFTS)) for table in self.hall.tables]
        yield from self.hall.begin_count(boxes)
        for box in boxes:
            notes = {"500": 30, "2000": self.chance.randrange(90, 160), "10000": self.chance.randrange(2, 30)}
            yield from self.hall.count_box(box, notes, 250)
        yield "cass return_key K-1 signed by nia as holder"

    def _end_day(self, number: int, day: date, dice: list[str]) -> Iterator[str | c.NoteCash]:
        """Tips, dice, the cage, the reserve, what a patron brought in cash, and counts of every month."""
        yield from self.hall.share_tips("AB"[number % 2], 9_600_00)
        yield f"cus destroy_dice {' '.join(dice)} signed by sid as witness"
        units = f"units = {toml_units(self._chips('cage'))}"
        yield from counted_again(f"cass count_cage {{{units}}}", f"{{{units}}}", ("carl", "second"))
        yield c.NoteCash(patron="patron/rex", day=day.isoformat(), cents_in=13_500_00, cents_out=1_200_00)
        yield f'cora file_cash_report {day}.patron-rex {{report = "NEW"}}'
        if number % (_MONTH - 5) == 0:
            units = f"units = {toml_units(self._chips('reserve'))}"
            yield from counted_again(f"abe reconcile_reserve {{{units}}}", f"{{{units}}}", ("carl", "second"))
            there = json.encode(sorted(self._dice_there())).decode()
            yield f"ada count_dice {{dice = {there}}}"
        yield "look"

    def _chips(self, place: str) -> dict[str, int]:
        return dict(self.office.state.stocks["chips"][place])

    def _dice_there(self) -> Iterator[str]:
        for key, thing in self.office.state.things.items():
            if key.startswith("die/") and thing.state in _INVENTORY:
                yield key.removeprefix("die/")

    def _open_incidents(self) -> list[str]:
        things = self.office.state.things
        return [
            key.partition("/")[2]
            for key, thing in things.items()
            if key.startswith("incident/") and thing.state == "open"
        ]


def _hall(first: date, tables: int) -> Hall:
    """So many tables in pits of about ten, two at least, with people of their own in every shift."""
    count = max(2, tables // _PIT)
    pits = {f"craps-{number + 1}": f"pit-{number * count // tables + 1}" for number in range(tables)}
    others = range(3, count + 1)
    supervisors = {"day": ["sam", "flo"], "swing": ["sia", "fay"], "grave": ["sara", "fred"]}
    crews = [
        f"box_{{0}}_{number} stick_{{0}}_{number} deal_{{0}}_{number} base_{{0}}_{number}" for number in range(tables)
    ]
    return Hall(
        first,
        pits,
        {shift: [*two, *(f"super_{shift}_{number}" for number in others)] for shift, two in supervisors.items()},
        {shift: [crew.format(shift) for crew in crews] for shift in SHIFTS},
        _TRAY,
        dice=[f"SPARE{number}" for number in range(1, _CUP + 1)],
    )


def _dice(number: int, shift: str, tables: int) -> list[list[str]]:
    """The dice of each table in a shift."""
    series = f"{shift[0].upper()}{number:03}"
    return [[f"{series}{place * _CUP + die:04}" for die in range(_CUP)] for place in range(tables)]
