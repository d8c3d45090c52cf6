"""Drop, win and hold over HTTP: of a day, a month and a year, and who may read them."""

from __future__ import annotations

from tests.web.house import House

OFFICE = "/api/office/maryland"
FACILITY = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD", "areas": ["pit-1"]}


def test_results_are_read_by_those_who_must_know_and_exported(house: House) -> None:
    results, regulator = f"{OFFICE}/results", house.people["regulator"]
    assert house.owner.get(results).status_code == 409
    command = {"command": "set-up-office", "facility": FACILITY}
    assert house.owner.post(f"{OFFICE}/commands", {"command": command}).status_code == 201
    for role in ("dealer", "player"):
        assert house.people[role].get(results).status_code == 403
    for period in ("day", "month", "year"):
        for by in ("table", "game", "shift", "crew", "day", "month"):
            found = regulator.get(f"{results}?day=2026-03-02&period={period}&by={by}").json()
            assert (found["day"], found["period"], found["by"]) == ("2026-03-02", period, by)
            assert (found["sums"], found["shifts"], found["total"]["win"], found["total"]["hold"]) == ([], [], 0, None)
    assert (found["first"], found["is_closed"]) == ("2026-01-01", False)
    assert regulator.get(f"{results}?format=xlsx").content[:2] == b"PK"
    assert regulator.get(f"{results}?format=jsonl").status_code == 200
    for wrong in ("day=spring", "period=week", "by=colour", "format=pdf"):
        assert regulator.get(f"{results}?{wrong}").status_code == 422
