"""Where sessions are played: on this machine's cores, on a GPU, or on a Ray cluster.

Every backend plays a session roll by roll as `passline.simulation.reference_session` specifies, and implements
`PlayRange`. Goal, limit and ruin are decided, in this order, before every roll: on the CPU in `walk` of
`cpu/single_session.py` (and, for 64 sessions at once, in `roll` of `cpu/lanes.py`), on the GPU in the two functions
named `settle` of `gpu/kernel.cu`. Ray runs the CPU backend on its workers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from passline.simulation.kernel_tables import SessionLimits, Tables
    from passline.simulation.results import Results

__all__ = ["PlayRange"]


class PlayRange(Protocol):
    """Plays the sessions of a seed whose numbers are in a range. All backends return equal results."""

    def __call__(self, tables: Tables, limits: SessionLimits, seed: int, sessions: range, /) -> Results:
        """Return the results of all these sessions, or raise: never those of a part of them."""
