"""Bad input and trouble in the office: each is refused with its clause or harmless; nothing is lost or moved twice."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.decide import decide
from passline.acts.judges.scene import Surroundings
from passline.acts.rules import Person
from passline.acts.state import ActState
from passline.office.runtime import Offices
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.store.data_folder import open_log
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.verify import verify_log
from passline.streams.course import Actor, Answer, Ask
from passline.streams.writer import ThreadWriter
from tests.event_loop import asynchronous
from tests.office.day_file import DAYS, Day, steps_of
from tests.people.house import PIN, START
from tests.store.machine import Machine
from tests.web.server import Server, serving

_ROLES = {
    "olga": "owner", "flo": "floorperson", "fay": "floorperson", "cy": "cashier", "acc": "accountant",
    "dan": "dealer", "dora": "dealer", "bob": "boxperson",
}  # fmt: skip
_FACILITY = Facility(name="Harbour", zone="America/New_York", subdivision="MD", areas=("pit-1",))


# Who signs.


@pytest.fixture
def arizona() -> Day:
    """Arizona's office when its table T1 may open: dice A1 and A2 in its cup, A3 and A4 in that of T2."""
    return _day("arizona_opening", until="# T1 may open.")


def _day(name: str, until: str) -> Day:
    return _begun(name, until).copy()


@cache
def _begun(name: str, until: str) -> Day:
    text, mark, _ = (DAYS / f"{name}.txt").read_text(encoding="utf-8").partition(until)
    assert mark
    day = Day(None)
    for step in steps_of(text):
        list(day.do(step.text))
    return day


def _tries(day: Day, line: str) -> list[str]:
    """Do a line that must change nothing; return why not."""
    before = day.state
    found = list(day.do(line))
    assert day.state is before, "a refusal changes nothing"
    assert all(one.startswith("refused ") for one in found)
    return [one.removeprefix("refused ") for one in found]


_COUNT = 'bob count_closer T1 {chips = {500 = 0}, shift = "day", in_drop_box = true}'
_SIGN = "as second {chips = {500 = 0}}"


def test_nobody_signs_their_own_act(arizona: Day) -> None:
    list(arizona.do(_COUNT))
    (why,) = _tries(arizona, f"sign by bob {_SIGN}")
    assert why.startswith("AZ-II.M.1-c: ")
    assert "nobody signs an act twice, or their own" in why


def test_nobody_signs_with_a_licence_that_is_over(arizona: Day) -> None:
    list(arizona.do(_COUNT))
    list(arizona.do('cora renew_credentials sam {licence_until = "2026-03-03"}'))
    (why,) = _tries(arizona, f"sign by sam {_SIGN}")
    assert why.startswith("AZ-II.C-1: ")
    list(arizona.do('cora renew_credentials sam {licence_until = "2026-03-04"} signed by olga as second'))
    assert not [one for one in arizona.do(f"sign by sam {_SIGN}") if one.startswith("refused")]


def test_nobody_signs_in_the_wrong_role(arizona: Day) -> None:
    list(arizona.do(_COUNT))
    (why,) = _tries(arizona, f"sign by dora {_SIGN}")
    assert why == "AZ-II.M.1-c: who counts again: Dora is not on record as supervisor"


def test_nobody_signs_what_was_not_asked_for_or_is_done(arizona: Day) -> None:
    list(arizona.do(_COUNT))
    (number,) = arizona.state.pending
    assert "waits for second" in _tries(arizona, "sign by sam as captain")[0]
    list(arizona.do(f"sign {number} by sam {_SIGN}"))
    assert "waits for no signature" in _tries(arizona, f"sign {number} by sam {_SIGN}")[0]
    assert "cannot be taken back" in _tries(arizona, f"void {number} by bob I was wrong")[0]


# What is where.


def test_a_die_is_in_one_place(arizona: Day) -> None:
    """It is not received twice, not put into two cups, and not in the cabinet while it is thrown."""
    assert _tries(arizona, 'cus receive_dice A1 {vendor = "paulson"}')[0].startswith("AZ-II.L.1-serial, AZ-II.L.2: ")
    (why,) = _tries(arizona, 'sam place_dice A1 {table = "T2", in_cup = true, attendant = "bob"}')[:1]
    assert "die A1 is in play" in why
    assert arizona.state.things["die/A1"].facts["table"] == "T1"
    twice = list(arizona.do('cus receive_dice N1 N1 {vendor = "paulson"}'))
    assert twice[0].startswith("refused")
    assert arizona.state.thing("die", "N1") is None


