"""The list before a table opens, item by item: one that is red keeps it closed, with that item's clause alone."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

from passline.acts.check import office_problems
from passline.acts.clocks import clocks_at
from passline.acts.judges.gates import OPENING, WORKING, gate_items
from passline.acts.judges.scene import Scene
from passline.acts.views.today import gated_tables
from passline.rules.clauses import REGULATIONS
from passline.rules.schema import clause_text
from passline.store.timestamps import later
from tests.cases import one_in
from tests.office.day_file import DAYS, Day, steps_of
from tests.office.offices import INVENTED, known_office

_MARK = "# T1 may open."
_DAYS = {
    "arizona": ("arizona_opening", "capstan"),
    "colorado": ("colorado_rules", "h1"),
    "maryland": ("maryland_rules", "h1"),
    "section2": ("section2_tables", "capstan"),
    INVENTED: ("harbour", "capstan"),
}
"""By regulation, the day on which T1 may open from a certain line on, and the house that it opens under."""

_LICENSED = 'licence_until = "2026-12-31", certificate_until = "2026-12-31"'
_TRAINED = 'topics = ["money management", "wagering", "detection of cheating"], tgo_staff = "Tom"'
_OTHER_CREW = f"""
+ people dick=dealer
+ cora enter_employee dick {{post = "dealer", {_LICENSED}}}
+ olga go_on_duty dick {{area = "pit-1"}}
+ cora hold_training capstan {{{_TRAINED}, employees = ["dick"]}}
+ tom tgo_approve_crew T1 {{tgo_crew = "a boxperson and a dealer", tgo_people = ["bob", "dick"]}}
+ sue sga_approve_crew T1 {{sga_crew = "a boxperson and a dealer", sga_people = ["bob", "dick"]}}
+ flo set_crew T1 {{other_crew = true, crew = ["bob", "dick"]}}
"""
_SECOND_CREW = f"""
+ olga enter_employee bea {{post = "boxperson", {_LICENSED}}}
+ olga enter_employee stan {{post = "stickperson", {_LICENSED}}}
+ olga enter_employee dee {{post = "dealer", {_LICENSED}}}
+ olga enter_employee del {{post = "dealer", {_LICENSED}}}
+ olga go_on_duty bea stan dee del {{area = "pit-1"}}
+ cora hold_training capstan {{{_TRAINED}, employees = ["bea", "stan", "dee", "del"]}}
+ sam set_crew T2 {{other_crew = false, boxperson = "bea", stickperson = "stan", dealers = ["dee", "del"]}}
"""
_SEEN = ", ".join(
    f"{item} = true"
    for item in (
        *("puck", "shape", "drop", "tip_box", "box_places", "number_seen"),
        *("two_dice_and_marker", "lammers_plain", "lammers_here"),
    )
)
_REPEALED = f"""
+ olga apply_for_variation lucky {{application = "{"a" * 64}"}}
+ vic review_variation lucky
+ com adopt_variation lucky {{rule = "temporary rule"}}
+ cora draft_house varied {{file = "@h1"}}
+ cora submit_house varied {{house_rules = "@house_rules", variations = ["lucky"]}}
+ cora file_tip_rules varied {{tip_rules = "{"a" * 64}", tip_wager_ends = "when paid", tips_stored = "when paid"}}
+ dee approve_house varied
+ olga put_in_force varied
+ olga withdraw_house h1
+ flo print_copies varied {{copies = 1}}
+ cora assign_house T1 {{house = "varied"}}
+ flo check_table T1 {{seen = {{{_SEEN}}}}}
+ com repeal_variation lucky
"""
_UNDONE = {
    "arizona": {
        "house": "+ olga withdraw_house capstan",
        "equipment": '+ flo change_equipment T1 {change = "a new layout", like_for_like = true}',
        "opener": "- bob count_opener T1",
        "in_service": '+ flo take_out_of_service T1 {reason = "a torn layout"}',
        "dice": "- sam place_dice A2 ",
        "drop_times": "- cora approve_drop_times",
        "as_approved": '+ flo change_equipment T1 {change = "other walls", like_for_like = false}',
        "drop_box": """+ people ned=counter
