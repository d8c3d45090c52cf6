"""Hand files: wagers, rolls and their expected results as text, played by the engine."""

from passline.game.hand_files.runner import Difference, HandReport, hand_clauses, play_hand, run_hand
from passline.game.hand_files.steps import HandError

__all__ = ["Difference", "HandError", "HandReport", "hand_clauses", "play_hand", "run_hand"]
