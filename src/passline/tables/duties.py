"""Who may do what: the roles that give each command, and the role that signs it off, who is never the same person."""

from __future__ import annotations

from msgspec import Struct

from passline.game import commands as c
from passline.game.judges.roles import role_cite
from passline.game.refusal import Refusal
from passline.people import commands as p
from passline.rules.elections import election_of
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.tables import commands as k

__all__ = [
    "CREW",
    "DUTIES",
    "LOG_READERS",
    "NOT_AT",
    "RECORD_READERS",
    "REPORTS",
    "ROLES",
    "THE_HOUSE",
    "VISITOR",
    "Actor",
    "Duty",
    "duty_clause",
    "duty_of",
    "name_of",
    "needs_signature",
    "unfit_duty",
    "unfit_signature",
]

CREW = ("dealer", "stickperson", "boxperson", "floorperson")
"""Those who deal and watch over a table."""
ROLES = ("player", *CREW, "owner", "regulator", "surveillance")
"""Everybody who can act; a spectator only looks."""
VISITOR = "visitor"
"""Somebody who is not logged in."""
LOG_READERS = ("owner", "regulator", "surveillance")
"""Who reads the whole log."""
RECORD_READERS = ("floorperson", *LOG_READERS)
"""Who reads records and who has an account: nobody who deals or plays."""


class Actor(Struct, frozen=True):
    """Somebody who gives a command, in one of their roles."""

    account: str
    name: str
    role: str
    is_employee: bool = False  # whether the account has any role but player


THE_HOUSE = Actor("house", "The house", "owner", is_employee=True)
"""The server itself, which opens a first table before there is anybody; no person has its account."""


class Duty(Struct, frozen=True):
    """The roles that may give a command, those who key it in for a player, and those who sign it off."""

    by: tuple[str, ...]
    signed_by: tuple[str, ...] = ()
    keyed_by: tuple[str, ...] = ()  # where the dice are physical: a player there need not have a page
    is_servers: bool = False  # the server itself gives it, and no person


_OWN = Duty(("player",), keyed_by=CREW)
_HANDS = Duty(("player", "dealer", "stickperson"))
_CREW = Duty(CREW)
_STICK = Duty(("stickperson", "dealer"))
_CAGE = Duty(("boxperson", "floorperson"), signed_by=("boxperson", "floorperson"))
_OPENING = Duty(("floorperson", "owner"), signed_by=("boxperson", "floorperson"))  # the bank is a fill, or a credit
_DESK = Duty(("floorperson", "owner"))  # people/judge.py: a floorperson only for players, dealers and stickpersons
_ANYBODY = Duty(ROLES)
_VISITOR = Duty((VISITOR,))
_NOBODY = Duty(())
_SERVER = Duty((), is_servers=True)

DUTIES: dict[type, Duty] = {
    p.CreateAccount: _DESK,
    p.ChangeRoles: _DESK,
    p.DisableAccount: _DESK,
    p.EnableAccount: _DESK,
    p.Invite: _DESK,
    p.SetPassword: _ANYBODY,  # their own
    p.SetPin: _ANYBODY,
    p.LogIn: _ANYBODY,
    p.AcceptInvitation: _VISITOR,
    p.Register: _VISITOR,
    p.WelcomeGuest: _VISITOR,
    k.OpenTable: _OPENING,
    k.CloseTable: _OPENING,
    k.SeatPlayer: _OWN,
    c.TakeSeat: _OWN,
    c.LeaveSeat: Duty(("player", "boxperson", "floorperson"), keyed_by=CREW),  # whoever walked away is cashed out
    c.DeclineDice: Duty(("player", *CREW)),  # nor are the dice kept waiting
    c.StandUp: _OWN,
    c.SitDown: _OWN,
    c.CallWager: _OWN,
    c.AcceptDice: _OWN,
    c.ChooseDice: _OWN,
    c.SurrenderDice: _OWN,
    c.DeclineLineWager: _OWN,
    c.DisputeFaces: _OWN,
    c.BuyIn: Duty(("player", "dealer")),
    c.Fill: _CAGE,
    c.Credit: _CAGE,
    c.MakeWager: _HANDS,
    c.ReduceWager: _HANDS,
    c.RemoveWager: _HANDS,
    c.PlaceButton: _CREW,
    c.ConfirmWager: _CREW,
    c.OfferDice: _CREW,
    c.OrderDicePassed: _CREW,
    c.CallNoRoll: _CREW,
    c.DecideDispute: _CREW,
    c.CallRoll: _CREW,
    c.Settle: _CREW,
    c.PassDice: _CREW,
    c.ThrowDice: _NOBODY,  # dice are thrown by Roll or DiceOut, and land by Roll or KeyDice
    c.LandDice: _NOBODY,
    c.RollDice: _NOBODY,
    k.Roll: Duty(("player",)),
    k.DiceOut: _STICK,
    k.KeyDice: _STICK,
    k.CorrectRoll: Duty(CREW, signed_by=("boxperson",)),
    k.FreezeTable: Duty(("player", *CREW)),
    k.ReportShown: _SERVER,
    k.ReleaseTable: Duty(("boxperson", "floorperson"), signed_by=("floorperson",)),
    k.NoticeLimits: Duty(("boxperson", "floorperson", "owner"), signed_by=("floorperson",)),
    k.ReportConduct: Duty((*CREW, "surveillance")),
    k.FileApproval: Duty(("owner",)),
    k.WithdrawApproval: Duty(("owner",)),
    k.FileReport: Duty(("boxperson", "floorperson", "owner", "regulator", "surveillance")),
    k.CloseShift: Duty(("floorperson", "owner"), signed_by=("boxperson", "floorperson", "owner")),
}
"""The duty behind every command of a table, of the house and about people."""
NOT_AT: dict[str, frozenset[type]] = {
    "electronic": frozenset({k.DiceOut, k.KeyDice, k.CorrectRoll, c.DisputeFaces, c.DecideDispute, c.CallNoRoll}),
    "physical": frozenset({k.Roll}),
}
"""What nobody does at a table with such dice: electronic ones are thrown by the shooter and are what they are."""
REPORTS: dict[str, Duty] = {
    "daily_activity_accounting": Duty(("boxperson", "floorperson", "owner")),
    "security": Duty(("surveillance", "floorperson", "owner")),
    "surveillance": Duty(("surveillance",)),
    "investigative": Duty(("regulator", "owner")),
}
"""Who files a report of each class of records."""
_LIKE: dict[type, type] = {  # commands of a live table that are given in the place of the game's
    k.SeatPlayer: c.TakeSeat,
    k.Roll: c.ThrowDice,
    k.DiceOut: c.CallRoll,
    k.KeyDice: c.CallRoll,
    k.CorrectRoll: c.DecideDispute,
    k.FreezeTable: c.DisputeFaces,
    k.ReleaseTable: c.DecideDispute,
}
_SUPERVISOR = "floorperson"  # signs what one asked for who could else have signed it


