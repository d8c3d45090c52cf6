"""What the office still let pass unseen: each is refused, a breach, or waits, and the lawful way beside it is done."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.acts.rules import ActRules, office_of
from tests.office.begun_days import Tried
from tests.office.day_file import Day, steps_of

_UNTIL = 'licence_until = "2026-12-31", certificate_until = "2026-12-31"'
_TOPICS = 'topics = ["money management", "wagering", "detection of cheating"]'
_BOXES = [
    "people ned=counter nia=counter",
    "olga enter_drop_box D1",
    "olga enter_drop_box D2",
    "olga enter_drop_box D3",
    'flo attach_drop_box T1 {drop_box = "D1"}',
    'flo request_fill {table = "T1", units = {500 = 5}}',
    "cy prepare_fill F-000002",
    "fay carry_fill F-000002",
    "at 2026-03-02 12:20",
    'ned drop_table T1 {shift = "day", dropped = "D1", drop_box = "D2"} signed by flo as viewer',
    "at 2026-03-02 12:30",
]
_TIPS = [
    "olga enter_tip_box TIP-1", "olga enter_tip_box TIP-2",
    'flo attach_tip_box T1 {tip_box = "TIP-1"}', 'dan collect_tips T1 {collected = "TIP-1"} signed by fay as witness',
]  # fmt: skip
_CHIP = (
    'cora specify_chip 500 {colour = "red", seen = {no_coin = true, statutes = true, issuer = true,'
    " value_on_both_sides = true, told_apart_in_a_stack = true}}"
)
_DELIVERY = 'cy receive_chips {units = {500 = 9}, delivery = "NOTE 1"} signed by cal as witness'


CASES = [
    # First licences and training
    Tried("a first licence on one person's word", "arizona",
          [f'cora enter_employee eve {{post = "dealer", {_UNTIL}}} alone'], ["waits second"]),
    Tried("who waits for it is not on record", "arizona",
          [f'cora enter_employee eve {{post = "dealer", {_UNTIL}}} alone', 'olga go_on_duty eve {area = "pit-1"}'],
          ["refused practice: no employee eve is on record", "refused AZ-II.C-1: ", "refused AZ-II.C-2: "]),
    Tried("a first licence that two have seen", "arizona",
          [f'cora enter_employee eve {{post = "dealer", {_UNTIL}}} alone', "sign by olga as second"], []),
    Tried("training on one person's word", "arizona",
          [f'cora hold_training capstan {{{_TOPICS}, employees = ["dan"], tgo_staff = "Tom"}} alone'],
          ["waits second"]),
    Tried("whose licence it is does not sign", "arizona",
          ["people eve=floorperson", f'cora enter_employee eve {{post = "floorperson", {_UNTIL}}} alone',
           "sign by eve as second"], ["refused practice: it is about Eve: somebody else signs it"]),
    Tried("nor is a licence renewed by its holder", "arizona",
          ['cora renew_credentials flo {licence_until = "2030-01-01"}', "sign by flo as second"],
          ["refused practice: it is about Flo: somebody else signs it"]),
    Tried("nor training signed by who was trained", "arizona",
          [f'cora hold_training capstan {{{_TOPICS}, employees = ["dan"], tgo_staff = "Tom"}} alone',
           "sign by dan as second"], ["refused practice: it is about Dan: somebody else signs it"]),
    Tried("a vendor's first licence on one person's word", "arizona",
          [f"cora enter_vendor shed {{{_UNTIL}}} alone"], ["waits second"]),
    # A modification told as a repair
    Tried("one person says that it is as it was", "arizona",
          ['flo change_equipment T1 {change = "other walls", like_for_like = true} alone'], ["waits second"]),
    Tried("a modification is told as one", "arizona",
          ['flo change_equipment T1 {change = "other walls", like_for_like = false}'],
          ["incident AZ-II.J.1-a: like_for_like: must be so"]),
    Tried("and does not open without the approval", "arizona", [
        'flo change_equipment T1 {change = "other walls", like_for_like = false}', "gate open_table T1 of as_approved",
    ], ["red AZ-II.J.1-a: table T1: it was modified since the TGO approved it"]),
    Tried("nor after a repair", "arizona", [
        'flo change_equipment T1 {change = "other walls", like_for_like = false}',
        'flo change_equipment T1 {change = "a paddle", like_for_like = true}', "gate open_table T1 of as_approved",
    ], ["red AZ-II.J.1-a: table T1: it was modified since the TGO approved it"]),
    Tried("a repair needs no approval", "arizona", [
        'flo change_equipment T1 {change = "a paddle", like_for_like = true}', "gate open_table T1 of as_approved",
    ], ["green"]),
    Tried("once it is approved anew, a repair needs none", "arizona", [
        'flo change_equipment T1 {change = "other walls", like_for_like = false}',
        f'cora notify_installation T1 {{work = "modify", notice = "{"c" * 64}"}}', "sam install_table T1",
        "tom approve_table T1 {sga_absent = false}",
        'flo change_equipment T1 {change = "a paddle", like_for_like = true}',
        "gate open_table T1 of as_approved",
    ], ["green"]),
    # The crew of another area
    Tried("a dealer of another pit", "arizona", [
        'olga change_area dan {area = "pit-2"}', "gate open_table T1 of crew_here",
    ], ["red practice: employee Dan: is not on duty in the area where the table stands"]),
    Tried("a supervisor goes round the pits", "arizona", [
        "sam open_table T1", 'olga change_area sam {area = "pit-2"}', "look T1",
    ], ["incident AZ-II.M.1-g: table T1: no supervisor is on duty in its area"]),
    Tried("a dealer leaves an open table for another pit", "arizona", [
        "sam open_table T1", 'olga change_area dan {area = "pit-2"}', "look T1",
    ], ["incident practice: employee Dan: is not on duty in the area of the open table"]),
    Tried("and comes back", "arizona", [
        "sam open_table T1", 'olga change_area dan {area = "pit-2"}', "look T1",
        'olga change_area dan {area = "pit-1"}', "look T1",
    ], ["mended crew_here"]),
    # Tip boxes
    Tried("a tip box that nobody counts", "practice", [*_TIPS, "clock tips_counted tip_box TIP-1"],
          ["due 2026-03-04 00:00 practice"]),
    Tried("nor on the day after", "practice", [*_TIPS, "at 2026-03-04 00:00", "clock tips_counted tip_box TIP-1"],
          ["overdue 2026-03-04 00:00 practice"]),
    Tried("another box of the table is counted", "practice", [
        *_TIPS, 'flo attach_tip_box T1 {tip_box = "TIP-2"}',
        'dan collect_tips T1 {collected = "TIP-2"} signed by fay as witness',
        'cy count_tips {boxes = ["TIP-2"], total = 100}', "sign by dan as witness {total = 100}",
        "at 2026-03-04 00:00", "clock tips_counted",
    ], ["overdue 2026-03-04 00:00 practice"]),
    Tried("it is counted", "practice", [
        *_TIPS, 'cy count_tips {boxes = ["TIP-1"], total = 100}', "sign by dan as witness {total = 100}",
        "clock tips_counted",
    ], []),
    Tried("it is found empty", "practice", [
        *_TIPS, "cy find_tip_boxes_empty TIP-1 signed by dan as witness", "clock tips_counted",
    ], []),
    # Delivery notes
    Tried("one delivery note for two deliveries", "practice", [_DELIVERY],
          ["incident practice: the delivery note has served for another delivery: note 1, by act 2"]),
    Tried("a delivery with its own note", "practice", [_DELIVERY.replace("NOTE 1", "note 2")], []),
    Tried("notes of two vendors have the same number", "arizona", [
        "people cy=cashier cal=accountant", f"cora enter_vendor angel {{{_UNTIL}}}",
        _CHIP,
        "cora tgo_approve_chip 500 on paper",
        _DELIVERY.replace('"NOTE 1"', '"NOTE 1", vendor = "paulson"'),
        _DELIVERY.replace('"NOTE 1"', '"NOTE 1", vendor = "angel"'),
    ], []),
    Tried("and one vendor's twice", "arizona", [
        "people cy=cashier cal=accountant",
        _CHIP,
        "cora tgo_approve_chip 500 on paper",
        _DELIVERY.replace('"NOTE 1"', '"NOTE 1", vendor = "paulson"'),
        _DELIVERY.replace('"NOTE 1"', '"note-1", vendor = "paulson"'),
    ], ["incident practice: the delivery note has served for another delivery: note 1, by act "]),
    # A slip told after the drop
    Tried("a slip told late is in the box that was there", "practice", [
        *_BOXES, "dan accept_fill F-000002 occurred 2026-03-02 12:10", "fact drop_box D1 slips",
    ], ["['F-000002']"]),
    Tried("and not in the new one", "practice", [
        *_BOXES, "dan accept_fill F-000002 occurred 2026-03-02 12:10", "fact drop_box D2 slips",
    ], ["None"]),
    Tried("a slip told at once is in the new box", "practice", [
        *_BOXES, "dan accept_fill F-000002", "fact drop_box D2 slips",
    ], ["['F-000002']"]),
    Tried("two drops ago", "practice", [
        *_BOXES, 'ned drop_table T1 {shift = "swing", dropped = "D2", drop_box = "D3"} signed by flo as viewer',
        "dan accept_fill F-000002 occurred 2026-03-02 12:10", "fact drop_box D1 slips",
    ], ["['F-000002']"]),
    Tried("its box was counted before it was told", "practice", [
        *_BOXES, 'ned count_box D1 {team = ["ned", "nia"]}', "sign by nia as second {cash = {}}",
        "sign by cy as cage {cash = {}}", "dan accept_fill F-000002 occurred 2026-03-02 12:10",
    ], ["incident practice: the box in which its slip is was counted before it was told: F-000002"]),
    Tried("its box was counted and is on the table again", "practice", [
        *_BOXES, 'ned count_box D1 {team = ["ned", "nia"]}', "sign by nia as second {cash = {}}",
        "sign by cy as cage {cash = {}}",
        'ned drop_table T1 {shift = "day", dropped = "D2", drop_box = "D1"} signed by flo as viewer',
        "dan accept_fill F-000002 occurred 2026-03-02 12:10",
    ], ["incident practice: the box in which its slip is was counted before it was told: F-000002"]),
    Tried("its table has no box any more", "practice", [
        *_BOXES[:-2], 'flo take_out_of_service T1 {reason = "fire"}',
        'ned drop_table T1 {shift = "day", dropped = "D1", no_box = true} signed by flo as viewer',
        "at 2026-03-02 12:30", "dan accept_fill F-000002 occurred 2026-03-02 12:10", "fact drop_box D1 slips",
    ], ["['F-000002']"]),
    Tried("a drop told late leaves later slips to the new box", "practice", [
        *_BOXES[:-2], "at 2026-03-02 12:30", "dan accept_fill F-000002", "at 2026-03-02 12:40",
        ('ned drop_table T1 {shift = "day", dropped = "D1", drop_box = "D2"} signed by flo as viewer'
        " occurred 2026-03-02 12:20"), "fact drop_box D2 slips",
    ], ["['F-000002']"]),
    Tried("and earlier ones in the old box", "practice", [
        *_BOXES[:-2], "at 2026-03-02 12:30", "dan accept_fill F-000002", "at 2026-03-02 12:40",
        ('ned drop_table T1 {shift = "day", dropped = "D1", drop_box = "D2"} signed by flo as viewer'
        " occurred 2026-03-02 12:35"), "fact drop_box D1 slips",
    ], ["['F-000002']"]),
    # An outage in which nothing was done
    Tried("an outage in which nothing was done", "practice", [
        "at 2026-03-02 13:00", 'flo record_outage {reason = "power out"} occurred 2026-03-02 12:30',
        "flo enter_outage O-000001 {} signed by olga as second",
    ], []),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_was_silent_is_told(case: Tried) -> None:
    case.check()


def _older_pages() -> ActRules:
    """The pages of good practice without what is asked since."""
    rules = office_of("section2")
    pages = rules.pages
    acts = dict(pages.acts)
    for name, act in acts.items():
        fields = {key: replace(field, repeated="", repeated_with="") for key, field in act.fields.items()}
        enters = replace(act.enters, left=(), gone="") if act.enters else None
        batch = replace(act.batch, is_quiet=False) if act.batch else None
        acts[name] = replace(act, fields=fields, enters=enters, batch=batch)
    things = {key: replace(thing, recalls=()) for key, thing in pages.things.items()}
    clocks = {key: clock for key, clock in pages.clocks.items() if not clock.while_in}
    return replace(rules, pages=replace(pages, acts=acts, things=things, clocks=clocks))


def test_pages_that_do_not_ask_are_as_before() -> None:
    day = Day(_older_pages())
    lines = """
    office section2
    facility zone="America/Denver" areas=["pit-1"]
    people olga=owner cy=cashier cal=accountant flo=floorperson
    at 2026-03-02 12:00
    """
    for step in steps_of("\n".join(line.strip() for line in lines.splitlines())):
        list(day.do(step.text))
    assert not list(day.do(_DELIVERY))
    assert not list(day.do(_DELIVERY)), "one note for two deliveries"
    assert not list(day.do("olga enter_drop_box D1"))
    box = day.state.thing("drop_box", "D1")
    assert box is not None
    assert "earlier" not in box.facts
    list(day.do("at 2026-03-02 13:00"))
    list(day.do('flo record_outage {reason = "power out"} occurred 2026-03-02 12:30'))
    (said,) = day.do("flo enter_outage O-000001 {} signed by olga as second")
    assert "0 acts told from 0 manual slips" in said
