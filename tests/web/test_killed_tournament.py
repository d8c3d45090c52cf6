"""kill -9 of the server in a round, a seat draw and a payment: nothing acknowledged is lost, nothing happens twice."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from msgspec import field, to_builtins
from msgspec.structs import replace

from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from passline.refusal import Refused
from passline.store.data_folder import open_log
from passline.store.timestamps import utc_now
from passline.store.verify import verify_log
from passline.streams.blocking import BlockingStream
from passline.streams.course import Actor, Ask
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.verify import log_faults
from passline.web.startup import Settings, prepare
from tests.killed_server import KilledServer
from tests.tournament.engine_cases import HEATS, one_event
from tests.waiting import wait_until

pytestmark = pytest.mark.long

STEPS = ("button", "call", "choose", "confirm", "offer", "pass", "settle")
PLAYERS = ("ann", "bob", "cat")
ID, TABLE = "killed", "t-1"
TO = f"/api/tournaments/{ID}/commands"
_Sent = tuple[str, str, str, dict[str, Any]]  # by whom, under which id, where to, and the command


class _House(KilledServer, kw_only=True):
    """A house on disk, and the tokens and accounts of its people, which outlive its servers."""

    accounts: dict[str, str]
    chance: Random
    acknowledged: dict[str, int] = field(default_factory=dict)

    def sends(self, by: str, id_: str, path: str, **command: Any) -> httpx.Response:  # noqa: ANN401
        """Send a command; what is acknowledged is kept, and must stay what it was."""
        answer = self.posts(by, path, {"id": id_, "command": command})
        if answer.is_success:
            told = answer.json()
            sequence = told.get("receipt", told)["sequence"]
            assert self.acknowledged.setdefault(id_, sequence) == sequence
        return answer

    def does(self, by: str, id_: str, command: str, **fields: Any) -> None:  # noqa: ANN401
        """Send a command to the tournament that is carried out."""
        answer = self.sends(by, id_, TO, command=command, **fields)
        assert answer.status_code == 201, answer.text

    def killed(self, before: Callable[[], list[_Sent]]) -> None:
        """Serve, do something, then send commands at once and kill the server at a moment by chance."""

        def send(by: str, id_: str, path: str, command: dict[str, Any]) -> None:
            with contextlib.suppress(httpx.TransportError):
                self.sends(by, id_, path, **command)

        with self.served():
            sent = before()
            with ThreadPoolExecutor(len(sent)) as pages:
                for one in sent:
                    pages.submit(send, *one)
                sleep(self.chance.uniform(0.0, 0.03))
                self.kill()

    def seen(self) -> dict[str, Any]:
        """The tournament as the owner sees it."""
        data: dict[str, Any] = self._get(f"/api/tournaments/{ID}")
        return data

    def table(self) -> dict[str, Any]:
        """The table as the owner sees it; empty before it is open."""
        return dict(self._get(f"/api/tables/{TABLE}").get("table", {}))

    def _get(self, path: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.tokens['olga']}"}
        told: dict[str, Any] = httpx.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=60).json()
        return told


@pytest.fixture
def house(tmp_path: Path) -> _House:
    settings = Settings(data=tmp_path / "house")
    prepare(settings)
    log = open_log(settings.data)
    desk = FrontDesk(log, utc_now, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    link = desk.first_owner()
    assert link is not None
    welcome = desk.accept_invitation(link.token, name="Olga", password="the password of olga", pin="7294")  # noqa: S106
    welcomes: dict[str, object] = {"olga": welcome}
    welcomes |= {name: desk.register(name=name.title(), password=f"the password of {name}") for name in PLAYERS}
    tokens, accounts = {}, {}
    for name, one in welcomes.items():
        assert isinstance(one, Welcome)
        tokens[name], accounts[name] = one.token, one.session.account.id
    log.close()
    return _House(settings=settings, tokens=tokens, accounts=accounts, chance=Random(20261116))


def _plan() -> dict[str, Any]:
    plan = one_event()
    plan = replace(
        plan, id=ID, dice="electronic", automate=STEPS, splits=False, sheet=replace(plan.sheet, ties="shared")
    )
    data: dict[str, Any] = to_builtins(plan)
    return data


@pytest.mark.whole
def test_a_tournament_survives_every_kill(house: _House) -> None:
    with house.served():
        planned = house.sends("olga", "plan", "/api/tournaments/commands", command="plan-tournament", plan=_plan())
        assert planned.status_code == 201, planned.text
        for entry, name in enumerate(PLAYERS, start=1):
            house.does("olga", f"enter-{name}", "enter-player", event=HEATS, name=name, account=house.accounts[name])
            house.does("olga", f"sign-{name}", "sign-in-player", entry=entry)
    _prepared_and_not_drawn(house)
    evening = _Evening(house)
    for step in (evening.drawn, evening.first_throw, evening.second_throw, evening.first_prize, evening.second_prize):
        house.killed(step)
    with house.served():
        evening.paid_once()
        for entry in evening.winners[2:]:  # players who are level share
            house.does("olga", f"pay-{entry}", "pay-prize", entry=entry)
        house.does("olga", "count", "count-fees", counted=150_00)
        house.does("olga", "close", "close-tournament")
    _nothing_is_lost(house, evening.winners)


class _Evening:
    """What is done between kills: each step ends with commands that are sent while the server is killed."""

    def __init__(self, house: _House) -> None:
        self.house = house
        self.seats: list[dict[str, Any]] = []
        self.roll: _Sent | None = None
        self.winners: list[int] = []
        self.paying: list[_Sent] = []

    def drawn(self) -> list[_Sent]:
        """Wait for the seats: whichever server finds them undrawn draws them. Begin the round."""
        wait_until(lambda: self.house.seen()["rounds"][-1].get("phase") == "drawn")
        self.seats = self.house.seen()["rounds"][-1]["seats"]
        return [("olga", "start", TO, {"command": "start-round"})]

    def first_throw(self) -> list[_Sent]:
        """Begin the round again, which begins once; throw the dice."""
        assert self.house.seen()["rounds"][-1]["seats"] == self.seats
        self.house.does("olga", "start", "start-round")
        wait_until(lambda: len(self.house.table().get("seats", ())) == len(PLAYERS))
        return self._thrown(1)

    def second_throw(self) -> list[_Sent]:
        """Throw again what may not have been thrown, and then once more."""
        self._throw_again()
        return self._thrown(2)

    def _thrown(self, throw: int) -> list[_Sent]:
        house, at = self.house, f"/api/tables/{TABLE}/commands"
        wait_until(lambda: bool(house.table().get("shooter") or house.table().get("offered_to")))
        seat = house.table()["shooter"] or house.table()["offered_to"]
        name = next(PLAYERS[one["entry"] - 1] for one in self.seats if one["seat"] == seat)
        house.sends(name, f"accept-{throw}", at, command="accept-dice", seat=seat)
        house.sends(name, f"line-{throw}", at, command="make-wager", seat=seat, wager="pass", cents=100_00)
        self.roll = (name, f"roll-{throw}", at, {"command": "roll", "seat": seat})
        return [self.roll]

    def _throw_again(self) -> None:
        assert self.roll is not None
        name, id_, at, command = self.roll
        told = self.house.sends(name, id_, at, **command)
        assert told.is_success or id_ not in self.house.acknowledged, told.text
        wait_until(lambda: self.house.table().get("dice") != "air")

    def first_prize(self) -> list[_Sent]:
        """End the round and the event, and have two tablets pay the same prize."""
        house = self.house
        self._throw_again()
        finish = f"http://127.0.0.1:{house.port}/api/tournaments/{ID}/tables/{TABLE}/finish"
        headers = {"Authorization": f"Bearer {house.tokens['olga']}"}
        assert httpx.post(finish, headers=headers, json={}, timeout=60).status_code == 201
        wait_until(lambda: bool(house.seen()["rounds"][-1].get("house")))
        house.does("olga", "end", "end-round")
        house.does("olga", "conclude", "conclude-event", event=HEATS)
        self.winners = [one["entry"] for one in house.seen()["awards"]]
        return self._paid(self.winners[0])

    def second_prize(self) -> list[_Sent]:
        """Have the tablets send again what they sent; then the next prize."""
        self.paid_once()
        return self._paid(self.winners[1])

    def _paid(self, entry: int) -> list[_Sent]:
        pay = {"command": "pay-prize", "entry": entry}
        self.paying = [("olga", f"pay-{entry}-{tablet}", TO, pay) for tablet in (1, 2)]
        return self.paying

    def paid_once(self) -> None:
        """Check that of two tablets one has paid, and whoever was told so is told again."""
        codes = [self.house.sends(by, id_, to, **pay).status_code for by, id_, to, pay in self.paying]
        assert sorted(codes) == [201, 409]
        owed = {one["entry"] for one in self.house.seen()["awards"]}
        assert self.paying[0][3]["entry"] not in owed


def _prepared_and_not_drawn(house: _House) -> None:
    """Write the entry that prepares a round, as a server did that was killed before it drew the seats."""
    log = open_log(house.settings.data)
    stream = BlockingStream(TOURNAMENT_STREAM + ID, TournamentCourse(), log=log, clock=utc_now)
    olga = Actor(house.accounts["olga"], "Olga", "owner")
    answer = stream.ask(Ask("prepare", c.PrepareRound(event=HEATS, tables=(TABLE,)), olga))
    assert not isinstance(answer, Refused), str(answer)
    state = stream.newest()
    assert state is not None
    assert state.round is not None
    assert state.round.phase == "prepared"
    log.close()


def _nothing_is_lost(house: _House, winners: list[int]) -> None:
    log = open_log(house.settings.data)
    entries = list(log.read())
    ours = [one.entry for one in entries if one.entry.stream in {TOURNAMENT_STREAM + ID, f"table/{TABLE}"}]
    assert Counter((one.stream, one.actor, one.id) for one in ours).most_common(1)[0][1] == 1
    by_id = {one.id: one.sequence for one in ours}
    assert {id_: by_id.get(id_) for id_ in house.acknowledged} == house.acknowledged
    events = [
        event
        for one in entries
        if one.entry.stream == TOURNAMENT_STREAM + ID
        for event in TOURNAMENT_CODEC.events(one.entry)
    ]
    kinds = Counter(type(event) for event in events)
    assert (kinds[e.SeatsDrawn], kinds[e.RoundStarted], kinds[e.PointsReported]) == (1, 1, 1)
    paid = [event for event in events if isinstance(event, e.PrizePaid)]
    assert sorted(event.entry for event in paid) == sorted(winners)
    assert sum(event.pool_cents for event in paid) == 300_00
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact
    assert list(log_faults(entries)) == []
    log.close()
