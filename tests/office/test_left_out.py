"""What no clause asks for can be left out by election: lists lack it and say so; what a clause asks for stays."""

from __future__ import annotations

import pytest

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.judges.gates import OPENING, items_left_out
from passline.acts.judges.settings import practice_items
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS
from tests.office.bookkeeping import KeptOffice

PEOPLE = {"olga": "owner", "cy": "cashier", "acc": "accountant", "flo": "floorperson", "fay": "floorperson"}
WITNESS = "acts.receive_chips.signs.witness"


def _office(regulation: str) -> KeptOffice:
    office = KeptOffice(regulation, Facility(name="Harbour", zone="America/Denver"), PEOPLE)
    office.go_to("2026-03-07", "12:00")
    return office


def test_a_small_house_leaves_out_what_no_clause_asks_for() -> None:
    office = _office("section2")
    office.does("olga", "register_table", "T1", area="main floor")
    before = [one.key for one in office.items("T1")]
    assert "equipment" in before
    assert not isinstance(office.send(c.LeaveOut(items=("gates.open_table.items.house",)), "olga"), Refused)
    assert [one.key for one in office.items("T1")] == [key for key in before if key != "house"]
    assert items_left_out(office.scene, OPENING) == {"house": "the house rules it is dealt by are not in force"}
    (gated,) = office.today.tables
    assert gated.items == len(before) - 1
    assert not isinstance(office.send(c.LeaveOut(items=()), "olga"), Refused)
    assert [one.key for one in office.items("T1")] == before
    assert items_left_out(office.scene, OPENING) == {}


def test_a_signature_that_is_left_out_is_not_waited_for() -> None:
    office = _office("section2")
    office.does("cy", "receive_chips", units={"500": 1}, delivery="note 1")
    assert office.state.stocks == {}
    office.send(c.LeaveOut(items=(WITNESS,)), "olga")
    office.does("cy", "receive_chips", units={"500": 2}, delivery="note 2")
    assert office.state.stocks["chips"]["reserve"] == {"500": 2}
    office.signs("acc", "witness")  # what waited before is still signed
    assert office.state.stocks["chips"]["reserve"] == {"500": 3}


def test_a_watch_that_is_left_out_opens_no_incident() -> None:
    office = _office("colorado")
    watch = "watches.sign_in_force"
    assert watch.partition(".")[2] in office.rules.pages.watches
    assert not isinstance(office.send(c.LeaveOut(items=(watch,)), "olga"), Refused)
    assert office.state.left_out == (watch,)


@pytest.mark.parametrize(
    ("regulation", "item", "clause"),
    [
        ("arizona", "gates.open_table.items.tgo_seal", "AZ-II.J.3-b"),
        ("arizona", "watches.supervisor", "AZ-II.M.1-g"),
        ("arizona", "acts.destroy_dice.signs.witness", "AZ-II.L.2"),
        ("section2", "gates.open_table.items.roof", "form"),
        ("section2", "acts.sell_chips.fields.units", "form"),
        ("section2", "acts.receive_chips", "form"),
    ],
)
def test_what_a_clause_asks_for_stays(regulation: str, item: str, clause: str) -> None:
    refused = _office(regulation).send(c.LeaveOut(items=(item,)), "olga")
    assert isinstance(refused, Refused)
    assert [one.clause for one in refused.refusals] == [clause]


def test_only_those_who_answer_for_the_office_elect() -> None:
    office = _office("section2")
    assert "the cashier may not give leave-out" in str(office.send(c.LeaveOut(items=(WITNESS,)), "cy"))
    office.send(c.LeaveOut(items=(WITNESS,)), "olga")
    assert "nothing has changed" in str(office.send(c.LeaveOut(items=(WITNESS,)), "olga"))


def test_a_red_item_names_the_figure_that_is_not_set() -> None:
    office = _office("arizona")
    office.does("olga", "register_table", "T1", area="main floor")
    limit = {one.key: one for one in office.items("T1")}["limit"]
    assert (limit.is_green, limit.value) == (False, "table_limit")
    paper = {"document": "a" * 64, "reference": "compact", "received": "2026-03-01"}
    office.send(c.SetValue(key="table_limit", value=1, **paper), "olga")
    assert {one.key: one for one in office.items("T1")}["limit"].value == ""


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_form_offers_what_a_house_may_do_without_and_nothing_else(name: str) -> None:
    office = _office(name)
    offered = practice_items(office.rules)
    assert not isinstance(office.send(c.LeaveOut(items=tuple(offered)), "olga"), Refused)
    signs = [f"acts.{key}.signs.{part}" for key, act in office.rules.pages.acts.items() for part in act.signs]
    for item in {*signs} - {*offered}:
        if not office.rules.pages.acts[item.split(".")[1]].corrects:
            assert isinstance(office.send(c.LeaveOut(items=(item,)), "olga"), Refused), item
