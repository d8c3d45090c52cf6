"""Hostile bodies to every route that takes one, as everybody: no 5xx, no parser on the event loop, and play goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from uuid import uuid4

import httpx
import msgspec
import pytest

from passline.authority.roles import ROLES
from passline.web.api.websocket import SocketMessage
from tests.cases import budget
from tests.web.hostile.bodies import Body, bodies_for, worst_bodies_for
from tests.web.hostile.routes import Taking, routes_taking_bodies
from tests.web.house import OPENING
from tests.web.server import ADDRESS, Server, serving

pytestmark = pytest.mark.long

NOBODY = "nobody"
FILLED = {"{id}": "craps-1", "{name}": "colorado", "{token}": "x" * 40, "{table}": "craps-1"}
SPEAKS = {  # of each route those who come furthest, so that what they send is read and judged
    "/api/tables": ("owner", "floorperson"),
    "/api/tables/{id}/commands": ("player", "floorperson", "dealer"),
    "/api/log/verify": ("regulator",),
    "/api/office/{name}/commands": ("compliance", "supervisor"),
}

FOR_ANYBODY = {"/api/log-in", "/api/register", "/api/invitations/{token}", "/api/demo/sit"}


class Crowd:
    """A server with somebody of every role, and Ann, who plays at its table meanwhile."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        by = olga.session.account.id
        self.tokens = {NOBODY: "", "owner": olga.token}
        for role in ROLES:
            if role != "owner":
                name = "Flo" if role == "floorperson" else f"The {role}"
                self.tokens[role] = server.hire(name, role, by=by).token
        self.ann, self.victim = server.hire("Ann", "player", by=by).token, server.open_account("Vic", "player", by=by)
        for number in (1, 2):  # at the first one hostile bodies may freeze the game over a dispute; Ann has the second
            opening = {**OPENING, "name": f"Craps {number}"}
            opened = self._post(olga.token, "/api/tables", Body("a table", json.dumps(opening).encode()))
            assert opened.status_code == 201, opened.text
        for command in ({"command": "take-seat", "seat": 1}, {"command": "buy-in", "seat": 1, "cents": 500_00}):
            self.play(command)
        self.routes = routes_taking_bodies(server.app)

    def _post(self, token: str, path: str, body: Body) -> httpx.Response:
        page = self.server.browser()  # a new one each time: some answers begin another session
        headers = {"content-type": body.kind} | ({"authorization": f"Bearer {token}"} if token else {})
        answer: httpx.Response = page.client.post(path, content=body.data, headers=headers)
        return answer

    def play(self, command: dict[str, object]) -> None:
        """Have Ann do something at her table, which is answered."""
        sent = Body("play", json.dumps({"id": uuid4().hex, "command": command}).encode())
        answer = self._post(self.ann, "/api/tables/craps-2/commands", sent)
        assert answer.status_code == 200, answer.text

    def send(self, role: str, route: Taking, body: Body) -> httpx.Response:
        """Send a body to a route, logged in as somebody of a role."""
        path = route.path.replace("{account}", self.victim)
        for name, value in FILLED.items():
            path = path.replace(name, value)
        return self._post(self.tokens[role], path, body)


@pytest.fixture(scope="module")
def crowd() -> Iterator[Crowd]:
    with serving() as server:
        yield Crowd(server)


def _faults(crowd: Crowd, role: str, route: Taking, bodies: list[Body]) -> Iterator[str]:
    """Yield what a server must not answer: a fault of its own, or that a hostile body is fine without a reason."""
    if route.path == "/api/log-out" and role != NOBODY:
        return  # it would end the session that the other routes need
    for body in bodies:
        answer = crowd.send(role, route, body)
        if answer.status_code >= 500:
            yield f"{answer.status_code} to the {role} at {route.path} for {body.name}: {answer.text[:200]}"
        elif answer.status_code >= 400 and not answer.json()["refusals"]:
            yield f"{answer.status_code} without a reason at {route.path} for {body.name}"


