"""What has ended is filed: its name and state stay, and every refusal is what it was before."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.check import office_problems
from passline.acts.course import OFFICE_CODEC
from passline.acts.decide import decide
from passline.acts.rules import ActRules, office_of
from passline.acts.state import ActState, fold
from passline.bookkeeping.results import ADDENDUM
from passline.office.views.day_report import day_tables, office_day
from passline.refusal import Refused
from passline.store.timestamps import later
from passline.streams.course import Actor
from tests.office.bookkeeping import KeptOffice
from tests.office.random_acts import random_history

_PEOPLE = {
    "olga": "owner", "cora": "compliance", "acc": "accountant", "cy": "cashier", "cal": "cashier", "dan": "dealer",
    "bob": "boxperson", "flo": "floorperson", "fay": "floorperson", "ned": "counter", "nia": "counter",
}  # fmt: skip
_MONEY = ("", "table", "fill_slip", "credit_slip", "drop_box", "chip", "tip_pool", "person", "incident")


def _office() -> KeptOffice:
    kept = KeptOffice("practice", Facility(name="Harbour", zone="America/Denver", areas=("pit-1",)), _PEOPLE)
    kept.go_to("2026-03-07", "12:00")
    kept.does("cora", "register_table", "T1", area="pit-1")
    kept.does("cora", "specify_chip", "500", colour="red")
    kept.does("flo", "request_fill", table="T1", units={"500": 20})
    kept.does("cy", "void_fill", "F-000001", reason="not needed", signs=("flo", "witness"))
    return kept


def test_a_slip_is_filed_after_the_next_day_and_is_still_refused() -> None:
    kept = _office()
    refused = kept.send(c.DoAct(act="prepare_fill", things=("F-000001",)), "cy")
    for day in ("2026-03-07", "2026-03-08"):
        kept.go_to(day, "23:00")
        assert isinstance(kept.send(c.LookRound()), Refused), "nothing is filed before the next day is over"
    kept.go_to("2026-03-09", "07:00")
    assert kept.send(c.LookRound()) == (e.ThingsFiled(("fill_slip/F-000001",)),)
    assert kept.state.of_kind("fill_slip") == []
    assert not any("fill_slip/F-000001" in marks for marks in kept.state.marks.values())
    again = kept.send(c.DoAct(act="prepare_fill", things=("F-000001",)), "cy")
    assert isinstance(refused, Refused)
    assert again == refused
    kept.does("flo", "request_fill", table="T1", units={"500": 20})
    assert kept.state.thing("fill_slip", "F-000002") is not None, "no number comes twice"


def test_what_waits_or_is_owed_is_not_filed() -> None:
    kept = _office()
    kept.does("flo", "request_fill", table="T1", units={"500": 20})
    kept.go_to("2026-03-20", "07:00")
    kept.send(c.LookRound())
    assert [one.id for one in kept.state.of_kind("fill_slip")] == ["F-000002"]


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(one, marks=pytest.mark.sweep) for one in range(3, 20))])
def test_refusals_are_the_same_whether_things_were_filed(seed: int) -> None:
    """Whatever somebody tries with anything that ever was, at hand or filed; but what rests is taken up until then."""
    kept = random_history(office_of("practice"), Random(seed), 800, _MONEY)
    things = {kind: replace(one, filed=False) for kind, one in kept.rules.pages.things.items()}
    unfiled = ActRules(kept.rules.name, kept.rules.digest, replace(kept.rules.pages, things=things))
    whole = ActState()
    for done in kept.done:
        whole = fold(whole, done.at, [event for event in done.events if not isinstance(event, e.ThingsFiled)])
    assert kept.state.ended
    at = later(kept.at, 60)
    for name, act in kept.rules.pages.acts.items():
        for key in kept.state.ended:
            kind, _, id_ = key.partition("/")
            if kind == act.thing and not act.new:
                command = c.DoAct(act=name, things=(id_,))
                by = Actor("olga", "Olga", act.by[0], is_employee=True)
                here = decide(replace(kept.scene, at=at), command, by=by)
                there = decide(replace(kept.scene, rules=unfiled, state=whole, at=at), command, by=by)
                assert isinstance(here, Refused)
                assert here == there or kept.state.ended[key] in act.states


def test_pages_that_would_ask_for_more_than_a_name_are_found() -> None:
    rules = office_of("practice")
    things = {**rules.pages.things, "table": replace(rules.pages.things["table"], filed=True)}
    problems = office_problems(ActRules(rules.name, rules.digest, replace(rules.pages, things=things)))
    assert any(one.startswith("things.table.filed: acts.hold_counterfeit.fields.table may ask") for one in problems)
    assert any(one.startswith("things.table.filed: papers.") for one in problems)


def test_a_snapshot_by_an_earlier_version_is_not_taken() -> None:
    now = json.encode(_office().state)
    assert OFFICE_CODEC.state(now).acts
    earlier = json.decode(now)
    del earlier["tills"]
    with pytest.raises(Exception, match="tills"):
        OFFICE_CODEC.state(json.encode(earlier))
    without_moments = json.decode(now)
    del without_moments["figures"]["form"]
    with pytest.raises(Exception, match="form"):
        OFFICE_CODEC.state(json.encode(without_moments))


def test_what_comes_after_the_close_is_shown_as_a_correction() -> None:
    kept = _office()
    kept.does("olga", "enter_drop_box", "D1")
    kept.does("olga", "enter_drop_box", "D2")
    kept.does("flo", "attach_drop_box", "T1", drop_box="D1")
    kept.does("flo", "drop_table", "T1", shift="day", dropped="D1", drop_box="D2", signs=("fay", "viewer"))
    _count_box(kept, "count_box", {"10000": 3}, team=["ned", "nia"])
    counted = kept.state.acts
    kept.go_to("2026-03-08", "12:00")
    kept.does("acc", "close_gaming_day", "2026-03-07")
    kept.signs("cora", "second")
    _count_box(kept, "correct_count", {"10000": 4}, corrects=counted, reason="stuck together")
    day = office_day(kept.rules, kept.state, date(2026, 3, 7), kept.events)
    (shift,) = day.shifts
    assert (shift.drop, shift.corrections) == (300_00, ()), "the closed day stays as it was closed"
    (to_date,) = [table for table in day_tables(day) if table.title == "Drop, win and hold to date"]
    assert to_date.rows[0][:2] == ("T1", "the day")
    (addendum,) = office_day(kept.rules, kept.state, date(2026, 3, 8), kept.events).shifts
    assert (addendum.shift, addendum.drop) == (ADDENDUM, 100_00)
    assert addendum.corrections == (
        f"act {kept.state.acts} corrects act {counted} of 2026-03-07 day, drop: $300.00 to $400.00",
    )


def _count_box(kept: KeptOffice, act: str, cash: dict[str, int], **fields: Any) -> None:  # noqa: ANN401
    kept.does("ned", act, "D1", cash=cash, **fields)
    kept.signs("nia", "second", cash=cash)
    kept.signs("cy", "cage", cash=cash)
