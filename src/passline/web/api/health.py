"""Health: whether this process lives, and whether the house can deal now. The answer is true, and never hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from time import monotonic

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.store.anchors.anchors import BEHIND
from passline.store.clock_sync import clock_sync
from passline.version import __version__
from passline.web.server.responses import json_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["operation"])
"""Its routes."""
_PATIENCE_SECONDS = 2.0  # how long anybody waits for a probe
_FRESH_SECONDS = 1.0  # how long its finding is told to others
_STALLED_SECONDS = 10.0  # a commit that takes longer is stalled
_STALLED = "the log has not answered for {:.0f} seconds: its database or disk is stalled"


class HealthCheck:
    """Probes the log in a thread of its own, one probe at a time, whose finding all who ask share.

    A probe that hangs takes no thread that requests need; whoever asks meanwhile is told that the log is stalled.
    """

    def __init__(self, probe: Callable[[], str], busy_seconds: Callable[[], float]) -> None:
        self._probe, self._busy_seconds = probe, busy_seconds
        self._running: asyncio.Future[str] | None = None
        self._begun = self._found_at = float("-inf")
        self._found = ""

    async def fault(self) -> str:
        """Return why the house cannot deal, or an empty string."""
        if (busy := self._busy_seconds()) > _STALLED_SECONDS:
            return _STALLED.format(busy)
        if monotonic() - self._found_at < _FRESH_SECONDS:
            return self._found
        if self._running is None:
            self._running, self._begun = asyncio.get_running_loop().create_future(), monotonic()
            Thread(target=self._run, args=(self._running,), name="passline-health", daemon=True).start()
        left = self._begun + _PATIENCE_SECONDS - monotonic()
        done, _ = await asyncio.wait([self._running], timeout=max(0.0, left))
        return done.pop().result() if done else _STALLED.format(monotonic() - self._begun)

    def _run(self, running: asyncio.Future[str]) -> None:
        try:
            found = self._probe()
        except Exception as error:  # noqa: BLE001 - a probe that fails is a finding too
            found = f"the log cannot be checked ({type(error).__name__})"
        try:
            running.get_loop().call_soon_threadsafe(self._end, running, found)
        except RuntimeError:  # the server has stopped meanwhile
            return

    def _end(self, running: asyncio.Future[str], found: str) -> None:
        self._running, self._found, self._found_at = None, found, monotonic()
        running.set_result(found)


def health_of(services: Services) -> HealthCheck:
    """Return the check of a server: the log, and the clock that dates its entries."""

    def probe() -> str:
        behind = BEHIND if services.anchors.check_behind() else ""
        return services.floor.writer.probe() or getattr(services.clock, "fault", "") or behind

    return HealthCheck(probe, lambda: services.floor.writer.busy_seconds)


@router.get("/health/live")
async def live(request: Request) -> Response:
    """Report whether this process works; if not, only a restart helps. The log may be down all the same."""
    is_alive = services_of(request).floor.writer.is_alive
    found = {} if is_alive else {"why": "what writes the log has ended; restart the server"}
    status = "up" if is_alive else "down"
    return json_response({"status": status, "version": __version__, **found}, 200 if is_alive else 503)


@router.get("/health")
@router.get("/health/ready")
async def ready(request: Request) -> Response:
    """Report whether the log can be read and written, so that the house can deal, and the newest sequence number.

    `is_busy`: tables are shown later than they could be, so that no more should be opened here.
    """
    services = services_of(request)
    check: HealthCheck = request.app.state.health
    if fault := await check.fault():
        return json_response({"status": "down", "why": fault}, 503)
    return json_response(
        {
            "status": "up",
            "is_busy": services.load.is_busy,
            "anchor": services.anchors.status,
            "clock": clock_sync(),
            "sequence": services.log.sequence,
            "tables": len(services.floor.running_tables),
            "is_demo": services.is_demo,
            "version": __version__,
        }
    )
