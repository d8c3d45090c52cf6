"""The data of the CUDA kernels on the host: packs the entries, terms and keys that they read, decodes their sums.

Nothing here needs a GPU. The head of `kernel.cu` explains the entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from passline.simulation.kernel_tables import Tables
    from passline.simulation.kernel_types import SessionLimits

Form = Literal["narrow", "broad", "far"]
"""Entries of 32 bits in shared memory, of 64 bits in shared memory, of 64 bits in global memory."""
FORMS: tuple[Form, ...] = get_args(Form)
"""All forms, fastest first."""
SHARED_BYTES = 227 << 10
"""Shared memory that entries may take on one multiprocessor, as on the Hopper architecture."""
SUM_LIMBS = 6 * 6
"""The counts that stand before the histograms: six limbs for each of six sums."""

_FACES = 36
_ROLLS = 20  # in a block of dice
_ROUNDS = 10
_WEYL = (0x9E3779B9, 0xBB67AE85)
_WORD = (1 << 32) - 1
_FIELD_MAX = (1 << 15) - 1  # for equity and slack in the fast walk
_SUM_MAX = (1 << 17) - 1  # for the actions of a block, in broad entries
_INT32_MAX = (1 << 31) - 1


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a network in one form, and for each part an entry that leads to its first state."""

    form: Form
    words: NDArray[np.uint32]  # [cells, 1 or 2]
    starts: tuple[int, ...]

    @property
    def shared_bytes(self) -> int:
        """The shared memory that the entries take."""
        return 0 if self.form == "far" else self.words.nbytes


