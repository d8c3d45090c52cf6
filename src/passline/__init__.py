"""The game of craps as the regulators wrote it, executable.

>>> from passline import CrapsGame
>>> game = CrapsGame("maryland")

Each name is imported when it is first used, so that a program pays only for what it uses. The game, its rules and the
strategies need nothing more; the mathematics (`par_of`, `sheet`, `analyze`, `best`, `hand_length`, `compile_strategy`)
and the simulator (`simulate`) need the extra `exact`, the `Client` of live tables the extra `client`, and logs, offices
and tournaments in memory (`MemoryLog`, `TrialOffice`, `TrialTournament`) the extra `serve`. `passline.gym` has
environments for learners, with the extra `gym`.
"""

from typing import TYPE_CHECKING

from passline.extras import MissingExtra, extra_for
from passline.version import __version__ as __version__

if TYPE_CHECKING:
    from passline.acts.calendar.facility import Facility
    from passline.automaton.compiler import compile_strategy
    from passline.automaton.decisions.menu import menu_of
    from passline.automaton.minimise import lump, minimise
    from passline.automaton.terms import Terms
    from passline.bookkeeping.win import table_results
    from passline.client import Client, News, Receipt, RequestRefused, RollNotProved, TableConnection, Unreachable
    from passline.dice import OUTCOMES, Roll
    from passline.dice_weights import DiceWeights, dice_named, dice_of_faces, dice_of_rolls_to_seven, weighted_dice
    from passline.errors import CrapsError
    from passline.exact.analysis import analyze
    from passline.exact.backwards import fewest_rolls, highest_goal, smallest_bankroll
    from passline.exact.best.best_play import best
    from passline.exact.best.purpose import Purpose
    from passline.exact.break_even import break_even_dice, gain_per_roll
    from passline.exact.certificates.certificate import certify, certify_wager, read_certificate, verify_certificate
    from passline.exact.chain.generating import eigenvalues, generating_function
    from passline.exact.chain.hand_law import hand_length
    from passline.exact.paired import analyze_against
    from passline.exact.par.par import par_of
    from passline.exact.par.sheet import sheet
    from passline.game import commands, events
    from passline.game.craps import CrapsGame
    from passline.game.decide import act, decide
    from passline.game.evolve import evolve, fold
    from passline.game.hand_files import run_hand
    from passline.game.position import Table, open_table
    from passline.money import Cents, Pays
    from passline.office.trial import TrialOffice
    from passline.office.views.day_report import office_day
    from passline.refusal import Refusal, Refused, WagerRefused
    from passline.rules.clauses import REGULATIONS, clauses_of
    from passline.rules.rules import Rules
    from passline.simulation.paired import simulate_against
    from passline.simulation.recorded_dice import dice_of_file, recorded_dice
    from passline.simulation.simulation import simulate
    from passline.store.memory import MemoryLog
    from passline.store.verify import verify_log
    from passline.strategy.interface import BaseStrategy, Call, Lower, Seen, Simple, Strategy, TakeDown, Want, Wish
    from passline.strategy.lookup import known_strategies, strategy_of
    from passline.strategy.strategy_table import StrategyTable
    from passline.tournament.plan.reader import example_plan
    from passline.tournament.trial import TrialTournament

