"""People in whose name acts were entered after an outage, and who are asked whether they are true."""

from __future__ import annotations

from msgspec import Struct

from passline.acts.clocks import running_clock
from passline.acts.rules import ActRules
from passline.acts.state import ActState, thing_key


class AskedPerson(Struct, frozen=True):
    """Somebody who has not said yet whether what was entered in their name after an outage is true."""

    id: str
    kind: str
    person: str  # the account
    why: str  # what was told
    due: str  # until when they say so; empty: no time is set
    is_overdue: bool
    acts: tuple[str, ...]  # by which they say so themselves


def people_asked(rules: ActRules, state: ActState, at: str) -> list[AskedPerson]:
    """Return who has not said yet whether what was entered in their name after an outage is true."""
    asking = {act.batch.asks for act in rules.pages.acts.values() if act.batch and act.batch.asks}
    clocks = [name for name, clock in rules.pages.clocks.items() if clock.starts in asking]
    found = list[AskedPerson]()
    for kind in sorted({rules.pages.acts[name].thing for name in asking}):
        acts = {key: act for key, act in rules.pages.acts.items() if act.thing == kind and not act.new}
        states = [state for act in acts.values() for state in act.states]
        own = tuple(key for key, act in acts.items() if any(need.own for need in act.needs.values()))
        for known in state.of_kind(kind, states):
            running = (running_clock(rules, state, name, thing_key(kind, known.id), at) for name in clocks)
            clock = next(filter(None, running), None)
            person, why = str(known.facts.get("person", "")), str(known.facts.get("why", ""))
            is_overdue = clock is not None and clock.status == "overdue"
            found.append(AskedPerson(known.id, kind, person, why, clock.due if clock else "", is_overdue, own))
    return found


def unanswered_words(rules: ActRules, state: ActState) -> list[str]:
    """Return, in words, who has not said in time whether what was entered in their name after an outage is true."""
    asked = people_asked(rules, state, state.newest)
    return [f"{each.id} has no answer: {each.why}" for each in asked if each.is_overdue]
