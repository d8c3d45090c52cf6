"""Processes beside a server's, for what takes a processor long: each does one thing at a time, at low priority.

A thread would hold the interpreter that tables are dealt by; a process is scheduled after it. One starts when it is
first needed, ends when nobody has needed it for a while, and ends with its server however that ends: it reads its work
from a pipe, which closes then. Work that takes too long is ended with its process, and the next work gets another.
What strangers ask for can be bounded further: in memory, and to what nobody else wants of the processor.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from queue import Empty, Queue
from threading import Lock, Thread, Timer
from traceback import print_exc
from typing import IO, Any, get_args

from msgspec import Raw, Struct, json

from passline.errors import CrapsError

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

NICE = 10
"""How far a process steps back, of 19: where both want one core, a table's process gets nine times as much."""
Tell = Callable[[bytes], None]
"""Called by work with what it has to tell before it is done."""
_IDLE_SECONDS = 300.0
_START_SECONDS = 120.0
_LENGTH_BYTES = 4
_READY, _DONE, _FAILED, _TOLD = b"r", b"d", b"f", b"t"
_MEGABYTE = 1_000_000
_OF_STRANGERS = {  # what a bounded process has in its environment: one thread, and nothing of it is kept on disk
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
    "PASSLINE_CACHE": "off",
    "NUMPY_MADVISE_HUGEPAGE": "0",  # a large page takes the kernel long to clear, and others wait meanwhile
}
_KEEPS_MEMORY = {-4: 0, -1: 2**31 - 1}  # glibc's M_MMAP_MAX and M_TRIM_THRESHOLD: freed memory is used again


def cores_here() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pack_question(question: Struct) -> bytes:
    """Return a question, a record of one of some kinds, as bytes for another process."""
    return json.encode((type(question).__name__, question))


def unpack_question(packed: bytes, kinds: object) -> Any:  # noqa: ANN401 - a record of one of the kinds
    """Return the question in bytes; `kinds` is the union of what can be asked.

    >>> class Added(Struct):
    ...     first: int
    >>> unpack_question(pack_question(Added(6)), Added | None)
    Added(first=6)
    """
    name, fields = json.decode(packed, type=tuple[str, Raw])
    return json.decode(fields, type=next(kind for kind in get_args(kinds) if kind.__name__ == name))


class TooSlow(CrapsError):
    """Work that was ended because it took too long."""


class Stopped(CrapsError):
    """Work that was ended because nobody wants its result any more."""


class WorkFailed(RuntimeError):
    """Work that failed by a fault of the program; its traceback is on the standard error of the server."""


