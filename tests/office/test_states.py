"""The life of every kind of thing, read off the pages: each state is reached, and left again unless it ends there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from passline.acts.judges.gates import OPENING
from passline.acts.rules import ActRules
from passline.acts.schema import ActPages
from passline.acts.state import CASH_REPORT, INCIDENT
from passline.rules.clauses import REGULATIONS
from tests.office.offices import INVENTED, known_office

_ENGINE = {INCIDENT: [("", "open")], CASH_REPORT: [("", "due"), ("filed", "due")]}
"""What the office itself does: a breach opens an incident, cash makes a report due, and due again."""
_START = ""  # before the thing is there


def _ways(pages: ActPages, kind: str) -> Iterator[tuple[str, str]]:
    """Every step of a thing that the pages know, from a state to another; an act without states is done in all."""
    thing = pages.things[kind]
    alive = [state for state in thing.states if state not in thing.final]
    yield from _ENGINE.get(kind, ())
    for key, act in pages.acts.items():
        if act.thing == kind and act.to:
            before = [_START] if act.new else act.states or alive
            yield from ((state, act.to) for state in before)
            if key == OPENING:  # a live table is shut when it is dealt no more
                yield from ((act.to, state) for state in before)
        if act.batch and act.batch.slip == kind:  # which uses slips, and finds the others missing
            kept = (act.batch.blank, act.batch.out, act.batch.missing)
            yield from ((state, end) for state in kept for end in (act.batch.used, act.batch.missing))
        for field in act.fields.values():
            if field.to and field.of == (kind,):
                yield from ((state, field.to) for state in field.states or alive)


def life_faults(rules: ActRules) -> list[str]:
    """Every state that nothing leads to, or that nothing leads out of though it is no end."""
    faults = []
    for kind, thing in rules.pages.things.items():
        ways, reached = {*_ways(rules.pages, kind)}, {_START}
        while more := {there for here, there in ways if here in reached} - reached:
            reached |= more
        for state in thing.states:
            goes_on = (state, state) in _written(rules.pages, kind)  # more of the same is done in it
            leaves = goes_on or any(here == state != there for here, there in ways)
            if state not in reached:
                faults.append(f"{kind}.{state}: nothing leads there")
            elif not leaves and state not in thing.final:
                faults.append(f"{kind}.{state}: nothing leads out of it, and it is not final")
            elif leaves and state in thing.final and any(here == state for here, _ in _written(rules.pages, kind)):
                faults.append(f"{kind}.{state}: it is final, and an act is done in it")
    return faults


def _written(pages: ActPages, kind: str) -> Iterator[tuple[str, str]]:
    for act in pages.acts.values():
        if act.thing == kind and act.to:
            yield from ((state, act.to) for state in act.states)


@pytest.mark.parametrize("name", [*REGULATIONS, INVENTED])
def test_every_state_is_reached_and_left_unless_it_is_final(name: str) -> None:
    assert life_faults(known_office(name)) == []


def test_a_state_that_nothing_leads_to_or_out_of_is_found() -> None:
    """The test can fail: without the acts that lead there, the states of a die are named."""
    rules = known_office("arizona")
    gone = {"seal_dice", "hand_to_tgo", "lose_dice"}
    acts = {key: act for key, act in rules.pages.acts.items() if key not in gone}
    faults = life_faults(replace(rules, pages=replace(rules.pages, acts=acts)))
    assert {
        "die.sealed: nothing leads there",
        "die.with_tgo: nothing leads there",
        "die.tampered: nothing leads out of it, and it is not final",
    } <= {*faults}
