"""What the expressions of a strategy file are evaluated on: the moment before acting, and what a roll left behind."""

from __future__ import annotations

from msgspec import Struct

from passline.strategy.interface import Seen
from passline.strategy.roll_effects import RollEffects


class Moment(Struct):
    """What the expressions of a wish read: what is seen and remembered before acting, for one number of the wish.

    The wishes so far of this moment leave word of what they lead to, which later ones may depend on.
    """

    seen: Seen
    memory: tuple[int, ...]
    number: int = 0
    planned: dict[tuple[str, int], int] = {}  # cents, after the wishes so far, of the wagers that these name
    taken_down: set[tuple[str, int]] = set()  # what `planned` has of these is made anew
    called: dict[tuple[str, int], bool] = {}  # whether the wagers called so far work now

    def cents(self, kind: str, number: int) -> int:
        """Return the cents of a wager after the wishes so far; 0 if it is not up then."""
        planned = self.planned.get((kind, number))
        return self.seen.up(kind, number) if planned is None else planned

    def layout(self) -> dict[tuple[str, int], int]:
        """Return the cents of every wager after the wishes so far, by kind and number.

        >>> from passline.game.position import Wager
        >>> seen = Seen(6, is_clearing=False, mine=(Wager(1, "player", "come", 4, 10_00),))
        >>> Moment(seen, (), planned={("field", 0): 5_00}).layout()
        {('come', 4): 1000, ('field', 0): 500}
        """
        return {(wager.kind, wager.number): wager.cents for wager in self.seen.mine} | self.planned


class Aftermath(Struct):
    """What the expression of a memory reads: the roll's effects, the memory before it and what is seen after it."""

    effects: RollEffects
    memory: tuple[int, ...]
    number: int = 0
    seen: Seen | None = None
