"""Fills, credits, exchanges and sales that went wrong: each is told now, chips are conserved and results are right."""

from __future__ import annotations

import pytest

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.clocks import clocks_at
from passline.refusal import Refused
from tests.office.bookkeeping import KeptOffice
from tests.office.pit import (
    assert_conserved,
    chips_at,
    count_tray,
    do_fill,
    incident_reasons,
    only_result,
    papers_of,
    pit_office,
    send_fill,
)


@pytest.fixture
def office() -> KeptOffice:
    return pit_office("section2")


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
    do_fill(office, {"500": 200}, came=came)
    cents = sum(int(unit) * count for unit, count in came.items())
    assert only_result(office).fills == cents
    assert papers_of(office)[-1] == ("fill", cents)
    assert chips_at(office, "unexplained") == unexplained
    assert chips_at(office, "table/T1")["500"] == 1000 + came.get("500", 0)
    assert any("what came is not what was sent" in why for why in incident_reasons(office))
    assert_conserved(office)


def test_a_fill_that_came_as_it_was_sent_opens_no_incident(office: KeptOffice) -> None:
    do_fill(office, {"500": 200}, came={"500": 200})
    assert only_result(office).fills == 1000_00
    assert not incident_reasons(office)
    assert_conserved(office)


def test_a_credit_that_came_short_stays_what_left_the_tray(office: KeptOffice) -> None:
    office.does("flo", "request_credit", table="T1", units={"500": 100})
    office.does("dan", "prepare_credit", "C-000001")
    office.does("gus", "carry_credit", "C-000001")
    office.does("cy", "accept_credit", "C-000001", units={"500": 99})
    assert only_result(office).credits == 500_00
    assert chips_at(office, "unexplained") == {"500": 1}
    assert any("what came is not what was sent" in why for why in incident_reasons(office))
    assert_conserved(office)


def test_a_fill_is_reversed_and_the_table_is_as_if_it_had_never_come(office: KeptOffice) -> None:
    before = (chips_at(office, "table/T1"), chips_at(office, "cage"))
    slip = do_fill(office, {"500": 200})
    office.does("dora", "reverse_fill", slip, reason="it was for T2")
    assert only_result(office).fills == 1000_00, "it waits for two signatures"
    office.signs("fay", "floor")
    office.signs("cal", "cage")
    assert only_result(office).fills == 0
    assert (chips_at(office, "table/T1"), chips_at(office, "cage")) == before
    assert papers_of(office)[-2:] == [("fill", 1000_00), ("credit", 1000_00)]
    assert not office.tries("dora", "reverse_fill", slip, reason="again")
    assert sum(act.cents for act in only_result(office).acts if act.column == "fills") == 0
    assert_conserved(office)


def test_a_short_fill_is_reversed_as_it_came(office: KeptOffice) -> None:
    slip = do_fill(office, {"500": 200}, came={"500": 190})
    office.does("dora", "reverse_fill", slip, reason="it was for T2")
    office.signs("fay", "floor")
    office.signs("cal", "cage")
    assert only_result(office).fills == 0
    assert chips_at(office, "table/T1") == {"500": 1000}
    assert_conserved(office)


def test_a_fill_whose_slip_was_filed_is_not_reversed(office: KeptOffice) -> None:
    """Its table and chips are in the log only: a credit takes the chips back."""
    slip = do_fill(office, {"500": 200})
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
    assert chips_at(office, "table/T1") == {"500": 950, "2500": 10}
    assert (only_result(office).fills, only_result(office).credits) == (0, 0)
    assert papers_of(office)[-1][0] == "opener", "a table's ledger knows a total, which is as before"
    count_tray(office, "closer", {"500": 950, "2500": 10})
    assert only_result(office).closer == only_result(office).opener
    assert_conserved(office)


@pytest.mark.parametrize("taken", [{"2500": 9}, {"2500": 11}])
def test_an_exchange_that_is_not_even_is_refused(office: KeptOffice, taken: dict[str, int]) -> None:
    answer = office.send(
        c.DoAct(act="even_exchange", things=("T1",), fields={"given": {"500": 50}, "taken": taken}), "bob"
    )
    assert isinstance(answer, Refused)
    assert "they are worth the same" in answer.refusals[0].why


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
    slip = send_fill(office, {"500": 10})

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


def test_a_runner_of_security_carries_fills_and_credits(office: KeptOffice) -> None:
    slip = do_fill(office, {"500": 10})
    carried = [event for _, event in office.events if isinstance(event, e.ActDone) and event.act == "carry_fill"]
    assert (carried[-1].things, carried[-1].by, carried[-1].role) == ((slip,), "gus", "security")
    office.does("flo", "request_credit", table="T1", units={"500": 10})
    office.does("dan", "prepare_credit", "C-000001")
    office.does("gus", "carry_credit", "C-000001")
    assert not office.tries("gus", "accept_credit", "C-000001"), "and does nothing else with them"


def test_that_no_cash_changed_hands_takes_two(office: KeptOffice) -> None:
    office.does("cy", "sell_chips", units={"500": 3}, not_cash=True)
    (waiting,) = office.state.pending.values()
    assert waiting.done.waits == ("second",)
    assert chips_at(office, "players").get("500", 0) == 0
    office.signs("cal", "second")
    assert chips_at(office, "players") == {"500": 3}
    office.does("cy", "sell_chips", units={"500": 3})
    assert not office.state.pending, "cash is counted by one"


@pytest.mark.parametrize("first", [190, 210])
def test_a_corrected_request_leaves_what_came_as_it_came(office: KeptOffice, first: int) -> None:
    """The slip said another number than was sent: the tray has what came, and the difference is where it belongs."""
    office.does("flo", "request_fill", table="T1", units={"500": first})
    asked, slip = office.state.acts, f"F-{office.state.numbers['F']:06}"
    office.does("cy", "prepare_fill", slip)
    office.does("gus", "carry_fill", slip)
    office.does("dan", "accept_fill", slip, units={"500": 198})
    office.does("flo", "correct_request_fill", slip, corrects=asked, reason="misread", units={"500": 200})
    office.signs("cal", "cage")
    office.signs("fay", "runner")
    office.signs("dora", "table")
    assert only_result(office).fills == 198 * 500
    assert chips_at(office, "unexplained") == {"500": 2}
    assert chips_at(office, "table/T1") == {"500": 1198}
    assert chips_at(office, "cage")["500"] == 1800
    assert_conserved(office)


def test_a_fill_that_was_reversed_is_not_corrected_any_more(office: KeptOffice) -> None:
    office.does("flo", "request_fill", table="T1", units={"500": 200})
    asked, slip = office.state.acts, f"F-{office.state.numbers['F']:06}"
    office.does("cy", "prepare_fill", slip)
    office.does("gus", "carry_fill", slip)
    office.does("dan", "accept_fill", slip)
    office.does("dora", "reverse_fill", slip, reason="it was for T2")
    office.signs("fay", "floor")
    office.signs("cal", "cage")
    fields = {"corrects": asked, "reason": "misread", "units": {"500": 100}}
    answer = office.send(c.DoAct(act="correct_request_fill", things=(slip,), fields=fields), "flo")
    assert isinstance(answer, Refused)
    assert "is not corrected any more" in str(answer)


def test_a_sale_that_never_was_is_corrected_to_nothing(office: KeptOffice) -> None:
    office.does("cy", "sell_chips", units={"500": 3})
    sold = office.state.acts
    office.does("cy", "correct_sell_chips", corrects=sold, reason="another till's", units={"500": 0})
    office.signs("cal", "second")
    assert chips_at(office, "players").get("500", 0) == 0
    assert_conserved(office)
