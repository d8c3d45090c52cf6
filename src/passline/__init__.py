"""The game of craps as the regulators wrote it, executable.

>>> from passline import CrapsGame
>>> game = CrapsGame("maryland")
"""

from importlib import import_module
from typing import TYPE_CHECKING

from passline.dice import OUTCOMES, Roll
from passline.errors import CrapsError
from passline.game.craps import CrapsGame
from passline.game.decide import act, decide
from passline.game.evolve import evolve, fold
from passline.game.position import Table, open_table
from passline.game.refusal import Refusal, Refused, WagerRefused
from passline.money import Cents, Pays
from passline.rules.rules import Rules

if TYPE_CHECKING:
    from passline.automaton.compiler import compile_strategy
    from passline.exact.analysis import analyze
    from passline.exact.chain.hand_law import hand_length
    from passline.exact.par.par import par_of
    from passline.exact.par.sheet import sheet
    from passline.exact.session.law import Terms
    from passline.strategy.lookup import strategy_of

__all__ = [
    "OUTCOMES",
    "Cents",
    "CrapsError",
    "CrapsGame",
    "Pays",
    "Refusal",
    "Refused",
    "Roll",
    "Rules",
    "Table",
    "Terms",
    "WagerRefused",
    "act",
    "analyze",
    "compile_strategy",
    "decide",
    "evolve",
    "fold",
    "hand_length",
    "open_table",
    "par_of",
    "sheet",
    "strategy_of",
]

__version__ = "0.1.0"

# The exact mathematics needs arrays and kernels (the extra `exact`), so it is imported when it is asked for.
_LATER = {
    "Terms": "passline.exact.session.law",
    "analyze": "passline.exact.analysis",
    "compile_strategy": "passline.automaton.compiler",
    "hand_length": "passline.exact.chain.hand_law",
    "par_of": "passline.exact.par.par",
    "sheet": "passline.exact.par.sheet",
    "strategy_of": "passline.strategy.lookup",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'passline' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
