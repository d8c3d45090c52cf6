"""A browser for the tests of pages, and servers whose dice the tests choose."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.external_programs import program_path
from tests.web.browser import axe
from tests.web.browser.player import EXPECT_MS
from tests.web.browser.scripted_server import Script, scripted_server
from tests.web.browser.shelf import SHELF

expect.set_options(timeout=EXPECT_MS)
_port = {"last": 0}  # of this worker's servers with loaded dice: any at first, then the same


def pytest_configure(config: pytest.Config) -> None:
    axe.IS_SWEEP = "not sweep" not in config.getoption("markexpr")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of all tests of a worker.

    Playwright waits in an event loop that stays on the stack of this thread. It counts as running only while a test
    uses the browser, so that others can run loops of their own.
    """
    path = program_path("chromium-headless-shell", "chromium", package="chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        still = partial(browser.new_context, reduced_motion="reduce")  # nothing moves unless a test wants to see it
        browser.new_context = still  # type: ignore[method-assign]
        with _loop_counts_as_running(None):
            yield browser
        browser.close()


@contextmanager
def _loop_counts_as_running(loop: asyncio.AbstractEventLoop | None) -> Iterator[None]:
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


@pytest.fixture(scope="module")
def browser(chromium: Browser) -> Iterator[Browser]:
    """Return the browser for the tests of a file; what they leave open is closed after them."""
    with _loop_counts_as_running(chromium._loop):
        before = set(chromium.contexts)
        yield chromium
        SHELF.clear()
        for context in set(chromium.contexts) - before:
            context.close()


@pytest.fixture(autouse=True)
def _pages_put_away(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the pages that a test opened: they would go on asking their server for news, and drawing it."""
    if "browser" not in request.fixturenames:
        yield
        return
    browser: Browser = request.getfixturevalue("browser")
    before = {page for context in browser.contexts for page in context.pages}
    yield
    kept = SHELF.take_back()
    for page in [page for context in browser.contexts for page in context.pages]:
        if page not in before | kept:
            page.close()


@pytest.fixture
def server(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return a function that starts servers with loaded dice; they end with the test, after their pages.

    Those of a worker have one address, so that a page which tests share has the scripts already.
    """
    before = set(browser.contexts)
    with ExitStack() as running:

        def start(**wanted: Any) -> str:  # noqa: ANN401 - whatever a script has
            address = running.enter_context(scripted_server(Script(data=str(tmp_path), port=_port["last"], **wanted)))
            _port["last"] = int(address.rpartition(":")[2])
            return address

        yield start
        for context in set(browser.contexts) - before - {page.context for page in SHELF.take_back()}:
            context.close()
