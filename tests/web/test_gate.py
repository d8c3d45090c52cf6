"""The gate: who is let in, who makes room, and what is kept for people who are logged in."""

import asyncio
from collections import Counter

import pytest

from passline.web.server.gate import Bounds, Gate, Visit
from tests.waiting import until

SMALL = Bounds(
    connections=20,
    strangers=8,
    busy=3,
    watching=4,
    address_strangers=6,
    address_busy=2,
    address_watching=3,
    session=3,
    rate=10.0,
    burst=6,
    address_rate=1.0,
    address_burst=4,
    read_rate=2.0,
    read_burst=4,
)


class Door:
    """A gate, its clock, and who was dropped."""

    def __init__(self, *proxies: str) -> None:
        self.now = 1_000.0
        self.counts: Counter[str] = Counter()
        self.dropped: list[int] = []
        self.gate = Gate(SMALL, is_proxy=frozenset(proxies).__contains__, dropped=self._count, clock=lambda: self.now)
        self._number = 0

    def _count(self, reason: str) -> None:
        self.counts[reason] += 1

    def enter(self, address: str = "10.0.0.1") -> Visit | None:
        self._number += 1
        number = self._number
        return self.gate.enter(address, lambda: self.dropped.append(number), lambda _now: None)

    def let_in(self, address: str = "10.0.0.1") -> Visit:
        visit = self.enter(address)
        assert visit is not None
        return visit


def test_the_stranger_of_an_address_who_waited_longest_makes_room() -> None:
    door = Door()
    for _ in range(10):
        door.let_in()
    assert door.dropped == [1, 2, 3, 4]
    assert door.gate.strangers == 6
    door.let_in("10.0.0.2")
    assert door.dropped == [1, 2, 3, 4], "another address has its own part"


def test_strangers_in_all_are_bounded_however_many_addresses_they_have() -> None:
    door = Door()
    for number in range(50):
        door.let_in(f"10.0.{number}.1")
    assert door.gate.strangers == SMALL.strangers
    assert door.dropped == list(range(1, 43))


def test_who_sends_a_request_is_not_dropped_for_those_who_wait() -> None:
    door = Door()
    asking = door.let_in()
    assert door.gate.begin(asking, "") is None
    for _ in range(20):
        door.let_in()
    assert 1 not in door.dropped
    door.gate.end(asking)
    for _ in range(6):
        door.let_in()
    assert 1 in door.dropped, "an idle connection waits like the others"


def test_without_anybody_who_waits_a_newcomer_is_refused() -> None:
    door = Door()
    for number in range(3):
        assert door.gate.watch(door.let_in(), "") is None, number
    for number in range(2):
        assert door.gate.begin(door.let_in(), "") is None, number
    door.let_in()
    assert door.enter() is not None  # in place of the one who waits
    assert door.dropped == [6]


def test_sessions_have_the_rest_of_the_connections() -> None:
    door = Door()
    for number in range(9):
        visit = door.let_in("10.0.0.9")
        door.gate.recognise(visit, f"token-{number}")
    for number in range(40):
        door.let_in(f"10.1.{number}.1")
    assert (door.gate.known_connections, door.gate.strangers) == (9, 8)
    newcomer = door.let_in("10.0.0.9")
    assert door.gate.begin(newcomer, "token-3") is None
    assert newcomer.token == "token-3", "a token that was checked is known before the application sees it"  # noqa: S105
    assert not any(number <= 9 for number in door.dropped)
    for number in range(40):
        door.gate.recognise(door.let_in("10.0.0.8"), f"more-{number}")
        if door.gate.known_connections == SMALL.connections:
            break
    assert door.enter() is None, "the house is full"
    assert door.counts["strangers"] == 1


