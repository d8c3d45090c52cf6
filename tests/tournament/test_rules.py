"""The pages of tournaments as they are read: refused where they name what there is not, or where a text has none."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from passline.acts.rules import cited_parts
from passline.rules.clauses import clauses_of
from passline.rules.pages.day import days_told_by
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


@pytest.mark.clause("CO-2315-1-form")
def test_CO_2315_1_form__tournaments_are_in_force_from_the_day_of_the_newest_amendment_on() -> None:
    """CO-2315-1-form: the clauses are of 2012 and 2014; what those of 2012 said before is not known."""
    rules = tournament_of("colorado")
    clauses = clauses_of("colorado")
    days = {
        clauses[clause].values.get(key, "")
        for _path, cited in cited_parts(rules.pages)  # type: ignore[arg-type] # of any pages
        for clause in cited
        if clause in clauses
        for key in ("in_force", "amended")
    } - {""}
    begins = max(day for some in days for day in some.split("|"))
    for day in (date.fromisoformat(begins), date(2030, 1, 1)):
        with days_told_by(lambda _name, day=day: day):  # type: ignore[misc]
            assert tournament_of("colorado") is rules
    with days_told_by(lambda _name: date.fromisoformat(begins) - timedelta(days=1)):
        with pytest.raises(NoTournaments, match=f"colorado: .* in force only from {begins} on"):
            tournament_of("colorado")
        assert tournament_of("arizona")


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
