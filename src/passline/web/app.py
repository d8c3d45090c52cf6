"""The web application: its routes, pages, websocket, error handlers and middleware."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from http import HTTPStatus
from itertools import count
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from passline.errors import CrapsError
from passline.refusal import Refusal
from passline.rules.pages.day import days_told_by
from passline.store.log import CommitInDoubt, LogError
from passline.store.timestamps import HouseClock
from passline.streams.projection_store import ViewsNotReady
from passline.streams.writer import IN_DOUBT, InDoubt, LogDown, ServerFault
from passline.version import __version__
from passline.web.api import (
    authenticators,
    compliance,
    demo,
    feed,
    forms,
    health,
    history,
    lab,
    log,
    office,
    office_lists,
    own_history,
    papers,
    people,
    people_report,
    provider,
    records,
    rota,
    safeguards,
    standards,
    tables,
    tournaments,
)
from passline.web.api.accounts import accounts, comps, dice, investigations, ratings, statistics, tax, theft
from passline.web.api.health import health_of
from passline.web.api.openapi import describe
from passline.web.api.submission import LOG_DOWN
from passline.web.api.websocket import live_table
from passline.web.auth.guard import Guard, is_own_host
from passline.web.auth.proxies import Proxies, proxy_networks
from passline.web.auth.visitors import stranger_denial, visitor_of
from passline.web.lab.queue import Lab
from passline.web.pages import account, crew, house, identity_provider, laboratory, players, regulator, surveillance
from passline.web.pages import office as office_pages
from passline.web.pages import tournaments as tournament_pages
from passline.web.pages.frame import NotOpened, page
from passline.web.pages.static_files import StaticPages
from passline.web.server.clock_keeper import ClockKeeper
from passline.web.server.felt_first import FeltFirstMiddleware
from passline.web.server.logs import logger
from passline.web.server.metrics_listener import metrics_listener
from passline.web.server.middleware import RequestMiddleware
from passline.web.server.responses import Denied, denial, refusals_response
from passline.web.server.services import Services

_OF_THE_REQUEST = frozenset({400, 404, 422})  # what strangers are not told where one must log in
_LOOK_SECONDS = 60.0  # between two looks at the offices
_LOOKS_AT_RESULTS = 30  # they take reading: of a quarter, of a month, and of two gaming days of ratings
_ABOUT = """Live craps tables under the regulation that governs them. Everything a page can do, a program can do.

Log in at `/api/log-in` and send the token as `Authorization: Bearer TOKEN`. The caller makes the id of a command; a
command sent twice with the same id acts once. When a command is answered, it is in the log on disk. The websocket of a
table is `/api/tables/{id}/live`.

A `roll` of electronic dice closes wagers. With the SHA-256 of a nonce (32 random bytes of yours) as `nonce_digest`, it
is answered with the `hash` of the entry that closed them; then, and not earlier, send the nonce to
`/api/tables/{id}/nonce` or as `{"nonce": "..."}` over the websocket, and the dice land; without it they land after 3
seconds. The `proof` of a table has all that its last roll follows from."""


def create_app(services: Services, *, hosts: Collection[str] | None = None, proxies: Collection[str] = ()) -> FastAPI:
    """Return the application of one server, reached by the names in `hosts` (None: any). It runs the floor.

    `proxies` are the addresses that may say for whom they send a request.
    """

    @asynccontextmanager
    async def run(_app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        crews = [crew for crew in (services.demo, services.practice, services.cup) if crew is not None]
        async with AsyncExitStack() as closing:  # from the last to the first, each whatever becomes of the others
            closing.callback(services.log.close)
            closing.push_async_callback(services.views.close)
            closing.push_async_callback(app.state.lab.close)
            closing.push_async_callback(asyncio.to_thread, services.anchors.close)
            await services.floor.start()
            closing.push_async_callback(services.floor.close)
            closing.push_async_callback(services.offices.close)
            await services.tournaments.start()
            closing.push_async_callback(services.tournaments.close)
            await services.floor.record_start()
            await services.offices.make_up()
            await services.floor.go_by_days_of(lambda name, at: services.offices.facility(name).today(at))
            closing.enter_context(days_told_by(services.floor.day_of))
            for crew in crews:
                closing.push_async_callback(crew.close)
                await crew.start()
            services.anchors.start()
            services.views.start()
            closing.push_async_callback(_record_incidents, services)
            closing.push_async_callback(_cancel, _start_watches(services))
            async with metrics_listener(services, lambda host: is_own_host(host, hosts or ())):
                yield {"gate": services.gate, "tls": services.tls}

    app = FastAPI(
        title="Passline", version=__version__, description=_ABOUT, lifespan=run, docs_url=None, redoc_url=None
    )
    app.state.services = services
    app.state.lab = Lab()
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]  # FastAPI's own way to extend it
    app.state.health = health_of(services)
    app.router.routes.extend(_routes())
    app.add_exception_handler(NotOpened, _not_opened)
    app.add_exception_handler(Denied, _refuse)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(RequestValidationError, _invalid)
    for in_doubt in (InDoubt, CommitInDoubt):
        app.add_exception_handler(in_doubt, _in_doubt)
    app.add_exception_handler(LogDown, _log_down)
    app.add_exception_handler(LogError, _log_down)
    for fault, status, clause in ((ViewsNotReady, 503, "log"), (ServerFault, 500, ""), (CrapsError, 422, "")):
        app.add_exception_handler(fault, partial(_fault, status, clause))
    app.add_middleware(FeltFirstMiddleware, is_busy=lambda: services.load.is_busy, turned_away=services.gate.count)
    app.add_middleware(Guard, hosts=hosts)
    app.add_middleware(RequestMiddleware, metrics=services.metrics)
    app.add_middleware(Proxies, networks=proxy_networks(proxies))
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Every route, made ready: FastAPI would do it at the first request, and all tables would wait.

    A route finds its server through the request, so the applications of one process have the same routes.
    """
    app = FastAPI(openapi_url=None)
    played = (accounts, ratings, comps, dice, statistics, theft, investigations, tax)
    offices = (office, office_lists, compliance, papers, forms, rota, standards, *played)
    persons = (people, people_report, provider, authenticators, safeguards)
    records_of = (history, own_history, log, feed, records)
    for part in (tables, *records_of, *offices, tournaments, *persons, lab, demo, health):
        app.include_router(part.router)
    staff = (crew, house, office_pages, regulator, surveillance, tournament_pages)
    for pages in (account, identity_provider, *staff, laboratory, players):
        for route in pages.router.routes:
            if isinstance(route, APIRoute) and route.methods and "GET" in route.methods:
                route.methods.add("HEAD")  # FastAPI leaves it out
        app.include_router(pages.router)
    app.add_api_websocket_route("/api/tables/{id}/live", live_table)
    app.mount("/static", StaticPages(), name="static")
    nowhere = {"type": "http", "method": "GET", "path": "", "root_path": "", "headers": [], "app": app}
    for made in app.router.routes:
        made.matches(nowhere)
    return tuple(app.router.routes)


