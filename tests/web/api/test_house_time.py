"""Days in searches and records are gaming days of the house, in its own time zone; without an office, days of UTC."""

from collections.abc import Iterator

import pytest

from tests.web.house import House
from tests.web.server import serving

pytestmark = pytest.mark.long

DENVER = {"name": "Peak", "zone": "America/Denver", "subdivision": "CO", "day_begins": "06:00"}


@pytest.fixture
def house() -> Iterator[House]:
    with serving() as server:
        yield House(server)


def _dates(house: House) -> list[str]:
    answer = house.owner.get("/api/records?kind=activity").json()
    return sorted(record["day"] for record in answer["records"])


def test_an_evening_belongs_to_the_gaming_day_of_the_house(house: House) -> None:
    """The clock begins on 15 November at 08:00 UTC: one in the morning in Denver, so the gaming day before."""
    at = house.server.clock()
    assert at.startswith("2026-11-15T08:")
    assert _dates(house) == ["2026-11-15"], "without an office, the date of UTC"
    setting = {"command": {"command": "set-up-office", "facility": DENVER}}
    assert house.owner.post("/api/office/maryland/commands", setting).status_code == 201
    sit = {"id": "late", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    assert house.people["player"].post("/api/tables/craps-1/commands", sit).status_code == 200
    assert _dates(house) == ["2026-11-14", "2026-11-15"]

    def found(query: str) -> int:
        answer = house.owner.get(f"/api/log?text=late&{query}")
        assert answer.status_code == 200, answer.text
        return len(answer.json()["entries"])

    assert (found("since=2026-11-14"), found("until=2026-11-15")) == (1, 1), "the gaming day ends at six in Denver"
    assert (found("since=2026-11-15"), found("until=2026-11-14")) == (0, 0)
    assert found("since=2026-11-15T08:00Z") == 1, "a moment is one of UTC"
    for wrong in ("2026-02-30", "yesterday", "2026-11-15T25:00Z"):
        assert house.owner.get(f"/api/log?since={wrong}").status_code == 422
        assert house.owner.get(f"/api/records?since={wrong}").status_code == 422


def test_records_of_a_day_and_of_moments_are_both_found_by_gaming_day(house: House) -> None:
    """Accounting has the activity of whole days beside reports that were filed at a moment."""
    setting = {"command": {"command": "set-up-office", "facility": DENVER}}
    assert house.owner.post("/api/office/maryland/commands", setting).status_code == 201
    sit = {"id": "late", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    assert house.people["player"].post("/api/tables/craps-1/commands", sit).status_code == 200
    report = {"record_class": "daily_activity_accounting", "table": "craps-1", "text": "counted twice"}
    assert house.owner.post("/api/reports", report).status_code == 201

    def texts(query: str) -> list[str]:
        answer = house.owner.get(f"/api/records?kind=daily_activity_accounting&{query}").json()
        return sorted(
            record["at"][:10] + (" filed" if "twice" in record["text"] else "") for record in answer["records"]
        )

    assert texts("since=2026-11-14") == ["2026-11-14", "2026-11-15", "2026-11-15 filed"]
    assert texts("until=2026-11-15") == ["2026-11-14", "2026-11-15 filed"], "filed at 01:00 of the 14th's gaming day"
    assert texts("since=2026-11-15") == ["2026-11-15"]
