"""The signatures under a paper: those that the log already has of what it is made from, and those that are to come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from passline.acts import events as e
from passline.acts.history import RecordedAct
from passline.acts.papers.houses import FILE, HOUSE
from passline.acts.papers.sheet import PaperSheet
from passline.acts.printed_schema import Paper
from passline.acts.rules import ActRules
from passline.acts.schema import Field
from passline.acts.state import ActState, thing_key


class PaperSignature(Struct, frozen=True):
    """One line to sign, with what the log knows of whoever signed it; the rest is filled in by hand."""

    wants: str  # as what somebody signs
    name: str = ""
    role: str = ""
    licence: str = ""
    at: str = ""  # local time
    act: int = 0  # of the log; 0: nobody has signed yet


def signatures_of(
    rules: ActRules, state: ActState, acts: Mapping[int, RecordedAct], sheet: PaperSheet
) -> tuple[PaperSignature, ...]:
    """Return who has signed what a paper is made from, in the order of the acts, and who is still to sign it."""
    paper = rules.pages.papers[sheet.paper]
    found = [line for number in _sources(paper, sheet, acts) for line in _lines(rules, state, acts[number])]
    signed = {line.role for line in found}
    to_come = [
        PaperSignature(rules.words_of([group]))
        for group in paper.signed_by
        if not signed & {*rules.group(group).roles, rules.group(group).body}
    ]
    return (*found, *to_come)


def checklist_signatures(rules: ActRules, checklist: str) -> tuple[PaperSignature, ...]:
    """Return who is to sign a checklist: whoever may do the act that it belongs to, and those who sign that."""
    acts = (act for act in rules.pages.acts.values() if any(_is_of(field, checklist) for field in act.fields.values()))
    act = next(acts, None)
    if act is None:
        return ()
    return (PaperSignature(rules.words_of(act.by)), *(PaperSignature(sign.name) for sign in act.signs.values()))


def _is_of(field: Field, checklist: str) -> bool:
    return field.type == "checklist" and checklist in field.of


def _sources(paper: Paper, sheet: PaperSheet, acts: Mapping[int, RecordedAct]) -> list[int]:
    """Return the acts that a paper is made from as it stands, and the last ones that name it by its digest."""
    facts, done = _parts_made_from(paper)
    last: dict[tuple[str, ...], int] = {}
    for number, act in acts.items():
        if act.result is None:
            continue
        for change in act.result.changes:
            if thing_key(change.kind, change.id) == sheet.thing:
                last |= {("fact", fact): number for fact in change.facts if fact in facts}
        subjects = [thing_key(act.done.kind, thing) for thing in act.done.things]
        if act.done.act in done and (not sheet.thing or sheet.thing in subjects):
            last["done", act.done.act] = number
        if sheet.digest and sheet.digest in act.done.fields.values():
            last["named", act.done.act, *act.done.things] = number
    return sorted(set(last.values()))


def sources_of(done: e.ActDone, completed: e.ActCompleted) -> set[str]:
    """Return the keys by which `sources_wanted` finds an act: its facts, its own name, and digests in its fields."""
    found = {f"fact/{change.kind}/{change.id}/{fact}" for change in completed.changes for fact in change.facts}
    found |= {f"done/{thing_key(done.kind, thing)}/{done.act}" for thing in done.things}
    found |= {f"digest/{value}" for value in done.fields.values() if isinstance(value, str) and len(value) == _DIGEST}
    return found | {f"done//{done.act}"}


_DIGEST = 64  # characters


def sources_wanted(rules: ActRules, sheet: PaperSheet) -> tuple[list[str], str]:
    """Return the keys of a paper's sources, of each of which the last act counts, and of its digest: all acts count."""
    facts, done = _parts_made_from(rules.pages.papers[sheet.paper])
    last = [f"fact/{sheet.thing}/{fact}" for fact in facts] + [f"done/{sheet.thing}/{act}" for act in done]
    return last, f"digest/{sheet.digest}"


def _parts_made_from(paper: Paper) -> tuple[set[str], set[str]]:
    """Return the facts and the acts that the parts of a paper are made from."""
    facts, done = set[str](), set[str]()
    for part in paper.parts.values():
        kind, _, what = part.source.partition(".")
        if kind in {"fact", "document", "checklist"}:
            facts.add(what.rpartition(".")[2])
        elif kind == "done":
            done.add(what)
        elif kind in {"rules", "wager"}:
            facts.add(FILE if paper.thing == HOUSE else HOUSE)
    return facts, done


def _lines(rules: ActRules, state: ActState, act: RecordedAct) -> Iterable[PaperSignature]:
    rule, number = rules.act(act.done.act), act.done.number
    name = rule.name if rule else act.done.act.replace("_", " ")
    name += " (told late)" if act.done.is_late else ""
    name += f" (on manual slip {act.done.slip})" if act.done.slip else ""
    yield _line(state, name, (act.done.by, act.done.name, act.done.role), act.at, number)
    for signature in act.signatures:
        sign = rules.signature(rule, signature.part) if rule else None
        wants = sign.name if sign else signature.part.replace("_", " ")
        yield _line(state, wants, (signature.by, signature.name, signature.role), signature.at, number)


def _line(state: ActState, wants: str, who: tuple[str, str, str], at: str, number: int) -> PaperSignature:
    account, name, role = who
    known = state.thing("person", account)
    licence = str(known.facts.get("licence", "")) if known else ""
    local = state.facility.minute(at) if state.facility else at
    return PaperSignature(wants, name, role.replace("_", " "), licence, local, number)
