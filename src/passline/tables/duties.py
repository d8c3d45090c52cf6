"""Who may do what at a table and for the house, and who signs it off: never the person who asked for it."""

from __future__ import annotations

from passline.game import commands as c
from passline.game.judges.command_roles import role_cite
from passline.game.refusal import Refusal
from passline.people.duties import NOBODY, PEOPLE_DUTIES, Duty, name_of, role_list, unfit_actor
from passline.people.roles import CREW, THE_HOUSE
from passline.rules.elections import election_of
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of

__all__ = [
    "DUTIES",
    "NOT_AT",
    "REPORTS",
    "asked_to_sign",
    "duty_clause",
    "duty_of",
    "needs_signature",
    "signing_roles",
    "unfit_duty",
    "unfit_signature",
]

_SUPERVISOR = "floorperson"  # may sign for a person who would otherwise sign their own request
_OWN = Duty(("player",), keyed_by=CREW)
_HANDS = Duty(("player", "dealer", "stickperson"))
_CREW = Duty(CREW)
_STICK = Duty(("stickperson", "dealer"))
_CAGE = Duty(("boxperson", "floorperson"), signed_by=("boxperson", "floorperson"))
# Opening brings the bank as a fill, closing returns it as a credit:
_OPENING = Duty(("floorperson", "owner"), signed_by=("boxperson", "floorperson"))
_SERVER = Duty((), is_servers=True)

DUTIES: dict[type, Duty] = {
    **PEOPLE_DUTIES,
    k.OpenTable: _OPENING,
    k.CloseTable: _OPENING,
    k.SeatPlayer: Duty(("player",), keyed_by=CREW, signed_by=(_SUPERVISOR,)),
    c.TakeSeat: _OWN,
    c.LeaveSeat: Duty(("player", "boxperson", "floorperson"), keyed_by=CREW),  # a player who walked away is cashed out
    c.DeclineDice: Duty(("player", *CREW)),  # the crew passes the dice on if the player does not answer
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
    c.ThrowDice: NOBODY,  # Roll, DiceOut and KeyDice do it
    c.LandDice: NOBODY,
    c.RollDice: NOBODY,
    k.Roll: Duty(("player",)),
    k.TakeNonce: _SERVER,
    k.CompleteRoll: _SERVER,
    k.CommitDice: _SERVER,
    k.RenewDice: Duty(("owner",), signed_by=("owner", "floorperson")),
    k.DiceOut: _STICK,
    k.KeyDice: _STICK,
    k.CorrectRoll: Duty(CREW, signed_by=("boxperson",)),
    k.FreezeTable: Duty(("player", *CREW)),
    k.ReportShown: _SERVER,
    k.ReleaseTable: Duty(("boxperson", "floorperson"), signed_by=("floorperson",)),
    k.NoticeLimits: Duty(("boxperson", "floorperson", "owner"), signed_by=("floorperson",)),
    k.AdoptRulebook: Duty(("owner",), signed_by=("floorperson", "owner")),
    k.ChangeHouse: Duty(("floorperson", "owner"), signed_by=("floorperson", "owner")),
    k.ReportConduct: Duty((*CREW, "surveillance")),
    k.PutInDice: Duty(("boxperson", "floorperson")),
    k.CondemnDice: Duty((*CREW, "surveillance")),
    k.EnterPaper: _SERVER,
    k.SeatEntrants: _SERVER,
    k.FinishRound: _SERVER,
    k.RatePlayer: Duty(("boxperson", "floorperson")),
    k.ReportIrregularity: Duty((*CREW, "surveillance")),
    k.DirectAction: _CREW,  # the rulebook says who of them
    k.ObserveAction: _CREW,
    k.FileApproval: Duty(("owner",)),
    k.WithdrawApproval: Duty(("owner",)),
    k.FileReport: Duty(("boxperson", "floorperson", "owner", "regulator", "surveillance")),
    k.RecordClockJump: _SERVER,
    k.KeepRulebook: _SERVER,
    k.RecordStart: _SERVER,
    k.SetOdds: _SERVER,
    k.ElectOffice: Duty(("owner",), signed_by=("owner", "floorperson")),
    k.CloseShift: Duty(("floorperson", "owner"), signed_by=("boxperson", "floorperson", "owner")),
}
"""The duty behind every command of a table, of the house and about people."""
NOT_AT: dict[str, frozenset[type]] = {
    "electronic": frozenset(
        {
            *(k.DiceOut, k.KeyDice, k.CorrectRoll, k.PutInDice, k.CondemnDice),
            *(c.DisputeFaces, c.DecideDispute, c.CallNoRoll),
        }
    ),
    "physical": frozenset({k.Roll, k.TakeNonce, k.CompleteRoll, k.CommitDice, k.RenewDice}),
}
"""Commands that make no sense with each kind of dice: electronic ones are rolled, and their faces are final."""
REPORTS: dict[str, Duty] = {
    "daily_activity_accounting": Duty(("boxperson", "floorperson", "owner")),
    "security": Duty(("surveillance", "floorperson", "owner")),
    "surveillance": Duty(("surveillance",)),
    "investigative": Duty(("regulator", "owner")),
}
"""Who may file a report of each class of records."""
_LIKE: dict[type, type] = {  # commands of a live table that stand for one of the game's
    k.SeatPlayer: c.TakeSeat,
    k.Roll: c.ThrowDice,
    k.DiceOut: c.CallRoll,
    k.KeyDice: c.CallRoll,
    k.CorrectRoll: c.DecideDispute,
    k.FreezeTable: c.DisputeFaces,
    k.ReleaseTable: c.DecideDispute,
}


