"""What of the puck the outcome of a wager hangs on, as the Struct of its family says: the rest changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from passline.dice import OUTCOMES, Roll
from passline.game.position import Wager
from passline.game.wagers import Outcome, heed_of, outcome_of
from passline.rules.rules import Rules
from tests.clauses.crew import every_side_wager
from tests.game.random_houses import GAMES

_WALKS, _THROWS = 12, 40


def _outcomes(rules: Rules, kind: str, number: int) -> Iterator[tuple[Roll, tuple[int, ...], int, Outcome]]:
    """Yield what every roll brings a wager at every point, with the progress of random hands: what it is now."""
    random, rule = Random(f"{kind} {number}"), rules.wagers[kind]
    progresses: set[tuple[int, ...]] = {rule.machine.start if rule.machine else ()}
    for _ in range(_WALKS):
        progress, puck = next(iter(progresses)), 0
        for _ in range(_THROWS):
            roll = random.choice(OUTCOMES)
            found = outcome_of(rules, Wager(1, "player", kind, number, 5_00, progress=progress), puck=puck, roll=roll)
            if found.does in {"win", "lose", "return", "move"}:
                break
            progress = found.progress or progress
            progresses.add(progress)
            puck = 0 if puck and roll.total in {puck, 7} else puck or (roll.total if roll.total in rules.points else 0)
    for progress in progresses:
        wager = Wager(1, "player", kind, number, 5_00, progress=progress)
        for roll in OUTCOMES:
            yield from (
                (roll, progress, puck, outcome_of(rules, wager, puck=puck, roll=roll)) for puck in (0, *rules.points)
            )


@pytest.mark.parametrize(("regulation", "game"), GAMES)
def test_a_wager_that_heeds_no_point_comes_to_the_same_at_each(regulation: str, game: str) -> None:
    house = every_side_wager(regulation) if game == "craps" else {}
    rules = Rules.of(regulation, game=game, house=house)
    asked = set[str]()
    for kind, rule in rules.wagers.items():
        if rule.family == "composite" or not rule.is_offered:  # of parts, each of which is a wager of its own
            continue
        for number in rule.numbers:
            heed = heed_of(rule, number)
            asked.add(heed)
            found: dict[tuple[Roll, tuple[int, ...], int], set[Outcome]] = {}
            for roll, progress, puck, outcome in _outcomes(rules, kind, number):
                shown = puck if heed == "point" else int(heed == "puck" and puck > 0)
                found.setdefault((roll, progress, shown), set()).add(outcome)
            assert [key for key, outcomes in found.items() if len(outcomes) > 1] == [], (kind, number, heed)
    assert asked == {"nothing", "puck", "point"}