class SideProcess:
    """Does work, one piece at a time, by a function from bytes to bytes, named as `module:function`.

    >>> echo = SideProcess("passline.side_processes:echo")
    >>> echo.do(b"seven out"), echo.do(b"")
    (b'seven out', b'')
    >>> echo.close()

    With `tells` the function takes a second argument, which it may call with what it has to tell meanwhile. With
    `megabytes` the process has no more memory than that and one thread, keeps no automata on disk, and has of the
    processor what nobody else wants.
    """

    def __init__(self, work: str, *, seconds: float = 60.0, tells: bool = False, megabytes: int = 0) -> None:
        self._work, self._seconds = work, seconds
        self._tells, self._megabytes = tells, megabytes
        self._is_stopped = False
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.close)

    def do(self, given: bytes, tell: Tell | None = None) -> bytes:
        """Do a piece of work and wait for it: call it from a thread. `tell` is called with what the work tells.

        Raise TooSlow if it takes too long, and Stopped if `stop` ended it.
        """
        with self._lock:
            self._is_stopped = False
            for is_last in (False, True):  # a process that ended meanwhile is replaced once
                try:
                    return self._answer(given, tell)
                except (WorkFailed, TooSlow):
                    raise
                except EOFError:
                    if self._is_stopped:
                        raise Stopped("it was stopped") from None
                    if is_last:
                        raise WorkFailed(f"the process for {self._work} ended twice") from None
            raise AssertionError("unreachable")

    def stop(self) -> None:
        """End the work that is under way, and its process; whoever waits for it is told."""
        self._is_stopped = True
        if process := self._process:
            process.kill()

    def close(self) -> None:
        """Let the process end; the next work starts another."""
        with self._lock:
            self._end()

    @property
    def pid(self) -> int:
        """The process that runs now; 0 if none does."""
        return self._process.pid if self._process and self._process.poll() is None else 0

    def _answer(self, given: bytes, tell: Tell | None) -> bytes:
        """Ask the process; whatever goes wrong on the way ends it, so that no answer is left for the next question."""
        is_answered = False
        try:
            process = self._process or self._start()
            kind, answer = self._ask(process, given, self._seconds, "send less at a time", tell)
            is_answered = True
        except OSError as error:
            raise EOFError from error
        finally:
            if not is_answered:
                self._end()
        if kind == _FAILED:
            raise WorkFailed(answer.decode(errors="replace"))
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "passline.side_processes", self._work]
        command += ["--tells"] * self._tells + [f"--megabytes={self._megabytes}"] * bool(self._megabytes)
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        self._process = process
        if self._ask(process, None, _START_SECONDS, "this machine is too busy; try again")[0] != _READY:
            raise EOFError
        return process

    @staticmethod
    def _ask(
        process: subprocess.Popen[bytes], given: bytes | None, seconds: float, remedy: str, tell: Tell | None = None
    ) -> tuple[bytes, bytes]:
        """Write a question, if there is one, and wait for an answer; raise EOFError if the process ends."""
        assert process.stdin is not None
        assert process.stdout is not None
        late: list[bool] = []

        def end() -> None:
            late.append(True)
            process.kill()

        timer = Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            if given is not None:
                _write(process.stdin, given)
            while (answer := _read(process.stdout))[:1] == _TOLD:
                if tell is not None:
                    tell(answer[1:])
        except (EOFError, OSError):
            if late:
                raise TooSlow(f"takes longer than {seconds:g} seconds; {remedy}") from None
            raise
        finally:
            timer.cancel()
        if late:  # just as the answer came
            raise TooSlow(f"takes longer than {seconds:g} seconds; {remedy}")
        return answer[:1], answer[1:]

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.kill()  # it holds nothing that could be lost
        process.wait()


def echo(given: bytes) -> bytes:
    """Return what was given: the smallest possible work, for trying out a process."""
    return given


def _main() -> None:
    """Do work until standard input is closed: `python -m passline.side_processes MODULE:FUNCTION`."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # they are the server's, which then closes standard input
        signal.signal(stop, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    options = dict(option.split("=") for option in sys.argv[2:] if "=" in option)
    _bound(int(options.get("--megabytes", 0)))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # so that nothing else gets among the answers
    module, _, name = sys.argv[1].partition(":")
    work: Callable[..., bytes] = getattr(import_module(module), name)
    tell = (lambda text: _write(answers, _TOLD + text),) if "--tells" in sys.argv else ()
    waiting: Queue[bytes] = Queue()
    Thread(target=_listen, args=(sys.stdin.buffer, waiting), daemon=True).start()
    _write(answers, _READY)
    while True:
        try:
            given = waiting.get(timeout=_IDLE_SECONDS)
        except Empty:
            os._exit(0)  # the other thread waits for a pipe, and would hold up an orderly end
        try:
            answer = _DONE + work(given, *tell)
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            print_exc()
            answer = _FAILED + f"{type(error).__name__}: {error}".encode("utf-8", "replace")
        _write(answers, answer)


def _bound(megabytes: int) -> None:
    """Bound the memory of this process, and have it step back behind every other one; 0 bounds nothing."""
    if not megabytes:
        return
    os.environ.update(_OF_STRANGERS)  # before the libraries are imported that read it
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * _MEGABYTE,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ImportError, OSError, AttributeError, TypeError):  # another C library has no mallopt
        import ctypes  # noqa: PLC0415 - only bounded processes need it

        for option, value in _KEEPS_MEMORY.items():
            ctypes.CDLL(None).mallopt(option, value)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _listen(source: IO[bytes], waiting: Queue[bytes]) -> None:
    """Read work from standard input; end this process at once when its parent is gone."""
    try:
        while True:
            waiting.put(_read(source))
    except (EOFError, OSError):
        os._exit(0)


def _write(pipe: IO[bytes], text: bytes) -> None:
    pipe.write(len(text).to_bytes(_LENGTH_BYTES, "big") + text)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes:
    length = _exactly(pipe, _LENGTH_BYTES)
    return _exactly(pipe, int.from_bytes(length, "big"))


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    found = pipe.read(length)
    if len(found) < length:
        raise EOFError
    return found


if __name__ == "__main__":
    _main()
