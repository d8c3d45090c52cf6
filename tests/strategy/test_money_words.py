"""The words for money, memories by number, named expressions and `set`, in the engine and in automata."""

import random
from collections.abc import Hashable
from itertools import islice
from pathlib import Path

import pytest

from passline.automaton.compiler import compile_strategy, compile_to_the_end
from passline.automaton.real_table import RealTable
from passline.automaton.terms import Terms
from passline.dice import Roll
from passline.dice_sources import seeded_rolls
from passline.game.events import Event
from passline.rules.rules import Rules
from passline.simulation.replay import replay
from passline.strategy.interface import BaseStrategy, Lower, Seen, Simple, StrategyError, TakeDown, Want, Wish
from passline.strategy.lookup import strategy_of
from passline.strategy.purse import SeenMoney
from passline.strategy.strategy_table import StrategyTable
from tests.strategy.samples import RULES, mine, seen

LINE = '[[wish]]\nmake = "pass"\ncents = 1000\n'
BANKROLL = 1_000_00


def memories(tmp_path: Path, memory: str, rolls: str, wishes: str = LINE) -> list[Hashable]:
    """Return the memory of a strategy after each of these rolls, beside a player who shoots."""
    strategy = mine(tmp_path, f"{wishes}[memory]\n{memory}\n")
    table = RealTable(RULES, strategy, bankroll_cents=BANKROLL)
    found = []
    for pair in rolls.split():
        assert table.acts()
        table.roll(Roll(int(pair[0]), int(pair[-1])))
        found.append(table.memory)
    return found


@pytest.mark.parametrize(
    ("memory", "rolls", "wishes", "expected"),
    [
        ('x = { next = "x + cents_won - cents_lost", max = 9999, min = -9999 }', "5-6 1-1 6-1", "", [1000, 0, 1000]),
        (
            "x = { next = \"cents_won('pass') + 2 * cents_lost('pass')\", max = 9999 }",
            "5-6 1-1 2-3",
            "",
            [1000, 2000, 0],
        ),
        ('x = { next = "10 * low + high" }', "5-2 2-5 6-6", "", [25, 25, 66]),
        ('x = { next = "100 * puck + 10 * come_out + point_on" }', "2-2 1-3 6-5", "", [401, 10, 10]),
        ("x = { next = \"up('pass') + layout + count('pass')\", max = 9999 }", "2-2 1-3", "", [2001, 0]),
        (
            "x = { next = \"10 * travelled('come', 6) + travelled('come')\" }",
            "2-2 4-5 2-4",
            '[[wish]]\nmake = "come"\ncents = 500\n',
            [0, 1, 11],
        ),
        (
            "x = { next = \"10 * won('hop', '3-1') + won('hop', 124)\" }",
            "1-3 2-4 4-4",
            '[[wish]]\nmake = "hop"\non = ["1-3", "2-4"]\ncents = 100\n',
            [10, 1, 0],
        ),
        ('x = { next = "net", min = -9999, max = 9999 }', "5-6 5-6 1-1", "", [1000, 2000, 1000]),
        ('x = { next = "peak", max = 9999 }', "5-6 5-6 1-1", "", [1000, 2000, 2000]),
        ('x = { next = "rack", max = 999999 }', "2-2 1-3 1-1", "", [99000, 101000, 100000]),
        ('x = { next = "equity - bankroll", max = 9999, min = -9999 }', "5-6 2-2", "", [1000, 1000]),
        ("x = { next = \"table_max('pass') // table_min('pass') - chip\" }", "2-2", "", [900]),
    ],
)
def test_a_memory_reads_what_the_roll_did_and_what_is_seen_after_it(
    tmp_path: Path, memory: str, rolls: str, wishes: str, expected: list[int]
) -> None:
    found = memories(tmp_path, memory, rolls, LINE + wishes)
    assert found == [(value,) for value in expected]


def test_the_shooters_net_is_remembered_with_the_roll_that_ends_the_hand(tmp_path: Path) -> None:
    text = 'x = { next = "shooter_net", min = -9999, max = 9999 }'
    assert memories(tmp_path, text, "5-6 2-2 3-4 5-6") == [(1000,), (1000,), (0,), (1000,)]
    strategy = mine(tmp_path, '[[wish]]\nmake = "pass"\ncents = "$10 + shooter_net"\n')
    table = RealTable(RULES, strategy, bankroll_cents=BANKROLL)
    made = []
    for roll in (Roll(5, 6), Roll(5, 6), Roll(2, 2), Roll(3, 4), Roll(1, 1)):
        table.acts()
        made.append(table.sight().up("pass"))
        table.roll(roll)
    assert made == [1000, 2000, 4000, 4000, 1000], "after the loser 7 another hand begins"


