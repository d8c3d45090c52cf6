"""A player's page whose connection is lost: nothing is lost or doubled, and it is not asked for without end."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.web.browser.player import area, context, seated, up
from tests.web.browser.scripted_server import Script, scripted_server

pytestmark = pytest.mark.long


Server = Callable[..., str]


@pytest.fixture(scope="module")
def lobby(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of a server on which the parts of other pages can run."""
    with scripted_server(Script(data=str(tmp_path_factory.mktemp("data")))) as address:
        page = context(browser).new_page()
        page.goto(address)
        yield page
        page.context.close()


@pytest.mark.whole
def test_nothing_is_lost_or_doubled_when_the_network_drops(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    field = area(page, "field")
    field.click()
    expect(up(page, "field")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_have_text("This device is offline")
    field.click()
    expect(page.get_by_role("alert").filter(has_text="nothing was sent")).to_be_visible()
    page.keyboard.press("Escape")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    field.click()
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    expect(page.locator("#rack")).to_have_text("$990")


def test_a_command_whose_answer_was_lost_is_sent_again_and_acts_once(browser: Browser, server: Server) -> None:
    sent: list[str] = []
    routes: list[WebSocketRoute] = []

    def between(route: WebSocketRoute) -> None:
        """Pass the first command on to the server, and drop the connection before its answer."""
        upstream = route.connect_to_server()
        is_cut = False

        def to_server(message: str | bytes) -> None:
            nonlocal is_cut
            upstream.send(message)
            if '"make-wager"' in str(message):
                sent.append(str(message))
                is_cut = len(sent) == 1

        def to_page(message: str | bytes) -> None:
            if not is_cut:
                route.send(message)
            elif '"done"' in str(message):
                route.close(code=1012)

        route.on_message(to_server)
        upstream.on_message(to_page)
        routes.append(route)

    page = seated(browser, server(), lambda page: page.route_web_socket(re.compile("/live"), between))
    area(page, "field").click()
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    expect(page.locator(".stage.busy")).to_have_count(0)
    assert len(routes) == 2
    assert len(sent) == 2
    assert json.loads(sent[0]) | {"again": True} == json.loads(sent[1])  # the same id
    expect(page.locator("#rack")).to_have_text("$995")
    expect(page.locator("#undo")).to_be_enabled()  # the answer came in the end


@pytest.mark.parametrize(("status", "tries"), [(401, 1), (403, 1), (404, 1), (503, 10), (0, 10)])
def test_notices_are_asked_for_less_and_less_often_and_not_at_all_once_refused(
    lobby: Page, status: int, tries: int
) -> None:
    """0: the connection is lost. The tenth answer has what was asked for."""
    waits = lobby.evaluate(
        """async (status) => {
          document.querySelector('meta[name="account"]').content = "ann";
          const { Notices } = await import("/static/table/notices.js");
          const [waits, soon, real] = [[], setTimeout, fetch];
          window.setTimeout = (then, ms) => { waits.push(ms); return soon(then, 0); };
          window.fetch = async () => {
            if (waits.length === 9) return new Response('{"notices": [], "as_of": 7}');
            if (!status) throw new TypeError("lost");
            return new Response("{}", { status });
          };
          await new Notices({ host: document.createElement("div"), table: "table-1" }).ask(7);
          [window.setTimeout, window.fetch] = [soon, real];
          return waits;
        }""",
        status,
    )
    assert waits == [400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000][: tries - 1]
