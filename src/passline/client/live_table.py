"""A live table over a websocket: its news, commands and provable rolls."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from secrets import token_bytes
from time import monotonic, sleep
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import msgspec
from msgspec import Struct
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from passline.client.answers import Receipt, RequestRefused, Unreachable, refusals_in, retry_waits
from passline.errors import CrapsError
from passline.provable_dice import NONCE_BYTES, digest_of_key, provable_roll
from passline.refusal import Refusal
from passline.tables.views.settled import unpacked_changes

_DOUBT_SECONDS = 0.5  # before asking again what became of a command
_FINAL = frozenset({1008, 4404})  # websocket codes after which reconnecting is useless


class RollNotProved(CrapsError):
    """The dice that a server shows do not follow from the key, the entry and the nonce that they must follow from."""


class News(Struct, frozen=True):
    """A change of a table: all of the table, the account's own view of it, and what happened, in words."""

    sequence: int
    table: dict[str, Any]
    own: dict[str, Any] | None
    lines: tuple[str, ...]
    changed: dict[str, Any]


class TableConnection:
    """A live table. It reconnects by itself, catches up, and sends unanswered commands again."""

    def __init__(
        self, address: str, table: str, role: str, *, headers: Callable[[], Mapping[str, str]], patience: float
    ) -> None:
        self.table: dict[str, Any] = {}
        self.own: dict[str, Any] | None = None
        self.head: dict[str, Any] = {}
        self.sequence = -1
        self._address = f"{address.replace('http', 'ws', 1)}/api/tables/{quote(table, safe='')}/live?role={quote(role)}"
        self._headers, self._patience = headers, patience
        self._socket: ClientConnection | None = None
        self._unanswered: dict[str, dict[str, Any]] = {}
        self._answers: dict[str, Receipt | RequestRefused] = {}
        self._news: deque[News] = deque()

    def __enter__(self) -> Self:
        """Connect, and wait for the table as it is: `table` and `own` have it, and so has the first news."""
        self._connect()
        try:
            while self.sequence < 0:
                self._receive()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
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
        nonce, shown = token_bytes(NONCE_BYTES), self.table
        command = {"command": "roll", "seat": seat, "nonce_digest": sha256(nonce).hexdigest()}
        closed = self.do(command)
        for news in self._news:  # that were on their way
            shown = news.table if news.sequence < closed.sequence else shown
        committed = shown["commitment"]
        self._send(msgspec.json.encode({"nonce": nonce.hex()}))  # not before the entry that closed wagers is known
        news = next(news for news in self if news.sequence > closed.sequence and news.table["closing"] is None)
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
        end = monotonic() + self._patience
        for wait in retry_waits(end):
            try:
                self._socket = connect(
                    self._address, additional_headers=self._headers(), compression=None, max_size=2**24
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
                self._answers[message["id"]] = RequestRefused(refusals_in(message))
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
