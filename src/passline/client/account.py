"""An account's requests to a server over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic, sleep
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec
from msgspec import Struct

from passline.authority.roles import PLAYER
from passline.client.answers import Receipt, RequestRefused, Unreachable, refusals_in, retry_waits
from passline.client.live_table import TableConnection
from passline.refusal import Refusal

_BUSY = frozenset({502, 503, 504})  # from a proxy or an unavailable log: safe to retry under the same id


class Client:
    """One account at one server. A command is tried for `patience` seconds before Unreachable is raised."""

    def __init__(self, address: str, *, token: str = "", patience: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.patience = patience
        self._http = httpx.Client(base_url=self.address, timeout=60.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # People

    def log_in(self, name: str, password: str) -> dict[str, Any]:
        """Log in and return the account."""
        return self._keep_token(self.post("/api/log-in", {"name": name, "password": password}))

    def register(self, name: str, password: str) -> dict[str, Any]:
        """Register a player's account, log in and return it."""
        return self._keep_token(self.post("/api/register", {"name": name, "password": password}))

    def accept(self, link: str, *, password: str, name: str = "", pin: str = "") -> dict[str, Any]:
        """Accept an invitation by its one-time link, log in and return the account."""
        token = link.rstrip("/").rpartition("/")[2]
        chosen = {"password": password, **({"name": name} if name else {}), **({"pin": pin} if pin else {})}
        return self._keep_token(self.post(f"/api/invitations/{quote(token, safe='')}", chosen))

    def sit(self, table: str = "") -> dict[str, Any]:
        """Take a seat at a demo's table as a guest with play money."""
        return self._keep_token(self.post("/api/demo/sit", {"table": table}))

    def _keep_token(self, answer: dict[str, Any]) -> dict[str, Any]:
        self.token = answer["token"]
        self._http.cookies.clear()  # the token identifies the account
        return answer

    # Tables

    def tables(self) -> list[dict[str, Any]]:
        """Return the tables."""
        found: list[dict[str, Any]] = self.get("/api/tables")["tables"]
        return found

    def table(self, id: str, *, role: str = PLAYER) -> dict[str, Any]:  # noqa: A002 - the API's own word
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
        return self._send(path, {"id": id, "command": command, "role": role}, sign_off)

    def _send(self, path: str, sent: Mapping[str, Any], sign_off: tuple[str, str] | None) -> Receipt:
        body = {key: value for key, value in sent.items() if value}
        body.setdefault("id", str(uuid4()))
        if sign_off:
            body["sign_off"] = {"name": sign_off[0], "pin": sign_off[1]}
        end = monotonic() + self.patience
        for wait in retry_waits(end):
            try:
                return msgspec.convert(self.post(path, body), Receipt)
            except (httpx.TransportError, RequestRefused) as error:
                if isinstance(error, RequestRefused) and error.status not in _BUSY:
                    raise
                fault, body["again"] = error, True
            sleep(wait)
        raise Unreachable(f"{self.address} did not accept {body['id']} within {self.patience:.0f} s: {fault}")

    def live(self, table: str, *, role: str = PLAYER) -> TableConnection:
        """Return a connection that follows a table."""
        return TableConnection(self.address, table, role, headers=self.headers, patience=self.patience)

    # The back office

    def office(self, regulation: str) -> dict[str, Any]:
        """Return an office: its facility and values, and every act with its fields and clauses."""
        return self.get(f"/api/office/{quote(regulation, safe='')}")

    def today(self, regulation: str) -> dict[str, Any]:
        """Return what is due, overdue, to be signed and open in an office."""
        return self.get(f"/api/office/{quote(regulation, safe='')}/today")

    def office_people(self, regulation: str) -> list[dict[str, Any]]:
        """Return who can be named in an act of an office."""
        found: list[dict[str, Any]] = self.get(f"/api/office/{quote(regulation, safe='')}/people")["people"]
        return found

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
        return self._send(path, {"id": id, "command": command, "role": role}, sign_off)

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
        sign_off: tuple[str, str] | None = None,
    ) -> Receipt:
        """Send a command to a tournament and wait until it is in the log, as for a table."""
        path = f"/api/tournaments/{quote(tournament, safe='')}/commands"
        return self._send(path, {"id": id, "command": command, "role": role}, sign_off)

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
        refusals = refusals_in(answer) or (Refusal("server", f"the server answered {response}"),)
        raise RequestRefused(refusals, response.status_code)
