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
from numba import config
from numpy.typing import NDArray

from passline.atomic_file import whole_file
from passline.automaton.arrays import OUTCOMES
from passline.kernel_cache import kernel
from passline.simulation.backends.cpu.batches import run
from passline.simulation.backends.cpu.kernel_dice import ROLLS, ROUNDS, spread_keys
from passline.simulation.backends.cpu.lane_forms import FORMS, Chains, Form, Gather
from passline.simulation.backends.cpu.lanes import KEYS_WIDE, LANES, ROWS, play_block
from passline.simulation.kernel_types import FIELDS

_STATES = 32  # of the table that is played: it stays in the nearest cache, as those of strategies do
_BLOCKS = 1 << 9
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
    """Return the form that plays quickest, of those that this processor has instructions for."""
    if not _has_gather():
        return Chains()
    forms: tuple[Form, ...] = (Gather(), Chains())
    return min(forms, key=_seconds)


def processor() -> str:
    """Return the processor that kernels are compiled for, as LLVM calls it."""
    return str(_numba_setting("CPU_NAME") or binding.get_host_cpu_name())


def _numba_setting(name: str) -> str:
    """Return for which processor numba was told to compile; empty: this one."""
    return getattr(config, name, None) or ""


def _has_gather() -> bool:
    if _numba_setting("CPU_NAME"):
        return "+avx2" in _numba_setting("CPU_FEATURES")
    features = binding.get_host_cpu_features()
    return bool(features.get("avx2", False))


@kernel(nogil=True)
def _play_blocks(form: Form, table: NDArray[np.uint64], lanes: NDArray[np.int32], count: int) -> None:
    """Play blocks of as many sessions as there are lanes."""
    keys = np.empty((2 * ROUNDS, KEYS_WIDE), dtype=np.uint64)
    spread_keys(np.uint64(0), keys)
    at, never = lanes.ctypes.data, np.int32((1 << 31) - 1)
    for block in range(count):
        play_block(  # type: ignore[call-arg] # the first argument is numba's
            form, (0,), table.ctypes.data, at, at, lanes.shape[1], keys.ctypes.data, 0, block, ROLLS, never, never
        )


def _seconds(form: Form) -> float:
    """Return the least time that a form took to play some blocks."""
    rows = np.random.default_rng(0).integers(_STATES, size=_STATES * OUTCOMES, dtype=np.uint64) * np.uint64(OUTCOMES)
    table = rows << np.uint64(64 - FIELDS["row"])
    lanes = np.zeros((ROWS + 1, LANES), dtype=np.int32)
    times = []
    for _ in range(_TRIES + 1):  # the first one compiles
        begun = perf_counter()
        _play_blocks(form, table, lanes, _BLOCKS)
        times.append(perf_counter() - begun)
    return min(times[1:])


def _kept_at() -> Path | None:
    """Return the file of the choice, in the folder of compiled kernels; None where nothing can be kept."""
    folder = run.stats.cache_path  # type: ignore[attr-defined] # numba's
    if not folder:
        return None
    features = _numba_setting("CPU_FEATURES") or str(sorted(binding.get_host_cpu_features().items()))
    digest = sha256(f"{processor()} {features} {os.name}".encode()).hexdigest()[:12]
    return Path(folder) / f"lane-form-{digest}.json"
