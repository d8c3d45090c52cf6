"""The strategies of the catalogue, each played through the real engine under every regulation that has its wagers."""

import random
import re
from pathlib import Path

import pytest

from benchmarks._strategies import Hammerlock, pass_and_place, pass_with_odds, three_point_dolly, three_point_molly
from passline.errors import CrapsError
from passline.game.notation import format_wager
from passline.rules.clauses import REGULATIONS
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy
from passline.strategy.lookup import known_strategies, strategy_file, strategy_of
from passline.strategy.strategy_file import bind
from passline.strategy.strategy_table import StrategyTable
from tests.cases import one_in

SIDE_WAGERS = {
    "maryland": {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"},
    "colorado": {"fire": "FB-1", "sharp_shooter": "SS-01", "front_line_winner": "1"},
}
RULES = {name: Rules.of(name, house={"side_wagers": SIDE_WAGERS.get(name, {})}) for name in REGULATIONS}
PLAYED = {
    name: [regulation for regulation in REGULATIONS if set(file.kinds) <= RULES[regulation].wagers.keys()]
    for name, file in known_strategies().items()
}


@pytest.mark.parametrize(
    ("name", "regulation"),
    one_in(9, ((name, regulation) for name, many in PLAYED.items() for regulation in many), others=pytest.mark.whole),
)
def test_a_known_strategy_plays_lawfully(name: str, regulation: str) -> None:
    rules = RULES[regulation]
    strategy = strategy_of(name, rules)
    chance = random.Random(name)
    dice = [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(300)]
    table = StrategyTable(rules, [strategy_of("pass:unit=500", rules), strategy])
    table.open(20_000_00)
    assert table.play(dice) > 290
    assert strategy.kinds >= {wager.kind for wager in table.table.position.layout if wager.seat == 2}
    table.open(40_00)
    table.play(dice)  # wagers that cannot be paid for are not made, nor those that depend on them


@pytest.mark.parametrize("name", PLAYED)
def test_a_known_strategy_can_be_played_somewhere(name: str) -> None:
    assert PLAYED[name]
    file = strategy_file(name)
    assert file.name == name == file.path.removesuffix(".toml")
    assert file.description.endswith(".")
    assert file.source.endswith(".")
    for regulation in set(REGULATIONS) - set(PLAYED[name]):
        with pytest.raises(CrapsError, match=rf"{name}.toml: .*: {regulation} has no wager"):
            bind(file, RULES[regulation])


def layout(text: str, regulation: str, rolls: str) -> str:
    """Return what a strategy has up before the next roll, beside a player who shoots with a pass wager."""
    rules = RULES[regulation]
    table = StrategyTable(rules, [strategy_of("pass:unit=500", rules), strategy_of(text, rules)])
    table.open(2_000_00)
    table.play([(int(roll[0]), int(roll[-1])) for roll in rolls.split()])
    table._somebody_shoots()
    table._everybody_acts()
    return "; ".join(format_wager(w, with_seat=False) for w in table.table.position.layout if w.seat == 2)


def cases() -> list[tuple[str, ...]]:
    """Read the cases: the strategy, the regulation, the rolls, and what must be up before the next roll."""
    lines = Path(__file__).with_name("known_strategies.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in lines if not line.startswith("#")]


CASES = cases()


@pytest.mark.parametrize(("text", "regulation", "rolls", "expected"), CASES)
def test_a_known_strategy_has_the_expected_wagers_up(text: str, regulation: str, rolls: str, expected: str) -> None:
    assert layout(text, regulation, rolls) == expected


def test_every_known_strategy_has_a_case() -> None:
    assert known_strategies().keys() == {case[0].partition(":")[0] for case in CASES}


def test_the_strategy_files_in_the_guide_can_be_played(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
    files = re.findall(r"^```toml\n(.*?)^```$", guide, flags=re.MULTILINE | re.DOTALL)
    assert len(files) == 5
    rules = RULES["maryland"]
    for number, text in enumerate(files):
        path = tmp_path / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        strategy = strategy_of(str(path), rules)
        table = StrategyTable(rules, [strategy_of("pass:unit=500", rules), strategy])
        table.open(20_000_00)
        chance = random.Random(number)
        table.play([(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(300)])
        assert table.table.money.racks[1] != 20_000_00, strategy.name


@pytest.mark.parametrize(
    ("text", "in_python"),
    [
        ("pass:odds=2", pass_with_odds(10_00, 2)),
        ("molly", three_point_molly(10_00, 2)),
        ("dolly", three_point_dolly(RULES["maryland"], 10_00)),
        ("pass + six_eight", pass_and_place(10_00, 12_00)),
        ("hammerlock", Hammerlock(10_00)),
    ],
)
def test_a_file_and_python_code_for_the_same_strategy_play_alike(text: str, in_python: Strategy) -> None:
    rules = RULES["maryland"]
    strategy = strategy_of(text, rules)
    chance = random.Random(text)
    dice = [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(500)]
    results = []
    for one in (strategy, in_python):
        table = StrategyTable(rules, [strategy_of("pass:unit=500", rules), one])
        table.open(5_000_00)
        table.play(dice)
        results.append((table.table, table.rolls))
        assert one.kinds >= {wager.kind for wager in table.table.position.layout if wager.seat == 2}
    assert results[0] == results[1]
