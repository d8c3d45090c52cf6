"""The interface of a strategy: two pure functions, `wishes` and `remember`.

`wishes` maps the public position, the strategy's own wagers and its memory to an ordered list of wishes; a wager that
no wish names is left alone. `remember` returns the memory after a roll. The memory is finite, or None for a strategy
without one. A strategy sees the player's money only if it says so (`reads_money`), and every wish is checked by
`decide` like any player's command.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.expression_words import ExpressionError
from passline.game import commands as c
from passline.game.events import Event, PuckMoved, RollSettled, WagerMoved
from passline.game.position import Position, Wager, find
from passline.game.wagers import is_working
from passline.money import dollar_amount, in_currency
from passline.rules.rules import Rules
from passline.strategy.purse import SeenMoney

ROLL_EVENTS: frozenset[type[Event]] = frozenset({RollSettled, PuckMoved})
"""The events of every roll that a strategy with `hears_rolls` receives beside those of its own wagers."""
AFTER_EVENTS: frozenset[type[Event]] = frozenset({WagerMoved})
"""The events of its own wagers that a strategy with `sees_after` receives beside their settlements."""


class StrategyError(ExpressionError):
    """A strategy that cannot be read or bound to rules; the message is for the person who wrote it."""


class Seen(Struct, frozen=True, gc=False, cache_hash=True):
    """What a strategy sees before it acts.

    The puck, whether the table is clearing come wagers, the strategy's own wagers, and the windows closed in this hand:
    a side wager can be made only while its window is open. `money` is None for a strategy that does not read it.
    """

    puck: int
    is_clearing: bool
    mine: tuple[Wager, ...]
    closed: tuple[str, ...] = ()
    money: SeenMoney | None = None

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


class Lower(Struct, frozen=True, gc=False):
    """Reduce a wager that is up to this amount."""

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


Wish = Want | Lower | TakeDown | Call
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
    def reads_money(self) -> frozenset[str]:
        """The words of money that it reads (`MONEY_WORDS`); if there are any, `Seen.money` is given."""

    @property
    def sees_after(self) -> bool:
        """Whether it remembers by what it sees after a roll too: `remember_seen` is called instead of `remember`."""

    @property
    def bankroll_cents(self) -> int | None:
        """The only bankroll that it plays from, because its memory counts its money; None if it plays from any."""

    @property
    def start(self) -> Hashable:
        """The memory before a session; None if it has no memory."""

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return the memory after a roll: every roll, also one that decides nothing of the player's.

        `happened` has the settlements of its own wagers and a change of shooter; often it is empty.
        """

    def remember_seen(self, memory: Hashable, happened: tuple[Event, ...], seen: Seen) -> Hashable:
        """Return the memory after a roll, given what is seen after it; `happened` also has the wagers that moved."""

    def effects(self, happened: tuple[Event, ...], seen: Seen | None = None) -> Hashable:
        """Return what of a roll matters to `memory_after`: two rolls that are equal in it lead to the same memory."""

    def memory_after(self, memory: Hashable, effects: Hashable) -> Hashable:
        """Return the memory after these effects of a roll, as `remember` or `remember_seen` does."""

    def __add__(self, other: Strategy) -> Strategy:
        """Return both as one strategy: this one's wishes first, and a wager both want once, at the larger amount."""

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the wishes before the next roll, in the order they are carried out."""


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

    @property
    def reads_money(self) -> frozenset[str]:
        """Empty: it never sees the player's money."""
        return frozenset()

    @property
    def sees_after(self) -> bool:
        """False: what happened on a roll is all that it remembers by."""
        return False

    @property
    def bankroll_cents(self) -> int | None:
        """None: it plays from any bankroll."""
        return None

    def remember_seen(self: Strategy, memory: Hashable, happened: tuple[Event, ...], seen: Seen) -> Hashable:
        """Return what `remember` returns."""
        del seen
        return self.remember(memory, happened)

    def effects(self: Strategy, happened: tuple[Event, ...], seen: Seen | None = None) -> Hashable:
        """Return all that happened, and what is seen after it if that matters."""
        return (happened, seen if self.sees_after else None)

    def memory_after(self: Strategy, memory: Hashable, effects: Hashable) -> Hashable:
        """Return the memory after what happened."""
        assert isinstance(effects, tuple)
        happened, seen = effects
        return self.remember(memory, happened) if seen is None else self.remember_seen(memory, happened, seen)

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
    def reads_money(self) -> frozenset[str]:
        """The words of money of both."""
        return self.first.reads_money | self.second.reads_money

    @property
    def sees_after(self) -> bool:
        """Whether either remembers by what it sees after a roll."""
        return self.first.sees_after or self.second.sees_after

    @property
    def start(self) -> Hashable:
        """Both memories; None if neither strategy has one."""
        memories = (self.first.start, self.second.start)
        return None if memories == (None, None) else memories

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return both memories after the roll."""
        return None if memory is None else self.memory_after(memory, self.effects(happened))

    def effects(self, happened: tuple[Event, ...], seen: Seen | None = None) -> Hashable:
        """Return what matters to both."""
        return (self.first.effects(happened, seen), self.second.effects(happened, seen))

    def memory_after(self, memory: Hashable, effects: Hashable) -> Hashable:
        """Return both memories after what each makes of a roll."""
        assert isinstance(memory, tuple)
        assert isinstance(effects, tuple)
        return (self.first.memory_after(memory[0], effects[0]), self.second.memory_after(memory[1], effects[1]))

    def remember_seen(self, memory: Hashable, happened: tuple[Event, ...], seen: Seen) -> Hashable:
        """Return both memories after the roll."""
        return None if memory is None else self.memory_after(memory, self.effects(happened, seen))

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the wishes of both in order, each once; of two amounts for one wager, the larger."""
        memories = memory if isinstance(memory, tuple) else (None, None)
        wished = (*self.first.wishes(seen, memories[0]), *self.second.wishes(seen, memories[1]))
        wanted = sorted((wish for wish in wished if isinstance(wish, Want)), key=lambda wish: wish.cents)
        largest = {(wish.kind, wish.number): wish for wish in wanted}  # a later, larger one replaces an earlier one
        kept = (wish for wish in wished if not isinstance(wish, Lower) or (wish.kind, wish.number) not in largest)
        once = (largest[wish.kind, wish.number] if isinstance(wish, Want) else wish for wish in kept)
        return tuple(dict.fromkeys(once))


