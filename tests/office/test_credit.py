"""Credit, markers and front money: approved by two, drawn at a table, paid, aged, and conserved in chips and in win."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.check import office_problems
from passline.acts.rules import ActRules, office_of
from passline.acts.views.forms import thing_form
from passline.bookkeeping.win import table_results
from passline.office.ledgers.paper_trail import PaperTrail
from passline.office.trial import TrialOffice
from passline.office.views.cage import aging_table, tables_of_day
from passline.office.views.day_forms import forms_of_day
from passline.office.views.day_report import office_day
from passline.rules.clauses import REGULATIONS
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from tests.office.cage_story import HARBOUR, count, opened_cage
from tests.office.credit_story import MARKER_PARTS, draw_marker, open_house

_DAY = date(2026, 3, 2)
_ASKED: dict[str, Any] = {"asked": 3_000_00, "identified": True, "bank": "good", "signed": True}


def _money(office: TrialOffice, stock: str, place: str) -> int:
    return office.state.stocks.get(stock, {}).get(place, {}).get("1", 0)


def _pay_in_chips(office: TrialOffice, chips: int) -> None:
    said: dict[str, Any] = {"table": "craps-1", "units": {"2500": chips}, "signs": "dealer", "signed_by": "dan"}
    assert "recorded" in office.do("flo", "pay_marker_in_chips", "M-000001", **said)


def test_the_pages_of_every_regulation_take_the_book_and_no_text_forbids_credit() -> None:
    assert not [problem for name in REGULATIONS for problem in office_problems(office_of(name, "cage", "credit"))]
    _, breaches = house_of(rulebook_of("maryland"), {"rules": "maryland", "office": {"books": ["credit"]}})
    assert "cannot be kept without cage" in str(breaches[0])


def test_credit_is_approved_by_two_others_than_who_asked_and_up_to_its_limit() -> None:
    office = opened_cage("credit")
    office.do("cora", "enter_patron", "P1", name="Ann")
    asked: dict[str, Any] = {"patron": "P1", "asked": 3_000_00, "identified": True, "bank": "good", "signed": True}
    office.do("cora", "apply_for_credit", **asked)
    assert "does not approve it" in office.do("cora", "approve_credit", "CR-000001", limit=1_00)
    assert "has a credit already" in office.do("cal", "apply_for_credit", **asked)
    too_much = office.do("acc", "approve_credit", "CR-000001", limit=9_000_00)
    assert too_much.startswith("refused: limit: $9000.00 is more than $"), too_much
    office.do("acc", "approve_credit", "CR-000001", limit=2_000_00)
    assert office.sign("acc", "second").startswith("refused"), "nobody approves alone"
    assert "is approved" in office.sign("olga", "second")


def test_an_application_is_printed_with_its_limit_and_a_line_for_the_patron() -> None:
    office = open_house()
    one = office_day(office.rules, office.state, _DAY, office.events)
    (form,) = [form for form in forms_of_day(one) if form.form == "credit_application"]
    acts = [act for act in one.acts.values() if "CR-000001" in act.done.things]
    known = office.state.thing("credit", "CR-000001")
    assert known is not None
    (sheet,) = thing_form(one, form.form, known, acts, None)
    facts = dict(sheet.facts)
    assert (facts["asked for"], facts["approved up to"]) == ("$3,000.00", "$2,000.00")
    assert facts["signature of the patron"] == ""
    assert {"Cal", "Acc", "Cora"} <= {line.given[1] for line in sheet.signatures if line.given}


def test_a_page_names_a_stock_that_there_is_and_states_in_which_a_credit_lasts() -> None:
    rules = office_of("section2", "cage", "credit")
    stock, thing = rules.pages.stocks["credit"], rules.pages.things["credit"]
    pages = replace(
        rules.pages,
        stocks={**rules.pages.stocks, "credit": replace(stock, drawn="markers")},
        things={**rules.pages.things, "credit": replace(thing, lasting=("granted",))},
    )
    found = "\n".join(office_problems(ActRules(rules.name, rules.digest, pages)))
    assert "stocks.credit.drawn" in found
    assert "things.credit" in found


def test_a_marker_takes_chips_from_the_tray_and_no_more_than_the_credit_has() -> None:
    office = open_house()
    assert "is issued" in draw_marker(office, 60)
    assert office.state.stocks["chips"]["table/craps-1"] == {"2500": 140}
    assert (_money(office, "marker", "marker/M-000001"), _money(office, "credit", "credit/CR-000001")) == (
        1_500_00,
        500_00,
    )
    limit = "credit of a patron CR-000001 has a limit of $2000.00, of which $1500.00 is outstanding"
    assert draw_marker(office, 40) == f"refused: {limit}: $500.00 is left, not $1000.00 [nigc 542.15]"
    assert "parts: " in draw_marker(office, 1, parts=["original"])
    office.do("cora", "suspend_credit", "CR-000001", reason="a returned cheque")
    assert "is suspended" in draw_marker(office, 1)


@pytest.mark.parametrize(("chips", "is_issued"), [(19, True), (20, True), (21, False)])
def test_markers_come_to_the_limit_and_to_no_chip_more(chips: int, is_issued: bool) -> None:  # noqa: FBT001 - a case
    """Of 2,000.00 on one credit 1,500.00 is drawn; what another patron owes on another is no part of it."""
    office = open_house()
    office.do("cora", "enter_patron", "P2", name="Bea")
    office.do("cal", "apply_for_credit", patron="P2", **_ASKED)
    office.do("acc", "approve_credit", "CR-000002", limit=700_00, signs="second", signed_by="cora")
    assert "is issued" in draw_marker(office, 8, credit="CR-000002", patron="P2")
    draw_marker(office, 60)
    assert ("is issued" in draw_marker(office, chips)) == is_issued
    assert "$700.00, of which $200.00 is outstanding: $500.00 is left, not $525.00" in draw_marker(
        office, 21, credit="CR-000002", patron="P2"
    )


def test_of_two_markers_that_wait_together_only_one_fits() -> None:
    """Attack: two floorpersons draw 1,500.00 each on 2,000.00 before either marker is signed."""
    office = open_house()
    said: dict[str, Any] = {"table": "craps-1", "credit": "CR-000001", "patron": "P1", "units": {"2500": 60}}
    both = [office.do(by, "issue_marker", **said, signed=True, parts=MARKER_PARTS) for by in ("flo", "sam")]
    assert "refused" not in both[0]
    told = [office.sign(*by) for by in (("dan", "dealer"), ("cal", "second"), ("dan", "dealer"), ("cal", "second"))]
    assert sum("is issued" in each for each in told) == 1, (both, told)
    assert _money(office, "credit", "credit/CR-000001") == 500_00


def test_a_limit_is_lowered_by_one_and_raised_by_two_and_markers_follow() -> None:
    office = open_house()
    draw_marker(office, 20)
    lowered = office.do("acc", "lower_limit", "CR-000001", less=1_500_01, reason="slow to pay")
    assert "$2000.00, of which $500.00 is outstanding: $1500.00 is left, not $1500.01" in lowered
    office.do("acc", "lower_limit", "CR-000001", less=1_400_00, reason="slow to pay")
    assert "has a limit of $600.00, of which $500.00 is outstanding" in draw_marker(office, 5)
    office.do("acc", "raise_limit", "CR-000001", more=25_00, reason="paid in time")
    assert "has a limit of $600.00" in draw_marker(office, 5), "one person raises nothing"
    assert "refused" in office.sign("acc", "second")
    assert "is approved" in office.sign("olga", "second")
    assert "is issued" in draw_marker(office, 5)


def test_a_patron_who_is_known_twice_has_one_credit() -> None:
    """Attack: a patron with a credit asks for another under a second name that the office has linked to the first."""
    office = open_house()
    office.do("cora", "enter_patron", "P2", name="Anne")
    office.do("cora", "link_patron", "P1", walk_ins=["P2"])
    told = office.do("cal", "apply_for_credit", patron="P2", **_ASKED)
    assert told.startswith("refused: "), told
    assert "the patron has a credit already (CR-000001)" in told


def test_credit_is_reviewed_where_the_house_elects_it_and_nobody_draws_on_one_that_is_overdue() -> None:
    office = open_house()
    assert "credit_reviewed" not in {due.clock for due in office.today.due}, "nobody has elected it"
    office.set_value("olga", "credit_review", {"count": 6, "unit": "months"})
    assert "2026-09-03 00:00" in {due.due[:16] for due in office.today.due if due.clock == "credit_reviewed"}
    office.go_to("2026-09-02", "23:59")
    assert "is issued" in draw_marker(office, 1)
    office.go_to("2026-09-03", "00:00")
    told = draw_marker(office, 1)
    assert "credit of a patron CR-000001: its review, which the house elects, is overdue" in told, told
    looked: dict[str, Any] = {"bank": "good, 2026-09-03", "finding": "it stays"}
    office.do("acc", "review_credit", "CR-000001", **looked)
    assert "overdue" in draw_marker(office, 1), "one person reviews nothing"
    assert "signed act" in office.sign("cora", "second")
    assert "is issued" in draw_marker(office, 1)
    assert "2027-03-04" in {due.due[:10] for due in office.today.due if due.clock == "credit_reviewed"}


def test_a_marker_is_paid_in_parts_at_the_table_and_in_the_cage_and_given_back() -> None:
    office = open_house()
    draw_marker(office, 60)
    office.do(
        "flo", "pay_marker_in_chips", "M-000001", table="craps-1", units={"2500": 20}, signs="dealer", signed_by="dan"
    )
    office.do("cy", "transfer_markers", "M-000001", signs="pit", signed_by="flo")
    pays: dict[str, Any] = {"patron": "P1", "signs": "second", "signed_by": "cal"}
    office.do("cy", "pay_marker", "M-000001", amount=400_00, **pays)
    assert "is not paid in full" in office.do("cy", "give_marker_back", "M-000001", signed=True)
    assert "has 600.00 of markers" in office.do("cy", "pay_marker", "M-000001", amount=700_00, **pays)
    office.do("cy", "pay_marker", "M-000001", amount=600_00, not_cash=True, form="cheque", **pays)
    assert "is paid" in office.do("cy", "give_marker_back", "M-000001", signed=True)
    assert _money(office, "credit", "credit/CR-000001") == 2_000_00
    assert (_money(office, "cash", "drawer/D1"), _money(office, "cheque", "drawer/D1")) == (10_400_00, 600_00)


def test_a_void_gives_everything_back_and_keeps_its_number() -> None:
    office = open_house()
    draw_marker(office, 60)
    said: dict[str, Any] = {"table": "craps-1", "units": {"2500": 60}, "marked": True, "reason": "the wrong patron"}
    office.do("flo", "void_marker", "M-000001", **said)
    office.sign("dan", "dealer")
    assert "is void" in office.sign("cal", "second")
    assert office.state.stocks["chips"]["table/craps-1"] == {"2500": 200}
    assert _money(office, "credit", "credit/CR-000001") == 2_000_00
    assert "M-000002 is issued" in draw_marker(office, 1)


def test_two_owners_write_a_marker_off_and_it_is_looked_into() -> None:
    office = open_house()
    draw_marker(office, 60)
    office.do("cy", "transfer_markers", "M-000001", signs="pit", signed_by="flo")
    said: dict[str, Any] = {"amount": 1_500_00, "reason": "letters, a lawyer, nothing left"}
    assert office.do("acc", "write_marker_off", "M-000001", **said).startswith("refused")
    office.do("olga", "write_marker_off", "M-000001", **said)
    told = office.sign("oskar", "second")
    assert "is written off" in told.replace("_", " ")
    assert "a marker was written off" in told
    assert _money(office, "credit", "credit/CR-000001") == 500_00, "what was lost is not drawn again"


def test_win_counts_a_marker_as_a_credit_and_its_sheet_says_the_statistical_drop() -> None:
    office = open_house()
    draw_marker(office, 60)  # 1,500.00, of which 1,000.00 comes back over the layout and 200.00 as a payment
    office.do(
        "flo", "pay_marker_in_chips", "M-000001", table="craps-1", units={"2500": 8}, signs="dealer", signed_by="dan"
    )
    office.go_to("2026-03-02", "13:50")
    count(office, "count_closer", "dan", "bob", "craps-1", chips={"2500": 188}, shift="day")
    (shift,) = table_results(office.events, HARBOUR)
    assert (shift.opener, shift.closer, shift.credits) == (5_000_00, 4_700_00, 1_300_00)
    assert shift.closer + shift.credits + shift.drop - shift.opener - shift.fills == 1_000_00
    one = office_day(office.rules, office.state, _DAY, office.events)
    tables = {table.title.partition(":")[0].partition(",")[0]: table.rows for table in tables_of_day(one)}
    assert tables["Statistical drop"] == (("craps-1", 0, 1_500_00, 1_500_00),)
    assert ("marker M-000001", "markers that are not paid", 0, 1_500_00, 200_00, 0, 1_300_00) in tables["Markers"]
    chips = office.state.stocks["chips"]
    assert sum(units.get("2500", 0) for units in chips.values()) == 0, "chips are conserved"


def test_the_ledger_of_a_live_table_gives_and_takes_the_same_chips() -> None:
    office = open_house()
    draw_marker(office, 60)
    office.do(
        "flo", "pay_marker_in_chips", "M-000001", table="craps-1", units={"2500": 8}, signs="dealer", signed_by="dan"
    )
    trail = PaperTrail()
    papers = [paper for number, (_, event) in enumerate(office.events) for paper in trail.take(number, [event])]
    assert [(paper.paper, paper.cents, paper.about) for paper in papers[-2:]] == [
        ("credit", 1_500_00, "M-000001"),
        ("credit_back", 200_00, "M-000001"),
    ]


def test_markers_age_and_one_that_is_overdue_is_due_on_today() -> None:
    office = open_house()
    draw_marker(office, 20)
    rows = aging_table(office.state, HARBOUR, date(2026, 4, 5)).rows
    assert rows[0] == ("M-000001", "P1", "at craps-1", "2026-03-02", 34, "31 to 60 days", 500_00)
    assert [row[-1] for row in rows[1:]] == [0, 500_00, 0, 0]
    office.go_to("2026-04-05", "09:00")
    assert {"A marker is paid", "A marker is paid or comes into the cage"} <= {due.name for due in office.today.due}


def test_front_money_is_left_drawn_at_a_table_and_paid_back_and_never_more_than_there_is() -> None:
    office = open_house()
    second: dict[str, Any] = {"signs": "second", "signed_by": "cal"}
    office.do("cy", "deposit_front_money", patron="P1", amount=1_000_00, **second)
    office.do("cy", "deposit_front_money", patron="P1", amount=250_00, not_cash=True, form="wire", **second)
    said: dict[str, Any] = {
        "table": "craps-1",
        "patron": "P1",
        "units": {"2500": 30},
        "signed": True,
        "parts": MARKER_PARTS,
    }
    office.do("flo", "withdraw_at_table", **said)
    office.sign("dan", "dealer")
    assert "W-000001 is issued" in office.sign("cal", "cage")
    office.do("flo", "deposit_at_table", table="craps-1", patron="P1", units={"2500": 4})
    office.sign("dan", "dealer")
    office.sign("cal", "cage")
    assert _money(office, "front_money", "patron/P1") == 600_00
    takes: dict[str, Any] = {"patron": "P1", "identified": True, **second}
    unsigned = office.do("cy", "withdraw_front_money", amount=600_00, **takes)
    assert unsigned.startswith("refused: signed: is missing: the patron has signed"), unsigned
    takes["signed"] = True
    assert "patron P1 has 600.00 of front money" in office.do("cy", "withdraw_front_money", amount=700_00, **takes)
    assert "recorded" in office.do("cy", "withdraw_front_money", amount=600_00, **takes)
    assert _money(office, "cash", "drawer/D1") == 10_400_00
    office.do("flo", "bar_patron", "P1", reason="asked for it", by_whom="patron")
    barred = office.do("cy", "deposit_front_money", patron="P1", amount=1_00)
    assert barred.startswith("refused: patron P1: is barred from the games")
    assert "is barred from the games" in draw_marker(office, 1)


def test_no_marker_number_is_missing() -> None:
    office = open_house()
    for _ in range(3):
        draw_marker(office, 4)
    made = [
        event.things[0] for _, event in office.events if isinstance(event, e.ActDone) and event.act == "issue_marker"
    ]
    assert made == ["M-000001", "M-000002", "M-000003"]
