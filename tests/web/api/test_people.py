"""People over HTTP: log in, register, invitations, accounts, passwords and PINs."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passline.office.views.authority import AuthorityReader
from passline.people.sessions import Welcome
from passline.tables.verify import decision_faults
from tests.cases import budget
from tests.people.house import PASSWORD, PIN
from tests.web.server import ADDRESS, Browser, Server, serving

pytestmark = pytest.mark.long

NEW = "another long one 42"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def become_owner(server: Server) -> Browser:
    link = server.desk.first_owner()
    assert link is not None
    page = server.browser()
    answer = page.post(f"/api{link.path}", {"name": "Olga", "password": PASSWORD, "pin": PIN})
    assert answer.status_code == 201, answer.text
    return page


def come_in(server: Server, owner: Browser, name: str, *roles: str) -> Browser:
    """Return the browser of a new person, created by the owner, who has used the one-time link."""
    answer = owner.post("/api/people", {"name": name, "roles": roles})
    assert answer.status_code == 201, answer.text
    page = server.browser()
    accepted = page.post(f"/api{answer.json()['path']}", {"password": PASSWORD, "pin": PIN})
    assert accepted.status_code == 201, accepted.text
    return page


def account(page: Browser) -> str:
    return str(page.get("/api/me").json()["account"])


def test_the_first_owner_comes_by_a_link_that_works_once(server: Server) -> None:
    link = server.desk.first_owner()
    assert link is not None
    page = server.page
    assert page.get(f"/api{link.path}").json()["roles"] == ["owner"]
    weak = page.post(f"/api{link.path}", {"name": "Olga", "password": "tooshort"})
    assert weak.status_code == 409
    assert weak.json()["refusals"][0]["why"].startswith("a password has 10 to 200 characters")
    answer = page.post(f"/api{link.path}", {"name": "Olga", "password": PASSWORD, "pin": PIN})
    assert answer.status_code == 201
    assert page.get("/api/me").json() == {
        "account": answer.json()["account"],
        "name": "Olga",
        "roles": ["owner"],
        "is_guest": False,
        "has_pin": True,
        "csrf": answer.json()["csrf"],
    }
    again = server.browser().post(f"/api{link.path}", {"name": "Eve", "password": PASSWORD})
    assert again.status_code == 409
    assert page.get(f"/api{link.path}").status_code == 404


def test_scripts_and_other_sites_cannot_reach_the_cookie(server: Server) -> None:
    become_owner(server)
    answer = server.page.post("/api/log-in", {"name": "Olga", "password": PASSWORD})
    flags = answer.headers["set-cookie"].lower()
    assert "httponly" in flags
    assert "samesite=strict" in flags
    assert "path=/" in flags
    assert "secure" not in flags, "over http on this machine a Secure cookie would never come back"
    server.page.client.base_url = "https://127.0.0.1:8000"
    answer = server.page.post("/api/log-in", {"name": "Olga", "password": PASSWORD}, origin="https://127.0.0.1:8000")
    assert "secure" in answer.headers["set-cookie"].lower()


def test_a_program_uses_the_token_and_needs_no_csrf(server: Server) -> None:
    become_owner(server)
    program = server.browser().client
    token = program.post("/api/log-in", json={"name": "Olga", "password": PASSWORD}).json()["token"]
    program.cookies.clear()
    assert program.get("/api/me").status_code == 401
    bearer = {"authorization": f"Bearer {token}"}
    assert program.get("/api/me", headers=bearer).json()["name"] == "Olga"
    assert program.post("/api/people", json={"name": "Dan"}, headers=bearer).status_code == 201
    assert program.get("/api/me", headers={"authorization": "Bearer nonsense"}).status_code == 401
    assert program.get("/api/me", headers={"authorization": f"Basic {token}"}).status_code == 401


def test_a_change_with_the_cookie_needs_the_csrf_token_of_the_same_session(server: Server) -> None:
    owner = become_owner(server)
    other = come_in(server, owner, "Dan", "dealer")
    for wrong in ("", "nonsense", other.csrf):
        refused = owner.post("/api/people", {"name": "Pat"}, csrf=wrong)
        assert refused.status_code == 403
        assert "X-CSRF" in refused.json()["refusals"][0]["why"]
        assert owner.post("/api/log-out", csrf=wrong).status_code == 403
    assert owner.post("/api/people", {"name": "Pat"}).status_code == 201


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9000", "null", "", "http://127.0.0.1"])
def test_a_page_of_another_site_can_change_nothing_even_without_a_session(server: Server, origin: str) -> None:
    """Otherwise a page could log somebody in to another account unnoticed."""
    become_owner(server)
    for path, body in [
        ("/api/log-in", {"name": "Olga", "password": PASSWORD}),
        ("/api/register", {"name": "Eve", "password": PASSWORD}),
    ]:
        assert server.page.post(path, body, origin=origin).status_code == 403
    plain = server.page.client.post(
        "/api/log-in", content=b'{"name":"Olga","password":"x"}', headers={"content-type": "text/plain"}
    )
    assert plain.status_code == 415


def test_every_log_in_makes_a_new_token_and_log_out_ends_it(server: Server) -> None:
    become_owner(server)
    page = server.page
    page.client.cookies.set("passline", "a-token-somebody-else-knows", domain="127.0.0.1")
    first = page.post("/api/log-in", {"name": "Olga", "password": PASSWORD}).json()["token"]
    assert first != "a-token-somebody-else-knows"
    page.client.cookies.clear()
    page.client.cookies.set("passline", first, domain="127.0.0.1")
    second = page.post("/api/log-in", {"name": "Olga", "password": PASSWORD}).json()["token"]
    assert second != first
    program = server.browser().client
    assert program.get("/api/me", headers={"authorization": f"Bearer {first}"}).status_code == 401
    assert program.get("/api/me", headers={"authorization": f"Bearer {second}"}).status_code == 200
    page.client.cookies.clear()
    page.client.cookies.set("passline", second, domain="127.0.0.1")
    assert page.post("/api/log-out").status_code == 200
    assert program.get("/api/me", headers={"authorization": f"Bearer {second}"}).status_code == 401
    assert "passline" not in page.client.cookies
    assert page.post("/api/log-out").status_code == 401


def test_log_ins_are_limited_and_the_refusal_says_for_how_long(server: Server) -> None:
    become_owner(server)
    for _ in range(5):
        wrong = server.page.post("/api/log-in", {"name": "Olga", "password": "wrong password!"})
        assert wrong.status_code == 401
        assert wrong.json() == {"refusals": [{"clause": "people", "why": "the name or the password is wrong"}]}
    limited = server.page.post("/api/log-in", {"name": "Olga", "password": PASSWORD})
    assert limited.status_code == 429
    assert limited.headers["retry-after"] == "30"
    assert limited.json()["refusals"][0]["why"] == "too many tries; wait 30 seconds and try again"
    server.clock.move(30)
    assert server.page.post("/api/log-in", {"name": "Olga", "password": PASSWORD}).status_code == 200


def test_people_are_created_changed_disabled_and_enabled(server: Server) -> None:
    owner = become_owner(server)
    dan = come_in(server, owner, "Dan", "dealer")
    dans = account(dan)
    changed = owner.post(f"/api/people/{dans}/roles", {"roles": ["stickperson", "boxperson"]})
    assert changed.json()["roles"] == ["stickperson", "boxperson"]
    assert dan.get("/api/me").json()["roles"] == ["stickperson", "boxperson"]
    assert owner.post(f"/api/people/{dans}/roles", {"roles": ["stickperson", "boxperson"]}).status_code == 409
    assert owner.post(f"/api/people/{dans}/disable", {"reason": "left"}).json()["is_disabled"] is True
    assert dan.get("/api/me").status_code == 401
    assert owner.post(f"/api/people/{dans}/disable", {"reason": "left"}).status_code == 409
    assert owner.post(f"/api/people/{dans}/enable").json()["is_disabled"] is False
    assert dan.get("/api/me").status_code == 401
    assert dan.post("/api/log-in", {"name": "Dan", "password": PASSWORD}).status_code == 200
    listed = owner.get("/api/people").json()
    assert listed["count"] == 2
    assert {one["name"]: one["roles"] for one in listed["people"]} == {
        "Olga": ["owner"],
        "Dan": ["stickperson", "boxperson"],
    }
    first = listed["people"][0]["account"]
    assert len(owner.get(f"/api/people?after={first}").json()["people"]) == 1


def test_an_account_gets_a_new_password_by_a_link(server: Server) -> None:
    owner = become_owner(server)
    dan = come_in(server, owner, "Dan", "dealer")
    path = owner.post(f"/api/people/{account(dan)}/invite").json()["path"]
    assert server.browser().get(f"/api{path}").json()["name"] == "Dan"
    assert server.browser().post(f"/api{path}", {"password": NEW}).status_code == 201
    assert dan.get("/api/me").status_code == 401
    assert dan.post("/api/log-in", {"name": "Dan", "password": NEW}).status_code == 200


def test_people_change_only_their_own_password_and_pin(server: Server) -> None:
    owner = become_owner(server)
    dan = come_in(server, owner, "Dan", "dealer")
    olga, dans = account(owner), account(dan)
    for secret, body in [
        ("password", {"password": PASSWORD, "new": NEW}),
        ("pin", {"password": PASSWORD, "pin": "8361"}),
    ]:
        assert owner.post(f"/api/people/{dans}/{secret}", body).status_code == 403
        assert dan.post(f"/api/people/{olga}/{secret}", body).status_code == 403
        wrong = body | {"password": "wrong password!"}
        assert dan.post(f"/api/people/{dans}/{secret}", wrong).status_code == 409
    elsewhere = server.browser()
    assert elsewhere.post("/api/log-in", {"name": "Dan", "password": PASSWORD}).status_code == 200
    assert dan.post(f"/api/people/{dans}/pin", {"password": PASSWORD, "pin": "8361"}).status_code == 200
    assert dan.post(f"/api/people/{dans}/password", {"password": PASSWORD, "new": NEW}).status_code == 200
    assert dan.get("/api/me").json()["name"] == "Dan", "this session goes on under its new token"
    assert elsewhere.get("/api/me").status_code == 401


def test_duties_are_checked_for_every_role_and_without_one(server: Server) -> None:
    """The matrix of duties is tested in tests/tables; this tests that the API applies it."""
    owner = become_owner(server)
    olga = account(owner)
    pages = {role: come_in(server, owner, role, role) for role in ("player", "boxperson", "regulator", "surveillance")}
    pages["visitor"] = server.browser()
    for role, page in pages.items():
        status = 401 if role == "visitor" else 403
        for path, body in [
            ("/api/people", {"name": "Eve"}),
            (f"/api/people/{olga}/roles", {"roles": ["player"]}),
            (f"/api/people/{olga}/disable", {"reason": "mine now"}),
            (f"/api/people/{olga}/enable", {}),
            (f"/api/people/{olga}/invite", {}),
        ]:
            assert page.post(path, body).status_code == status, (role, path)
        seen = 200 if role in {"regulator", "surveillance"} else status
        assert page.get("/api/people").status_code == seen, role
    floor = come_in(server, owner, "Flo", "floorperson")
    assert floor.post("/api/people", {"name": "Dora", "roles": ["player"]}).status_code == 201
    assert floor.post("/api/people", {"name": "Dag", "roles": ["dealer"]}).status_code == 403
    assert floor.post("/api/people", {"name": "Bea", "roles": ["boxperson"]}).status_code == 403
    assert floor.post(f"/api/people/{olga}/disable", {"reason": "mine now"}).status_code == 403
    assert owner.post(f"/api/people/{olga}/roles", {"roles": ["owner", "boxperson"]}).status_code == 403


def test_no_answer_and_no_log_entry_holds_a_hash_or_secret(server: Server) -> None:
    owner = become_owner(server)
    dan = come_in(server, owner, "Dan", "dealer")
    texts = [page.get(path).text for page in (owner, dan) for path in ("/api/me", "/api/people", "/api/people?after=0")]
    texts.append("".join(stored.body.decode() for stored in server.log.read()))
    for text in texts:
        for secret in ("argon2", PASSWORD, f'"{PIN}"', owner.client.cookies["passline"]):
            assert secret not in text
    assert owner.csrf not in texts[-1]


def test_a_name_is_registered_only_once(server: Server) -> None:
    answer = server.page.post("/api/register", {"name": "Pat", "password": PASSWORD})
    assert answer.status_code == 201
    assert answer.json()["roles"] == ["player"]
    taken = server.browser().post("/api/register", {"name": "PAT", "password": PASSWORD})
    assert taken.status_code == 409
    assert taken.json()["refusals"][0]["why"] == "there is already somebody named PAT; choose another"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)
FIELDS = ("name", "password", "pin", "roles", "reason", "new", "extra")
PATHS = (
    "/api/log-in",
    "/api/log-out",
    "/api/register",
    "/api/people",
    "/api/invitations/{}",
    "/api/people/{}/roles",
    "/api/people/{}/password",
    "/api/people/{}/pin",
    "/api/people/{}/disable",
    "/api/people/{}/enable",
    "/api/people/{}/invite",
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=budget(50, in_sweep=150))
@given(
    path=st.sampled_from(PATHS),
    body=JSON | st.dictionaries(st.sampled_from(FIELDS), JSON),
    part=st.sampled_from(["self", "none", "%00", "a" * 300, "%F0%9F%8E%B2"]),
    is_owner=st.booleans(),
)
def test_junk_is_refused_and_never_causes_a_server_error(
    server: Server, path: str, body: object, part: str, *, is_owner: bool
) -> None:
    """Whatever is sent to any route, the answer says what is wrong."""
    welcome = _owner_of(server)
    page = server.browser()
    if is_owner:
        session = server.desk.log_in(name="Olga", password=PASSWORD)
        assert isinstance(session, Welcome)
        page.client.cookies.set("passline", session.token, domain="127.0.0.1")
        page.csrf = session.session.csrf
    answer = page.post(path.format(welcome if part == "self" else part), body)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.json()["refusals"][0]["why"]


def _owner_of(server: Server) -> str:
    found = server.desk.people().account_named("Olga")
    return found.id if found else server.owner().session.account.id


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b'"\\ud800"', b'{"name":"\\ud800","password":"\\ud800"}', b"[" * 50_000, b"1" * 5000],
    ids=["empty", "cut", "no text", "half a character", "half characters", "deep", "long number"],
)
def test_a_body_that_is_not_json_is_refused(server: Server, content: bytes) -> None:
    answer = server.page.client.post(
        "/api/log-in", content=content, headers={"content-type": "application/json", "origin": ADDRESS}
    )
    assert 400 <= answer.status_code < 500
    assert answer.json()["refusals"]


def test_every_route_of_people_is_described_with_its_refusals(server: Server) -> None:
    paths = server.page.get("/openapi.json").json()["paths"]
    for path in PATHS:
        route = paths[path.format("{token}" if "invitations" in path else "{account}")]["post"]
        assert route["summary"]
        assert set(route["responses"]) > {"200"} or "201" in route["responses"]
    log_in = paths["/api/log-in"]["post"]
    assert {"200", "400", "401", "413", "422", "429"} <= set(log_in["responses"])
    schema = log_in["requestBody"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/LogInBody"}


def test_with_two_owners_a_role_that_signs_takes_both_of_them(server: Server) -> None:
    """Attack: one owner makes a boxperson, or a link to a boxperson's account, to sign their own requests."""
    owner = become_owner(server)
    bea, dan = come_in(server, owner, "Bea", "boxperson"), come_in(server, owner, "Dan", "dealer")
    come_in(server, owner, "Oskar", "owner")
    acts: dict[str, dict[str, Any]] = {
        "/api/people": {"name": "Max", "roles": ["boxperson"]},
        f"/api/people/{account(bea)}/invite": {},
        f"/api/people/{account(dan)}/roles": {"roles": ["dealer", "floorperson"]},
        "/api/dual-control": {"is_on": False},
    }
    for path, body in acts.items():
        for sign_off in ({}, {"sign_off": {"name": "Bea", "pin": PIN}}, {"sign_off": {"name": "Oskar", "pin": "0000"}}):
            assert owner.post(path, {**body, **sign_off}).status_code == 403, (path, sign_off)
    assert owner.get("/api/people").json()["two_owners"] == {
        "is_needed": True,
        "is_elected": True,
        "alone_until": "",
        "password_days": 0,
        "retention_years": 0,
        "second_factor": "",
        "broken": [],
    }
    for path, body in acts.items():
        answer = owner.post(path, {**body, "sign_off": {"name": "Oskar", "pin": PIN}})
        assert answer.is_success, answer.text
    assert owner.get("/api/people").json()["two_owners"]["is_needed"] is False
    assert [*decision_faults(server.log.read())] == []


