"""Plans as they are read, what a player could spend under them, and the rule sheet that is made from them."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passline.acts.papers.printed import PrintedPaper, printed_sheet
from passline.documents.as_pdf import as_pdf
from passline.errors import CrapsError
from passline.tournament.plan.check import check_plan, dealt_rules, printable_sheet
from passline.tournament.plan.figures import Spend, event_spend, plan_spend, round_sizes
from passline.tournament.plan.reader import example_plan, plan_of
from passline.tournament.plan.schema import AddOn, Event, Plan, Rebuy, Round, SheetWords
from passline.tournament.plan.sheet import SHEET_SOURCES, rule_sheet
from passline.tournament.rules import SheetSource, tournament_of
from tests.tournament.regulations import known_example

_ROUNDS = ("Heats", "Final")
_COLORADO = tournament_of("colorado")


def test_every_fault_of_shape_comes_at_once_with_its_key() -> None:
    data = known_example("colorado")
    data["split"] = True
    data["is_points_only"] = "yes"
    del data["splits"]
    data["events"][0]["first_day"] = "2026-05-01"
    data["events"][0]["rounds"][1]["xyz"] = 3
    data["events"][1]["entries_max"] = 0
    data["sheet"]["ties"] = "shard"
    del data["casino"]
    plan, faults = plan_of(data)
    assert plan is None
    assert sorted(map(str, faults)) == [
        "casino: is missing",
        "events[0].first_day: '2026-05-01' must be a day, such as 2014-07-15 without quotes",
        "events[0].rounds[1].xyz: is not a key here; known are minutes, carries_points, is_initial",
        "events[1].entries_max: 0 is below 1, the least possible",
        "is_points_only: 'yes' must be true or false",
        "sheet.ties: 'shard' is not one of earlier_lead, roll_off, shared; did you mean shared?",
        "split: is not a key here; did you mean splits?",
    ]


@pytest.mark.clause("CO-2315.04-related")
def test_a_reason_of_two_spaces_is_none() -> None:
    data = {**known_example("colorado"), "criteria_reason": "  "}
    assert [fault.key for fault in plan_of(data)[1]] == ["criteria_reason"]
    blank = replace(example_plan("colorado"), criteria_reason="  ")
    assert [one.clause for one in check_plan(_COLORADO, blank)] == ["CO-2315.04-related"]


def test_a_plan_of_another_regulation_is_not_judged() -> None:
    (breach,) = check_plan(_COLORADO, example_plan("arizona"))
    assert str(breach) == "rules: 'arizona' is not 'colorado', the regulation checked [practice]"


_CENTS = st.integers(0, 1000)
_MOST = st.integers(1, 3)
_SOME_ROUNDS = st.sampled_from([("Heats",), ("Final",), _ROUNDS])


@st.composite
def _events(draw: st.DrawFn) -> Event:
    base = example_plan("colorado").events[0]
    return replace(
        base,
        fee_cents=draw(_CENTS),
        buy_in_cents=draw(_CENTS),
        reentries_max=draw(st.integers(0, 3)),
        rounds=tuple(Round(name=name, rolls=9, is_initial=draw(st.booleans())) for name in _ROUNDS),
        rebuy=draw(st.none() | st.builds(Rebuy, cents=_CENTS, points=st.just(1), most=_MOST, rounds=_SOME_ROUNDS)),
        add_on=draw(st.none() | st.builds(AddOn, cents=_CENTS, points=st.just(1), most=_MOST, rounds=_SOME_ROUNDS)),
    )


def _spent(event: Event) -> Spend:
    """What somebody spends who buys whatever can be bought, as early as it can be."""
    fees = bought = early = 0
    initial = {one.name for one in event.rounds if one.is_initial}
    for _entry in range(1 + event.reentries_max):
        fees += event.fee_cents
        bought += event.buy_in_cents
        early += event.buy_in_cents if initial else 0
        for extra in (event.rebuy, event.add_on):
            for _time in range(extra.most if extra else 0):
                assert extra is not None
                bought += extra.cents
                early += extra.cents if any(name in initial for name in extra.rounds) else 0
    return Spend(fees, bought, early)


@given(events=st.lists(_events(), min_size=1, max_size=3))
def test_a_player_could_spend_what_one_who_buys_everything_spends(events: list[Event]) -> None:
    spent = [_spent(one) for one in events]
    assert [event_spend(one) for one in events] == spent
    whole = plan_spend(replace(example_plan("colorado"), events=tuple(events)))
    assert whole.fee_cents == sum(one.fee_cents for one in spent)
    assert whole.cents == sum(one.fee_cents + one.buy_in_cents for one in spent)
    assert whole.initial_cents <= whole.buy_in_cents


@given(
    entries=st.integers(1, 400),
    rounds=st.lists(
        st.builds(
            Round,
            name=st.just("Round"),
            rolls=st.just(9),
            seats=st.integers(2, 20),
            advance=st.integers(0, 20),
            wild_cards=st.integers(0, 9),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_every_round_seats_all_who_go_on(entries: int, rounds: list[Round]) -> None:
    event = replace(example_plan("colorado").events[0], rounds=tuple(rounds))
    sizes = round_sizes(event, entries)
    assert sizes[0].players == entries
    for size, one in zip(sizes, rounds, strict=True):
        assert size.players <= size.tables * one.seats < size.players + one.seats
        assert size.goes_on <= min(size.players, size.tables * one.advance + one.wild_cards)
    for size, after in pairwise(sizes):
        assert after.players == size.goes_on


def _sheet_of(plan: Plan) -> PrintedPaper:
    return PrintedPaper(rule_sheet(_COLORADO, plan, dealt_rules(_COLORADO, plan)), plan.casino, "Colorado")


@pytest.mark.clause("CO-2315.08-print")
def test_a_sheet_is_not_printed_while_a_part_is_missing() -> None:
    plan = replace(example_plan("colorado"), sheet=SheetWords())
    paper = _sheet_of(plan)
    assert not paper.sheet.is_complete
    assert not paper.sheet.digest
    with pytest.raises(CrapsError, match=r"cannot be printed while a part is missing: house rules \[CO-2315.08-1\]"):
        printed_sheet(paper)
    with pytest.raises(CrapsError, match=r"does not say: final round \[CO-2315.08-3-final\]"):
        printable_sheet(_COLORADO, plan)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("colorado", marks=pytest.mark.clause("CO-2315.07-print", "CO-2315.08-print")),
        pytest.param("arizona", marks=pytest.mark.clause("AZ-III.M.5-0")),
    ],
)
def test_a_sheet_is_known_by_all_that_it_is_made_from(name: str) -> None:
    rules, plan = tournament_of(name), example_plan(name)
    sheet = printable_sheet(rules, plan)
    assert sheet.digest == printable_sheet(rules, example_plan(name)).digest
    assert sheet.digest
    other = printable_sheet(rules, replace(plan, splits=not plan.splits))
    assert sheet.digest != other.digest
    under_others = rule_sheet(replace(rules, digest="f" * 64), plan, dealt_rules(rules, plan))
    assert sheet.digest != under_others.digest
    missing = rule_sheet(rules, replace(plan, sheet=SheetWords()), dealt_rules(rules, plan))
    assert not missing.digest


def test_a_sheet_is_a_pdf_whose_bytes_are_the_same_every_time() -> None:
    paper = _sheet_of(example_plan("colorado"))
    data = as_pdf(printed_sheet(paper))
    assert data.startswith(b"%PDF")
    assert data == as_pdf(printed_sheet(paper))


def test_parts_are_made_from_sources_that_there_are() -> None:
    assert {*get_args(SheetSource)} == {*SHEET_SOURCES}


@pytest.mark.clause("CO-2316-1-nolimit")
def test_a_house_without_limits_deals_where_chips_have_none() -> None:
    colorado, arizona = (dealt_rules(tournament_of(name), example_plan(name)) for name in ("colorado", "arizona"))
    assert colorado is not None
    assert arizona is not None
    assert (colorado.limits_apply, arizona.limits_apply) == (False, True)
