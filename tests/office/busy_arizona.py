"""A busy house in Arizona: four tables in two pits, three shifts, and a gaming day on which nearly everything happens.

Slips of every kind, one returned and one void, openers, counts and closers, drops, one of them late, an emergency drop,
counts with a difference and a correction, tips, dice tested, removed and destroyed, keys, cash above the figure of a
report, facts that are told late, incidents with findings, and matters that stay open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import takewhile

from passline.acts import commands as c
from passline.acts.state import ActState
from passline.store.sealed import Log
from tests.office.busy_house import counted_again, log_story, toml_units

DAY = date(2026, 3, 3)
"""The gaming day."""
TABLES = {"craps-1": "pit-1", "craps-2": "pit-1", "craps-3": "pit-2", "craps-4": "pit-2"}
"""The tables, each with its pit."""
_SHIFTS = ("day", "swing", "grave")
_BEGINS = ("2026-03-03 06:20", "2026-03-03 14:10", "2026-03-03 22:10")
_ENDS = ("2026-03-03 14:00", "2026-03-03 22:00", "2026-03-04 04:10")
_TRAY = {"100": 200, "500": 400, "2500": 300, "10000": 100}
_CREWS = {  # by shift, for each table: boxperson, stickperson, two dealers
    "day": ("bob stu dan dora", "bea sal dev dina", "bao sol dag dee", "bix syd dirk dot"),
    "swing": ("ben sky desi dov", "bess sven dru duke", "bill stan deb dom", "bonnie saul dolly dean"),
    "grave": ("bruno shay della drew", "birgit seth doug dora2", "boris sid2 dale daisy", "beth sue2 dex diane"),
}
_SUPERVISORS = {"day": ("sam", "flo"), "swing": ("sia", "fay"), "grave": ("sara", "fred")}
_POSTS = ("boxperson", "stickperson", "dealer", "dealer")
_OFFICE = (
    "olga=owner cora=compliance abe=accountant ada=auditor cass=cashier carl=cashier cus=custodian ned=counter "
    "nia=counter noor=counter sid=surveillance tom=regulator sue=regulator"
)
_CUP = 5  # dice
_SEEN = "layout shape walls drop paddle tip_box name areas odds box"
_BOX_SEEN = "metal contents_lock table_lock opening number marks"
_CHIP_SEEN = "no_coin statutes issuer value_on_both_sides told_apart_in_a_stack"
_COLOURS = {"100": "white", "500": "red", "2500": "green", "10000": "black"}
_DIE_SEEN = (
    "name serial cube spots white diameter one_six two_five three_four drilled fill bond depth flat flush square "
    "texture balance"
)
_DUTIES = (
    'directs = true, oversees = true, resolves = true, schedules = true, knows = ["the play of every authorized craps '
    'game", "the regulations of craps"]'
)
_VALUES = (
    "table_limit = 4",
    'installation_notice = {count = 24, unit = "hours"}',
    'at_once = {count = 30, unit = "minutes"}',
    'promptly = {count = 2, unit = "business_days"}',
    'dice_retirement = {count = 48, unit = "hours"}',
    'dice_cancellation = "a hole is drilled through each die"',
    'copy_of_drop_times = {count = 5, unit = "business_days"}',
    'seals_verification = {count = 5, unit = "business_days"}',
    "count_team_min = 3",
    "cash_report = 1000000",
    'cash_report_within = {count = 15, unit = "days"}',
)
_FINDING = (
    "the recording shows the spill and both boxes being changed at once; nobody reached into either. The first box "
    "went to the count room under escort, unopened, and its seal was photographed. The second will be counted with the "
    "boxes of the shift."
)
_DROP_TIMES = 'drop_times = ["13:45-14:30", "21:45-22:30", "04:00-04:45"], count_times = ["05:00-05:55"]'


def log_busy_arizona(log: Log) -> ActState:
    """Write the gaming day and what came before it into a log; return the office at its end."""
    return log_story(log, "arizona", _story())


def _all(items: str) -> str:
    """A checklist on which everything was seen."""
    return "{" + ", ".join(f"{item} = true" for item in items.split()) + "}"


def _crew(shift: str, place: int) -> list[str]:
    return _CREWS[shift][place].split()


def _people() -> dict[str, str]:
    """Everybody's post, by account."""
    found = dict(person.split("=") for person in _OFFICE.split())
    for shift, crews in _CREWS.items():
        supervisor, floor = _SUPERVISORS[shift]
        found |= {supervisor: "supervisor", floor: "floorperson"}
        for crew in crews:
            found |= dict(zip(crew.split(), _POSTS, strict=True))
    return found


