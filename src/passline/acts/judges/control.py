"""Commands to an office that two owners must give together, where the house has dual control."""

from __future__ import annotations

from passline.acts.commands import ActCommand
from passline.acts.judges.gates import house_working_faults
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.judges.writing import text_fault
from passline.acts.rules import ActRules
from passline.authority.duties import name_of
from passline.authority.roles import OWNER
from passline.authority.sign_off import second_owner_fault
from passline.streams.course import Actor

_REASON_MAX = 400


def control_faults(scene: Scene, command: ActCommand, by: Actor, signed_by: str) -> list[ActFault]:
    """Return why a command that takes two owners may not be given by one; nothing where one owner may give it."""
    if (control := scene.rules.pages.controls.get(name_of(command))) is None:
        return []
    if unfit := [fault for account in (by.account, signed_by) for fault in house_working_faults(scene, account)]:
        return unfit
    if not (owners := scene.around.owners(scene.at)):
        return []
    others, is_by_owner = owners - {by.account}, by.account in owners and by.role == OWNER
    why = second_owner_fault(control.name, others=others, signed_by=signed_by, is_by_owner=is_by_owner)
    return [ActFault("duties", why)] if why else []


def reason_fault(rules: ActRules, reason: str) -> str:
    """Return what is wrong with a reason that somebody gives, or an empty string."""
    if not 0 < len(reason.strip()) <= _REASON_MAX:
        return f"say why in 1 to {_REASON_MAX} characters"
    why = text_fault(rules, reason)
    return f"why it is done {why}" if why else ""
