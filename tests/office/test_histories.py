"""Random office histories: whatever is done, balances are sums of movements, and nothing is in two places."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.acts import events as e
from passline.acts.clocks import clocks_at
from passline.acts.rules import office_of
from passline.acts.state import ActState, fold
from passline.bookkeeping.win import table_results
from tests.cases import budget
from tests.office.bookkeeping import KeptOffice
from tests.office.random_acts import random_history

_MONEY = (
    "", "table", "fill_slip", "credit_slip", "drop_box", "chip", "tip_box", "tip_pool", "person",
)  # fmt: skip
_DICE = ("die", "store_visit", "vendor", "person")  # the rest comes as remedies of what is refused
_ACTS = 400
_MUCH_LATER = "2030-01-01T00:00:00.000000Z"


@settings(max_examples=budget(4, in_sweep=10), deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("office", ["practice", "arizona"])
def test_random_histories_keep_their_books(office: str, seed: int) -> None:
    kept = random_history(office_of(office), Random(seed), _ACTS)
    _holds(kept)


@settings(max_examples=budget(5, in_sweep=15), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_money_keeps_its_books(seed: int) -> None:
    kept = random_history(office_of("practice"), Random(seed), _ACTS, _MONEY)
    _holds(kept)
    for result in table_results(kept.events, kept.facility):
        parts = result.closer + result.credits + result.drop - result.opener - result.fills
        assert result.win == (None if result.missing else parts)


@settings(max_examples=budget(4, in_sweep=10), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_dice_are_where_they_were_brought(seed: int) -> None:
    kept = random_history(office_of("arizona"), Random(seed), _ACTS, _DICE)
    _holds(kept)
    held = Counter(die.state for die in kept.state.of_kind("die"))
    held.update(state for key, state in kept.state.ended.items() if key.startswith("die/"))
    flows, last = Counter[str](), dict[str, str]()
    for _, event in kept.events:
        for change in event.changes if isinstance(event, e.ActCompleted) else ():
            if change.kind == "die":
                flows[change.state] += 1
                flows[last.get(change.id, "outside")] -= 1
                last[change.id] = change.state
    assert held == {state: count for state, count in flows.items() if count > 0}
    assert -flows["outside"] == sum(held.values()), "every die came from outside, and is in one place"


@pytest.mark.long
@settings(max_examples=budget(1, in_sweep=10), deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(
    "office",
    [
        "arizona",
        *(pytest.param(name, marks=pytest.mark.sweep) for name in ("practice", "colorado", "maryland", "section2")),
    ],
)
def test_long_histories_keep_their_books(office: str, seed: int) -> None:
    _holds(random_history(office_of(office), Random(seed), 1_000))


_MONEY_DONE = """accept_fill accept_credit void_fill count_opener count_closer drop_table count_box issue_chips
    distribute_tips"""
_GOT_SOMEWHERE = (95, 135)  # of Arizona's first 200 histories, those that show most
_DICE_DONE = "receive_dice fill_cabinet test_dice reject_dice destroy_dice seal_dice"


@pytest.mark.parametrize(
    ("office", "kinds", "wanted"),
    [("practice", _MONEY, _MONEY_DONE), ("arizona", _DICE, _DICE_DONE)],
)
@pytest.mark.whole
def test_random_histories_get_somewhere(office: str, kinds: tuple[str, ...], wanted: str) -> None:
    """The histories are no heap of refusals: slips are accepted, boxes dropped, dice tested and destroyed."""
    missing = {*wanted.split()}
    for seed in (*_GOT_SOMEWHERE, *range(40)):
        kept = random_history(office_of(office), Random(seed), _ACTS, kinds)
        missing -= {act for act, marks in kept.state.marks.items() if marks}
        if not missing:
            break
    assert not missing


def _holds(kept: KeptOffice) -> None:
    _stocks_are_sums_of_movements(kept)
    _numbers_have_no_gap(kept)
    _nothing_is_in_two_places(kept)
    _folds_again(kept)
    _what_is_owed_are_clocks_without_an_answer(kept)


def _what_is_owed_are_clocks_without_an_answer(kept: KeptOffice) -> None:
    for at in (kept.events[-1][0], _MUCH_LATER):
        running = clocks_at(kept.rules, kept.state, at)
        assert clocks_at(kept.rules, kept.state, at, is_owed=True) == [
            clock for clock in running if clock.status in {"due", "overdue"}
        ]


def _stocks_are_sums_of_movements(kept: KeptOffice) -> None:
    sums: dict[tuple[str, str, str], int] = defaultdict(int)
    for _, event in kept.events:
        for move in event.moves if isinstance(event, e.ActCompleted) else ():
            for unit, count in move.units.items():
                assert count > 0
                sums[move.stock, move.source, unit] -= count
                sums[move.stock, move.target, unit] += count
    balances = {
        (stock, place, unit): count
        for stock, places in kept.state.stocks.items()
        for place, units in places.items()
        for unit, count in units.items()
    }
    assert balances == {key: count for key, count in sums.items() if count}
    totals: dict[tuple[str, str], int] = defaultdict(int)
    for (stock, place, unit), count in balances.items():
        totals[stock, unit] += count
        rule = kept.rules.pages.stocks[stock]
        assert count >= 0 or place in rule.outside or place.partition("/")[0] in rule.loose
    assert not any(totals.values()), "double entry sums to zero"


def _numbers_have_no_gap(kept: KeptOffice) -> None:
    acts = [event for _, event in kept.events if isinstance(event, e.ActDone)]
    assert [act.number for act in acts] == list(range(1, kept.state.acts + 1))
    series: dict[str, list[str]] = defaultdict(list)
    for act in acts:
        if act.series:
            series[act.series] += act.things
    for name, numbers in series.items():
        assert numbers == [f"{name}-{number:06}" for number in range(1, len(numbers) + 1)]
        assert kept.state.numbers[name] == len(numbers)
    incidents = [event.id for _, event in kept.events if isinstance(event, e.IncidentOpened)]
    assert incidents == [f"I-{number}" for number in range(1, len(incidents) + 1)]


def _nothing_is_in_two_places(kept: KeptOffice) -> None:
    last: dict[str, str] = {}
    done: dict[int, e.ActDone] = {}
    for _, event in kept.events:
        if isinstance(event, e.ActDone):
            done[event.number] = event
        if isinstance(event, e.IncidentOpened):
            last[f"incident/{event.id}"] = "open"
        if isinstance(event, e.TableCleared | e.TableShut) and event.state:
            last[f"table/{event.table}"] = event.state
        if not isinstance(event, e.ActCompleted):
            continue
        changes, act = event.changes, kept.rules.pages.acts[done[event.number].act]
        assert len({(one.kind, one.id) for one in changes}) == len(changes), "a thing in two places by one act"
        for change in changes:
            key = f"{change.kind}/{change.id}"
            final = kept.rules.pages.things[change.kind].final
            is_as_before = act.ended and change.state == last.get(key)
            assert is_as_before or last.get(key) not in final, f"{key} has ended, and goes on"
            named = [field for field in act.fields.values() if field.of == (change.kind,) and field.to == change.state]
            allowed = [*(act.states if change.kind == act.thing else ()), *(s for field in named for s in field.states)]
            assert (act.is_fact and not named) or not allowed or last[key] in allowed, f"{key} was {last[key]}"
            last[key] = change.state
    assert {key: known.state for key, known in kept.state.things.items()} | kept.state.ended == last
    for known in kept.state.things.values():
        assert known.state in kept.rules.pages.things[known.kind].states


def _folds_again(kept: KeptOffice) -> None:
    again: ActState | None = None
    decoder = msgspec.json.Decoder(list[e.ActEvent])
    for done in kept.done:
        stored = decoder.decode(msgspec.json.encode(list(done.events)))
        again = fold(again, done.at, stored)
    assert again == kept.state