def _dice(table: str) -> list[str]:
    number = list(TABLES).index(table)
    return [f"A{number * 5 + die:02}" for die in range(1, 6)]


def _dice_at(table: str, shift: str) -> list[str]:
    """The dice of a table: in the grave shift another has taken the place of a worn one."""
    return ["A21" if die == "A03" and shift == "grave" else die for die in _dice(table)]


def _story() -> Iterator[str | c.NoteCash]:
    yield "office arizona"
    yield 'facility name="Saguaro Hall" zone="America/Phoenix" subdivision="AZ" areas=["pit-1", "pit-2"]'
    yield "people " + " ".join(f"{who}={post}" for who, post in _people().items())
    yield "approval laboratory_report"
    yield "at 2026-02-23 09:00"
    yield "body tom TGO"
    yield "body sue SGA"
    yield from (f"value {value}" for value in _VALUES)
    yield from _hire()
    yield from _prepare_house()
    yield from _prepare_chips_and_boxes()
    yield from _prepare_tables()
    yield from _gaming_day()


def _hire() -> Iterator[str]:
    until = 'licence_until = "2026-12-31", certificate_until = "2026-12-31"'
    for number, (who, post) in enumerate(_people().items(), start=1):
        if post not in {"regulator", "owner"}:
            hired = f'{{post = "{post}", licence = "AZ-{4000 + number}", {until}}}'
            yield f"cora enter_employee {who} {hired} signed by olga as second"
    for pair in _SUPERVISORS.values():
        yield from (f"olga designate_supervisor {who} {{{_DUTIES}}}" for who in pair)
    yield f"cora enter_vendor paulson {{{until}}} signed by olga as second"
    yield 'cora acquire_equipment {what = "two micrometers and eight dice cups", vendor = "paulson"}'
    yield 'tom approve_dice_procedures {procedures = "NEW"}'
    yield "cus check_dice_store {seen = {secured = true, cameras = true, door = true, cabinet = true}}"
    yield f'cus receive_dice {" ".join(f"A{die:02}" for die in range(1, 31))} {{vendor = "paulson"}}'
    yield f"cora give_cabinet_access cus {' '.join(who for pair in _SUPERVISORS.values() for who in pair)}"


def _prepare_house() -> Iterator[str]:
    yield "house saguaro {wager_cents_min = 500}"
    yield 'cora draft_house saguaro {file = "@saguaro"}'
    described = ("equipment_spec", "chips_described", "dice_described", "tables_described", "layouts_described")
    papers = ", ".join(f'{paper} = "NEW"' for paper in (*described, "tests_described"))
    none = 'other_equipment = "none", no_progressive = true, no_betting_among_players = true, no_call_bets = true'
    yield f"cora add_to_package saguaro {{{papers}, {none}}}"
    yield "cora submit_house saguaro"
    yield 'tom tgo_approve_house saguaro {weighed = ["integrity", "fairness", "security"], decision = "NEW"}'
    yield "cora copy_house_to_sga saguaro"
    yield "sue sga_receive_house saguaro"
    yield "sue sga_approve_house saguaro"
    yield "olga put_in_force saguaro"
    laws = 'laws = ["Bank Secrecy Act", "USA Patriot Act"]'
    yield f'cora establish_currency_procedures {{procedures = "NEW", {laws}, copy_to_tgo = true}}'
    yield "tom approve_currency_procedures"
    yield "cora announce_training saguaro {sga_invited = true}"
    crew = [who for who, post in _people().items() if post in {*_POSTS, "supervisor", "floorperson"}]
    topics = 'topics = ["money management", "wagering", "detection of cheating"]'
    named = ", ".join(f'"{who}"' for who in crew)
    yield f'cora hold_training saguaro {{{topics}, employees = [{named}], tgo_staff = "Tom"}} signed by olga as second'
    yield "cora classify_craps {class = true, major_area = true}"
    yield 'ada begin_audit_year {from = "first day of play"}'


