"""Two strategies as one: `a + b` wishes for what both wish."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct

from passline.game.events import Event
from passline.strategy.interface import Seen, Strategy, Want, Wish

__all__ = ["Adding", "Combined"]


class Adding(Struct, frozen=True):
    """What lets a strategy be added to another, and what is so of a strategy that does not say otherwise."""

    @property
    def kinds(self) -> frozenset[str]:
        """Not stated."""
        return frozenset()

    @property
    def version(self) -> str:
        """None, for what Python code would do next time is not known."""
        return ""

    @property
    def hears_rolls(self) -> bool:
        """Only what concerns its own wagers."""
        return False

    def __add__(self: Strategy, other: Strategy) -> Combined:
        """Give both strategies as one.

        >>> from passline.strategy.library import pass_and_place, pass_with_odds
        >>> both = pass_with_odds(10_00, 2) + pass_and_place(15_00, 12_00)
        >>> both.wishes(Seen(0, is_clearing=False, mine=()), both.start)
        (Want(kind='pass', number=0, cents=1500),)
        """
        return Combined(self, other)


class Combined(Adding, frozen=True):
    """The wishes of one strategy and then of another; a wager both want is wanted once, at the larger amount."""

    first: Strategy
    second: Strategy

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.first.name} + {self.second.name}"

    @property
    def shoots(self) -> bool:
        """Whether either makes line wagers."""
        return self.first.shoots or self.second.shoots

    @property
    def kinds(self) -> frozenset[str]:
        """The wagers of both, where both state theirs."""
        both = (self.first.kinds, self.second.kinds)
        return both[0] | both[1] if all(both) else frozenset()

    @property
    def version(self) -> str:
        """Both versions, where both have one."""
        versions = (self.first.version, self.second.version)
        return " + ".join(versions) if all(versions) else ""

    @property
    def hears_rolls(self) -> bool:
        """Whether either wants every roll."""
        return self.first.hears_rolls or self.second.hears_rolls

    @property
    def start(self) -> Hashable:
        """Both memories, or none where neither has one."""
        memories = (self.first.start, self.second.start)
        return None if memories == (None, None) else memories

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Let each remember for itself."""
        if memory is None:
            return None
        assert isinstance(memory, tuple)
        return (self.first.remember(memory[0], happened), self.second.remember(memory[1], happened))

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Give the wishes of both in order; raising means the larger amount, not the sum."""
        memories = memory if isinstance(memory, tuple) else (None, None)
        wished = (*self.first.wishes(seen, memories[0]), *self.second.wishes(seen, memories[1]))
        wanted = sorted((wish for wish in wished if isinstance(wish, Want)), key=lambda wish: wish.cents)
        largest = {(wish.kind, wish.number): wish for wish in wanted}  # the last one stays
        once = (largest[wish.kind, wish.number] if isinstance(wish, Want) else wish for wish in wished)
        return tuple(dict.fromkeys(once))
