"""The interface of a strategy: two pure functions, `wishes` and `remember`.

`wishes` maps the public position, the strategy's own wagers and its memory to an ordered list of wishes; a wager that
no wish names is left alone. `remember` returns the memory after a roll. The memory is finite, or None for a strategy
without one. A strategy never sees a rack, and every wish is checked by `decide` like any player's command.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, Protocol

from msgspec import Struct

from passline.game.events import Event, PuckMoved, RollSettled
from passline.game.position import Wager

__all__ = ["ROLL_EVENTS", "Call", "Seen", "Strategy", "TakeDown", "Want", "Wish"]

ROLL_EVENTS: frozenset[type[Event]] = frozenset({RollSettled, PuckMoved})
"""The events of every roll that a strategy with `hears_rolls` receives beside those of its own wagers."""


class Seen(Struct, frozen=True, gc=False, cache_hash=True):
    """What a strategy sees before it acts.

    The puck, whether the table is clearing come wagers, the strategy's own wagers, and the windows closed in this hand:
    a side wager can be made only while its window is open.
    """

    puck: int
    is_clearing: bool
    mine: tuple[Wager, ...]
    closed: tuple[str, ...] = ()

    def up(self, kind: str, number: int = 0) -> int:
        """Return the cents up on a wager, 0 if it is not up."""
        for wager in self.mine:
            if wager.kind == kind and wager.number == number:
                return wager.cents
        return 0


class Want(Struct, frozen=True, gc=False):
    """Make a wager, or raise it to this amount."""

    kind: str
    number: int
    cents: int


class TakeDown(Struct, frozen=True, gc=False):
    """Take a wager down if it is up."""

    kind: str
    number: int


class Call(Struct, frozen=True, gc=False):
    """Call a wager on or off."""

    kind: str
    number: int
    call: Literal["on", "off"]


Wish = Want | TakeDown | Call
"""Anything a strategy can ask for."""


class Strategy(Protocol):
    """A way to play; `BaseStrategy` has defaults for most of it."""

    @property
    def name(self) -> str:
        """The name shown to people."""

    @property
    def shoots(self) -> bool:
        """Whether it makes line wagers and so takes the dice."""

    @property
    def kinds(self) -> frozenset[str]:
        """Every kind of wager it wishes for or reads; empty if it does not state them."""

    @property
    def version(self) -> str:
        """A key that changes whenever its wishes could, used by caches; "" if nothing about it may be cached."""

    @property
    def hears_rolls(self) -> bool:
        """Whether `remember` receives the `ROLL_EVENTS` of every roll, not only what concerns its own wagers."""

    @property
    def start(self) -> Hashable:
        """The memory before a session; None if it has no memory."""

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return the memory after a roll: every roll, also one that decides nothing of the player's.

        `happened` has the settlements of its own wagers and a change of shooter; often it is empty.
        """

    def __add__(self, other: Strategy) -> Strategy:
        """Return both as one strategy: this one's wishes first, and a wager both want once, at the larger amount."""

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the wishes before the next roll, in the order they are carried out."""
