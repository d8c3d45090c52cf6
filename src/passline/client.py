"""A client of a Passline server, with the same commands as its pages.

    with Client("http://127.0.0.1:8000") as client:
        client.log_in("Ann", "correct horse battery")
        client.command("maryland-1", MakeWager(seat=1, wager="pass", cents=10_00))
        with client.live("maryland-1") as live:
            for news in live:
                print(news.sequence, *news.lines)

A command is sent under an id until it is answered, so a broken connection neither loses nor repeats it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from secrets import token_bytes
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
from passline.provable_dice import NONCE_BYTES, digest_of_key, provable_roll
from passline.tables.views.settled import unpacked_changes

__all__ = ["Client", "News", "Receipt", "RequestRefused", "RollNotProved", "TableConnection", "Unreachable"]

_RETRY_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
_DOUBT_SECONDS = 0.5  # before asking again what became of a command
_BUSY = frozenset({502, 503, 504})  # from a proxy or an unavailable log: safe to retry under the same id
_FINAL = frozenset({1008, 4404})  # websocket codes after which reconnecting is useless


class RequestRefused(CrapsError):
    """The server refused a request: every clause, and the HTTP status."""

    def __init__(self, refusals: tuple[Refusal, ...], status: int = 0) -> None:
        self.refusals = refusals
        self.status = status
        super().__init__("; ".join(str(refusal) if refusal.clause else refusal.why for refusal in refusals))


class RollNotProved(CrapsError):
    """The dice that a server shows do not follow from the key, the entry and the nonce that they must follow from."""


class Unreachable(CrapsError):
    """The server did not answer in time. A command may have been carried out: send it again under the same id."""


class Receipt(Struct, frozen=True):
    """The server's receipt for a command that is in the log."""

    id: str
    sequence: int
    head: dict[str, Any]
    lines: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    hash: str = ""  # of the entry itself


class News(Struct, frozen=True):
    """A change of a table: all of the table, the account's own view of it, and what happened, in words."""

    sequence: int
    table: dict[str, Any]
    own: dict[str, Any] | None
    lines: tuple[str, ...]
    changed: dict[str, Any]


