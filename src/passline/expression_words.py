"""The words that expressions may use, and what is known of an expression once it is parsed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Generic, TypeVar

from msgspec import Struct

from passline.errors import CrapsError

NUMBER_MAX = 10**15
"""The largest number of an expression: more than any amount of money, and quick to compute with."""

S = TypeVar("S")  # what names and functions read: the moment before acting, or the effects of a roll
Evaluate = Callable[[S], int]
Evaluates = Callable[[S], tuple[int, ...]]


class ExpressionError(CrapsError):
    """An expression that cannot be read, or has no value; the message is for the person who wrote it."""


class Function(Struct, Generic[S], frozen=True):
    """A function of expressions: how many wagers its call names first, how many numbers may follow, and its value."""

    usage: str
    wagers: int
    least: int
    most: int
    call: Callable[[S, tuple[str, ...], tuple[int, ...]], int]


class Vocabulary(Struct, Generic[S], frozen=True):
    """The names, lists, functions and wagers that an expression may use."""

    names: Mapping[str, Evaluate[S]] = {}
    lists: Mapping[str, tuple[int, ...] | Evaluates[S]] = {}
    functions: Mapping[str, Function[S]] = {}
    wagers: Mapping[str, object] = {}
    wagers_of: str = ""  # the regulation whose wagers they are
    error: type[ExpressionError] = ExpressionError  # what a fault is raised as
    indexed: Mapping[str, Callable[[S, int], int]] = {}  # numbers that are kept by number, such as hits[6]
    lets: Mapping[str, str] = {}  # expressions that have a name
    lets_where: str = ""
    fault_of_number: Callable[[str, str, int], str] = lambda _function, _wager, _number: ""
    """What is wrong with this number in a call of this function for this wager, if that is known."""
    elsewhere: frozenset[str] = frozenset()  # words that are known in other expressions of the same file
    elsewhere_hint: str = ""


class Parsed(Struct, Generic[S], frozen=True):
    """What is known of an expression beside its value: every name and wager it reads."""

    text: str
    reads: frozenset[str]  # hits[6] reads "hits[]", and up('come') reads "up()"
    parts: Mapping[str, Evaluate[S]] = {}  # the names and calls in it, by their text, to show their values
    size: int = 1
    named: frozenset[tuple[str, str]] = frozenset()  # each wager that a call names, with the text of its number or ""

    @property
    def wagers(self) -> frozenset[str]:
        """Every wager that a call names."""
        return frozenset(kind for kind, _number in self.named)

    def values(self, scope: S) -> dict[str, int]:
        """Return the value of each name and call in it, for people who ask why.

        >>> from passline.expression import expression_of
        >>> roll = Vocabulary(names={"total": lambda total: total})
        >>> expression_of("total > 6 or total == 2", roll, "demo").values(6)
        {'total': 6}
        """
        found: dict[str, int] = {}
        for text, evaluate in self.parts.items():
            try:
                found[text] = evaluate(scope)
            except ExpressionError:  # of a part that is not reached, such as steps[9] behind `and`
                continue
        return found


class Expression(Parsed[S], Generic[S], frozen=True, kw_only=True):
    """A parsed expression whose value is a number."""

    evaluate: Evaluate[S]


class NumbersExpression(Parsed[S], Generic[S], frozen=True, kw_only=True):
    """A parsed expression whose value is a list of numbers."""

    evaluate: Evaluates[S]


def nearest(word: str, words: Mapping[str, object]) -> str:
    """Return a hint for an unknown word: the known ones most like it, or else all of them.

    >>> nearest("moly", {"molly": 1, "dolly": 2, "fire": 3}), nearest("x", {"molly": 1, "fire": 3})
    ('did you mean molly or dolly?', 'there are: fire, molly')
    """
    if close := get_close_matches(word, words, cutoff=0.5):
        return f"did you mean {' or '.join(close)}?"
    return f"there are: {', '.join(sorted(words)) or 'none'}"
