"""Markers of side wagers after some rolls, whether or not anybody has made the wager.

cases/markers.txt has elections and what the shooters then do: rolls, with a pass wager up whenever a come-out roll
needs one, or `surrender`. Below each are the markers that show something.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.markers import markers_after
from tests.case_files import cases_of
from tests.clauses.table import Play, rules_of

CASES = cases_of(Path(__file__).parent / "cases" / "markers.txt")


def _shown(line: str) -> list[str]:
    elected, _, steps = line.partition(" | ")
    name, _, house = elected.partition(" ")
    play = Play(rules_of(name, house=tomllib.loads(f"house = {house}")["house"]))
    happened: list[e.Event] = []
    for step in steps.split():
        if not play.table.position.shooter:
            happened += play.do(c.AcceptDice(seat=play.table.position.offered_to))
        if step == "surrender":
            happened += play.do(c.SurrenderDice(seat=play.table.position.shooter))
        else:
            happened += play.shoots().roll(step)
    markers = markers_after(play.rules, happened)
    assert list(markers) == [kind for kind, rule in play.rules.wagers.items() if rule.lines]
    assert all(kind == marker.kind for kind, marker in markers.items())
    return [f"{one.kind} {one.count} {one.lit} [{one.clause}]" for one in markers.values() if one.count or one.clause]


@pytest.mark.parametrize(("line", "told"), CASES, ids=[line for line, _ in CASES])
def test_markers_show_what_the_rolls_of_a_hand_have_counted(line: str, told: list[str]) -> None:
    assert _shown(line) == told
