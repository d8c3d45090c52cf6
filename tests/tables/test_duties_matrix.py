"""Every role times every command: everything that the matrix does not allow is refused."""

from functools import cache
from itertools import product

import msgspec
import pytest

from passline.authority.duties import Duty, may_not
from passline.authority.roles import ROLES, VISITOR
from passline.people import commands as p
from passline.people import events as e
from passline.people.accounts import People, fold
from passline.people.assertions import Assertion
from passline.people.decide import decide as judge_people
from passline.people.duties import PEOPLE_DUTIES
from passline.refusal import Refused
from passline.store.entry import Head
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tables import commands as k
from passline.tables import duties
from passline.tables.approvals import Approvals
from passline.tables.decide import decide
from passline.tables.duties import REPORTS, duty_of, needs_signature, unfit_duty, unfit_signature
from passline.tables.house import HouseState
from passline.tables.house import decide as decide_house
from passline.tables.live import LiveTable
from tests.grids import every
from tests.tables.duties_matrix import (
    ALLOWED,
    COMMANDS,
    HOUSE_COMMANDS,
    PEOPLE_COMMANDS,
    TABLE_COMMANDS,
    rows,
    sample,
    tag,
)

AT = "2026-11-15T08:00:00.000000Z"
DUTIES = {**duties.DUTIES, **PEOPLE_DUTIES}


def test_the_matrix_agrees_with_the_duties_of_the_program() -> None:
    """So that a person can review who may do what without reading the code."""
    assert {tag(command) for command in DUTIES} == set(COMMANDS) == set(ALLOWED)
    for name, cells, signed in rows():
        by = [role for role, cell in cells.items() if cell == "yes"]
        keyed = [role for role, cell in cells.items() if cell == "key"]
        duty = DUTIES[COMMANDS[name]]
        assert set(duty.by) == set(by), name
        assert set(duty.keyed_by) - set(duty.by) == set(keyed), name
        assert set(duty.signed_by) == set(signed), name
        assert set(cells) == {*ROLES, VISITOR}


def test_nobody_may_give_a_command_without_a_duty() -> None:
    class Unheard(msgspec.Struct, tag_field="command", tag="unheard-of"):
        pass

    assert duty_of(Unheard()) == Duty(())


def test_a_command_of_the_server_itself_is_refused_to_everybody_in_every_role() -> None:
    """Also to the server where it acts as the crew of a demo."""
    people = PEOPLE_COMMANDS.values()  # those about people are judged below
    commands = [sample(kind) for kind, duty in DUTIES.items() if duty.is_servers and kind not in people]
    assert {type(command) for command in commands} >= {
        k.ReportShown,
        k.KeepRulebook,
        k.RecordStart,
        k.SetOdds,
        k.RecordClockJump,
        k.RecordClockSync,
        k.CompleteRoll,
    }
    for command, role in product(commands, (*ROLES, VISITOR)):
        assert unfit_duty(command, THE_HOUSE) is None
        accounts = ("a", "") if role == THE_HOUSE.role else ("a", "", THE_HOUSE.account)
        for account in accounts:
            refused = unfit_duty(command, Actor(account, "Ann", role), is_physical=True)
            assert refused is not None
            assert refused.why == f"nobody may give {tag(type(command))}: the server does it by itself"


@cache
def _table(dice: str) -> LiveTable:
    command = k.OpenTable(name="Craps 1", house={"rules": "maryland"}, dice=dice)
    opened = decide(None, command, by=Actor("o", "Olga", "owner"), at=AT, approvals=Approvals())
    assert isinstance(opened, Decision), opened
    table: LiveTable = opened.after
    return table


@every(
    dice=["electronic", "physical"],
    name=TABLE_COMMANDS,
    role=[*ROLES, VISITOR, "shooter", "spectator", "guest", "", "Owner"],
)
def test_a_table_refuses_everything_that_is_not_allowed(dice: str, name: str, role: str) -> None:
    cell = ALLOWED[name].get(role, ".")
    is_allowed = cell == "yes" or (cell == "key" and dice == "physical")
    command, actor = sample(TABLE_COMMANDS[name]), Actor("a", "Ann", role)
    for live in (_table(dice), None) if not is_allowed else (_table(dice),):
        verdict = decide(live, command, by=actor, at=AT, approvals=Approvals())
        text = str(verdict) if isinstance(verdict, Refused) else ""
        by_row = may_not(role, f"give {name}", DUTIES[TABLE_COMMANDS[name]].by)  # a rulebook may name fewer roles
        is_refused = text.startswith(by_row)
        assert is_refused is not is_allowed, text


