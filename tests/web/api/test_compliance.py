"""The file of compliance over HTTP: who can know that there is a matter, and that nothing else shows it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

from passline.acts.rules import TOLD_LATE
from passline.people.verify import verify_vault
from passline.store.authentic_vault import RESTRICTED_KIND, ROWS_PURPOSE, AuthenticVault, recode
from passline.store.log import Secret
from passline.store.memory import MemoryVault
from passline.web.api.compliance import commit_files, look_for_matters
from passline.web.api.office_lists import cash_in
from passline.web.duties import ROUTES
from tests.web.server import Browser, Server, serving

pytestmark = pytest.mark.long

OFFICE = "/api/office/maryland"
FILE = f"{OFFICE}/compliance"
HARBOUR = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
ROLES = ("compliance", "cashier", "accountant", "floorperson", "surveillance", "auditor", "regulator")
FORBIDDEN = ("owner", "cashier", "accountant", "floorperson", "surveillance", "auditor", "regulator")
OWN = (
    f"{OFFICE}/things/patron", f"{OFFICE}/things/patron/P1", f"{OFFICE}/things/incident",
    f"{OFFICE}/things/cash_report", f"{OFFICE}/acts?format=jsonl", f"{OFFICE}/cash?format=jsonl",
    f"{OFFICE}/cash/log?format=jsonl",
)  # fmt: skip


class Desk:
    """A house whose cage has sold chips for cash: to one patron, three times just below what is reported."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        self.accounts = {"owner": olga.session.account.id}
        self.at = {"owner": self.page(olga.token, olga.session.csrf)}
        for role in ROLES:
            welcome = server.hire(role.capitalize(), role, by=olga.session.account.id)
            self.accounts[role] = welcome.session.account.id
            self.at[role] = self.page(welcome.token, welcome.session.csrf)
        self.asks("owner", "set-up-office", facility=HARBOUR)
        self.asks("owner", "set-value", key="cash_report", value=10_000_00)
        self.signed(self.does("cashier", "receive_chips", units={"10000": 900}, delivery="1"), "witness")
        self.signed(self.does("cashier", "issue_chips", units={"10000": 900}), "witness")
        self.does("cashier", "enter_patron", "P1", name="Ann Smith", identification="passport")
        for _ in range(3):
            self.does("cashier", "sell_chips", units={"10000": 90}, patron="P1")
        long_ago = "2001-01-01T12:00:00.000000Z"
        late = self.does("cashier", "sell_chips", occurred=long_ago, units={"10000": 10}, patron="P1")
        self.signed(late, TOLD_LATE)
        self.calls(server.services.offices.note_cash, cash_in(server.services))

    def page(self, token: str, csrf: str) -> Browser:
        """Return the browser of somebody who is logged in."""
        page = self.server.browser()
        page.client.cookies.set("passline", token, domain="127.0.0.1")
        page.csrf = csrf
        return page

    def calls(self, look: Any, *arguments: object) -> None:  # noqa: ANN401 - what the server does by itself
        portal = self.server.page.client.portal
        assert portal is not None
        portal.call(look, *arguments)

    def looks(self) -> None:
        """Have the server look for matters, as it does once a minute."""
        self.calls(look_for_matters, self.server.services)

    def asks(self, role: str, command: str, **fields: object) -> dict[str, Any]:
        answer = self.at[role].post(f"{OFFICE}/commands", {"command": {"command": command, **fields}})
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def does(self, role: str, act: str, *things: str, occurred: str = "", **fields: object) -> int:
        done = self.asks(role, "do-act", act=act, things=things, fields=fields, occurred=occurred)
        number: int = done["events"][0]["number"]
        return number

    def signed(self, number: int, part: str) -> None:
        self.asks("accountant", "sign-act", number=number, part=part)

    def matters(self, role: str) -> list[dict[str, Any]]:
        answer = self.at[role].get(FILE)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["matters"]
        return found

    def all_seen(self) -> dict[tuple[str, str], object]:
        """Return all that everybody but compliance is shown: pages, lists, search, the log and what verifies it."""
        seen: dict[tuple[str, str], object] = {("", "sequence"): self.server.log.sequence}
        for route, duty in ROUTES.items():
            method, path = route.split()
            path = path.replace("{name}", "maryland")
            if method == "GET" and "{" not in path and path != FILE and "/live" not in path:
                seen |= {(role, path): self._shown(role, path) for role in FORBIDDEN if role in duty.by}
        seen |= {(role, path): self._shown(role, path) for role in ("owner", "regulator") for path in OWN}
        seen |= {("owner", "verify"): self.at["owner"].post("/api/log/verify").json()}
        day = self.at["owner"].get(f"{OFFICE}/cash").json()["day"]
        folder = self.at["regulator"].get(f"{OFFICE}/folders/{day}")
        assert folder.status_code == 200, folder.text
        with zipfile.ZipFile(BytesIO(folder.content)) as files:
            seen |= {("folder", name): files.read(name) for name in files.namelist()}
        return seen

    def _shown(self, role: str, path: str) -> tuple[int, str]:
        answer = self.at[role].get(path)
        return answer.status_code, answer.text


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with serving() as server:
        yield Desk(server)


