"""The elections, clauses, the search and the invitation over HTTP: who may read them, and what they answer."""

import pytest

from passline.documents.scan_codes import scan_code
from passline.web.server.network import is_only_here, network_address
from tests.web.house import House

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("path", "readers"),
    [
        ("/elections", {"owner", "floorperson"}),
        ("/elections/form?regulation=maryland", {"owner", "floorperson"}),
        ("/elections/of-table/craps-1", {"owner", "floorperson"}),
        ("/search", {"owner", "regulator", "surveillance"}),
        ("/api/log/event-kinds", {"owner", "regulator", "surveillance"}),
        ("/invite", {"owner", "regulator", "surveillance", "floorperson", "dealer", "player"}),
        (
            "/clauses/MD-5.A.5",
            {"owner", "regulator", "surveillance", "floorperson", "dealer", "player", "nobody"},
        ),
        (
            "/tables/craps-1/rules",
            {"owner", "regulator", "surveillance", "floorperson", "dealer", "player", "nobody"},
        ),
    ],
)
def test_each_page_is_for_those_who_may_read_it(house: House, path: str, readers: set[str]) -> None:
    for who, page in house.people.items():
        answer = page.client.get(path, follow_redirects=False)
        assert (answer.status_code == 200) is (who in readers), (who, path, answer.status_code)


def test_a_house_is_checked_and_read_without_being_refused(house: House) -> None:
    owner = house.people["owner"]
    checked = owner.post("/elections/check", {"house": {"rules": "maryland", "dice_set": 1}}).json()
    assert [(one["key"], one["clause"]) for one in checked["breaches"]] == [("dice_set", "MD-7.A, MD-10.C")]
    text = owner.post("/elections/check", {"house": {"rules": "maryland"}}).json()["toml"]
    assert owner.post("/elections/read", {"toml": text}).json()["toml"] == text
    for body, why in (({"toml": "x = ["}, "this is not TOML"), ({"toml": 'rules = "mars"'}, "no rulebook 'mars'")):
        answer = owner.post("/elections/read", body)
        assert answer.status_code == 422
        assert why in answer.text
    assert owner.get("/elections/form?regulation=mars").status_code == 404
    assert owner.get("/elections/of-table/mars").status_code == 404
    assert owner.get("/elections/of-table/craps-1").json()["house"]["rules"] == "maryland"


def test_a_clause_says_what_it_asks_for_and_where_it_stands(house: House) -> None:
    found = house.people["nobody"].get("/api/clauses/MD-5.A.5").json()
    assert (found["cite"], found["summary"]) == ("Ch. 5 A(5)", "A Place Bet to Win on 4 pays 9 to 5.")
    assert (found["regulation"], found["title"]) == ("maryland", "Maryland craps and mini-craps, version 1.5")
    assert house.people["nobody"].get("/api/clauses/MD-99").status_code == 404
    assert house.people["nobody"].get("/clauses/MD-99", accept="text/html").status_code == 404


def test_the_log_is_searched_by_each_mark_over_http(house: House) -> None:
    regulator = house.people["regulator"]
    kinds = regulator.get("/api/log/event-kinds").json()["events"]
    assert {"table-opened", "dice-landed", "account-created"} <= {*kinds}
    for asked, event in (
        ("event=table-opened", "table-opened/1"),
        ("table=craps-1&event=dice-landed", "dice-landed/1"),
    ):
        entries = regulator.get(f"/api/log?{asked}").json()["entries"]
        assert entries
        assert all(event in [one["event"] for one in entry["events"]] for entry in entries)
    (rolled,) = regulator.get("/api/log?clause=MD-9.B&event=dice-landed").json()["entries"]
    assert "MD-9.B" in rolled["clauses"]
    assert regulator.get("/api/log?since=2100-01-01").json()["entries"] == []
    assert regulator.get("/api/log?until=2100-01-01T08:30Z&limit=5").json()["entries"]
    for wrong in ("since=yesterday", "until=2026-13", "amount=x", "clause=MD"):
        assert regulator.get(f"/api/log?{wrong}").status_code == 422, wrong


def test_the_address_of_an_invitation_is_the_one_that_was_opened(house: House) -> None:
    page = house.people["owner"].get("/invite", host="192.168.1.20:8000")
    assert page.status_code == 200
    assert scan_code("http://192.168.1.20:8000/") in page.text
    assert "This page came without TLS" in page.text
    assert not is_only_here("192.168.1.20")
    assert network_address(1) == ""  # nothing listens there
