"""A par sheet in words and decimals, grouped by wager: for the terminal, printed, and as pages of a workbook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import groupby
from math import ceil

from msgspec import Struct

from passline.chances import chance_text, exponent_text
from passline.documents.sheet import Cell, PrintedSheet, SheetTable, Styled, sheet_in
from passline.exact.par.sheet import PLAYS, Sheet, SheetLine
from passline.money import dollars
from passline.rules.explain.paper_head import elections_table, house_signatures, shortened_clauses

DEFINITIONS = (
    ("win, lose, push", "the probability that the wager ends with a gain, with a loss, or with neither"),
    ("edge", "what the house gains on average, of the amount wagered: the stake and the odds taken"),
    ("edge on outlay", "the same of the outlay: with vigorish paid when the wager is made"),
    ("edge resolved", "the same of what was wagered on wagers that do not end as a push"),
    ("edge per roll", "the edge divided by the rolls"),
    ("rolls", "the mean number of rolls until the wager is decided or returned; those on which it is off do not count"),
    ("sd", "the standard deviation of what one wager gains, in stakes"),
    (
        "volatility index",
        "1.645 standard deviations of one wager, of the amount wagered",
    ),
    ("greatest gain", "the most that one wager gains, in stakes, and the chance of it"),
    ("return after plays", "where the return of the amount wagered lies with a chance of 95 %, by the normal law"),
    ("stake", "the smallest amount that is paid exactly, unless one was named"),
)
"""What each figure means."""

_FIGURES = {  # of a row, each with its head and its width in print
    "stake": ("stake", 13),
    "win": ("win %", 12.5),
    "lose": ("lose %", 12.5),
    "push": ("push %", 12.5),
    "edge": ("edge %", 17),
    "fraction": ("exactly", 19),
    "outlay": ("on outlay %", 18),
    "resolved": ("resolved %", 18),
    "per_roll": ("per roll %", 17),
    "rolls": ("rolls", 13),
    "sd": ("sd", 16),
}
_LINE_HEADS = (
    *("game", "wager", "number", "option", "pays", "stake $", "win %", "lose %", "push %", "edge %", "edge fraction"),
    *("edge on outlay %", "edge resolved %", "edge per roll %", "rolls", "rolls fraction", "sd", "favours"),
    *("favourable stakes", "clauses", "volatility index", "greatest gain", "greatest gain chance"),
    *(f"{end} of {plays:,} plays" for plays in PLAYS for end in ("low", "high")),
)
_NAMING = 4  # columns that say which line it is
_HOW_TO_READ = (
    "Edges are the house's; a negative one is the player's. "
    "Highlighted lines have a stake at which the house has no edge."
)
_ALL = "all that the regulation permits a house"
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
    >>> in_percent(Fraction(1, 10**8)), in_percent(Fraction(0))
    ('1.0e-6', '0.0000')
    """
    shown = decimal(value * _PERCENT, places)
    return shown if Decimal(shown) or not value else exponent_text(value * _PERCENT)  # what can happen is not 0


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
    figures: dict[str, str]  # by the names of `_FIGURES`
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
        return any(Decimal(row.figures["push"]) for row in self.rows)

    @property
    def has_outlays(self) -> bool:
        """Whether the outlay of any row is more than the amount wagered."""
        return any(row.figures["outlay"] != row.figures["edge"] for row in self.rows)


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
        flags=(*_flags(equal for equal in merged if equal[0].is_flagged), *_meters(merged)),
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
        yield f"pays {_join_labels(base)}" + (f"; odds pay {_join_labels(odds)}" if odds else "")


def _join_labels(labels_by_text: dict[str, dict[str, None]]) -> str:
    if len(labels_by_text) == 1:
        return next(iter(labels_by_text))
    return ", ".join(f"{text} ({', '.join(labels)})" for text, labels in labels_by_text.items())


def _label(alike: list[SheetLine]) -> str:
    numbers = ", ".join(line.number for line in alike if line.number)
    return ": ".join(filter(None, (numbers, alike[0].option)))


