"""TOML that a process has parsed once: tests read the pages of a rulebook thousands of times, most of them unchanged.

`tomllib` is plain Python, and takes almost half of the time in which a rulebook is read and checked.
"""

from __future__ import annotations

import pickle
import tomllib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_loads = tomllib.loads


@lru_cache(maxsize=2_000)
def _parsed(text: str) -> bytes:
    return pickle.dumps(_loads(text))


def _loads_once(text: str, /, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return what a text says, as data of its own; what is no TOML is parsed each time, and raises."""
    if not isinstance(text, str) or parse_float is not float:
        return _loads(text, parse_float=parse_float)
    try:
        data: dict[str, Any] = pickle.loads(_parsed(text))  # noqa: S301 - of this process
    except RecursionError:  # deeper than can be pickled
        return _loads(text)
    return data


def remember_parsed() -> None:
    """Have `tomllib.loads` parse each text once in this process."""
    setattr(tomllib, "loads", _loads_once)  # noqa: B010 - a function of the standard library
