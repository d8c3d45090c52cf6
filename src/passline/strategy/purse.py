"""The player's money as a strategy that asks for it sees it, and the purse that keeps it through a session."""

from __future__ import annotations

from msgspec import Struct

MONEY_WORDS = frozenset({"net", "shooter_net", "rack", "peak", "equity", "bankroll"})
"""The words of strategy files that read the session's money; whoever reads none of them never sees any."""


class SeenMoney(Struct, frozen=True, gc=False, cache_hash=True):
    """A player's money in cents: equity is the rack and the wagers up at face."""

    net: int  # equity less what the session began with
    shooter_net: int  # equity less what this shooter's hand began with
    rack: int  # what is not on the layout
    peak: int  # the highest that `net` has been, which is at least 0


class Purse:
    """What a session has to keep to show a strategy its money.

    >>> purse = Purse(100_00)
    >>> purse.settle(130_00)
    >>> purse.end_hand(130_00)
    >>> purse.settle(110_00)
    >>> purse.sight(110_00, rack_cents=90_00)
    SeenMoney(net=1000, shooter_net=-2000, rack=9000, peak=3000)
    """

    def __init__(self, bankroll_cents: int) -> None:
        self._start = self._began = self._peak = bankroll_cents

    def settle(self, equity_cents: int) -> None:
        """Take note of the equity after a roll."""
        self._peak = max(self._peak, equity_cents)

    def end_hand(self, equity_cents: int) -> None:
        """Begin the hand of the next shooter, after what the roll that ended the last one did is remembered."""
        self._began = equity_cents

    def sight(self, equity_cents: int, *, rack_cents: int) -> SeenMoney:
        """Return what the strategy sees."""
        return SeenMoney(equity_cents - self._start, equity_cents - self._began, rack_cents, self._peak - self._start)