def _wager(crowd: Crowd) -> None:
    crowd.play({"command": "make-wager", "seat": 1, "wager": "field", "cents": 5_00})
    crowd.play({"command": "remove-wager", "seat": 1, "wager": "field"})


def test_every_route_that_takes_a_body_is_known(crowd: Crowd) -> None:
    paths = {route.path for route in crowd.routes}
    assert len(paths) >= 31
    assert {"/house/check", "/elections/read", "/api/tournaments/check", "/api/tables/{id}/commands"} <= paths


@pytest.mark.whole
def test_the_worst_bodies_cause_no_fault_of_the_server(crowd: Crowd) -> None:
    chance, faults = Random(30), list[str]()
    for route in crowd.routes[:: budget(2, in_sweep=1)]:
        worst = worst_bodies_for(route.schema, route.named, chance, fields=1)
        for role in SPEAKS.get(route.path, ("owner",)):
            faults += _faults(crowd, role, route, worst)
        faults += _faults(crowd, NOBODY, route, worst if route.path in FOR_ANYBODY else worst[:6])
        _wager(crowd)
    assert not faults, "\n".join(faults)


@pytest.mark.sweep
@pytest.mark.parametrize("role", [*ROLES, NOBODY])
def test_200_hostile_bodies_cause_no_fault_of_the_server(crowd: Crowd, role: str) -> None:
    chance, faults = Random(31), list[str]()
    for route in crowd.routes:
        bodies = bodies_for(route.schema, route.named, chance)
        assert len(bodies) == 200
        faults += _faults(crowd, role, route, bodies)
        _wager(crowd)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("role", ["player", "dealer", "spectator"])
def test_hostile_messages_to_a_screen_are_refused_and_it_goes_on(crowd: Crowd, role: str) -> None:
    [schema], named = msgspec.json.schema_components([SocketMessage], ref_template="#/{name}")
    token = crowd.tokens["player" if role == "spectator" else role]
    headers = {"authorization": f"Bearer {token}"}
    page = crowd.server.browser()
    address = f"{ADDRESS.replace('http', 'ws')}/api/tables/craps-1/live?role={role}"
    with page.client.websocket_connect(address, headers=headers) as screen:
        for body in worst_bodies_for(schema, named, Random(32), fields=8):
            screen.send_bytes(body.data)
            screen.send_text('{"ask":"areas","id":"after"}')
            answers = [screen.receive_json()]
            while answers[-1].get("id") != "after":
                answers.append(screen.receive_json())
            faults = [one for one in answers if '"server"' in json.dumps(one.get("refusals", ""))]
            assert not faults, f"{body.name}: {faults}"
    _wager(crowd)


TEXTS = ("9" * 5_000, "[" * 2_000, "\0", "a" * 7_000, "%ff%fe", "-1", "1e400", "'\"<>&;", "..%2f..", "\u202e")


@pytest.mark.parametrize("count", [3, pytest.param(len(TEXTS), marks=pytest.mark.sweep)])
@pytest.mark.whole
def test_hostile_texts_in_addresses_cause_no_fault_of_the_server(crowd: Crowd, count: int) -> None:
    """So many in each parameter, in turn."""
    faults, turn = [], cycle(TEXTS)
    headers = {"authorization": f"Bearer {crowd.tokens['owner']}"}
    client = crowd.server.browser().client
    for path, methods in crowd.server.app.openapi()["paths"].items():
        names = [one["name"] for one in methods.get("get", {}).get("parameters", ()) if one["in"] == "query"]
        for name, text in [(name, text) for name in names for text in islice(turn, count)]:
            filled = path.replace("{account}", crowd.victim).replace("{kind}", "rating").replace("{id}", "craps-1")
            filled = filled.replace("{name}", "colorado").replace("{", "").replace("}", "")
            answer = client.get(filled, params={name: text}, headers=headers)
            if answer.status_code >= 500 and answer.status_code != 503:  # 503: views that are not made yet
                faults.append(f"{answer.status_code} at {filled}?{name}={text[:20]}: {answer.text[:100]}")
    assert not faults, "\n".join(faults)
