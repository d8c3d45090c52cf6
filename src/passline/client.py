"""A small client of a Passline server: the same commands as the pages, from a program.

    with Client("http://127.0.0.1:8000") as client:
        client.log_in("Ann", "correct horse battery")
        client.command("maryland-1", MakeWager(seat=1, wager="pass", cents=10_00))
        with client.live("maryland-1") as live:
            for news in live:
                print(news.sequence, *news.said)

A command is sent under an id until it is answered, so a connection that breaks neither loses nor doubles it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec
from msgspec import Struct
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from passline.errors import CrapsError
from passline.game.refusal import Refusal

__all__ = ["AskRefused", "Client", "Done", "Live", "News", "Unreachable"]

_RETRY_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
_BUSY = frozenset({502, 503, 504})  # a proxy, or a log that takes nothing: nothing was done, or it is known
_FINAL = frozenset({1008, 4404})  # a websocket closed for good


class AskRefused(CrapsError):
    """The server refused: every clause, and the status it answered with."""

    def __init__(self, refusals: tuple[Refusal, ...], status: int = 0) -> None:
        self.refusals = refusals
        self.status = status
        super().__init__("; ".join(str(one) if one.clause else one.why for one in refusals))


class Unreachable(CrapsError):
    """The server did not answer in time; a command may have been carried out: send it again under the same id."""


class Done(Struct, frozen=True):
    """A command that is in the log."""

    id: str
    sequence: int
    head: dict[str, Any]
    lines: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()


class News(Struct, frozen=True):
    """What a screen would show: the whole table, what is one's own, and what was said since."""

    sequence: int
    table: dict[str, Any]
    own: dict[str, Any] | None
    said: tuple[str, ...]
    changed: dict[str, Any]


