"""Refusals: values that hold every clause a command breaks, and why.

The words of a refusal are written where the check is made: in `game.judges`, `acts.judges`, `tables`, `tournament` and
`people`; that a role may not do something is said by `authority.duties` for all of them. The clauses come from the
rulebook's entry (`rules.schema.refusal`).
"""

from __future__ import annotations

from msgspec import Struct

from passline.errors import CrapsError


class Refusal(Struct, frozen=True, gc=False):
    """One clause a command breaks.

    >>> str(Refusal("XX-12-b", "a come wager needs the puck ON"))
    'a come wager needs the puck ON [XX-12-b]'
    """

    clause: str
    why: str
    is_money: bool = False  # the player has too little money; with more it may be allowed

    def __str__(self) -> str:
        return f"{self.why} [{self.clause}]" if self.clause else self.why  # some duties of a live table have no clause


class Refused(Struct, frozen=True, gc=False):
    """The answer to a command that is refused: every clause it breaks."""

    refusals: tuple[Refusal, ...]

    def __str__(self) -> str:
        return "; ".join(str(refusal) for refusal in self.refusals)


class WagerRefused(CrapsError):
    """Raised by `CrapsGame`: every clause a command breaks, not only the first.

    >>> str(WagerRefused((Refusal("XX-12-b", "a come wager needs the puck ON"),)))
    'a come wager needs the puck ON [XX-12-b]'
    """

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        self.refusals = refusals
        super().__init__("; ".join(str(refusal) for refusal in refusals))
