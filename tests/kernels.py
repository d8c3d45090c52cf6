"""Compiled kernels that the processes of a run share: one of them compiles, the others wait and read what it kept."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import Any

from numba.core.dispatcher import Dispatcher

from passline import Rules, Terms, simulate

_SETTING = "NUMBA_CACHE_DIR"  # which passline chooses when a module with kernels is imported


class _Turns:
    """The turns of a process to compile, one for each kernel; whoever has one may take it again, as recursion does.

    Nobody waits in a circle: a kernel that is being compiled may wait for those it calls, never for one that calls it.
    """

    def __init__(self) -> None:
        self._of_threads, self._taken = RLock(), set[str]()

    @contextmanager
    def taken(self, kernel: str) -> Iterator[None]:
        with self._of_threads:
            if kernel in self._taken:
                yield
                return
            with (_folder() / kernel).open("a") as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # it ends with the file, and so with the process
                self._taken.add(kernel)
                try:
                    yield
                finally:
                    self._taken.remove(kernel)


def compile_in_turn() -> None:
    """Have numba compile a kernel only while no other process of a run does: that takes up to 20 seconds."""
    if not os.environ.get(_SETTING):
        return  # no module with kernels is imported
    _folder().mkdir(parents=True, exist_ok=True)
    # It looks for a kept kernel before it compiles one.
    setattr(Dispatcher, "compile", _in_turn(Dispatcher.compile, _Turns()))  # noqa: B010 - a method of numba's


def _folder() -> Path:
    return Path(os.environ[_SETTING]) / "turns"


def _in_turn(compile_: Callable[..., Any], turns: _Turns) -> Callable[..., Any]:
    @wraps(compile_)
    def compile_in_turn_(kernel: Dispatcher, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - what numba's has
        with turns.taken(f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}".replace("<locals>.", "")):
            return compile_(kernel, *arguments, **options)

    return compile_in_turn_


def compile_kernel_of_sessions() -> None:
    """Compile what `passline simulate` plays ordinary strategies with, before a test runs it in another process."""
    simulate(Rules.of("maryland"), "molly", Terms(bankroll_cents=500_00, rolls=20), sessions=64, seed=1)
