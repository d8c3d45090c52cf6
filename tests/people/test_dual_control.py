"""Dual control: with two owners, neither can make or become somebody who signs without the other."""

import msgspec
import pytest

from passline.authority.roles import SIGNING_ROLES, STAFF
from passline.authority.sign_off import ALONE_SECONDS
from passline.people import commands as c
from passline.people.accounts import STREAM, Account
from passline.people.attempts import Wait
from passline.people.course import PeopleCourse
from passline.people.credentials import SignOff
from passline.people.sessions import Link, Welcome
from passline.people.verify import PeopleCheck
from passline.refusal import Refused
from passline.store.memory import MemoryLog
from passline.streams.blocking import BlockingStream
from passline.streams.course import Actor, Answer, Ask
from passline.tables.duties import DUTIES
from passline.tables.verify import decision_faults
from tests.cases import one_in
from tests.people.house import NEW, PASSWORD, PIN, START, House

OSKAR = SignOff("Oskar", PIN)


@pytest.fixture
def owners(house: House) -> tuple[str, str]:
    """Olga and Oskar, and Bea, Dan, Sue and Fay, who was fired."""
    olga = house.owner("Olga").session.account.id
    house.hire("Bea", "boxperson", by=olga)
    house.hire("Dan", "dealer", by=olga)
    house.hire("Sue", "surveillance", by=olga)
    fay = house.hire("Fay", "floorperson", by=olga).session.account.id
    assert isinstance(house.desk.do(c.DisableAccount(account=fay, reason="left"), by=olga), Answer)
    return olga, house.hire("Oskar", "owner", by=olga).session.account.id


def account(house: House, name: str) -> str:
    found = house.desk.people().account_named(name)
    assert found is not None
    return found.id


def test_the_roles_that_sign_are_those_of_the_duties() -> None:
    signing = {role for duty in DUTIES.values() for role in duty.signed_by}
    assert signing | {*STAFF} == SIGNING_ROLES  # the staff of the office signs its acts


def acts(house: House) -> dict[str, c.PeopleCommand]:
    """Every way to make somebody who signs, to take a signer's chair, or to be rid of the second owner."""
    expires = "2026-11-16T08:00:00.000000Z"
    return {
        "a boxperson": c.CreateAccount(account="new", name="Max", roles=("boxperson",)),
        "an owner": c.CreateAccount(account="new", name="Max", roles=("owner",)),
        "a role": c.ChangeRoles(account=account(house, "Dan"), grant=("floorperson",)),
        "a link for somebody new": c.Invite(invitation="i1", roles=("boxperson",), expires=expires),
        "a link for a signer": c.Invite(account=account(house, "Bea"), invitation="i1", expires=expires),
        "a link for the other owner": c.Invite(account=account(house, "Oskar"), invitation="i1", expires=expires),
        "enabling a signer": c.EnableAccount(account=account(house, "Fay")),
        "the other owner's role": c.ChangeRoles(account=account(house, "Oskar"), grant=("player",), revoke=("owner",)),
        "disabling the other owner": c.DisableAccount(account=account(house, "Oskar"), reason="x"),
        "turning it off": c.ElectDualControl(is_on=False),
        "a regulator": c.CreateAccount(account="new", name="Fake TGO", roles=("regulator",)),
        "surveillance": c.CreateAccount(account="new", name="Max", roles=("surveillance",)),
        "a dealer, who accepts fills": c.CreateAccount(account="new", name="Max", roles=("player", "dealer")),
        "a dealer's role": c.ChangeRoles(account=account(house, "Bea"), grant=("dealer",)),
        "a signer less": c.ChangeRoles(account=account(house, "Bea"), grant=("player",), revoke=("boxperson",)),
        "a link for a regulator": c.Invite(invitation="i1", roles=("regulator",), expires=expires),
        "a link for a dealer": c.Invite(account=account(house, "Dan"), invitation="i1", expires=expires),
        "disabling who watches": c.DisableAccount(account=account(house, "Sue"), reason="x"),
    }


WAYS = (
    *("a boxperson", "an owner", "a role", "a link for somebody new", "a link for a signer"),
    *("a link for the other owner", "enabling a signer", "the other owner's role", "disabling the other owner"),
    *("turning it off", "a regulator", "surveillance", "a dealer, who accepts fills", "a dealer's role"),
    *("a signer less", "a link for a regulator", "a link for a dealer", "disabling who watches"),
)