def duty_of(command: object) -> Duty:
    """Return the duty behind a command; nobody may give a command that has none."""
    return DUTIES.get(type(command), NOBODY)


def duty_clause(rules: Rules, command: object) -> str:
    """Return the clause on who gives a command under these rules; `duties`, our own source, where there is none.

    >>> duty_clause(Rules.of("arizona"), c.Fill(cents=100_00)), duty_clause(Rules.of("maryland"), k.CloseTable())
    ('AZ-II.M.1-b', 'duties')
    """
    kind = _LIKE.get(type(command), type(command))
    live = rules.rulebook.general.live
    match command:
        case k.PutInDice() | k.CondemnDice() if live.dice_sets:
            return clause_text(live.dice_sets.cite)
        case k.ReportIrregularity() if live.irregularities:
            return clause_text(live.irregularities.notify.cite)
        case k.DirectAction() if live.irregularities:
            return clause_text(live.irregularities.direct.cite)
        case k.ObserveAction() if live.irregularities:
            return clause_text(live.irregularities.observe.cite)
        case k.NoticeLimits():
            return clause_text(election_of(rules.rulebook, "limit_notice_minutes").cite)
        case k.OpenTable() | k.CloseTable() if inventories := live.inventories:
            return clause_text(inventories.cite)
        case _:
            return clause_text(role_cite(rules, kind)) if issubclass(kind, c.Command) else "duties"


def unfit_duty(command: object, by: Actor, *, is_physical: bool = False) -> Refusal | None:
    """Refuse a command that is not this role's to give.

    >>> unfit_duty(c.Settle(), Actor("o1", "Olga", "owner")).why
    'the owner may not give settle; the dealer, stickperson, boxperson or floorperson may'
    """
    return unfit_actor(command, by, duty_of(command), is_physical=is_physical)


def needs_signature(command: object, by: Actor, *, is_demo: bool = False) -> bool:
    """Return whether a second person must sign a command.

    Opening a table needs a signature if chips come with it; closing one, another rulebook and another house always do,
    except in a demo or by the only owner of a house. Seating needs a floorperson's where a walk-in's name is like an
    employee's, unless a floorperson seats them.

    >>> needs_signature(k.OpenTable(name="Craps 1", house={}, bank_cents=500_00), Actor("o1", "Olga", "owner"))
    True
    """
    match command:
        case k.OpenTable():
            return command.bank_cents != 0 and not command.is_demo and by.account != THE_HOUSE.account
        case k.SeatPlayer():
            return command.is_somebody_else and by.role != _SUPERVISOR
        case k.CloseTable() | k.AdoptRulebook() | k.ChangeHouse():
            return not (is_demo or command.is_sole_owner)
        case c.Fill():
            return by.account != THE_HOUSE.account  # which brings only play money
        case k.RenewDice():
            return not command.is_sole_owner and by.account != THE_HOUSE.account
        case k.ElectOffice():
            return by.account != THE_HOUSE.account or command.where != "here"  # with which a new house begins
        case _:
            return bool(duty_of(command).signed_by)


def signing_roles(kind: type, live: LiveTable | None) -> tuple[str, ...]:
    """Return the roles that sign a kind of command: a correction is signed by whoever decides disputes at its table."""
    roles = DUTIES.get(kind, NOBODY).signed_by
    if live is None or kind is not k.CorrectRoll:
        return roles
    decided_by = rules_of(live).procedures.dispute.by
    return decided_by if live.terms else tuple(dict.fromkeys((*roles, *decided_by)))


def asked_to_sign(roles: tuple[str, ...], role: str) -> tuple[str, ...]:
    """Return who is asked to sign for somebody in a role: a supervisor too, where they would sign for themselves.

    >>> asked_to_sign(("boxperson",), "dealer"), asked_to_sign(("boxperson",), "boxperson")
    (('boxperson',), ('boxperson', 'floorperson'))
    """
    return (*roles, _SUPERVISOR) if role in roles and _SUPERVISOR not in roles else roles


def unfit_signature(
    command: object, by: Actor, signer: Actor | None, *, is_demo: bool = False, live: LiveTable | None = None
) -> Refusal | None:
    """Refuse a command whose signature is missing, of the wrong role, or the sender's own; `live` is its table.

    >>> box = Actor("b1", "Bea", "boxperson")
    >>> unfit_signature(k.CorrectRoll(first=1, second=2, reason="misread"), box, box).why
    'correct-roll must be signed by somebody other than Bea, who asked for it'
    """
    if not needs_signature(command, by, is_demo=is_demo):
        return None
    name = name_of(command)
    roles = asked_to_sign(signing_roles(type(command), live), by.role)
    if signer is None:
        alone = "; the only owner of a house sends is_sole_owner instead" if hasattr(command, "is_sole_owner") else ""
        return Refusal("duties", f"{name} needs the signature of a {role_list(roles)}{alone}")
    if signer.account == by.account:
        return Refusal("duties", f"{name} must be signed by somebody other than {by.name}, who asked for it")
    if signer.role not in roles:
        return Refusal("duties", f"{name} must be signed by a {role_list(roles)}, not by the {signer.role}")
    return None
