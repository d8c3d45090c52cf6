"""Every refusal says where it comes from: a clause of the regulation in force, or one of our sources in the guide."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from passline.game import commands as c
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.web.server.responses import BODY_MAX
from tests.people.house import PASSWORD, PIN
from tests.tables.duties_matrix import TABLE_COMMANDS, sample
from tests.tables.sitting import ANN, BOB, CREW, LABORATORY, OWNER, Sitting
from tests.web.server import ADDRESS, Browser, Server, serving

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8").partition("## Where a refusal comes from")[2]
OWN = set(re.findall(r"^\| `(\w+)` \|", GUIDE.partition("\n## ")[0], re.MULTILINE))
SOURCES = sorted(
    path for part in ("streams", "people", "tables", "web") for path in (ROOT / "src" / "passline" / part).rglob("*.py")
)


@cache
def _literal_clauses(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(_clauses_in(ast.parse(path.read_text("utf-8"))))


def _clauses_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the clauses that are written as literals: the first argument of `Refusal`, the last of `denial`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        place = {"Refusal": 0, "denial": 2}.get(node.func.id)
        given = node.args[place : place + 1] if place is not None else []
        given += [one.value for one in node.keywords if one.arg == "clause"]
        for clause in given:
            if isinstance(clause, ast.Constant):
                yield node.lineno, str(clause.value)


def test_the_guide_lists_our_own_sources() -> None:
    spelled = {clause for path in SOURCES for _, clause in _literal_clauses(path)}
    assert OWN - {"server"} == spelled  # a fault of the server is known by its status alone


def test_no_refusal_is_written_without_a_source() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} {clause!r}"
        for path in SOURCES
        for line, clause in _literal_clauses(path)
        if clause not in OWN
    ]
    assert not wrong, "\n".join(wrong)


# --- Tables -----------------------------------------------------------------------------------------------------------


SUPERVISION = {  # commands whose duty one regulation alone speaks of
    ("open-table", "close-table"): "arizona",
    ("put-in-dice", "condemn-dice"): "maryland",
    ("report-irregularity", "direct-action", "observe-action"): "colorado",
}
ELECTRONIC = ("take-nonce", "complete-roll", "commit-dice", "renew-dice")


def _clauses(verdict: object) -> set[str]:
    assert isinstance(verdict, Refused), verdict
    return {clause for one in verdict.refusals for clause in one.clause.split(", ")}


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_command_outside_ones_duties_is_refused_by_a_clause_in_force(regulation: str) -> None:
    sitting = Sitting(regulation, approvals=LABORATORY)
    said = {}
    for name, kind in TABLE_COMMANDS.items():
        verdict = sitting.ask(sample(kind), Actor("zoe", "Zoe", "spectator"))
        said[name] = _clauses(verdict)
        assert said[name] <= {*clauses_of(regulation), "duties"}, name
    ours = {name for name, clauses in said.items() if clauses == {"duties"}}
    own = (
        "adopt-rulebook",
        "change-house",
        "close-meter",
        "open-meter",
        "report-conduct",
        "report-shown",
        "enter-paper",
        "rate-player",
        "seat-entrants",
        "finish-round",
    )
    expected = {*own, *ELECTRONIC}
    for names, ruled_by in SUPERVISION.items():
        expected |= set(names) if regulation != ruled_by else set()
    assert ours == expected


@pytest.mark.parametrize(
    ("command", "by", "clauses"),
    [
        (c.Fill(cents=100_00), CREW["dealer"], {"AZ-II.M.1-b"}),
        (k.CloseTable(), ANN, {"AZ-II.M.1-c"}),
        (c.CallRoll(total=7), ANN, {"AZ-I.6-b", "AZ-II.G.2.d.iii"}),
        (c.TakeSeat(seat=3), CREW["dealer"], {"AZ-III.E.1"}),
        (k.SeatPlayer(seat=3, account="cat", name="Cat"), BOB, {"AZ-III.E.1"}),
        (c.BuyIn(seat=2, cents=100_00), Actor("ann", "Ann", "dealer", is_employee=True), {"AZ-II.M.3-a"}),
        (k.FreezeTable(reason="cocked"), Actor("cat", "Cat", "player"), {"AZ-II.G.2.d.iv", "AZ-II.M.1-e"}),
        (k.FreezeTable(reason="cocked", seat=9), CREW["dealer"], {"AZ-III.E.1"}),
        (k.FreezeTable(reason=" "), ANN, {"form"}),
        (k.ReleaseTable(finding="it lay flat"), CREW["floorperson"], {"AZ-II.G.2.d.iv", "AZ-II.M.1-e"}),
        (k.ReportConduct(breach="prediction_aid", seat=9), CREW["boxperson"], {"AZ-III.E.1"}),
        (k.OpenTable(name="Craps 1", house={"rules": "arizona"}), OWNER, {"house"}),
    ],
)
def test_a_table_refuses_by_the_clause_that_applies(command: Any, by: Actor, clauses: set[str]) -> None:  # noqa: ANN401
    sitting = Sitting("arizona", approvals=LABORATORY, dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    assert _clauses(sitting.ask(command, by)) == clauses


# --- The server -------------------------------------------------------------------------------------------------------

TABLE = {"command": "open-table", "name": "Craps 1", "house": {"rules": "maryland"}}
COMMANDS = "/api/tables/craps-1/commands"
APPROVAL = {"kind": "prediction_aid", "authority": "TGO", "reference": "17", "date": "2026-01-02"}
SIT = {"command": "take-seat", "seat": 1}
FILL = {"command": "fill", "cents": 100_00}
CLOSE = {"command": "close-table"}
GETS = {
    "/api/nowhere": "form",
    "/api/tables/none": "house",
    "/api/tables/none/hands": "house",
    "/api/tables/craps-1?role=dealer": "duties",
    "/api/tables/craps-1/areas?seat=x": "form",
    "/api/tables/craps-1/areas": "MD-3.A",
    "/api/tables/craps-1/hands/99": "log",
    "/api/tables/craps-1/hands/x": "form",
    "/api/tables/craps-1/at/1": "log",
    "/api/log?limit=x": "form",
    "/api/log/export?format=pdf": "form",
    "/api/log/export?format=xlsx": "log",
    "/api/records?kind=tea": "form",
    "/house/elections?regulation=nevada": "house",
}
POSTS: dict[str, tuple[str, Any, str]] = {
    "no JSON object": ("/api/log-in", [], "form"),
    "a wrong password": ("/api/log-in", {"name": "Olga", "password": "no such password"}, "people"),
    "a short password": ("/api/register", {"name": "Pat", "password": "short"}, "people"),
    "a used link": ("/api/invitations/none", {"name": "Pat", "password": PASSWORD}, "people"),
    "no account": ("/api/people/none/roles", {"roles": ["dealer"]}, "people"),
    "no demo": ("/api/demo/sit", {}, "house"),
    "a table that is open": ("/api/tables", TABLE, "house"),
    "a demo's table": ("/api/tables", {**TABLE, "name": "Demo", "is_demo": True}, "duties"),
    "a bank without a signature": ("/api/tables", {**TABLE, "name": "Bank", "bank_cents": 500_00}, "duties"),
    "a name too long": ("/api/tables", {**TABLE, "name": "x" * 61}, "form"),
    "no regulation": ("/api/tables", {**TABLE, "name": "New", "house": {"rules": "nevada"}}, "house"),
    "no table": ("/api/tables/none/commands", {"id": "a", "command": SIT}, "house"),
    "no id": (COMMANDS, {"id": "", "command": SIT}, "form"),
    "not one's role": (COMMANDS, {"id": "b", "command": SIT, "role": "dealer"}, "duties"),
    "not the role's": (COMMANDS, {"id": "c", "command": SIT, "role": "owner"}, "MD-3.A"),
    "without a signature": (COMMANDS, {"id": "d", "command": CLOSE, "role": "owner"}, "duties"),
    "not the role's to sign for": (COMMANDS, {"id": "f", "command": FILL, "role": "owner"}, "MD-4.B"),
    "a wrong PIN": (COMMANDS, {"id": "e", "command": CLOSE, "sign_off": {"name": "Bea", "pin": "0000"}}, "duties"),
    "no kind of approval": ("/api/approvals", {**APPROVAL, "kind": "tea"}, "house"),
    "the wrong authority": ("/api/approvals", {**APPROVAL, "authority": "laboratory"}, "AZ-II.N.2"),
    "an approval to come": ("/api/approvals", {**APPROVAL, "date": "2099-01-02"}, "AZ-II.N.2"),
    "no day": ("/api/approvals", {**APPROVAL, "date": "soon"}, "form"),
    "no class of records": ("/api/reports", {"record_class": "tea", "text": "seen"}, "house"),
    "an empty report": ("/api/reports", {"record_class": "security", "text": " "}, "form"),
    "an unsigned shift": ("/api/shift/close", {}, "duties"),
    "no head": ("/api/log/verify", {"head": {"sequence": 1, "hash": "x", "seal": "y"}}, "form"),
    "a log in memory": ("/api/log/verify", {}, "log"),
    "no TOML": ("/house/check", {"toml": "=", "regulation": "maryland", "game": "craps"}, "form"),
    "a breach": ("/house/check", {"toml": "buy = 7", "regulation": "maryland", "game": "craps"}, "MD-"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def owner(server: Server) -> Browser:
    olga = server.owner("Olga")
    server.hire("Bea", "boxperson", by=olga.session.account.id)
    page = server.browser()
    page.post("/api/log-in", {"name": "Olga", "password": PASSWORD})
    assert page.post("/api/tables", TABLE).status_code == 201
    return page


def _told(answer: Any) -> list[str]:  # noqa: ANN401 - a response of httpx
    assert answer.status_code >= 400, answer.text
    refusals = answer.json()["refusals"]
    assert refusals
    known = {*OWN, *(clause for name in REGULATIONS for clause in clauses_of(name))}
    for one in refusals:
        assert set(one["clause"].split(", ")) <= known, one
    return [one["clause"] for one in refusals]


@pytest.mark.parametrize("path", GETS)
def test_a_refused_get_names_where_the_refusal_comes_from(owner: Browser, path: str) -> None:
    assert _told(owner.get(path))[0].startswith(GETS[path])


@pytest.mark.parametrize("what", POSTS)
def test_a_refused_post_names_where_the_refusal_comes_from(owner: Browser, what: str) -> None:
    path, body, clause = POSTS[what]
    assert _told(owner.post(path, body))[0].startswith(clause)


def test_a_request_of_another_site_names_where_the_refusal_comes_from(owner: Browser) -> None:
    log_in = {"name": "Olga", "password": PASSWORD}
    assert _told(owner.get("/api/me", host="evil.example")) == ["site"]
    assert _told(owner.post("/api/log-in", log_in, origin="http://evil.example")) == ["site"]
    assert _told(owner.post("/api/log-out", csrf="wrong")) == ["site"]
    assert _told(owner.post("/api/log-in", {**log_in, "password": "x" * BODY_MAX})) == ["form"]
    assert _told(owner.client.post("/api/log-in", content=b"x", headers={"origin": ADDRESS})) == ["form"]
    assert _told(owner.client.put("/api/log-in", json={}, headers={"origin": ADDRESS})) == ["form"]


@pytest.mark.usefixtures("owner")
def test_a_visitor_is_refused_by_the_duties(server: Server) -> None:
    visitor = server.browser()
    assert _told(visitor.get("/api/me")) == ["duties"]
    assert _told(visitor.post(COMMANDS, {"id": "z", "command": SIT})) == ["duties"]
    assert _told(visitor.post("/api/log-in", {"name": "Olga", "password": PIN})) == ["people"]
