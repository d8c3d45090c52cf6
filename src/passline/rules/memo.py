"""What is worked out once under some rules: each module that keeps something owns the name and type of its memo."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
"""The type of a memo's keys."""
Value = TypeVar("Value")
"""The type of what a memo holds."""


class Memo(Generic[Key, Value]):
    """The name and type of one memo, owned by the module that uses it.

    >>> from passline.rules.rules import Rules
    >>> lengths: Memo[str, int] = Memo()
    >>> rules = Rules.of("maryland")
    >>> rules.memory_of(lengths)["pass"] = 4
    >>> rules.memory_of(lengths), Rules.of("maryland").memory_of(lengths)
    ({'pass': 4}, {})
    """

    __slots__ = ()
