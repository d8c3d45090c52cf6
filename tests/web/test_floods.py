"""Floods from outside against a real server: memory stays flat, and people who are logged in go on playing."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.sync.connection import Connection

from passline.client import Client
from passline.game import commands as c
from tests.serving import Serving, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.long

TABLE = "maryland-1"
MEGABYTE = 1024 * 1024
FLAT_MB = 24  # growth of the server's memory that an attack may cause; a header of 150 MB caused 300


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with serving(tmp_path_factory.mktemp("house") / "data", metrics_port=port) as running:
        yield running


@pytest.fixture(scope="module")
def ann(server: Serving) -> Iterator[Client]:
    """A player with a seat and chips, whose session the server knows."""
    with Client(server.address) as client:
        client.register("Ann", "correct horse battery")
        client.command(TABLE, c.TakeSeat(seat=1))
        client.command(TABLE, c.BuyIn(seat=1, cents=500_00))
        yield client


def _where(server: Serving) -> tuple[str, int]:
    host, _, port = server.address.rpartition("/")[2].partition(":")
    return host, int(port)


def _dropped(server: Serving, reason: str) -> int:
    """Return how many the server has dropped for a reason."""
    return _metric(server, f'passline_dropped_total{{reason="{reason}"}}')


def _metric(server: Serving, name: str) -> int:
    text = httpx.get(f"http://127.0.0.1:{server.metrics_port}/metrics").text
    found = re.search(rf"^{re.escape(name)} (\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


def _memory_mb(server: Serving) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


def _until_closed(sock: socket.socket, seconds: float = 30.0) -> bytes:
    """Return what the server says before it closes the connection."""
    sock.settimeout(seconds)
    said = b""
    try:
        while data := sock.recv(65536):
            said += data
    except ConnectionError:
        pass
    return said


def _poured(server: Serving, head: bytes, flood: bytes, total: int) -> tuple[int, bytes]:
    """Send a head and then the same bytes again and again; return how many were taken, and the answer."""
    with closing(socket.create_connection(_where(server))) as sock:
        sock.settimeout(30)
        sent = 0
        try:
            sock.sendall(head)
            while sent < total:
                sent += sock.send(flood)
        except ConnectionError:
            pass
        return sent, _until_closed(sock)


def _is_well(server: Serving, ann: Client) -> None:
    """Check that a player who is logged in is served quickly, on an old connection and on a new one."""
    begun = time.monotonic()
    ann.command(TABLE, c.MakeWager(seat=1, wager="field", cents=5_00))
    ann.command(TABLE, c.RemoveWager(seat=1, wager="field"))
    with Client(server.address, token=ann.token) as again, again.live(TABLE) as live:
        live.do(c.MakeWager(seat=1, wager="field", cents=5_00))
        live.do(c.RemoveWager(seat=1, wager="field"))
    assert time.monotonic() - begun < 5


_CHUNKED = (
    b"POST /api/log-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
)
_SCREEN = (
    b"GET /api/tables/maryland-1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: "
)


@pytest.mark.parametrize(
    ("head", "flood", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"a" * 65536, b"431"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: a\r\n" * 8192, b"431"),
        (b"GET /", b"a" * 65536, b"4"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ", b"a=b; " * 8192, b"431"),
        (b"", b"\r\n" * 32768, b""),
        (b"", b"\0" * 65536, b"400"),
        (_CHUNKED + b"\r\n\r\n", b"1\r\na\r\n" * 10_000, b"413"),
        (_CHUNKED + b"\r\n\r\n1;", b"a" * 65536, b""),
        (_CHUNKED + b"\r\n\r\n0\r\nX: ", b"a" * 65536, b""),
        (_SCREEN, b"a" * 65536, b"431"),
    ],
    ids=["header", "headers", "target", "cookie", "newlines", "zeros", "body", "extension", "trailer", "handshake"],
)
def test_no_request_takes_unbounded_memory(
    server: Serving, ann: Client, head: bytes, flood: bytes, status: bytes
) -> None:
    before = _memory_mb(server)
    sent, answer = _poured(server, head, flood, 150 * MEGABYTE)
    assert sent < 32 * MEGABYTE, "the server read on and on"
    assert not status or answer.startswith(b"HTTP/1.1 " + status) or not answer, answer[:100]
    assert _memory_mb(server) - before < FLAT_MB
    _is_well(server, ann)


def test_a_header_that_is_too_long_is_told_why(server: Serving) -> None:
    with closing(socket.create_connection(_where(server))) as sock:
        begun = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        sock.sendall(begun + b"a" * (16 * 1024 - len(begun) + 1))
        answer = _until_closed(sock)
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b"at most 16384 bytes" in answer
    fits = httpx.get(f"{server.address}/health", headers={"X": "a" * 15_000})
    assert fits.status_code == 200


def test_thousands_of_pipelined_requests_are_not_queued(server: Serving, ann: Client) -> None:
    before = _memory_mb(server)
    with closing(socket.create_connection(_where(server))) as sock:
        sock.settimeout(30)
        try:
            for _ in range(20):
                sock.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5000)
        except ConnectionError:
            pass
        _until_closed(sock)
    assert _memory_mb(server) - before < FLAT_MB
    _is_well(server, ann)


def test_half_open_requests_do_not_stop_the_house(server: Serving, ann: Client) -> None:
    """1,100 connections that send half a request once held every file of the process."""
    before = _memory_mb(server)
    with ExitStack() as stack:
        for _ in range(1_500):
            sock = stack.enter_context(closing(socket.create_connection(_where(server))))
            sock.sendall(b"POST /api/log-in HTTP/1.1\r\nHost: localhost\r\n")
        _is_well(server, ann)
        assert httpx.get(f"{server.address}/", timeout=5).status_code == 200, "a newcomer is let in too"
        assert _dropped(server, "made room") > 1_000
        assert _memory_mb(server) - before < FLAT_MB
    _is_well(server, ann)


@pytest.mark.whole
def test_whoever_is_slow_is_dropped_and_nobody_else(server: Serving, ann: Client) -> None:
    """Requests that trickle, a reader and a screen that read nothing: at once, for each takes the server's patience."""
    before = _memory_mb(server)
    with ThreadPoolExecutor() as pool:
        for slow in [pool.submit(check, server, ann) for check in (_all_trickle, _reads_nothing, _shows_nothing)]:
            slow.result()
    assert _memory_mb(server) - before < FLAT_MB
    _is_well(server, ann)


