"""The way to the first open table follows from what the pages ask: nothing is missing on it, and it has an order."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from passline.acts.rules import ActRules, Person, office_of
from passline.acts.schema import Condition
from passline.acts.state import KnownThing
from passline.acts.views.opening_path import OpeningPath, items_in_order, opening_path
from passline.acts.views.path_step import PathStep
from passline.office.trial import TrialOffice
from passline.rules.clauses import REGULATIONS
from tests.office.day_file import DAYS, OPENS, Day, steps_of
from tests.office.views.hall import HALL, STAFF


def _path(office: TrialOffice) -> OpeningPath:
    found = opening_path(office.scene, [*office.people.values()])
    assert found is not None
    return found


def _step(path: OpeningPath, act: str) -> PathStep:
    return next(step for step in path.steps if step.act == act)


def _acts(path: OpeningPath) -> list[str]:
    return [step.act for step in path.steps if step.act]


def test_every_office_leads_from_an_empty_house_to_a_table() -> None:
    for name in REGULATIONS:
        path = _path(TrialOffice(name, HALL, {"olga": "owner"}))
        acts = _acts(path)
        assert {"register_table", "draft_house", "assign_house", "check_table", "count_opener"} <= {*acts}, name
        assert any(step.role for step in path.steps), name  # an owner alone opens no table
        assert any(not step.after for step in path.steps), name
        assert all(place < at for at, step in enumerate(path.steps) for place in step.after), name
        order = [acts.index(act) for act in ("draft_house", "put_in_force", "assign_house", "check_table")]
        assert order == sorted(order), (name, acts)
        assert (path.table, path.green < path.items) == ("", True)


def test_arizona_leads_through_rules_layout_dice_chips_and_people() -> None:
    path = _path(TrialOffice("arizona", HALL, STAFF))
    wanted = (
        "enter_employee", "designate_supervisor", "go_on_duty", "set_crew", "hold_training",  # people
        "add_to_package", "submit_house", "tgo_approve_house", "put_in_force", "post_table_rules",  # rules
        "notify_installation", "install_table", "approve_table", "affix_tgo_seal", "cover_table",  # the table
        "enter_vendor", "receive_dice", "request_store", "enter_store", "test_dice", "place_dice",  # dice
        "specify_chip", "tgo_approve_chip", "receive_chips", "issue_chips", "request_fill", "accept_fill",  # chips
        "enter_drop_box", "attach_drop_box", "approve_drop_times", "establish_currency_procedures",
    )  # fmt: skip
    assert [act for act in wanted if act not in _acts(path)] == []
    assert [step.value for step in path.steps if step.value] == ["table_limit", "installation_notice"]
    assert [step.approval for step in path.steps if step.approval] == ["laboratory_report"]
    assert not [step.act for step in path.steps if step.act in {"renew_credentials", "tgo_refuse_table"}]
    place = {step.act: at for at, step in enumerate(path.steps) if step.act}
    assert place["receive_dice"] in _step(path, "test_dice").after
    assert place["receive_chips"] in _step(path, "issue_chips").after


def test_people_are_asked_for_once_and_from_the_beginning() -> None:
    """Whoever a step hires is counted on by those after it: a compliance officer signs, no second owner is needed."""
    path = _path(TrialOffice("arizona", HALL, {"olga": "owner"}))
    asked = [step.name.removeprefix("Make an account: ") for step in path.steps if step.role]
    assert len(asked) == len(set(asked))
    assert {"dealer", "dealer, number 2"} <= {*asked}
    assert "owner" not in {step.role for step in path.steps}
    hired = {step.role: place for place, step in reversed([*enumerate(path.steps)]) if step.role}
    assert hired["compliance"] in _step(path, "tgo_approve_house").after


def test_somebody_who_is_there_is_designated_before_another_is_hired() -> None:
    """A fill takes two designated supervisors: somebody with the role is designated, nobody new is asked for."""
    office = TrialOffice(
        "arizona", HALL, {"olga": "owner", "cora": "compliance", "flo": "floorperson", "sue": "supervisor"}
    )
    until: dict[str, Any] = dict.fromkeys(("licence_until", "certificate_until"), "2026-12-31")
    office.do("cora", "enter_employee", "flo", post="floorperson", **until)
    office.sign("olga", "second")
    duties: dict[str, Any] = dict.fromkeys(("directs", "oversees", "resolves", "schedules"), True)
    knows = ["the play of every authorized craps game", "the regulations of craps"]
    said = office.do("olga", "designate_supervisor", "flo", **duties, knows=knows)
    assert "refused" not in said, said
    steps = _path(office).steps
    assert "supervisor" not in {step.role for step in steps}
    assert ("sue",) in {step.things for step in steps if step.act == "designate_supervisor"}


def test_a_crew_is_entered_and_on_duty_before_it_is_set_and_trained_once_the_table_has_its_rules() -> None:
    path = _path(TrialOffice("arizona", HALL, {"olga": "owner"}))
    place = {step.name: at for at, step in enumerate(path.steps)}
    crew = [step for at in _step(path, "set_crew").after if (step := path.steps[at]).act]
    assert "Enter an employee" not in {step.name for step in path.steps if not step.things}  # without saying whom
    for who in ("boxperson 1", "stickperson 1", "dealer 1", "dealer 2"):
        entered, on_duty = place[f"Enter an employee ({who})"], place[f"Go on duty ({who})"]
        assert path.steps[on_duty] in crew, who
        assert entered in path.steps[on_duty].after, who
    assert place["Say by which house rules a table is dealt"] in _step(path, "hold_training").after
    known = _path(TrialOffice("arizona", HALL, STAFF))
    things = {step.things for step in known.steps if step.act == "go_on_duty"}
    assert {("bob",), ("stu",), ("dan",), ("dora",)} <= things  # offered by name once they have accounts


def test_a_step_that_is_done_leaves_the_path_and_frees_the_next() -> None:
    office = TrialOffice("section2", HALL, STAFF)
    before = _path(office)
    assert _step(before, "put_in_force").after
    office.do("olga", "draft_house", "capstan", file={"rules": "section2"})
    after = _path(office)
    assert "draft_house" not in _acts(after)
    assert (_step(after, "put_in_force").after, _step(after, "put_in_force").things) == ((), ("capstan",))
    office.do("olga", "register_table", "craps-1", area="pit-1")
    assert _path(office).table == "craps-1"
    assert "register_table" not in _acts(_path(office))


def test_the_path_is_empty_where_a_table_may_open() -> None:
    for name in ("arizona_opening", "colorado_rules", "maryland_rules", "section2_tables"):
        text = (DAYS / f"{name}.txt").read_text(encoding="utf-8")
        day = Day(None)
        for step in steps_of(text.partition(OPENS)[0]):
            list(day.do(step.text))
        found = opening_path(day.scene(), [*day.people.values()])
        assert found is not None
        assert [step.name for step in found.steps] == [], name
        assert found.green == found.items


def test_a_page_that_asks_for_more_makes_the_path_longer() -> None:
    """Nothing is typed by hand: an item that a page adds to the gate is a step at once."""
    rules = office_of("section2")
    more = Condition(says="nobody has counted the cage", done="count_cage", mend="count_cage", cite="practice")
    gate = rules.pages.gates["open_table"]
    pages = replace(
        rules.pages, gates={**rules.pages.gates, "open_table": replace(gate, items={**gate.items, "cage": more})}
    )
    path = _path(TrialOffice(ActRules(rules.name, rules.digest, pages), HALL, STAFF))
    assert _step(path, "count_cage").why == "nobody has counted the cage"
    assert "count_cage" not in _acts(_path(TrialOffice(rules, HALL, STAFF)))


def test_an_act_that_waits_to_be_signed_says_so_and_a_second_person_is_asked_for() -> None:
    alone = TrialOffice("arizona", HALL, {"olga": "owner"})
    wanted = [step.role for step in _path(alone).steps if step.role]
    assert {"dealer", "boxperson", "stickperson", "cashier", "supervisor"} <= {*wanted}
    person = Person("tom", "Tom", frozenset({"regulator"}))
    found = opening_path(alone.scene, [*alone.people.values(), person])
    assert found is not None
    assert "compliance" in {step.role for step in found.steps}  # who sees a body's paper too


def test_no_way_is_shown_once_a_table_was_opened() -> None:
    office = TrialOffice("section2", HALL, STAFF)
    office.state = replace(office.state, marks={**office.state.marks, "open_table": {"table/craps-1": None}})
    assert opening_path(office.scene, []) is None


def _mends(office: TrialOffice) -> dict[str, str]:
    """What the opening list of a table offers for each red item, in its order."""
    items = items_in_order(office.scene, [*office.people.values()], "open_table", "craps-1")
    return {item.key: item.mend for item in items if not item.is_green}


def test_an_opening_list_offers_what_can_be_done_now() -> None:
    """Of a table that was only ordered nobody approves anything: it is told of, and installed, before."""
    office = TrialOffice("arizona", HALL, STAFF)
    office.do("olga", "register_table", "craps-1", area="pit-1")
    mends = _mends(office)
    assert {mends[key] for key in ("tgo_approval", "tgo_seal", "both_seals")} == {"notify_installation"}
    assert mends["equipment"] == "enter_drop_box"
    office.do("olga", "notify_installation", "craps-1", work="install", notice="a" * 64, paper={"document": "b" * 64})
    assert {_mends(office)[key] for key in ("tgo_approval", "tgo_seal", "both_seals")} == {""}  # it waits to be signed
    office.sign("cora", "second")
    assert {_mends(office)[key] for key in ("tgo_approval", "tgo_seal", "both_seals")} == {"install_table"}
    office.do("olga", "install_table", "craps-1")
    mends = _mends(office)
    assert [mends[key] for key in ("tgo_approval", "tgo_seal")] == ["approve_table", "affix_tgo_seal"]
    assert [*mends].index("tgo_approval") < [*mends].index("equipment")  # which waits for a box


def test_an_ordered_table_bears_no_seal_and_its_check_waits_for_the_box() -> None:
    office = TrialOffice("arizona", HALL, STAFF)
    office.do("olga", "register_table", "craps-1", area="pit-1")
    path = _path(office)
    place = {step.act: at for at, step in enumerate(path.steps) if step.act}
    assert place["install_table"] in _step(path, "affix_tgo_seal").after
    assert place["attach_drop_box"] in _step(path, "check_table").after


def test_a_table_dealt_in_smaller_steps_than_its_smallest_chip_is_told_of() -> None:
    office = TrialOffice("section2", HALL, STAFF)
    office.do("olga", "register_table", "craps-1", area="pit-1")
    office.do("olga", "draft_house", "capstan", file={"rules": "section2"})
    office.do("olga", "put_in_force", "capstan")
    office.do("olga", "assign_house", "craps-1", house="capstan")
    assert _path(office).warnings == ()
    chips = {"chip/500": KnownThing("chip", "500", "approved", {}, "")}
    office.state = replace(office.state, things={**office.state.things, **chips})
    [warning] = _path(office).warnings
    assert "dealt in steps of $1, and the smallest chip on record is $5" in warning
    less = {"chip/100": KnownThing("chip", "100", "approved", {}, "")}
    office.state = replace(office.state, things={**office.state.things, **less})
    assert _path(office).warnings == ()
