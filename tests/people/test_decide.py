"""Deciding commands about accounts: what may be done, and by whom."""

# ruff: noqa: S106 - passwords of people who do not exist

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from passline.authority.roles import CREW, ROLES, STAFF
from passline.people import commands as c
from passline.people import events as e
from passline.people.accounts import Account, People, fold, name_key
from passline.people.decide import decide
from passline.refusal import Refused

AT = "2026-11-15T08:00:00.000000Z"
LATER = "2026-11-16T08:00:00.000000Z"


def people_of(**roles: str) -> People:
    """Return accounts by id, each with a password; roles are separated by spaces."""
    events: list[e.PeopleEvent] = []
    for account, text in roles.items():
        events += [
            e.AccountCreated(account, account.title(), tuple(text.split()), is_guest=text == "guest"),
            e.PasswordSet(account, f"password of {account}"),
        ]
    return fold(People(), events)


HOUSE = people_of(
    olga="owner player",
    otto="owner player",
    flo="floorperson",
    bob="boxperson",
    dan="dealer player",
    pat="player",
    reg="regulator",
)


def verdict_on(command: c.PeopleCommand, by: str, people: People = HOUSE) -> str:
    """Return the refusals of a command in one line, each with its source, or "done" if there are none."""
    verdict = decide(people, command, by=by, at=AT)
    return str(verdict) if isinstance(verdict, Refused) else "done"


@pytest.mark.parametrize(
    ("roles", "by", "says"),
    [
        ("player", "olga", "done"),
        ("owner", "olga", "done"),
        ("regulator", "olga", "done"),
        ("player dealer", "flo", "done"),
        ("stickperson", "flo", "done"),
        ("boxperson", "flo", "you may not give or take the role boxperson"),
        ("owner", "flo", "you may not give or take the role owner"),
        ("player", "bob", "the boxperson may not give create-account; the floorperson or owner may"),
        ("player", "pat", "the player may not give create-account; the floorperson or owner may"),
        ("player", "reg", "the regulator may not give create-account; the floorperson or owner may"),
        ("player", "", "log in first [duties]"),
        ("player", "no-such", "log in first [duties]"),
        ("boss", "olga", "there is no role boss; the roles are player, dealer"),
        ("", "olga", "name at least one role [people]"),
        ("regulator player", "olga", "an observer takes no part in play: the role regulator cannot"),
        ("surveillance owner", "olga", "an observer takes no part in play: the role surveillance cannot"),
    ],
)
def test_who_may_open_an_account_in_which_roles(roles: str, by: str, says: str) -> None:
    command = c.CreateAccount(account="new", name="Newcomer", roles=tuple(roles.split()))
    assert verdict_on(command, by).startswith(says)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("A", "done"),
        ("A" * 40, "done"),
        ("Ann Smith", "done"),
        ("Łucja Ż.", "done"),
        ("李雷", "done"),
        ("", "a name has 1 to 40 characters"),
        ("A" * 41, "a name has 1 to 40 characters"),
        (" Ann", "a name has 1 to 40 characters and no spaces at its ends"),
        ("Ann\n", "a name has 1 to 40 characters and no spaces at its ends"),
        ("An\nn", "a name has no control characters"),
        ("An\u200bn", "a name has no control characters and no invisible ones"),
        ("An\u202en", "a name has no control characters and no invisible ones"),
        ("An\ud800n", "a name has no control characters and no invisible ones"),
        ("An\x00n", "a name has no control characters and no invisible ones"),
        ("OLGA", "there is already somebody named OLGA"),
        ("\uff2flga", "there is already somebody named Olga"),
        ("\ufb00" * 21, "a name has 1 to 40 characters"),  # each becomes two letters
    ],
)
def test_a_name_is_readable_and_differs_from_all_others(name: str, says: str) -> None:
    assert verdict_on(c.CreateAccount(account="new", name=name), "olga").startswith(says)
    assert verdict_on(c.Register(account="new", name=name, password="p"), "").startswith(says)
    assert verdict_on(c.WelcomeGuest(account="new", name=name), "").startswith(says)


@given(st.text(max_size=60))
def test_no_two_accounts_have_names_that_look_alike(name: str) -> None:
    command = c.CreateAccount(account="new", name=name)
    verdict = decide(HOUSE, command, by="olga", at=AT)
    if isinstance(verdict, Refused):
        return
    people = verdict.after
    assert people.account_named(name) is people.accounts["new"]
    for same in (name.upper(), unicodedata.normalize("NFKC", name), name.casefold(), f" {name}"):
        if name_key(same) == name_key(name):
            assert isinstance(decide(people, c.Register(account="x", name=same, password="p"), by="", at=AT), Refused)
    json.encode(verdict.events)  # it can be written to the log


