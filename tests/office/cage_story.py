"""A day of a small house that keeps the money of its cage: told act by act, with every figure in plain sight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passline.acts.calendar.facility import Facility
from passline.office.trial import TrialOffice

HARBOUR = Facility(name="Harbour", zone="America/Denver", subdivision="CO", areas=("pit-1",))
PEOPLE = {
    "olga": "owner",
    "oskar": "owner",
    "cora": "compliance",
    "cy": "cashier",
    "cal": "cashier",
    "cam": "cashier",
    "acc": "accountant",
    "sam": "supervisor",
    "flo": "floorperson",
    "bob": "boxperson",
    "dan": "dealer",
    "ned": "counter",
    "nia": "counter",
}
HUNDREDS = {"10000": 1}


def house_with(*books: str, preset: str = "") -> TrialOffice:
    """An office under Section 2 whose house keeps these books, at eight in the morning, with chips in its cage."""
    office = TrialOffice("section2", HARBOUR, PEOPLE)
    office.go_to("2026-03-02", "08:00")
    elected: dict[str, Any] = {key: value for key, value in (("books", [*books]), ("preset", preset)) if value}
    file = {"rules": "section2"} | ({"office": elected} if elected else {})
    _told(office, "olga", "draft_house", "spring", file=file)
    _told(office, "olga", "put_in_force", "spring")
    _told(office, "olga", "register_table", "craps-1", area="pit-1")
    _told(office, "cora", "specify_chip", "2500", colour="green")
    with_witness: Mapping[str, Any] = {"signs": "witness", "signed_by": "acc"}
    _told(office, "cy", "receive_chips", units={"2500": 2000}, delivery="note 1", **with_witness)
    _told(office, "cy", "issue_chips", units={"2500": 1000}, **with_witness)
    return office


def opened_cage(*books: str, preset: str = "") -> TrialOffice:
    """The same with 50,000.00 from the bank, and drawer D1 open in Cy's hands with 10,000.00."""
    office = house_with("cage", *books, preset=preset)
    witness: Mapping[str, Any] = {"signs": "witness", "signed_by": "acc"}
    _told(office, "cy", "bring_from_bank", notes={"10000": 500}, reference="B-1", **witness)
    _told(office, "acc", "enter_drawer", "D1", imprest=10_000_00)
    _told(office, "cal", "issue_money", "D1", notes={"10000": 100}, signs="holder", signed_by="cy")
    count(office, "open_drawer", "cy", "acc", "D1", notes={"10000": 100})
    return office


def count(office: TrialOffice, act: str, by: str, second: str, *things: str, **found: Any) -> str:  # noqa: ANN401
    """Two people count the same."""
    office.do(by, act, *things, **found)
    return office.sign(second, "second", **found)


def _told(office: TrialOffice, by: str, act: str, *things: str, **said: Any) -> None:  # noqa: ANN401
    answer = office.do(by, act, *things, **said)
    assert not answer.startswith("refused"), answer
