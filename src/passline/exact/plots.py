"""Charts of session laws and of hands. Equal laws give equal files, byte for byte.

Matplotlib is slow to import, so it is imported when a chart is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline.charts import COLOURS, DASHES, FAINT, INK, drawing, money, nice, one_in, percent
from passline.errors import CrapsError
from passline.exact.chain.hand_law import CountLaw, FiniteLaw
from passline.exact.session.law import SessionLaw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_Law = SessionLaw[float] | SessionLaw[Fraction]
Laws = Mapping[str, _Law]
"""Laws by the name of the strategy."""

_BARS_LABELLED_MAX = 16  # more labels would overlap
_FEW_DIGITS, _MANY_DIGITS = 2, 6  # of odds: with a place after the point below, with an exponent above
_BINS = 60  # about this many in a chart of final bankrolls
_ROW, _ALONE = 1.9, 3.8  # inches of a panel among others, and of one alone
_ABREAST = 3  # panels


def draw_laws(laws: Laws, path: Path | str, *, about: str = "") -> None:
    """Draw for each strategy the final bankroll, on one scale for all, and beside it how its sessions end.

    `about` is added to the terms in the title, such as what the dice are.
    """
    height = 1.0 + (_ROW if len(laws) > 1 else _ALONE) * len(laws)
    with drawing(path, f"Final bankroll\n{_terms(laws)}{about}", height=height) as figure:
        panels = figure.subplots(len(laws), 2, width_ratios=(3.4, 1), squeeze=False, sharex="col", sharey="col")
        edges = _bins_of(laws)
        for (main, ends), (name, law), colour in zip(panels, laws.items(), cycle(COLOURS)):
            _final_bankroll(main, law, edges, colour)
            figures = f"mean {money(float(law.mean_cents) / 100, 2)}, deviation {money(law.deviation_cents / 100, 2)}"
            main.set_title(f"{name}: {figures}", color=INK, fontsize=9.5)
            _endings(ends, law, _endings_of(laws), colour)
            ends.set_title("How sessions end", color=FAINT, fontsize=9)
        panels[0][0].set_ylim(bottom=0)
        head = "of who played to the limit; dashed: mean of all sessions, dotted: start"
        panels[-1][0].set_xlabel(f"final bankroll, open wagers at face, {head}")


def draw_ruin(laws: Laws, path: Path | str, *, about: str = "") -> None:
    """Draw for each strategy the probability of ruin by each roll and, if there is a goal, of having reached it."""
    rows = -(-len(laws) // _ABREAST)
    abreast = -(-len(laws) // max(1, rows))
    height = 1.0 + (_ROW + 0.4 if len(laws) > 1 else _ALONE) * rows
    with drawing(path, f"Time to ruin\n{_terms(laws)}{about}", height=height) as figure:
        panels = figure.subplots(rows, abreast, squeeze=False, sharex=True, sharey=True)
        for place, ((name, law), colour) in enumerate(zip(laws.items(), cycle(COLOURS))):
            axes = panels[place // abreast][place % abreast]
            ruin = list(accumulate(map(float, law.ruin_by_roll)))
            axes.plot(ruin, color=colour, lw=1.8)
            said = f"{name}: {percent(ruin[-1])} ruined"
            axes.fill_between(range(len(ruin)), ruin, color=colour, alpha=0.10, lw=0)
            if law.terms.goal_cents is not None:
                goal = list(accumulate(map(float, law.goal_by_roll)))
                axes.plot(goal, color=colour, lw=1.5, ls=DASHES)
                said += f"; dashed: {percent(goal[-1])} at the goal"
            axes.set_title(said, color=INK, fontsize=9.5)
            axes.margins(x=0)
            axes.yaxis.set_major_formatter(lambda value, _: percent(value))
        panels[0][0].set_ylim(bottom=0)
        for axes in panels[:, 0]:
            axes.set_ylabel("probability by then")
        for axes in panels[-1]:
            axes.set_xlabel("rolls")
        for unused, above in zip(panels.flat[len(laws) :], panels.flat[len(laws) - abreast :], strict=False):
            unused.set_visible(False)
            above.tick_params(labelbottom=True)
            above.set_xlabel("rolls")


def draw_hand_length(length: CountLaw, path: Path | str, *, rolls: int = 154) -> None:
    """Draw the law of the length of a shooter's hand: each length, and the tail on a logarithmic scale."""
    with drawing(path, "Length of a shooter's hand", height=4.6) as figure:
        each, tail = figure.subplots(1, 2)
        shown = range(2, 41)
        each.bar(shown, [float(length.chance(n)) for n in shown], width=0.8, color=COLOURS[0])
        mean = float(length.mean)
        each.axvline(mean, color=COLOURS[1], lw=1.4, ls=DASHES, label=f"mean {length.mean} = {mean:.2f}")
        each.set(xlabel="rolls in the hand", ylabel="probability", title="Exactly so many rolls")
        each.yaxis.set_major_formatter(lambda value, _: percent(value))
        each.legend(loc="upper right")
        each.grid(visible=False, axis="x")
        values = [float(length.at_least(n)) for n in range(1, rolls + 1)]
        tail.semilogy(range(1, rolls + 1), values, color=COLOURS[0], lw=1.8)
        tail.set(xlabel="rolls in the hand", ylabel="probability", title="At least so many rolls")
        tail.set_xlim(0, rolls * 1.04)
        tail.yaxis.set_major_formatter(lambda value, _: one_in(value))
        for n in sorted({50, 100, rolls} & {*range(1, rolls + 1)}):
            chance = float(length.at_least(n))
            is_left = n == rolls  # the label is left of the point, where there is room
            place: dict[str, Any] = {"xytext": (-7, -4), "ha": "right"} if is_left else {"xytext": (7, 4), "ha": "left"}
            tail.plot([n], [chance], "o", color=COLOURS[1], ms=4.5)
            tail.annotate(f"{n} rolls: {one_in(chance)}", (n, chance), textcoords="offset points", va="center", **place)