def _all_trickle(server: Serving, _ann: Client) -> None:
    """Check that a request must be complete in time, however it trickles."""
    body = (
        b"POST /api/log-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
    )
    idle = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    kinds = {
        "nothing": (b"", b""),
        "head": (b"GET / HTTP/1.1\r\nHost: loc", b"a"),
        "body": (body, b"a"),
        "idle": (idle, b"\r\n"),
    }
    with ExitStack() as stack:
        trickling = {what: stack.enter_context(closing(socket.create_connection(_where(server)))) for what in kinds}
        for what, sock in trickling.items():
            sock.sendall(kinds[what][0])
            sock.settimeout(0.2)
        began, closed = time.monotonic(), dict[str, float]()
        while trickling and time.monotonic() - began < 40:
            time.sleep(0.5)
            for what, sock in list(trickling.items()):
                if not _trickles(sock, kinds[what][1]):
                    closed[what] = time.monotonic() - began
                    del trickling[what]
    assert closed.keys() == kinds.keys(), "some were still open after 40 s"
    assert min(closed.values()) > 4, "some were closed at once"


def _trickles(sock: socket.socket, drop: bytes) -> bool:
    """Send a little more; return whether the connection is still open."""
    try:
        sock.sendall(drop)
        return bool(sock.recv(4096))
    except TimeoutError:
        return True
    except ConnectionError:
        return False


def _reads_nothing(server: Serving, _ann: Client) -> None:
    """Check that a slow reader is dropped."""
    before = _dropped(server, "slow reader")
    with closing(socket.socket()) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        sock.connect(_where(server))
        sock.settimeout(5)
        for _ in range(30):  # until there are more answers than the system itself keeps for a reader
            answered = _metric(server, 'passline_requests_total{status="200"}')
            sock.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10)
            end = time.monotonic() + 3
            while (done := _metric(server, 'passline_requests_total{status="200"}') - answered) < 10:
                if time.monotonic() > end:
                    break
                time.sleep(0.05)
            if done < 10:
                break
        wait_until(lambda: not _is_held(server, sock), every=0.5)  # a look reads every connection of the machine
    assert _dropped(server, "slow reader") == before + 1