+ ned drop_table T1 {shift = "day", dropped = "BOX-1", no_box = true} signed by sam as viewer""",
        "tip_box": "- sam attach_tip_box T1",
        "currency": "- cora approve_currency_procedures",
        "training": "- cora hold_training",
        "other_licences": f"""{_OTHER_CREW}
+ cora renew_credentials dick {{licence_until = "2026-03-03"}}""",
        "licences": '+ cora renew_credentials dora {licence_until = "2026-03-03"}',
        "other_certificates": f"""{_OTHER_CREW}
+ cora renew_credentials dick {{certificate_until = "2026-03-03"}}""",
        "certificates": '+ cora renew_credentials dora {certificate_until = "2026-03-03"}',
        "supervisor": "+ olga go_off_duty sam",
        "boxperson": "+ olga go_off_duty bob",
        "one_table": """+ value table_limit = 2
+ sam open_table T2""",
        "stickperson": "+ olga go_off_duty stu",
        "dealers": "+ olga go_off_duty dora",
        "crew_here": '+ olga change_area dora {area = "pit-2"}',
        "other_crew_here": f"""{_OTHER_CREW}
+ olga change_area dick {{area = "pit-2"}}""",
        "crew_on_duty": f"""{_OTHER_CREW}
+ olga go_off_duty dick""",
        "summaries": "- flo put_out_summaries",
        "limits": "- flo post_limits T1",
        "table_rules": "- flo post_table_rules T1",
        "changed_odds": "- flo post_changed_odds T1",
        "laboratory": "- approval laboratory_report",
        "limit": f"""{_SECOND_CREW}
+ sam open_table T2""",
        "notice": "- cora notify_installation T1",
        "tgo_approval": "- tom approve_table T1",
        "tgo_refusal": f'+ tom tgo_refuse_table T1 {{grounds = "{"a" * 64}"}}',
        "tgo_seal": "- tom affix_tgo_seal T1",
        "tgo_seal_after_storage": """+ sam store_table T1 {seals_stay = false}
+ sue sga_approve_table T1 {sga_seal = "SG-70"}""",
        "not_refused": "+ sue sga_refuse_table T1",
        "both_seals": "- sue sga_approve_table T1",
        "sga_seal_after_storage": """+ sam store_table T1 {seals_stay = false}
+ tom affix_tgo_seal T1 {tgo_seal = "TG-170"}""",
        "surveillance": "+ sid lose_cover T1",
        "tgo_seal_alone": "+ tom discard_tgo_seal_alone T1",
        "sga_seal_alone": "+ tom discard_sga_seal_alone T1",
        "tournament_limit": f"""{_SECOND_CREW}
+ people drew=director
+ drew draft_tournament shootout {{house = "capstan", rules = "{"a" * 64}", chip_colours = "teal"}}
+ drew give_table_to_tournament T1 {{tournament = "shootout"}}
+ sam open_table T2""",
        "vendor": "- cora acquire_table T1",
    },
    "colorado": {
        "house": "+ olga withdraw_house h1",
        "equipment": '+ flo change_equipment T1 {change = "a new layout"}',
        "opener": "- flo count_opener T1",
        "in_service": '+ flo take_out_of_service T1 {reason = "a torn layout"}',
        "rules_posted": "+ flo take_sign_down S1",
        "rules_here": '+ flo move_table T1 {area = "pit-2"}',
        "place_approved": '+ dee refuse_place S1 {reason = "the pillar is gone"}',
        "copies": "- flo print_copies h1 {copies = 1}",
        "variations": _REPEALED,
        "limits": "- flo post_limits T1",
        "fire_schedule": "- flo post_fire_schedule T1",
        "sharp_shooter_schedule": "- flo post_sharp_shooter_schedule T1",
        "drop_box": '- flo attach_drop_box T1 {drop_box = "D1"}\n- flo attach_drop_box T1 {drop_box = "D2"}',
        "tip_box": '- flo attach_tip_box T1 {tip_box = "B1"}\n- flo attach_tip_box T1 {tip_box = "B2"}',
        "dice": "+ flo take_dice_away T1",
        "dice_age": "+ at 2026-03-03 09:00",
    },
    "maryland": {
        "house": "+ olga withdraw_house h1",
        "equipment": '+ flo change_equipment T1 {change = "a new wall"}',
        "opener": "- flo count_opener T1",
        "in_service": '+ flo take_out_of_service T1 {reason = "a torn layout"}',
        "limits": "- flo post_limits T1",
        "fire_display": "- flo post_fire_display T1",
        "layout": "- flo lay_layout T1",
        "drop_box": "- flo attach_drop_box T1",
        "tip_box": "- flo attach_tip_box T1",
        "tray": "- dan accept_fill",
        "measure": """+ cora submit_measure mat
