"""How long a set of dice is thrown in Maryland: from its first use on, whatever happens to table and crew meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest

from passline.refusal import Refused
from passline.rules.clauses import clauses_of
from passline.tables import commands as k
from passline.tables import events as t
from tests.tables.sitting import BOX, DEALER, STICK, Sitting, at_a_point

_LONGEST = timedelta(hours=int(clauses_of("maryland")["MD-7.E"].values["max_age_h"]))


def _set_in_play(sitting: Sitting) -> t.DiceSetPutIn:
    dice = sitting.table.supervision.dice
    assert dice is not None
    return dice


@pytest.mark.clause("MD-7.E")
def test_MD_7_E__the_hours_run_from_first_use_and_no_pause_gives_more() -> None:
    """MD-7.E: a table that lies idle, a new shooter and a set condemned elsewhere stop no clock of the set in play."""
    sitting = at_a_point()
    first = datetime.fromisoformat(sitting.at)
    sitting.roll(1, 4)
    half = int(_LONGEST.total_seconds()) // 120
    sitting.wait(half)
    sitting.roll(1, 4)
    sitting.wait(half - 1)
    sitting.roll(1, 4)
    sitting.wait(1)
    assert datetime.fromisoformat(sitting.at) - first >= _LONGEST
    assert "MD-7.E" in sitting.refusal(k.DiceOut(), STICK)


@pytest.mark.clause("MD-7.E")
@pytest.mark.parametrize("seed", range(12))
def test_MD_7_E__in_no_history_is_a_set_thrown_a_day_after_its_first_use(seed: int) -> None:
    """MD-7.E: waiting, new sets, condemned ones: each throw is within a day of the first with its set."""
    random, sitting = Random(seed), at_a_point()
    first: dict[int, datetime] = {}
    refused = thrown = 0
    for _ in range(120):
        sitting.wait(random.choice((1, 30, 240, 600)))
        match random.choice(("throw", "throw", "throw", "throw", "put in", "condemn")):
            case "throw":
                now, number = datetime.fromisoformat(sitting.at), _set_in_play(sitting).number
                if isinstance(sitting.ask(k.DiceOut(), STICK), Refused):
                    refused += 1
                    continue
                sitting.roll(1, 4)
                thrown += 1
                assert now - first.setdefault(number, now) < _LONGEST
                assert now - datetime.fromisoformat(_set_in_play(sitting).at) < _LONGEST
            case "put in" if random.random() < 0.3:
                sitting.do(k.PutInDice(), BOX)
            case "condemn" if random.random() < 0.3:
                sitting.do(k.CondemnDice(reason="unfit"), DEALER)
            case _:
                pass
    assert refused
    assert thrown
