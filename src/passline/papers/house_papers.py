"""The papers of a house as sheets: posted rules, limits card and layout."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from msgspec import Struct

from passline.dice import number_text
from passline.documents.pictures import SheetDrawing
from passline.documents.sheet import Cell, PrintedSheet, SheetFigure, SheetTable, Styled, sheet_in
from passline.layout.printed import inscription
from passline.money import dollar_amount, multiple_of
from passline.papers.layout_drawing import LayoutDrawing, layout_drawing
from passline.papers.posted_rules import PostedWager, posted_game, posted_procedures, posted_wagers, short_amounts
from passline.rules.explain.election_form import elections_in_force
from passline.rules.explain.paper_head import (
    PaperHead,
    cited_words,
    elections_table,
    head_lines,
    house_signatures,
    shortened_clauses,
)
from passline.rules.explain.payouts import vigorish_text
from passline.rules.explain.wagers import CitedLine, odds_most_text
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import OddsWager, SideWager, cites_of

PAPERS = ("rules", "card", "layout")
"""The papers, in the order in which they are printed."""
POSTER = "poster"
"""The posted rules for players: one large page, without clauses; a code leads to them, or a sentence."""
_POSTER_HEADS = ("wager", "wins", "pays", "from", "to")
_ASK = "For these rules with the clauses that they rest on, ask a floorperson."
_OUTCOMES_MAX = 12  # a longer list of outcomes has no room in a row of the card
_WITHIN_ONE = re.compile("(?<!;) (?!with |up |at )|(?<=with) ")
_HOW_TO_READ = (
    'Only these wagers are taken. "To" pays beside the wager, which is returned; "for" counts it in. '
    "What a wager does not say otherwise, the game above says."
)


def house_papers(
    rules: Rules,
    head: PaperHead,
    *,
    papers: Collection[str] = PAPERS,
    feet: Fraction | None = None,
    link: str = "",
) -> list[PrintedSheet]:
    """Return the papers of a house: those that are usual, or those that are named; its layout on a felt of this length.

    A poster has a code that leads to `link`; without one it says whom to ask for the clauses.
    """
    sheets = []
    if POSTER in papers:
        sheets.append(_poster_sheet(rules, head, link))
    if "rules" in papers:
        sheets.append(_rules_sheet(rules, head))
    if "card" in papers:
        sheets.append(_card_sheet(rules, head))
    if "layout" in papers:
        sheets.append(_layout_sheet(layout_drawing(rules, head, feet=feet), head))
    return [sheet_in(sheet, rules.rulebook.general.currency) for sheet in sheets]


def _rules_sheet(rules: Rules, head: PaperHead) -> PrintedSheet:
    posted = posted_wagers(rules)
    wagers = SheetTable(
        title="The wagers",
        heads=("wager", "how it is made and decided, with the clauses", "pays", "limits"),
        rows=tuple(_wager_row(wager) for wagers in posted.values() for wager in wagers),
        about=(_HOW_TO_READ,),
        widths=(27, 87, 37, 27),
        groups=_group_titles(posted),
    )
    return PrintedSheet(
        title=f"{head.game}: rules and odds",
        owner=head.house,
        regulation=head.regulation,
        about="Posted rules of the house, in plain words, with the clauses they rest on",
        facts=tuple(head_lines(head)),
        tables=(
            _cited_table("The game", posted_game(rules)),
            wagers,
            _cited_table("How it is dealt", posted_procedures(rules)),
            elections_table(elections_in_force(rules)),
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


def _group_titles(groups: Mapping[str, Sequence[object]]) -> tuple[tuple[int, str], ...]:
    """Return the title of each group with the number of its first row."""
    firsts = accumulate(map(len, groups.values()), initial=0)
    return tuple(zip(firsts, groups, strict=False))


def _foot(head: PaperHead, title: str) -> tuple[str, ...]:
    dated = (f"in force from {head.in_force}",) if head.in_force else ()
    return (head.house, title, *dated, head.digest[:12])


class CardRow(Struct, frozen=True):
    """One wager of the limits card: its name, the least and the most that it may be, and what it pays."""

    kind: str
    name: str
    least: str
    most: str
    pays: str


def card_rows(rules: Rules) -> dict[str, list[CardRow]]:
    """Return the wagers of the limits card by the title of their sort.

    >>> card_rows(Rules.of("maryland"))["Line wagers"][0]
    CardRow(kind='pass', name='Pass Line', least='$5', most='$5,000', pays='1 to 1')
    """
    return {
        title: [_card_row(rules, rules.wagers[wager.kind], wager) for wager in wagers]
        for title, wagers in posted_wagers(rules).items()
    }


def card_odds(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return each multiple of the odds, and the points it is taken on.

    >>> card_odds(Rules.of("maryland"))
    (('3x', '4, 10'), ('4x', '5, 9'), ('5x', '6, 8'))
    """
    multiples: dict[int | str, list[str]] = {}
    for point, multiple in rules.odds_posted().items():
        multiples.setdefault(multiple, []).append(point)
    ascending = sorted(multiples.items(), key=lambda item: multiple_of(item[0]))
    return tuple((f"{multiple}x", ", ".join(points)) for multiple, points in ascending)


