"""Records that Maryland's side wagers ask for: who keeps which markers, and that every clause of theirs is held."""

import pytest

from passline.layout.geometry import layout_of
from passline.rules.conformance import conformance_of
from passline.rules.explain.sections import sections
from passline.rules.rules import Rules
from passline.rules.schema import cites_of
from tests.clauses.side.maryland import EVERY, MD

# clause, who has the duty, and words it is printed with
DUTIES = [
    ("MD-11.A.3.collect", "dealer", "by position number"),
    ("MD-11.A.4.b", " or ".join(MD["MD-11.A.4.b"].values["custody"].split("|")), "Fire point markers"),
    ("MD-12.B.3.b", " or ".join(MD["MD-12.B.3.b"].values["custody"].split("|")), "Bonus Craps buttons"),
    ("MD-13.B.3.b", " or ".join(MD["MD-13.B.3.b"].values["custody"].split("|")), "Dice-Ology buttons"),
]


@pytest.mark.parametrize("game", ["craps", "mini_craps"])
@pytest.mark.parametrize(
    ("clause", "who", "words"), [pytest.param(*one, marks=pytest.mark.clause(one[0]), id=one[0]) for one in DUTIES]
)
def test_a_side_wager_s_duty_is_printed_with_who_has_it(clause: str, who: str, words: str, game: str) -> None:
    """MD-11.A.3.collect, MD-11.A.4.b, MD-12.B.3.b, MD-13.B.3.b: on the crew's card; others show that it is done."""
    rules = Rules.of("maryland", game=game, house={"side_wagers": EVERY})
    lines = [line for part in sections(rules) if part.title == "Duties" for line in part.lines]
    cited = [line for line in lines if clause in line.clauses]
    assert [(line.about, words in line.says) for line in cited] == [(who, True)], cited


@pytest.mark.clause("MD-11.A.3.collect")
@pytest.mark.parametrize(("game", "seats"), [("craps", 16), ("craps", 11), ("mini_craps", 9)])
def test_MD_11_A_3_collect__each_position_has_its_number_in_front_of_the_boxperson(game: str, seats: int) -> None:
    """MD-11.A.3.collect: in the order of the numbers, each that of the position's edge; by the dealer."""
    rules = Rules.of("maryland", game=game, house={"side_wagers": EVERY, "seats": seats})
    spots = [spot for spot in layout_of(rules).table.spots if spot.kind == "fire"]
    at_edge, brought_in = ([spot for spot in spots if spot.is_at_edge is one] for one in (True, False))
    assert MD["MD-11.A.3.collect"].values["order"] == "numeric"
    assert [spot.number for spot in brought_in] == list(range(1, len(at_edge) + 1))
    assert [(spot.number, spot.seats) for spot in brought_in] == [(spot.number, spot.seats) for spot in at_edge]
    assert rules.game.duties["fire_collected"].by == ("dealer",)
    assert "MD-11.A.3.collect" in cites_of(rules.game.duties["fire_collected"].cite)


def test_every_clause_of_a_side_wager_that_asks_for_something_is_in_the_rulebook() -> None:
    rows = [one for one in conformance_of("maryland", part="sidebets") if one.clause.kind != "physical"]
    assert len(rows) == 113
    assert [one.clause.id for one in rows if not one.where] == []
