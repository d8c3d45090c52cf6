"""What is worked out from a part of the pages alone is worked out once and kept with it: pages never change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Page = TypeVar("Page")
Found = TypeVar("Found")


def kept_with_page(find: Callable[[Page], Found]) -> Callable[[Page], Found]:
    """Make a function of one part of the pages look only once; the part is a Struct with a `__dict__`.

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
