"""Keeps what is worked out from a part of the pages, or from a state under its pages: neither ever changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Page = TypeVar("Page")
Pages = TypeVar("Pages")
State = TypeVar("State")
Found = TypeVar("Found")


def kept_with_page(find: Callable[[Page], Found]) -> Callable[[Page], Found]:
    """Return a function that works out its answer once for each part of the pages, a Struct with a `__dict__`.

    >>> from msgspec import Struct
    >>> class Act(Struct, frozen=True, dict=True):
    ...     fields: tuple[str, ...]
    >>> @kept_with_page
    ... def lengths(act):
    ...     print("looks")
    ...     return [len(field) for field in act.fields]
    >>> act = Act(("table", "units"))
    >>> lengths(act), lengths(act)
    looks
    ([5, 5], [5, 5])
    """
    name = f"{find.__module__}.{find.__qualname__}"

    def find_once(page: Page) -> Found:
        kept: dict[str, Any] = page.__dict__
        try:
            found: Found = kept[name]
        except KeyError:
            found = kept[name] = find(page)
        return found

    find_once.__doc__ = find.__doc__
    return find_once


def kept_with_state(find: Callable[[Pages, State], Found]) -> Callable[[Pages, State], Found]:
    """Return a function that works out its answer once for each state, a Struct with a `__dict__`.

    For the same state under other pages it works out another answer, which takes the place of the first.

    >>> from msgspec import Struct
    >>> class State(Struct, frozen=True, dict=True):
    ...     marks: tuple[str, ...]
    >>> @kept_with_state
    ... def known(pages, state):
    ...     print("looks")
    ...     return [mark for mark in state.marks if mark in pages]
    >>> pages, state = ("fill",), State(("fill", "drop"))
    >>> known(pages, state), known(pages, state), known(("drop",), state)
    looks
    looks
    (['fill'], ['fill'], ['drop'])
    """
    name = f"{find.__module__}.{find.__qualname__}"

    def find_once(pages: Pages, state: State) -> Found:
        kept: tuple[Pages, Found] | None = state.__dict__.get(name)
        if kept is None or kept[0] is not pages:
            kept = state.__dict__[name] = pages, find(pages, state)
        return kept[1]

    find_once.__doc__ = find.__doc__
    return find_once
