"""A browser for the tests of pages, and servers whose dice the tests choose."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.external_programs import program_path
from tests.web.browser.scripted_server import Script, scripted_server

expect.set_options(timeout=15_000)  # on a machine that other tests keep busy


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return the browser of a file's tests; beside it nothing may run an event loop in this thread."""
    chromium = program_path("chromium-headless-shell", "chromium", package="chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def server(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return a function that starts servers with loaded dice; they end with the test, after their pages."""
    with ExitStack() as running, _pages_closed(browser):
        yield lambda **wanted: running.enter_context(scripted_server(Script(data=str(tmp_path), **wanted)))


@contextmanager
def _pages_closed(browser: Browser) -> Iterator[None]:
    """Close what is opened in the block: an open page goes on asking its server, and drawing."""
    before = set(browser.contexts)
    yield
    for context in set(browser.contexts) - before:
        context.close()