def test_a_count_of_what_is_not_there_is_kept_and_opens_an_incident(arizona: Day) -> None:
    list(arizona.do("people aud=auditor"))
    found = list(arizona.do('aud count_dice {dice = ["A1", "A2", "A3", "A4", "Z9"]}'))
    assert [one.partition(": ")[0] for one in found] == ["incident AZ-II.L.4-a"]
    assert "counted 1 of Z9; on record 0 of Z9" in found[0]
    assert arizona.state.thing("die", "Z9") is None, "a claim makes no die"


def test_a_table_that_is_not_there_is_not_counted(arizona: Day) -> None:
    (why,) = _tries(arizona, _COUNT.replace("T1", "T9"))[:1]
    assert "T9" in why


# What was filed.


def test_a_house_file_is_not_changed_after_it_was_filed() -> None:
    """The log has the file; the same name with another text is another file, and no table opens under it."""
    day = _day("maryland_rules", until="# T1 may open.")
    filed = day.state.thing("house", "h1")
    assert filed is not None
    list(
        day.do('house changed {side_wagers = {fire = "A", bonus_craps = "A", dice_ology = "A"}, wager_cents_min = 100}')
    )
    assert "on record already" in _tries(day, 'cora draft_house h1 {file = "@changed"}')[0]
    assert _tries(day, "clear T1 changed")[0].startswith("practice: house ")
    assert "in force" in _tries(day, "clear T1 changed")[0]
    assert day.state.thing("house", "h1") == filed


def test_a_sign_with_other_words_than_the_rules_in_force_is_not_hung() -> None:
    day = _day("maryland_rules", until="# T1 may open.")
    (why,) = _tries(day, f'flo post_limits T1 {{limits = "{"0" * 64}"}}')
    assert why.startswith("practice: limits: it is not Limits as the rules in force have it")


@asynchronous
async def test_a_document_changed_in_the_log_is_found() -> None:
    """Who changes the digest of a filed paper in the database changes an entry, and verifying names it."""
    log = MemoryLog(at=START)
    await _Served(log).opened()
    rows = list(log.rows())
    (place,) = [number for number, row in enumerate(rows) if b"note 1" in row.body]
    rows[place] = replace(rows[place], body=rows[place].body.replace(b"note 1", b"note 2"))
    report = verify_log(iter(rows), log.public_key, log.head())
    assert report.faults[0].sequence == place + 1


# The clock, two tablets, and a server that is killed.


class _Served:
    """The offices of a server over a log, and everybody who works there."""

    def __init__(self, log: Log, clock: Callable[[], str] = lambda: START) -> None:
        self.log = log
        self.people = {name: Person(name, name.title(), frozenset({role})) for name, role in _ROLES.items()}
        self.offices = Offices(log, ThreadWriter(log), clock, Surroundings(self.people.get))

    async def ask(self, id_: str, by: str, command: c.ActCommand, signed_by: str = "") -> Answer | Refused:
        actor = Actor(by, by.title(), _ROLES[by], is_employee=True)
        return await self.offices.ask("maryland", Ask(id_, command, actor, signed_by))

    async def does(self, by: str, act: str, *things: str, signs: str = "", **fields: object) -> Answer:
        part, _, signer = signs.partition(" ")
        command = c.DoAct(act=act, things=things, fields=fields, signs=part)
        answer = await self.ask(uuid4().hex, by, command, signer)
        assert isinstance(answer, Answer), answer
        return answer

    async def state(self) -> ActState:
        return (await self.offices.scene("maryland")).state

    async def opened(self) -> None:
        """Open the office, with chips in its cage and a fill that is on its way to table T1."""
        answer = await self.ask("set-up", "olga", c.SetUpOffice(facility=_FACILITY))
        assert isinstance(answer, Answer), answer
        await self.does("olga", "register_table", "t1", area="pit-1", length=144)
        units = {"500": 400}
        await self.does("cy", "receive_chips", units=units, delivery="note 1", signs="witness acc")
        await self.does("cy", "issue_chips", units=units, signs="witness acc")
        await self.does("flo", "request_fill", table="t1", units={"500": 100})

    async def carried(self) -> None:
        """Bring that fill to the table: it waits there to be accepted."""
        await self.does("cy", "prepare_fill", "F-000001")
        await self.does("fay", "carry_fill", "F-000001")

    async def chips(self) -> dict[str, dict[str, int]]:
        return (await self.state()).stocks["chips"]


