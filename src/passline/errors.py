"""What Passline raises on purpose.

CrapsError                  show the message; the traceback says nothing more
"""

__all__ = ["CrapsError"]


class CrapsError(Exception):
    """A fault of the input (a house, a hand, a wager), worded for the person who can put it right.

    >>> str(CrapsError("house.toml: no such election: odds_max"))
    'house.toml: no such election: odds_max'
    """