@pytest.mark.whole
def test_nothing_but_the_file_shows_that_there_is_a_matter(desk: Desk) -> None:
    before = desk.all_seen()
    assert len(before) > 60
    assert desk.matters("compliance") == []
    desk.looks()
    desk.looks()
    matters = desk.matters("compliance")
    assert sorted(matter["matter"]["kind"] for matter in matters) == ["another_day", "structuring"]
    about = next(matter["matter"]["id"] for matter in matters if matter["matter"]["kind"] == "structuring")
    for step, text in (("note", "the teller has seen it before"), ("report", "filed under 7")):
        wrote = desk.at["compliance"].post(FILE, {"matter": about, "step": step, "text": text})
        assert wrote.status_code == 201, wrote.text
    kept = next(matter for matter in desk.matters("compliance") if matter["matter"]["id"] == about)
    assert (kept["state"], [note["name"] for note in kept["notes"]]) == ("reported", ["Compliance", "Compliance"])
    after = desk.all_seen()
    assert [key for key in before if after[key] != before[key]] == []
    assert after.keys() == before.keys()


@pytest.mark.parametrize("role", FORBIDDEN)
def test_nobody_else_reads_or_writes_the_file_and_the_answer_says_nothing(desk: Desk, role: str) -> None:
    empty = "/api/office/arizona/compliance"
    desk.looks()
    there, elsewhere = desk.at[role].get(FILE), desk.at[role].get(empty)
    assert (there.status_code, there.json()) == (403, elsewhere.json())
    note = {"matter": desk.matters("compliance")[0]["matter"]["id"], "step": "close", "text": "nothing"}
    wrong = {**note, "matter": "nothing of the kind"}
    answers = [desk.at[role].post(FILE, body) for body in (note, wrong)]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].json() == answers[1].json()


def test_an_examiner_reads_the_file_once_named_and_writes_nothing(desk: Desk) -> None:
    desk.looks()
    examiners = f"{FILE}/examiners"
    named = {"account": desk.accounts["regulator"], "may_read": True}
    assert desk.at["owner"].post(examiners, named).status_code == 403, "an owner names nobody"
    assert desk.at["compliance"].post(examiners, {**named, "account": desk.accounts["owner"]}).status_code == 422
    assert desk.at["compliance"].post(examiners, named).status_code == 201
    found = desk.matters("regulator")
    assert found == desk.matters("compliance") != []
    note = {"matter": found[0]["matter"]["id"], "step": "close", "text": "nothing"}
    assert desk.at["regulator"].post(FILE, note).status_code == 403
    assert desk.at["compliance"].post(examiners, {**named, "may_read": False}).status_code == 201
    assert desk.at["regulator"].get(FILE).status_code == 403


def test_whoever_owns_the_house_too_is_not_compliance(desk: Desk) -> None:
    both = desk.server.hire("Both", "compliance", "owner", by=desk.accounts["owner"])
    page = desk.page(both.token, both.session.csrf)
    answer = page.get(FILE)
    why = "the owner may not read the file of compliance; the compliance or examiner whom it has named may"
    assert (answer.status_code, answer.json()["refusals"]) == (403, [{"clause": "duties", "why": why}])
    asked = (page, desk.at["compliance"], desk.at["regulator"])
    offered = ['"reads_compliance": true' in browser.get("/office/maryland/patrons").text for browser in asked]
    assert offered == [browser.get(FILE).status_code == 200 for browser in asked] == [False, True, False]


