"""Automata cached on disk, keyed by rules, strategy and the code that compiled them.

A file that cannot be read is compiled again, and a file that cannot be written is not kept: the cache never raises.
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
from passline.automaton.compiler import STATES_MAX, Progress, compile_strategy
from passline.kernel_cache import users_cache
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy

_CODE = ("dice.py", "money.py", "expression.py", "rules", "game", "strategy", "automaton")
_DIGEST = 32  # bytes of the content's SHA-256, at the start of a file
_ARRAYS = ("next", "cash", "outlay", "short", "mark", "action", "initial", "up")


def load_or_compile(
    rules: Rules,
    strategy: Strategy,
    *,
    short: Short = "stop",
    states_max: int = STATES_MAX,
    progress: Progress | None = None,
) -> Automaton:
    """Return a strategy's automaton from the cache, or compile and cache it; one without a version is never cached."""
    folder = cache_folder()
    path = folder / f"{key_of(rules, strategy, short)}.npz" if folder and strategy.version else None
    automaton = _read(path) if path else None
    if automaton is None:
        automaton = compile_strategy(rules, strategy, short=short, states_max=states_max, progress=progress)
        if path:
            _write(path, automaton)
    return automaton


def cache_folder() -> Path | None:
    """Return the folder of cached automata: PASSLINE_CACHE or the user's cache; None if "off" or without a home."""
    if chosen := os.environ.get("PASSLINE_CACHE"):
        return None if chosen == "off" else Path(chosen)
    return users_cache("automata")


def key_of(rules: Rules, strategy: Strategy, short: Short) -> str:
    """Return the key of an automaton, which changes with every clause, election, strategy and line of code behind it.

    >>> from passline.strategy.lookup import strategy_of
    >>> default, dearer = Rules.of("maryland"), Rules.of("maryland", house={"wager_cents_min": 10_00})
    >>> len({key_of(rules, strategy_of("pass", rules), "stop") for rules in (default, dearer, default)})
    2
    """
    inputs = msgspec.json.encode(
        [rules.rulebook, rules.house, rules.limits_apply, strategy.version, short], order="sorted"
    )
    return hashlib.sha256(_code_digest() + inputs).hexdigest()


@cache
def _code_digest() -> bytes:
    """Return a digest of the modules that decide what an automaton is."""
    package = files("passline")
    digest = hashlib.sha256()
    for name in _CODE:
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
    header = np.frombuffer(msgspec.json.encode((automaton.unit, automaton.policy, automaton.labels)), dtype=np.uint8)
    content = BytesIO()
    np.savez_compressed(content, said=header, **{name: getattr(automaton, name) for name in _ARRAYS})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            part.write_bytes(hashlib.sha256(content.getvalue()).digest() + content.getvalue())
    except OSError:
        return
