"""Every role times every command: what is not written here as allowed is refused."""

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from passline.dice import Roll
from passline.game.refusal import Refused
from passline.people import commands as p
from passline.people import events as e
from passline.people.accounts import People, fold
from passline.people.decide import decide as judge_people
from passline.people.duties import Duty
from passline.people.roles import ROLES, THE_HOUSE, VISITOR
from passline.store.entry import Head
from passline.streams.course import Actor, Decision
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.decide import decide
from passline.tables.duties import DUTIES, REPORTS, duty_of, needs_signature, unfit_duty, unfit_signature
from passline.tables.house import HouseState
from passline.tables.house import decide as decide_house
from passline.tables.live import LiveTable

AT = "2026-11-15T08:00:00.000000Z"

# yes: may give it. key: may key it in for a player, where the dice are physical. sign: signs it off for somebody else.
# A guest of a demo is a player; somebody who is not logged in is a visitor, and gives no command of a table.
MATRIX = """
                   player dealer stickperson boxperson floorperson owner    regulator surveillance visitor
open-table         .      .      .           sign      yes+sign    yes      .         .            .
close-table        .      .      .           sign      yes+sign    yes      .         .            .
seat-player        yes    key    key         key       key         .        .         .            .
take-seat          yes    key    key         key       key         .        .         .            .
leave-seat         yes    key    key         yes       yes         .        .         .            .
stand-up           yes    key    key         key       key         .        .         .            .
sit-down           yes    key    key         key       key         .        .         .            .
buy-in             yes    yes    .           .         .           .        .         .            .
fill               .      .      .           yes+sign  yes+sign    .        .         .            .
credit             .      .      .           yes+sign  yes+sign    .        .         .            .
make-wager         yes    yes    yes         .         .           .        .         .            .
reduce-wager       yes    yes    yes         .         .           .        .         .            .
remove-wager       yes    yes    yes         .         .           .        .         .            .
call-wager         yes    key    key         key       key         .        .         .            .
place-button       .      yes    yes         yes       yes         .        .         .            .
confirm-wager      .      yes    yes         yes       yes         .        .         .            .
offer-dice         .      yes    yes         yes       yes         .        .         .            .
accept-dice        yes    key    key         key       key         .        .         .            .
decline-dice       yes    yes    yes         yes       yes         .        .         .            .
choose-dice        yes    key    key         key       key         .        .         .            .
surrender-dice     yes    key    key         key       key         .        .         .            .
decline-line-wager yes    key    key         key       key         .        .         .            .
order-dice-passed  .      yes    yes         yes       yes         .        .         .            .
pass-dice          .      yes    yes         yes       yes         .        .         .            .
throw-dice         .      .      .           .         .           .        .         .            .
land-dice          .      .      .           .         .           .        .         .            .
roll-dice          .      .      .           .         .           .        .         .            .
roll               yes    .      .           .         .           .        .         .            .
dice-out           .      yes    yes         .         .           .        .         .            .
key-dice           .      yes    yes         .         .           .        .         .            .
call-no-roll       .      yes    yes         yes       yes         .        .         .            .
call-roll          .      yes    yes         yes       yes         .        .         .            .
settle             .      yes    yes         yes       yes         .        .         .            .
dispute-faces      yes    key    key         key       key         .        .         .            .
decide-dispute     .      yes    yes         yes       yes         .        .         .            .
correct-roll       .      yes    yes         yes+sign  yes         .        .         .            .
freeze-table       yes    yes    yes         yes       yes         .        .         .            .
report-shown       .      .      .           .         .           .        .         .            .
release-table      .      .      .           yes       yes+sign    .        .         .            .
notice-limits      .      .      .           yes       yes+sign    yes      .         .            .
report-conduct     .      yes    yes         yes       yes         .        .         yes          .

file-approval      .      .      .           .         .           yes      .         .            .
withdraw-approval  .      .      .           .         .           yes      .         .            .
file-report        .      .      .           yes       yes         yes      yes       yes          .
close-shift        .      .      .           sign      yes+sign    yes+sign .         .            .

create-account     .      .      .           .         yes         yes      .         .            .
change-roles       .      .      .           .         yes         yes      .         .            .
disable-account    .      .      .           .         yes         yes      .         .            .
enable-account     .      .      .           .         yes         yes      .         .            .
invite             .      .      .           .         yes         yes      .         .            .
set-password       yes    yes    yes         yes       yes         yes      yes       yes          .
set-pin            yes    yes    yes         yes       yes         yes      yes       yes          .
log-in             yes    yes    yes         yes       yes         yes      yes       yes          .
accept-invitation  .      .      .           .         .           .        .         .            yes
register           .      .      .           .         .           .        .         .            yes
welcome-guest      .      .      .           .         .           .        .         .            yes
"""


