"""Every role times every command through the HTTP API: what the matrix does not allow is refused and not logged."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from passline.authority.duties import may_not
from passline.authority.roles import ROLES, VISITOR
from passline.people.credentials import SIGNATURE_WRONG, SignOff
from passline.people.sessions import Welcome
from passline.tables.duties import DUTIES
from passline.tables.verify import decision_faults
from tests.cases import budget
from tests.grids import every
from tests.loaded_dice import LoadedDice
from tests.people.house import PIN
from tests.tables.duties_matrix import ALLOWED, TABLE_COMMANDS, sample
from tests.web.server import DICE, Browser, Server, serving

pytestmark = pytest.mark.long


class Floor:
    """A server with a table of each kind of dice, a person of every role, and others who sign off."""

    def __init__(self, server: Server, *, guest: bool = True) -> None:
        self.server = server
        owner = server.owner("Olga")
        self.pages = {"owner": self._page(owner), VISITOR: server.browser()}
        for role in ROLES[:-3] + ROLES[-2:]:
            self.pages[role] = self._page(server.hire(role.title(), role, by=owner.session.account.id))
        for role in ("boxperson", "floorperson", "owner"):
            server.hire(f"Second {role}", role, by=owner.session.account.id)
        if guest:
            gus = server.desk.welcome_guest("Gus")
            assert isinstance(gus, Welcome)
            self.pages["guest"] = self._page(gus)
        for dice in ("electronic", "physical"):
            body = {"command": "open-table", "name": dice, "house": {"rules": "maryland"}, "dice": dice}
            opened = self.pages["owner"].post("/api/tables", body)
            assert opened.status_code == 201, opened.text

    def _page(self, welcome: Welcome) -> Browser:
        page = self.server.browser()
        page.client.cookies.set("passline", welcome.token, domain="127.0.0.1")
        page.csrf = welcome.session.csrf
        return page

    def ask(self, who: str, table: str, command: Any, role: str) -> tuple[int, str]:  # noqa: ANN401
        """Return the status and the first refusal, if any."""
        signers = DUTIES[type(command)].signed_by
        signer = {"name": f"Second {signers[-1]}", "pin": PIN} if signers else None
        body = {"id": f"{who}-{role}-{type(command).__name__}", "command": msgspec.to_builtins(command), "role": role}
        answer = self.pages[who].post(f"/api/tables/{table}/commands", {**body, "sign_off": signer})
        refusals = answer.json().get("refusals", [])
        return answer.status_code, refusals[0]["why"] if refusals else ""


@pytest.fixture(scope="module")
def floor() -> Iterator[Floor]:
    with serving(is_demo=True) as server:
        yield Floor(server)


_AT_TABLES = [name for name in TABLE_COMMANDS if name not in {"open-table", "close-table"}]
_KEYED = {name for name in _AT_TABLES if "key" in ALLOWED[name].values()}  # by the crew, at physical dice only


@every(name=_AT_TABLES[:: budget(5, in_sweep=1)])  # the rows themselves: tests/tables/test_duties_matrix.py
def test_the_api_refuses_whatever_is_not_allowed(floor: Floor, name: str) -> None:
    _nobody_else_may(floor, name, "physical" if name in _KEYED else "electronic")


@pytest.mark.sweep
@every(name=_AT_TABLES)
def test_the_api_refuses_it_with_the_other_dice_too(floor: Floor, name: str) -> None:
    _nobody_else_may(floor, name, "electronic" if name in _KEYED else "physical")


def _nobody_else_may(floor: Floor, name: str, dice: str) -> None:
    command = sample(TABLE_COMMANDS[name])
    log = floor.server.log
    for who in (*ROLES, VISITOR, "guest"):
        role = "player" if who == "guest" else who
        cell, by_row = ALLOWED[name][role], may_not(role, f"give {name}", DUTIES[type(command)].by)
        is_allowed = cell == "yes" or (cell == "key" and dice == "physical")
        before = log.streams()[f"table/{dice}"]
        status, why = floor.ask(who, dice, command, role)
        assert status < 500
        if who == VISITOR:
            assert (status, why) == (401, "log in first")
        elif not is_allowed:
            assert status in {403, 409}, (who, why)
            assert by_row in why, (who, why)
        else:
            assert by_row not in why, (who, why)  # a rulebook may name fewer roles
        if not is_allowed:
            assert log.streams()[f"table/{dice}"] == before, who


@pytest.mark.parametrize(
    ("name", "path", "body"),
    [
        ("file-approval", "/api/approvals", {"kind": "x", "authority": "x", "reference": "x", "date": "x"}),
        (
            "withdraw-approval",
            "/api/approvals/withdraw",
            {"kind": "x", "authority": "x", "reference": "x", "reason": "x"},
        ),
        ("file-report", "/api/reports", {"record_class": "x", "text": "x"}),
        ("close-shift", "/api/shift/close", {"sign_off": {"name": "Second boxperson", "pin": PIN}}),
    ],
)
@every(who=[*ROLES, VISITOR, "guest"])
def test_the_house_takes_commands_only_from_roles_in_the_matrix(
    floor: Floor, name: str, path: str, body: dict[str, object], who: str
) -> None:
    before = floor.server.log.streams()["house"]
    answer = floor.pages[who].post(path, body)
    refusals = answer.json().get("refusals", [])
    is_refused = any(
        text in one["why"] for one in refusals for text in (" may not give ", "nobody may give ", "log in first")
    )
    assert is_refused is (ALLOWED[name]["player" if who == "guest" else who] != "yes"), refusals
    assert answer.status_code < 500
    if is_refused:
        assert floor.server.log.streams()["house"] == before


# Who sees what is not for everybody: the log and what is made of it, and who there is.
LOOKERS = {"dealer", "stickperson", "boxperson", "floorperson", "owner", "regulator", "surveillance"}
READERS = {"owner", "regulator", "surveillance"}
SEEN = {
    "/api/log": READERS,
    "/api/log/export": READERS,
    "/api/records": {*READERS, "floorperson"},
    "/api/people": {*READERS, "floorperson"},
    "/api/tables/electronic/ledger": LOOKERS,
    "/api/tables/electronic": {*ROLES, VISITOR, "guest"},
    "/api/tables": {*ROLES, VISITOR, "guest"},
    "/health": {*ROLES, VISITOR, "guest"},
    "/health/live": {*ROLES, VISITOR, "guest"},
    "/health/ready": {*ROLES, VISITOR, "guest"},
}


@every(path=SEEN, who=[*ROLES, VISITOR, "guest"])
def test_each_role_sees_only_what_it_may(floor: Floor, path: str, who: str) -> None:
    expected = 200 if who in SEEN[path] else 401 if who == VISITOR else 403
    assert floor.pages[who].get(path).status_code == expected


def test_a_player_sees_only_their_own_rack(floor: Floor) -> None:
    """Everybody sees the layout; racks, the bank and the drop are private."""
    for who in ("player", "guest", VISITOR, "regulator"):
        told = floor.pages[who].get("/api/tables/electronic").json()
        own = told["own"] or {}
        assert not {"racks", "bank", "drop", "tip_box"} & set(own), (who, own)
        assert "racks" not in told["table"]
        assert "bank" not in told["table"]


@every(claimed=[*ROLES, "shooter", "Owner", " owner", "nonsense"][:: budget(2, in_sweep=1)])
def test_nobody_acts_in_a_role_they_do_not_have(floor: Floor, claimed: str) -> None:
    for who in (*ROLES, "guest"):
        if claimed != ("player" if who == "guest" else who):
            status, why = floor.ask(who, "electronic", sample(TABLE_COMMANDS["settle"]), claimed)
            assert status == 403
            assert f"may not act as {claimed}" in why


@every(who=[*ROLES, VISITOR, "guest"])
def test_tables_are_opened_and_closed_by_the_floorperson_and_the_owner_only(floor: Floor, who: str) -> None:
    page = floor.pages[who]
    body = {"command": "open-table", "name": f"of {who}", "house": {"rules": "maryland"}}
    opened = page.post("/api/tables", body)
    expected = 201 if who in {"floorperson", "owner"} else 401 if who == VISITOR else 403
    assert opened.status_code == expected, opened.text
    table = opened.json()["table"] if expected == 201 else "electronic"
    status, _ = floor.ask(who, table, sample(TABLE_COMMANDS["close-table"]), "player" if who == "guest" else who)
    assert status == 200 if expected == 201 else status in {401, 409}


def test_a_bank_needs_two_people_and_no_request_opens_a_demo_table() -> None:
    """The bank of an opening table is a fill, that of a closing one a credit: neither is done by one person alone."""
    with serving() as server:
        floor = Floor(server, guest=False)
        flo = floor.pages["floorperson"]
        body = {"command": "open-table", "name": "Banked", "house": {"rules": "maryland"}, "bank_cents": 1_000_00}
        assert flo.post("/api/tables", body).status_code == 403
        assert flo.post("/api/tables", {**body, "sign_off": {"name": "Floorperson", "pin": PIN}}).status_code == 403
        demo = flo.post("/api/tables", {**body, "is_demo": True})
        assert demo.status_code == 403
        assert "is_demo" in demo.text
        signed = {"sign_off": {"name": "Second boxperson", "pin": PIN}}
        assert flo.post("/api/tables", {**body, **signed}).status_code == 201
        close = {"id": "close", "command": {"command": "close-table"}, "role": "floorperson"}
        assert flo.post("/api/tables/banked/commands", close).status_code == 403
        assert flo.post("/api/tables/banked/commands", {**close, **signed}).status_code == 200
        again = {"id": "again", "command": {**body, "is_demo": True}, "role": "floorperson"}
        assert flo.post("/api/tables/banked/commands", {**again, **signed}).status_code == 403
        assert list(decision_faults(server.log.read())) == []


def test_a_privileged_command_is_signed_off_by_somebody_else(floor: Floor) -> None:
    page, tables = floor.pages["boxperson"], "/api/tables/electronic/commands"

    def fill(number: int, **sign_off: str) -> tuple[int, str]:
        body = {"id": f"fill-{number}", "command": {"command": "fill", "cents": 100_00}, "role": "boxperson"}
        answer = page.post(tables, body | ({"sign_off": sign_off} if sign_off else {}))
        refusals = answer.json().get("refusals", [])
        return answer.status_code, refusals[0]["why"] if refusals else "done"

    assert fill(1)[0] == 403
    assert "needs the signature" in fill(1)[1]
    assert fill(2, name="Boxperson", pin=PIN) == (
        403,
        "this must be signed by somebody other than Boxperson, who asked for it",
    )
    wrong = fill(3, name="Second boxperson", pin="0000")
    assert wrong == (
        403,
        f"{SIGNATURE_WRONG}; fill needs the signature of a boxperson or floorperson, with name and PIN",
    )
    assert wrong == fill(4, name="Dealer", pin=PIN) == fill(4, name="Nobody", pin=PIN)
    assert fill(5, name="Second boxperson", pin=PIN) == (200, "done")
    last = [*floor.server.log.read_stream("table/electronic")][-1].entry
    assert last.signed_by == floor.server.desk.people().account_named("Second boxperson").id  # type: ignore[union-attr]
    assert last.actor != last.signed_by
    assert PIN not in bytes(last.command).decode()


@pytest.mark.clause("MD-9.E.2")
def test_MD_9_E_2__a_correction_at_mini_craps_is_signed_by_the_floorperson(floor: Floor) -> None:
    """MD-9.E.2: through the API, where a boxperson's signature is refused and the console asks for a floorperson's."""
    house = {"rules": "maryland", "game": "mini_craps"}
    body = {"command": "open-table", "name": "Mini", "house": house, "dice": "physical"}
    body["automate"] = ["button", "call", "choose", "offer", "pass", "settle"]
    opened = floor.pages["owner"].post("/api/tables", body)
    assert opened.status_code == 201, opened.text

    def ask(id_: str, role: str, command: dict[str, Any], **more: Any) -> tuple[int, str]:  # noqa: ANN401
        body = {"id": f"mini-{id_}", "command": command, "role": role, **more}
        answer = floor.pages[role].post("/api/tables/mini/commands", body)
        return answer.status_code, answer.text

    steps: tuple[tuple[str, dict[str, Any]], ...] = (
        ("player", {"command": "take-seat", "seat": 1}),
        ("dealer", {"command": "buy-in", "seat": 1, "cents": 100_00}),
        ("dealer", {"command": "make-wager", "seat": 1, "wager": "pass", "cents": 10_00}),
        ("player", {"command": "accept-dice", "seat": 1}),
        ("stickperson", {"command": "dice-out"}),
        ("stickperson", {"command": "key-dice", "first": 2, "second": 4}),
    )
    for number, (role, command) in enumerate(steps):
        status, text = ask(str(number), role, command)
        assert status == 200, text
    again = {"command": "correct-roll", "first": 4, "second": 4, "reason": "misread"}
    status, text = ask("c1", "stickperson", again, sign_off={"name": "Second boxperson", "pin": PIN})
    assert (status, "needs the signature of a floorperson" in text) == (403, True), text
    status, text = ask("c2", "stickperson", again, sign_off={"name": "Second floorperson", "pin": PIN})
    assert status == 200, text
    assert '"correct-roll": ["floorperson"]' in floor.pages["stickperson"].get("/tables/mini/crew").text
    assert list(decision_faults(floor.server.log.read())) == []


def test_a_player_never_gets_a_pin_checked(floor: Floor) -> None:
    """Attack: a player, or somebody whose command comes to nothing, tries PINs by way of commands that need one.

    Every answer is the same for a right and a wrong PIN, and no try is spent: thirty would make the address wait.
    """
    signed = [{"command": "fill", "cents": 100_00}, {"command": "close-table"}, {"command": "take-seat", "seat": 1}]
    signed += [{"command": "correct-roll", "first": 6, "second": 6, "reason": "x"}, {"command": "credit", "cents": 100}]
    for role, commands in (
        ("player", signed),
        ("dealer", signed[:2]),
        ("boxperson", [{"command": "fill", "cents": 1}]),
    ):
        for number, command in enumerate(commands * 5):
            body = {"id": f"{role}-{number}", "command": command, "role": role}
            answers = {
                (answer.status_code, answer.text)
                for pin in ("0000", PIN)
                for answer in [
                    floor.pages[role].post(
                        "/api/tables/electronic/commands",
                        {**body, "sign_off": {"name": "Second boxperson", "pin": pin}},
                    )
                ]
            }
            assert len(answers) == 1, answers
            assert 429 not in {status for status, _ in answers}
            assert SIGNATURE_WRONG not in str(answers)
    fill = {"id": "fill-again", "command": {"command": "fill", "cents": 100_00}, "role": "boxperson"}
    page = floor.pages["boxperson"]
    good = page.post("/api/tables/electronic/commands", {**fill, "sign_off": {"name": "Second boxperson", "pin": PIN}})
    assert good.status_code == 200, good.text
    again = page.post("/api/tables/electronic/commands", {**fill, "sign_off": {"name": "Dealer", "pin": "0000"}})
    assert again.json() == good.json(), "what was done is answered again, without a look at the PIN"


def test_two_people_renew_a_key_that_is_lost(floor: Floor) -> None:
    """What only the server completes is completed before a signature is looked at."""
    [table] = [one for one in floor.server.services.floor.running_tables if one.id == "electronic"]
    ask = {"id": "renew-1", "command": {"command": "renew-dice", "reason": "dice.key is lost"}, "role": "owner"}
    signed = {**ask, "sign_off": {"name": "Second floorperson", "pin": PIN}}
    page = floor.pages["owner"]
    here = page.post("/api/tables/electronic/commands", signed)
    assert "the key of the next roll is here" in here.text
    table.course.completion._keys = LoadedDice(DICE, "another house")
    assert "needs the signature" in page.post("/api/tables/electronic/commands", ask).text
    done = page.post("/api/tables/electronic/commands", {**signed, "id": "renew-2"})
    assert done.status_code == 200, done.text


def test_a_player_neither_supervises_nor_signs_at_their_own_table(floor: Floor) -> None:
    """Pat is a player and a boxperson: where they play, they see only their own rack and sign nothing."""
    server = floor.server
    owner = server.desk.people().account_named("Olga")
    assert owner is not None
    pat = floor._page(server.hire("Pat", "player", "boxperson", by=owner.id, sign_off=SignOff("Second owner", PIN)))
    table = "/api/tables/electronic"
    private = [f"{table}/ledger", f"{table}/hands", f"{table}/at/1", f"{table}/areas?seat=7"]
    assert pat.get(f"{table}?role=boxperson").json()["own"]["racks"] is not None
    assert [pat.get(path).status_code for path in private[:2]] == [200, 200]
    sit = {"id": "pat-sits", "command": {"command": "take-seat", "seat": 8}, "role": "player"}
    assert pat.post(f"{table}/commands", sit).status_code == 200
    assert pat.get(f"{table}?role=boxperson").json()["own"] is None
    assert [pat.get(path).status_code for path in private] == [403] * len(private)
    assert pat.get(f"{table}/areas?seat=8").status_code == 200
    fill = {"id": "signed-by-pat", "command": {"command": "fill", "cents": 100_00}, "role": "boxperson"}
    answer = floor.pages["boxperson"].post(f"{table}/commands", {**fill, "sign_off": {"name": "Pat", "pin": PIN}})
    assert answer.status_code == 403
    assert SIGNATURE_WRONG in answer.text, "as for a wrong PIN, which would otherwise show that this one is right"
    leave = {"id": "pat-leaves", "command": {"command": "leave-seat", "seat": 8}, "role": "player"}
    assert pat.post(f"{table}/commands", leave).status_code == 200


def _open_arizona(floor: Floor) -> None:
    report = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
    signed = {"sign_off": {"name": "Second owner", "pin": PIN}}
    assert floor.pages["owner"].post("/api/approvals", report | signed).status_code == 201
    body = {"command": "open-table", "name": "Arizona", "house": {"rules": "arizona"}, "dice": "physical"}
    assert floor.pages["owner"].post("/api/tables", body).status_code == 201


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__the_crew_cannot_seat_an_employee_as_somebody_else(floor: Floor) -> None:
    """AZ-II.M.3-a: the house's records say who is employed, not what the crew keys in."""
    _open_arizona(floor)
    accounts = floor.server.desk.people()

    def seat(number: int, name: str) -> tuple[int, str]:
        account = accounts.account_named(name)
        assert account is not None
        command = {
            "command": "seat-player",
            "seat": number,
            "account": account.id,
            "name": "Somebody Else",
            "is_employee": False,
        }
        body = {"id": f"seat-{number}", "command": command, "role": "boxperson"}
        answer = floor.pages["boxperson"].post("/api/tables/arizona/commands", body)
        refusals = answer.json().get("refusals", [])
        return answer.status_code, refusals[0]["clause"] if refusals else ""

    status, clause = seat(1, "Dealer")
    assert status == 409
    assert "AZ-II.M.3-a" in clause
    assert seat(3, "Player") == (200, "")
    view = floor.pages[VISITOR].get("/api/tables/arizona").text
    assert "Player" in view
    assert "Somebody Else" not in view


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__the_crew_makes_no_wager_for_a_player_hired_meanwhile() -> None:
    """AZ-II.M.3-a: a role given to somebody who sits at a table ends their wagering there at once."""
    with serving() as server:
        floor = Floor(server, guest=False)
        _open_arizona(floor)
        ann = server.hire("Ann", "player", by=server.desk.people().account_named("Olga").id)  # type: ignore[union-attr]

        def keyed(number: int, command: str, **fields: object) -> tuple[int, str]:
            body = {"id": f"keyed-{number}", "command": {"command": command, **fields}, "role": "dealer"}
            answer = floor.pages["dealer"].post("/api/tables/arizona/commands", body)
            refusals = answer.json().get("refusals", [])
            return answer.status_code, refusals[0]["clause"] if refusals else ""

        account = ann.session.account.id
        assert keyed(1, "seat-player", seat=1, account=account, name="Ann") == (200, "")
        assert keyed(2, "buy-in", seat=1, cents=100_00) == (200, "")
        assert keyed(3, "make-wager", seat=1, wager="field", cents=10_00) == (200, "")
        second = {"name": "Second owner", "pin": PIN}
        hired = {"roles": ["player", "dealer"], "sign_off": second}
        roles = floor.pages["owner"].post(f"/api/people/{account}/roles", hired)
        assert roles.status_code == 200, roles.text
        assert keyed(4, "make-wager", seat=1, wager="field", cents=10_00) == (409, "AZ-II.M.3-a")
        assert keyed(5, "buy-in", seat=1, cents=100_00) == (409, "AZ-II.M.3-a")
        assert keyed(6, "remove-wager", seat=1, wager="field") == (200, "")
        assert keyed(7, "leave-seat", seat=1) == (200, "")
        assert list(decision_faults(server.log.read())) == []


