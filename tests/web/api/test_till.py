"""At a till: an act that moves money asks for the PIN again after a while, on the server, whatever the page does."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from tests.people.house import PIN
from tests.tournament.engine_cases import HEATS, one_event
from tests.web.house import House
from tests.web.server import Browser

pytestmark = pytest.mark.long

_ids = count(1)
OFFICE = "/api/office/maryland"


class Till:
    """The page of a cashier at a tournament, of a person who was just hired."""

    def __init__(self, house: House, at: str, pin: str = PIN) -> None:
        self.to = f"/api/tournaments/{at}/commands"
        welcome = house.server.hire(f"Cashier {next(_ids)}", "cashier", by=house.olga, pin=pin)
        self.page = house.page(welcome.token, welcome.session.csrf)

    def enter(self, name: str, page: Browser | None = None, **more: Any) -> tuple[int, str]:  # noqa: ANN401 - of the body
        """Enter a player; return the status and the clause of a refusal."""
        command = {"command": "enter-player", "event": HEATS, "name": name}
        answer = (page or self.page).post(self.to, {"command": command, **more})
        return answer.status_code, "" if answer.is_success else answer.json()["refusals"][0]["clause"]


@pytest.fixture
def event(house: House) -> str:
    """The id of a tournament that is planned."""
    plan = replace(one_event(), id=f"evening-{next(_ids)}")
    sent = {"command": {"command": "plan-tournament", "plan": to_builtins(plan)}}
    assert house.owner.post("/api/tournaments/commands", sent).status_code == 201
    return plan.id


def test_an_idle_till_asks_for_the_pin_before_money_is_moved(house: House, event: str) -> None:
    till, move = Till(house, event), house.server.clock.move
    assert till.enter("Ann") == (201, "")  # who has just logged in
    move(59)
    assert till.enter("Bob") == (201, "")
    move(60)
    assert till.enter("Cat") == (403, "pin")
    signs_in = {"command": {"command": "sign-in-player", "entry": 1}}
    assert till.page.post(till.to, signs_in).status_code == 201  # no money: whoever is there, it is not asked
    assert till.enter("Cat") == (403, "pin")  # and does not stand for the PIN
    assert till.enter("Cat", pin="0000") == (403, "pin")
    assert till.enter("Cat", pin=PIN) == (201, "")
    assert till.enter("Dan") == (201, "")
    assert len(house.owner.get(f"/api/tournaments/{event}").json()["entries"]) == 4


def test_wrong_pins_have_to_wait_and_somebody_elses_is_wrong(house: House, event: str) -> None:
    till, other = Till(house, event), Till(house, event, pin="5821")
    house.server.clock.move(61)
    assert other.enter("Ann", pin=PIN) == (403, "pin")
    codes = [till.enter("Ann", pin="0000")[0] for _ in range(20)]
    assert 429 in codes
    assert other.enter("Ann", pin="5821") == (201, "")


def test_the_time_is_a_setting_and_programs_have_no_screen(house: House, event: str) -> None:
    till = Till(house, event)
    house.server.services.pin_seconds = 300
    house.server.clock.move(299)
    assert till.enter("Ann") == (201, "")
    house.server.clock.move(300)
    assert till.enter("Bob") == (403, "pin")
    token = till.page.client.cookies["passline"]
    program = house.server.browser()
    program.client.headers["authorization"] = f"Bearer {token}"
    assert till.enter("Bob", program) == (201, "")
    house.server.services.pin_seconds = 0
    assert till.enter("Cat") == (201, "")
    house.server.services.pin_seconds = 60


def test_a_cage_that_was_idle_asks_too(house: House, event: str) -> None:
    facility = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
    leave_out = {"command": "leave-out", "items": ["acts.receive_chips.signs.witness"]}
    for command in ({"command": "set-up-office", "facility": facility}, leave_out):
        assert house.owner.post(f"{OFFICE}/commands", {"command": command}).status_code == 201
    cage = Till(house, event).page

    def does(act: str, *things: str, pin: str = "", **fields: object) -> tuple[int, str]:
        command = {"command": "do-act", "act": act, "things": things, "fields": fields}
        answer = cage.post(f"{OFFICE}/commands", {"command": command, "pin": pin})
        return answer.status_code, "" if answer.is_success else answer.json()["refusals"][0]["clause"]

    house.server.clock.move(61)
    assert does("enter_patron", "W1", name="a man in a green hat") == (201, "")
    delivery: dict[str, Any] = {"units": {"10000": 50}, "delivery": "note 1"}
    assert does("receive_chips", **delivery) == (403, "pin")
    assert does("receive_chips", pin=PIN, **delivery) == (201, "")