def _rows() -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Each command with what every role may, and who signs it."""
    roles, *lines = (line.split() for line in MATRIX.splitlines() if line.strip())
    for name, *cells in lines:
        given = dict(zip(roles, cells, strict=True))
        signed = [role for role, cell in given.items() if cell.endswith("sign")]
        yield name, {role: cell.removesuffix("sign").removesuffix("+") or "." for role, cell in given.items()}, signed


def _tag(command: type) -> str:
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]


ALLOWED = {name: cells for name, cells, _ in _rows()}
TABLE_COMMANDS = {_tag(command): command for command in get_args(k.TableCommand)}
PEOPLE_COMMANDS = {_tag(command): command for command in get_args(p.PeopleCommand)}
HOUSE_COMMANDS = {_tag(command): command for command in get_args(k.HouseCommand)}
COMMANDS = TABLE_COMMANDS | PEOPLE_COMMANDS | HOUSE_COMMANDS


def sample(command: type) -> Any:  # noqa: ANN401 - a command of any kind
    """A command with something in every field that must be given."""
    values: dict[Any, Any] = {int: 1, str: "x", dict[str, Any]: {}, dict[str, int]: {}, tuple[int, ...]: (1, 2)}
    return command(**{field.name: values[field.type] for field in msgspec.structs.fields(command) if field.required})


def test_the_matrix_is_what_the_program_goes_by() -> None:
    """So that a person can review who may do what without reading code."""
    assert {_tag(command) for command in DUTIES} == set(COMMANDS) == set(ALLOWED)
    for name, cells, signed in _rows():
        by = [role for role, cell in cells.items() if cell == "yes"]
        keyed = [role for role, cell in cells.items() if cell == "key"]
        duty = DUTIES[COMMANDS[name]]
        assert set(duty.by) == set(by), name
        assert set(duty.keyed_by) - set(duty.by) == set(keyed), name
        assert set(duty.signed_by) == set(signed), name
        assert set(cells) == {*ROLES, VISITOR}


def test_a_command_without_a_duty_is_nobodys() -> None:
    class Unheard(msgspec.Struct, tag_field="command", tag="unheard-of"):
        pass

    assert duty_of(Unheard()) == Duty(())


def test_what_is_the_servers_own_is_given_by_no_person_in_any_role() -> None:
    """Nor by the house's own hands at a demonstration, who act in the roles of a crew."""
    [command] = [sample(kind) for kind, duty in DUTIES.items() if duty.is_servers]
    assert isinstance(command, k.ReportShown)
    assert unfit_duty(command, THE_HOUSE) is None
    for role in (*ROLES, VISITOR):
        accounts = ("a", "") if role == THE_HOUSE.role else ("a", "", THE_HOUSE.account)
        for account in accounts:
            refused = unfit_duty(command, Actor(account, "Ann", role), is_physical=True)
            assert refused is not None
            assert refused.why == "report-shown is nobody's to give: the server does it by itself"


@cache
def _table(dice: str) -> LiveTable:
    command = k.OpenTable(name="Craps 1", house={"rules": "maryland"}, dice=dice)
    opened = decide(None, command, by=Actor("o", "Olga", "owner"), at=AT, dice=_no_dice, approvals=Approvals())
    assert isinstance(opened, Decision), opened
    table: LiveTable = opened.after
    return table


def _no_dice() -> Roll:
    raise AssertionError("dice were thrown for somebody who may not throw them, or before anybody plays")


@pytest.mark.parametrize("role", [*ROLES, VISITOR, "shooter", "spectator", "guest", "", "Owner"])
@pytest.mark.parametrize("name", TABLE_COMMANDS)
@pytest.mark.parametrize("dice", ["electronic", "physical"])
def test_a_table_refuses_whatever_is_not_allowed(dice: str, name: str, role: str) -> None:
    cell = ALLOWED[name].get(role, ".")
    is_allowed = cell == "yes" or (cell == "key" and dice == "physical")
    command, actor = sample(TABLE_COMMANDS[name]), Actor("a", "Ann", role)
    for live in (_table(dice), None) if not is_allowed else (_table(dice),):
        verdict = decide(live, command, by=actor, at=AT, dice=_no_dice, approvals=Approvals())
        text = str(verdict) if isinstance(verdict, Refused) else ""
        is_refused = text.startswith((f"{name} is not for the {role}", f"{name} is nobody's to give"))
        assert is_refused is not is_allowed, text


@pytest.mark.parametrize("role", [*ROLES, VISITOR, "guest", "", "Owner"])
@pytest.mark.parametrize("name", HOUSE_COMMANDS)
def test_the_house_refuses_whatever_is_not_allowed(name: str, role: str) -> None:
    by, head = Actor("a", "Ann", role), Head(1, "00", "00")

    def verdict(command: k.HouseCommand) -> str:
        judged = decide_house(HouseState(), command, by=by, at=AT, head=head, tables=(), sign=lambda _: b"")
        return str(judged) if isinstance(judged, Refused) else ""

    is_refused = f"{name} is not for the {role}" in verdict(sample(HOUSE_COMMANDS[name]))
    assert is_refused is (ALLOWED[name].get(role) != "yes")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("record_class", "allowed"),
    [
        ("daily_activity_accounting", {"boxperson", "floorperson", "owner"}),
        ("security", {"surveillance", "floorperson", "owner"}),
        ("surveillance", {"surveillance"}),
        ("investigative", {"regulator", "owner"}),
    ],
)
def test_each_class_of_records_has_its_own_people(record_class: str, allowed: set[str], role: str) -> None:
    command, by = k.FileReport(record_class=record_class, text="seen"), Actor("a", "Ann", role)
    judged = decide_house(HouseState(), command, by=by, at=AT, head=None, tables=(), sign=lambda _: b"")
    assert isinstance(judged, Refused) is (role not in allowed)
    assert set(REPORTS) == {"daily_activity_accounting", "security", "surveillance", "investigative"}


