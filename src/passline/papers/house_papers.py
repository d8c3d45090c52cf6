"""The papers of a house as sheets: posted rules, limits card and layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

from passline.documents.pictures import SheetDrawing
from passline.documents.sheet import Cell, PrintedSheet, SheetFigure, SheetTable, Styled
from passline.papers.layout_drawing import LayoutDrawing, layout_drawing
from passline.papers.limits_card import LimitsCard, limits_card
from passline.papers.posted_rules import PostedRules, PostedWager, posted_rules
from passline.rules.explain.paper_head import PaperHead, cited_words, elections_table, head_lines, house_signatures
from passline.rules.explain.wagers import CitedLine
from passline.rules.rules import Rules

__all__ = ["PAPERS", "house_papers"]

PAPERS = ("rules", "card", "layout")
"""The papers, in the order in which they are printed."""
_HOW_TO_READ = (
    'Only these wagers are taken. "To" pays beside the wager, which is returned; "for" counts it in. '
    "What a wager does not say otherwise, the game above says."
)


def house_papers(
    rules: Rules, head: PaperHead, *, papers: Collection[str] = PAPERS, feet: Fraction | None = None
) -> list[PrintedSheet]:
    """Return the papers of a house: all of them, or those that are named; its layout on a felt of this length."""
    sheets = []
    if "rules" in papers:
        sheets.append(_rules_sheet(posted_rules(rules), head))
    if "card" in papers:
        sheets.append(_card_sheet(limits_card(rules), head))
    if "layout" in papers:
        sheets.append(_layout_sheet(layout_drawing(rules, head, feet=feet), head))
    return sheets


def _rules_sheet(rules: PostedRules, head: PaperHead) -> PrintedSheet:
    wagers = SheetTable(
        title="The wagers",
        heads=("wager", "how it is made and decided, with the clauses", "pays", "limits"),
        rows=tuple(_wager_row(wager) for group in rules.groups for wager in group.wagers),
        about=(_HOW_TO_READ,),
        widths=(27, 87, 37, 27),
        groups=_group_titles((group.title, len(group.wagers)) for group in rules.groups),
    )
    return PrintedSheet(
        title=f"{head.game}: rules and odds",
        owner=head.house,
        regulation=head.regulation,
        about="Posted rules of the house, in plain words, with the clauses they rest on",
        facts=tuple(head_lines(head)),
        tables=(
            _cited_table("The game", rules.game),
            wagers,
            _cited_table("How it is dealt", rules.procedures),
            elections_table(rules.elections),
        ),
        signatures=house_signatures(),
        foot=_foot(head, "Posted rules"),
    )


def _wager_row(wager: PostedWager) -> tuple[Cell, ...]:
    pays: list[Styled] = []
    for place, (payout, on) in enumerate(wager.pays):
        pays += (Styled("\n" * (place > 0)), Styled(payout, "strong"), Styled(f" on {on}" if on else ""))
    if wager.is_by_part:
        pays += (Styled("\n"), Styled("on the part that wins", "faint"))
    how = (Styled(f"{wager.how}\n"), *cited_words(wager.clauses))
    return ((Styled(wager.name, "strong"),), how, tuple(pays), wager.limits)


def _cited_table(title: str, lines: Iterable[CitedLine]) -> SheetTable:
    rows = tuple(((Styled(line.about, "strong"),), f"{line.says}.", cited_words(line.clauses)) for line in lines)
    return SheetTable(title=title, rows=rows, widths=(27, 116, 36))


def _group_titles(groups: Iterable[tuple[str, int]]) -> tuple[tuple[int, str], ...]:
    """Return the title of each group with the number of its first row."""
    titles, first = [], 0
    for title, count in groups:
        titles.append((first, title))
        first += count
    return tuple(titles)


def _foot(head: PaperHead, title: str) -> tuple[str, ...]:
    dated = (f"in force from {head.in_force}",) if head.in_force else ()
    return (head.house, title, *dated, head.digest[:12])


def _card_sheet(card: LimitsCard, head: PaperHead) -> PrintedSheet:
    rows = tuple(
        ((Styled(row.name, "strong"),), row.least, row.most, _unbroken(row.pays))
        for group in card.groups
        for row in group.rows
    )
    wagers = SheetTable(
        title="",
        heads=("wager", "minimum", "maximum", "pays"),
        rows=rows,
        notes=(" ".join(card.notes),),
        widths=(0, 0, 0, 1),
        groups=_group_titles((group.title, len(group.rows)) for group in card.groups),
    )
    return PrintedSheet(
        title=head.game,
        owner=head.house,
        regulation=head.regulation,
        dated=f"in force from {head.in_force}" if head.in_force else "",
        figures=(
            SheetFigure("minimum", ((card.least, ""),)),
            SheetFigure("maximum", ((card.most, ""),)),
            SheetFigure("odds, times the original wager", card.odds),
        ),
        tables=(wagers,),
        small_print=", ".join(card.clauses),
        foot=_foot(head, "Limits card"),
        form="placard",
    )


def _unbroken(pays: str) -> str:
    """Return payouts that are broken across lines between them only."""
    return "; ".join(payout.replace(" ", "\N{NO-BREAK SPACE}") for payout in pays.split("; "))


def _layout_sheet(drawing: LayoutDrawing, head: PaperHead) -> PrintedSheet:
    areas = SheetTable(
        title="Schedule of areas",
        heads=("area", "number", "size, across by down", "print"),
        rows=tuple(((Styled(area.name, "strong"),), area.count, area.size, area.printed) for area in drawing.areas),
        about=(f"Felt {drawing.felt}, to the nearest eighth of an inch; scale {drawing.scale}",),
        widths=(27, 12, 44, 100),
        abreast=2,
    )
    return PrintedSheet(
        title="Layout",
        owner=head.house,
        regulation=head.regulation,
        dated=f"in force from {head.in_force}" if head.in_force else "",
        pictures=(SheetDrawing(title="", about="", svg=drawing.svg, inches_wide=drawing.inches_wide),),
        tables=(areas,),
        foot=_foot(head, f"Layout, scale {drawing.scale}"),
        form="drawing",
    )
