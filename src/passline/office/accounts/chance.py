"""How surprising the luckiest of several figures is: whoever looks at thirty tables sees one that is far off.

A figure's luck in standard deviations is taken for normally distributed. That is an approximation: it is good where
many rolls of like size are behind a figure, and poor where a few large wagers are; so a figure with few rolls says
little, however far off it lies.
"""

from __future__ import annotations

from math import erfc, expm1, log1p, sqrt

__all__ = ["chance_of_largest"]


def chance_of_largest(deviations: float, looked_at: int) -> float:
    """Return the chance that of so many figures, with luck alone, at least one lies this far off or further.

    >>> round(chance_of_largest(2.5, 1), 4), round(chance_of_largest(-2.5, 30), 4)
    (0.0124, 0.3127)
    """
    alone = erfc(abs(deviations) / sqrt(2))
    return -expm1(max(looked_at, 1) * log1p(-alone)) if alone < 1 else 1.0
