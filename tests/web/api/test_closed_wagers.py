"""Electronic dice over HTTP and the websocket: closed wagers, and nonces that come early, wrong, twice or never."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from passline.authority.roles import ROLES
from passline.tables.dice.proofs import DiceProofs
from passline.tables.runtime import roll_completion
from passline.tables.verify import decision_faults
from tests.cases import budget, one_in
from tests.tables.duties_matrix import TABLE_COMMANDS, sample
from tests.web.house import House
from tests.web.server import ADDRESS, Browser, serving

NONCE = sha256(b"a nonce").digest()
DIGEST = sha256(NONCE).hexdigest()
TABLE = "/api/tables/craps-1"
LIVE = f"{ADDRESS.replace('http', 'ws')}{TABLE}/live"


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house where Ann holds the dice with a line wager, and where a throw waits long for its nonce."""
    monkeypatch.setattr(roll_completion, "NONCE_SECONDS", 60.0)
    with serving() as server:
        yield (house := House(server))
        house.people["player"].post(f"{TABLE}/nonce", {"nonce": NONCE.hex()})  # so that no throw is left open


def command(page: Browser, id_: str, **fields: Any) -> Any:  # noqa: ANN401 - an httpx.Response
    role = fields.pop("role", "")
    return page.post(f"{TABLE}/commands", {"id": id_, "command": fields, **({"role": role} if role else {})})


def table(page: Browser) -> dict[str, Any]:
    shown: dict[str, Any] = page.get(TABLE).json()["table"]
    return shown


def throw(house: House, digest: str = DIGEST) -> dict[str, Any]:
    ready = command(house.people["player"], "line", command="make-wager", seat=1, wager="pass", cents=10_00)
    assert ready.status_code == 200, ready.text
    thrown = command(house.people["player"], "throw", command="roll", seat=1, nonce_digest=digest)
    assert thrown.status_code == 200, thrown.text
    answer: dict[str, Any] = thrown.json()
    return answer


def test_wagers_are_closed_when_the_throw_is_answered_and_the_dice_land_with_the_nonce(house: House) -> None:
    ann = house.people["player"]
    thrown = throw(house)
    shown = table(ann)
    assert shown["closing"]["nonce_digest"] == DIGEST
    assert shown["dice_are"] == "air"
    assert thrown["hash"] == next(
        stored.hash.hex() for stored in house.server.log.read() if stored.entry.sequence == thrown["sequence"]
    )
    assert ann.post(f"{TABLE}/nonce", {"nonce": NONCE.hex()}).status_code == 200
    landed = table(ann)
    assert landed["closing"] is None
    assert landed["proof"]["hash"] == thrown["hash"]
    assert landed["proof"]["nonce"] == NONCE.hex()
    again = command(ann, "throw", command="roll", seat=1, nonce_digest=DIGEST)
    assert (again.json()["sequence"], again.json()["hash"]) == (thrown["sequence"], thrown["hash"])


def test_between_closing_and_roll_nothing_is_done_over_http_or_the_websocket(house: House) -> None:
    throw(house)
    before, version = table(house.owner), house.server.log.head()
    people = [(who, role) for who, page in house.people.items() for role in ROLES if who == role]
    assert len(people) == 6
    tried = [*TABLE_COMMANDS.items()][:: budget(4, in_sweep=1)]
    for name, kind in tried:
        for who, role in people:
            asked = {"id": f"{name}-{who}", "command": sample(kind)}
            answer = _post(house.people[who], {**asked, "role": role})
            assert 400 <= answer.status_code < 500, f"{name} by {who}: {answer.text}"
            assert all(one["why"] and one["clause"] for one in answer.json()["refusals"]), answer.text
    for who, role in people:
        with house.people[who].client.websocket_connect(f"{LIVE}?role={role}") as socket:
            socket.receive_json()
            for name, kind in tried:
                socket.send_text(_encoded({"id": f"{name}-{who}-live", "command": sample(kind)}))
                answer = socket.receive_json()
                assert (answer["kind"], answer["id"]) == ("refused", f"{name}-{who}-live")
                assert all(one["why"] and one["clause"] for one in answer["refusals"]), answer
    assert table(house.owner) == before
    assert house.server.log.head() == version


