"""The register of manual slips: what is written on them, when they were printed and handed out, which are missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from passline.acts import events as e
from passline.acts.calendar.facility import minute_of
from passline.acts.judges.outages import Outage, mark_of
from passline.acts.judges.subjects import series_in
from passline.acts.printed_schema import Batch, Form
from passline.acts.rules import ActRules
from passline.acts.state import ActState, KnownThing


def acts_on_slip(rules: ActRules, form: Form) -> tuple[str, ...]:
    """Return the acts that can be written on a manual slip of a form: the form's own, and those behind its stamps."""
    if not form.manual:
        return ()
    stamped = (
        key
        for key, act in rules.pages.acts.items()
        if form.thing and act.thing == form.thing and act.to in form.stamps and not act.corrects
    )
    return tuple(dict.fromkeys((*form.acts, *stamped)))


def printed_at(rules: ActRules, state: ActState, batch: Batch, slip: str) -> str:
    """Return when a slip was printed; empty: nobody knows."""
    marks = (mark_of(state, key, batch.slip, slip) for key, act in rules.pages.acts.items() if act.prints)
    return next((mark.at for mark in marks if mark), "")


def _handed_at(rules: ActRules, state: ActState, batch: Batch, slip: str) -> str:
    marks = (
        mark_of(state, key, batch.slip, slip)
        for key, act in rules.pages.acts.items()
        if act.thing == batch.slip and act.to == batch.out
    )
    return max((mark.at for mark in marks if mark), default="")


def missing_slips(
    rules: ActRules, state: ActState, batch: Batch, outage: Outage, uses: Collection[str]
) -> list[KnownThing]:
    """Return the slips that were neither used nor voided: all that were handed out, and gaps between those used."""
    ends: dict[str, list[str]] = {}
    for name in (*uses, *(outage.slips if batch.all_batches else ())):
        ends.setdefault(series_in([name]), []).append(name)
    found = []
    for slip in state.of_kind(batch.slip, (batch.blank, batch.out)):
        used = ends.get(series_in([slip.id]), [])
        is_gap = bool(used) and min(used) < slip.id < max(used)
        is_out = slip.state == batch.out and _handed_at(rules, state, batch, slip.id) <= outage.ended
        is_old = minute_of(printed_at(rules, state, batch, slip.id)) <= minute_of(outage.begun)
        if slip.id not in uses and (is_out or (is_gap and is_old)):
            found.append(slip)
    return sorted(found, key=lambda slip: slip.id)


def slips_since(
    rules: ActRules, state: ActState, batch: Batch, outage: Outage
) -> Iterator[tuple[str, list[KnownThing]]]:
    """Yield ("taken back", slips) and ("voided", slips) for the slips of which that was done since an outage began."""
    ends = {batch.blank, batch.out, batch.used, batch.missing}
    acts = [(key, act) for key, act in rules.pages.acts.items() if act.thing == batch.slip and not act.new]
    kinds = (
        ("taken back", [key for key, act in acts if act.to == batch.blank]),
        ("voided", [key for key, act in acts if act.to and act.to not in ends]),
    )
    for word, keys in kinds:
        found = [
            slip
            for slip in state.of_kind(batch.slip)
            for mark in [mark_of(state, key, batch.slip, slip.id) for key in keys]
            if mark and outage.has_begun_before(mark.at)
        ]
        if found:
            yield word, sorted(found, key=lambda slip: slip.id)


def slip_change(batch: Batch, slip: str, state: str, outage: Outage, acts: Sequence[int] = ()) -> e.Change:
    """Return what became of a slip in an outage, and which acts were told from it."""
    return e.Change(
        batch.slip, slip, state, {"outage": outage.id} | ({"acts": ", ".join(map(str, acts))} if acts else {})
    )


def hand_remarks(rules: ActRules, state: ActState, batch: Batch, outage: Outage, done: e.ActDone) -> Iterator[str]:
    """Yield a remark if a slip was used without having been handed out, or at a table it was not handed out to."""
    known = state.thing(batch.slip, done.slip)
    assert known is not None
    if known.state == batch.blank:
        yield f"slip {known.id} was used and had not been handed out"
        return
    if batch.all_batches and outage.has_begun_before(_handed_at(rules, state, batch, known.id)):
        yield f"slip {known.id} was used and had not been handed out before the outage"
    table = table_of(state, done)
    place = state.thing("table", table) if table else None
    handed, area = str(known.facts.get("table") or ""), str(known.facts.get("area") or "")
    if table and handed and handed != table:
        yield f"slip {known.id} was handed to table {handed} and used at {table}"
    elif place and area and not handed and place.facts.get("area") not in {area, None}:
        yield f"slip {known.id} was handed to {area} and used at {table}, in {place.facts['area']}"


def table_of(state: ActState, done: e.ActDone) -> str:
    """Return the table that an act is about: its thing, or the table that its fields or its thing's facts name."""
    if done.kind == "table":
        return done.things[0]
    known = state.thing(done.kind, done.things[0]) if done.things else None
    return str(done.fields.get("table") or (known.facts.get("table") if known else "") or "")
