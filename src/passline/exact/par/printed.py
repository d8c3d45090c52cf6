"""A par sheet as it is printed, and as the pages of a workbook."""

from __future__ import annotations

from passline.documents.sheet import Cell, PrintedSheet, SheetTable, Styled
from passline.exact.par.as_text import DEFINITIONS, Group, groups
from passline.exact.par.sheet import Sheet, SheetLine
from passline.rules.explain.paper_head import elections_table, house_signatures

__all__ = ["par_pages", "printed_par"]

_HEADS = (
    *("number, option", "stake", "win %", "lose %", "push %", "edge %", "exactly", "on outlay %", "resolved %"),
    *("per roll %", "rolls", "sd", "clauses"),
)
_WIDTHS = (47, 13, 12.5, 12.5, 12.5, 17, 19, 18, 18, 17, 13, 16, 36)
_LINE_HEADS = (
    *("game", "wager", "number", "option", "pays", "stake $", "win %", "lose %", "push %", "edge %", "edge fraction"),
    *("edge on outlay %", "edge resolved %", "edge per roll %", "rolls", "rolls fraction", "sd", "favours"),
    *("favourable stakes", "clauses"),
)
_NAMING = 4  # columns that say which line it is
_HOW_TO_READ = (
    "Edges are the house's; a negative one is the player's. "
    "Highlighted lines have a stake at which the house has no edge."
)
_ALL = "all that the regulation permits a house"


def printed_par(sheet: Sheet) -> PrintedSheet:
    """Return a par sheet as it is printed: a table for each wager, the elections, the definitions, signatures.

    >>> from passline.exact.par.sheet import sheet
    >>> printed = printed_par(sheet("section2", game="craps", wager="field"))
    >>> printed.title, len(printed.tables)
    ('Par sheet', 2)
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
    tables += _elections(sheet)
    tables.append(
        SheetTable(
            title="What the figures mean", heads=("figure", "meaning"), rows=meanings, widths=(1, 8), notes=notes
        )
    )
    return PrintedSheet(
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
        heads=_HEADS,
        rows=tuple(
            (
                *(row.label, row.stake, row.win, row.lose, row.push, (Styled(row.edge, "strong"),), row.fraction),
                *(row.outlay, row.resolved, row.per_roll, row.rolls, row.sd, (Styled(row.clauses, "clauses"),)),
            )
            for row in group.rows
        ),
        about=group.pays,
        notes=(*notes, *(f"▸ {flag}" for flag in group.flags)),
        widths=_WIDTHS,
        figures=tuple(range(1, len(_HEADS) - 1)),
        flagged=tuple(number for number, row in enumerate(group.rows) if row.is_flagged),
    )


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
        pages += (PrintedSheet(title=name, tables=(lines,)), house)
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
    )
