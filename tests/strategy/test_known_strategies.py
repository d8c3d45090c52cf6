"""The strategies that come with the package: each is played by the real engine wherever its wagers are dealt."""

import random

import pytest

from passline.errors import CrapsError
from passline.rules.clauses import REGULATIONS
from passline.rules.rules import Rules
from passline.strategy.catalogue import known_strategies, strategy_file, strategy_of
from passline.strategy.file import bound
from passline.strategy.playing import StrategyTable

SIDE_WAGERS = {
    "maryland": {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"},
    "colorado": {"fire": "FB-1", "sharp_shooter": "SS-01", "front_line_winner": "1"},
}
RULES = {name: Rules.of(name, house={"side_wagers": SIDE_WAGERS.get(name, {})}) for name in REGULATIONS}
PLAYED = {
    name: [regulation for regulation in REGULATIONS if set(file.kinds) <= RULES[regulation].wagers.keys()]
    for name, file in known_strategies().items()
}


@pytest.mark.parametrize(("name", "regulation"), [(name, one) for name, many in PLAYED.items() for one in many])
def test_a_known_strategy_plays_lawfully(name: str, regulation: str) -> None:
    rules = RULES[regulation]
    strategy = strategy_of(name, rules)
    for seed in range(3):
        chance = random.Random(seed)
        dice = [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(250)]
        table = StrategyTable(rules, [strategy_of("pass:unit=500", rules), strategy])
        table.open(20_000_00)
        assert table.play(dice) > 240
        assert strategy.kinds >= {wager.kind for wager in table.table.position.layout if wager.seat == 2}


@pytest.mark.parametrize("name", PLAYED)
def test_a_known_strategy_can_be_played_somewhere(name: str) -> None:
    assert PLAYED[name]
    file = strategy_file(name)
    assert file.name == name == file.path.removesuffix(".toml")
    assert file.description.endswith(".")
    assert file.source.endswith(".")
    for regulation in set(REGULATIONS) - set(PLAYED[name]):
        with pytest.raises(CrapsError, match=rf"{name}.toml: .*: {regulation} has no wager"):
            bound(file, RULES[regulation])
