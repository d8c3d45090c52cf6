"""A table's past and its rules over HTTP."""

from tests.web.house import House


def test_a_hand_and_the_table_at_any_entry_can_be_recalled(house: House) -> None:
    regulator = house.people["regulator"]
    (hand,) = regulator.get("/api/tables/craps-1/hands").json()["hands"]
    assert (hand["hand"], hand["shooter"], hand["name"], hand["rolls"]) == (1, 1, "Ann", 1)
    entries = regulator.get("/api/tables/craps-1/hands/1").json()["entries"]
    made = next(one for one in entries if any("Pass Line is made" in line for line in one["lines"]))
    then = regulator.get(f"/api/tables/craps-1/at/{made['sequence']}").json()
    assert [wager["kind"] for wager in then["table"]["wagers"]] == ["pass"]
    assert sum(then["balances"].values()) == 0
    assert regulator.get("/api/tables/craps-1/hands/99").status_code == 404
    assert regulator.get("/api/tables/craps-1/at/1").status_code == 404
    assert regulator.get("/api/tables/craps-1/hands/x").status_code == 422


def test_anybody_may_read_the_rules_in_force(house: House) -> None:
    rules = house.people["nobody"].get("/api/tables/craps-1/rules").json()
    assert (rules["regulation"], rules["house"]["wager_cents_min"]) == ("maryland", 500)
    assert 'rules = "maryland"' in rules["toml"]


def test_hands_come_in_pages_and_one_is_found_by_an_entry(house: House) -> None:
    regulator = house.people["regulator"]
    page = regulator.get("/api/tables/craps-1/hands?limit=1").json()
    (hand,) = page["hands"]
    assert page["next"] == hand["number"]
    assert regulator.get(f"/api/tables/craps-1/hands?before={hand['number']}").json()["hands"] == []
    assert regulator.get(f"/api/tables/craps-1/hands?entry={hand['last']}").json()["hands"] == [hand]
    assert regulator.get(f"/api/tables/craps-1/hands?entry={hand['first'] - 1}").json()["hands"] == []
    first = regulator.get("/api/tables/craps-1/hands/1?limit=1").json()
    rest = regulator.get(f"/api/tables/craps-1/hands/1?after={first['next']}").json()
    whole = regulator.get("/api/tables/craps-1/hands/1").json()
    assert first["entries"] + rest["entries"] == whole["entries"]
    assert rest["next"] == 0


def test_notices_are_for_whoever_asks_and_for_nobody_else(house: House) -> None:
    path = "/api/tables/craps-1/notices"
    assert house.people["nobody"].get(path).status_code == 401
    assert house.people["player"].get("/api/tables/no-such-table/notices").status_code == 404
    for who in ("player", "dealer", "regulator"):
        answer = house.people[who].get(path)
        assert (answer.status_code, answer.json()["notices"]) == (200, [])
