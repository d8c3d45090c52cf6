"""`passline lab`: the laboratory in a browser, without accounts, on this machine only."""

from __future__ import annotations

import sys
import webbrowser
from typing import Annotated

import typer

from passline.cli.serve import listening_socket
from passline.errors import CrapsError
from passline.extras import extra_for

_HOST = "127.0.0.1"
_STOP_SECONDS = 2


def lab(
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")] = 8010,
    browse: Annotated[bool, typer.Option("--browse", help="Open the page in this machine's browser.")] = False,
) -> None:
    """Open the laboratory: write a strategy, choose house and session, and see what comes of it, exactly.

    It has no accounts and keeps nothing, so only this machine reaches it. `passline serve` has the same page at /lab.
    """
    with extra_for("passline lab"):
        import numba  # noqa: F401
        import uvicorn

        from passline.web.lab_app import create_lab_app
        from passline.web.server.logs import configure_logs

    configure_logs(is_terminal=sys.stderr.isatty())
    listening = listening_socket(_HOST, port)
    address = f"http://{_HOST}:{listening.getsockname()[1]}/lab"
    print(f"The laboratory is at {address}")
    print(
        "Only this machine can reach it, and it keeps nothing: a page's address holds all that is on it. Ctrl-C stops."
    )
    sys.stdout.flush()
    if browse:
        webbrowser.open(address)
    config = uvicorn.Config(
        create_lab_app(),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_STOP_SECONDS,
        server_header=False,
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    if not server.started:
        raise CrapsError("the laboratory did not start; the log above says why")
