"""What examiners did in version 0.2.0 with no incident: done again, each is refused, recorded as a breach, or possible.

Every case is done twice: under the pages of version 0.2.0, where nothing stands against it, and under today's. Numbers
are those of the examiners' list.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pytest

from passline.acts.rules import office_of
from tests.office.day_file import DAYS, Day, steps_of
from tests.office.search.offices import OPENING_DAYS, day_of_0_2, kept_rules

_MARK = "# T1 may open."
_DIGEST = '"' + "ab" * 32 + '"'
_LICENSED = 'licence_until = "2026-12-31", certificate_until = "2026-12-31"'
_TRAINED = 'topics = ["money management", "wagering", "detection of cheating"], tgo_staff = "Tom"'
_PACKAGE = (
    f"equipment_spec = {_DIGEST}, chips_described = {_DIGEST}, dice_described = {_DIGEST},"
    f" tables_described = {_DIGEST}, layouts_described = {_DIGEST}, tests_described = {_DIGEST},"
    ' other_equipment = "none", no_progressive = true, no_betting_among_players = true, no_call_bets = true'
)
_SECOND_HOUSE = [
    'cora draft_house second {file = "@capstan"}',
    f"cora add_to_package second {{{_PACKAGE}}}",
    "cora submit_house second",
    f'tom tgo_approve_house second {{weighed = ["integrity", "fairness", "security"], decision = {_DIGEST}}}',
    "cora copy_house_to_sga second",
]
_SETTLED = 'tom settle_objection second {settled_by = "agreement"}'
_COUNTED = "contents = ['cash', 'tickets', 'fill slips', 'credit slips', 'requests', 'inventory forms']"
_SECOND_CREW = [
    "people bea=boxperson stan=stickperson",
    f'olga enter_employee bea {{post = "boxperson", {_LICENSED}}}',
    f'olga enter_employee stan {{post = "stickperson", {_LICENSED}}}',
    'olga go_on_duty bea stan {area = "pit-1"}',
]
_COUNTERS = "people ned=counter nia=counter nat=counter cy=cashier"
_OPEN = ["value table_limit = 2", "sam open_table T1"]
_MD_CHECKED = (
    "shape = true, drop_box = true, tip_box = true, centre = true, stick = true, fire_markers = true,"
    " bonus_buttons = true, dice_ology_buttons = true"
    "(, fire_markers_kept = true, bonus_buttons_kept = true, dice_ology_buttons_kept = true)"
)

_CHIP = (
    "seen = {no_coin = true, statutes = true, issuer = true, value_on_both_sides = true, told_apart_in_a_stack = true}"
)
_SOUND = ", ".join(
    f"{item} = true"
    for item in (
        *("name", "serial", "cube", "spots", "white", "diameter", "one_six", "two_five", "three_four", "drilled"),
        *("fill", "bond", "depth", "flat", "flush", "square", "texture", "balance"),
    )
)
_TESTED = (
    'table = "T1", tools = ["micrometer"], flat = true, sound = true, recording = "camera 12",'
    f" specification = {{{_SOUND}}}"
)
_CAGE = "people cy=cashier acc=accountant"
_CHIPS = [
    _CAGE, 'cy receive_chips {units = {500 = 900}, delivery = "note 2"} signed by acc as witness',
    "cy issue_chips {units = {500 = 800}} signed by acc as witness",
]  # fmt: skip
_VISIT = "cus request_store {surveillance_told = true}"
_NEW_DIE = 'cus receive_dice A9 {vendor = "paulson"}'
_FROM_STORE = [
    _NEW_DIE, _VISIT, _VISIT, 'cus enter_store V-000002 {people = ["cus", "sam"]}', "sign by sam as other",
]  # fmt: skip
_WITHIN = '(, store_visit = "V-000002")'


@dataclass(frozen=True)
class Case:
    """What an examiner did, the last line being the one that counts, and what comes of it today."""

    item: int
    says: str
    regulation: str
    lines: list[str]
    today: list[str]
    before: list[str]
    is_possible_now: bool = False  # it was refused or a breach, and is lawful


CASES = [
    Case(2, "an objection is settled that nobody made", "arizona", [*_SECOND_HOUSE, _SETTLED],
         ["refused AZ-II.G.3-e: house second: no objection of the SGA to it is open"], []),
    Case(2, "a house comes into force by it", "arizona", [*_SECOND_HOUSE, _SETTLED, "olga put_in_force second"],
         ["refused AZ-II.A.1-a: house second: the SGA has not approved it, and its time to object is not over"], []),
    Case(3, "a layout lies where another house is dealt", "maryland", [
        'house other {side_wagers = {fire = "B"}}',
        'cora draft_house other {file = "@other"}',
        'cora submit_house other {rules_submission = "@rules_submission"}',
        "com approve_house other",
        "olga put_in_force other",
        'cora assign_house T1 {house = "other"}',
        "gate open_table T1 of layout",
    ], [("red MD-2.D: layout L2: no layout that the Commission approved for its wagers lies on it"
        " (it shows other rules than those in force)")], ["green"]),
    Case(3, "posted rules are another house's", "colorado", [
        'cora register_table T9 {area = "pit-1", length = 144, number_on = "accessory"}',
        'cora assign_house T9 {house = "h2"}',
        'flo hang_table_sign T9 {sign = "S1"}',
    ], [("refused CO-2314-approve-rules: sign S1: they are not the rules that the table is dealt by"
        " (it shows other rules than those in force)")], []),
    Case(3, "posted rules hang in another area", "colorado", [
        'cora register_table T9 {area = "pit-2", length = 144, number_on = "accessory"}',
        'cora assign_house T9 {house = "h1"}',
        'flo hang_table_sign T9 {sign = "S1"}',
    ], ["refused CO-2314-place: sign S1: they hang in another area than the table stands in"], []),
    Case(3, "dice are a year old", "colorado", ["at 2027-03-02 09:00", "clear T1 h1"],
         ["refused practice: table T1: its dice have been there too long (since 2026-03-03 09:00)"], []),
    Case(4, "somebody of the crew was not trained", "arizona", [
        *_SECOND_CREW,
        'sam set_crew T1 {other_crew = false, boxperson = "bea", stickperson = "stan", dealers = ["dan", "dora"]}',
        "clear T1 capstan",
    ], ["refused AZ-II.I.1-a: employee Bea: was not trained in the game it deals",
        "refused AZ-II.I.1-a: employee Stan: was not trained in the game it deals"], []),
    Case(4, "an approved crew covers another", "arizona", [
        'tom tgo_approve_crew T1 {tgo_crew = "three, no stickperson"(, tgo_people = ["bob", "dan", "dora"])}',
        'sue sga_approve_crew T1 {sga_crew = "three, no stickperson"(, sga_people = ["bob", "dan", "dora"])}',
        'sam set_crew T1 {other_crew = true, crew = ["stu"]}',
    ], ["refused AZ-II.M.2-alt: table T1: the TGO has not approved exactly this crew for it",
        "refused AZ-II.M.2-alt: table T1: the SGA has not approved exactly this crew for it"], []),
    Case(5, "the same stickperson and dealers are at two open tables", "arizona", [
        *_OPEN, *_SECOND_CREW,
        f'cora hold_training capstan {{{_TRAINED}, employees = ["bea", "stan", "dan", "dora"]}}',
        'sam set_crew T2 {other_crew = false, boxperson = "bea", stickperson = "stu", dealers = ["dan", "dora"]}',
        "sam open_table T2",
    ], [("refused AZ-I.1, AZ-II.M.2-stick, AZ-II.M.2-dealers: table T2: somebody of its crew works at another"
        " open table (T1)")], []),
    Case(5, "a floorperson without the four duties opens a table", "arizona", [
        "people fay=floorperson", "fay open_table T1",
    ], ["refused AZ-I.7: Fay has not been designated as supervisor yet: Open a table"], []),
    Case(6, "work on an open table ends its watches", "arizona", [
        *_OPEN, "sam install_table T1", "sid lose_cover T1", "sue sga_refuse_table T1",
        "olga go_off_duty sam", "look T1",
    ], ["incident AZ-II.J.4-a: table T1: the SGA has refused it for continued play, and it is still open",
        "incident AZ-II.J.6: table T1: surveillance does not cover it any more",
        "incident AZ-II.M.1-g: table T1: no supervisor is on duty in its area"],
       ["refused office: nothing has changed"]),
    Case(6, "what is broken counts as mended once it is out of sight", "arizona", [
        *_OPEN, "sid lose_cover T1", "look T1", "sam store_table T1 {seals_stay = true}", "look T1",
    ], ["refused office: nothing has changed"], ["mended surveillance"]),
    Case(7, "a drop puts on an unchecked box of another table", "arizona", [
        _COUNTERS, 'cora enter_drop_box BOX-9 {number = "T2"}',
        'ned drop_table T1 {shift = "day", dropped = "BOX-1", drop_box = "BOX-9"} signed by sam as viewer',
    ], [("incident AZ-III.L.1-d: table T1: tables are dropped only at the approved times"
        " (09:00, not 06:00-06:30, 14:00-14:30, 22:00-22:30)"),
        "incident AZ-III.C.2.a: drop box BOX-9: it was not checked",
        "incident AZ-III.C.2.d-1: drop box BOX-9: its number is not that of the table"],
       [("incident AZ-III.L.1-d: table T1: tables are dropped only at the approved times"
        " (09:00, not 06:00-06:30, 14:00-14:30, 22:00-22:30)")]),
    Case(7, "an emergency box becomes an ordinary one", "arizona", [
        _COUNTERS, "cora enter_emergency_box E-9 {is_emergency = true}",
        "sam check_drop_box E-9 {seen = {metal = true, contents_lock = true, table_lock = true, opening = true}}",
        'sam attach_emergency_box T1 {drop_box = "E-9", marks = ["table number", "game", "shift"]}',
        'cora enter_drop_box BOX-9 {number = "T1"}',
        'ned drop_table T1 {shift = "day", dropped = "E-9", drop_box = "BOX-9"} signed by sam as viewer',
        f"ned count_box E-9 {{cash = {{2000 = 10}}, team = ['ned', 'nia', 'nat'], {_COUNTED}}}",
        "sign by nia as second {cash = {2000 = 10}}", "sign by cy as cage {cash = {2000 = 10}}", "is drop_box E-9",
    ], ["emergency"], ["ready"]),
    Case(7, "a tip box is collected and not replaced", "arizona", [
        'dan collect_tips T1 {collected = "TIP-1", all_in_box = true} signed by dora as witness', "clear T1 capstan",
    ], ["refused AZ-III.B.2-c: table T1: no tip box is attached to it, and it takes tips (0 of 1)"], []),
    Case(8, "seals that do not stay in storage stay on the list", "arizona", [
        "sam store_table T1 {seals_stay = false}", "gate open_table T1 of tgo_seal both_seals tgo_seal_after_storage",
    ], ["red AZ-II.K.2-b: table T1: its seals did not stay on it in storage, and it has no new one of the TGO"],
       ["green"]),
    Case(8, "one seal is on two tables", "arizona", ['tom affix_tgo_seal T2 {tgo_seal = "TG-100"}'],
         ["refused AZ-II.J.3-b: table T2: a seal of that number identifies another table (T1)"], []),
    Case(8, "a table without the SGA's seal loses the only one it has", "arizona", [
        'tom discard_seals T2 {seals = ["TGO"]}',
    ], [], ["refused AZ-II.K.1-c: seals: SGA is missing"], is_possible_now=True),
    Case(8, "a table that left comes back", "arizona", [
        "sam remove_table T2", f'cora notify_installation T2 {{work = "re-install", notice = {_DIGEST}}}',
        "sam install_table T2",
    ], [], [("incident AZ-II.J.1-a: table T2 is removed; it must be ordered or in storage or approved:"
            " Install, re-install or modify a table")], is_possible_now=True),
    Case(12, "a table without boxes and chips is cleared", "maryland", [
        'cora register_table T9 {area = "pit-1", length = 168}',
        'cora assign_house T9 {house = "h1"}',
        'flo count_opener T9 {chips = {500 = 0}, shift = "day"}', "sign by fred as second {chips = {500 = 0}}",
        'flo lay_layout T9 {layout = "L2"}', f"flo check_table T9 {{seen = {{{_MD_CHECKED}}}}}",
        'flo post_limits T9 {limits = "@limits"}',
        'flo post_fire_display T9 {fire_display = "@fire_display", inside_wall = true}', "clear T9 h1",
    ], ["refused MD-2.E.drop: table T9: no drop box is attached to it (0 of 1)",
        "refused MD-2.E.tip: table T9: no tip box is attached to it (0 of 1)",
        "refused practice: table T9: there are no chips in its tray"], []),
    Case(9, "a chip of 500 dollars is orange", "arizona", [f'cora specify_chip 50000 {{colour = "orange", {_CHIP}}}'],
         ["refused AZ-II.R.3.e: chip $500: a chip of 500 dollars is purple (not orange)"], []),
    Case(9, "a chip of five dollars is blue", "arizona", [f'cora specify_chip 500 {{colour = "blue", {_CHIP}}}'],
         ["refused AZ-II.R.3.b: chip $5: a chip of five dollars is red (not blue)"], []),
    Case(9, "a mistyped colour is put right", "arizona", [
        f'cora specify_chip 100000 {{colour = "orenge", {_CHIP}}}',
        f'cora respecify_chip 100000 {{colour = "orange", reason = "misspelt", {_CHIP}}} signed by olga as second',
    ], [], ["refused office: this office has no act 'respecify_chip'"], is_possible_now=True),
    Case(10, "the shortest edge is longer than the longest", "arizona", [
        *_FROM_STORE, f"sam test_dice A9 {{{_TESTED}, shortest = {{A9 = 775}}, longest = {{A9 = 750}}{_WITHIN}}}",
    ], ["refused AZ-II.L.1-max: longest: A9: 750 is less than 775, shortest"], ["waits dealer, verifier"]),
    Case(10, "edges of 900 and 10 thousandths pass", "arizona", [
        *_FROM_STORE, f"sam test_dice A9 {{{_TESTED}, shortest = {{A9 = 900}}, longest = {{A9 = 10}}{_WITHIN}}}",
    ], ["refused AZ-II.L.1-max: longest: A9: 10 is less than 900, shortest"], ["waits dealer, verifier"]),
    Case(10, "a die leaves the store without a visit", "arizona", [
        _NEW_DIE, f"sam test_dice A9 {{{_TESTED}, shortest = {{A9 = 752}}, longest = {{A9 = 756}}}}",
    ], [("refused AZ-II.L.3-d: die A9: it does not come from the cabinet, and leaves the store only within a visit"
        " (is stored)")], ["waits dealer, verifier"]),
    Case(10, "a die is rejected out of the store without a visit", "arizona", [
        _NEW_DIE, 'sam reject_dice A9 {finding = "a scratch", none_needed = true}',
    ], [("refused AZ-II.L.3-d: die A9: it does not come from the cabinet, and leaves the store only within a visit"
        " (is stored)")], []),
    Case(10, "one person signs in all visitors of the store", "arizona", [
        _VISIT, _VISIT, 'cus enter_store V-000002 {people = ["cus", "sam"]}', "is store_visit V-000002",
    ], ["requested"], ["inside"]),
    Case(10, "a die is lost", "arizona", [_NEW_DIE, 'cus lose_dice A9 {last_seen = "in the store"}', "is die A9"],
         ["lost"], ["stored"]),
    Case(11, "surveillance takes a tip", "arizona", ['bob report_tip {receiver = "sid", from_employee = false}'],
         ["incident AZ-II.Q.2-a: employee Sid: is of surveillance, which takes no tips"], []),
    Case(11, "management takes a tip", "arizona", ['bob report_tip {receiver = "olga", from_employee = false}'],
         ["incident AZ-II.Q.2-a: employee Olga: is of the management, which takes no tips"], []),
    Case(11, "a box of tips is counted as one cent by one person", "arizona", [
        "people cy=cashier",
        'dan collect_tips T1 {collected = "TIP-1", all_in_box = true} signed by dora as witness',
        'cy count_tips {boxes = ["TIP-1"], total = 1} signed by dan as witness',
    ], ["refused practice: the dealer who counts again: counts too, and says what was counted"],
       ["number P-000001"]),
    Case(13, "a fill of no chips", "maryland", ['flo request_fill {table = "T1", units = {500 = 0}}'],
         ["refused practice: units: 0, less than 1: chips by denomination"], ["number F-000001"]),
    Case(13, "a fill of a chip of 12,345 cents", "maryland", ['flo request_fill {table = "T1", units = {12345 = 1}}'],
         ["refused practice: units: 12345 cents: the house has no such chips: chips by denomination"],
         ["number F-000001"]),
    Case(13, "a fill to a table that was never installed", "arizona", [
        f'cora specify_chip 500 {{colour = "red", {_CHIP}}}', 'cora register_table T9 {area = "pit-1"}',
        'sam request_fill {table = "T9", units = {500 = 10}}',
    ], ["refused practice: table: table T9 is ordered, not installed or approved or in play"], ["number F-000001"]),
    Case(13, "a sale of nothing", "maryland", [_CAGE, "cy sell_chips {units = {500 = 0}}"],
         ["refused practice: units: 0, less than 1: chips by denomination"], []),
    Case(14, "the annual audit has no date until somebody begins it", "arizona", ["clock annual_audit"],
         ["due 2027-01-01 00:00 AZ-P.3"], []),
    Case(14, "a discrepancy of dice is told to the TGO only", "arizona", [
        "people aud=auditor", 'aud count_dice {dice = ["A1", "Z9"]}', "owed dice_discrepancy_reported",
    ], ["AZ-II.L.4-d: by operator to TGO and SGA"], ["AZ-II.L.4-d: by operator to TGO"]),
    Case(14, "what is owed at once has no date", "arizona", ["sam remove_table T2", "clock seals_discarded table T2"],
         ["due 2026-03-04 09:30 AZ-II.K.1-c"], ["due when somebody has said how long AZ-II.K.1-c"]),
    Case(14, "what is owed promptly has no date", "arizona", [
        "sue sga_refuse_table T1", "clock refusal_stated table T1",
    ], ["due 2026-03-06 00:00 AZ-II.J.4-c"], ["due when somebody has said how long AZ-II.J.4-c"]),
    Case(15, "a fill is carried and never accepted", "maryland", [
        *_CHIPS, 'flo request_fill {table = "T1", units = {500 = 10}}', "cy prepare_fill F-000002",
        "fred carry_fill F-000002",
        "at 2026-03-02 10:00", "clock fill_delivered fill_slip F-000002",
    ], ["overdue 2026-03-02 10:00 practice"], []),
    Case(15, "a second count that differs leaves no trace", "maryland", [
        'flo count_shift T1 {chips = {500 = 400}, shift = "day"}', "sign by fred as second {chips = {500 = 399}}",
    ], ["void: the two counts differ: both are kept, and it is counted again",
        "incident practice: two people counted the inventory differently: act 32 has both counts"],
       ["void: the two counts differ: both are kept, and it is counted again"]),
    Case(15, "the owner closes an incident alone", "maryland", [
        'flo count_closer T1 {chips = {500 = 1}, shift = "day"}', "sign by fred as second {chips = {500 = 1}}",
        'flo count_opener T1 {chips = {500 = 3}, shift = "day"}', "sign by fred as second {chips = {500 = 3}}",
        'olga investigate_incident I-1 {finding = "nothing"}', 'olga close_incident I-1 {outcome = "nothing"}',
    ], [("refused practice: incident I-1: whoever looked into it does not close it: one finds, another decides"
        " (look into an incident)")], []),
    Case(15, "much cash is nobody's by one cashier's word", "maryland", [
        *_CHIPS, "cy sell_chips {units = {500 = 700}}",
    ], ["waits unnamed"], []),
    Case(15, "cash is no cash by one cashier's word", "maryland", [
        *_CHIPS, "cy sell_chips {units = {500 = 10}, not_cash = true}",
    ], ["waits second"], []),
]  # fmt: skip


@cache
def _ready_to_open(regulation: str, *, is_old: bool) -> Day:
    """The day until its table may open: cases go on from there."""
    today = DAYS / f"{OPENING_DAYS[regulation]}.txt"
    day = Day(kept_rules(regulation) if is_old else office_of(regulation))
    lawful, mark, _ = (day_of_0_2(regulation) if is_old else today.read_text(encoding="utf-8")).partition(_MARK)
    assert mark
    for step in steps_of(lawful):
        list(day.do(step.text))
    return day


def _told(case: Case, *, is_old: bool) -> list[str]:
    """All that comes of the last line of a case."""
    day = _ready_to_open(case.regulation, is_old=is_old).copy()
    told: list[str] = []
    for line in case.lines:
        start, _, rest = line.partition("(, ")
        added, _, end = rest.partition(")")
        told = list(day.do((start if is_old else f"{start}, {added}") + end if rest else line))
    return told


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.item}, {case.says}")
def test_what_was_done_with_no_incident_is_not_so_any_more(case: Case) -> None:
    old = _told(case, is_old=True)
    assert old == case.before, "under the pages of version 0.2.0"
    now = _told(case, is_old=False)
    assert sorted(now) == sorted(case.today)
    assert bool(now) != case.is_possible_now


def test_every_item_of_the_list_has_a_case() -> None:
    assert {case.item for case in CASES} == {2, *range(3, 16)}
