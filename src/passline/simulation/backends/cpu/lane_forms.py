"""The forms of the kernel's inner loop: how wide its vectors are, and how it looks entries up.

All forms give the same bits; which is quickest depends on the processor. Entries come by a gather, one instruction for
a whole vector, or by plain loads that are put together. A gather is quicker where vectors have 512 bits, unless the
processor's microcode slows it down, as that of Intel's of 2015 to 2021 does (against gather data sampling). Without
vectors of 256 bits, as on ARM, there is no gather, and narrow vectors need fewer registers.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

__all__ = ["FORMS", "Form", "LaneForm", "NarrowLoads", "WideGather", "WideLoads"]


class LaneForm(Struct, frozen=True):
    """One form: its name, the 32-bit lanes of a vector, the vectors that are interleaved, and how it looks up."""

    name: str
    width: int
    vectors: int  # interleaved, so that the others work while one waits for its look-up
    is_gather: bool


# A kernel is compiled for the types of its arguments, so each form is a type.


class WideGather(NamedTuple):
    """Vectors of 16 lanes, entries by gather."""

    number: int = 0


class WideLoads(NamedTuple):
    """Vectors of 16 lanes, entries by plain loads."""

    number: int = 1


class NarrowLoads(NamedTuple):
    """Vectors of 8 lanes, entries by plain loads."""

    number: int = 2


Form = WideGather | WideLoads | NarrowLoads
"""What is passed to a kernel to have it compiled in a form."""
FORMS: dict[type[Form], LaneForm] = {
    WideGather: LaneForm("16 lanes, gather", 16, 4, is_gather=True),
    WideLoads: LaneForm("16 lanes, loads", 16, 4, is_gather=False),
    NarrowLoads: LaneForm("8 lanes, loads", 8, 4, is_gather=False),
}
"""What each form is."""