@pytest.mark.parametrize(
    ("command", "by", "says"),
    [
        (c.ChangeRoles(account="dan", grant=("boxperson",)), "olga", "done"),
        (c.ChangeRoles(account="dan", grant=("owner",)), "olga", "done"),
        (c.ChangeRoles(account="dan", grant=("stickperson",)), "flo", "done"),
        (c.ChangeRoles(account="dan", grant=("owner",)), "flo", "you may not give or take the role owner"),
        (
            c.ChangeRoles(account="olga", grant=("dealer",)),
            "olga",
            "nobody may change the roles",
        ),
        (
            c.ChangeRoles(account="flo", grant=("dealer",)),
            "flo",
            "nobody may change the roles",
        ),
        (
            c.ChangeRoles(account="bob", grant=("dealer",)),
            "flo",
            "Bob has the role boxperson: only an owner",
        ),
        (
            c.ChangeRoles(account="pat", grant=("dealer",)),
            "bob",
            "the boxperson may not give change-roles; the floorperson or owner may",
        ),
        (
            c.ChangeRoles(account="dan", grant=("dealer",)),
            "olga",
            "that changes nothing: the account has the roles player, dealer",
        ),
        (c.ChangeRoles(account="dan", grant=("regulator",)), "olga", "an observer takes no part in play"),
        (c.ChangeRoles(account="reg", grant=("player",)), "olga", "an observer takes no part in play"),
        (c.ChangeRoles(account="none", grant=("player",)), "olga", "there is no account none"),
        (c.ChangeRoles(account="dan", revoke=("dealer",)), "flo", "done"),
        (
            c.ChangeRoles(account="pat", revoke=("player",)),
            "flo",
            "an account has at least one role; disable it instead",
        ),
        (c.ChangeRoles(account="otto", revoke=("owner",)), "olga", "done"),
        (
            c.ChangeRoles(account="olga", revoke=("owner",)),
            "olga",
            "nobody may change the roles",
        ),
        (
            c.ChangeRoles(account="olga", revoke=("owner",)),
            "flo",
            "Olga has the role owner: only an owner",
        ),
        (
            c.ChangeRoles(account="dan", revoke=("owner",)),
            "olga",
            "that changes nothing: the account has the roles player, dealer",
        ),
        (c.DisableAccount(account="dan", reason="left"), "flo", "done"),
        (c.DisableAccount(account="otto", reason="left"), "olga", "done"),
        (
            c.DisableAccount(account="olga", reason="left"),
            "olga",
            "nobody may change the roles",
        ),
        (c.DisableAccount(account="bob", reason="left"), "flo", "Bob has the role boxperson"),
        (c.DisableAccount(account="dan", reason=" "), "olga", "say why in 1 to 300 characters"),
        (c.DisableAccount(account="dan", reason="x" * 301), "olga", "say why in 1 to 300 characters"),
        (
            c.DisableAccount(account="dan", reason="left"),
            "dan",
            "the player and dealer may not give disable-account; the floorperson or owner may",
        ),
        (c.EnableAccount(account="dan"), "olga", "the account is not disabled"),
        (c.CreateAccount(account="", name="Newcomer", roles=("player",)), "olga", "an account needs an id"),
        (c.SetPassword(account="dan", password="n"), "dan", "done"),
        (c.SetPassword(account="dan", password="n"), "olga", "only the person themselves sets their password or PIN"),
        (c.SetPin(account="dan", pin="n"), "dan", "done"),
        (c.SetPin(account="dan", pin="n"), "olga", "only the person themselves sets their password or PIN"),
        (c.LogIn(account="dan"), "dan", "done"),
        (c.LogIn(account="dan"), "olga", "only the person themselves sets their password or PIN"),
        (c.Invite(invitation="i", roles=("owner",), expires=LATER), "olga", "done"),
        (c.Invite(invitation="i", roles=("owner",), expires=LATER), "", "log in first"),
        (c.Invite(invitation="i", roles=("owner",), expires=LATER), "flo", "you may not give or take the role owner"),
        (c.Invite(invitation="i", account="dan", expires=LATER), "flo", "done"),
        (c.Invite(invitation="i", account="dan", roles=("owner",), expires=LATER), "olga", "an invitation for an exis"),
        (c.Invite(invitation="i", account="bob", expires=LATER), "flo", "Bob has the role boxperson"),
        (c.Invite(invitation="i", account="olga", expires=LATER), "olga", "nobody may change"),
    ],
    ids=lambda value: json.encode(value).decode()[:60] if not isinstance(value, str) else value[:20],
)
def test_who_may_change_an_account(command: c.PeopleCommand, by: str, says: str) -> None:
    assert verdict_on(command, by).startswith(says)


