"""Every command belongs to some roles, and some commands need the signature of another person."""

from typing import get_args

import pytest

from passline.authority.roles import ROLES, STAFF
from passline.game import commands as c
from passline.refusal import Refused
from passline.tables.commands import CorrectRoll, ElectOffice, FileApproval, HouseCommand, OwnCommand, TableCommand
from passline.tables.duties import DUTIES, OFFICE_TERMS, duty_of, unfit_duty, unfit_signature
from tests.grids import every
from tests.tables.sitting import ANN, BOX, DEALER, FLOOR, Sitting, person, table_for_two


def test_every_command_has_a_duty() -> None:
    kinds = {*get_args(c.Command), *get_args(OwnCommand), *get_args(HouseCommand)}
    assert kinds == DUTIES.keys()
    named = {role for duty in DUTIES.values() for role in (*duty.by, *duty.keyed_by, *duty.signed_by)}
    assert named == {*ROLES} - {*STAFF}


@pytest.fixture
def wagered() -> Sitting:
    sitting = table_for_two()
    sitting.wager(ANN, "pass", 10_00)
    return sitting


@every(kind=DUTIES, role=[*ROLES, "spectator", ""])
def test_a_command_is_refused_to_every_role_without_the_duty(kind: type, role: str, wagered: Sitting) -> None:
    """The whole matrix, whatever the table is doing."""
    sitting = wagered.fork()
    who = person("Zoe", role)
    command = _some(kind)
    if kind in get_args(HouseCommand):
        assert (unfit_duty(command, who) is None) is (role in duty_of(command).by)
        return
    verdict = sitting.ask(command, who)
    if role not in duty_of(command).by:
        assert isinstance(verdict, Refused)
        assert "may not give" in str(verdict) or "nobody may give" in str(verdict)


def _some(kind: type) -> TableCommand:
    if kind is c.OfferDice:
        return c.OfferDice(dice=5)
    command: TableCommand = kind(**{name: _ANY[name] for name in kind.__struct_fields__ if name in _ANY})  # type: ignore[attr-defined]
    return command


_ANY: dict[str, object] = {
    "entrants": (),
    "seat": 1,
    "is_somebody_else": True,
    "cents": 5_00,
    "bank_cents": 5_00,
    "wager": "pass",
    "call": "off",
    "chosen": (1, 2),
    "reason": "delay",
    "first": 1,
    "second": 2,
    "total": 3,
    "account": "zoe",
    "rules": "colorado",
    "table": "craps-1",
    "payouts": {},
    "office": "maryland",
    "entry": 1,
    "act": 1,
    "paper": "fill",
    "average_cents": 5_00,
    "minutes": 5,
    "name": "Zoe",
    "where": "here",
    "house": {"rules": "maryland"},
    "finding": "none",
    "irregularity": 1,
    "action": "x",
    "wager_cents_min": 5_00,
    "wager_cents_max": 100_00,
    "breach": "prediction_aid",
    "kind": "prediction_aid",
    "authority": "TGO",
    "reference": "1",
    "date": "2026-01-02",
    "text": "x",
    "record_class": "security",
    "freeze": 1,
    "shown": {},
    "closing": 1,
    "was": "2026-11-15T08:00:00.000000Z",
    "found": "2026-11-15T07:00:00.000000Z",
    **dict.fromkeys(("hash", "key", "nonce", "digest", "next_digest"), "00" * 32),
    "pages": "",
    "program": "0.1.0",
    "process": "p",
    "code": "0" * 64,
    "python": "3.11",
    "rulebooks": {},
    "state": "synchronised",
    "milliseconds": 100,
}


def test_nobody_signs_their_own_command() -> None:
    for kind, duty in DUTIES.items():
        if duty.signed_by:
            command = _some(kind)
            asker, other = person("Zoe", duty.by[0]), person("Yan", duty.signed_by[0])
            assert unfit_signature(command, asker, None) is not None
            assert unfit_signature(command, asker, person("Zoe", duty.signed_by[0])) is not None
            assert unfit_signature(command, asker, person("Yan", "player")) is not None
            assert unfit_signature(command, asker, other) is None


@pytest.mark.parametrize(
    ("rules", "game", "signers"),
    [
        pytest.param("section2", "mini_craps", {"floorperson"}, marks=pytest.mark.clause("S2-j1ii.B")),
        pytest.param("maryland", "mini_craps", {"floorperson"}, marks=pytest.mark.clause("MD-9.E.2")),
        pytest.param("section2", "craps", {"boxperson"}, marks=pytest.mark.clause("S2-j1ii.A")),
        pytest.param("maryland", "craps", {"boxperson"}, marks=pytest.mark.clause("MD-9.E.1")),
        pytest.param("colorado", "craps", {"boxperson", "floorperson"}, marks=pytest.mark.clause("CO-2319-decide")),
    ],
)
def test_whoever_decides_a_dispute_signs_a_correction(rules: str, game: str, signers: set[str]) -> None:
    """S2-j1ii.B, MD-9.E.2: at mini-craps the floorperson decides what the dice show, so no boxperson is asked for."""
    correction = CorrectRoll(first=1, second=2, reason="misread")
    live = Sitting(rules, dice="physical", house={"game": game}).table
    fit = {who.role for who in (BOX, FLOOR) if unfit_signature(correction, DEALER, who, live=live) is None}
    assert fit == signers
    needed = unfit_signature(correction, DEALER, None, live=live)
    assert needed is not None
    assert ("boxperson" in needed.why) is ("boxperson" in signers)
    old = Sitting(rules, dice="physical", house={"game": game}, terms=0).table
    assert unfit_signature(correction, DEALER, BOX, live=old) is None, "as it was signed before"


def test_only_another_owner_signs_that_the_office_is_kept_elsewhere() -> None:
    """A log of before may have a floorperson's signature, which still verifies."""
    olga, flo, oskar = person("Olga", "owner"), person("Flo", "floorperson"), person("Oskar", "owner")
    away = ElectOffice(where="elsewhere", terms=OFFICE_TERMS)
    assert unfit_signature(away, olga, oskar) is None
    refused = unfit_signature(away, olga, flo)
    assert refused is not None
    assert refused.why == "elect-office must be signed by an owner, not by Flo"
    assert unfit_signature(ElectOffice(where="elsewhere"), olga, flo) is None
    assert unfit_signature(ElectOffice(where="here", terms=OFFICE_TERMS), olga, flo) is None


def test_what_two_owners_do_together_is_said_in_the_rows() -> None:
    """The server asks for a second owner where the row of a command says so, and keeps no list of its own."""
    assert {kind for kind, duty in DUTIES.items() if duty.two_owners} == {FileApproval, ElectOffice}