@pytest.mark.parametrize("way", one_in(4, WAYS, others=pytest.mark.whole))
def test_one_owner_alone_cannot_make_or_become_somebody_who_signs(
    house: House, owners: tuple[str, str], way: str
) -> None:
    """Attack: each way for one owner to get a second signature of their own."""
    olga, oskar = owners
    assert set(WAYS) == acts(house).keys()
    command = acts(house)[way]
    for sign_off in (None, SignOff("Olga", PIN), SignOff("Oskar", "0000"), SignOff("Bea", PIN), SignOff("Max", PIN)):
        refused = house.desk.do(command, by=olga, sign_off=sign_off)
        assert isinstance(refused, Refused), sign_off
        assert refused.refusals[0].clause == "duties"
    done = house.desk.do(command, by=olga, sign_off=OSKAR, id="signed")
    assert isinstance(done, Answer), done
    stored = house.log.find(STREAM, olga, "signed")
    assert stored is not None
    assert stored.entry.signed_by == oskar
    assert [*decision_faults(house.log.read())] == []


def test_what_needs_no_signature_is_done_by_one_owner(house: House, owners: tuple[str, str]) -> None:
    olga, _ = owners
    for command in (
        c.CreateAccount(account="p", name="Pat", roles=("player",)),
        c.Invite(account="p", invitation="i2", expires="2026-11-16T08:00:00.000000Z"),
        c.DisableAccount(account="p", reason="asked to"),
        c.EnableAccount(account="p"),
        c.ChangeRoles(account=account(house, "Bea"), grant=("player",)),
        c.DisableAccount(account=account(house, "Dan"), reason="x"),
    ):
        assert isinstance(house.desk.do(command, by=olga, sign_off=SignOff("Oskar", "0000")), Answer), "no PIN is read"
    assert isinstance(house.desk.log_in(name="Oskar", password=PASSWORD), Welcome)


def test_links_made_before_there_were_two_owners_need_the_second_one_too(house: House) -> None:
    """Attack: the first owner keeps a drawer of links for signers."""
    olga = house.owner().session.account.id
    kept = house.desk.invite(by=olga, roles=("floorperson",))
    player = house.desk.invite(by=olga, roles=("player",))
    house.hire("Oskar", "owner", by=olga)
    assert isinstance(kept, Link)
    assert isinstance(player, Link)
    refused = house.desk.accept_invitation(kept.token, name="Max", password=PASSWORD)
    assert str(refused).startswith("this link now takes a second owner's signature")
    assert isinstance(house.desk.accept_invitation(player.token, name="Max", password=PASSWORD), Welcome)


def test_a_floorperson_makes_nobody_whose_word_counts(house: House) -> None:
    """Attack: a floorperson makes a dealer of their own, who accepts the fill that they ask for."""
    olga = house.owner().session.account.id
    flo = house.hire("Flo", "floorperson", by=olga).session.account.id
    dan = house.hire("Dan", "dealer", by=olga).session.account.id
    expires = "2026-11-16T08:00:00.000000Z"
    for command in (
        c.CreateAccount(account="new", name="Max", roles=("dealer",)),
        c.CreateAccount(account="new", name="Max", roles=("stickperson",)),
        c.ChangeRoles(account=dan, grant=("stickperson",)),
        c.Invite(invitation="i1", roles=("dealer",), expires=expires),
        c.Invite(account=dan, invitation="i1", expires=expires),
        c.EnableAccount(account=dan),
    ):
        assert isinstance(house.desk.do(command, by=flo), Refused), command
    assert isinstance(house.desk.do(c.CreateAccount(account="p", name="Pat", roles=("player",)), by=flo), Answer)


def test_entries_without_terms_are_decided_as_before_and_none_follows_one_with_terms(house: House) -> None:
    """An older log has dealers made by a floorperson and a regulator made by one of two owners."""
    olga = house.owner().session.account.id
    flo = house.hire("Flo", "floorperson", by=olga).session.account.id
    oskar = house.hire("Oskar", "owner", by=olga).session.account.id
    assert house.desk.people().safeguards.dual_control == "on"
    log, people = MemoryLog(at=START), PeopleCourse()
    old = BlockingStream(STREAM, people, log=log, clock=house.clock)
    for number, stored in enumerate(house.log.read_stream(STREAM)):
        command = people.codec.command(stored.entry)
        plain = msgspec.structs.replace(command, terms=msgspec.UNSET) if c.is_making(command) else command
        by = Actor(stored.entry.actor, stored.entry.actor, stored.entry.role)
        assert isinstance(old.ask(Ask(f"old-{number}", plain, by)), Answer)
    made = {
        flo: c.CreateAccount(account="d", name="Dan", roles=("dealer",)),
        oskar: c.CreateAccount(account="r", name="Rita", roles=("regulator",)),
    }
    for account_, command in made.items():
        assert isinstance(old.ask(Ask("x", command, Actor(account_, account_, ""))), Answer)
    assert [*decision_faults(log.read())] == []
    assert not any(b'"terms"' in row.body for row in log.rows())
    terms = c.CreateAccount(account="p", name="Pat", terms=c.TERMS)
    assert isinstance(old.ask(Ask("y", terms, Actor(oskar, oskar, ""))), Answer)
    without = c.CreateAccount(account="t", name="Tim", roles=("regulator",))
    assert isinstance(old.ask(Ask("z", without, Actor(oskar, oskar, ""))), Answer), "by a program that was changed"
    (fault,) = decision_faults(log.read())
    assert "older terms" in fault.what


