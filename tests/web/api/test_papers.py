"""Papers, lists and the regulator's folder over HTTP."""

import io
import zipfile
from pathlib import Path

import pytest

from passline.office.folder import folder_faults
from passline.office.kept import house_of_log
from passline.office.verify import house_faults
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_reader import rulebook_of
from tests.web.house import House

pytestmark = pytest.mark.long

HARBOUR = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
OFFICE = "/api/office/maryland"


def _command(house: House, **command: object) -> None:
    answer = house.owner.post(f"{OFFICE}/commands", {"command": command})
    assert answer.status_code == 201, answer.text


@pytest.fixture(scope="module")
def drafted(house: House) -> House:
    """A house whose office has a house on file."""
    _command(house, command="set-up-office", facility=HARBOUR)
    _command(house, command="do-act", act="draft_house", things=["h1"], fields={"file": {"rules": "maryland"}})
    return house


def test_a_paper_is_read_and_printed(drafted: House) -> None:
    dealer = drafted.people["dealer"]
    shown = dealer.get(f"{OFFICE}/papers/limits/h1").json()
    assert (shown["is_complete"], shown["sheet"]["title"], shown["facility"]) == (True, "Limits", "Harbour")
    assert [one["name"] for one in shown["signatures"]] == ["Olga"]
    printed = dealer.get(f"{OFFICE}/papers/limits/h1.pdf")
    assert (printed.headers["content-type"], printed.content[:5]) == ("application/pdf", b"%PDF-")
    assert dealer.get(f"{OFFICE}/papers/limits/h1.txt").text.startswith("Limits (house h1)")
    assert not list(house_faults(drafted.server.log.read()))


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("papers/limits/h9.pdf", 404, "knows no house 'h9'"),
        ("papers/limits.pdf", 409, "is missing"),
        ("papers/fire_display/h1.pdf", 409, "MD-2.D.4.e.i"),
        ("papers/wanted/h1", 404, "makes no paper 'wanted'"),
        ("things/house?format=pdf", 422, "is not one of json, jsonl, xlsx"),
        ("acts?day=today", 422, "is not a day"),
    ],
)
def test_what_cannot_be_printed_says_why(drafted: House, path: str, status: int, said: str) -> None:
    answer = drafted.people["dealer"].get(f"{OFFICE}/{path}")
    assert (answer.status_code, said in answer.text) == (status, True), answer.text


def test_a_checklist_is_printed_to_take_along(drafted: House) -> None:
    _command(
        drafted, command="do-act", act="register_table", things=["t1"], fields={"area": "main floor", "length": 144}
    )
    printed = drafted.people["dealer"].get(f"{OFFICE}/checklists/table/t1.pdf")
    assert (printed.status_code, printed.content[:5]) == (200, b"%PDF-"), printed.text
    assert drafted.people["dealer"].get(f"{OFFICE}/checklists/table/t9").status_code == 404
    assert drafted.people["dealer"].get(f"{OFFICE}/checklists/poem/t1").status_code == 404


def test_lists_are_exported(drafted: House) -> None:
    owner = drafted.owner
    assert owner.get(f"{OFFICE}/things/house?format=xlsx").content[:2] == b"PK"
    assert owner.get(f"{OFFICE}/things/house?format=jsonl").json()["house"] == "h1"
    assert owner.get(f"{OFFICE}/stocks?format=jsonl").content == b""
    act = owner.get(f"{OFFICE}/acts").json()["acts"][0]
    assert (act["act"], act["about"], act["by"]) == ("Draft a house", "house h1", "Olga, owner")
    assert owner.get(f"{OFFICE}/acts?day=2020-01-01").json()["acts"] == []
    assert drafted.people["player"].get(f"{OFFICE}/acts").status_code == 403


def test_the_regulator_gets_the_folder_of_a_day(drafted: House, tmp_path: Path) -> None:
    day = drafted.owner.get(f"{OFFICE}/today").json()["day"]
    answer = drafted.people["regulator"].get(f"{OFFICE}/folders/{day}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        file.extractall(tmp_path)
    folder = tmp_path / f"maryland-{day}"
    assert folder_faults(folder, drafted.server.log.public_key) == []
    assert (folder / "papers" / "limits-h1.pdf").exists()
    assert drafted.people["dealer"].get(f"{OFFICE}/folders/{day}").status_code == 403
    assert drafted.people["regulator"].get(f"{OFFICE}/folders/2099-01-01").status_code >= 400
    assert drafted.people["regulator"].get(f"{OFFICE}/folders/yesterday1").status_code == 422


def test_the_log_keeps_the_rulebook_of_every_office_that_has_begun(drafted: House) -> None:
    drafted.owner.get("/api/office")
    kept = house_of_log(drafted.server.log)
    assert kept is not None
    assert {rulebook_of(name).digest for name in REGULATIONS} <= {*kept.rulebooks}