+ com approve_measure mat
+ flo fit_measure T1 {measure = "mat"}
+ cora withdraw_measure mat""",
    },
    "section2": {
        "house": "+ olga withdraw_house capstan",
        "equipment": '+ flo change_equipment T1 {change = "a new layout"}',
        "opener": "- flo count_opener T1",
        "in_service": '+ flo take_out_of_service T1 {reason = "a torn layout"}',
        "dice": "+ flo take_dice_away T1",
        "dice_age": "+ at 2026-03-03 09:00",
    },
    INVENTED: {
        "house": "+ olga withdraw_house capstan",
        "equipment": '+ flo change_equipment T1 {change = "a new layout"}',
        "opener": "- dan count_opener T1",
        "in_service": '+ flo take_out_of_service T1 {reason = "a torn layout"}',
        "board": "- flo hang_board T1",
        "moored": "- flo moor_table T1",
        "tide": "- value tide",
    },
}
"""By regulation and item, what makes it red: lines that are left out (`-`), or that follow when T1 may open (`+`)."""
_BESIDE = {
    "tgo_seal_after_storage": ("in_service",),
    "sga_seal_after_storage": ("in_service",),
    "place_approved": ("rules_posted",),
    "as_approved": ("equipment",),
}
"""What is red beside an item: the table still lies in storage, the sign at a place that was refused counts no more."""
_EACH = [pytest.param(name, item, id=f"{name}-{item}") for name, items in _UNDONE.items() for item in items]


@cache
def _history(name: str) -> list[str]:
    text, mark, _ = (DAYS / f"{_DAYS[name][0]}.txt").read_text(encoding="utf-8").partition(_MARK)
    assert mark, f"the day of {name} does not say from where on T1 may open"
    return [step.text for step in steps_of(text)]


def _day(name: str, changes: str = "") -> Day:
    """Return an office at the moment when T1 may open, but for these changes."""
    words = [line.split(" ", 1) for line in changes.splitlines() if line]
    left_out = tuple(line for sign, line in words if sign == "-")
    history = [line for line in _history(name) if not (left_out and line.startswith(left_out))]
    assert not left_out or len(history) < len(_history(name))
    day = Day(None)
    for line in history:
        list(day.do(line))
    for sign, line in words:
        if sign == "+":
            assert not [one for one in day.do(line) if one.startswith("refused")], line
    return day


def _clauses(name: str, item: str) -> str:
    return clause_text(known_office(name).pages.gates[OPENING].items[item].cite)


def _refused(day: Day, table: str, house: str) -> list[str]:
    found = list(day.do(f"clear {table} {house}"))
    assert all(line.startswith("refused ") for line in found)
    return [line.removeprefix("refused ").partition(": ")[0] for line in found]


def _red(day: Day, table: str) -> list[str]:
    return [one.key for one in gate_items(day.scene(), OPENING, table) if not one.is_green]


@pytest.mark.parametrize("name", _DAYS)
def test_every_item_of_every_list_is_tried(name: str) -> None:
    assert {*_DAYS} >= {*REGULATIONS}
    assert [*_UNDONE[name]] == [*known_office(name).pages.gates[OPENING].items]


@pytest.mark.parametrize("name", _DAYS)
def test_a_table_whose_list_is_green_is_cleared(name: str) -> None:
    assert _refused(_day(name), "T1", _DAYS[name][1]) == []


@pytest.mark.parametrize(("name", "item"), one_in(4, _EACH, others=pytest.mark.whole))
def test_one_red_item_keeps_the_table_closed_with_its_clause(name: str, item: str) -> None:
    day = _day(name, _UNDONE[name][item])
    red = [*_BESIDE.get(item, ()), item]
    assert _red(day, "T1") == red
    assert {*_refused(day, "T1", _DAYS[name][1])} == {_clauses(name, each) for each in red}
    assert _red(day, "T1") == red, "a refusal changes nothing"


def _unlike_listed(scene: Scene) -> list[str]:
    """Return the tables of which Today counts other items than the list has that somebody reads."""
    found = {table.table: table.green for table in gated_tables(scene)}
    listed = {table: sum(item.is_green for item in gate_items(scene, OPENING, table)) for table in found}
    return [f"{table}: {green}, not {listed[table]}" for table, green in found.items() if green != listed[table]]


@pytest.mark.parametrize("name", _DAYS)
def test_today_counts_what_the_list_has_after_every_step_whenever_it_is_asked(name: str) -> None:
    """What is kept with a state of the office is what does not hang on the time, on people and on house files."""
    day, asked = Day(None), 0
    for line in _history(name):
        list(day.do(line))
        if day.rules is None or day.state.facility is None:
            continue
        scene = day.scene()
        nobody = replace(scene.around, who=lambda _account: None, approvals=lambda _kind: True)
        later_on = (later(day.at, days * 86_400) for days in (0, 1, 40, 800))
        scenes = [replace(scene, at=at, occurred=at) for at in later_on]
        for asker in (*scenes, *(replace(one, around=nobody) for one in scenes)):
            assert _unlike_listed(asker) == [], line
            due = [run for run in clocks_at(asker.rules, asker.state, asker.at) if not run.met]
            assert clocks_at(asker.rules, asker.state, asker.at, is_owed=True) == due, line
            asked += bool(due)
    assert asked


_BEGINNING = ("office ", "facility ", "people ", "body ", "at ", "house ")
_NEEDS_MORE = {
    "arizona": {
        *("not_refused", "other_licences", "other_certificates", "one_table", "tournament_limit", "crew_on_duty"),
        *("crew_here", "other_crew_here", "as_approved"),
        *("tgo_seal_after_storage", "sga_seal_after_storage", "tgo_seal_alone", "sga_seal_alone", "tgo_refusal"),
    },
    "colorado": {"dice_age", "rules_here", "place_approved", "variations"},
    "maryland": {"measure"},
    "section2": {"dice_age"},
}
"""Items that are red only by what somebody does, such as a refusal by the SGA or another crew, or by time."""


@pytest.mark.parametrize("name", _DAYS)
def test_a_table_of_which_nothing_is_known_is_refused_with_every_item(name: str) -> None:
    house = _DAYS[name][1]
    day = Day(None)
    for line in _history(name):
        if line.startswith((*_BEGINNING, f"cora draft_house {house} ")):
            assert list(day.do(line)) == []
    items = [item for item in _UNDONE[name] if item not in _NEEDS_MORE.get(name, ())]
    found = _refused(day, "T9", house)
    assert {*found} == {_clauses(name, item) for item in items}
    assert len(found) == len(items), "each item is named"
    assert day.state.clearances == 0


def test_only_employees_go_through_the_gate_of_working() -> None:
    rules = known_office("arizona")
    gate = replace(rules.pages.gates[WORKING], thing="table")
    changed = replace(rules, pages=replace(rules.pages, gates={**rules.pages.gates, WORKING: gate}))
    assert "gates.work.thing: employees go through this gate: write person, not 'table'" in office_problems(changed)
