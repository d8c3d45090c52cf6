"""Whoever hands a command to the floor, not only the web: what nobody or only its sender has signed is refused."""

import pytest

from passline.people.accounts import Account, People, Safeguards
from passline.refusal import Refused
from passline.store.memory import MemoryLog
from passline.store.timestamps import utc_now
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask
from passline.tables import commands as k
from passline.tables.runtime.floor import Floor
from tests.event_loop import asynchronous
from tests.loaded_dice import LoadedDice
from tests.tables.running_floor import OPENING, OWNER, falling, running

FLOOR = Actor("flo", "Flo", "floorperson")
OFFICE = k.ElectOffice(where="elsewhere")
APPROVAL = k.FileApproval(kind="laboratory_report", authority="laboratory", reference="L-1", date="2026-01-02")
OWNERS = {
    name: Account(name, name.title(), frozenset({"owner"}), password="its-name")  # noqa: S106 - of a hash in the vault
    for name in (OWNER.account, "oskar")
}


@pytest.mark.parametrize(("signed_by", "why"), [("", "needs the signature of"), (OWNER.account, "who asked for it")])
@asynchronous
async def test_a_sender_who_passes_over_the_signature_is_refused(signed_by: str, why: str) -> None:
    async with running() as (floor, table):
        for sent in (k.CloseTable(), k.AdoptRulebook(digest="0"), k.RenewDice(reason="lost")):
            assert why in str(await table.stream.ask(Ask(f"{sent}", sent, OWNER, signed_by)))
        for command in (k.CloseShift(), OFFICE):
            assert why in str(await floor.ask_house(Ask(f"{command}", command, OWNER, signed_by)))
        opening = k.OpenTable(name="Craps 2", house=OPENING.house, bank_cents=100_00)
        assert why in str((await floor.open(Ask("open 2", opening, OWNER, signed_by)))[1])
        assert isinstance(await floor.ask_house(Ask("closed", k.CloseShift(), OWNER, "flo")), Answer)


@asynchronous
async def test_a_sender_who_passes_over_the_second_owner_is_refused() -> None:
    people = People(accounts=OWNERS, safeguards=Safeguards(dual_control="on"))
    log = MemoryLog()
    floor = Floor(log, clock=utc_now, keys=LoadedDice(falling(), log.log_id), people=lambda: people)
    await floor.start()
    for signed_by, why in (
        ("", "another owner signs"),
        (FLOOR.account, "by another owner"),
        (OWNER.account, "another"),
    ):
        answer = await floor.ask_house(Ask(f"by {signed_by}", APPROVAL, OWNER, signed_by))
        assert isinstance(answer, Refused), signed_by
        assert why in str(answer)
    stranger = Actor("zoe", "Zoe", "owner")  # an owner once, or said to be one
    assert "one of them sends it" in str(await floor.ask_house(Ask("zoe", APPROVAL, stranger, "oskar")))
    assert isinstance(await floor.ask_house(Ask("two", APPROVAL, OWNER, "oskar")), Answer)
    withdrawn = k.WithdrawApproval(kind="laboratory_report", authority="laboratory", reference="L-1", reason="expired")
    assert isinstance(await floor.ask_house(Ask("back", withdrawn, OWNER)), Answer), "which one may"
    assert isinstance(await floor.ask_house(Ask("demo", APPROVAL, THE_HOUSE)), Answer), "the server asks nobody"
    await floor.close()
