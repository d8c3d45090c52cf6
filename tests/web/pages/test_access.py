"""Access to the pages: unknown addresses, what leads to which page, where one returns to, closed registration."""

import re
from collections.abc import Iterator

import pytest

from passline.authority.roles import ROLES
from passline.people.desk import REGISTRATION_CLOSED
from passline.web.pages.players import lobby_order
from tests.people.house import PASSWORD
from tests.web.house import House
from tests.web.server import Server, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def test_an_unknown_address_is_a_page_for_a_browser_and_json_for_a_program(server: Server) -> None:
    shown = server.page.get("/no-such-page", accept="text/html,*/*")
    assert (shown.status_code, "<h1>No such page</h1>" in shown.text) == (404, True)
    assert "<h1>No such table</h1>" in server.page.get("/tables/nowhere", accept="text/html").text
    assert server.page.get("/no-such-page").json()["refusals"]
    assert server.page.get("/api/no-such", accept="text/html").json()["refusals"]


@pytest.mark.parametrize("path", ["/", "/log-in", "/register"])
def test_a_page_answers_to_head(server: Server, path: str) -> None:
    assert server.page.client.head(path).status_code == 200


@pytest.mark.parametrize(("here", "there"), [("/log-in", "/register"), ("/register", "/log-in")])
def test_log_in_and_register_keep_the_page_to_return_to(server: Server, here: str, there: str) -> None:
    text = server.page.get(f"{here}?next=/tables/craps-1?a=1%26b").text
    assert f'href="{there}?next=/tables/craps-1%3Fa%3D1%26b"' in text
    assert 'data-next="/tables/craps-1?a=1&amp;b"' in text


@pytest.mark.parametrize(
    "next_", ["https://evil.example", "//evil.example", "/%5Cevil.example", "/%09/evil.example", ""]
)
def test_logging_in_never_leads_to_another_site(server: Server, next_: str) -> None:
    text = server.page.get(f"/log-in?next={next_}").text
    assert "evil" not in text
    assert 'data-next="/"' in text


_PAGES = ("/me", "/tournaments", "/regulator", "/surveillance", "/office", "/house", "/people")


@pytest.mark.parametrize("role", ROLES)
def test_the_navigation_leads_to_exactly_the_pages_that_somebody_may_open(house: House, role: str) -> None:
    if role not in house.people:
        welcome = house.server.hire(f"Somebody {role}", role, by=house.olga)
        house.people[role] = house.page(welcome.token, welcome.session.csrf)
    page = house.people[role]
    shown = re.findall(r'<a href="(/[a-z]+)">', page.get("/account").text)
    assert {*shown} & {*_PAGES} == {path for path in _PAGES if page.get(path).status_code == 200}


def test_the_lobby_shows_open_tables_first_so_that_its_button_leads_to_one() -> None:
    tables = [
        {"name": "A", "status": "closed", "regulation": "maryland"},
        {"name": "B", "status": "frozen", "regulation": "maryland"},
        {"name": "C", "status": "open", "regulation": "arizona"},
        {"name": "D", "status": "open", "regulation": "maryland"},
    ]
    assert "".join(one["name"] for one in lobby_order(tables)) == "DCBA"


def test_closed_registration_shows_no_form_but_how_to_get_an_account() -> None:
    with serving(can_register=False) as server:
        log_in = server.page.get("/log-in")
        assert log_in.status_code == 200
        assert "/register" not in log_in.text
        assert "Accounts are opened by an owner or a floorperson, who hands over a one-time link" in log_in.text
        door = server.page.get("/register")
        assert door.status_code == 403
        assert "<form" not in door.text
        refused = server.page.post("/api/register", {"name": "Pat", "password": PASSWORD})
        assert refused.status_code == 403
        assert refused.json()["refusals"] == [{"clause": "duties", "why": REGISTRATION_CLOSED}]
        for told in (door.text, refused.text):
            assert "its owner or a floorperson opens an account for you" in told
        assert server.desk.people().accounts == {}
