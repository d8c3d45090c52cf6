"""The families of wagers: pure functions from a wager, a roll and the puck to what the roll does to the wager."""

from passline.game.wagers.families import Outcome, is_working, outcome_of

__all__ = ["Outcome", "is_working", "outcome_of"]
