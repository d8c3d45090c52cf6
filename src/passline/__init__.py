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
    from passline.automaton.compile import compile  # noqa: A004 - what it is; it shadows nothing that is used here
    from passline.exact.analysis import analyze
    from passline.exact.hands import hand_length
    from passline.exact.law import Terms
    from passline.exact.par import par_of
    from passline.exact.sheet import sheet
    from passline.strategy.catalogue import strategy_of

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
    "compile",
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
    "Terms": "passline.exact.law",
    "analyze": "passline.exact.analysis",
    "compile": "passline.automaton.compile",
    "hand_length": "passline.exact.hands",
    "par_of": "passline.exact.par",
    "sheet": "passline.exact.sheet",
    "strategy_of": "passline.strategy.catalogue",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'passline' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
