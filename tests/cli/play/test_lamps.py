"""The lamps of side wagers on the screen."""

from __future__ import annotations

import pytest

from passline.cli.play.lamps import lamp_rows
from passline.game.markers import markers_after
from tests.clauses.table import Play, rules_of


@pytest.mark.parametrize("rows_max", [9, 0])
def test_a_side_wager_without_a_marker_shows_like_one_at_zero(rows_max: int) -> None:
    rules = rules_of("colorado", house={"side_wagers": {"fire": "FB-1", "sharp_shooter": "SS-01"}})
    table = Play(rules).table
    unmarked, dark = (
        lamp_rows(rules, table, known, width=80, rows_max=rows_max) for known in ({}, markers_after(rules, ()))
    )
    assert unmarked == dark
