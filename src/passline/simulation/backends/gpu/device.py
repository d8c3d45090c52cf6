"""Launches of the CUDA kernels through CuPy: sessions in chunks, played and counted on the device.

CuPy is imported only when a device is opened. `benchmarks/simulate_gpu.py` copies this module, and what it imports, to
machines without the rest of Passline.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from passline.errors import CrapsError
from passline.extras import extra_for
from passline.simulation.backends.gpu.entries import (
    FORMS,
    SUM_LIMBS,
    Form,
    cells_of,
    is_fast,
    keys_of,
    pack_entries,
    terms_of,
)

if TYPE_CHECKING:
    from passline.simulation.kernel_tables import Tables
    from passline.simulation.kernel_types import SessionLimits

LAUNCH_SESSIONS = 1 << 26
"""Sessions of one launch, if memory allows."""

_THREADS = 1024
_WARP = 32
_RECORD_BYTES = 20  # per session: four amounts, and how and when it ended
_WAITING_COLUMNS = 6  # plus one per part
_WIDE_BYTES = 48

_Cupy = Any  # CuPy has no type hints
_Array = Any
_Stream = Any
_Event = Any
_Module = Any
_Kernel = Any


class GpuError(CrapsError):
    """Sessions cannot be played on a GPU here; the message says why and what to do."""


@dataclass(frozen=True)
class HistogramSizes:
    """The sizes of the histograms that the kernel fills: their cells and the width of a cell."""

    equity_cells: int
    equity_width: int
    drawdown_cells: int
    drawdown_width: int
    rolls: int

    @property
    def cells(self) -> int:
        """The cells of all histograms: final by ending, peak, drawdown, rolls by ending."""
        return 5 * self.equity_cells + self.drawdown_cells + 4 * (self.rolls + 1)


def check_gpu() -> None:
    """Raise GpuError, which says what to do, if there is no GPU to play on."""
    _cupy()


def _cupy() -> _Cupy:
    with extra_for("--on gpu"):
        import cupy  # noqa: PLC0415 - most installations do not have it
    try:
        devices = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise GpuError(f"CUDA does not start ({error}): check the driver with nvidia-smi, or use --on cpu") from None
    if not devices:
        raise GpuError("there is no CUDA device here: use --on cpu")
    return cupy


@cache
def _module(parts: int, form: Form, *, has_stops: bool) -> _Module:
    """Return the kernels, compiled for a number of parts, a form of entries, and for sessions with stops or without."""
    settings = {"PARTS": parts, "NARROW": form == "narrow", "SHARED": form != "far", "THREADS": _THREADS}
    settings["STOPS"] = has_stops
    options = [f"-D{name}={int(value)}" for name, value in settings.items()]
    source = (files("passline.simulation.backends.gpu") / "kernel.cu").read_text(encoding="utf-8")
    return _cupy().RawModule(code=source, options=("-std=c++17", *options))


class Device:
    """The GPU, ready to play sessions of one strategy on its terms."""

    def __init__(
        self, tables: Tables, limits: SessionLimits, bins: HistogramSizes, *, seed: int, forms: tuple[Form, ...] = FORMS
    ) -> None:
        self._cupy = cupy = _cupy()
        attributes = cupy.cuda.Device().attributes
        self._processors = int(attributes["MultiProcessorCount"])
        self._room = int(attributes["MaxSharedMemoryPerBlockOptin"])
        self._bins = bins
        self._parts = len(tables.starts)
        entries = pack_entries(tables, room=self._room, forms=forms) if is_fast(tables, limits) else None
        self.form: str = entries.form if entries else "slow"
        """The form of the entries, or "slow" for the walk in 64 bits."""
        self._module = _module(self._parts, entries.form if entries else "far", has_stops=limits.has_stops)
        self._entries = entries
        words: NDArray[Any] | None = entries.words if entries else cells_of(tables)
        if words is None:
            raise GpuError("a GPU does not play amounts of 2^31 units or more: use --on cpu")
        self._words = cupy.asarray(words)
        self._outlay, self._short = (cupy.asarray(values.astype(np.int32)) for values in (tables.outlay, tables.short))
        starts = entries.starts if entries else tuple(int(start) for start in tables.starts)
        self._constants = {"TERMS": terms_of(tables, limits, starts), "KEYS": keys_of(seed).view(np.uint8)}
        self._chunk = 0
        self._counts = [cupy.zeros(SUM_LIMBS + bins.cells, dtype=cupy.uint64) for _ in range(2)]

    def count(
        self, first: int, sessions: int, chunk: int = LAUNCH_SESSIONS
    ) -> Iterator[tuple[int, NDArray[np.uint64]]]:
        """Play sessions [first, first + sessions) in chunks, and yield the number of sessions and the counts of each.

        The next chunk is already launched while the counts of the last one are read.
        """
        cupy = self._cupy
        self._prepare(min(chunk, sessions))
        reader = cupy.cuda.Stream(non_blocking=True)
        last: tuple[int, _Array, _Event] | None = None
        for index, done in enumerate(range(0, sessions, self._chunk)):
            size = min(self._chunk, sessions - done)
            counts = self._counts[index % 2]
            self.launch(first + done, size, counts)
            event = cupy.cuda.Event(disable_timing=True)
            event.record()
            if last:
                yield self._read(reader, *last)
            last = (size, counts, event)
        if last:
            yield self._read(reader, *last)

    def records(self, first: int, sessions: int) -> NDArray[np.int64]:
        """Return the rows of sessions [first, first + sessions), as in `SessionRecord`."""
        self._prepare(sessions)
        assert sessions <= self._chunk, "few enough for one launch"
        self.launch(first, sessions, self._counts[0])
        if not self._entries:
            wide: NDArray[np.int64] = self._wide[:sessions].get()
            return wide
        amounts, ends = self._amounts[:sessions].get().astype(np.int64), self._ends[:sessions].get().astype(np.int64)
        return np.column_stack([ends & 3, ends >> 2, amounts])

    def launch(self, first: int, count: int, counts: _Array) -> None:
        """Start to play and count sessions [first, first + count), without waiting for the device."""
        counts.fill(0)
        numbers = (np.uint64(first), np.uint32(count))
        grid, block = (self._processors,), (_THREADS,)
        if self._entries:
            given = (self._words, np.uint32(len(self._words)), *numbers, self._amounts, self._ends, self._waiting)
            shared = self._entries.shared_bytes
            self._kernel("play", shared)(grid, block, (*given, self._waiters), shared_mem=shared)
            after = (*given, self._waiters, self._outlay, self._short)
            self._kernel("finish", shared)(grid, block, after, shared_mem=shared)
            self._tally("tally", (self._amounts, self._ends), count, counts)
        else:
            walked = (self._words, *numbers, self._wide, self._outlay, self._short)
            self._module.get_function("walk")(grid, block, walked)
            self._tally("tally_wide", (self._wide,), count, counts)

    def _prepare(self, chunk: int) -> None:
        """Allocate device memory for chunks of this many sessions, or as many as half of the free memory holds."""
        cupy = self._cupy
        columns = _WAITING_COLUMNS + self._parts
        each = _RECORD_BYTES + 4 * columns if self._entries else _WIDE_BYTES
        for name, value in self._constants.items():
            pointer = self._module.get_global(name)
            cupy.ndarray((len(value),), dtype=cupy.uint8, memptr=pointer).set(value)
        if chunk > self._chunk:
            free, _ = cupy.cuda.runtime.memGetInfo()
            self._chunk = chunk = max(1, min(chunk, free // 2 // each))
            if self._entries:
                self._amounts = cupy.empty((chunk, 4), dtype=cupy.int32)
                self._ends = cupy.empty(chunk, dtype=cupy.uint32)
                warps = self._processors * _THREADS // _WARP
                lines = -(-chunk // (_WARP * warps)) * _WARP * warps  # in the lists of all warps together
                self._waiting = cupy.empty(columns * lines, dtype=cupy.uint32)
                self._waiters = cupy.empty(warps, dtype=cupy.uint32)
            else:
                self._wide = cupy.empty((chunk, 6), dtype=cupy.int64)

    def _kernel(self, name: str, shared_bytes: int) -> _Kernel:
        kernel = self._module.get_function(name)
        kernel.max_dynamic_shared_size_bytes = shared_bytes
        return kernel

    def _tally(self, name: str, records: tuple[_Array, ...], count: int, counts: _Array) -> None:
        bins = self._bins
        sizes = (bins.equity_cells, bins.equity_width, bins.drawdown_cells, bins.drawdown_width, bins.rolls)
        is_local = bins.cells * 4 <= self._room
        shared = bins.cells * 4 if is_local else 0
        given = (*records, *map(np.uint32, (count, *sizes, is_local)), counts)
        self._kernel(name, shared)((self._processors,), (_THREADS,), given, shared_mem=shared)

    @staticmethod
    def _read(reader: _Stream, size: int, counts: _Array, event: _Event) -> tuple[int, NDArray[np.uint64]]:
        reader.wait_event(event)
        return size, counts.get(stream=reader)
