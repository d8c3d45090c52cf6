"""A par sheet in words and decimals, grouped by wager, as the terminal and the printed sheet show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from passline.exact.par.sheet import Sheet, SheetLine
from passline.money import dollars
from passline.rules.explain.clause_lists import shortened_clauses

__all__ = ["DEFINITIONS", "Group", "Row", "decimal", "groups", "in_percent", "short_fraction"]

DEFINITIONS = (
    ("win, lose, push", "the probability that the wager ends with a gain, with a loss, or with neither"),
    ("edge", "what the house gains on average, of the amount wagered: the stake and the odds taken"),
    ("edge on outlay", "the same of the outlay: with vigorish paid when the wager is made"),
    ("edge resolved", "the same of what was wagered on wagers that do not end as a push"),
    ("edge per roll", "the edge divided by the rolls"),
    ("rolls", "the mean number of rolls until the wager is decided or returned; those on which it is off do not count"),
    ("sd", "the standard deviation of what one wager gains, in stakes"),
    ("stake", "the smallest amount that is paid exactly, unless one was named"),
)
"""What each figure means."""

_BELOW = "see below"
_SHORT = 9  # the most characters of a fraction that is shown beside its decimal
_PERCENT = 100


def decimal(value: Fraction, places: int) -> str:
    """Return a fraction as a decimal, rounded half to even.

    >>> decimal(Fraction(557, 165), 3), decimal(Fraction(-1, 30), 4), decimal(Fraction(0), 2)
    ('3.376', '-0.0333', '0.00')
    """
    context = Context(prec=60, rounding=ROUND_HALF_EVEN)
    exact = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return str(exact.quantize(Decimal(1).scaleb(-places), context=context))


def in_percent(value: Fraction, places: int = 4) -> str:
    """Return a fraction in percent, without the sign.

    >>> in_percent(Fraction(7, 495)), in_percent(Fraction(244, 495), 2)
    ('1.4141', '49.29')
    """
    return decimal(value * _PERCENT, places)


def short_fraction(value: Fraction) -> str:
    """Return a fraction that is short enough to be read, or an empty string.

    >>> short_fraction(Fraction(7, 495)), short_fraction(Fraction(123456789, 987654321))
    ('7/495', '')
    """
    text = str(value)
    return text if len(text) <= _SHORT else ""


class Row(Struct, frozen=True, kw_only=True):
    """One row in decimals, shared by all numbers of a wager that have the same figures."""

    label: str
    stake: str
    win: str
    lose: str
    push: str
    edge: str
    fraction: str
    outlay: str
    resolved: str
    per_roll: str
    rolls: str
    sd: str
    clauses: str
    exact: str  # the edge, where its fraction is too long to stand beside the decimal
    is_flagged: bool


class Group(Struct, frozen=True, kw_only=True):
    """All lines of one wager in one game: what they pay, their rows, and what is flagged."""

    game: str
    wager: str
    name: str
    pays: tuple[str, ...]
    rows: tuple[Row, ...]
    flags: tuple[str, ...]

    @property
    def has_pushes(self) -> bool:
        """Whether a wager of any row can end as a push."""
        return any(Decimal(row.push) for row in self.rows)

    @property
    def has_outlays(self) -> bool:
        """Whether the outlay of any row is more than the amount wagered."""
        return any(row.outlay != row.edge for row in self.rows)


def groups(sheet: Sheet) -> list[Group]:
    """Return the lines of a sheet, grouped by wager."""
    return [_group(list(lines)) for _, lines in groupby(sheet.lines, key=lambda line: (line.game, line.wager))]


def _group(lines: list[SheetLine]) -> Group:
    alike: dict[object, list[SheetLine]] = {}
    for line in lines:
        alike.setdefault((line.option, line.pays, line.par, line.favourable), []).append(line)
    merged = list(alike.values())
    bare = "without odds" if any("; odds" in line.pays for line in lines) else "as listed" if len(merged) > 1 else ""
    return Group(
        game=lines[0].game,
        wager=lines[0].wager,
        name=lines[0].name,
        pays=tuple(_pays(lines)),
        rows=tuple(_row(equal, bare) for equal in merged),
        flags=tuple(_flags(equal for equal in merged if equal[0].is_flagged)),
    )


def _pays(lines: list[SheetLine]) -> Iterator[str]:
    """Yield what the lines of a wager pay: once if they pay the same, else by number or by option."""
    base: dict[str, dict[str, None]] = {}
    odds: dict[str, dict[str, None]] = {}
    for line in lines:
        flat, _, behind = line.pays.partition("; odds ")
        table = (line.option or "as listed").partition(", ")[0]  # after the comma comes a reading, which pays the same
        base.setdefault(flat, {})[line.number or table] = None
        if behind:
            odds.setdefault(behind, {})[line.number or ""] = None
    if len(base) > 1 and not lines[0].number:
        for text, labels in base.items():
            label = ", ".join(labels)
            yield f"{'elected' if label == text else label}: pays {text}"
    else:
        yield f"pays {_joined(base)}" + (f"; odds pay {_joined(odds)}" if odds else "")


def _joined(labels_by_text: dict[str, dict[str, None]]) -> str:
    if len(labels_by_text) == 1:
        return next(iter(labels_by_text))
    return ", ".join(f"{text} ({', '.join(labels)})" for text, labels in labels_by_text.items())


def _label(alike: list[SheetLine]) -> str:
    numbers = ", ".join(line.number for line in alike if line.number)
    return ": ".join(filter(None, (numbers, alike[0].option)))


def _row(alike: list[SheetLine], bare: str) -> Row:
    par = alike[0].par
    return Row(
        label=_label(alike) or bare,
        stake=dollars(par.stake),
        win=in_percent(par.win, 2),
        lose=in_percent(par.lose, 2),
        push=in_percent(par.push, 2),
        edge=in_percent(par.edge),
        fraction=short_fraction(par.edge) or _BELOW,
        outlay=in_percent(par.edge_on_outlay),
        resolved=in_percent(par.edge_resolved),
        per_roll=in_percent(par.edge_per_roll),
        rolls=decimal(par.rolls, 3),
        sd=decimal(Fraction(par.sd), 3),
        clauses=", ".join(shortened_clauses(clause for line in alike for clause in line.clauses)),
        exact="" if short_fraction(par.edge) else str(par.edge),
        is_flagged=alike[0].is_flagged,
    )


def _flags(flagged: Iterable[list[SheetLine]]) -> Iterator[str]:
    """Yield who has the edge and at which stakes, once for all lines where that is the same."""
    labels_by_text: dict[str, list[str]] = {}
    for alike in flagged:
        par, stakes = alike[0].par, ", ".join(map(str, alike[0].favourable))
        text = "no edge for the house"
        if par.edge <= 0:
            text = "the player has the edge" if par.edge else "nobody has an edge"
        labels_by_text.setdefault(f"{text} at stakes of {stakes}" if stakes else text, []).append(_label(alike))
    for text, labels in labels_by_text.items():
        about = "; ".join(filter(None, labels))
        yield f"{about}: {text}" if about else text
