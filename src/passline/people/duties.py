"""Duties: which roles may give a command, and which must sign it off."""

from __future__ import annotations

from msgspec import Struct

from passline.game.refusal import Refusal
from passline.people import commands as c
from passline.people.roles import ROLES, THE_HOUSE, VISITOR
from passline.streams.course import Actor

__all__ = ["NOBODY", "PEOPLE_DUTIES", "Duty", "name_of", "role_list", "unfit_actor"]


class Duty(Struct, frozen=True):
    """The roles that may give a command, those who key it in for a player, and those who sign it off."""

    by: tuple[str, ...]
    signed_by: tuple[str, ...] = ()
    keyed_by: tuple[str, ...] = ()  # with physical dice, for players who have no page open
    is_servers: bool = False  # only the server itself gives it


NOBODY = Duty(())
"""The duty of a command that nobody may give."""
_DESK = Duty(("floorperson", "owner"))  # decide.py: a floorperson only for players, dealers and stickpersons
_ANYBODY = Duty(ROLES)  # for their own account
_VISITOR = Duty((VISITOR,))
_SERVER = Duty((), is_servers=True)
PEOPLE_DUTIES: dict[type, Duty] = {
    c.CreateAccount: _DESK,
    c.ChangeRoles: _DESK,
    c.DisableAccount: _DESK,
    c.EnableAccount: _DESK,
    c.Invite: _DESK,
    c.SetPassword: _ANYBODY,
    c.SetPin: _ANYBODY,
    c.LogIn: _ANYBODY,
    c.AcceptInvitation: _VISITOR,
    c.Register: _VISITOR,
    c.WelcomeGuest: _VISITOR,
    c.ElectDualControl: Duty(("owner",)),
    c.BreakGlass: _SERVER,
    c.BindSecrets: _SERVER,
    c.RecordIncidents: _SERVER,
}
"""The duty behind every command about people."""


def name_of(command: object) -> str:
    """Return the name under which a command is sent."""
    return str(type(command).__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a Struct


def unfit_actor(command: object, by: Actor, duty: Duty, *, is_physical: bool = False) -> Refusal | None:
    """Refuse a command that this role may not give.

    >>> unfit_actor(c.SetPin(account="o1", pin="p1"), Actor("o1", "Olga", "owner"), _VISITOR).why
    'the owner may not give set-pin; the visitor may'
    """
    if by.role in duty.by or (is_physical and by.role in duty.keyed_by):
        return None
    if duty.is_servers and (by.account, by.role) == (THE_HOUSE.account, THE_HOUSE.role):
        return None
    name = name_of(command)
    if duty.is_servers:
        return Refusal("duties", f"nobody may give {name}: the server does it by itself")
    if not duty.by:
        return Refusal("duties", f"nobody may give {name}: dice are thrown by roll, or by dice-out and key-dice")
    return Refusal("duties", f"the {by.role} may not give {name}; the {role_list(duty.by)} may")


def role_list(roles: tuple[str, ...]) -> str:
    """Return roles as a sentence lists them.

    >>> role_list(("dealer", "stickperson", "boxperson"))
    'dealer, stickperson or boxperson'
    """
    return " or ".join(filter(None, (", ".join(roles[:-1]), roles[-1])))
