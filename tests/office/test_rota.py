"""The rota: everybody goes round all places and breaks, and a crew that is another is named."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import pairwise
from typing import Any

from passline.acts.views.rota import road_map, rota_gaps, rota_sheet
from passline.documents.as_text import as_text
from passline.office.trial import TrialOffice
from tests.office.cage_story import HARBOUR

DEALERS = ["dan", "dee", "del", "dot"]
DAY = date(2026, 3, 2)
PLAN: dict[str, Any] = {
    "table": "craps-1", "rota_day": str(DAY), "rota_shift": "day", "rota_box": ["bob"], "rota_dealers": DEALERS,
    "rota_places": 3, "rota_minutes": 20,
}  # fmt: skip


def _house() -> TrialOffice:
    people = dict.fromkeys(DEALERS, "dealer") | {
        "olga": "owner", "cora": "compliance", "flo": "floorperson", "bob": "boxperson", "stu": "stickperson",
    }  # fmt: skip
    office = TrialOffice("practice", HARBOUR, people)
    office.go_to(str(DAY), "08:00")
    office.do("olga", "register_table", "craps-1", area="pit-1")
    return office


def _plan(office: TrialOffice) -> str:
    return office.do("flo", "enter_rota", "craps-1-day", **PLAN)


def test_everybody_deals_in_every_place_and_has_as_many_breaks_as_the_others() -> None:
    office = _house()
    assert "is planned" in _plan(office)
    rota = office.state.thing("rota", "craps-1-day")
    assert rota is not None
    changes = road_map(rota, HARBOUR)
    assert len(changes) == 8 * 60 // 20
    assert [HARBOUR.minute(at)[-5:] for at, _ in changes][:2] == ["06:00", "06:20"]
    assert all(sorted(order) == DEALERS for _, order in changes), "nobody is in two places"
    for place in range(4):
        assert Counter(order[place] for _, order in changes) == dict.fromkeys(DEALERS, 6)
    for (_, before), (_, after) in pairwise(changes):
        assert after == (before[-1], *before[:-1])
    text = as_text(rota_sheet(office.state, DAY, "day", {"dan": "Dan"}))
    assert "06:00  Dan     dee    del     dot" in text
    assert "Planned and away: nobody" in text
    assert "Nothing is planned" in as_text(rota_sheet(office.state, DAY, "swing"))


def test_a_crew_that_is_not_the_planned_one_is_named_in_its_shift() -> None:
    office = _house()
    _plan(office)

    def crew(*names: str) -> None:
        told = office.do("flo", "set_crew", "craps-1", other_crew=True, crew=[*names])
        assert "recorded" in told, told

    crew("bob", "dan", "dee", "del")
    assert not rota_gaps(office.state, office.at), "the fourth has a break"
    crew("bob", "dan", "dee", "stu")
    (gap,) = rota_gaps(office.state, office.at)
    assert (gap.table, gap.rota, gap.unplanned, gap.absent) == (
        "craps-1", "craps-1-day", ("stu",), ("del", "dot"),
    )  # fmt: skip
    office.go_to(str(DAY), "14:00")
    assert not rota_gaps(office.state, office.at), "nothing is planned for the next shift"
    again = {key: value for key, value in PLAN.items() if key not in {"table", "rota_shift"}}
    office.do("flo", "plan_rota_again", "craps-1-day", **{**again, "rota_day": "2026-03-03"})
    office.go_to("2026-03-03", "07:00")
    assert not rota_gaps(office.state, office.at), "nobody has recorded a crew in this shift yet"
    crew("stu", "dan", "dee", "del")
    assert [gap.unplanned for gap in rota_gaps(office.state, office.at)] == [("stu",)]


def test_who_is_planned_twice_or_is_away_stands_on_the_sheet() -> None:
    office = _house()
    office.do("olga", "register_table", "craps-2", area="pit-1")
    _plan(office)
    office.do("flo", "enter_rota", "other", **{**PLAN, "table": "craps-2", "rota_dealers": ["dan"], "rota_places": 1})
    office.do("cora", "enter_employee", "dee", post="dealer")
    office.do("cora", "suspend_employee", "dee", reason="an inquiry")
    facts = dict(rota_sheet(office.state, DAY, "day").facts)
    assert facts == {"At two tables": "bob, dan", "Planned and away": "dee (suspended)"}
