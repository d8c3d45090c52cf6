"""The server processes behind one address: each table's screens are all served by one of them.

Whichever process accepts a screen's connection hands it to the process of its table. If that one is not up, the next
one that is takes its place; if its queue is full, the screen is served where it is. Any process can serve any table,
but a screen in another process than its table's other screens shows their wagers a twentieth of a second later.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import Array, c_byte
from multiprocessing.sharedctypes import RawArray
from zlib import crc32

from msgspec import Struct

_LIVE = re.compile(rb"/api/tables/([^/?]+)/live(?:\?|$)")
_POST_MAX = 64 * 1024  # bytes of a request's head, and more


class Place(Struct, frozen=True):
    """One process among all: its number, where connections reach it, and where it reaches the others."""

    number: int
    inbox: socket.socket
    outboxes: tuple[socket.socket, ...]
    up: Array[c_byte]  # by number, in memory that all of them share: 1 where connections are taken

    def note_up(self, *, is_up: bool) -> None:
        """Tell the others whether this process takes connections."""
        self.up[self.number] = is_up

    @property
    def is_up(self) -> bool:
        """Whether this process takes connections."""
        return bool(self.up[self.number])

    def turn_away(self) -> None:
        """Close the connections that were handed to a process which is not up: whoever made them connects again."""
        with suppress(OSError):  # until none is left
            while True:
                _, files, _, _ = socket.recv_fds(self.inbox, _POST_MAX, 1)
                for file in files:
                    socket.socket(fileno=file).close()

    def close(self) -> None:
        """Close its sockets in this process."""
        for end in (self.inbox, *self.outboxes):
            end.close()


def places(count: int) -> list[Place]:
    """Return a place for each of this many processes."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(count)]
    outboxes = tuple(into for _, into in pairs)
    for end in (end for pair in pairs for end in pair):
        end.settimeout(0)
    up = RawArray(c_byte, count)
    return [Place(number, inbox, outboxes, up) for number, (inbox, _) in enumerate(pairs)]


class Neighbours:
    """Hands connections to other processes, and takes theirs."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._adopting: set[asyncio.Task[None]] = set()

    def process_of(self, target: bytes) -> int:
        """Return the number of the process that serves what a websocket asks for: its own, unless it is a table's.

        That of a table is followed by the others in turn, so that all its screens are together while it is not up.
        """
        found = _LIVE.match(target)
        if found is None:
            return self._place.number
        own, count = self._place.number, len(self._place.outboxes)
        home = crc32(found[1]) % count
        turns: tuple[int, ...] = (*range(home, count), *range(home))
        return next(number for number in turns if number == own or self._place.up[number])

    def hand_over(self, target: bytes, headers: Sequence[tuple[bytes, bytes]], connection: int) -> bool:
        """Hand a connection, by its file number, to the process of its table; return whether that has it now."""
        number = self.process_of(target)
        if number == self._place.number or not self._place.up[number]:
            return False
        lines = [b"GET %b HTTP/1.1\r\n" % target, *(b"%b: %b\r\n" % header for header in headers), b"\r\n"]
        try:
            socket.send_fds(self._place.outboxes[number], [b"".join(lines)], [connection])
        except OSError:  # too many wait there
            return False
        return True

    def receive(self, made: Callable[[], asyncio.Protocol]) -> None:
        """Take what others hand over from now on, each with a protocol that `made` returns."""
        asyncio.get_running_loop().add_reader(self._place.inbox, self._take, made)
        self._place.note_up(is_up=True)

    def stop(self) -> None:
        """Take nothing more."""
        self._place.note_up(is_up=False)
        asyncio.get_running_loop().remove_reader(self._place.inbox)

    def _take(self, made: Callable[[], asyncio.Protocol]) -> None:
        try:
            head, files, _, _ = socket.recv_fds(self._place.inbox, _POST_MAX, 1)
        except BlockingIOError:
            return
        for file in files:
            task = asyncio.get_running_loop().create_task(self._adopt(socket.socket(fileno=file), head, made))
            self._adopting.add(task)
            task.add_done_callback(self._adopting.discard)

    async def _adopt(self, connection: socket.socket, head: bytes, made: Callable[[], asyncio.Protocol]) -> None:
        connection.settimeout(0)
        try:
            transport, protocol = await asyncio.get_running_loop().connect_accepted_socket(made, connection)
        except OSError:  # the screen has gone
            connection.close()
            return
        if not transport.is_closing():
            protocol.data_received(head)