def test_the_last_owner_stays() -> None:
    """Two owners cannot remove each other: when the second one tries, their own account is already changed."""
    for command in (
        c.ChangeRoles(account="otto", revoke=("owner",)),
        c.DisableAccount(account="otto", reason="left"),
    ):
        verdict = decide(HOUSE, command, by="olga", at=AT)
        assert not isinstance(verdict, Refused)
        people = verdict.after
        back = type(command)(
            **{name: getattr(command, name) for name in command.__struct_fields__} | {"account": "olga"}
        )
        assert isinstance(decide(people, back, by="otto", at=AT), Refused)
        assert [one.id for one in people.owners()] == ["olga"]


def test_an_owner_who_cannot_log_in_does_not_count() -> None:
    """The last owner with a password stays, even if another owner has not used their link yet."""
    people = fold(people_of(olga="owner"), [e.AccountCreated("late", "Late", ("owner",), is_guest=False)])
    assert verdict_on(c.DisableAccount(account="olga", reason="left"), "late", people).startswith(
        "this is the last owner"
    )
    changed = c.ChangeRoles(account="olga", grant=("player",), revoke=("owner",))
    assert verdict_on(changed, "late", people).startswith("this is the last owner")


def test_a_disabled_account_can_do_nothing() -> None:
    people = fold(HOUSE, [e.AccountDisabled("olga", "left")])
    assert verdict_on(c.ChangeRoles(account="dan", grant=("boxperson",)), "olga", people) == (
        "the account of Olga is disabled [duties]"
    )
    assert verdict_on(c.EnableAccount(account="olga"), "otto", people) == "done"
    assert verdict_on(c.Invite(invitation="i", account="olga", expires=LATER), "otto", people).startswith(
        "the account is disabled; enable it first"
    )


def test_a_guest_stays_a_guest() -> None:
    people = fold(HOUSE, [e.AccountCreated("gus", "Gus", ("player",), is_guest=True)])
    for command in (
        c.ChangeRoles(account="gus", grant=("owner",)),
        c.Invite(invitation="i", account="gus", expires=LATER),
    ):
        assert "is a guest of the demo" in verdict_on(command, "olga", people)
    for own in (c.SetPassword(account="gus", password="p"), c.SetPin(account="gus", pin="p"), c.LogIn(account="gus")):
        assert "a guest of the demo has no password and no PIN" in verdict_on(own, "gus", people)


def accept(people: People, *, account: str = "new", at: str = AT) -> str:
    command = c.AcceptInvitation(account=account, invitation="i", name="Newcomer", password="p", pin="q")
    verdict = decide(people, command, by="", at=at)
    return str(verdict) if isinstance(verdict, Refused) else "done"


def test_a_link_works_once_for_its_own_account_and_until_it_expires() -> None:
    people = fold(HOUSE, [e.InvitationMade("", "i", ("dealer",), "flo", LATER)])
    assert accept(people) == "done"
    assert accept(people, at=LATER).startswith("this link was used or has expired")
    verdict = decide(people, c.AcceptInvitation(account="new", invitation="i", name="N", password="p"), by="", at=AT)
    assert not isinstance(verdict, Refused)
    assert verdict.events == (
        e.AccountCreated("new", "N", ("dealer",), is_guest=False),
        e.InvitationAccepted("new", "i"),
        e.PasswordSet("new", "p"),
    )
    assert accept(verdict.after, account="newer").startswith("this link was used or has expired")
    renewed = fold(HOUSE, [e.InvitationMade("dan", "i", (), "flo", LATER)])
    assert accept(renewed) == "this link is for another account [people]"
    assert accept(renewed, account="dan") == "done"


@pytest.mark.parametrize(
    "event", [e.AccountDisabled("flo", "left"), e.RolesRevoked("flo", ("floorperson",))], ids=["disabled", "revoked"]
)
def test_a_link_is_void_once_its_maker_may_no_longer_invite(event: e.PeopleEvent) -> None:
    people = fold(HOUSE, [e.InvitationMade("", "i", ("dealer",), "flo", LATER), event])
    assert accept(people).startswith("the person who made this link may no longer invite you")


def test_the_link_of_the_first_owner_is_void_once_there_is_an_owner() -> None:
    invite = c.Invite(invitation="i", roles=("owner",), expires=LATER)
    verdict = decide(People(), invite, by="", at=AT)
    assert not isinstance(verdict, Refused)
    people = verdict.after
    assert accept(people) == "done"
    other = fold(people, [e.AccountCreated("o", "O", ("owner",), is_guest=False), e.PasswordSet("o", "p")])
    assert accept(other).startswith("the person who made this link may no longer invite you")


@pytest.mark.parametrize("roles", [("dealer",), ("owner", "player"), ()])
def test_the_house_itself_invites_only_the_first_owner(roles: tuple[str, ...]) -> None:
    assert verdict_on(c.Invite(invitation="i", roles=roles, expires=LATER), "", People()) == "log in first [duties]"


def test_the_roles_decide_who_is_an_employee() -> None:
    employed = {role for role in ROLES if Account("a", "A", frozenset({role})).is_employee}
    assert employed == {*CREW, *STAFF, "surveillance", "owner"}