def commands_of(rules: Rules, seat: int, seen: Seen, wishes: tuple[Wish, ...]) -> Iterator[tuple[Wish, c.Command]]:
    """Yield each wish that would change something, with its command.

    A wager that is taken down can be made again, and one that is made can be called, by a later wish. Wishes to make a
    wager for less, to take down or call one that is not up, or to call one that already works as called, are skipped.

    >>> from passline.strategy.interface import TakeDown
    >>> rules = Rules.of("maryland")
    >>> placed = Seen(6, is_clearing=False, mine=(Wager(1, "player", "place_win", 8, 24_00),))
    >>> wishes = (Want("place_win", 8, 18_00), TakeDown("place_win", 8), Want("place_win", 8, 12_00))
    >>> for _wish, command in commands_of(rules, 1, placed, wishes):
    ...     print(type(command).__name__, command.wager, command.number)
    RemoveWager place_win 8
    MakeWager place_win 8
    """
    up = {(wager.kind, wager.number): wager for wager in seen.mine}
    for wish in wishes:
        which = (wish.kind, wish.number)
        wager = up.get(which)
        if isinstance(wish, Want):
            cents = wager.cents if wager else 0
            if wish.cents > cents:
                whole = replace(wager, cents=wish.cents) if wager else None
                up[which] = whole or Wager(seat, "player", wish.kind, wish.number, wish.cents)
                yield wish, c.MakeWager(seat=seat, wager=wish.kind, number=wish.number, cents=wish.cents - cents)
        elif wager is None:
            continue
        elif isinstance(wish, Lower):
            if wish.cents < wager.cents:
                up[which] = replace(wager, cents=wish.cents)
                less = wager.cents - wish.cents
                yield wish, c.ReduceWager(seat=seat, wager=wish.kind, number=wish.number, cents=less)
        elif isinstance(wish, Call):
            works = is_working(rules.wagers[wish.kind], wager, is_come_out=not seen.puck)
            if works is not (wish.call == "on"):
                up[which] = replace(wager, working="" if wager.working else wish.call)  # a second call takes it back
                yield wish, c.CallWager(seat=seat, wager=wish.kind, number=wish.number, call=wish.call)
        else:
            del up[which]
            yield wish, c.RemoveWager(seat=seat, wager=wish.kind, number=wish.number)


def wish_text(rules: Rules, wish: Wish) -> str:
    """Return a wish as a player would say it.

    >>> wish_text(Rules.of("maryland"), Want("place_win", 6, 13_00))
    'make Place Bet to Win 6 for $13'
    >>> wish_text(Rules.of("maryland"), Call("pass", 0, "off"))
    'call Pass Bet off'
    """
    rule = rules.wagers.get(wish.kind)
    named = f"{rule.name if rule else wish.kind} {number_text(wish.number) if wish.number else ''}".strip()
    if isinstance(wish, Want | Lower):
        amount = in_currency(dollar_amount(wish.cents, is_grouped=True), rules.rulebook.general.currency)
        return f"make {named} for {amount}" if isinstance(wish, Want) else f"reduce {named} to {amount}"
    return f"call {named} {wish.call}" if isinstance(wish, Call) else f"take {named} down"


def is_of_unmade_wager(position: Position, command: c.Command) -> bool:
    """Return whether a command calls a wager that is not up, as when the player could not pay for it just before."""
    return isinstance(command, c.CallWager) and find(position, command.seat, command.wager, command.number) is None