_ACCEPT = c.DoAct(act="accept_fill", things=("F-000001",))
_ON_ITS_WAY = {"maker": {"500": -400}, "reserve": {}, "cage": {"500": 300}, "transit": {"500": 100}}
_ACCEPTED = {**_ON_ITS_WAY, "transit": {}, "table/t1": {"500": 100}}


@asynchronous
async def test_a_fill_accepted_on_two_tablets_is_accepted_once() -> None:
    served = _Served(MemoryLog(at=START))
    await served.opened()
    await served.carried()
    answers = await gather(served.ask("tablet-1", "dan", _ACCEPT), served.ask("tablet-2", "dora", _ACCEPT))
    (refused,) = [one for one in answers if isinstance(one, Refused)]
    assert "fill slip F-000001 is accepted: nothing more is done to it" in str(refused)
    assert await served.chips() == _ACCEPTED


@asynchronous
async def test_an_act_signed_on_two_tablets_is_done_once() -> None:
    served = _Served(MemoryLog(at=START))
    await served.opened()
    await served.carried()
    await served.does("dan", "accept_fill", "F-000001")
    await served.does("dan", "count_opener", "t1", chips={"500": 100}, shift="day")
    (number,) = (await served.state()).pending
    sign = c.SignAct(number=int(number), part="second", fields={"chips": {"500": 100}})
    answers = await gather(*(served.ask(f"tablet-{who}", who, sign) for who in ("bob", "flo")))
    (refused,) = [one for one in answers if isinstance(one, Refused)]
    assert "waits for no signature" in str(refused)
    state = await served.state()
    assert (state.pending, state.incidents) == ({}, 0)


@asynchronous
async def test_a_server_killed_between_request_and_acceptance_loses_nothing(tmp_path: Path) -> None:
    """The fill lies in transit until somebody accepts it; the answer that was lost is given again, and once only."""
    first = _Served(open_log(tmp_path))
    await first.opened()
    await first.carried()

    second = _Served(open_log(tmp_path))  # nobody has closed the first: it is gone
    assert await second.chips() == _ON_ITS_WAY
    slip = (await second.state()).thing("fill_slip", "F-000001")
    assert slip is not None
    assert slip.state == "carried"
    accepted = await second.ask("tablet-1", "dan", _ACCEPT)
    assert isinstance(accepted, Answer)

    third = _Served(open_log(tmp_path))  # the answer did not come: the tablet sends the same command again
    again = await third.ask("tablet-1", "dan", _ACCEPT)
    assert isinstance(again, Answer)
    assert again.sequence == accepted.sequence
    assert await third.chips() == _ACCEPTED
    assert isinstance(await third.ask("tablet-2", "dora", _ACCEPT), Refused)
    next_slip = await third.does("flo", "request_fill", table="t1", units={"500": 1})
    assert "F-000002" in " ".join(next_slip.lines), "no number is lost"
    assert verify_log(third.log.rows(), third.log.public_key, third.log.head()).is_intact
    for one in (first, second, third):
        one.log.close()


@asynchronous
async def test_a_clock_that_jumps_back_dates_nothing_earlier() -> None:
    machine = Machine()
    served = _Served(MemoryLog(at=START), machine.clock())
    await served.opened()
    before = (await served.state()).marks["request_fill"]["fill_slip/F-000001"].at
    machine.passes(10, jump=-30)
    await served.does("cy", "prepare_fill", "F-000001")
    assert (await served.state()).marks["prepare_fill"]["fill_slip/F-000001"].at >= before
    machine.passes(10, jump=-3600)
    carry = c.DoAct(act="carry_fill", things=("F-000001",))
    refused = await served.ask("carry", "fay", carry)
    assert isinstance(refused, Refused)
    assert "the clock of this server is" in str(refused)
    assert await served.chips() == _ON_ITS_WAY
    machine.passes(10, jump=3600)
    assert isinstance(await served.ask("carry", "fay", carry), Answer)


