"""Hand files: wagers, rolls and their expected results as text, played by the engine."""

from passline.game.hand_files.runner import Difference, HandReport, hand_clauses, play_hand, run_hand
from passline.game.hand_files.steps import HandError
from passline.game.hand_files.story import HandStep, hand_story

__all__ = ["Difference", "HandError", "HandReport", "HandStep", "hand_clauses", "hand_story", "play_hand", "run_hand"]
