"""A house with four tables in two pits, two games and three shifts: one gaming day of it in a log, act by act."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from msgspec import json

from passline.acts import commands as c
from passline.acts.state import ActState
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE
from tests.office.day_file import DayFailed
from tests.office.logged_day import LoggedDay

DAY = date(2026, 3, 2)
"""The gaming day."""
TABLES = {"C1": ("pit-1", "capstan"), "C2": ("pit-1", "capstan"), "C3": ("pit-2", "capstan"), "M1": ("pit-2", "ferry")}
"""The tables, each with its pit and the house that it is dealt by."""
SHIFTS = (("day", "2026-03-02 06:30"), ("swing", "2026-03-02 14:10"), ("grave", "2026-03-02 22:10"))
_PLACES = {
    "section2": 'zone="America/New_York" subdivision="NJ"',
    "maryland": 'zone="America/New_York" subdivision="MD"',
    "colorado": 'zone="America/Denver" subdivision="CO"',
}
_BODIES = {"maryland": "Commission", "colorado": "Director"}  # who approves a house, where somebody does
_SUBMITTED = {"maryland": 'rules_submission = "@rules_submission"', "colorado": 'house_rules = "@house_rules"'}
_ENDS = ("2026-03-02 14:00", "2026-03-02 22:00", "2026-03-03 04:30")
_PEOPLE = (
    "olga=owner cora=compliance abe=accountant ada=auditor cass=cashier carl=cashier cus=custodian ned=counter "
    "nia=counter noor=counter flo=floorperson fay=floorperson fred=floorperson sam=supervisor bob=boxperson "
    "bea=boxperson dan=dealer dora=dealer dev=dealer sid=surveillance"
)
_TRAY = {"100": 200, "500": 400, "2500": 300, "10000": 100}


def log_busy_day(log: Log, office: str = "section2") -> ActState:
    """Write the gaming day into a log; return the office at its end."""
    return log_story(log, _story(office))


def log_story(log: Log, story: Iterable[str | c.NoteCash]) -> ActState:
    """Write what a story tells into a log, none of it refused; return the office at its end.

    LAST-F stands for the newest number of that series, THIS-ACT for that of the newest act, NEW for a document that no
    act has named, SCANNED for the codes of the slips that belong in a box. Several people sign as in `signed by ned as
    viewer, sid as witness`.
    """
    day = LoggedDay(log)
    tell_story(day, story)
    return day.state


def tell_story(day: LoggedDay, story: Iterable[str | c.NoteCash]) -> None:
    """Do what a story tells, as `log_story` explains it; none of it may be refused."""
    for step in story:
        if not isinstance(step, str):
            list(day.send(step, THE_HOUSE))
            continue
        line = re.sub(r"LAST-(\w)", lambda series: _newest(day.state, series[1]), step)
        line = line.replace("THIS-ACT", str(day.state.acts))
        while "NEW" in line:
            day.documents += 1
            line = line.replace("NEW", f"{day.documents:08x}{'f' * 56}", 1)
        if box := re.search(r"match_slips (\S+)", line):
            known = day.state.thing("drop_box", box[1])
            assert known is not None
            codes = day.codes_of(known.facts.get("slips", ()))
            line = line.replace("SCANNED", json.encode(codes).decode())
        said, signed, signers = line.partition(" signed by ")
        first, *others = signers.split(", ")
        for part in (f"{said}{signed}{first}", *(f"sign by {other}" for other in others)):
            found = [result for result in day.do(part) if result.startswith("refused")]
            if found and not part.startswith("look"):  # nothing has changed since the last look
                raise DayFailed(f"{day.at}: {part}: {found}")
        if line.startswith("office "):
            day.keep()


def _newest(state: ActState, series: str) -> str:
    return f"I-{state.incidents}" if series == "I" else f"{series}-{state.numbers[series]:06}"


def _story(office: str) -> Iterator[str | c.NoteCash]:
    yield f"office {office}"
    yield f'facility name="Harbour Lights" {_PLACES[office]} areas=["pit-1", "pit-2"]'
    yield f"people {_PEOPLE} rita=regulator"
    yield "at 2026-03-01 09:00"
    yield "house capstan {wager_cents_min = 500}"
    mini = "" if office == "colorado" else 'game = "mini_craps"'
    yield f"house ferry {{{mini}}}"
    yield from (f"body rita {_BODIES[office]}",) if office in _BODIES else ()
    yield "value count_team_min = 3"
    yield "value cash_report = 1000000"
    yield 'value cash_report_within = {count = 15, unit = "days"}'
    for house in ("capstan", "ferry"):
        yield f'cora draft_house {house} {{file = "@{house}"}}'
        if office in _BODIES:
            yield f"cora submit_house {house} {{{_SUBMITTED[office]}}}"
            yield f"rita approve_house {house}"
        yield f"olga put_in_force {house}"
    for name in _PEOPLE.split():
        who, _, post = name.partition("=")
        yield f'cora enter_employee {who} {{post = "{post}", licence = "L-{len(who)}{ord(who[0])}{ord(who[-1])}"}}'
    yield 'cora enter_patron rex {name = "Rex Harlow", identification = "driving licence, NJ"}'
    units = toml_units({unit: count * 10 for unit, count in _TRAY.items()})
    yield f'cass receive_chips {{units = {units}, delivery = "note 71"}} signed by abe as witness'
    yield f"cass issue_chips {{units = {units}}} signed by abe as witness"
    yield "cora enter_counting_machine JET-1"
    yield 'cora enter_key K-1 {opens = "drop boxes: contents"}'
    yield 'cora enter_key K-2 {opens = "drop boxes: release"}'
    for table, (pit, house) in TABLES.items():
        is_mini = house == "ferry" and bool(mini)
        length = "" if office == "section2" else "mini_length = 114" if is_mini else "length = 168"
        number = 'number_on = "top surface"' if office == "colorado" else ""
        fields = (f'area = "{pit}"', "mini = true" if is_mini else "", length, number)
        yield f"cora register_table {table} {{{', '.join(filter(None, fields))}}}"
        yield f'cora assign_house {table} {{house = "{house}"}}'
        for letter in "ABCD":
            yield f"cora enter_drop_box {table}-{letter}"
        yield f'flo attach_drop_box {table} {{drop_box = "{table}-A"}}'
        yield f"cora enter_tip_box T-{table}"
        yield f'flo attach_tip_box {table} {{tip_box = "T-{table}"}}'
        yield from _fill(table, _TRAY)
    yield from _gaming_day()
    yield "at 2026-03-03 10:00"
    yield "abe close_gaming_day 2026-03-02 signed by ada as second"


def toml_units(units: Mapping[str, int]) -> str:
    """Units by denomination as a line has them."""
    return "{" + ", ".join(f"{unit} = {count}" for unit, count in units.items()) + "}"


def _fill(table: str, units: dict[str, int]) -> Iterator[str]:
    slip = "LAST-F"
    yield f'flo request_fill {{table = "{table}", units = {toml_units(units)}}}'
    yield f"cass prepare_fill {slip}"
    yield f"fay carry_fill {slip}"
    yield f"dan accept_fill {slip}"


def _credit(table: str, units: dict[str, int]) -> Iterator[str]:
    slip = "LAST-C"
    yield f'fay request_credit {{table = "{table}", units = {toml_units(units)}}}'
    yield f"dev prepare_credit {slip}"
    yield f"flo carry_credit {slip}"
    yield f"carl accept_credit {slip}"


def counted_again(text: str, fields: str, *signers: tuple[str, str]) -> Iterator[str]:
    """A count, and those who count again with the same figures."""
    yield text
    for who, part in signers:
        yield f"sign by {who} as {part} {fields}"


def _gaming_day() -> Iterator[str | c.NoteCash]:
    trays = {table: dict(_TRAY) for table in TABLES}
    for number, (shift, begins) in enumerate(SHIFTS):
        yield f"at {begins}"
        for table in TABLES if number == 0 else ():
            chips = f"chips = {toml_units(trays[table])}"
            yield from counted_again(
                f'dan count_opener {table} {{{chips}, shift = "{shift}"}}', f"{{{chips}}}", ("bob", "second")
            )
        yield from _during(number, trays)
        yield f"at {_ENDS[number]}"
        yield 'cass issue_key K-2 {purpose = "the drop"} signed by ned as holder'
        for place, table in enumerate(TABLES):
            trays[table]["2500"] += 7 * (place - 1) - 3 * number
            trays[table]["500"] -= 11 + place
            chips, act = (
                f"chips = {toml_units(trays[table])}",
                "count_closer" if number == len(SHIFTS) - 1 else "count_shift",
            )
            yield from counted_again(
                f'dan {act} {table} {{{chips}, shift = "{shift}"}}', f"{{{chips}}}", ("bea", "second")
            )
            taken, put_on = (f"{table}-{letter}" for letter in "ABCD"[number : number + 2])
            boxes = f'dropped = "{taken}", drop_box = "{put_on}"'
            yield f'ned drop_table {table} {{shift = "{shift}", {boxes}}} signed by fred as viewer'
        yield "cass return_key K-2 signed by ned as holder"
    yield from _soft_count()


def _during(number: int, trays: dict[str, dict[str, int]]) -> Iterator[str | c.NoteCash]:
    table = list(TABLES)[number]
    yield from _fill(table, {"500": 100, "2500": 40})
    trays[table]["500"] += 100
    trays[table]["2500"] += 40
    yield from _fill("M1", {"100": 100})
    trays["M1"]["100"] += 100
    yield from _credit("C3", {"10000": 10})
    trays["C3"]["10000"] -= 10
    yield 'cass sell_chips {units = {10000 = 45}, patron = "rex"}'
    if number == 0:
        slip = "LAST-F"
        yield 'flo request_fill {table = "C2", units = {500 = 60}}'
        yield f'flo void_fill {slip} {{reason = "the table had enough by then"}} signed by cass as witness'
    elif number == 1:
        yield 'cass redeem_chips {units = {10000 = 12}, patron = "rex"}'
    else:
        yield c.NoteCash(patron="patron/rex", day=DAY.isoformat(), cents_in=13_500_00, cents_out=1_200_00)


def _soft_count() -> Iterator[str]:
    yield "at 2026-03-03 05:00"
    boxes = ", ".join(f'"{table}-{letter}"' for letter in "ABC" for table in TABLES)
    yield f'ned take_boxes {{boxes = [{boxes}], bound_for = "the count room"}} signed by nia as escort'
    yield "ned receive_boxes LAST-B {all_there = true} signed by nia as bearer"
    yield "ned test_counting_machine JET-1 {put_in = {2000 = 50}, read_right = true} signed by nia as second"
    yield 'cass issue_key K-1 {purpose = "the soft count"} signed by nia as holder'
    for number, box in enumerate(f"{table}-{letter}" for letter in "ABC" for table in TABLES):
        yield f"ned match_slips {box} {{found = SCANNED}} signed by nia as second"
        found = f"cash = {{2000 = {30 + 3 * number}, 10000 = {12 + number}}}, tickets = {250 * number}"
        yield from counted_again(
            f'ned count_box {box} {{{found}, team = ["ned", "nia", "noor"]}}',
            f"{{{found}}}",
            ("nia", "second"),
            ("cass", "cage"),
        )
    yield "cass return_key K-1 signed by nia as holder"
    yield "at 2026-03-03 05:30"
    boxes = ", ".join(f'"T-{table}"' for table in TABLES)
    for table in TABLES:
        yield f'dan collect_tips {table} {{collected = "T-{table}"}} signed by bob as witness'
    pool, shares = "LAST-P", "dan = 13734, dora = 13733, dev = 13733"
    tips = "total = 41200, chips = {500 = 50}"
    yield from counted_again(f"cass count_tips {{boxes = [{boxes}], {tips}}}", f"{{{tips}}}", ("dan", "witness"))
    yield f"cass distribute_tips {pool} {{shares = {{{shares}}}}} signed by dan as witness"
    chips = "units = {100 = 5000}"
    yield from counted_again(f"cass count_cage {{{chips}}}", f"{{{chips}}}", ("carl", "second"))
    yield 'fred investigate_incident I-1 {finding = "a fill was being made up while the cage was counted"}'