def duty_of(command: object) -> Duty:
    """Give the duty behind a command; nobody may give one that has none."""
    return DUTIES.get(type(command), _NOBODY)


def duty_clause(rules: Rules, command: object) -> str:
    """Give the clause of the regulation in force on who gives a command; where none speaks of it, our own `duties`.

    >>> duty_clause(Rules.of("arizona"), c.Fill(cents=100_00)), duty_clause(Rules.of("maryland"), k.CloseTable())
    ('AZ-II.M.1-b', 'duties')
    """
    kind = _LIKE.get(type(command), type(command))
    match command:
        case k.NoticeLimits():
            return clause_text(election_of(rules.rulebook, "limit_notice_minutes").cite)
        case k.OpenTable() | k.CloseTable() if inventories := rules.rulebook.general.live.inventories:
            return clause_text(inventories.cite)
        case _:
            return clause_text(role_cite(rules, kind)) if issubclass(kind, c.Command) else "duties"


def name_of(command: object) -> str:
    """Give the name of a command as it is sent."""
    return str(type(command).__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a Struct


def unfit_duty(command: object, by: Actor, *, is_physical: bool = False, duty: Duty | None = None) -> Refusal | None:
    """Refuse a command that is not this role's to give.

    >>> unfit_duty(c.Settle(), Actor("o1", "Olga", "owner")).why
    'settle is not for the owner; it is for the dealer, stickperson, boxperson or floorperson'
    """
    duty = duty or duty_of(command)
    if by.role in duty.by or (is_physical and by.role in duty.keyed_by):
        return None
    if duty.is_servers and (by.account, by.role) == (THE_HOUSE.account, THE_HOUSE.role):
        return None
    name = name_of(command)
    if not duty.by:
        how = (
            "the server does it by itself"
            if duty.is_servers
            else "dice are thrown by roll, or by dice-out and key-dice"
        )
        return Refusal("duties", f"{name} is nobody's to give: {how}")
    return Refusal("duties", f"{name} is not for the {by.role}; it is for the {_listed(duty.by)}")


def needs_signature(command: object, by: Actor, *, is_demo: bool = False) -> bool:
    """Whether a second person signs a command: to open a table, where chips come with it; to close one, but a demo's.

    >>> needs_signature(k.OpenTable(name="Craps 1", house={}, bank_cents=500_00), Actor("o1", "Olga", "owner"))
    True
    """
    match command:
        case k.OpenTable():
            return command.bank_cents != 0 and not command.is_demo and by.account != THE_HOUSE.account
        case k.CloseTable():
            return not is_demo
        case _:
            return bool(duty_of(command).signed_by)


def unfit_signature(command: object, by: Actor, signer: Actor | None, *, is_demo: bool = False) -> Refusal | None:
    """Refuse a command that needs a signature and has none, one of the wrong role, or one's own.

    >>> box = Actor("b1", "Bea", "boxperson")
    >>> unfit_signature(k.CorrectRoll(first=1, second=2, reason="misread"), box, box).why
    'correct-roll is signed by somebody else than who asked for it, Bea'
    """
    if not needs_signature(command, by, is_demo=is_demo):
        return None
    name = name_of(command)
    roles = duty_of(command).signed_by
    if by.role in roles and _SUPERVISOR not in roles:
        roles = (*roles, _SUPERVISOR)
    if signer is None:
        return Refusal("duties", f"{name} needs the signature of a {_listed(roles)}")
    if signer.account == by.account:
        return Refusal("duties", f"{name} is signed by somebody else than who asked for it, {by.name}")
    if signer.role not in roles:
        return Refusal("duties", f"{name} is signed by a {_listed(roles)}, not by the {signer.role}")
    return None


def _listed(roles: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(roles[:-1]), roles[-1])))
