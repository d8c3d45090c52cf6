"""What a compliance director tried on a walk through cage, credit, keys, count room, rota and patrons.

Each was accepted once, with no incident. The lawful way beside a fraud is done, too.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts.check import office_problems
from passline.acts.rules import ActRules, office_of
from passline.acts.views.forms import act_form
from passline.office.trial import TrialOffice
from passline.office.views.cash import cash_of_acts
from passline.office.views.day_forms import forms_of_day
from passline.office.views.day_report import office_day
from tests.office.cage_story import count, house_with, opened_cage
from tests.office.credit_story import draw_marker, open_house

_SECOND: dict[str, Any] = {"signs": "second", "signed_by": "cal"}
_ASKED: dict[str, Any] = {"patron": "P1", "asked": 3_000_00, "identified": True, "bank": "good", "signed": True}
_OWN_WISH: dict[str, Any] = {
    "reason": "asked for it",
    "by_whom": "patron",
    "list": "self-excluded",
    "until": "2031-01-01",
}


def _with_patron(*books: str) -> TrialOffice:
    office = opened_cage(*books)
    office.do("cora", "enter_patron", "P1", name="Ann")
    return office


def _money(office: TrialOffice, place: str) -> int:
    return office.state.stocks["cash"].get(place, {}).get("1", 0)


# Credit


@pytest.mark.parametrize("chips", [1, 59])
def test_a_marker_is_not_made_void_against_fewer_chips_than_are_owed(chips: int) -> None:
    """Attack: 1,500.00 in chips go, 25.00 come back, and nobody owes the rest on a marker that is void."""
    office = open_house()
    draw_marker(office, 60)
    said: dict[str, Any] = {"table": "craps-1", "marked": True, "reason": "the wrong patron"}
    told = office.do("flo", "void_marker", "M-000001", units={"2500": chips}, **said)
    assert told.startswith("refused: marker M-000001 has 1500.00 of markers that are not paid on record"), told
    assert told.endswith(", and all of it goes [practice]")
    assert "recorded" in office.do("flo", "void_marker", "M-000001", units={"2500": 60}, **said)


def test_a_marker_is_not_written_off_in_part() -> None:
    """Attack: 1.00 is written off, and the marker with the rest is at its end."""
    office = open_house()
    draw_marker(office, 60)
    office.do("cy", "transfer_markers", "M-000001", signs="pit", signed_by="flo")
    said: dict[str, Any] = {"reason": "letters, a lawyer, nothing left"}
    assert "all of it goes" in office.do("olga", "write_marker_off", "M-000001", amount=1_00, **said)
    assert "recorded" in office.do("olga", "write_marker_off", "M-000001", amount=1_500_00, **said)


def test_who_took_an_application_neither_signs_the_credit_nor_raises_it() -> None:
    """Attack: the officer who brings the patron signs as the second of two, or raises the limit the day after."""
    office = _with_patron("credit")
    office.do("cora", "apply_for_credit", **_ASKED)
    assert "more than" in office.do("acc", "approve_credit", "CR-000001", limit=3_000_01)
    office.do("acc", "approve_credit", "CR-000001", limit=3_000_00)
    assert "Cora has had a hand in it before" in office.sign("cora", "second")
    assert "is approved" in office.sign("olga", "second")
    raised: dict[str, Any] = {"more": 9_000_00, "reason": "plays well"}
    assert "does not raise it" in office.do("cora", "raise_limit", "CR-000001", **raised)
    office.do("acc", "raise_limit", "CR-000001", **raised)
    assert "Cora has had a hand in it before" in office.sign("cora", "second")
    assert "is approved" in office.sign("olga", "second")


def test_who_took_an_application_does_not_review_the_credit() -> None:
    office = _with_patron("credit")
    office.do("cora", "apply_for_credit", **_ASKED)
    office.do("acc", "approve_credit", "CR-000001", limit=3_000_00, signs="second", signed_by="olga")
    looked: dict[str, Any] = {"bank": "good, 2026-09-03", "finding": "it stays"}
    assert "does not review it" in office.do("cora", "review_credit", "CR-000001", **looked)
    office.do("acc", "review_credit", "CR-000001", **looked)
    assert "Cora has had a hand in it before" in office.sign("cora", "second")
    assert "signed act" in office.sign("olga", "second")


def test_who_suspended_a_credit_does_not_let_it_be_drawn_again() -> None:
    office = open_house()
    office.do("cora", "suspend_credit", "CR-000001", reason="a returned cheque")
    resumed: dict[str, Any] = {"reason": "it was paid"}
    assert "does not resume it" in office.do("cora", "resume_credit", "CR-000001", **resumed)
    assert "recorded" in office.do("acc", "resume_credit", "CR-000001", **resumed)
    assert "is approved" in office.sign("olga", "second")


def test_front_money_is_paid_back_only_against_the_patrons_signature_on_its_slip() -> None:
    """Attack: a cashier and a supervisor pay front money out of the drawer to themselves, and nobody has signed."""
    office = _with_patron("credit")
    office.do("cy", "deposit_front_money", patron="P1", amount=500_00, **_SECOND)
    paid: dict[str, Any] = {"patron": "P1", "amount": 200_00, "identified": True, **_SECOND}
    missing = "refused: signed: is missing: the patron has signed for what was paid [practice]"
    assert office.do("cy", "withdraw_front_money", **paid) == missing
    assert office.do("cy", "withdraw_front_money", signed=False, **paid).startswith("refused: signed: ")
    assert _money(office, "drawer/D1") == 10_500_00
    assert "recorded" in office.do("cy", "withdraw_front_money", signed=True, **paid)
    assert _money(office, "drawer/D1") == 10_300_00
    one = office_day(office.rules, office.state, date(2026, 3, 2), office.events)
    (back,) = [form for form in forms_of_day(one) if form.form == "front_money_back"]
    original, duplicate = act_form(one, back.form, one.acts[int(back.number)], None)
    assert original.facts[-1] == ("signature of the patron", "")
    assert ("what was paid", "$200.00") in original.facts
    assert (original.copy, duplicate.copy) == (
        "Original: stays in the cage, signed by the patron",
        "Duplicate: to the patron",
    )


def test_nobody_is_struck_off_who_owes_the_house_or_has_money_with_it() -> None:
    """Attack: a debtor is struck off as a mistake, and nobody is asked for the marker any more."""
    office = open_house()
    office.do("cora", "enter_patron", "P2", name="Bea")
    office.do("cy", "deposit_front_money", patron="P2", amount=5_00, **_SECOND)
    office.go_to("2026-03-04", "12:00")
    told = office.do("cora", "strike_patron", "P1", reason="mistake")
    assert told == "refused: patron P1: has a credit: close it first (1, at most 0) [practice]"
    told = office.do("cora", "strike_patron", "P2", reason="mistake")
    assert told == "refused: patron P2: has front money with the house: pay it back first [practice]"


# The cage


def test_money_goes_out_of_a_drawer_and_into_it_with_whoever_has_it_in_hand() -> None:
    """Attack: two colleagues write 100.00 down as taken from Cy's drawer, or given to it, while Cy is at lunch."""
    office = _with_patron()
    count(office, "count_vault", "cal", "acc", notes={"10000": 400})
    office.do("acc", "enter_drawer", "D2", imprest=0)
    count(office, "open_drawer", "cal", "acc", "D2", notes={"10000": 0})
    hundred: dict[str, Any] = {"notes": {"10000": 1}}
    elsewhere = "refused: drawer D1: it is in somebody else's hands, who gives money out of it"
    assert office.do("cal", "return_money", "D1", **hundred).startswith(elsewhere)
    assert office.do("cal", "pass_money", "D1", receiver="D2", **hundred).startswith(elsewhere)
    office.do("cal", "issue_money", "D1", **hundred)
    assert "Acc is not among them: cashiers" in office.sign("acc", "holder")
    assert "D1 is open" in office.sign("cy", "holder")
    office.do("cy", "pass_money", "D1", receiver="D2", **hundred)
    assert "Cam is not among them" in office.sign("cam", "holder")
    assert "D1 is open" in office.sign("cal", "holder")
    assert "recorded" in office.do("cy", "return_money", "D1", signs="holder", signed_by="acc", **hundred)
    assert (_money(office, "drawer/D1"), _money(office, "drawer/D2")) == (9_900_00, 100_00)


