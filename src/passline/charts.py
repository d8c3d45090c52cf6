"""The style of all charts: colours, fonts, and numbers as they are written on them.

The charts themselves are drawn in `exact.plots` and `simulation.plots`. Matplotlib is slow to import, so it is imported
when a chart is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline.atomic_file import suffix_of, whole_file
from passline.chances import exponent_text
from passline.errors import CrapsError
from passline.money import with_dollar_sign

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Safe for colour-blind readers.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444")
INK, FAINT = "#222222", "#8a8a8a"  # text, and what stays in the background
_STYLE: Any = {  # matplotlib's own type lists every setting
    "axes.axisbelow": True,
    "axes.edgecolor": FAINT,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "legend.edgecolor": "none",
    "legend.framealpha": 0.9,
    "savefig.dpi": 160,
    "svg.fonttype": "path",
    "svg.hashsalt": "passline",
    "text.color": INK,
    "text.parse_math": False,  # a dollar is a dollar
    "xtick.color": INK,
    "ytick.color": INK,
}
_METADATA: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
DASHES = (0, (4, 2))  # a second kind of line


@contextmanager
def drawing(path: Path | str, title: str, *, height: float) -> Iterator[Figure]:
    """Open a figure in the common style, and save it to `path`. A second line of the title is drawn fainter."""
    from matplotlib import rc_context  # noqa: PLC0415 - see the module's docstring
    from matplotlib.figure import Figure  # noqa: PLC0415

    suffix = suffix_of(Path(path), tuple(_METADATA))
    if suffix not in _METADATA:
        raise CrapsError(f"{path}: a chart is written as {', '.join(_METADATA)}")
    with rc_context(_STYLE):
        whole = Figure(figsize=(10, height), layout="constrained")
        head, _, more = title.partition("\n")
        whole.suptitle(head + "\n" * bool(more), x=0.012, ha="left", fontsize=13, fontweight="bold")
        whole.text(0.012, 1 - 0.40 / height, more, ha="left", va="center", color=FAINT)
        yield whole
        with whole_file(Path(path)) as part:
            whole.savefig(part, format=suffix[1:], metadata=_METADATA[suffix])


def nice(width: float) -> float:
    """Return the first of 1, 2, 2.5, 5, 10 ... at or above a width."""
    power = 10.0 ** math.floor(math.log10(width))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= width * (1 - 1e-9))


def money(dollars: float, digits: int = 0) -> str:
    """Return an amount of dollars as text: whole dollars without cents, others with, and all with `digits` if given.

    >>> money(-1234.5), money(20.0), money(20.0, 2)
    ('-$1,234.50', '$20', '$20.00')
    """
    digits = digits if digits or dollars == round(dollars) else 2
    return with_dollar_sign(f"{dollars + 0:,.{digits}f}")  # + 0: no sign before a zero


def percent(share: float) -> str:
    """Return a probability in percent with about three digits; rare ones as 3.1e-9."""
    hundredths = share * 100
    if hundredths == 0 or round(hundredths, 2) == 100:  # noqa: PLR2004 - a whole is a hundred percent
        return f"{hundredths:.0f} %"
    return f"{hundredths:.3g} %" if round(hundredths, 3) else exponent_text(share)


def one_in(share: float) -> str:
    """Return a probability as one in so many.

    >>> one_in(0.001)
    '1 in 1,000'
    """
    if share >= 1:
        return "always"
    inverse = 1 / share
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if inverse >= size:
            return f"1 in {inverse / size:.3g} {word}"
    return f"1 in {inverse:,.0f}"