def test_a_session_has_a_bounded_number_of_connections() -> None:
    door = Door()
    visits = [door.let_in() for _ in range(5)]
    for visit in visits:
        door.gate.recognise(visit, "token")
    assert [bool(visit.token) for visit in visits] == [True, True, True, False, False]
    door.gate.leave(visits[0])
    door.gate.leave(visits[0])
    door.gate.recognise(visits[3], "token")
    assert visits[3].token


def test_a_token_counts_as_known_for_a_while() -> None:
    door = Door()
    door.gate.recognise(door.let_in(), "token")
    door.now += 1_000
    visit = door.let_in()
    assert door.gate.begin(visit, "token") is None
    assert not visit.token


def test_strangers_requests_are_bounded_at_once_and_in_time() -> None:
    door = Door()
    visits = [door.let_in() for _ in range(3)]
    said = [door.gate.begin(visit, "") for visit in visits]
    assert [one.reason if one else "" for one in said] == ["", "", "busy"]
    door.gate.end(visits[0])
    door.gate.end(visits[1])
    assert door.gate.begin(visits[0], "") is None
    turned = door.gate.begin(visits[1], "")
    assert turned is not None
    assert turned.status == 429
    door.now += 2
    assert door.gate.begin(visits[1], "") is None
    known = door.let_in("10.0.0.1")
    door.gate.recognise(known, "token")
    for _ in range(20):
        assert door.gate.begin(known, "token") is None, "a session is not held up by its neighbours"
        door.gate.end(known)


def test_a_screen_with_a_token_may_come_on_top_until_it_was_checked() -> None:
    door = Door()
    for _ in range(3):
        assert door.gate.watch(door.let_in(), "") is None
    assert door.gate.watch(door.let_in(), "") is not None
    claimed = door.let_in()
    assert door.gate.watch(claimed, "token") is None
    assert claimed.is_extra
    door.gate.recognise(claimed, "token")
    assert claimed.token


def test_a_proxy_stands_for_many_people() -> None:
    door = Door("10.0.0.1")
    for _ in range(8):
        door.let_in("10.0.0.1")
    assert door.dropped == []


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("", "", True),
    ],
)
def test_addresses_of_one_network_are_one(first: str, second: str, is_same: bool) -> None:  # noqa: FBT001
    door = Door()
    assert (door.let_in(first).address == door.let_in(second).address) is is_same


def test_counts_are_forgotten_with_their_connections() -> None:
    door = Door()
    for number in range(30):
        visit = door.let_in(f"10.0.{number}.1")
        door.gate.begin(visit, "")
        door.gate.leave(visit)
    assert (door.gate.strangers, door.gate.known_connections) == (0, 0)
    assert not door.gate._counts
    assert not door.gate._strangers


def test_who_is_late_is_told_so() -> None:
    late: list[float] = []
    gate = Gate(SMALL)
    visit = gate.enter("10.0.0.1", lambda: None, late.append)
    assert visit is not None
    visit.deadline = gate.clock() - 1

    async def keep() -> None:
        task = asyncio.create_task(gate.keep())
        await until(lambda: bool(late))
        task.cancel()

    asyncio.run(keep())
    assert len(late) == 1


def test_a_session_that_reads_in_a_loop_waits_for_its_turn_and_nobody_else_does() -> None:
    door = Door()
    ann, ben, stranger = door.let_in(), door.let_in(), door.let_in()
    door.gate.recognise(ann, "ann")
    door.gate.recognise(ben, "ben")
    assert [door.gate.pause(ann) for _ in range(7)] == [0.0, 0.0, 0.0, 0.0, 0.5, 1.0, 1.5]
    assert door.gate.pause(ben) == door.gate.pause(stranger) == 0.0, "strangers have bounds of their own"
    door.now += 3.0
    assert [door.gate.pause(ann) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_nobody_waits_longer_than_for_all_connections_of_a_session() -> None:
    door = Door()
    ann = door.let_in()
    door.gate.recognise(ann, "ann")
    assert max(door.gate.pause(ann) for _ in range(1_000)) == SMALL.session / SMALL.read_rate