def _card_sheet(rules: Rules, head: PaperHead) -> PrintedSheet:
    house, limits, groups = rules.house, rules.rulebook.general.limits, card_rows(rules)
    wagers = SheetTable(
        title="",
        heads=("wager", "minimum", "maximum", "pays"),
        rows=tuple(
            ((Styled(row.name, "strong"),), row.least, row.most, _unbroken(row.pays))
            for rows in groups.values()
            for row in rows
        ),
        notes=(" ".join(card_notes(rules)),),
        widths=(0, 0, 0, 1),
        groups=_group_titles(groups),
    )
    odds = [rule.entry.limit for rule in rules.wagers.values() if isinstance(rule.entry, OddsWager)]
    posted = rules.rulebook.general.live.posted  # whoever has the limits posted at the table
    rests_on = (limits.min, limits.max, *odds, *((posted,) if posted else ()))
    clauses = [clause for rule in rests_on for clause in cites_of(rule.cite)]
    return PrintedSheet(
        title=head.game,
        owner=head.house,
        regulation=head.regulation,
        dated=f"in force from {head.in_force}" if head.in_force else "",
        figures=(
            SheetFigure("minimum", ((_amount(house.wager_cents_min), ""),)),
            SheetFigure("maximum", ((_amount(house.wager_cents_max), ""),)),
            SheetFigure("odds, times the original wager", card_odds(rules)),
        ),
        tables=(wagers,),
        small_print=", ".join(shortened_clauses(clauses)),
        foot=_foot(head, "Limits card"),
        form="placard",
    )


def _poster_sheet(rules: Rules, head: PaperHead, link: str) -> PrintedSheet:
    house, groups, posted = rules.house, card_rows(rules), posted_wagers(rules)
    wins = {wager.kind: wager.wins for wagers in posted.values() for wager in wagers}
    wagers = SheetTable(
        title="",
        heads=_POSTER_HEADS,
        rows=tuple(
            (
                (Styled(row.name, "strong"),),
                wins[row.kind],
                (Styled(_unbroken(row.pays), "strong"),),
                _unbroken(row.least),
                _unbroken(row.most),
            )
            for rows in groups.values()
            for row in rows
        ),
        notes=(*card_notes(rules), *(() if link else (_ASK,))),
        widths=(0, 40, 26, 15, 18),
        groups=_group_titles(groups),
    )
    return PrintedSheet(
        title=head.game,
        owner=head.house,
        regulation=head.regulation,
        dated=f"in force from {head.in_force}" if head.in_force else "",
        about="How wagers are won, what they pay, and how much they may be",
        figures=(
            SheetFigure("minimum", ((_amount(house.wager_cents_min), ""),)),
            SheetFigure("maximum", ((_amount(house.wager_cents_max), ""),)),
            SheetFigure("odds, times the original wager", card_odds(rules)),
        ),
        tables=(wagers,),
        small_print='Only these wagers are taken. "To" pays beside the wager, which is returned; "for" counts it in.',
        foot=_foot(head, "Rules for players"),
        form="poster",
        code=link,
        code_leads="All rules, with their clauses" if link else "",
    )


