"""Electronic dice on the page: the shooter's nonce, closed wagers, and the proof that every page makes for itself."""

import json
import re
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from passline.provable_dice import provable_roll
from passline.web.pages.static_files import STATIC
from tests.dice_vectors import published
from tests.web.browser.player import area, context, seated, shoot, spectating, up

Server = Callable[..., str]


def _between(
    page: Page,
    *,
    to_server: Callable[[dict[str, Any]], bool] = lambda _message: True,
    to_page: Callable[[dict[str, Any]], bool] = lambda _message: True,
) -> None:
    """Put somebody on the line of a page, who reads, changes and drops messages (by returning False)."""

    def between(route: WebSocketRoute) -> None:
        upstream = route.connect_to_server()

        def pass_on(send: Callable[[str], None], judge: Callable[[dict[str, Any]], bool]) -> Callable[[Any], None]:
            def hear(text: str | bytes) -> None:
                message = json.loads(text)
                if judge(message):
                    send(json.dumps(message))

            return hear

        route.on_message(pass_on(upstream.send, to_server))
        upstream.on_message(pass_on(route.send, to_page))

    page.route_web_socket(re.compile("/live"), between)


def _view(page: Page) -> dict[str, Any]:
    shown: dict[str, Any] = page.evaluate("fetch('/api/tables/table-1').then((answer) => answer.json())")["table"]
    return shown


def _mark(page: Page) -> Any:  # noqa: ANN401 - a Locator
    return page.locator(".proof-mark")


def test_the_browser_throws_the_published_vectors(browser: Browser) -> None:
    page = context(browser).new_page()

    def serve(route: Route) -> None:
        path = STATIC / route.request.url.partition("/static/")[2]
        is_script = path.suffix == ".js"
        route.fulfill(
            body=path.read_text(encoding="utf-8") if is_script else "<!doctype html><title>vectors</title>",
            content_type="text/javascript" if is_script else "text/html",
        )

    page.route("http://vectors.test/**", serve)  # without TLS, where crypto.subtle is missing
    page.goto("http://vectors.test/static/")
    assert page.evaluate("typeof crypto.subtle") == "undefined"
    thrown = page.evaluate(
        """async (vectors) => {
          const { provableRoll, digestOf } = await import("/static/table/proof.js");
          const { fromHex } = await import("/static/sha256.js");
          return vectors.map((one) =>
            [digestOf(one.key), provableRoll(fromHex(one.key), fromHex(one.closing), fromHex(one.nonce)).join("-")]);
        }""",
        msgspec.to_builtins(published()),
    )
    assert thrown == [[vector.digest, vector.roll] for vector in published()]
    page.context.close()


def test_the_nonce_is_sent_after_the_closing_and_every_page_proves_the_roll(browser: Browser, server: Server) -> None:
    address = server(dice=())
    said: list[str] = []
    digest = ""

    def to_server(message: dict[str, Any]) -> bool:
        nonlocal digest
        if "nonce" in message:
            said.append("nonce")
            assert sha256(bytes.fromhex(message["nonce"])).hexdigest() == digest
        elif message.get("command", {}).get("command") == "roll":
            said.append("roll")
            digest = message["command"]["nonce_digest"]
        return True

    def to_page(message: dict[str, Any]) -> bool:
        if message["kind"] == "done" and said == ["roll"]:
            said.append("done")
        return True

    page = seated(browser, address, partial(_between, to_server=to_server, to_page=to_page))
    watching = spectating(browser, address)
    shoot(page)
    page.locator("#roll").click()
    for one in (page, watching):
        expect(_mark(one)).to_have_text("Roll proved (details)")
        expect(_mark(one)).to_have_attribute("title", re.compile("fixed before wagers closed"))
        expect(one.locator(".unproved")).to_be_hidden()
    assert said[:3] == ["roll", "done", "nonce"]
    view = _view(page)
    proof = view["proof"]
    key, closing, nonce = (bytes.fromhex(proof[part]) for part in ("key", "hash", "nonce"))
    assert len(nonce) == 32
    roll = provable_roll(key, closing=closing, nonce=nonce)
    assert [roll.first, roll.second] == view["faces"]
    _mark(watching).click()  # the details, with the focus on them
    expect(watching.locator(".proof-panel summary")).to_be_focused()
    for part in ("key", "hash", "nonce"):
        expect(watching.locator(".proof-panel")).to_contain_text(proof[part])
    expect(watching.locator(".proof-panel")).to_contain_text(view["commitment"]["digest"])
    assert page.evaluate("sessionStorage.getItem('passline throw table-1')") is None


