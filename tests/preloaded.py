"""What the process imports that servers are forked from, and nothing else: `tests.forks` starts it.

It has served a few pages too, so that forks have read rulebooks, templates and layouts.
"""

import gc
import os
from contextlib import suppress

import passline.cli.main
import passline.cli.serve
import passline.office.views.writing
import passline.web.app
import passline.web.server.http_protocol
import passline.web.server.websocket_protocol
import passline.web.startup
import passline.web.workers  # noqa: F401
import tests.killed_server
import tests.web.browser.scripted_server  # noqa: F401
from passline.people.guard import hashing
from tests.web.server import serving

_PAGES = ("/", "/tables/craps-1", "/api/tables/craps-1", "/house", "/people")


def _serve_pages() -> None:
    with serving() as server:
        olga = server.owner()
        page = server.page
        page.client.cookies.set("passline", olga.token, domain="127.0.0.1")
        page.csrf = olga.session.csrf
        body = {"name": "Craps 1", "house": {"rules": "maryland"}}
        assert page.post("/api/tables", body).status_code == 201
        for path in _PAGES:
            assert page.get(path).status_code == 200, path
    for process in (hashing._KNOWN, hashing._STRANGERS):  # each fork starts its own
        process.close()


_serve_pages()
with suppress(ChildProcessError):
    os.waitpid(-1, os.WNOHANG)
    raise AssertionError("forks would share a process that this one has started")
gc.collect()
gc.freeze()  # so that the collector of a fork leaves these pages alone, which it shares with all others
