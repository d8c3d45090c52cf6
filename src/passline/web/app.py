"""The web application: its routes, pages, websocket, error handlers and middleware."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from passline import __version__
from passline.errors import CrapsError
from passline.game.refusal import Refusal
from passline.store.log import LogError
from passline.streams.projection_store import ViewsNotReady
from passline.streams.writer import LogDown, ServerFault
from passline.web.api import demo, history, log, people, records, tables
from passline.web.api.openapi import describe
from passline.web.api.submission import LOG_DOWN
from passline.web.api.websocket import live_table
from passline.web.auth.guard import Guard
from passline.web.auth.visitors import visitor_of
from passline.web.pages.account import account_pages
from passline.web.pages.crew import crew_pages
from passline.web.pages.frame import STATIC, page
from passline.web.pages.house import house_pages
from passline.web.pages.players import player_pages
from passline.web.pages.regulator import regulator_pages
from passline.web.server.logs import logger
from passline.web.server.middleware import RequestMiddleware
from passline.web.server.responses import Denied, denied, json_response, refusals_response
from passline.web.server.services import Services, services_of

__all__ = ["create_app"]

_ABOUT = """Live craps tables under the regulation that governs them. Everything a page can do, a program can do.

Log in at `/api/log-in` and send the token as `Authorization: Bearer TOKEN`. The caller makes the id of a command; a
command sent twice with the same id acts once. When a command is answered, it is in the log on disk. The websocket of a
table is `/api/tables/{id}/live`."""


def create_app(services: Services, *, hosts: Collection[str] | None = None) -> FastAPI:
    """Return the application of one server, reached by the names in `hosts` (None: any). It runs the floor."""

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        await services.floor.start()
        services.views.start()
        if services.demo is not None:
            await services.demo.start()
        watching = asyncio.create_task(services.screens.watch(), name="sessions")
        yield
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        if services.demo is not None:
            await services.demo.close()
        await services.floor.close()
        await services.views.close()
        services.log.close()

    app = FastAPI(
        title="Passline", version=__version__, description=_ABOUT, lifespan=running, docs_url=None, redoc_url=None
    )
    app.state.services = services
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]  # FastAPI's own way to extend it
    for part in (tables, history, log, records, people, demo):
        app.include_router(part.router)
    for pages in (account_pages(), crew_pages(), house_pages(), regulator_pages(), player_pages()):
        for route in pages.routes:
            if isinstance(route, APIRoute) and route.methods and "GET" in route.methods:
                route.methods.add("HEAD")  # FastAPI leaves it out
        app.include_router(pages)
    app.add_api_websocket_route("/api/tables/{id}/live", live_table)
    app.add_api_route("/health", _health, methods=["GET"], tags=["operation"])
    app.add_api_route("/metrics", _metrics, methods=["GET"], tags=["operation"], response_class=Response)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_exception_handler(Denied, _denied)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(LogDown, _log_down)
    app.add_exception_handler(LogError, _log_down)
    app.add_exception_handler(ViewsNotReady, _views_not_ready)
    app.add_exception_handler(ServerFault, _fault_of_server)
    app.add_exception_handler(CrapsError, _fault_of_input)
    app.add_middleware(Guard, hosts=hosts)
    app.add_middleware(RequestMiddleware, metrics=services.metrics)
    return app


async def _health(request: Request) -> Response:
    """Report whether the log can be read and written, and its newest sequence number."""
    services = services_of(request)
    if fault := await asyncio.to_thread(services.floor.writer.probe):
        return json_response({"status": "down", "why": fault}, 503)
    head = await asyncio.to_thread(services.log.head)
    return json_response(
        {
            "status": "up",
            "sequence": head.sequence if head else 0,
            "tables": len(services.floor.running),
            "is_demo": services.is_demo,
            "version": __version__,
        }
    )


async def _metrics(request: Request) -> Response:
    """Report metrics for Prometheus."""
    services = services_of(request)
    metrics, floor = services.metrics, services.floor
    running = floor.running
    metrics.tables.set(len(running))
    metrics.queued.set(sum(table.stream.queued for table in running))
    metrics.snapshot_faults.set(floor.writer.snapshot_faults)
    metrics.views.set(services.views.reached)
    metrics.sequence.set(max((table.stream.sequence for table in running), default=0))
    return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


async def _denied(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Denied)
    return refusals_response(error)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND and _is_page(request):
        return page(request, "missing.html", await visitor_of(request), status=404, what="page")
    why = {404: f"there is nothing at {request.url.path[:200]}", 405: f"{request.method} is not allowed here"}
    headers = dict(error.headers) if error.headers else None
    return refusals_response(denied(error.status_code, why.get(error.status_code, str(error.detail))), headers=headers)


def _is_page(request: Request) -> bool:
    """Return whether a browser asks for a page, rather than a program for data."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/api/", "/static/"))


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    refusals = [Refusal("form", f"{'.'.join(map(str, fault['loc'][1:]))}: {fault['msg']}") for fault in error.errors()]
    return refusals_response(Denied(422, refusals))


async def _log_down(_request: Request, error: Exception) -> Response:
    logger().warning("the log cannot be written", why=str(error))
    return refusals_response(denied(503, LOG_DOWN))


async def _views_not_ready(_request: Request, error: Exception) -> Response:
    return refusals_response(denied(503, str(error), "log"))


async def _fault_of_input(_request: Request, error: Exception) -> Response:
    return refusals_response(denied(422, str(error)))


async def _fault_of_server(_request: Request, error: Exception) -> Response:
    return refusals_response(denied(500, str(error)))