def test_the_address_of_a_closed_table_opens_only_that_table(floor: Floor) -> None:
    """A command that names another table would be logged in the stream of this one."""
    owner, house = floor.pages["owner"], {"rules": "maryland"}
    assert owner.post("/api/tables", {"command": "open-table", "name": "Shut", "house": house}).status_code == 201

    def ask(number: int, command: dict[str, object]) -> tuple[int, str]:
        body = {"id": f"shut-{number}", "command": command, "role": "owner"}
        signed = {"name": "Second floorperson", "pin": PIN}
        answer = owner.post("/api/tables/shut/commands", {**body, "sign_off": signed})
        return answer.status_code, answer.text

    assert ask(1, {"command": "close-table"})[0] == 200
    before, streams = floor.server.log.streams(), set(floor.server.log.streams())
    for number, named in enumerate(({"name": "Other"}, {"name": "Shut", "table": "other"}), start=2):
        status, told = ask(number, {"command": "open-table", "house": house, **named})
        assert status == 409
        assert "POST /api/tables" in told
    assert floor.server.log.streams() == before
    assert owner.get("/api/tables/other").status_code == 404
    assert ask(4, {"command": "open-table", "house": house, "name": "Shut no more", "table": "shut"})[0] == 200
    assert owner.get("/api/tables/shut").json()["table"]["name"] == "Shut no more"
    assert {*floor.server.log.streams()} == streams