def test_the_server_s_own_log_says_nothing_of_the_file(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.looks()
    about = desk.matters("compliance")[0]["matter"]["id"]
    note = {"matter": about, "step": "note", "text": "looked at again"}
    assert desk.at["compliance"].post(FILE, note).status_code == 201
    desk.at["owner"].get(f"{OFFICE}/today")
    told = "".join(capsys.readouterr())
    assert ("/today" in told, "compliance" in told, about in told) == (True, False, False)


def test_what_is_written_about_a_matter_names_one_and_says_something(desk: Desk) -> None:
    desk.looks()
    about = desk.matters("compliance")[0]["matter"]["id"]
    for body, status in (
        ({"matter": "no such", "step": "note", "text": "x"}, 404),
        ({"matter": about, "step": "note", "text": "  "}, 422),
        ({"matter": about, "step": "forget", "text": "x"}, 422),
    ):
        assert desk.at["compliance"].post(FILE, body).status_code == status


def test_verify_counts_no_row_of_the_file_and_finds_a_forged_one(desk: Desk) -> None:
    desk.looks()
    log = desk.server.log
    key, rows = log.derive(ROWS_PURPOSE), list(log.vault.all())
    own = [row for row in rows if row.kind == RESTRICTED_KIND]
    assert own
    people = [stored.entry for stored in log.read_stream("people")]
    report = verify_vault(people, rows, key)
    assert (report.rows, report.faults) == (len(rows) - len(own), ())
    assert verify_vault(people, [row for row in rows if row not in own], None) == verify_vault(people, rows, None)
    forged = Secret(RESTRICTED_KIND, "maryland/note/1", b"all is well")
    assert verify_vault(people, [*rows, forged], key).faults == ("a row was not written by this server",)


def test_the_log_of_transactions_is_read_by_those_who_read_cash(desk: Desk) -> None:
    told = desk.at["regulator"].get(f"{OFFICE}/cash/log").json()
    assert told["from_cents"] == 2_500_00
    assert [row["cash_in_cents"] for row in told["transactions"]] == [9_000_00] * 3 + [1_000_00]
    assert [row["remark"] for row in told["transactions"]] == ["", "", "", "told for 2001-01-01"]
    assert desk.at["cashier"].get(f"{OFFICE}/cash/log").status_code == 403


def test_cash_told_for_another_year_is_reported_on_the_day_of_its_entry(desk: Desk) -> None:
    (report,) = desk.at["owner"].get(f"{OFFICE}/things/cash_report").json()["things"]
    assert (report["state"], report["facts"]["cash_in"]) == ("due", 28_000_00)


def test_the_file_stays_when_the_log_s_key_is_replaced() -> None:
    below, row = MemoryVault(), Secret(RESTRICTED_KIND, "maryland/note/1", b"looked at")
    AuthenticVault(below, b"old").put(row)
    recode(below, b"old", b"new")
    assert list(AuthenticVault(below, b"new").all()) == [row]


def test_what_is_done_to_the_file_is_found_by_whoever_may_read_it_and_by_nobody_else() -> None:
    with serving() as server:
        desk = Desk(server)
        desk.looks()
        before = server.log.sequence
        desk.calls(commit_files, server.services)
        assert server.log.sequence == before, "its first gaming day is not over"
        server.clock.move(24 * 3600)
        for role in ("compliance", "regulator", "owner"):  # their sessions have ended
            welcome = server.hire(f"{role} of the next day", role, by=desk.accounts["owner"])
            desk.accounts[role] = welcome.session.account.id
            desk.at[role] = desk.page(welcome.token, welcome.session.csrf)
        before = server.log.sequence
        for _ in range(2):
            desk.calls(commit_files, server.services)
        assert server.log.sequence == before + 1, "once, for the one office that is set up"
        assert desk.at["compliance"].get(f"{FILE}/check").json()["findings"] == []
        told = desk.at["owner"].post("/api/log/verify").json()
        gone = next(row for row in server.log.vault.all() if row.key.startswith("maryland/matter/"))
        server.log.vault.forget(RESTRICTED_KIND, gone.key)
        findings = desk.at["compliance"].get(f"{FILE}/check").json()["findings"]
        assert findings[0].startswith(gone.key.removeprefix("maryland/").replace("/", " ", 1))
        assert desk.at["owner"].post("/api/log/verify").json() == told
        for role in ("owner", "regulator"):
            assert desk.at[role].get(f"{FILE}/check").status_code == 403
        named = {"account": desk.accounts["regulator"], "may_read": True}
        assert desk.at["compliance"].post(f"{FILE}/examiners", named).status_code == 201
        assert desk.at["regulator"].get(f"{FILE}/check").json()["findings"] == findings
