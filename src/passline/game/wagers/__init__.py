"""The families of wagers: each a pure function of (wager, roll, table before the roll) to an outcome."""

from passline.game.wagers.families import Outcome, is_working, outcome_of

__all__ = ["Outcome", "is_working", "outcome_of"]
