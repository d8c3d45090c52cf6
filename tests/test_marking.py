"""The breaks of `./x bench marks`: every row of tournaments has some, and what came of them is kept and explained."""

from __future__ import annotations

import csv
import random
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.marking.clause_breaks import breaks_of
from benchmarks.marking.forks import Trial
from benchmarks.marking.hand_made import HandMade, hand_made_breaks
from benchmarks.marking.page_breaks import page_breaks_of
from benchmarks.marking.patching import patched
from benchmarks.marking.rulebook_breaks import Rulebooks
from benchmarks.marking.tally import (
    BREAKS,
    SURVIVORS,
    UNEXPLAINED,
    ClauseTally,
    write_breaks,
    write_survivors,
)
from benchmarks.marking.tournament_code import code_breaks_behind
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.tournament.state import player_key
from tests.cases import one_in

ROOT = Path(__file__).resolve().parents[1]
TOURNAMENT = [clause for name in REGULATIONS for clause, row in clauses_of(name).items() if row.part == "tournament"]


@pytest.mark.parametrize("clause", one_in(4, TOURNAMENT))
def test_every_row_of_tournaments_can_be_broken(clause: str) -> None:
    pages = list(page_breaks_of(ROOT, clause))
    assert pages, "no page cites it"
    assert len({one.what for one in pages}) > 1
    first = pages[0]
    assert first.text(ROOT) != (ROOT / first.path).read_text(encoding="utf-8")
    is_of_office = all("/office/" in one.path for one in pages)
    code = code_breaks_behind(ROOT, clause)
    assert is_of_office or code or clause == "CO-2315.01-free", "no code is behind it"


def test_words_of_pages_are_broken_too() -> None:
    broken = {one.what for one in page_breaks_of(ROOT, "CO-2315.07-4-sit")}
    assert "sheet.parts.stand_ins name 'stand-ins' -> 'other stand-ins'" in broken
    assert "sheet.parts.stand_ins source 'statement' -> 'criteria'" in broken
    assert "sheet.parts.stand_ins statement dropped" in broken
    broken = {one.what for one in page_breaks_of(ROOT, "AZ-III.M.2-b")}
    assert "acts.tgo_approve_tournament.fields.decision type 'document' -> 'text'" in broken
    assert "acts.tgo_approve_tournament.fields.decision optional added" in broken
    assert "gates.start_tournament.items.tgo since dropped" in broken
    assert "gates.start_tournament.items.tgo undone dropped" in broken


def test_code_is_the_matter_of_the_clause_whose_entry_it_reads() -> None:
    broken = {str(one) for one in code_breaks_behind(ROOT, "CO-2315.05-voucherowner")}
    said = "tournament/judges/desk.py _voucher: rules.owner and (not _is_of(winner, command)) -> False"
    assert said in broken
    assert not any("reentries_max" in one for one in broken)


def test_what_office_and_tournaments_keep_is_broken_on_their_own_pages() -> None:
    """Not in code of the game that only has a word of their entries, and not in a rulebook of an earlier version."""
    books = Rulebooks.read(ROOT)
    for clause, folder in (
        ("AZ-II.K.2-a", "arizona/office"),  # a notice, as of a hand
        ("AZ-II.N.4-a", "arizona/office"),
        ("AZ-III.M.3-d", "arizona/office"),
        ("MD-2.D.4.e.ii", "maryland/office"),
        ("CO-2315.06-play", "colorado/tournament"),
    ):
        broken = list(breaks_of(ROOT, books, clause, random.Random(clause), {}))
        assert {one.folder for one in broken} == {folder}, clause
        assert len({one.way for one in broken}) > 1
    both = islice(breaks_of(ROOT, books, "MD-11.A.4.b", random.Random(1), {}), 40)
    assert {one.folder for one in both} == {"maryland", "maryland/office"}


def test_code_of_tournaments_is_tried_where_no_page_can_be_broken() -> None:
    sites = [one.site for one in code_breaks_behind(ROOT, "CO-2316-1-exchange")]
    code = {"CO-2316-1-exchange": sites}
    broken = list(breaks_of(ROOT, Rulebooks(), "CO-2316-1-exchange", random.Random(1), code))
    places = ["pages" if one.site is None else one.path for one in broken]
    assert places == sorted(places, key=lambda place: place != "pages")
    assert "src/passline/tables/money/points.py" in places


def test_a_broken_function_is_mended_again() -> None:
    assert player_key("Ann  Lee", "") == "ann lee"
    broken = next(one for one in hand_made_breaks() if one.path.endswith("state.py"))
    with patched(broken.path, broken.tree(ROOT)):
        assert player_key("Ann  Lee", "") == "Ann Lee"
    assert player_key("Ann  Lee", "") == "ann lee"


def test_a_break_by_hand_whose_text_is_gone_is_an_error() -> None:
    gone = HandMade("a break of nothing", ("CO-2315.05-fee",), "src/passline/tournament/state.py", "no such text", "")
    with pytest.raises(ValueError, match="stands 0 times"):
        gone.tree(ROOT)


def test_a_trial_names_its_tests() -> None:
    assert Trial(("tests/a.py::test_b",)).texts == {}


def test_a_run_of_some_clauses_keeps_what_is_known_of_the_others(tmp_path: Path) -> None:
    table, page = tmp_path / "breaks.csv", tmp_path / "survivors.txt"
    first = [ClauseTally("A-1", 5, 4, ("a break | of\n it",)), ClauseTally("B-1", 3, 2, ("another",))]
    write_breaks(first, table)
    assert write_survivors(first, page) == ["A-1 | a break / of it", "B-1 | another"]
    page.write_text(page.read_text().replace(f"another | {UNEXPLAINED}", "another | nobody can see it"))
    again = [ClauseTally("A-1", 6, 6), ClauseTally("C-1", 2, 2)]
    write_breaks(again, table)
    assert table.read_text() == "clause,tried,noticed\nA-1,6,6\nB-1,3,2\nC-1,2,2\n"
    assert write_survivors(again, page) == []
    assert page.read_text().splitlines()[-1] == "B-1 | another | nobody can see it"
    assert write_survivors([first[1]], page) == []


def test_every_row_of_tournaments_was_tried_and_each_survivor_is_explained() -> None:
    with BREAKS.open(encoding="utf-8", newline="") as file:
        rows = {row["clause"]: (int(row["tried"]), int(row["noticed"])) for row in csv.DictReader(file)}
    assert [clause for clause in TOURNAMENT if not rows.get(clause, (0, 0))[0]] == []
    tried, noticed = (sum(rows[clause][at] for clause in TOURNAMENT) for at in (0, 1))
    assert 50 * (tried - noticed) <= tried, "more than 2% of the breaks survive"
    explained = SURVIVORS.read_text(encoding="utf-8")
    assert UNEXPLAINED not in explained
    lines = [line.split(" | ") for line in explained.splitlines() if not line.startswith("#")]
    alive = sum(clause in TOURNAMENT for clause, _, _ in lines)
    assert alive == tried - noticed