class Client:
    """One account at one server. A command is tried for `patience` seconds before Unreachable is raised."""

    def __init__(self, address: str, *, token: str = "", patience: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.patience = patience
        self._http = httpx.Client(base_url=self.address, timeout=60.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # People

    def log_in(self, name: str, password: str) -> dict[str, Any]:
        """Log in and return the account."""
        return self._welcomed(self.post("/api/log-in", {"name": name, "password": password}))

    def register(self, name: str, password: str) -> dict[str, Any]:
        """Register a player's account, log in and return it."""
        return self._welcomed(self.post("/api/register", {"name": name, "password": password}))

    def accept(self, link: str, *, password: str, name: str = "", pin: str = "") -> dict[str, Any]:
        """Accept an invitation by its one-time link, log in and return the account."""
        token = link.rstrip("/").rpartition("/")[2]
        chosen = {"password": password, **({"name": name} if name else {}), **({"pin": pin} if pin else {})}
        return self._welcomed(self.post(f"/api/invitations/{quote(token, safe='')}", chosen))

    def sit(self, table: str = "") -> dict[str, Any]:
        """Take a seat at a demo's table as a guest with play money."""
        return self._welcomed(self.post("/api/demo/sit", {"table": table}))

    def _welcomed(self, answer: dict[str, Any]) -> dict[str, Any]:
        self.token = answer["token"]
        self._http.cookies.clear()  # the token identifies the account
        return answer

    # Tables

    def tables(self) -> list[dict[str, Any]]:
        """Return the tables."""
        found: list[dict[str, Any]] = self.get("/api/tables")["tables"]
        return found

    def table(self, id: str, *, role: str = "player") -> dict[str, Any]:  # noqa: A002 - the API's own word
        """Return a table as this account sees it: `table`, `own`, `sequence`, `head`."""
        return self.get(f"/api/tables/{quote(id, safe='')}?role={quote(role)}")

    def command(
        self,
        table: str,
        command: Struct | Mapping[str, Any],
        *,
        id: str = "",  # noqa: A002
        role: str = "",
        sign_off: tuple[str, str] | None = None,
    ) -> Receipt:
        """Send a command and wait until it is in the log; the same id again returns the same receipt."""
        path = f"/api/tables/{quote(table, safe='')}/commands"
        return self._sent(path, {"id": id, "command": command, "role": role}, sign_off)

    def _sent(self, path: str, sent: Mapping[str, Any], sign_off: tuple[str, str] | None) -> Receipt:
        body = {key: value for key, value in sent.items() if value}
        body.setdefault("id", str(uuid4()))
        if sign_off:
            body["sign_off"] = {"name": sign_off[0], "pin": sign_off[1]}
        end = monotonic() + self.patience
        for wait in _waits(end):
            try:
                return msgspec.convert(self.post(path, body), Receipt)
            except (httpx.TransportError, RequestRefused) as error:
                if isinstance(error, RequestRefused) and error.status not in _BUSY:
                    raise
                fault, body["again"] = error, True
            sleep(wait)
        raise Unreachable(f"{self.address} did not accept {body['id']} within {self.patience:.0f} s: {fault}")

    def live(self, table: str, *, role: str = "player") -> TableConnection:
        """Return a connection that follows a table."""
        return TableConnection(self, table, role)

    # The back office

    def office(self, regulation: str) -> dict[str, Any]:
        """Return an office: its facility and values, and every act with its fields and clauses."""
        return self.get(f"/api/office/{quote(regulation, safe='')}")

    def today(self, regulation: str) -> dict[str, Any]:
        """Return what is due, overdue, to be signed and open in an office."""
        return self.get(f"/api/office/{quote(regulation, safe='')}/today")

    def office_command(
        self,
        regulation: str,
        command: Struct | Mapping[str, Any],
        *,
        id: str = "",  # noqa: A002
        role: str = "",
        sign_off: tuple[str, str] | None = None,
    ) -> Receipt:
        """Send a command to an office and wait until it is in the log, as for a table."""
        path = f"/api/office/{quote(regulation, safe='')}/commands"
        return self._sent(path, {"id": id, "command": command, "role": role}, sign_off)

    def attach(self, data: bytes) -> str:
        """Store a document at the server and return the digest by which acts name it."""
        headers = {"Content-Type": "application/octet-stream", **self.headers()}
        answer = self._answer(self._http.post("/api/office/documents", content=data, headers=headers, timeout=60.0))
        return str(answer["digest"])

    def download(self, path: str) -> bytes:
        """Return a file that the server makes, such as a paper or a list; raise RequestRefused if it is refused."""
        response = self._http.get(path, headers=self.headers(), timeout=60.0)
        if not response.is_success:
            self._answer(response)
        return response.content

    # Tournaments

    def plan_tournament(self, plan: Mapping[str, Any], *, id: str = "", role: str = "") -> tuple[str, Receipt]:  # noqa: A002
        """Keep the plan of a tournament; return the tournament's id and the receipt."""
        command = {"command": "plan-tournament", "plan": plan}
        sent = {key: value for key, value in (("id", id or str(uuid4())), ("role", role)) if value}
        answer = self.post("/api/tournaments/commands", {**sent, "command": command})
        return answer["tournament"], msgspec.convert(answer["receipt"], Receipt)

    def tournament_command(
        self,
        tournament: str,
        command: Struct | Mapping[str, Any],
        *,
        id: str = "",  # noqa: A002
        role: str = "",
    ) -> Receipt:
        """Send a command to a tournament and wait until it is in the log, as for a table."""
        path = f"/api/tournaments/{quote(tournament, safe='')}/commands"
        return self._sent(path, {"id": id, "command": command, "role": role}, None)

    def tournaments(self) -> list[dict[str, Any]]:
        """Return the tournaments of the house."""
        found: list[dict[str, Any]] = self.get("/api/tournaments")["tournaments"]
        return found

    def tournament(self, id: str) -> dict[str, Any]:  # noqa: A002
        """Return a tournament: `boards`, `own`, and for the staff `entries`, `rounds`, `balances` and all else."""
        return self.get(f"/api/tournaments/{quote(id, safe='')}")

    def tournament_paper(self, id: str, paper: str, *, form: str = "pdf", event: str = "") -> bytes:  # noqa: A002
        """Return a paper of a tournament, such as `tax`, as pdf, xlsx, jsonl or text."""
        query = f"?form={quote(form)}" + (f"&event={quote(event)}" if event else "")
        return self.download(f"/api/tournaments/{quote(id, safe='')}/papers/{quote(paper, safe='')}{query}")

    # Any other request

    def get(self, path: str) -> dict[str, Any]:
        """Return the answer to a GET; raise RequestRefused if it is refused."""
        return self._answer(self._http.get(path, headers=self.headers()))

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Return the answer to a POST; raise RequestRefused if it is refused."""
        headers = {"Content-Type": "application/json", **self.headers()}
        return self._answer(self._http.post(path, content=msgspec.json.encode(body), headers=headers))

    def headers(self) -> dict[str, str]:
        """Return the headers that identify this account."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _answer(self, response: httpx.Response) -> dict[str, Any]:
        try:
            answer = msgspec.json.decode(response.content)
        except msgspec.DecodeError:
            answer = {}
        if response.is_success:
            return answer if isinstance(answer, dict) else {"answer": answer}
        refusals = _refusals(answer) or (Refusal("server", f"the server answered {response}"),)
        raise RequestRefused(refusals, response.status_code)


def _refusals(answer: Any) -> tuple[Refusal, ...]:  # noqa: ANN401 - any JSON
    found = answer.get("refusals", ()) if isinstance(answer, dict) else ()
    return tuple(Refusal(refusal["clause"], refusal["why"]) for refusal in found)


def _waits(end: float) -> Iterator[float]:
    """Yield how long to wait before each retry, until `end`."""
    tries = 0
    while True:
        yield _RETRY_SECONDS[min(tries, len(_RETRY_SECONDS) - 1)]
        tries += 1
        if monotonic() > end:
            return


class TableConnection:
    """A live table. It reconnects by itself, catches up, and sends unanswered commands again."""

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
        self._unanswered: dict[str, dict[str, Any]] = {}
        self._answers: dict[str, Receipt | RequestRefused] = {}
        self._news: deque[News] = deque()

    def __enter__(self) -> Self:
        self._connect()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __iter__(self) -> Iterator[News]:
        """Yield the table, then all its news, without end."""
        while True:
            while self._news:
                yield self._news.popleft()
            self._receive()

    def do(
        self,
        command: Struct | Mapping[str, Any],
        *,
        id: str = "",  # noqa: A002
        sign_off: tuple[str, str] | None = None,
    ) -> Receipt:
        """Send a command and wait for its receipt; news that arrives meanwhile is kept for the iteration."""
        id_ = id or str(uuid4())
        message: dict[str, Any] = {"id": id_, "command": command}
        if sign_off:
            message["sign_off"] = {"name": sign_off[0], "pin": sign_off[1]}
        self._unanswered[id_] = message
        self._send(msgspec.json.encode(message))
        while id_ not in self._answers:
            self._receive()
        answer = self._answers.pop(id_)
        if isinstance(answer, RequestRefused):
            raise answer
        return answer

    def roll(self, seat: int) -> News:
        """Throw electronic dice and return the news of the roll, after any news before it.

        The dice are thrown again here, from the key whose digest was shown before wagers closed, the entry that closed
        them and a nonce of this client's; RollNotProved is raised if they do not hold.
        """
        nonce, committed = token_bytes(NONCE_BYTES), self.table["commitment"]
        command = {"command": "roll", "seat": seat, "nonce_digest": sha256(nonce).hexdigest()}
        closed = self.do(command)
        self._send(msgspec.json.encode({"nonce": nonce.hex()}))  # not before the entry that closed wagers is known
        news = next(one for one in self if one.sequence > closed.sequence and one.table["closing"] is None)
        proof = news.table["proof"]
        if proof is None or proof["number"] != committed["number"]:
            raise RollNotProved(f"the throw with key {committed['number']} was given up: no dice follow from it")
        key, hash_, used = (bytes.fromhex(proof[part]) for part in ("key", "hash", "nonce"))
        dice = provable_roll(key, closing=hash_, nonce=used)
        is_proved = (digest_of_key(key), proof["hash"]) == (committed["digest"], closed.hash) and used in {b"", nonce}
        if not is_proved or [dice.first, dice.second] != list(news.table["faces"]):
            raise RollNotProved(f"roll {proof['number']} does not follow from its proof: dispute it, and keep {proof}")
        return news

    def seen(self) -> None:
        """Confirm that the newest state was shown; it is recorded when the table is frozen over a dispute."""
        self._send(msgspec.json.encode({"seen": self.sequence}))

    def _connect(self) -> None:
        end = monotonic() + self._client.patience
        for wait in _waits(end):
            try:
                self._socket = connect(
                    self._address, additional_headers=self._client.headers(), compression=None, max_size=2**24
                )
            except InvalidStatus as error:
                raise RequestRefused((Refusal("server", f"the server does not show this table: {error}"),)) from error
            except OSError as error:
                fault = error
            else:
                for id_ in self._unanswered:
                    self._send_again(id_)
                return
            sleep(wait)
        raise Unreachable(f"{self._address} cannot be reached: {fault}")

    def _send_again(self, id_: str) -> None:
        """Repeat a command, which is safe: each id acts once."""
        if message := self._unanswered.get(id_):
            self._send(msgspec.json.encode({**message, "again": True}))

    def _send(self, message: bytes) -> None:
        if self._socket is not None:
            with suppress(ConnectionClosed):  # it is sent again after reconnecting
                self._socket.send(message.decode())

    def _receive(self) -> None:
        """Handle one message, or reconnect if the connection broke."""
        try:
            assert self._socket is not None, "open the connection with a with statement"
            message = msgspec.json.decode(self._socket.recv())
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in _FINAL:
                raise RequestRefused(
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
                    {name: message[name] for name in ("id", "sequence", "head", "lines", "hash")}, Receipt
                )
            case "refused":
                self._unanswered.pop(message["id"], None)
                self._answers[message["id"]] = RequestRefused(_refusals(message))
            case "in-doubt":
                sleep(_DOUBT_SECONDS)
                self._send_again(message["id"])
            case _:
                pass  # from a newer server

    def _follow(self, message: dict[str, Any]) -> None:
        """Update the table; if something was missed, ask for the whole table."""
        is_without_entry = message["from"] == message["sequence"]  # as when limits come into force by notice
        if message["sequence"] <= self.sequence and not (is_without_entry and message["sequence"] == self.sequence):
            return  # known already
        if message["from"] != self.sequence:
            self._send(b'{"ask":"table"}')
            return
        wagers = {_key(wager): wager for wager in self.table["wagers"]}
        for gone in message["wagers_gone"]:
            wagers.pop(tuple(gone), None)
        wagers |= {_key(wager): wager for wager in message["wagers_up"]}
        changed = unpacked_changes(message["changed"])
        self.table = {**self.table, **changed, "wagers": [wagers[key] for key in sorted(wagers)]}
        self.own, self.head, self.sequence = message.get("own", self.own), message["head"], message["sequence"]
        lines = tuple(line for said in message["said"] for line in said["lines"])
        self._news.append(News(self.sequence, self.table, self.own, lines, changed))


def _key(wager: Mapping[str, Any]) -> tuple[int, str, str, int]:
    return wager["seat"], wager["owner"], wager["kind"], wager["number"]
