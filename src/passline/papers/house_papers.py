"""The papers of a house in one file: posted rules, limits card and layout, as a PDF or as a page of HTML."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct, to_builtins

from passline.papers.layout_drawing import LayoutDrawing, layout_drawing
from passline.papers.limits_card import LimitsCard, limits_card
from passline.papers.posted_rules import PostedRules, posted_rules
from passline.rules.explain.clause_lists import shortened_clauses
from passline.rules.explain.paper_head import SIGNED_BY, PaperHead, head_lines
from passline.rules.rules import Rules
from passline.typesetting import set_pages

__all__ = ["PAPERS", "HousePapers", "house_papers", "papers_pdf", "papers_pictures"]

PAPERS = ("rules", "card", "layout")
"""The papers, in the order in which they are printed."""


class HousePapers(Struct, frozen=True):
    """The papers that are printed; one that is not wanted is None."""

    head: PaperHead
    rules: PostedRules | None
    card: LimitsCard | None
    layout: LayoutDrawing | None


def house_papers(
    rules: Rules, head: PaperHead, *, papers: Collection[str] = PAPERS, feet: Fraction | None = None
) -> HousePapers:
    """Make the papers of a house: all of them, or those that are named."""
    return HousePapers(
        head=head,
        rules=posted_rules(rules) if "rules" in papers else None,
        card=limits_card(rules) if "card" in papers else None,
        layout=layout_drawing(rules, head, feet=feet) if "layout" in papers else None,
    )


def papers_pdf(papers: HousePapers) -> bytes:
    """Return the papers as a PDF. Equal papers give equal bytes."""
    return _set(papers, "pdf")[0]


def papers_pictures(papers: HousePapers, *, ppi: int) -> list[bytes]:
    """Return a PNG of each page."""
    return _set(papers, "png", ppi=ppi)


def _set(papers: HousePapers, form: Literal["pdf", "png"], *, ppi: int = 80) -> list[bytes]:
    return set_pages("passline.papers", "house.typ", _content(papers), form, ppi=ppi)


def _content(papers: HousePapers) -> dict[str, Any]:
    """Return what the template sets, with clauses drawn together."""
    content: dict[str, Any] = to_builtins(papers)
    content["head_lines"] = list(head_lines(papers.head))
    content["signed_by"] = SIGNED_BY
    if content["rules"]:
        rules = content["rules"]
        cited = [*rules["game"], *rules["procedures"], *rules["elections"]]
        for one in [*cited, *(wager for group in rules["groups"] for wager in group["wagers"])]:
            one["clauses"] = shortened_clauses(one["clauses"])
    return content
