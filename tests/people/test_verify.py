"""The log of people holds no secret, and its decisions are verified like those of a table."""

from msgspec import Raw, json

from passline.people import commands as c
from passline.people.accounts import STREAM
from passline.people.events import RolesGranted
from passline.people.sessions import Welcome
from passline.people.verify import PeopleCheck
from passline.store.entry import Draft
from passline.tables.verify import decision_faults
from tests.people.house import PASSWORD, PIN, House


def test_no_secret_is_in_the_log(house: House) -> None:
    """No password, PIN, hash, token or link."""
    link = house.desk.first_owner()
    assert link is not None
    owner = house.desk.accept_invitation(link.token, name="Olga", password=PASSWORD, pin=PIN)
    assert isinstance(owner, Welcome)
    house.desk.log_in(name="Olga", password=PASSWORD)
    house.desk.set_pin(by=owner.session.account.id, password=PASSWORD, pin="8361")
    text = b"".join(stored.body for stored in house.log.read()).decode()
    for secret in (PASSWORD, "argon2", link.token, owner.token, owner.session.csrf, '"7294"', '"8361"'):
        assert secret not in text
    assert "password-set/1" in text


def test_an_honest_log_has_no_faults(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    house.desk.register(name="Pat", password=PASSWORD)
    house.desk.welcome_guest()
    house.desk.do(c.ChangeRoles(account=dan, grant=("stickperson",)), by=owner)
    house.desk.do(c.DisableAccount(account=dan, reason="left"), by=owner)
    check = PeopleCheck()
    entries = [stored.entry for stored in house.log.read_stream(STREAM)]
    assert [fault for entry in entries for fault in check.faults_of(entry)] == []
    assert check.people == house.desk.people() == house.another_desk().people()
    assert [*decision_faults(house.log.read())] == []


def test_a_forged_decision_is_found(house: House) -> None:
    """Even if the log's key was used: a role they may not grant, an event that does not fit, an unknown account."""
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    forged = [
        (dan, "owner", RolesGranted(dan, ("owner",)), "change-roles by"),
        (owner, "stickperson", RolesGranted(dan, ("boxperson",)), "change-roles would have brought about"),
        (owner, "floorperson", RolesGranted("nowhere", ("floorperson",)), "are impossible in the state before them"),
    ]
    for actor, role, event, says in forged:
        version = house.log.streams()[STREAM]
        draft = Draft(
            stream=STREAM,
            expected=version,
            at=house.clock.now,
            actor=actor,
            role="owner",
            id=f"forged-{version}",
            command=Raw(json.encode(c.ChangeRoles(account=dan, grant=(role,)))),
            events=Raw(json.encode([event])),
        )
        house.log.append([draft])
        faults = [fault.what for fault in decision_faults(house.log.read())]
        assert any(says in fault for fault in faults), faults
