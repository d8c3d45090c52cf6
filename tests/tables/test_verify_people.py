"""Verifying who acted: every actor and signer had an account and the role, allowing for clocks that differ."""

import asyncio
from collections.abc import Callable
from itertools import repeat
from typing import Any

import pytest
from msgspec.structs import replace

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.people.commands import ChangeRoles, DisableAccount, EnableAccount
from passline.store.entry import Stored
from passline.store.memory import MemoryLog
from passline.streams.course import Actor, Answer, Ask
from passline.tables import commands as k
from passline.tables.runtime.floor import Floor
from passline.tables.verify import decision_faults
from tests.loaded_dice import LoadedDice
from tests.people.house import House
from tests.tables.running_floor import OPENING

TABLE = "table/craps-1"
LAB = k.FileApproval(kind="laboratory_report", authority="laboratory", reference="L", date="2026-01-01")
WITHDRAWN = k.WithdrawApproval(kind=LAB.kind, authority=LAB.authority, reference="L", reason="it was of another cup")


class Night(House):
    """A house with people and a table, where anybody can act under any name: checking that is the web server's part."""

    def __init__(self, rules: str = "maryland") -> None:
        super().__init__()
        self.olga = self.owner().session.account.id
        hired = (("Flo", "floorperson"), ("Bea", "boxperson"), ("Dee", "dealer"), ("Ann", "player"))
        self.ids = {name: self.hire(name, role, by=self.olga).session.account.id for name, role in hired}
        self.ids["Olga"] = self.olga
        if rules == "arizona":  # with physical dice, so that the crew seats the players
            self.ask(LAB, "Olga", "owner")
            opening = k.OpenTable(name=OPENING.name, house={"rules": rules}, dice="physical")
            self.ask(opening, "Olga", "owner", signed_by="Flo")
            return
        self.ask(OPENING, "Olga", "owner", signed_by="Flo")
        self.ask(c.TakeSeat(seat=1), "Ann", "player")

    def ask(self, command: Any, name: str, role: str, signed_by: str = "") -> None:  # noqa: ANN401
        asyncio.run(self._ask(command, self.actor(name, role), self.ids.get(signed_by, signed_by)))

    def actor(self, name: str, role: str) -> Actor:
        return Actor(self.ids.get(name, name), name, role)

    async def _ask(self, command: Any, by: Actor, signed_by: str) -> None:  # noqa: ANN401
        floor = Floor(self.log, clock=self.clock, keys=LoadedDice(repeat(OUTCOMES[0])))
        await floor.start()
        ask = Ask(f"{len(self.log.streams())} {self.log.head()}"[:60], command, by, signed_by)
        if isinstance(command, k.OpenTable):
            _, answer = await floor.open(ask)
        elif isinstance(command, k.HouseCommand):
            answer = await floor.ask_house(ask)
        else:
            table = await floor.table("craps-1")
            assert table is not None
            answer = await table.stream.ask(ask)
        assert isinstance(answer, Answer), answer
        await floor.close()

    def faults(self) -> list[str]:
        return [fault.what for fault in decision_faults(self.log.read())]


def test_a_night_of_honest_people_has_no_faults() -> None:
    night = Night()
    night.ask(c.BuyIn(seat=1, cents=100_00), "Ann", "player")
    night.ask(c.Fill(cents=100_00), "Bea", "boxperson", signed_by="Flo")
    night.ask(LAB, "Olga", "owner")
    night.ask(k.CloseShift(), "Flo", "floorperson", signed_by="Bea")
    assert night.faults() == []


@pytest.mark.parametrize(
    ("act", "what"),
    [
        (
            lambda n: n.ask(c.BuyIn(seat=1, cents=1_00), "nobody", "dealer"),
            "by nobody as the dealer, who has no",
        ),
        (lambda n: n.ask(c.BuyIn(seat=1, cents=1_00), "Flo", "dealer"), "who has only the roles floorperson here"),
        (lambda n: n.ask(c.BuyIn(seat=1, cents=1_00), "house", "dealer"), "by house as the dealer, who has no account"),
        (lambda n: n.ask(c.Fill(cents=1_00), "Bea", "boxperson", "nobody"), "signed by nobody, who has no account"),
        (lambda n: n.ask(c.Fill(cents=1_00), "Bea", "boxperson", "Dee"), "who has only the roles dealer here"),
        (lambda n: n.ask(LAB, "Flo", "owner"), "file-approval is by"),
        (lambda n: n.ask(k.CloseShift(), "Flo", "floorperson", "Dee"), "who has only the roles dealer here"),
    ],
)
def test_an_actor_or_signer_without_the_account_or_the_role_is_found(act: Callable[[Night], None], what: str) -> None:
    night = Night()
    act(night)
    (found,) = night.faults()
    assert what in found


