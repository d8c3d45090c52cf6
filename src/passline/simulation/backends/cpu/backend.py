"""The CPU backend: sessions in chunks, on all cores, so that a run can be watched, stopped and split."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import ENDINGS, NEVER, OUTCOMES
from passline.side_processes import cores_here
from passline.simulation.backends.cpu.batches import run
from passline.simulation.backends.cpu.engine import play_by_engine
from passline.simulation.backends.cpu.given_dice import kernel_dice
from passline.simulation.backends.cpu.growing import cells_of_growing, play_growing
from passline.simulation.backends.cpu.growing_kernels import START
from passline.simulation.backends.cpu.lane_forms import Form
from passline.simulation.backends.cpu.other_dice import run_other_dice
from passline.simulation.backends.cpu.quickest_form import quickest_form
from passline.simulation.backends.cpu.single_session import Cells, paths
from passline.simulation.backends.cpu.tally import LIMB, Counts, tally
from passline.simulation.dealt_tables import DealtTables
from passline.simulation.growing_tables import GrowingTables
from passline.simulation.kernel_tables import Playable, Tables, packed_to_stop
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.results import QUANTITIES, Results, Sums, empty, rolls_expected, shape_of

CHUNK = 1 << 16
"""Sessions that one call of the kernel plays at most."""
_CHUNK_ROLLS = CHUNK * 200  # rolls of one call at most: a hundredth of a second, after which Ctrl-C is heard
_ENGINE_ROLLS = 2_000  # of one chunk that the engine deals: about a second
_CHUNK_MIN = 64  # as many sessions as the kernel plays side by side

_INT32_MAX = (1 << 31) - 1


def chunk_of(limits: SessionLimits, tables: Playable | None = None) -> int:
    """Return how many sessions one call of the kernel plays: fewer if they are long, and few of those of the engine.

    >>> from passline import Rules, Terms
    >>> from passline.simulation.simulation import prepare_strategy
    >>> terms = [Terms(bankroll_cents=500_00, rolls=rolls) for rolls in (200, 2000, 100_000)]
    >>> [chunk_of(prepare_strategy(Rules.of("maryland"), "pass", until).limits) for until in terms]
    [65536, 6528, 128]
    """
    if isinstance(tables, DealtTables):
        return max(1, _ENGINE_ROLLS // rolls_expected(limits))
    sessions = _CHUNK_ROLLS // rolls_expected(limits) // _CHUNK_MIN * _CHUNK_MIN
    return min(CHUNK, max(_CHUNK_MIN, sessions))


def play_sessions(
    tables: Playable,
    limits: SessionLimits,
    *,
    seed: int,
    sessions: int,
    first: int = 0,
    cores: int | None = None,
    form: Form | None = None,
) -> Results:
    """Play sessions [first, first + sessions) of a seed and return their results; all forms of the kernel agree.

    >>> from passline import Rules, Terms
    >>> from passline.simulation.simulation import prepare_strategy
    >>> ready = prepare_strategy(Rules.of("maryland"), "pass", Terms(bankroll_cents=100_00, rolls=100))
    >>> dealt = ready.tables, ready.limits
    >>> whole = play_sessions(*dealt, seed=7, sessions=3000)
    >>> halves = [play_sessions(*dealt, seed=7, first=first, sessions=1500) for first in (0, 1500)]
    >>> whole.endings, whole == halves[1] + halves[0]
    ((200, 0, 2800, 0), True)
    """
    found = empty(tables, limits)
    size = chunk_of(limits, tables)
    if isinstance(tables, DealtTables):  # which takes the cores for each chunk
        size *= cores or cores_here()
    chunks = [range(at, min(at + size, first + sessions)) for at in range(first, first + sessions, size)]
    workers = cores or cores_here()
    if isinstance(tables, DealtTables):
        for chunk in chunks:
            found += _chunk(tables, limits, seed, chunk, form, cores=workers)
        return found
    workers = 1 if isinstance(tables, GrowingTables) else workers  # one explores for all
    if workers == 1 or len(chunks) == 1:
        for chunk in chunks:
            found += _chunk(tables, limits, seed, chunk, form)
        return found
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[Results]] = deque()
        for chunk in chunks:  # only a few at a time, so that a long run needs little memory
            waiting.append(pool.submit(_chunk, tables, limits, seed, chunk, form))
            if len(waiting) > workers:
                found += waiting.popleft().result()
        for future in waiting:
            found += future.result()
    return found


def session_records(
    tables: Playable, limits: SessionLimits, *, seed: int, sessions: int, first: int = 0
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield the sessions in chunks: the number of the first one, and one row per session as in `SessionRecord`."""
    cores = cores_here() if isinstance(tables, DealtTables) else 1
    size = chunk_of(limits, tables) * cores
    for at in range(first, first + sessions, size):
        count = min(size, first + sessions - at)
        rows = np.zeros((count, 6), dtype=np.int64)
        _run(
            tables,
            limits,
            seed,
            range(at, at + count),
            counts=_counts(empty(tables, limits)),
            records=rows,
            cores=cores,
        )
        yield at, rows