def _start_watches(services: Services) -> list[asyncio.Task[None]]:
    """Start to watch over sessions, connections and the clock."""
    watching = [
        asyncio.create_task(services.screens.watch(), name="sessions"),
        asyncio.create_task(services.gate.keep(), name="gate"),
        asyncio.create_task(services.load.watch(), name="load"),
        asyncio.create_task(_look_round(services), name="office"),
        asyncio.create_task(identity_provider.watch_provider(services), name="provider"),
    ]
    if isinstance(services.clock, HouseClock):
        keeper = ClockKeeper(services.clock, services.log, services.floor.ask_house)
        watching.append(asyncio.create_task(keeper.run(), name="clock"))
    return watching


async def _look_round(services: Services) -> None:
    """Look at the standing conditions of every office once a minute."""

    async def open_tables(name: str) -> tuple[str, ...]:
        lives = [table.live for table in await services.floor.load_all() if table.stream.state is not None]
        return tuple(live.id for live in lives if live.status != "closed" and live.house["rules"] == name)

    for looks in count(1):
        await asyncio.sleep(_LOOK_SECONDS)
        try:
            await services.offices.look_round(open_tables)
            await services.offices.note_cash(office_lists.cash_in(services))
            await compliance.look_for_matters(services)
            await compliance.commit_files(services)
            await services.offices.note_dice(dice.alarmed_in(services))
            await services.offices.note_unaccounted(dice.unaccounted_in(services))
            if looks % _LOOKS_AT_RESULTS == 0:
                await services.offices.note_skims(theft.theft_in(services))
                await services.offices.note_results(investigations.results_in(services))
                await services.offices.note_comps(comps.worth_in(services))
            await papers.keep_folders(services)  # last: it takes seconds, and a full disk may stop it
        except (CrapsError, ServerFault, OSError) as error:
            logger().warning("the offices could not be looked at", why=str(error))


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _record_incidents(services: Services) -> None:
    try:
        await asyncio.to_thread(services.desk.record_incidents, at_once=True)
    except (CrapsError, ServerFault, OSError) as error:
        logger().warning("the last incidents are not in the log", why=str(error))


async def _not_opened(_request: Request, error: Exception) -> Response:
    assert isinstance(error, NotOpened)
    return error.response


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Denied)
    stranger = await stranger_denial(request) if error.status in _OF_THE_REQUEST else None
    return refusals_response(stranger or error)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path, accepted = request.url.path, request.headers.get("accept", "")
    is_page = "text/html" in accepted and not path.startswith(("/api/", "/static/"))  # which a browser asks for
    if error.status_code == HTTPStatus.NOT_FOUND and is_page:
        return page(request, "missing.html", await visitor_of(request), status=404, what="page")
    why = {404: f"there is nothing at {path[:200]}", 405: f"{request.method} is not allowed here"}
    headers = dict(error.headers) if error.headers else None
    return refusals_response(denial(error.status_code, why.get(error.status_code, str(error.detail))), headers=headers)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if (stranger := await stranger_denial(request)) is not None:
        return refusals_response(stranger)
    refusals = [Refusal("form", f"{'.'.join(map(str, fault['loc'][1:]))}: {fault['msg']}") for fault in error.errors()]
    return refusals_response(Denied(422, refusals))


async def _log_down(_request: Request, error: Exception) -> Response:
    logger().warning("the log cannot be written", why=str(error))
    return refusals_response(denial(503, LOG_DOWN), in_doubt=False)


async def _in_doubt(_request: Request, error: Exception) -> Response:
    logger().warning("it is not known whether a request was done", why=str(error))
    return refusals_response(denial(503, IN_DOUBT), in_doubt=True)


async def _fault(status: int, clause: str, _request: Request, error: Exception) -> Response:
    return refusals_response(denial(status, str(error), clause))
