"""A browser for the tests of pages, and servers whose dice the tests choose."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.external_programs import program_path
from tests.web.browser.scripted_server import Script, scripted_server

expect.set_options(timeout=15_000)  # on a machine that other tests keep busy


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = program_path("chromium-headless-shell", "chromium", package="chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return a function that starts servers with loaded dice; they end with the test."""
    with ExitStack() as running:
        yield lambda **wanted: running.enter_context(scripted_server(Script(data=str(tmp_path), **wanted)))
