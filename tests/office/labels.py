"""Labels: rows of the clause matrix for which an office only has an act that nothing comes of.

Nothing waits for such an act, no clock runs to it, no paper or report shows it: taken out of the pages, it would be
missed by nobody but whoever wanted to record it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from passline.acts.rules import ActRules, cited_parts
from passline.acts.schema import PRACTICE, Act, ActPages, Condition

_SERVER = {"open_table", "close_table"}  # what live tables do through the office


def label_rows(rules: ActRules) -> dict[str, list[str]]:
    """The clauses of which an office has nothing but labels, each with the entries that cite it and no reading."""
    pages, live = rules.pages, live_acts(rules.pages)
    found: dict[str, list[str]] = {}
    enforced: set[str] = set()
    for path, clauses in cited_parts(pages):
        is_label = path[0] == "acts" and path[1] not in live and (len(path) == 2 or path[2] in {"fields", "signs"})
        for clause in clauses:
            if not is_label:
                enforced.add(clause)
            elif not _reading(pages, path):
                found.setdefault(clause, []).append(".".join(path))
            else:
                enforced.add(clause)
    return {clause: paths for clause, paths in found.items() if clause not in enforced | {PRACTICE}}


def live_acts(pages: ActPages) -> set[str]:
    """The acts that something comes of: themselves, or what is done next because of the state they lead to."""
    corrections = {key for key, act in pages.acts.items() if act.corrects}
    pages = replace(pages, acts={key: act for key, act in pages.acts.items() if not act.corrects})
    named, states = _asked_for(pages)
    live = {key for key, act in pages.acts.items() if key in named | _SERVER or _has_effect(pages, act, states)}
    while True:
        after = {key for key, act in pages.acts.items() if _leads_on(pages, act, live)}
        if after <= live:
            return live | corrections
        live |= after


def _reading(pages: ActPages, path: tuple[str, ...]) -> str:
    """What an entry, or the act it belongs to, says of why nothing can be made to depend on it."""
    part = pages.acts[path[1]]
    below = getattr(part, path[2])[path[3]] if len(path) > 2 else part
    return below.reading or part.reading


def _has_effect(pages: ActPages, act: Act, states: set[tuple[str, str]]) -> bool:
    """Whether it moves, counts, sets or tells something, or others read its fields or the state that it leads to."""
    is_read = not _facts_read(pages, act).isdisjoint({*act.fields, *act.clears, act.joins, act.quits})
    is_counted = any(one.counts and one.counts.kind == act.thing for one in pages.acts.values()) and bool(act.to)
    return bool(act.moves or act.counts or act.cash or act.sets or act.tells or is_read or is_counted) or not (
        {*_led_to(act)}.isdisjoint(states)
    )


def _led_to(act: Act) -> Iterator[tuple[str, str]]:
    """The states that an act brings things to."""
    if act.to:
        yield act.thing, act.to
    yield from ((one.of[0], one.to) for one in act.fields.values() if one.to and one.of)


def _leads_on(pages: ActPages, act: Act, live: set[str]) -> bool:
    """Whether live acts can be done after it only, or can be done no more: by what it makes, or by a state."""
    others = [pages.acts[key] for key in live if pages.acts[key] is not act]
    asked = {(kind, state) for one in others for kind, states in _states_of(one) for state in states}
    left = {(act.thing, state) for state in act.states} if act.to else set()
    made = {kind for one in others if not one.new for kind, _ in _states_of(one)} if act.new else set()
    return not asked.isdisjoint({*_led_to(act), *left}) or act.thing in made


def _states_of(act: Act) -> Iterator[tuple[str, tuple[str, ...]]]:
    if act.thing:
        yield act.thing, act.states
    for field in act.fields.values():
        if field.type in {"thing", "things"}:
            yield field.of[0], field.states


def _conditions(pages: ActPages, but: Act | None = None) -> Iterator[tuple[str, Condition]]:
    """Every condition, with the kind of thing it is about; without those of one act, if it is named."""
    for act in pages.acts.values():
        if act is but:
            continue
        yield from ((one.kind or act.thing, one) for one in act.needs.values())
    for gate in pages.gates.values():
        yield from ((one.kind or gate.thing, one) for one in gate.items.values())
    yield from ((watch.needs.kind or watch.thing, watch.needs) for watch in pages.watches.values())


def _facts_read(pages: ActPages, act: Act) -> set[str]:
    """The facts that conditions, papers, lists and fields read, but for what an act asks of itself."""
    facts = {word for other in pages.acts.values() for one in other.fields.values() for word in one.valid}
    for other in pages.acts.values():
        if other is not act:
            facts |= {word for one in other.fields.values() for word in (one.total, one.least, one.lower)}
    for _, one in _conditions(pages, but=act):
        of = (one.of,) if isinstance(one.of, str) else one.of
        sole = (one.sole,) if isinstance(one.sole, str) else one.sole
        facts |= {
            one.fact,
            one.listed.rpartition(".")[2],
            *sole,
            one.has,
            one.valid,
            one.printed,
            one.planned,
            one.among,
            one.when,
            one.unless,
            *one.same,
            *(word.rpartition(".")[2] for word in of),
        }
    for paper in pages.papers.values():
        facts |= {word for part in paper.parts.values() for word in (part.source.split(".")[1], part.unless)}
    for checklist in pages.checklists.values():
        facts |= {word for item in checklist.items.values() for word in (item.unless, item.only)}
    return facts - {""}


def _asked_for(pages: ActPages) -> tuple[set[str], set[tuple[str, str]]]:
    """The acts and the states that conditions, clocks, watches and papers ask for."""
    named = {act for group in pages.roles.values() for act in (group.designated, *group.ended)}
    states = {(watch.thing, one) for watch in pages.watches.values() for one in watch.states}
    for kind, one in _conditions(pages):
        held = (one.held,) if isinstance(one.held, str) else one.held
        named |= {one.done, one.undone, one.since, one.never, one.when, one.unless, one.ended, *one.apart, *held}
        states |= {(kind, state) for state in one.state}
    for clock in pages.clocks.values():
        named |= {clock.starts, clock.unless, *clock.already, *clock.met}
    for paper in pages.papers.values():
        named |= {part.source.split(".")[1] for part in paper.parts.values() if part.source.startswith("done.")}
    return named - {""}, states
