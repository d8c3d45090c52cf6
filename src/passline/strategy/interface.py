"""The strategy interface: pure functions of what is seen and remembered, never of a rack.

A strategy has a finite memory (None: it has none). `remember` moves it on with what the last roll did to the player's
own wagers; `wishes` maps the public position, the own wagers and the memory to an ordered list of wishes. A wager not
named is left alone. Whatever is wished goes through `decide`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, Protocol

from msgspec import Struct

from passline.game.events import Event, PuckMoved, RollSettled
from passline.game.position import Wager

__all__ = ["ROLL_EVENTS", "Call", "Seen", "Strategy", "TakeDown", "Want", "Wish"]

ROLL_EVENTS: frozenset[type[Event]] = frozenset({RollSettled, PuckMoved})
"""What a strategy that hears rolls is told of every roll, beside its own settlements and the dice that pass."""


class Seen(Struct, frozen=True, gc=False, cache_hash=True):
    """What a strategy sees before it acts: the puck, whether come wagers are being cleared, and its own wagers.

    And the windows that this shooter's hand has closed, for a side wager is only made while its own is open.
    """

    puck: int
    is_clearing: bool
    mine: tuple[Wager, ...]
    closed: tuple[str, ...] = ()

    def up(self, kind: str, number: int = 0) -> int:
        """Give the cents up on a wager, 0 when it is not there."""
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
    """A way to play."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def shoots(self) -> bool:
        """Whether it makes line wagers and so takes the dice."""

    @property
    def kinds(self) -> frozenset[str]:
        """Every kind of wager it wishes for or reads; none at all: not stated."""

    @property
    def version(self) -> str:
        """What changes whenever its wishes could: the key of what is kept about it; "" where nothing may be kept."""

    @property
    def hears_rolls(self) -> bool:
        """Whether `remember` wants every roll (the `ROLL_EVENTS`), not only those that concern its own wagers."""

    @property
    def start(self) -> Hashable:
        """The memory before a session."""

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Give the memory after a roll that settled own wagers or passed the dice: `happened` holds those events."""

    def __add__(self, other: Strategy) -> Strategy:
        """Give both as one strategy: this one's wishes first, and a wager both want once, at the larger amount."""

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Give the wishes before the next roll, in the order they are to be carried out."""
