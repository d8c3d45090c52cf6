"""The kernel of the second moments: what two parts come to together, over pairs of their states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES
from passline.kernel_cache import kernel

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]


@kernel()
def cross(  # noqa: PLR0917 - a kernel: arrays in, array out
    pairs: _Integers,
    leads: _Integers,
    nexts: NDArray[np.int32],
    cash: _Integers,
    other_nexts: NDArray[np.int32],
    other_cash: _Integers,
    means: _Floats,
    other_means: _Floats,
    product: _Floats,
    weights: _Floats,
) -> _Floats:
    """Return the mean of x E Y + y E X + E XY over the outcomes of each pair, x and y being the money of this roll."""
    size = other_nexts.shape[0]
    found, scale = np.empty(pairs.shape[0]), weights.sum()
    for p in range(pairs.shape[0]):
        i, j = pairs[p] // size, pairs[p] % size
        total = 0.0
        for d in range(OUTCOMES):
            total += product[leads[p, d]] * weights[d]
            if cash[i, d] != 0:
                total += cash[i, d] * other_means[other_nexts[j, d]] * weights[d]
            if other_cash[j, d] != 0:
                total += other_cash[j, d] * means[nexts[i, d]] * weights[d]
        found[p] = total / scale
    return found
