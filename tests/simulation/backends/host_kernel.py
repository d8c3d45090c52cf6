"""The CUDA kernels compiled for the host, so that every path in them is tested without a GPU, one session at a time."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import passline.simulation.backends.gpu
from passline.simulation.backends.gpu.backend import histogram_sizes_of, results_from
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
from passline.simulation.kernel_tables import Tables
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.results import Results, empty

COMPILER = shutil.which("g++")
_SOURCE = Path(passline.simulation.backends.gpu.__file__).parent / "kernel.cu"


@cache
def _library(parts: int, form: Form, *, has_stops: bool) -> ctypes.CDLL:
    assert COMPILER
    built = Path(tempfile.mkdtemp(prefix="kernel-")) / "kernel.so"
    shim = Path(__file__).parent / "kernel_host.h"
    numbers = {"PARTS": parts, "NARROW": form == "narrow", "SHARED": form != "far", "THREADS": 1}
    numbers["STOPS"] = has_stops
    settings = [f"-D{name}={int(number)}" for name, number in numbers.items()]
    flags = ["-std=c++17", "-O2", "-shared", "-fPIC", "-w", "-include", str(shim), "-x", "c++"]
    subprocess.run([COMPILER, *flags, *settings, str(_SOURCE), "-o", str(built)], check=True)
    return ctypes.CDLL(str(built))


def _call(kernel: Callable[..., Any], *given: object) -> None:
    kernel(*(ctypes.c_void_p(one.ctypes.data) if isinstance(one, np.ndarray) else one for one in given))


def play(
    tables: Tables,
    limits: SessionLimits,
    *,
    seed: int,
    first: int,
    sessions: int,
    forms: tuple[Form, ...] = FORMS,
    is_local: bool = False,
) -> tuple[str, NDArray[np.int64], Results]:
    """Play sessions. Return the form of the entries, the rows of the sessions and their results."""
    entries = pack_entries(tables, forms=forms) if is_fast(tables, limits) else None
    library = _library(len(tables.starts), entries.form if entries else "far", has_stops=limits.has_stops)
    starts = entries.starts if entries else tuple(int(start) for start in tables.starts)
    for name, value in (("TERMS", terms_of(tables, limits, starts)), ("KEYS", keys_of(seed))):
        ctypes.memmove(ctypes.addressof(ctypes.c_uint8.in_dll(library, name)), value.ctypes.data, value.nbytes)
    nothing = empty(tables, limits)
    bins = histogram_sizes_of(nothing.shape)
    counts = np.zeros(SUM_LIMBS + bins.cells, dtype=np.uint64)
    outlay, short = tables.outlay.astype(np.int32), tables.short.astype(np.int32)
    numbers = (ctypes.c_uint64(first), ctypes.c_uint32(sessions))
    sizes = (bins.equity_cells, bins.equity_width, bins.drawdown_cells, bins.drawdown_width, bins.rolls, int(is_local))
    if entries:
        amounts, ends = np.full((sessions, 4), -9, dtype=np.int32), np.full(sessions, 3, dtype=np.uint32)
        waiting = np.zeros((6 + len(starts)) * sessions, dtype=np.uint32)
        waiters = np.zeros(1, dtype=np.uint32)
        given = (entries.words, ctypes.c_uint32(len(entries.words)), *numbers, amounts, ends, waiting, waiters)
        _call(library.play, *given)
        _call(library.finish, *given, outlay, short)
        _call(library.tally, amounts, ends, sessions, *sizes, counts)
        rows = np.column_stack([ends & 3, ends >> 2, amounts]).astype(np.int64)
    else:
        cells = cells_of(tables)
        assert cells is not None
        rows = np.full((sessions, 6), -9, dtype=np.int64)
        _call(library.walk, cells, *numbers, rows, outlay, short)
        _call(library.tally_wide, rows, sessions, *sizes, counts)
    return entries.form if entries else "slow", rows, results_from(nothing, sessions, counts)
