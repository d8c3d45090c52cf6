"""No way round, searched: the known holes are found in the pages of version 0.2.0, and nothing new in today's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from passline.rules.clauses import REGULATIONS
from tests.cases import one_in
from tests.office.search.explore import Bounds, Search
from tests.office.search.findings import Finding, read_known
from tests.office.search.moves import moves_of
from tests.office.search.offices import (
    findings_of,
    findings_today,
    findings_with_known_holes,
    seeds_today,
    seeds_with_known_holes,
)
from tests.office.search.seeds import TABLE, twin_of

# The numbers are those of the examiners' list of what version 0.2.0 accepts and should not.
_KNOWN_HOLES = {
    "2, an objection settled that nobody made puts a house in force": (
        "arizona | an answer to nothing opens a way | settle_objection | AZ-II.G.3-e"
    ),
    "3, a layout approved for another house": "maryland | evidence for another house | lay_layout | MD-2.D",
    "3, rules posted for another house": "colorado | evidence for another house | hang_table_sign | CO-2314-place",
    "3, rules posted in another area": "colorado | evidence for another area | hang_table_sign | CO-2314-place",
    "3, dice supplied once are green a year later": "colorado | green for ever | supply_dice | CO-2309-1-spec",
    "4, an untrained crew opens": "arizona | people not covered | hold_training | AZ-II.I.1-a",
    "4, approval of another crew covers any crew": ("arizona | an approval covers anything | set_crew | AZ-II.M.2-alt"),
    "6, no supervisor at an open table": "arizona | out of a watch's scope | install_table | AZ-II.M.1-g",
    "6, no camera on an open table": "arizona | out of a watch's scope | install_table | AZ-II.J.6",
    "6, an open table that the SGA has refused": "arizona | out of a watch's scope | install_table | AZ-II.J.4-a",
    "7, a drop puts on an unchecked box": "arizona | another door | drop_table | AZ-III.C.2.a",
    "7, a drop puts on a box with another table's number": "arizona | another door | drop_table | AZ-III.C.2.d-1",
    "7, an emergency box becomes an ordinary one": ("arizona | one sort becomes another | count_box | AZ-III.C.2.d-3"),
    "7, a tip box collected and not replaced": "arizona | gone and still green | collect_tips | AZ-III.B.2-c",
    "8, seals that do not stay stay green": "arizona | said and not heard | store_table | AZ-II.K.2-b",
    "8, one seal number of the TGO at two tables": "arizona | one number twice | affix_tgo_seal | AZ-II.J.3-b",
    "8, one seal number of the SGA at two tables": "arizona | one number twice | sga_approve_table | AZ-II.J.4-a",
    "8, seals that a table never had are discarded": (
        "arizona | only an untruth is accepted | discard_seals | AZ-II.K.1-c"
    ),
    "8, a table that left cannot lawfully return": (
        "arizona | a fact without a lawful way | install_table from removed | AZ-II.J.1-a"
    ),
}
_SENTENCE_MIN = 20
_SHORT = Bounds(share=6, planned=50, watched=30, moves_a_cone=0, depth=3, cone_walks=0, walks=0, days=1, leaving=0)
_NOT_MET = {  # what a search says of all that it did not meet: a short one says it of much that a longer one meets
    "an act never accepted",
    "an act never lawful",
    "a state nobody reaches",
    "a state nobody leaves",
    "a kind nobody enters",
    "a fact without a lawful way",
    "green for ever",
    "no lawful way back",
    "only an untruth is accepted",
}
each_regulation = pytest.mark.parametrize("regulation", REGULATIONS)
_SEARCHED_WHOLE = "section2"  # on every run; the others take up to half a minute each
_OF_ANOTHER_ITEM = {_KNOWN_HOLES["3, rules posted for another house"]}
"""What is said of an item that only today's pages have: of the area alone, while another one asks for the house."""


def _nothing_new(found: dict[str, Finding], known: set[str]) -> None:
    new = [str(found[key]) for key in sorted(found.keys() - known)]
    assert not new, "read them, and mend the pages or add each to known.txt with a sentence:\n" + "\n".join(new)


@pytest.mark.whole
@pytest.mark.parametrize("regulation", [name for name in REGULATIONS if name != _SEARCHED_WHOLE])
def test_a_short_search_of_longer_pages_finds_nothing_new(regulation: str) -> None:
    """On every run only what is soon found is looked for."""
    found = findings_of(seeds_today(regulation), _SHORT)
    _nothing_new({key: hole for key, hole in found.items() if hole.oracle not in _NOT_MET}, {*read_known()})


