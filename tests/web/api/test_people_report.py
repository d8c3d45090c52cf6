"""Users and their rights, as the log has them: the same report from the server and from the log, and who has left."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from msgspec import json

from passline.acts.calendar.facility import Facility
from passline.documents.as_text import as_text
from passline.documents.sheet import PrintedSheet, SheetTable, plain_text
from passline.office.trial import TrialOffice
from passline.office.views.users_report import users_report
from tests.web.house import House


def _table(sheet: PrintedSheet, title: str) -> dict[str, dict[str, str]]:
    """A table of the report: by what stands in its first column, the rest by its heads."""
    table: SheetTable = next(table for table in sheet.tables if table.title.startswith(title))
    texts = [[plain_text(cell) for cell in row if isinstance(cell, str | tuple)] for row in table.rows]
    return {row[0]: dict(zip(table.heads[1:], row[1:], strict=True)) for row in texts}


def test_today_reminds_only_those_who_go_through_users(house: House) -> None:
    """A dealer's *Today* has the house's other duties, and not this one."""
    set_up = {"command": "set-up-office", "facility": {"name": "Harbour", "zone": "America/New_York"}}
    assert house.owner.post("/api/office/section2/commands", {"command": set_up}).status_code == 201
    shown = {
        role: {duty["clock"] for duty in page.get("/api/office/section2/today").json()["due"]}
        for role, page in house.people.items()
        if role in {"owner", "regulator", "floorperson", "dealer", "surveillance"}
    }
    assert {role for role, clocks in shown.items() if "users_reviewed" in clocks} == {"owner"}
    assert len({frozenset(clocks - {"users_reviewed"}) for clocks in shown.values()}) == 1, shown


@pytest.mark.long
def test_the_report_has_everybody_their_rights_and_what_became_of_them(house: House) -> None:
    server, owner = house.server, house.owner
    by_name = {account.name: account.id for account in server.desk.people().accounts.values()}

    def does(**command: Any) -> None:  # noqa: ANN401
        answer = owner.post("/api/office/maryland/commands", {"command": command})
        assert answer.status_code == 201, answer.text

    does(command="set-up-office", facility={"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"})
    for name in ("Flo", "Dan"):
        does(command="do-act", act="enter_employee", things=[by_name[name]], fields={"post": f"post of {name}"})
    server.clock.move(600)
    does(command="do-act", act="leave_employment", things=[by_name["Flo"]])
    server.clock.move(60)
    assert owner.post(f"/api/people/{by_name['Dan']}/disable", {"reason": "moved to Reno"}).status_code == 200

    entries = [stored.entry for stored in server.log.read()]
    sheet = users_report(entries, server.clock())
    for kind, media in (("txt", "text/plain"), ("pdf", "application/pdf"), ("html", "text/html"), ("xlsx", "openxml")):
        answer = owner.client.get(f"/api/people/report.{kind}")
        assert answer.status_code == 200, answer.text
        assert media in answer.headers["content-type"]
        if kind == "txt":
            assert answer.text == as_text(sheet)
    assert owner.client.get("/api/people/report.doc").status_code == 404
    assert owner.client.get("/api/people/report.txt?since=soon").status_code in {409, 422}
    assert house.people["dealer"].client.get("/api/people/report.txt").status_code in {401, 403}
    assert house.people["regulator"].client.get("/api/people/report.txt").status_code == 200

    roles, created = dict[str, set[str]](), dict[str, str]()
    seen = defaultdict[str, str](str)
    for entry in entries:
        for event in json.decode(entry.events) if entry.stream == "people" else ():
            account = event.get("account", "")
            match event["event"]:
                case "account-created/1":
                    created[account], roles[account] = event["name"], set(event["roles"])
                case "invitation-accepted/1" | "logged-in/1":
                    seen[account] = entry.at
    staff = {account: name for account, name in created.items() if roles[account] != {"player"}}
    users = _table(sheet, "Users")
    assert {*users} == {*staff.values()}
    assert ("Players, not listed", str(len(created) - len(staff))) in sheet.facts
    facility = Facility(name="Harbour", zone="America/New_York")
    for account, name in staff.items():
        assert users[name]["roles"].split(", ") == sorted(roles[account])
        assert users[name]["last log-in"] == facility.minute(seen[account])
    assert (users["Flo"]["state"], users["Flo"]["post"]) == ("away", "post of Flo")
    assert (users["Dan"]["state"], users["Olga"]["state"]) == ("disabled", "active")
    assert users["Olga"]["to look at"] == "no office has entered this employee"

    gone = _table(sheet, "Suspended, gone or disabled")
    assert {*gone} == {"Flo", "Dan"}
    assert (gone["Flo"]["by the office"], gone["Flo"]["account disabled"]) == ("left", "")
    assert gone["Dan"]["why"] == "moved to Reno"
    rights = _table(sheet, "What each role may do")
    assert (rights["owner"]["who has it"], rights["owner"]["gives roles"]) == ("Olga", "every role")
    assert "dealer" not in rights, "nobody has it any more"
    assert "Olga disables the account of Dan: moved to Reno" in as_text(sheet)
    later_on = users_report(entries, server.clock(), since=entries[-1].at)
    assert not next(table for table in later_on.tables if table.title.startswith("Changes")).rows


def test_an_office_is_reminded_every_quarter_until_two_have_gone_through_it() -> None:
    office = TrialOffice(
        "section2", Facility(name="Harbour", zone="America/Denver"), {"cora": "compliance", "aud": "auditor"}
    )

    def due() -> list[str]:
        found = [clock for clock in office.today.due if clock.clock == "users_reviewed"]
        return [clock.due[:10] + " overdue" * clock.is_overdue for clock in found]

    assert due() == ["2026-04-01"]
    office.go_to("2026-04-02", "09:00")
    assert due() == ["2026-04-01 overdue"]
    report: dict[str, Any] = {"report": "ab" * 32, "finding": "nothing"}
    assert office.do("cora", "review_users", **report, signs="second", signed_by="cora").startswith("refused")
    assert "recorded" in office.do("cora", "review_users", **report, signs="second", signed_by="aud")
    assert due() == ["2026-07-03"]
    assert office.do("cora", "review_users", **report, signs="second", signed_by="aud").startswith("refused"), (
        "a report is gone through once"
    )