def _prepare_chips_and_boxes() -> Iterator[str]:
    for unit, colour in _COLOURS.items():
        yield f'cora specify_chip {unit} {{colour = "{colour}", seen = {_all(_CHIP_SEEN)}}}'
    yield f"tom tgo_approve_chip {' '.join(_COLOURS)}"
    yield "olga open_chip_reserve {seen = {secured = true, own_camera = true}}"
    units = toml_units({unit: count * 20 for unit, count in _TRAY.items()})
    yield f'cass receive_chips {{units = {units}, delivery = "note 71", vendor = "paulson"}} signed by abe as witness'
    units = toml_units({unit: count * 12 for unit, count in _TRAY.items()})
    yield f"cass issue_chips {{units = {units}}} signed by abe as witness"
    yield "cora enter_counting_machine JET-1"
    yield 'cora enter_key K-1 {opens = "drop boxes: the contents"}'
    yield 'cora enter_key K-2 {opens = "drop boxes: the release from the table"}'
    for table, pit in TABLES.items():
        yield f'cora register_table {table} {{area = "{pit}"}}'
        yield f'cora acquire_table {table} {{vendor = "paulson"}}'
        for letter in "ABCDE":
            yield f'cora enter_drop_box {_box(table, letter)} {{number = "{table}"}}'
            yield f"flo check_drop_box {_box(table, letter)} {{seen = {_all(_BOX_SEEN)}}}"
        yield from (f"cora enter_tip_box TIP-{table[-1]}{letter}" for letter in "AB")
    yield "cora enter_emergency_box EMERGENCY-1 {is_emergency = true}"
    yield 'tom approve_tip_procedures {covers = ["acceptance", "distribution"], taxed = true}'
    yield f"cora submit_drop_times {{{_DROP_TIMES}}}"
    yield f"tom approve_drop_times {{{_DROP_TIMES}}}"
    yield "tom copy_drop_times"
    yield 'cass enter_patron rex {name = "Rex Tully", identification = "Arizona driving licence D08 114 207"}'
    yield 'cass enter_patron otis {name = "Otis Yazzie", identification = "passport"}'


def _box(table: str, letter: str) -> str:
    return f"BOX-{table[-1]}{letter}"


def _prepare_tables() -> Iterator[str]:
    for table in TABLES:
        yield f'cora notify_installation {table} {{work = "install", notice = "NEW"}}'
        yield f"tom forward_notice {table}"
        yield f"sam install_table {table}"
    yield "at 2026-02-26 10:00"
    yield 'flo put_out_summaries saguaro {summary = "@summary", summary_places = "the doors and the cage"}'
    for number, table in enumerate(TABLES, start=1):
        yield f"tom approve_table {table} {{sga_absent = false}}"
        yield f'tom affix_tgo_seal {table} {{tgo_seal = "TG-{100 + number}"}}'
        yield f'sue sga_approve_table {table} {{sga_seal = "SG-{number}"}}'
        yield f'sid cover_table {table} {{cameras = "{10 + 2 * number} and {11 + 2 * number}"}}'
        yield f'cora assign_house {table} {{house = "saguaro"}}'
        yield f'flo post_table_rules {table} {{table_rules = "@table_rules", legible = true}}'
        yield f'flo post_limits {table} {{limits = "@limits"}}'
        yield f'sam attach_drop_box {table} {{drop_box = "{_box(table, "A")}"}}'
        yield f"sam check_table {table} {{seen = {_all(_SEEN)}}}"
        yield f'sam attach_tip_box {table} {{tip_box = "TIP-{number}A"}}'
        yield from _fill("day", number - 1, _TRAY)


