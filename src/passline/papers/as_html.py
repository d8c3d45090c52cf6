"""The papers of a house as one page of HTML: nothing is loaded from elsewhere, and it prints page by page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files

from passline.papers.house_papers import HousePapers
from passline.papers.layout_drawing import LayoutDrawing
from passline.papers.limits_card import LimitsCard
from passline.papers.posted_rules import PostedRules, PostedWager
from passline.rules.explain.clause_lists import shortened_clauses
from passline.rules.explain.paper_head import SIGNED_BY, head_lines
from passline.rules.explain.wagers import CitedLine

__all__ = ["papers_html"]

_SIGNED = ("signature", "name", "office", "licence no.", "date")


def papers_html(papers: HousePapers) -> str:
    """Return the papers as a page of HTML."""
    head = papers.head
    title = f"{head.house}: {head.game.lower()}"
    style = (files("passline.papers") / "house.css").read_text(encoding="utf-8")
    parts: list[str] = []
    if papers.rules:
        parts += ["<section>", *_banner(papers, f"{head.game}: rules and odds"), *_rules(papers, papers.rules)]
        parts.append("</section>")
    if papers.card:
        parts += ['<section class="card">', *_banner(papers, head.game), *_card(papers.card), "</section>"]
    if papers.layout:
        parts += ['<section class="layout">', *_banner(papers, "Layout"), *_layout(papers.layout), "</section>"]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{style}</style></head><body>",
            *parts,
            "</body></html>",
            "",
        ]
    )


def _banner(papers: HousePapers, title: str) -> Iterator[str]:
    head = papers.head
    yield f'<p class="banner"><span>{escape(head.house)}</span><span>{escape(head.regulation)}</span></p>'
    yield f"<h1>{escape(title)}</h1>"
    if head.in_force:
        yield f'<p class="about">in force from {escape(head.in_force)}</p>'


def _rules(papers: HousePapers, rules: PostedRules) -> Iterator[str]:
    yield '<dl class="head">'
    for name, said in head_lines(papers.head):
        yield f"<dt>{escape(name)}</dt><dd>{escape(said)}</dd>"
    yield "</dl><h2>The game</h2>"
    yield from _cited(rules.game)
    yield "<h2>The wagers</h2>"
    yield _table_head("wager", "how it is made and decided, with the clauses", "pays", "limits")
    for group in rules.groups:
        yield f'<tr class="group"><th colspan="4" scope="rowgroup">{escape(group.title)}</th></tr>'
        for wager in group.wagers:
            cells = (f"{escape(wager.how)}{_clauses(wager.clauses)}", "<br>".join(_pays(wager)), escape(wager.limits))
            yield _row(wager.name, cells)
    yield "</table><h2>How it is dealt</h2>"
    yield from _cited(rules.procedures)
    yield "<h2>Elections in force</h2>"
    yield "<p>What the regulation leaves to a house, and what this house has chosen.</p>"
    yield _table_head("election", "this house", "permitted", "clauses")
    for one in rules.elections:
        chosen = f"<b>{escape(one.elected)}</b>"
        yield _row(one.label, (chosen, escape(one.permitted), _clauses(one.clauses)))
    yield '</table><div class="signatures"><h2>Signatures</h2>'
    for who in SIGNED_BY:
        lines = "".join(f"<span>{escape(one)}</span>" for one in _SIGNED)
        yield f'<p>{escape(who)}</p><p class="signed">{lines}</p>'
    yield "</div>"


def _pays(wager: PostedWager) -> Iterator[str]:
    for pays, on in wager.pays:
        yield f"<b>{escape(pays)}</b>" + (f" on {escape(on)}" if on else "")
    if wager.is_by_part:
        yield "<small>on the part that wins</small>"


def _cited(lines: Iterable[CitedLine]) -> Iterator[str]:
    yield "<table>"
    for line in lines:
        yield _row(
            line.about.capitalize(), (f"{escape(line.says[:1].upper() + line.says[1:])}.", _clauses(line.clauses))
        )
    yield "</table>"


def _clauses(clauses: Iterable[str]) -> str:
    return f'<div class="clauses">{escape(", ".join(shortened_clauses(clauses)))}</div>'


def _table_head(*names: str) -> str:
    return "<table><thead><tr>" + "".join(f'<th scope="col">{escape(name)}</th>' for name in names) + "</tr></thead>"


def _row(name: str, cells: Iterable[str]) -> str:
    return f'<tr><th scope="row">{escape(name)}</th>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _card(card: LimitsCard) -> Iterator[str]:
    odds = "".join(f"<span><b>{escape(times)}</b> on {escape(on)}</span>" for times, on in card.odds)
    yield '<div class="figures">'
    yield f"<div>minimum<b>{escape(card.least)}</b></div><div>maximum<b>{escape(card.most)}</b></div>"
    yield f"<div>odds, times the original wager<p>{odds}</p></div></div>"
    yield _table_head("wager", "minimum", "maximum", "pays")
    for group in card.groups:
        yield f'<tr class="group"><th colspan="4" scope="rowgroup">{escape(group.title)}</th></tr>'
        yield from (_row(row.name, map(escape, (row.least, row.most, row.pays))) for row in group.rows)
    yield f"</table><p>{escape(' '.join(card.notes))}</p>{_clauses(card.clauses)}"


def _layout(drawing: LayoutDrawing) -> Iterator[str]:
    yield f"<p>Scale {escape(drawing.scale)}; felt {escape(drawing.felt)}.</p>"
    yield f'<div class="drawing">{drawing.svg}</div><h2>Schedule of areas</h2>'
    yield _table_head("area", "number", "size, across by down", "print")
    for one in drawing.areas:
        yield _row(one.name, (str(one.count), escape(one.size), escape(one.printed)))
    yield "</table>"
