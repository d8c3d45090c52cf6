"""Abstract states: what a later act, gate, watch or clock can tell apart, and nothing else.

Left out are numbers of acts, moments and how many incidents there are. Kept is which thing is in which state, what it
names, which day is over, and in which order the acts were done to it on which a condition or a clock depends; with how
long was waited, that says how the clocks stand.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

from passline.acts.state import INCIDENT, KnownThing
from tests.office.search.world import WAIT, World

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_COUNTED = {"act", "clearance", "corrects"}  # facts that are numbers of acts


def abstract_state(world: World, kinds: frozenset[str] | None = None) -> Hashable:
    """Return what tells a state from others; with kinds, only as far as things of these kinds go."""
    state, today = world.state, str(world.scene.today)
    ordering = world.office.ordering_acts
    things = frozenset(
        (key, one.state, _facts(one, today))
        for key, one in state.things.items()
        if one.kind != INCIDENT and (kinds is None or one.kind in kinds)
    )
    orders: dict[str, list[tuple[int, str]]] = {}
    for act in ordering & state.marks.keys():
        for subject, mark in state.marks[act].items():
            if kinds is None or subject.partition("/")[0] in kinds:
                orders.setdefault(subject, []).append((mark.number, act))
    waited = sum(move.seconds for move in world.path if move.act == WAIT)
    return (
        things,
        frozenset((subject, tuple(act for _, act in sorted(marks))) for subject, marks in orders.items()),
        frozenset(state.values) if kinds is None else None,
        frozenset(state.broken),
        frozenset((one.facts["clause"], one.state) for one in state.of_kind(INCIDENT)) if kinds is None else None,
        frozenset((stock, place) for stock, places in state.stocks.items() for place, held in places.items() if held),
        waited,
        world.dealt,
    )


def _facts(known: KnownThing, today: str) -> Hashable:
    key = (id(known), today)
    if key not in _FACTS:
        told = ((key, _fact(value, today)) for key, value in known.facts.items() if key not in _COUNTED)
        _FACTS[key] = (known, frozenset(told))  # the thing is kept, so that its id stays its own
    return _FACTS[key][1]


_FACTS: dict[tuple[int, str], tuple[KnownThing, Hashable]] = {}


def _fact(value: Any, today: str) -> Hashable:  # noqa: ANN401 - as a field keeps it
    if isinstance(value, str) and _DAY.fullmatch(value):
        return "over" if value < today else "valid"
    return value if isinstance(value, str | bool | None) else repr(value)


def coarse_state(world: World, kinds: frozenset[str]) -> Hashable:
    """Return only which things of some kinds are in which states, and what is dealt: a search goes there first."""
    found = frozenset((key, one.state) for key, one in world.state.things.items() if one.kind in kinds)
    return found, world.dealt
