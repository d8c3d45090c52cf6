"""A craps hall in Arizona: all that comes before its tables open, and what its people do in every shift.

The lines are those of a day file; a hall may have four tables, for a day on which nearly everything happens, or forty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from tests.office.busy_house import counted_again, toml_units

SHIFTS = ("day", "swing", "grave")
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

_DROP_TIMES = 'drop_times = ["13:45-14:30", "21:45-22:30", "04:00-04:45"], count_times = ["05:00-05:55"]'


@dataclass(frozen=True)
class Hall:
    """A hall with tables in pits, named `craps-1` and so on, and who works there."""

    day: date
    """The first gaming day."""
    tables: Mapping[str, str]
    """Each with its pit."""
    supervisors: Mapping[str, Sequence[str]]
    """By shift, one for each pit: supervisors, and the second of them a floorperson, who carries chips."""
    crews: Mapping[str, Sequence[str]]
    """By shift, for each table: boxperson, stickperson, two dealers."""
    tray: Mapping[str, int]
    """The chips with which a table begins."""
    dice: Sequence[str]
    """Those that come before the first day."""

    @cached_property
    def people(self) -> dict[str, str]:
        """Everybody's post, by account."""
        found = dict(person.split("=") for person in _OFFICE.split())
        for shift, crews in self.crews.items():
            on_floor = self.supervisors[shift]
            found |= {who: "floorperson" if place == 1 else "supervisor" for place, who in enumerate(on_floor)}
            for crew in crews:
                found |= dict(zip(crew.split(), _POSTS, strict=True))
        return found

    @property
    def pits(self) -> list[str]:
        """The pits in the order of the tables."""
        return list(dict.fromkeys(self.tables.values()))

    def crew(self, shift: str, place: int) -> list[str]:
        """Who deals at a table."""
        return self.crews[shift][place].split()

    def box(self, table: str, letter: str) -> str:
        """One of a table's drop boxes."""
        return f"BOX-{_number(table)}{letter}"

    def preparation(self) -> Iterator[str]:
        """All that comes before the first gaming day: people, values, chips, boxes and tables."""
        areas = ", ".join(f'"{pit}"' for pit in self.pits)
        yield "office arizona"
        yield f'facility name="Saguaro Hall" zone="America/Phoenix" subdivision="AZ" areas=[{areas}]'
        yield "people " + " ".join(f"{who}={post}" for who, post in self.people.items())
        yield "approval laboratory_report"
        yield f"at {self.day - timedelta(days=8)} 09:00"
        yield "body tom TGO"
        yield "body sue SGA"
        yield f"value table_limit = {len(self.tables)}"
        yield from (f"value {value}" for value in _VALUES)
        yield from self._hire()
        yield from self._prepare_house()
        yield from self._prepare_chips_and_boxes()
        yield from self._prepare_tables()

    def _hire(self) -> Iterator[str]:
        ends = self.day + timedelta(days=303)
        until = f'licence_until = "{ends}", certificate_until = "{ends}"'
        for number, (who, post) in enumerate(self.people.items(), start=1):
            if post not in {"regulator", "owner"}:
                hired = f'{{post = "{post}", licence = "AZ-{4000 + number}", {until}}}'
                yield f"cora enter_employee {who} {hired} signed by olga as second"
        for pair in self.supervisors.values():
            yield from (f"olga designate_supervisor {who} {{{_DUTIES}}}" for who in pair)
        yield f"cora enter_vendor paulson {{{until}}} signed by olga as second"
        yield 'cora acquire_equipment {what = "two micrometers and eight dice cups", vendor = "paulson"}'
        yield 'tom approve_dice_procedures {procedures = "NEW"}'
        yield "cus check_dice_store {seen = {secured = true, cameras = true, door = true, cabinet = true}}"
        yield f'cus receive_dice {" ".join(self.dice)} {{vendor = "paulson"}}'
        yield f"cora give_cabinet_access cus {' '.join(who for pair in self.supervisors.values() for who in pair)}"

    def _prepare_house(self) -> Iterator[str]:
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
        crew = [who for who, post in self.people.items() if post in {*_POSTS, "supervisor", "floorperson"}]
        topics = 'topics = ["money management", "wagering", "detection of cheating"]'
        named = ", ".join(f'"{who}"' for who in crew)
        trained = f'{topics}, employees = [{named}], tgo_staff = "Tom"'
        yield f"cora hold_training saguaro {{{trained}}} signed by olga as second"
        yield "cora classify_craps {class = true, major_area = true}"
        yield 'ada begin_audit_year {from = "first day of play"}'

    def _prepare_chips_and_boxes(self) -> Iterator[str]:
        for unit, colour in _COLOURS.items():
            yield f'cora specify_chip {unit} {{colour = "{colour}", seen = {_all(_CHIP_SEEN)}}}'
        yield f"tom tgo_approve_chip {' '.join(_COLOURS)}"
        yield "olga open_chip_reserve {seen = {secured = true, own_camera = true}}"
        units = toml_units({unit: count * 5 * len(self.tables) for unit, count in self.tray.items()})
        delivered = f'units = {units}, delivery = "note 71", vendor = "paulson"'
        yield f"cass receive_chips {{{delivered}}} signed by abe as witness"
        units = toml_units({unit: count * 3 * len(self.tables) for unit, count in self.tray.items()})
        yield f"cass issue_chips {{units = {units}}} signed by abe as witness"
        yield "cora enter_counting_machine JET-1"
        yield 'cora enter_key K-1 {opens = "drop boxes: the contents"}'
        yield 'cora enter_key K-2 {opens = "drop boxes: the release from the table"}'
        for table, pit in self.tables.items():
            yield f'cora register_table {table} {{area = "{pit}"}}'
            yield f'cora acquire_table {table} {{vendor = "paulson"}}'
            for letter in "ABCDE":
                yield f'cora enter_drop_box {self.box(table, letter)} {{number = "{table}"}}'
                yield f"flo check_drop_box {self.box(table, letter)} {{seen = {_all(_BOX_SEEN)}}}"
            yield from (f"cora enter_tip_box TIP-{_number(table)}{letter}" for letter in "AB")
        yield "cora enter_emergency_box EMERGENCY-1 {is_emergency = true}"
        yield 'tom approve_tip_procedures {covers = ["acceptance", "distribution"], taxed = true}'
        yield f"cora submit_drop_times {{{_DROP_TIMES}}}"
        yield f"tom approve_drop_times {{{_DROP_TIMES}}}"
        yield "tom copy_drop_times"
        yield 'cass enter_patron rex {name = "Rex Tully", identification = "Arizona driving licence D08 114 207"}'
        yield 'cass enter_patron otis {name = "Otis Yazzie", identification = "passport"}'

    def _prepare_tables(self) -> Iterator[str]:
        for table in self.tables:
            yield f'cora notify_installation {table} {{work = "install", notice = "NEW"}}'
            yield f"tom forward_notice {table}"
            yield f"sam install_table {table}"
        yield f"at {self.day - timedelta(days=5)} 10:00"
        yield 'flo put_out_summaries saguaro {summary = "@summary", summary_places = "the doors and the cage"}'
        for number, table in enumerate(self.tables, start=1):
            yield f"tom approve_table {table} {{sga_absent = false}}"
            yield f'tom affix_tgo_seal {table} {{tgo_seal = "TG-{100 + number}"}}'
            yield f'sue sga_approve_table {table} {{sga_seal = "SG-{number}"}}'
            yield f'sid cover_table {table} {{cameras = "{10 + 2 * number} and {11 + 2 * number}"}}'
            yield f'cora assign_house {table} {{house = "saguaro"}}'
            yield f'flo post_table_rules {table} {{table_rules = "@table_rules", legible = true}}'
            yield f'flo post_limits {table} {{limits = "@limits"}}'
            yield f'sam attach_drop_box {table} {{drop_box = "{self.box(table, "A")}"}}'
            yield f"sam check_table {table} {{seen = {_all(_SEEN)}}}"
            yield f'sam attach_tip_box {table} {{tip_box = "TIP-{number}A"}}'
            yield from self.fill("day", number - 1, self.tray)

    def fill(self, shift: str, place: int, units: Mapping[str, int]) -> Iterator[str]:
        """Chips for a table, with the slip and all who sign it."""
        supervisor, floor, *_ = self.supervisors[shift]
        table, dealer = list(self.tables)[place], self.crew(shift, place)[2]
        yield f'{supervisor} request_fill {{table = "{table}", units = {toml_units(units)}}}'
        yield "cass prepare_fill LAST-F"
        yield f"{floor} carry_fill LAST-F"
        yield f"{dealer} accept_fill LAST-F {{in_drop_box = true}}"

    def credit(self, shift: str, place: int, units: Mapping[str, int]) -> Iterator[str]:
        """Chips from a table, with the slip and all who sign it."""
        supervisor, floor, *_ = self.supervisors[shift]
        table, dealer = list(self.tables)[place], self.crew(shift, place)[2]
        yield f'{supervisor} request_credit {{table = "{table}", units = {toml_units(units)}}}'
        yield f"{dealer} prepare_credit LAST-C"
        yield f"{floor} carry_credit LAST-C"
        yield "carl accept_credit LAST-C {in_drop_box = true}"

    def on_duty(self, shift: str, pit: str) -> list[str]:
        """Who deals in a pit."""
        return [who for place, own in enumerate(self.tables.values()) if own == pit for who in self.crew(shift, place)]

    def begin_shift(self, shift: str) -> Iterator[str]:
        """Everybody goes on duty in their pit."""
        for pit, supervisor in zip(self.pits, self.supervisors[shift], strict=True):
            yield f'olga go_on_duty {supervisor} {" ".join(self.on_duty(shift, pit))} {{area = "{pit}"}}'

    def end_shift(self, shift: str) -> Iterator[str]:
        """Everybody goes off duty."""
        people = [who for pit in self.pits for who in self.on_duty(shift, pit)]
        yield f"olga go_off_duty {' '.join((*self.supervisors[shift], *people))}"

    def set_crew(self, shift: str, place: int) -> Iterator[str]:
        """Say who deals at a table."""
        box, stick, *dealers = self.crew(shift, place)
        named = ", ".join(f'"{dealer}"' for dealer in dealers)
        crew = f'other_crew = false, boxperson = "{box}", stickperson = "{stick}", dealers = [{named}]'
        yield f"{self.supervisors[shift][0]} set_crew {list(self.tables)[place]} {{{crew}}}"

    def fill_cabinet(self, dice: Sequence[str]) -> Iterator[str]:
        """Bring dice from the store to the cabinet."""
        yield 'cus request_store {surveillance_told = true, told = "sid"}'
        yield 'cus enter_store LAST-V {people = ["cus", "sam"]} signed by sam as other'
        yield f'cus fill_cabinet {" ".join(dice)} {{visit = "LAST-V"}}'
        yield "cus leave_store LAST-V signed by sam as other"

    def offer_dice(self, shift: str, place: int, dice: Sequence[str]) -> Iterator[str]:
        """Test dice at a table and put them into its cup."""
        box, stick, dealer, _ = self.crew(shift, place)
        table, supervisor = list(self.tables)[place], self.supervisors[shift][0]
        yield from self.test_dice(table, dice, supervisor, (dealer, box))
        yield f'{supervisor} place_dice {" ".join(dice)} {{table = "{table}", in_cup = true, attendant = "{stick}"}}'

    def open_table(self, place: int, dice: Sequence[str], tray: Mapping[str, int]) -> Iterator[str]:
        """Offer dice at a table, count what is in its tray, and see that nothing stands against opening it."""
        table, (box, *_) = list(self.tables)[place], self.crew("day", place)
        yield from self.offer_dice("day", place, dice)
        chips = f"chips = {toml_units(tray)}"
        opener = f'{box} count_opener {table} {{{chips}, shift = "day", in_drop_box = true}}'
        yield from counted_again(opener, f"{{{chips}}}", (self.supervisors["day"][0], "second"))
        yield f"clear {table} saguaro"

    def test_dice(self, table: str, dice: Sequence[str], by: str, signers: tuple[str, str]) -> Iterator[str]:
        """Measure dice at a table before a dealer and who verifies it."""
        edges = [", ".join(f"{die} = {edge}" for die in dice) for edge in (752, 757)]
        told = f'table = "{table}", tools = ["micrometer", "magnet"], flat = true, specification = {_all(_DIE_SEEN)}'
        measured = f"shortest = {{{edges[0]}}}, longest = {{{edges[1]}}}, sound = true"
        dealer, verifier = signers
        yield (
            f'{by} test_dice {" ".join(dice)} {{{told}, {measured}, recording = "camera {12 + 2 * _number(table)}"}} '
            f"signed by {dealer} as dealer, {verifier} as verifier"
        )

    def drop(self, shift: str, place: int, taken: str, put_on: str) -> Iterator[str]:
        """Take the drop box off a table at the end of a shift, and say how it was supervised."""
        table, supervisor = list(self.tables)[place], self.supervisors[shift][0]
        drop = f'shift = "{shift}", dropped = "{taken}", drop_box = "{put_on}"'
        yield f"ned drop_table {table} {{{drop}}} signed by {supervisor} as viewer"
        yield f'{supervisor} report_supervision {table} {{observed = ["dealers", "players"], other_duties = "nothing"}}'

    def collect_tips(self, shift: str, place: int, taken: str, put_on: str) -> Iterator[str]:
        """Change the tip box of a table."""
        table, (box, _, dealer, _), letters = list(self.tables)[place], self.crew(shift, place), (taken, put_on)
        collected, attached = (f"TIP-{_number(table)}{letter}" for letter in letters)
        found = f'collected = "{collected}", all_in_box = true'
        yield f"{dealer} collect_tips {table} {{{found}}} signed by {box} as witness"
        yield f'{self.supervisors[shift][0]} attach_tip_box {table} {{tip_box = "{attached}"}}'

    def begin_count(self, boxes: Sequence[str]) -> Iterator[str]:
        """Bring boxes into the count room, and try its machine."""
        every_box = ", ".join(f'"{box}"' for box in boxes)
        yield f'ned take_boxes {{boxes = [{every_box}], bound_for = "the count room"}} signed by nia as escort'
        yield "ned receive_boxes LAST-B {all_there = true} signed by nia as bearer"
        yield "ned test_counting_machine JET-1 {put_in = {2000 = 50}, read_right = true} signed by nia as second"
        yield 'cass issue_key K-1 {purpose = "the soft count"} signed by nia as holder'

    def count_box(self, box: str, notes: Mapping[str, int], tickets: int) -> Iterator[str]:
        """Match the slips in a box and count what else is in it: the team, another of it, and the cage."""
        contents = 'contents = ["cash", "tickets", "fill slips", "credit slips", "requests", "inventory forms"]'
        yield f"ned match_slips {box} {{found = SCANNED}} signed by nia as second"
        found = f"cash = {toml_units(notes)}, tickets = {tickets}"
        line = f'ned count_box {box} {{{found}, team = ["ned", "nia", "noor"], {contents}}}'
        yield from counted_again(line, f"{{{found}}}", ("nia", "second"), ("cass", "cage"))

    def share_tips(self, letter: str, cents: int) -> Iterator[str]:
        """Count the tips of a day and share them out among its dealers."""
        boxes = ", ".join(f'"TIP-{_number(table)}{letter}"' for table in self.tables)
        dealers = [
            who for shift in self.crews for place in range(len(self.tables)) for who in self.crew(shift, place)[2:]
        ]
        share, left = divmod(cents, len(dealers))
        shares = ", ".join(f"{dealer} = {share + left * (dealer == dealers[0])}" for dealer in dealers)
        found, witness = f"total = {cents}, chips = {{500 = 50}}", self.crew(SHIFTS[-1], 0)[2]
        yield from counted_again(
            f"cass count_tips {{boxes = [{boxes}], {found}}}", f"{{{found}}}", (witness, "witness")
        )
        tax = 'tax_report = "with the wages of the month"'
        yield f"cass distribute_tips LAST-P {{shares = {{{shares}}}, {tax}}} signed by {witness} as witness"


def _number(table: str) -> int:
    return int(table.rpartition("-")[2])


def _all(items: str) -> str:
    """A checklist on which everything was seen."""
    return "{" + ", ".join(f"{item} = true" for item in items.split()) + "}"
