"""The forms of the kernel's inner loop: how it looks up the entries of the rolls.

All forms give the same bits; which is quickest depends on the processor. One looks entries up by a gather, one
instruction for a whole vector. The other follows the rows of each lane by plain loads, with eight lanes in turns, and
leaves their entries in memory, where vectors are loaded from. A gather is quicker on Intel's of 2023, unless the
processor's microcode slows it down, as that of Intel's of 2015 to 2021 does (against gather data sampling). Without
vectors of 256 bits, as on ARM, there is no gather.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct


class LaneForm(Struct, frozen=True):
    """One form: its name, the 32-bit lanes of a vector, the vectors that are interleaved, and how it looks up."""

    name: str
    width: int
    vectors: int  # interleaved, so that the others work while one waits for its look-up
    is_gather: bool

    @property
    def lanes(self) -> int:
        """Return the lanes that are played at once."""
        return self.width * self.vectors


# A kernel is compiled for the types of its arguments, so each form is a type.


class Gather(NamedTuple):
    """Entries by gather."""

    number: int = 0


class Chains(NamedTuple):
    """Entries by plain loads, lane by lane."""

    number: int = 1


Form = Gather | Chains
"""What is passed to a kernel to have it compiled in a form."""
FORMS: dict[type[Form], LaneForm] = {
    Gather: LaneForm("gather", 16, 4, is_gather=True),
    Chains: LaneForm("chains of loads", 16, 1, is_gather=False),
}
"""What each form is."""
