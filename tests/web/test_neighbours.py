"""A screen's connection goes to the process of its table, and to no other."""

import asyncio
import socket

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


@asynchronous
async def test_a_connection_is_handed_to_the_process_of_its_table_with_its_request() -> None:
    given = places(2)
    one, two = (Neighbours(place) for place in given)
    targets = [b"/api/tables/craps-%d/live?role=player" % number for number in range(20)]
    theirs = next(target for target in targets if one.process_of(target) == 1)
    own = next(target for target in targets if one.process_of(target) == 0)
    assert [two.process_of(target) for target in targets] == [one.process_of(target) for target in targets]
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
