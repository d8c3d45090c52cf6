"""Signatures: who may sign which part of an act. Nobody signs their own act, or one act twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passline.office import events as e
from passline.office.judges.fields import read_field
from passline.office.judges.scene import ActFault, Scene
from passline.office.rules.office_rules import Person
from passline.office.rules.schema import Act
from passline.office.state import Pending
from passline.rules.schema import clause_text

__all__ = ["signature_of"]


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
    if part not in done.waits or part in pending.signed:
        waits = [one for one in done.waits if one not in pending.signed]
        return ActFault("office", f"{act.name} does not wait for {part!r}; it waits for {', '.join(waits) or 'nobody'}")
    rule = act.signs[part]
    cite = clause_text(rule.cite)
    if signer is None:
        return ActFault(cite, f"{rule.name}: somebody must sign with name and PIN")
    if signer.account in {done.by, *pending.signed.values()}:
        return ActFault(cite, f"{rule.name}: {signer.name} has signed already; nobody signs an act twice, or their own")
    fit = [group for group in rule.by if rules.is_of(group, signer, scene.state)]
    if not fit:
        lacking = rules.undesignated(rule.by, signer, scene.state)
        cite = rules.clause_of(lacking, cite) if lacking else cite
        why = f"has not been designated as {rules.words_of([lacking])} yet" if lacking else ""
        why = why or f"is no {rules.words_of(rule.by)}"
        return ActFault(cite, f"{rule.name}: {signer.name} {why}")
    if rule.counts and not fields:
        return ActFault(cite, f"{rule.name}: counts too, and says what was counted")
    if rule.counts and act.counts and fields:
        key = act.counts.field
        read, wrong = read_field(act.fields[key], fields.get(key), scene)
        if wrong:
            return ActFault(wrong[0].clause, f"{key}: {wrong[0].why}")
        fields = {key: read}
    group = rules.group(fit[0])
    role = next((one for one in group.roles if one in signer.roles), group.body)
    return e.ActSigned(done.number, part, signer.account, signer.name, role, cite, dict(fields or {}))
