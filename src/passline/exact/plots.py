"""Charts of session laws and of hands. Equal laws give equal files, byte for byte.

Matplotlib is slow to import, so it is imported when a chart is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
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
_BINS = 60  # about this many in a chart of final bankrolls


def draw_laws(laws: Laws, path: Path | str, *, about: str = "") -> None:
    """Draw the final bankrolls of one or several strategies, and beside them how their sessions end.

    `about` is added to the terms in the title, such as what the dice are.
    """
    with drawing(path, f"Final bankroll\n{_terms(laws)}{about}", height=5.0 + 0.35 * (len(laws) // 2)) as figure:
        main, ends = figure.subplots(1, 2, width_ratios=(3.4, 1))
        _final_bankrolls(main, laws)
        _endings(ends, laws)
        figure.legend(*main.get_legend_handles_labels(), loc="outside lower left", ncols=2, labelspacing=0.9)


def draw_ruin(laws: Laws, path: Path | str, *, about: str = "") -> None:
    """Draw the probability of ruin by each roll and, if there is a goal, of having reached it."""
    with drawing(path, f"Time to ruin\n{_terms(laws)}{about}", height=4.8) as figure:
        axes = figure.subplots()
        for (name, law), colour in zip(laws.items(), cycle(COLOURS)):
            ruin = list(accumulate(map(float, law.ruin_by_roll)))
            axes.plot(ruin, color=colour, lw=1.8, label=f"{name}: ruined, {percent(ruin[-1])} in the end")
            axes.fill_between(range(len(ruin)), ruin, color=colour, alpha=0.10, lw=0)
            if law.terms.goal_cents is not None:
                goal = list(accumulate(map(float, law.goal_by_roll)))
                label = f"{name}: at the goal, {percent(goal[-1])} in the end"
                axes.plot(goal, color=colour, lw=1.5, ls=DASHES, label=label)
        axes.set_title("Ruined by then; dashed: at the goal by then", color=FAINT, fontsize=9)
        axes.set(xlabel="rolls", ylabel="probability by then", ylim=(0, None))
        axes.margins(x=0)
        axes.yaxis.set_major_formatter(lambda value, _: percent(value))
        axes.legend(loc="upper left")


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


def _final_bankrolls(axes: Axes, laws: Laws) -> None:
    """Draw the part of each law that ends at the limit, in bins, and the mean of all sessions."""
    low, high = _range(laws)
    width = nice((high - low) / _BINS)
    first = math.floor(low / width)
    edges = [(first + i) * width for i in range(math.ceil(high / width) - first + 1)]
    for (name, law), colour in zip(laws.items(), cycle(COLOURS)):
        heights = [0.0] * (len(edges) - 1)
        parts = (list(map(float, chances)) for chances in (law.chances, law.ruin_chances, law.goal_chances))
        for cents, whole, ruin, goal in zip(law.equity_cents, *parts, strict=True):
            cell = math.floor(cents / 100 / width) - first
            if 0 <= cell < len(heights):
                heights[cell] += whole - ruin - goal
        mean = float(law.mean_cents) / 100
        label = f"{name}\nmean {money(mean, 2)}, deviation {money(law.deviation_cents / 100, 2)}"
        axes.stairs(heights, edges, fill=True, color=colour, alpha=0.16 / len(laws), lw=0)
        axes.stairs(heights, edges, color=colour, lw=1.6, label=label)
        axes.axvline(mean, color=colour, lw=1.2, ls=DASHES)
    bankrolls = {law.terms.bankroll_cents for law in laws.values()}
    for cents in sorted(bankrolls):
        axes.axvline(cents / 100, color=FAINT, lw=1.0, ls=":", zorder=0.5)
    axes.set(xlabel="final bankroll, open wagers at face", ylabel=f"probability per {money(width)}", ylim=(0, None))
    axes.set_title("Played to the limit; dashed: mean of all sessions, dotted: start", color=FAINT, fontsize=9)
    axes.margins(x=0)
    axes.xaxis.set_major_formatter(lambda value, _: money(value))
    axes.yaxis.set_major_formatter(lambda value, _: percent(value))


def _range(laws: Laws) -> tuple[float, float]:
    """Return a range of dollars outside which each law has at most a thousandth on either side."""
    lows = [law.quantile_cents(0.001) / 100 for law in laws.values()]
    highs = [min(law.quantile_cents(0.999), law.terms.goal_cents or math.inf) / 100 for law in laws.values()]
    return min(lows), max(*highs, min(lows) + 1)


def _endings(axes: Axes, laws: Laws) -> None:
    """Draw how sessions end, as bars."""
    has_goal = any(law.terms.goal_cents is not None for law in laws.values())
    kinds = ["ruin", "goal", "limit"] if has_goal else ["ruin", "limit"]
    thick = min(0.4, 0.8 / len(laws))
    for rank, ((_, law), colour) in enumerate(zip(laws.items(), cycle(COLOURS))):
        ruin, goal = float(law.ruin), float(law.goal)
        shares = {"ruin": ruin, "goal": goal, "limit": max(0.0, 1 - ruin - goal)}
        for place, kind in enumerate(kinds):
            at = place + (rank - (len(laws) - 1) / 2) * thick
            axes.barh(at, shares[kind], height=thick * 0.88, color=colour)
            axes.text(shares[kind] + 0.02, at, percent(shares[kind]), va="center", fontsize=8.5)
    axes.set(yticks=range(len(kinds)), xlim=(0, 1.28), xticks=[])
    axes.set_yticklabels({"ruin": "ruined", "goal": "at the goal", "limit": "at the limit"}[kind] for kind in kinds)
    axes.set_title("How sessions end", color=FAINT, fontsize=9)
    axes.invert_yaxis()
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
