"""Log-in by a real identity provider: once, in the roles of one's groups, and not when a check fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from passline.people import commands as c
from passline.people.credentials import SignOff
from passline.people.password_change import BY_PROVIDER
from passline.people.provider.desk import CHECK_SECONDS, ProviderDesk
from passline.people.sessions import Link, Welcome
from passline.refusal import Refused
from passline.store.timestamps import utc_now
from passline.streams.course import Answer
from passline.tables.verify import decision_faults
from tests.people.house import NEW, PASSWORD, PIN, WRONG
from tests.people.provider.node_provider import CLIENT, SECRET, IdentityProvider, identity_provider, person
from tests.web.server import ADDRESS, Browser, Server

pytestmark = pytest.mark.long

RETURN = f"{ADDRESS}/log-in/provider/return"
ROLES = (("dealers", "dealer"), ("box", "boxperson"), ("pit", "floorperson"))
SECOND = SignOff("Otto", PIN)


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    with identity_provider(RETURN) as running:
        yield running


@pytest.fixture
def server(provider: IdentityProvider) -> Iterator[Server]:
    """A house with two owners that has people log in by the provider, where Dana is a dealer."""
    provider.order(people={"dana": person("Dana", "dealers", "golf"), "guest": person("Guy", "golf")}, forge="")
    made = Server()
    made.clock.now = utc_now()
    made.services.provider = ProviderDesk(made.desk, made.log, made.clock, secret=SECRET)
    with made.page.client:
        olga = made.owner().session.account.id
        made.hire("Otto", "owner", by=olga)
        elected = c.ElectProvider(issuer=provider.issuer, client=CLIENT, roles=ROLES)
        assert isinstance(made.desk.do(elected, by=olga, sign_off=SECOND), Answer)
        yield made


def _begun(browser: Browser) -> str:
    answer = browser.client.get("/log-in/provider", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def _log_in(server: Server, provider: IdentityProvider, who: str) -> tuple[Browser, str]:
    """Return a browser in which somebody has logged in by the provider, and what the page says."""
    browser = server.browser()
    brought = provider.log_in(_begun(browser), who)
    return browser, browser.client.get(RETURN, params=brought).text


def _me(browser: Browser) -> dict[str, object]:
    told: dict[str, object] = browser.get("/api/me").json()
    return told


def test_somebody_logs_in_with_the_roles_of_their_groups_and_no_others(
    server: Server, provider: IdentityProvider
) -> None:
    browser, page = _log_in(server, provider, "dana")
    assert "Welcome, Dana" in page
    assert (_me(browser)["name"], _me(browser)["roles"]) == ("Dana", ["dealer"])
    assert "none of your groups" in _log_in(server, provider, "guest")[1].lower()
    provider.order(people={"dana": person("Dana", "box")})
    again, _ = _log_in(server, provider, "dana")
    assert (_me(again)["account"], _me(again)["roles"]) == (_me(browser)["account"], ["boxperson"])
    account = str(_me(again)["account"])
    by_hand = server.desk.do(c.ChangeRoles(account=account, grant=("owner",)), by=_olga(server), sign_off=SECOND)
    assert isinstance(by_hand, Refused)
    assert list(decision_faults(server.log.read())) == []


def test_what_a_browser_brings_back_counts_once_and_in_that_browser(server: Server, provider: IdentityProvider) -> None:
    browser, other = server.browser(), server.browser()
    brought = provider.log_in(_begun(browser), "dana")
    _begun(other)
    assert other.client.get(RETURN, params=brought).status_code == 403  # and the log-in is over
    assert browser.client.get(RETURN, params=brought).status_code == 403
    brought = provider.log_in(_begun(browser), "dana")
    assert browser.client.get(RETURN, params=brought).status_code == 200
    assert browser.client.get(RETURN, params=brought).status_code == 403
    state = str(browser.client.get("/log-in/provider", follow_redirects=False).headers["location"])
    fresh = state.split("state=")[1].split("&", maxsplit=1)[0]
    replayed = browser.client.get(RETURN, params={**brought, "state": fresh})  # a used code under a new state
    assert replayed.status_code == 403
    assert "does not vouch" in replayed.text


def test_a_token_with_anything_wrong_is_refused(server: Server, provider: IdentityProvider) -> None:
    for wrong in ("unsigned", "audience", "issuer", "nonce", "expired", "key"):
        provider.order(forge=wrong)
        browser, page = _log_in(server, provider, "dana")
        assert "id token is not valid" in page, wrong
        assert browser.get("/api/me").status_code == 401, wrong
    assert server.desk.people().account_named("Dana") is None


def test_a_provider_may_replace_its_keys(server: Server, provider: IdentityProvider) -> None:
    assert "Welcome" in _log_in(server, provider, "dana")[1]
    provider.order(keys="new")
    assert "Welcome" in _log_in(server, provider, "dana")[1]


def test_without_the_provider_passwords_count_and_whoever_is_in_stays_in(
    server: Server, provider: IdentityProvider
) -> None:
    browser, _ = _log_in(server, provider, "dana")
    dana = str(_me(browser)["account"])
    link = server.desk.invite(by=_olga(server), account=dana, sign_off=SECOND)
    assert isinstance(link, Link)
    server.desk.accept_invitation(link.token, name="", password=NEW, pin=PIN)
    by_password = {"name": "Dana", "password": NEW}
    refused = server.browser().post("/api/log-in", by_password)
    assert (refused.status_code, refused.json()["refusals"][0]["why"]) == (401, BY_PROVIDER)
    browser, _ = _log_in(server, provider, "dana")
    provider.stop()
    try:
        server.services.provider = ProviderDesk(server.desk, server.log, server.clock, secret=SECRET)
        server.clock.move(CHECK_SECONDS)
        assert server.services.provider.check() == []
        assert _me(browser)["name"] == "Dana"
        away = server.browser().client.get("/log-in/provider", follow_redirects=False)
        assert away.status_code == 403
        assert "whoever has a password here logs in with name and password" in away.text
        assert server.browser().post("/api/log-in", {**by_password, "password": WRONG}).status_code == 401
        assert server.browser().post("/api/log-in", by_password).status_code == 200
    finally:
        provider.start()


def test_whoever_is_removed_there_is_out_at_the_next_look_and_here_at_once(
    server: Server, provider: IdentityProvider
) -> None:
    browser, _ = _log_in(server, provider, "dana")
    dana = str(_me(browser)["account"])
    desk, ask = server.desk, server.services.provider
    server.clock.move(CHECK_SECONDS)
    assert ask.check() == []  # still there
    provider.order(people={"dana": person("Dana", "box")})
    server.clock.move(CHECK_SECONDS)
    assert ask.check() == []
    assert _me(browser)["roles"] == ["boxperson"]  # other groups: other roles at once
    provider.order(people={})
    assert ask.check() == []  # not yet due
    server.clock.move(CHECK_SECONDS)
    assert ask.check() == [dana]
    assert browser.get("/api/me").status_code == 401
    assert desk.people().accounts[dana].is_disabled
    provider.order(people={"dana": person("Dana", "dealers")})
    back, _ = _log_in(server, provider, "dana")
    assert _me(back)["roles"] == ["dealer"]
    desk.do(c.DisableAccount(account=dana, reason="left"), by=_olga(server))
    assert back.get("/api/me").status_code == 401
    assert "is disabled" in _log_in(server, provider, "dana")[1]


def test_two_owners_choose_the_provider_and_no_group_makes_an_owner(server: Server, provider: IdentityProvider) -> None:
    olga = server.desk.log_in(name="Olga", password=PASSWORD)
    assert isinstance(olga, Welcome)
    page = server.browser()
    page.client.cookies.set("passline", olga.token, domain="127.0.0.1")
    page.csrf = olga.session.csrf
    asked = {"issuer": "https://id.example", "client": "craps", "roles": [{"group": "g", "role": "dealer"}]}
    assert page.post("/api/provider", asked).status_code == 403
    signed = {"sign_off": {"name": "Otto", "pin": PIN}}
    owner = page.post("/api/provider", {**asked, "roles": [{"group": "g", "role": "owner"}], **signed})
    assert "no group makes an owner" in owner.json()["refusals"][0]["why"]
    plain = page.post("/api/provider", {**asked, "issuer": "http://id.example", **signed})
    assert "is not an https address" in plain.json()["refusals"][0]["why"]
    assert page.post("/api/provider", {**asked, **signed}).json()["roles"] == asked["roles"]
    assert page.get("/api/provider").json()["issuer"] == "https://id.example"
    assert page.post("/api/provider", {"issuer": "", **signed}).json()["roles"] == []
    assert server.browser().client.get("/log-in/provider").status_code == 403
    assert provider.issuer


def _olga(server: Server) -> str:
    known = server.desk.people().account_named("Olga")
    assert known is not None
    return known.id


def _linked(server: Server, account: str, subject: str, sign_off: SignOff | None = SECOND) -> object:
    command = c.LinkAccount(account=account, subject=subject) if subject else c.UnlinkAccount(account=account)
    return server.desk.do(command, by=_olga(server), sign_off=sign_off)


def test_an_account_with_a_password_becomes_somebody_of_the_provider_by_two_owners_and_nobody_again(
    server: Server, provider: IdentityProvider
) -> None:
    dee = server.hire("Dee", "dealer", by=_olga(server), sign_off=SECOND).session.account.id
    by_password = {"name": "Dee", "password": PASSWORD}
    browser = server.browser()
    assert browser.post("/api/log-in", by_password).status_code == 200
    assert isinstance(_linked(server, dee, "dana", sign_off=None), Refused), "one owner alone"
    assert isinstance(_linked(server, dee, "dana"), Answer)
    assert browser.get("/api/me").status_code == 401, "what began with a password is over"
    assert server.browser().post("/api/log-in", by_password).json()["refusals"][0]["why"] == BY_PROVIDER
    provider.order(people={"dana": person("Dana", "box")})
    came, page = _log_in(server, provider, "dana")
    assert "Welcome, Dee" in page, "the account keeps its name"
    assert (_me(came)["account"], _me(came)["roles"]) == (dee, ["boxperson"]), "and has the roles of the groups"
    assert isinstance(_linked(server, dee, ""), Answer)
    assert came.get("/api/me").status_code == 401
    assert server.browser().post("/api/log-in", by_password).status_code == 200
    told = b"".join(stored.body for stored in server.log.read_stream("people"))
    assert b'"account-linked/1"' in told
    assert b'"account-unlinked/1"' in told
    assert list(decision_faults(server.log.read())) == []


def test_nobody_is_linked_twice_and_no_owner_is(server: Server) -> None:
    olga = _olga(server)
    dee, bea = (server.hire(name, "dealer", by=olga, sign_off=SECOND).session.account.id for name in ("Dee", "Bea"))
    otto = next(account.id for account in server.desk.people().owners() if account.name == "Otto")
    assert isinstance(_linked(server, dee, "dana"), Answer)
    for account, subject, why in (
        (bea, "dana", "is Dee here: one person has one account"),
        (dee, "guest", "already: unlink the account first"),
        (otto, "guest", "is an owner, and no group makes one"),
        (olga, "guest", "their own account"),
        (bea, "x" * 256, "1 to 255 printable characters"),
        (bea, "", "there is nothing to unlink"),
    ):
        assert why in str(_linked(server, account, subject)), why
    by_hand = server.desk.do(c.LinkAccount(account=bea, subject="guest"), by=dee, sign_off=SECOND)
    assert isinstance(by_hand, Refused), "a dealer says nothing of the kind"
