"""Fuzzing of the API and the websocket of a real server: nothing that anybody sends causes a 5xx."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from typing import TYPE_CHECKING, Any, get_args

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from passline.tables.commands import TableCommand
from tests.cases import one_in

if TYPE_CHECKING:
    import requests
    import schemathesis
    from schemathesis.schemas import APIOperation

pytestmark = pytest.mark.long

STARTED = "Passline is at "
LINK = "invitations/"
VICTIM = "victim"
CREW = ("dealer", "stickperson", "boxperson", "floorperson", "player")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Run a server; yield its address and the token of its owner's link."""
    command = [
        sys.executable,
        "-m",
        "passline",
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path_factory.mktemp("house")),
        "--office",
        "elsewhere",
    ]
    with (tmp_path_factory.mktemp("log") / "serve.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        address = link = ""
        for line in process.stdout:
            if line.startswith(STARTED):
                address = line.removeprefix(STARTED).strip().rstrip("/")
            if LINK in line:
                link = line.partition(LINK)[2].strip()
                break
        try:
            yield address, link
        finally:
            process.terminate()
            process.communicate(timeout=30)
        assert process.returncode == 0


@pytest.fixture(scope="module")
def tokens(base: tuple[str, str]) -> dict[str, str]:
    """Somebody of each kind: the owner, one of the crew with every role at the table, a player, nobody.

    And the account, no token, of somebody to whom anything may be done.
    """
    address, link = base
    with httpx.Client(base_url=address, timeout=120) as client:
        owner = client.post(
            f"/api/invitations/{link}", json={"name": "Olga", "password": "a long password", "pin": "2580"}
        )
        assert owner.status_code < 300, owner.text
        player = client.post("/api/register", json={"name": "Paul", "password": "another password"})
        assert player.status_code < 300, player.text
        victim = client.post("/api/register", json={"name": "Vic", "password": "yet another password"})
        assert victim.status_code < 300, victim.text
        mine = {"Authorization": f"Bearer {owner.json()['token']}"}
        client.cookies.clear()
        made = client.post("/api/people", json={"name": "Carl", "roles": list(CREW)}, headers=mine)
        assert made.status_code < 300, made.text
        path = next(text for text in made.text.split('"') if LINK in text)
        accepted = {"name": "Carl", "password": "a third password", "pin": "1593"}
        crew = client.post(f"/api/invitations/{path.rpartition('/')[2]}", json=accepted)
        assert crew.status_code < 300, crew.text
    welcomed = {"owner": owner, "crew": crew, "player": player}
    return {**{who: one.json()["token"] for who, one in welcomed.items()}, "": "", VICTIM: victim.json()["account"]}


@pytest.mark.parametrize(
    ("share", "examples"), [pytest.param(12, 2, marks=pytest.mark.whole), pytest.param(1, 12, marks=pytest.mark.sweep)]
)
def test_no_request_causes_a_server_error(
    share: int, examples: int, base: tuple[str, str], tokens: dict[str, str]
) -> None:
    """Examples of one operation in `share`, each sent by everybody: making it up takes longer than answering it."""
    import requests  # noqa: PLC0415 - slow to import, as is the next, and `./x test` needs neither
    import schemathesis  # noqa: PLC0415
    from schemathesis.core.result import Ok  # noqa: PLC0415

    api = schemathesis.openapi.from_url(f"{base[0]}/openapi.json")
    operations = [one.ok() for one in api.get_all_operations() if isinstance(one, Ok)]
    assert len(operations) > 30
    with ExitStack() as stack:
        sessions = {who: stack.enter_context(requests.Session()) for who in ("", "player", "crew", "owner")}
        for who, session in sessions.items():
            session.headers.update({"Authorization": f"Bearer {tokens[who]}"} if who else {})
        for operation in operations[::share]:  # nobody logs out: the other requests need the session
            senders = [sessions[""]] if operation.path == "/api/log-out" else [*sessions.values()]
            _fuzz(operation, senders, tokens[VICTIM], examples)
        for who, session in sessions.items():
            assert session.get(f"{base[0]}/api/me").status_code == (200 if who else 401), "its session is still there"
    health = httpx.get(f"{base[0]}/health").json()
    assert health["status"] == "up"


def _fuzz(
    operation: APIOperation[Any, Any, Any, Any], senders: list[requests.Session], victim: str, examples: int
) -> None:
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415 - as above

    @given(case=operation.as_strategy())
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def send(case: schemathesis.Case[Any]) -> None:
        if "id" in case.path_parameters:
            case.path_parameters["id"] = "maryland-1"  # a table that is there, or nothing below it would ever be tried
        if "account" in case.path_parameters:
            case.path_parameters["account"] = victim  # so that everybody else's session stays
        for session in senders:
            case.call_and_validate(session=session, checks=[not_a_server_error], timeout=60)

    send()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
_COMMANDS = sorted(str(one.__struct_config__.tag) for one in get_args(TableCommand))
_COMMAND = st.fixed_dictionaries(
    {"command": st.sampled_from(_COMMANDS)},
    optional={
        "seat": st.integers(-1, 21) | _JSON,
        "cents": st.integers(-1, 10**20) | _JSON,
        "wager": st.sampled_from(["pass", "field", "place_win"]) | _JSON,
        "number": st.integers(-1, 200),
        "reason": st.text(),
        "first": st.integers(0, 7),
        "second": st.integers(0, 7),
    },
)
_SAID = st.fixed_dictionaries(
    {},
    optional={
        "id": st.text(max_size=70),
        "command": _COMMAND | _JSON,
        "ask": st.sampled_from(["areas", "table"]) | _JSON,
        "seen": st.integers() | _JSON,
        "sign_off": st.fixed_dictionaries({"name": st.text(), "pin": st.text()}) | _JSON,
    },
)
_MESSAGES = (_SAID | _JSON).map(json.dumps) | st.text() | st.binary(max_size=200)
_NO_TEXT = 1007
_BEFORE_RATE = 30  # messages, each with a question, before a stranger's screen would be closed for their rate
_FIT = {1008, 1009}  # not allowed, too long; 1011 would be the server's fault


def _is_text(message: str | bytes, *, is_text: bool) -> bool:
    """Return whether a message may be sent as text: bytes must be UTF-8."""
    try:
        _ = message.decode() if is_text and isinstance(message, bytes) else message
    except UnicodeDecodeError:
        return False
    return True


def _closed(socket: Connection) -> int | None:
    """Return the close code of a websocket, after reading what was sent before."""
    try:
        while True:
            socket.recv(timeout=30)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


@pytest.mark.parametrize("examples", [8, pytest.param(80, marks=pytest.mark.sweep)])
@pytest.mark.parametrize(
    ("who", "role"),
    one_in(3, [("player", "player"), ("crew", "dealer"), ("", "spectator")], others=pytest.mark.whole),
)
@pytest.mark.whole
def test_no_message_kills_a_websocket(
    who: str, role: str, examples: int, base: tuple[str, str], tokens: dict[str, str]
) -> None:
    address = f"{base[0].replace('http', 'ws')}/api/tables/maryland-1/live?role={role}"
    headers = {"Authorization": f"Bearer {tokens[who]}"} if who else {}
    with ExitStack() as stack:
        sockets: list[Connection] = []
        turns = count(1)

        @given(message=_MESSAGES, is_text=st.booleans())
        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        def say(message: str | bytes, is_text: bool) -> None:  # noqa: FBT001 - Hypothesis names it
            if not sockets or (not who and next(turns) % _BEFORE_RATE == 0):  # a stranger's screen takes 100 at once
                sockets[:] = [stack.enter_context(connect(address, additional_headers=headers))]
            sockets[0].send(message, text=is_text)
            if not _is_text(message, is_text=is_text):  # said no more: a reset by TCP would overtake the code
                assert _closed(sockets.pop()) == _NO_TEXT
                return
            try:
                sockets[0].send('{"ask":"table"}')
                while json.loads(sockets[0].recv(timeout=30))["kind"] != "table":
                    pass
            except ConnectionClosed as closed:
                if closed.rcvd is None or closed.rcvd.code not in _FIT:
                    raise
                sockets.clear()

        say()
    assert httpx.get(f"{base[0]}/health").json()["status"] == "up"
