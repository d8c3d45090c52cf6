"""The log of people holds no secret, and its decisions are verified like those of a table."""

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.people import commands as c
from passline.people.accounts import STREAM
from passline.people.credentials import SignOff
from passline.people.events import RolesGranted
from passline.people.sessions import Welcome
from passline.people.verify import PeopleCheck, VaultReport, verify_vault
from passline.store.authentic_vault import ROWS_PURPOSE
from passline.store.entry import Draft
from passline.store.log import Secret
from passline.tables.verify import decision_faults
from tests.people.house import PASSWORD, PIN, WRONG, House


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
    entries = house.log.read_stream(STREAM)
    assert [fault for stored in entries for fault in check.faults_of(stored)] == []
    assert check.people == house.desk.people() == house.another_desk().people()
    assert [*decision_faults(house.log.read())] == []


def test_a_forged_decision_is_found(house: House) -> None:
    """Even if the log's key was used: a role they may not grant, an event that does not fit, an unknown account."""
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    forged = [
        (dan, "owner", RolesGranted(dan, ("owner",)), "change-roles by"),
        (owner, "stickperson", RolesGranted(dan, ("boxperson",)), "event 1 of change-roles is written as"),
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


def checked(house: House, *, with_key: bool = True) -> VaultReport:
    key = house.log.derive(ROWS_PURPOSE) if with_key else None
    return verify_vault((stored.entry for stored in house.log.read_stream(STREAM)), house.log.vault.all(), key)


def test_an_honest_vault_has_no_faults(house: House) -> None:
    owner = house.owner().session.account.id
    house.desk.invite(by=owner, roles=("dealer",))
    for _ in range(6):
        house.desk.log_in(name="Olga", password=WRONG, address="a")
    house.log.vault.put(Secret("probe", "writer", b""))
    report = checked(house)
    assert report.rows is not None
    assert report.rows >= 6
    assert (report.faults, report.unchecked, report.unbound, report.notices) == ((), 0, 0, ())
    without = checked(house, with_key=False)
    assert without.unchecked == report.rows - 3


@pytest.mark.parametrize("is_key_there", [True, False])
def test_every_forged_row_of_the_vault_is_found(house: House, is_key_there: bool) -> None:  # noqa: FBT001
    """Attack: each row of the vault changed in its value, key or expiry; hashes are found even without the key."""
    owner = house.owner().session.account.id
    house.desk.invite(by=owner, roles=("dealer",))
    for _ in range(6):
        house.desk.log_in(name="Olga", password=WRONG, address="a")
    for row in list(house.log.vault.all()):
        is_hash = row.kind in {"password", "pin"}
        if not is_hash and not is_key_there:
            continue
        later_on = replace(row, expires="2099-01-01T00:00:00.000000Z")
        forgeries = [replace(row, value=row.value[:-1] + b"#"), replace(row, value=b"")]
        for forged in forgeries if is_hash else [*forgeries, later_on]:
            house.log.vault.put(forged)
            assert len(checked(house, with_key=is_key_there).faults) == 1, forged
        house.log.vault.put(row)
        assert checked(house).faults == ()
        if is_hash:
            house.log.vault.forget(row.kind, row.key)
            assert checked(house, with_key=is_key_there).faults == (f"the {row.kind} of Olga ({owner}) is missing",)
            house.log.vault.put(row)
        else:
            house.log.vault.put(replace(row, key="00" * 32))
            assert len(checked(house).faults) == 1
            house.log.vault.forget(row.kind, "00" * 32)


def test_broken_glass_and_dual_control_that_was_turned_off_are_shown(house: House) -> None:
    owner = house.owner().session.account.id
    house.hire("Oskar", "owner", by=owner)
    house.desk.do(c.ElectDualControl(is_on=False), by=owner, sign_off=SignOff("Oskar", PIN))
    house.desk.break_glass("Oskar is in hospital")
    off, broken = checked(house).notices
    assert "turned dual control off" in off
    assert "BROKEN GLASS: one owner could act alone until 2026-11-15T09:00:00.000000Z: Oskar is in hospital" in broken
    entries = (stored.entry for stored in house.log.read_stream(STREAM))
    assert verify_vault(entries, None, None).notices == (off, broken), "also for an export, which has no vault"


def test_only_the_house_gives_the_houses_own_commands(house: House) -> None:
    owner = house.owner().session.account.id
    house.desk.break_glass("a reason")
    check = PeopleCheck()
    *_, last = entries = list(house.log.read_stream(STREAM))
    for stored in entries:
        assert [*check.faults_of(stored)] == []
    for actor in ("visitor", owner, "no-such"):
        forged = replace(last, entry=replace(last.entry, actor=actor))
        assert any("would be refused" in fault for fault in check.faults_of(forged))