def pack_entries(tables: Tables, *, room: int = SHARED_BYTES, forms: tuple[Form, ...] = FORMS) -> Entries | None:
    """Pack a network in the first of the forms that it fits into; None if it fits into none.

    >>> from passline import Rules, Terms
    >>> from passline.simulation.simulation import prepare_strategy
    >>> tables = prepare_strategy(Rules.of("section2"), "molly", Terms(bankroll_cents=500_00, rolls=200)).tables
    >>> [(entries.form, entries.shared_bytes) for form in FORMS if (entries := pack_entries(tables, forms=(form,)))]
    [('narrow', 16992), ('broad', 33984), ('far', 0)]
    """
    after = tables.outlay[tables.next // _FACES]
    slack = tables.cash - after + np.repeat(tables.outlay, _FACES)
    if min(int(tables.outlay.min()), int(tables.action.min())) < 0:
        return None
    if _sum_bound(tables, tables.cash) > _FIELD_MAX or _sum_bound(tables, slack) > _FIELD_MAX:
        return None
    change = -(tables.cash << 16) - slack
    for form in forms:
        words = _narrow(tables, change) if form == "narrow" else _broad(tables, change, form, room)
        if words is not None:
            scale = {"narrow": 1 << 24, "broad": _FACES * 8 << 14, "far": _FACES << 12}[form]  # of a row
            starts = tuple(int(start) // _FACES * scale for start in tables.starts)
            return Entries(form, words, starts)
    return None


def _sum_bound(tables: Tables, values: NDArray[np.int64]) -> int:
    """Return a bound on the absolute value of a sum over the parts."""
    return sum(int(abs(values[tables.part(part)]).max()) for part in range(len(tables.starts)))


def _narrow(tables: Tables, change: NDArray[np.int64]) -> NDArray[np.uint32] | None:
    """Return entries of row | upper half of change | lower half | action, a byte each; None if they do not fit."""
    high, low = change >> 16, ((change & 0xFFFF) ^ 0x8000) - 0x8000
    fits = len(tables) <= 1 << 8 and int(tables.action.max()) < 1 << 8
    if not fits or max(int(max(half.max(), -1 - half.min())) for half in (high, low)) >= 1 << 7:
        return None
    rows = tables.next.astype(np.int64) // _FACES
    return (rows << 24 | (high & 0xFF) << 16 | (low & 0xFF) << 8 | tables.action).astype(np.uint32)[:, None]


def _broad(tables: Tables, change: NDArray[np.int64], form: Form, room: int) -> NDArray[np.uint32] | None:
    """Return entries of change, then the row (in bytes << 14 or cells << 12) | action; None if they do not fit."""
    cells = tables.next.astype(np.int64)
    if form == "far":
        fits = len(cells) < 1 << 20 and int(tables.action.max()) < 1 << 12
        leads = cells << 12
    else:
        fits = len(cells) * 8 <= room and _sum_bound(tables, tables.action) * _ROLLS <= _SUM_MAX
        leads = cells * 8 << 14
    both = np.stack([change & _WORD, leads | tables.action], axis=1)
    return both.astype(np.uint32) if fits else None


def cells_of(tables: Tables) -> NDArray[np.int32] | None:
    """Return the cells of the slow walk: next << 4 | mark, cash, next outlay, action; None if 32 bits are too few."""
    amounts = (tables.cash, tables.outlay[tables.next // _FACES], tables.action)
    if len(tables.next) >= 1 << 27 or max(int(abs(values).max()) for values in amounts) > _INT32_MAX:
        return None
    leads = tables.next << 4 | (tables.mark & 15)
    return np.stack([column.astype(np.int32) for column in (leads, *amounts)], axis=1)


def is_fast(tables: Tables, limits: SessionLimits) -> bool:
    """Return whether the fast walk can play these sessions: limited by rolls alone, in 32 bits, funded at first."""
    most = max(_sum_bound(tables, tables.cash), _sum_bound(tables, tables.action))
    return (
        limits.mark == 0
        and not limits.has_stops
        and limits.loss > limits.equity + limits.rolls * most
        and _ROLLS <= limits.rolls <= _INT32_MAX >> 2
        and limits.equity + limits.rolls * most <= _INT32_MAX
        and _outlay(tables) <= limits.equity <= _FIELD_MAX // 2  # so that few sessions outgrow the field, which is slow
        and limits.equity < limits.goal
    )


def _outlay(tables: Tables) -> int:
    """Return the outlay of the first wagers."""
    return int(tables.outlay[tables.starts // _FACES].sum())


def terms_of(tables: Tables, limits: SessionLimits, starts: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the bytes of the struct `Terms` of `kernel.cu`."""
    stops = (limits.stop, limits.trail, limits.wins, limits.losses)
    counts = (limits.rolls, limits.mark, limits.marks, limits.loss)
    numbers = (limits.equity, limits.goal, *counts, *stops, _outlay(tables))
    padded = (*starts, *((0,) * (len(starts) % 2)))
    return np.frombuffer(np.array(numbers, np.int64).tobytes() + np.array(padded, np.uint32).tobytes(), np.uint8)


def keys_of(seed: int) -> NDArray[np.uint32]:
    """Return the keys of the ten rounds of Philox, two per round.

    >>> [hex(key) for key in keys_of(0x1234567800000007)[:4]]
    ['0x7', '0x12345678', '0x9e3779c0', '0xcd9c04fd']
    """
    halves = (seed & _WORD, seed >> 32)
    return np.array(
        [half + step * turn & _WORD for turn in range(_ROUNDS) for half, step in zip(halves, _WEYL, strict=True)],
        dtype=np.uint32,
    )


def sums_of(counts: NDArray[np.uint64]) -> list[tuple[int, int]]:
    """Return the totals and sums of squares that the limbs at the start of the counts encode.

    >>> counts = np.zeros(SUM_LIMBS, dtype=np.uint64)
    >>> counts[:6] = [5, 2**64 - 1, 7, 1, 0, 0]  # the total 5 - 2^32, the squares 7 + 2^32
    >>> sums_of(counts)[0]
    (-4294967291, 4294967303)
    """
    limbs = [list(map(int, row)) for row in counts[:SUM_LIMBS].reshape(-1, 6)]
    signed = [(high ^ 1 << 63) - (1 << 63) for _, high, *_ in limbs]
    return [
        (row[0] + (high << 32), sum(limb << 32 * place for place, limb in enumerate(row[2:])))
        for row, high in zip(limbs, signed, strict=True)
    ]