def _fill(shift: str, place: int, units: Mapping[str, int]) -> Iterator[str]:
    supervisor, floor = _SUPERVISORS[shift]
    table, dealer = list(TABLES)[place], _crew(shift, place)[2]
    yield f'{supervisor} request_fill {{table = "{table}", units = {toml_units(units)}}}'
    yield "cass prepare_fill LAST-F"
    yield f"{floor} carry_fill LAST-F"
    yield f"{dealer} accept_fill LAST-F {{in_drop_box = true}}"


def _credit(shift: str, place: int, units: Mapping[str, int]) -> Iterator[str]:
    supervisor, floor = _SUPERVISORS[shift]
    table, dealer = list(TABLES)[place], _crew(shift, place)[2]
    yield f'{supervisor} request_credit {{table = "{table}", units = {toml_units(units)}}}'
    yield f"{dealer} prepare_credit LAST-C"
    yield f"{floor} carry_credit LAST-C"
    yield "carl accept_credit LAST-C {in_drop_box = true}"


def prepared_story() -> Iterator[str]:
    """All that comes before the gaming day: people, values, chips, boxes and tables."""
    begins = f"at {_BEGINS[0]}"
    yield from takewhile(lambda step: step != begins, (step for step in _story() if isinstance(step, str)))


def lives_of_dice(dice: Sequence[str], day: date) -> Iterator[str]:
    """A gaming day on which dice come, are tested, thrown at all tables, retired and destroyed."""
    yield f"at {day} 06:20"
    yield f'cus receive_dice {" ".join(dice)} {{vendor = "paulson"}}'
    yield 'cus request_store {surveillance_told = true, told = "sid"}'
    yield 'cus enter_store LAST-V {people = ["cus", "sam"]} signed by sam as other'
    yield f'cus fill_cabinet {" ".join(dice)} {{visit = "LAST-V"}}'
    yield "cus leave_store LAST-V signed by sam as other"
    for number in range(0, len(dice), _CUP):
        own, place = list(dice[number : number + _CUP]), number // _CUP % len(TABLES)
        table, (box, stick, dealer, _) = list(TABLES)[place], _crew("day", place)
        yield from _test(table, own, "sam", (dealer, box))
        yield f'sam place_dice {" ".join(own)} {{table = "{table}", in_cup = true, attendant = "{stick}"}}'
    yield f"at {day} 13:00"
    yield f'sam remove_dice {" ".join(dice)} {{reason = "retired"}}'
    yield f"at {day} 20:00"
    yield f"cus destroy_dice {' '.join(dice)} signed by sid as witness"
    yield "look"


def _gaming_day() -> Iterator[str | c.NoteCash]:
    trays = {table: dict(_TRAY) for table in TABLES}
    yield f"at {_BEGINS[0]}"
    yield 'cus request_store {surveillance_told = true, told = "sid"}'
    yield 'cus enter_store LAST-V {people = ["cus", "sam"]} signed by sam as other'
    dice = " ".join(die for table in TABLES for die in _dice(table))
    yield f'cus fill_cabinet {dice} A21 {{visit = "LAST-V"}}'
    yield "cus leave_store LAST-V signed by sam as other"
    yield f"sam set_par_level craps-1 {{par = {toml_units(_TRAY)}}}"
    for number, shift in enumerate(_SHIFTS):
        yield f"at {_BEGINS[number]}"
        yield from _begin_shift(shift, trays)
        yield from _during(shift, trays)
        yield f"at {_ENDS[number]}"
        yield from _end_shift(number, shift, trays)
    yield from _count_room()
    yield from _after()