def test_a_memory_is_read_by_number_wherever_it_is_kept_for_several(tmp_path: Path) -> None:
    text = """
hits = { each = [6, 8], start = "number", next = "0 if loser_7 else min(hits + (total == number), 20)" }
both = { next = "10 * hits[6] + hits[8] + 0 * sum(hits) + 0 * max(hits)" }
"""
    assert memories(tmp_path, text, "3-3 4-4 1-1") == [(7, 8, 68), (7, 9, 78), (7, 9, 79)]
    strategy = mine(tmp_path, LINE.replace("1000", '"100 * (hits[6] + hits[4 + 4])"') + f"[memory]{text}")
    assert strategy.wishes(seen(0), (3, 4, 0)) == (Want("pass", 0, 700),)
    wrong = mine(tmp_path, LINE.replace("1000", '"hits[7]"') + f"[memory]{text}")
    with pytest.raises(StrategyError, match=r"memory\.hits: it is kept for each of 6, 8, not for 7"):
        wrong.wishes(seen(0), (3, 4, 0))


def test_a_let_names_an_expression_for_wishes_and_memories(tmp_path: Path) -> None:
    text = """
[let]
level = "1 + min(streak, top)"
top = 2
[memory]
streak = { next = "min(streak + 1, 9) if won('pass') else 0 * level" }
[[wish]]
make = "pass"
cents = "$10 * level"
"""
    strategy = mine(tmp_path, text)
    assert [strategy.wishes(seen(0), (n,)) for n in (0, 1, 5)] == [(Want("pass", 0, c),) for c in (1000, 2000, 3000)]


@pytest.mark.parametrize(
    ("let", "problem"),
    [
        ('x = "y + 1"\ny = "z"\nz = "x"', r"mine.toml: let.z: 'x', at 1: this never ends: x -> y -> z -> x"),
        ('x = "x"', "this never ends: x -> x"),
        ("x = \"won('pass')\"", r"mine.toml: let.x: \"won\('pass'\)\", at 1: won cannot be called like this"),
        ('x = "1 // nothing"', r"let.x: '1 // nothing', at 6: no name 'nothing'"),
        ('x = "1"\npuck = "2"', "'puck' cannot name"),
        (
            'x = "a0 + a0"\n' + "\n".join(f'a{n} = "a{n + 1} + a{n + 1}"' for n in range(40)) + '\na40 = "1"',
            "longer than 2000 names and numbers, written out",
        ),
    ],
)
def test_a_let_that_cannot_be_read_is_an_error(tmp_path: Path, let: str, problem: str) -> None:
    with pytest.raises(StrategyError, match=problem):
        mine(tmp_path, f'[let]\n{let}\n[[wish]]\nmake = "pass"\ncents = "x"\n')


def test_a_file_with_own_words_that_are_words_of_the_language_now_reads_its_own(tmp_path: Path) -> None:
    strategy = mine(
        tmp_path, '[parameters]\nnet = 7_00\nlayout = 3_00\n[[wish]]\nmake = "pass"\ncents = "net + layout"\n'
    )
    assert strategy.wishes(seen(0), None) == (Want("pass", 0, 10_00),)
    assert not strategy.reads_money


def test_set_raises_and_lowers_and_leaves_alone_what_is_locked(tmp_path: Path) -> None:
    strategy = mine(tmp_path, '[[wish]]\nset = "place_win"\non = [6, 8]\ncents = 1200\n')
    assert strategy.wishes(seen(6, ("place_win", 6, 600), ("place_win", 8, 2400)), None) == (
        *(Want("place_win", 6, 1200), Lower("place_win", 8, 1200)),
    )
    assert strategy.wishes(seen(6, ("place_win", 6, 1200), ("place_win", 8, 1200)), None) == ()
    nothing = mine(tmp_path, '[[wish]]\nset = "place_win"\non = [6]\ncents = 0\n')
    assert nothing.wishes(seen(6, ("place_win", 6, 600)), None) == (TakeDown("place_win", 6),)
    assert nothing.wishes(seen(6), None) == ()
    line = mine(tmp_path, '[[wish]]\nset = "pass"\ncents = 500\n')
    assert line.wishes(seen(0, ("pass", 0, 1000)), None) == (Lower("pass", 0, 500),)
    assert line.wishes(seen(6, ("pass", 0, 1000)), None) == (), "a pass wager is locked once its point is set"
    with pytest.raises(StrategyError, match='set needs cents, or amount = "\\$10"'):
        mine(tmp_path, '[[wish]]\nset = "pass"\n')


