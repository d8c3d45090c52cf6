"""The pages of tournaments as they are read: refused where they name what there is not, or where a text has none."""

from __future__ import annotations

import pytest

from passline.rules.pages.texts import Pages, RulebookError
from passline.tournament.rules import TOURNAMENT_RULES, NoTournaments, tournament_of

_OWN = "colorado/tournament.toml"


def _with(text: str) -> Pages:
    pages = TOURNAMENT_RULES.installed_pages("colorado")
    return Pages("colorado", {**pages.texts, _OWN: pages.texts[_OWN] + text.encode()})


@pytest.mark.parametrize("name", ["maryland", "section2"])
def test_a_text_without_tournaments_says_so_by_its_name(name: str) -> None:
    with pytest.raises(
        NoTournaments, match=f"{name}: its text .* has no tournaments; those with tournaments are colorado, arizona"
    ):
        tournament_of(name)


def test_a_regulation_that_there_is_not_is_unknown() -> None:
    with pytest.raises(RulebookError, match="there is no rulebook 'nowhere'"):
        tournament_of("nowhere")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\n[limit.fee]\ncite = 'CO-2315.05-fee'\n", "limit: is not a section; did you mean limits"),
        (
            "\n[log.kept]\ncite = 'CO-2315.05-fees'\n",
            "log.kept: cites CO-2315.05-fees, which is not a clause of colorado",
        ),
        ("\n[log.keeps]\ncite = 'CO-2315.05-fee'\n", "log.keeps: is not a key here"),
        (
            "\n[sheet.lists.more]\nname = 'more'\nparts = ['hiden']\ncite = 'practice'\n",
            "sheet.lists.more: the sheet has no part 'hiden'; did you mean hidden",
        ),
        (
            "\n[sheet.parts.more]\nname = 'more'\nsource = 'prize'\ncite = 'practice'\n",
            "sheet.parts.more.source: 'prize' is not one of",
        ),
        ("\n[log.kept]\n", "log.kept.cite: is missing"),
    ],
)
def test_pages_are_refused_with_the_key_that_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(RulebookError) as caught:
        TOURNAMENT_RULES.read(_with(text))
    assert problem in str(caught.value)
