"""A strategy file divided into its parts plays what the whole file plays, session by session, to the cent."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from passline import Rules, Terms, strategy_of
from passline.automaton.compiler import compile_states, compile_strategy
from passline.automaton.network import Network, network, network_of_parts
from passline.simulation.kernel_tables import limits_of, tables_of
from passline.simulation.reference_session import play_session
from passline.strategy.file_parts import parts_of_file
from passline.strategy.lookup import known_strategies
from passline.strategy.strategy_file import FileStrategy
from tests.cases import budget, one_in
from tests.strategy.samples import RULES, mine

SIDES = Rules.of("maryland", house={"side_wagers": {"fire": "A", "bonus_craps": "A"}})
COLLECTION = sorted(Path("tests/strategy/collection").glob("*.toml"))
TERMS = [Terms(bankroll_cents=cents, rolls=150) for cents in (130_00, 400_00)]
SESSIONS = budget(60, in_sweep=200)
PRESSED = """
[memory]
hits = { each = [6, 8], next = "0 if loser_7 else min(hits + won('place_win', number), 3)", max = 3 }
shooters = { next = "min(shooters + loser_7, 2)", max = 2 }

[[wish]]
make = "place_win"
on = [6, 8]
when = "point_on and shooters < 2"
cents = "12_00 * (1 + hits)"
"""


def divided(strategy: FileStrategy) -> list[str]:
    """Return the wagers of each part, as its name has them; none of a strategy that is one part."""
    parts = parts_of_file(strategy)
    return [part.name.partition("[")[2].partition("]")[0] for part in parts] if len(parts) > 1 else []


def records(found: Network, terms: Terms) -> list[tuple[int, ...]]:
    """Return ending, rolls and amounts of some sessions in cents."""
    tables = tables_of(found)
    limits, unit = limits_of(tables, terms), tables.unit
    dealt: list[tuple[int, ...]] = []
    for session in range(SESSIONS):
        dice = random.Random(session)
        ended = play_session(tables, limits, (dice.randrange(36) for _ in range(200)))
        amounts = (limits.cents(ended.final, unit), limits.cents(ended.peak, unit), ended.drawdown * unit)
        dealt.append((ended.ending, ended.rolls, *amounts, ended.wagered * unit))
    return dealt


def check_equal(rules: Rules, strategy: FileStrategy, parts: list[FileStrategy]) -> None:
    """Compare the sessions of a strategy and of its parts side by side."""
    whole, apart = compile_strategy(rules, strategy, states_max=10_000), network_of_parts(rules, parts, budget=1)
    assert len(apart.parts) == len(parts)
    for terms in TERMS:
        assert records(apart, terms) == records(Network(("whole",), (whole,)), terms), f"{strategy.name} {terms}"


def files_that_divide() -> list[str]:
    """Return the strategies of the catalogue and the collection that have parts."""
    names = [*known_strategies(), *map(str, COLLECTION)]
    bound = []
    for name in names:
        try:
            strategy = strategy_of(name, SIDES)
        except Exception:  # noqa: BLE001, S112 - not every house offers every wager
            continue
        assert isinstance(strategy, FileStrategy)
        if divided(strategy):
            bound.append(name)
    return bound


@pytest.mark.parametrize("name", one_in(16, files_that_divide()))
def test_a_known_file_and_its_parts_play_the_same(name: str) -> None:
    strategy = strategy_of(name, SIDES)
    assert isinstance(strategy, FileStrategy)
    check_equal(SIDES, strategy, parts_of_file(strategy))


def test_memories_go_with_the_wagers_that_read_them(tmp_path: Path) -> None:
    strategy = mine(tmp_path, PRESSED)
    six, eight = parts_of_file(strategy)
    assert six.start == eight.start == (0, 0)
    assert [counter.label for counter in eight.counters] == ["hits[8]", "shooters"]
    assert six.version != eight.version != strategy.version
    check_equal(RULES, strategy, [six, eight])


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (("1 + hits)", "1 + sum(hits) // 2)"), []),
        (("1 + hits)", "1 + hits[6])"), []),
        (("shooters < 2", "not up('place_win', 14 - number) or hits"), []),
        (("shooters < 2", "layout < 90_00"), []),
        (("loser_7, 2", "loser_7 * won('place_win', 8), 2"), []),
        (("loser_7, 2", "loser_7 * won('place_lose'), 2"), ["place_win 6", "place_win 8"]),
        (("loser_7, 2", "loser_7 * (puck == 0), 2"), ["place_win 6", "place_win 8"]),
    ],
)
def test_what_reads_the_wagers_of_another_part_is_one_with_it(
    tmp_path: Path, change: tuple[str, str], parts: list[str]
) -> None:
    assert change[0] in PRESSED
    assert divided(mine(tmp_path, PRESSED.replace(*change))) == parts


REGRESSED = """
[memory]
hit = { each = [6, 8], next = "0 if loser_7 else max(hit, won('place_win', number))", max = 1 }
waits = { next = "0 if loser_7 else min(waits + 1, 3)", max = 3 }
"""
TAKEN_DOWN = '[[wish]]\ntake_down = "place_win"\non = [6]\nwhen = "waits == 3"\n'
RAISED = '[[wish]]\nmake = "place_win"\non = [8]\nwhen = "waits == 3"\ncents = "30_00"\n'
MADE = '[[wish]]\nmake = "place_win"\non = [6]\nwhen = "not waits"\ncents = "30_00"\n'


def test_a_file_that_lowers_one_wager_before_it_raises_another_is_not_divided(tmp_path: Path) -> None:
    """Its player pays for the 8 with what comes down from the 6; two players apart would need both at once."""
    after = mine(tmp_path, REGRESSED + MADE + RAISED + TAKEN_DOWN)
    assert divided(after) == ["place_win 6", "place_win 8"]
    check_equal(RULES, after, parts_of_file(after))
    before = mine(tmp_path, REGRESSED + MADE + TAKEN_DOWN + RAISED)
    assert not divided(before)


@pytest.mark.parametrize("seed", range(budget(2, in_sweep=60)))
def test_generated_files_and_their_parts_play_the_same(tmp_path: Path, seed: int) -> None:
    random_ = random.Random(seed)
    numbers = random_.sample([4, 5, 6, 8, 9, 10], 2)
    hit = random_.choice(["won('place_win', number)", "(total == number)", "won('pass')", "point_made"])
    back = random_.choice(["loser_7", "lost('place_win', number)", "point_made", "won('field')"])
    wishes = [
        '[[wish]]\nmake = "pass"\ncents = "10_00 + 5_00 * shooters"\n',
        '[[wish]]\nmake = "field"\nwhen = "shooters != 1 and come_out"\ncents = "exact(5_00)"\n',
        f'[[wish]]\nmake = "place_win"\non = {numbers}\nwhen = "point_on"\ncents = "exact(10_00) * (1 + steps)"\n',
        f'[[wish]]\nmake = "hardway"\non = [4, 8]\nwhen = "steps[{numbers[0]}] == 1"\ncents = "5_00"\n',
        '[[wish]]\nmake = "come"\nwhen = "point_on and count(\'come\') < 2"\ncents = "10_00"\n',
        '[[wish]]\nmake = "pass_odds"\ncents = "exact(10_00)"\n',
        f'[[wish]]\ntake_down = "place_win"\non = {numbers[:1]}\nwhen = "steps == 2"\n',
    ]
    kept = [wish for wish in wishes if random_.random() < 0.6] or wishes[:2]
    memory = f"""
[memory]
steps = {{ each = {numbers}, next = "0 if {back} else min(steps + {hit}, 2)", max = 2 }}
shooters = {{ next = "(shooters + loser_7) % 3", max = 2 }}
"""
    strategy = mine(tmp_path, memory + "".join(kept))
    parts = parts_of_file(strategy)
    whole_states, is_all = compile_states(RULES, strategy, states_max=5_000)
    if len(parts) > 1 and is_all:
        check_equal(RULES, strategy, parts)
    assert whole_states > 1


def test_a_file_of_too_many_states_is_compiled_in_parts() -> None:
    strategy = strategy_of("half_press", RULES)
    found = network(RULES, strategy, states_max=200, budget=1)
    assert [name.partition("[")[2] for name in found.names] == ["place_win 8]", "place_win 6]"]
