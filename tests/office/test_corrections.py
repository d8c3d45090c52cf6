"""What an act said is put right by another: afterwards everything is as if the first had been right, and both stay."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts.state import INCIDENT, ActState
from passline.bookkeeping.period_sums import PeriodSum, sum_of, sums_of_days
from passline.bookkeeping.win import ADDENDUM, TableResult, table_results, total_result
from tests.office.corrected_story import Mistake, ToldStory, random_mistakes, random_story

REGULATIONS = ("practice", "section2", "colorado")
_MARKS = {"act", "corrected_by"}  # facts that are numbers of acts


def _known(state: ActState) -> dict[str, Any]:
    """All that is known of things, but for incidents and for which act said so."""
    return {
        key: (thing.state, {fact: value for fact, value in thing.facts.items() if fact not in _MARKS and value})
        for key, thing in state.things.items()
        if thing.kind != INCIDENT
    }


def _plain(result: TableResult) -> TableResult:
    """A result without the marks of corrections."""
    return replace(result, corrections=(), acts=())


def _results(told: ToldStory) -> list[TableResult]:
    return [_plain(result) for result in table_results(told.events, told.facility)]


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.parametrize("seed", [1, 2, 3, *(pytest.param(one, marks=pytest.mark.sweep) for one in range(4, 40))])
def test_before_the_day_is_closed_all_is_as_if_it_had_been_right(regulation: str, seed: int) -> None:
    random = Random(f"{regulation} {seed}")
    story = random_story(random, days=2)
    mistakes = random_mistakes(story, random, 6)
    right, corrected = ToldStory(regulation), ToldStory(regulation)
    right.tell(story)
    corrected.tell(story, mistakes)
    assert corrected.state.stocks == right.state.stocks
    assert _known(corrected.state) == _known(right.state)
    assert _results(corrected) == _results(right)