def _row(alike: list[SheetLine], bare: str) -> Row:
    par = alike[0].par
    figures = (
        *(dollars(par.stake), in_percent(par.win, 2), in_percent(par.lose, 2), in_percent(par.push, 2)),
        *(in_percent(par.edge), short_fraction(par.edge) or _BELOW, in_percent(par.edge_on_outlay)),
        *(in_percent(par.edge_resolved), in_percent(par.edge_per_roll), decimal(par.rolls, 3)),
        decimal(Fraction(par.sd), 3),
    )
    return Row(
        label=_label(alike) or bare,
        figures=dict(zip(_FIGURES, figures, strict=True)),
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


def _meters(merged: Iterable[list[SheetLine]]) -> Iterator[str]:
    """Yield where the meter of a progressive stands in these figures, and from where on the house has no edge."""
    for alike in merged:
        if (even := alike[0].even_meter) is not None:
            label = _label(alike)
            told = f"with the meter at its base; the house has no edge from {dollars(ceil(even))} on the meter on"
            yield f"{label}: {told}" if label else told


def printed_par(sheet: Sheet) -> PrintedSheet:
    """Return a par sheet as it is printed: a table for each wager, the elections, the definitions, signatures.

    >>> from passline.exact.par.sheet import sheet
    >>> printed = printed_par(sheet("section2", game="craps", wager="field"))
    >>> printed.title, len(printed.tables)
    ('Par sheet', 3)
    """
    house = sheet.house or _ALL
    wagers = groups(sheet)
    games = dict.fromkeys(group.game for group in wagers)
    tables: list[SheetTable] = []
    for game in games:
        if len(games) > 1:
            tables.append(SheetTable(title=game.replace("_", " "), nothing=""))
        tables += (_wager(group) for group in wagers if group.game == game)
    notes = (_HOW_TO_READ, *(f"Note: {note}." for note in sheet.notes))
    meanings = tuple(((Styled(name, "strong"),), f"{meaning}.") for name, meaning in DEFINITIONS)
    tables.append(volatility_table(sheet))
    tables += _elections(sheet)
    tables.append(
        SheetTable(
            title="What the figures mean", heads=("figure", "meaning"), rows=meanings, widths=(1, 8), notes=notes
        )
    )
    printed = PrintedSheet(
        title="Par sheet",
        owner=house,
        regulation=sheet.title,
        dated=f"House: {house} · {len(sheet.lines)} lines, each derived from the rules as dealt",
        facts=sheet.about,
        tables=tuple(tables),
        signatures=house_signatures(),
        foot=("Par sheet", house, sheet.title),
        form="landscape",
    )
    return sheet_in(printed, sheet.currency)


_VOLATILITY_HEADS = ("wager", "number, option", "sd", "index", "greatest", "its chance")


def volatility_table(sheet: Sheet) -> SheetTable:
    """Return how far results stray: index, greatest gain and the return after numbers of plays, for lines that differ.

    >>> from passline.exact.par.sheet import sheet
    >>> volatility_table(sheet("section2", game="craps", wager="any_seven")).rows[0][2:7]
    ('1.863', '3.0650', '4.0000', '16.6667%', '79.68 to 86.99')
    """
    alike: dict[tuple[object, ...], list[SheetLine]] = {}
    for line in sheet.lines:
        alike.setdefault((line.game, line.wager, line.option, line.par), []).append(line)
    return SheetTable(
        title="Volatility: index, greatest gain, and the return in percent after numbers of plays",
        heads=(*_VOLATILITY_HEADS, *(f"{exponent_text(plays).replace('.0e', 'e')} plays" for plays in PLAYS)),
        rows=tuple(_volatility_row(lines) for lines in alike.values()),
        widths=(36, 40, 14, 16, 18, 18, *(26 for _plays in PLAYS)),
        figures=tuple(range(2, len(_VOLATILITY_HEADS) + len(PLAYS))),
    )


def _volatility_row(alike: list[SheetLine]) -> tuple[Cell, ...]:
    par = alike[0].par
    top = ("no greatest", "") if par.top is None else (decimal(par.top, 4), chance_text(par.top_chance, 4))
    returns = (tuple(decimal(Fraction(end) * _PERCENT, 2) for end in par.return_interval(plays)) for plays in PLAYS)
    return (
        *(alike[0].name, _label(alike), decimal(Fraction(par.sd), 3), decimal(Fraction(par.volatility), 4), *top),
        *(f"{low} to {high}" for low, high in returns),
    )


def _elections(sheet: Sheet) -> tuple[SheetTable, ...]:
    return (elections_table(sheet.elections),) if sheet.elections else ()


def _wager(group: Group) -> SheetTable:
    notes = [
        (Styled(f"Edge exactly{f', {row.label}' if row.label else ''}: "), Styled(row.exact, "mono"))
        for row in group.rows
        if row.exact
    ]
    return SheetTable(
        title=group.name,
        code=group.wager,
        heads=("number, option", *(head for head, _width in _FIGURES.values()), "clauses"),
        rows=tuple((row.label, *_figures(row), (Styled(row.clauses, "clauses"),)) for row in group.rows),
        about=group.pays,
        notes=(*notes, *(f"▸ {flag}" for flag in group.flags)),
        widths=(47, *(width for _head, width in _FIGURES.values()), 36),
        figures=tuple(range(1, len(_FIGURES) + 1)),
        flagged=tuple(number for number, row in enumerate(group.rows) if row.is_flagged),
    )


def _figures(row: Row) -> Iterator[Cell]:
    for name, figure in row.figures.items():
        yield (Styled(figure, "strong"),) if name == "edge" else figure


def par_pages(*sheets: Sheet) -> list[PrintedSheet]:
    """Return the pages of a workbook: for each sheet its lines and its house, then what the figures mean."""
    pages: list[PrintedSheet] = []
    for sheet in sheets:
        is_only = len(sheets) == 1
        name = "par sheet" if is_only else sheet.house or sheet.title
        lines = SheetTable(
            title=name,
            heads=_LINE_HEADS,
            rows=tuple(map(_cells, sheet.lines)),
            flagged=tuple(number for number, line in enumerate(sheet.lines) if line.is_flagged),
            fixed=_NAMING,
        )
        house = PrintedSheet(
            title="house" if is_only else f"{name} house",
            facts=sheet.about or (("Regulation", sheet.title), ("House", sheet.house or _ALL)),
            tables=_elections(sheet),
            signatures=house_signatures(),
        )
        pages += (sheet_in(page, sheet.currency) for page in (PrintedSheet(title=name, tables=(lines,)), house))
    facts = [("regulation", title) for title in dict.fromkeys(sheet.title for sheet in sheets)]
    facts += [("house", sheet.house or _ALL) for sheet in sheets]
    facts += DEFINITIONS
    facts += [("favours", "who has the edge at the stake shown; a negative edge is the player's")]
    facts += [("favourable stakes", "stakes within the limits that favour the player or cost nothing, for rounding")]
    facts += [("note", note) for note in dict.fromkeys(note for sheet in sheets for note in sheet.notes)]
    return [*pages, PrintedSheet(title="definitions", facts=tuple(facts))]


def _cells(line: SheetLine) -> tuple[Cell, ...]:
    par = line.par
    shares = map(float, (par.win, par.lose, par.push, par.edge))
    edges = map(float, (par.edge_on_outlay, par.edge_resolved, par.edge_per_roll))
    return (
        *(line.game, line.wager, line.number or "", line.option or "", line.pays, par.stake),
        *shares,
        str(par.edge),
        *edges,
        *(float(par.rolls), str(par.rolls), float(par.sd), par.favours),
        *(", ".join(map(str, line.favourable)), ", ".join(line.clauses)),
        *(float(par.volatility), "" if par.top is None else float(par.top)),
        "" if par.top is None else float(par.top_chance),
        *(float(end) for plays in PLAYS for end in par.return_interval(plays)),
    )