def test_a_colleagues_chair_is_not_taken_by_a_new_link(house: House, owners: tuple[str, str]) -> None:
    """Attack: an owner resets a boxperson's password and PIN, and signs their own fill as the boxperson."""
    olga, _ = owners
    bea = account(house, "Bea")
    assert isinstance(house.desk.invite(by=olga, account=bea), Refused)
    link = house.desk.invite(by=olga, account=bea, sign_off=OSKAR)
    assert isinstance(link, Link)
    assert isinstance(house.desk.accept_invitation(link.token, name="", password=NEW, pin="8361"), Welcome)
    assert [*decision_faults(house.log.read())] == []


def test_a_dealer_who_names_an_owner_never_gets_the_pin_checked(house: House, owners: tuple[str, str]) -> None:
    """Attack: PINs are tried through commands that the sender may not give at all."""
    dan = account(house, "Dan")
    command = c.CreateAccount(account="new", name="Max", roles=("owner",))
    answers = {str(house.desk.do(command, by=dan, sign_off=SignOff("Oskar", pin))) for pin in ("0000", PIN) * 10}
    assert answers == {"the dealer may not give create-account; the floorperson or owner may [duties]"}
    signed = house.desk.sign_off(name="Oskar", pin=PIN, may_sign=lambda _one: True, requester=dan)
    assert isinstance(signed, Account), "so no try was spent"
    assert len(owners) == 2


def test_too_many_wrong_pins_have_to_wait(house: House, owners: tuple[str, str]) -> None:
    olga, _ = owners
    command = c.ElectDualControl(is_on=False)
    for _ in range(5):
        assert isinstance(house.desk.do(command, by=olga, sign_off=SignOff("Oskar", "0000")), Refused)
    assert isinstance(house.desk.do(command, by=olga, sign_off=OSKAR), Wait)


def test_two_owners_turn_it_off_and_on(house: House, owners: tuple[str, str]) -> None:
    olga, oskar = owners
    command = c.CreateAccount(account="new", name="Max", roles=("boxperson",))
    assert isinstance(house.desk.do(c.ElectDualControl(is_on=False), by=olga, sign_off=OSKAR), Answer)
    assert isinstance(house.desk.do(command, by=olga), Answer)
    assert isinstance(house.desk.do(c.ElectDualControl(is_on=True), by=oskar), Refused)
    assert isinstance(house.desk.do(c.ElectDualControl(is_on=True), by=oskar, sign_off=SignOff("Olga", PIN)), Answer)
    assert isinstance(house.desk.do(c.EnableAccount(account=account(house, "Fay")), by=olga), Refused)
    assert [*decision_faults(house.log.read())] == []


def test_the_only_owner_of_a_house_acts_alone(house: House) -> None:
    olga = house.owner().session.account.id
    command = c.CreateAccount(account="new", name="Max", roles=("boxperson",))
    assert isinstance(house.desk.do(command, by=olga), Answer)
    refused = house.desk.do(c.ElectDualControl(is_on=False), by=olga)
    assert "this house has no other one" in str(refused)


def test_broken_glass_lets_one_owner_act_for_an_hour(house: House, owners: tuple[str, str]) -> None:
    olga, _ = owners
    assert isinstance(house.desk.break_glass(" "), Refused)
    assert isinstance(house.desk.break_glass("Oskar is in hospital"), Answer)
    assert isinstance(house.desk.do(c.EnableAccount(account=account(house, "Fay")), by=olga), Answer)
    assert isinstance(house.desk.do(c.ElectDualControl(is_on=False), by=olga), Refused), "it is not turned off by one"
    house.clock.move(ALONE_SECONDS)
    command = c.CreateAccount(account="new", name="Max", roles=("boxperson",))
    assert isinstance(house.desk.do(command, by=olga), Refused)
    assert [*decision_faults(house.log.read())] == []
    for stranger in (c.BreakGlass(reason="x"), c.BindSecrets(names=()), c.ElectDualControl(is_on=True)):
        assert isinstance(house.desk.do(stranger, by=olga), Refused), "an owner cannot break the glass by a request"


def test_an_unsigned_act_in_the_log_is_found(house: House, owners: tuple[str, str]) -> None:
    """Attack: a server without dual control, or a forger with the key, writes what only two owners can do."""
    olga, _ = owners
    house.desk.do(c.ChangeRoles(account=account(house, "Dan"), grant=("boxperson",)), by=olga, sign_off=OSKAR, id="x")
    check = PeopleCheck()
    for stored in house.log.read_stream(STREAM):
        entry = stored.entry
        changed = msgspec.structs.replace(entry, signed_by="") if entry.id == "x" else entry
        faults = [*check.faults_of(msgspec.structs.replace(stored, entry=changed))]
        assert bool(faults) == (entry.id == "x"), faults
