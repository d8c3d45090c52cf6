"""A new side wager of a known family needs only data: invented ones are offered, made, counted and paid."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pytest

from passline.game import events as e
from passline.game.notation import format_table, parse_table
from passline.rules.elections import HouseBreaches
from passline.rules.explain.sections import explain, explain_all
from passline.rules.pages.texts import RulebookError, read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from tests.clauses.side.maryland import Side, decided, won
from tests.clauses.table import ANN, BOB, cites, make, settled

INVENTED = """
[odd_ones]
family = "collection"
name = "Odd Ones Wager"
offered = "odd_ones"
make = { when = "new_hand", cite = "MD-12.B.1" }
remove = { until = "never", cite = "MD-12.B.2" }
increase = { until = "never", cite = "MD-12.B.2" }
needs = { totals = [3, 5, 9, 11], cite = "MD-3.A" }
win = { cite = "MD-12.B.4" }
lose = { totals = [7, 12], cite = "MD-12.B.5.collect" }
marked = { restarts = "any_7", cite = "MD-12.B.3" }
amount = { min = 200, max = 1000, step = 200, cite = "MD-3.B.1", chips = { cite = "MD-3.B.1" } }

[odd_ones.tables]
plain = [{ counts = [0], pays = "25 to 1", cite = "MD-5.H" }]
stake_inside = [{ counts = [0], pays = "25 for 1", cite = "MD-5.I" }]

[ends]
family = "hand"
name = "Both Ends Wager"
offered = "ends"
make = { when = "any", cite = "MD-3.A.44" }
remove = { until = "deciding_roll", cite = "MD-4.D" }
beside = { cite = "MD-13.B.2" }
counts = "totals"
counted = { totals = [2, 12], cite = "MD-3.A" }
settles = { cite = "MD-11.A.5" }
carries = { cite = "MD-11.A.2" }
full = { count = 3, cite = "MD-12.B.4" }
notice = { count = 2, cite = "MD-11.A.6" }
marked = { restarts = "new_shooter", cite = "MD-11.A.4" }
areas = { max = 2, cite = "MD-2.D.4.a" }

[ends.tables]
Z = [
  { counts = [0], result = "lose", cite = "MD-3.A.40.b" },
  { counts = [1], result = "push", cite = "MD-3.A.45.b" },
  { counts = [2], pays = "9 to 2", cite = "MD-5.F.1.a" },
  { counts = [3], pays = "50 to 1", cite = "MD-5.F.1.b" },
]
"""
ELECTIONS = """
[odd_ones]
choices = ["none", "plain", "stake_inside"]
cite = "MD-2.D.5"

[ends]
choices = ["none", "Z"]
cite = "MD-2.D.6"
"""
BOTH = {"odd_ones": "plain", "ends": "Z"}


def _rulebook(invented: str = INVENTED, elections: str = ELECTIONS) -> Rulebook:
    """Maryland's rulebook with the invented side wagers beside its own."""
    added = {"sidewagers.toml": tomllib.loads(invented), "elections.toml": tomllib.loads(elections)}

    def read(path: Traversable | Path) -> dict[str, Any]:
        return {**read_toml(path), **added.get(path.name, {})}

    return load_rulebook(files("passline") / "rulebooks" / "maryland", read=read)


def _table(**tables: str) -> Side:
    return Side(Rules.under(_rulebook(), {"side_wagers": tables or BOTH}))


@pytest.mark.parametrize(
    ("table", "winnings", "clause"), [("plain", 100_00, "MD-5.H"), ("stake_inside", 96_00, "MD-5.I")]
)
def test_an_invented_collection_is_played(table: str, winnings: int, clause: str) -> None:
    side = _table(odd_ones=table)
    side.make(ANN, "odd_ones", 4_00)
    side.make(BOB, "odd_ones", 10_00)
    for cents in (1_00, 3_00, 12_00):
        assert cites(side.fork().refuse(make(1, "odd_ones", cents))) == {"MD-3.B.1"}
    assert not decided(side.throw(11, 6, 3, 5), "odd_ones")
    assert side.marker("odd_ones").lit == (3, 5, 11)
    near = side.fork()
    paid = won(side.throw(9), ANN, "odd_ones")
    assert paid.winnings == winnings
    assert {clause, "MD-12.B.4", "MD-3.A"} == cites([paid])
    for total in (7, 12):
        lost = settled(near.fork().throw(total), BOB, "odd_ones")
        assert [one.cents for one in lost if isinstance(one, e.WagerLost)] == [10_00]