class Client:
    """One account at one server. `patience` is how many seconds a command is tried before Unreachable."""

    def __init__(self, address: str, *, token: str = "", patience: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.patience = patience
        self._http = httpx.Client(base_url=self.address, timeout=10.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    # People

    def log_in(self, name: str, password: str) -> dict[str, Any]:
        """Begin a session and give who one is."""
        return self._welcomed(self.post("/api/log-in", {"name": name, "password": password}))

    def register(self, name: str, password: str) -> dict[str, Any]:
        """Open an account to play."""
        return self._welcomed(self.post("/api/register", {"name": name, "password": password}))

    def accept(self, link: str, *, password: str, name: str = "", pin: str = "") -> dict[str, Any]:
        """Use a one-time link."""
        token = link.rstrip("/").rpartition("/")[2]
        chosen = {"password": password, **({"name": name} if name else {}), **({"pin": pin} if pin else {})}
        return self._welcomed(self.post(f"/api/invitations/{quote(token, safe='')}", chosen))

    def sit(self, table: str = "") -> dict[str, Any]:
        """Sit down at a demonstration's table with play money."""
        return self._welcomed(self.post("/api/demo/sit", {"table": table}))

    def _welcomed(self, told: dict[str, Any]) -> dict[str, Any]:
        self.token = told["token"]
        self._http.cookies.clear()  # the token says who one is
        return told

    # Tables

    def tables(self) -> list[dict[str, Any]]:
        """List the tables."""
        found: list[dict[str, Any]] = self.get("/api/tables")["tables"]
        return found

    def table(self, id: str, *, role: str = "player") -> dict[str, Any]:  # noqa: A002 - the page's own word
        """Give a table as one sees it: `table`, `own`, `sequence`, `head`."""
        return self.get(f"/api/tables/{quote(id, safe='')}?role={quote(role)}")

    def command(
        self,
        table: str,
        command: Struct | Mapping[str, Any],
        *,
        id: str = "",  # noqa: A002
        role: str = "",
        sign_off: tuple[str, str] | None = None,
    ) -> Done:
        """Give a command and wait until it is in the log; the same id again gives the same answer."""
        body = {"id": id or str(uuid4()), "command": command, **({"role": role} if role else {})}
        if sign_off:
            body["sign_off"] = {"name": sign_off[0], "pin": sign_off[1]}
        path, end = f"/api/tables/{quote(table, safe='')}/commands", monotonic() + self.patience
        for wait in _waits(end):
            try:
                return msgspec.convert(self.post(path, body), Done)
            except (httpx.TransportError, AskRefused) as error:
                if isinstance(error, AskRefused) and error.status not in _BUSY:
                    raise
                fault = error
            sleep(wait)
        raise Unreachable(f"{self.address} did not take {body['id']} within {self.patience:.0f} s: {fault}")

    def live(self, table: str, *, role: str = "player") -> Live:
        """Follow a table."""
        return Live(self, table, role)

    # Anything else

    def get(self, path: str) -> dict[str, Any]:
        """Ask for something."""
        return self._answer(self._http.get(path, headers=self.headers()))

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Send something; what is refused is raised."""
        headers = {"Content-Type": "application/json", **self.headers()}
        return self._answer(self._http.post(path, content=msgspec.json.encode(body), headers=headers))

    def headers(self) -> dict[str, str]:
        """Give what says who one is."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _answer(self, answer: httpx.Response) -> dict[str, Any]:
        try:
            told = msgspec.json.decode(answer.content)
        except msgspec.DecodeError:
            told = {}
        if answer.is_success:
            return told if isinstance(told, dict) else {"answer": told}
        raise AskRefused(_refusals(told) or (Refusal("server", f"the server answered {answer}"),), answer.status_code)


def _refusals(told: Any) -> tuple[Refusal, ...]:  # noqa: ANN401 - what JSON holds
    found = told.get("refusals", ()) if isinstance(told, dict) else ()
    return tuple(Refusal(one["clause"], one["why"]) for one in found)


def _waits(end: float) -> Iterator[float]:
    """Give how long to wait before each further try, until the time is over."""
    tries = 0
    while True:
        yield _RETRY_SECONDS[min(tries, len(_RETRY_SECONDS) - 1)]
        tries += 1
        if monotonic() > end:
            return


class Live:
    """A table as it goes on. It reconnects by itself, asks for what it missed, and sends again what has no answer."""

    def __init__(self, client: Client, table: str, role: str) -> None:
        self.table: dict[str, Any] = {}
        self.own: dict[str, Any] | None = None
        self.head: dict[str, Any] = {}
        self.sequence = -1
        self._client = client
        self._address = (
            f"{client.address.replace('http', 'ws', 1)}/api/tables/{quote(table, safe='')}/live?role={quote(role)}"
        )
        self._socket: ClientConnection | None = None
        self._unanswered: dict[str, bytes] = {}
        self._answers: dict[str, Done | AskRefused] = {}
        self._news: deque[News] = deque()

    def __enter__(self) -> Self:
        self._connect()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __iter__(self) -> Iterator[News]:
        """Give the table, then all its news, for ever."""
        while True:
            while self._news:
                yield self._news.popleft()
            self._hear()

    def do(
        self,
        command: Struct | Mapping[str, Any],
        *,
        id: str = "",  # noqa: A002
        sign_off: tuple[str, str] | None = None,
    ) -> Done:
        """Give a command and wait for its answer; news that comes meanwhile is kept for the iteration."""
        id_ = id or str(uuid4())
        message: dict[str, Any] = {"id": id_, "command": command}
        if sign_off:
            message["sign_off"] = {"name": sign_off[0], "pin": sign_off[1]}
        self._unanswered[id_] = msgspec.json.encode(message)
        self._send(self._unanswered[id_])
        while id_ not in self._answers:
            self._hear()
        answer = self._answers.pop(id_)
        if isinstance(answer, AskRefused):
            raise answer
        return answer

    def seen(self) -> None:
        """Confirm that the newest state was shown: it is kept when the table is frozen over a dispute."""
        self._send(msgspec.json.encode({"seen": self.sequence}))

    def _connect(self) -> None:
        end = monotonic() + self._client.patience
        for wait in _waits(end):
            try:
                self._socket = connect(
                    self._address, additional_headers=self._client.headers(), compression=None, max_size=2**24
                )
            except InvalidStatus as error:
                raise AskRefused((Refusal("server", f"the server will not show this table: {error}"),)) from error
            except OSError as error:
                fault = error
            else:
                for message in self._unanswered.values():  # the same ids: harmless where they acted already
                    self._send(message)
                return
            sleep(wait)
        raise Unreachable(f"{self._address} cannot be reached: {fault}")

    def _send(self, message: bytes) -> None:
        if self._socket is not None:
            with suppress(ConnectionClosed):  # it is sent again once connected
                self._socket.send(message.decode())

    def _hear(self) -> None:
        """Take one message; where the connection broke, make a new one."""
        try:
            assert self._socket is not None, "use it in a with statement"
            message = msgspec.json.decode(self._socket.recv())
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in _FINAL:
                raise AskRefused(
                    (Refusal("server", closed.rcvd.reason or "the server closed this connection"),)
                ) from closed
            self._connect()
            return
        match message["kind"]:
            case "table":
                self.table, self.own, self.head = message["table"], message["own"], message["head"]
                self.sequence = message["sequence"]
                self._news.append(News(self.sequence, self.table, self.own, (), self.table))
            case "news":
                self._follow(message)
            case "done":
                self._unanswered.pop(message["id"], None)
                self._answers[message["id"]] = msgspec.convert(
                    {name: message[name] for name in ("id", "sequence", "head", "lines")}, Done
                )
            case "refused":
                self._unanswered.pop(message["id"], None)
                self._answers[message["id"]] = AskRefused(_refusals(message))
            case _:
                pass  # what a newer server may say

    def _follow(self, message: dict[str, Any]) -> None:
        """Bring the table up to date; where something was missed, ask for all of it."""
        if message["sequence"] <= self.sequence:
            return
        if message["from"] != self.sequence:
            self._send(b'{"ask":"table"}')
            return
        wagers = {_key(one): one for one in self.table["wagers"]}
        for gone in message["wagers_gone"]:
            wagers.pop(tuple(gone), None)
        wagers |= {_key(one): one for one in message["wagers_up"]}
        self.table = {**self.table, **message["changed"], "wagers": [wagers[key] for key in sorted(wagers)]}
        self.own = message.get("own", self.own)
        self.head, self.sequence = message["head"], message["sequence"]
        said = tuple(line for one in message["said"] for line in one["lines"])
        self._news.append(News(self.sequence, self.table, self.own, said, message["changed"]))


def _key(wager: Mapping[str, Any]) -> tuple[int, str, str, int]:
    return wager["seat"], wager["owner"], wager["kind"], wager["number"]
