"""Where sessions are played: on this machine's cores, on a GPU, or on a Ray cluster.

Every backend implements `PlayRange` and plays sessions as `passline.simulation.reference_session` specifies. Where it
decides that a session ends at its goal, at its limit or in ruin: on the CPU in `walk` of `cpu/single_session.py` and,
for the 64 sessions of `cpu/lanes.py`, in `_write_fallen_row` of `cpu/batches.py`; on the GPU in the two functions named
`settle` of `gpu/kernel.cu`. Ray runs the CPU backend on its workers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from passline.simulation.kernel_tables import Playable
    from passline.simulation.kernel_types import SessionLimits
    from passline.simulation.results import Results

__all__ = ["PlayRange"]


class PlayRange(Protocol):
    """Plays the sessions of a seed whose numbers are in a range. All backends return equal results."""

    def __call__(self, tables: Playable, limits: SessionLimits, seed: int, sessions: range, /) -> Results:
        """Return the results of all these sessions, or raise: never those of a part of them."""