@pytest.mark.parametrize(
    ("counted", "nets", "clause"), [(0, -6_00, "MD-3.A.40.b"), (1, 0, "MD-3.A.45.b"), (2, 27_00, "MD-5.F.1.a")]
)
def test_an_invented_hand_wager_is_settled_at_the_loser_7(counted: int, nets: int, clause: str) -> None:
    side = _table()
    side.throw(6)
    before = side.rack(ANN)
    assert cites(side.refuse(make(ANN, "ends", 5_00))) == {"MD-5.A"}  # 9 to 2 cannot be paid
    side.make(ANN, "ends", 6_00)
    happened = side.throw(*(12, 2)[:counted])
    told = [one for one in happened if isinstance(one, e.SurveillanceNotified)]
    assert [(one.kind, one.count) for one in told] == [("ends", 2)] * (counted == 2)
    assert side.marker("ends").count == counted
    [one] = settled(side.throw(7), ANN, "ends")
    assert clause in cites([one])
    assert side.rack(ANN) - before == nets


def test_an_invented_hand_wager_is_paid_when_it_is_full() -> None:
    side = _table()
    side.make(ANN, "ends", 6_00)
    side.make(BOB, "ends", 10_00)
    assert cites(side.refuse(make(1, "ends", 6_00))) == {"MD-2.D.4.a"}
    assert not decided(side.throw(2, 6, 12), "ends")
    side.make(ANN, "ends", 8_00)  # beside the first, with a count of its own
    side.surrender()
    happened = side.throw(2)
    assert won(happened, BOB, "ends").winnings == 500_00
    assert [(one.wager.number, one.wager.cents) for one in settled(happened, ANN, "ends")] == [(0, 6_00)]
    assert side.up(ANN, "ends", 1).progress[-1] == 1
    assert parse_table(format_table(side.table)) == side.table


def test_an_invented_side_wager_is_an_election_and_is_explained() -> None:
    assert cites(_table(ends="Z").refuse(make(ANN, "odd_ones", 2_00))) == {"MD-2.D.5"}
    with pytest.raises(HouseBreaches, match=r"side_wagers.ends: 'Y' is not one of 'none', 'Z' \[MD-2.D.6\]"):
        Rules.under(_rulebook(), {"side_wagers": {"ends": "Y"}})
    rules = Rules.under(_rulebook(), {"side_wagers": {"odd_ones": "stake_inside"}})
    assert "Odd Ones Wager" in explain(rules)
    assert "25 for 1" in explain(rules)
    assert "Both Ends Wager" in explain_all(rules)


@pytest.mark.parametrize(
    ("was", "becomes", "named"),
    [
        ("counts = [3], pays", "counts = [2], pays", ("ends", "tables.Z", "every count")),
        ('pays = "50 to 1"', 'pays = "fifty to 1"', ("ends", "fifty to 1")),
        ('offered = "ends"', 'offered = "odd_ones"', ("elections.toml", "ends", "no entry of the rulebook names")),
        ('cite = "MD-5.F.1.b"', 'cite = "MD-99"', ("MD-99", "not a clause of maryland")),
        ('family = "hand"', 'family = "foot"', ("foot",)),
        ('counts = "totals"', 'counts = "sums"', ("ends", "sums")),
        ('result = "push"', 'result = "push", pays = "1 to 1"', ("ends", "payout")),
    ],
)
def test_a_fault_in_an_invented_side_wager_is_named(was: str, becomes: str, named: tuple[str, ...]) -> None:
    assert INVENTED.count(was) == 1
    with pytest.raises(RulebookError) as refused:
        _rulebook(INVENTED.replace(was, becomes))
    assert all(word in str(refused.value) for word in named), refused.value
