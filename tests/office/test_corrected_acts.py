"""Whatever says a figure, a patron or a specification can be put right, and then all is as if it had been right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from passline.acts.figures import INSTEAD
from passline.acts.rules import ActRules, is_made, office_of
from passline.acts.schema import Act
from passline.bookkeeping.win import GAMING_DAY
from passline.rules.clauses import REGULATIONS
from tests.cases import one_in
from tests.office.corrected_days import mistakes_in, tell_wrong, told_day
from tests.office.corrected_story import differing, facts_known, results_known, stocks_held, sums_known
from tests.office.day_file import day_files

OFFICES = ("practice", *REGULATIONS)
_FIGURES = frozenset({"units", "cents", "shares", "per_thing", "number"})
_EXCEPTIONS_MAX = 15
_ON_RECORD = frozenset({"patron", "chip"})  # what is said of these is who somebody is, or how something looks


def _own_acts(rules: ActRules) -> Iterator[tuple[str, Act]]:
    return ((name, act) for name, act in rules.pages.acts.items() if not is_made(rules.pages, name))


def _figures_in(act: Act) -> set[str]:
    """The fields of an act in which somebody says how much of something there is; what the server reads is none."""
    counted = set(act.counts.counted_fields) if act.counts else set()
    return {key for key, field in act.fields.items() if field.type in _FIGURES and not field.shown} | counted


@pytest.mark.parametrize("regulation", OFFICES)
def test_every_figure_patron_and_specification_can_be_corrected_or_its_page_says_why_not(regulation: str) -> None:
    rules = office_of(regulation)
    lacking = []
    for name, act in _own_acts(rules):
        figures = _figures_in(act)
        if not figures and not (act.thing in _ON_RECORD and act.fields):
            continue
        assert not (act.corrected and act.uncorrected), name
        if act.corrected is None and not act.uncorrected:
            lacking.append(f"{name} cannot be corrected")
        elif act.corrected is not None:
            lacking += (f"{name} cannot be corrected in {key}" for key in sorted(figures - {*act.corrected.fields}))
    assert lacking == []


def test_few_acts_say_why_they_are_not_corrected() -> None:
    """The list of exceptions stays short, and each is of an act with a figure, a patron or a specification."""
    acts = {name: act for regulation in OFFICES for name, act in _own_acts(office_of(regulation)) if act.uncorrected}
    assert len(acts) < _EXCEPTIONS_MAX
    assert all(_figures_in(act) or act.thing in _ON_RECORD for act in acts.values())


# --- As if it had been right ------------------------------------------------------------------------------------------


@cache
def _tried(regulation: str) -> frozenset[tuple[str, str]]:
    """Key every field of every act of the days of an office wrongly, correct it, and compare; return what was tried."""
    tried: dict[tuple[str, str], int] = {}
    for path in day_files(regulation):
        day = told_day(path)
        for mistake in mistakes_in(day):
            key = (mistake.act, mistake.field)
            if tried.get(key, 0) > 1:
                continue
            told = tell_wrong(day, mistake)
            if told is None:
                continue
            tried[key] = tried.get(key, 0) + 1
            assert stocks_held(told.state) == stocks_held(day.state), (path.name, mistake)
            assert not differing(facts_known(told.state), facts_known(day.state)), (path.name, mistake)
            assert told.state.tills == day.state.tills, (path.name, mistake)
            right = [(kept.at, event) for kept in day.told for event in kept.events]
            assert day.state.facility is not None
            if day.state.of_kind(GAMING_DAY):  # the closed day stays, and the difference stands in another
                sums = [sums_known(events, day.state.facility) for events in (told.events, right)]
                assert sums[0].unknown or sums[0] == sums[1], (path.name, mistake)  # what was closed unknown stays so
                continue
            results = (results_known(events, day.state.facility) for events in (told.events, right))
            assert not differing(*results), (path.name, mistake)
    return frozenset(tried)


@pytest.mark.parametrize("regulation", one_in(4, OFFICES, others=pytest.mark.whole))
def test_each_corrected_field_of_each_act_leaves_all_as_if_it_had_been_right(regulation: str) -> None:
    """Whatever the pages let be corrected: an act that other pages have word for word is tried there or here."""
    own, shared = office_of(regulation), office_of("practice")
    tried = _tried(regulation)
    missing = []
    for name, act in _own_acts(own):
        if act.corrected is None or _is_agreed_to_again(own, name):
            continue
        elsewhere = _tried("practice") if shared.pages.acts.get(name) == act else frozenset()
        fields = [*act.corrected.fields, *([INSTEAD] if act.corrected.thing else [])]
        missing += [f"{name}.{key}" for key in fields if (name, key) not in tried | elsewhere]
    assert missing == []


def _is_agreed_to_again(rules: ActRules, name: str) -> bool:
    """Whether bodies agree to a correction as to the first act: test_examined_corrections.py tries those."""
    corrections = ((key, act) for key, act in rules.pages.acts.items() if act.corrects == name)
    return any(need.again == key for key, act in corrections for need in act.needs.values())
