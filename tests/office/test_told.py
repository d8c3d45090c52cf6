"""Facts of an office that could not be told: each is recorded now, for what it is."""

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
from passline.rules.clauses import REGULATIONS
from tests.office.bookkeeping import KeptOffice
from tests.office.offices import known_house
from tests.office.pit import (
    PEOPLE,
    arizona_opening,
    assert_conserved,
    count_tray,
    incident_reasons,
    only_result,
    pit_office,
    send_fill,
    tell_lines,
)

_DOCUMENT = "d" * 64


@pytest.fixture
def office() -> KeptOffice:
    return pit_office("section2")


def test_counterfeit_notes_and_foreign_chips_are_no_drop(office: KeptOffice) -> None:
    """The table paid for them: its win is lower by what they said they were worth."""
    found: dict[str, Any] = {"cash": {"10000": 5}, "counterfeit": {"10000": 2}, "foreign": {"2500": 1}}
    office.does("ned", "drop_table", "T1", shift="day", dropped="D1", drop_box="D2", signs=("flo", "viewer"))
    count_tray(office, "closer", {"500": 860})
    office.does("ned", "count_box", "D1", team=["ned", "nia"], **found)
    office.signs("nia", "second", **found)
    office.signs("cy", "cage", **found)
    result = only_result(office)
    assert (result.drop, result.win) == (500_00, -200_00)
    assert len([why for why in incident_reasons(office) if "which are no drop" in why]) == 2
    office.does("cy", "hold_counterfeit", cents=100_00, serial="AB 123", found="drop box", table="T1")
    office.does("cy", "hold_foreign_chip", chips={"2500": 1}, house="The Other", found="drop box", table="T1")
    assert {*incident_reasons(office)} >= {"a note is not genuine", "chips of another house were among ours"}
    due = {one.clock for one in clocks_at(office.rules, office.state, office.at) if one.status == "due"}
    assert due >= {"counterfeit_handed_over", "foreign_chip_handed_over"}
    office.does(
        "cora", "hand_over_item", "H-000001", receiver="Secret Service", receipt="e" * 64, signs=("flo", "witness")
    )
    assert office.state.things["held_item/H-000001"].state == "handed_over"
    assert_conserved(office)


def test_a_drop_without_another_box_is_told_and_mended(office: KeptOffice) -> None:
    office.does("ned", "drop_table", "T1", shift="day", dropped="D1", no_box=True, signs=("flo", "viewer"))
    assert [why for why in incident_reasons(office) if "no other box was put on" in why]
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
    kept = pit_office(regulation)

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
        office_of("maryland"), Facility(name="Harbour", zone="America/New_York"), PEOPLE, bodies={"com": "Commission"}
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
    assert any("a house that is not in force any more" in why for why in incident_reasons(kept))