@pytest.mark.long
@pytest.mark.parametrize(
    "regulation",
    [pytest.param(name, marks=[] if name == _SEARCHED_WHOLE else pytest.mark.sweep) for name in REGULATIONS],
)
@pytest.mark.whole
def test_the_search_finds_in_todays_pages_what_was_read_and_nothing_else(regulation: str) -> None:
    known = {key for key in read_known() if key.startswith(f"{regulation} | ")}
    found = findings_today(regulation)
    _nothing_new(found, known)
    mended = sorted(known - found.keys())
    assert not mended, "they are mended: take them out of known.txt:\n" + "\n".join(mended)


@pytest.mark.parametrize("regulation", one_in(4, ("maryland", "colorado", "section2", "arizona")))
@pytest.mark.whole
def test_the_search_finds_the_known_holes(regulation: str) -> None:
    """Next to the other test: while today's pages are those kept, both are one search, and no process repeats it."""
    kept = findings_with_known_holes(regulation)
    holes = {hole: key for hole, key in _KNOWN_HOLES.items() if key.startswith(f"{regulation} | ")}
    missed = [hole for hole, key in holes.items() if key not in kept]
    assert not missed, f"not found in the kept pages: {'; '.join(missed)}\n" + "\n".join(kept)


def test_no_known_hole_is_in_todays_pages() -> None:
    """What the search found in today's pages and somebody has read has none of them; the first test compares it."""
    assert not read_known(deeper=True).keys() & {*_KNOWN_HOLES.values()} - _OF_ANOTHER_ITEM


def test_every_known_finding_has_a_sentence() -> None:
    wanting = [key for key, said in read_known(deeper=True).items() if len(said) < _SENTENCE_MIN]
    assert not wanting


@each_regulation
def test_the_search_begins_with_an_open_table_and_a_twin_that_could_open(regulation: str) -> None:
    *_, ready, opened = seeds_today(regulation)
    assert (ready.dealt, opened.dealt) == (frozenset(), frozenset({TABLE}))
    red = [one.key for one in ready.opening(twin_of(TABLE)) if not one.is_green]
    assert red == [], "the twin of the table meets its list too"


@pytest.mark.whole
def test_a_mended_page_is_searched_without_the_hole() -> None:
    """An item that a later act turns red is not reported: the oracle can fall silent."""
    *_, ready, opened = seeds_with_known_holes("section2")
    rules = ready.office.rules
    items = rules.pages.gates["open_table"].items
    dice = changed(items["dice"], undone="change_equipment")
    gate = changed(rules.pages.gates["open_table"], items={**items, "dice": dice})
    mended = changed(
        rules, digest="mended", pages=changed(rules.pages, gates={**rules.pages.gates, "open_table": gate})
    )
    office = replace(ready.office, rules=mended)
    search = Search(
        [replace(one, office=office) for one in (ready, opened)], Bounds(planned=0, watched=0, walks=0, leaving=0)
    )
    assert "green for ever" not in {one.oracle for one in search.run()}


@pytest.mark.whole
def test_a_state_that_nothing_led_out_of_is_tried_again_from_there() -> None:
    """The Commission refuses a layout on a moment of the day; that it is drafted anew is only seen from there."""
    shut = "maryland | a state nobody leaves | layout.refused | practice"
    found = [findings_of(seeds_today("maryland"), replace(_SHORT, leaving=moves)) for moves in (0, 1)]
    assert [shut in one for one in found] == [True, False]


def test_two_searches_find_the_same() -> None:
    first, second = (Search(seeds_with_known_holes("section2"), _SHORT).run() for _ in range(2))
    assert first == second


def test_moves_name_the_things_of_the_twin_too() -> None:
    *_, ready, _ = seeds_with_known_holes("maryland")
    named = {move.given["layout"] for move in moves_of(ready, ["lay_layout"]) if move.act == "lay_layout"}
    assert named == {"L2", twin_of("L2")}


@pytest.mark.sweep
@each_regulation
def test_a_longer_search_finds_the_known_holes_too(regulation: str) -> None:
    """They do not depend on the bounds or on chance, as what nobody reaches does."""
    found = {one.key for one in Search(seeds_with_known_holes(regulation), Bounds().deeper(2), seed=2).run()}
    holes = {key for key in _KNOWN_HOLES.values() if key.startswith(f"{regulation} | ")}
    assert holes <= found, holes - found
