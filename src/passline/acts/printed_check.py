"""Checks what the pages of an office say of what is printed: checklists, papers and forms."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from passline.acts.papers.from_rules import RULES_SOURCES
from passline.acts.papers.houses import HOUSE
from passline.acts.papers.sheet import SOURCES
from passline.acts.printed_schema import Form, Paper
from passline.acts.schema import Act, ActPages
from passline.authority.roles import ROLES
from passline.rules.pages.structure import unknown_words


def printed_problems(pages: ActPages) -> Iterator[str]:
    """Yield what is wrong with checklists, papers and forms, each with its key and what to do."""
    for key, checklist in pages.checklists.items():
        yield from unknown_words(f"checklists.{key}.thing", [checklist.thing], pages.things, "thing")
        flags = [flag for item in checklist.items.values() for flag in (item.unless, item.only)]
        yield from unknown_words(f"checklists.{key}", flags, facts_of(pages, checklist.thing), "fact of it")
    for key, paper in pages.papers.items():
        yield from _paper_problems(pages, f"papers.{key}", paper)
        yield from unknown_words(f"papers.{key}.thing", [paper.thing], pages.things, "thing")
        yield from unknown_words(f"papers.{key}.signed_by", paper.signed_by, [*pages.roles, *ROLES], "role or group")
    for key, form in pages.forms.items():
        yield from _form_problems(pages, f"forms.{key}", form)


def facts_of(pages: ActPages, thing: str) -> frozenset[str]:
    """Return the fields of every act that is done to a kind of thing."""
    return pages.facts.get(thing, frozenset())


def _form_problems(pages: ActPages, path: str, form: Form) -> Iterator[str]:
    yield from unknown_words(f"{path}.thing", [form.thing], pages.things, "thing")
    yield from unknown_words(f"{path}.acts", form.acts, pages.acts, "act")
    if form.thing in pages.things:
        yield from unknown_words(f"{path}.stamps", form.stamps, pages.things[form.thing].states, "state of it")
    acts = [pages.acts[act] for act in form.acts if act in pages.acts]
    acts += [act for act in pages.acts.values() if act.corrects] if form.is_of_corrections else []
    if form.manual and not re.fullmatch("[A-Z]{1,6}", form.manual):
        yield f"{path}.manual: write capital letters, such as MF"
    same = [key for key, other in pages.forms.items() if form.manual and other.manual == form.manual]
    if len(same) > 1 or form.manual in {thing.series for thing in pages.things.values() if thing.series}:
        yield f"{path}.manual: {form.manual} is in front of other numbers, too: choose another"
    if form.is_log and (form.thing or form.copies):
        yield f"{path}: a log is of a gaming day: leave `thing` and `copies` out"
    if form.is_of_corrections and not form.is_log:
        yield f"{path}: what has every correction is a log: write is_log"
    if form.thing and any(act.thing != form.thing for act in acts):
        yield f"{path}.acts: are all done to a {form.thing}, which the form is of"
    known = {"field": {key for act in acts for key in act.fields}, "by": {*form.acts}}
    known |= {source: {""} for source in ("day", "facility", "was", "now", "cash_in", "cash_out")}
    yield from unknown_words(f"{path}.total", form.total, known["field"], "field of its acts")
    for key, part in form.parts.items():
        kind, _, what = part.source.partition(".")
        if kind and kind != "fact":
            yield from unknown_words(
                f"{path}.parts.{key}.source", [kind], [*known, "fact"], "source of a part of a form"
            )
            yield from unknown_words(f"{path}.parts.{key}.source", [what], known.get(kind, ()), f"{kind} of its acts")
        if kind == "fact" and not form.thing:
            yield f"{path}.parts.{key}.source: a form of an act has its fields: write field.{what}"


def outage_problems(pages: ActPages, path: str, act: Act) -> Iterator[str]:
    """Yield what is wrong with an act that prints manual slips, or that enters a batch of them after an outage."""
    if act.prints:
        yield from unknown_words(f"{path}.prints", [act.prints.form, act.prints.pieces], act.fields, "field")
        if not act.new or act.thing not in pages.things or not pages.things[act.thing].series:
            yield f"{path}.prints: what is printed is made by it and numbered: write `new`, and `series` of its thing"
    if act.unlogged and not (act.new and act.is_fact and act.told):
        yield f"{path}.unlogged: write `new`, `is_fact` and how it is `told`"
    if not (batch := act.batch):
        return
    lines = [key for key, field in act.fields.items() if field.type == "lines"]
    yield from unknown_words(f"{path}.batch.lines", [batch.lines], lines, "field")
    yield from unknown_words(f"{path}.batch.slip", [batch.slip], pages.things, "thing")
    if batch.slip in pages.things:
        named = [batch.blank, batch.out, batch.used, batch.missing]
        yield from unknown_words(f"{path}.batch", named, pages.things[batch.slip].states, "state of it")
    yield from unknown_words(f"{path}.batch.slip_acts", batch.slip_acts, pages.acts, "act")
    papers = [key for key, field in act.fields.items() if field.type == "document"]
    yield from unknown_words(f"{path}.batch.proof", [batch.proof], papers, "field")
    asking = [key for key, other in pages.acts.items() if other.in_batch and other.new]
    yield from unknown_words(f"{path}.batch.asks", [batch.asks], asking, "act that makes something `in_batch`")
    if (batch.within is None) != (not batch.late):
        yield f"{path}.batch: what is told later than `within` has a name: write both, or neither"
    if not act.signs:
        yield f"{path}.signs: somebody else signs what is told together: write who"
    if not any(other.unlogged and other.thing == act.thing for other in pages.acts.values()):
        yield f"{path}.thing: no act says when it began: write `unlogged` on the one that makes it"


def _paper_problems(pages: ActPages, path: str, paper: Paper) -> Iterator[str]:
    facts = facts_of(pages, paper.thing)
    known: dict[str, tuple[str, Collection[str]]] = {
        "fact": ("fact of it", facts),
        "document": ("fact of it", facts),
        "done": ("act", pages.acts),
        "value": ("value", pages.values),
        "rules": ("part of the rules", RULES_SOURCES),
        "checklist": ("checklist", pages.checklists),
    }
    for key, part in paper.parts.items():
        kind, _, what = part.source.partition(".")
        yield from unknown_words(f"{path}.parts.{key}.source", [kind], SOURCES, "source of a part")
        if kind in known:
            word, names = known[kind]
            yield from unknown_words(f"{path}.parts.{key}.source", [what.partition(".")[0]], names, word)
        yield from unknown_words(f"{path}.parts.{key}.unless", [part.unless], facts, "fact of it")
        if kind in {"rules", "wager"} and paper.thing != HOUSE and HOUSE not in facts:
            yield f"{path}.parts.{key}: a {paper.thing or 'paper of the office'} is dealt by no house: write thing"
