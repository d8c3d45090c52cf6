"""Who may do what at a table and for the house, and who signs it off: never the person who asked for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from passline.authority.duties import NOBODY, SERVER, Duty, may_not, name_of, unfit_role
from passline.authority.roles import (
    BOX_AND_FLOOR,
    BOXPERSON,
    CREW,
    DEALER,
    FLOOR_AND_OWNER,
    FLOORPERSON,
    OWNER,
    PLAYER,
    REGULATOR,
    STICKPERSON,
    SURVEILLANCE,
)
from passline.authority.sign_off import asked_to_sign, second_owner_fault, signature_fault
from passline.game import commands as c
from passline.game.duties import GAME_DUTIES
from passline.people.accounts import People
from passline.people.duties import owners_who_agree
from passline.refusal import Refusal
from passline.rules.elections import election_of
from passline.rules.rules import Rules
from passline.rules.schema import Cite, Rule, cites_of, clause_text
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of

_OURS = "duties"  # cited where no clause says who does it
_WATCHERS = (*CREW, SURVEILLANCE)


def _live(entry: str, step: str = "") -> Callable[[Rules], Cite]:
    """Return what cites an entry on live tables, which some rulebooks do not have, or a step of it."""

    def cite(rules: Rules) -> Cite:
        found = getattr(rules.rulebook.general.live, entry)
        rule: Rule | None = getattr(found, step) if found and step else found
        return rule.cite if rule else _OURS

    return cite


def _like(kind: type, duty: Duty) -> Duty:
    """Return a duty that rests on the clause of a command of the game, for which it stands at a live table."""
    return replace(duty, cite=GAME_DUTIES[kind].cite)


def _meters(rules: Rules) -> Cite:
    """Return the clauses on closing the meters of a table, or on the meters where no clause is about that."""
    found = tuple(clause for meter in rules.progressives.values() for clause in cites_of((meter.closes or meter).cite))
    return tuple(dict.fromkeys(found)) or _OURS


def _of_irregularity(step: str) -> Duty:
    """Return the duty of those of the crew whom a rulebook names for a step about an irregularity."""

    def roles_of(rules: Rules) -> tuple[str, ...]:
        law = rules.rulebook.general.live.irregularities
        return getattr(law, step).by if law else CREW

    return Duty(CREW, named=roles_of, cite=_live("irregularities", step))


_KEYING = _like(
    c.CallRoll,
    Duty((STICKPERSON, DEALER), named=lambda rules: (STICKPERSON if rules.house.stickperson else DEALER,)),
)
_BY_OTHERS = replace(NOBODY, instead="dice are thrown by roll, or by dice-out and key-dice")
# Opening brings the bank as a fill, closing returns it as a credit:
_OPENING = Duty(
    FLOOR_AND_OWNER,
    signed_by=BOX_AND_FLOOR,
    cite=_live("inventories"),
    when="if chips come with it, and never in a demo",
)
OFFICE_TERMS = 1
"""The terms by which a house says today where it keeps its office; see `ElectOffice`."""
_ALONE = "unless the house has one owner"

DUTIES: dict[type, Duty] = {
    **GAME_DUTIES,
    c.ThrowDice: _like(c.ThrowDice, _BY_OTHERS),
    c.LandDice: _like(c.LandDice, _BY_OTHERS),
    c.RollDice: _like(c.RollDice, _BY_OTHERS),
    k.OpenTable: _OPENING,
    k.CloseTable: replace(_OPENING, when=f"{_ALONE}, and never in a demo"),
    k.SeatPlayer: _like(
        c.TakeSeat,
        Duty((PLAYER,), keyed_by=CREW, signed_by=(FLOORPERSON,), when="if a walk-in's name is like an employee's"),
    ),
    k.Roll: _like(c.ThrowDice, Duty((PLAYER,))),
    k.TakeNonce: SERVER,
    k.CompleteRoll: SERVER,
    k.CommitDice: SERVER,
    k.RenewDice: Duty((OWNER,), signed_by=(OWNER, FLOORPERSON), when=_ALONE),
    k.DiceOut: _KEYING,
    k.KeyDice: _KEYING,
    k.CorrectRoll: _like(c.DecideDispute, Duty(CREW, signed_by=(BOXPERSON,), when="by whoever decides disputes")),
    k.FreezeTable: _like(c.DisputeFaces, Duty((PLAYER, *CREW))),
    k.ReportShown: SERVER,
    k.ReleaseTable: _like(c.DecideDispute, Duty(BOX_AND_FLOOR, signed_by=(FLOORPERSON,))),
    k.NoticeLimits: Duty(
        (*BOX_AND_FLOOR, OWNER),
        signed_by=(FLOORPERSON,),
        cite=lambda rules: election_of(rules.rulebook, "limit_notice_minutes").cite,
    ),
    k.CloseMeter: Duty((OWNER,), signed_by=FLOOR_AND_OWNER, cite=_meters),
    k.OpenMeter: Duty((OWNER,), signed_by=FLOOR_AND_OWNER, cite=_meters),
    k.AdoptRulebook: Duty(
        (OWNER,), signed_by=FLOOR_AND_OWNER, when=f"{_ALONE}; never in a demo, nor for the text of a new day"
    ),
    k.ChangeHouse: Duty(FLOOR_AND_OWNER, signed_by=FLOOR_AND_OWNER, when=f"{_ALONE}, and never in a demo"),
    k.ReportConduct: Duty(_WATCHERS),
    k.PutInDice: Duty(BOX_AND_FLOOR, cite=_live("dice_sets")),
    k.CondemnDice: Duty(_WATCHERS, cite=_live("dice_sets")),
    k.EnterPaper: SERVER,
    k.SeatEntrants: SERVER,
    k.FinishRound: SERVER,
    k.RatePlayer: Duty(BOX_AND_FLOOR),
    k.ReportIrregularity: Duty(_WATCHERS, cite=_live("irregularities", "notify")),
    k.DirectAction: _of_irregularity("direct"),
    k.ObserveAction: _of_irregularity("observe"),
    k.FileApproval: Duty(
        (OWNER,), two_owners=lambda _state, _command: "filing an approval", when="where two owners must agree"
    ),
    k.WithdrawApproval: Duty((OWNER,)),
    k.FileReport: Duty((*BOX_AND_FLOOR, OWNER, REGULATOR, SURVEILLANCE)),
    k.RecordClockJump: SERVER,
    k.RecordClockSync: SERVER,
    k.KeepRulebook: SERVER,
    k.RecordStart: SERVER,
    k.SetOdds: SERVER,
    k.ElectOffice: Duty(
        (OWNER,),
        signed_by=(OWNER, FLOORPERSON),
        two_owners=lambda _state, _command: "electing what tables ask of the office",
        when="by another owner if it is kept elsewhere, and where two must agree",
    ),
    k.CloseShift: Duty(FLOOR_AND_OWNER, signed_by=(*BOX_AND_FLOOR, OWNER)),
}
"""The duty behind every command of a table and of the house."""
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
    "daily_activity_accounting": Duty((*BOX_AND_FLOOR, OWNER)),
    "security": Duty((SURVEILLANCE, *FLOOR_AND_OWNER)),
    "surveillance": Duty((SURVEILLANCE,)),
    "investigative": Duty((REGULATOR, OWNER)),
}
"""Who may file a report of each class of records."""


def duty_of(command: object) -> Duty:
    """Return the duty behind a command; nobody may give a command that has none."""
    return DUTIES.get(type(command), NOBODY)


def duty_clause(rules: Rules, command: object) -> str:
    """Return the clause on who gives a command under these rules; `duties`, our own source, where there is none.

    >>> duty_clause(Rules.of("arizona"), c.Fill(cents=100_00)), duty_clause(Rules.of("maryland"), k.CloseTable())
    ('AZ-II.M.1-b', 'duties')
    """
    cite = duty_of(command).cite
    return clause_text(cite(rules)) if cite else _OURS


def unnamed_role(rules: Rules, command: object, role: str) -> Refusal | None:
    """Refuse one of the crew whom the rules do not name for a command of the table.

    >>> str(unnamed_role(Rules.of("maryland"), k.DiceOut(), "dealer"))
    'the dealer may not give dice-out; the stickperson may [MD-9.A]'
    """
    named = duty_of(command).named
    if named is None or role in named(rules):
        return None
    return Refusal(duty_clause(rules, command), may_not(role, f"give {name_of(command)}", named(rules)))


def unfit_actor(command: object, by: Actor, duty: Duty, *, is_physical: bool = False) -> Refusal | None:
    """Refuse a command that somebody may not give under a duty."""
    is_server = (by.account, by.role) == (THE_HOUSE.account, THE_HOUSE.role)
    why = unfit_role(duty, command, by.role, is_physical=is_physical, is_server=is_server)
    return Refusal(_OURS, why) if why else None


def unfit_duty(command: object, by: Actor, *, is_physical: bool = False) -> Refusal | None:
    """Refuse a command that is not this role's to give.

    >>> unfit_duty(c.Settle(), Actor("o1", "Olga", "owner")).why
    'the owner may not give settle; the dealer, stickperson, boxperson or floorperson may'
    """
    return unfit_actor(command, by, duty_of(command), is_physical=is_physical)


_SIGNED_BY_CASE = frozenset(
    {k.OpenTable, k.SeatPlayer, k.CloseTable, k.AdoptRulebook, k.ChangeHouse, c.Fill, k.RenewDice, k.ElectOffice}
)  # it depends on what the command says, and on who gives it


def needs_signature(command: object, by: Actor, *, is_demo: bool = False) -> bool:
    """Return whether a second person must sign a command.

    Opening a table needs a signature if chips come with it; closing one, another rulebook and another house always do,
    except in a demo or by the only owner of a house; what the calendar brings, which the house adopts, nobody signs.
    Seating needs a floorperson's where a walk-in's name is like an employee's, unless a floorperson seats them.

    >>> needs_signature(k.OpenTable(name="Craps 1", house={}, bank_cents=500_00), Actor("o1", "Olga", "owner"))
    True
    """
    if type(command) not in _SIGNED_BY_CASE:
        return bool(duty_of(command).signed_by)
    match command:
        case k.OpenTable():
            return command.bank_cents != 0 and not command.is_demo and by.account != THE_HOUSE.account
        case k.SeatPlayer():
            return command.is_somebody_else and by.role not in duty_of(command).signed_by
        case k.CloseTable() | k.AdoptRulebook() | k.ChangeHouse():
            is_day = isinstance(command, k.AdoptRulebook) and by.account == THE_HOUSE.account
            return not (is_demo or command.is_sole_owner or is_day)
        case c.Fill():
            return by.account != THE_HOUSE.account  # which brings only play money
        case k.RenewDice():
            return not command.is_sole_owner and by.account != THE_HOUSE.account
        case k.ElectOffice():
            return by.account != THE_HOUSE.account or command.where != "here"  # with which a new house begins
        case _:
            raise AssertionError(command)


def always_takes_two(command: object) -> bool:
    """Return whether two owners must agree on a command even in a house that has one, or whose dual control is off.

    Without its office here nothing stands between a table and its opening: nobody whom an owner pays signs that.

    >>> always_takes_two(k.ElectOffice(where="elsewhere", terms=OFFICE_TERMS)), always_takes_two(k.CloseShift())
    (True, False)
    """
    return isinstance(command, k.ElectOffice) and command.where == "elsewhere" and command.terms == OFFICE_TERMS


def signing_roles(kind: type, live: LiveTable | None) -> tuple[str, ...]:
    """Return the roles that sign a kind of command: a correction is signed by whoever decides disputes at its table."""
    roles = DUTIES.get(kind, NOBODY).signed_by
    if live is None or kind is not k.CorrectRoll:
        return roles
    decided_by = rules_of(live).procedures.dispute.by
    return decided_by if live.terms else tuple(dict.fromkeys((*roles, *decided_by)))


def unfit_signature(
    command: object, by: Actor, signer: Actor | None, *, live: LiveTable | None = None
) -> Refusal | None:
    """Refuse a command whose signature is missing, of the wrong role, or the sender's own; `live` is its table.

    >>> box = Actor("b1", "Bea", "boxperson")
    >>> unfit_signature(k.CorrectRoll(first=1, second=2, reason="misread"), box, box).why
    'correct-roll must be signed by somebody other than Bea, who asked for it'
    """
    if not needs_signature(command, by, is_demo=live is not None and live.is_demo):
        return None
    alone = "; the only owner of a house sends is_sole_owner instead" if hasattr(command, "is_sole_owner") else ""
    roles = (OWNER,) if always_takes_two(command) else asked_to_sign(signing_roles(type(command), live), by.role)
    is_fit = signer is not None and signer.role in roles
    why = signature_fault(name_of(command), roles, by=by.account, signer=signer, is_fit=is_fit, alone=alone)
    return Refusal(_OURS, why) if why else None


def unfit_signer(command: object, by: Actor, signed_by: str, *, live: LiveTable | None = None) -> Refusal | None:
    """Refuse a command that nobody has signed, or its own sender; in which role others sign, `can_sign` says."""
    if signed_by not in {"", by.account}:
        return None
    return unfit_signature(command, by, by if signed_by else None, live=live)


def can_sign(command: object, by: Actor, account: str, roles: Iterable[str], *, live: LiveTable | None = None) -> bool:
    """Return whether an account with these roles may sign a command for whoever sends it."""
    signers = (Actor(account, account, role) for role in roles)
    return any(unfit_signature(command, by, signer, live=live) is None for signer in signers)


def owners_who_sign(people: People, command: object, at: str) -> frozenset[str]:
    """Return the owners of whom two must agree on a command at this moment; nobody, if one may give it alone."""
    if always_takes_two(command):
        return frozenset(owner.id for owner in people.owners())
    return owners_who_agree(people, at) if duty_of(command).two_owners else frozenset()


def unfit_owners(command: object, by: Actor, signed_by: str, owners: frozenset[str]) -> Refusal | None:
    """Refuse a command on which two of these owners must agree, if they have not; the server itself asks nobody."""
    does = duty_of(command).two_owners
    if does is None or not owners or by.account == THE_HOUSE.account:
        return None
    what, others = does(None, command), owners - {by.account}
    why = second_owner_fault(what, others=others, signed_by=signed_by, is_by_owner=by.account in owners)
    return Refusal(_OURS, why) if why else None
