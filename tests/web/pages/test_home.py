"""Where people begin: a link's first page, the regulation of the house, and what becomes of links."""

import html
import re
from collections.abc import Iterator

import pytest

from tests.people.house import PASSWORD, PIN
from tests.web.server import Browser, Server, serving

PHOENIX = {"name": "Mesa Hall", "zone": "America/Phoenix", "subdivision": "AZ"}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def owner(server: Server) -> Browser:
    return page_of(server, *_first(server))


def _first(server: Server) -> tuple[str, str]:
    olga = server.owner()
    return olga.token, olga.session.csrf


def page_of(server: Server, token: str, csrf: str) -> Browser:
    page = server.browser()
    page.client.cookies.set("passline", token, domain="127.0.0.1")
    page.csrf = csrf
    return page


def new_link(owner: Browser, name: str, *roles: str) -> str:
    made = owner.post("/api/people", {"name": name, "roles": roles})
    assert made.status_code == 201, made.text
    return str(made.json()["path"])


def set_up(owner: Browser, office: str = "arizona") -> None:
    command = {"command": {"command": "set-up-office", "facility": PHOENIX}}
    assert owner.post(f"/api/office/{office}/commands", command).status_code == 201


def seen(page: Browser, path: str) -> str:
    """Return a page as a reader sees it, with its tags."""
    return html.unescape(page.get(path).text)


# --- The house's regulation ------------------------------------------------------------------------------------------


def chosen(page: Browser) -> list[str]:
    return re.findall(r'<option value="(\w+)" selected>', page.get("/house").text)


def listed(page: Browser) -> list[str]:
    return re.findall(r'<a class="panel tile" href="/office/(\w+)"', page.get("/office").text)


def test_the_pages_begin_with_the_regulation_that_a_house_is_served_for(server: Server, owner: Browser) -> None:
    assert (chosen(owner), listed(owner)[0]) == (["maryland"], "maryland")
    server.services.rules = "arizona"
    assert (chosen(owner), listed(owner)[0]) == (["arizona"], "arizona")
    assert '"first": "arizona"' in owner.get("/elections").text
    assert owner.get("/house/elections").json()["toml"].count('rules = "arizona"') == 1
    shown = owner.get("/office").text
    assert shown.index("Other regulations") < shown.index('href="/office/maryland"')


def test_without_a_word_at_the_start_a_house_is_where_its_first_table_or_its_office_is(owner: Browser) -> None:
    opening = {"command": "open-table", "name": "craps-1", "house": {"rules": "section2"}, "dice": "physical"}
    assert owner.post("/api/tables", opening).status_code == 201
    assert (chosen(owner), listed(owner)[0]) == (["section2"], "section2")
    set_up(owner, "colorado")
    assert (chosen(owner), listed(owner)[0]) == (["colorado"], "colorado")


# --- One-time links --------------------------------------------------------------------------------------------------


def test_the_first_owner_is_led_to_today(server: Server) -> None:
    server.services.rules = "arizona"
    link = server.desk.first_owner()
    assert link is not None
    assert 'data-next="/office/arizona"' in server.page.get(link.path).text


@pytest.mark.parametrize(
    ("role", "home"),
    [
        ("cashier", "/office/maryland"),
        ("dealer", "/office/maryland"),
        ("surveillance", "/surveillance"),
        ("regulator", "/regulator"),
        ("player", "/"),
    ],
)
def test_whoever_is_invited_is_led_to_what_is_theirs(server: Server, owner: Browser, role: str, home: str) -> None:
    shown = server.browser().get(new_link(owner, "Ann", role)).text
    assert f'data-next="{home}"' in shown
    assert f"You were invited as {role}" in shown
    assert "Welcome, Ann" in shown  # and not back: she was never here


def test_whoever_comes_by_a_second_link_is_welcomed_back(server: Server, owner: Browser) -> None:
    link = new_link(owner, "Ann", "dealer")
    ann = server.browser()
    account = ann.post(f"/api{link}", {"password": PASSWORD, "pin": PIN}).json()["account"]
    again = owner.post(f"/api/people/{account}/invite").json()["path"]
    assert "Welcome back, Ann" in server.browser().get(again).text


def test_a_link_says_its_last_hour_on_the_houses_clock(server: Server, owner: Browser) -> None:
    set_up(owner)
    assert "until 16 November, 01:00 (America/Phoenix)" in seen(server.browser(), new_link(owner, "Ann", "dealer"))


def test_a_link_that_one_owner_made_says_that_it_takes_two_now_and_both_make_another(
    server: Server, owner: Browser
) -> None:
    link, second = new_link(owner, "Ann", "cashier"), new_link(owner, "Flo", "owner")
    assert _links(owner) == {"Olga": "", "Ann": "waits", "Flo": "waits"}
    assert server.browser().post(f"/api{second}", {"password": PASSWORD, "pin": PIN}).status_code == 201
    assert _links(owner) == {"Olga": "", "Ann": "unsigned", "Flo": ""}
    refused = server.browser().get(link)
    assert refused.status_code == 404
    assert "This link needs a second owner" in refused.text
    account = next(one["account"] for one in owner.get("/api/people").json()["people"] if one["name"] == "Ann")
    signed = {"sign_off": {"name": "Flo", "pin": PIN}}
    again = owner.post(f"/api/people/{account}/invite", signed).json()["path"]
    assert _links(owner)["Ann"] == "waits"
    assert server.browser().get(again).status_code == 200
    server.clock.move(2 * 24 * 60 * 60)
    again = server.browser().post("/api/log-in", {"name": "Olga", "password": PASSWORD}).json()["token"]
    assert _links(page_of(server, again, ""))["Ann"] == "expired"


def _links(owner: Browser) -> dict[str, str]:
    return {one["name"]: one["link"] for one in owner.get("/api/people").json()["people"]}


def test_the_way_to_the_first_table_knows_how_many_owners_can_act(server: Server, owner: Browser) -> None:
    set_up(owner)
    assert owner.get("/api/office/arizona/path").json()["owners"] == 1
    link = new_link(owner, "Flo", "owner")
    assert owner.get("/api/office/arizona/path").json()["owners"] == 1  # her link is not used
    server.browser().post(f"/api{link}", {"password": PASSWORD, "pin": PIN})
    assert owner.get("/api/office/arizona/path").json()["owners"] == 2
    assert "First the second owner" in owner.get("/people").text
