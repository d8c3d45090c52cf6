"""Who may sign an act now, and why others with a fitting role may not, so that a form offers only valid signers."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passline.acts.judges.scene import Scene
from passline.acts.judges.signing import signer_fault
from passline.acts.rules import Person


class Signer(Struct, frozen=True):
    """Somebody who has a role that signs: why they may not now; empty, if they may."""

    account: str
    name: str
    why: str = ""


def possible_signers(scene: Scene, number: int, part: str, people: Iterable[Person]) -> tuple[Signer, ...] | None:
    """Return who has a role that signs a part of an act, by name; None, if that act does not wait for it."""
    pending = scene.state.pending.get(str(number))
    act = scene.rules.pages.acts.get(pending.done.act) if pending else None
    rule = scene.rules.signature(act, part) if act else None
    if pending is None or act is None or rule is None or part not in pending.done.waits or part in pending.signed:
        return None
    rules, found = scene.rules, list[Signer]()
    for person in people:
        if not any(rules.has_role(group, person, scene.state) for group in rule.by):
            continue
        fault = signer_fault(scene, act, pending, rule, person)
        found.append(Signer(person.account, person.name, fault.why.removeprefix(f"{rule.name}: ") if fault else ""))
    return tuple(sorted(found, key=lambda signer: (signer.name.casefold(), signer.account)))
