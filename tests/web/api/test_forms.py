"""Forms over HTTP: listed by gaming day, printed with all their copies, and kept from those who may not read."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from passline.acts.papers.form_codes import read_code
from passline.office.verify import house_faults
from tests.web.house import House

pytestmark = pytest.mark.long

OFFICE = "/api/office/section2"
_HARBOUR = {"name": "Harbour", "zone": "America/New_York", "subdivision": "NJ"}


def _command(house: House, who: str, **command: object) -> None:
    answer = house.people[who].post(f"{OFFICE}/commands", {"command": command})
    assert answer.status_code == 201, answer.text


@pytest.fixture(scope="module")
def asked(house: House) -> House:
    """A house in which a fill was asked for."""
    _command(house, "owner", command="set-up-office", facility=_HARBOUR)
    _command(house, "owner", command="do-act", act="register_table", things=["t1"], fields={"area": "main floor"})
    _command(house, "owner", command="leave-out", items=["acts.receive_chips.signs.witness"])
    welcome = house.server.hire("Cy", "cashier", by=house.olga)
    chips = {"units": {"500": 400}, "delivery": "note 1"}
    received = {"command": "do-act", "act": "receive_chips", "fields": chips}
    cashier = house.page(welcome.token, welcome.session.csrf)
    assert cashier.post(f"{OFFICE}/commands", {"command": received}).status_code == 201
    _command(house, "floorperson", command="do-act", act="request_fill", fields={"table": "t1", "units": {"500": 40}})
    return house


def test_a_slip_is_printed_in_parts_with_the_code_of_its_entry(asked: House) -> None:
    dealer = asked.people["dealer"]
    page = dealer.get(f"{OFFICE}/forms/fill_slip/F-000001.html")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert [page.text.count(copy) for copy in ("Original", "Duplicate", "Triplicate")] == [1, 1, 1]
    assert page.text.count('class="qr"') == 3
    (style,) = re.findall(r"<style>(.*?)</style>", page.text, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in page.headers["content-security-policy"]
    assert dealer.get(f"{OFFICE}/forms/fill_slip/F-000001.pdf").content[:5] == b"%PDF-"
    roll = dealer.get(f"{OFFICE}/forms/fill_slip/F-000001.escpos").content
    assert (roll.count(b"Fill slip F-000001\n"), roll.count(b"PASSLINE:")) == (3, 3)
    narrow = dealer.get(f"{OFFICE}/forms/fill_slip/F-000001.escpos?columns=32").content
    assert (b"-" * 33 not in narrow, b"-" * 32 in narrow, b"-" * 42 in roll) == (True, True, True)
    text = dealer.get(f"{OFFICE}/forms/fill_slip/F-000001.txt").text
    code = read_code(re.findall(r"PASSLINE:\S+", text)[0])
    assert code is not None
    (stored,) = asked.server.log.read(after=code.sequence - 1, until=code.sequence)
    assert (stored.hash.hex(), code.number) == (code.hash, "F-000001")
    assert not list(house_faults(asked.server.log.read()))


def test_the_forms_of_a_day_are_listed(asked: House) -> None:
    found = asked.people["dealer"].get(f"{OFFICE}/forms").json()
    assert [(form["form"], form["number"], form["status"]) for form in found["forms"]] == [
        ("fill_slip", "F-000001", "requested"), ("chip_log", found["day"], ""),
    ]  # fmt: skip
    assert asked.people["dealer"].get(f"{OFFICE}/forms?day=2020-01-01").json()["forms"] == []
    assert "fill_slip" in asked.people["dealer"].get(OFFICE).json()["forms"]
    log = asked.people["dealer"].get(f"{OFFICE}/forms/drop_sheet/{found['day']}.txt")
    assert (log.status_code, "No entry in this gaming day." in log.text) == (200, True)


def test_every_log_of_the_pages_is_printed_alone_whether_or_not_it_has_a_line(asked: House) -> None:
    dealer = asked.people["dealer"]
    day, known = dealer.get(f"{OFFICE}/forms").json()["day"], dealer.get(OFFICE).json()["forms"]
    logs = [key for key, form in known.items() if form["is_log"]]
    assert {"drop_sheet", "key_log", "chip_log", "transaction_log", "correction_log"} <= {*logs}
    found = {key: dealer.get(f"{OFFICE}/forms/{key}/{day}.html").status_code for key in logs}
    assert {*found.values()} == {200}, found


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("forms/fill_slip/F-000009.pdf", 404, "has no fill slip 'F-000009'"),
        ("forms/fill_slip/F-000001", 404, ".pdf, .html, .txt or .escpos"),
        ("forms/poem/1.pdf", 404, "has no form 'poem'"),
        ("forms/opener/1.pdf", 404, "has no table inventory: opener '1'"),
        ("forms/drop_sheet/today.pdf", 422, "is not a day"),
        ("forms/currency_report/r1.pdf", 404, "has no currency transaction report"),
        ("forms?day=today", 422, "is not a day"),
        ("forms/fill_slip/F-000001.escpos?columns=9000", 422, "is not from 24 to 64"),
    ],
)
def test_what_cannot_be_printed_says_why(asked: House, path: str, status: int, said: str) -> None:
    answer = asked.people["dealer"].get(f"{OFFICE}/{path}")
    assert (answer.status_code, said in answer.text) == (status, True), answer.text


def test_a_player_prints_nothing(asked: House) -> None:
    assert asked.people["player"].get(f"{OFFICE}/forms/fill_slip/F-000001.pdf").status_code == 403
