"""A screen's frames are read alike however their bytes come: whole texts directly, others by the library's parser.

What is written to it comes in order, its news together with its answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from passline.web.server.websocket_protocol import DirectProtocol
from tests.event_loop import asynchronous
from tests.waiting import until

REQUEST = (
    b"GET /api/tables/one/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
NEWS, ANSWER = False, True
SIZES = (0, 1, 5, 124, 125, 126, 127, 300, 65_535, 65_536, 70_000)


class Wire(asyncio.Transport):
    """A connection that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.writes = b"", 0
        self.is_over = False

    def write(self, data: Any) -> None:  # noqa: ANN401 - as asyncio has it
        self.written += bytes(data)
        self.writes += 1

    def is_closing(self) -> bool:
        return self.is_over

    def close(self) -> None:
        self.is_over = True

    def can_write_eof(self) -> bool:
        return False

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Peer:
    """The server's end of one websocket: all texts that it was sent, in order, and how many came directly."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self.directly = self.parsed = 0  # texts, and bytes that the library's parser was given
        self.wire = Wire()
        config = Config(
            self._app,
            interface="asgi3",
            ws=DirectProtocol,
            ws_max_size=2**17,
            ws_per_message_deflate=False,
            log_config=None,
        )
        config.load()
        self.protocol = DirectProtocol(config, ServerState(), {})
        self.protocol.connection_made(self.wire)

    async def open(self) -> None:
        self.protocol.data_received(REQUEST)
        await until(lambda: self.protocol.handshake_complete)
        self.protocol.handle = self._take
        receive = self.protocol.conn.receive_data

        def parse(data: bytes | bytearray) -> None:
            self.parsed += len(data)
            receive(data)

        self.protocol.conn.receive_data = parse  # type: ignore[method-assign]

    def _take(self, text: bytes) -> bool:
        self.texts.append(bytes(text))
        self.directly += 1
        return True

    async def _app(self, _scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI's
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            self.texts.append(message["text"].encode() if "text" in message else message["bytes"])


def messages(random: Random, count: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield messages and their frames: whole texts of all sizes, texts in parts, and pings in between."""
    for _ in range(count):
        text = random.choice("aé€").encode() * random.choice(SIZES)
        if len(text) >= 2**17 or random.random() < 0.2:
            text = text[: random.randrange(50)].decode(errors="ignore").encode()
        if text and random.random() < 0.2:
            half = len(text) // 2
            parts = [Frame(Opcode.TEXT, text[:half], fin=False), Frame(Opcode.CONT, text[half:])]
        else:
            parts = [Frame(Opcode.TEXT, text)]
        pings = [Frame(Opcode.PING, b"?")] * (random.random() < 0.2)
        yield text, b"".join(frame.serialize(mask=True) for frame in (*parts, *pings))


@pytest.mark.parametrize("seed", range(6))
@asynchronous
async def test_texts_are_read_alike_however_their_bytes_come(seed: int) -> None:
    random, peer = Random(seed), Peer()
    await peer.open()
    sent, size, stream = list[bytes](), 0, b""
    for text, frames in messages(random, 150):
        sent.append(text)
        stream += frames
        size += len(frames)
        while stream:  # whole frames, several at once, or parts of them
            most = random.choice((1, 2, 5, 130, 4_000, 100_000)) if random.random() < 0.3 else len(stream)
            peer.protocol.data_received(stream[:most])
            stream = stream[most:]
            if random.random() < 0.2:
                break
        for _ in range(3):
            await asyncio.sleep(0)
    peer.protocol.data_received(stream)
    await until(lambda: len(peer.texts) == len(sent))
    assert peer.texts == sent
    assert peer.directly > 3
    assert 0 < peer.parsed < size
    peer.protocol.connection_lost(None)


@asynchronous
async def test_whole_texts_need_no_parser() -> None:
    peer = Peer()
    await peer.open()
    for text in (b"one", b"two" * 50, b"three" * 5_000):
        peer.protocol.data_received(Frame(Opcode.TEXT, text).serialize(mask=True))
    assert [len(text) for text in peer.texts] == [3, 150, 25_000]
    assert peer.parsed == 0
    peer.protocol.connection_lost(None)


@asynchronous
async def test_a_text_in_the_middle_of_another_is_a_fault_and_so_is_one_without_a_mask() -> None:
    for frames in (
        Frame(Opcode.TEXT, b"half", fin=False).serialize(mask=True) + Frame(Opcode.TEXT, b"whole").serialize(mask=True),
        Frame(Opcode.TEXT, b"not masked").serialize(mask=False),
    ):
        for size in (len(frames), 1):
            peer = Peer()
            await peer.open()
            for at in range(0, len(frames), size):
                if not peer.wire.is_over:
                    peer.protocol.data_received(frames[at : at + size])
            assert peer.wire.is_over
            assert not peer.texts
            peer.protocol.connection_lost(None)


def framed(*texts: bytes) -> bytes:
    return b"".join(Frame(Opcode.TEXT, text).serialize(mask=False) for text in texts)


@asynchronous
async def test_news_before_an_answer_are_written_with_it_and_other_news_at_once() -> None:
    peer = Peer()
    await peer.open()
    protocol, wire = peer.protocol, peer.wire
    wire.written, wire.writes = b"", 0
    assert protocol.push(b"news 1", NEWS)
    assert (wire.written, wire.writes) == (framed(b"news 1"), 1)
    protocol.is_awaited = True
    assert protocol.push(b"news 2", NEWS)
    assert protocol.push(b"news 3", NEWS)
    assert protocol.push(b"done 1", ANSWER)
    assert (wire.written, wire.writes) == (framed(b"news 1", b"news 2", b"news 3", b"done 1"), 2)
    await asyncio.sleep(0)
    assert protocol.push(b"done 2", ANSWER)
    protocol.is_awaited = False
    assert protocol.push(b"news 4", NEWS)
    assert (wire.written[-32:], wire.writes) == (framed(b"news 2", b"news 3", b"done 1", b"done 2", b"news 4")[-32:], 4)


@asynchronous
async def test_news_wait_for_an_answer_only_until_the_end_of_a_round() -> None:
    peer = Peer()
    await peer.open()
    protocol, wire = peer.protocol, peer.wire
    wire.written, wire.writes = b"", 0
    protocol.is_awaited = True
    for news in (b"news 1", b"news 2"):
        assert protocol.push(news, NEWS)
    await until(lambda: wire.writes == 1)
    assert wire.written == framed(b"news 1", b"news 2")
    assert protocol.push(b"news 3", NEWS)
    protocol.close_sent = True
    assert not protocol.push(b"done 3", ANSWER)
    await asyncio.sleep(0)
    assert wire.writes == 1, "nothing follows the end of a websocket"
