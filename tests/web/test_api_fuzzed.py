"""Schemathesis over the API of a real server: whatever is sent, by nobody, a player, the crew or the owner, no 5xx."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation

EXAMPLES = 12  # of each operation for each of those who ask
STARTED = "Passline is at "
LINK = "invitations/"
CREW = ("dealer", "stickperson", "boxperson", "floorperson", "player")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server, and the token of its owner's link."""
    command = [
        sys.executable,
        "-m",
        "passline",
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path_factory.mktemp("house")),
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
    """Somebody of each kind: the owner, one of the crew with every role at the table, a player, nobody."""
    address, link = base
    with httpx.Client(base_url=address, timeout=30) as client:
        owner = client.post(
            f"/api/invitations/{link}", json={"name": "Olga", "password": "a long password", "pin": "2580"}
        )
        assert owner.status_code < 300, owner.text
        player = client.post("/api/register", json={"name": "Paul", "password": "another password"})
        assert player.status_code < 300, player.text
        mine = {"Authorization": f"Bearer {owner.json()['token']}"}
        client.cookies.clear()
        made = client.post("/api/people", json={"name": "Carl", "roles": list(CREW)}, headers=mine)
        assert made.status_code < 300, made.text
        path = next(text for text in made.text.split('"') if LINK in text)
        accepted = {"name": "Carl", "password": "a third password", "pin": "1593"}
        crew = client.post(f"/api/invitations/{path.rpartition('/')[2]}", json=accepted)
        assert crew.status_code < 300, crew.text
    return {"owner": owner.json()["token"], "crew": crew.json()["token"], "player": player.json()["token"], "": ""}


@pytest.mark.parametrize("who", ["owner", "crew", "player", ""])
def test_nothing_that_is_sent_is_the_servers_fault(who: str, base: tuple[str, str], tokens: dict[str, str]) -> None:
    api = schemathesis.openapi.from_url(f"{base[0]}/openapi.json")
    operations = [one.ok() for one in api.get_all_operations() if isinstance(one, Ok)]
    assert len(operations) > 30
    with requests.Session() as session:
        session.headers.update({"Authorization": f"Bearer {tokens[who]}"} if who else {})
        for operation in operations:
            if who and (operation.path == "/api/log-out" or operation.path.startswith("/api/people/{account}")):
                continue  # it would end its own session, or that of the others; nobody sends them without one
            _fuzz(operation, session)
    health = httpx.get(f"{base[0]}/health").json()
    assert health["status"] == "up"


def _fuzz(operation: APIOperation[Any, Any, Any, Any], session: requests.Session) -> None:
    @given(case=operation.as_strategy())
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def send(case: schemathesis.Case[Any]) -> None:
        if "id" in case.path_parameters:
            case.path_parameters["id"] = "maryland-1"  # a table that is there, or nothing below it would ever be tried
        case.call_and_validate(session=session, checks=[not_a_server_error])

    send()