def test_a_sitting_player_is_told_why(house: House) -> None:
    throw(house)
    late: tuple[dict[str, Any], ...] = (
        {"command": "make-wager", "wager": "field", "cents": 5_00},
        {"command": "remove-wager", "wager": "pass"},
        {"command": "buy-in", "cents": 5_00},
        {"command": "leave-seat"},
        {"command": "surrender-dice"},
        {"command": "roll"},
        {"command": "freeze-table", "reason": "wait"},
    )
    for turn, fields in enumerate(late):
        refused = command(house.people["player"], f"late-{turn}", seat=1, **fields)
        assert refused.status_code == 409
        (why,) = refused.json()["refusals"]
        assert "wagers are closed: the dice are thrown" in why["why"]
        assert why["clause"].startswith("MD-")


@pytest.mark.parametrize("way", one_in(2, ["http", "websocket"], others=pytest.mark.whole))
def test_wrong_and_foreign_nonces_change_nothing_and_the_right_one_counts_once(house: House, way: str) -> None:
    ann, dan = house.people["player"], house.people["dealer"]
    early = ann.post(f"{TABLE}/nonce", {"nonce": NONCE.hex()})  # no throw is open: it is not kept
    assert early.status_code == 200
    throw(house)
    other = sha256(b"another").hexdigest()
    with ann.client.websocket_connect(LIVE) as socket:
        socket.receive_json()
        for nonce in (other, "", "00", NONCE.hex()[:-2], f"{NONCE.hex()}00"):
            socket.send_json({"nonce": nonce})
        socket.send_json({"nonce": "not hex"})
        assert "bytes in hex" in socket.receive_json()["refusals"][0]["why"]
        assert table(dan)["closing"] is not None
        if way == "websocket":
            for nonce in (NONCE.hex(), other, NONCE.hex()):
                socket.send_json({"nonce": nonce})
            while table(dan)["closing"] is not None:
                pass
    if way == "http":
        for nonce in (NONCE.hex(), other, NONCE.hex()):
            assert ann.post(f"{TABLE}/nonce", {"nonce": nonce}).status_code == 200
    assert table(dan)["proof"]["nonce"] == NONCE.hex()
    assert ann.post(f"{TABLE}/nonce", {"nonce": "not hex"}).status_code == 422
    assert house.people["nobody"].post(f"{TABLE}/nonce", {"nonce": NONCE.hex()}).status_code == 401


def test_a_nonce_that_was_sent_before_the_closing_is_not_used(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that reveals it too early gains nothing: the roll goes without, and is counted."""
    monkeypatch.setattr(roll_completion, "NONCE_SECONDS", 0.2)
    ann = house.people["player"]
    with ann.client.websocket_connect(LIVE) as socket:
        socket.send_json({"nonce": NONCE.hex()})
    throw(house)
    while table(ann)["closing"] is not None:
        pass
    assert table(ann)["proof"]["nonce"] == ""
    proofs = DiceProofs()
    assert list(decision_faults(house.server.log.read(), proofs)) == []
    assert (proofs.proved, proofs.without_nonce, proofs.late_nonces) == (2, 2, 1)


def test_a_throw_over_http_without_a_nonce_is_answered_with_its_roll(house: House) -> None:
    ann = house.people["player"]
    assert command(ann, "line", command="make-wager", seat=1, wager="pass", cents=10_00).status_code == 200
    rolled = command(ann, "throw", command="roll", seat=1).json()
    events = [event["event"] for event in rolled["events"]]
    assert events.index("wagers-closed/1") < events.index("dice-revealed/1") < events.index("dice-landed/1")
    assert table(ann)["closing"] is None


def test_the_api_describes_a_throw_and_its_nonce(house: House) -> None:
    described = house.server.page.get("/openapi.json").json()
    roll = described["components"]["schemas"]["Roll"]
    assert "nonce" in roll["description"]
    assert "nonce_digest" in roll["properties"]
    assert "Send it only after" in described["paths"]["/api/tables/{id}/nonce"]["post"]["description"]
    assert "`nonce_digest`" in described["info"]["description"]


def _encoded(message: object) -> str:
    return msgspec.json.encode(message).decode()


def _post(page: Browser, body: object) -> Any:  # noqa: ANN401 - an httpx.Response
    headers = {"origin": ADDRESS, "x-csrf": page.csrf, "content-type": "application/json"}
    return page.client.post(f"{TABLE}/commands", content=_encoded(body), headers=headers)
