"""Metrics for Prometheus on a listener of their own, so that the public port does not have them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from passline.errors import CrapsError
from passline.web.server.services import Services

_HEAD_MAX = 4096  # bytes of a request
_SECONDS = 5.0  # for a request and its answer
_AT_ONCE = 8
_PORTS = 64  # each server process takes the next free port


def metrics_text(services: Services) -> bytes:
    """Return the metrics of a server as they are now."""
    metrics, floor, gate = services.metrics, services.floor, services.gate
    running = floor.running_tables
    metrics.tables.set(len(running))
    metrics.queued.set(sum(table.stream.queue_length for table in running))
    metrics.snapshot_faults.set(floor.writer.snapshot_faults)
    metrics.views.set(services.views.reached)
    metrics.late.set(services.load.late_seconds)
    metrics.busy.set(services.load.is_busy)
    metrics.sequence.set(max((table.stream.sequence for table in running), default=0))
    metrics.connections.labels("sessions").set(gate.known_connections)
    metrics.connections.labels("strangers").set(gate.strangers)
    return metrics.text()


@asynccontextmanager
async def metrics_listener(services: Services, is_own_host: Callable[[str], bool]) -> AsyncIterator[int]:
    """Serve GET /metrics at `services.metrics_at`; yield the port, 0 if it is served nowhere."""
    if services.metrics_at is None:
        yield 0
        return
    gate = asyncio.Semaphore(_AT_ONCE)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with gate:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
                async with asyncio.timeout(_SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(_answer(services, head, is_own_host))
                    await writer.drain()
            writer.close()

    server = await _listen(answer, *services.metrics_at)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _listen(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], object], host: str, port: int
) -> asyncio.Server:
    """Listen on the port, or on the next one that is free: every server process has metrics of its own."""
    why = ""
    for at in range(port, min(port + _PORTS, 65_536)) if port else (0,):
        try:
            return await asyncio.start_server(answer, host, at, limit=_HEAD_MAX, backlog=_AT_ONCE)  # type: ignore[arg-type]
        except OSError as error:
            why = why or (error.strerror or str(error))
    raise CrapsError(f"--metrics-port {port}: {why} on {host}; choose another --metrics-port")


def _answer(services: Services, head: bytes, is_own_host: Callable[[str], bool]) -> bytes:
    lines = head.decode("latin-1").split("\r\n")
    host = next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")), "")
    method, _, target = lines[0].partition(" ")
    status, text = b"200 OK", b""
    if not is_own_host(host):
        status = b"421 Misdirected Request"
    elif method != "GET" or target.partition(" ")[0] != "/metrics":
        status = b"404 Not Found"
    else:
        text = metrics_text(services)
    kind = b"content-type: text/plain; version=0.0.4; charset=utf-8"
    return b"HTTP/1.1 %s\r\n%s\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (status, kind, len(text), text)
