"""Equity as a number that notes every question asked of it, so that a strategy's answer holds for a range of equities.

A strategy that reads its money is asked with one equity, and what it compares narrows the range of equities for which
it would have answered the same. Asked again from below that range, and so on down to nothing, it has been asked about
all: its answers are a list of guards, each an equity from which on it holds.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from passline.errors import CrapsError

EQUITY_MAX = 10**12
"""More than any session has, in cents."""
ASKED_MAX = 128
"""How often one moment of a strategy is asked about before it is given up."""

_Answer = TypeVar("_Answer")
_Of = Callable[[int], int]


class Untraceable(CrapsError):
    """A strategy whose answers are not those of a few ranges of equity."""


class EquityRange:
    """The equities, all from `low` to `high`, for which everything asked so far has the same answer."""

    def __init__(self, equity: int) -> None:
        self.equity = self.high = equity
        self.low = 0

    def keep(self, holds: Callable[[int], bool]) -> None:
        """Keep the equities around this one for which a statement holds that changes at most once on either side."""
        self.low = _first(holds, self.low, self.equity)
        self.high = -_first(lambda equity: holds(-equity), -self.high, -self.equity)


def _first(holds: Callable[[int], bool], low: int, known: int) -> int:
    """Return the least number from `low` on such that a statement holds from there up to `known`, where it does."""
    if holds(low):
        return low
    while known - low > 1:
        middle = (low + known) // 2
        low, known = (low, middle) if holds(middle) else (middle, known)
    return known


class TracedNumber:
    """A number that depends on equity: `of` says how, rising or falling with it; `slope` if it does evenly.

    >>> seen = EquityRange(50_00)
    >>> net = TracedNumber(seen, lambda equity: equity - 30_00, slope=1)
    >>> bool(net >= 15_00), (seen.low, seen.high)
    (True, (4500, 5000))
    >>> int(net // 10_00), (seen.low, seen.high)
    (2, (5000, 5000))
    """

    __slots__ = ("is_rising", "of", "slope", "within")

    def __init__(self, within: EquityRange, of: _Of, *, slope: int | None, is_rising: bool = True) -> None:
        self.within, self.of, self.slope = within, of, slope
        self.is_rising = is_rising if slope is None else slope > 0

    @property
    def value(self) -> int:
        """Its value for the equity that is asked about."""
        return self.of(self.within.equity)

    def _compare(self, other: object, tells: Callable[[int], bool]) -> bool:
        """Return what is told of the difference to another number, and note for which equities it is the same."""
        difference = self - other
        if not isinstance(difference, TracedNumber):
            return tells(int(difference))
        answer, of = tells(difference.value), difference.of
        self.within.keep(lambda equity: tells(of(equity)) is answer)
        return answer

    def __lt__(self, other: object) -> bool:
        return self._compare(other, lambda difference: difference < 0)

    def __le__(self, other: object) -> bool:
        return self._compare(other, lambda difference: difference <= 0)

    def __gt__(self, other: object) -> bool:
        return self._compare(other, lambda difference: difference > 0)

    def __ge__(self, other: object) -> bool:
        return self._compare(other, lambda difference: difference >= 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | TracedNumber):
            return NotImplemented
        difference = self - other
        if not isinstance(difference, TracedNumber):
            return difference == 0
        value, of = difference.value, difference.of
        self.within.keep(lambda equity: (of(equity) > 0) is (value > 0) and (of(equity) < 0) is (value < 0))
        return value == 0

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __index__(self) -> int:
        """Return its value, and note for which equities it is that."""
        value, of = self.value, self.of
        self.within.keep(lambda equity: of(equity) == value)
        return value

    __int__ = __index__

    def __hash__(self) -> int:
        return hash(int(self))

    @property
    def numerator(self) -> int:
        """Its value: fractions are made of it."""
        return int(self)

    @property
    def denominator(self) -> int:
        """One: it is whole."""
        return 1

    def __neg__(self) -> TracedNumber:
        of = self.of
        slope = None if self.slope is None else -self.slope
        return TracedNumber(self.within, lambda equity: -of(equity), slope=slope, is_rising=not self.is_rising)

    def __abs__(self) -> _Size:
        return _Size(self)

    def __add__(self, other: object) -> TracedNumber | int:
        of = self.of
        if isinstance(other, int):
            more = other
            return TracedNumber(
                self.within, lambda equity: of(equity) + more, slope=self.slope, is_rising=self.is_rising
            )
        if not isinstance(other, TracedNumber):
            return NotImplemented
        also = other.of
        if self.slope is not None and other.slope is not None:
            if not (slope := self.slope + other.slope):
                return self.value + other.value
            return TracedNumber(self.within, lambda equity: of(equity) + also(equity), slope=slope)
        if self.is_rising is not other.is_rising:
            return int(self) + int(other)
        return TracedNumber(self.within, lambda equity: of(equity) + also(equity), slope=None, is_rising=self.is_rising)

    __radd__ = __add__

    def __sub__(self, other: object) -> TracedNumber | int:
        return self + -other if isinstance(other, int | TracedNumber) else NotImplemented

    def __rsub__(self, other: int) -> TracedNumber | int:
        return -self + other

    def __mul__(self, other: object) -> TracedNumber | int:
        if isinstance(other, TracedNumber):
            return int(self) * int(other)
        if not isinstance(other, int) or not other:
            return NotImplemented if not isinstance(other, int) else 0
        of, times = self.of, other
        slope = None if self.slope is None else self.slope * times
        is_rising = self.is_rising is (times > 0)
        return TracedNumber(self.within, lambda equity: of(equity) * times, slope=slope, is_rising=is_rising)

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> TracedNumber | int:
        if isinstance(other, TracedNumber):
            return int(self) // int(other)
        if not isinstance(other, int):
            return NotImplemented
        of, by = self.of, other
        return TracedNumber(
            self.within, lambda equity: of(equity) // by, slope=None, is_rising=self.is_rising is (by > 0)
        )

    def __rfloordiv__(self, other: int) -> int:
        return other // int(self)

    def __mod__(self, other: object) -> int:
        return int(self) % int(other)  # type: ignore[call-overload,no-any-return]

    def __rmod__(self, other: int) -> int:
        return other % int(self)


numbers.Rational.register(TracedNumber)


class _Size:
    """The absolute value of a number, which asks for its sign only where that decides something."""

    def __init__(self, number: TracedNumber) -> None:
        self._number = number

    def __gt__(self, other: int) -> bool:
        return self._number > other or self._number < -other

    def __index__(self) -> int:
        return int(self._signed_number())

    __int__ = __index__

    def _signed_number(self) -> TracedNumber:
        return self._number if self._number >= 0 else -self._number


def _by_sign(name: str) -> Callable[..., Any]:
    """Return an operation of the number whose sign is known."""
    return lambda size, *others: getattr(size._signed_number(), name)(*others)  # noqa: SLF001 - of its own class, below


for _operation in ("lt", "le", "ge", "add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "mod", "neg"):
    setattr(_Size, f"__{_operation}__", _by_sign(f"__{_operation}__"))


def answers_by_equity(ask: Callable[[EquityRange], _Answer]) -> Iterator[tuple[int, _Answer]]:
    """Yield the answers of a pure function of equity from the highest down, each with the least equity that it is for.

    >>> def wager(seen: EquityRange) -> int:
    ...     equity = TracedNumber(seen, lambda cents: cents, slope=1)
    ...     return 10_00 if equity < 100_00 else int(min(equity // 100_00, 3)) * 10_00
    >>> list(answers_by_equity(wager))
    [(30000, 3000), (20000, 2000), (0, 1000)]
    """
    equity = EQUITY_MAX
    held: tuple[int, _Answer] | None = None
    for _ in range(ASKED_MAX):
        seen = EquityRange(equity)
        answer = ask(seen)
        if held is not None and held[1] != answer:
            yield held
        held = (seen.low, answer)
        equity = seen.low - 1
        if equity < 0:
            yield held
            return
    raise Untraceable(f"it tells more than {ASKED_MAX} ranges of its money apart")