def _on_duty(shift: str, pit: str) -> str:
    people = [who for place, table in enumerate(TABLES) if TABLES[table] == pit for who in _crew(shift, place)]
    return " ".join(people)


def _begin_shift(shift: str, trays: dict[str, dict[str, int]]) -> Iterator[str]:
    supervisor, floor = _SUPERVISORS[shift]
    yield f'olga go_on_duty {supervisor} {_on_duty(shift, "pit-1")} {{area = "pit-1"}}'
    yield f'olga go_on_duty {floor} {_on_duty(shift, "pit-2")} {{area = "pit-2"}}'
    for place, table in enumerate(TABLES):
        box, stick, *dealers = _crew(shift, place)
        named = ", ".join(f'"{dealer}"' for dealer in dealers)
        crew = f'other_crew = false, boxperson = "{box}", stickperson = "{stick}", dealers = [{named}]'
        yield f"{supervisor} set_crew {table} {{{crew}}}"
        if shift == "day":
            yield from _open_table(table, place, trays[table])
        else:
            yield f'{box} relieve_attendant {" ".join(_dice_at(table, shift))} {{attendant = "{stick}"}}'
    yield f"look {' '.join(TABLES)}"


def _open_table(table: str, place: int, tray: Mapping[str, int]) -> Iterator[str]:
    box, stick, *dealers = _crew("day", place)
    yield from _test(table, _dice(table), "sam", (dealers[0], box))
    yield f'sam place_dice {" ".join(_dice(table))} {{table = "{table}", in_cup = true, attendant = "{stick}"}}'
    chips = f"chips = {toml_units(tray)}"
    opener = f'{box} count_opener {table} {{{chips}, shift = "day", in_drop_box = true}}'
    yield from counted_again(opener, f"{{{chips}}}", ("sam", "second"))
    yield f"clear {table} saguaro"


def _test(table: str, dice: list[str], by: str, signers: tuple[str, str]) -> Iterator[str]:
    edges = [", ".join(f"{die} = {edge}" for die in dice) for edge in (752, 757)]
    told = f'table = "{table}", tools = ["micrometer", "magnet"], flat = true, specification = {_all(_DIE_SEEN)}'
    measured = f"shortest = {{{edges[0]}}}, longest = {{{edges[1]}}}, sound = true"
    dealer, verifier = signers
    yield (
        f'{by} test_dice {" ".join(dice)} {{{told}, {measured}, recording = "camera {12 + 2 * int(table[-1])}"}} '
        f"signed by {dealer} as dealer, {verifier} as verifier"
    )


def _during(shift: str, trays: dict[str, dict[str, int]]) -> Iterator[str]:
    names = list(TABLES)
    number = _SHIFTS.index(shift)
    floor = _SUPERVISORS[shift][1]
    for place in (number, number + 1):
        yield from _fill(shift, place, {"500": 100, "2500": 40})
        trays[names[place]]["500"] += 100
        trays[names[place]]["2500"] += 40
    yield from _credit(shift, 3, {"10000": 10})
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
            yield from _test("craps-1", ["A21"], "sia", ("desi", "ben"))
            yield 'sia place_dice A21 {table = "craps-1", in_cup = true, attendant = "sky"}'
            told = f'shift = "swing", dropped = "{_box("craps-3", "B")}", drop_box = "EMERGENCY-1"'
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
    supervisor, floor = _SUPERVISORS[shift]
    is_last = number == len(_SHIFTS) - 1
    yield 'cass issue_key K-2 {purpose = "the drop"} signed by ned as holder'
    for place, table in enumerate(TABLES):
        box = _crew(shift, place)[0]
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
            taken, put_on = "EMERGENCY-1", _box(table, "C")
        else:
            taken, put_on = (_box(table, letter) for letter in "ABCDE"[number : number + 2])
        if (shift, table) == ("swing", "craps-4"):
            yield "at 2026-03-03 22:50"
        drop = f'shift = "{shift}", dropped = "{taken}", drop_box = "{put_on}"'
        yield f"ned drop_table {table} {{{drop}}} signed by {supervisor} as viewer"
        yield f'{supervisor} report_supervision {table} {{observed = ["dealers", "players"], other_duties = "nothing"}}'
        if is_last:
            dealer, tip = _crew(shift, place)[2], f"TIP-{table[-1]}"
            collected = f'collected = "{tip}A", all_in_box = true'
            yield f"{dealer} collect_tips {table} {{{collected}}} signed by {box} as witness"
            yield f'{supervisor} attach_tip_box {table} {{tip_box = "{tip}B"}}'
            yield f'{box} remove_dice {" ".join(_dice_at(table, shift))} {{reason = "retired"}}'
    yield "cass return_key K-2 signed by ned as holder"
    if not is_last:
        yield f"olga go_off_duty {supervisor} {floor} {_on_duty(shift, 'pit-1')} {_on_duty(shift, 'pit-2')}"