def test_cash_for_the_same_cheque_again_is_looked_into_also_under_another_name() -> None:
    office = _with_patron()
    office.do("cora", "enter_patron", "P2", name="Bea")
    paid: dict[str, Any] = {"amount": 100_00, "form": "cheque", **_SECOND}
    assert "Incident" not in office.do(
        "cy", "cash_instrument", signed=True, reference="First Bank 1001", patron="P1", **paid
    )
    assert "Incident" not in office.do(
        "cy", "cash_instrument", signed=True, reference="First Bank 1002", patron="P1", **paid
    )
    again = office.do("cy", "cash_instrument", signed=True, reference="first bank 1001", patron="P2", **paid)
    assert "Incident I-1: cash was paid before for a cheque, card voucher or wire of that bank and number" in again


def test_who_is_kept_away_gets_no_cash_for_a_cheque() -> None:
    office = _with_patron()
    office.do("flo", "bar_patron", "P1", **_OWN_WISH)
    told = office.do(
        "cy", "cash_instrument", signed=True, amount=100_00, form="cheque", reference="First Bank 1", patron="P1"
    )
    assert told == "refused: patron P1: is barred from the games [practice]"


def test_cash_for_something_else_is_cash_of_its_patron() -> None:
    """Attack: 99,000.00 in notes are taken in for a party, and no figure of reports has them."""
    office = _with_patron()
    said: dict[str, Any] = {"reason": "a party", "patron": "P1", "signs": "second", "signed_by": "sam"}
    office.do("cy", "take_in", amount=99_000_00, form="cash", **said)
    office.do("cy", "take_in", amount=5_00, form="cheque", **said)
    office.do("cy", "pay_out", amount=20_00, signed=True, **said)
    parts = [*cash_of_acts(office.rules, (event for _, event in office.events), {})]
    assert [(part.who, part.cents) for part in parts] == [("patron/P1", 99_000_00), ("patron/P1", -20_00)]


