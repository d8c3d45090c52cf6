"""What is told of a strategy file, line by line: apart from what finds it out, so that a server needs no numpy."""

from __future__ import annotations

from msgspec import Struct


class Cost(Struct, frozen=True):
    """How many states a strategy has without one memory or wish; None where that was not counted."""

    line: str
    without: int | None


class ToldWish(Struct, frozen=True):
    """One wish of a file on one number: what it says, its condition with the values in it, and why it says nothing."""

    strategy: str
    wish: int  # its place in the file, from 0, as errors name it
    does: str
    wager: str
    number: str
    said: tuple[str, ...]
    when: str
    values: dict[str, int]
    why_not: str
