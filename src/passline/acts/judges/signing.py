"""Signatures: who may sign which part of an act. Nobody signs their own act, or one act twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passline.acts import events as e
from passline.acts.judges.doers import acts_done_by
from passline.acts.judges.fields import read_field
from passline.acts.judges.gates import working_faults
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.moving_schema import Counting
from passline.acts.rules import Person
from passline.acts.schema import Act, Signature
from passline.acts.state import Pending
from passline.authority.duties import not_designated
from passline.authority.sign_off import signature_fault
from passline.rules.schema import clause_text


def signature_of(
    scene: Scene,
    act: Act,
    pending: Pending,
    part: str,
    signer: Person | None,
    *,
    fields: Mapping[str, Any] | None = None,
) -> e.ActSigned | ActFault:
    """Return the signature of somebody for a part of an act, or why it cannot be."""
    done, rules = pending.done, scene.rules
    rule = rules.signature(act, part)
    if rule is None or part not in done.waits or part in pending.signed:
        waits = [part for part in done.waits if part not in pending.signed]
        return ActFault("office", f"{act.name} does not wait for {part!r}; it waits for {', '.join(waits) or 'nobody'}")
    cite = clause_text(rule.cite)
    if unfit := signer_fault(scene, act, pending, rule, signer):
        return unfit
    assert signer is not None
    if rule.counts and not fields:
        return ActFault(cite, f"{rule.name}: counts too, and says what was counted")
    if rule.counts and act.counts and fields:
        read = _counted_again(scene, act, act.counts, fields)
        if isinstance(read, ActFault):
            return read
        fields = read
    group = next(rules.group(group) for group in rule.by if rules.is_of(group, signer, scene.state))
    role = next((role for role in group.roles if role in signer.roles), group.body)
    slip = scene.slip.number if scene.slip else ""
    return e.ActSigned(done.number, part, signer.account, signer.name, role, cite, dict(fields or {}), slip)


def signer_fault(scene: Scene, act: Act, pending: Pending, rule: Signature, signer: Person | None) -> ActFault | None:
    """Return why somebody, or nobody, may not sign a part of an act now; None, if they may."""
    done, rules, cite, signed = pending.done, scene.rules, clause_text(rule.cite), pending.signed.values()
    is_fit = signer is not None and any(rules.is_of(group, signer, scene.state) for group in rule.by)
    why = signature_fault("it", rules.words(rule.by), by=done.by, signer=signer, is_fit=is_fit, signed=signed)
    if signer is None or signer.account in {done.by, *signed}:
        return ActFault(cite, f"{rule.name}: {why}")
    if not is_fit and (lacking := rules.undesignated_group(rule.by, signer, scene.state)):
        why = not_designated(signer.name, rules.words_of([lacking]))
        return ActFault(rules.clause_of(lacking, cite), f"{rule.name}: {why}")
    if why := why or _named_fault(scene, act, done, rule, signer):
        return ActFault(cite, f"{rule.name}: {why}")
    if unfit := working_faults(scene, signer.account):
        return ActFault(unfit[0].clause, f"{rule.name}: {unfit[0].why}")
    return None


def _named_fault(scene: Scene, act: Act, done: e.ActDone, rule: Signature, signer: Person) -> str:
    """Return that an act does not name somebody who signs it and should, or does and should not; empty: neither."""
    if rule.among and not _is_named(scene, act, done, rule.among, signer.account):
        among = act.fields[rule.among].name if rule.among in act.fields else rule.among.replace("_", " ")
        return f"{signer.name} is not among them: {among}"
    if rule.others and signer.account in _people_in(act, done):
        return f"it is about {signer.name}: somebody else signs it"
    for name in done.things if rule.apart else ():
        if before := acts_done_by(rule.apart, signer.account, scene.state.thing(done.kind, name), scene):
            return f"{signer.name} has had a hand in it before, somebody else signs it: {before}"
    return ""


def _people_in(act: Act, done: e.ActDone) -> set[str]:
    """Return the accounts of everybody to whom an act is done, or whom its fields name."""
    named = (done.fields.get(key) or () for key, field in act.fields.items() if field.type in {"person", "people"})
    fields = {account for names in named for account in ((names,) if isinstance(names, str) else names)}
    return fields | {*(done.things if done.kind == "person" else ())}


def _is_named(scene: Scene, act: Act, done: e.ActDone, among: str, account: str) -> bool:
    """Return whether a field of an act names somebody, or else a fact of what it is done to, where it is known."""
    if among in act.fields:
        return account in done.fields.get(among, ())
    key, _, fact = among.partition(".")
    kind, names = (act.fields[key].of[0], [str(done.fields.get(key, ""))]) if fact else (done.kind, done.things)
    known = (scene.state.thing(kind, name) for name in names)
    named = [thing.facts[fact or key] for thing in known if thing is not None and thing.facts.get(fact or key)]
    return all(account in people for people in named)


def _counted_again(scene: Scene, act: Act, counting: Counting, given: Mapping[str, Any]) -> dict[str, Any] | ActFault:
    """Return what somebody has counted who counts again, or what is wrong with it."""
    counted: dict[str, Any] = {}
    for key in counting.counted_fields:
        if key != counting.field and given.get(key) is None:
            continue  # found none of it
        counted[key], wrong = read_field(act.fields[key], given.get(key), scene)
        if wrong and not act.fields[key].is_unwanted:
            return ActFault(wrong[0].clause, f"{key}: {wrong[0].why}")
    return counted


def has_counted_same(counting: Counting, first: Mapping[str, Any], again: Mapping[str, Any]) -> bool:
    """Return whether two counts agree in everything; what a count does not name counts as none found."""
    return all((first.get(key) or None) == (again.get(key) or None) for key in counting.counted_fields)
