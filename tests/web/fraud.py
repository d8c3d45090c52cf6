"""A house whose owner cheats, and what frauds through the API are done with."""

from __future__ import annotations

from typing import Any

from msgspec import json

from passline.acts.rules import SECOND
from passline.acts.stamps import StampRequest, stamp_text
from passline.office.verify import house_faults
from passline.office.views.authority import AuthorityLine, authority_lines
from passline.store.keys import SigningKey
from tests.people.house import PIN
from tests.web.house import House
from tests.web.server import ADDRESS, Browser

COMMANDS = "/api/office/arizona/commands"
HARBOUR = {"name": "Harbour", "zone": "America/Phoenix", "subdivision": "AZ"}
OSKAR = {"name": "Oskar", "pin": PIN}
CORA = {"name": "Cora", "pin": PIN}
KEY, OTHER_KEY = SigningKey(bytes(32)), SigningKey(bytes([1]) * 32)
TIMES = {"drop_times": ["06:00"], "count_times": ["07:00"]}


class Fraud:
    """A house with two owners, a compliance officer and a cashier, under Arizona; Olga is the one who cheats."""

    def __init__(self, house: House) -> None:
        self.house, self.owner, by = house, house.owner, house.olga
        self.staff: dict[str, Browser] = {}
        self.accounts: dict[str, str] = {}
        for name, role in (("Cora", "compliance"), ("Cass", "cashier"), ("Abe", "accountant")):
            self._hire(name, role, by)
        self._hire("Oskar", "owner", by)
        self.letters = 0
        self.set_up("arizona")

    def set_up(self, office: str) -> None:
        """Set up an office, to which commands go from now on."""
        self.commands = f"/api/office/{office}/commands"
        setting = {"command": "set-up-office", "facility": HARBOUR}
        assert self.send(setting, sign_off=OSKAR).status_code == 201

    def _hire(self, name: str, role: str, by: str) -> None:
        welcome = self.house.server.hire(name, role, by=by)
        self.staff[name] = self.house.page(welcome.token, welcome.session.csrf)
        self.accounts[name] = welcome.session.account.id

    def send(self, command: dict[str, Any], who: str = "", sign_off: dict[str, str] | None = None) -> Any:  # noqa: ANN401
        page = self.staff[who] if who else self.owner
        return page.post(self.commands, {"command": command} | ({"sign_off": sign_off} if sign_off else {}))

    def letter(self) -> str:
        """Attach another letter, and return its digest."""
        self.letters += 1
        headers = {"origin": ADDRESS, "x-csrf": self.owner.csrf, "content-type": "application/octet-stream"}
        data = f"letter {self.letters}".encode()
        answer = self.owner.client.post("/api/office/documents", content=data, headers=headers)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["digest"])

    def paper(self, document: str = "") -> dict[str, str]:
        return {"document": document or self.letter(), "reference": "letter", "received": "2026-11-15"}

    def act(self, act: str, *things: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
        return {"command": "do-act", "act": act, "things": list(things), **more}

    def submit_times(self) -> None:
        """Tell the TGO of the times of drop and count, with a receipt that two people have seen."""
        told = self.act("submit_drop_times", fields=TIMES, paper={"document": self.letter()}, signs=SECOND)
        assert self.send(told, sign_off=CORA).status_code == 201

    def regulator(self) -> str:
        """Make the account of a regulator, by two owners."""
        made = {"name": "Tina", "roles": ["regulator"], "sign_off": OSKAR}
        answer = self.owner.post("/api/people", made)
        assert answer.status_code == 201, answer.text
        found = self.house.server.desk.people().account_named("Tina")
        assert found is not None
        return found.id

    def give_key(self, body: str = "TGO", key: SigningKey = KEY) -> None:
        command = {"command": "give-body-key", "body": body, "key": key.public.hex()}
        assert self.send(command, sign_off=OSKAR).status_code == 201

    def stamp(self, command: dict[str, Any], key: SigningKey = KEY, serial: str = "01", **changed: Any) -> str:  # noqa: ANN401
        """Return the stamp of a regulator on a command, as the house's request shows it, or a changed one."""
        answer = self.owner.post("/api/office/arizona/stamp-requests", {"command": command})
        assert answer.status_code == 200, answer.text
        request = json.decode(json.encode(answer.json() | changed), type=StampRequest)
        return stamp_text(key, request, issued="2026-11-15T09:00:00Z", serial=serial)

    @property
    def lines(self) -> list[AuthorityLine]:
        return authority_lines(stored.entry for stored in self.house.server.log.read())

    def check(self) -> None:
        assert not list(house_faults(self.house.server.log.read()))

    def second(self, number: int) -> dict[str, Any]:
        """The signature of the second person who has seen a paper."""
        return {"command": "sign-act", "number": number, "part": SECOND}

    @property
    def acts(self) -> int:
        """How many acts the office has recorded."""
        office = self.house.server.services.offices.find(self.commands.split("/")[3])
        assert office is not None
        assert office.state is not None
        return office.state.acts


def why_refused(answer: Any) -> str:  # noqa: ANN401
    """Return why a request was refused, which it must have been."""
    assert answer.status_code in {403, 409, 422}, answer.text
    return " ".join(refusal["why"] for refusal in answer.json()["refusals"])