__all__ = [
    "OUTCOMES", "REGULATIONS", "BaseStrategy", "Call", "Cents", "Client", "CrapsError", "CrapsGame", "DiceWeights",
    "Facility", "Lower", "MemoryLog", "News", "Pays", "Purpose", "Receipt", "Refusal", "Refused", "RequestRefused",
    "Roll", "RollNotProved", "Rules", "Seen", "Simple", "Strategy", "StrategyTable", "Table", "TableConnection",
    "TakeDown", "Terms", "TrialOffice", "TrialTournament", "Unreachable", "WagerRefused", "Want", "Wish", "act",
    "analyze", "analyze_against", "best", "break_even_dice", "certify", "certify_wager", "clauses_of", "commands",
    "compile_strategy", "decide", "dice_named", "dice_of_faces", "dice_of_file", "dice_of_rolls_to_seven",
    "eigenvalues", "events", "evolve", "example_plan", "fewest_rolls", "fold", "gain_per_roll", "generating_function",
    "hand_length", "highest_goal", "known_strategies", "lump", "menu_of", "minimise", "office_day", "open_table",
    "par_of", "read_certificate", "recorded_dice", "run_hand", "sheet", "simulate", "simulate_against",
    "smallest_bankroll", "strategy_of", "table_results", "verify_certificate", "verify_log", "weighted_dice",
]  # fmt: skip
_NAMES = tuple(__all__)
globals().pop("__all__")  # so that `from passline import *` asks __getattr__, which knows the extras installed

# Where each name is, which is imported when it is first asked for; tests/test_public_api.py holds it against the
# imports above.
_PLACES = {
    "passline.automaton.compiler": "compile_strategy",
    "passline.automaton.decisions.menu": "menu_of",
    "passline.automaton.minimise": "lump minimise",
    "passline.automaton.terms": "Terms",
    "passline.client": "Client News Receipt RequestRefused RollNotProved TableConnection Unreachable",
    "passline.dice": "OUTCOMES Roll",
    "passline.dice_weights": "DiceWeights dice_named dice_of_faces dice_of_rolls_to_seven weighted_dice",
    "passline.errors": "CrapsError",
    "passline.exact.analysis": "analyze",
    "passline.exact.backwards": "fewest_rolls highest_goal smallest_bankroll",
    "passline.exact.best.best_play": "best",
    "passline.exact.best.purpose": "Purpose",
    "passline.exact.break_even": "break_even_dice gain_per_roll",
    "passline.exact.certificates.certificate": "certify certify_wager read_certificate verify_certificate",
    "passline.exact.chain.generating": "eigenvalues generating_function",
    "passline.exact.chain.hand_law": "hand_length",
    "passline.exact.par.par": "par_of",
    "passline.exact.par.sheet": "sheet",
    "passline.exact.paired": "analyze_against",
    "passline.game": "commands events",
    "passline.game.craps": "CrapsGame",
    "passline.game.decide": "act decide",
    "passline.game.evolve": "evolve fold",
    "passline.game.hand_files": "run_hand",
    "passline.game.position": "Table open_table",
    "passline.money": "Cents Pays",
    "passline.acts.calendar.facility": "Facility",
    "passline.bookkeeping.win": "table_results",
    "passline.office.trial": "TrialOffice",
    "passline.office.views.day_report": "office_day",
    "passline.refusal": "Refusal Refused WagerRefused",
    "passline.rules.clauses": "REGULATIONS clauses_of",
    "passline.rules.rules": "Rules",
    "passline.simulation.paired": "simulate_against",
    "passline.simulation.recorded_dice": "dice_of_file recorded_dice",
    "passline.simulation.simulation": "simulate",
    "passline.store.memory": "MemoryLog",
    "passline.store.verify": "verify_log",
    "passline.strategy.interface": "BaseStrategy Call Lower Seen Simple Strategy TakeDown Want Wish",
    "passline.strategy.lookup": "known_strategies strategy_of",
    "passline.strategy.strategy_table": "StrategyTable",
    "passline.tournament.plan.reader": "example_plan",
    "passline.tournament.trial": "TrialTournament",
}
_LATER = {name: module for module, names in _PLACES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return [public for public in _NAMES if _can_be_imported(public)]
    if name not in _LATER:
        raise AttributeError(f"module 'passline' has no attribute {name!r}")
    with extra_for(f"passline.{name}"):
        module = __import__(_LATER[name], fromlist=[name])  # like `from`, which also finds a module in a package
    value = globals()[name] = getattr(module, name)
    return value


def _can_be_imported(name: str) -> bool:
    try:
        __getattr__(name)
    except MissingExtra:
        return False
    return True


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
