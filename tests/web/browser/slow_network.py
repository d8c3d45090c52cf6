"""A network between a browser and a server: every byte is delayed, and connections are lost when a test says so."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from urllib.parse import urlsplit


class SlowNetwork:
    """Listens at `address` and passes everything on to a server, in order, `delay` seconds later in each direction."""

    def __init__(self, server: str) -> None:
        self._server = urlsplit(server)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._end = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_listening = Event()
        self.delay = 0.0
        self.is_mute = False  # whether what the server says is lost
        self.lost = 0  # how often something was
        self.address = ""

    def cut(self) -> None:
        """Lose every connection, with all that is on its way to the browser."""
        assert self._loop
        self._loop.call_soon_threadsafe(self._close)

    def start(self) -> Thread:
        """Listen, in a thread of its own."""
        thread = Thread(target=lambda: asyncio.run(self._main()), daemon=True)
        thread.start()
        assert self._is_listening.wait(10)
        return thread

    def stop(self) -> None:
        assert self._loop
        self._loop.call_soon_threadsafe(self._end.set)

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        self._is_listening.set()
        await self._end.wait()
        listening.close()
        self._close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _close(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, back = await asyncio.open_connection(self._server.hostname, self._server.port)
        self._writers |= {writer, back}
        await asyncio.gather(self._pass(reader, back), self._pass(onward, writer, is_back=True))
        self._writers -= {writer, back}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_back: bool = False) -> None:
        loop = asyncio.get_running_loop()
        due = 0.0
        with suppress(OSError):
            while data := await reader.read(65536):
                due = max(due, loop.time() + self.delay)
                if is_back and self.is_mute:
                    self.lost += 1
                else:
                    loop.call_at(due, writer.write, data)
        await asyncio.sleep(max(0.0, due - loop.time()))  # what was sent before the end still arrives
        writer.close()


@contextmanager
def slow_network(server: str) -> Iterator[SlowNetwork]:
    """Run a network for the duration of the block."""
    network = SlowNetwork(server)
    thread = network.start()
    yield network
    network.stop()
    thread.join(10)