FINITE = """
[let]
level = "steps[hits[6]] + steps[hits[8]]"
[parameters]
steps = [1, 2, 0]
[memory]
hits = { each = [6, 8], max = 3, next = "0 if loser_7 else (hits + (cents_won('place_win', number) > 0)) % 3" }
moved = { max = 1, next = "travelled('come') > 0 and up('come') > 0 and puck > 0" }
[[wish]]
make = "come"
when = "not moved"
cents = "$5"
[[wish]]
set = "buy"
on = [4]
when = "point_on"
cents = "$20 * level"
[[wish]]
set = "place_win"
on = [6, 8]
when = "point_on"
cents = "exact(6_00 * steps[hits])"
"""


@pytest.mark.whole
@pytest.mark.parametrize("regulation", ["maryland", pytest.param("section2", marks=pytest.mark.whole)])
def test_engine_and_automaton_agree_on_the_finite_words(tmp_path: Path, regulation: str) -> None:
    """The buy wager charges vigorish when it is made, and gives some back when it is lowered."""
    rules = Rules.of(regulation)
    strategy = mine(tmp_path, FINITE, rules)
    assert strategy.sees_after
    assert not strategy.reads_money
    automaton = compile_strategy(rules, strategy)
    table = RealTable(rules, strategy, bankroll_cents=10**8)
    state, equity = 0, 10**8
    for roll in islice(seeded_rolls(36), 500):
        assert table.acts()
        table.roll(roll)
        outcome = 6 * (roll.first - 1) + roll.second - 1
        equity += int(automaton.cash[state, outcome]) * automaton.unit
        state = int(automaton.next[state, outcome])
        assert table.equity_cents == equity


MONEY = """
[memory]
best = { max = 1_000_000, next = "peak" }
[[wish]]
make = "pass"
when = "net < 100_00 and peak - net < 150_00"
cents = "$10 if shooter_net < 0 else $20"
[[wish]]
make = "field"
when = "rack > best // 2"
cents = "$5"
"""


def test_a_strategy_that_reads_money_is_played_by_the_engine_and_not_compiled(tmp_path: Path) -> None:
    strategy = mine(tmp_path, MONEY)
    assert strategy.reads_money == {"net", "peak", "shooter_net", "rack"}
    for compiled in (compile_strategy, compile_to_the_end):
        with pytest.raises(StrategyError, match="mine reads net, peak, rack, shooter_net, so how it plays depends"):
            compiled(RULES, strategy)
    both = strategy + strategy_of("fire", Rules.of("maryland"))
    assert both.reads_money == strategy.reads_money
    chance = random.Random(36)
    dice = [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(400)]
    table = StrategyTable(RULES, [strategy_of("pass:unit=500", RULES), strategy])
    table.open(BANKROLL)
    assert table.play(dice) > 300


def test_both_tables_show_a_strategy_the_same_money() -> None:
    """A python strategy sees it too: `Seen.money`."""
    shown: dict[str, list[SeenMoney | None]] = {"engine": [], "table": []}

    class Watching(BaseStrategy, frozen=True):
        where: str
        name: str = "watching"
        shoots: bool = False
        start: Hashable = 0
        reads_money: frozenset[str] = frozenset({"net"})
        sees_after: bool = True

        def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
            del memory
            shown[self.where].append(seen.money)
            return (Want("field", 0, 5_00), Want("buy", 4, 20_00)) if seen.puck else (Want("field", 0, 10_00),)

        def remember_seen(self, memory: Hashable, happened: tuple[Event, ...], seen: Seen) -> Hashable:
            del memory, happened
            shown[self.where].append(seen.money)
            return 1

        def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
            raise AssertionError(f"it sees after the roll: {memory}, {happened}")

    real = RealTable(RULES, Watching("engine"), bankroll_cents=BANKROLL)
    rolls = list(islice(seeded_rolls(5), 60))
    for roll in rolls:
        real.acts()
        real.roll(roll)
    shooter = Simple("shooter", shoots=True, wish=lambda seen: () if seen.puck else (Want("pass", 0, 5_00),))
    table = StrategyTable(RULES, [shooter, Watching("table")])
    table.open(BANKROLL)
    assert table.play((roll.first, roll.second) for roll in rolls) == len(rolls)
    assert shown["engine"] == shown["table"]
    assert len({money.shooter_net for money in shown["engine"] if money}) > 5


def test_a_session_of_such_a_strategy_replays(tmp_path: Path) -> None:
    strategy = mine(tmp_path, MONEY)
    terms = Terms(bankroll_cents=BANKROLL, rolls=300)
    steps = list(replay(RULES, strategy, terms, seed=1, session=2))
    assert steps == list(replay(RULES, strategy, terms, seed=1, session=2))
    assert max(step.equity_cents for step in steps) <= BANKROLL + 100_00 + 25_00, "it stops at its goal"
