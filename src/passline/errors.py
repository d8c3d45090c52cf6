"""What Passline raises on purpose.

CrapsError                  show the message; the traceback says nothing more
  NumberError               dice.py: correct the number of a wager
  MoneyError                money.py: correct the amount or the payout
  NotationError             game/notation.py: correct the line that should be a table
  HandError                 game/hands/steps.py: correct the hand file at the line named
  StrategyError             strategy/expression.py: correct the strategy file at the key named, or the strategy's name
  ChainError                exact/chains.py: ask for something that comes to an end
  SessionError              exact/law.py: correct the terms of the session
  GpuError                  simulate/device.py: install CuPy, look at the driver, or play on the CPU
  LogError                  store/log.py: free what holds the log up, then ask again; if it is damaged, passline verify
"""

__all__ = ["CrapsError"]


class CrapsError(Exception):
    """A fault of the input (a house, a hand, a wager), worded for the person who can put it right.

    >>> str(CrapsError("house.toml: no such election: odds_max"))
    'house.toml: no such election: odds_max'
    """
