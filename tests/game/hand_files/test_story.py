"""A hand told roll by roll: the sums add up, every settlement is told, and every clause is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passline.game import events as e
from passline.game.hand_files import hand_story, run_hand
from passline.game.hand_files.story import cited_clauses
from passline.money import cents_from
from passline.rules.clauses import find_clause
from tests.cases import one_in

HANDS = Path(__file__).resolve().parents[2] / "hands"
SUMS = re.compile(r"^ +.+(?:'s rack| on this roll): (.+) = (-?)([\d.]+)$")
TERM = re.compile(r"([+-]?) ?(\d+\.\d\d)")


@pytest.mark.parametrize("folder", one_in(4, sorted(path.name for path in HANDS.iterdir()), others=pytest.mark.whole))
def test_the_sums_of_every_hand_add_up_and_nothing_is_left_out(folder: str) -> None:
    sums = 0
    for path in sorted((HANDS / folder).glob("*.hand")):
        played = run_hand(path).played
        story = list(hand_story(played))
        for line in story:
            if found := SUMS.match(line):
                total = sum((-1 if sign == "-" else 1) * cents_from(amount) for sign, amount in TERM.findall(found[1]))
                assert total == (-1 if found[2] else 1) * cents_from(found[3]), line
                sums += 1
        rolls = sum(isinstance(event, e.RollSettled) for step in played for event in step.happened)
        assert sum(line.startswith("Roll ") for line in story) == rolls
        told = "\n".join(story)
        assert told.count(" wins ") >= sum(isinstance(event, e.WagerWon) for step in played for event in step.happened)
        explained = told.partition("\nClauses\n")[2]
        for clause in cited_clauses(played):
            assert f"    {clause}: " in explained, f"{path.name}: {clause}"
            assert find_clause(clause) is not None
    assert sums > 10


def test_a_refusal_is_told_with_its_clauses() -> None:
    played = run_hand(HANDS / "maryland" / "come-needs-the-puck-on.hand").played
    refused = [line for line in hand_story(played) if line.strip().startswith("refused: ")]
    assert refused
    assert all("[MD-" in line for line in refused)