def draw_count(law: CountLaw | FiniteLaw, name: str, path: Path | str, *, until: Fraction = Fraction(1, 1000)) -> None:
    """Draw the law of a count over a hand as bars, while the tail is not below `until`."""
    with drawing(path, f"{name.capitalize()} in a shooter's hand", height=4.4) as figure:
        from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - see the module's docstring

        axes = figure.subplots()
        rows = law.table(until)
        heights = [float(chance) for _, chance, _ in rows]
        bars = axes.bar([value for value, _, _ in rows], heights, width=0.75, color=COLOURS[0])
        if len(rows) <= _BARS_LABELLED_MAX:
            axes.bar_label(bars, [percent(height) for height in heights], padding=2, fontsize=8.5, color=INK)
        mean = float(law.mean)
        axes.axvline(mean, color=COLOURS[1], lw=1.4, ls=DASHES, label=f"mean {law.mean} = {mean:.3f}")
        axes.set_title("Exactly so many in one hand; dashed: mean", color=FAINT, fontsize=9)
        axes.set(xlabel=f"{name} in a hand", ylabel="probability")
        axes.margins(x=0.02, y=0.10)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(lambda value, _: percent(value))
        axes.grid(visible=False, axis="x")
        axes.legend(loc="upper right")


def draw_evidence(values: Sequence[float], path: Path | str, *, about: str, alarm: float) -> None:
    """Draw the evidence against fair dice after each roll (its common logarithm), with the level of an alarm."""
    with drawing(path, f"Evidence against fair dice\n{about}", height=4.6) as figure:
        axes = figure.subplots()
        axes.axhline(0.0, color=FAINT, lw=1.0)
        axes.axhline(math.log10(alarm), color=COLOURS[1], lw=1.4, ls=DASHES)
        axes.annotate(
            f"{alarm:,.0f} to 1: fair dice ever come here with a chance of at most 1 in {alarm:,.0f}",
            (0.01, math.log10(alarm)),
            xycoords=("axes fraction", "data"),
            xytext=(0, 4),
            textcoords="offset points",
            color=COLOURS[1],
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
            zorder=4,
        )
        axes.plot(range(len(values) + 1), [0.0, *values], color=COLOURS[0], lw=1.6)
        axes.set(xlabel="rolls", ylabel="evidence", xlim=(0, max(len(values), 1)))
        low, high = min([0.0, *values]), max([math.log10(alarm), *values])
        axes.set_ylim(low - 0.4, high + 0.12 * (high - low) + 0.3)
        axes.yaxis.set_major_formatter(lambda power, _: evidence_text(power))


