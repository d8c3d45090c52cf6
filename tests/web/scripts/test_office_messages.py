"""What the server answers to the pages of the house, the office, tournaments and the regulator has its shape."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import to_builtins

from passline.acts.views.thing_history import ThingHistory
from passline.acts.views.today import Today
from passline.tournament.plan.reader import example_plan, example_text
from tests.web.house import House
from tests.web.scripts import office_shapes as shapes

OFFICE = "/api/office/maryland"
FACILITY = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
ANSWERS = (
    (OFFICE, shapes.OfficeAnswer),
    (f"{OFFICE}/people", shapes.PeopleOfOffice),
    (f"{OFFICE}/stocks", shapes.StocksAnswer),
    (f"{OFFICE}/today", Today),
    (f"{OFFICE}/counts", shapes.CountsAnswer),
    (f"{OFFICE}/gates/open_table/craps-1", shapes.GateAnswer),
    (f"{OFFICE}/path", shapes.PathAnswer),
    (f"{OFFICE}/things/person", shapes.ThingsAnswer),
    (f"{OFFICE}/things/person/dan", ThingHistory),
    (f"{OFFICE}/cash", shapes.CashAnswer),
    (f"{OFFICE}/forms", shapes.DayFormsAnswer),
    (f"{OFFICE}/standards", shapes.StandardsAnswer),
    (f"{OFFICE}/standards/table_systems", shapes.StandardAnswer),
    (f"{OFFICE}/results?by=shift", shapes.ResultsAnswer),
    (f"{OFFICE}/accounts/table?period=month", shapes.PlayedAnswer),
    (f"{OFFICE}/accounts/entries?table=craps-1&first=1&last=99", shapes.AccountEntries),
    (f"{OFFICE}/ratings?period=month", shapes.RatingsAnswer),
    (f"{OFFICE}/ratings/visits?player=account/x&span=2026", shapes.VisitsAnswer),
    (f"{OFFICE}/ratings/course?player=account/x", shapes.RatingCourse),
    (f"{OFFICE}/comps?period=month", shapes.CompsAnswer),
    (f"{OFFICE}/dice-evidence", shapes.DiceEvidenceAnswer),
    (f"{OFFICE}/theft", shapes.TheftAnswer),
    (f"{OFFICE}/investigations", shapes.InvestigationsAnswer),
    (f"{OFFICE}/tax", shapes.TaxAnswer),
    ("/api/office", shapes.OfficesAnswer),
    ("/api/tables", shapes.TablesAnswer),
    ("/api/people", shapes.PeopleAnswer),
    ("/api/matters", shapes.MattersAnswer),
    ("/api/log?limit=50", shapes.LogPage),
    ("/api/log/head", shapes.NewestHead),
    ("/api/log/streams", shapes.StreamsAnswer),
    ("/api/log/event-kinds", shapes.EventKinds),
    ("/api/tables/craps-1/hands", shapes.HandsAnswer),
    ("/api/tables/craps-1/hands/1", shapes.HandAnswer),
    ("/api/tables/craps-1/ledger", shapes.LedgerAnswer),
    ("/elections/form?regulation=maryland&game=craps", shapes.ElectionForm),
)
EMBEDDED = (
    ("/office/maryland", "office-data", shapes.Embedded),
    ("/house", "house-data", shapes.EmbeddedHouse),
    ("/elections", "elections-data", shapes.EmbeddedElections),
    ("/surveillance", "watch-data", shapes.EmbeddedWatch),
)
T = TypeVar("T")


def read(house: House, path: str, shape: type[T]) -> T:
    """Ask as the owner or, where owners may not, as somebody who watches; what comes must have the shape."""
    readers = (house.owner, house.people["regulator"], house.people["surveillance"])
    answer = next(answer for reader in readers if (answer := reader.get(path)).status_code == 200)
    return msgspec.json.decode(answer.content, type=shape)


def do(house: House, path: str, command: dict[str, Any], shape: type[T]) -> T:
    """Send a command that is carried out; its receipt must have the shape."""
    answer = house.owner.post(path, {"command": command})
    assert answer.status_code == 201, answer.text
    return msgspec.json.decode(answer.content, type=shape)


@pytest.fixture(scope="module")
def kept(house: House) -> House:
    """A house that keeps an office with one person in it."""
    do(house, f"{OFFICE}/commands", {"command": "set-up-office", "facility": FACILITY}, shapes.OfficeReceipt)
    act = {"command": "do-act", "act": "enter_employee", "things": ["dan"], "fields": {"post": "dealer"}}
    receipt = do(house, f"{OFFICE}/commands", act, shapes.OfficeReceipt)
    assert receipt.lines
    return house


@pytest.mark.parametrize(("path", "shape"), ANSWERS)
def test_an_answer_has_the_shape_that_scripts_expect(kept: House, path: str, shape: type[Any]) -> None:
    assert read(kept, path, shape) is not None


def test_a_table_as_it_was_has_its_shape(kept: House) -> None:
    hands = read(kept, "/api/tables/craps-1/hands", shapes.HandsAnswer).hands
    assert read(kept, f"/api/tables/craps-1/at/{hands[0].last}", shapes.TableThen).table.id == "craps-1"


@pytest.mark.parametrize(("page", "id_", "shape"), EMBEDDED)
def test_a_page_embeds_what_its_scripts_expect(kept: House, page: str, id_: str, shape: type[Any]) -> None:
    readers = (kept.owner, kept.people["surveillance"])
    text = next(answer.text for reader in readers if (answer := reader.get(page)).status_code == 200)
    embedded = re.search(rf'id="{id_}">(.*?)</script>', text, flags=re.DOTALL)
    assert embedded is not None
    msgspec.json.decode(embedded[1], type=shape)


def test_a_tournament_has_its_shapes(kept: House) -> None:
    checked = kept.owner.post("/api/tournaments/check", {"text": example_text("colorado")})
    assert msgspec.json.decode(checked.content, type=shapes.PlanChecked).faults == ()
    plan = to_builtins(example_plan("colorado"))
    answer = kept.owner.post("/api/tournaments/commands", {"command": {"command": "plan-tournament", "plan": plan}})
    assert answer.status_code == 201, answer.text
    path = f"/api/tournaments/{plan['id']}"
    entered = {"command": "enter-player", "event": plan["events"][0]["name"], "name": "Ann"}
    assert kept.owner.post(f"{path}/commands", {"command": entered}).status_code == 201
    staff = read(kept, path, shapes.StaffTournament)
    assert [entry.name for entry in staff.entries] == ["Ann"]
    player = kept.people["player"].get(path)
    assert msgspec.json.decode(player.content, type=shapes.TournamentAnswer).mine == ()
    assert read(kept, f"{path}/split", shapes.SplitAnswer).event
    page = kept.owner.get(f"/tournaments/{plan['id']}/desk").text
    embedded = re.search(r'id="tournament-data">(.*?)</script>', page, flags=re.DOTALL)
    assert embedded is not None
    assert msgspec.json.decode(embedded[1], type=shapes.EmbeddedTournament).is_director
