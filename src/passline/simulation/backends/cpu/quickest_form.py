"""Chooses the form of the kernel that is quickest on this processor, by a measurement of a few milliseconds.

The choice is kept beside the compiled kernels, so that later runs need not measure again; each processor has its own.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import numpy as np
from llvmlite import binding  # type: ignore[import-untyped]
from msgspec import MsgspecError, json
from numba import config, njit

from passline.atomic_file import whole_file
from passline.simulation.backends.cpu.batches import run
from passline.simulation.backends.cpu.lane_forms import FORMS, Form, NarrowLoads, WideGather, WideLoads
from passline.simulation.backends.cpu.lanes import LANES, look_up_chain

__all__ = ["measured_form", "processor", "quickest_form"]

_CELLS = 1 << 10  # of the table that is followed: it stays in the nearest cache, as those of strategies do
_ROUNDS = 1 << 12
_TRIES = 7


@lru_cache(maxsize=1)
def quickest_form() -> Form:
    """Return the form to compile kernels in here: as kept, or measured now."""
    kept = _kept_at()
    by_name = {form.__name__: form for form in FORMS}
    with suppress(OSError, MsgspecError):
        if kept is not None and (known := by_name.get(json.decode(kept.read_bytes(), type=str))) is not None:
            return known()
    form = measured_form()
    with suppress(OSError):
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(kept) as part:
                part.write_bytes(json.encode(type(form).__name__))
    return form


def measured_form() -> Form:
    """Return the form that looks entries up quickest, of those that this processor has instructions for."""
    if not _has_gather():
        return NarrowLoads()
    forms: tuple[Form, ...] = (WideGather(), WideLoads())
    return min(forms, key=_seconds)


def processor() -> str:
    """Return the processor that kernels are compiled for, as LLVM calls it."""
    return str(_asked("CPU_NAME") or binding.get_host_cpu_name())


def _asked(name: str) -> str:
    """Return for which processor numba was told to compile; empty: this one."""
    return getattr(config, name, None) or ""


def _has_gather() -> bool:
    if _asked("CPU_NAME"):
        return "+avx2" in _asked("CPU_FEATURES")
    features = binding.get_host_cpu_features()
    return bool(features.get("avx2", False))


@njit(cache=True, nogil=True)
def _followed(form: Form, table: int, rounds: int) -> int:
    """Look up chains of cells."""
    return look_up_chain(form, table, rounds)  # type: ignore[call-arg] # the first argument is numba's


def _seconds(form: Form) -> float:
    """Return the least time that a form took to follow a table of cells."""
    cells = np.random.default_rng(0).permutation(_CELLS).astype(np.uint64)
    assert len(cells) >= LANES
    times = []
    for _ in range(_TRIES + 1):  # the first one compiles
        begun = perf_counter()
        _followed(form, cells.ctypes.data, _ROUNDS)
        times.append(perf_counter() - begun)
    return min(times[1:])


def _kept_at() -> Path | None:
    """Return the file of the choice, in the folder of compiled kernels; None where nothing can be kept."""
    folder = run.stats.cache_path
    if not folder:
        return None
    features = _asked("CPU_FEATURES") or str(sorted(binding.get_host_cpu_features().items()))
    digest = sha256(f"{processor()} {features} {os.name}".encode()).hexdigest()[:12]
    return Path(folder) / f"lane-form-{digest}.json"