def test_two_owners_choose_how_long_records_are_kept_and_verify_names_both(server: Server) -> None:
    """Attack: one owner shortens it alone, or with a signature that is no owner's."""
    owner = become_owner(server)
    come_in(server, owner, "Bea", "boxperson")
    come_in(server, owner, "Oskar", "owner")
    for sign_off in ({}, {"sign_off": {"name": "Bea", "pin": PIN}}, {"sign_off": {"name": "Olga", "pin": PIN}}):
        assert owner.post("/api/retention", {"years": 5, **sign_off}).status_code == 403, sign_off
    signed = {"sign_off": {"name": "Oskar", "pin": PIN}}
    for years, status in ((4, 409), (101, 422), (5, 200), (5, 409)):
        assert owner.post("/api/retention", {"years": years, **signed}).status_code == status, years
    assert owner.get("/api/people").json()["two_owners"]["retention_years"] == 5
    reader = AuthorityReader()
    lines = [line for stored in server.log.read() for line in reader.lines_of(stored.entry) if line.kind == "setting"]
    assert [(line.what, line.by, line.signed_by) for line in lines] == [
        ("records are kept for 5 years", "Olga", "Oskar")
    ]
    assert [*decision_faults(server.log.read())] == []


def test_an_account_is_enabled_and_a_link_made_without_a_body(server: Server) -> None:
    owner = become_owner(server)
    dan = come_in(server, owner, "Dan", "dealer")
    headers = {"origin": ADDRESS, "x-csrf": owner.csrf}
    assert owner.client.post(f"/api/people/{account(dan)}/invite", headers=headers).status_code == 201


@pytest.mark.parametrize("name", ["Ann\u202eb", "An\u200bn", "Ann\u3164", "\u041elga", "A\u034fnn"])
def test_a_name_shows_what_it_is(server: Server, name: str) -> None:
    """Attack: a name that looks like somebody else's, for a player, an employee and a table."""
    owner = become_owner(server)
    assert owner.post("/api/register", {"name": name, "password": PASSWORD}).status_code == 409
    assert owner.post("/api/people", {"name": name, "roles": ["dealer"]}).status_code == 409
    table = {"name": name, "house": {"rules": "maryland"}}
    assert owner.post("/api/tables", table).status_code == 422


def test_refused_requests_are_in_the_log(server: Server) -> None:
    owner = become_owner(server)
    dan = come_in(server, owner, "Dan", "dealer")
    assert dan.get("/api/people").status_code == 403
    assert dan.post("/api/people", {"name": "Max", "roles": ["owner"]}).status_code == 403
    server.desk.record_incidents(at_once=True)
    text = b"".join(stored.body for stored in server.log.read()).decode()
    for what in ("request", "create-account"):
        assert f'{{"what":"{what}","account":"{account(dan)}","address":"testclient","count":1}}' in text