def test_a_page_says_what_is_cash_by_a_choice_that_there_is() -> None:
    rules = office_of("section2", "cage")
    act = rules.pages.acts["take_in"]
    assert act.cash is not None
    for only, problem in (("form.gold", "choice of form"), ("forms.cash", "field")):
        told = replace(act, cash=replace(act.cash, only=only))
        pages = replace(rules.pages, acts={**rules.pages.acts, "take_in": told})
        found = office_problems(ActRules(rules.name, rules.digest, pages))
        assert any("acts.take_in.cash" in line and problem in line for line in found), found


# Keys, boxes, the rota


def test_nobody_makes_a_sensitive_key_a_plain_one() -> None:
    """Attack: the key of the boxes' contents is entered as a plain one; a counter takes it alone."""
    office = house_with("keys")
    said: dict[str, Any] = {"opens": "all boxes", "kind": "drop box contents"}
    told = office.do("olga", "enter_key", "K1", plain=True, by_two=True, **said)
    assert told.startswith("refused: key K1: what it opens is sensitive: one person alone takes no such key")
    assert "recorded" in office.do("olga", "enter_key", "K1", **said)


def test_a_box_that_is_counted_on_its_way_is_looked_into() -> None:
    office = house_with()
    for box in ("D1", "D2"):
        office.do("olga", "enter_drop_box", box)
    office.do("flo", "attach_drop_box", "craps-1", drop_box="D1")
    dropped: dict[str, Any] = {"shift": "day", "dropped": "D1", "drop_box": "D2", "signs": "viewer", "signed_by": "flo"}
    office.do("ned", "drop_table", "craps-1", **dropped)
    away: dict[str, Any] = {"boxes": ["D1"], "bound_for": "the count room", "signs": "escort", "signed_by": "nia"}
    office.do("ned", "take_boxes", **away)
    counted: dict[str, Any] = {"cash": {"10000": 1}, "team": ["ned", "nia"]}
    told = office.do("ned", "count_box", "D1", **counted)
    assert "drop box D1: it was taken away, and nobody has received it in the count room" in told
    office.do("ned", "receive_boxes", "B-000001", all_there=True, signs="bearer", signed_by="nia")
    assert "Incident" not in office.do("ned", "count_box", "D1", **counted)