@pytest.mark.whole
def test_while_the_dice_are_out_everything_is_closed_and_a_late_nonce_is_told(browser: Browser, server: Server) -> None:
    without_nonce = partial(_between, to_server=lambda message: "nonce" not in message)  # it never arrives
    page = seated(browser, server(dice=()), without_nonce, reduced_motion="no-preference")
    shoot(page)
    page.locator("#roll").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#out")).to_have_text("Dice are out: wagers are closed")
    expect(page.locator("#dice")).to_have_class(re.compile("tumbling"))
    for name in ("roll", "undo", "clear", "repeat", "odds", "dispute", "buy-in", "leave"):
        expect(page.locator(f"#{name}")).to_be_disabled()
    for button in page.locator("#chosen button:not(.close)").all():
        expect(button).to_be_disabled()
    expect(area(page, "field")).to_have_class(re.compile(r"\bclosed\b"))
    area(page, "field").click()
    expect(page.locator("#refused")).to_contain_text("Dice are out: wagers are closed")
    expect(_mark(page)).to_have_attribute("data-state", "part")
    expect(_mark(page)).to_have_attribute("title", re.compile("nonce did not come in time.*this page sent its nonce"))
    expect(page.locator("#out")).to_have_text("")
    expect(page.locator("#dispute")).to_be_enabled()
    assert _view(page)["proof"]["nonce"] == ""
    expect(up(page, "field")).to_have_count(0)


@pytest.mark.whole
def test_a_page_loaded_again_while_the_dice_are_out_still_sends_its_nonce(browser: Browser, server: Server) -> None:
    is_lost = True

    def to_page(message: dict[str, Any]) -> bool:
        nonlocal is_lost
        is_roll = message["kind"] == "done" and "dice are out" in json.dumps(message).lower()
        return not (is_lost and (is_roll or "closing" in message.get("changed", {})))

    page = seated(browser, server(dice=()), partial(_between, to_page=to_page))
    shoot(page)
    page.locator("#roll").click()
    page.wait_for_function("sessionStorage.getItem('passline throw table-1') !== null")
    is_lost = False
    page.reload()
    expect(_mark(page)).to_have_text(re.compile("Roll proved|Proved from the key"))
    assert len(_view(page)["proof"]["nonce"]) == 64
    expect(page.locator(".unproved")).to_be_hidden()


def _other(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def _forge_faces(changed: dict[str, Any]) -> None:
    changed["faces"] = [1 + changed["faces"][0] % 6, changed["faces"][1]]


def _forge(part: str) -> Callable[[dict[str, Any]], None]:
    def forge(changed: dict[str, Any]) -> None:
        changed["proof"][part] = _other(changed["proof"][part])

    return forge


FORGERIES = {
    "other dice": (_forge_faces, "The dice show"),
    "another key": (_forge("key"), "The key is not the one whose digest this page saw"),
    "another closing entry": (_forge("hash"), "The hash is not the one that this page was told"),
    "another nonce": (_forge("nonce"), "The nonce is not the one that this page made"),
    "no key": (lambda changed: changed["proof"].update(key=""), "is missing or damaged"),
    "another closing": (lambda changed: changed["proof"].update(closing=1), "another closing of wagers"),
}


SOME = ("other dice",)  # `tests/web/scripts/proof.test.js` has all of them without a page


@pytest.mark.parametrize(
    "forgery", [pytest.param(name, marks=[] if name in SOME else pytest.mark.sweep) for name in FORGERIES]
)
@pytest.mark.whole
def test_a_roll_that_does_not_hold_is_told_loudly_and_stays(browser: Browser, server: Server, forgery: str) -> None:
    forge, why = FORGERIES[forgery]

    def to_page(message: dict[str, Any]) -> bool:
        changed = message.get("changed", {})
        if changed.get("proof", {}).get("number") == 1:
            forge(changed)
        return True

    page = seated(browser, server(dice=()), partial(_between, to_page=to_page))
    shoot(page)
    page.locator("#roll").click()
    alarm = page.get_by_role("alert").filter(has_text="This roll is not proved")
    expect(alarm).to_contain_text(why)
    expect(_mark(page)).to_have_text("Not proved (details)")
    if _view(page)["phase"] == "come_out":
        area(page, "pass").click()
    page.locator("#roll").click()
    expect(_mark(page)).to_have_text("Roll proved (details)")
    expect(alarm).to_be_visible()  # also when the next one holds
    alarm.get_by_role("button", name="Dispute").click()
    expect(page.get_by_role("dialog")).to_contain_text("The table stops until a supervisor decides")


@pytest.mark.sweep  # as a roll that does not hold; `tests/web/scripts/proof.test.js` has it without a page
def test_a_digest_that_is_replaced_before_the_roll_is_told(browser: Browser, server: Server) -> None:
    def to_page(message: dict[str, Any]) -> bool:
        if message.get("kind") == "news" and "closing" in message["changed"] and message["changed"]["closing"]:
            message["changed"]["commitment"] = {"number": 1, "digest": "0" * 64}
        return True

    page = seated(browser, server(dice=()), partial(_between, to_page=to_page))
    shoot(page)
    page.locator("#roll").click()
    expect(page.get_by_role("alert").filter(has_text="not proved")).to_contain_text("The digest of key 1 was replaced")


@pytest.mark.whole
def test_a_page_that_came_later_says_what_it_did_not_see(browser: Browser, server: Server) -> None:
    address = server(dice=())
    page = seated(browser, address)
    shoot(page)
    page.locator("#roll").click()
    expect(_mark(page)).to_have_text("Roll proved (details)")
    watching = spectating(browser, address)
    expect(_mark(watching)).to_have_text("Proved from the key (details)")
    expect(_mark(watching)).to_have_attribute("title", re.compile("did not see the digest of its key"))
    page.reload()  # the same tab remembers nothing of a roll that has landed, and says so
    expect(_mark(page)).to_have_text("Proved from the key (details)")
