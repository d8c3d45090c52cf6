"""The dice that a run is given, as the kernels throw them."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from passline.dice_weights import FAIR, WordLaw
from passline.simulation.backends.cpu.kernel_dice import KernelDice
from passline.simulation.recorded_dice import RecordedDice, SessionDice


def kernel_dice(dice: SessionDice) -> KernelDice:
    """Return dice as the kernels throw them.

    >>> kernel_dice(FAIR).digits, len(kernel_dice(FAIR).tape)
    (5, 0)
    """
    recorded = dice if isinstance(dice, RecordedDice) else None
    weights = FAIR if isinstance(dice, RecordedDice) else dice
    law = WordLaw.of(weights)
    return KernelDice(
        ends=np.array(list(accumulate(weights.weights)), dtype=np.uint64),
        total=np.uint64(law.total),
        digits=law.digits,
        span=np.uint64(law.span),
        rejected=np.uint64(law.rejected),
        tape=np.frombuffer(recorded.outcomes if recorded else b"", dtype=np.uint8).copy(),
        starts=np.array(recorded.starts if recorded else (), dtype=np.int64),
    )