@pytest.mark.parametrize(("name", "role", "signer"), [("Flo", "floorperson", ""), ("Dee", "dealer", "Flo")])
def test_whoever_ruled_on_a_name_like_their_own_is_found(name: str, role: str, signer: str) -> None:
    """The web server lets nobody do so; whoever runs it could."""
    night = Night("arizona")
    for seat, walk_in, resembles in ((2, "Bea Jones", "Bea"), (3, "Flo Jones", "Flo")):
        seating = k.SeatPlayer(seat=seat, account=f"w{seat}", name=walk_in, resembles=resembles, is_somebody_else=True)
        night.ask(seating, name, role, signer)
        found = night.faults()
        assert len(found) == (seat == 3), found
    assert "that Flo Jones is not Flo was ruled by Flo" in found[0]


def test_a_computer_player_is_a_fault_outside_a_demo() -> None:
    night = Night()
    night.ids["computer-x"] = "computer-x"
    night.ask(c.TakeSeat(seat=2), "computer-x", "player")
    assert "by computer-x as the player, who has no account" in night.faults()[0]


def test_acting_after_being_disabled_or_losing_the_role_is_a_fault_once_every_server_must_know() -> None:
    night = Night()
    for name, change in (
        ("Dee", DisableAccount(account=night.ids["Dee"], reason="left")),
        ("Bea", ChangeRoles(account=night.ids["Bea"], grant=("dealer",), revoke=("boxperson",))),
    ):
        assert not hasattr(night.desk.do(change, by=night.olga), "refusals"), name
    night.clock.move(-60)  # a server whose clock is behind
    night.ask(c.BuyIn(seat=1, cents=1_00), "Dee", "dealer")
    night.clock.move(120)  # a server that learned of it late
    night.ask(c.Fill(cents=1_00), "Bea", "boxperson", "Flo")
    assert night.faults() == []
    night.clock.move(600)
    night.ask(c.BuyIn(seat=1, cents=1_00), "Dee", "dealer")
    night.ask(c.Fill(cents=1_00), "Bea", "boxperson", "Flo")
    found = night.faults()
    assert ["who is disabled here" in found[0], "has only the roles dealer here" in found[1]] == [True, True]
    assert len(found) == 2
    assert not hasattr(night.desk.do(EnableAccount(account=night.ids["Dee"]), by=night.olga), "refusals")
    night.ask(c.BuyIn(seat=1, cents=1_00), "Dee", "dealer")
    assert len(night.faults()) == 2


def test_acting_without_an_account_is_a_fault_as_soon_as_the_log_has_accounts() -> None:
    night = Night()
    entries = list(night.log.read())
    assert entries[0].entry.stream == "house"
    tables = [one for one in entries if one.entry.stream == TABLE]
    people = [one for one in entries if one.entry.stream == "people"]
    assert [*decision_faults([entries[0], *tables])] == []  # a log of tables alone
    found = [*decision_faults([entries[0], *tables, *people])]
    assert {fault.sequence for fault in found} == {one.entry.sequence for one in tables}
    assert all("who has no account here" in fault.what for fault in found)


# --- Approvals and clocks ---------------------------------------------------------------------------------------------


def arizona(*steps: tuple[str, Any]) -> list[Stored]:
    """Return the log of a house where each command is sent at its time."""

    async def play() -> list[Stored]:
        log, now = MemoryLog(at=_at("10:00")), [""]
        floor = Floor(log, clock=lambda: now[0], keys=LoadedDice(repeat(OUTCOMES[0])))
        await floor.start()
        for number, (at, command) in enumerate(steps):
            now[0] = _at(at)
            signed = "f" if isinstance(command, k.OpenTable) else ""
            ask = Ask(str(number), command, Actor("o", "O", "owner"), signed)
            answer = (await floor.open(ask))[1] if isinstance(command, k.OpenTable) else await floor.ask_house(ask)
            assert isinstance(answer, Answer), answer
        await floor.close()
        return list(log.read())

    return asyncio.run(play())


def _at(minute: str) -> str:
    return f"2026-11-15T{minute}:00.000000Z"


OPEN = replace(OPENING, house={"rules": "arizona"}, buy_in="dealer")


def test_a_clock_that_steps_back_is_no_fault() -> None:
    assert [*decision_faults(arizona(("10:10", LAB), ("10:09", OPEN)))] == []
    assert [*decision_faults(arizona(("10:10", LAB), ("09:00", OPEN), ("08:00", WITHDRAWN)))] == []


@pytest.mark.parametrize(("at", "faults"), [("10:19", 0), ("10:21", 0), ("10:24", 0), ("10:40", 1)])
def test_a_withdrawn_approval_counts_only_as_long_as_a_server_may_not_know(at: str, faults: int) -> None:
    begun, filed, kept, opened, withdrawn = arizona(("10:10", LAB), ("10:15", OPEN), ("10:20", WITHDRAWN))
    late = replace(opened, entry=replace(opened.entry, at=_at(at)))
    found = [fault.what for fault in decision_faults([begun, filed, kept, withdrawn, late])]
    assert len(found) == faults, found
    assert all("would be refused" in what for what in found)
