"""The kernels of sessions on an automaton that grows: they play until a state that nobody has explored yet."""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import NEVER, OUTCOMES, RUIN, UNKNOWN
from passline.kernel_cache import kernel
from passline.simulation.backends.cpu.kernel_dice import ROLLS, KernelDice, throw_block
from passline.simulation.backends.cpu.single_session import GOES_ON, NONE, PART_ROW, ROLLED, Cells, State, begin, walk
from passline.simulation.kernel_types import SessionLimits

Held = NDArray[np.int64]
"""[session, field]: the state of each session, the block of dice that it is in, and how many of them are rolled."""
_BLOCK, _AT = PART_ROW + 1, PART_ROW + 2
ENDED = PART_ROW + 3
"""The field that has how the session ended, or GOES_ON."""
HELD_FIELDS = PART_ROW + 4
"""How many fields a session has."""
_STOPPED = -2
"""The session stopped at a state that has not been explored."""
START: tuple[int, ...] = (0,)
"""The first cell of the only part."""


@kernel()
def _is_unknown(t: Cells, state: State) -> bool:
    return bool(t.outlay[state[PART_ROW] // OUTCOMES] == UNKNOWN)


@kernel()
def _walk_known(t: Cells, lim: SessionLimits, state: State, thrown: NDArray[np.uint8], count: int) -> int:
    """Play up to `count` rolls; return how the session ended, GOES_ON or _STOPPED.

    With a loss limit per shooter roll by roll: whoever sits a hand out needs no funds, so `walk` would not stop.
    """
    if lim.loss == NEVER:
        ending = walk(t, lim, START, state, thrown, count)
        return _STOPPED if ending == RUIN and _is_unknown(t, state) else ending
    for r in range(count + 1):
        ending = walk(t, lim, START, state, thrown, NONE)
        if ending in {GOES_ON, RUIN} and _is_unknown(t, state):
            return _STOPPED
        if ending != GOES_ON or r == count:
            return ending
        ending = walk(t, lim, START, state, thrown[r : r + 1], 1)
    return ending


@kernel(nogil=True)
def begin_all(t: Cells, lim: SessionLimits, held: Held) -> None:
    """Begin all sessions: those whose limits end them before the first roll have ended."""
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(len(held)):
        held[i, ENDED] = begin(t, lim, START, held[i, : PART_ROW + 1], thrown)


@kernel(nogil=True)
def go_on(
    t: Cells,
    lim: SessionLimits,
    dice: KernelDice,
    seed: np.uint64,
    first: int,
    held: Held,
    waiting: NDArray[np.int64],
    count: int,
) -> int:
    """Play the first `count` waiting sessions; return how many stopped, which are then the first of `waiting`."""
    thrown, rest = np.empty(ROLLS, dtype=np.uint8), np.empty(ROLLS, dtype=np.uint8)
    stopped = 0
    for k in range(count):
        i = waiting[k]
        state = held[i, : PART_ROW + 1]
        ending = GOES_ON
        while ending == GOES_ON:
            at = held[i, _AT]
            left = throw_block(dice, seed, np.uint64(first + i), held[i, _BLOCK], thrown) - at
            for r in range(left):
                rest[r] = thrown[at + r]
            before = state[ROLLED]
            ending = _walk_known(t, lim, state, rest, left)
            held[i, _AT] += state[ROLLED] - before
            if ending == GOES_ON:
                held[i, _BLOCK] += 1
                held[i, _AT] = 0
        held[i, ENDED] = ending
        if ending == _STOPPED:
            waiting[stopped] = i
            stopped += 1
    return stopped