@every(name=HOUSE_COMMANDS, role=[*ROLES, VISITOR, "guest", "", "Owner"])
def test_the_house_refuses_everything_that_is_not_allowed(name: str, role: str) -> None:
    by, head = Actor("a", "Ann", role), Head(1, "00", "00")

    def verdict(command: k.HouseCommand) -> str:
        judged = decide_house(HouseState(), command, by=by, at=AT, head=head, tables=(), sign=lambda _: b"")
        return str(judged) if isinstance(judged, Refused) else ""

    told = verdict(sample(HOUSE_COMMANDS[name]))
    who = f"the {role}" if role else "somebody without a role"
    is_refused = f"{who} may not give {name}" in told or f"nobody may give {name}" in told
    assert is_refused is (ALLOWED[name].get(role) != "yes")


@pytest.mark.parametrize(
    ("record_class", "allowed"),
    [
        ("daily_activity_accounting", {"boxperson", "floorperson", "owner"}),
        ("security", {"surveillance", "floorperson", "owner"}),
        ("surveillance", {"surveillance"}),
        ("investigative", {"regulator", "owner"}),
    ],
)
@every(role=ROLES)
def test_each_class_of_records_is_filed_by_its_own_roles(record_class: str, allowed: set[str], role: str) -> None:
    command, by = k.FileReport(record_class=record_class, text="seen"), Actor("a", "Ann", role)
    judged = decide_house(HouseState(), command, by=by, at=AT, head=None, tables=(), sign=lambda _: b"")
    assert isinstance(judged, Refused) is (role not in allowed)
    assert set(REPORTS) == {"daily_activity_accounting", "security", "surveillance", "investigative"}


_SIGNED_BY = {name: signed for name, _, signed in rows() if signed}


@every(name=_SIGNED_BY, asker=ROLES, signer=ROLES)
def test_a_signature_is_by_somebody_else_in_a_role_that_signs(name: str, asker: str, signer: str) -> None:
    command, by = sample(COMMANDS[name]), Actor("a", "Ann", asker)
    if isinstance(command, k.OpenTable):  # with a bank, which is a fill
        command = msgspec.structs.replace(command, bank_cents=100_00)
    if isinstance(command, k.SeatPlayer):  # of a name like an employee's, which a floorperson decides about
        command = msgspec.structs.replace(command, is_somebody_else=True)
        if asker == "floorperson":
            assert not needs_signature(command, by)
            return
    signed_by = _SIGNED_BY[name]
    assert unfit_signature(command, by, None) is not None
    assert unfit_signature(command, by, Actor("a", "Ann", signer)) is not None, "nobody signs their own request"
    supervised = signer == "floorperson" and asker in signed_by  # who could have signed it is signed by the supervisor
    is_fit = unfit_signature(command, by, Actor("b", "Bob", signer)) is None
    assert is_fit is (signer in signed_by or supervised)


def test_opening_and_closing_a_bank_takes_two_people_except_in_a_demo_or_by_the_server() -> None:
    by, opening = Actor("o", "Olga", "owner"), sample(k.OpenTable)
    banked = msgspec.structs.replace(opening, bank_cents=100_00)
    assert needs_signature(banked, by)
    assert not needs_signature(opening, by)
    assert not needs_signature(msgspec.structs.replace(banked, is_demo=True), by)
    assert not needs_signature(banked, THE_HOUSE)
    assert needs_signature(k.CloseTable(), by)
    assert not needs_signature(k.CloseTable(), by, is_demo=True)


def _people() -> People:
    """Return one account of each role, named after it, a guest, and an account to act on."""
    events: list[e.PeopleEvent] = []
    for role in ROLES:
        events += [e.AccountCreated(role, role.title(), (role,), is_guest=False), e.PasswordSet(role, f"p-{role}")]
    events += [e.AccountCreated("guest", "Gus", ("player",), is_guest=True)]
    events += [e.AccountCreated("other", "Other", ("dealer",), is_guest=False), e.PasswordSet("other", "p")]
    events += [e.AccountCreated("second", "Second", ("owner",), is_guest=False), e.PasswordSet("second", "p")]
    events += [e.InvitationMade("", "x", ("dealer",), "owner", "2026-11-16T08:00:00.000000Z")]
    return fold(People(), events)