def _count_room() -> Iterator[str]:
    yield "at 2026-03-04 05:02"
    every_box = ", ".join(f'"{_box(table, letter)}"' for letter in "ABC" for table in TABLES)
    yield f'ned take_boxes {{boxes = [{every_box}], bound_for = "the count room"}} signed by nia as escort'
    yield "ned receive_boxes LAST-B {all_there = true} signed by nia as bearer"
    yield "ned test_counting_machine JET-1 {put_in = {2000 = 50}, read_right = true} signed by nia as second"
    yield 'cass issue_key K-1 {purpose = "the soft count"} signed by nia as holder'
    boxes = [_box(table, letter) for letter in "ABC" for table in TABLES] + ["EMERGENCY-1"]
    contents = 'contents = ["cash", "tickets", "fill slips", "credit slips", "requests", "inventory forms"]'
    for number, box in enumerate(boxes):
        yield f"ned match_slips {box} {{found = SCANNED}} signed by nia as second"
        notes = {"100": 12 + number, "500": 30, "2000": 133 + 3 * number, "10000": 2 + number}
        found = f"cash = {toml_units(notes)}, tickets = {250 * number}"
        line = f'ned count_box {box} {{{found}, team = ["ned", "nia", "noor"], {contents}}}'
        yield from counted_again(line, f"{{{found}}}", ("nia", "second"), ("cass", "cage"))
        if box == "BOX-2A":
            right = f"cash = {toml_units({**notes, '2000': 116})}, tickets = 250"
            why = "a bundle of twenties was entered twice: the machine had stopped and was fed again"
            line = f'ned correct_count {box} {{corrects = THIS-ACT, reason = "{why}", {right}}}'
            yield from counted_again(line, f"{{{right}}}", ("nia", "second"), ("cass", "cage"))
    yield "cass return_key K-1 signed by nia as holder"


def _after() -> Iterator[str | c.NoteCash]:
    """What is left at the end of the day: tips, dice, the cage, cash, and a fill that is under way."""
    yield "at 2026-03-04 05:50"
    boxes = ", ".join(f'"TIP-{table[-1]}A"' for table in TABLES)
    dealers = [dealer for shift in _SHIFTS for place in range(4) for dealer in _crew(shift, place)[2:]]
    share, left = divmod(412_00, len(dealers))
    shares = ", ".join(f"{dealer} = {share + left * (dealer == dealers[0])}" for dealer in dealers)
    found = "total = 41200, chips = {500 = 50}"
    yield from counted_again(f"cass count_tips {{boxes = [{boxes}], {found}}}", f"{{{found}}}", ("della", "witness"))
    tax = 'tax_report = "with the wages of the month"'
    yield f"cass distribute_tips LAST-P {{shares = {{{shares}}}, {tax}}} signed by della as witness"
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
