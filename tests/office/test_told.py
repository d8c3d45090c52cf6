"""Facts of a pit that could not be told: each is recorded now, the chips are conserved and the results are right."""

from __future__ import annotations

from typing import Any

import pytest

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.clocks import clocks_at
from passline.acts.papers.sheet import sheet_of
from passline.acts.rules import office_of
from passline.acts.state import INCIDENT
from passline.bookkeeping.win import TableResult, table_results
from passline.office.ledgers.paper_trail import PaperTrail
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS
from tests.office.bookkeeping import KeptOffice
from tests.office.offices import known_house

_PEOPLE = {
    "olga": "owner", "cora": "compliance", "cy": "cashier", "cal": "cashier", "acc": "accountant", "dan": "dealer",
    "dora": "dealer", "bob": "boxperson", "flo": "floorperson", "fay": "floorperson", "gus": "security",
    "ned": "counter", "nia": "counter", "com": "regulator",
}  # fmt: skip
_DOCUMENT = "d" * 64


def _office(regulation: str) -> KeptOffice:
    """An office with chips in its cage, table T1 with $5,000 in its tray, open, and a box on it."""
    kept = KeptOffice(office_of(regulation), Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    kept.go_to("2026-03-07", "05:00")
    number: dict[str, dict[str, Any]] = {
        "colorado": {"number_on": "top surface", "length": 144},
        "maryland": {"length": 144},
    }
    kept.does("olga", "register_table", "T1", area="main floor", **number.get(regulation, {}))
    for box in ("D1", "D2"):
        kept.does("olga", "enter_drop_box", box)
    kept.does("flo", "attach_drop_box", "T1", drop_box="D1")
    kept.does("cy", "receive_chips", units={"500": 4000, "2500": 400}, delivery="note", signs=("acc", "witness"))
    kept.does("cy", "issue_chips", units={"500": 3000, "2500": 400}, signs=("acc", "witness"))
    _fill(kept, {"500": 1000})
    _count(kept, "opener", {"500": 1000})
    return kept


@pytest.fixture
def office() -> KeptOffice:
    return _office("section2")


def _send_fill(kept: KeptOffice, units: dict[str, int]) -> str:
    kept.does("flo", "request_fill", table="T1", units=units)
    slip = f"F-{kept.state.numbers['F']:06}"
    kept.does("cy", "prepare_fill", slip)
    kept.does("gus", "carry_fill", slip)
    return slip


def _fill(kept: KeptOffice, units: dict[str, int], came: dict[str, int] | None = None) -> str:
    slip = _send_fill(kept, units)
    told: dict[str, Any] = {} if came is None else {"units": came}
    kept.does("dan", "accept_fill", slip, **told)
    return slip


def _count(kept: KeptOffice, which: str, chips: dict[str, int]) -> None:
    kept.does("flo", f"count_{which}", "T1", chips=chips, shift="day")
    kept.signs("bob", "second", chips=chips)


def _chips(kept: KeptOffice, place: str) -> dict[str, int]:
    return kept.state.stocks["chips"].get(place, {})


def _result(kept: KeptOffice) -> TableResult:
    (result,) = table_results(kept.events, kept.facility)
    return result


def _whys(kept: KeptOffice) -> list[str]:
    return [str(incident.facts["why"]) for incident in kept.state.of_kind(INCIDENT)]


def _papers(kept: KeptOffice) -> list[tuple[str, int]]:
    """What a live table is told of its money."""
    trail = PaperTrail()
    found = [paper for number, done in enumerate(kept.done) for paper in trail.take(number, done.events)]
    return [(paper.paper, paper.cents) for paper in found]


def _assert_conserved(kept: KeptOffice) -> None:
    for unit in ("500", "2500"):
        assert sum(place.get(unit, 0) for place in kept.state.stocks["chips"].values()) == 0
    assert not _chips(kept, "transit")


@pytest.mark.parametrize(
    ("came", "unexplained"),
    [
        ({"500": 198}, {"500": 2}),
        ({"500": 203}, {"500": -3}),
        ({"500": 195, "2500": 1}, {"500": 5, "2500": -1}),
        ({"500": 0}, {"500": 200}),
    ],
)
def test_a_fill_that_came_short_or_over_is_accepted_as_it_came(
    office: KeptOffice, came: dict[str, int], unexplained: dict[str, int]
) -> None:
    _fill(office, {"500": 200}, came=came)
    cents = sum(int(unit) * count for unit, count in came.items())
    assert _result(office).fills == cents
    assert _papers(office)[-1] == ("fill", cents)
    assert _chips(office, "unexplained") == unexplained
    assert _chips(office, "table/T1")["500"] == 1000 + came.get("500", 0)
    assert any("what came is not what was sent" in why for why in _whys(office))
    _assert_conserved(office)


def test_a_fill_that_came_as_it_was_sent_opens_no_incident(office: KeptOffice) -> None:
    _fill(office, {"500": 200}, came={"500": 200})
    assert _result(office).fills == 1000_00
    assert not _whys(office)
    _assert_conserved(office)


def test_a_credit_that_came_short_stays_what_left_the_tray(office: KeptOffice) -> None:
    office.does("flo", "request_credit", table="T1", units={"500": 100})
    office.does("dan", "prepare_credit", "C-000001")
    office.does("gus", "carry_credit", "C-000001")
    office.does("cy", "accept_credit", "C-000001", units={"500": 99})
    assert _result(office).credits == 500_00
    assert _chips(office, "unexplained") == {"500": 1}
    assert any("what came is not what was sent" in why for why in _whys(office))
    _assert_conserved(office)


def test_a_fill_is_reversed_and_the_table_is_as_if_it_had_never_come(office: KeptOffice) -> None:
    before = (_chips(office, "table/T1"), _chips(office, "cage"))
    slip = _fill(office, {"500": 200})
    office.does("dora", "reverse_fill", slip, reason="it was for T2")
    assert _result(office).fills == 1000_00, "it waits for two signatures"
    office.signs("fay", "floor")
    office.signs("cal", "cage")
    assert _result(office).fills == 0
    assert (_chips(office, "table/T1"), _chips(office, "cage")) == before
    assert _papers(office)[-2:] == [("fill", 1000_00), ("credit", 1000_00)]
    assert not office.tries("dora", "reverse_fill", slip, reason="again")
    assert sum(act.cents for act in _result(office).acts if act.column == "fills") == 0
    _assert_conserved(office)


def test_a_short_fill_is_reversed_as_it_came(office: KeptOffice) -> None:
    slip = _fill(office, {"500": 200}, came={"500": 190})
    office.does("dora", "reverse_fill", slip, reason="it was for T2")
    office.signs("fay", "floor")
    office.signs("cal", "cage")
    assert _result(office).fills == 0
    assert _chips(office, "table/T1") == {"500": 1000}
    _assert_conserved(office)


def test_a_fill_whose_slip_was_filed_is_not_reversed(office: KeptOffice) -> None:
    """Its table and chips are in the log only: a credit takes the chips back."""
    slip = _fill(office, {"500": 200})
    office.go_to("2026-03-09", "12:00")
    office.send(c.LookRound())
    assert office.state.ended[f"fill_slip/{slip}"] == "accepted"
    answer = office.send(c.DoAct(act="reverse_fill", things=(slip,), fields={"reason": "late"}), "dora")
    assert isinstance(answer, Refused)
    assert "nothing more is done to it" in answer.refusals[0].why


def test_an_even_exchange_changes_denominations_and_no_result(office: KeptOffice) -> None:
    office.does("bob", "even_exchange", "T1", given={"500": 50}, taken={"2500": 10})
    office.signs("cy", "cage")
    office.signs("gus", "runner")
    assert _chips(office, "table/T1") == {"500": 950, "2500": 10}
    assert (_result(office).fills, _result(office).credits) == (0, 0)
    assert _papers(office)[-1][0] == "opener", "a table's ledger knows a total, which is as before"
    _count(office, "closer", {"500": 950, "2500": 10})
    assert _result(office).closer == _result(office).opener
    _assert_conserved(office)


@pytest.mark.parametrize("taken", [{"2500": 9}, {"2500": 11}])
def test_an_exchange_that_is_not_even_is_refused(office: KeptOffice, taken: dict[str, int]) -> None:
    answer = office.send(
        c.DoAct(act="even_exchange", things=("T1",), fields={"given": {"500": 50}, "taken": taken}), "bob"
    )
    assert isinstance(answer, Refused)
    assert "they are worth the same" in answer.refusals[0].why


def test_counterfeit_notes_and_foreign_chips_are_no_drop(office: KeptOffice) -> None:
    """The table paid for them: its win is lower by what they said they were worth."""
    found: dict[str, Any] = {"cash": {"10000": 5}, "counterfeit": {"10000": 2}, "foreign": {"2500": 1}}
    office.does("ned", "drop_table", "T1", shift="day", dropped="D1", drop_box="D2", signs=("flo", "viewer"))
    _count(office, "closer", {"500": 860})
    office.does("ned", "count_box", "D1", team=["ned", "nia"], **found)
    office.signs("nia", "second", **found)
    office.signs("cy", "cage", **found)
    result = _result(office)
    assert (result.drop, result.win) == (500_00, -200_00)
    assert len([why for why in _whys(office) if "which are no drop" in why]) == 2
    office.does("cy", "hold_counterfeit", cents=100_00, serial="AB 123", found="drop box", table="T1")
    office.does("cy", "hold_foreign_chip", chips={"2500": 1}, house="The Other", found="drop box", table="T1")
    assert {*_whys(office)} >= {"a note is not genuine", "chips of another house were among ours"}
    due = {one.clock for one in clocks_at(office.rules, office.state, office.at) if one.status == "due"}
    assert due >= {"counterfeit_handed_over", "foreign_chip_handed_over"}
    office.does("cora", "hand_over_item", "H-000001", receiver="Secret Service", signs=("flo", "witness"))
    assert office.state.things["held_item/H-000001"].state == "handed_over"
    _assert_conserved(office)


def test_a_drop_without_another_box_is_told_and_mended(office: KeptOffice) -> None:
    office.does("ned", "drop_table", "T1", shift="day", dropped="D1", no_box=True, signs=("flo", "viewer"))
    assert [why for why in _whys(office) if "no other box was put on" in why]
    assert office.state.things["drop_box/D1"].state == "dropped"
    office.does("flo", "attach_drop_box", "T1", drop_box="D2")
    assert not office.tries("flo", "attach_drop_box", "T1", drop_box="D1"), "it has one again"


def test_an_empty_tip_box_comes_back_without_a_pool(office: KeptOffice) -> None:
    office.does("olga", "enter_tip_box", "B1")
    office.does("flo", "attach_tip_box", "T1", tip_box="B1")
    office.does("dan", "collect_tips", "T1", collected="B1", signs=("dora", "witness"))
    office.does("cy", "find_tip_boxes_empty", "B1", signs=("dan", "witness"))
    assert office.state.things["tip_box/B1"].state == "ready"
    assert not office.state.of_kind("tip_pool")


@pytest.mark.parametrize("regulation", [one for one in REGULATIONS if one != "arizona"])
def test_a_table_is_out_of_service_in_storage_and_gone_under_every_regulation(regulation: str) -> None:
    kept = _office(regulation)

    def is_ready() -> bool:
        return next(item.is_green for item in kept.items("T1") if item.key == "in_service")

    assert is_ready()
    kept.does("flo", "take_out_of_service", "T1", reason="a torn layout")
    assert not is_ready()
    assert not kept.tries("flo", "request_fill", table="T1", units={"500": 1})
    kept.does("flo", "return_to_service", "T1")
    kept.does("flo", "store_table", "T1")
    assert not is_ready()
    kept.does("flo", "install_table", "T1")
    assert is_ready()
    kept.does("flo", "remove_table", "T1")
    assert not is_ready()


def test_a_house_that_its_regulator_withdraws_is_not_in_force_and_open_tables_are_seen() -> None:
    kept = KeptOffice(
        office_of("maryland"), Facility(name="Harbour", zone="America/New_York"), _PEOPLE, bodies={"com": "Commission"}
    )
    kept.go_to("2026-03-07", "09:00")
    kept.does("olga", "register_table", "T1", area="main floor", length=144)
    kept.does("cora", "draft_house", "h1", file={"rules": "maryland"})
    kept.does(
        "cora",
        "submit_house",
        "h1",
        rules_submission=kept.sheet("rules_submission", "h1").digest,
    )
    kept.does("com", "approve_house", "h1")
    kept.does("olga", "put_in_force", "h1")
    kept.does("cora", "assign_house", "T1", house="h1")
    kept.does("com", "commission_withdraw_house", "h1", decision=_DOCUMENT)
    assert kept.state.things["house/h1"].state == "withdrawn"
    kept.send(c.LookRound(open_tables=("T1",)))
    assert any("a house that is not in force any more" in why for why in _whys(kept))


def test_a_layout_is_refused_and_drafted_anew() -> None:
    kept = KeptOffice(
        office_of("maryland"), Facility(name="Harbour", zone="America/New_York"), _PEOPLE, bodies={"com": "Commission"}
    )
    kept.go_to("2026-03-07", "09:00")
    kept.does("cora", "draft_house", "h1", file={"rules": "maryland"})
    places: dict[str, Any] = {"drop_place": "left", "tip_place": "right"}
    kept.does("cora", "draft_layout", "L1", house="h1", drawing=_DOCUMENT, **places)
    kept.does("cora", "submit_layout", "L1")
    kept.does("com", "refuse_layout", "L1", reasons=_DOCUMENT)
    assert not kept.tries("com", "approve_layout", "L1")
    kept.does("cora", "redraft_layout", "L1", drawing="e" * 64)
    kept.does("cora", "submit_layout", "L1")
    shown = sheet_of(kept.rules, kept.state, "layout_shown", "L1", known_house).digest
    kept.does("com", "approve_layout", "L1", layout_shown=shown)
    kept.does("cora", "withdraw_layout", "L1")
    assert kept.state.things["layout/L1"].state == "withdrawn"


# What was accepted and should not be.


@pytest.mark.parametrize("act", ["request_fill", "request_credit"])
@pytest.mark.parametrize(
    ("units", "why"),
    [
        ({"500": 0}, "0, less than 1"),
        ({"12345": 1}, "12345 cents: the house has no such chips"),
    ],
)
def test_no_slip_is_written_for_nothing_or_for_a_chip_that_nobody_has(
    office: KeptOffice, act: str, units: dict[str, int], why: str
) -> None:
    answer = office.send(c.DoAct(act=act, fields={"table": "T1", "units": units}), "flo")
    assert isinstance(answer, Refused)
    assert why in answer.refusals[0].why


@pytest.mark.parametrize("act", ["sell_chips", "redeem_chips", "issue_chips", "store_chips", "receive_chips"])
def test_nothing_is_not_sold_redeemed_or_moved(office: KeptOffice, act: str) -> None:
    answer = office.send(c.DoAct(act=act, fields={"units": {"500": 0}, "delivery": "note"}), "cy")
    assert isinstance(answer, Refused)
    assert any("0, less than 1" in one.why for one in answer.refusals)


def test_a_fill_that_is_carried_and_never_accepted_is_overdue(office: KeptOffice) -> None:
    slip = _send_fill(office, {"500": 10})

    def status() -> list[str]:
        running = clocks_at(office.rules, office.state, office.at)
        return [one.status for one in running if (one.clock, one.subject) == ("fill_delivered", f"fill_slip/{slip}")]

    assert status() == ["due"]
    office.go_to("2026-03-07", "06:00")
    assert status() == ["overdue"]
    office.send(c.SetValue(key="slip_under_way", value={"count": 2, "unit": "hours"}))
    assert status() == ["due"], "the house may say another time"
    office.does("dan", "accept_fill", slip)
    assert status() == ["met"]


def test_two_counts_that_differ_leave_both_and_an_incident(office: KeptOffice) -> None:
    office.does("flo", "count_closer", "T1", chips={"500": 1000}, shift="day")
    office.signs("bob", "second", chips={"500": 999})
    assert not office.state.pending
    (incident,) = office.state.of_kind(INCIDENT)
    act = office.state.acts
    assert incident.facts["why"] == f"two people counted the inventory differently: act {act} has both counts"
    done = [event for _, event in office.events if isinstance(event, e.ActDone | e.ActSigned) and event.number == act]
    assert [event.fields["chips"] for event in done] == [{"500": 1000}, {"500": 999}]


def test_dates_are_known_from_the_first_day() -> None:
    """No default is asked of anybody, and no act begins what comes back every year."""
    kept = KeptOffice(office_of("arizona"), Facility(name="Harbour", zone="America/Phoenix"), _PEOPLE)
    due = {one.clock: one.due for one in clocks_at(kept.rules, kept.state, kept.at)}
    assert due.keys() >= {"annual_audit", "reserve_chips"}
    assert all(due.values())
    waiting = [
        key for key, clock in kept.rules.pages.clocks.items() if clock.value in {"at_once", "promptly"}
    ]  # all of them have a length
    assert waiting
    assert not {"at_once", "promptly"} & {one.key for one in kept.today.unset}
