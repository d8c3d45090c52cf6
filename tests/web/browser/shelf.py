"""Pages that one test hands on to the next: in a new tab one loads half as long again, in a new browser twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from urllib.parse import urljoin

from playwright.sync_api import Browser, BrowserContext, Error, Page

_NO_SCRIPTS = "/static/icon.svg"  # of every server: where nothing of the page goes on


class Shelf:
    """Tabs of browsers, wiped when a test closes them or ends.

    Routes, sizes and media are put back. A page that was changed otherwise (a script before it loads, a socket's route)
    is one of a context that its test made itself.
    """

    def __init__(self) -> None:
        self._lent: list[Page] = []
        self._free: dict[BrowserContext, list[Page]] = defaultdict(list)
        self._of_anybody: list[BrowserContext] = []

    def tab(self, context: BrowserContext) -> Page:
        """Return a tab of a browser: of one session, which stays as it is."""
        free = self._free[context]
        page = free.pop() if free else _with_own_close(context.new_page(), self._put_back)
        self._lent.append(page)
        return page

    def page(self, browser: Browser, make: Callable[[Browser], BrowserContext]) -> Page:
        """Return the tab of a browser that nobody uses and that knows nothing, or of a new one."""
        unused = [context for context in self._of_anybody if self._free[context]]
        if not unused:
            self._of_anybody.append(make(browser))
        return self.tab(unused[0] if unused else self._of_anybody[-1])

    def take_back(self) -> set[Page]:
        """Wipe what a test has left open, and return the tabs that wait for the next one."""
        for page in tuple(self._lent):
            self._put_back(page)
        self._of_anybody = [context for context in self._of_anybody if _is_open(context)]
        for context in self._of_anybody:
            context.clear_cookies()
            for beside in context.pages:
                if beside not in self._free[context]:
                    beside.close()
        return {page for free in self._free.values() for page in free}

    def clear(self) -> None:
        """Forget all tabs: their browsers are closed."""
        for kept in (self._lent, self._free, self._of_anybody):
            kept.clear()

    def _put_back(self, page: Page) -> None:
        if page not in self._lent:
            return
        self._lent.remove(page)
        if page.is_closed():
            return
        is_anybodys = page.context in self._of_anybody
        try:
            page.unroute_all()
            if page.url.startswith("http"):
                page.goto(urljoin(page.url, _NO_SCRIPTS))
                page.evaluate(f"sessionStorage.clear(); if ({str(is_anybodys).lower()}) localStorage.clear()")
            page.emulate_media(media="screen", color_scheme="light", forced_colors="none", reduced_motion="reduce")
        except Error:  # its server has ended
            Page.close(page)
        else:
            self._free[page.context].append(page)


def _is_open(context: BrowserContext) -> bool:
    return context.browser is not None and context in context.browser.contexts


def _with_own_close(page: Page, close: Callable[[Page], None]) -> Page:
    page.close = partial(close, page)  # type: ignore[method-assign]
    return page


SHELF = Shelf()
