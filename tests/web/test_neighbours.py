"""A screen's connection goes to the process of its table, and to no other."""

import asyncio
import socket
from zlib import crc32

from passline.web.server.neighbours import Neighbours, places
from tests.event_loop import asynchronous

HEADERS = [(b"host", b"localhost"), (b"upgrade", b"websocket")]


class _Taken(asyncio.Protocol):
    def __init__(self) -> None:
        self.head: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.WriteTransport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.head.set_result(data)


def _of_process(number: int, count: int) -> bytes:
    """Return the address of a table that a process serves."""
    targets = (b"/api/tables/craps-%d/live" % table for table in range(20))
    return next(target for target in targets if crc32(target.split(b"/")[3]) % count == number)


def test_all_screens_of_a_table_are_together_while_its_process_is_not_up() -> None:
    """Each process served those that it had accepted: they saw each other's wagers up to 50 ms later."""
    given = places(4)
    target = _of_process(2, 4)
    for place in given:
        place.note_up(is_up=place.number != 2)
    assert [Neighbours(given[number]).process_of(target) for number in (0, 1, 3)] == [3, 3, 3]
    given[3].note_up(is_up=False)
    assert [Neighbours(given[number]).process_of(target) for number in (0, 1)] == [0, 0]
    given[2].note_up(is_up=True)
    assert [Neighbours(given[number]).process_of(target) for number in range(2)] == [2, 2]
    for place in given:
        place.close()


@asynchronous
async def test_a_connection_is_handed_to_the_process_of_its_table_with_its_request() -> None:
    given = places(2)
    one, two = (Neighbours(place) for place in given)
    targets = [b"/api/tables/craps-%d/live?role=player" % number for number in range(20)]
    theirs, own = _of_process(1, 2), _of_process(0, 2)
    assert {one.process_of(target) for target in targets} == {0}, "nobody else is up"
    for place in given:
        place.note_up(is_up=True)
    assert [two.process_of(target) for target in targets] == [one.process_of(target) for target in targets]
    given[1].note_up(is_up=False)
    taken = _Taken()
    near, far = socket.socketpair()
    with near, far:
        assert not one.hand_over(theirs, HEADERS, far.fileno()), "it is not up yet"
        two.receive(lambda: taken)
        assert not one.hand_over(own, HEADERS, far.fileno())
        assert not one.hand_over(b"/api/tables", HEADERS, far.fileno())
        assert one.hand_over(theirs, HEADERS, far.fileno())
        far.close()
        expected = b"GET %b HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\n\r\n" % theirs
        assert await asyncio.wait_for(taken.head, 10) == expected
        taken.transport.write(b"welcome")
        assert await asyncio.to_thread(near.recv, 10) == b"welcome"
        taken.transport.close()
        two.stop()
        assert not one.hand_over(theirs, HEADERS, near.fileno()), "it is up no longer"
    for place in given:
        place.close()


def test_a_connection_that_was_handed_to_a_process_which_ended_is_closed_at_once() -> None:
    """It lay in that process's inbox until the next one had started: its screen hung for seconds."""
    given = places(2)
    one = Neighbours(given[0])
    target = _of_process(1, 2)
    given[1].note_up(is_up=True)
    near, far = socket.socketpair()
    with near:
        assert one.hand_over(target, HEADERS, far.fileno())
        far.close()
        given[1].note_up(is_up=False)
        assert not given[1].is_up
        given[1].turn_away()
        assert near.recv(1) == b"", "whoever made it connects again"
        given[1].turn_away()  # and there is none left
    for place in given:
        place.close()