def test_a_layout_is_refused_and_drafted_anew() -> None:
    kept = KeptOffice(
        office_of("maryland"), Facility(name="Harbour", zone="America/New_York"), PEOPLE, bodies={"com": "Commission"}
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
    kept = KeptOffice(office_of("arizona"), Facility(name="Harbour", zone="America/Phoenix"), PEOPLE)
    due = {one.clock: one.due for one in clocks_at(kept.rules, kept.state, kept.at)}
    assert due.keys() >= {"annual_audit", "reserve_chips"}
    assert all(due.values())
    waiting = [
        key for key, clock in kept.rules.pages.clocks.items() if clock.value in {"at_once", "promptly"}
    ]  # all of them have a length
    assert waiting
    assert not {"at_once", "promptly"} & {one.key for one in kept.today.unset}


def test_a_table_that_never_had_both_seals_loses_the_one_it_has() -> None:
    assert tell_lines(arizona_opening(), 'tom discard_seals T2 {seals = ["TGO"]}') == []


@pytest.mark.parametrize(
    ("body", "other", "clause", "mended"),
    [
        ("TGO", "SGA", "AZ-II.J.3-b", 'tom affix_tgo_seal T1 {tgo_seal = "TG-900"}'),
        ("SGA", "TGO", "AZ-II.J.5", 'sue sga_approve_table T1 {sga_seal = "SG-900"}'),
    ],
)
def test_seals_that_are_discarded_in_part_are_told(body: str, other: str, clause: str, mended: str) -> None:
    day = arizona_opening()
    told = tell_lines(day, f"tom discard_{body.lower()}_seal_alone T1")
    assert told == [f"incident AZ-II.K.1-c: the {body}'s seal was discarded, and the {other}'s was not"]
    assert tell_lines(day, "gate open_table T1") == [
        f"red {clause}: table T1: its seal of the {body} was discarded, and it has no new one"
    ]
    assert tell_lines(day, mended, "gate open_table T1") == ["green"]


def test_an_arizona_table_is_out_of_service_and_back() -> None:
    day = arizona_opening()
    tell_lines(day, 'flo take_out_of_service T1 {reason = "a torn layout"}')
    assert tell_lines(day, "gate open_table T1 of in_service") == [
        (
            "red practice: table T1: it does not stand here ready: it is out of service, in storage or gone"
            " (is out of service)"
        )
    ]
    assert tell_lines(day, "flo return_to_service T1", "gate open_table T1 of in_service") == ["green"]


def test_an_objection_after_the_last_day_is_recorded_and_undoes_nothing() -> None:
    """The SGA has received the rules and said nothing for seven days: they are deemed approved."""
    day = arizona_opening()
    package = ", ".join(f'{part}_described = "{_DOCUMENT}"' for part in ("chips", "dice", "tables", "layouts", "tests"))
    no = ", ".join(f"{part} = true" for part in ("no_progressive", "no_betting_among_players", "no_call_bets"))
    approved = f'weighed = ["integrity", "fairness", "security"], decision = "{_DOCUMENT}"'
    tell_lines(
        day,
        'cora draft_house second {file = "@capstan"}',
        f'cora add_to_package second {{equipment_spec = "{_DOCUMENT}", other_equipment = "none", {package}, {no}}}',
        "cora submit_house second",
        f"tom tgo_approve_house second {{{approved}}}",
        "cora copy_house_to_sga second",
        "sue sga_receive_house second",
        "at 2026-03-20 09:00",
    )
    objected = f'sue sga_object_to_house second {{objections = "{_DOCUMENT}"}}'
    for state in ("approved", "in_force"):
        (told,) = tell_lines(day, objected)
        assert told.startswith("void: ")
        assert "they are deemed approved: it did not object in time" in told
        assert tell_lines(day, "is house second") == [state], "it is on record, and undoes nothing"
        tell_lines(day, "olga put_in_force second")


@pytest.mark.parametrize(
    ("regulation", "body", "account"), [("colorado", "Director", "director"), ("arizona", "TGO", "tgo")]
)
def test_other_regulators_withdraw_a_house_too(regulation: str, body: str, account: str) -> None:
    rules = office_of(regulation)
    act = rules.pages.acts[f"{account}_withdraw_house"]
    assert (act.states, act.to, rules.body_of(act.by)) == (("approved", "in_force"), "withdrawn", body)


def test_a_house_in_force_is_withdrawn_by_the_tgo() -> None:
    day = arizona_opening()
    assert tell_lines(day, f'tom tgo_withdraw_house capstan {{decision = "{_DOCUMENT}"}}', "is house capstan") == [
        "withdrawn"
    ]
    assert (
        "are not approved by TGO and SGA and in force (is withdrawn)"
        in tell_lines(day, "gate open_table T1 of house")[0]
    )


def test_a_lost_die_is_told_and_never_thrown_again() -> None:
    day = arizona_opening()
    assert tell_lines(day, 'sam lose_dice A1 {last_seen = "on T1"}') == ["incident AZ-II.L.4-a: dice are lost"]
    assert tell_lines(day, "is die A1") == ["lost"]
    assert tell_lines(day, 'sam place_dice A1 {table = "T1", in_cup = true, attendant = "bob"}')[0].startswith(
        "refused"
    )
    assert tell_lines(day, 'cus find_dice A1 {found = "under the rail"}', "is die A1") == ["out_of_play"]
    assert tell_lines(day, 'sam place_dice A1 {table = "T1", in_cup = true, attendant = "bob"}')[0].startswith(
        "refused"
    )


def test_an_employee_leaves_works_no_more_and_returns(office: KeptOffice) -> None:
    office.does("olga", "enter_employee", "dora", post="dealer")
    office.does("olga", "leave_employment", "dora")
    assert office.state.things["person/dora"].state == "left"
    slip = send_fill(office, {"500": 10})
    assert not office.tries("dora", "accept_fill", slip), "who has left does nothing"
    office.does("olga", "return_employee", "dora", signs=("cora", "second"))
    office.does("dora", "accept_fill", slip)


def test_a_progressive_is_closed() -> None:
    day = arizona_opening()
    tell_lines(
        day, "cora propose_progressive P1 {base = 500000}", 'olga close_progressive P1 {reason = "nobody wants it"}'
    )
    assert tell_lines(day, "is progressive P1") == ["closed"]


@pytest.mark.parametrize("name", REGULATIONS)
def test_every_duty_that_comes_back_begins_by_itself(name: str) -> None:
    """What is owed by the office as a whole runs from the day it is kept; of dice, from the first that are there."""
    pages = office_of(name).pages
    of_office = {
        key
        for key, clock in pages.clocks.items()
        if clock.runs == "every" and (clock.of == "office" or not pages.acts[clock.starts].thing)
    }
    assert {key for key in of_office if not pages.clocks[key].from_kept} <= {"dice_count"}
