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


class _Turn:
    """The turn of a process to compile; whoever has it may take it again, as kernels do that call kernels."""

    def __init__(self) -> None:
        self._of_threads, self._depth = RLock(), 0

    @contextmanager
    def taken(self) -> Iterator[None]:
        with self._of_threads, (Path(os.environ[_SETTING]) / "turn").open("a") as file:
            if not self._depth:
                fcntl.flock(file, fcntl.LOCK_EX)  # it ends with the file, and so with the process
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1


def compile_in_turn() -> None:
    """Have numba compile in this process only while no other process of a run does: a kernel takes up to 20 seconds."""
    if not os.environ.get(_SETTING):
        return  # no module with kernels is imported
    Path(os.environ[_SETTING]).mkdir(parents=True, exist_ok=True)
    # It looks for a kept kernel before it compiles one.
    setattr(Dispatcher, "compile", _in_turn(Dispatcher.compile, _Turn()))  # noqa: B010 - a method of numba's


def _in_turn(compile_: Callable[..., Any], turn: _Turn) -> Callable[..., Any]:
    @wraps(compile_)
    def compile_in_turn_(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever numba's has
        with turn.taken():
            return compile_(*arguments, **options)

    return compile_in_turn_


def compile_kernel_of_sessions() -> None:
    """Compile what `passline simulate` plays ordinary strategies with, before a test runs it in another process."""
    simulate(Rules.of("maryland"), "molly", Terms(bankroll_cents=500_00, rolls=20), sessions=64, seed=1)
