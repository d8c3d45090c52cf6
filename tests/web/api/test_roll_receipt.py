"""The receipt of a throw names the entry of the command itself, and beside it the entry in which the dice landed."""

from collections.abc import Iterator

import pytest

from tests.web.house import House
from tests.web.server import serving

pytestmark = pytest.mark.long


@pytest.fixture
def house() -> Iterator[House]:
    with serving() as server:
        yield House(server)


def test_an_acknowledgement_names_the_entry_of_its_own_id(house: House) -> None:
    """It named the entry of the dice, of another id, unless the roll was asked about again after a restart."""
    log = house.server.log
    wager = {"command": "make-wager", "seat": 1, "wager": "pass", "cents": 10_00}
    for id_, command in {"w": wager, "r": {"command": "roll", "seat": 1}}.items():
        body = {"id": id_, "command": command}
        answers = [house.people["player"].post("/api/tables/craps-1/commands", body).json() for _ in range(2)]
        own = next(one for one in log.read() if one.entry.id == id_)
        for answer in answers:
            assert (answer["sequence"], answer["hash"]) == (own.entry.sequence, own.hash.hex())
    landed = next(log.read(after=answers[0]["roll"]["sequence"] - 1))
    assert landed.hash.hex() == answers[0]["roll"]["hash"] == answers[1]["roll"]["hash"]
    assert b"dice-revealed" in bytes(landed.entry.events)
    assert "dice" in str(answers[0]["lines"])
