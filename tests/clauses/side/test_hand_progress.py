"""Side wagers that count over a hand: what is noted with the first point, and how long points stay marked."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.markers import markers_after
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Hand, cites_of
from tests.clauses.crew import every_side_wager
from tests.clauses.table import ANN, Play, cites

HANDS = [
    pytest.param(name, kind, marks=pytest.mark.clause(*cites_of(entry.make.cite)), id=f"{name}-{kind}")
    for name in ("colorado", "maryland")
    for kind, entry in rulebook_of(name).wagers.items()
    if isinstance(entry, Hand)
]


@pytest.mark.parametrize(("name", "kind"), HANDS)
def test_the_first_point_of_a_hand_is_noted_once(name: str, kind: str) -> None:
    """A total that the wager does not count, but that sets the point; nothing else is noted until one counts."""
    house = every_side_wager(name) | ({"limits": {kind: {"min": 100, "max": 500}}} if name == "colorado" else {})
    play = Play(Rules.of(name, house=house)).shoots()
    play.make(ANN, "pass", 10_00)
    play.make(ANN, kind, 5_00)
    entry = rulebook_of(name).wagers[kind]
    [noted] = [one for one in play.roll("2-4") if isinstance(one, e.WagerProgressed) and one.wager.kind == kind]
    assert cites([noted]) == {*cites_of(entry.make.cite)}
    assert noted.after.progress == (1, 0)
    assert not [one for one in play.roll("2-2") if isinstance(one, e.WagerProgressed)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(name, kind, marks=pytest.mark.clause(*cites_of(rulebook_of(name).wagers[kind].marked.cite)))  # type: ignore[union-attr]
        for name, kind in (("colorado", "fire"), ("colorado", "sharp_shooter"), ("maryland", "fire"))
    ],
)
def test_a_marker_of_points_goes_on_with_a_successor_until_the_loser_7(name: str, kind: str) -> None:
    """MD-11.A.4, CO-2317.01-6-until, CO-2317.02-5: points are marked for the table, whoever has a wager on them."""
    house = every_side_wager(name) | ({"limits": {kind: {"min": 100, "max": 500}}} if name == "colorado" else {})
    play, happened = Play(Rules.of(name, house=house)).shoots(), list[e.Event]()

    def count() -> int:
        return markers_after(play.rules, happened, play.table.position.layout)[kind].count

    happened += (*play.roll("2-4"), *play.roll("2-4"))
    assert count() == 1
    happened += play.do(c.SurrenderDice(seat=play.table.position.shooter))
    happened += play.do(c.AcceptDice(seat=play.table.position.offered_to))
    assert count() == 1
    play.shoots()
    happened += (*play.roll("3-1"), *play.roll("2-2"))
    assert count() == 2
    play.shoots()
    happened += (*play.roll("2-4"), *play.roll("3-4"))
    assert count() == 0
