"""People at browsers, each logged in at one of their own, who open pages of a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Self

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from passline.client import Client
from passline.people.sessions import Welcome
from tests.people.house import PASSWORD
from tests.web.browser.served_app import served_app
from tests.web.browser.shelf import SHELF
from tests.web.server import Server

DESKTOP = {"width": 1280, "height": 900}


class Visitors:
    """People with their sessions at a server. Somebody's pages are all in one browser, which keeps what it loads."""

    def __init__(self, browser: Browser, address: str = "", tokens: Mapping[str, str] | None = None) -> None:
        self.browser, self.address = browser, address
        self.tokens = dict(tokens or {})
        self._contexts: dict[str, BrowserContext] = {}
        self._clients: dict[str, Client] = {}

    def token(self, name: str) -> str:
        """Return somebody's session; without one they are strangers."""
        return self.tokens.get(name, "")

    def tab(self, name: str, size: dict[str, int] = DESKTOP) -> Page:
        """Open a new, empty tab of somebody's browser; a script that fails there fails the test."""
        if name not in self._contexts:
            self._contexts[name] = self.browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
            self._contexts[name].on("weberror", lambda error: pytest.fail(str(error.error)))
        context = self._contexts[name]
        if token := self.token(name):
            context.add_cookies([{"name": "passline", "value": token, "url": self.address}])
        page = SHELF.tab(context)
        page.set_viewport_size(size)  # type: ignore[arg-type]
        return page

    def open(self, name: str, path: str = "", size: dict[str, int] = DESKTOP) -> Page:
        """Open a page, or an address elsewhere, in a new tab of somebody's browser."""
        page = self.tab(name, size)
        page.goto(path if path.startswith("http") else self.address + path)
        return page

    def client(self, name: str) -> Client:
        """Return somebody's own program, in the same session."""
        if name not in self._clients:
            self._clients[name] = Client(self.address)
        self._clients[name].token = self.token(name)
        return self._clients[name]

    def close(self) -> None:
        """Close browsers and programs."""
        for client in self._clients.values():
            client.close()
        for context in self._contexts.values():
            context.close()


class Staff(Visitors):
    """The owner Olga and those she hired, at a server of this process, whose clock the test moves."""

    def __init__(self, browser: Browser, roles: Mapping[str, str]) -> None:
        super().__init__(browser)
        self.server = Server()
        olga = self.server.owner()
        self.tokens["Olga"] = olga.token
        for name, role in roles.items():
            self.tokens[name] = self.server.hire(name, role, by=olga.session.account.id).token

    def token(self, name: str) -> str:
        """Log somebody in again where their session has ended."""
        if self.server.desk.session_of(self.tokens[name]) is None:
            welcome = self.server.desk.log_in(name=name, password=PASSWORD, address="")
            assert isinstance(welcome, Welcome), welcome
            self.tokens[name] = welcome.token
        return self.tokens[name]

    @contextmanager
    def serving(self) -> Iterator[Self]:
        """Serve the house for the duration of the block."""
        with served_app(self.server) as self.address:
            try:
                yield self
            finally:
                self.close()
