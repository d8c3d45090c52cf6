"""Automata kept on disk, keyed by rules, strategy and the code that made them.

What cannot be read is compiled again; what cannot be written is not kept: a cache is never a reason to fail.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import msgspec
import numpy as np

from passline.atomic_file import whole_file
from passline.automaton.arrays import Automaton, Short
from passline.automaton.compiler import STATES_MAX, Progress
from passline.automaton.compiler import compile as compiled
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy

__all__ = ["cache_folder", "cached", "key_of"]

_MADE_BY = ("dice.py", "money.py", "rules", "game", "strategy", "automaton")
_DIGEST = 32  # bytes of SHA-256, before what it vouches for
_ARRAYS = ("next", "cash", "outlay", "short", "mark", "action")


def cached(
    rules: Rules,
    strategy: Strategy,
    *,
    short: Short = "stop",
    states_max: int = STATES_MAX,
    progress: Progress | None = None,
) -> Automaton:
    """Give a strategy's automaton from disk, or compile it and keep it; one without a version is always compiled."""
    folder = cache_folder()
    if folder is None or not strategy.version:
        return compiled(rules, strategy, short=short, states_max=states_max, progress=progress)
    path = folder / f"{key_of(rules, strategy, short)}.npz"
    automaton = _read(path)
    if automaton is None:
        automaton = compiled(rules, strategy, short=short, states_max=states_max, progress=progress)
        _write(path, automaton)
    return automaton


def cache_folder() -> Path | None:
    """Give the folder: PASSLINE_CACHE, or one in the user's cache; None when PASSLINE_CACHE is "off" or nobody's."""
    asked = os.environ.get("PASSLINE_CACHE")
    if asked:
        return None if asked == "off" else Path(asked)
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "passline" / "automata"
    except RuntimeError:  # a user without a home
        return None


def key_of(rules: Rules, strategy: Strategy, short: Short) -> str:
    """Give what an automaton is kept under: change a clause, an election, the strategy or the code, and it is another.

    >>> from passline.strategy.lookup import strategy_of
    >>> dealt, dearer = Rules.of("maryland"), Rules.of("maryland", house={"wager_cents_min": 10_00})
    >>> len({key_of(rules, strategy_of("pass", rules), "stop") for rules in (dealt, dearer, dealt)})
    2
    """
    said = msgspec.json.encode(
        [rules.rulebook, rules.house, rules.limits_apply, strategy.version, short], order="sorted"
    )
    return hashlib.sha256(_code() + said).hexdigest()


@cache
def _code() -> bytes:
    """Give a digest of the modules that decide what an automaton is."""
    package = files("passline")
    digest = hashlib.sha256()
    for name in _MADE_BY:
        found = package / name
        modules = sorted(Path(str(found)).rglob("*.py")) if found.is_dir() else [Path(str(found))]
        for path in modules:
            digest.update(path.read_bytes())
    return digest.digest()


def _read(path: Path) -> Automaton | None:
    try:
        digest, content = (whole := path.read_bytes())[:_DIGEST], whole[_DIGEST:]
    except OSError:
        return None
    if hashlib.sha256(content).digest() != digest:
        return None
    with np.load(BytesIO(content), allow_pickle=False) as kept:
        unit, policy, labels = msgspec.json.decode(kept["said"].tobytes(), type=tuple[int, Short, tuple[str, ...]])
        return Automaton(**{name: kept[name] for name in _ARRAYS}, unit=unit, policy=policy, labels=labels)


def _write(path: Path, automaton: Automaton) -> None:
    said = np.frombuffer(msgspec.json.encode((automaton.unit, automaton.policy, automaton.labels)), dtype=np.uint8)
    content = BytesIO()
    np.savez_compressed(content, said=said, **{name: getattr(automaton, name) for name in _ARRAYS})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            part.write_bytes(hashlib.sha256(content.getvalue()).digest() + content.getvalue())
    except OSError:
        return
