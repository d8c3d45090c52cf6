"""What is kept of an office as its log grows is what a fold of the whole log says, whatever happened in between."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest
from msgspec.structs import replace

from passline.acts.events import ActDone
from passline.acts.history import recorded_acts
from passline.acts.papers.sheet import sheet_of
from passline.acts.papers.signatures import signatures_of
from passline.acts.rules import office_of
from passline.acts.state import ActState, fold
from passline.acts.views.thing_history import acts_about
from passline.bookkeeping.win import table_results
from passline.office.folder import past_of
from passline.office.views.authority import authority_lines
from passline.office.views.cash import CashPart, cash_of_acts
from passline.office.views.day_forms import form_sheets, forms_of_day
from passline.office.views.day_report import OfficePast, day_tables
from passline.office.views.kept_past import (
    acts_of_day,
    find_acts_about,
    find_cash,
    find_filed,
    kept_acts,
    kept_past,
)
from passline.office.views.kept_results import find_results
from passline.office.views.office_views import OfficeViews
from passline.rules.pages.texts import RulebookError
from passline.rules.rules import Rules
from passline.store.memory import MemoryLog
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from tests.cases import one_in
from tests.office.bookkeeping import KeptOffice
from tests.office.random_acts import random_history

_AT = "2025-12-01T00:00:00.000000Z"
_EVER = (date(2000, 1, 1), date(2100, 1, 1))
_MONEY = ("", "table", "fill_slip", "credit_slip", "drop_box", "chip", "tip_box", "tip_pool", "person", "incident")


def _projected(log: MemoryLog, chance: Random) -> ViewStore:
    """Project a log by a process that is killed every now and then, in steps of any size."""
    store = ViewStore(None, b"a key")
    projector = Projector(log, store, [OfficeViews(log)])
    while projector.advance(chance.randrange(1, 40)):
        if chance.random() < 0.2:
            projector = Projector(log, store, [OfficeViews(log)])
    return store


def _written(kept: KeptOffice) -> MemoryLog:
    log = MemoryLog(log_id="a-log", at=_AT)
    kept.write(log)
    return log


def _shown(past: OfficePast) -> object:
    """Return all that papers of a gaming day show."""
    papers = {
        (paper, thing): signatures_of(past.day.rules, past.until, past.acts_of(sheet), sheet)
        for paper, rule in past.day.rules.pages.papers.items()
        for thing in ([one.id for one in past.until.of_kind(rule.thing)] if rule.thing else [""])
        if (sheet := sheet_of(past.day.rules, past.until, paper, thing, _no_rules))
    }
    states = [replace(one, ended={}) for one in (past.before, past.until)]
    forms = [form_sheets(past, form) for form in forms_of_day(past.day)]
    authority = authority_lines(past.authority())
    return day_tables(past.day), past.day.acts, past.day.to_date, states, papers, forms, authority, past.closing


def _no_rules(_data: object) -> Rules:
    raise RulebookError("no house is read here")


_seeds = pytest.mark.parametrize(
    "seed", [1, 20, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(2, 40) if seed != 20)]
)


@_seeds
@pytest.mark.parametrize(
    ("office", "kinds"), one_in(4, [("practice", _MONEY), ("arizona", ())], others=pytest.mark.whole)
)
def test_what_is_kept_is_what_a_fold_says(office: str, kinds: tuple[str, ...], seed: int) -> None:
    chance = Random(seed)
    kept = random_history(office_of(office), chance, 300, kinds)
    log = _written(kept)
    views = _projected(log, chance)
    assert find_results(views, office, kept.facility, *_EVER) == table_results(kept.events, kept.facility)
    days = sorted({kept.facility.gaming_day(at) for at, _ in kept.events})
    for day in (days[0] - timedelta(days=1), days[-1], *chance.sample(days, min(3, len(days)))):
        pure = past_of(log, office, day)
        assert _shown(kept_past(log, views, office, day, pure.day.names)) == _shown(pure)
        assert acts_of_day(log, views, office, kept.facility, day) == pure.day.own_acts()


@_seeds
def test_histories_and_cash_are_found(seed: int) -> None:
    chance = Random(seed)
    kept = random_history(office_of("practice"), chance, 300, _MONEY)
    log = _written(kept)
    views = _projected(log, chance)
    acts = recorded_acts(kept.events)
    things = [*kept.state.things, *kept.state.ended]
    for key in things:
        kind, _, id_ = key.partition("/")
        about = [one.done.number for one in acts_about(kept.rules, kind, id_, acts.values())]
        assert find_acts_about(views, "practice", key, 0, 10_000) == about
        assert find_acts_about(views, "practice", key, 0, 2) == about[-2:]
    assert kept_acts(log, views, "practice", acts) == acts
    filed = find_filed(views, "practice", things)
    assert {key: one.state for key, one in filed.items()} == kept.state.ended
    sold, state, waiting = list[CashPart](), ActState(), dict[int, ActDone]()
    for done in kept.done:
        sold += cash_of_acts(kept.rules, done.events, waiting, state.figures, entered=done.at)
        state = fold(state, done.at, done.events)
    found = find_cash(views, "practice", "", "9")
    assert sorted(found, key=str) == sorted(sold, key=str)


def test_a_day_stays_as_it_was_after_later_days() -> None:
    """But for what later acts say of it: here nothing does."""
    kept = random_history(office_of("practice"), Random(7), 500, _MONEY)
    log = _written(kept)
    views = _projected(log, Random(7))
    first = kept.facility.gaming_day(kept.events[0][0])
    days = [first + timedelta(days=number) for number in range(10)]
    for day in days:
        results = find_results(views, "practice", kept.facility, day, day)
        assert list(kept_past(log, views, "practice", day, {}).day.shifts) == results
