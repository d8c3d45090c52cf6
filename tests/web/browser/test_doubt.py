"""What the pages do while it is not known what became of a command: they ask, and nothing is done twice."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.web.browser.player import area, seated

pytestmark = pytest.mark.long

Server = Callable[..., str]
ASKING = "Asking whether your last command was done"
FIELD = '"wager":"field"'


class Between:
    """Sits between a page and its server, which it makes doubtful of wagers."""

    def __init__(self, *, reaches: bool) -> None:
        self._reaches = reaches  # whether the wager reaches the server
        self.is_doubtful = True
        self.wagers: list[str] = []  # the ids
        self.asked: list[str] = []

    def stand(self, page: Page) -> None:
        page.route_web_socket(re.compile("/live"), self._serve)

    def _serve(self, route: WebSocketRoute) -> None:
        upstream = route.connect_to_server()

        def to_server(message: str | bytes) -> None:
            said = json.loads(message)
            if said.get("ask") == "outcome":
                self.asked.append(said["id"])
                if self.is_doubtful:
                    route.send(json.dumps({"kind": "in-doubt", "id": said["id"], "why": "not known"}))
                    return
            if FIELD in str(message).replace(" ", ""):
                self.wagers.append(said["id"])
                if self._reaches:
                    upstream.send(message)
                route.send(json.dumps({"kind": "in-doubt", "id": said["id"], "why": "not known"}))
                return
            upstream.send(message)

        def to_page(message: str | bytes) -> None:
            if not (self.is_doubtful and json.loads(message)["kind"] == "done"):
                route.send(message)

        route.on_message(to_server)
        upstream.on_message(to_page)


def opened(browser: Browser, server: Server, *, reaches: bool) -> tuple[Page, Between]:
    between = Between(reaches=reaches)
    return seated(browser, server(), between.stand), between


@pytest.mark.whole
def test_a_second_click_in_doubt_does_not_double_the_wager(browser: Browser, server: Server) -> None:
    page, between = opened(browser, server, reaches=True)
    area(page, "field").click()
    expect(page.locator("#connection")).to_have_text(ASKING)
    area(page, "field").click()
    expect(page.get_by_role("alert").filter(has_text="not known yet whether your last command")).to_be_visible()
    assert len(between.wagers) == 1
    between.is_doubtful = False
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    expect(page.locator("#rack")).to_have_text("$995")
    assert set(between.asked) == set(between.wagers)  # under the id of the wager, and no other
    area(page, "pass").click()  # what follows is sent again
    expect(area(page, "pass")).to_have_attribute("aria-label", re.compile(r"\$5 up"))


@pytest.mark.parametrize(
    ("reaches", "said", "rack"),
    [pytest.param(True, "was done", "$995", marks=pytest.mark.sweep), (False, "was not done", "$1,000")],
)
@pytest.mark.whole
def test_a_page_loaded_again_asks_what_became_of_its_command(
    browser: Browser, server: Server, *, reaches: bool, said: str, rack: str
) -> None:
    page, between = opened(browser, server, reaches=reaches)
    area(page, "field").click()
    expect(page.locator("#connection")).to_have_text(ASKING)
    page.reload()
    expect(page.locator("#connection")).to_have_text(ASKING)
    assert set(between.asked) == set(between.wagers)
    between.is_doubtful = False
    expect(page.locator("#connection")).to_have_text(f"Your last command {said}")
    expect(page.locator("#rack")).to_have_text(rack)
    assert len(between.wagers) == 1  # it was asked after, never sent again
    page.reload()
    expect(page.locator("#connection")).to_have_text("Connected")  # it is known now, and not asked again
