"""A busy house in Arizona: four tables in two pits, three shifts, and a gaming day on which nearly everything happens.

Slips of every kind, one returned and one void, openers, counts and closers, drops, one of them late, an emergency drop,
counts with a difference and a correction, tips, dice tested, removed and destroyed, keys, cash above the figure of a
report, facts that are told late, incidents with findings, and matters that stay open.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from passline.acts import commands as c
from passline.acts.state import ActState
from passline.store.sealed import Log
from tests.office.arizona_hall import SHIFTS, Hall
from tests.office.busy_house import counted_again, log_story, toml_units

DAY = date(2026, 3, 3)
"""The gaming day."""
TABLES = {"craps-1": "pit-1", "craps-2": "pit-1", "craps-3": "pit-2", "craps-4": "pit-2"}
"""The tables, each with its pit."""
_BEGINS = ("2026-03-03 06:20", "2026-03-03 14:10", "2026-03-03 22:10")
_ENDS = ("2026-03-03 14:00", "2026-03-03 22:00", "2026-03-04 04:10")
_TRAY = {"100": 200, "500": 400, "2500": 300, "10000": 100}
_CREWS = {  # by shift, for each table: boxperson, stickperson, two dealers
    "day": ("bob stu dan dora", "bea sal dev dina", "bao sol dag dee", "bix syd dirk dot"),
    "swing": ("ben sky desi dov", "bess sven dru duke", "bill stan deb dom", "bonnie saul dolly dean"),
    "grave": ("bruno shay della drew", "birgit seth doug dora2", "boris sid2 dale daisy", "beth sue2 dex diane"),
}
_SUPERVISORS = {"day": ("sam", "flo"), "swing": ("sia", "fay"), "grave": ("sara", "fred")}
_HALL = Hall(DAY, TABLES, _SUPERVISORS, _CREWS, _TRAY, dice=[f"A{die:02}" for die in range(1, 31)])
_FINDING = (
    "the recording shows the spill and both boxes being changed at once; nobody reached into either. The first box "
    "went to the count room under escort, unopened, and its seal was photographed. The second will be counted with the "
    "boxes of the shift."
)


def log_busy_arizona(log: Log) -> ActState:
    """Write the gaming day and what came before it into a log; return the office at its end."""
    return log_story(log, _story())


def _dice(table: str) -> list[str]:
    number = list(TABLES).index(table)
    return [f"A{number * 5 + die:02}" for die in range(1, 6)]


def _dice_at(table: str, shift: str) -> list[str]:
    """The dice of a table: in the grave shift another has taken the place of a worn one."""
    return ["A21" if die == "A03" and shift == "grave" else die for die in _dice(table)]


def _story() -> Iterator[str | c.NoteCash]:
    yield from _HALL.preparation()
    yield from _gaming_day()


def _gaming_day() -> Iterator[str | c.NoteCash]:
    trays = {table: dict(_TRAY) for table in TABLES}
    yield f"at {_BEGINS[0]}"
    yield from _HALL.fill_cabinet([*(die for table in TABLES for die in _dice(table)), "A21"])
    yield f"sam set_par_level craps-1 {{par = {toml_units(_TRAY)}}}"
    for number, shift in enumerate(SHIFTS):
        yield f"at {_BEGINS[number]}"
        yield from _begin_shift(shift, trays)
        yield from _during(shift, trays)
        yield f"at {_ENDS[number]}"
        yield from _end_shift(number, shift, trays)
    yield from _count_room()
    yield from _after()


def _begin_shift(shift: str, trays: dict[str, dict[str, int]]) -> Iterator[str]:
    yield from _HALL.begin_shift(shift)
    for place, table in enumerate(TABLES):
        yield from _HALL.set_crew(shift, place)
        if shift == "day":
            yield from _HALL.open_table(place, _dice(table), trays[table])
        else:
            box, stick, *_ = _HALL.crew(shift, place)
            yield f'{box} relieve_attendant {" ".join(_dice_at(table, shift))} {{attendant = "{stick}"}}'
    yield f"look {' '.join(TABLES)}"


def _during(shift: str, trays: dict[str, dict[str, int]]) -> Iterator[str]:
    names = list(TABLES)
    number = SHIFTS.index(shift)
    floor = _SUPERVISORS[shift][1]
    for place in (number, number + 1):
        yield from _HALL.fill(shift, place, {"500": 100, "2500": 40})
        trays[names[place]]["500"] += 100
        trays[names[place]]["2500"] += 40
    yield from _HALL.credit(shift, 3, {"10000": 10})
    trays["craps-4"]["10000"] -= 10
    yield 'cass sell_chips {units = {10000 = 45}, patron = "rex"}'
    match shift:
        case "day":
            yield 'sam request_fill {table = "craps-2", units = {500 = 60}}'
            why = "the table had enough when the cage was asked"
            yield f'sam void_fill LAST-F {{reason = "{why}"}} signed by bea as witness'
            yield "at 2026-03-03 09:40"
            yield f'{floor} log_buy_in {{table = "craps-3", amount = 250000, patron = "otis"}}'
            yield "cass redeem_chips {units = {2500 = 60, 10000 = 4}} occurred 2026-03-03 09:10"
            about = "whether a come wager lay there before the dice were out"
            yield f'dan raise_dispute {{table = "craps-1", about = "{about}"}}'
            yield 'sam decide_dispute LAST-D {decision = "the recording shows that it did: the wager stands"}'
            yield "cass issue_chips {units = {2500 = 400}} signed by abe as witness"
            yield 'sue observe_gaming {finding = "two tables were watched for half an hour: nothing to object to"}'
        case "swing":
            yield 'sia request_fill {table = "craps-4", units = {10000 = 20}}'
            yield "cass prepare_fill LAST-F"
            why = "the player had left before the chips were on their way"
            yield f'cass return_fill LAST-F {{reason = "{why}"}} signed by fay as witness'
            yield "at 2026-03-03 17:20"
            yield 'sky report_sign A03 {sign = "a corner is worn"}'
            yield 'ben remove_dice A03 {reason = "other defect"}'
            yield from _HALL.test_dice("craps-1", ["A21"], "sia", ("desi", "ben"))
            yield 'sia place_dice A21 {table = "craps-1", in_cup = true, attendant = "sky"}'
            told = f'shift = "swing", dropped = "{_HALL.box("craps-3", "B")}", drop_box = "EMERGENCY-1"'
            told += ', reason = "a cup of coffee was spilled into the slot", people = ["ned", "fay"]'
            told += ', when = "2026-03-04T00:20:00.000000Z", marks = ["table number", "game", "shift"]'
            yield f"ned emergency_drop craps-3 {{{told}}} signed by fay as viewer"
            yield "cora tell_emergency_drop craps-3"
        case _:
            yield "at 2026-03-04 01:30"
            yield 'cass redeem_chips {units = {10000 = 12}, patron = "rex"}'
            yield f'sid investigate_incident I-1 {{finding = "{_FINDING}"}}'
            yield 'sara bar_patron otis {reason = "threatened a dealer", by_whom = "house", list = "of the house"}'


def _end_shift(number: int, shift: str, trays: dict[str, dict[str, int]]) -> Iterator[str]:
    supervisor = _SUPERVISORS[shift][0]
    is_last = number == len(SHIFTS) - 1
    yield 'cass issue_key K-2 {purpose = "the drop"} signed by ned as holder'
    for place, table in enumerate(TABLES):
        box = _HALL.crew(shift, place)[0]
        trays[table]["2500"] -= 70 + 7 * place - 3 * number
        trays[table]["500"] -= 61 + place
        chips = f"chips = {toml_units(trays[table])}"
        act = "count_closer" if is_last else "count_shift"
        line = f'{box} {act} {table} {{{chips}, shift = "{shift}", in_drop_box = true}}'
        yield from counted_again(line, f"{{{chips}}}", (supervisor, "second"))
        if is_last and table == "craps-1":
            trays[table]["10000"] += 18
            right = f"chips = {toml_units(trays[table])}"
            why = "the black chips were keyed as 100 and were 118"
            line = f'{box} correct_count_closer {table} {{corrects = THIS-ACT, reason = "{why}", {right}}}'
            yield from counted_again(line, f"{{{right}}}", (supervisor, "second"))
        if (shift, table) == ("swing", "craps-3"):
            taken, put_on = "EMERGENCY-1", _HALL.box(table, "C")
        else:
            taken, put_on = (_HALL.box(table, letter) for letter in "ABCDE"[number : number + 2])
        if (shift, table) == ("swing", "craps-4"):
            yield "at 2026-03-03 22:50"
        yield from _HALL.drop(shift, place, taken, put_on)
        if is_last:
            yield from _HALL.collect_tips(shift, place, "A", "B")
            yield f'{box} remove_dice {" ".join(_dice_at(table, shift))} {{reason = "retired"}}'
    yield "cass return_key K-2 signed by ned as holder"
    if not is_last:
        yield from _HALL.end_shift(shift)


def _count_room() -> Iterator[str]:
    yield "at 2026-03-04 05:02"
    boxes = [_HALL.box(table, letter) for letter in "ABC" for table in TABLES]
    yield from _HALL.begin_count(boxes)
    for number, box in enumerate((*boxes, "EMERGENCY-1")):
        notes = {"100": 12 + number, "500": 30, "2000": 133 + 3 * number, "10000": 2 + number}
        yield from _HALL.count_box(box, notes, 250 * number)
        if box == "BOX-2A":
            right = f"cash = {toml_units({**notes, '2000': 116})}, tickets = 250"
            why = "a bundle of twenties was entered twice: the machine had stopped and was fed again"
            line = f'ned correct_count {box} {{corrects = THIS-ACT, reason = "{why}", {right}}}'
            yield from counted_again(line, f"{{{right}}}", ("nia", "second"), ("cass", "cage"))
    yield "cass return_key K-1 signed by nia as holder"


def _after() -> Iterator[str | c.NoteCash]:
    """What is left at the end of the day: tips, dice, the cage, cash, and a fill that is under way."""
    yield "at 2026-03-04 05:50"
    yield from _HALL.share_tips("A", 412_00)
    dice = " ".join(die for table in TABLES for die in _dice(table))
    yield f"cus destroy_dice {dice} A21 signed by sid as witness"
    cage = "units = {100 = 1600, 500 = 3000}"
    yield from counted_again(f"cass count_cage {{{cage}}}", f"{{{cage}}}", ("carl", "second"))
    reserve = toml_units({**{unit: count * 8 for unit, count in _TRAY.items()}, "2500": _TRAY["2500"] * 8 - 400})
    yield from counted_again(
        f"abe reconcile_reserve {{units = {reserve}}}", f"{{units = {reserve}}}", ("carl", "second")
    )
    yield c.NoteCash(patron="patron/rex", day=DAY.isoformat(), cents_in=13_500_00, cents_out=1_200_00)
    yield 'sara request_fill {table = "craps-1", units = {500 = 100}}'
