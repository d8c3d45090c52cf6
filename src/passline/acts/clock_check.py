"""Checks the clocks of an office's pages for contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from passline.acts.schema import ActPages, Clock, Condition
from passline.acts.state import CASH_REACHED
from passline.authority.roles import ROLES
from passline.rules.pages.structure import unknown_words


def clock_problems(pages: ActPages, named: Waits, key: str, clock: Clock) -> Iterator[str]:
    """Yield what is wrong with each clock, by itself and together with the conditions that wait for it."""
    path = f"clocks.{key}"
    yield from _clock_problems(pages, path, clock)
    yield from _waiting_problems(pages, named, path, key, clock)


def _clock_problems(pages: ActPages, path: str, clock: Clock) -> Iterator[str]:
    known = [*pages.acts, "open_incident", CASH_REACHED]
    yield from unknown_words(path, [clock.starts, *clock.met, clock.unless, *clock.already], known, "act")
    if clock.owed and (not clock.unless or clock.anew or clock.ends == "deemed"):
        yield f"{path}.owed: only a clock with `unless` has it, that neither begins anew nor frees anybody"
    yield from unknown_words(f"{path}.value", [clock.value, clock.times], pages.values, "value")
    yield from unknown_words(path, [clock.owes, *clock.to], [*pages.roles, *ROLES], "role or group")
    if clock.from_kept and (act := pages.acts.get(clock.starts)) and act.thing and clock.of != "office":
        yield f"{path}.from_kept: it runs for each {act.thing}: only what runs for the office as a whole begins with it"
    if clock.while_in:
        yield from unknown_words(f"{path}.of", [clock.of], pages.things, "thing")
        if clock.of in pages.things:
            yield from unknown_words(f"{path}.while_in", clock.while_in, pages.things[clock.of].states, "state")
    if clock.runs == "before" and clock.length and clock.length.unit == "shifts":
        yield f"{path}.length: nothing is told ahead by shifts"
    if clock.length is None and not clock.value:
        yield f"{path}: say how long it runs: by `length`, or by the `value` that the office is told"
    met = [pages.acts[act] for act in clock.met if act in pages.acts]
    if met and clock.owes and not any(_may(pages, clock.owes, group) for act in met for group in act.by):
        yield f"{path}.owes: the {clock.owes} may do none of {', '.join(clock.met)}: name who can meet it"


def _may(pages: ActPages, group: str, other: str) -> bool:
    """Return whether some people of a group are of another one."""
    first, second = pages.roles.get(group), pages.roles.get(other)
    if (first and first.body) or (second and second.body):
        return group == other
    return not {*(first.roles if first else (group,))}.isdisjoint(second.roles if second else (other,))


class Waits(NamedTuple):
    """The clocks that conditions name, by what they ask of a clock."""

    lapsed: set[str]
    ahead: set[str]
    clock: set[str]

    @classmethod
    def of(cls, conditions: Iterable[tuple[str, Condition]]) -> Waits:
        """Return those that these conditions name."""
        found = [condition for _, condition in conditions]
        return cls({wait.lapsed for wait in found}, {wait.ahead for wait in found}, {wait.clock for wait in found})


def _waiting_problems(pages: ActPages, named: Waits, path: str, key: str, clock: Clock) -> Iterator[str]:
    """Yield where a clock says of its end something else than what waits for it."""
    if (clock.ends == "deemed") != (key in named.lapsed):
        yield f"{path}.ends: write deemed where a condition has `lapsed` of it, and nowhere else"
    if clock.runs != "before":
        if key in named.ahead:
            yield f"{path}.runs: a condition asks with `ahead` whether it was told before: write before"
        return
    if key in named.lapsed | named.clock:
        yield f"{path}.runs: what is told before neither lapses nor is overdue: write after or every"
    act = pages.acts.get(clock.starts)
    gates = [pages.gates[gate] for gate in (act.gate if act else "", clock.starts) if gate in pages.gates]
    waits = [*(act.needs.values() if act else ()), *(item for gate in gates for item in gate.items.values())]
    if not any(part.ahead == key for part in waits):
        yield f"{path}.starts: {clock.starts} does not ask with `ahead` whether it was told before"
    elif (clock.ends == "blocked") == (act is not None and act.is_fact and not gates):
        yield f"{path}.ends: write blocked where {clock.starts} is refused without it, overdue where it is recorded"
