"""The game of craps as the regulators wrote it, executable.

>>> from passline import CrapsGame
>>> game = CrapsGame("maryland")

Each name is imported when it is first used, so that a program pays only for what it uses. The game, its rules and the
strategies need nothing more; the mathematics (`par_of`, `sheet`, `analyze`, `hand_length`, `compile_strategy`) and the
simulator (`simulate`) need the extra `exact`, the `Client` of live tables the extra `client`.
"""

from typing import TYPE_CHECKING

from passline.extras import extra_for
from passline.version import __version__ as __version__

if TYPE_CHECKING:
    from passline.automaton.compiler import compile_strategy
    from passline.automaton.terms import Terms
    from passline.client import Client
    from passline.dice import OUTCOMES, Roll
    from passline.errors import CrapsError
    from passline.exact.analysis import analyze
    from passline.exact.chain.hand_law import hand_length
    from passline.exact.par.par import par_of
    from passline.exact.par.sheet import sheet
    from passline.game import commands, events
    from passline.game.craps import CrapsGame
    from passline.game.decide import act, decide
    from passline.game.evolve import evolve, fold
    from passline.game.position import Table, open_table
    from passline.money import Cents, Pays
    from passline.refusal import Refusal, Refused, WagerRefused
    from passline.rules.rules import Rules
    from passline.simulation.simulation import simulate
    from passline.strategy.interface import Call, Seen, Simple, Strategy, TakeDown, Want
    from passline.strategy.lookup import known_strategies, strategy_of
    from passline.strategy.strategy_table import StrategyTable

__all__ = [
    "OUTCOMES",
    "Call",
    "Cents",
    "Client",
    "CrapsError",
    "CrapsGame",
    "Pays",
    "Refusal",
    "Refused",
    "Roll",
    "Rules",
    "Seen",
    "Simple",
    "Strategy",
    "StrategyTable",
    "Table",
    "TakeDown",
    "Terms",
    "WagerRefused",
    "Want",
    "act",
    "analyze",
    "commands",
    "compile_strategy",
    "decide",
    "events",
    "evolve",
    "fold",
    "hand_length",
    "known_strategies",
    "open_table",
    "par_of",
    "sheet",
    "simulate",
    "strategy_of",
]

# Imported when they are first asked for; tests/test_public_api.py holds it against the imports above.
_LATER = {
    "OUTCOMES": "passline.dice",
    "Call": "passline.strategy.interface",
    "Cents": "passline.money",
    "Client": "passline.client",
    "CrapsError": "passline.errors",
    "CrapsGame": "passline.game.craps",
    "Pays": "passline.money",
    "Refusal": "passline.refusal",
    "Refused": "passline.refusal",
    "Roll": "passline.dice",
    "Rules": "passline.rules.rules",
    "Seen": "passline.strategy.interface",
    "Simple": "passline.strategy.interface",
    "Strategy": "passline.strategy.interface",
    "StrategyTable": "passline.strategy.strategy_table",
    "Table": "passline.game.position",
    "TakeDown": "passline.strategy.interface",
    "Terms": "passline.automaton.terms",
    "WagerRefused": "passline.refusal",
    "Want": "passline.strategy.interface",
    "act": "passline.game.decide",
    "analyze": "passline.exact.analysis",
    "commands": "passline.game",
    "compile_strategy": "passline.automaton.compiler",
    "decide": "passline.game.decide",
    "events": "passline.game",
    "evolve": "passline.game.evolve",
    "fold": "passline.game.evolve",
    "hand_length": "passline.exact.chain.hand_law",
    "known_strategies": "passline.strategy.lookup",
    "open_table": "passline.game.position",
    "par_of": "passline.exact.par.par",
    "sheet": "passline.exact.par.sheet",
    "simulate": "passline.simulation.simulation",
    "strategy_of": "passline.strategy.lookup",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'passline' has no attribute {name!r}")
    with extra_for(f"passline.{name}"):
        module = __import__(_LATER[name], fromlist=[name])  # like `from`, which also finds a module in a package
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