def _chunk(
    tables: Playable, limits: SessionLimits, seed: int, chunk: range, form: Form | None, *, cores: int = 1
) -> Results:
    found = empty(tables, limits)
    counts = _counts(found)
    _run(tables, limits, seed, chunk, counts=counts, records=np.zeros((0, 6), dtype=np.int64), form=form, cores=cores)
    sums = [_sums(row) for row in counts.sums.tolist()]
    totals = dict(zip(QUANTITIES, sums, strict=False))
    return replace(found, sessions=len(chunk), endings=tuple(counts.endings.tolist()), sums=totals, to_ruin=sums[-1])


def _sums(row: list[int]) -> Sums:
    total, aa, ab, bb = row
    return Sums(total, (aa << (2 * LIMB)) + (ab << (LIMB + 1)) + bb)


def _counts(found: Results) -> Counts:
    """Return counts that start at 0; their histograms are the arrays of `found`."""
    return Counts(
        sums=np.zeros((len(QUANTITIES) + 1, 4), dtype=np.int64),
        endings=np.zeros(len(ENDINGS), dtype=np.int64),
        final=found.final,
        peak=found.peak,
        drawdown=found.drawdown,
        by_roll=found.by_roll,
    )


def _run(
    tables: Playable,
    limits: SessionLimits,
    seed: int,
    chunk: range,
    *,
    counts: Counts,
    records: NDArray[np.int64],
    form: Form | None = None,
    cores: int = 1,
) -> None:
    shape = shape_of(tables, limits)
    shifts = (shape.equity.shift, shape.drawdown.shift)
    if not isinstance(tables, Tables):
        if isinstance(tables, GrowingTables):
            rows = play_growing(tables, limits, seed, chunk)
        else:
            rows = play_by_engine(tables, seed, chunk, cores=cores)
        tally(rows, len(chunk), counts, shifts)
        records[:] = rows[:-1].T[: len(records)]
        return
    cells, starts = _cells(tables, limits)
    if not tables.dice.is_fair:
        dice = kernel_dice(tables.dice)
        run_other_dice(cells, limits, starts, dice, np.uint64(seed), chunk.start, len(chunk), counts, shifts, records)
        return
    which = quickest_form() if form is None else form
    run(which, cells, limits, starts, np.uint64(seed), chunk.start, len(chunk), counts, shifts, records)


def paths_of(tables: Playable, limits: SessionLimits, *, seed: int, sessions: int, rolls: int) -> NDArray[np.int64]:
    """Return the equity of the first sessions before each roll; an ended session keeps its last."""
    equities = np.zeros((sessions, rolls + 1), dtype=np.int64)
    if isinstance(tables, DealtTables):
        for session in range(sessions):
            played = tables.equities(seed, session)[: rolls + 1]
            equities[session] = [*played, *[played[-1]] * (rolls + 1 - len(played))]
        return equities
    if isinstance(tables, GrowingTables):
        play_growing(tables, limits, seed, range(sessions))  # so that all their states are explored
    cells, starts = _cells(tables, limits)
    paths(cells, limits, starts, kernel_dice(tables.dice), np.uint64(seed), equities)
    return equities


def _cells(tables: Tables | GrowingTables, limits: SessionLimits) -> tuple[Cells, tuple[int, ...]]:
    if isinstance(tables, GrowingTables):
        return cells_of_growing(tables), START
    packed = packed_to_stop(tables, limits.stop) if _is_narrow(tables, limits) else tables.packed[:0]
    after = tables.outlay[tables.next // OUTCOMES]
    short = tables.short if (tables.short >= 0).any() else tables.short[:0]
    cells = Cells(tables.next, tables.cash, tables.action, tables.mark, after, tables.outlay, short, packed)
    return cells, tuple(int(start) for start in tables.starts)


def _is_narrow(tables: Tables, limits: SessionLimits) -> bool:
    """Return whether only the number of rolls limits sessions, and no amount can exceed 32 bits."""
    most = sum(
        max(int(abs(tables.cash[cells]).max()), int(tables.action[cells].max()))
        for cells in map(tables.part, range(len(tables.starts)))
    )
    is_plain = limits.marks == limits.loss == NEVER and not limits.has_streaks
    return is_plain and limits.equity + limits.rolls * most < _INT32_MAX
