"""Documents over HTTP: attached by any employee, named by acts, refused where they are unknown or too long."""

import pytest

from passline.web.server.responses import BODY_MAX, DOCUMENT_MAX, DOCUMENTS
from tests.web.house import House
from tests.web.server import ADDRESS, Browser

pytestmark = pytest.mark.long

LETTER = b"%PDF-1.7 a letter" * 10_000


def _attach(page: Browser, data: bytes, kind: str = "application/octet-stream") -> tuple[int, dict[str, object]]:
    headers = {"origin": ADDRESS, "x-csrf": page.csrf, "content-type": kind}
    answer = page.client.post(DOCUMENTS, content=data, headers=headers)
    return answer.status_code, answer.json()


def test_a_document_is_attached_and_comes_back_as_it_was(house: House) -> None:
    assert len(LETTER) > BODY_MAX
    status, said = _attach(house.people["dealer"], LETTER)
    assert (status, said["bytes"]) == (201, len(LETTER))
    back = house.people["regulator"].get(f"{DOCUMENTS}/{said['digest']}")
    assert (back.status_code, back.content) == (200, LETTER)
    assert back.headers["x-content-type-options"] == "nosniff"
    assert house.people["player"].get(f"{DOCUMENTS}/{said['digest']}").status_code == 403
    assert house.people["dealer"].get(f"{DOCUMENTS}/{'0' * 64}").status_code == 404
    assert house.people["dealer"].get(f"{DOCUMENTS}/nothing").status_code == 422


def test_what_is_no_document_of_an_employee_is_not_stored(house: House) -> None:
    assert _attach(house.people["player"], LETTER)[0] == 403
    assert _attach(house.people["nobody"], LETTER)[0] in {401, 403}
    assert _attach(house.people["dealer"], b"")[0] == 422
    assert _attach(house.people["dealer"], b"{}", "application/json")[0] == 415
    assert _attach(house.people["dealer"], bytes(DOCUMENT_MAX + 1))[0] == 413


def test_an_act_that_names_an_unknown_document_is_refused(house: House) -> None:
    facility = {"name": "Harbour", "zone": "America/Phoenix", "subdivision": "AZ"}
    house.owner.post("/api/office/arizona/commands", {"command": {"command": "set-up-office", "facility": facility}})
    paper = {"reference": "letter 7", "received": "2026-01-02"}
    value = {"command": "set-value", "key": "table_limit", "value": 4, "document": "0" * 64, **paper}
    refused = house.owner.post("/api/office/arizona/commands", {"command": value})
    assert (refused.status_code, "document: no such document is attached" in refused.text) == (409, True)
    digest = _attach(house.owner, LETTER)[1]["digest"]
    known = house.owner.post("/api/office/arizona/commands", {"command": {**value, "document": digest}})
    assert known.status_code == 201, known.text