@pytest.mark.parametrize("moment", ["2026-03-04T23:00:00.000000Z", "yesterday", "2026-03-04"])
def test_what_is_still_to_come_has_not_occurred(arizona: Day, moment: str) -> None:
    command = c.DoAct(act="go_off_duty", things=("dan",), occurred=moment)
    decision = decide(arizona.scene(), command, by=Actor("olga", "Olga", "owner", is_employee=True))
    assert isinstance(decision, Refused)
    assert {one.clause for one in decision.refusals} == {"form"}


# Over HTTP, with accounts, PINs and a log that is decided again.


class _Tablets:
    """A house whose people each have a tablet, with a fill at the table of which nobody has taken hold yet."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        welcomes = {"olga": olga}
        for name, role in _ROLES.items():
            if name != "olga":
                welcomes[name] = server.hire(name.title(), role, by=olga.session.account.id)
        self.pages = {name: server.browser() for name in welcomes}
        for name, welcome in welcomes.items():
            self.pages[name].client.cookies.set("passline", welcome.token, domain="127.0.0.1")
            self.pages[name].csrf = welcome.session.csrf
        self.sends("olga", {"command": "set-up-office", "facility": to_builtins(_FACILITY)})
        self.does("olga", "register_table", "t1", area="pit-1", length=144)
        units = {"500": 400}
        self.does("cy", "receive_chips", units=units, delivery="note 1", signs="witness Acc")
        self.does("cy", "issue_chips", units=units, signs="witness Acc")
        self.does("flo", "request_fill", table="t1", units={"500": 100})
        self.does("cy", "prepare_fill", "F-000001")
        self.does("fay", "carry_fill", "F-000001")

    def sends(self, by: str, command: dict[str, object], **more: object) -> httpx.Response:
        answer = self.pages[by].post("/api/office/maryland/commands", {"command": command, **more})
        assert answer.status_code == 201, answer.text
        return answer

    def tries(self, by: str, command: dict[str, object], **more: object) -> tuple[int, str]:
        answer = self.pages[by].post("/api/office/maryland/commands", {"command": command, **more})
        assert answer.status_code != 201
        return answer.status_code, answer.text

    def does(self, by: str, act: str, *things: str, signs: str = "", **fields: object) -> httpx.Response:
        part, _, signer = signs.partition(" ")
        more = {"sign_off": {"name": signer, "pin": PIN}} if signer else {}
        return self.sends(by, _done(act, *things, signs=part, **fields), **more)

    @property
    def chips(self) -> object:
        return self.pages["olga"].get("/api/office/maryland/stocks").json()["stocks"]["chips"]


def _done(act: str, *things: str, signs: str = "", **fields: object) -> dict[str, object]:
    return {"command": "do-act", "act": act, "things": list(things), "fields": fields, "signs": signs}


@pytest.fixture(scope="module")
def tablets() -> Iterator[_Tablets]:
    with serving() as server:
        yield _Tablets(server)


def test_trouble_over_http_is_told_and_moves_nothing_twice(tablets: _Tablets) -> None:
    receive = _done("receive_chips", units={"500": 1}, delivery="note 2", signs="witness")
    own, said = tablets.tries("cy", receive, sign_off={"name": "Cy", "pin": PIN})
    assert (own, "nobody" in said) == (403, True)
    wrong, said = tablets.tries("cy", receive, sign_off={"name": "Dan", "pin": PIN})
    assert (wrong, tablets.chips) == (403, _ON_ITS_WAY), said
    assert tablets.tries("dan", _done("prepare_fill", "F-000001"))[0] == 409
    accept = _done("accept_fill", "F-000001")
    first = tablets.sends("dan", accept, id="tablet-1").json()
    assert tablets.sends("dan", accept, id="tablet-1").json()["sequence"] == first["sequence"]
    status, said = tablets.tries("dora", accept, id="tablet-2")
    assert (status, "is accepted: nothing more is done to it" in said) == (409, True)
    status, said = tablets.tries("dan", _done("accept_fill", "F-000002"), id="tablet-1")
    assert (status, "was sent before with another command" in said) == (409, True)
    assert tablets.chips == _ACCEPTED
    log = tablets.server.log
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact
    assert not list(house_faults(log.read()))
