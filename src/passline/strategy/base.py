"""The base class of strategies, strategies without memory (`Simple`), and sums of strategies (`a + b`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from msgspec import Struct

from passline.game.events import Event
from passline.strategy.interface import Seen, Strategy, Want, Wish

__all__ = ["BaseStrategy", "Combined", "Simple"]


class BaseStrategy(Struct, frozen=True):
    """The defaults of a strategy, and the operator that adds two of them."""

    @property
    def kinds(self) -> frozenset[str]:
        """Empty: not stated."""
        return frozenset()

    @property
    def version(self) -> str:
        """Empty, so never cached: nobody can tell whether Python code has changed."""
        return ""

    @property
    def hears_rolls(self) -> bool:
        """False: `remember` receives only settlements of its own wagers and changes of shooter."""
        return False

    def __add__(self: Strategy, other: Strategy) -> Combined:
        """Return both strategies as one.

        >>> from passline.rules.rules import Rules
        >>> from passline.strategy.lookup import strategy_of
        >>> rules = Rules.of("maryland")
        >>> both = strategy_of("pass:unit=1000", rules) + strategy_of("pass:unit=1500", rules)
        >>> both.wishes(Seen(0, is_clearing=False, mine=()), both.start)
        (Want(kind='pass', number=0, cents=1500),)
        """
        return Combined(self, other)


class Simple(BaseStrategy, frozen=True):
    """A strategy without memory: `wish` maps what is seen to the wishes."""

    name: str
    shoots: bool
    wish: Callable[[Seen], tuple[Wish, ...]]
    start: Hashable = None
    kinds: frozenset[str] = frozenset()

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return the memory unchanged."""
        del happened
        return memory

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the wishes for what is seen."""
        del memory
        return self.wish(seen)


class Combined(BaseStrategy, frozen=True):
    """The wishes of one strategy, then those of another; a wager that both want is made once, at the larger amount."""

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
        """The wagers of both; not stated unless both state theirs."""
        both = (self.first.kinds, self.second.kinds)
        return both[0] | both[1] if all(both) else frozenset()

    @property
    def version(self) -> str:
        """Both versions; none unless both have one."""
        versions = (self.first.version, self.second.version)
        return " + ".join(versions) if all(versions) else ""

    @property
    def hears_rolls(self) -> bool:
        """Whether either wants to hear of every roll."""
        return self.first.hears_rolls or self.second.hears_rolls

    @property
    def start(self) -> Hashable:
        """Both memories; None if neither strategy has one."""
        memories = (self.first.start, self.second.start)
        return None if memories == (None, None) else memories

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return both memories after the roll."""
        if memory is None:
            return None
        assert isinstance(memory, tuple)
        return (self.first.remember(memory[0], happened), self.second.remember(memory[1], happened))

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the wishes of both in order, each once; of two amounts for one wager, the larger."""
        memories = memory if isinstance(memory, tuple) else (None, None)
        wished = (*self.first.wishes(seen, memories[0]), *self.second.wishes(seen, memories[1]))
        wanted = sorted((wish for wish in wished if isinstance(wish, Want)), key=lambda wish: wish.cents)
        largest = {(wish.kind, wish.number): wish for wish in wanted}  # a later, larger one replaces an earlier one
        once = (largest[wish.kind, wish.number] if isinstance(wish, Want) else wish for wish in wished)
        return tuple(dict.fromkeys(once))
