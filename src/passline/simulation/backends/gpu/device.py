"""The CUDA kernel at work, through CuPy: chunks of sessions, one behind the other, counted on the device.

CuPy is imported when a device is asked for, and not before.
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
from passline.simulation.backends.gpu.entries import (
    COUNTS,
    FORMS,
    Entries,
    Form,
    cells_of,
    entries_of,
    is_fast,
    keys_of,
    terms_of,
)

if TYPE_CHECKING:
    from passline.simulation.kernel_tables import Limits, Tables

__all__ = ["CHUNK", "Bins", "Device", "GpuError", "check_gpu"]

CHUNK = 1 << 26
"""Sessions of one launch, where memory allows."""

_THREADS = 1024
_WARP = 32
_RECORD_BYTES = 20  # of a session: four amounts, and how and when it ended
_WAITING_COLUMNS = 6  # and one per part
_WIDE_BYTES = 48

_Cupy = Any  # CuPy has no types: the package, its arrays, streams, events and kernels
_Array = Any
_Stream = Any
_Event = Any
_Module = Any
_Kernel = Any


class GpuError(CrapsError):
    """Sessions that cannot be played on a GPU here, worded for the person who asked for it."""


@dataclass(frozen=True)
class Bins:
    """The sizes of the histograms that the kernel fills: cells and their width."""

    equity_cells: int
    equity_width: int
    drawdown_cells: int
    drawdown_width: int
    rolls: int

    @property
    def cells(self) -> int:
        """All of them: final by ending, peak, drawdown, rolls by ending."""
        return 4 * self.equity_cells + self.drawdown_cells + 3 * (self.rolls + 1)


@dataclass(frozen=True)
class _Chunk:
    """Sessions first + [0, count)."""

    first: int
    count: int


def check_gpu() -> None:
    """Refuse, with what to do, where there is nothing to play on."""
    _cupy()


def _cupy() -> _Cupy:
    try:
        import cupy  # noqa: PLC0415 - most installations have none
    except ImportError:
        raise GpuError("CuPy is not installed: pip install 'passline[gpu]', or leave out --on gpu") from None
    try:
        devices = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise GpuError(f"CUDA does not start ({error}): check the driver with nvidia-smi, or use --on cpu") from None
    if not devices:
        raise GpuError("there is no CUDA device here: use --on cpu")
    return cupy


@cache
def _module(parts: int, form: Form) -> _Module:
    """The kernels, compiled for a network of so many parts and a form of its entries."""
    settings = {"PARTS": parts, "NARROW": form == "narrow", "SHARED": form != "far", "THREADS": _THREADS}
    options = [f"-D{name}={int(value)}" for name, value in settings.items()]
    source = (files("passline.simulation.backends.gpu") / "kernel.cu").read_text(encoding="utf-8")
    return _cupy().RawModule(code=source, options=("-std=c++17", *options))


class Device:
    """The GPU, ready for the sessions of one strategy on its terms."""

    def __init__(
        self,
        tables: Tables,
        limits: Limits,
        bins: Bins,
        *,
        seed: int,
        forms: tuple[Form, ...] = FORMS,
    ) -> None:
        self._cupy = cupy = _cupy()
        attributes = cupy.cuda.Device().attributes
        self._processors = int(attributes["MultiProcessorCount"])
        self._room = int(attributes["MaxSharedMemoryPerBlockOptin"])
        self._bins = bins
        self._parts = len(tables.starts)
        entries = entries_of(tables, room=self._room, forms=forms) if is_fast(tables, limits) else None
        self.form: str = entries.form if entries else "slow"
        """In which form the network is walked."""
        self._module = _module(self._parts, entries.form if entries else "far")
        self._entries = entries
        words: NDArray[Any] | None = entries.words if entries else cells_of(tables)
        if words is None:
            raise GpuError("amounts of 2^31 units and more are not played on a GPU: use --on cpu")
        self._words = cupy.asarray(words)
        self._outlay, self._short = (cupy.asarray(values.astype(np.int32)) for values in (tables.outlay, tables.short))
        starts = entries.starts if entries else tuple(int(start) for start in tables.starts)
        self._constants = {"TERMS": terms_of(tables, limits, starts), "KEYS": keys_of(seed).view(np.uint8)}
        self._chunk = 0
        self._counts = [cupy.zeros(COUNTS + bins.cells, dtype=cupy.uint64) for _ in range(2)]

    def count(self, first: int, sessions: int, chunk: int = CHUNK) -> Iterator[tuple[int, NDArray[np.uint64]]]:
        """Play sessions [first, first + sessions); give how many each chunk had, and its counts.

        The next chunk is on its way while the counts of the last one are read.
        """
        cupy = self._cupy
        self._prepare(min(chunk, sessions))
        reader = cupy.cuda.Stream(non_blocking=True)
        last: tuple[_Chunk, _Array, _Array] | None = None
        for index, done in enumerate(range(0, sessions, self._chunk)):
            each = _Chunk(first + done, min(self._chunk, sessions - done))
            counts = self._counts[index % 2]
            self.launch(each.first, each.count, counts)
            event = cupy.cuda.Event(disable_timing=True)
            event.record()
            if last:
                yield self._read(reader, *last)
            last = (each, counts, event)
        if last:
            yield self._read(reader, *last)

    def records(self, first: int, sessions: int) -> NDArray[np.int64]:
        """Give the rows of sessions [first, first + sessions), as in `Played`."""
        self._prepare(sessions)
        assert sessions <= self._chunk, "few enough for one launch"
        self.launch(first, sessions, self._counts[0])
        if not self._entries:
            wide: NDArray[np.int64] = self._wide[:sessions].get()
            return wide
        amounts, ends = self._amounts[:sessions].get().astype(np.int64), self._ends[:sessions].get().astype(np.int64)
        return np.column_stack([ends & 3, ends >> 2, amounts])

    def launch(self, first: int, count: int, counts: _Array) -> None:
        """Play so many sessions and count them, without waiting for the device."""
        counts.fill(0)
        numbers = (np.uint64(first), np.uint32(count))
        grid, block = (self._processors,), (_THREADS,)
        if self._entries:
            given = (self._words, np.uint32(len(self._words)), *numbers, self._amounts, self._ends, self._waiting)
            self._kernel("play", self._entries)(grid, block, (*given, self._waiters), shared_mem=self._shared)
            after = (*given, self._waiters, self._outlay, self._short)
            self._kernel("finish", self._entries)(grid, block, after, shared_mem=self._shared)
            self._tally("tally", (self._amounts, self._ends), count, counts)
        else:
            walked = (self._words, *numbers, self._wide, self._outlay, self._short)
            self._module.get_function("walk")(grid, block, walked)
            self._tally("tally_wide", (self._wide,), count, counts)

    def _prepare(self, chunk: int) -> None:
        """Take room on the device for chunks of so many sessions, or of as many as there is memory for."""
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
                lines = -(-chunk // (_WARP * warps)) * _WARP * warps  # of the lists of all warps
                self._waiting = cupy.empty(columns * lines, dtype=cupy.uint32)
                self._waiters = cupy.empty(warps, dtype=cupy.uint32)
            else:
                self._wide = cupy.empty((chunk, 6), dtype=cupy.int64)

    @property
    def _shared(self) -> int:
        return self._entries.shared_bytes if self._entries else 0

    def _kernel(self, name: str, entries: Entries) -> _Kernel:
        kernel = self._module.get_function(name)
        kernel.max_dynamic_shared_size_bytes = entries.shared_bytes
        return kernel

    def _tally(self, name: str, records: tuple[_Array, ...], count: int, counts: _Array) -> None:
        bins = self._bins
        sizes = (bins.equity_cells, bins.equity_width, bins.drawdown_cells, bins.drawdown_width, bins.rolls)
        is_local = bins.cells * 4 <= self._room
        kernel = self._module.get_function(name)
        kernel.max_dynamic_shared_size_bytes = bins.cells * 4 if is_local else 0
        given = (*records, *map(np.uint32, (count, *sizes, is_local)), counts)
        kernel((self._processors,), (_THREADS,), given, shared_mem=bins.cells * 4 if is_local else 0)

    def _read(self, reader: _Stream, chunk: _Chunk, counts: _Array, event: _Event) -> tuple[int, NDArray[np.uint64]]:
        reader.wait_event(event)
        return chunk.count, counts.get(stream=reader)
