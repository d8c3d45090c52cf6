"""What tournaments refuse with its clause, and what they record as a breach, seen from outside: over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import count
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Plan
from passline.tournament.verify import log_faults
from passline.web.server.responses import DOCUMENTS
from tests.people.house import PIN
from tests.tournament.engine_cases import HEATS, MASTERS, cup, one_event, with_a_watch
from tests.waiting import wait_until
from tests.web.house import House
from tests.web.server import ADDRESS, Browser

pytestmark = pytest.mark.long

STEPS = ("button", "call", "choose", "confirm", "offer", "pass", "settle")
_ids = count(1)
_ZONE = "America/Phoenix"


class Evening:
    """A tournament of a house, run over HTTP."""

    def __init__(self, house: House, plan: Plan) -> None:
        self.house, self.owner = house, house.owner
        self.id = f"evening-{next(_ids)}"
        self.plan = to_builtins(replace(plan, id=self.id, dice="electronic", automate=STEPS))
        answer = _sent(self.owner, "/api/tournaments/commands", command="plan-tournament", plan=self.plan)
        assert answer[0] == 201, answer

    def does(self, command: str, page: Browser | None = None, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
        """Send a command that is carried out."""
        status, answer = _sent(page or self.owner, self.to, command=command, **fields)
        assert status == 201, answer
        told: dict[str, Any] = answer
        return told

    def refused(self, command: str, page: Browser | None = None, **fields: Any) -> list[str]:  # noqa: ANN401
        """Send a command that is refused; return its clauses."""
        status, answer = _sent(page or self.owner, self.to, command=command, **fields)
        assert status == 409, answer
        return [one["clause"] for one in answer["refusals"]]

    @property
    def to(self) -> str:
        return f"/api/tournaments/{self.id}/commands"

    def seen(self) -> dict[str, Any]:
        data: dict[str, Any] = self.owner.get(f"/api/tournaments/{self.id}").json()
        return data

    def enter(self, event: str, *names: str, **paid: Any) -> None:  # noqa: ANN401
        for name in names:
            self.does("enter-player", event=event, name=name, **paid)
            self.does("sign-in-player", entry=len(self.seen()["entries"]))

    def start(self, event: str, *, is_seated: bool = True) -> str:
        """Begin the next round at a table of its own; return the table, usually once its players sit there."""
        table = f"t-{next(_ids)}"
        self.does("prepare-round", event=event, tables=[table])
        wait_until(lambda: self.seen()["rounds"][-1]["phase"] == "drawn")
        self.does("start-round")
        wait_until(lambda: self.owner.get(f"/api/tables/{table}").status_code == 200)
        if is_seated:
            wait_until(lambda: bool(self.at(table)["seats"]))
        return table

    def at(self, table: str) -> dict[str, Any]:
        data: dict[str, Any] = self.owner.get(f"/api/tables/{table}").json()["table"]
        return data

    def finish(self, table: str) -> None:
        """End the round at its table, as it stands."""
        answer = self.owner.post(f"/api/tournaments/{self.id}/tables/{table}/finish")
        assert answer.status_code == 201, answer.text
        wait_until(lambda: table in self.seen()["rounds"][-1].get("house", {}))


def _sent(page: Browser, path: str, /, **command: Any) -> tuple[int, Any]:  # noqa: ANN401 - any command
    is_signed = command["command"] in {"move-seat", "part-tie", "count-chips", "pay-prize"}
    signed = {"sign_off": {"name": "Flo", "pin": PIN}} if is_signed else {}
    answer = page.post(path, {"id": uuid4().hex, "command": command, **signed})
    return answer.status_code, answer.json()


def _priced(plan: Plan, fee: int, buy_in: int) -> Plan:
    main = plan.events[0]
    main = replace(main, reentries_max=0, rebuy=None, fee_in_kind=(), fee_cents=fee, buy_in_cents=buy_in)
    return replace(plan, events=(main, *plan.events[1:]))


def _fifth_month(plan: Plan) -> Plan:
    last = plan.events[-1]
    first = plan.events[0].first_day
    late = replace(last, first_day=first.replace(month=9, day=2), last_day=first.replace(month=9, day=2))
    return replace(plan, events=(*plan.events[:-1], late))


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        pytest.param(_fifth_month, "CO-2315-1-length", marks=pytest.mark.clause("CO-2315-1-length")),
        pytest.param(
            lambda plan: replace(plan, licensees=("Lucky Strike Casino", "Gold Dust"), lead="Gold Dust"),
            "CO-2315-2-single",
            marks=pytest.mark.clause("CO-2315-2-single"),
        ),
        pytest.param(
            lambda plan: _priced(plan, 1_00, 100_000_00),
            "CO-2315.05-combined",
            marks=pytest.mark.clause("CO-2315.05-combined"),
        ),
    ],
)  # fmt: skip
def test_a_plan_is_refused_with_its_clause(house: House, change: Callable[[Plan], Plan], clause: str) -> None:
    plan = replace(change(example_plan("colorado")), id="refused")
    status, answer = _sent(house.owner, "/api/tournaments/commands", command="plan-tournament", plan=to_builtins(plan))
    assert status == 409
    assert [one["clause"] for one in answer["refusals"]] == [clause]
    assert house.owner.get("/api/tournaments/refused").status_code == 404


def test_a_hundred_thousand_dollars_of_possible_spend_is_lawful(house: House) -> None:
    assert Evening(house, _priced(example_plan("colorado"), 1_00, 99_999_00)).seen()["is_closed"] is False


@pytest.mark.clause(
    "CO-2315-2-c-once", "CO-2316-2-change", "CO-2315.07-5-table", "CO-2316-1-exchange", "CO-2316-1-rank"
)
def test_what_is_refused_during_a_round_and_a_count_that_differs(house: House) -> None:
    evening = Evening(house, cup())
    ann = house.people["player"].get("/api/me").json()["account"]
    evening.enter(HEATS, "Ann", account=ann)
    evening.enter(HEATS, "Bob", "Cat", "Dan")
    assert evening.refused("enter-player", event=HEATS, name=" bob ") == ["CO-2315-2-c-once"]
    table = evening.start(HEATS)
    assert evening.refused("set-colours", points={"white": 50, "green": 100}) == ["CO-2316-2-change"]
    evening.does("buy-chips", entry=1, kind="add_on")  # during the game: for the next
    seat = next(one["seat"] for one in evening.seen()["rounds"][-1]["seats"] if one["entry"] == 1)
    to = f"/api/tables/{table}/commands"
    status, answer = _sent(house.people["player"], to, command="buy-in", seat=seat, cents=1000_00)
    assert (status, answer["refusals"][0]["clause"]) == (409, "CO-2316-1-exchange, CO-2315.07-5-table")
    while (shooter := evening.at(table)["shooter"] or evening.at(table)["offered_to"]) != seat:
        _sent(house.people["dealer"], to, command="decline-dice", seat=shooter)
    more = {"command": "make-wager", "seat": seat, "wager": "pass", "cents": 2600_00}
    assert _sent(house.people["player"], to, **more)[0] == 409  # only the 2,500 of the beginning are in play
    assert _sent(house.people["player"], to, **{**more, "cents": 2500_00})[0] == 200
    evening.finish(table)
    lines = evening.does("count-chips", entry=1, counted=3500)["lines"]
    assert "[CO-2316-1-rank, CO-2315.07-5-hidden, CO-2315.07-5-table]" in lines[-1]
    assert evening.seen()["rounds"][-1]["points"] == {str(entry): 2500 for entry in range(1, 5)}
    assert list(log_faults(house.server.log.read())) == []


def test_a_round_that_is_finished_as_soon_as_it_begins_has_the_points_of_its_players(house: House) -> None:
    """The table is open for a moment before its players sit there; without them the round could not be reported."""
    evening = Evening(house, cup())
    evening.enter(HEATS, "Ann", "Bob")
    evening.finish(evening.start(HEATS, is_seated=False))
    assert evening.seen()["rounds"][-1]["points"] == {"1": 2500, "2": 2500}


@pytest.mark.clause("CO-2315.05-voucherowner")
def test_a_voucher_is_used_by_its_winner_only(house: House) -> None:
    heats, masters, last = cup().events
    first = replace(one_event().events[0], places=heats.places[:1])
    last = replace(last, is_by_voucher=False, fee_cents=10_00, buy_in_cents=10_00)
    evening = Evening(house, replace(cup(), events=(first, masters, last)))
    evening.enter(HEATS, "Ann", "Bob")
    table = evening.start(HEATS)
    evening.finish(table)
    evening.does("end-round")
    evening.does("part-tie", entries=[2, 1], how="roll_off")
    evening.does("conclude-event", event=HEATS)
    used: dict[str, Any] = {"event": MASTERS, "fee": "voucher", "buy_in": "voucher", "voucher": 1}
    assert evening.refused("enter-player", name="Ann", **used) == ["CO-2315.05-voucherowner"]
    evening.does("enter-player", name="Bob", **used)


@pytest.mark.clause("CO-2315.07-3-a")
def test_a_split_of_merchandise_is_refused(house: House) -> None:
    evening = Evening(house, with_a_watch())
    ann = house.people["player"].get("/api/me").json()["account"]
    evening.enter(HEATS, "Ann", account=ann)
    evening.enter(HEATS, "Bob")
    evening.start(HEATS)
    asked = {"event": HEATS, "entry": 1, "shares": {"1": 100_00, "2": 100_00}}
    assert evening.refused("propose-split", house.people["player"], **asked) == ["CO-2315.07-3-a"]


def _office(house: House, page: Browser, act: str, /, *things: str, is_on_paper: bool = False, **fields: Any) -> None:  # noqa: ANN401
    today = datetime.fromisoformat(house.server.clock()).astimezone(ZoneInfo(_ZONE)).date().isoformat()
    letter = _document(page, uuid4().hex) if is_on_paper else ""
    paper = {"document": letter, "reference": "letter 7", "received": today} if is_on_paper else {}
    command = {"command": "do-act", "act": act, "things": list(things), "fields": fields, "paper": paper}
    signed = {"sign_off": {"name": "Olga", "pin": PIN}} if is_on_paper else {}  # by a second person
    command |= {"signs": "second"} if is_on_paper else {}
    answer = page.post("/api/office/arizona/commands", {"id": uuid4().hex, "command": command, **signed})
    assert answer.status_code == 201, answer.text


def _document(page: Browser, text: str = "a letter") -> str:
    headers = {"origin": ADDRESS, "x-csrf": page.csrf, "content-type": "application/octet-stream"}
    digest: str = page.client.post(DOCUMENTS, content=text.encode(), headers=headers).json()["digest"]
    return digest


@pytest.mark.clause(
    "AZ-III.M.1-b", "AZ-III.M.2-a", "AZ-III.M.2-b", "AZ-III.M.3-a", "AZ-III.M.3-b", "AZ-III.M.4.a", "AZ-III.M.4.b",
    "AZ-III.N-1", "AZ-III.N-2", "AZ-III.N-3",
)  # fmt: skip
def test_an_arizona_tournament_waits_for_both_approvals_and_its_log_is_complete(house: House) -> None:
    evening = Evening(house, example_plan("arizona"))
    by = house.owner.get("/api/me").json()["account"]
    cora, drew = (house.server.hire(name, role, by=by) for name, role in (("Cora", "compliance"), ("Drew", "director")))
    compliance, director = (house.page(one.token, one.session.csrf) for one in (cora, drew))
    here = {"where": "here", "sign_off": {"name": "Flo", "pin": PIN}}
    assert house.owner.post("/api/office", here).status_code == 201
    evening.enter("Shootout", "Ann")
    now = house.server.clock()
    lines = evening.does("enter-player", event="Shootout", name="Bob", occurred=now.replace("2026", "2025"))["lines"]
    assert "[AZ-III.N-3, AZ-III.N-1]" in lines[-1]
    evening.does("sign-in-player", entry=2)
    evening.does("prepare-round", event="Shootout", tables=["az-1"])
    wait_until(lambda: evening.seen()["rounds"][-1]["phase"] == "drawn")
    assert evening.refused("start-round") == ["practice"]  # the office that is kept here is not even set up
    facility = {"name": "Saguaro", "zone": _ZONE, "subdivision": "AZ", "areas": ["pit-1"]}
    set_up = {"command": {"command": "set-up-office", "facility": facility}}
    assert house.owner.post("/api/office/arizona/commands", set_up).status_code == 201
    assert {"AZ-III.M.2-a", "AZ-III.M.2-b", "AZ-III.M.3-a"} <= {*evening.refused("start-round")}
    letter, name = _document(compliance), evening.id
    _office(house, compliance, "draft_house", "h1", file={"rules": "arizona"})
    _office(house, director, "draft_tournament", name, house="h1", rules=letter, chip_colours="teal")
    assert evening.refused("start-round") == [
        "AZ-III.M.1-b", "AZ-III.M.2-a", "AZ-III.M.2-b", "AZ-III.M.3-a", "AZ-III.M.3-a", "AZ-III.M.4.a", "AZ-III.M.4.b",
        "AZ-II.R.1.a-1",
    ]  # fmt: skip
    papers = ("equipment_spec", *(f"{one}_described" for one in ("chips", "dice", "tables", "layouts", "tests")))
    described: dict[str, Any] = dict.fromkeys(papers, letter)
    barred = dict.fromkeys(("no_progressive", "no_betting_among_players", "no_call_bets"), True)
    _office(house, compliance, "add_to_package", "h1", other_equipment="none", **described, **barred)
    _office(house, compliance, "submit_house", "h1", is_on_paper=True)
    weighed = ["integrity", "fairness", "security"]
    _office(house, compliance, "tgo_approve_house", "h1", is_on_paper=True, weighed=weighed, decision=letter)
    _office(house, compliance, "copy_house_to_sga", "h1", is_on_paper=True)
    _office(house, compliance, "sga_receive_house", "h1", is_on_paper=True)
    _office(house, compliance, "sga_approve_house", "h1", is_on_paper=True)
    _office(house, house.owner, "put_in_force", "h1")
    _office(house, compliance, "submit_tournament", name, is_on_paper=True)
    _office(house, compliance, "copy_tournament_to_sga", name, is_on_paper=True)
    _office(house, compliance, "sga_receive_tournament", name, is_on_paper=True)
    _office(house, director, "show_tournament_rules", name, place="the desk")
    _office(house, director, "post_tournament_rules", name, place="the entrance")
    _office(house, compliance, "tgo_approve_tournament_chips", name, is_on_paper=True)
    assert evening.refused("start-round") == ["AZ-III.M.2-b", "AZ-III.M.3-a"]
    _office(house, compliance, "tgo_approve_tournament", name, is_on_paper=True, decision=letter)
    assert evening.refused("start-round") == ["AZ-III.M.3-a"]  # silence is no approval
    _office(house, compliance, "sga_approve_tournament", name, is_on_paper=True)
    evening.does("start-round")
    evening.does("buy-chips", entry=1, kind="add_on")
    log = house.owner.get(f"/api/tournaments/{name}/papers/log?form=jsonl").text.splitlines()
    rows = [json.decode(line) for line in log]
    assert [(row["patron"], row["for"], row["amount_cents"]) for row in rows] == [
        ("Ann", "fee", 20_00), ("Ann", "buy-in", 80_00), ("Bob", "fee", 20_00), ("Bob", "buy-in", 80_00),
        ("Ann", "add-on", 20_00),
    ]  # fmt: skip
    assert list(log_faults(house.server.log.read())) == []


@pytest.mark.clause("AZ-II.M.3-a")
def test_nobody_of_the_crew_enters_an_arizona_event(house: House) -> None:
    evening = Evening(house, example_plan("arizona"))
    dealer, player = (house.people[role].get("/api/me").json() for role in ("dealer", "player"))
    shootout: dict[str, Any] = {"event": "Shootout"}
    as_somebody = {**shootout, "name": "Somebody", "account": dealer["account"], "is_employee": False}
    assert evening.refused("enter-player", **as_somebody) == ["AZ-II.M.3-a"]
    walk_in = {**shootout, "name": dealer["name"].upper(), "resembles": ""}
    assert evening.refused("enter-player", **walk_in) == ["AZ-II.M.3-a"]
    lines = evening.does("enter-player", **walk_in, is_somebody_else=True)["lines"]
    assert lines[-1].startswith("the desk has looked: ")
    assert lines[-1].endswith(f"is not {dealer['name']} [AZ-II.M.3-a]")
    evening.does("enter-player", **shootout, name="as it pleases", account=player["account"])
    assert evening.seen()["entries"][-1]["name"] == player["name"]  # an account has the name of its owner
    assert list(log_faults(house.server.log.read())) == []


@pytest.mark.clause("CO-2315-2-c-once")
def test_one_player_does_not_enter_twice_with_and_without_an_account(house: House) -> None:
    evening = Evening(house, one_event())
    player = house.people["player"].get("/api/me").json()
    evening.does("enter-player", event=HEATS, name="Ann", account=player["account"])
    assert evening.refused("enter-player", event=HEATS, name=player["name"]) == ["CO-2315-2-c-once"]
    evening.does("enter-player", event=HEATS, name=player["name"], is_somebody_else=True)
    assert list(log_faults(house.server.log.read())) == []