@pytest.mark.parametrize("signer", ROLES)
@pytest.mark.parametrize("asker", ROLES)
@pytest.mark.parametrize("name", [name for name, _, signed in _rows() if signed])
def test_what_needs_a_signature_needs_that_of_somebody_else_in_the_role(name: str, asker: str, signer: str) -> None:
    command, by = sample(COMMANDS[name]), Actor("a", "Ann", asker)
    if isinstance(command, k.OpenTable):  # with a bank, which is a fill
        command = msgspec.structs.replace(command, bank_cents=100_00)
    signed_by = next(signed for row, _, signed in _rows() if row == name)
    assert unfit_signature(command, by, None) is not None
    assert unfit_signature(command, by, Actor("a", "Ann", signer)) is not None, "nobody signs their own request"
    supervised = signer == "floorperson" and asker in signed_by  # who could have signed it is signed by the supervisor
    is_fit = unfit_signature(command, by, Actor("b", "Bob", signer)) is None
    assert is_fit is (signer in signed_by or supervised)


def test_chips_come_to_a_table_and_go_with_two_people_but_in_a_demo_or_for_the_server_itself() -> None:
    by, opening = Actor("o", "Olga", "owner"), sample(k.OpenTable)
    banked = msgspec.structs.replace(opening, bank_cents=100_00)
    assert needs_signature(banked, by)
    assert not needs_signature(opening, by)
    assert not needs_signature(msgspec.structs.replace(banked, is_demo=True), by)
    assert not needs_signature(banked, THE_HOUSE)
    assert needs_signature(k.CloseTable(), by)
    assert not needs_signature(k.CloseTable(), by, is_demo=True)


def _people() -> People:
    """One account of each role, named after it, a guest, and others to act on."""
    events: list[e.PeopleEvent] = []
    for role in ROLES:
        events += [e.AccountCreated(role, role.title(), (role,), is_guest=False), e.PasswordSet(role, f"p-{role}")]
    events += [e.AccountCreated("guest", "Gus", ("player",), is_guest=True)]
    events += [e.AccountCreated("other", "Other", ("dealer",), is_guest=False), e.PasswordSet("other", "p")]
    events += [e.InvitationMade("", "x", ("dealer",), "owner", "2026-11-16T08:00:00.000000Z")]
    return fold(People(), events)


_FITTING: dict[str, p.PeopleCommand] = {  # each with what its person, who is put for SELF, may ask
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
}


@pytest.mark.parametrize("by", [*ROLES, "guest", VISITOR, "no-such"])
@pytest.mark.parametrize("name", PEOPLE_COMMANDS)
def test_the_desk_refuses_whatever_is_not_allowed(name: str, by: str) -> None:
    people = _people()
    if name == "enable-account":
        people = fold(people, [e.AccountDisabled("other", "left")])
    command = _FITTING[name]
    if command.account == "SELF":
        command = msgspec.structs.replace(command, account=by)
    role = {"guest": "player", "no-such": VISITOR}.get(by, by)
    is_allowed = ALLOWED[name][role] == "yes" or ALLOWED[name][VISITOR] == "yes"  # what a visitor may, anybody may
    if by == "guest" and ALLOWED[name]["player"] == "yes":
        is_allowed = False  # a guest has neither password nor PIN
    verdict = judge_people(people, command, by="" if by == VISITOR else by, at=AT)
    assert isinstance(verdict, Refused) is not is_allowed, verdict
    if isinstance(verdict, Refused) and by != "guest":
        assert {refusal.clause for refusal in verdict.refusals} == {"duties"}


@pytest.mark.parametrize("by", ROLES)
@pytest.mark.parametrize("role", ROLES)
def test_who_brings_somebody_into_which_role(by: str, role: str) -> None:
    """By an account, by a link, or by a grant: the same roles."""
    is_allowed = by == "owner" or (by == "floorperson" and role in {"player", "dealer", "stickperson"})
    people = fold(_people(), [e.AccountCreated("bare", "Bare", (), is_guest=False)])
    for command in (
        p.CreateAccount(account="new", name="New", roles=(role,)),
        p.Invite(invitation="i", roles=(role,), expires="2026-11-16T08:00:00.000000Z"),
        p.ChangeRoles(account="bare", grant=(role,)),
    ):
        assert isinstance(judge_people(people, command, by=by, at=AT), Refused) is not is_allowed