def _shows_nothing(server: Serving, ann: Client) -> None:
    """Check that a screen is dropped which asks for the whole table again and again, and never reads it."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    sock.connect(_where(server))
    screen = _watch(server, ann.token, sock=sock, max_queue=1)
    try:
        for _ in range(2_000):
            screen.send('{"ask":"table"}')
    except (ConnectionClosed, TimeoutError):
        pass
    wait_until(lambda: not _is_held(server, sock), every=0.5)  # a look reads every connection of the machine
    assert _dropped(server, "slow screen") == 1
    sock.close()


def _is_held(server: Serving, sock: socket.socket) -> bool:
    """Return whether the server holds its end of this connection open."""
    ours = f"{sock.getsockname()[1]:04X}"
    rows = Path(f"/proc/{server.process.pid}/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    return any(row.split()[2].endswith(f":{ours}") and row.split()[3] == "01" for row in rows)


# --- websockets -------------------------------------------------------------------------------------------------------


def _watch(server: Serving, token: str = "", **named: Any) -> ClientConnection:  # noqa: ANN401
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    uri = f"{server.address.replace('http', 'ws')}/api/tables/{TABLE}/live"
    return connect(uri, additional_headers=headers, **named)


def _code(screen: Connection) -> tuple[int, str]:
    try:
        while True:
            screen.recv(timeout=20)
    except ConnectionClosed as closed:
        return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")


def test_strangers_screens_are_bounded_and_those_of_sessions_are_not(server: Serving, ann: Client) -> None:
    before = _memory_mb(server)
    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(_watch(server))
        for _ in range(50):
            with pytest.raises(InvalidStatus, match="503") as refused:
                _watch(server)
            assert b"log in to watch" in bytes(refused.value.response.body or b"")
        for _ in range(20):
            stack.enter_context(_watch(server, ann.token))
        with pytest.raises(InvalidStatus):
            _watch(server, "a token that nobody has")
        _is_well(server, ann)
        assert _memory_mb(server) - before < FLAT_MB


def test_a_stranger_who_floods_is_closed_with_the_reason(server: Serving, ann: Client) -> None:
    with _watch(server) as screen:
        try:
            for _ in range(2_000):
                screen.send('{"ask":"table"}')
        except ConnectionClosed:
            pass
        assert _code(screen) == (1008, "more than 20 messages a second; connect again and send fewer")
    _is_well(server, ann)


@pytest.mark.parametrize("what", ["ping", "pong", "parts"])
def test_control_frames_and_endless_messages_count_too(server: Serving, ann: Client, what: str) -> None:
    with _watch(server) as screen:
        try:
            if what == "parts":
                screen.send("" for _ in range(1_000))
            else:
                for _ in range(1_000):
                    screen.ping() if what == "ping" else screen.pong()
        except ConnectionClosed:
            pass
        assert _code(screen)[0] == 1008
    _is_well(server, ann)


def test_a_program_with_a_session_is_slowed_down_and_loses_nothing(server: Serving, ann: Client) -> None:
    with _watch(server, ann.token) as screen:
        for number in range(2_500):
            wager = {"command": "make-wager", "seat": 1, "wager": "field", "cents": 1}
            screen.send(msgspec.json.encode({"id": f"flood-{number}", "command": wager}).decode())
        answered = set[str]()
        while len(answered) < 2_500:
            message = msgspec.json.decode(screen.recv(timeout=20))
            if message["kind"] in {"done", "refused"}:
                answered.add(message["id"])


# --- requests ---------------------------------------------------------------------------------------------------------


def test_a_flood_of_strangers_requests_is_turned_away_and_sessions_are_not(server: Serving, ann: Client) -> None:
    with httpx.Client(base_url=server.address) as stranger:
        statuses = {stranger.get("/api/tables/none").status_code for _ in range(50)}
        assert statuses == {404}
    with ExitStack() as stack:  # more at once than one address may ask in a burst, and nobody waits for an answer
        flood = [stack.enter_context(closing(socket.create_connection(_where(server)))) for _ in range(100)]
        for sock in flood:
            sock.settimeout(20)
            sock.sendall(b"GET /api/tables/none HTTP/1.1\r\nHost: localhost\r\n\r\n" * 15)
        statuses_of = set[bytes]()
        for sock in reversed(flood):  # the last were turned away
            answers = b""
            while answers.count(b"]}") < 15 and b"429" not in statuses_of and (data := sock.recv(65536)):
                answers += data
                statuses_of |= set(re.findall(rb"HTTP/1.1 (\d+)", answers))
        assert b"429" in statuses_of
        assert statuses_of <= {b"404", b"429", b"503"}
        _is_well(server, ann)
        assert ann.get("/api/me")["name"] == "Ann"


def test_deep_json_is_refused(server: Serving, ann: Client) -> None:
    deep = b"[" * 60_000
    asked = {"Content-Type": "application/json", "Authorization": f"Bearer {ann.token}"}
    for path in ("/api/log-in", f"/api/tables/{TABLE}/commands", "/api/register"):
        for body in (deep, b'{"house":' * 6_000, b'{"id":' + deep):
            answer = httpx.post(f"{server.address}{path}", content=body, headers=asked)
            assert answer.status_code in {400, 422, 429}, answer.text
    with _watch(server, ann.token) as screen:
        screen.recv(timeout=10)
        screen.send(deep.decode())
        while (told := msgspec.json.decode(screen.recv(timeout=10)))["kind"] != "refused":
            pass
        assert told["refusals"][0]["clause"] == "form"
