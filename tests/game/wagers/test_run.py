"""Runs (Lucky Shooter): their progress before the initial point, under each reading."""

from __future__ import annotations

import pytest

from passline.game import events as e
from tests.clauses.table import ANN, Play, rules_of


@pytest.mark.parametrize(
    ("reading", "roll"),
    [("strict", "3-4"), ("pays_each_natural", "3-4"), ("pays_first_natural", "5-6"), ("points_made", "1-1")],
)
def test_a_lucky_shooter_counts_nothing_before_its_initial_point(reading: str, roll: str) -> None:
    house = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": reading}}
    play = Play(rules_of("maryland", house=house)).shoots()
    play.make(ANN, "lucky_shooter", 5_00)
    for rolled, progress in ((roll, (0, 0)), ("2-4", (6, 0))):
        play.shoots().roll(rolled)
        lucky = play.find(ANN, "lucky_shooter")
        assert lucky is not None
        assert lucky.progress == progress


@pytest.mark.parametrize(
    ("reading", "roll"), [("strict", "5-6"), ("pays_first_natural", "3-4"), ("points_made", "1-1")]
)
def test_a_lucky_shooter_records_only_its_first_roll_before_its_initial_point(reading: str, roll: str) -> None:
    house = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": reading}}
    play = Play(rules_of("maryland", house=house)).shoots()
    play.make(ANN, "lucky_shooter", 5_00)
    first, second = play.roll(roll), play.shoots().roll(roll)
    told = [
        [one for one in happened if isinstance(one, e.WagerProgressed | e.WagerWon) and one.wager.seat == ANN]
        for happened in (first, second)
    ]
    assert [len(one) for one in told] == [1, 0]
