"""The felt comes first: while a server is busy, pages of the past, reports and searches wait, and wagers do not.

A request that only reads, and that no table waits for, is answered at once while the server has time. While it is busy
such requests are answered one at a time, with a rest after each, and only a few of them wait: the others are told when
to ask again. Whoever is logged in goes first. What a table needs (its page, its state, what became of a command) never
waits here.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable
from time import monotonic

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.web.server.gate import VISIT, Visit
from passline.web.server.responses import denial, refusals_response

RETRY_SECONDS = 5
"""After how many seconds whoever is turned away may ask again."""
_KNOWN_MAX, _STRANGERS_MAX = 32, 8  # requests that wait while the server is busy, of sessions and of strangers
_PATIENCE_SECONDS = 10.0  # for which each of them does
_REST = 3.0  # times what the last one took: so all of them together have a quarter of the time
_REST_SECONDS_MAX = 1.0
_LOOK_SECONDS = 0.1  # between two looks whether it is still busy
_READS = frozenset({"GET", "HEAD"})
_VERIFY = "/api/log/verify"  # reads the whole log
_FELT = re.compile(
    r"/(?:log-in|register|account|openapi\.json)?"
    r"|/(?:static|health|invitations|api/invitations)(?:/.*)?"
    r"|/api/(?:me|tables)"
    r"|/api/tables/[^/]+(?:/(?:layout|areas|notices|commands/.*))?"
    r"|/tables/[^/]+(?:/crew)?"
)


def can_wait(method: str, path: str) -> bool:
    """Return whether a request is none of a table's, and may wait for them.

    >>> [can_wait("GET", path) for path in ("/tables/craps-1", "/api/tables/craps-1", "/static/dom.js", "/health")]
    [False, False, False, False]
    >>> [can_wait("GET", path) for path in ("/api/log", "/api/tables/craps-1/ledger", "/office/maryland", "/search")]
    [True, True, True, True]
    >>> can_wait("POST", "/api/office/maryland/commands"), can_wait("POST", "/api/log/verify")
    (False, True)
    """
    return not _FELT.fullmatch(path) if method in _READS else path == _VERIFY


class Crowded(Exception):
    """The server is busy, and too many requests of this kind wait, or this one has waited too long."""

    def __init__(self) -> None:
        super().__init__(
            "this server is busy, and its tables come first: wagers and dice are answered, and what shows the past "
            f"waits; ask again in {RETRY_SECONDS} seconds"
        )


class FeltFirst:
    """Whose turn it is among the requests that can wait, on one event loop."""

    def __init__(self, is_busy: Callable[[], bool] = lambda: False, *, clock: Callable[[], float] = monotonic) -> None:
        self._is_busy, self._clock = is_busy, clock
        self._known: deque[asyncio.Future[None]] = deque()
        self._strangers: deque[asyncio.Future[None]] = deque()
        self._under_way = 0
        self._rests_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def queue_length(self) -> int:
        """How many requests wait."""
        return len(self._known) + len(self._strangers)

    async def begin(self, *, is_stranger: bool = False) -> Callable[[], None]:
        """Wait until a request may be answered; return what to call once it was. Raise Crowded if it is not to wait."""
        if self.queue_length or not self._may_begin():
            await (self._wait(self._strangers, _STRANGERS_MAX) if is_stranger else self._wait(self._known, _KNOWN_MAX))
        else:
            self._under_way += 1
        begun, is_over = self._clock(), False

        def end() -> None:
            nonlocal is_over
            if is_over:
                return
            is_over, now = True, self._clock()
            self._under_way -= 1
            self._rests_until = now + min(_REST * (now - begun), _REST_SECONDS_MAX)
            self._go_on()

        return end

    def _may_begin(self) -> bool:
        return not self._is_busy() or (not self._under_way and self._clock() >= self._rests_until)

    async def _wait(self, waiting: deque[asyncio.Future[None]], most: int) -> None:
        if len(waiting) >= most:
            raise Crowded
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._look_later()
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await turn
        except BaseException as error:
            if turn in waiting:
                waiting.remove(turn)
            elif not turn.cancelled():  # its turn came in the same moment, and is the next one's
                self._under_way -= 1
                self._go_on()
            if isinstance(error, TimeoutError):
                raise Crowded from None
            raise

    def _look_later(self) -> None:
        if self._timer is None and self.queue_length:
            self._timer = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        self._go_on()

    def _go_on(self) -> None:
        """Let the next request begin; all of them, once the server is no longer busy."""
        while (waiting := self._known or self._strangers) and self._may_begin():
            turn = waiting.popleft()
            if not turn.done():  # whoever waited has not gone
                self._under_way += 1
                turn.set_result(None)
        self._look_later()


class FeltFirstMiddleware:
    """Has requests that can wait answered in their turn, or tells when to ask again."""

    def __init__(self, app: ASGIApp, is_busy: Callable[[], bool], turned_away: Callable[[str], None]) -> None:
        self.app = app
        self.turns = FeltFirst(is_busy)
        self._turned_away = turned_away

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one websocket; a turn ends when the answer begins, however slowly it is then read."""
        if scope["type"] != "http" or not can_wait(scope["method"], scope["path"]):
            await self.app(scope, receive, send)
            return
        visit: Visit | None = scope.get("extensions", {}).get(VISIT)
        try:
            end = await self.turns.begin(is_stranger=visit is not None and not visit.token)
        except Crowded as crowded:
            self._turned_away("pages while busy")
            await _busy_response(HTTPConnection(scope), str(crowded))(scope, receive, send)
            return

        async def send_and_end(message: Message) -> None:
            if message["type"] == "http.response.start":
                end()
            await send(message)

        try:
            await self.app(scope, receive, send_and_end)
        finally:
            end()


def _busy_response(connection: HTTPConnection, why: str) -> Response:
    """Tell a program why, and a browser in a page that loads itself again."""
    headers = {"Retry-After": str(RETRY_SECONDS)}
    if "text/html" in connection.headers.get("accept", ""):
        text = f"Passline is busy\n\n{why}"
        return PlainTextResponse(text, 503, headers | {"Refresh": str(RETRY_SECONDS)})
    return refusals_response(denial(503, why, "site"), headers, in_doubt=False)