def _unbroken(words: str) -> str:
    """Return payouts or amounts with no-break spaces, so that lines break only between two, or before a cap of one."""
    return _WITHIN_ONE.sub("\N{NO-BREAK SPACE}", words)


def _card_row(rules: Rules, rule: WagerRule, posted: PostedWager) -> CardRow:
    least, most = (_by_number(rules, rule, is_most=is_most) for is_most in (False, True))
    if isinstance(rule.entry, OddsWager):
        limits = rules.rulebook.general.limits
        least = "any" if limits.odds_outside_min else least
        most = _most_odds(rules, rule.entry)
    return CardRow(rule.kind, rule.display_name(), least, most, _pays(rules, rule, posted))


def _by_number(rules: Rules, rule: WagerRule, *, is_most: bool) -> str:
    """Return the least or the most that is taken and can be paid exactly, with the numbers on which it differs."""
    by_cents: dict[int, list[str]] = {}
    for number in sorted(rule.numbers):
        least, most = rules.least_taken(rule, number), rules.most_taken(rule, number)
        taken = 0 if least > most and not rule.behind else most if is_most else least
        by_cents.setdefault(taken, []).append(number_text(number))
    (first, _numbers), *others = sorted(by_cents.items(), reverse=is_most)
    more = (f"{_amount(cents)} on {', '.join(on)}" for cents, on in others)
    return "; ".join([_amount(first), *more])


def _amount(cents: int) -> str:
    return dollar_amount(cents, is_grouped=True) if cents else "none"


def _most_odds(rules: Rules, entry: OddsWager) -> str:
    is_to_win, caps = entry.limit.on != "stake", short_amounts(odds_most_text(rules, entry))
    multiples = "-".join(map(str, sorted(set(rules.odds_posted().values()), key=multiple_of)))
    most = f"{multiples}x to win" if is_to_win else f"{multiples}x"
    return f"{most}{', with' if is_to_win else ''} up to {caps}" if caps else most


def _pays(rules: Rules, rule: WagerRule, posted: PostedWager) -> str:
    if any(on.count(",") >= _OUTCOMES_MAX for _pays, on in posted.pays):
        return ", ".join(inscription(rules, rule.kind).notes)
    if len(posted.pays) == 1 and not isinstance(rule.entry, SideWager):
        return posted.pays[0][0]
    return "; ".join(f"{pays} on {on}" for pays, on in posted.pays)


def card_notes(rules: Rules) -> Iterator[str]:
    """Yield what the rows of the limits card have no room for."""
    charged: dict[str, list[str]] = {}
    for rule in rules.wagers.values():
        if rule.is_offered and rule.vigorish:
            charged.setdefault(vigorish_text(rule.vigorish), []).append(rule.display_name())
    for text, names in charged.items():
        yield f"Vigorish on {' and '.join(names)}: {text}."
    if any(rule.is_offered and rule.parts for rule in rules.wagers.values()):
        yield "A wager of several parts is paid on the part that wins; the others lose."
    odds = [rule.entry.limit for rule in rules.wagers.values() if isinstance(rule.entry, OddsWager)]
    if odds:
        won = "; where they are laid, of what they can win" if any(entry.on != "stake" for entry in odds) else ""
        yield f"Odds are in multiples of the original wager{won}."
    unpayable = "paid up to the next whole chip" if rules.house.unpayable == "round_up" else "refused"
    chip = dollar_amount(rules.chip, is_grouped=True)
    yield f"The smallest chip is {chip}: an amount that it cannot pay exactly is {unpayable}."


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
