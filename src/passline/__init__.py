"""The game of craps as the regulators wrote it, executable.

>>> from passline import CrapsGame
>>> game = CrapsGame("maryland")
"""

from passline.dice import OUTCOMES, Roll
from passline.errors import CrapsError
from passline.game.craps import CrapsGame
from passline.game.decide import act, decide
from passline.game.evolve import evolve, fold
from passline.game.position import Table, open_table
from passline.game.refusal import Refusal, Refused, WagerRefused
from passline.money import Cents, Pays
from passline.rules.rules import Rules

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
    "WagerRefused",
    "act",
    "decide",
    "evolve",
    "fold",
    "open_table",
]

__version__ = "0.1.0"
