"""The papers of a house as files: what they bear, the same each time, and nothing breaks out of HTML."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from matplotlib.image import imread
from msgspec.structs import replace

from passline.documents.as_html import as_html
from passline.documents.as_pdf import as_pdf, as_pictures
from passline.documents.as_text import as_text
from passline.documents.sheet import PrintedSheet
from passline.papers.house_papers import POSTER, house_papers
from passline.rules.clauses import REGULATIONS
from passline.rules.elections import house_digest
from passline.rules.explain.paper_head import SIGNED_BY, head_lines, head_of
from passline.rules.rules import Rules
from tests.cases import one_in

RULES = Rules.of("maryland", house={"name": "Tom & <b>Jerry</b>'s", "side_wagers": {"fire": "A"}})
_PPI, _MARGIN_INCHES = 20, 0.7
HEAD = head_of(RULES, version="9.8.7", file_digest="f" * 64, in_force="2026-12-01")


def test_the_head_names_the_house_the_game_the_day_the_program_and_both_digests() -> None:
    said = dict(head_lines(HEAD))
    assert said["House"] == RULES.house.name
    assert (said["Game"], said["In force from"], said["Table limits"]) == ("Craps", "2026-12-01", "$5 to $5,000")
    assert said["Elections, SHA-256"] == house_digest(RULES.house)
    assert said["House file, SHA-256"] == "f" * 64
    assert "9.8.7" in said["Made by"]
    blank = dict(head_lines(head_of(RULES, version="1")))
    assert set(blank["In force from"]) == {"_"}
    assert "default house" in blank["House file, SHA-256"]


def test_a_page_of_html_has_every_paper_and_loads_nothing() -> None:
    page = as_html("Papers", *house_papers(RULES, HEAD))
    for _name, said in head_lines(HEAD):
        assert said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;") in page
    for rule in RULES.wagers.values():
        if rule.is_offered:
            assert rule.name.replace("'", "&#x27;") in page
    assert all(who in page for who in SIGNED_BY)
    assert "<b>Jerry" not in page
    assert not re.search(r"(?:src|href)=|url\(|@import|<script", page)
    assert page.count("<svg") == 1


def test_only_the_papers_that_are_wanted_are_made() -> None:
    page = as_html("Papers", *house_papers(RULES, HEAD, papers=["card"]))
    assert "<svg" not in page
    assert "Signatures" not in page


@pytest.mark.long
def test_a_pdf_is_the_same_every_time() -> None:
    card = house_papers(RULES, HEAD, papers=["card"])
    first = as_pdf(*card)
    assert first.startswith(b"%PDF-")
    assert as_pdf(*card) == first


@pytest.mark.sweep
def test_the_card_is_one_page_however_much_the_house_deals() -> None:
    every = {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"}
    odds = {"4": 1, "5": 2, "6": 3, "8": 4, "9": 5, "10": 6}
    crowded = Rules.of("maryland", house={"side_wagers": every, "odds": odds})
    for rules in (crowded, Rules.of("colorado", game="craps_free_craps"), Rules.of("section2", game="mini_craps")):
        card = house_papers(rules, head_of(rules, version="1"), papers=["card"])
        assert len(as_pictures(*card, ppi=20)) == 1


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_poster_has_every_wager_and_no_clause(name: str) -> None:
    rules = Rules.of(name)
    (poster,) = house_papers(rules, head_of(rules, version="1"), papers=[POSTER])
    page = as_html("Poster", poster)
    (table,) = poster.tables
    assert len(table.rows) == sum(rule.is_offered for rule in rules.wagers.values())
    assert all(row[1] for row in table.rows), "each says when it wins"
    assert not re.search(r"\b(?:AZ|CO|MD|S2)-\d|\b(?:AZ|CO|MD|S2)-[IVX]+\.", as_text(replace(poster, code="")) + page)
    assert (poster.form, poster.signatures, poster.facts) == ("poster", (), ())


def test_a_poster_has_a_code_that_leads_to_the_clauses_or_says_whom_to_ask() -> None:
    ask = "For these rules with the clauses that they rest on, ask a floorperson."
    (poster,) = house_papers(RULES, HEAD, papers=[POSTER])
    page = as_html("Poster", poster)
    assert (poster.code, "<svg" in page, ask in page) == ("", False, True)
    (linked,) = house_papers(RULES, HEAD, papers=[POSTER], link="https://craps.example/tables/maryland-1/rules")
    page = as_html("Poster", linked)
    assert linked.code == "https://craps.example/tables/maryland-1/rules"
    assert (page.count("<svg"), ask in page, "</svg><p>All rules, with their clauses</p>" in page) == (1, False, True)


@pytest.mark.whole
@pytest.mark.long
@pytest.mark.parametrize("name", one_in(len(REGULATIONS), REGULATIONS))
def test_a_poster_is_one_large_page(name: str) -> None:
    """18 by 24 inches; the sweep tries every game and side wager."""
    rules = Rules.of(name)
    for link in ("", "https://craps.example/tables/1/rules"):
        assert _sizes(house_papers(rules, head_of(rules, version="1"), papers=[POSTER], link=link)) == [(18, 24)]


@pytest.mark.sweep
@pytest.mark.parametrize("name", REGULATIONS)
def test_the_poster_is_one_page_however_much_the_house_deals(name: str) -> None:
    for game in Rules.of(name).rulebook.games:
        rules = Rules.of(name, game=game)
        assert _sizes(house_papers(rules, head_of(rules, version="1"), papers=[POSTER])) == [(18, 24)]


def _sizes(sheets: list[PrintedSheet]) -> list[tuple[int, int]]:
    """Return the width and the height of each page, in inches; nothing is printed in a margin."""
    sizes = []
    for png in as_pictures(*sheets, ppi=_PPI):
        page = imread(BytesIO(png))
        margin = int(_MARGIN_INCHES * _PPI)
        assert page[:, :margin].min() == page[:, -margin:].min() == 1, "white"
        sizes.append((page.shape[1] // _PPI, page.shape[0] // _PPI))
    return sizes
