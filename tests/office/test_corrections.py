"""What an act said is put right by another: afterwards everything is as if the first had been right, and both stay."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.check import office_problems
from passline.acts.history import recorded_acts
from passline.acts.rules import SECOND, ActRules, office_of, with_made_acts
from passline.acts.schema import Corrected
from passline.acts.state import ActState
from passline.acts.views.blind import acts_seen_by
from passline.bookkeeping.period_sums import PeriodSum, sum_of, sums_of_days
from passline.bookkeeping.results import ADDENDUM
from passline.bookkeeping.win import table_results
from passline.documents.sheet import SheetTable
from passline.office.folder import folder_faults, write_folder
from passline.office.verify import house_faults
from passline.office.views.cash import cash_by_patron, cash_of_acts
from passline.office.views.day_report import day_tables, office_day
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.cases import one_in
from tests.office.corrected_story import (
    FIRST,
    Mistake,
    Step,
    ToldStory,
    differing,
    facts_known,
    is_of_day,
    random_mistakes,
    random_story,
    replace_until,
    results_known,
    stocks_held,
    within_day,
    wrong_tables,
)

REGULATIONS = ("practice", "section2", "maryland", "colorado")
_SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(2, 40))]


# --- Before the day is closed -----------------------------------------------------------------------------------------


def _check_same(one: ToldStory, other: ToldStory) -> None:
    assert stocks_held(one.state) == stocks_held(other.state)
    assert not differing(facts_known(one.state), facts_known(other.state))


def _cash(told: ToldStory, day: date) -> dict[str, tuple[int, int]]:
    parts = cash_of_acts(told.rules, [event for _, event in told.events], {}, told.state.figures)
    found = cash_by_patron(told.state, day, parts)
    sums: dict[str, tuple[int, int]] = {
        one.patron: (one.cents_in, one.cents_out) for one in found if one.patron.startswith("patron/")
    }
    nobody = [one for one in found if not one.patron.startswith("patron/")]
    sums["nobody"] = (sum(one.cents_in for one in nobody), sum(one.cents_out for one in nobody))
    return {patron: both for patron, both in sums.items() if any(both)}


def _papers(told: ToldStory, day: date) -> dict[str, Any]:
    """What the report of a day says of money: results, sums, slips and drops, without who corrected what.

    A slip of another day stands there too if it was corrected in this one.
    """
    kept = office_day(told.rules, told.state, day, told.events)
    kept = replace(kept, shifts=[shift for shift in kept.shifts if shift.is_played])  # else it is there for its marks
    tables = {one.title: one for one in day_tables(kept)}
    results, to_date = tables["Win by table and shift"], tables["Drop, win and hold to date"]
    return {
        "results": [row[:-1] for row in results.rows],
        "to date": [row[:-1] for row in to_date.rows],
        "slips": [row[:5] for name in ("Fills", "Credits") for row in tables[name].rows if "Ask for" in str(row[5])],
        "drops": _rows(tables["Drops"]),
    }


def _rows(table: SheetTable) -> Counter[tuple[Any, ...]]:
    return Counter(row[1:] for row in table.rows)


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.parametrize("seed", _SEEDS)
def test_before_the_day_is_closed_all_is_as_if_it_had_been_right(regulation: str, seed: int) -> None:
    """Whichever acts were wrong, and whatever came between them and their corrections."""
    random = Random(f"{regulation} {seed}")
    story = random_story(regulation, random, days=2)
    right, corrected = ToldStory(regulation), ToldStory(regulation)
    right.tell_story(story)
    corrected.tell_story(story, random_mistakes(story, random, 8))
    _check_same(corrected, right)
    assert corrected.state.tills == right.state.tills
    results = (results_known(told.events, told.facility) for told in (corrected, right))
    assert not differing(*results)
    for day in (FIRST, FIRST + timedelta(days=1)):
        assert not differing(_papers(corrected, day), _papers(right, day))
        assert _cash(corrected, day) == _cash(right, day)


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.parametrize("seed", _SEEDS)
def test_a_count_that_was_of_another_table_is_moved_there(regulation: str, seed: int) -> None:
    """With all that came to both trays or left them since, and with whatever else was wrong."""
    random = Random(f"tables {regulation} {seed}")
    story = random_story(regulation, random, days=2)
    tables = wrong_tables(story, random, 4)
    others = [one for one in random_mistakes(story, random, 6) if one.step not in {other.step for other in tables}]
    right, corrected = ToldStory(regulation), ToldStory(regulation)
    right.tell_story(story)
    corrected.tell_story(story, sorted([*tables, *others], key=lambda one: one.step))
    _check_same(corrected, right)
    assert corrected.state.tills == right.state.tills
    results = (results_known(told.events, told.facility) for told in (corrected, right))
    assert not differing(*results)


# --- After it ---------------------------------------------------------------------------------------------------------


def _folder(told: ToldStory, log: MemoryLog, day: date, to: Path) -> dict[str, bytes]:
    """The folder of a day, by a log that has all that was done until now."""
    told.write(log, log.streams().get(f"office/{told.rules.name}", 0))
    assert not list(house_faults(log.read()))
    write_folder(log, told.rules.name, day, to)
    assert folder_faults(to, log.public_key) == []
    return {path.name: path.read_bytes() for path in sorted(to.rglob("*")) if path.is_file()}


def _sum(told: ToldStory) -> PeriodSum:
    return replace(sum_of(sums_of_days(table_results(told.events, told.facility)).values()), corrections=0)


@pytest.mark.parametrize("regulation", one_in(4, REGULATIONS))
@pytest.mark.parametrize("seed", _SEEDS)
def test_after_the_day_was_closed_an_addendum_stands_in_the_open_day(
    regulation: str, seed: int, tmp_path: Path
) -> None:
    random = Random(f"closed {regulation} {seed}")
    story = random_story(regulation, random, days=2)
    last = len(story) - 1
    found = random_mistakes(story, random, 20)
    mistakes = [within_day(story, replace_until(one, last)) for one in found if is_of_day(story, one)][:6]
    right, corrected = ToldStory(regulation), ToldStory(regulation)
    right.tell_story(story, closes=True)
    corrected.tell_story(story, [replace_until(one, last + 1) for one in mistakes], closes=True)
    log = MemoryLog(SigningKey(bytes(32)), at="2025-12-30T00:00:00.000000Z")
    before = _folder(corrected, log, FIRST, tmp_path / "before")
    of_day = [one for one in table_results(corrected.events, corrected.facility) if one.day == FIRST]
    for mistake in mistakes:
        corrected.correct(story, mistake)
    _check_same(corrected, right)
    after = table_results(corrected.events, corrected.facility)
    is_same = [one for one in after if one.day == FIRST] == of_day
    assert is_same, "the closed day stays as it was closed"
    assert not differing(_folder(corrected, log, FIRST, tmp_path / "after"), before), "byte by byte"
    open_day = FIRST + timedelta(days=2)
    addenda = [one for one in after if one.shift == ADDENDUM]
    assert all(one.day == open_day and "of 2026-03-02" in one.corrections[0] for one in addenda)
    kept, known = (  # closed books keep the pit as well, which no addendum tells: it is no figure
        {key: replace(result, pit="") for key, result in results_known(told.events, told.facility).items()}
        for told in (corrected, right)
    )
    assert bool(addenda) == bool(differing(kept, known))
    assert _sum(corrected) == _sum(right)
    if addenda:
        (results, *_) = day_tables(office_day(corrected.rules, corrected.state, open_day, corrected.events))
        assert [row[1] for row in results.rows if row[0] == addenda[0].table] == [ADDENDUM]


# --- What the issue tells of ------------------------------------------------------------------------------------------


def _closer(figures: dict[str, int]) -> Step:
    return Step("dan", "count_closer", ("T1",), {"shift": "day"}, {"chips": figures}, (("flo", "second"),))


_TABLE: list[Step | date] = [
    Step("cora", "register_table", ("T1",), {"area": "pit-1"}, {}, ()),
    Step("dan", "count_opener", ("T1",), {"shift": "day"}, {"chips": {"10000": 20}}, (("flo", "second"),)),
    _closer({"10000": 20}),
]


def test_two_black_chips_instead_of_twenty_are_mended() -> None:
    """The closer that cost a table $1,800 on paper, and the opener of the next day that found them again."""
    told = ToldStory("practice")
    opener = Step("dan", "count_opener", ("T1",), {"shift": "day"}, {"chips": {"10000": 20}}, (("flo", "second"),))
    told.tell_story([*_TABLE, FIRST, opener], [Mistake(2, {"chips": {"10000": 2}}, 9)])
    assert table_results(told.events, told.facility)[0].closer == 200_00
    assert told.state.stocks["chips"]["unexplained"] == {"10000": -20 - 18}
    told.correct([*_TABLE], Mistake(2, {}, 0))
    closed, *_ = table_results(told.events, told.facility)
    number = told.state.acts
    assert closed.closer == 2_000_00
    assert closed.corrections == (f"act {number} corrects act {told.acts[2]}: $200.00 to $2000.00",)
    assert told.state.stocks["chips"]["unexplained"] == {"10000": -20}
    assert "players" not in {place for place, units in told.state.stocks["chips"].items() if units}
    stays = told.state.things["incident/I-2"]
    assert "the opener is not what the closer was" in stays.facts["why"]
    assert (stays.state, stays.facts["corrected_by"]) == ("open", number)
    assert (
        "a corrected count: counted 20 of chips 10000; on record 2 of" in told.state.things["incident/I-3"].facts["why"]
    )


def test_a_correction_is_counted_by_as_many_and_without_seeing_the_first() -> None:
    told = ToldStory("practice")
    told.tell_story(_TABLE)
    number = told.acts[2]
    fields: dict[str, Any] = {"reason": "misread", "chips": {"10000": 19}}
    told.does("dan", "correct_count_closer", "T1", corrects=number, **fields)
    assert table_results(told.events, told.facility)[0].closer == 2_000_00, "nothing is moved by one person"
    assert "by somebody other than Dan" in told.sign("dan", "second", chips={"10000": 19})
    assert "the two counts differ" in told.sign("flo", "second", chips={"10000": 18})
    told.does("dan", "correct_count_closer", "T1", corrects=number, **fields)
    told.signs("flo", "second", chips={"10000": 19})
    assert table_results(told.events, told.facility)[0].closer == 1_900_00


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"corrects": 99, "chips": {"10000": 1}}, "act 99 cannot be corrected by this"),
        ({"corrects": 2, "chips": {"10000": 1}}, "act 2 cannot be corrected by this"),
        ({"corrects": 3, "chips": {"10000": 20}}, "nothing is corrected: act 3 says the same"),
        ({"chips": {"10000": 1}}, "corrects: is missing"),
        ({"corrects": 3}, "chips: is missing"),
    ],
)
def test_a_correction_names_what_it_corrects_and_says_something_else(fields: dict[str, Any], why: str) -> None:
    told = ToldStory("practice")
    told.tell_story(_TABLE)
    assert told.acts == {0: 1, 1: 2, 2: 3}
    assert why in told.do("dan", "correct_count_closer", "T1", reason="misread", **fields)


def test_a_correction_is_made_now_and_of_the_same_thing() -> None:
    told = ToldStory("practice")
    told.tell_story([*_TABLE, Step("cora", "register_table", ("T2",), {"area": "pit-1"}, {}, ())])
    fields: dict[str, Any] = {"corrects": 3, "reason": "misread", "chips": {"10000": 1}}
    assert "was done to T1" in told.do("dan", "correct_count_closer", "T2", **fields)
    earlier = told.at.replace("2026-03-02", "2026-03-01")
    assert "when it is entered" in told.do("dan", "correct_count_closer", "T1", occurred=earlier, **fields)


def test_of_two_corrections_the_second_names_the_first() -> None:
    told = ToldStory("practice")
    told.tell_story(_TABLE)
    for number, count in ((3, 19), (4, 18)):
        chips = {"10000": count}
        said = told.do("dan", "correct_count_closer", "T1", corrects=3, reason="misread", chips=chips)
        if number == 4:
            assert "act 3 was corrected by act 4: correct that one" in said
            told.does("dan", "correct_count_closer", "T1", corrects=4, reason="misread", chips=chips)
        told.signs("flo", "second", chips=chips)
    assert table_results(told.events, told.facility)[0].closer == 1_800_00


def test_a_specification_is_not_corrected_once_a_body_has_approved_it() -> None:
    told = ToldStory("arizona")
    seen = dict.fromkeys(told.rules.pages.checklists["chip"].items, True)
    told.does("cora", "specify_chip", "500", colour="red", seen=seen)
    said = told.do("cora", "correct_specify_chip", "500", corrects=1, reason="the wrong box", colour="blue")
    assert "a chip of five dollars is red (not blue)" in said, "a correction needs what the first act needs"
    told.does("cora", "correct_specify_chip", "500", corrects=1, reason="the wrong box", colour="Red")
    assert told.state.things["chip/500"].facts["colour"] == "Red"
    assert told.state.things["chip/500"].facts["seen"] == seen, "what is not named stays as it was"
    paper = {"document": "a" * 64, "reference": "letter 7", "received": "2026-03-02"}
    assert "refused" not in told.do("cora", "tgo_approve_chip", "500", paper=paper, signs=SECOND, signed_by="olga")
    said = told.do("cora", "correct_specify_chip", "500", corrects=2, reason="another", colour="blue")
    assert "act 1 is not corrected any more: since then came: the tgo approves" in said


def test_tips_are_corrected_before_they_are_shared_out() -> None:
    told = ToldStory("practice")
    told.does("cora", "register_table", "T1", area="pit-1")
    told.does("olga", "enter_tip_box", "B1")
    told.does("flo", "attach_tip_box", "T1", tip_box="B1")
    told.does("dan", "collect_tips", "T1", collected="B1", signs=("bob", "witness"))
    told.does("cy", "count_tips", boxes=["B1"], total=100_00, chips={"500": 2})
    told.signs("dan", "witness", total=100_00, chips={"500": 2})
    fields: dict[str, Any] = {"corrects": told.state.acts, "reason": "misread", "total": 90_00, "chips": {"500": 1}}
    told.does("cy", "correct_count_tips", "P-000001", **fields)
    told.signs("dan", "witness", total=90_00, chips={"500": 1})
    assert told.state.stocks["chips"]["cage"] == {"500": 1}
    assert "and $90.00 is to be shared out" in told.do("cy", "distribute_tips", "P-000001", shares={"dan": 100_00})
    assert told.state.things["tip_box/B1"].state == "ready", "what was done to the box is not done again"


def test_after_its_days_a_figure_is_not_at_hand_any_more() -> None:
    told = ToldStory("practice")
    told.tell_story(_TABLE)
    told.go_to("2026-05-30", "12:00")
    told.look_round()
    assert {figure.act for figure in told.state.figures.at_hand.values()} == {"register_table"}
    said = told.do("dan", "correct_count_closer", "T1", corrects=3, reason="misread", chips={"10000": 1})
    assert "act 3 cannot be corrected by this: it is not on record as done, or not at hand any more" in said


def test_who_is_to_count_a_tray_does_not_see_its_corrections() -> None:
    told = ToldStory("practice")
    told.tell_story(_TABLE)
    told.does("dan", "correct_count_closer", "T1", corrects=3, reason="misread", chips={"10000": 19})
    told.signs("flo", "second", chips={"10000": 19})
    told.go_to("2026-03-03", "12:00")
    (seen,) = acts_seen_by(told.scene, told.people["dan"], [recorded_acts(told.events)[4]])
    assert "chips" not in seen.done.fields
    assert seen.correction is None


def _without_corrections(regulation: str) -> ActRules:
    """The pages of an office as they were before anything could be corrected."""
    rules = office_of(regulation)
    acts = {key: replace(act, corrected=None) for key, act in rules.pages.acts.items() if not act.corrects}
    return ActRules(rules.name, "before corrections", replace(rules.pages, acts=acts))


def test_under_pages_without_the_key_nothing_else_is_written_than_before() -> None:
    told = ToldStory(_without_corrections("practice"))
    told.tell_story(_TABLE)
    assert told.state.figures == ActState().figures
    completed = [event for _, event in told.events if isinstance(event, e.ActCompleted)]
    assert all((event.is_kept, event.figures, event.recalled) == (False, (), None) for event in completed)
    assert "no act" in told.do("dan", "correct_count_closer", "T1", corrects=3, reason="misread", chips={"10000": 1})


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.parametrize("seed", _SEEDS)
def test_what_was_told_under_earlier_pages_is_corrected_under_todays(regulation: str, seed: int) -> None:
    """An office that has moved on since: its acts stay judged by their own pages, and can be put right."""
    random = Random(f"earlier {regulation} {seed}")
    story = random_story(regulation, random, days=2)
    last = len(story)
    mistakes = [replace_until(one, last) for one in random_mistakes(story, random, 8)]
    right, corrected = ToldStory(_without_corrections(regulation)), ToldStory(_without_corrections(regulation))
    right.tell_story(story)
    corrected.tell_story(story, mistakes)
    corrected.move_to(office_of(regulation))
    for mistake in mistakes:
        corrected.correct(story, mistake)
    _check_same(corrected, right)
    assert corrected.state.tills == right.state.tills
    results = (results_known(told.events, told.facility) for told in (corrected, right))
    assert not differing(*results)
    assert all(_cash(corrected, day) == _cash(right, day) for day in (FIRST, FIRST + timedelta(days=1)))


def test_a_count_of_another_table_that_earlier_pages_have_is_moved() -> None:
    told, right = (ToldStory(_without_corrections("practice")) for _ in range(2))
    other = Step("cora", "register_table", ("T2",), {"area": "pit-1"}, {}, ())
    opener = [*_TABLE[:1], other, _TABLE[1]]
    right.tell_story(opener)
    told.tell_story(opener, [Mistake(2, {"chips": {"10000": 20}}, 9, "T2")])
    told.move_to(office_of("practice"))
    told.correct(opener, Mistake(2, {}, 0, "T2"))
    _check_same(told, right)
    assert told.state.tills == right.state.tills
    assert [one.table for one in table_results(told.events, told.facility) if one.is_played] == ["T1"]


def test_pages_that_correct_what_an_act_is_done_to_are_found() -> None:
    rules = office_of("practice")
    act = rules.pages.acts["request_fill"]
    wrong = Corrected(fields=("table", "colour"), until=("never_done",), cite="practice")
    acts = {key: one for key, one in rules.pages.acts.items() if not one.corrects}
    pages = with_made_acts(replace(rules.pages, acts={**acts, "request_fill": replace(act, corrected=wrong)}))
    problems = office_problems(ActRules(rules.name, rules.digest, pages))
    assert any("acts.request_fill.corrected.fields: there is no field 'colour'" in one for one in problems)
    assert any("acts.request_fill.corrected.until: there is no act 'never_done'" in one for one in problems)