def evidence_text(power: float) -> str:
    """Return evidence in words, given its common logarithm.

    >>> [evidence_text(power) for power in (0, 3, -2, 7.2, 0.5)]
    ['even', '1,000 to 1', '1 to 100', '1.6e7 to 1', '3.2 to 1']
    """
    if not power:
        return "even"
    size = abs(power)
    exponent = math.floor(size)
    if exponent < _FEW_DIGITS:
        odds = f"{10**size:.1f}".removesuffix(".0")
    elif exponent < _MANY_DIGITS:
        odds = f"{10**size:,.0f}"
    else:
        odds = f"{10 ** (size - exponent):.1f}e{exponent}".replace(".0e", "e")
    return f"{odds} to 1" if power > 0 else f"1 to {odds}"


def _bins_of(laws: Laws) -> list[float]:
    """Return the edges of the bins of final bankrolls, in dollars."""
    low, high = _range(laws)
    width = nice((high - low) / _BINS)
    first = math.floor(low / width)
    return [(first + i) * width for i in range(math.ceil(high / width) - first + 1)]


def _final_bankroll(axes: Axes, law: _Law, edges: list[float], colour: str) -> None:
    """Draw the part of a law that ends at the limit, in bins, and the mean of all sessions."""
    width = edges[1] - edges[0]
    first = round(edges[0] / width)
    heights = [0.0] * (len(edges) - 1)
    chances = (law.chances, law.ruin_chances, law.goal_chances, law.stop_chances or (0.0,) * len(law.chances))
    for cents, whole, *others in zip(law.equity_cents, *(map(float, column) for column in chances), strict=True):
        cell = math.floor(cents / 100 / width) - first
        if 0 <= cell < len(heights):
            heights[cell] += whole - sum(others)
    axes.stairs(heights, edges, fill=True, color=colour, alpha=0.16, lw=0)
    axes.stairs(heights, edges, color=colour, lw=1.6)
    axes.axvline(float(law.mean_cents) / 100, color=colour, lw=1.2, ls=DASHES)
    axes.axvline(law.terms.bankroll_cents / 100, color=FAINT, lw=1.0, ls=":", zorder=0.5)
    axes.set(ylabel=f"probability per {money(width)}")
    axes.margins(x=0)
    axes.xaxis.set_major_formatter(lambda value, _: money(value))
    axes.yaxis.set_major_formatter(lambda value, _: percent(value))


def _range(laws: Laws) -> tuple[float, float]:
    """Return a range of dollars outside which each law has at most a thousandth on either side."""
    lows = [law.quantile_cents(0.001) / 100 for law in laws.values()]
    highs = [min(law.quantile_cents(0.999), law.terms.goal_cents or math.inf) / 100 for law in laws.values()]
    return min(lows), max(*highs, min(lows) + 1)


def _endings_of(laws: Laws) -> dict[str, str]:
    """Return the endings that these sessions can have, by their names in `_share_of`."""
    shown = {"ruin": "ruined", "goal": "at the goal", "stop": "stopped", "limit": "at the limit"}
    has_goal = any(law.terms.goal_cents is not None for law in laws.values())
    has_stop = any(law.stop for law in laws.values())
    return {kind: name for kind, name in shown.items() if {"goal": has_goal, "stop": has_stop}.get(kind, True)}


def _endings(axes: Axes, law: _Law, kinds: Mapping[str, str], colour: str) -> None:
    """Draw how sessions end, as bars."""
    shares = {"ruin": float(law.ruin), "goal": float(law.goal), "stop": float(law.stop)}
    shares["limit"] = max(0.0, 1 - sum(shares.values()))
    for place, kind in enumerate(kinds):
        axes.barh(place, shares[kind], height=0.5, color=colour)
        axes.text(shares[kind] + 0.02, place, percent(shares[kind]), va="center", fontsize=8.5)
    axes.set(yticks=range(len(kinds)), xlim=(0, 1.28), xticks=[], ylim=(len(kinds) - 0.5, -0.5))
    axes.set_yticklabels(kinds.values())
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[["bottom", "left"]].set_visible(False)


def _terms(laws: Laws) -> str:
    """Return the terms and policies of the sessions as text."""
    if not laws:
        raise CrapsError("a chart needs at least one law")
    terms = list(dict.fromkeys(str(law.terms) for law in laws.values()))
    policies = list(dict.fromkeys(law.policy for law in laws.values()))
    return f"{' / '.join(terms)}; short: {' / '.join(policies)}"