_FITTING: dict[str, p.PeopleCommand] = {  # a lawful example of each; SELF stands for the sender
    "create-account": p.CreateAccount(account="new", name="New"),
    "change-roles": p.ChangeRoles(account="other", grant=("player",), revoke=("dealer",)),
    "disable-account": p.DisableAccount(account="other", reason="left"),
    "enable-account": p.EnableAccount(account="other"),
    "invite": p.Invite(invitation="i", roles=("dealer",), expires="2026-11-16T08:00:00.000000Z"),
    "set-password": p.SetPassword(account="SELF", password="x"),  # noqa: S106 - its name
    "set-pin": p.SetPin(account="SELF", pin="x"),
    "log-in": p.LogIn(account="SELF"),
    "accept-invitation": p.AcceptInvitation(account="new", invitation="x", name="New", password="x"),  # noqa: S106
    "register": p.Register(account="new", name="New", password="x"),  # noqa: S106
    "welcome-guest": p.WelcomeGuest(account="new", name="New"),
    "elect-dual-control": p.ElectDualControl(is_on=True),
    "elect-password-age": p.ElectPasswordAge(days=90),
    "elect-retention": p.ElectRetention(years=7),
    "elect-provider": p.ElectProvider(issuer="https://id.example", client="craps", roles=(("pit", "dealer"),)),
    "log-in-by-provider": p.LogInByProvider(account="new", issuer="x", subject="s", name="New", groups=("pit",)),
    "link-account": p.LinkAccount(account="other", subject="s"),
    "unlink-account": p.UnlinkAccount(account="other"),
    "elect-second-factor": p.ElectSecondFactor(origin=""),
    "add-authenticator": p.AddAuthenticator(
        account="SELF", credential="new", public_key="b", site="c", count=0, label="d"
    ),
    "remove-authenticator": p.RemoveAuthenticator(account="SELF", credential="a"),
    "give-assertion": p.GiveAssertion(
        account="new", requester="x", act="fill", nonce="", digest="", assertion=Assertion("", "", "", "")
    ),
    "refuse-by-provider": p.RefuseByProvider(account="new", reason="gone"),
    "break-glass": p.BreakGlass(reason="the other owner is ill"),
    "bind-secrets": p.BindSecrets(names=()),
    "record-incidents": p.RecordIncidents(since=AT, incidents=(e.Incident("log-in", "", "", 1),)),
}


@every(name=PEOPLE_COMMANDS, by=[*ROLES, "guest", VISITOR, "no-such"])
def test_the_desk_refuses_everything_that_is_not_allowed(name: str, by: str) -> None:
    people = _people()
    if name == "enable-account":
        people = fold(people, [e.AccountDisabled("other", "left")])
    if name == "elect-second-factor":
        people = fold(people, [e.SecondFactorElected("", "https://craps.example")])
    if name == "link-account":
        people = fold(people, [e.ProviderElected("", "https://id.example", "craps", "groups", (("pit", "dealer"),))])
    if name == "unlink-account":
        people = fold(people, [e.AccountLinked("other", "https://id.example", "s")])
    if name == "remove-authenticator" and by in people.accounts:
        people = fold(people, [e.AuthenticatorAdded(by, "a", "b", "c", 0, "d")])
    command = _FITTING[name]
    if command.account == "SELF":
        command = msgspec.structs.replace(command, account=by)
    role = {"guest": "player", "no-such": VISITOR}.get(by, by)
    is_allowed = ALLOWED[name][role] == "yes" or ALLOWED[name][VISITOR] == "yes"  # what a visitor may, anybody may
    if by == "guest" and ALLOWED[name]["player"] == "yes":
        is_allowed = False  # a guest has neither password nor PIN
    chosen = p.ElectDualControl | p.ElectRetention | p.ElectProvider | p.ElectSecondFactor
    takes_two = chosen | p.LinkAccount | p.UnlinkAccount
    signed = "second" if isinstance(command, takes_two) else ""
    verdict = judge_people(people, command, by="" if by == VISITOR else by, at=AT, signed_by=signed)
    assert isinstance(verdict, Refused) is not is_allowed, verdict
    if isinstance(verdict, Refused) and by != "guest":
        assert {refusal.clause for refusal in verdict.refusals} == {"duties"}


@every(role=ROLES, by=ROLES)
def test_who_may_give_which_role(by: str, role: str) -> None:
    """The same roles with a new account, by a link, or by a change of roles."""
    is_allowed = by == "owner" or (by == "floorperson" and role in {"player", "dealer", "stickperson"})
    people = fold(_people(), [e.AccountCreated("bare", "Bare", (), is_guest=False)])
    for command in (
        p.CreateAccount(account="new", name="New", roles=(role,)),
        p.Invite(invitation="i", roles=(role,), expires="2026-11-16T08:00:00.000000Z"),
        p.ChangeRoles(account="bare", grant=(role,)),
    ):
        assert isinstance(judge_people(people, command, by=by, at=AT), Refused) is not is_allowed
