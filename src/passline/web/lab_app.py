"""The laboratory by itself: the same pages and answers on this machine, without tables, accounts and a log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from passline.version import __version__
from passline.web.api import lab
from passline.web.auth.guard import Guard
from passline.web.lab.queue import Lab
from passline.web.pages import laboratory
from passline.web.pages.static_files import StaticPages
from passline.web.server.metrics import Metrics
from passline.web.server.middleware import RequestMiddleware
from passline.web.server.responses import Denied, denial, refusals_response


def create_lab_app() -> FastAPI:
    """Return the application of `passline lab`."""

    @asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[None]:
        for lane in (app.state.lab.long, app.state.lab.quick):
            lane.warm()
        yield
        await app.state.lab.close()

    app = FastAPI(title="Passline laboratory", version=__version__, lifespan=run, docs_url=None, redoc_url=None)
    app.state.services, app.state.lab = None, Lab()
    app.include_router(lab.router)
    app.include_router(laboratory.router)
    app.add_api_route("/", _to_the_page, include_in_schema=False)
    app.mount("/static", StaticPages(), name="static")
    app.add_exception_handler(Denied, _refuse)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_middleware(Guard, hosts=())
    app.add_middleware(RequestMiddleware, metrics=Metrics())
    return app


async def _to_the_page() -> Response:
    return RedirectResponse("/lab")


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Denied)
    return refusals_response(error)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    why = f"there is nothing at {request.url.path[:200]}; the laboratory is at /lab"
    return refusals_response(denial(error.status_code, why if error.status_code == 404 else str(error.detail)))  # noqa: PLR2004