@pytest.mark.parametrize("act", ["enter_rota", "plan_rota_again"])
def test_a_rota_is_not_planned_for_a_day_that_is_over(act: str) -> None:
    """Attack: after a shift somebody plans the rota as the crew has really dealt, and no change of it shows."""
    office = house_with()
    plan: dict[str, Any] = {"rota_box": ["bob"], "rota_dealers": ["dan"], "rota_places": 1, "rota_minutes": 20}
    where: dict[str, Any] = {"table": "craps-1", "rota_shift": "day"}
    assert "is planned" in office.do("flo", "enter_rota", "r1", rota_day="2026-03-02", **where, **plan)
    thing = "r1" if act == "plan_rota_again" else "r2"
    again = plan if act == "plan_rota_again" else plan | where
    told = office.do("flo", act, thing, rota_day="2026-03-01", **again)
    assert told == "refused: rota_day: 2026-03-01 is over: it is the gaming day 2026-03-02 [form]"


def test_a_rota_that_was_dropped_is_planned_anew() -> None:
    office = house_with()
    plan: dict[str, Any] = {"rota_box": ["bob"], "rota_dealers": ["dan"], "rota_places": 1, "rota_minutes": 20}
    office.do("flo", "enter_rota", "r1", rota_day="2026-03-02", table="craps-1", rota_shift="day", **plan)
    assert "is dropped" in office.do("flo", "drop_rota", "r1")
    assert "is planned" in office.do("flo", "plan_rota_again", "r1", rota_day="2026-03-09", **plan)


# People


def test_nobody_alone_lets_a_suspended_employee_back() -> None:
    office = house_with()
    office.do("olga", "enter_employee", "cy", post="cashier")
    office.do("cora", "suspend_employee", "cy", reason="theft")
    office.do("cora", "return_employee", "cy")
    assert "is suspended" in office.do("cy", "count_cage", units={"2500": 1}), "it waits for somebody who agrees"
    assert "cy is off duty" in office.sign("olga", "second")


def test_who_is_barred_again_stays_away_as_long_as_before() -> None:
    """Attack: a floorperson bars a self-excluded patron anew, for the house, until tonight."""
    office = _with_patron()

    def known() -> dict[str, Any]:
        return office.state.things["patron/P1"].facts

    office.do("flo", "bar_patron", "P1", **_OWN_WISH)
    anew: dict[str, Any] = {"reason": "loud", "by_whom": "house", "list": "of the house"}
    assert "is over" in office.do("flo", "bar_patron", "P1", until="2026-03-01", **anew)
    office.do("flo", "bar_patron", "P1", until="2026-03-02", **anew)
    assert (known()["by_whom"], known()["list"], known()["until"]) == ("patron", "self-excluded", "2031-01-01")
    assert office.do("cy", "sell_chips", units={"2500": 1}, patron="P1").startswith("refused")
    office.do("flo", "bar_patron", "P1", reason="a court says so", by_whom="law", until="2033-01-01")
    assert (known()["by_whom"], known()["until"]) == ("law", "2033-01-01")
    office.do("flo", "bar_patron", "P1", reason="for ever", by_whom="law")
    office.do("flo", "bar_patron", "P1", reason="loud", by_whom="house", until="2026-03-03")
    assert known()["until"] == "", "it has no last day"
    untils = {whom: record["until"] for whom, record in known()["bars"].items()}
    assert untils == {"patron": "2031-01-01", "house": "2026-03-03", "law": ""}


def test_two_let_a_patron_in_again_and_before_the_end_of_a_self_exclusion_it_is_looked_into() -> None:
    office = _with_patron()
    office.do("flo", "bar_patron", "P1", **_OWN_WISH)
    told = office.do("cora", "admit_patron", "P1", reason="friend of mine", by_whom="patron")
    assert "Incident I-1: patron P1: is kept away by own wish until a day that is not over [practice]." in told
    assert office.do("cy", "sell_chips", units={"2500": 1}, patron="P1").startswith("refused"), "one person's word"
    assert office.sign("cora", "second").startswith("refused")
    office.sign("olga", "second")
    assert "recorded" in office.do("cy", "sell_chips", units={"2500": 1}, patron="P1")
    office.do("flo", "bar_patron", "P1", reason="loud", by_whom="house", until="2026-03-05")
    assert office.state.things["patron/P1"].facts["until"] == "2026-03-05", "what was before does not count any more"
    assert "Incident" not in office.do("cora", "admit_patron", "P1", reason="a mistake", by_whom="house")
